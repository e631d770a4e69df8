"""`facility diff`, `facility export csv` and `facility import racks`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, one_error, run
from tests.cli.test_json_contract import assert_results

RACKS = """\
Hall,Rack type,Qty,Model,Servers per rack,Owner
A,Train,8,DGX H100,4,me
B,Train,4,DGX H100,2,me
"""


@pytest.fixture
def short(tmp_path: Path) -> Path:
    file = tmp_path / "short.yaml"
    file.write_text(SHORT)
    return file


def test_diff_names_inputs_results_and_checks(short: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(SHORT.replace("gpus: 64", "gpus: 128"))
    ran = run("diff", short, other, "--json")
    assert ran.code == 0
    body = ran.json
    assert body["schema"] == "facility.diff/1"
    assert_results(body["results"])
    assert body["inputs"] == [{"path": "it.gpus", "before": "64", "after": "128"}]
    found = {row["key"]: row for row in body["differences"]}
    assert (found["load.gpus"]["before"], found["load.gpus"]["after"]) == (64, 128)
    assert body["results"]["diff.results"] == len(found)
    text = run("diff", short, other)
    assert "it.gpus" in text.out
    assert "Checks that differ" in text.out
    assert "other.yaml: " in text.out


def test_a_project_does_not_differ_from_itself(short: Path) -> None:
    body = run("diff", short, short, "--json").json
    assert body["results"] == {"diff.inputs": 0, "diff.results": 0, "diff.checks": 0}
    changed = run("diff", short, short, "--set", "cooling.supply_air=22 degC", "--json").json
    assert [row["path"] for row in changed["inputs"]] == ["cooling.supply_air"]
    assert changed["results"]["diff.results"] > 0


def test_tables_are_those_of_the_design(short: Path, tmp_path: Path) -> None:
    folder = tmp_path / "csv"
    assert run("export", "csv", short, "--out", folder).code == 0
    design = run("design", short, "--json").json
    tables = {
        file.stem: list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
        for file in folder.iterdir()
    }
    results = {row["key"]: row for row in tables["results"]}
    assert set(results) == set(design["results"])
    for key, said in design["results"].items():
        if isinstance(said, dict):
            assert float(results[key]["value"]) == pytest.approx(said["value"], rel=1e-12), key
            assert results[key]["unit"] == said["unit"], key
    assert len(tables["checks"]) == len(design["checks"])
    assert {row["id"] for row in tables["assumptions"]} == {a["id"] for a in design["assumptions"]}
    circuits = design["results"]["panels.circuits"]
    assert sum(bool(row["Key"]) for row in tables["circuits"]) == circuits
    one_error(run("export", "csv", short, "--out", folder), "FILE_EXISTS", 6)
    assert run("export", "csv", short, "--out", folder, "--force").code == 0


def test_racks_of_a_table_become_the_halls(short: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "racks.csv", tmp_path / "racked.yaml"
    table.write_text(RACKS)
    shown = run("import", "racks", table, "--project", short)
    assert shown.code == 0
    assert "name: Train" in shown.out
    assert "column 'Owner' is ignored" in shown.err
    ran = run("import", "racks", table, "--project", short, "--out", out, "--json")
    assert ran.code == 0
    assert ran.json["schema"] == "facility.import/1"
    assert len(ran.json["racks"]) == 2
    found = run("design", out, "--json").json["results"]
    assert (found["load.racks.compute"], found["load.gpus"]) == (12, 320)
    table.write_text(RACKS.replace(",Owner", "").replace(",me", ""))
    one_error(run("import", "racks", table, "--project", short, "--out", out), "FILE_EXISTS", 6)
    table.write_text(RACKS.replace("DGX H100,4", "DGX H900,4"))
    refused = run("import", "racks", table, "--project", short, "--json")
    assert refused.code == 3
    assert refused.json["errors"][0]["where"] == "row 1, device"
