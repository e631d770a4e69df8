"""Temperatures of the ride-through against their limits, worked once more on straight lines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from facility.cooling.ride_through.limits import Limit, over, rises, settled, time_to, while_running
from tests.results.second import differs

_PASSED_K = 0.01
"""A limit is passed where it is exceeded by more than a hundredth of a kelvin."""


def limits_on_straight_lines() -> Iterator[str]:
    """A line from 20 degC at a K/min passes 27 degC after 7 / a min; steady below 0.1 K/min."""
    time_s = np.array([0.0, 5.0, 10.0, 30.0, 60.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0])
    rates = [0.0, 0.09, 0.11, 1.0, 2.5, 6.0, -3.0, 400.0]
    series = 20.0 + np.outer(time_s / 60.0, rates)
    found = time_to(series, 27.0, time_s)
    for rate, shown in zip(rates, found, strict=True):
        at_s = 60.0 * (7.0 + _PASSED_K) / rate if rate > 0.0 else math.inf
        wanted = math.inf if at_s > 600.0 else max(at_s, 5.0)
        if math.isinf(wanted) != math.isinf(shown):
            yield f"time to 27 degC at {rate} K/min: {shown}, by hand {wanted}"
        elif not math.isinf(wanted):
            yield from differs(f"time to 27 degC at {rate} K/min", float(shown), wanted, 1e-9)
    above = time_to(np.full((11, 1), 30.0), 27.0, time_s)
    yield from differs("time to a limit that is passed at once", float(above[0]), 5.0)
    bent = np.array([[20.0], [20.0], [20.0], [26.0], [29.0], [20.0], *[[20.0]] * 5])
    wanted = 30.0 + 30.0 * (1.0 + _PASSED_K) / 3.0
    yield from differs("first time of a peak", float(time_to(bent, 27.0, time_s)[0]), wanted)
    even = np.linspace(0.0, 600.0, 61)
    lines = 20.0 + np.outer(even / 60.0, rates)
    steady = [abs(rate) <= 0.1 for rate in rates]
    if settled(lines, even).tolist() != steady:
        yield f"settled: {settled(lines, even).tolist()}, by hand {steady}"
    late = np.where(even[:, None] < 539.0, lines, lines[-1])
    if not settled(late, even).all():
        yield "a line that ends a minute before is steady"
    climbs = [bool(rises(line, 600.0)) for line in lines.T]
    if climbs != [rate > 0.1 for rate in rates]:
        yield f"still rising: {climbs}"
    if rises(np.array([20.0, 20.2, 20.2, 20.2]), 90.0):
        yield "a temperature that rose before its last minute still rises"
    if over(27.0 + 0.9 * _PASSED_K, 27.0) or not over(27.0 + 1.1 * _PASSED_K, 27.0):
        yield "a limit is passed by more than a hundredth of a kelvin"
    yield from _while_off(time_s)


def _while_off(time_s: np.ndarray) -> Iterator[str]:
    """Equipment stops in a second, then has its first temperature, in air or in liquid."""
    series = 20.0 + np.outer(time_s, np.ones(4)) / 10.0

    def case(air: float, liquid: float, *, exhausted: bool = False) -> Any:
        power: Any = SimpleNamespace(
            it_air=(air, air), it_liquid=(liquid, liquid), exhausted=exhausted, battery_s=50.0,
            restored_s=250.0 if exhausted else math.inf, on_empty=lambda after: 0.0,
        )  # fmt: skip
        return SimpleNamespace(power=power)

    on, air_off, empty = case(1.0, 1.0), case(0.0, 1.0), case(1.0, 1.0, exhausted=True)
    air = Limit("a", "", "inlet_worst", "allowable", 27.0)
    coolant = Limit("c", "", "tcs_supply", "allowable", 27.0)
    none, all_ = np.zeros(len(time_s), dtype=bool), time_s >= 1.0
    between = (time_s >= 51.0) & (time_s <= 250.0)
    for limit, without in ((air, all_), (coolant, none)):
        shown = while_running(series, limit, [on, air_off, empty, on], time_s)
        for column, off in enumerate((none, without, between, none)):
            wanted = np.where(off, 20.0, series[:, column])
            if not np.array_equal(shown[:, column], wanted):
                yield f"{limit.series} of case {column}: {shown[:, column].tolist()}"
