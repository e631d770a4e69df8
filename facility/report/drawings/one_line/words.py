"""Labels of the symbols of a one-line diagram, and their space."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from facility.core.views import System, show
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Equipment, EquipmentKind, Link, Network
from facility.report.drawings.one_line.facts import DiagramFacts, Words
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
from facility.report.tables.names import tag_list

MAX_LABEL_MM = 34.0
"""Longest line next to a symbol."""
ONWARD_MM = 36.0
"""Longest line where a wire continues on other sheets."""
ONWARD_LINES = 2
_TAG_LINES = 2
_UNIT_LINES = 3
_PLATE_LINES = 3
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


def words_width(words: Words | None) -> float:
    """Return the width of the longest line [mm]; 0 without any."""
    return max((text_width(line) for _, line in words or ()), default=0.0)


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


def reference_lines(tag: str, sheet: int, name: Callable[[int], str] = str) -> tuple[str, ...]:
    """Return the text where a wire or bus comes from another sheet."""
    return fitted(f"from {tag}", MAX_LABEL_MM, bold=True), f"sheet {name(sheet)}"


def onward_lines(
    sheets: Sequence[int], tags: Sequence[str], name: Callable[[int], str] = str
) -> tuple[str, ...]:
    """Return the text where a wire continues on other sheets, with first and last tag."""
    ranges: list[list[int]] = []
    for number in sorted(set(sheets)):
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    words = ", ".join(_sheets(found, name) for found in ranges)
    plural = "s" if len(set(sheets)) > 1 else ""
    text = f"to sheet{plural} {words}"
    if text_width(text, bold=True) > ONWARD_MM:
        text = f"to sheets in {_sheets((min(sheets), max(sheets)), name)}"
    named = tags[0] if len(tags) == 1 else f"{tags[0]} … {tags[-1]}"
    return fitted(text, ONWARD_MM, bold=True), fitted(named, ONWARD_MM)


def _sheets(numbers: Sequence[int], name: Callable[[int], str]) -> str:
    """Return the first and the last of some sheets, the last without its discipline."""
    first, *last = (name(number) for number in (numbers[0], *numbers[-1:][: len(numbers) - 1]))
    return "-".join((first, *(one.rpartition("-")[2] for one in last)))


def _ratings(one: Equipment, voltage: str, system: System) -> Iterator[str]:
    """Yield nameplate data: units and rating, voltage and current."""
    units = len(one.unit_tags)
    count = f"{units} x " if units > 1 else ""
    if one.rating_va is not None:
        yield count + show(one.rating_va, "apparent_power", system, digits=0)
    named = one.kind in _WITH_VOLTAGE
    parts = [voltage] if named else []
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
DEVICE_TEXT_MM = 2.3
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
    facts: DiagramFacts
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

    def plate(self, n: int) -> Words:
        """Return tag, ratings and fault current of a group, independent of the state."""
        facts, group = self.facts, self.tree.groups[n]
        members = [self.network.equipment[m] for m in group.members]
        one, count = members[0], len(members)
        name = one.tag if count == 1 else f"{count} {_PLURALS.get(one.kind, one.kind)}"
        wide_mm = MAX_LABEL_MM / 2.0 if one.kind in BYPASSES else MAX_LABEL_MM
        lines = [("tag", line) for line in wrapped(name, wide_mm, _TAG_LINES, bold=True)]
        if count > 1 and facts.circuits:
            run = f"{one.tag} to {members[-1].tag}"
            tags = run if tag_list([m.tag for m in members]) == run else run.replace(" to ", " … ")
            lines += [("tags", line) for line in wrapped(tags, wide_mm, _TAG_LINES)]
        if one.kind in BYPASSES:
            return tuple(lines)
        voltage = facts.voltages.get(one.tag) or show(one.voltage_v, "line_voltage", self.system)
        lines += [("rating", line) for line in _ratings(one, voltage, self.system)]
        plate = facts.plates.get(one.tag, "")
        lines += [("plate", line) for line in wrapped(plate, MAX_LABEL_MM, _PLATE_LINES)]
        faults_a = [facts.fault_a.get(member.tag) for member in members]
        known = [fault_a for fault_a in faults_a if fault_a is not None]
        if one.kind in _WITH_FAULT and known and len(known) == len(faults_a):
            lines.append(("fault", f"Isc {max(known) / 1e3:,.2f} kA"))
        return (*lines, *(("load", line) for line in self._loads(one.tag)))

    def _loads(self, tag: str) -> Iterator[str]:
        """Yield cooling and building load on a bus, each with its devices and cooling units."""
        if self.facts.circuits:
            return
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

    def device(self, n: int, way: int) -> Words | None:
        """Return the lines at the devices of a way; None without a device.

        Rating and trip functions, empty if unknown; at medium voltage relay pickup and cable. Or
        the lines of `DiagramFacts.circuits` on which all circuits of a group agree.
        """
        members = [self.network.equipment[m] for m in self.tree.groups[n].members]
        links = [one.links[way] for one in members]
        circuits = [
            self.facts.circuits.get(x.circuit or one.tag, ())
            for x, one in zip(links, members, strict=True)
        ]
        if first := circuits[0]:
            return tuple(line for line in first if all(line in other for other in circuits))
        if not links[0].circuit:
            return None
        text = self._device(links)
        return (("device", text),) if text else ()

    def _device(self, links: Sequence[Link]) -> str:
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

    def loads(self, n: int) -> Sequence[tuple[str, str]]:
        """Return tag and circuit of the loads of a group that are drawn as symbols."""
        facts = self.facts
        return facts.loads.get(self.tag(n), ()) if facts.circuits else ()

    def load_plate(self, load: str) -> Words:
        """Return tag and cooling units of a load outside the network."""
        units = wrapped(self.facts.units.get(load, ""), MAX_LABEL_MM, _UNIT_LINES)
        tags = wrapped(load, MAX_LABEL_MM, _TAG_LINES, bold=True)
        return (*(("tag", line) for line in tags), *(("units", line) for line in units))

    def reference_room(self, n: int) -> Room:
        """Return the label space of a bus that continues from another sheet."""
        width_mm, lines = self._reference(n)
        return Room(min(width_mm, MAX_LABEL_MM), lines)

    def _reference(self, n: int) -> tuple[float, int]:
        """Return width and lines of the reference to a group on another sheet."""
        lines = reference_lines(self.tag(n), _MAX_SHEETS, self.facts.sheet_name)
        return max(text_width(line, bold=k == 0) for k, line in enumerate(lines)), len(lines)

    def _room(self, n: int) -> Room:
        """Return the label space of a group in the state that requires most."""
        plate, group = self.plate(n), self.tree.groups[n]
        widths = [text_width(line, bold=n == 0) for n, (_, line) in enumerate(plate)]
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
        if inputs:
            rights.append(DEVICE_TEXT_MM + words_width(self.device(n, inputs[0].way)))
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
        device_mm = words_width(self.device(n, way))
        return max(REFERENCE_TEXT_MM + width_mm, DEVICE_TEXT_MM + device_mm)
