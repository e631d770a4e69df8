"""The objects of a design and their order: power by system and lineup, halls by row, plant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from facility.cooling.loops.loop import LoopRow
from facility.core.errors import FacilityError
from facility.power.network.graph.types import Equipment, Network
from facility.report.drawings.live.card import kind_words
from facility.report.drawings.one_line.parts import BYPASSES
from facility.report.tables.summary import LOOP_NAMES
from facility.study.design.design import Design
from facility.study.design.rack_positions import HallLayout, RackPosition, hall_layouts

SITE, POWER, IT, COOLING, LOOPS = "SITE", "POWER", "IT", "COOLING", "LOOPS"
"""Ids of the objects that every design has."""
WHOLE = ("site", "power", "it", "cooling", "loops")
"""Kinds of the objects that represent a whole section."""
_PANELS = ("sts", "pdu", "panel", "busway")
_AT_UPS = (*BYPASSES, "ups-output")
_LOOP = "LOOP-"


@dataclass(frozen=True)
class DesignObject:
    """One object of a design.

    `id` is the tag on the drawings where the object has one. `tags` are the equipment of the power
    network that it is or contains.
    """

    id: str
    kind: str  # Kind of equipment in the network, or site, system, lineup, hall, rack, unit, ...
    words: str  # Name in the tree
    parent: str = ""  # Id; empty at the top
    about: str = ""  # What it is, one line
    tags: tuple[str, ...] = ()


class DesignObjects(Mapping[str, DesignObject]):
    """The objects of a design by id, in the order of the tree.

    design: The design.
    network: Its power network; None until it has been calculated.
    before: Network of an earlier design, whose equipment is listed until then.
    """

    def __init__(
        self, design: Design, network: Network | None, before: Network | None = None
    ) -> None:
        self.design = design
        self.network = network
        self._listed = before if network is None else network
        self._found: dict[str, DesignObject] = {}
        self._children: dict[str, list[str]] = defaultdict(list)
        for one in self._all():
            self._found.setdefault(one.id, one)
        for one in self._found.values():
            self._children[one.parent].append(one.id)

    def __getitem__(self, id: str) -> DesignObject:
        return self._found[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def children(self, id: str = "") -> tuple[str, ...]:
        """Return the ids directly below an object; without an id, the top level."""
        return tuple(self._children.get(id, ()))

    def path(self, id: str) -> tuple[str, ...]:
        """Return the ids from the top of the tree down to an object, itself included."""
        found: list[str] = []
        while id:
            found.append(id)
            id = self._found[id].parent
        return tuple(reversed(found))

    @property
    def lists_power(self) -> bool:
        """Whether the equipment of a power network is listed."""
        return self._listed is not None

    @cached_property
    def halls(self) -> Mapping[str, HallLayout]:
        """The halls with their racks, by name."""
        return {layout.hall.name: layout for layout in hall_layouts(self.design)}

    @cached_property
    def _racks(self) -> Mapping[str, RackPosition]:
        return {rack.name: rack for layout in self.halls.values() for rack in layout.racks}

    def rack(self, id: str) -> RackPosition:
        """Return a rack by its name."""
        return self._racks[id]

    def _all(self) -> Iterator[DesignObject]:
        site = self.design.facility.site.place or "Site"
        yield DesignObject(SITE, "site", site, about="Site, weather, tariff and project")
        yield DesignObject(POWER, "power", "Power", about="Power chain, utility to racks")
        if self._listed is not None:
            yield from _power(self._listed, list(self.design.chain.ups.systems))
        yield DesignObject(IT, "it", "IT", about="Servers, network and racks")
        for layout in self.halls.values():
            yield from _hall(layout)
        yield DesignObject(COOLING, "cooling", "Cooling", about="Heat, from the racks to outdoors")
        yield from self._plant()

    def _plant(self) -> Iterator[DesignObject]:
        for units in self.design.electrical_units:
            if units.installed:
                words = units.name[:1].upper() + units.name[1:]
                about = f"{units.installed:,} installed, {units.duty:,} on duty"
                yield DesignObject(units.tag, "units", words, COOLING, about)
        yield DesignObject(LOOPS, "loops", "Water loops", COOLING, "Pipes, heads and volumes")
        for loop in self._loops():
            words = LOOP_NAMES[loop.name]
            words = words[:1].upper() + words[1:]
            yield DesignObject(f"{_LOOP}{loop.name}", "loop", words, LOOPS, loop.title)

    def _loops(self) -> tuple[LoopRow, ...]:
        try:
            return self.design.hydraulics.loops
        except FacilityError:  # the checks report it
            return ()


def loop_name(one: DesignObject) -> str:
    """Return the name of a water loop in results: tcs, fws, fws_tower, chw or cw."""
    return one.id.removeprefix(_LOOP)


def _hall(layout: HallLayout) -> Iterator[DesignObject]:
    hall, rows = layout.hall.name, defaultdict[int, list[str]](list)
    count = f"{len(layout.racks):,} racks in {layout.rows} row{'s' if layout.rows > 1 else ''}"
    yield DesignObject(hall, "hall", hall, IT, count)
    for rack in layout.racks:
        rows[rack.row].append(rack.name)
    for row in rows:
        id = f"{hall}/row {row + 1}"
        yield DesignObject(id, "row", f"Row {row + 1}", hall, f"Row {row + 1} of {hall}")
    for rack in layout.racks:
        parent = f"{hall}/row {rack.row + 1}"
        yield DesignObject(rack.name, "rack", rack.name, parent, f"Rack, type {rack.kind.name}")


def _power(network: Network, systems: list[str]) -> Iterator[DesignObject]:
    """Yield the equipment: shared by all systems, of a system, of a lineup, below a UPS."""
    lineups = _lineups(network)
    of_system = {ups: _system(ups, systems) for ups in dict.fromkeys(sum(lineups.values(), ()))}
    below: dict[str, list[Equipment]] = defaultdict(list)
    whole: dict[str, list[str]] = defaultdict(list)
    for one in network.equipment:
        if one.kind == "rack-pdu":
            continue
        ups = lineups.get(one.tag, ())
        names = {of_system[unit] for unit in ups}
        if len(names) == 1:
            (name,) = names
            at = _lineup_id(ups[0]) if len(ups) == 1 else _system_id(name)
            whole[_system_id(name)].append(one.tag)
            if len(ups) == 1:
                whole[_lineup_id(ups[0])].append(one.tag)
        else:
            at = POWER
        below[at].append(one)
    yield from _listed(below[POWER], POWER)
    for name in systems:
        id = _system_id(name)
        if not whole[id]:
            continue
        about = f"UPS system {name}"
        yield DesignObject(id, "system", f"System {name}", POWER, about, tuple(whole[id]))
        yield from _listed(below[id], id)
        units = [unit for unit, system in of_system.items() if system == name]
        for unit in units:
            line = _lineup_id(unit)
            if len(units) == 1:
                yield from _listed(below[line], id)
                continue
            words, tags = f"Lineup {unit.removeprefix('UPS-')}", tuple(whole[line])
            yield DesignObject(line, "lineup", words, id, f"{words}, {about}", tags)
            yield from _listed(below[line], line)


def _listed(found: Iterable[Equipment], parent: str) -> Iterator[DesignObject]:
    """Yield equipment below an object, outputs and bypasses below their UPS, panels in a group."""
    ups, panels = "", list[Equipment]()
    for one in found:
        if one.kind in _PANELS:
            panels.append(one)
            continue
        at = ups if ups and one.kind in _AT_UPS else parent
        ups = one.tag if one.kind == "ups" else ups
        yield _equipment(one, at)
    if panels:
        id = f"{parent}/panels"
        tags = tuple(one.tag for one in panels)
        yield DesignObject(id, "panels", "Panels", parent, f"{len(tags):,} fed from here", tags)
        for one in panels:
            yield _equipment(one, id)


def _equipment(one: Equipment, parent: str) -> DesignObject:
    kind = kind_words(one.kind)
    words = {"UTIL": "Utility", "GEN": "Generators"}.get(one.tag, one.tag)
    return DesignObject(one.tag, one.kind, words, parent, kind, (one.tag,))


def _lineups(network: Network) -> Mapping[str, tuple[str, ...]]:
    """Return the UPS upstream or downstream of each piece of equipment by preferred sources."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    own: dict[str, tuple[str, ...]] = {}
    for one in network.equipment:  # upstream before downstream
        if one.kind == "ups":
            own[one.tag] = (one.tag,)
            at = one
            while at.links:
                at = network[at.links[0].source]
                found[at.tag][one.tag] = None
        elif one.links:
            own[one.tag] = own.get(one.links[0].source, ())
            if one.kind in BYPASSES:
                unit = one.tag.partition("-")[2]
                own[one.tag] = (f"UPS-{unit}",) if f"UPS-{unit}" in network.index else ()
        else:
            own[one.tag] = ()
    return {one.tag: tuple(found.get(one.tag, {})) or own[one.tag] for one in network.equipment}


def _system(ups: str, systems: Iterable[str]) -> str:
    unit = ups.removeprefix("UPS-")
    return max((name for name in systems if unit.startswith(name)), key=len, default="")


def _system_id(name: str) -> str:
    return f"SYSTEM-{name}"


def _lineup_id(ups: str) -> str:
    return f"LINEUP-{ups.removeprefix('UPS-')}"
