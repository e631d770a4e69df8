"""The power flow of a designed network once more: one piece of equipment at a time, in volts.

The program sweeps over arrays of all states, per unit, level by level. Here each state is a
dictionary of phase voltages and currents in volts and amperes, gone through in the order of the
network: Kirchhoff's laws, Ohm's law and the loads, repeated until nothing changes.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from facility.power.network.flow.solve import Flow, solve
from facility.power.network.graph.types import Cord, Equipment, Link, Load, Network, Outage
from facility.study.design.design import Design

SQRT3 = math.sqrt(3.0)
TURN = np.exp(-2j * np.pi / 3.0 * np.arange(3))
CLOSE = 2e-7
_ROUNDS = 60


def outages_of(network: Network) -> list[Outage]:
    """Return states that each take another way: one unit of every kind, a circuit of every kind."""
    first: dict[str, Outage] = {}
    for one in network.equipment:
        tag = one.unit_tags[-1]
        first.setdefault(one.kind, Outage(f"loss of {tag}", (tag,)))
        for link in one.links:
            if link.circuit:
                kind = f"circuit to {one.kind}"
                first.setdefault(kind, Outage(f"loss of {link.circuit}", (link.circuit,)))
    return [Outage("normal"), *first.values()]


@dataclass
class State:
    """One state: what is alive, by which way, and the phasors."""

    units: dict[str, int] = field(default_factory=dict)
    way: dict[str, Link | None] = field(default_factory=dict)
    number: dict[str, int] = field(default_factory=dict)
    live: dict[str, bool] = field(default_factory=dict)
    guarded: dict[str, bool] = field(default_factory=dict)
    battery: set[str] = field(default_factory=set)
    volts: dict[str, np.ndarray] = field(default_factory=dict)
    out: dict[str, np.ndarray] = field(default_factory=dict)
    through: dict[str, np.ndarray] = field(default_factory=dict)
    taken: dict[str, np.ndarray] = field(default_factory=dict)
    cords: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)
    alive: dict[tuple[str, int], bool] = field(default_factory=dict)


def transferred(network: Network, outage: Outage, batteries: bool) -> State:
    """Each takes the first of its ways that is alive; a static switch one behind a converter."""
    out, state = set(outage.out), State()
    for one in network.equipment:
        tag = one.tag
        units = sum(unit not in out for unit in one.unit_tags) if tag not in out else 0
        ways = [
            (n, link)
            for n, link in enumerate(one.links)
            if units and state.live[link.source] and link.circuit not in out
        ]
        if one.kind == "sts":
            ways.sort(key=lambda way: not state.guarded[way[1].source])
        way = ways[0] if ways else None
        state.units[tag], state.way[tag] = units, way[1] if way else None
        state.number[tag] = way[0] if way else -1
        state.live[tag] = units > 0 and (way is not None or not one.links)
        state.guarded[tag] = way is not None and state.guarded[way[1].source]
        if one.converter is not None:
            if units and way is None and batteries:
                state.battery.add(tag)
            state.live[tag] = units > 0 and (way is not None or batteries)
            state.guarded[tag] = state.live[tag]
    for load in network.loads:
        for n, cord in enumerate(load.cords):
            link = cord.link
            state.alive[load.tag, n] = state.live[link.source] and link.circuit not in out
    return state


def _live_set(load: Load, state: State) -> int:
    return sum(2**n for n in range(len(load.cords)) if state.alive[load.tag, n])


def _drawn(load: Load, number: int, cord: Cord, volts: np.ndarray, state: State) -> np.ndarray:
    """Return the line currents of a cord at the voltage of its end [A]."""
    amperes = np.zeros(3, dtype=np.complex128)
    if not state.alive[load.tag, number]:
        return amperes
    row = _live_set(load, state)
    legs, pairs = load.kind.neutral_va[row, number], load.kind.pair_va[row, number]
    for leg, phase in enumerate(cord.phases):
        amperes[phase] += np.conj(legs[leg] / volts[phase])
        other = cord.phases[(leg + 1) % 3]
        between = np.conj(pairs[leg] / (volts[phase] - volts[other]))
        amperes[phase] += between
        amperes[other] -= between
    return amperes


def _ohm(link: Link) -> complex:
    return complex(link.resistance_ohm, link.reactance_ohm)


def _own_ohm(one: Equipment, state: State) -> complex:
    return complex(one.resistance_ohm, one.reactance_ohm) / max(1, state.units[one.tag])


def _nominal(network: Network, tag: str) -> float:
    return network[tag].voltage_v / SQRT3


def _converter_loss(one: Equipment, units: int, output_w: float) -> float:
    assert one.converter is not None
    assert one.rating_w is not None
    whole_w = units * one.rating_w
    x, by = output_w / whole_w, one.converter
    return whole_w * (by.constant + by.linear * x + by.quadratic * x**2)


def _input(one: Equipment, state: State, volts: np.ndarray, network: Network) -> np.ndarray:
    """Return what a piece of equipment takes from the circuit that feeds it [A]."""
    through, way = state.through[one.tag], state.way[one.tag]
    if way is None:
        return np.zeros(3, dtype=np.complex128)
    if one.converter is not None:
        if one.tag in state.battery:
            return np.zeros(3, dtype=np.complex128)
        output_w = float((state.volts[one.tag] * state.out[one.tag].conj()).real.sum())
        given_w = output_w + _converter_loss(one, state.units[one.tag], output_w)
        factor = one.converter.input_power_factor
        lag = math.sqrt(1.0 - factor**2) / factor
        terminals = volts - _ohm(way) * state.taken.get(one.tag, np.zeros(3))
        first = (terminals / TURN).mean()
        return np.conj(given_w * complex(1.0, lag) / 3.0 / first) * TURN
    ratio = one.voltage_v / network[way.source].voltage_v
    if not one.delta_wye:
        return through * ratio
    step = cmath.exp(-1j * math.pi / 6.0) / SQRT3
    return step * (through - np.roll(through, -1)) * ratio


def solved(network: Network, state: State) -> State:
    """Return the state with its voltages and currents."""
    by_source: dict[str, list[tuple[Load, int, Cord]]] = {}
    for load in network.loads:
        for n, cord in enumerate(load.cords):
            by_source.setdefault(cord.link.source, []).append((load, n, cord))
    for one in network.equipment:
        state.volts[one.tag] = _nominal(network, one.tag) * TURN
    before = 0.0
    for _ in range(_ROUNDS):
        _currents_up(network, state, by_source)
        _voltages_down(network, state)
        now = float(sum(np.abs(volts).sum() for volts in state.volts.values()))
        if abs(now - before) <= 1e-13 * now:
            break
        before = now
    return state


def _currents_up(
    network: Network, state: State, by_source: dict[str, list[tuple[Load, int, Cord]]]
) -> None:
    drawn = {one.tag: np.zeros(3, dtype=np.complex128) for one in network.equipment}
    for one in reversed(network.equipment):
        tag = one.tag
        for load, n, cord in by_source.get(tag, ()):
            amperes = state.cords.get((load.tag, n), np.zeros(3, dtype=np.complex128))
            for _ in range(3):
                end = state.volts[tag] - _ohm(cord.link) * amperes
                amperes = _drawn(load, n, cord, end, state)
            state.cords[load.tag, n] = amperes
            drawn[tag] += amperes
        state.out[tag] = drawn[tag]
        rated = 3.0 * _nominal(network, tag) ** 2
        shunt = one.no_load_w * state.units[tag] * state.live[tag] / rated
        state.through[tag] = drawn[tag] + shunt * state.volts[tag]
        way = state.way[tag]
        if way is not None:
            state.taken[tag] = _input(one, state, state.volts[way.source], network)
            drawn[way.source] += state.taken[tag]


def _voltages_down(network: Network, state: State) -> None:
    for one in network.equipment:
        tag, way = one.tag, state.way[one.tag]
        if way is None or one.converter is not None:
            state.volts[tag] = _nominal(network, tag) * TURN
            continue
        volts = state.volts[way.source] - _ohm(way) * state.taken[tag]
        ratio = one.voltage_v / network[way.source].voltage_v
        if one.delta_wye:
            step = cmath.exp(1j * math.pi / 6.0) / SQRT3
            volts = step * (volts - np.roll(volts, 1))
        state.volts[tag] = volts * ratio - _own_ohm(one, state) * state.through[tag]


def _loading(one: Equipment, state: State, output_w: np.ndarray) -> float | None:
    """Return the highest loading over the limits in kVA, A and kW; None where there is none."""
    units, most_a = state.units[one.tag], float(np.abs(state.through[one.tag]).max())
    found = []
    if one.rating_va is not None:
        found.append(SQRT3 * one.voltage_v * most_a / one.rating_va)
    if one.rating_a is not None:
        found.append(most_a / one.rating_a)
    if one.rating_w is not None:
        engine = one.kind == "generator-plant"
        limited_w = float(output_w.sum()) if engine else 3.0 * float(output_w.max())
        found.append(limited_w / one.rating_w)
    return max(found) / one.rating_left / units if found else None


def _same(name: str, found: float, wanted: float, scale: float = 0.0) -> Iterator[str]:
    if not abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted), scale):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def _of_equipment(network: Network, flow: Flow, s: int, state: State) -> Iterator[str]:
    for n, one in enumerate(network.equipment):
        tag = f"{one.tag} in {flow.outages[s].id}"
        if bool(flow.live[n, s]) != state.live[one.tag]:
            yield f"{tag}: live {flow.live[n, s]}"
            continue
        if not state.live[one.tag]:
            continue
        if flow.taken[n, s] != state.number[one.tag]:
            yield f"{tag}: way {flow.taken[n, s]}, by hand {state.number[one.tag]}"
        volts, amperes = state.volts[one.tag], state.out[one.tag]
        power = volts * amperes.conj()
        output_w = float(power.real.sum())
        yield from _same(f"output of {tag}", float(flow.output_w[n, s]), output_w, 1.0)
        va = abs(complex(power.sum()))
        yield from _same(f"kVA of {tag}", float(flow.output_va[n, s]), va, 1.0)
        lowest = float(np.abs(volts).min()) / _nominal(network, one.tag)
        yield from _same(f"voltage of {tag}", float(flow.voltage_pu[n, s]), lowest)
        for phase in range(flow.current_a.shape[1]):
            found_a = float(flow.current_a[n, phase, s])
            yield from _same(f"current of {tag}", found_a, abs(amperes[phase]), 1.0)
        if flow.neutral_a is not None:
            neutral_a = abs(complex(amperes.sum()))
            yield from _same(f"neutral of {tag}", float(flow.neutral_a[n, s]), neutral_a, 100.0)
        loss_w = 0.0
        if one.converter is not None:
            loss_w = _converter_loss(one, state.units[one.tag], output_w)
        elif one.links:
            squares = float((np.abs(state.through[one.tag]) ** 2).sum())
            loss_w = squares * _own_ohm(one, state).real
            per_volt = (
                one.no_load_w * state.units[one.tag] / (3.0 * _nominal(network, one.tag) ** 2)
            )
            loss_w += per_volt * float((np.abs(volts) ** 2).sum())
        yield from _same(f"loss of {tag}", float(flow.loss_w[n, s]), loss_w, 1.0)
        wanted, found = _loading(one, state, power.real), float(flow.loading[n, s])
        if wanted is None:
            if not math.isnan(found):
                yield f"loading of {tag}: {found!r} without a rating"
        else:
            yield from _same(f"loading of {tag}", found, wanted, 1e-3)


def _of_circuits(network: Network, flow: Flow, s: int, state: State) -> Iterator[str]:
    number = 0
    for one in network.equipment:
        for link in one.links:
            used = state.way[one.tag] is link
            amperes = state.taken[one.tag] if used else np.zeros(3)
            yield from _of_circuit(flow, number, s, link, amperes, network)
            number += 1
    for load in network.loads:
        for n, cord in enumerate(load.cords):
            amperes = state.cords[load.tag, n]
            yield from _of_circuit(flow, number, s, cord.link, amperes, network)
            number += 1


def _of_circuit(
    flow: Flow, number: int, s: int, link: Link, amperes: np.ndarray, network: Network
) -> Iterator[str]:
    tag = f"{link.circuit or link.source} in {flow.outages[s].id}"
    most_a = float(np.abs(amperes).max())
    yield from _same(f"current of {tag}", float(flow.circuit_a[number, s]), most_a, 1.0)
    loss_w = float((np.abs(amperes) ** 2).sum()) * link.resistance_ohm
    yield from _same(f"loss of {tag}", float(flow.circuit_loss_w[number, s]), loss_w, 1.0)
    if link.rating_a is not None:
        part = most_a / link.rating_a
        yield from _same(f"loading of {tag}", float(flow.circuit_loading[number, s]), part, 1e-3)


def _of_loads(network: Network, flow: Flow, s: int, state: State) -> Iterator[str]:
    for n, load in enumerate(network.loads):
        tag, row, kind = f"{load.tag} in {flow.outages[s].id}", _live_set(load, state), load.kind
        if flow.pattern[n, s] != row:
            yield f"{tag}: live cords {flow.pattern[n, s]}, by hand {row}"
            continue
        yield from _same(
            f"dropped of {tag}", float(flow.dropped_w[n, s]), float(kind.dropped_w[row])
        )
        served = float((kind.neutral_va[row] + kind.pair_va[row]).real.sum()) > 0.0
        on = [k for k in range(len(load.cords)) if state.alive[load.tag, k]]
        guarded = any(state.guarded[load.cords[k].link.source] for k in on)
        if bool(flow.unprotected[n, s]) != (served and not guarded):
            yield f"{tag}: unprotected {flow.unprotected[n, s]}, served {served}, {guarded}"
        if bool(flow.off[n, s]) != bool(kind.off[row]):
            yield f"{tag}: off {flow.off[n, s]}"
        least = min((_least(network, load, k, state) for k in on), default=math.nan)
        if on:
            yield from _same(f"voltage of {tag}", float(flow.load_voltage_pu[n, s]), least)


def _least(network: Network, load: Load, number: int, state: State) -> float:
    """Return the least voltage at the end of a cord, of the phases that it loads in any set."""
    cord = load.cords[number]
    tag = cord.link.source
    volts = state.volts[tag] - _ohm(cord.link) * state.cords[load.tag, number]
    used = set()
    for leg, phase in enumerate(cord.phases):
        if np.any(load.kind.neutral_va[:, number, leg]):
            used.add(phase)
        if np.any(load.kind.pair_va[:, number, leg]):
            used |= {phase, cord.phases[(leg + 1) % 3]}
    if network.balanced:
        used = {0}
    return min(float(abs(volts[p])) for p in used) / _nominal(network, tag)


def power_flow(found: Design) -> Iterator[str]:
    """Every voltage, current, loss and loading of the network, in many of its states."""
    plan = found.distribution.plan
    network, outages = plan.network, outages_of(plan.network)
    for batteries in (False, True):
        asked = outages if not batteries else [one for one in outages if "UTIL" in one.id.upper()]
        if not asked:
            continue
        flow = solve(plan.compiled, asked, batteries=batteries)
        for s, outage in enumerate(asked):
            state = solved(network, transferred(network, outage, batteries))
            yield from _of_equipment(network, flow, s, state)
            yield from _of_circuits(network, flow, s, state)
            yield from _of_loads(network, flow, s, state)
