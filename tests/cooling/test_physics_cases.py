"""Equations against published and independent figures, one row a figure."""

from __future__ import annotations

import pytest

from facility.core.equation import EQUATIONS
from facility.physics import air, coolant, dry_cooler, exchanger, fans_pumps, tower  # noqa: F401
from facility.physics import chiller as chiller
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
