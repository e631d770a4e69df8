"""The verb annual: the JSON contract, the hours as a file, refusal without weather."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, run
from tests.cli.test_json_contract import assert_envelope, assert_results

MONTH_KEYS = {"month", "energy", "facility", "pue", "peak", "water"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("annual") / "p.yaml"
    file.write_text(SHORT)
    return file


def test_json_contract(project: Path) -> None:
    body = assert_envelope(run("annual", project, "--json"), "annual", lists=("months",))
    assert_results(body["results"])
    assert {frozenset(month) for month in body["months"]} == {frozenset(MONTH_KEYS)}
    results = body["results"]
    assert results["energy.annual"]["unit"] == "MWh"
    whole = sum(month["facility"] for month in body["months"])
    assert whole == pytest.approx(results["energy.annual"]["value"], rel=1e-12)
    ratio = results["energy.annual"]["value"] / results["energy.annual.it"]["value"]
    assert results["pue.annual"]["value"] == pytest.approx(ratio, rel=1e-12)


def test_text_shows_months_and_what_is_left_out(project: Path) -> None:
    ran = run("annual", project)
    assert ran.code == 0
    for words in ("PUE of the year", "December", "chillers", "left out"):
        assert words in ran.out


def test_hours_are_written_and_not_overwritten(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "hours.csv"
    assert run("annual", project, "--out", out).code == 0
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 8760
    parts = ("it_kw", "losses_kw", "cooling_kw", "house_kw")
    first = rows[0]
    assert sum(float(first[part]) for part in parts) == pytest.approx(
        float(first["facility_kw"]), rel=1e-4
    )
    assert run("annual", project, "--out", out).code == 6
    assert run("annual", project, "--out", out, "--force").code == 0


def test_a_place_without_weather_is_refused(project: Path) -> None:
    sets = ("site.place=Nowhere", "site.design_dry_bulb=35 degC", "site.design_wet_bulb=25 degC")
    ran = run("annual", project, *(word for one in sets for word in ("--set", one)))
    assert ran.code == 3
    assert "WEATHER_SITE" in ran.err
