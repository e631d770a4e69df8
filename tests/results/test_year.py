"""Years of designs, 24 hours of each worked once more from their weather."""

from __future__ import annotations

import pytest

from facility.study.design.design import Design
from tests.results import year
from tests.results.variants import PLANTS, VARIANTS, YEARS
from tests.study.helpers import design_of, reference


def _design(name: str) -> Design:
    text = (VARIANTS | PLANTS | YEARS).get(name)
    return design_of(text) if text is not None else reference(name)


NAMES = (
    "dgx-su-32",
    "nvl72-hall",
    "mixed-hall",
    "liquid on dry coolers with a trim chiller, rows",
    "cold water in damp air",
    *PLANTS,
    *YEARS,
)


@pytest.mark.parametrize("name", NAMES)
def test_a_year_is_that_of_the_second_calculation(name: str) -> None:
    assert list(year.differences(_design(name))) == []
