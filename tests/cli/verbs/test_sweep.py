"""The verb sweep: the JSON contract, the file, what it says to people, exit codes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, run
from tests.cli.test_json_contract import assert_envelope

VARY = ("--vary", "it.gpus=64,128", "--vary", "power.redundancy=N+1,XX", "--studies", "sizing")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    file = tmp_path / "p.yaml"
    file.write_text(SHORT)
    return file


def test_json_contract_and_file_hold_the_same_rows(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    ran = run("sweep", project, *VARY, "--out", out, "--json")
    body = assert_envelope(ran, "sweep", lists=("rows",))
    assert body["results"] == {
        "sweep.asked": 4,
        "sweep.rows": 4,
        "sweep.rows_before": 0,
        "sweep.ok": 2,
        "sweep.refused": 2,
        "sweep.defect": 0,
    }
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [list(row) for row in rows] == [list(row) for row in body["rows"]]
    for written, told in zip(rows, body["rows"], strict=True):
        assert written["project_sha256"] == told["project_sha256"]
        if told["load.it [kW]"] is not None:
            assert float(written["load.it [kW]"]) == told["load.it [kW]"]
    again = run("sweep", project, *VARY, "--out", out, "--json", "--resume").json
    assert again["results"]["sweep.rows_before"] == 4
    assert again["rows"] == body["rows"]
    assert run("sweep", project, *VARY, "--out", out).code == 6


def test_people_see_ranges_and_refusals(project: Path) -> None:
    ran = run("sweep", project, *VARY, "--results", "load.it,ups.model")
    assert ran.code == 0
    for words in (
        "4 designs; 2 rejected",
        "load.it [kW]",
        "power.redundancy: ",
        "Rejected designs",
    ):
        assert words in ran.out
    assert "ups.model" not in ran.out


def test_sites_and_samples_by_option(project: Path, tmp_path: Path) -> None:
    samples = tmp_path / "s.csv"
    samples.write_text("it.gpus\n64\n128\n")
    words = ("--samples", samples, "--sites", "phoenix, miami", "--results", "pue.annual")
    rows = run("sweep", project, *words, "--set", "power.redundancy=2N", "--json").json["rows"]
    assert [(row["site"], row["it.gpus"]) for row in rows] == [
        ("phoenix", "64"),
        ("phoenix", "128"),
        ("miami", "64"),
        ("miami", "128"),
    ]
    phoenix = run(
        "annual", project, "--set", "power.redundancy=2N", "--set", "site.station=phoenix"
    )
    assert f"{rows[0]['pue.annual']:.3f}" in phoenix.out


@pytest.mark.parametrize(
    ("words", "code", "exit_code"),
    [
        (("--vary", "it.gpuss=1"), "UNKNOWN_FIELD", 3),
        (("--vary", "it.gpus"), "SWEEP_VALUES", 2),
        ((), "SWEEP_VALUES", 2),
        (("--vary", "it.gpus=64", "--studies", "sizng"), "SWEEP_STUDY", 2),
        (("--vary", "it.gpus=64", "--results", "pue.dsign"), "UNKNOWN_RESULT", 3),
        (("--vary", "it.gpus=1..10000000/1"), "SWEEP_TOO_LARGE", 3),
        (("--vary", "it.gpus=64", "--jobs", "0"), "SWEEP_JOBS", 2),
        (("--samples", "none.csv"), "FILE_MISSING", 6),
        (("--vary", "it.gpus=64", "--out", "rows.xlsx"), "SWEEP_FILE", 2),
    ],
)
def test_refusals(project: Path, words: tuple[str, ...], code: str, exit_code: int) -> None:
    ran = run("sweep", project, *words, "--json")
    assert ran.code == exit_code
    assert ran.json["errors"][0]["code"] == code
