"""Short-circuit study of the power network: one tree for each fault source.

On utility and generator supply the current reaches the loads through the static bypass of the UPS;
on inverter each UPS output is a separate tree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.model.facility import Site
from facility.model.power.faults import FaultBasis
from facility.physics.circuits.conductor_metals import PER_KELVIN_20, PER_KELVIN_75
from facility.physics.circuits.conductors import resistance_at
from facility.power.faults.currents import fault_currents
from facility.power.faults.device_checks import StateCurrents
from facility.power.faults.impedances import DELTA_WYE, conductor_branch, transformer_branch
from facility.power.faults.sources import (
    generator_source,
    inverter_source,
    motor_source,
    utility_source,
)
from facility.power.faults.types import (
    FaultBranch,
    FaultCurrents,
    FaultSource,
    FaultTree,
    Sequences,
)
from facility.power.feeders.mv.tables import RESISTANCE_C
from facility.power.feeders.schedule import Feeder
from facility.power.network.build.plan import NetworkPlan, PlannedCircuit
from facility.power.network.graph.types import Equipment, Link, Load
from facility.power.train.types import ChainDesign, TransformerUnit

COLD_C = 25.0
"""Conductor temperature for the maximum currents [degC]."""

_TABLE_9_C = 75.0
_WITH_PRIMARY = ("transformer", "pdu")


@dataclass(frozen=True, eq=False)
class _Study:
    plan: NetworkPlan
    feeders: Mapping[str, Feeder]
    design: ChainDesign
    site: Site
    basis: FaultBasis
    conductor_c: float

    @cached_property
    def uncritical(self) -> tuple[Load, ...]:
        """Cooling and building loads, a small part of the loads, cached for each source."""
        return tuple(load for load in self.plan.network.loads if not load.kind.critical)


@dataclass(frozen=True, eq=False)
class NetworkFaults:
    """Fault currents of the network."""

    # By source state: "utility", "generator" if there is a plant (one state per section,
    # sections, "generator S1"), and "inverter <UPS output>".
    states: Mapping[str, StateCurrents]
    # Representative bus of each piece of equipment: panels and rack PDUs on identical circuits
    # from the same source are combined.
    bus_of: Mapping[str, str]


def network_faults(
    plan: NetworkPlan,
    feeders: Mapping[str, Feeder],
    design: ChainDesign,
    site: Site,
    basis: FaultBasis,
    conductor_c: float,
) -> NetworkFaults:
    """Return maximum and minimum fault currents at every bus, in every source state.

    feeders: Conductors by circuit tag.
    site: Fault level and X/R of the utility.
    basis: Method and source data.
    conductor_c: Temperature of the stated conductor resistances [degC].

    Raises the errors of `fault_currents` with the component.
    """
    study = _Study(plan, feeders, design, site, basis, conductor_c)
    bus_of = _representatives(study)
    states = {
        name: StateCurrents(
            fault_currents(tree, basis.method, "max", basis.voltage),
            fault_currents(_on_duty(study, root, tree), basis.method, "min", basis.voltage),
        )
        for name, root, tree in _trees(study, bus_of)
    }
    return NetworkFaults(states, bus_of)


def upstream_faults(
    plan: NetworkPlan,
    feeders: Mapping[str, Feeder],
    design: ChainDesign,
    site: Site,
    basis: FaultBasis,
    conductor_c: float,
) -> list[FaultCurrents]:
    """Return the maximum fault currents on the utility and on each generator section.

    The maximum currents of `network_faults` at equipment upstream of the UPS; parameters and errors
    as there.
    """
    study = _Study(plan, feeders, design, site, basis, conductor_c)
    return [
        fault_currents(tree, basis.method, "max", basis.voltage)
        for _, root, tree in _trees(study, _representatives(study))
        if root.kind != "ups-output"
    ]


def _trees(study: _Study, bus_of: Mapping[str, str]) -> Iterator[tuple[str, Equipment, FaultTree]]:
    """Yield each source state with its source and the tree of its fault current paths."""
    # Equipment fed by each bus, by its index in the network
    fed: dict[str, list[int]] = {}
    for index, equipment in enumerate(study.plan.network.equipment):
        if bus_of[equipment.tag] == equipment.tag:
            for source in dict.fromkeys(bus_of[link.source] for link in _ways(study, equipment)):
                fed.setdefault(source, []).append(index)
    for name, root in _roots(study.plan):
        yield name, root, _tree(study, root, bus_of, fed)


def _representatives(study: _Study) -> dict[str, str]:
    """Return the representative bus of each bus: identical circuits are solved once."""
    found: dict[str, str] = {}
    first: dict[tuple[object, ...], str] = {}
    for one in study.plan.network.equipment:
        key: tuple[object, ...] = (one.tag,)
        if one.kind in ("panel", "busway", "rack-pdu"):
            ways = tuple(
                (found[link.source], feeder.group if feeder else None)
                for link in one.links
                for feeder in (study.feeders.get(link.circuit),)
            )
            key = (one.kind, ways)
        found[one.tag] = first.setdefault(key, one.tag)
    return found


def _roots(plan: NetworkPlan) -> Iterator[tuple[str, Equipment]]:
    for one in plan.network.equipment:
        if one.kind == "utility":
            yield "utility", one
        elif one.kind == "generator-plant":
            section = one.tag.partition("-")[2]
            yield f"generator {section}".rstrip(), one
        elif one.kind == "ups-output":
            yield f"inverter {one.tag}", one


def _tree(
    study: _Study, root: Equipment, bus_of: Mapping[str, str], fed: Mapping[str, list[int]]
) -> FaultTree:
    """Return the tree of fault current paths from a source: each bus by its first path.

    Equipment is visited in order, sources before what they feed. On an infinite bus medium-voltage
    cables have no impedance: currents downstream of the transformers are upper bounds, currents at
    medium voltage unknown.
    """
    if root.kind == "utility" and study.site.fault_level_va is None:
        low = {tag: one for tag, one in study.feeders.items() if one.circuit.stage != "mv"}
        study = replace(study, feeders=low)
    equipment = study.plan.network.equipment
    branches: list[FaultBranch] = []
    reached = {root.tag}
    queue = list(fed.get(root.tag, ()))
    heapify(queue)
    while queue:
        one = equipment[heappop(queue)]
        if one.tag in reached:
            continue
        link = next(link for link in _ways(study, one) if bus_of[link.source] in reached)
        reached.add(one.tag)
        branches += _branches(study, one, replace(link, source=bus_of[link.source]))
        for index in fed.get(one.tag, ()):
            heappush(queue, index)
    branches += _to_loads(study, reached)
    sources = [_source(study, root)]
    if root.kind != "ups-output":
        sources += _motors(study, reached)
    return FaultTree(root.tag, root.voltage_v, tuple(branches), tuple(sources))


def _on_duty(study: _Study, root: Equipment, tree: FaultTree) -> FaultTree:
    """Return the tree with only the duty transformers and generator sets, without spares."""
    tree = replace(tree, branches=tuple(_unit_on_duty(study, one) for one in tree.branches))
    if root.kind != "generator-plant":
        return tree
    spare = study.design.chain.generator.spare
    source = _generators(study, root, max(1, len(root.unit_tags) - spare))
    return replace(tree, sources=(source, *tree.sources[1:]))


def _unit_on_duty(study: _Study, branch: FaultBranch) -> FaultBranch:
    """Return a branch without the spare transformers of its board."""
    network, design = study.plan.network, study.design
    one = network[branch.tag] if branch.vector_group else None
    if one is None or one.kind != "transformer" or _is_step_up(study, one):
        return branch
    duty = max(1, design.transformers.duty_per_carrier // design.ups.buses)
    fewer = max(1.0, len(one.unit_tags) / duty)
    maximum = Sequences(branch.max_impedance.z1 * fewer, branch.max_impedance.z0 * fewer)
    return replace(branch, max_impedance=maximum, neutral_ohm=branch.neutral_ohm * fewer)


def _is_step_up(study: _Study, one: Equipment) -> bool:
    return study.plan.network[one.links[0].source].kind == "generator-plant"


def _ways(study: _Study, one: Equipment) -> Iterator[Link]:
    """Yield the links that carry fault current: none through converters."""
    for link in one.links:
        if study.plan.network[link.source].kind not in ("ups", "maintenance-bypass"):
            yield link


def primary_of(transformer: str) -> str:
    """Return the bus at the primary terminals of a cable-fed transformer."""
    return f"{transformer} primary"


def load_bus(load: str, board: str) -> str:
    """Return the bus at the load end of a circuit from a board to cooling or building load."""
    return f"{load} on {board}"


def end_bus(plan: NetworkPlan, faults: NetworkFaults, circuit: PlannedCircuit) -> str:
    """Return the bus at the load end of a circuit."""
    if circuit.target not in plan.network.index:
        return load_bus(circuit.target, circuit.source)
    bus = faults.bus_of[circuit.target]
    return primary_of(bus) if plan.network[circuit.target].kind in _WITH_PRIMARY else bus


def _to_loads(study: _Study, reached: set[str]) -> Iterator[FaultBranch]:
    """Yield the circuits from the reached boards to cooling and building load."""
    for load in study.uncritical:
        for link in (cord.link for cord in load.cords):
            if link.source in reached:
                voltage_v = study.plan.network[link.source].voltage_v
                yield _cable(study, load_bus(load.tag, link.source), voltage_v, link)


def _branches(study: _Study, one: Equipment, link: Link) -> Iterator[FaultBranch]:
    """Yield the branches between a piece of equipment and the bus that feeds it.

    The cable upstream of a transformer ends on a separate bus; a step-up transformer is at its
    generator set.
    """
    voltage_v = study.plan.network[link.source].voltage_v
    if one.kind in _WITH_PRIMARY and link.circuit:
        primary = primary_of(one.tag)
        yield _cable(study, primary, voltage_v, link)
        yield _transformer(study, one, primary, voltage_v)
    elif one.kind in _WITH_PRIMARY:
        yield _transformer(study, one, link.source, voltage_v)
    else:
        yield _cable(study, one.tag, one.voltage_v, link)


def _cable(study: _Study, bus: str, voltage_v: float, link: Link) -> FaultBranch:
    feeder = study.feeders.get(link.circuit)
    choice, runs = (None, 1) if feeder is None else (feeder.choice, feeder.circuit.runs)
    if feeder is not None and feeder.circuit.stage == "mechanical":
        runs = 1  # Each feeder ends on a separate mechanical board
    zero = study.basis.cable_zero_resistance, study.basis.cable_zero_reactance
    if choice is None or choice.resistance_ohm is None or choice.reactance_ohm is None:
        return conductor_branch(bus, link.source, voltage_v, 0j, 0j, zero)
    hot = complex(choice.resistance_ohm, choice.reactance_ohm)
    relayed = feeder is not None and feeder.circuit.stage == "mv"
    from_c = RESISTANCE_C if relayed else study.conductor_c
    cold = complex(_cold(hot.real, choice.material, from_c), hot.imag)
    return conductor_branch(bus, link.source, voltage_v, cold, hot, zero, sets=choice.sets * runs)


def _cold(resistance_ohm: float, material: str, from_c: float) -> float:
    per_kelvin = PER_KELVIN_75[material]
    if from_c != _TABLE_9_C:
        per_20 = PER_KELVIN_20[material]
        per_kelvin = per_20 / (1.0 + per_20 * (from_c - 20.0))
    return float(resistance_at.si(resistance_ohm, per_kelvin, from_c, COLD_C))


def _transformer(study: _Study, one: Equipment, primary: str, primary_v: float) -> FaultBranch:
    pdu, basis = one.kind == "pdu", study.basis
    step_up = _is_step_up(study, one)
    unit = _unit(study.design, pdu, one.tag, step_up)
    delta = pdu or step_up
    group = DELTA_WYE if delta else study.design.chain.transformer.vector_group
    found = transformer_branch(
        one.tag,
        primary,
        unit.rating_va,
        primary_v,
        one.voltage_v,
        unit.impedance,
        group,
        basis.transformer_zero,
        tolerance=basis.dry_transformer_tolerance
        if pdu
        else study.design.chain.transformer.tolerance,
        load_loss_w=unit.load_loss_w,
        units=len(one.unit_tags),
    )
    resistor_ohm = 0.0 if pdu else _neutral_ohm(study, one.voltage_v)
    return replace(found, neutral_ohm=resistor_ohm / len(one.unit_tags))


def _neutral_ohm(study: _Study, voltage_v: float) -> float:
    """Return the neutral-to-ground resistance [ohm]; 0 except for the LV boards."""
    chain = study.design.chain
    grounding_a = chain.transformer.grounding_a
    if grounding_a is None or voltage_v != chain.wiring.lv_voltage_v:
        return 0.0
    return float(voltage_v / 3.0**0.5 / grounding_a)


def _unit(design: ChainDesign, pdu: bool, tag: str, step_up: bool) -> TransformerUnit:
    if step_up and design.generators.step_up is not None:
        return design.generators.step_up
    if not pdu:
        return design.transformers.unit
    if design.pdus is None:
        raise FacilityError(
            "NETWORK_PDU", tag, "a PDU transformer that the design does not have.", ""
        )
    return design.pdus.unit


def _source(study: _Study, root: Equipment) -> FaultSource:
    data, design = study.basis.sources, study.design
    if root.kind == "utility":
        return utility_source(
            root.tag, root.tag, root.voltage_v, study.site.fault_level_va, study.site.x_over_r, data
        )
    if root.kind == "generator-plant":
        return _generators(study, root, len(root.unit_tags))
    ups = design.ups
    rating_va = ups.module.rating_va * (ups.modules_per_system // ups.buses)
    found = inverter_source(root.tag, root.tag, root.voltage_v, rating_va, data)
    return replace(found, neutral_ohm=_neutral_ohm(study, root.voltage_v))


def _generators(study: _Study, root: Equipment, sets: int) -> FaultSource:
    generators = study.design.generators
    found = generator_source(
        root.tag,
        root.tag,
        root.voltage_v,
        generators.rating_va,
        sets,
        study.basis.sources,
        generators.rating_w / generators.rating_va,
    )
    if generators.step_up is not None:
        return found
    return replace(found, neutral_ohm=_neutral_ohm(study, root.voltage_v) / sets)


def _motors(study: _Study, reached: set[str]) -> Iterator[FaultSource]:
    """Yield the cooling motors on their normal supply board.

    Motors fed by the UPS are excluded.
    """
    data = study.basis.sources
    if not data.motor_share * data.motor_multiple > 0.0:
        return
    for load in study.uncritical:
        if not load.tag.startswith("MECH"):
            continue
        boards = [cord.link.source for cord in load.cords if cord.link.source in reached]
        for board in boards:
            one = study.plan.network[board]
            if one.kind == "lv-board":
                power_va = abs(complex(load.kind.neutral_va[-1].sum())) / len(load.cords)
                yield motor_source(f"{load.tag} on {board}", board, one.voltage_v, power_va, data)


def highest_faults(faults: NetworkFaults) -> dict[str, float]:
    """Return the maximum fault current of any source at each piece of equipment [A].

    Omitted if the current of one source is unknown, e.g. on an infinite bus.
    """
    return _highest(faults, lambda state: state.highest.available_a)


def highest_earth_faults(faults: NetworkFaults) -> dict[str, float]:
    """Return the maximum line-to-ground fault current at each piece of equipment [A]."""
    return _highest(faults, lambda state: state.highest.line_ground_a)


def _highest(faults: NetworkFaults, of: Callable[[StateCurrents], FloatArray]) -> dict[str, float]:
    of_bus: dict[str, list[float]] = {}
    for state in faults.states.values():
        for bus, value_a in zip(state.highest.tags, of(state).tolist(), strict=True):
            of_bus.setdefault(bus, []).append(value_a)
    highest = {
        bus: max(currents)
        for bus, currents in of_bus.items()
        if all(math.isfinite(value_a) for value_a in currents)
    }
    return {tag: highest[bus] for tag, bus in faults.bus_of.items() if bus in highest}


def source_loops(faults: NetworkFaults) -> dict[str, float]:
    """Return the largest earth-fault loop impedance at each equipment, without inverters [ohm].

    Inverters limit their current, which the loop impedance does not determine. Omitted if the loop
    impedance of one source is unknown.
    """
    of_bus: dict[str, float] = {}
    for name, state in faults.states.items():
        if name.startswith("inverter"):
            continue
        low = state.lowest
        loops = np.abs(2.0 * low.z1_ohm + low.z0_ohm) / 3.0
        for bus, ohm in zip(low.tags, loops.tolist(), strict=True):
            of_bus[bus] = ohm if not ohm <= of_bus.get(bus, 0.0) else of_bus[bus]
    known = {bus: ohm for bus, ohm in of_bus.items() if math.isfinite(ohm)}
    return {tag: known[bus] for tag, bus in faults.bus_of.items() if bus in known}


def offset_time_constants(faults: NetworkFaults, frequency_hz: float) -> dict[str, float]:
    """Return the DC-offset time constant of the fault current at each equipment [s].

    The longest of all sources with known X/R.
    """
    of_bus: dict[str, float] = {}
    for state in faults.states.values():
        for bus, ratio in zip(state.highest.tags, state.highest.x_over_r.tolist(), strict=True):
            if math.isfinite(ratio):
                of_bus[bus] = max(of_bus.get(bus, 0.0), ratio / (2.0 * math.pi * frequency_hz))
    return {tag: of_bus[bus] for tag, bus in faults.bus_of.items() if bus in of_bus}
