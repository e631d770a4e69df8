"""``facility export commissioning`` and ``limits``: summary, files, JSON, rejected options."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, one_error, run

_BY_HAND = ("measured", "pass", "initials", "date")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a small project."""
    file = tmp_path / "hall.yaml"
    file.write_text(SHORT, encoding="utf-8")
    return file


def test_the_list_has_blank_columns_and_the_numbers_of_the_json(project: Path) -> None:
    """CSV on standard output and JSON have the same readings; measured values are blank.

    A step without a reading has a row to be signed.
    """
    ran = run("export", "commissioning", project, "--level", "3", "-o", "-")
    assert ran.code == 0
    printed = list(csv.DictReader(ran.out.splitlines()))
    rows = [row for row in printed if row["quantity"]]
    steps = json.loads(run("export", "commissioning", project, "--level", "3", "--json").out)
    readings = [(step["id"], one) for step in steps["steps"] for one in step["readings"]]
    assert len(rows) == len(readings) == steps["results"]["readings.count"]
    signed = [step["id"] for step in steps["steps"] if not step["readings"]]
    assert [row["step"] for row in printed if not row["quantity"]] == signed
    for row, (id, one) in zip(rows, readings, strict=True):
        assert (row["step"], row["quantity"]) == (id, one["quantity"])
        assert all(row[name] == "" for name in _BY_HAND)
        if isinstance(one["expected"], float):
            assert float(row["expected"]) == pytest.approx(one["expected"])


def test_files_and_summary(project: Path, tmp_path: Path) -> None:
    """The summary counts steps; a workbook is verified; other suffixes and levels are rejected."""
    file = tmp_path / "limits.xlsx"
    ran = run("export", "limits", project, "-o", file)
    assert ran.code == 0
    assert "Operating limits" in ran.out
    assert run("verify", file).out.startswith("same")
    one_error(run("export", "limits", project, "-o", file), "FILE_EXISTS", 6)
    one_error(run("export", "limits", project, "-o", tmp_path / "l.pdf"), "FILE_SUFFIX", 2)
    assert run("export", "commissioning", project, "--level", "7").code == 2
