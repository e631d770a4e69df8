"""Parts of the power design that the variants hardly show, calculated once more on small cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.results.power import boards, busway, direct_current, mechanical, sections, transformers

CALCULATIONS: tuple[Callable[[], Iterator[str]], ...] = (
    boards.figures_of_lines,
    boards.moves_of_small_panels,
    boards.balance_of_small_panels,
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
