"""Safe work condition of an isolated target: clauses by code, lockout points, tests, grounds.

The clauses name where each step is required; their order is the order of the code. Where the model
has no data on stored energy, control power or the neutral, the statement says what to look up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from facility.core.sources import Source
from facility.core.views import show
from facility.power.backup.voltages import LOW_VOLTAGE_V
from facility.power.network.build.mechanical import MechanicalBoard
from facility.study.isolation.actions import Phase, RouteView, SwitchingAction, listed
from facility.study.isolation.devices import DeviceData
from facility.study.isolation.topology import OWN_OUTPUT, IsolationTarget, Joint, Topology

CLAUSES = Source("isolation-clauses", verified="memory")
"""Origin of the clause numbers."""
_70E, _OSHA, _EN = "NFPA 70E 120.6", "OSHA 1910.333(b)(2)", "EN 50110-1"
US_CLAUSES: Mapping[Phase, str] = MappingProxyType(
    {
        "check": f"{_70E}(1)",
        "transfer": f"{_70E}(2)",
        "open": f"{_70E}(2)",
        "verify": f"{_70E}(3)",
        "discharge": f"{_70E}(4), (5)",
        "lock": f"{_70E}(6), {_OSHA}(iii)",
        "test": f"{_70E}(7), {_OSHA}(iv)",
        "ground": f"{_70E}(8)",
    }
)
"""Clause of each phase in the United States, in the order of the steps."""
IEC_CLAUSES: Mapping[Phase, str] = MappingProxyType(
    {
        "check": f"{_EN} 5.2",
        "transfer": f"{_EN} 5.2",
        "open": f"{_EN} 6.2.1",
        "discharge": f"{_EN} 6.2.1",
        "lock": f"{_EN} 6.2.2",
        "test": f"{_EN} 6.2.3",
        "ground": f"{_EN} 6.2.4",
        "adjacent": f"{_EN} 6.2.5",
    }
)
"""Clause of each phase elsewhere, in the order of the five safety rules."""
RESTORE_CLAUSES = {"NEC": f"{_OSHA}(v)", "IEC": f"{_EN} 6.2.7"}
"""Clause of the restoring steps by code."""
_LOCKED = re.compile("block|to manual|bypass .* interlocked|^Stop")


@dataclass(frozen=True, slots=True)
class IsolationPoint:
    """Point that is locked out and tagged."""

    tag: str  # Circuit or equipment
    location: str  # Where the device is
    device: str  # Rating and type, as far as the design has them
    supply: str  # What is on its other side, and its source in the final state


@dataclass(frozen=True, slots=True)
class Hazard:
    """Statement on back-feed, stored energy, neutral, control power, or live parts nearby."""

    topic: str
    at: str  # Equipment
    statement: str


class SafeWork:
    """What makes an isolated target safe to work on.

    data, topology: The devices of the design, and its connections.
    target, actions: What is isolated, and how.
    start, end: Starting and final state.
    """

    def __init__(
        self,
        data: DeviceData,
        topology: Topology,
        target: IsolationTarget,
        actions: Sequence[SwitchingAction],
        start: RouteView,
        end: RouteView,
    ) -> None:
        self.data, self.topology, self.target = data, topology, target
        self.design = design = data.design
        self.actions, self.start, self.end = actions, start, end
        self.us = design.facility.criteria.code == "NEC"
        self.clauses = US_CLAUSES if self.us else IEC_CLAUSES
        self.around = self._around()
        self.parts = topology.zone(target)
        if target.unit:
            tags = (target.unit, *target.partners)
            self.names = dict(zip(self.parts, tags, strict=False))
        else:
            self.names = {tag: tag for tag in self.parts}

    def _around(self) -> list[Joint]:
        """Return the connections that the target is isolated at, downstream first."""
        target, topology = self.target, self.topology
        if target.boards:
            return []
        if target.unit:
            return topology.connections(topology.zone(target))
        return topology.connections(target.members)

    def source_of(self, tag: str) -> str:
        """Return the supply of an element in the final state, as text; empty if it is dead."""
        network, topology = self.topology.network, self.topology
        if tag in topology.loads:
            number = topology.loads[tag]
            live = int(self.end.pattern[number])
            found = [c.source for c in topology.into[tag] if live >> c.choice & 1]
            return self.source_of(found[0]) if found else ""
        taken, live_rows = self.end.taken, self.end.live
        row = network.index[tag]
        if not live_rows[row]:
            return ""
        while taken[row] >= 0:
            tag = network.equipment[row].links[int(taken[row])].source
            row = network.index[tag]
        return tag

    @cached_property
    def points(self) -> tuple[IsolationPoint, ...]:
        """Points to lock out and tag."""
        return tuple(self._points())

    def _points(self) -> Iterator[IsolationPoint]:
        """Yield the points to lock out: every device opened, and every control blocked."""
        target, topology = self.target, self.topology
        inside, done = set(target.members), set[str]()
        for board in target.boards:
            if target.kind == "cooling unit":
                device = self.motor_device(board)
                yield IsolationPoint(f"motor circuit of {target.tag}", board.tag, device, board.tag)
                continue
            for source in board.sources:
                circuit = f"{source}>{board.load}"
                supply = f"{source}, live from {self.source_of(source)}"
                yield IsolationPoint(circuit, source, self.data.device(circuit), supply)
        for one in self.around:
            out = one.source in inside or one.source in self.parts
            other = one.target if out else one.source
            name = one.circuit or one.own
            if not name or (target.unit and one not in topology.runs(target.unit)):
                continue
            done.add(name)
            device = (
                self.data.device(one.circuit) if one.circuit else "output device, not in the model"
            )
            if target.unit:
                units = topology.network[target.of].unit_tags
                device = f"run {units.index(target.unit) + 1} of {len(units)}; {device}"
            at = one.device_end if one.circuit else one.own
            side = self.side(other) if other not in inside else "inside the isolated equipment"
            yield IsolationPoint(name, at, device, side)
        for action in self.actions:
            if target.boards:
                break
            battery = "battery" in action.location
            if battery or (action.phase == "transfer" and _LOCKED.search(action.text)):
                device = "battery breaker" if battery else "control and selector"
                yield IsolationPoint(action.devices[0], action.location, device, action.text)
            elif action.phase == "open" and done.isdisjoint(action.devices):
                tag = action.devices[0]
                device = "opened by the utility" if action.location == "utility" else "not in model"
                sides = [one.target for one in topology.out_of[target.of]] if target.unit else []
                supply = "; ".join(map(self.side, sides)) or action.text
                yield IsolationPoint(tag, action.location, device, supply)

    def side(self, tag: str) -> str:
        """Return an element beyond an open device, and its actual or possible source."""
        source = self.source_of(tag)
        if source:
            return f"{tag}, live from {source}"
        out = set(self.actions[-1].outage.out)
        inputs = [
            f"{c.source}, live from {self.source_of(c.source)}"
            for c in self.topology.into[tag]
            if c.circuit and c.circuit not in out and self.source_of(c.source)
        ]
        if tag not in self.target.members and inputs:
            return f"{tag}, off, its input on {'; '.join(inputs)}"
        return f"{tag}, dead"

    def motor_device(self, board: MechanicalBoard) -> str:
        """Return the device of the circuit of the cooling unit on a board."""
        for unit, _ in board.units:
            if unit.units.tag == self.target.of:
                return f"{show(unit.device.rating_a, 'current', digits=0)} motor circuit device"
        return "motor circuit device"

    def test_points(self) -> Iterator[str]:
        """Yield the points to test for absence of voltage, with their nominal voltage."""
        for board in self.target.boards:
            voltage = self.design.chain.chain.wiring.lv_voltage_v
            place = f" on {board.tag}" if board.tag != self.target.tag else " incoming terminals"
            yield f"{self.target.tag}{place} ({show(voltage, 'line_voltage')})"
        for tag in self.target.members:
            for cord in self.topology.into[tag] if tag in self.topology.loads else ():
                yield f"supply of {tag} from {cord.source}"
        for tag in self.parts:
            one = self.topology.network[tag]
            yield from (f"{name} ({show(v, 'line_voltage')})" for name, v in self.terminals(tag))
            if one.kind == "ups":
                volts = show(one.voltage_v, "line_voltage")
                yield f"{self.names[tag]} input terminals ({volts})"
                yield f"{self.names[tag]} DC link and battery terminals (DC)"

    def terminals(self, tag: str) -> Iterator[tuple[str, float]]:
        """Yield the terminals of isolated equipment, each with its nominal voltage [V]."""
        network = self.topology.network
        one, name = network[tag], self.names[tag]
        voltages = {network[link.source].voltage_v for link in one.links} - {one.voltage_v}
        for voltage in sorted(voltages, reverse=True):
            yield f"{name} incoming terminals", voltage
        yield f"{name} {_LIVE_PART.get(one.kind, 'busbar')}", one.voltage_v

    def mv_points(self) -> list[str]:
        """Return the points to ground: terminals of isolated equipment with medium voltage.

        Conductors beyond an open device belong to other equipment and are not grounded.
        """
        found = []
        for tag in self.parts:
            terminals = list(self.terminals(tag))
            if any(voltage > LOW_VOLTAGE_V for _, voltage in terminals):
                found += [name for name, _ in terminals]
        return found

    def ground_text(self, mv: Sequence[str]) -> str:
        """Return the step that grounds the target; `mv` are its medium-voltage points."""
        if mv:
            verb = "Ground" if self.us else "Earth and short-circuit"
            return f"{verb} all phases at: {'; '.join(mv)}."
        if self.us:
            return (
                "Low voltage: apply temporary grounds where induced voltage or stored energy is"
                " possible."
            )
        return (
            "Low voltage: earth and short-circuit where the installation could become live, e.g."
            " from a generator."
        )

    def steps(self) -> Iterator[tuple[Phase, str, tuple[str, ...], str]]:
        """Yield the steps after the last device is open: phase, text, devices, location."""
        opened = [tag for one in self.actions if one.phase == "open" for tag in one.devices]
        opened = list(dict.fromkeys(opened))
        points, tests, mv = self.points, list(self.test_points()), self.mv_points()
        stored = [one for one in self.hazards if one.topic == "Stored energy"]
        live = [one for one in self.hazards if one.topic == "Stays energized"]
        locks = tuple(one.tag for one in points)
        places = listed(list(dict.fromkeys(one.location for one in points)))
        names = listed(
            [
                f"{one.tag} at {one.location}"
                if one.location != one.tag
                else f"{one.tag} ({one.device})"
                for one in points
            ]
        )
        earth = "ground" if self.us else "earth"
        count = "1 point" if len(locks) == 1 else f"{len(locks)} points"
        texts: dict[Phase, tuple[str, tuple[str, ...], str]] = {
            "verify": (
                "Verify that every device is open: draw-out breakers in the disconnected position,"
                f" blades open where visible: {listed(opened) or self.target.tag}.",
                tuple(opened),
                places,
            ),
            "discharge": (
                f"Release stored energy: {'; '.join(f'{s.at}: {s.statement}' for s in stored)}."
                if stored
                else "Release stored energy: none in the model; look for springs and capacitors.",
                tuple(s.at for s in stored),
                "",
            ),
            "lock": (
                f"Lock out and tag {count}: {names}. Take control power off."
                if self.us
                else f"Secure {count} against re-connection: {names}. Take control power off.",
                locks,
                places,
            ),
            "test": (
                f"Test for absence of voltage, phase to phase and to {earth}, the tester checked"
                f" before and after: {'; '.join(tests)}.",
                (),
                self.target.tag,
            ),
            "ground": (self.ground_text(mv), (), self.target.tag if mv else ""),
            "adjacent": (
                f"Protect against adjacent live parts: {'; '.join(one.at for one in live)}."
                if live
                else "Protect against adjacent live parts, if any.",
                (),
                "",
            ),
        }
        for phase in self.clauses:
            if phase in texts:
                yield (phase, *texts[phase])

    @cached_property
    def hazards(self) -> tuple[Hazard, ...]:
        """Statements on what can still harm."""
        return tuple(self._hazards())

    def _hazards(self) -> Iterator[Hazard]:
        """Yield back-feed, stored energy, neutral, control power, and parts that stay energized."""
        yield from self._live_parts()
        for tag in self.parts:
            if tag in self.topology.loads:
                continue
            one = self.topology.network[tag]
            yield from self._of_kind(self.names[tag], one.kind, tag)
        if self.target.boards:
            yield Hazard(
                "Stored energy",
                self.target.tag,
                "capacitors of variable-frequency drives and motor devices: discharge time on the"
                " label; fluid under pressure and refrigerant",
            )
            yield Hazard(
                "Valves",
                self.target.tag,
                "isolation valves have no tags in the model: close and lock supply and return at"
                " the unit, vent and drain",
            )
        yield Hazard(
            "Control power",
            self.target.tag,
            "not in the model: voltage transformers, control supplies, heaters and interlock"
            " circuits may stay live from elsewhere",
        )

    def _live_parts(self) -> Iterator[Hazard]:
        inside, topology = set(self.target.members), self.topology
        seen = set[str]()
        for one in self.around:
            out = one.source in inside or one.source in self.parts
            other = one.target if out else one.source
            if other in inside or other in self.parts or one.plug or other in seen:
                continue
            seen.add(other)
            source = self.source_of(other)
            if source:
                line = one.circuit and not out and one.device_end in inside
                where = f"; line side of {one.circuit} in {one.device_end} too" if line else ""
                yield Hazard("Stays energized", other, f"from {source}{where}")
            elif "live" in (side := self.side(other)):
                yield Hazard("Stays energized", other, side.partition(", ")[2])
            others = [tag for tag in topology.supplies(other) if tag not in inside]
            if out and not self.target.unit and others:
                by = f"live from {source}" if source else "dead in this state"
                words = f"second supply {listed(others)}, {by}; beyond {one.circuit or one.own}"
                yield Hazard("Back-feed", other, words)
            elif out and topology.kind(other) in OWN_OUTPUT:
                words = "battery and bypasses behind it: back-feed protection not in the model"
                yield Hazard("Back-feed", other, words)
            elif topology.kind(other) in ("generator-plant", "generator-bus"):
                yield Hazard("Back-feed", other, f"generator supply of {one.target}")

    def _of_kind(self, name: str, kind: str, tag: str) -> Iterator[Hazard]:
        chain = self.design.chain.chain.transformer
        network = self.topology.network
        circuits = self.topology.plan.circuits
        if kind == "ups":
            yield Hazard("Stored energy", name, f"battery: {self._battery()}")
            yield Hazard(
                "Stored energy",
                name,
                "DC link capacitors: voltage and discharge time on the label (not in the model)",
            )
            fed = [circuits[c.circuit] for c in self.topology.into[tag] if c.circuit in circuits]
            yield Hazard(
                "Neutral",
                name,
                "continuous from the board: not separately derived, not switched in the model"
                if any(one.neutral for one in fed)
                else "three-wire: no neutral from the board",
            )
        elif kind in ("transformer", "pdu"):
            words = "vector group not stated as delta-wye: whether separately derived is not known"
            if network[tag].delta_wye:
                resistor_a = chain.grounding_a if kind == "transformer" else None
                earthed = "grounded" if self.us else "earthed"
                how = "solidly" if resistor_a is None else f"through a resistor, {resistor_a:,g} A,"
                words = f"separately derived at its secondary (delta-wye), neutral {how} {earthed}"
            yield Hazard("Neutral", name, words)
        for topic, words in _BY_KIND.get(kind, ()):
            yield Hazard(topic, name, words)

    def _battery(self) -> str:
        """Return block, strings and float voltage of the batteries of a UPS."""
        batteries = self.design.electrical.batteries
        bank = batteries.bank
        if bank is None:
            return f"not sized, {batteries.unknown}; DC voltage on the label"
        words = f"{bank.strings_per_set} strings of {bank.blocks_per_string} x {bank.block.model}"
        if bank.block.cells is None:
            return f"{words}; DC voltage not known (cells of a string), see its label"
        volts = bank.block.cells * bank.blocks_per_string * batteries.basis.string.float_v_per_cell
        return f"{words}, {show(volts, 'dc_voltage', digits=0)} float; live at the strings"


_LIVE_PART = {
    "transformer": "secondary terminals",
    "pdu": "secondary terminals",
    "generator-plant": "generator terminals",
    "ups": "output terminals",
    "static-bypass": "terminals",
    "maintenance-bypass": "terminals",
    "ats": "load terminals",
    "sts": "load terminals",
    "utility": "service terminals",
    "rack-pdu": "inlet",
}

_SPRINGS = ("Stored energy", "closing springs of draw-out breakers: discharge (not in the model)")
_POLES = ("Neutral", "poles not stated: whether the neutral is switched is not a project input")
_BY_KIND: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "ats": (_POLES,),
        "sts": (_POLES,),
        "generator-plant": (
            (
                "Stored energy",
                "start batteries, fuel, hot coolant; residual voltage while it turns",
            ),
            (
                "Neutral",
                "its grounding at the set, and whether it is switched, are not project inputs",
            ),
        ),
        "mv-switchgear": (_SPRINGS,),
        "lv-board": (_SPRINGS,),
        "generator-bus": (_SPRINGS,),
        "ups-output": (_SPRINGS,),
    }
)
"""Statements that hold for a kind of equipment, by topic."""
