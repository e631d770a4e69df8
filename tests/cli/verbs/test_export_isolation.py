"""The verb export isolation: terminal at 80 columns, CSV with safe cells, JSON, workbook."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import openpyxl
import pytest

from tests.cli.helpers import run

PROJECT = """\
schema_version: 1
project: {name: "=HYPERLINK(A1)"}
it: {gpu_model: H100 SXM5, gpus: 64}
power: {redundancy: N+1}
cooling: {method: air, plant: {heat_rejection: tower}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(PROJECT, encoding="utf-8")
    return file


def test_steps_fit_80_columns(project: Path) -> None:
    ran = run("export", "isolation", project, "--tag", "UPS-1", COLUMNS="80")
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "Planning aid, not a switching procedure" in ran.out
    assert "Close maintenance bypass MBP-1" in ran.out
    assert "NFPA 70E 120.6(7)" in ran.out


def test_files_and_json_have_the_same_steps(project: Path, tmp_path: Path) -> None:
    target = ("export", "isolation", project, "--tag", "LVB-1")
    body = run(*target, "--json").json
    assert body["schema"] == "facility.isolation/1"
    assert body["results"]["isolation.dead"] is True
    rows = list(csv.reader(io.StringIO(run(*target, "-o", "-").out)))
    assert len({len(row) for row in rows}) == 1
    assert [row[3] for row in rows if row[0] == "isolate"] == [s["action"] for s in body["steps"]]
    assert not any(cell[:1] in "=+@" for row in rows for cell in row if cell)
    book = tmp_path / "lvb.xlsx"
    assert run(*target, "-o", book).code == 0
    sheet = openpyxl.load_workbook(book)["Isolation"]
    texts = {str(cell.value) for row in sheet.iter_rows() for cell in row}
    assert {step["action"] for step in body["steps"]} <= texts


def test_refusals(project: Path, tmp_path: Path) -> None:
    assert run("export", "isolation", project, "--tag", "TX-9").code == 3
    assert run("export", "isolation", project, "--tag", "TX-1", "-o", tmp_path / "x.pdf").code == 2
    everything = run("export", "isolation", project, "--json").json
    counts = everything["results"]
    assert counts["isolations.stopped"] == 1  # GPB>ATS-1: only the contact of the switch
    assert counts["isolations"] == counts["isolations.dead"] + 1
