"""Columns of the cost of ownership: capital parts and annual cost by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.kinds import demand_kind, money_kind
from facility.core.views import System, show
from facility.physics.facility.ownership import capital_recovery_factor
from facility.report.sheet.grid import Amount, Column, SheetTable, TextTable
from facility.study.cost.ownership import CapitalPart, Ownership
from facility.study.cost.prices import INSTALLATION

LABELS = {
    "servers": "GPUs with their servers",
    "network": "Network, storage, cabling",
    "power": "Power chain",
    "cooling": "Cooling",
    "building": "Land and building",
}
UNPRICED = "Unknown, not included in any total: {}."
BEYOND = (
    "{}: published guides per kW of IT put complete systems {} to {} above the equipment priced "
    "here; this is not included in any total."
)


@dataclass(frozen=True)
class CostLine:
    """Line of the annual cost."""

    name: str
    cost: float
    share: float  # Of what is known


def name_of(part: CapitalPart) -> str:
    """Return the label of a capital line."""
    if part.name == INSTALLATION:
        return f"Installation, {part.group}"
    return part.name[:1].upper() + part.name[1:] if part.name else LABELS[part.group]


def quantity_of(part: CapitalPart) -> Amount:
    """Return the purchased quantity of a line: units, GPUs, or IT load."""
    return Amount(part.quantity, part.kind)


def price_of(part: CapitalPart, currency: str) -> Amount:
    """Return the price per unit, or per kW of IT load."""
    kind = money_kind(currency) if part.kind == "count" else demand_kind(currency)
    return Amount(part.price, kind)


def capital_table(owned: Ownership) -> SheetTable[CapitalPart]:
    """Return the columns of the capital lines."""
    currency = owned.plan.currency
    money = money_kind(currency)
    columns: tuple[Column[CapitalPart], ...] = (
        Column("group", "", 0, door="json", json="part"),
        Column("name", "", 0, door="json", json="name"),
        Column("part", "Part", 34, of=name_of),
        Column("of", "", 0, of=lambda p: "unit" if p.name else unit_of(p), door="json", json="for"),
        Column("quantity", "Quantity", 14, "ratio", of=quantity_of, json="quantity"),
        Column("unit", "Unit", 13, of=unit_of),
        Column("size", "", 0, door="json", json="size"),
        Column("price", f"Price ({currency})", 14, "ratio", of=lambda p: price_of(p, currency),
               json="price"),
        *_costs(currency, money),
        Column("source", "Price source", 22, door="sheet", json="source"),
        Column("price_year", "", 0, door="json", json="price_year"),
    )  # fmt: skip
    return SheetTable(
        "Capital", columns, because="Design quantity times the unit price of the row."
    )


def unit_of(part: CapitalPart) -> str:
    """Return the unit of a line: its size, a GPU, or a kW of IT."""
    if part.kind == "count":
        return part.size or ("" if part.name else "GPU")
    return "kW of IT"


def _costs(currency: str, money: str) -> Iterator[Column[CapitalPart]]:
    bought, yearly = "{quantity}*{price}", "{capital}*{factor}"
    recovery = capital_recovery_factor.excel
    yield Column("capital", f"Capital ({currency})", 16, money, bought, json="capital")
    yield Column("low", f"Low ({currency})", 14, money, json="low")
    yield Column("high", f"High ({currency})", 14, money, json="high")
    yield Column("years", "Years", 9, "ratio", number_format="n0", json="years")
    yield Column("factor", "Annuity factor", 10, "ratio", recovery, number_format="n4",
                 json="annuity_factor")  # fmt: skip
    yield Column("yearly", f"Annual cost ({currency})", 16, money, yearly, json="of_a_year")


def line_table(owned: Ownership) -> SheetTable[CostLine]:
    """Return the columns of the annual cost lines."""
    money = money_kind(owned.plan.currency)
    columns = (
        Column[CostLine]("line", "Line", 28, of=lambda r: r.name),
        Column[CostLine]("cost", "Annual cost", 16, money),
        Column[CostLine]("share", "Share of priced items", 12, "fraction"),
    )
    return SheetTable("Annual cost", columns, because="Annual cost of the lines above.")


def lines_of(owned: Ownership) -> tuple[CostLine, ...]:
    """Return the annual cost lines: each part of the capital, electricity, operation."""
    costs: dict[str, float] = {}
    for part in owned.parts:
        label = LABELS[part.group]
        costs[label] = costs.get(label, 0.0) + part.yearly
    costs |= {name.capitalize(): cost for name, cost in owned.running.items()}
    total = sum(costs.values())
    return tuple(
        CostLine(name, cost, cost / total if total else 0.0) for name, cost in costs.items()
    )


def ownership_tables(owned: Ownership, system: System) -> Iterator[TextTable]:
    """Yield capital and annual cost lines as texts."""
    if owned.parts:
        yield capital_table(owned).text(owned.parts, system)
    if owned.parts or owned.running:
        yield line_table(owned).text(lines_of(owned), system, *notes_of(owned))


def notes_of(owned: Ownership) -> Iterator[str]:
    """Yield the notes on the cost."""
    money = money_kind(owned.plan.currency)
    if owned.parts:
        low, high = (show(value, money) for value in (owned.low, owned.high))
        yield f"Annual cost is {low} to {high} over the range of capital prices."
        yield "The annuity of a part includes depreciation and interest."
    years = sorted({part.price_year for part in owned.parts if part.price_year})
    if years:
        yield f"Prices of equipment are of {', '.join(map(str, years))}; none is escalated."
    if owned.unpriced:
        yield UNPRICED.format(", ".join(owned.unpriced))
    for part, rest in owned.beyond.items():
        yield BEYOND.format(LABELS[part], *(show(value, money) for value in rest))
