"""The panelboards of a design once more: from the supplies of each rack to the currents of a panel.

Supplies share the input of their device; each outlet bank carries its cords; a circuit loads the
phases that its position names; currents are phasors of the load of each leg, added up one circuit
at a time. Every supply of every rack is lost once, whatever the program leaves out.
"""

from __future__ import annotations

import cmath
import math
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from facility.model.it import Device, Rack
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.groups import rack_names
from facility.study.design.design import Design

SQRT3 = math.sqrt(3.0)
CLOSE = 1e-7
_STRIDE = {"US": 2, "IEC": 1, "SINGLE": 1}
Legs = list[complex]


def _same(name: str, found: float, wanted: float, scale: float = 1e-3) -> Iterator[str]:
    if not abs(found - wanted) <= CLOSE * max(abs(found), abs(wanted), scale):
        yield f"{name}: {found!r}, by hand {wanted!r}"


# --- supplies ---------------------------------------------------------------------------------


def sized_w(device: Device, full_w: float, alive: int) -> float:
    """Return what the circuits of a device are sized for with so many supplies alive [W]."""
    psu = device.psu
    if alive == 0:
        return 0.0
    if psu is None or alive >= psu.needed:
        return full_w
    rated_w = alive * psu.rating_w
    if psu.capped is not None and alive >= psu.capped.supplies:
        return min(full_w, psu.capped.input_w * full_w / device.maximum_w, rated_w)
    return full_w if rated_w >= 0.9 * full_w else rated_w


def supply_va(rack: Rack, found: Design, dead: set[int]) -> list[complex]:
    """Return the power of each supply of a rack with some of them dead [VA]."""
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    factor = found.facility.it.demand_factor * (1.0 + found.facility.it.rack_pdu_loss_fraction)
    alive = Counter(s.device for n, s in enumerate(rack.supplies) if n not in dead)
    power = []
    for n, supply in enumerate(rack.supplies):
        if n in dead:
            power.append(0j)
            continue
        k = supply.device
        each_w = sized_w(devices[k], rack.device_w[k], alive[k]) * factor / alive[k]
        lag = math.tan(math.acos(rack.device_pf[k]))
        power.append(complex(each_w, each_w * lag))
    return power


def banks_of(rack: Rack, number: int, found: Design, states: list[list[complex]]) -> list[int]:
    """Return the outlet bank of each supply of a circuit: the heaviest first, to the lightest."""
    mine = [n for n, s in enumerate(rack.supplies) if s.circuit == number]
    if rack.circuits[number].poles != 3:
        return [0] * len(mine)
    feed = rack.circuits[number].feed
    ordinal = sum(c.feed == feed for c in rack.circuits[:number])
    for cords in found.panels.basis.cords:
        if (cords.rack, cords.feed, cords.number) == (rack.name, feed, ordinal):
            return list(cords.banks)
    worst = {n: max(abs(state[n]) for state in states) for n in mine}
    banks, filled = dict.fromkeys(mine, -1), [0.0, 0.0, 0.0]
    for n in sorted(mine, key=lambda n: -round(worst[n], 6)):
        if rack.device_phases[rack.supplies[n].device] == 1:
            lightest = min(range(3), key=lambda bank: round(filled[bank], 6))
            banks[n] = lightest
            filled[lightest] += worst[n]
    return [banks[n] for n in mine]


def legs_of(rack: Rack, number: int, power: list[complex], banks: list[int]) -> Legs:
    """Return the load of each outlet bank of a circuit [VA]; of one leg without banks."""
    mine = [n for n, s in enumerate(rack.supplies) if s.circuit == number]
    if rack.circuits[number].poles != 3:
        return [sum((power[n] for n in mine), 0j)]
    legs = [0j, 0j, 0j]
    for n, bank in zip(mine, banks, strict=True):
        for leg in range(3):
            legs[leg] += power[n] / 3.0 if bank < 0 else power[n] * (bank == leg)
    return legs


# --- currents ---------------------------------------------------------------------------------


def line_currents(legs: Legs, first: int, to_neutral: bool, v_ll: float) -> np.ndarray:
    """Return the phasors of lines A, B, C and the neutral that a circuit draws [A]."""
    volts = [v_ll / SQRT3 * cmath.exp(-2j * math.pi * k / 3.0) for k in range(3)]
    lines = [0j, 0j, 0j]
    for n, power in enumerate(legs):
        phase, other = (first + n) % 3, (first + n + 1) % 3
        if to_neutral:
            lines[phase] += (power / volts[phase]).conjugate()
        else:
            between = (power / (volts[phase] - volts[other])).conjugate()
            lines[phase] += between
            lines[other] -= between
    return np.array([*lines, sum(lines)])


def first_phase(panel: Panel, circuit: Circuit) -> int:
    """Return the phase of the first pole: rows of two in a US board, else one after the other."""
    if panel.numbering == "BUSWAY":
        assert circuit.tap_phase is not None
        return circuit.tap_phase
    assert circuit.position is not None
    return (circuit.position - 1) // _STRIDE[panel.numbering] % 3


def _on_lines(panel: Panel, circuit: Circuit, legs: Legs) -> np.ndarray:
    to_neutral = circuit.connection == "L-N"
    return line_currents(legs, first_phase(panel, circuit), to_neutral, panel.v_ll)


def _turned(circuit: Circuit, banks: Legs) -> Legs:
    return [banks[circuit.banks[pole]] for pole in range(3)] if circuit.poles == 3 else banks


# --- panels -----------------------------------------------------------------------------------


class RackLegs:
    """The legs of every circuit of one kind of rack: normally, a feed lost, a supply lost."""

    def __init__(self, rack: Rack, found: Design) -> None:
        self.rack = rack
        feeds = found.panels.basis.feeds
        dead = [{n for n, s in enumerate(rack.supplies) if s.feed == lost} for lost in feeds]
        states = [supply_va(rack, found, gone) for gone in (set[int](), *dead)]
        self.banks = [banks_of(rack, n, found, states) for n in range(len(rack.circuits))]
        self.by_state = [self._legs(power) for power in states]
        self.by_supply = [
            self._legs(supply_va(rack, found, {n})) for n in range(len(rack.supplies))
        ]

    def _legs(self, power: list[complex]) -> list[Legs]:
        return [legs_of(self.rack, n, power, banks) for n, banks in enumerate(self.banks)]

    def number(self, circuit: Circuit) -> int:
        """Return the number of a circuit among those of its rack."""
        on_feed = [n for n, one in enumerate(self.rack.circuits) if one.feed == circuit.side]
        return on_feed[circuit.ordinal]


def _imbalance(lines: np.ndarray) -> float:
    mean = float(lines.mean())
    return float(np.abs(lines - mean).max()) / mean if mean > 0.0 else 0.0


def panels_of_the_halls(found: Design) -> Iterator[str]:
    """Legs of every circuit, currents of every panel in every state, the largest of each."""
    plan, panels = found.facility.it, found.panels
    kinds = dict(rack_names(plan))
    racks = [RackLegs(rack, found) for rack in plan.racks]
    for p, panel in enumerate(panels.panels):
        size = np.zeros((len(panels.states), 4))
        own: dict[str, list[tuple[Circuit, RackLegs]]] = defaultdict(list)
        for circuit in panel.circuits:
            if circuit.rack in kinds:
                own[circuit.rack].append((circuit, racks[kinds[circuit.rack]]))
        for s, state in enumerate(panels.states):
            total = np.zeros(4, dtype=np.complex128)
            for circuit, legs in (one for members in own.values() for one in members):
                wanted = _turned(circuit, legs.by_state[s][legs.number(circuit)])
                for n, (leg, power) in enumerate(zip(wanted, circuit.power_va[s], strict=True)):
                    name = f"leg {n} of {circuit.id} in {panel.tag}, {state}"
                    yield from _same(name, abs(leg - power), 0.0, 100.0)
                total += _on_lines(panel, circuit, wanted)
            size[s] = np.abs(total)
            for line in range(4):
                name = f"line {line} of {panel.tag}, {state}"
                yield from _same(name, float(panels.line_a[p, s, line]), float(size[s, line]), 10.0)
        even = _imbalance(size[0, :3])
        yield from _same(f"imbalance of {panel.tag}", float(panels.imbalance[p]), even, 0.1)
        lost_a = _with_a_supply_lost(panel, own)
        most_a = max(float(size[:, :3].max()), lost_a)
        yield from _same(f"most of {panel.tag}", float(panels.current_max_a[p]), most_a)


def _with_a_supply_lost(panel: Panel, own: dict[str, list[tuple[Circuit, RackLegs]]]) -> float:
    """Return the largest line current with one supply of one rack dead [A]."""
    normal = {
        rack: sum(
            (
                _on_lines(panel, circuit, _turned(circuit, legs.by_state[0][legs.number(circuit)]))
                for circuit, legs in members
            ),
            np.zeros(4, dtype=np.complex128),
        )
        for rack, members in own.items()
    }
    whole, most_a = sum(normal.values(), np.zeros(4, dtype=np.complex128)), 0.0
    for rack, members in own.items():
        for number in range(len(members[0][1].by_supply)):
            after = whole - normal[rack]
            for circuit, legs in members:
                of_rack = legs.by_supply[number][legs.number(circuit)]
                after = after + _on_lines(panel, circuit, _turned(circuit, of_rack))
            most_a = max(most_a, float(np.abs(after[:3]).max()))
    return most_a


def branch_breakers(found: Design) -> Iterator[str]:
    """The breaker of a circuit is the smallest that its largest current permits."""
    panels, criteria = found.panels, found.facility.criteria
    continuous = 1.0 if panels.basis.listed_100 else criteria.continuous_factor
    factor = max(continuous, 1.0 / (1.0 - criteria.sized_drop))
    bus_a = min(panels.basis.bus_a, panels.basis.main_a)
    yield from _same("panels.limit", panels.limit_a, bus_a / continuous)
    racks = [RackLegs(rack, found) for rack in found.facility.it.racks]
    kinds, seen = dict(rack_names(found.facility.it)), set()
    for panel in panels.panels:
        for circuit in panel.circuits:
            kind = kinds.get(circuit.rack)
            if (
                kind is None
                or circuit.breaker_given
                or (kind, circuit.side, circuit.ordinal) in seen
            ):
                continue
            seen.add((kind, circuit.side, circuit.ordinal))
            legs = racks[kind]
            number, v_ll = legs.number(circuit), panel.v_ll
            worst_a = max(
                float(np.abs(line_currents(
                    state[number], 0, circuit.connection == "L-N", v_ll)[:3]).max())
                for state in (*legs.by_state, *legs.by_supply)
            )  # fmt: skip
            worst_a = max(worst_a, _shelves_a(legs.rack, number, v_ll))
            least_a = worst_a * factor * (1.0 - 1e-9)
            wanted = next(a for a in panels.basis.breaker_sizes_a if a >= least_a)
            yield from _same(f"breaker of {circuit.id}", circuit.breaker_a or 0.0, wanted)


def _shelves_a(rack: Rack, number: int, v_ll: float) -> float:
    """Return the rated current of the power shelves on a circuit [A]."""
    devices = [placed.device for placed in rack.placed for _ in range(placed.count)]
    total_a = 0.0
    for supply in rack.supplies:
        psu = devices[supply.device].psu
        if supply.circuit == number and psu is not None and psu.phases == 3:
            rated_w = min(psu.rating_w, devices[supply.device].maximum_w)
            total_a += rated_w / psu.power_factor / (SQRT3 * v_ll)
    return total_a


def racks_on_panels(found: Design) -> Iterator[str]:
    """Every circuit of every rack hangs on one panel of its feed; the panels are filled evenly.

    A panel carries no more than its limit at the lowest voltage, and its breakers do not overlap.
    """
    plan, panels = found.facility.it, found.panels
    kinds, counted = dict(rack_names(plan)), Counter[tuple[int, str, int]]()
    for panel in panels.panels:
        taken: set[int] = set()
        for circuit in panel.circuits:
            if circuit.rack in kinds:
                counted[kinds[circuit.rack], circuit.side, circuit.ordinal] += 1
            if circuit.side and circuit.side != panel.side:
                yield f"{circuit.id}: of feed {circuit.side} on {panel.tag} of {panel.side}"
            if panel.numbering == "BUSWAY" or circuit.position is None:
                continue
            stride = _STRIDE[panel.numbering]
            poles = {circuit.position + stride * k for k in range(circuit.poles)}
            if poles & taken or max(poles) > panel.poles:
                yield f"{circuit.id} on {panel.tag}: poles {sorted(poles)}"
            taken |= poles
    wanted = Counter[tuple[int, str, int]]()
    for kind, rack in enumerate(plan.racks):
        ordinals = Counter[str]()
        for circuit in rack.circuits:
            wanted[kind, circuit.feed, ordinals[circuit.feed]] += rack.count
            ordinals[circuit.feed] += 1
    if counted != wanted:
        yield f"circuits on panels {counted}, of racks {wanted}"
    criteria, basis = found.facility.criteria, panels.basis
    continuous = 1.0 if basis.listed_100 else criteria.continuous_factor
    most_a = min(basis.bus_a, basis.main_a) / max(continuous, 1.0 / (1.0 - criteria.sized_drop))
    most_a = min(most_a, basis.transformer_a)
    for p, panel in enumerate(panels.panels):
        lines = panels.line_a[p, :, :3]
        if len(panel.circuits) > 1 and float(lines.max()) > most_a * (1.0 + CLOSE):
            yield f"{panel.tag}: {lines.max():.2f} A, filled to {most_a:.2f} A"
