"""Prices of equipment: stated by the project, or published; items without a price are listed.

A published unit price is fixed + slope x size ^ exponent in the size range of its row. Prices are
in money of the year of the row, added without escalation; the years are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from facility.catalogue import Row, table
from facility.core.kinds import money_kind
from facility.core.sources import PROJECT, Source
from facility.core.views import show
from facility.model.cost import EQUIPMENT, CostPlan, StatedPrice
from facility.physics.facility.ownership import equipment_price
from facility.study.cost.machines import Machines, cooling_machines, power_machines
from facility.study.studies import StudyContext

_COSTS = "cost/unit_costs"
FIELDS = {
    part: field
    for fields in EQUIPMENT.values()
    for field, parts in fields.items()
    for part in parts
}
"""Field of ``cost.equipment`` by machine type."""
INSTALLATION = "installation"


@dataclass(frozen=True)
class PartCost:
    """Cost of one equipment type, or of its installation.

    `cost` is the total of all units, None without a price; `why` is its basis, or the reason for
    None. `row` and `stated` are the price in its explanation.
    """

    machines: Machines
    cost: float | None
    low: float  # At the lowest price
    high: float
    price_year: int | None
    source: Source | None
    why: str
    row: Row | None = None
    stated: StatedPrice | None = None

    @property
    def part(self) -> str:
        """Displayed name."""
        return self.machines.name

    @property
    def units(self) -> int:
        """Number of units."""
        return self.machines.units

    @property
    def each(self) -> float:
        """Unit cost."""
        return (self.cost or 0.0) / self.units


@dataclass(frozen=True)
class CapitalCost:
    """Cost of the priced equipment of a part of the capital."""

    parts: tuple[PartCost, ...]
    currency: str

    @property
    def known(self) -> float:
        """Sum of the known costs."""
        return sum(part.cost for part in self.parts if part.cost is not None)

    @property
    def is_known(self) -> bool:
        """Whether any part has a cost."""
        return any(part.cost is not None for part in self.parts)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Parts without a price."""
        return tuple(part.part for part in self.parts if part.cost is None)

    @property
    def years(self) -> tuple[int, ...]:
        """Years of the prices."""
        return tuple(sorted({p.price_year for p in self.parts if p.price_year is not None}))


@dataclass(frozen=True)
class PriceList:
    """Price sources: stated prices first, then published prices if permitted."""

    currency: str
    stated: Mapping[str, StatedPrice]
    published: bool
    because: str = "no price is stated"  # Why published prices do not apply

    def equipment(self, group: str, built: StudyContext) -> CapitalCost:
        """Return the cost of the equipment of a part of the capital: ``power`` or ``cooling``."""
        machines = power_machines(built) if group == "power" else cooling_machines(built)
        return self.bought(group, machines)

    def bought(self, group: str, machines: Iterable[Machines]) -> CapitalCost:
        """Return the cost of machines of a part of the capital, installation included."""
        priced = [self.priced(each) for each in machines if each.units]
        return CapitalCost((*priced, *self._installed(group, priced)), self.currency)

    def priced(self, machines: Machines) -> PartCost:
        """Return the cost of identical units, unknown without a price."""
        stated = self.stated.get(FIELDS.get(machines.part, ""))
        if stated is not None:
            return self._stated(machines, stated)
        if not self.published:
            return _unknown(machines, self.because)
        rows = table(_COSTS).select(part=machines.part)
        if not rows:
            return _unknown(machines, "no published unit cost")
        for row in rows:
            if float(row.require("from_size")) <= machines.size <= float(row.require("to_size")):
                return _published(row, machines)
        low = min(float(row.require("from_size")) for row in rows)
        high = max(float(row.require("to_size")) for row in rows)
        size, smallest, largest = (show(x, machines.kind) for x in (machines.size, low, high))
        return _unknown(machines, f"{size} is outside the published range, {smallest} to {largest}")

    def _stated(self, machines: Machines, price: StatedPrice) -> PartCost:
        each = price.value
        if price.kind != money_kind(self.currency):
            each *= machines.size
        why = f"{show(price.value, price.kind)}, stated"
        cost = each * machines.units
        return PartCost(machines, cost, cost, cost, None, PROJECT, why, None, price)

    def _installed(self, group: str, priced: Iterable[PartCost]) -> Iterator[PartCost]:
        """Yield the installation cost of the priced equipment if its share is known."""
        known = [part for part in priced if part.cost is not None]
        if not known:
            return
        machines = Machines(f"{INSTALLATION}_{group}", INSTALLATION, 1, 1.0, "fraction")
        stated = self.stated.get(INSTALLATION)
        if stated is not None:
            part = stated.value
            ratio = PartCost(machines, part, part, part, None, PROJECT, "stated", None, stated)
        elif self.published:
            ratio = _published(table(_COSTS).select(part=machines.part)[0], machines)
        else:
            yield _unknown(machines, self.because)
            return
        assert ratio.cost is not None
        why = f"{ratio.cost:.1%} of the equipment cost"
        why += f", {ratio.low:.1%} to {ratio.high:.1%}" if ratio.low < ratio.high else ""
        cost, low, high = (
            sum(x) for x in zip(*((p.cost or 0.0, p.low, p.high) for p in known), strict=True)
        )
        yield replace(
            ratio, cost=ratio.cost * cost, low=ratio.low * low, high=ratio.high * high, why=why
        )


def price_list(plan: CostPlan | None, country: str) -> PriceList:
    """Return the prices of a plan; without one, published prices for a site in the US only."""
    if plan is not None and (plan.equipment or plan.published):
        return PriceList(plan.currency, plan.equipment, plan.published)
    why = "the published unit costs are in USD, and the site is not known to be in the US"
    return PriceList("USD", {}, country == "US", why)


def _published(row: Row, machines: Machines) -> PartCost:
    slope, exponent = float(row.require("slope_usd")), float(row.require("exponent"))
    each = float(equipment_price.si(machines.size, row.si("fixed_usd"), slope, exponent))
    cost = machines.units * each
    size = "" if machines.kind == "count" else f", {show(machines.size, machines.kind)}"
    return PartCost(
        machines,
        cost,
        cost * float(row.require("low")),
        cost * float(row.require("high")),
        row.integer("price_year"),
        row.cite("slope_usd"),
        f"{each:,.0f} USD each{size}, {row['scope']}",
        row,
    )


def _unknown(machines: Machines, why: str) -> PartCost:
    return PartCost(machines, None, 0.0, 0.0, None, None, why)
