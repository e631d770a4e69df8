"""The distribution of a design: its network with conductors, fault currents, code rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from facility.core.check import Check
from facility.core.rounding import ROUNDING, first_largest, within
from facility.core.table import Value
from facility.core.trace import Quiet, Trace
from facility.model.facility import Facility
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.ups import recharge_power
from facility.power.chain.sizing import solve_chain
from facility.power.faults.arc_flash import ArcFlashInput, arc_flash_inputs
from facility.power.faults.device_checks import device_checks
from facility.power.faults.of_network import (
    NetworkFaults,
    end_bus,
    highest_earth_faults,
    highest_faults,
    network_faults,
)
from facility.power.feeders.circuit_currents import sizing_outages
from facility.power.feeders.duties import Need, UnitCurrents, overloaded_runs
from facility.power.feeders.iec.checks import SHORT_CIRCUIT
from facility.power.feeders.nec.along_the_network import nec_rules
from facility.power.feeders.nec.equipment import transfer_rating_check
from facility.power.feeders.nec.secondaries import (
    inrush_checks,
    transformer_device_checks,
    transformer_rules,
)
from facility.power.feeders.schedule import FeederSet, Seen, series_checks, size_feeders
from facility.power.network.build.facility import build_network
from facility.power.network.build.plan import NetworkPlan
from facility.power.network.flow.solve import Flow, solve
from facility.power.network.graph.types import Equipment, Outage
from facility.power.panels.design.halls import PanelSet
from facility.power.train.lv_boards import board_current
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.distribution.checks import (
    farthest,
    fault_devices,
    flow_checks,
    inverter_time,
    lowest_of_racks,
    unused_inputs,
)
from facility.study.distribution.fault_results import chosen_ratings, fault_results
from facility.study.distribution.iec_faults import iec_faults, loops_ahead

_TABLE_9_C = 75.0
_WIRINGS = 3
"""Most times that conductors are chosen anew for currents that they themselves raise."""
_MOST_BY_DROP = 1.1
"""Current of constant power at the lowest voltage of a network over that at nominal voltage."""
_RATED = ("lv-board", "ats", "sts", "mv-switchgear")


@dataclass(frozen=True, eq=False)
class Distribution:
    """Everything between the utility and the cords."""

    plan: NetworkPlan  # The network, with the conductors chosen
    feeders: FeederSet  # Every circuit with its conductors
    normal: Flow  # The network with all in service
    faults: NetworkFaults  # Fault currents on the utility, the generators and the inverters
    arc_flash: tuple[ArcFlashInput, ...]  # What an arc-flash study asks for
    checks: tuple[Check, ...]
    results: dict[str, Value]  # Results by dotted key
    trace: Trace  # How they came about


@dataclass(frozen=True, eq=False)
class Sizing:
    """What the distribution is built from."""

    facility: Facility
    chain: ChainDesign  # Units
    panels: PanelSet
    demand: ChainDemand  # Loads at the design hour
    flow: ChainFlow  # The chain under them
    # Input current of one UPS module at its rating, at low line with recharge [A].
    ups_input_a: float
    trace: Trace  # Takes the derivations


def distribute(sizing: Sizing) -> Distribution:
    """Return network, conductors and fault currents of a sized facility.

    Raises where no conductor or device fits (exit code 4), or a network makes no sense; each names
    the circuit or the component.
    """
    facility, criteria = sizing.facility, sizing.facility.criteria
    bases = facility.electrical
    plan, feeders, loaded, trace = _wired(sizing)
    sizing = replace(sizing, trace=trace)
    normal = solve(plan.compiled, (Outage("normal"),))
    faults = _faults(sizing, plan, feeders)
    highest = highest_faults(faults)
    devices = fault_devices(plan, faults, highest, bases.faults, criteria)
    rules = _code_rules(sizing, plan, feeders, faults, highest)
    checks = (
        *rules,
        *unused_inputs(facility),
        *device_checks(tuple(devices.values()), faults.states, criteria),
        *lowest_of_racks(plan, faults, bases.faults, criteria),
        inverter_time(
            plan,
            feeders.feeders,
            faults,
            bases.faults,
            solidly_grounded=sizing.chain.chain.transformer.grounding_a is None,
        ),
        *flow_checks(
            plan, normal, loaded, criteria.voltage_drop_total, _losses(sizing, plan, normal)
        ),
    )
    results = {
        **_results(sizing, plan, feeders, normal, faults, highest),
        **chosen_ratings(devices, trace),
    }
    arc_flash = _arc_flash(plan, faults, feeders, bases.faults.clearing.other_s)
    return Distribution(plan, feeders, normal, faults, arc_flash, checks, results, trace)


def board_fault(
    facility: Facility, chain: ChainDesign, panels: PanelSet, demand: ChainDemand
) -> float:
    """Return the highest fault current of the LV boards of a chain that is not chosen yet [A].

    As `distribute` finds it. The circuits into UPS modules lie behind the boards.
    """
    flow = solve_chain(chain, demand)
    sizing = Sizing(facility, chain, panels, demand, flow, ups_input_a=0.0, trace=Quiet())
    plan, feeders, _, _ = _wired(sizing)
    highest = highest_faults(_faults(sizing, plan, feeders))
    boards = (one.tag for one in plan.network.equipment if one.kind == "lv-board")
    return max(highest.get(tag, math.inf) for tag in boards)


def _code_rules(
    sizing: Sizing,
    plan: NetworkPlan,
    feeders: FeederSet,
    faults: NetworkFaults,
    highest: Mapping[str, float],
) -> Iterator[Check]:
    """Yield the checks of the conductors, with what the fault currents add to them."""
    facility, criteria = sizing.facility, sizing.facility.criteria
    basis = facility.electrical.conductors
    grounding_a = sizing.chain.chain.transformer.grounding_a
    yield from inrush_checks(feeders.feeders, plan.network)
    yield from series_checks(feeders.feeders, plan.network)
    yield from transformer_device_checks(
        feeders.feeders, plan.network, criteria.code, criteria.edition
    )
    if criteria.code == "NEC":
        yield from feeders.checks
        yield from nec_rules(feeders.feeders, sizing.panels, highest, basis, criteria, grounding_a)
        yield from transformer_rules(feeders.feeders, plan.network, criteria.edition)
        yield from _switches(sizing, plan, feeders)
        return
    yield from (check for check in feeders.checks if check.rule != SHORT_CIRCUIT)
    yield from iec_faults(plan, feeders, faults, highest, facility.electrical, grounding_a)


def _switches(sizing: Sizing, plan: NetworkPlan, feeders: FeederSet) -> Iterator[Check]:
    """Yield the check of the transfer switch of each kind that its load fills most."""
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
            one = rated[first_largest(filled)]
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
    """Return the inputs of an arc-flash study: of several devices ahead of a bus the slowest.

    The arcing current, less than the bolted one, is not known: no device is taken to trip at once.
    A fault behind a PDU transformer is a small one to the device ahead of the transformer.
    """
    ahead: dict[str, list[float | None]] = {}
    for one in feeders.feeders:
        ahead.setdefault(end_bus(plan, faults, one.circuit), []).append(one.below_trip_s)
    found = {}
    for bus in {bus for state in faults.states.values() for bus in state.highest.tags}:
        times = ahead.get(bus, [other_s])
        if None not in times:
            found[bus] = max(time for time in times if time is not None)
    return arc_flash_inputs(faults.states, found)


def _wired(sizing: Sizing) -> tuple[NetworkPlan, FeederSet, Flow, Trace]:
    """Return the network with its conductors, the feeder schedule, the flow they are seen by.

    It is that of the states that circuits are sized on, with the load kept. The trace goes on with
    the last choice of conductors alone.
    """
    facility, panels = sizing.facility, sizing.panels
    bare = build_network(sizing.chain, sizing.demand, panels, facility.it)
    outages, units = sizing_outages(bare.network, panels), _units(sizing)

    def sized(seen: Seen, trace: Trace) -> FeederSet:
        return size_feeders(
            bare,
            outages,
            facility.electrical.conductors,
            facility.criteria,
            facility.power.panels.listed_100,
            units,
            trace,
            panels,
            seen,
        )

    basis = facility.electrical.faults
    trips = basis.trip_multiple if facility.criteria.code == "IEC" else None
    seen = Seen(clearing=basis.clearing, trip_multiple=trips)
    for turn in range(_WIRINGS + 1):
        trace = sizing.trace.draft()
        feeders = sized(seen, trace)
        plan = _rated(bare.wired(feeders.links), feeders)
        flow = solve(plan.with_load_kept.compiled, outages)
        more = _seen_more(seen, sizing, plan, feeders, flow)
        if more == seen or turn == _WIRINGS:
            break
        seen = more
    return plan, feeders, flow, trace


def _seen_more(
    seen: Seen, sizing: Sizing, plan: NetworkPlan, feeders: FeederSet, flow: Flow
) -> Seen:
    """Return what the conductors show beside what was `seen`: itself where that is nothing."""
    needs = overloaded_runs(plan, flow)
    tight = _devices_given(plan, needs) - seen.tight
    needs = {tag: need for tag, need in needs.items() if tag not in tight}
    if tight or not needs.keys() <= seen.needs.keys():
        seen = replace(seen, needs={**seen.needs, **needs}, tight=seen.tight | tight)
    if not seen.clearing.known and seen.trip_multiple is None:
        return seen
    faults = _faults(sizing, plan, feeders)
    seen = _with_loops(seen, plan, feeders, faults)
    highest = highest_faults(faults)
    known = seen.fault_a
    rising = {tag for tag, a in highest.items() if not within(a, known.get(tag, 0.0))}
    if not rising:
        return seen
    earth = highest_earth_faults(faults)
    return replace(
        seen, fault_a=_most(highest, known), earth_fault_a=_most(earth, seen.earth_fault_a)
    )


def _devices_given(plan: NetworkPlan, needs: Mapping[str, Need]) -> frozenset[str]:
    """Return the circuits on the way of a load whose drop overloads a device of the panels.

    These are the feeders of PDU transformers and of panels, and the branches. A device that is
    overloaded by more than a drop does is too small, whatever the conductors.
    """
    overloaded = ((plan.circuits[tag], amperes) for tag, (amperes, _) in needs.items())
    given = [
        c for c, a in overloaded if c.breaker_a is not None and a <= _MOST_BY_DROP * c.breaker_a
    ]
    panels = {c.source if c.stage == "branch" else c.target for c in given}
    feeders = {tag for tag, c in plan.circuits.items() if c.target in panels}
    pdus = {plan.circuits[tag].source for tag in feeders}
    return frozenset(
        tag
        for tag, c in plan.circuits.items()
        if tag in feeders or c.source in panels or (c.stage == "pdu" and c.target in pdus)
    )


def _with_loops(seen: Seen, plan: NetworkPlan, feeders: FeederSet, faults: NetworkFaults) -> Seen:
    """Return `seen` with the earth-fault loops of the conductors chosen, where they moved."""
    if seen.trip_multiple is None:
        return seen
    loops, known = loops_ahead(plan, feeders, faults), seen.loop_ohm
    still = loops.keys() == known.keys() and all(
        ohm == known[tag]
        or (ohm is not None and math.isclose(ohm, known[tag] or 0.0, rel_tol=ROUNDING))
        for tag, ohm in loops.items()
    )
    return seen if still else replace(seen, loop_ohm=loops)


def _most(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {tag: max(value, other.get(tag, 0.0)) for tag, value in one.items()}


def _faults(sizing: Sizing, plan: NetworkPlan, feeders: FeederSet) -> NetworkFaults:
    facility, bases = sizing.facility, sizing.facility.electrical
    by_tag = {feeder.circuit.tag: feeder for feeder in feeders.feeders}
    from_c = _TABLE_9_C if facility.criteria.code == "NEC" else bases.conductors.insulation_c
    return network_faults(plan, by_tag, sizing.chain, facility.site, bases.faults, from_c)


def _units(sizing: Sizing) -> UnitCurrents:
    """Return the currents of UPS modules, of a lineup with growth, and of its recharge."""
    ups, chain = sizing.chain.ups, sizing.chain.chain
    charge_w = recharge_power.si(chain.ups.recharge, ups.modules_per_system, ups.module.rating_w)
    charge_va = charge_w / ups.module.input_power_factor / ups.buses
    grown = sizing.demand.grown(sizing.facility.criteria.growth)
    return UnitCurrents(
        sizing.ups_input_a,
        float(three_phase_current.si(ups.module.rating_va, chain.wiring.lv_voltage_v)),
        float(three_phase_current.si(sizing.chain.bus_rating_va, chain.wiring.lv_voltage_v)),
        board_current(sizing.chain, solve_chain(sizing.chain, grown)),
        float(three_phase_current.si(charge_va, chain.wiring.lv_voltage_v)),
    )


def _rated(plan: NetworkPlan, feeders: FeederSet) -> NetworkPlan:
    """Return the plan with boards and switches rated as the largest device that feeds them."""
    device_a: dict[str, float] = {}
    for feeder in feeders.feeders:
        if feeder.choice:
            target = feeder.circuit.target
            device_a[target] = max(device_a.get(target, 0.0), feeder.choice.ocpd_a)

    def rate(one: Equipment) -> Equipment:
        rating_a = device_a.get(one.tag)
        if one.kind == "lv-board" and one.links[0].circuit == "":
            rating_a = device_a.get(one.links[0].source)
        if one.kind not in _RATED or rating_a is None:
            return one
        return replace(one, rating_a=rating_a)

    network = plan.network
    return NetworkPlan(
        replace(network, equipment=tuple(rate(one) for one in network.equipment)), plan.circuits
    )


def _losses(sizing: Sizing, plan: NetworkPlan, normal: Flow) -> tuple[float, float]:
    """Return the loss of all wiring as the design reckons with it, and of the conductors [W].

    Branch circuits are sized for the longest route of their hall; they lose what the mean one does.
    """
    wiring = ("branch", "feeder", "lv_board")
    assumed_w = sum(float(part.loss_w) for part in sizing.flow.parts if part.id in wiring)
    shares = dict.fromkeys(plan.circuits, 1.0)
    if sizing.facility.electrical.conductors.branch_length_m is None:
        halls = {
            hall.name: hall.route_mean_m / hall.route_max_m if hall.route_max_m > 0.0 else 1.0
            for hall in sizing.facility.it.halls
        }
        for one in plan.network.equipment:
            if one.kind == "rack-pdu":
                shares[one.links[0].circuit] = halls[one.hall]
    of_link = [shares.get(link.circuit, 1.0) for _, link in plan.network.links]
    return assumed_w, float(np.nansum(normal.circuit_loss_w[:, 0] * of_link))


def _results(
    sizing: Sizing,
    plan: NetworkPlan,
    feeders: FeederSet,
    normal: Flow,
    faults: NetworkFaults,
    highest: Mapping[str, float],
) -> dict[str, Value]:
    _, loss_w = _losses(sizing, plan, normal)
    _, drop = farthest(plan, normal)
    values = {
        "network.equipment": Value(sum(len(e.unit_tags) for e in plan.network.equipment), "count"),
        "network.circuits": Value(len(plan.circuits), "count"),
        "feeder.sorts": Value(len({f.alike for f in feeders.feeders if f.choice}), "count"),
        "feeder.loss": Value(loss_w, "active_power", "all in service, branches of mean length"),
        "feeder.drop_max": Value(drop, "fraction", "UPS output to the farthest rack"),
    }
    trace = sizing.trace
    trace.derive(
        "feeder.loss",
        loss_w,
        "active_power",
        "square of the current times resistance; branches of mean length",
    )
    trace.derive("feeder.drop_max", drop, "fraction", "power flow of the network, all in service")
    values |= fault_results(plan, faults, highest, sizing.trace)
    inverters = [s.highest for name, s in faults.states.items() if name.startswith("inverter")]
    if inverters:
        duration_s = sizing.facility.electrical.faults.sources.ups_duration_s
        current_a = max(float(found.three_phase_a[0]) for found in inverters)
        values["fault.inverter"] = Value(current_a, "current", "one UPS output on its inverters")
        values["fault.inverter.held"] = Value(duration_s, "time", "then the inverter shuts down")
        sizing.trace.derive(
            "fault.inverter",
            current_a,
            "current",
            "rated current of the modules of one output bus times power.faults.ups_multiple",
        )
        sizing.trace.derive("fault.inverter.held", duration_s, "time", "as the maker states")
    return values
