"""Figures of the annual bill as steps of the trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from facility.core.equation import AnyEquation
from facility.core.kinds import FloatArray, money_kind
from facility.model.tariff import DemandCharge, EnergyCharge, ReactiveCharge
from facility.physics.facility.metrics import energy_cost
from facility.physics.facility.tariff import (
    apparent_demand_cost,
    demand_cost,
    mean_price,
    reactive_cost,
)
from facility.study.figures import Figures
from facility.study.tariff.bill import Bill


class _Line(NamedTuple):
    """A charge over the year."""

    number: int  # Among charges of its type, from 1
    charge: EnergyCharge | DemandCharge | ReactiveCharge
    price: float
    equation: AnyEquation  # Cost from quantity and price
    priced: FloatArray  # By month
    kind: str
    words: str
    given: Mapping[str, str] = MappingProxyType({})  # Inputs of `priced` in the trace


def bill_figures(bill: Bill, found: Figures) -> None:
    """Record the annual cost: energy only at one price, or the bill by charges."""
    price_per_j, currency = bill.tariff.one_price_per_j, bill.tariff.currency
    if price_per_j is not None:
        found.do(
            "cost.annual",
            energy_cost.in_currency(currency),
            "energy only, at one price",
            energy_j="energy.annual",
            price_per_j=found.trace.link(bill.tariff.energy[0].id, price_per_j),
        )
        return
    parts = []
    for charge_type, lines, words in (
        ("energy", _energy(bill), "energy of all periods"),
        ("demand", _demand(bill), "demand of all charges"),
        ("power_factor", _power_factor(bill), "power factor below the minimum"),
        ("reactive", _reactive(bill), "reactive energy of all charges"),
    ):
        keys = [_charged(charge_type, line, found, currency) for line in lines]
        if keys:
            parts.append(f"cost.annual.{charge_type}")
            found.sum(parts[-1], money_kind(currency), words, *keys)
    if bill.tariff.market is not None:
        words = f"hourly price ({bill.tariff.market.file[:60]}) times hourly energy"
        found.note(
            "cost.annual.market",
            float(bill.market.sum()),
            money_kind(currency),
            words,
            energy="energy.annual",
            mean="site.price",
        )
        parts.append("cost.annual.market")
    if bill.tariff.fixed:
        words = "twelve months"
        inputs = {"month": "site.tariff.fixed"}
        found.note(
            "cost.annual.fixed", float(bill.fixed.sum()), money_kind(currency), words, **inputs
        )
        parts.append("cost.annual.fixed")
    found.sum("cost.annual", money_kind(currency), "sum of twelve monthly bills", *parts)
    price = mean_price.in_currency(currency)
    found.do("cost.price", price, cost="cost.annual", energy_j="energy.annual")


def _charged(charge_type: str, line: _Line, found: Figures, currency: str) -> str:
    """Record quantity and cost of a charge; return the key of its cost."""
    key, used = f"cost.annual.{charge_type}.{line.number}", f"tariff.{charge_type}.{line.number}"
    words = f"{line.charge.name}: {line.words}".rstrip()
    found.note(used, float(line.priced.sum()), line.kind, words, **line.given)
    quantity, price = line.equation.arguments
    at = {quantity: used, price: found.trace.link(line.charge.id, line.price)}
    found.do(key, line.equation.in_currency(currency), line.charge.name, **at)
    return key


def _energy(bill: Bill) -> Iterator[_Line]:
    for n, (charge, energy_j) in enumerate(zip(bill.tariff.energy, bill.energy_j, strict=True), 1):
        words = f"energy in its period {charge.block.words}"
        yield _Line(n, charge, charge.price_per_j, energy_cost, energy_j, "energy", words)


def _demand(bill: Bill) -> Iterator[_Line]:
    for n, (charge, billed) in enumerate(zip(bill.tariff.demand, bill.billed, strict=True), 1):
        kind = "apparent_power" if charge.apparent else "active_power"
        equation: AnyEquation = apparent_demand_cost if charge.apparent else demand_cost
        words = f"sum of the monthly billed demands {charge.block.words}"
        yield _Line(n, charge, charge.price, equation, billed, kind, words)


def _power_factor(bill: Bill) -> Iterator[_Line]:
    words = "demand added by the minimum power factor"
    given = {"min_power_factor": "site.tariff.power_factor"}
    for n, (charge, added_w) in enumerate(zip(bill.tariff.demand, bill.added_w, strict=True), 1):
        if bill.tariff.least_power_factor is not None and not charge.apparent:
            kind = "active_power"
            yield _Line(n, charge, charge.price, demand_cost, added_w, kind, words, given)


def _reactive(bill: Bill) -> Iterator[_Line]:
    charges = zip(bill.tariff.reactive, bill.reactive_var_s, strict=True)
    for n, (charge, charged) in enumerate(charges, 1):
        words = f"kvarh in its period above {charge.free:.4g} of the kWh"
        yield _Line(n, charge, charge.price, reactive_cost, charged, "reactive_energy", words)
