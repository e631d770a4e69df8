"""Equations against published and independent figures, one row a figure."""

from __future__ import annotations

import pytest

from tests.cooling.helpers import rows
from tests.tools.equations import all_equations

CASES = list(rows("physics_cases.csv"))


@pytest.mark.parametrize("row", CASES, ids=lambda row: row["id"])
def test_published_figure(row: dict[str, str]) -> None:
    inputs = {
        name.strip(): float(value)
        for name, _, value in (item.partition("=") for item in row["inputs"].split(";"))
    }
    result = all_equations()[row["equation"]].si(**inputs)
    assert result == pytest.approx(float(row["expected"]), rel=0, abs=float(row["tolerance"]))


def test_every_figure_names_its_source_and_the_reason_of_its_tolerance() -> None:
    assert all(row["why"] and row["source"] for row in CASES)
    assert len({row["id"] for row in CASES}) == len(CASES)
