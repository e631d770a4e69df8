"""Equipment, sensor locations and IT devices that have points, with their location."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from facility.cooling.room.study import cold_aisles
from facility.model.power.mechanical import CoolingUnits
from facility.power.network.build.facility import HOUSE
from facility.study.design.design import Design
from facility.study.design.rack_positions import HallLayout, RackPosition, hall_layouts
from facility.study.points.limits import branch_tag, metered_branches
from facility.study.points.schedule import SCHEDULE

EVERY_RACK = 3
"""Inlet sensors are at every third rack of a row, at three heights: TC 9.9, as in the sensor
schedule of the air path."""
HEIGHTS = ("bottom", "middle", "top")
_PREFIXES = {
    "CH": "chiller",
    "COMP": "compressor",
    "CDU": "cdu",
    "CT": "rejection",
    "DC": "rejection",
}
_THREE_PHASES = 3
GENERATORS = ("generator-plant", "generator-bus")
"""Sources of standby power."""
_BALANCED = {"hall", "row", "rack", "server", "gpu"}


@dataclass(frozen=True)
class MonitoredItem:
    """Equipment, group of equipment or sensor location with points of its own."""

    tag: str  # Unique within its class
    equipment: str  # Class, key of the schedule of quantities
    hall: str = ""
    row: str = ""
    rack: str = ""
    fed_from: str = ""  # Tag of the normal supply
    # Name by which limits are equal: the type of a rack, the model of a device; empty for others.
    key: str = ""
    voltage_v: float | None = None  # Nominal line-to-line voltage
    rated: bool = True  # Whether its rating is known, to which a loading refers
    standby: bool = False  # Whether it is a generator set, or is fed from one
    count: int = 1  # Identical instances of each point: GPUs of a server
    # Tags of the network loads of a rack, a row, a hall or a board.
    loads: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()  # Supplies of a mechanical or building board, the normal first
    units: CoolingUnits | None = field(default=None, compare=False)  # Cooling units of its type

    @property
    def quantities(self) -> tuple[str, ...]:
        """Quantities of its points."""
        found = SCHEDULE[self.equipment]
        left_out = {"not_ready"} if not self.standby else set()
        left_out |= {"loading"} if not self.rated else set()
        return tuple(one for one in found if one not in left_out)

    @property
    def limit_keys(self) -> tuple[str, str]:
        """Names by which its limits are found: its tag, and its type or model."""
        return self.tag, self.key


def monitored(design: Design) -> Iterator[MonitoredItem]:
    """Yield everything with points, facility first, then supply, distribution, halls, cooling."""
    yield MonitoredItem("FACILITY", "facility")
    yield MonitoredItem("OUTDOOR", "outdoor")
    layouts = hall_layouts(design)
    yield from _network(design, layouts)
    door = design.cooling.chain.crah.path.door is not None
    for layout in layouts:
        yield from _hall(layout, door)
    only = layouts[0].hall.name if len(layouts) == 1 else ""
    yield from _cooling(design, only)


def _network(design: Design, layouts: tuple[HallLayout, ...]) -> Iterator[MonitoredItem]:
    """Yield the equipment of the power network, sets of a plant, and metered branch circuits."""
    row_of = {
        rack.name: (layout.hall.name, str(rack.row + 1))
        for layout in layouts
        for rack in layout.racks
    }
    panels = {panel.tag: panel for panel in design.panels.panels}
    circuits = {
        branch_tag(panel, circuit): (panel, circuit)
        for panel in panels.values()
        for circuit in metered_branches(panel)
    }
    network = design.distribution.plan.network
    for one in network.equipment:
        standby = any(network[link.source].kind in GENERATORS for link in one.links)
        source = one.links[0].source if one.links else ""
        rack = ""
        key = ""
        if one.kind == "rack-pdu":
            found = circuits.get(one.links[0].circuit) or circuits.get(
                one.tag.removeprefix("RPDU ")
            )
            rack, key = (found[1].rack, found[1].receptacle) if found else ("", "")
        hall, row = row_of.get(rack, (one.hall, ""))
        rated = any(rating is not None for rating in (one.rating_va, one.rating_w, one.rating_a))
        at = hall, row, rack, source, key, one.voltage_v, rated
        yield MonitoredItem(one.tag, one.kind, *at, standby)
        if one.kind == "generator-plant":
            for tag in one.unit_tags:
                yield MonitoredItem(
                    tag, "generator-set", "", "", "", one.tag, "", one.voltage_v, standby=True
                )
        if one.kind in ("panel", "busway") and one.tag in panels:
            for circuit in metered_branches(panels[one.tag]):
                hall, row = row_of.get(circuit.rack, (one.hall, ""))
                tag = branch_tag(panels[one.tag], circuit)
                yield MonitoredItem(
                    tag, "branch", hall, row, circuit.rack, one.tag, voltage_v=one.voltage_v
                )


def _hall(layout: HallLayout, door: bool) -> Iterator[MonitoredItem]:
    """Yield a hall with its rows, racks, air sensors, servers and GPUs.

    door: Whether the racks have rear doors.
    """
    name, racks = layout.hall.name, layout.racks
    loads = tuple(load for rack in racks for load in rack.loads)
    yield MonitoredItem(name, "hall", name, loads=loads)
    for number in range(1, cold_aisles(layout.rows) + 1):
        yield MonitoredItem(f"{name} aisle {number}", "aisle", name)
    for row in range(layout.rows):
        of_row = [rack for rack in racks if rack.row == row]
        at = (name, str(row + 1))
        loads = tuple(load for rack in of_row for load in rack.loads)
        yield MonitoredItem(f"{name} row {row + 1}", "row", *at, loads=loads)
        for rack in of_row:
            yield from _rack(rack, *at)
            if door:
                yield MonitoredItem(f"{rack.name} door", "rear-door", *at, rack.name)


def _rack(rack: RackPosition, hall: str, row: str) -> Iterator[MonitoredItem]:
    at = (hall, row, rack.name)
    yield MonitoredItem(rack.name, "rack", *at, key=rack.kind.name, loads=rack.loads)
    if rack.position % EVERY_RACK == 0:
        for height in HEIGHTS:
            yield MonitoredItem(f"{rack.name} {height}", "rack-sensor", *at)
    if any(placed.device.liquid_fraction > 0.0 for placed in rack.kind.placed):
        yield MonitoredItem(f"{rack.name} coolant", "liquid-rack", *at, key=rack.kind.name)
    number = 0
    for placed in rack.kind.placed:
        for _ in range(placed.count):
            number += 1
            device = placed.device
            if device.category != "server":
                continue
            tag = f"{rack.name} device {number}"
            yield MonitoredItem(tag, "server", *at, key=device.model)
            if device.gpus:
                yield MonitoredItem(
                    f"{tag} GPU", "gpu", *at, fed_from=tag, key=device.model, count=device.gpus
                )


def _cooling(design: Design, hall: str) -> Iterator[MonitoredItem]:
    """Yield the cooling units with the boards that feed them, loops, tanks and make-up water."""
    serial = Counter[str]()
    for board in design.distribution.plan.boards:
        loads, sources = (board.load,), board.sources
        yield MonitoredItem(
            board.tag, "mechanical-board", fed_from=sources[0], loads=loads, sources=sources
        )
    for load in design.distribution.plan.network.loads:
        if load.tag.startswith(HOUSE):
            sources = tuple(cord.link.source for cord in load.cords)
            yield MonitoredItem(
                load.tag, "building-board", fed_from=sources[0], loads=(load.tag,), sources=sources
            )
    water = not design.cooling.chilled.plan.direct
    for board in design.distribution.plan.boards:
        for circuit, count in board.units:
            units = circuit.units
            known = _PREFIXES.get(units.tag.removesuffix("-F"), "air-unit")
            equipment = "pump" if units.tag.startswith("P-") else known
            for _ in range(count):
                serial[units.tag] += 1
                tag = f"{units.tag}-{serial[units.tag]}"
                where = hall if equipment in ("air-unit", "cdu") else ""
                yield MonitoredItem(tag, equipment, where, fed_from=board.tag, units=units)
                if equipment == "air-unit" and water:
                    yield MonitoredItem(f"{tag} coil", "water-coil", where, fed_from=tag)
    for loop in design.hydraulics.loops:
        yield MonitoredItem(f"LOOP-{loop.name.upper()}", f"loop-{loop.name}")
    tanks = design.buffers.tanks
    for name, volume_m3 in (("chw", tanks.chw_m3), ("fws", tanks.fws_m3)):
        if volume_m3 > 0.0:
            yield MonitoredItem(f"TANK-{name.upper()}", f"tank-{name}")
    if design.cooling.chain.wetted_sinks:
        yield MonitoredItem("MAKEUP", "makeup")


def instances(item: MonitoredItem, quantity: str) -> int:
    """Return the instances of a point: one per line for a current, one per GPU."""
    if quantity == "current" and item.equipment not in _BALANCED:
        return _THREE_PHASES
    return item.count
