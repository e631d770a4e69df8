"""Functions of the studies that whole designs hardly show, calculated once more on small cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.results import density

CALCULATIONS: tuple[Callable[[], Iterator[str]], ...] = (
    density.crossovers,
    density.racks_of_a_density,
)


@pytest.mark.parametrize("one", CALCULATIONS, ids=lambda one: one.__name__)
def test_small_cases_are_those_of_the_second_calculation(one: Callable[[], Iterator[str]]) -> None:
    assert list(one()) == []
