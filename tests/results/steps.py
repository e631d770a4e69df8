"""Steps of a year of half hours with readings left out, worked once more by plain counting."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import psychrolib

from facility.study.annual.hours import Hours, hours_of
from tests.results.second import differs

_DAYS, _STEP_S = 60, 1800.0
_PRESSURE_PA = 95000.0


class _Record(SimpleNamespace):
    """Readings of a year, one record unlike another."""

    __hash__ = object.__hash__


def _year(chance: Random) -> tuple[Any, list[bool]]:
    steps = round(_DAYS * 86400.0 / _STEP_S)
    month = [1 if n < 31 * 48 else 2 for n in range(steps)]
    dry = [chance.uniform(-5.0, 35.0) for _ in range(steps)]
    year = _Record(
        dry_bulb_c=np.array(dry),
        relative_humidity=np.array([chance.uniform(0.2, 1.0) for _ in dry]),
        pressure_pa=np.full(steps, _PRESSURE_PA), month=np.array(month), step_s=_STEP_S,
    )  # fmt: skip
    return year, [chance.random() < 0.9 for _ in dry]


def steps_of_a_record() -> Iterator[str]:
    """Hours, days, months, totals and places of the steps that were measured."""
    chance = Random(2)
    year, measured = _year(chance)
    hours = hours_of(year, np.array(measured))
    at = [n for n, one in enumerate(measured) if one]
    rate = [chance.uniform(0.0, 9.0) for _ in at]
    values = np.array(rate)
    yield from differs("steps", len(hours), len(at))
    yield from differs("hours", hours.whole, len(at) / 2.0)
    yield from differs("days", hours.days, _DAYS)
    yield from differs("count", hours.count(values > 3.0), sum(x > 3.0 for x in rate) / 2.0)
    yield from differs("total", hours.total(values), math.fsum(rate) * 1800.0)
    yield from differs("total of a constant", hours.total(2.0), 2.0 * len(at) * 1800.0)
    months = hours.by_month(values)
    for month in (1, 2):
        own = [x for n, x in zip(at, rate, strict=True) if year.month[n] == month]
        yield from differs(f"month {month}", float(months[month - 1]), math.fsum(own) * 1800.0)
    for n in (0, 7, len(at) - 1):
        yield from differs(f"hour of step {n}", hours.hour(n), at[n] // 2 + 1)
        yield from differs(f"end of step {n}", float(hours.ends_h[n]), (at[n] + 1) / 2.0)
    whole = hours.calendar(values, -1.0)
    wanted = [-1.0] * len(measured)
    for n, x in zip(at, rate, strict=True):
        wanted[n] = x
    if whole.tolist() != wanted:
        yield "values in the steps of the whole year"
    if hours.only(whole).tolist() != rate or hours.only(4.0) != 4.0:
        yield "values of the steps that were measured"
    yield from _air(hours, year, at)


def _air(hours: Hours, year: Any, at: list[int]) -> Iterator[str]:
    """Wet bulbs of the record, and at another dry bulb with the moisture that it can hold."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    some = range(0, len(at), 200)
    other = np.asarray(hours.air.dry_bulb_c) - 6.0
    cooler = hours.at_dry_bulb(other)
    for n in some:
        dry, humidity = float(year.dry_bulb_c[at[n]]), float(year.relative_humidity[at[n]])
        wet = psychrolib.GetTWetBulbFromRelHum(dry, humidity, _PRESSURE_PA)
        shown = float(hours.air.wet_bulb_c[n])
        if abs(shown - wet) > 0.05:
            yield f"wet bulb of step {n}: {shown}, by hand {wet}"
        held = psychrolib.GetHumRatioFromRelHum(dry, humidity, _PRESSURE_PA)
        held = min(held, psychrolib.GetSatHumRatio(dry - 6.0, _PRESSURE_PA))
        wet = psychrolib.GetTWetBulbFromHumRatio(dry - 6.0, held, _PRESSURE_PA)
        shown = float(np.asarray(cooler.wet_bulb_c)[n])
        if abs(shown - wet) > 0.05:
            yield f"wet bulb 6 K below step {n}: {shown}, by hand {wet}"
