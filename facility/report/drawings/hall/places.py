"""Where the racks of a design are drawn: in rows, from counts.

A project says how many rows a hall has and how many racks stand in it, not which rack stands where.
The racks fill the rows evenly in the order of their names; it is a schematic, and says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from facility.model.it import Hall, Rack
from facility.power.network.build.loads import load_parts
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.groups import rack_names
from facility.study.design.design import Design

SCHEMATIC = (
    "Schematic, not to scale: the project gives the number of racks and rows, not which rack stands"
    " where; racks are drawn in the order of their names."
)


@dataclass(frozen=True)
class RackPlace:
    """One rack: its kind, its place in the schematic, and what it hangs on."""

    name: str
    kind: Rack
    row: int  # From 0
    place: int  # In the row, from 0
    # Circuits to it with the panelboard of each.
    circuits: tuple[tuple[Panel, Circuit], ...]
    loads: tuple[str, ...]  # Tags of the loads that it is in the power network

    @property
    def panels(self) -> tuple[str, ...]:
        """Tags of the panelboards that it hangs on, each once."""
        return tuple(dict.fromkeys(panel.tag for panel, _ in self.circuits))


@dataclass(frozen=True)
class HallPlaces:
    """A hall and its racks, row by row."""

    hall: Hall
    racks: tuple[RackPlace, ...]

    @property
    def rows(self) -> int:
        """Rows that are drawn."""
        return max((rack.row for rack in self.racks), default=-1) + 1


def hall_places(design: Design) -> tuple[HallPlaces, ...]:
    """Return the halls of a design with their racks."""
    plan = design.facility.it
    assigned = _assigned(design)
    by_hall: dict[str, list[tuple[str, Rack]]] = {hall.name: [] for hall in plan.halls}
    for name, number in rack_names(plan):
        rack = plan.racks[number]
        by_hall[rack.hall].append((name, rack))
    return tuple(
        HallPlaces(hall, _placed(hall, by_hall[hall.name], assigned)) for hall in plan.halls
    )


def _assigned(design: Design) -> Mapping[str, list[tuple[Panel, Circuit]]]:
    found: dict[str, list[tuple[Panel, Circuit]]] = defaultdict(list)
    for panel in design.panels.panels:
        for circuit in panel.circuits:
            if circuit.rack:
                found[circuit.rack].append((panel, circuit))
    return found


def _placed(
    hall: Hall, racks: list[tuple[str, Rack]], assigned: Mapping[str, list[tuple[Panel, Circuit]]]
) -> tuple[RackPlace, ...]:
    """Return the racks of a hall in its rows, as even as can be."""
    rows = max(1, min(hall.rows, len(racks)))
    least, longer = divmod(len(racks), rows)
    ends = [row * least + min(row, longer) for row in range(rows + 1)]
    found = []
    for row in range(rows):
        for place, (name, rack) in enumerate(racks[ends[row] : ends[row + 1]]):
            parts = len(load_parts(rack))
            loads = (
                (name,)
                if parts == 1
                else tuple(f"{name} device {part}" for part in range(1, parts + 1))
            )
            found.append(RackPlace(name, rack, row, place, tuple(assigned.get(name, ())), loads))
    return tuple(found)
