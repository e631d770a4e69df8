"""What the unit boundary costs: quantity calls, and its share of an 8,760-element call.

Run with ``python -m benchmarks.units`` from the project folder. Times are the best of several
runs; nothing here is asserted. The crossing is measured by itself, with a formula that returns a
result made beforehand, because the difference of two times near each other is mostly noise.
"""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import numpy as np

from facility.core.equation import Equation
from facility.core.kinds import KINDS
from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.core.units import from_si, quantity, to_si
from tests.tools.equations import all_equations, sample_arguments

HOURS = 8760


@dataclass(frozen=True)
class Cost:
    """Times of one equation in microseconds; the array times are None for scalars alone."""

    name: str
    scalar_call: float
    array_formula: float | None
    array_crossing: float | None

    @property
    def share(self) -> float | None:
        """Crossing as a fraction of the whole 8,760-element call."""
        if self.array_formula is None or self.array_crossing is None:
            return None
        return self.array_crossing / (self.array_crossing + self.array_formula)


def best_us(call: Callable[[], Any], repeats: int = 5, least_s: float = 0.01) -> float:
    """Return the best time of one call in microseconds."""
    timer = timeit.Timer(call)
    number = 1
    while (taken := timer.timeit(number)) < least_s:
        number = max(2 * number, int(1.2 * number * least_s / max(taken, 1e-9)))
    return min(timer.repeat(repeats, number)) / number * 1e6


def _quantities(equation: Equation, values: list[Any]) -> list[Any]:
    kinds = equation.arguments.values()
    return [
        value if KINDS[kind].is_plain else from_si(value, kind)
        for value, kind in zip(values, kinds, strict=True)
    ]


def _year(equation: Equation) -> list[Any]:
    """Return every argument but the counts as a year of hours that vary by a few per mille."""
    ripple = 1.0 - 2e-3 * np.abs(np.sin(np.arange(HOURS)))
    pairs = zip(sample_arguments(equation).values(), equation.arguments.values(), strict=True)
    return [value if kind == "count" else value * ripple for value, kind in pairs]


def cost_of(equation: Equation) -> Cost:
    """Return what `equation` costs through its two doors."""
    scalars = _quantities(equation, list(sample_arguments(equation).values()))
    scalar_call = best_us(lambda: equation(*scalars))
    arrays = _year(equation)
    try:
        result = equation.si(*arrays)
    except (TypeError, ValueError):
        return Cost(equation.name, scalar_call, None, None)
    quantities = _quantities(equation, arrays)
    boundary = replace(equation, si=wraps(equation.si)(lambda *_: result))
    return Cost(
        equation.name,
        scalar_call,
        best_us(lambda: equation.si(*arrays)),
        best_us(lambda: boundary(*quantities)),
    )


def _print_table(costs: list[Cost]) -> None:
    print(f"{'equation':58} {'call':>8} {'8760 formula':>13} {'crossing':>9} {'share':>7}")
    for cost in sorted(costs, key=lambda c: c.share or 0.0):
        row = f"{cost.name:58} {cost.scalar_call:5.1f} us"
        if cost.share is None:
            print(f"{row} {'single numbers only':>13}")
        else:
            print(
                f"{row} {cost.array_formula:10.1f} us {cost.array_crossing:6.2f} us "
                f"{100 * cost.share:6.1f}%"
            )


def _print_parts() -> None:
    power, load = quantity(12.0, "kW"), np.full(HOURS, 5e5)
    in_si = from_si(load, "active_power")
    trace = Trace()
    trace.given("load", 12e3, "active_power", PROJECT)
    equation = all_equations()["physics.circuits.currents.apparent_power"]
    parts: dict[str, Callable[[], Any]] = {
        "quantity(12.0, 'kW')": lambda: quantity(12.0, "kW"),
        "to_si, kW": lambda: to_si(power, "active_power"),
        "to_si, 8,760 W, no copy": lambda: to_si(in_si, "active_power"),
        "from_si, 8,760 W": lambda: from_si(load, "active_power"),
        "trace.do, two arguments": lambda: trace.do(
            "s", equation, power_w="load", power_factor=0.95
        ),
    }
    for name, call in parts.items():
        print(f"{name:58} {best_us(call):5.2f} us")


def main() -> None:
    """Measure and print."""
    costs = [cost_of(equation) for equation in all_equations().values()]
    _print_table(costs)
    _print_parts()
    shares = [cost.share for cost in costs if cost.share is not None]
    calls = [cost.scalar_call for cost in costs]
    print(f"{len(costs)} equations, {len(shares)} take arrays")
    print(f"quantity call: median {statistics.median(calls):.1f} us, worst {max(calls):.1f} us")
    print(
        f"crossing in an {HOURS:,}-element call: median {100 * statistics.median(shares):.1f} %, "
        f"worst {100 * max(shares):.1f} %"
    )


if __name__ == "__main__":
    main()
