"""Equations against published and independent figures, one row a figure."""

from __future__ import annotations

import pytest

from facility.core.equation import EQUATIONS
from facility.physics.air import sensible as air  # noqa: F401
from facility.physics.exchangers import dry_cooler  # noqa: F401
from facility.physics.exchangers import effectiveness as exchanger  # noqa: F401
from facility.physics.liquids import coolant  # noqa: F401
from facility.physics.plant import fans_pumps  # noqa: F401
from facility.physics.plant.chiller import lift as chiller  # noqa: F401
from facility.physics.plant.tower import yorkcalc as tower  # noqa: F401
from tests.cooling.helpers import rows

CASES = list(rows("physics_cases.csv"))


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["id"])
def test_published_figure(row: dict[str, str]) -> None:
    inputs = {
        name.strip(): float(value)
        for name, _, value in (item.partition("=") for item in row["inputs"].split(";"))
    }
    result = EQUATIONS[row["equation"]].si(**inputs)
    assert result == pytest.approx(float(row["expected"]), rel=0, abs=float(row["tolerance"]))


def test_every_figure_names_its_source_and_the_reason_of_its_tolerance() -> None:
    assert all(row["why"] and row["source"] for row in CASES)
    assert len({row["id"] for row in CASES}) == len(CASES)
