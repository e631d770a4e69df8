"""Rows and positions of the racks of a design, from counts.

A project states the number of rows and racks of a hall, not rack positions. Racks fill the rows
evenly in name order; the drawing is labelled a schematic.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from facility.model.it import Hall, Rack
from facility.power.network.build.loads import load_parts
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.design.groups import rack_names
from facility.study.design.design import Design

SCHEMATIC = (
    "Schematic, not to scale: the project states the number of racks and rows, not rack positions; "
    "racks are drawn in name order."
)


@dataclass(frozen=True)
class RackPosition:
    """One rack: its type, its position in the schematic, and its feeds."""

    name: str
    kind: Rack
    row: int  # From 0
    position: int  # In the row, from 0
    ordinal: int  # Among the racks of its type, from 0
    # Circuits to it with the panelboard of each.
    circuits: tuple[tuple[Panel, Circuit], ...]
    loads: tuple[str, ...]  # Tags of its loads in the power network

    @property
    def panels(self) -> tuple[str, ...]:
        """Tags of the panelboards that feed it, without duplicates."""
        return tuple(dict.fromkeys(panel.tag for panel, _ in self.circuits))


@dataclass(frozen=True)
class HallLayout:
    """A hall and its racks, row by row."""

    hall: Hall
    racks: tuple[RackPosition, ...]

    @property
    def rows(self) -> int:
        """Rows that are drawn."""
        return max((rack.row for rack in self.racks), default=-1) + 1


def hall_layouts(design: Design) -> tuple[HallLayout, ...]:
    """Return the halls of a design with their racks."""
    plan = design.facility.it
    assigned: dict[str, list[tuple[Panel, Circuit]]] = defaultdict(list)
    for panel in design.panels.panels:
        for circuit in panel.circuits:
            if circuit.rack:
                assigned[circuit.rack].append((panel, circuit))
    by_hall: dict[str, list[tuple[str, Rack, int]]] = {hall.name: [] for hall in plan.halls}
    seen: Counter[int] = Counter()
    for name, number in rack_names(plan):
        rack = plan.racks[number]
        by_hall[rack.hall].append((name, rack, seen[number]))
        seen[number] += 1
    return tuple(
        HallLayout(hall, _placed(hall, by_hall[hall.name], assigned)) for hall in plan.halls
    )


def _placed(
    hall: Hall,
    racks: list[tuple[str, Rack, int]],
    assigned: Mapping[str, list[tuple[Panel, Circuit]]],
) -> tuple[RackPosition, ...]:
    """Return the racks of a hall, distributed evenly over its rows."""
    rows = max(1, min(hall.rows, len(racks)))
    whole, longer = divmod(len(racks), rows)
    ends = [row * whole + min(row, longer) for row in range(rows + 1)]
    found = []
    for row in range(rows):
        for position, (name, rack, ordinal) in enumerate(racks[ends[row] : ends[row + 1]]):
            parts = len(load_parts(rack))
            loads = (
                (name,)
                if parts == 1
                else tuple(f"{name} device {part}" for part in range(1, parts + 1))
            )
            circuits = tuple(assigned.get(name, ()))
            found.append(RackPosition(name, rack, row, position, ordinal, circuits, loads))
    return tuple(found)
