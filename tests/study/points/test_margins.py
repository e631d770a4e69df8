"""Alarm limits lie beyond the values expected in normal operation, by their stated margin."""

from __future__ import annotations

import pytest

from facility.files.project.file import example_text, parse_project
from facility.study.design.design import Design, design
from facility.study.points.limits import alarm_limits, reached_by_design
from facility.study.points.points import PointsList, design_points
from tests.study.helpers import SHORTEST, design_of

_STATES = ("TOWER-FREEZE", "COOLANT-FREEZE")
"""Limits of the weather that cold air crosses: frost protection is active then."""


def points_of(name: str) -> PointsList:
    found: Design = design(parse_project(example_text(name))) if name else design_of(SHORTEST)
    return design_points(found)


@pytest.mark.parametrize("name", ["", "nvl72-hall"])
def test_no_alarm_is_within_the_values_of_normal_operation(name: str) -> None:
    for point in points_of(name):
        values = (
            [] if point.expected is None else [v for v in point.expected.values if v is not None]
        )
        for limit in point.limits:
            if not values or limit.rule in _STATES or not point.about.kind:
                continue
            running = [v for v in values if v > 0.0] if limit.while_running else values
            if limit.is_upper:
                assert max(running, default=0.0) <= limit.value, (point.name, limit)
            elif running:
                assert min(running) >= limit.value, (point.name, limit)


def test_margins_by_hand() -> None:
    """15 degC dew point + 1 K, below the allowable 21 degC; 24 h of fuel less 5 %."""
    points = points_of("")
    dew = points.sets.of("hall", "dew_point", "")
    fuel = points.sets.of("generator-plant", "fuel_time", "")
    assert dew is not None
    assert fuel is not None
    high, outer, low = dew.at("high"), dew.at("high-high"), fuel.at("low")
    assert high is not None
    assert outer is not None
    assert low is not None
    assert high.value == pytest.approx(16.0)
    assert "1 K above the highest expected value" in high.source
    assert high.value < outer.value
    stored = float(points.design.all_results["generator.fuel_time"].si)
    assert low.value == pytest.approx(0.95 * stored)


def test_ratings_and_limits_of_standards_are_not_moved() -> None:
    points = points_of("")
    before = {
        (one.equipment, one.quantity, one.tags, limit.level): limit.value
        for one in alarm_limits(points.design)
        for limit in one.limits
        if not reached_by_design(one, limit)
    }
    after = {
        (one.equipment, one.quantity, one.tags, limit.level): limit.value
        for one in points.sets.sets
        for limit in one.limits
    }
    assert before
    assert all(after[key] == value for key, value in before.items())
