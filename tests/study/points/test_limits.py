"""Alarm limits against figures of the standards, and how limits of one level are combined."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from facility.study.points.limits import AlarmLimit, Level, LimitSet, alarm_limits, ordered
from tests.study.helpers import SHORTEST, design_of

_TABLE = Path(__file__).with_name("expected_limits.csv")
_ROWS = list(csv.DictReader(_TABLE.read_text(encoding="utf-8").splitlines()))


def limit(level: Level, value: float, delay_s: float | None = None) -> AlarmLimit:
    return AlarmLimit(level, value, "RULE", "source", delay_s)


@pytest.fixture(scope="module")
def sets() -> dict[tuple[str, str], LimitSet]:
    """Return the limits by class and quantity, for branch circuits those of the largest breaker."""
    found = sorted(alarm_limits(design_of(SHORTEST)), key=lambda one: one.limits[-1].value)
    return {(one.equipment, one.quantity): one for one in found}


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: " ".join(list(row.values())[:3]))
def test_limits_are_those_of_the_standards(
    row: dict[str, str], sets: dict[tuple[str, str], LimitSet]
) -> None:
    found = next(
        one for one in sets[row["equipment"], row["quantity"]].limits if one.level == row["level"]
    )
    assert found.value == pytest.approx(float(row["value"])), row["because"]
    assert found.rule or found.source


def test_every_limit_of_a_check_is_the_limit_of_that_check(
    sets: dict[tuple[str, str], LimitSet],
) -> None:
    limits = {(c.rule, c.limit) for c in design_of(SHORTEST).checks}
    for name in (("hall", "inlet_temperature"), ("ups", "battery_time")):
        assert {(one.rule, one.value) for one in sets[name].limits} <= limits


def test_a_generator_set_has_its_own_rating_not_that_of_the_plant(
    sets: dict[tuple[str, str], LimitSet],
) -> None:
    plant = design_of(SHORTEST).chain.generators
    (own,) = sets["generator-set", "active_power"].limits
    assert own.value == plant.rating_w * plant.derate
    assert own.value < sets["generator-plant", "active_power"].limits[0].value


def test_the_strictest_limit_of_a_level_counts() -> None:
    both = [
        limit("high-high", 35.0),
        limit("high-high", 30.0),
        limit("low", 5.0),
        limit("low", 8.0),
    ]
    assert [(one.level, one.value) for one in ordered(both)] == [("low", 8.0), ("high-high", 30.0)]


def test_a_warning_at_its_alarm_limit_is_dropped_but_not_one_with_a_delay() -> None:
    assert [one.level for one in ordered([limit("high", 1.0), limit("high-high", 1.0)])] == [
        "high-high"
    ]
    kept = ordered([limit("high", 1.0), limit("high-high", 1.0, 110.0)])
    assert [one.level for one in kept] == ["high", "high-high"]


def test_a_quantity_without_a_check_has_no_limit(sets: dict[tuple[str, str], LimitSet]) -> None:
    assert ("loop-chw", "supply_temperature") not in sets
    assert ("gpu", "gpu_temperature") not in sets
