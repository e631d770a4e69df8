"""Fault-current checks of circuits under the IEC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from facility.core.check import Check
from facility.model.power.electrical import Electrical
from facility.power.faults.of_network import NetworkFaults, highest_earth_faults, source_loops
from facility.power.feeders.busway import busway_withstand
from facility.power.feeders.iec.checks import (
    disconnected_upstream,
    disconnection_check,
    isolated_check,
    loop_impedance_at_end,
    protective_check,
    service_check,
    short_circuit_check,
)
from facility.power.feeders.let_through import protection
from facility.power.feeders.schedule import FeederSet, max_upstream_fault
from facility.power.network.build.plan import DEVICE_AT_END, NetworkPlan

_IN_HALLS = ("pdu", "feeder", "branch")
_UPS_OUTPUTS = ("ups-output", "sts")


def iec_faults(
    plan: NetworkPlan,
    feeders: FeederSet,
    faults: NetworkFaults,
    highest: Mapping[str, float],
    bases: Electrical,
    grounding_a: float | None,
) -> Iterator[Check]:
    """Yield withstand and disconnection checks of lines and protective conductors, by group.

    highest: Maximum fault current of any source by tag, where known [A].
    grounding_a: Current through the neutral resistors of the LV boards; with resistors, all
        circuits except those downstream of PDU transformers are IT systems.
    """
    upstream_a = max_upstream_fault(feeders.feeders, highest)
    earth_a = max_upstream_fault(feeders.feeders, highest_earth_faults(faults))
    loops = _loops(plan, feeders, faults)
    for one in feeders.feeders:
        tag, source, choice, stage = (
            one.circuit.tag,
            one.circuit.source,
            one.choice,
            one.circuit.stage,
        )
        if choice is None or tag != one.heaviest or stage == "mv":
            continue
        if stage == "service":
            yield service_check(tag)
        else:
            fault_a, earth_fault_a = upstream_a.get(one.group), earth_a.get(one.group)
            device = one.clearing, choice.ocpd_a, fault_a, one.circuit.voltage_v
            if choice.is_busway:
                yield busway_withstand(tag, choice, fault_a, one.clearing_s)
            else:
                found = protection(*device)
                yield short_circuit_check(tag, choice, fault_a, found, bases.conductors)
            found = protection(*device, earth_fault_a)
            yield protective_check(tag, choice, earth_fault_a, found, bases.conductors)
        if grounding_a is not None and stage not in ("feeder", "branch"):
            yield isolated_check(tag, grounding_a)
        elif stage in DEVICE_AT_END:
            yield disconnected_upstream(tag)
        else:
            on_inverters = stage in _IN_HALLS or plan.network[source].kind in _UPS_OUTPUTS
            loop_ohm, inverter_s = loops.get(one.group), bases.faults.sources.ups_duration_s
            yield disconnection_check(
                one.circuit.tag,
                choice,
                one.circuit.voltage_v / 3.0**0.5,
                loop_ohm,
                bases.faults.trip_of(choice.ocpd_a),
                branch=one.circuit.stage == "branch",
                sustained_s=inverter_s if on_inverters else 0.0,
            )


def _loops(plan: NetworkPlan, feeders: FeederSet, faults: NetworkFaults) -> dict[int, float]:
    """Return the maximum earth-fault loop impedance of each circuit group, where known [ohm]."""
    upstream = upstream_loops(feeders, faults)
    found: dict[int, list[float | None]] = {}
    for one in feeders.feeders:
        if one.choice is not None and one.circuit.stage != "mv":
            loop_ohm = loop_impedance_at_end(one.choice, upstream.get(one.circuit.source))
            found.setdefault(one.group, []).append(loop_ohm)
    known = {group: [ohm for ohm in ohms if ohm is not None] for group, ohms in found.items()}
    return {group: max(ohms) for group, ohms in known.items() if len(ohms) == len(found[group])}


def upstream_loops(feeders: FeederSet, faults: NetworkFaults) -> dict[str, float | None]:
    """Return the maximum earth-fault loop impedance at each equipment, None if not known [ohm].

    On utility and generators at minimum fault level. Feeders have their selected protective
    conductors; upstream, the zero sequence of the study applies.
    """
    found: dict[str, float | None] = {**source_loops(faults)}
    for one in feeders.feeders:
        if one.circuit.stage == "feeder" and one.choice is not None:
            found[one.circuit.target] = loop_impedance_at_end(
                one.choice, found.get(one.circuit.source)
            )
    return found
