"""The room that each symbol of a one-line diagram needs: its inputs, its label, its column."""

from __future__ import annotations

from dataclasses import dataclass, field

from facility.core.views import System
from facility.power.network.graph.types import Network
from facility.report.drawings.one_line.parts import (
    BUSES,
    BYPASSES,
    SWITCHES,
    THROW_MM,
    symbol_reach,
)
from facility.report.drawings.one_line.tree import Tree
from facility.report.drawings.one_line.words import (
    MOST_MM,
    Facts,
    Room,
    device_line,
    reference_lines,
    room_of,
)
from facility.report.drawings.text import LINE, TEXT_MM, text_width

PAD_MM = 0.8
"""Free space at each side of a column, so that two labels are twice as far apart."""
BUS_END_MM = 4.0
"""How far a bus reaches beyond the last wire on it."""
BESIDE_MM = 1.5
"""Distance of a label from its symbol."""
DEVICE_TEXT_MM = 1.9
"""Distance of the rating of a breaker from its wire."""
BYPASS_TEXT_MM = 1.2
REFERENCE_TEXT_MM = 2.8
"""Distance of a reference to another sheet from its arrow."""
_LANE_MM = 6.5
_MOST_SHEETS = 99


@dataclass(frozen=True)
class Input:
    """One way into a symbol: how far left of its middle, and what is written at its left."""

    way: int
    offset_mm: float
    text_mm: float


@dataclass(frozen=True)
class Slot:
    """How far a symbol with its label and inputs reaches to the left and right of its middle."""

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
    """A network with what is written on it; slots do not depend on the state."""

    network: Network
    tree: Tree
    facts: Facts
    system: System
    _slots: dict[int, Slot] = field(default_factory=dict)

    def slot(self, n: int) -> Slot:
        """Return the room of a group."""
        if n not in self._slots:
            self._slots[n] = self._slot(n)
        return self._slots[n]

    def tag(self, n: int) -> str:
        """Return the tag that others name a group by."""
        return self.network.equipment[self.tree.groups[n].members[0]].tag

    def device(self, n: int, way: int) -> str | None:
        """Return the rating at the device of a way; None where it has none."""
        return device_line(self.network, self.tree.groups[n], way, self.facts, self.system)

    def _slot(self, n: int) -> Slot:
        group = self.tree.groups[n]
        room = room_of(self.network, group, self.facts, self.system)
        left, _, right, _ = symbol_reach(group.kind)
        behind = 1.2 if len(group.members) > 1 else 0.0
        inputs = self._inputs(n)
        lanes = [one.text_mm - one.offset_mm for one in inputs[1:]]
        if group.kind in BUSES:
            left = BUS_END_MM + max((-one.offset_mm for one in inputs), default=0.0)
            right = BUS_END_MM
        label_mm = BYPASS_TEXT_MM if group.kind in BYPASSES else right + behind + BESIDE_MM
        if group.kind in BUSES:
            label_mm = BESIDE_MM
        rights = [right + behind, label_mm + room.width_mm]
        if inputs and (text := self.device(n, inputs[0].way)):
            rights.append(DEVICE_TEXT_MM + text_width(text))
        return Slot(
            max([left, *lanes]) + PAD_MM, max(rights) + PAD_MM, label_mm, room.lines, inputs
        )

    def _inputs(self, n: int) -> tuple[Input, ...]:
        """Return the ways into a symbol: the first from above, the others at its left."""
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
        source = self.tree.groups[n].sources[way]
        lines = reference_lines(self.tag(source), _MOST_SHEETS)
        texts = [text_width(line, bold=k == 0) for k, line in enumerate(lines)]
        device = self.device(n, way)
        return max([REFERENCE_TEXT_MM + max(texts), DEVICE_TEXT_MM + text_width(device or "")])


def reference_room(scene: DiagramScene, n: int) -> Room:
    """Return the room for the label of a bus that goes on from another sheet."""
    lines = reference_lines(scene.tag(n), _MOST_SHEETS)
    widths = (text_width(line, bold=k == 0) for k, line in enumerate(lines))
    return Room(min(max(widths), MOST_MM), len(lines))
