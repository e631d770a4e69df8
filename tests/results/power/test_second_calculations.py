"""Parts of the power design that the variants hardly show, calculated once more on small cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import pytest

from facility.study.distribution.study import board_fault
from tests.results.power import (
    boards,
    busway,
    direct_current,
    lost_supplies,
    mechanical,
    places,
    plant_checks,
    rack_pdus,
    searching,
    sections,
    transformers,
)
from tests.study.helpers import reference

CALCULATIONS: tuple[Callable[[], Iterator[str]], ...] = (
    boards.figures_of_lines,
    boards.moves_of_small_panels,
    boards.moves_of_full_panels,
    boards.candidates_of_moves,
    boards.balance_of_small_panels,
    rack_pdus.rack_pdus,
    rack_pdus.circuits_with_a_supply_lost,
    lost_supplies.shares_of_supplies,
    plant_checks.checks_of_plants,
    places.devices_in_racks,
    places.places_in_racks,
    searching.searches,
    sections.sections_of_the_generators,
    sections.synthetic_lineups,
    mechanical.mechanical_boards,
    transformers.losses_of_the_rules,
    transformers.units_of_the_tables,
    transformers.numbers_of_transformers,
    direct_current.direct_current,
    busway.busways,
)


@pytest.mark.parametrize("one", CALCULATIONS, ids=lambda one: one.__name__)
def test_small_cases_are_those_of_the_second_calculation(one: Callable[[], Iterator[str]]) -> None:
    assert list(one()) == []


def test_the_duty_of_boards_by_the_power_factors_of_their_test_circuits() -> None:
    """UL 489 tests breakers above 20 kA at a power factor of 20 %, those to 20 kA at 30 %.

    The first peak of a current is 1 + exp(-pi R/X) times the peak without offset, so the duty on
    the two classes differs by the ratio of their tests' peaks, whatever the X/R of the board.
    """
    design = reference("dgx-su-32")
    of_board = float(design.all_results["fault.board"].si)
    duties = [
        board_fault(design.facility, design.chain, design.panels, design.point.demand, rating_a)
        for rating_a in (30e3, 14e3)
    ]
    peaks = [1.0 + math.exp(-math.pi * pf / math.sqrt(1.0 - pf * pf)) for pf in (0.20, 0.30)]
    assert duties[1] / duties[0] == pytest.approx(
        peaks[0] / peaks[1], rel=1e-4
    )  # X/R to two digits
    assert of_board <= duties[0] <= of_board * 2.0 / peaks[0]
