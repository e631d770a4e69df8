"""Annual cost of ownership of a facility: annuities of the capital, electricity, operation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from facility.core.kinds import money_kind
from facility.core.views import show
from facility.model.cost import LIVES, PARTS, CostPlan, UnitPrice
from facility.physics.facility.ownership import (
    annuity,
    capital_recovery_factor,
    cost_per_power,
    depreciation,
    equipment_price,
    levelised_cost,
    power_capital,
    run_cost,
    unit_capital,
    unit_hour_cost,
    volume_cost,
)
from facility.study.cost.prices import INSTALLATION, CapitalCost, PartCost, price_list
from facility.study.figures import Figures
from facility.study.studies import StudyContext

_HOUR_S = 3600.0
_TOTALS = {
    "capital": "priced items",
    "annuity": "annual depreciation and interest",
    "depreciation": "straight-line, without interest; included in the annuity",
}
_VOLUMES = {"water": "water.annual", "fuel": "fuel.annual"}


@dataclass(frozen=True)
class CapitalPart:
    """A priced item of the capital cost."""

    group: str  # Part of the capital: servers, network, power, cooling or building
    name: str  # Item within the part; empty for the whole part
    quantity: float  # Units, or IT load
    kind: str  # Quantity kind
    size: str  # Of one unit; empty if it has none
    price: float  # Of one unit, or for each W
    capital: float
    low: float  # Capital at the lowest price
    high: float
    years: float  # Depreciation period
    factor: float  # Capital recovery factor
    source: str  # Source of the price
    price_year: int | None = None  # Of a published price of equipment

    @property
    def yearly(self) -> float:
        """Annuity."""
        return self.capital * self.factor


@dataclass(frozen=True)
class Owned:
    """Subject of the cost of ownership."""

    gpus: int
    it_w: float  # IT load of the design
    year_s: float  # Length of the year
    built: StudyContext  # The design


@dataclass(frozen=True)
class Ownership:
    """Annual cost of ownership, priced items."""

    plan: CostPlan
    of: Owned
    parts: tuple[CapitalPart, ...]
    running: dict[str, float]  # Electricity and operation, by name
    unpriced: tuple[str, ...]  # Items without a price: parts of the capital, operation, electricity
    low: float  # Annual cost at the lowest prices
    high: float  # Annual cost at the highest prices
    # By part of the capital: published cost of complete systems, less the priced items.
    beyond: Mapping[str, tuple[float, float]]


def ownership_figures(plan: CostPlan | None, of: Owned, found: Figures) -> Ownership | None:
    """Record the annual cost of ownership; None if the project does not request it."""
    if plan is None:
        return None
    prices = price_list(plan, of.built.facility.site.country)
    bought = {part: prices.equipment(part, of.built) for part in plan.by_equipment}
    parts = tuple(_capital(plan, of, bought, found))
    running = dict(_running(plan, found))
    of_equipment = (name for costs in bought.values() for name in costs.unpriced)
    unpriced = (*plan.unpriced, *of_equipment, *_unknown(running, found))
    total = _totals(plan, parts, running, unpriced, found)
    beyond = dict(_beyond(plan, of, bought, found))
    if total is None:
        return Ownership(plan, of, parts, running, unpriced, 0.0, 0.0, beyond)
    low, high = (
        sum(running.values()) + sum(getattr(part, end) * part.factor for part in parts)
        for end in ("low", "high")
    )
    for name, value in (("low", low), ("high", high)):
        words = f"all capital prices at their {name}est"
        found.note(f"cost.ownership.{name}", value, money_kind(plan.currency), words)
    _units(plan, of, found)
    return Ownership(plan, of, parts, running, unpriced, low, high, beyond)


def _capital(
    plan: CostPlan, of: Owned, bought: Mapping[str, CapitalCost], found: Figures
) -> Iterator[CapitalPart]:
    """Yield the priced items, with capital cost and annuity."""
    prices = {price.part: price for price in plan.prices}
    keys = []
    for group in PARTS:
        lines = list(_lines(plan, bought[group], group, found)) if group in bought else []
        if group in prices:
            lines = list(_whole(plan, of, prices[group], found))
        if not lines:
            continue
        keys.append(group)
        years = plan.years[group]
        trace, capital = found.trace, f"capital.{group}"
        life = trace.link(f"cost.{LIVES[group]}_years", years)
        rate, id = trace.link("cost.rate", plan.rate), f"annuity.{group}.factor"
        factor = float(trace.do(id, capital_recovery_factor, group, rate=rate, years=life))
        yearly, written = (each.in_currency(plan.currency) for each in (annuity, depreciation))
        trace.do(f"annuity.{group}", yearly, group, capital=capital, factor=id)
        trace.do(f"depreciation.{group}", written, group, capital=capital, years=life)
        yield from (replace(line, years=years, factor=factor) for line in lines)
    for total, words in _TOTALS.items() if keys else ():
        terms = (f"{total}.{key}" for key in keys)
        found.sum(f"cost.{total}", money_kind(plan.currency), words, *terms)


def _whole(plan: CostPlan, of: Owned, price: UnitPrice, found: Figures) -> Iterator[CapitalPart]:
    """Yield a part of the capital priced as a whole: per GPU, or per IT load."""
    quantity = float(of.gpus) if price.per_gpu else of.it_w
    if not quantity:
        return
    at, key = found.trace.link(price.id, price.middle), f"capital.{price.part}"
    if price.per_gpu:
        ref = found.trace.link("load.gpus", quantity)
        of_unit = unit_capital.in_currency(plan.currency)
        capital = found.do(key, of_unit, price.part, units=ref, price=at)
    else:
        ref = found.trace.link("load.it", quantity)
        of_power = power_capital.in_currency(plan.currency)
        capital = found.do(key, of_power, price.part, it_w=ref, price_per_w=at)
    kind = "count" if price.per_gpu else "active_power"
    ends = (quantity * price.low, quantity * price.high)
    source = found.trace[price.id].source.id if price.id in found.trace else ""
    part, middle = price.part, price.middle
    yield CapitalPart(part, "", quantity, kind, "", middle, capital, *ends, 1.0, 1.0, source)


def _lines(plan: CostPlan, costs: CapitalCost, group: str, found: Figures) -> Iterator[CapitalPart]:
    """Yield the cost of the equipment of a part of the capital, by item."""
    money, keys = money_kind(plan.currency), []
    for part in costs.parts:
        if part.cost is None:
            continue
        keys.append(f"capital.{group}.{re.sub('[^a-z0-9]+', '_', part.part.lower())}")
        _step(keys, part, money, plan, found)
        size = part.machines.size if part.machines.kind not in ("count", "fraction") else None
        yield CapitalPart(
            group,
            part.part,
            float(part.units),
            "count",
            "" if size is None else show(size, part.machines.kind),
            part.each,
            part.cost,
            part.low,
            part.high,
            1.0,
            1.0,
            "" if part.source is None else part.source.id,
            part.price_year,
        )
    if keys:
        found.sum(f"capital.{group}", money, "priced equipment, installed", *keys)


def _step(keys: Sequence[str], part: PartCost, money: str, plan: CostPlan, found: Figures) -> None:
    """Record the cost of identical units, or the installation of all preceding items."""
    key, trace, cost = keys[-1], found.trace, part.cost or 0.0
    used = {} if part.stated is None else {"price": part.stated.id}
    if part.part == INSTALLATION:
        inputs = {f"part_{n}": id for n, id in enumerate(keys[:-1])}
        found.note(key, cost, money, part.why, **inputs, **used)
    elif part.row is not None and not used:
        row = part.row
        trace.do(
            f"price.{key}",
            equipment_price,
            f"{part.part}: {row.text('scope')} ({row.cite('slope_usd').id}, {part.price_year})",
            size=part.machines.size,
            fixed=row.si("fixed_usd"),
            slope=float(row.require("slope_usd")),
            exponent=float(row.require("exponent")),
        )
        found.do(key, unit_capital, part.why, units=float(part.units), price=f"price.{key}")
    else:
        size = show(part.machines.size, part.machines.kind)
        words = "each" if part.machines.kind == "count" else f"of {size} each"
        trace.derive(f"price.{key}", part.each, money, words, **used)
        equation = unit_capital.in_currency(plan.currency)
        found.do(key, equation, part.why, units=float(part.units), price=f"price.{key}")


def _beyond(
    plan: CostPlan, of: Owned, bought: Mapping[str, CapitalCost], found: Figures
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the published cost of complete systems by part, less the priced equipment."""
    for group, costs in bought.items():
        if group not in plan.whole or not costs.unpriced:
            continue
        low, high = (max(0.0, of.it_w * price - costs.known) for price in plan.whole[group])
        words = (
            "published cost of complete systems less the priced equipment, not in the total; "
            f"it covers {', '.join(costs.unpriced)}, controls, engineering and margins"
        )
        money = money_kind(plan.currency)
        found.note(f"cost.unpriced.{group}.low", low, money, words)
        found.note(f"cost.unpriced.{group}.high", high, money, words)
        yield group, (low, high)


def _running(plan: CostPlan, found: Figures) -> Iterator[tuple[str, float]]:
    """Yield the known costs of electricity and operation by name."""
    if "cost.annual" in found.results:
        yield "electricity", found.trace.value("cost.annual")
    money = money_kind(plan.currency)
    for name, amount in plan.yearly.items():
        id = f"cost.operation.{name}"
        found.note(f"cost.{name}", amount, money, "per year, as specified", given=id)
        yield name, amount
    for name, price in (("water", plan.water_per_m3), ("fuel", plan.fuel_per_m3)):
        volume = _VOLUMES[name]
        if price is not None and volume in found.trace:
            at = found.trace.link(f"cost.operation.{name}", price)
            equation = volume_cost.in_currency(plan.currency)
            words = f"{volume} times its price"
            yield name, found.do(f"cost.{name}", equation, words, volume_m3=volume, price_per_m3=at)


def _unknown(running: dict[str, float], found: Figures) -> Iterator[str]:
    """Yield the items without a price, except unused water and fuel."""
    for name in ("electricity", "maintenance", "staff", "lease", "spares", "other", *_VOLUMES):
        volume = _VOLUMES.get(name, "")
        unused = volume in found.trace and found.trace.value(volume) == 0.0
        if name not in running and not unused:
            yield name


def _totals(
    plan: CostPlan,
    parts: tuple[CapitalPart, ...],
    running: dict[str, float],
    unpriced: tuple[str, ...],
    found: Figures,
) -> float | None:
    """Record the annual cost and the items without a price; None without any price."""
    all_lines = len(parts) + len(running) + len(unpriced)
    part = len(unpriced) / all_lines
    words = (
        f"{len(unpriced)} of {all_lines} items have no price: their cost is unknown, "
        "not zero, and so is their share of the total"
    )
    found.note("cost.unpriced", part, "fraction", words)
    found.text("cost.lacks", ", ".join(unpriced) or "none")
    terms = ["cost.annuity"] if parts else []
    terms += [f"cost.{'annual' if name == 'electricity' else name}" for name in running]
    if not terms:
        return None
    without = f"; without {', '.join(unpriced)}" if unpriced else ""
    words = f"annuity of the capital, electricity, operation{without}"
    return found.sum("cost.ownership", money_kind(plan.currency), words, *terms)


def _units(plan: CostPlan, of: Owned, found: Figures) -> None:
    """Record the cost per GPU-hour, training run, kW of IT load and kWh of IT energy."""
    cost = {"cost": "cost.ownership"}
    currency = plan.currency
    it = found.trace.link("load.it", of.it_w)
    found.do("cost.it_power", cost_per_power.in_currency(currency), it_w=it, **cost)
    levelised = levelised_cost.in_currency(currency)
    found.do("cost.levelised", levelised, it_j="energy.annual.it", **cost)
    if not of.gpus:
        return
    found.do(
        "cost.gpu_hour",
        unit_hour_cost.in_currency(currency),
        f"{plan.used:.0%} utilization of {of.gpus:,} GPUs",
        units=found.trace.link("load.gpus", float(of.gpus)),
        time_s=of.year_s,
        used=found.trace.link("cost.used", plan.used),
        **cost,
    )
    if plan.run_s is not None:
        words = f"{plan.run_s / _HOUR_S:,.0f} GPU-hours"
        time = found.trace.link("cost.run", plan.run_s)
        equation = run_cost.in_currency(currency)
        found.do("cost.training_run", equation, words, price_per_s="cost.gpu_hour", time_s=time)
