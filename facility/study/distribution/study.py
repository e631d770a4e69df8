"""Distribution study: network with conductors, fault currents, code rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from facility.core.check import Check
from facility.core.rounding import argmax_within_rounding, within
from facility.core.table import Value
from facility.core.trace import Quiet, Trace
from facility.model.facility import Criteria, Facility
from facility.power.chain.sizing import solve_chain
from facility.power.faults.arc_flash import ArcFlashInput, arc_flash_inputs
from facility.power.faults.device_checks import device_checks, short_circuit_duty
from facility.power.faults.of_network import (
    NetworkFaults,
    end_bus,
    highest_earth_faults,
    highest_faults,
)
from facility.power.feeders.iec.checks import SHORT_CIRCUIT
from facility.power.feeders.motors.circuits import MechanicalSchedule, mechanical_schedule
from facility.power.feeders.mv.checks import mv_withstand
from facility.power.feeders.nec.along_the_network import nec_rules
from facility.power.feeders.nec.equipment import transfer_rating_check
from facility.power.feeders.nec.secondaries import (
    inrush_checks,
    transformer_device_checks,
    transformer_rules,
)
from facility.power.feeders.schedule import FeederSet
from facility.power.feeders.series import series_checks
from facility.power.feeders.trip_units import TripChoice
from facility.power.network.build.plan import NetworkPlan
from facility.power.network.flow.solve import Flow, solve
from facility.power.network.graph.types import Outage
from facility.power.panels.design.halls import PanelSet
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.distribution.checks import (
    farthest,
    fault_devices,
    flow_checks,
    inverter_time,
    lowest_of_racks,
    unused_inputs,
)
from facility.study.distribution.fault_results import chosen_ratings, fault_results, trip_counts
from facility.study.distribution.iec_faults import iec_faults
from facility.study.distribution.wiring import Sizing, WiringRound, losses, wired, wirings
from facility.study.figures import Figures


@dataclass(frozen=True, eq=False)
class Distribution:
    """The power distribution from the utility to the rack cords."""

    plan: NetworkPlan  # Network with the selected conductors
    feeders: FeederSet  # All circuits with conductors
    normal: Flow  # Power flow, all in service
    faults: NetworkFaults  # Fault currents on the utility, the generators and the inverters
    arc_flash: tuple[ArcFlashInput, ...]  # Inputs of an arc-flash study
    mechanical: MechanicalSchedule  # Mechanical boards and the circuits of the cooling units
    checks: tuple[Check, ...]
    results: dict[str, Value]  # Results by dotted key
    trace: Trace  # Derivations


def distribute(sizing: Sizing) -> Distribution:
    """Return network, conductors and fault currents of a sized facility.

    Raises if no conductor or device fits (exit code 4), or for an invalid network, naming the
    circuit or the component.
    """
    facility, criteria = sizing.facility, sizing.facility.criteria
    bases = facility.electrical
    found = wired(sizing)
    plan, feeders, faults, trace = found.plan, found.feeders, found.faults, found.trace
    solidly_grounded = sizing.chain.chain.transformer.grounding_a is None
    trips = TripChoice(plan, feeders.device_a, bases.faults, criteria, solidly_grounded)
    feeders = feeders.with_trip_units(trips.all_units())
    sizing = replace(sizing, trace=trace)
    normal = solve(plan.compiled, (Outage("normal"),))
    highest = highest_faults(faults)
    country = facility.site.country
    sccr_a = {p.tag: p.sccr_a for p in sizing.panels.basis.stated if p.sccr_a is not None}
    devices = fault_devices(plan, faults, highest, bases.faults, criteria, country, sccr_a)
    rules = _code_rules(sizing, plan, feeders, faults, highest)
    mechanical = mechanical_schedule(plan, feeders.feeders, bases, criteria, highest)
    losses_w = losses(sizing, plan, normal, mechanical)
    checks = (
        *rules,
        *mechanical.checks,
        *unused_inputs(facility, plan),
        *device_checks(tuple(devices.values()), faults.states, criteria),
        *lowest_of_racks(plan, faults, bases.faults, criteria),
        inverter_time(
            plan, feeders.feeders, faults, bases.faults, solidly_grounded=solidly_grounded
        ),
        *flow_checks(plan, normal, found.flow, criteria.voltage_drop_total, losses_w),
    )
    results = {
        **_results(sizing, plan, feeders, normal, faults, highest, losses_w[1]),
        **chosen_ratings(devices, trace),
        **trip_counts(feeders.feeders),
    }
    arc_flash = _arc_flash(plan, faults, feeders, bases.faults.clearing.other_s)
    of_faults = faults, arc_flash
    return Distribution(plan, feeders, normal, *of_faults, mechanical, checks, results, trace)


def board_fault(
    facility: Facility, chain: ChainDesign, panels: PanelSet, demand: ChainDemand, rating_a: float
) -> float:
    """Return the short-circuit duty of LV boards and transfer switches of a tentative chain [A].

    The maximum current for comparison with a rating, DC offset included, as in `distribute`. The
    circuits into UPS modules are downstream of the boards.
    """
    flow = solve_chain(chain, demand)
    sizing = Sizing(facility, chain, panels, demand, flow, ups_input=(0.0, ""), trace=Quiet())
    duty_a = math.inf
    for found in wirings(sizing):
        duty_a = _board_duty(found, rating_a, facility.criteria)
        if math.isfinite(duty_a) and not within(duty_a, rating_a):
            break  # Larger conductors only raise it.
    return duty_a


def _board_duty(found: WiringRound, rating_a: float, criteria: Criteria) -> float:
    """Return the short-circuit duty of LV boards and transfer switches; infinite if unknown [A]."""
    boards = {one.tag for one in found.plan.network.equipment if one.kind in ("lv-board", "ats")}
    known, duty_a = set[str](), 0.0
    for highest in found.upstream_faults:
        for bus in boards & set(highest.tags):
            row = highest.index(bus)
            available_a = float(highest.available_a[row])
            if not math.isfinite(available_a):
                return math.inf
            known.add(bus)
            duty_a = max(duty_a, short_circuit_duty(rating_a, available_a, highest, row, criteria))
    return duty_a if known == boards else math.inf


def _code_rules(
    sizing: Sizing,
    plan: NetworkPlan,
    feeders: FeederSet,
    faults: NetworkFaults,
    highest: Mapping[str, float],
) -> Iterator[Check]:
    """Yield the conductor checks, including fault-current checks."""
    facility, criteria = sizing.facility, sizing.facility.criteria
    basis = facility.electrical.conductors
    grounding_a = sizing.chain.chain.transformer.grounding_a
    yield from inrush_checks(feeders.feeders, plan.network)
    yield from series_checks(plan, feeders.device_a, feeders.load)
    if basis.mv is not None:
        yield from mv_withstand(feeders.feeders, highest, basis.mv, criteria.code)
    yield from transformer_device_checks(
        feeders.feeders, plan.network, criteria.code, criteria.edition
    )
    if criteria.code == "NEC":
        yield from feeders.checks
        earth = highest_earth_faults(faults)
        low = tuple(one for one in feeders.feeders if one.circuit.stage != "mv")
        yield from nec_rules(low, sizing.panels, highest, earth, basis, criteria, grounding_a)
        yield from transformer_rules(
            low, plan.network, criteria.edition, basis.transformer_outdoors
        )
        yield from _switches(sizing, plan, feeders)
        return
    yield from (check for check in feeders.checks if check.rule != SHORT_CIRCUIT)
    yield from iec_faults(plan, feeders, faults, highest, facility.electrical, grounding_a)


def _switches(sizing: Sizing, plan: NetworkPlan, feeders: FeederSet) -> Iterator[Check]:
    """Yield the check of the most loaded transfer switch of each type."""
    criteria = sizing.facility.criteria
    listed = sizing.facility.power.panels.listed_100
    factor = 1.0 if listed else criteria.continuous_factor
    load_a: dict[str, float] = {}
    for feeder in feeders.feeders:
        target = feeder.circuit.target
        load_a[target] = max(load_a.get(target, 0.0), feeder.worst_a)
    for kind in ("ats", "sts"):
        rated = [e for e in plan.network.equipment if e.kind == kind and e.rating_a is not None]
        if rated:
            filled = [load_a.get(e.tag, 0.0) / float(e.rating_a or 1.0) for e in rated]
            one = rated[argmax_within_rounding(filled)]
            yield transfer_rating_check(
                one.tag,
                float(one.rating_a or 0.0),
                load_a.get(one.tag, 0.0),
                0.0,
                factor,
                criteria.edition,
            )


def _arc_flash(
    plan: NetworkPlan, faults: NetworkFaults, feeders: FeederSet, other_s: float | None
) -> tuple[ArcFlashInput, ...]:
    """Return the inputs of an arc-flash study, with the slowest device upstream of each bus.

    The arcing current is below the bolted one and not known: no instantaneous trip is assumed. A
    fault downstream of a PDU transformer is small at the device upstream of the transformer.
    """
    upstream: dict[str, list[float | None]] = {}
    for one in feeders.feeders:
        upstream.setdefault(end_bus(plan, faults, one.circuit), []).append(one.below_trip_s)
    found = {}
    for bus in {bus for state in faults.states.values() for bus in state.highest.tags}:
        times = upstream.get(bus, [other_s])
        if None not in times:
            found[bus] = max(time for time in times if time is not None)
    return arc_flash_inputs(faults.states, found)


def _results(
    sizing: Sizing,
    plan: NetworkPlan,
    feeders: FeederSet,
    normal: Flow,
    faults: NetworkFaults,
    highest: Mapping[str, float],
    loss_w: float,
) -> dict[str, Value]:
    _, drop = farthest(plan, normal)
    counts = {
        "network.equipment": sum(len(e.unit_tags) for e in plan.network.equipment),
        "network.circuits": len(plan.circuits),
        "feeder.sorts": len({f.group for f in feeders.feeders if f.choice}),
    }
    found = Figures(sizing.trace, {key: Value(count, "count") for key, count in counts.items()})
    found.figure("feeder.loss", loss_w)
    found.figure("feeder.drop_max", drop)
    if feeders.pickup_a:
        medium = [
            link.circuit in plan.circuits and plan.circuits[link.circuit].stage == "mv"
            for _, link in plan.network.links
        ]
        found.figure("feeder.loss_mv", float(np.nansum(normal.circuit_loss_w[medium, 0])))
    found.results |= fault_results(plan, faults, highest, found.trace)
    inverters = [s.highest for name, s in faults.states.items() if name.startswith("inverter")]
    if inverters:
        duration_s = sizing.facility.electrical.faults.sources.ups_duration_s
        found.figure("fault.inverter", max(float(one.three_phase_a[0]) for one in inverters))
        found.figure("fault.inverter.held", duration_s)
    return found.results
