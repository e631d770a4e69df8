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


def test_an_inventory_becomes_the_halls(short: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "racks.csv", tmp_path / "racked.yaml"
    table.write_text(RACKS)
    shown = run("import", "racks", table, "--project", short)
    assert shown.code == 0
    assert "12 racks, 40 servers, 1 model, largest rack 40.8 kW, 2 rooms" in shown.out
    assert "Not read: Owner." in shown.out
    assert "no file written" in shown.err
    ran = run("import", "inventory", table, "--project", short, "--out", out, "--json")
    assert ran.code == 0
    assert ran.json["schema"] == "facility.import/1"
    assert len(ran.json["differences"]) == ran.json["results"]["racks.rows"] == 2
    assert ran.json["racks"][0]["rack"] == "Train"
    found = run("design", out, "--json").json["results"]
    assert (found["load.racks.compute"], found["load.gpus"]) == (12, 320)
    one_error(run("import", "racks", table, "--project", short, "--out", out), "FILE_EXISTS", 6)
    again = run("import", "inventory", table, "--project", out)
    assert "The project already contains this inventory." in again.out
    table.write_text(RACKS.replace("DGX H100,4", "DGX H900,4"))
    refused = run("import", "racks", table, "--project", short, "--json")
    assert refused.code == 3
    assert refused.json["errors"][0]["where"] == "racks.csv!D2"


def test_answers_are_saved_and_applied_with_comments_kept(tmp_path: Path) -> None:
    table, project = tmp_path / "racks.csv", tmp_path / "short.yaml"
    saved = tmp_path / "racks.profile.json"
    table.write_text("Rack,Model,Qty\nA01,DGX H100,4\nA02,DGX H100,2\n")
    project.write_text(f"# for the client\n{SHORT}")
    asked = run("import", "inventory", table, "--project", project)
    assert (asked.code, "--map 'Qty=devices'" in asked.err) == (3, True)
    assert "(question)" in asked.out
    options = ("--project", project, "--map", "Qty=devices")
    assert run("import", "inventory", table, *options, "--save-profile", saved).code == 0
    offered = run("import", "inventory", table, "--project", project)
    assert f"--profile {saved}" in offered.err
    applied = run("import", "inventory", table, "--project", project, "--profile", saved, "--apply")
    assert applied.code == 0
    assert project.read_text().startswith("# for the client\n")
    assert "A01" in project.read_text()


def test_a_template_is_read_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "racks.csv"
    assert run("import", "template", "racks", "--out", file).code == 0
    shown = run("import", "inventory", file)
    assert "52 racks, 200 servers, 24 other devices, 2 models, largest rack 40.8 kW" in shown.out
