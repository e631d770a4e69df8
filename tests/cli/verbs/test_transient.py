"""The verb transient: cases, the JSON contract, the curves, exit codes."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from facility.cli.verbs.transient import _seconds
from tests.cli.helpers import SHORT, Ran, run
from tests.cli.test_json_contract import CHECK_KEYS, assert_envelope, assert_results

CASE_KEYS = {
    "id",
    "title",
    "holds",
    "first",
    "first_s",
    "settled",
    "on_ups",
    "restored_s",
    "battery_s",
    "limits",
    "peak_c",
    "end_c",
    "storage_m3",
}
WAITING = (
    "{method: air, on_ups: [crah_fans], plant: {heat_rejection: tower},"
    " thermal: {chilled_water_tank: 0 m3}}"
)
"""Stated: the water pumps wait for the generators, and there is no buffer."""
QUICK = ("--set", "cooling.thermal.horizon=120 s")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("transient") / "p.yaml"
    file.write_text(SHORT.replace("{method: air, plant: {heat_rejection: tower}}", WAITING))
    return file


@cache
def ran_json(file: Path) -> Ran:
    return run("transient", file, *QUICK, "--json")


def test_json_contract(project: Path) -> None:
    body = assert_envelope(ran_json(project), "transient", lists=("cases",))
    assert_results(body["results"])
    assert body["results"]["ride.utility.holds"] is False
    assert {frozenset(case) for case in body["cases"]} == {frozenset(CASE_KEYS)}
    assert {"utility", "crah", "chiller"} <= {case["id"] for case in body["cases"]}
    assert {frozenset(check) for check in body["checks"]} == {frozenset(CHECK_KEYS)}


def test_text_says_what_overheats_first(project: Path) -> None:
    ran = run("transient", project, *QUICK, "--case", "utility", "--case", "crah")
    assert ran.code == 0
    assert "First limit exceeded" in ran.out
    assert "inlet limit of the equipment" in ran.out
    assert "crah" in ran.out
    assert "chiller " not in ran.out


def test_curves_are_written_and_not_overwritten(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "curves.csv"
    options = (*QUICK, "--case", "utility", "--out", out, "--every", "20")
    assert run("transient", project, *options).code == 0
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    inlet = [row for row in rows if row["quantity"] == "inlet_worst"]
    assert [float(row["time_s"]) for row in inlet] == [20.0 * n for n in range(7)]
    assert float(inlet[-1]["temperature_c"]) > float(inlet[0]["temperature_c"])
    assert run("transient", project, *options).code == 6
    assert run("transient", project, *options, "--force").code == 0


def test_times_keep_their_milliseconds_however_long_they_are() -> None:
    assert [_seconds(t) for t in (0.0, 0.05, 20.0, 123456.789)] == ["0", "0.05", "20", "123456.789"]


def test_exit_codes(project: Path) -> None:
    assert run("transient", project, "--case", "nothing").code == 2
    failing = run("transient", project, *QUICK, "--case", "utility", "--fail-on", "violation")
    assert failing.code == 5
    assert run("transient", project, *QUICK, "--case", "crah", "--fail-on", "violation").code == 0


def test_load_that_moves_by_the_contract(project: Path) -> None:
    lists = ("places", "bands", "storages", "sags")
    ran = run("transient", project, "--load", "--json", "--set", "site.grid.ramp_limit=1 kW/s")
    body = assert_envelope(ran, "transient", lists=lists)
    assert_results(body["results"])
    assert [place["id"] for place in body["places"]][-1] == "utility"
    by_rule = {check["rule"]: check["outcome"] for check in body["checks"]}
    assert by_rule["SWING-RAMP"] == "FAIL"
    assert by_rule["SWING-RAMP-STORAGE"] == "PASS"
    assert by_rule["SWING-BAND"] == "NOT_EVALUATED"
    assert body["sags"][-1]["counted"] == 3


def test_load_that_moves_is_drawn_and_written(project: Path, tmp_path: Path) -> None:
    svg, out = tmp_path / "load.svg", tmp_path / "load.csv"
    ran = run("transient", project, "--load", "--svg", svg, "--out", out)
    assert ran.code == 0
    assert "Load at each level" in ran.out
    assert "Utility limits" in ran.out
    assert ran.out.count("\n") <= 40
    drawn = ElementTree.parse(svg).getroot()
    names = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert names.count("With storage") == 3
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert float(rows[0]["time_s"]) == 0.0
    assert float(rows[-1]["storage_mwh"]) == pytest.approx(float(rows[0]["storage_mwh"]), abs=1e-9)
    assert run("transient", project, "--load", "--svg", svg).code == 6


def test_options_that_do_not_go_together_are_refused(project: Path) -> None:
    assert run("transient", project, "--load", "--case", "utility").code == 2
    assert run("transient", project, "--load", "--every", "20").code == 2
    assert run("transient", project, "--svg", "load.svg").code == 2
