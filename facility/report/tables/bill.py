"""Columns of the annual bill: charges, times, prices and months."""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from facility.core.kinds import demand_kind, kind_in, money_kind
from facility.core.views import System
from facility.model.inputs.money.tariff import DAYS, MONTHS, hour_text
from facility.model.tariff import ALL_DAYS, ALL_MONTHS, HALF_HOURS, Period, Tariff
from facility.report.sheet.grid import Amount, Column, SheetTable, TextTable
from facility.study.tariff.bill import Bill

HIGHEST_HOUR = (
    "Demand is the peak hour of a month, or the load at the hours a charge names; a 15 or 30 "
    "minute meter reads more where the load varies within the hour."
)


@dataclass(frozen=True)
class Charge:
    """Tariff charge with its annual cost."""

    key: str  # Letter and number: E1, D1, R1
    name: str
    when: str
    price: Amount
    ratchet: float | None  # None where it is none
    used: Amount  # Energy, demand billed or reactive energy, summed over the months
    added: Amount | None  # Added by the minimum power factor
    cost: float  # With what the power factor adds

    @property
    def head(self) -> str:
        """Heading in the monthly columns."""
        return f"{self.key}: {self.name}"


@dataclass(frozen=True)
class MonthBill:
    """The bill of one month, in the currency of the tariff."""

    number: int
    used: tuple[float, ...]  # Of each charge, J, W, VA or var*s
    added_w: tuple[float, ...]  # By the power factor, of each demand charge
    energy: float
    market: float
    demand: float
    power_factor: float
    reactive: float
    fixed: float
    total: float


def charges_of(bill: Bill) -> tuple[Charge, ...]:
    """Return the charges with their cost: energy, demand, reactive energy."""
    energy = (
        Charge(
            f"E{n}",
            charge.name,
            ", ".join(filter(None, (words_of(charge.period), charge.block.words))),
            Amount(charge.price_per_j, kind_in("energy_price", bill.tariff.currency)),
            None,
            Amount(float(used.sum()), "energy"),
            None,
            float(used.sum()) * charge.price_per_j,
        )
        for n, (charge, used) in enumerate(zip(bill.tariff.energy, bill.energy_j, strict=True), 1)
    )
    return (*energy, *_demands(bill), *_reactives(bill))


def _demands(bill: Bill) -> Iterator[Charge]:
    currency, by_factor = bill.tariff.currency, bill.tariff.least_power_factor is not None
    demands = zip(bill.tariff.demand, bill.billed, bill.added_w, strict=True)
    for n, (charge, billed, added_w) in enumerate(demands, 1):
        kind = "apparent_power" if charge.apparent else "active_power"
        adds = by_factor and not charge.apparent
        named = f"mean of {len(charge.coincident)} named hours" if charge.coincident else ""
        yield Charge(
            f"D{n}",
            charge.name,
            ", ".join(filter(None, (words_of(charge.period), charge.block.words, named))),
            Amount(charge.price, demand_kind(currency, apparent=charge.apparent)),
            charge.ratchet or None,
            Amount(float(billed.sum()), kind),
            Amount(float(added_w.sum()), kind) if adds else None,
            float((billed + added_w).sum()) * charge.price,
        )


def _reactives(bill: Bill) -> Iterator[Charge]:
    charges = zip(bill.tariff.reactive, bill.reactive_var_s, strict=True)
    for n, (charge, charged) in enumerate(charges, 1):
        when = words_of(charge.period)
        yield Charge(
            f"R{n}",
            charge.name,
            f"{when}, above {charge.free:.4g} kvarh/kWh" if charge.free else when,
            Amount(charge.price, kind_in("reactive_price", bill.tariff.currency)),
            None,
            Amount(float(charged.sum()), "reactive_energy"),
            None,
            float(charged.sum()) * charge.price,
        )


def months_of(bill: Bill) -> tuple[MonthBill, ...]:
    """Return the bills of the twelve months."""
    quantities = *bill.energy_j, *bill.billed, *bill.reactive_var_s
    costs = (
        bill.energy,
        bill.market,
        bill.demand,
        bill.power_factor,
        bill.reactive,
        bill.fixed,
        bill.total,
    )
    return tuple(
        MonthBill(
            month,
            tuple(float(x[at]) for x in quantities),
            tuple(float(x[at]) for x in bill.added_w),
            *(float(x[at]) for x in costs),
        )
        for at, month in enumerate(ALL_MONTHS)
    )


def charge_table(bill: Bill) -> SheetTable[Charge]:
    """Return the columns of the charges; unused columns are omitted."""
    currency = bill.tariff.currency
    columns = (
        Column[Charge]("charge", "Charge", 26, of=lambda c: c.head),
        Column[Charge]("when", "Applies", 30),
        Column[Charge]("price", "Price", 14, "ratio"),
        Column[Charge](
            "unit", "Unit", 11, of=lambda c: _unit(c.price.kind, currency), door="sheet"
        ),
        Column[Charge]("ratchet", "Ratchet", 9, "fraction"),
        Column[Charge]("used", "Charged", 14, "ratio", door="text"),
        Column[Charge]("added", "By power factor", 14, "ratio", door="text"),
        Column[Charge]("cost", "Cost", 14, money_kind(currency), door="text"),
    )
    rows = charges_of(bill)
    absent = {
        name for name in ("ratchet", "added") if all(getattr(row, name) is None for row in rows)
    }
    return SheetTable(
        "Charges",
        tuple(column for column in columns if column.key not in absent),
        because="Tariff price times the metered quantity in the hours in which the charge applies.",
    )


def _unit(kind: str, currency: str) -> str:
    units = {
        demand_kind(currency): "kW",
        demand_kind(currency, apparent=True): "kVA",
        kind_in("reactive_price", currency): "kvarh",
    }
    return f"{currency}/{units.get(kind, 'kWh')}"


def month_table(bill: Bill) -> SheetTable[MonthBill]:
    """Return the monthly columns: quantity of each charge, and parts of the bill."""
    charges, currency = charges_of(bill), bill.tariff.currency
    money = money_kind(currency)
    energy = [charge.key for charge in charges if charge.key.startswith("E")]
    demand = [charge.key for charge in charges if charge.key.startswith("D")]
    reactive = [charge.key for charge in charges if charge.key.startswith("R")]
    adds = [charge.key for charge in charges if charge.added is not None]
    columns: list[Column[MonthBill]] = [
        Column("month", "Month", 12, of=lambda m: month_name[m.number])
    ]
    columns += [_used(charge, n) for n, charge in enumerate(charges)]
    columns += [_added(charge, demand.index(charge.key)) for charge in charges if charge.added]
    parts = {
        "energy": ("Energy", _priced(energy), lambda month: month.energy),
        "market": ("Hourly price", "", lambda month: month.market),
        "demand": ("Demand", _priced(demand), lambda month: month.demand),
        "power_factor": ("Power factor", _priced(adds, "added_"), lambda month: month.power_factor),
        "reactive": ("Reactive energy", _priced(reactive), lambda month: month.reactive),
        "fixed": ("Fixed", "{fixed_price}", lambda month: month.fixed),
    }
    if not bill.tariff.fixed:
        del parts["fixed"]
    market = bill.tariff.market is not None
    priced = [key for key, part in parts.items() if part[1] or (key == "market" and market)]
    columns += [
        Column(key, f"{parts[key][0]} ({currency})", 13, money, parts[key][1], of=parts[key][2])
        for key in priced
    ]
    summed = f"SUM({{{priced[0]}}}:{{{priced[-1]}}})"
    columns.append(Column("bill", f"Bill ({currency})", 13, money, summed, of=lambda m: m.total))
    return SheetTable(
        "Months",
        tuple(columns),
        because="Price of each charge times the metered quantity in its hours of the month.",
    )


def _priced(keys: Sequence[str], mark: str = "") -> str:
    """Return the price formula of some charges; empty if there are none."""
    return "+".join(f"{{{mark}{key}}}*{{price_{key}}}" for key in keys)


_UNITS = {
    "energy": "kWh",
    "active_power": "kW",
    "apparent_power": "kVA",
    "reactive_energy": "kvarh",
}


def _used(charge: Charge, at: int) -> Column[MonthBill]:
    kind = charge.used.kind
    unit = _UNITS[kind]
    return Column(
        charge.key,
        f"{charge.head} ({unit})",
        13,
        kind,
        unit=unit,
        of=_item("used", at),
        door="sheet",
    )


def _added(charge: Charge, at: int) -> Column[MonthBill]:
    head = f"{charge.key}: by power factor (kW)"
    return Column(
        f"added_{charge.key}", head, 13, "active_power", of=_item("added_w", at), door="sheet"
    )


def _item(name: str, at: int) -> Callable[[MonthBill], float]:
    return lambda month: float(getattr(month, name)[at])


def bill_tables(bill: Bill, system: System) -> Iterator[TextTable]:
    """Yield the charges and the months as texts."""
    below = notes_of(bill.tariff)
    yield charge_table(bill).text(charges_of(bill), system, title="Tariff")
    months = month_table(bill)
    yield months.text(months_of(bill), system, *below, title="Bill by month")


def notes_of(tariff: Tariff) -> tuple[str, ...]:
    """Return the notes on the bill; none for a single energy price."""
    if tariff.one_price_per_j is not None:
        return ()
    day = f"1 January is a {DAYS[tariff.first_day].capitalize()}."
    minimum = tariff.least_power_factor
    dates = ", ".join(f"{at % 100} {MONTHS[at // 100 - 1]}" for at in tariff.holidays)
    holidays = f"as Sundays ({dates})" if dates else "as the day of the week they fall on"
    notes = [f"{day} Holidays are charged {holidays}; hours are standard time."]
    if tariff.demand:
        notes.append(HIGHEST_HOUR)
    for n, charge in enumerate(tariff.demand, 1):
        if charge.coincident:
            notes.append(f"D{n}: {charge.name} bills the hours from {_moments(charge.coincident)}.")
    if minimum is not None:
        notes.append(f"Billed kW are at least {100.0 * minimum:.4g} % of the kVA.")
    return tuple(notes)


def _moments(hours: Sequence[int]) -> str:
    """Return hours of the year by their beginning: ``24 Jun 17:00, 9 Jul 16:00``."""
    return ", ".join(f"{at // 100 % 100} {MONTHS[at // 10_000 - 1]} {at % 100}:00" for at in hours)


def words_of(period: Period) -> str:
    """Return when a charge applies: ``May-Oct, weekdays, 12-18 h``."""
    words = []
    if period.months != ALL_MONTHS:
        words.append(" ".join(_month_words(period.months)))
    if period.days != ALL_DAYS:
        words.append("weekends" if len(period.days) > 1 else period.days[0])
    if period.half_hours != HALF_HOURS:
        runs = _runs(period.half_hours, len(HALF_HOURS))
        spans = (f"{hour_text(first)}-{hour_text(last + 1)}" for first, last in runs)
        words.append(" ".join(spans) + " h")
    return ", ".join(words) or "always"


def _month_words(months: Sequence[int]) -> Iterator[str]:
    for first, last in _runs(months, len(ALL_MONTHS)):
        start, stop = MONTHS[first - 1], MONTHS[last - 1]
        yield start if first == last else f"{start}-{stop}"


def _runs(numbers: Sequence[int], around: int) -> list[tuple[int, int]]:
    """Return first and last of each run of numbers that follow one another, around the year or day.

    A run that ends where the first begins is joined with it: November to April.
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    if len(found) > 1 and found[-1][1] - found[0][0] == around - 1:
        (_, last), (first, _) = found.pop(0), found.pop()
        found.append((first, last))
    return found
