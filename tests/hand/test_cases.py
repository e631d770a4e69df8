"""Figures worked by hand, each for a fault that somebody could write and no formula would show.

`cases.csv` holds the expected figure, its tolerance, the working and the source; the functions of
the modules beside it compute the figure with the program. A row without a function, or a function
without a row, fails.
"""

from __future__ import annotations

import pytest

from tests.hand import chain, conductors, cooling, edges, panels, plant, power, sheets, variants
from tests.hand.registry import COMPUTED, HandCase, hand_cases

CASES = {one.case: one for one in hand_cases()}
MODULES = (chain, conductors, cooling, edges, panels, plant, power, sheets, variants)


def test_rows_and_functions_are_the_same() -> None:
    assert set(CASES) == set(COMPUTED)
    assert all(one.working and one.source and one.unit for one in CASES.values())


@pytest.mark.parametrize("one", CASES.values(), ids=lambda one: one.case)
def test_hand_case(one: HandCase) -> None:
    found = COMPUTED[one.case]()
    assert found == pytest.approx(one.expected, abs=one.tolerance), one.working
