"""Network of a design with its conductors, sized iteratively with their own losses and drops."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING, within
from facility.core.trace import Trace
from facility.model.facility import Facility, Site
from facility.model.power.faults import FaultBasis
from facility.model.power.mechanical import CoolingUnits
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.ups import recharge_power
from facility.power.chain.sizing import solve_chain
from facility.power.faults.of_network import (
    NetworkFaults,
    highest_earth_faults,
    highest_faults,
    network_faults,
    offset_time_constants,
    upstream_faults,
)
from facility.power.faults.types import FaultCurrents
from facility.power.feeders.circuit_currents import sizing_outages
from facility.power.feeders.duties import Need, UnitCurrents, overloaded_runs
from facility.power.feeders.motors.circuits import MechanicalSchedule, mechanical_schedule
from facility.power.feeders.schedule import Feeder, FeederSet, Seen, size_feeders
from facility.power.network.build.facility import build_network
from facility.power.network.build.mechanical import MechanicalBoards
from facility.power.network.build.plan import NetworkPlan
from facility.power.network.flow.solve import Flow, solve
from facility.power.network.graph.types import Equipment, Outage
from facility.power.panels.design.halls import PanelSet
from facility.power.train.lv_boards import board_current
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.distribution.iec_faults import upstream_loops

_TABLE_9_C = 75.0
_WIRINGS = 3
"""Maximum number of resizing rounds for currents raised by the conductors themselves."""
_MAX_BY_DROP = 1.1
"""Current of a constant-power load at minimum network voltage relative to nominal voltage."""
_LARGER = 1.6
"""Area ratio of a conductor enlarged to reduce losses: one or two sizes."""
_RATED = ("generator-bus", "lv-board", "ats", "sts", "ups-output")


@dataclass(frozen=True, eq=False)
class Sizing:
    """Inputs of the distribution."""

    facility: Facility
    chain: ChainDesign  # Units
    panels: PanelSet
    demand: ChainDemand  # Loads at the design hour
    flow: ChainFlow  # Power chain under these loads
    # Maximum input current of one UPS module [A], and its basis.
    ups_input: Need
    trace: Trace  # Receives the derivations
    units: tuple[CoolingUnits, ...] = ()  # Cooling equipment as electrical loads


@dataclass(frozen=True, eq=False)
class WiringRound:
    """The network with the conductors of one round of their selection."""

    sizing: Sizing
    plan: NetworkPlan
    feeders: FeederSet  # The feeder schedule
    trace: Trace  # Derivation of these conductors
    outages: tuple[Outage, ...]  # Sizing states

    @cached_property
    def faults(self) -> NetworkFaults:
        """Fault currents in every source state."""
        return network_faults(*self._of_faults)

    @property
    def upstream_faults(self) -> list[FaultCurrents]:
        """Maximum fault currents on the utility and the generators."""
        return upstream_faults(*self._of_faults)

    @property
    def _of_faults(
        self,
    ) -> tuple[NetworkPlan, Mapping[str, Feeder], ChainDesign, Site, FaultBasis, float]:
        facility, bases = self.sizing.facility, self.sizing.facility.electrical
        by_tag = {feeder.circuit.tag: feeder for feeder in self.feeders.feeders}
        from_c = _TABLE_9_C if facility.criteria.code == "NEC" else bases.conductors.insulation_c
        return self.plan, by_tag, self.sizing.chain, facility.site, bases.faults, from_c

    @cached_property
    def flow(self) -> Flow:
        """Power flow of the sizing states, at constant load."""
        return solve(self.plan.with_fixed_load_shares.compiled, self.outages)


def wired(sizing: Sizing) -> WiringRound:
    """Return the network with its final conductors."""
    return deque(wirings(sizing), maxlen=1).pop()


def wirings(sizing: Sizing) -> Iterator[WiringRound]:
    """Yield the network with its conductors, round by round.

    A round has the conductors that losses, drops and fault currents of the earlier ones require:
    never smaller ones, so that fault currents only rise.
    """
    facility, panels = sizing.facility, sizing.panels
    criteria, conductors = facility.criteria, facility.electrical.conductors
    goal = criteria.goal
    boards = MechanicalBoards(
        sizing.chain, sizing.units, conductors.mechanical_device_a, criteria.code, criteria.edition,
        one_out=goal.maintainable and goal.cooling,
    )  # fmt: skip
    bare = build_network(sizing.chain, sizing.demand, panels, facility.it, boards)
    outages, units = sizing_outages(bare.network, panels), _units(sizing)

    def sized(seen: Seen, trace: Trace) -> FeederSet:
        return size_feeders(
            bare,
            outages,
            conductors,
            criteria,
            facility.power.panels.listed_100,
            units,
            trace,
            panels,
            seen,
        )

    basis = facility.electrical.faults
    trips = basis.trip_multiple if criteria.code == "IEC" else None
    seen = Seen(clearing=basis.clearing, trip_multiple=trips)
    for _ in range(_WIRINGS + 1):
        trace = sizing.trace.draft()
        feeders = sized(seen, trace)
        plan = _rated(bare.wired(feeders.links), feeders)
        found = WiringRound(sizing, plan, feeders, trace, outages)
        yield found
        more = _seen_more(seen, sizing, found)
        if more == seen:
            break
        seen = more


def _seen_more(seen: Seen, sizing: Sizing, found: WiringRound) -> Seen:
    """Return `seen` with the effects of the conductors; itself if nothing changed."""
    plan, feeders, faults = found.plan, found.feeders, found.faults
    needs = overloaded_runs(plan, found.flow)
    tight = _devices_given(plan, needs) - seen.tight
    needs = {tag: need for tag, need in needs.items() if tag not in tight}
    if tight or not needs.keys() <= seen.needs.keys():
        seen = replace(seen, needs={**seen.needs, **needs}, tight=seen.tight | tight)
    drops = _drops_for_losses(sizing, plan, feeders, found.flow)
    if drops:
        seen = replace(seen, drops={**seen.drops, **drops})
    seen = _with_loops(seen, plan, feeders, faults)
    highest = highest_faults(faults)
    known = seen.fault_a
    rising = {tag for tag, a in highest.items() if not within(a, known.get(tag, 0.0))}
    if not rising:
        return seen
    earth, offset_s = highest_earth_faults(faults), dict(seen.offset_s)
    if sizing.facility.criteria.code == "IEC":
        longest = offset_time_constants(faults, sizing.facility.site.frequency_hz)
        offset_s = _maximum_by_tag(longest, offset_s)
    return replace(
        seen,
        fault_a=_maximum_by_tag(highest, known),
        earth_fault_a=_maximum_by_tag(earth, seen.earth_fault_a),
        offset_s=offset_s,
    )


def _devices_given(plan: NetworkPlan, needs: Mapping[str, Need]) -> frozenset[str]:
    """Return the circuits upstream of loads whose voltage drop overloads a panel device.

    These are the feeders of PDU transformers and of panels, and the branches. A device overloaded
    by more than a voltage drop can cause is too small for any conductors.
    """
    overloaded = ((plan.circuits[tag], amperes) for tag, (amperes, _) in needs.items())
    given = [
        c for c, a in overloaded if c.breaker_a is not None and a <= _MAX_BY_DROP * c.breaker_a
    ]
    panels = {c.source if c.stage == "branch" else c.target for c in given}
    feeders = {tag for tag, c in plan.circuits.items() if c.target in panels}
    pdus = {plan.circuits[tag].source for tag in feeders}
    return frozenset(
        tag
        for tag, c in plan.circuits.items()
        if tag in feeders or c.source in panels or (c.stage == "pdu" and c.target in pdus)
    )


def _drops_for_losses(
    sizing: Sizing, plan: NetworkPlan, feeders: FeederSet, flow: Flow
) -> dict[str, float]:
    """Return the voltage-drop limit by tag of circuits that must reduce losses; empty if none must.

    The wiring loss is limited to the default assumption: the conductors with the highest loss are
    enlarged until it is met. Losses stated by the project are checked only.
    """
    bases, criteria = sizing.facility.electrical, sizing.facility.criteria
    units = mechanical_schedule(plan, feeders.feeders, bases, criteria, {})
    assumed_w, found_w = losses(sizing, plan, flow, units)
    if sizing.chain.chain.wiring.losses_stated or within(found_w, assumed_w):
        return {}
    sized = {feeder.circuit.tag: feeder for feeder in feeders.feeders if feeder.choice}
    lost: dict[int, float] = {}
    for (_, link), loss_w in zip(plan.network.links, _link_losses(sizing, plan, flow), strict=True):
        if link.circuit in sized:
            group = sized[link.circuit].group
            lost[group] = lost.get(group, 0.0) + float(np.nan_to_num(loss_w))
    excess_w, larger = found_w - assumed_w, set()
    for group in sorted(lost, key=lambda one: -lost[one]):
        if excess_w > 0.0:
            larger.add(group)
            excess_w -= lost[group] * (1.0 - 1.0 / _LARGER)
    return {
        tag: one.choice.drop / _LARGER
        for tag, one in sized.items()
        if one.group in larger and one.choice is not None and one.choice.drop
    }


def _with_loops(seen: Seen, plan: NetworkPlan, feeders: FeederSet, faults: NetworkFaults) -> Seen:
    """Return `seen` with the earth-fault loops of the selected conductors, if changed."""
    if seen.trip_multiple is None:
        return seen
    loops, known = upstream_loops(feeders, faults), seen.loop_ohm
    still = loops.keys() == known.keys() and all(
        ohm == known[tag]
        or (ohm is not None and math.isclose(ohm, known[tag] or 0.0, rel_tol=ROUNDING))
        for tag, ohm in loops.items()
    )
    return seen if still else replace(seen, loop_ohm=loops)


def _maximum_by_tag(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    return {tag: max(value, other.get(tag, 0.0)) for tag, value in one.items()}


def _units(sizing: Sizing) -> UnitCurrents:
    """Return the currents of UPS modules, of a lineup with growth, and of its recharge."""
    ups, chain = sizing.chain.ups, sizing.chain.chain
    charge_w = recharge_power.si(chain.ups.recharge, ups.modules_per_system, ups.module.rating_w)
    charge_va = charge_w / ups.module.input_power_factor / ups.buses
    grown = sizing.demand.grown(sizing.facility.criteria.growth)
    flow = solve_chain(sizing.chain, grown)
    return UnitCurrents(
        sizing.ups_input,
        float(three_phase_current.si(ups.module.rating_va, chain.wiring.lv_voltage_v)),
        float(three_phase_current.si(sizing.chain.bus_rating_va, chain.wiring.lv_voltage_v)),
        board_current(sizing.chain, flow),
        float(three_phase_current.si(charge_va, chain.wiring.lv_voltage_v)),
        _set_load(sizing.chain, flow),
    )


def _set_load(chain: ChainDesign, flow: ChainFlow) -> float:
    """Return the load of one duty generator set on the most loaded bus section [VA]."""
    plant, parts = chain.generators, chain.chain.generator.section_parts
    if not plant.count:
        return 0.0
    spare = plant.spare // plant.sections
    on_duty = (max(1, plant.section_sets(n) - spare) for n in range(plant.sections))
    return max(flow.generators.load_va * p / n for p, n in zip(parts, on_duty, strict=True))


def _rated(plan: NetworkPlan, feeders: FeederSet) -> NetworkPlan:
    """Return the plan with boards and switches rated for the largest device that supplies them.

    Identical devices in parallel, spare ones included, may all be closed: the bus carries their
    sum. A generator bus is also rated for the
    largest device that it supplies, which may exceed the devices of its sets.
    """
    device_a, network = feeders.device_a, plan.network
    downstream: dict[str, float] = {}
    for tag, rating_a in device_a.items():
        source = plan.circuits[tag].source
        downstream[source] = max(rating_a, downstream.get(source, 0.0))

    def fed(tag: str) -> float:
        found = 0.0
        for link in network[tag].links:
            if link.circuit in device_a:
                found = max(found, plan.circuits[link.circuit].runs * device_a[link.circuit])
            elif not link.circuit and network[link.source].kind != "ups":
                found = max(found, fed(link.source))
        return found

    def rate(one: Equipment) -> Equipment:
        rating_a = fed(one.tag) if one.kind in _RATED else 0.0
        if one.kind == "generator-bus":
            rating_a = max(rating_a, downstream.get(one.tag, 0.0))
        return replace(one, rating_a=rating_a) if rating_a else one

    equipment = tuple(rate(one) for one in network.equipment)
    return replace(plan, network=replace(network, equipment=equipment))


def losses(
    sizing: Sizing, plan: NetworkPlan, normal: Flow, mechanical: MechanicalSchedule
) -> tuple[float, float]:
    """Return the assumed loss of the low-voltage wiring, and the loss of the conductors [W].

    Branch circuits are sized for the longest route of their hall; their loss is that of the mean
    route.
    """
    wiring = ("branch", "feeder", "lv_board")
    assumed_w = sum(float(part.loss_w) for part in sizing.flow.parts if part.id in wiring)
    found_w = float(np.nansum(_link_losses(sizing, plan, normal)))
    return assumed_w, found_w + sum(one.loss_w for one in mechanical.circuits)


def _link_losses(sizing: Sizing, plan: NetworkPlan, normal: Flow) -> FloatArray:
    """Return the loss of each low-voltage link, all in service [W]; branches with the mean route.

    The loss of a medium-voltage link is 0.
    """
    shares = {tag: float(one.stage != "mv") for tag, one in plan.circuits.items()}
    if sizing.facility.electrical.conductors.branch_length_m is None:
        halls = {
            hall.name: hall.route_mean_m / hall.route_max_m if hall.route_max_m > 0.0 else 1.0
            for hall in sizing.facility.it.halls
        }
        for one in plan.network.equipment:
            if one.kind == "rack-pdu":
                shares[one.links[0].circuit] = halls[one.hall]
    of_link = [shares.get(link.circuit, 1.0) for _, link in plan.network.links]
    return np.asarray(normal.circuit_loss_w[:, 0] * of_link)
