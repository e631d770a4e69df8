"""Figures worked by hand, each for a fault that somebody could write and no formula would show.

`cases*.csv` hold the expected figure, its tolerance, the working and the source; the functions of
the modules beside it compute the figure with the program. A row without a function, or a function
without a row, fails.
"""

from __future__ import annotations

import pytest

from tests.hand import (
    at_work,
    chain,
    choices,
    circuit_sizing,
    conductors,
    cooling,
    defaults,
    edges,
    lineups,
    measured,
    moist_air,
    panels,
    places,
    plant,
    plant_sizing,
    power,
    ratings,
    sheets,
    sites,
    small_devices,
    supplies,
    variants,
)
from tests.hand.registry import COMPUTED, HandCase, hand_cases

ROWS = tuple(hand_cases())
CASES = {one.case: one for one in ROWS}
MODULES = (
    *(chain, conductors, cooling, edges, lineups, panels, plant, power, sheets, small_devices),
    *(places, ratings, sites, supplies, variants),
    *(at_work, choices, circuit_sizing, defaults, measured, moist_air, plant_sizing),
)


def test_rows_and_functions_are_the_same() -> None:
    assert set(CASES) == set(COMPUTED)
    assert len(CASES) == len(ROWS)
    assert all(one.working and one.source and one.unit for one in CASES.values())


@pytest.mark.parametrize("one", CASES.values(), ids=lambda one: one.case)
def test_hand_case(one: HandCase) -> None:
    found = COMPUTED[one.case]()
    assert found == pytest.approx(one.expected, abs=one.tolerance), one.working


@pytest.mark.parametrize("name", sites.SECOND)
def test_second_calculation_has_the_figure_of_the_row(name: str) -> None:
    one = CASES[name]
    assert sites.SECOND[name]() == pytest.approx(one.expected, abs=one.tolerance), one.working
