"""Margins between the expected values of points and their alarm limits.

A limit that the design itself reaches in normal operation (a set point, a capacity sized to the
requirement, the peak of the design) would alarm without a fault. `limits.csv` marks these limits;
each that is within a fifth of `margin_of` its kind of the extreme expected value of its points is
set by that margin beyond the value, but not beyond the middle between the value and the next limit.
Ratings are not moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from facility.core.views import show
from facility.study.points.equipment import MonitoredItem
from facility.study.points.limits import OUTER_LEVELS, AlarmLimit, LimitSet, reached_by_design
from facility.study.points.ranges import ExpectedRange, PointRanges
from facility.study.points.schedule import LIMITED_AS, QUANTITIES

_TEMPERATURE_K, _SHARE = 1.0, 0.05
"""Margin of temperatures [K] and of other quantities (share of the expected value): planning
values, above the error of usual sensors."""


_SPACE = 0.2
"""Share of the margin from which a limit stays where its check has it."""


def margin_of(kind: str, expected: float) -> float:
    """Return the margin between an expected value and its alarm limit, in the unit of the kind."""
    return _TEMPERATURE_K if kind == "temperature" else _SHARE * abs(expected)


def with_margins(
    sets: Iterable[LimitSet], items: Iterable[MonitoredItem], ranges: PointRanges
) -> tuple[LimitSet, ...]:
    """Return the limits; a limit that the design reaches is set beyond the expected values.

    items: All equipment with points.
    """
    sets = tuple(sets)
    classes = {
        (one.equipment, one.quantity)
        for one in sets
        if any(reached_by_design(one, limit) for limit in one.limits)
    }
    extremes: dict[tuple[str, str], list[ExpectedRange]] = {}
    for item in items:
        limited = LIMITED_AS.get(item.equipment, item.equipment)
        for quantity in item.quantities:
            if (limited, quantity) in classes:
                found = ranges.of(item, quantity)
                if found is not None:
                    extremes.setdefault((limited, quantity), []).append(found)
    return tuple(_moved(one, extremes) for one in sets)


def _moved(limits: LimitSet, extremes: Mapping[tuple[str, str], list[ExpectedRange]]) -> LimitSet:
    expected = extremes.get((limits.equipment, limits.quantity), ())
    values = [value for one in expected for value in one.values if value is not None]
    if not values:
        return limits
    kind = QUANTITIES[limits.quantity].kind
    return replace(
        limits,
        limits=tuple(
            _beyond(limits, limit, max(values) if limit.is_upper else min(values), kind)
            if reached_by_design(limits, limit)
            else limit
            for limit in limits.limits
        ),
    )


def _beyond(limits: LimitSet, limit: AlarmLimit, expected: float, kind: str) -> AlarmLimit:
    """Return a limit with its margin to the extreme expected value; as it is where it has one."""
    way = 1.0 if limit.is_upper else -1.0
    margin = margin_of(kind, expected)
    if way * (limit.value - expected) >= _SPACE * margin:
        return limit
    outer = limits.at(OUTER_LEVELS[limit.level]) if limit.level in OUTER_LEVELS else None
    if outer is not None:
        margin = min(margin, 0.5 * max(0.0, way * (outer.value - expected)))
    value = expected + way * margin
    if way * (value - limit.value) <= 0.0:
        return limit
    side, extreme = ("above", "highest") if limit.is_upper else ("below", "lowest")
    size = f"{margin:g} K" if kind == "temperature" else show(margin, kind)
    words = (
        f"{limit.source}: {show(limit.value, kind)}, which normal operation reaches; alarm {size} "
        f"{side} the {extreme} expected value"
    )
    return replace(limit, value=value, source=words)
