"""What a facility costs to own through a year: capital by annuities, electricity, operation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.kinds import money_kind
from facility.core.trace import Findings
from facility.model.cost import LIVES, PARTS, CostPlan, UnitPrice
from facility.physics.facility.ownership import (
    annuity,
    capital_recovery_factor,
    cost_per_power,
    depreciation,
    levelised_cost,
    ownership_in,
    power_capital,
    run_cost,
    unit_capital,
    unit_hour_cost,
    volume_cost,
)

_HOUR_S = 3600.0
_SORTS = {
    "capital": "parts that have a price",
    "annuity": "depreciation and interest of a year",
    "depreciation": "straight-line, without interest; within the annuity, not beside it",
}
_VOLUMES = {"water": "water.annual", "fuel": "fuel.annual"}


@dataclass(frozen=True)
class CapitalPart:
    """A part of the capital that has a price."""

    price: UnitPrice
    quantity: float  # GPUs, or W of IT load
    years: float  # Over which it is written off
    factor: float  # Its capital recovery factor

    @property
    def capital(self) -> float:
        """What it costs at the middle of its price."""
        return self.quantity * self.price.middle

    @property
    def yearly(self) -> float:
        """What it costs in each year of its life."""
        return self.capital * self.factor


@dataclass(frozen=True)
class Owned:
    """What the cost of ownership is of."""

    gpus: int
    it_w: float  # IT load of the design
    year_s: float  # Length of the year


@dataclass(frozen=True)
class Ownership:
    """The cost of a year, by what is known of it."""

    plan: CostPlan
    of: Owned
    parts: tuple[CapitalPart, ...]
    running: dict[str, float]  # Electricity and operation, by name
    lacks: tuple[str, ...]  # What is not known: parts of the capital, operation, electricity
    low: float  # Cost of a year at the lowest prices
    high: float  # And at the highest


def ownership_figures(plan: CostPlan | None, of: Owned, found: Findings) -> Ownership | None:
    """Record the cost of ownership of a year; None where the project does not ask for it.

    Parameters
    ----------
    plan : CostPlan or None
        Prices and terms.
    of : Owned
        GPUs, IT load and length of the year.
    found : Findings
        Holds the year; takes the figures.
    """
    if plan is None:
        return None
    parts = tuple(_capital(plan, of, found))
    running = dict(_running(plan, found))
    lacks = (*plan.lacks, *_unknown(running, found))
    total = _totals(plan, parts, running, lacks, found)
    if total is None:
        return Ownership(plan, of, parts, running, lacks, 0.0, 0.0)
    spread = [
        sum(part.quantity * price * part.factor for part, price in zip(parts, prices, strict=True))
        + sum(running.values())
        for prices in ([p.price.low for p in parts], [p.price.high for p in parts])
    ]
    low, high = spread
    for name, value in (("low", low), ("high", high)):
        words = f"with each price of the capital at its {name}est"
        found.note(f"cost.ownership.{name}", value, money_kind(plan.currency), words)
    _units(plan, of, found)
    return Ownership(plan, of, parts, running, lacks, low, high)


def _capital(plan: CostPlan, of: Owned, found: Findings) -> Iterator[CapitalPart]:
    """Yield the parts that have a price, with what they cost to build and in a year."""
    keys = []
    for price in plan.prices:
        quantity = float(of.gpus) if price.per_gpu else of.it_w
        if not quantity:
            continue
        at = found.trace.link(price.id, price.middle)
        key = f"capital.{price.part}"
        if price.per_gpu:
            ref = found.trace.link("load.gpus", quantity)
            equation = ownership_in(unit_capital, plan.currency)
            found.do(key, equation, price.part, units=ref, price=at)
        else:
            ref = found.trace.link("load.it", quantity)
            equation = ownership_in(power_capital, plan.currency)
            found.do(key, equation, price.part, it_w=ref, price_per_w=at)
        keys.append(price.part)
        years = plan.years[price.part]
        yield CapitalPart(price, quantity, years, _written_off(plan, price.part, years, found))
    for sort, words in _SORTS.items() if keys else ():
        terms = (f"{sort}.{key}" for key in keys)
        found.trace.sum(f"cost.{sort}", money_kind(plan.currency), words, *terms)
        found.show(f"cost.{sort}")


def _written_off(plan: CostPlan, part: str, years: float, found: Findings) -> float:
    """Record annuity and depreciation of a part; return its capital recovery factor."""
    trace, capital = found.trace, f"capital.{part}"
    life = trace.link(f"cost.{LIVES[part]}_years", years)
    rate, id = trace.link("cost.rate", plan.rate), f"annuity.{part}.factor"
    factor = trace.do(id, capital_recovery_factor, part, rate=rate, years=life)
    equation = ownership_in(annuity, plan.currency)
    trace.do(f"annuity.{part}", equation, part, capital=capital, factor=id)
    equation = ownership_in(depreciation, plan.currency)
    trace.do(f"depreciation.{part}", equation, part, capital=capital, years=life)
    return float(factor)


def _running(plan: CostPlan, found: Findings) -> Iterator[tuple[str, float]]:
    """Yield electricity and operation by name, as far as they are known."""
    if "cost.annual" in found.results:
        yield "electricity", found.trace.value("cost.annual")
    money = money_kind(plan.currency)
    for name, amount in plan.yearly.items():
        id = f"cost.operation.{name}"
        found.note(f"cost.{name}", amount, money, "of a year, as given", given=id)
        yield name, amount
    for name, price in (("water", plan.water_per_m3), ("fuel", plan.fuel_per_m3)):
        volume = _VOLUMES[name]
        if price is not None and volume in found.trace:
            at = found.trace.link(f"cost.operation.{name}", price)
            equation = ownership_in(volume_cost, plan.currency)
            words = f"{volume} at its price"
            yield name, found.do(f"cost.{name}", equation, words, volume_m3=volume, price_per_m3=at)


def _unknown(running: dict[str, float], found: Findings) -> Iterator[str]:
    """Yield what has no price, but for water and fuel that are not used at all."""
    for name in ("electricity", "maintenance", "staff", "lease", "spares", "other", *_VOLUMES):
        volume = _VOLUMES.get(name, "")
        unused = volume in found.trace and found.trace.value(volume) == 0.0
        if name not in running and not unused:
            yield name


def _totals(
    plan: CostPlan,
    parts: tuple[CapitalPart, ...],
    running: dict[str, float],
    lacks: tuple[str, ...],
    found: Findings,
) -> float | None:
    """Record the cost of a year and what it leaves out; None where nothing is known."""
    all_lines = len(PARTS) + len(running) + len(lacks) - len(plan.lacks)
    part = len(lacks) / all_lines
    words = (
        f"{len(lacks)} of {all_lines} lines, by number, have no price: their cost is not known, "
        "not zero, and neither is their part of the money"
    )
    found.note("cost.unpriced", part, "fraction", words)
    found.text("cost.lacks", ", ".join(lacks) or "none")
    terms = ["cost.annuity"] if parts else []
    terms += [f"cost.{'annual' if name == 'electricity' else name}" for name in running]
    if not terms:
        return None
    without = f"; without {', '.join(lacks)}" if lacks else ""
    words = f"annuities of the capital, electricity, operation{without}"
    found.trace.sum("cost.ownership", money_kind(plan.currency), words, *terms)
    found.show("cost.ownership")
    return found.trace.value("cost.ownership")


def _units(plan: CostPlan, of: Owned, found: Findings) -> None:
    """Record what a GPU-hour, a run, a kW of IT and a kWh of IT bear."""
    cost = {"cost": "cost.ownership"}
    currency = plan.currency
    found.do(
        "cost.it_power",
        ownership_in(cost_per_power, currency),
        "of a year, for the IT load of the design",
        it_w=found.trace.link("load.it", of.it_w),
        **cost,
    )
    found.do(
        "cost.levelised",
        ownership_in(levelised_cost, currency),
        "of the energy of the IT, all included",
        it_j="energy.annual.it",
        **cost,
    )
    if not of.gpus:
        return
    found.do(
        "cost.gpu_hour",
        ownership_in(unit_hour_cost, currency),
        f"{plan.used:.0%} of the hours of {of.gpus:,} GPUs",
        units=found.trace.link("load.gpus", float(of.gpus)),
        time_s=of.year_s,
        used=found.trace.link("cost.used", plan.used),
        **cost,
    )
    if plan.run_s is not None:
        words = f"{plan.run_s / _HOUR_S:,.0f} GPU-hours"
        time = found.trace.link("cost.run", plan.run_s)
        equation = ownership_in(run_cost, currency)
        found.do("cost.training_run", equation, words, price_per_s="cost.gpu_hour", time_s=time)
