"""Functions of the studies that whole designs hardly show, calculated once more on small cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.results import density, hall_air, readings, sags, steps, swings
from tests.study.helpers import SHORTEST, design_of, reference

CALCULATIONS: tuple[Callable[[], Iterator[str]], ...] = (
    density.crossovers,
    density.racks_of_a_density,
    hall_air.air_of_racks,
    hall_air.coolant_pumped,
    hall_air.heat_of_chilled_water,
    hall_air.humidity_of_halls,
    readings.tolerances_of_the_table,
    sags.sags_on_the_ups,
    steps.steps_of_a_record,
    swings.batteries_of_sags,
    swings.figures_of_steps,
    swings.lengths_of_runs,
    swings.lines_of_jobs,
    swings.losses_of_the_year,
    swings.spectra_seen,
)


@pytest.mark.parametrize("one", CALCULATIONS, ids=lambda one: one.__name__)
def test_small_cases_are_those_of_the_second_calculation(one: Callable[[], Iterator[str]]) -> None:
    assert list(one()) == []


@pytest.mark.parametrize("name", ["", "nvl72-hall"])
def test_expected_readings_are_those_of_the_second_calculation(name: str) -> None:
    found = reference(name) if name else design_of(SHORTEST)
    assert list(readings.readings_of_the_design(found)) == []
