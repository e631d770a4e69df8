"""Circuits of low-voltage generator sets: NEC 445.12, 445.13; IEC clause 551.

Under the NEC the conductors have 115 % of the nameplate current up to the first overcurrent device
(100 % if the design prevents overloading), 445.13(A); a device at the set determines the
conductors, 445.13(B). Under the IEC the device is at the set and determines the cable:
Ib <= In <= Iz. In both codes the device rating is at least the nameplate current.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.physics.circuits.conductors import generator_ampacity
from facility.physics.circuits.currents import three_phase_current
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.power.network.build.plan import PlannedCircuit
from facility.power.rules import RULES

_SHARE, _PREVENTED_SHARE = 1.15, 1.0
"""Minimum ampacity / nameplate current, NEC 445.13(A), and its exception."""


def at_terminals(
    demand: CircuitDemand, circuit: PlannedCircuit, criteria: Criteria, trace: Trace, id: str
) -> CircuitDemand:
    """Return the demand of a circuit with the requirements of its generator set, if any.

    trace: Records the nameplate current, and the minimum ampacity without a device at the set.
    """
    terminals = circuit.terminals
    if terminals is None:
        return demand
    rating = f"{id}.set_rating"
    trace.derive(rating, terminals.rating_va, "apparent_power", "nameplate of the generator set")
    trace.do(
        f"{id}.set_current",
        three_phase_current,
        "nameplate current of the set; minimum device rating, "
        f"{article('generator overload', criteria.edition, criteria.code).locator}",
        apparent_va=rating,
        line_voltage_v=terminals.voltage_v,
    )
    min_device = terminals.nameplate_a, "the nameplate current of the generator set"
    found = replace(demand, terminals=terminals, min_device=min_device)
    if criteria.code != "NEC":
        return found
    if terminals.device_at_set:
        return replace(found, location="generator device")
    clause = article("generator conductors", criteria.edition).locator
    share = _PREVENTED_SHARE if terminals.overload_prevented else _SHARE
    min_a = trace.do(
        f"{id}.set_ampacity",
        generator_ampacity,
        f"{clause}, from the terminals to the first overcurrent device"
        + (", exception: the design prevents overloading" if terminals.overload_prevented else ""),
        nameplate_a=f"{id}.set_current",
        share=share,
    )
    return replace(found, location="generator", min_ampacity_a=float(min_a))


def terminal_note(demand: CircuitDemand, code: str, edition: str) -> str:
    """Return the schedule note with the clause that sizes the conductors of a set."""
    terminals = demand.terminals
    assert terminals is not None
    if code != "NEC":
        clause = article("generator overload", edition, code).locator
        where = "at the set" if terminals.device_at_set else "at the bus, as near as practicable"
        return f"{clause}: device {where}, Ib <= In <= Iz"
    if terminals.device_at_set:
        clause = article("generator device", edition).locator
        return f"{clause}: device at the set; it determines the conductors"
    clause = article("generator conductors", edition).locator
    share = demand.min_ampacity_a / terminals.nameplate_a
    return f"{clause}: {share:.0%} of {terminals.nameplate_a:,.1f} A up to the first device"


def terminal_checks(
    subject: str, circuit: PlannedCircuit, choice: ConductorChoice, criteria: Criteria
) -> Iterator[Check]:
    """Yield the device and conductor checks of a circuit from a generator set."""
    terminals, edition = circuit.terminals, criteria.edition
    if terminals is None:
        return
    nameplate_a = terminals.nameplate_a
    plate = f"{nameplate_a:,.1f} A of {terminals.rating_va / 1e3:,.0f} kVA"
    plate += f" at {terminals.voltage_v:,.0f} V"
    yield (
        RULES["GENERATOR-SET-DEVICE"]
        .by(article("generator overload", edition, criteria.code))
        .at_least(
            subject,
            choice.ocpd_a,
            nameplate_a,
            "current",
            f"device of {choice.ocpd_a:,.0f} A, nameplate current {plate}",
        )
    )
    if criteria.code == "NEC" and not terminals.device_at_set:
        share = _PREVENTED_SHARE if terminals.overload_prevented else _SHARE
        yield (
            RULES["NEC-GENERATOR-CONDUCTORS"]
            .by(article("generator conductors", edition))
            .at_least(
                subject,
                choice.ampacity_a,
                float(generator_ampacity.si(nameplate_a, share)),
                "current",
                f"{choice.label}: {choice.ampacity_a:,.0f} A ampacity; {share:.0%} of {plate}",
            )
        )
