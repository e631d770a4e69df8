"""Labels of the symbols of a one-line diagram, and their space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from facility.core.views import System, show
from facility.power.faults.impedances import DELTA_WYE
from facility.power.faults.of_network import highest_faults
from facility.power.feeders.schedule import Feeder
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Equipment, EquipmentKind, Network
from facility.power.ups.input_limit import LIMIT
from facility.report.drawings.one_line.parts import (
    BUSES,
    BYPASSES,
    SWITCHES,
    THROW_MM,
    symbol_reach,
)
from facility.report.drawings.one_line.status import SHORT_WORDS, Status
from facility.report.drawings.one_line.tree import SymbolGroup, Tree
from facility.report.drawings.text import LINE, TEXT_MM, fitted, text_width, wrapped
from facility.study.design.design import Design
from facility.study.distribution.study import Distribution


@dataclass(frozen=True)
class Facts:
    """Data of the symbol labels."""

    # Maximum available fault current of any source by tag, if known [A].
    fault_a: Mapping[str, float] = field(default_factory=dict)
    # Vector group and impedance of a transformer, input-current limit of a UPS, by tag.
    plates: Mapping[str, str] = field(default_factory=dict)
    # Rating of the overcurrent device by tag of the circuit [A].
    devices_a: Mapping[str, float] = field(default_factory=dict)
    # Trip functions of an electronic trip unit by tag of the circuit, e.g. "LSIG".
    trips: Mapping[str, str] = field(default_factory=dict)
    # Method of arc energy reduction at large devices; empty if none.
    arc_energy: str = ""
    # Relay pickup and cable at medium voltage, by tag of the circuit.
    relays: Mapping[str, str] = field(default_factory=dict)
    # Number of equal parallel circuits a circuit represents, by tag, if several.
    runs: Mapping[str, int] = field(default_factory=dict)
    # Cooling and building load by tag of the supplying bus, each with the tag of its circuit.
    loads: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    # Cooling units by the tag of their load, e.g. "2 CH, 3 CT".
    units: Mapping[str, str] = field(default_factory=dict)
    # Why some equipment has no fault current; empty if all have one.
    unknown_faults: str = "No fault currents: they are not evaluated without a design."


NO_FACTS = Facts()


def facts_of(design: Design) -> Facts:
    """Return the label data of a design."""
    found = design.distribution
    fault_a = highest_faults(found.faults)
    unknown = any(
        one.tag not in fault_a
        for one in found.plan.network.equipment
        if one.kind in ("utility", "mv-switchgear", "generator-bus", "lv-board", "panel", "busway")
    )
    why = (
        "Buses without a fault current are not evaluated: the utility fault level is not "
        "specified, or an upstream impedance is unknown."
    )
    feeders = found.feeders.feeders
    runs = {f.circuit.tag: f.circuit.runs for f in feeders if f.circuit.runs > 1}
    trips = {f.circuit.tag: f.trip for f in feeders if f.trip is not None}
    return Facts(
        fault_a,
        _plates(design),
        found.feeders.device_a,
        {tag: trip.functions for tag, trip in trips.items() if trip.functions != "TM"},
        next((trip.arc_energy for trip in trips.values() if trip.arc_energy), ""),
        _relays(found),
        runs,
        _loads_on(feeders),
        _cooling_units(found),
        why if unknown else "",
    )


def _plates(design: Design) -> dict[str, str]:
    chain, transformers = design.chain.chain, design.chain.transformers.unit
    step_up, network = design.chain.generators.step_up, design.distribution.plan.network
    plates = {}
    limit = design.electrical.results.get(LIMIT)
    for one in network.equipment:
        raised = one.links and network[one.links[0].source].kind == "generator-plant"
        if one.kind == "transformer" and raised and step_up is not None:
            part = show(step_up.impedance, "fraction", digits=2)
            plates[one.tag] = f"{DELTA_WYE}, Z {part}"
        elif one.kind == "transformer":
            group = f"{chain.transformer.vector_group}, " if chain.transformer.vector_group else ""
            resistor_a = chain.transformer.grounding_a
            neutral = "" if resistor_a is None else f", neutral {resistor_a:g} A"
            part = show(transformers.impedance, "fraction", digits=2)
            plates[one.tag] = f"{group}Z {part}{neutral}"
        elif one.kind == "pdu" and design.chain.pdus is not None:
            plates[one.tag] = f"Z {show(design.chain.pdus.unit.impedance, 'fraction', digits=2)}"
        elif one.kind == "ups" and limit is not None:
            each = " each" if len(one.unit_tags) > 1 else ""
            limited = show(float(limit.si), "current", digits=0)
            plates[one.tag] = f"input limit {limited}{each}"
    return plates


def _loads_on(feeders: Sequence[Feeder]) -> dict[str, list[tuple[str, str]]]:
    loads: dict[str, list[tuple[str, str]]] = {}
    for feeder in feeders:
        if feeder.circuit.stage == "mechanical":
            on_bus = loads.setdefault(feeder.circuit.source, [])
            on_bus.append((feeder.circuit.target, feeder.circuit.tag))
    return loads


def _relays(found: Distribution) -> dict[str, str]:
    pickup_a = found.feeders.pickup_a
    return {
        f.circuit.tag: f"pickup {pickup_a[f.circuit.tag]:,.0f} A, {f.choice.label}"
        for f in found.feeders.feeders
        if f.choice is not None and f.circuit.tag in pickup_a
    }


def _cooling_units(found: Distribution) -> dict[str, str]:
    counts: dict[str, Counter[str]] = {}
    for board in found.mechanical.boards:
        on_load = counts.setdefault(board.load, Counter())
        on_load.update({unit.units.tag: count for unit, count in board.units})
    return {tag: ", ".join(f"{n} {one}" for one, n in c.items()) for tag, c in counts.items()}


MAX_LABEL_MM = 34.0
"""Longest line next to a symbol."""
ONWARD_MM = 36.0
"""Longest line where a wire continues on other sheets."""
ONWARD_LINES = 2
_TAG_LINES = 2
_UNIT_LINES = 3
_BYPASS_WORDS: dict[Status, str] = {"bypass": "in use", "overloaded": "overload", "dead": "dead"}
_OWN_WORDS: dict[EquipmentKind, dict[Status, str]] = {
    "static-bypass": _BYPASS_WORDS,
    "maintenance-bypass": _BYPASS_WORDS,
    "generator-plant": {"open": "not running"},
    "ups": {"bypass": "bypassed"},
}
_PLURALS = {"panel": "panels", "busway": "busways", "pdu": "PDUs", "sts": "STS"}
_WITH_VOLTAGE = (
    "utility",
    "mv-switchgear",
    "generator-bus",
    "lv-board",
    "ups-output",
    "panel",
    "busway",
    "pdu",
)
_WITH_FAULT = (
    "utility",
    "mv-switchgear",
    "generator-bus",
    "ats",
    "lv-board",
    "ups-output",
    "sts",
    "pdu",
    "panel",
    "busway",
)
_ON_ONE_LINE = ("utility", "mv-switchgear", "lv-board")
_MAX_LOADING = 10.0


@dataclass(frozen=True)
class Room:
    """Maximum width [mm] and line count of a label in any state."""

    width_mm: float
    lines: int


def state_lines(
    network: Network,
    group: SymbolGroup,
    flow: Flow,
    state: int,
    found: Sequence[Status],
    worst: Status,
    out: set[str],
) -> tuple[str, ...]:
    """Return loading, missing units and status of a group, in terms of its equipment type."""
    first = network.equipment[group.members[0]]
    lines = []
    loading = flow.loading[list(group.members), state]
    rated = first.kind not in BYPASSES and np.any(np.isfinite(loading))
    if rated and np.nanmax(loading) > 0.0:
        lines.append(_loading(float(np.nanmax(loading)), len(group.members)))
    units = first.unit_tags
    missing = len(out.intersection(units)) if len(group.members) == 1 else 0
    if 0 < missing < len(units):
        lines.append(f"{missing} of {len(units)} out")
    if worst != "live":
        count = sum(status == worst for status in found)
        several = f"{count} of {len(found)} " if len(found) > 1 and count < len(found) else ""
        lines.append(several + _word(first.kind, worst))
    if group.kind in _ON_ONE_LINE and lines:
        return (", ".join(lines),)
    return tuple(lines)


def reference_lines(tag: str, sheet: int) -> tuple[str, ...]:
    """Return the text where a wire or bus comes from another sheet."""
    return fitted(f"from {tag}", MAX_LABEL_MM, bold=True), f"sheet {sheet}"


def onward_lines(sheets: Sequence[int], tags: Sequence[str]) -> tuple[str, ...]:
    """Return the text where a wire continues on other sheets, with first and last tag."""
    ranges: list[list[int]] = []
    for number in sorted(set(sheets)):
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    words = ", ".join("-".join(map(str, found)) for found in ranges)
    plural = "s" if len(set(sheets)) > 1 else ""
    text = f"to sheet{plural} {words}"
    if text_width(text, bold=True) > ONWARD_MM:
        text = f"to sheets in {min(sheets)}-{max(sheets)}"
    named = tags[0] if len(tags) == 1 else f"{tags[0]} … {tags[-1]}"
    return fitted(text, ONWARD_MM, bold=True), fitted(named, ONWARD_MM)


def _ratings(one: Equipment, system: System) -> Iterator[str]:
    """Yield nameplate data: units and rating, voltage and current."""
    units = len(one.unit_tags)
    count = f"{units} x " if units > 1 else ""
    if one.rating_va is not None:
        yield count + show(one.rating_va, "apparent_power", system, digits=0)
    named = one.kind in _WITH_VOLTAGE
    parts = [show(one.voltage_v, "line_voltage", system)] if named else []
    if one.rating_a is not None:
        parts.append(count + show(one.rating_a, "current", system, digits=0))
    if parts:
        yield ", ".join(parts)


def _loading(loading: float, members: int) -> str:
    several = "up to " if members > 1 else ""
    if loading >= _MAX_LOADING:
        return f"above {show(_MAX_LOADING, 'fraction', digits=0)}"
    return several + show(loading, "fraction")


def _word(kind: EquipmentKind, status: Status) -> str:
    return _OWN_WORDS.get(kind, {}).get(status, SHORT_WORDS[status])


def _longest(network: Network, group: SymbolGroup) -> Iterator[str]:
    """Yield the widest line of each type returned by `state_lines`."""
    first, members = network.equipment[group.members[0]], len(group.members)
    rated = first.rating_va is not None or first.rating_a is not None or first.rating_w is not None
    if rated and group.kind not in BYPASSES:
        lines = (_loading(9.994, members), _loading(_MAX_LOADING, members))
        yield max(lines, key=text_width)
    units = len(first.unit_tags)
    if members == 1 and units > 1:
        yield f"{units} of {units} out"
    several = f"{members} of {members} " if members > 1 else ""
    yield several + max(
        (_word(group.kind, status) for status in _possible(group.kind)), key=text_width
    )


def _possible(kind: EquipmentKind) -> Iterator[Status]:
    """Yield the possible statuses of a type; bypasses and equipment upstream of UPS have fewer."""
    upstream = kind in (
        "utility",
        "generator-plant",
        "mv-switchgear",
        "transformer",
        "generator-bus",
        "ats",
        "lv-board",
    )
    for status in SHORT_WORDS:
        riding = status in ("battery", "bypass")
        if not (upstream and riding) and not (kind in BYPASSES and status == "battery"):
            yield status


PAD_MM = 0.8
"""Free space at each side of a column, so that two labels are twice as far apart."""
BUS_END_MM = 4.0
"""Extension of a bus beyond its last wire."""
SIDE_LABEL_MM = 1.5
"""Distance of a label from its symbol."""
DEVICE_TEXT_MM = 1.9
"""Distance of the rating of a breaker from its wire."""
BYPASS_TEXT_MM = 1.2
REFERENCE_TEXT_MM = 2.8
"""Distance of a reference to another sheet from its arrow."""
_LANE_MM = 6.5
_MAX_SHEETS = 99


@dataclass(frozen=True)
class Input:
    """Input of a symbol: offset to the left of its centre, and label at its left."""

    way: int
    offset_mm: float
    text_mm: float


@dataclass(frozen=True)
class Slot:
    """Extent of a symbol with label and inputs to the left and right of its centre."""

    left_mm: float
    right_mm: float
    label_mm: float
    lines: int
    inputs: tuple[Input, ...]

    @property
    def label_height_mm(self) -> float:
        """Height of the label."""
        return self.lines * LINE * TEXT_MM


@dataclass(eq=False)
class DiagramScene:
    """Network with its labels; slots are independent of the state."""

    network: Network
    tree: Tree
    facts: Facts
    system: System
    _slots: dict[int, Slot] = field(default_factory=dict)

    def slot(self, n: int) -> Slot:
        """Return the space of a group."""
        if n not in self._slots:
            self._slots[n] = self._slot(n)
        return self._slots[n]

    def tag(self, n: int) -> str:
        """Return the tag used in references to a group."""
        return self.network.equipment[self.tree.groups[n].members[0]].tag

    def plate_lines(self, n: int) -> tuple[str, ...]:
        """Return tag, ratings and fault current of a group, independent of the state."""
        facts, group = self.facts, self.tree.groups[n]
        members = [self.network.equipment[m] for m in group.members]
        one, count = members[0], len(members)
        name = one.tag if count == 1 else f"{count} {_PLURALS.get(one.kind, one.kind)}"
        lines = list(wrapped(name, MAX_LABEL_MM, _TAG_LINES, bold=True))
        if one.kind in BYPASSES:
            return tuple(wrapped(name, MAX_LABEL_MM / 2.0, _TAG_LINES, bold=True))
        lines += _ratings(one, self.system)
        lines += [line for line in (facts.plates.get(one.tag),) if line]
        faults_a = [facts.fault_a.get(member.tag) for member in members]
        known = [fault_a for fault_a in faults_a if fault_a is not None]
        if one.kind in _WITH_FAULT and known and len(known) == len(faults_a):
            lines.append(f"Isc {max(known) / 1e3:,.2f} kA")
        return (*lines, *self._loads(one.tag))

    def _loads(self, tag: str) -> Iterator[str]:
        """Yield cooling and building load on a bus, each with its devices and cooling units."""
        for load, circuit in self.facts.loads.get(tag, ()):
            rating_a = self.facts.devices_a.get(circuit)
            device = "" if rating_a is None else self._counted(circuit) + self._rating(rating_a)
            device = f"{device} {self.facts.trips.get(circuit, '')}".strip()
            yield fitted(f"{load}, {device}" if device else load, MAX_LABEL_MM)
            yield from wrapped(self.facts.units.get(load, ""), MAX_LABEL_MM, _UNIT_LINES)

    def _counted(self, circuit: str) -> str:
        """Return the count text of equal parallel devices, if several."""
        several = self.facts.runs.get(circuit, 1)
        return f"{several} x " if several > 1 else ""

    def _rating(self, current_a: float) -> str:
        return show(current_a, "current", self.system, digits=0)

    def device(self, n: int, way: int) -> str | None:
        """Return rating and trip functions of the devices of a way.

        Empty if the rating is unknown; None without a device. At medium voltage: relay pickup and
        cable.
        """
        links = [self.network.equipment[m].links[way] for m in self.tree.groups[n].members]
        if not links[0].circuit:
            return None
        devices_a, relays = self.facts.devices_a, {self.facts.relays.get(x.circuit) for x in links}
        count = self._counted(links[0].circuit)
        if len(relays) == 1 and (relay := relays.pop()):
            return f"{count}({relay})" if count else relay
        known = [devices_a[link.circuit] for link in links if link.circuit in devices_a]
        if len(known) < len(links):
            return ""
        low, high = self._rating(min(known)), self._rating(max(known))
        rating = low if low == high else f"{low.removesuffix(' A')}-{high}"
        functions = dict.fromkeys(self.facts.trips.get(link.circuit, "") for link in links)
        words = "/".join(one for one in functions if one)
        return f"{count}{rating} {words}".rstrip()

    def reference_room(self, n: int) -> Room:
        """Return the label space of a bus that continues from another sheet."""
        width_mm, lines = self._reference(n)
        return Room(min(width_mm, MAX_LABEL_MM), lines)

    def _reference(self, n: int) -> tuple[float, int]:
        """Return width and lines of the reference to a group on another sheet."""
        lines = reference_lines(self.tag(n), _MAX_SHEETS)
        return max(text_width(line, bold=k == 0) for k, line in enumerate(lines)), len(lines)

    def _room(self, n: int) -> Room:
        """Return the label space of a group in the state that requires most."""
        plate, group = self.plate_lines(n), self.tree.groups[n]
        widths = [text_width(line, bold=n == 0) for n, line in enumerate(plate)]
        dynamic = list(_longest(self.network, group))
        if group.kind in _ON_ONE_LINE:
            dynamic = [", ".join(dynamic)]
        return Room(max([*widths, *map(text_width, dynamic)]), len(plate) + len(dynamic))

    def _slot(self, n: int) -> Slot:
        group = self.tree.groups[n]
        room = self._room(n)
        left, _, right, _ = symbol_reach(group.kind)
        offset_mm = 1.2 if len(group.members) > 1 else 0.0
        inputs = self._inputs(n)
        lanes = [one.text_mm - one.offset_mm for one in inputs[1:]]
        if group.kind in BUSES:
            left = BUS_END_MM + max((-one.offset_mm for one in inputs), default=0.0)
            right = BUS_END_MM
        label_mm = BYPASS_TEXT_MM if group.kind in BYPASSES else right + offset_mm + SIDE_LABEL_MM
        if group.kind in BUSES:
            label_mm = SIDE_LABEL_MM
        rights = [right + offset_mm, label_mm + room.width_mm]
        if inputs and (text := self.device(n, inputs[0].way)):
            rights.append(DEVICE_TEXT_MM + text_width(text))
        return Slot(
            max([left, *lanes]) + PAD_MM, max(rights) + PAD_MM, label_mm, room.lines, inputs
        )

    def _inputs(self, n: int) -> tuple[Input, ...]:
        """Return the inputs of a symbol: the first from above, others at its left."""
        kind = self.tree.groups[n].kind
        found: list[Input] = []
        offset = 0.0
        for way in self.tree.ways(n):
            if found:
                step = THROW_MM if kind in SWITCHES and len(found) == 1 else _LANE_MM
                offset -= step + (found[-1].text_mm if len(found) > 1 else 0.0)
            found.append(Input(way, offset, self._lane_text_mm(n, way)))
        return tuple(found)

    def _lane_text_mm(self, n: int, way: int) -> float:
        width_mm, _ = self._reference(self.tree.groups[n].sources[way])
        device = self.device(n, way) or ""
        return max(REFERENCE_TEXT_MM + width_mm, DEVICE_TEXT_MM + text_width(device))
