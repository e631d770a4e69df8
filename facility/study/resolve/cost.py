"""Cost of ownership, resolved: prices of the capital, costs of operation, terms."""

from __future__ import annotations

from collections.abc import Iterator

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.kinds import demand_kind, money_kind
from facility.core.parse import Measured
from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.model.cost import LIVES, PARTS, CostPlan, UnitPrice
from facility.model.facility import Site
from facility.model.inputs.money.cost import CapitalSection, CostSection, OperationSection
from facility.power.it.load import ItLoad
from facility.study.resolve.reader import Reader

_FIELDS = {"servers": "gpu"}
_PER_GPU = ("servers", "network")
_YEARLY = ("maintenance", "staff", "lease", "spares", "other")
_PRICES = "cost/unit_prices"


def resolve_cost(
    section: CostSection | None, site: Site, it: ItLoad, trace: Trace
) -> CostPlan | None:
    """Return prices and terms of the cost of ownership; None where the project asks for none.

    Raises
    ------
    FacilityError
        ``CONTRADICTION`` for prices in another currency than the tariff, or of guides, which are
        in USD, beside another.
    """
    if section is None:
        return None
    read = Reader(section, "cost", trace)
    capital = section.capital or CapitalSection()
    operation = section.operation or OperationSection()
    currency = _currency(capital, operation, site)
    guides = read.word("prices", section.prices) == "guides"
    if guides and currency != "USD":
        raise FacilityError(
            "CONTRADICTION",
            "cost.prices",
            f"the prices of guides are in USD, those of the project in {currency}.",
            "Give the prices of cost.capital in the currency of the project.",
        )
    models = {load.device.gpu_model or "" for load in it.devices if load.device.gpus}
    gpu_model = models.pop() if len(models) == 1 else ""
    prices = tuple(_prices(capital, currency, gpu_model if guides else None, trace))
    years = {part: read(f"{life}_years") for part, life in LIVES.items()}
    yearly = {name: getattr(operation, name) for name in _YEARLY}
    return CostPlan(
        currency,
        prices,
        tuple(part for part in PARTS if part not in {price.part for price in prices}),
        years,
        read("rate"),
        {
            name: _given(f"operation.{name}", price, trace)
            for name, price in yearly.items()
            if price
        },
        _given("operation.water", operation.water, trace) if operation.water else None,
        _given("operation.fuel", operation.fuel, trace) if operation.fuel else None,
        read("used"),
        read.given("run"),
    )


def _given(name: str, price: Measured, trace: Trace) -> float:
    return trace.given(f"cost.{name}", price.si, price.kind, PROJECT)


def _currency(capital: CapitalSection, operation: OperationSection, site: Site) -> str:
    """Return the currency of the prices, which is that of the tariff."""
    given: list[tuple[str, Measured]] = [
        (f"cost.{place}.{name}", price)
        for place, section in (("capital", capital), ("operation", operation))
        for name in type(section).model_fields
        if (price := getattr(section, name)) is not None
    ]
    for where, price in given:
        own = price.unit.partition("/")[0].removeprefix("k")
        if site.currency and own != site.currency:
            raise FacilityError(
                "CONTRADICTION",
                where,
                f"{price.text} is not in {site.currency}, the currency of the electricity.",
                "Write all prices in the currency of the project; none is converted.",
            )
        return own
    return site.currency or "USD"


def _prices(
    capital: CapitalSection, currency: str, guides_of: str | None, trace: Trace
) -> Iterator[UnitPrice]:
    """Yield the prices that are known: those given, then those of guides for the GPU model."""
    servers: UnitPrice | None = None
    for part in PARTS:
        id, per_gpu = f"cost.capital.{_FIELDS.get(part, part)}", part in _PER_GPU
        price: Measured | None = getattr(capital, _FIELDS.get(part, part))
        found: UnitPrice | None = None
        if price is not None:
            trace.given(id, price.si, price.kind, PROJECT)
            found = UnitPrice(part, per_gpu, price.si, price.si, id)
        elif guides_of is not None:
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
    words = (
        f"{row.text('scope')}: middle of {low * scale:,.0f} to {high * scale:,.0f} USD for {unit}"
    )
    kind = money_kind("USD") if found.per_gpu else demand_kind("USD")
    trace.assume(id, found.middle, kind, f"{words}, as guides print it", row.cite("low_usd"))
    return found
