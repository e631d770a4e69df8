"""Checks of a distribution: short-circuit ratings, voltage drop, losses, loading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from facility.core.check import Check
from facility.core.rounding import OVER, argmax_within_rounding, argmin_within_rounding, within
from facility.model.facility import Criteria, Facility
from facility.model.power.faults import FaultBasis
from facility.power.faults.device_checks import FaultDevice, lowest_check, with_rating
from facility.power.faults.of_network import NetworkFaults, end_bus
from facility.power.feeders.schedule import Feeder
from facility.power.network.build.plan import NetworkPlan
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Equipment
from facility.power.rules import RULES as POWER_RULES
from facility.power.substation.interrupting_ratings import (
    StandardRating,
    assembly_ratings,
    breaker_ratings,
    design_fault_current,
)
from facility.study.rules import RULES

_LOW_VOLTAGE_V = 1000.0
_DOWNSTREAM_OF_UPS = ("ups-output", "sts")
_BOARDS = ("generator-plant", "generator-bus", "lv-board", "ats", "ups-output", "sts")
_PLURALS = {
    "generator-plant": "generator sets",
    "mv-switchgear": "MV switchgear",
    "generator-bus": "generator buses",
    "ats": "transfer switches",
    "lv-board": "LV boards",
    "ups-output": "UPS outputs",
    "sts": "static transfer switches",
    "pdu": "PDUs",
    "panel": "panels",
    "busway": "busways",
    "rack-pdu": "rack PDUs",
}
"""Equipment types with a short-circuit rating check."""


def fault_devices(
    plan: NetworkPlan,
    faults: NetworkFaults,
    highest: Mapping[str, float],
    basis: FaultBasis,
    criteria: Criteria,
    country: str = "",
    sccr_a: Mapping[str, float] = MappingProxyType({}),
) -> dict[str, FaultDevice]:
    """Return the device with the highest fault current by equipment type, and its rating.

    The rating is stated, or the smallest standard rating not below the fault current. Panels with
    a separate rating follow, by tag.

    highest: Maximum current of any source by tag, where known [A].
    criteria: Code, which decides the standard ratings.
    country: Country of the site: some utilities publish their design fault currents.
    sccr_a: Rating of panels as stated, by tag [A].
    """
    worst: dict[str, Equipment] = {}
    for one in plan.network.equipment:
        if (
            one.kind in _PLURALS
            and one.tag not in sccr_a
            and not within(
                highest.get(one.tag, 0.0),
                highest.get(worst[one.kind].tag, 0.0) if one.kind in worst else -1.0,
            )
        ):
            worst[one.kind] = one
    return {
        kind: with_rating(
            _device(kind, one, faults, basis, criteria, country), faults.states, criteria
        )
        for kind, one in worst.items()
    } | {tag: FaultDevice(tag, faults.bus_of[tag], rating_a) for tag, rating_a in sccr_a.items()}


def _standard(kind: str, voltage_v: float, criteria: Criteria) -> tuple[StandardRating, ...]:
    if kind in ("mv-switchgear", "generator-plant") and voltage_v > _LOW_VOLTAGE_V:
        return assembly_ratings("mv-switchgear", criteria.code, voltage_v)
    if kind in _BOARDS:
        return assembly_ratings("lv-board", criteria.code, voltage_v)
    return breaker_ratings()


def _device(
    kind: str,
    one: Equipment,
    faults: NetworkFaults,
    basis: FaultBasis,
    criteria: Criteria,
    country: str,
) -> FaultDevice:
    """Return the device to be checked; a rack PDU at its panel, since its run may be short."""
    bus = faults.bus_of[one.links[0].source if kind == "rack-pdu" else one.tag]
    device = FaultDevice(
        f"{_PLURALS[kind]}, worst at {one.tag}",
        bus,
        basis.ratings_a.get(kind),
        standard=_standard(kind, one.voltage_v, criteria),
    )
    assumed = design_fault_current(country, one.voltage_v) if kind == "mv-switchgear" else None
    if assumed is None:
        return device
    return replace(device, assumed_a=assumed.rating_a, assumed_source=f"{assumed.source}")


def lowest_of_racks(
    plan: NetworkPlan, faults: NetworkFaults, basis: FaultBasis, criteria: Criteria
) -> Iterator[Check]:
    """Yield the check of the rack circuit with the smallest trip margin at minimum fault."""
    found: dict[tuple[str, float | None], FaultDevice] = {}
    for one in plan.network.equipment:
        if one.kind != "rack-pdu":
            continue
        bus, breaker_a = faults.bus_of[one.tag], plan.circuits[one.links[0].circuit].breaker_a
        if (bus, breaker_a) in found:
            continue
        trip_a = None if breaker_a is None else basis.trip_of(breaker_a)[0]
        found[bus, breaker_a] = FaultDevice(
            f"rack circuits, worst at {one.tag}", bus, load_bus=bus, trip_a=trip_a
        )
    if found:
        yield lowest_check(tuple(found.values()), faults.states, criteria)


def inverter_time(
    plan: NetworkPlan,
    feeders: Sequence[Feeder],
    faults: NetworkFaults,
    basis: FaultBasis,
    *,
    solidly_grounded: bool,
) -> Check:
    """Return the check that the slowest device downstream of the UPS clears on inverter current.

    A device with an instantaneous trip above the inverter current, or with an unknown trip, clears
    no faster than a device without one.

    basis: Duration of the inverter current, and the instantaneous trip.
    solidly_grounded: Whether ground faults must be cleared like other faults.
    """
    duration_s = basis.sources.ups_duration_s
    downstream = [f for f in feeders if plan.network[f.circuit.source].kind in _DOWNSTREAM_OF_UPS]
    found = [
        (f.clearing_s, "")
        if _trips(f, end_bus(plan, faults, f.circuit), faults, basis, solidly_grounded)
        else (f.below_trip_s, f"{f.circuit.tag}: instantaneous trip not ensured (trip_multiple)")
        for f in downstream
    ]
    times = [(time_s, words) for time_s, words in found if time_s is not None]
    clearing_s, words = max(times, key=lambda one: one[0], default=(None, ""))
    if clearing_s is None or len(times) < len(downstream):
        return RULES["FAULT-INVERTER-TIME"].not_evaluated(
            "UPS outputs",
            f"inverter current lasts {duration_s * 1e3:,.0f} ms; device clearing time"
            " is not specified (power.faults.clearing_time)",
        )
    check = RULES["FAULT-INVERTER-TIME"].at_most("UPS outputs", clearing_s, duration_s, "time")
    return replace(check, why=f"{check.why}; {words}") if words else check


def _trips(
    one: Feeder, bus: str, faults: NetworkFaults, basis: FaultBasis, solidly_grounded: bool
) -> bool:
    """Return whether the minimum end-of-circuit fault on inverters trips a device at once."""
    if basis.trip_multiple is None or one.choice is None:
        return False
    currents = []
    for name, state in faults.states.items():
        if name.startswith("inverter") and bus in state.lowest.tags:
            row = state.lowest.index(bus)
            kinds = [state.lowest.line_line_a, state.lowest.sustained_a]
            kinds += [state.lowest.line_ground_a] if solidly_grounded else []
            currents += [float(kind[row]) for kind in kinds]
    return bool(currents) and min(currents) >= basis.trip_multiple * one.choice.ocpd_a


def flow_checks(
    plan: NetworkPlan, normal: Flow, loaded: Flow, limit: float, losses_w: tuple[float, float]
) -> Iterator[Check]:
    """Yield the checks of voltage drop, wiring loss and loading.

    loaded: Power flow in the sizing states: constant load in every state, at the voltages and with
        the losses of the selected conductors.
    limit: Permitted voltage drop from the UPS output to the racks, as a fraction.
    losses_w: Assumed loss of all wiring, and calculated loss of the conductors [W].
    """
    tag, drop = farthest(plan, normal)
    assumed_w, found_w = losses_w
    yield RULES["VOLTAGE-DROP-TOTAL"].at_most(tag, drop, limit, "fraction")
    yield RULES["CONDUCTOR-LOSS"].at_most(
        "branches, feeders and boards",
        found_w,
        assumed_w,
        "active_power",
        f"calculated conductor loss {found_w / 1e3:,.1f} kW at the design hour; assumed loss"
        f" {assumed_w / 1e3:,.1f} kW",
    )
    yield from _loading_checks(plan, loaded)


def farthest(plan: NetworkPlan, normal: Flow) -> tuple[str, float]:
    """Return the rack with the lowest voltage, and its voltage drop as a fraction."""
    racks = [n for n, load in enumerate(plan.network.loads) if load.kind.critical]
    lowest = racks[argmin_within_rounding(normal.load_voltage_pu[racks, 0])]
    return plan.network.loads[lowest].tag, 1.0 - float(normal.load_voltage_pu[lowest, 0])


def _loading_checks(plan: NetworkPlan, flow: Flow) -> Iterator[Check]:
    """Yield the check of the most loaded component of each equipment type and circuit stage."""
    network = plan.network
    loading = np.nan_to_num(flow.loading)
    worst = loading.max(axis=1).tolist()
    highest: dict[str, int] = {}
    for row, one in enumerate(network.equipment):
        maximum = worst[highest[one.kind]] if one.kind in highest else 0.0
        if not within(worst[row], maximum):
            highest[one.kind] = row
    for kind, row in highest.items():
        state = argmax_within_rounding(loading[row])
        found = float(loading[row, state])
        yield RULES["NETWORK-LOADING"].at_most(
            f"{network.equipment[row].tag}, most loaded {kind}",
            found,
            OVER,
            "fraction",
            f"{found:.1%} of the rating, {flow.outages[state].id}",
        )
    yield from _circuit_loading(plan, flow)


def _circuit_loading(plan: NetworkPlan, flow: Flow) -> Iterator[Check]:
    loading = np.nan_to_num(flow.circuit_loading)
    worst = loading.max(axis=1).tolist()
    highest: dict[str, tuple[int, str]] = {}
    for row, (_, link) in enumerate(plan.network.links):
        circuit = plan.circuits.get(link.circuit)
        if circuit is None or worst[row] <= 0.0:
            continue
        maximum = worst[highest[circuit.stage][0]] if circuit.stage in highest else 0.0
        if not within(worst[row], maximum):
            highest[circuit.stage] = row, circuit.tag
    for stage, (row, tag) in highest.items():
        state = flow.outages[argmax_within_rounding(loading[row])].id
        yield RULES["CIRCUIT-LOADING"].at_most(
            f"{tag}, most loaded {stage} circuit",
            float(worst[row]),
            OVER,
            "fraction",
            f"{worst[row]:.1%} of the lower of device rating and ampacity, {state}",
        )


def unused_inputs(facility: Facility, plan: NetworkPlan) -> Iterator[Check]:
    """Yield stated wiring and fault inputs that have no effect with the code, method or plant."""
    faults, code = facility.electrical.faults, facility.criteria.code
    rule = POWER_RULES["INPUT-UNUSED"]
    for name in faults.unused:
        why = f"not used by the {faults.method} method (power.faults.method)"
        yield rule.verdict(f"power.faults.{name}", False, why)
    instantaneous = facility.power.panels.main_a <= faults.clearing.molded_to_a
    if code == "NEC" and instantaneous and faults.delayed_trip_multiple is not None:
        why = "the NEC has no disconnection-time requirement for feeders"
        yield rule.verdict("power.faults.delayed_trip_multiple", False, why)
    if code == "NEC" and facility.power.house_third_harmonic is not None:
        why = "the NEC has no third-harmonic factor; neutrals of nonlinear load count, 310.15"
        yield rule.verdict("power.house_third_harmonic", False, why)
    sets = [one.terminals for one in plan.circuits.values() if one.terminals is not None]
    basis = facility.power.generator
    if basis.overload_prevented and (code != "NEC" or all(one.device_at_set for one in sets)):
        why = "no conductors are sized by 445.13(A): generator conductors are sized by their device"
        yield rule.verdict("power.generator.overload_prevented", False, why)
    for name, stated in (("breaker", basis.breaker), ("breaker_rating", basis.breaker_a)):
        if stated and not sets:
            why = "no low-voltage generator sets with this device"
            yield rule.verdict(f"power.generator.{name}", False, why)
