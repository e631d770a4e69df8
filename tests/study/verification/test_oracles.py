"""The headline rows of independent solvers are those recorded with the tests."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from facility.catalogue import Row, table
from facility.study.verification.inputs import fields_of

TESTS = Path(__file__).parents[2]
FAULTS = {"three_phase": "3ph", "line_line": "2ph", "line_ground": "1ph", "peak": "3ph"}
SITES = {"fault-utility": "radial-utility", "fault-generator": "radial-generator"}
SUPPLYING = {"MV1": "C-UTIL", "LV1": "T1", "CHW": "C-CHW", "PDU3": "C-PDU3"}
DIGITS = 2e-5  # the manual keeps fewer digits than the record


def recorded(path: str) -> list[dict[str, str]]:
    with (TESTS / path).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, strict=True))


def fault(inputs: dict[str, str]) -> float:
    network = inputs["network"]
    if network in SITES:
        network = SITES[network]
    else:
        network = "tr4" if inputs["motors"] == "yes" else "tr4-no-motors"
    (row,) = [
        r
        for r in recorded("power/faults/data/pandapower_iec60909.csv")
        if (r["network"], r["bus"], r["fault"], r["case"])
        == (network, inputs["bus"], FAULTS[inputs["fault"]], inputs["case"])
    ]
    return float(row["ip_a" if inputs["fault"] == "peak" else "ikss_a"])


def flow(file: str, key: str, name: str, column: str) -> float:
    rows = recorded(f"oracles/data/radial_16/{file}.csv")
    return next(float(r[column]) for r in rows if r[key] == name)


def expected(row: Row) -> float:
    inputs = fields_of(row.text("inputs"), row.label)
    kind = row.text("compute").removeprefix("oracle.")
    if kind == "fault":
        return fault(inputs) / (1e3 if row["unit"] == "kA" else 1.0)
    if kind == "voltage":
        return flow("found_buses", "bus", inputs["bus"], "voltage_pu")
    if kind == "current":
        return flow("found_elements", "element", SUPPLYING[inputs["bus"]], "to_a")
    assert kind == "supplied"
    return flow("found_elements", "element", "C-UTIL", "from_kw")


SOLVED = [row for row in table("cases/oracles").rows if "network" in row.text("inputs")]
"""The others are measurements that no network is solved for."""


@pytest.mark.parametrize("row", SOLVED, ids=lambda row: row.text("id"))
def test_the_figure_is_the_recorded_one(row: Row) -> None:
    assert float(row.require("expected")) == pytest.approx(expected(row), rel=DIGITS, abs=6e-5)


def test_every_part_belongs_to_a_network_that_a_case_uses() -> None:
    used = {fields_of(row.text("inputs"), "")["network"] for row in SOLVED}
    assert {row.text("network") for row in table("cases/networks").rows} == used
