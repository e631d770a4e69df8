"""The figures of the bill of a year, each a step of the trace."""

from __future__ import annotations

from facility.core.kinds import money_kind
from facility.core.trace import Findings
from facility.physics.facility.metrics import cost_in, energy_cost
from facility.physics.facility.tariff import (
    apparent_demand_cost,
    charge_in,
    demand_cost,
    mean_price,
    reactive_cost,
)
from facility.study.tariff.bill import Bill

_SUMMED = "sum over the months of the demand billed"


def bill_figures(bill: Bill, found: Findings) -> None:
    """Record the cost of a year: energy alone at one price, or the bill by its charges."""
    price_per_j, currency = bill.tariff.one_price_per_j, bill.tariff.currency
    if price_per_j is not None:
        found.do(
            "cost.annual",
            cost_in(energy_cost, currency),
            "energy alone, at one price",
            energy_j="energy.annual",
            price_per_j=found.trace.link(bill.tariff.energy[0].id, price_per_j),
        )
        return
    parts = [_energy(bill, found, currency)]
    if bill.tariff.demand:
        parts.append(_demand(bill, found, currency))
    if bill.tariff.least_power_factor is not None:
        parts.append(_power_factor(bill, found, currency))
    if bill.tariff.reactive:
        parts.append(_reactive(bill, found, currency))
    if bill.tariff.fixed:
        words = "twelve months"
        inputs = {"month": "site.tariff.fixed"}
        found.note(
            "cost.annual.fixed", float(bill.fixed.sum()), money_kind(currency), words, **inputs
        )
        parts.append("cost.annual.fixed")
    found.trace.sum("cost.annual", money_kind(currency), "the bills of twelve months", *parts)
    found.show("cost.annual")
    found.do(
        "cost.price",
        charge_in(mean_price, currency),
        "all charges over the energy",
        cost="cost.annual",
        energy_j="energy.annual",
    )


def _energy(bill: Bill, found: Findings, currency: str) -> str:
    keys = []
    for n, (charge, energy_j) in enumerate(zip(bill.tariff.energy, bill.energy_j, strict=True), 1):
        key, used = f"cost.annual.energy.{n}", f"tariff.energy.{n}"
        words = f"{charge.name}: energy in its hours {charge.block.words}".rstrip()
        found.note(used, float(energy_j.sum()), "energy", words)
        equation = cost_in(energy_cost, currency)
        price = found.trace.link(charge.id, charge.price_per_j)
        found.do(key, equation, charge.name, energy_j=used, price_per_j=price)
        keys.append(key)
    return _sum("cost.annual.energy", found, currency, "energy of all periods", *keys)


def _demand(bill: Bill, found: Findings, currency: str) -> str:
    keys = []
    for n, (charge, billed) in enumerate(zip(bill.tariff.demand, bill.billed, strict=True), 1):
        key, used = f"cost.annual.demand.{n}", f"tariff.demand.{n}"
        kind = "apparent_power" if charge.apparent else "active_power"
        words = f"{charge.name}: {_SUMMED} {charge.block.words}".rstrip()
        found.note(used, float(billed.sum()), kind, words)
        price = found.trace.link(charge.id, charge.price)
        if charge.apparent:
            equation = charge_in(apparent_demand_cost, currency)
            found.do(key, equation, charge.name, billed_va=used, price_per_va=price)
        else:
            equation = charge_in(demand_cost, currency)
            found.do(key, equation, charge.name, billed_w=used, price_per_w=price)
        keys.append(key)
    return _sum("cost.annual.demand", found, currency, "demand of all charges", *keys)


def _power_factor(bill: Bill, found: Findings, currency: str) -> str:
    keys = []
    for n, (charge, added_w) in enumerate(zip(bill.tariff.demand, bill.added_w, strict=True), 1):
        if charge.apparent:
            continue
        key, used = f"cost.annual.power_factor.{n}", f"tariff.power_factor.{n}"
        words = f"{charge.name}: what the least power factor adds to the demand billed"
        found.note(
            used, float(added_w.sum()), "active_power", words, least="site.tariff.power_factor"
        )
        equation = charge_in(demand_cost, currency)
        price = found.trace.link(charge.id, charge.price)
        found.do(key, equation, charge.name, billed_w=used, price_per_w=price)
        keys.append(key)
    words = "power factor below the least"
    return _sum("cost.annual.power_factor", found, currency, words, *keys)


def _reactive(bill: Bill, found: Findings, currency: str) -> str:
    keys = []
    charges = zip(bill.tariff.reactive, bill.reactive_var_s, strict=True)
    for n, (charge, charged) in enumerate(charges, 1):
        key, used = f"cost.annual.reactive.{n}", f"tariff.reactive.{n}"
        words = f"{charge.name}: kvarh in its hours beyond {charge.free:.4g} of the kWh"
        found.note(used, float(charged.sum()), "reactive_energy", words)
        price = found.trace.link(charge.id, charge.price)
        equation = charge_in(reactive_cost, currency)
        found.do(key, equation, charge.name, charged_var_s=used, price_per_var_s=price)
        keys.append(key)
    return _sum("cost.annual.reactive", found, currency, "reactive energy of all charges", *keys)


def _sum(key: str, found: Findings, currency: str, words: str, *terms: str) -> str:
    found.trace.sum(key, money_kind(currency), words, *terms)
    found.show(key)
    return key
