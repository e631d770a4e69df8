"""Numbers of a grid: one unit for each kind of quantity, value and unit apart, margins by look."""

from __future__ import annotations

import pytest

from facility.core.table import Results, Value
from facility.ui.blocks.blocks import NumberCell, SharedUnits, cell, cells_of, look_of, parts

POWERS = {
    "load.facility": Value(18.6e6, "active_power"),
    "load.cooling": Value(2.906e6, "active_power"),
    "heat.liquid": Value(0.0, "active_power"),
    "load.it": Value(12.0, "active_power"),
    "load.racks": Value(387, "count"),
}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("load.facility", "18.6 MW"),
        ("load.cooling", "2.91 MW"),
        ("heat.liquid", "0 MW"),
        ("load.it", "0.012 kW"),  # too small for the common unit
        ("load.racks", "387"),
    ],
)
def test_numbers_of_a_grid_have_one_unit_for_each_kind(key: str, text: str) -> None:
    assert SharedUnits.of(POWERS.values(), "si").text(POWERS[key]) == text


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("18.6 MW", "18.6", "MW"),
        ("69.5 %", "69.5", "%"),
        ("1.172", "1.172", ""),
        ("-3 K", "-3", "K"),
        ("8 of 8", "8", "of 8"),
        ("Not evaluated", "Not evaluated", ""),
    ],
)
def test_value_and_unit_are_apart(text: str, number: str, unit: str) -> None:
    assert parts(text) == (number, unit)
    assert cell("Label", text, "Note") == NumberCell("Label", number, unit, "Note")


def test_a_result_that_is_not_known_says_so_and_leads_nowhere() -> None:
    kpis = (
        ("", "load.facility", "load.cooling", "Cooling {}"),
        ("PUE", "pue.annual", "pue.design", "Design hour {}"),
    )
    known, unknown = cells_of(Results(POWERS), kpis, "si")
    assert known == NumberCell(
        "Facility load", "18.6", "MW", "Cooling 2.91 MW", why="load.facility"
    )
    assert unknown == NumberCell("PUE", "Not evaluated")


@pytest.mark.parametrize(
    ("margin", "look"),
    [(None, ""), (0.15, "ok"), (0.149, "tight"), (0.0, "tight"), (-0.001, "over")],
)
def test_a_margin_below_15_percent_is_tight(margin: float | None, look: str) -> None:
    assert look_of(margin) == look
