"""Bills, and the tank that the tariff runs, worked once more in loops over the hours."""

from __future__ import annotations

from tests.results import bill


def test_a_bill_and_a_tank_are_those_of_the_second_calculation() -> None:
    assert list(bill.differences(bill.tanked())) == []
