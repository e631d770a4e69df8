"""The network of a design once more: ratings and impedances of its equipment, loads on their cords.

What a load draws with any set of its cords alive is counted from the supplies of its rack; what an
outage drops follows from a walk through the network, one outage at a time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from facility.model.it import Device, Rack
from facility.power.network.graph.types import Equipment, LoadKind, Network, Outage
from facility.study.design.design import Design
from facility.study.failures.study import failures
from tests.results.power.flow import transferred
from tests.results.power.panels import RackLegs, first_phase, legs_of

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-6


def _same(name: str, found: float, wanted: float, scale: float = 1e-9) -> Iterator[str]:
    if not abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted), scale):
        yield f"{name}: {found!r}, by hand {wanted!r}"


# --- equipment --------------------------------------------------------------------------------


def equipment_of_the_design(found: Design) -> Iterator[str]:
    """Counts, ratings and impedances of transformers, sets, modules, bypasses and circuits."""
    network, chain = found.distribution.plan.network, found.chain
    counted = Counter[str]()
    for one in network.equipment:
        counted[one.kind] += len(one.unit_tags)
        yield from _ratings(found, one)
    ups, plant = chain.ups, chain.generators
    step_up = plant.count if plant.step_up is not None else 0
    lineups = len(ups.systems) * ups.buses
    for kind, wanted in (
        ("ups", ups.modules_per_system * len(ups.systems)),
        ("generator-plant", plant.count),
        ("transformer", chain.transformers.count + step_up),
        ("pdu", 0 if chain.pdus is None else chain.pdus.count),
        ("lv-board", lineups),
        ("ups-output", lineups),
        ("panel", len(found.panels.panels)),
    ):
        yield from _same(f"number of {kind}", counted[kind], wanted)
    yield from _links(found)
    yield from _halls(found)


def _halls(found: Design) -> Iterator[str]:
    """Circuits from the panels to the racks, and the phases of the cords."""
    plan, panels = found.distribution.plan, found.panels
    continuous = 1.0 if panels.basis.listed_100 else found.facility.criteria.continuous_factor
    phases: dict[str, tuple[int, ...]] = {}
    for panel in panels.panels:
        board = plan.network[panel.tag]
        yield from _same(f"bus of {panel.tag}", board.rating_a or 0.0, panel.bus_a or 0.0)
        feeder = plan.circuits[board.links[0].circuit]
        yield from _same(f"main of {panel.tag}", feeder.breaker_a or 0.0, panel.main_a or 0.0)
        yield from _same(f"voltage of {feeder.tag}", feeder.voltage_v, panel.v_ll)
        for circuit in panel.circuits:
            if not circuit.rack:
                continue
            tag = f"RPDU {circuit.id}"
            first = first_phase(panel, circuit)
            on = [(first + pole) % 3 for pole in range(circuit.poles)]
            if circuit.poles == 3:
                on = [phase for _, phase in sorted(zip(circuit.banks, on, strict=True))]
            phases[tag] = (*on, *(phase for phase in range(3) if phase not in on))
            planned = plan.circuits[circuit.id]
            told = (planned.poles, planned.neutral, planned.breaker_a, planned.length_m)
            to_neutral = circuit.connection == "L-N"
            if told != (circuit.poles, to_neutral, circuit.breaker_a, circuit.length_m):
                yield f"circuit of {tag}: {told}"
            if circuit.length_m is None and circuit.breaker_a is not None:
                rated_a = plan.network[tag].links[0].rating_a or 0.0
                yield from _same(f"rating of {tag}", rated_a, circuit.breaker_a / continuous)
    for load in plan.network.loads:
        for cord in load.cords if load.kind.critical else ():
            if cord.phases != phases[cord.link.source]:
                yield f"{load.tag}: phases {cord.phases}, by hand {phases[cord.link.source]}"


def _ratings(found: Design, one: Equipment) -> Iterator[str]:
    chain = found.chain
    if one.kind in ("transformer", "pdu"):
        unit = chain.transformers.unit
        above = found.distribution.plan.network[one.links[0].source]
        if one.kind == "pdu":
            assert chain.pdus is not None
            unit = chain.pdus.unit
        elif above.kind == "generator-plant":
            assert chain.generators.step_up is not None
            unit = chain.generators.step_up
        base_ohm = one.voltage_v**2 / unit.rating_va
        resistance = unit.load_loss_w / unit.rating_va
        reactance = math.sqrt(unit.impedance**2 - resistance**2)
        yield from _same(f"R of {one.tag}", one.resistance_ohm, resistance * base_ohm)
        yield from _same(f"X of {one.tag}", one.reactance_ohm, reactance * base_ohm)
        yield from _same(f"rating of {one.tag}", one.rating_va or 0.0, unit.rating_va)
        yield from _same(f"no-load loss of {one.tag}", one.no_load_w, unit.no_load_w)
    elif one.kind == "generator-plant":
        plant = chain.generators
        yield from _same(f"kW of {one.tag}", one.rating_w or 0.0, plant.rating_w * plant.derate)
        yield from _same(f"kVA of {one.tag}", one.rating_va or 0.0, plant.rating_va * plant.derate)
    elif one.kind == "ups":
        module = chain.ups.module
        yield from _same(f"kW of {one.tag}", one.rating_w or 0.0, module.rating_w)
        yield from _same(f"kVA of {one.tag}", one.rating_va or 0.0, module.rating_va)
        assert one.converter is not None
        for name in ("constant", "linear", "quadratic", "input_power_factor"):
            wanted = float(getattr(module, name))
            yield from _same(f"{name} of {one.tag}", getattr(one.converter, name), wanted)
    elif one.kind in ("static-bypass", "maintenance-bypass"):
        on_bus = chain.ups.modules_per_system // chain.ups.buses
        duty = max(1, on_bus - chain.chain.scheme.spare_modules)
        wanted = duty * chain.ups.module.rating_va * chain.chain.ups.factors["bypass_rating"]
        yield from _same(f"kVA of {one.tag}", one.rating_va or 0.0, wanted)


def _links(found: Design) -> Iterator[str]:
    """R and X of a circuit: those of its conductors over sets and runs; its rating on duty."""
    feeders = {f.circuit.tag: f for f in found.distribution.feeders.feeders}
    for _, link in found.distribution.plan.network.links:
        feeder = feeders.get(link.circuit)
        if feeder is None or feeder.choice is None:
            continue
        choice, circuit = feeder.choice, feeder.circuit
        each = choice.sets * circuit.runs
        if choice.resistance_ohm is not None and choice.reactance_ohm is not None:
            yield from _same(
                f"R of {link.circuit}", link.resistance_ohm, choice.resistance_ohm / each
            )
            yield from _same(
                f"X of {link.circuit}", link.reactance_ohm, choice.reactance_ohm / each
            )
        on_duty = max(1, circuit.runs - circuit.spare_runs)
        wanted = on_duty * min(choice.ampacity_a, choice.ocpd_a)
        yield from _same(f"rating of {link.circuit}", link.rating_a or 0.0, wanted)


# --- loads ------------------------------------------------------------------------------------


def _runs(device: Device, alive: int) -> str:
    psu = device.psu
    if alive >= (1 if psu is None else psu.needed):
        return "full"
    if psu is not None and psu.capped is not None and alive >= psu.capped.supplies:
        return "capped"
    return "off"


def loads_on_their_cords(found: Design) -> Iterator[str]:
    """Power of every leg of every cord, and what is off, with each set of cords alive."""
    plan, network = found.facility.it, found.distribution.plan.network
    kinds = {id(load.kind): load.kind for load in network.loads if load.kind.critical}
    racks = {rack.name: rack for rack in reversed(plan.racks)}
    for kind in kinds.values():
        rack = racks.get(kind.name)
        if rack is None or kind.cords != len(rack.circuits) or kind.cords > 6:
            continue
        same = [r for r in plan.racks if r.name == kind.name]
        if len(same) == 1:
            yield from _of_kind(found, rack, kind)
    demand = found.point.demand
    for prefix, wanted_w in (
        ("MECH-UPS", float(demand.mech_ups_w)),
        ("MECH", float(demand.mech_w)),
        ("HOUSE", float(demand.house_w)),
    ):
        own = [
            load
            for load in network.loads
            if not load.kind.critical
            and load.tag.startswith(prefix)
            and load.tag.startswith("MECH-UPS") == (prefix == "MECH-UPS")
        ]
        if own:
            total = sum(float(load.kind.neutral_va[-1].real.sum()) for load in own)
            yield from _same(f"load of {prefix}", total, wanted_w, 1.0)


def _of_kind(found: Design, rack: Rack, kind: LoadKind) -> Iterator[str]:
    plan = found.facility.it
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    share = plan.demand_factor * plan.diversity
    banks = RackLegs(rack, found).banks
    for row in range(2**kind.cords):
        dead = {n for n, s in enumerate(rack.supplies) if not row >> s.circuit & 1}
        alive = Counter(s.device for n, s in enumerate(rack.supplies) if n not in dead)
        off_w, power = 0.0, []
        modes = [_runs(device, alive[n]) for n, device in enumerate(devices)]
        for n, mode in enumerate(modes):
            off_w += rack.device_w[n] * share * (mode == "off")
        for n, supply in enumerate(rack.supplies):
            device, k = devices[supply.device], supply.device
            if n in dead or modes[k] == "off":
                power.append(0j)
                continue
            drawn_w = rack.device_w[k]
            if modes[k] == "capped":
                psu = device.psu
                assert psu is not None
                assert psu.capped is not None
                part = min(1.0, psu.capped.input_w / device.maximum_w)
                drawn_w = min(drawn_w * part, alive[k] * psu.rating_w)
            each_w = drawn_w / alive[k] * share * (1.0 + plan.rack_pdu_loss_fraction)
            power.append(complex(each_w, each_w * math.tan(math.acos(rack.device_pf[k]))))
        at = f"{kind.name}, cords {row:b}"
        yield from _same(f"dropped of {at}", float(kind.dropped_w[row]), off_w, 1.0)
        if bool(kind.off[row]) != ("off" in modes):
            yield f"{at}: off {kind.off[row]}, {modes}"
        for cord in range(kind.cords):
            legs = legs_of(rack, cord, power, banks[cord])
            table = kind.neutral_va[row, cord] + kind.pair_va[row, cord]
            for leg, wanted in enumerate([*legs, 0j, 0j][:3]):
                gap = abs(complex(table[leg]) - wanted)
                yield from _same(f"leg {leg} of cord {cord} of {at}", gap, 0.0, 100.0)


# --- outages ----------------------------------------------------------------------------------


def _with_bypasses_open(network: Network, outage: Outage) -> Outage:
    """A maintenance bypass is closed by hand, while what it stands for is maintained."""
    shut = []
    for one in network.equipment:
        ways = {network[link.source].kind: link.source for link in one.links}
        if "maintenance-bypass" not in ways:
            continue
        beside = [ways[kind] for kind in ("ups", "static-bypass") if kind in ways]
        units = {unit for tag in beside for unit in network[tag].unit_tags}
        if not units & set(outage.maintained):
            shut.append(ways["maintenance-bypass"])
    return Outage(outage.id, outage.lost, (*outage.maintained, *shut))


def outages_of_the_design(found: Design) -> Iterator[str]:
    """What every single outage of the study drops, by a walk through the network."""
    study = failures(found, depth=1)
    network, counts = study.network, Counter[str]()
    worst_w, singles = 0.0, 0
    for state in study.states:
        outage = _with_bypasses_open(network, state.case.outage)
        walked = transferred(network, outage, batteries=False)
        dropped_w = bare_w = other_w = 0.0
        for load in network.loads:
            on = [n for n in range(len(load.cords)) if walked.alive[load.tag, n]]
            row = sum(2**n for n in on)
            off_w = float(load.kind.dropped_w[row])
            if not load.kind.critical:
                other_w += off_w
                continue
            dropped_w += off_w
            if not any(walked.guarded[load.cords[n].link.source] for n in on):
                bare_w += load.kind.total_w - off_w
        if state.overloads and any("UPS" in tag for tag, _ in state.overloads):
            continue
        at = state.case.outage.id
        yield from _same(f"dropped by {at}", state.dropped_w, dropped_w, 1.0)
        yield from _same(f"other load dropped by {at}", state.other_dropped_w, other_w, 1.0)
        yield from _same(f"without a UPS in {at}", state.unprotected_w, bare_w, 1.0)
        counts["outages"] += state.case.size
        counts["dropping"] += state.case.size * (dropped_w > 0.0)
        worst_w = max(worst_w, dropped_w)
        if dropped_w > 0.0 and state.case.kind == "loss":
            singles += state.case.size
    r = study.results.values_by_key
    yield from _same("states.outages", float(r["states.outages"].si), counts["outages"])
    yield from _same("states.dropping", float(r["states.dropping"].si), counts["dropping"])
    yield from _same("load_dropped.max", float(r["load_dropped.max"].si), worst_w, 1.0)
    yield from _same("single_points", float(r["single_points"].si), singles)
