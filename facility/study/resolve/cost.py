"""Cost of ownership, resolved: prices of the capital, costs of operation, terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.kinds import demand_kind, money_kind
from facility.core.parse import Measured
from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.core.views import show
from facility.model.cost import EQUIPMENT, LIVES, PARTS, CostPlan, StatedPrice, UnitPrice
from facility.model.facility import Site
from facility.model.inputs.money.cost import (
    CapitalSection,
    CostSection,
    EquipmentSection,
    OperationSection,
    currency_of,
    priced,
)
from facility.physics.facility.ownership import equipment_price
from facility.power.it.load import ItLoad
from facility.study.resolve.reader import Reader

_FIELDS = {"servers": "gpu"}
_PER_GPU = ("servers", "network")
_YEARLY = ("maintenance", "staff", "lease", "spares", "other")
_PRICES, _COSTS = "cost/unit_prices", "cost/unit_costs"
_UNITS = {
    "apparent_power": "apparent_price",
    "active_power": "demand_price",
    "heat_flow": "demand_price",
    "energy": "energy_price",
}


def resolve_cost(
    section: CostSection | None, site: Site, it: ItLoad, trace: Trace
) -> CostPlan | None:
    """Return prices and terms of the cost of ownership; None if not requested.

    Raises ``CONTRADICTION`` for prices in another currency than the tariff, or guide prices, which
    are in USD, with another currency; for a part priced both as a whole and by equipment.
    """
    if section is None:
        return None
    read = Reader(section, "cost", trace)
    capital = section.capital or CapitalSection.unstated()
    operation = section.operation or OperationSection.unstated()
    currency = _currency(section, site)
    guides = read.word("prices", section.prices) == "guides"
    if guides and currency != "USD":
        raise FacilityError(
            "CONTRADICTION",
            "cost.prices",
            f"guide prices are in USD, project prices in {currency}.",
            "Enter prices under cost.capital or cost.equipment in the currency of the project.",
        )
    models = {load.device.gpu_model or "" for load in it.devices if load.device.gpus}
    gpu_model = models.pop() if len(models) == 1 else ""
    prices = tuple(_prices(capital, gpu_model if guides else None, trace))
    whole = {price.part for price in prices}
    stated = dict(_stated(section.equipment or EquipmentSection.unstated(), trace))
    by_equipment = _by_equipment(whole, stated, guides, trace)
    years = {part: read(f"{life}_years") for part, life in LIVES.items()}
    yearly = {name: getattr(operation, name) for name in _YEARLY}
    return CostPlan(
        currency,
        prices,
        tuple(part for part in PARTS if part not in {*whole, *by_equipment}),
        by_equipment,
        stated,
        guides,
        {
            row.text("part"): (float(row.require("low_usd")), float(row.require("high_usd")))
            for row in table(_PRICES).rows
            if guides and row["part"] in EQUIPMENT
        },
        years,
        read("rate"),
        {name: _given(f"operation.{name}", x, trace) for name, x in yearly.items() if x},
        _given("operation.water", operation.water, trace) if operation.water else None,
        _given("operation.fuel", operation.fuel, trace) if operation.fuel else None,
        read("used"),
        read.given("run"),
        frozenset(name for name in ("rate", "plant_years") if getattr(section, name) is not None),
    )


def _by_equipment(
    whole: Set[str], stated: Mapping[str, StatedPrice], guides: bool, trace: Trace
) -> tuple[str, ...]:
    """Return the parts priced by equipment; record published equipment prices."""
    found = tuple(
        part
        for part, names in EQUIPMENT.items()
        if part not in whole and (guides or not stated.keys().isdisjoint(names))
    )
    for part in found if guides else ():
        _assume_equipment(part, stated, trace)
    return found


def _given(name: str, price: Measured, trace: Trace) -> float:
    return trace.given(f"cost.{name}", price.si, price.kind, PROJECT)


def _currency(section: CostSection, site: Site) -> str:
    """Return the currency of the prices, which is that of the tariff."""
    for where, price in section.stated():
        if not priced(price):
            continue
        own = currency_of(price)
        if site.currency and own != site.currency:
            raise FacilityError(
                "CONTRADICTION",
                f"cost.{where}",
                f"{price.text} is not in {site.currency}, the currency of the electricity.",
                "Write all prices in the currency of the project; currencies are not converted.",
            )
        return own
    return site.currency or "USD"


def _stated(section: EquipmentSection, trace: Trace) -> Iterator[tuple[str, StatedPrice]]:
    for name in type(section).model_fields:
        price: Measured | None = getattr(section, name)
        if price is not None:
            value = _given(f"equipment.{name}", price, trace)
            yield name, StatedPrice(value, price.kind, f"cost.equipment.{name}")


def _assume_equipment(part: str, stated: Mapping[str, StatedPrice], trace: Trace) -> None:
    """Record the published prices of unpriced equipment of a part."""
    fields = {**EQUIPMENT[part], "installation": (f"installation_{part}",)}
    for field, names in fields.items():
        for row in table(_COSTS).rows if field not in stated else ():
            if row["part"] in names and row["typical_size"] is not None:
                kind, size = row.text("kind"), float(row.require("typical_size"))
                low, high = float(row.require("low")), float(row.require("high"))
                slope, exponent = float(row.require("slope_usd")), float(row.require("exponent"))
                each = float(equipment_price.si(size, row.si("fixed_usd"), slope, exponent))
                spread = (
                    f"published at {low:.2f} to {high:.2f} of it"
                    if low < high
                    else "single published price"
                )
                at = "" if kind in ("count", "fraction") else f" at {show(size, kind)}"
                words = f"{row.text('scope')}{at}; {spread}"
                unit = _UNITS.get(kind, "fraction" if kind == "fraction" else "money")
                value = each / size if kind in _UNITS else each
                trace.assume(
                    f"cost.equipment.{row.text('part')}", value, unit, words, row.cite("slope_usd")
                )


def _prices(capital: CapitalSection, guides_of: str | None, trace: Trace) -> Iterator[UnitPrice]:
    """Yield the available prices: specified ones, then guide prices for the GPU model."""
    servers: UnitPrice | None = None
    for part in PARTS:
        id, per_gpu = f"cost.capital.{_FIELDS.get(part, part)}", part in _PER_GPU
        price: Measured | None = getattr(capital, _FIELDS.get(part, part))
        found: UnitPrice | None = None
        if price is not None:
            trace.given(id, price.si, price.kind, PROJECT)
            found = UnitPrice(part, per_gpu, price.si, price.si, id)
        elif guides_of is not None and part not in EQUIPMENT:
            found = _of_guides(part, guides_of, servers, id, trace)
        if found is not None:
            servers = found if part == "servers" else servers
            yield found


def _of_guides(
    part: str, gpu_model: str, servers: UnitPrice | None, id: str, trace: Trace
) -> UnitPrice | None:
    rows = [row for row in table(_PRICES).select(part=part) if row["model"] in (None, gpu_model)]
    if not rows or (rows[0]["basis"] == "servers" and servers is None):
        return None
    row: Row = rows[0]
    low, high = float(row.require("low_usd")), float(row.require("high_usd"))
    if row["basis"] == "servers" and servers is not None:
        low, high = low * servers.low, high * servers.high
    found = UnitPrice(part, part in _PER_GPU, low, high, id)
    unit, scale = ("a GPU", 1.0) if found.per_gpu else ("a kW of IT load", 1e3)
    words = f"{row.text('scope')}: mean of {low * scale:,.0f} to {high * scale:,.0f} USD for {unit}"
    kind = money_kind("USD") if found.per_gpu else demand_kind("USD")
    trace.assume(id, found.middle, kind, f"{words}, as published in guides", row.cite("low_usd"))
    return found
