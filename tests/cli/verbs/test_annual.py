"""The verb annual: the JSON contract, the hours as a file, refusal without weather."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.helpers import SHORT, run
from tests.cli.test_json_contract import assert_envelope, assert_results

BILL_KEYS = {"month", "charged", "energy", "demand", "power_factor", "reactive", "fixed", "bill"}
TARIFF = """
  tariff:
    energy:
      - {name: day, price: 0.12 USD/kWh, hours: 8-20}
      - {name: night, price: 0.06 USD/kWh, hours: 20-8}
    demand:
      - {name: "=1+1", price: 15 USD/kW, ratchet: 80 %}
    fixed: 500 USD
"""
MONTH_KEYS = {"month", "energy", "facility", "pue", "peak", "water", "carbon"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("annual") / "p.yaml"
    file.write_text(SHORT)
    return file


def test_json_contract(project: Path) -> None:
    body = assert_envelope(
        run("annual", project, "--json"),
        "annual",
        lists=("months", "charges", "capital", "bills", "components", "limits", "held", "carried"),
    )
    assert_results(body["results"])
    assert {frozenset(month) for month in body["months"]} == {frozenset(MONTH_KEYS)}
    assert {frozenset(bill) for bill in body["bills"]} == {frozenset(BILL_KEYS)}
    results = body["results"]
    assert results["energy.annual"]["unit"] == "MWh"
    whole = sum(month["facility"] for month in body["months"])
    assert whole == pytest.approx(results["energy.annual"]["value"], rel=1e-12)
    ratio = results["energy.annual"]["value"] / results["energy.annual.it"]["value"]
    assert results["pue.annual"]["value"] == pytest.approx(ratio, rel=1e-12)


def test_text_shows_months_and_limits(project: Path) -> None:
    ran = run("annual", project, "--full")
    assert ran.code == 0
    for words in ("Annual PUE", "December", "chillers", "not included"):
        assert words in " ".join(ran.out.split())


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
    assert all(float(row["facility_kva"]) >= float(row["facility_kw"]) > 0.0 for row in rows)
    assert run("annual", project, "--out", out).code == 6
    assert run("annual", project, "--out", out, "--force").code == 0


def test_a_place_without_weather_is_refused(project: Path) -> None:
    sets = ("site.place=Nowhere", "site.design_dry_bulb=35 degC", "site.design_wet_bulb=25 degC")
    ran = run("annual", project, *(word for one in sets for word in ("--set", one)))
    assert ran.code == 3
    assert "WEATHER_SITE" in ran.err


def test_the_bill_by_charge_and_month(tmp_path: Path) -> None:
    file = tmp_path / "charged.yaml"
    file.write_text(f"{SHORT}\nsite:\n  station: ashburn{TARIFF}")
    body = run("annual", file, "--json").json
    results, charges, bills = body["results"], body["charges"], body["bills"]
    assert [charge["id"] for charge in charges] == ["E1", "E2", "D1"]
    assert charges[0]["applies"] == "8-20 h"
    assert charges[2]["price"] == {"value": 15.0, "unit": "USD/kW"}
    year = results["cost.annual"]["value"]
    assert sum(bill["bill"] for bill in bills) == pytest.approx(year, rel=1e-12)
    assert sum(charge["cost"] for charge in charges) + 12 * 500.0 == pytest.approx(year, rel=1e-12)
    day = sum(bill["charged"]["E1"] for bill in bills)
    assert day == pytest.approx(charges[0]["charged"]["value"], rel=1e-12)
    text = run("annual", file, "--full").out
    for words in ("Bill by month", "E2: night", "20-8 h", "1 January is a Sunday", "highest hour"):
        assert words in text


def test_the_cost_of_ownership(project: Path) -> None:
    sets = ("--set", "cost.prices=guides", "--set", "cost.run=1e6 h")
    body = run("annual", project, "--json", *sets).json
    parts = {part["name"] or part["part"]: part for part in body["capital"]}
    assert parts["building"]["price"] == pytest.approx(1950.0)
    assert parts["building"]["for"] == "kW of IT"
    modules = parts["UPS modules"]
    assert modules["capital"] == pytest.approx(modules["quantity"] * modules["price"])
    assert modules["low"] < modules["capital"] <= modules["high"]
    whole = sum(part["capital"] for part in body["capital"])
    assert body["results"]["cost.capital"]["value"] == pytest.approx(whole, rel=1e-12)
    assert body["results"]["cost.gpu_hour"]["unit"] == "USD/h"
    text = run("annual", project, *sets, "--full").out
    for words in (
        "Annuity",
        "GPUs with their servers",
        "UPS modules",
        "MV switchgear",
        "none is escalated",
        "complete systems",
    ):
        assert words in text
