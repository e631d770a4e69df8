"""Layout of one block of a one-line diagram without overlap of labels, symbols and wires.

Every symbol has a separate column, wide enough for its label in any state; a symbol is above the
equipment it supplies as preferred source, and the columns below it are reserved for that equipment.
Levels are rows. Wires run down within their column, and across only between rows, on separate
tracks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from facility.report.drawings.one_line.parts import (
    BUSES,
    BYPASSES,
    LOAD_MM,
    SWITCHES,
    Point,
    junctions,
    symbol_reach,
)
from facility.report.drawings.one_line.tree import LEVELS
from facility.report.drawings.one_line.words import (
    BUS_END_MM,
    DEVICE_TEXT_MM,
    ONWARD_LINES,
    ONWARD_MM,
    PAD_MM,
    REFERENCE_TEXT_MM,
    SIDE_LABEL_MM,
    DiagramScene,
    Input,
    words_width,
)
from facility.report.drawings.text import LINE, TEXT_MM, text_width

ARROW_MM = 2.0
"""Half length of the arrow at the end of a wire."""
_REFERENCE_MM = 2.0 * LINE * TEXT_MM + 0.8
_DEVICE_MM = 6.0
_TRACK_MM = 2.6
_GAP_MM = 2.6
_STUB_MM = 4.5
_HALF = 0.5
_UTILITY = "utility"


@dataclass(frozen=True)
class Trunk:
    """Root of a block: a group with its children in the block.

    `reference` is set for a bus that continues from another sheet.
    """

    node: int
    children: tuple[int, ...]
    reference: bool = False


@dataclass(frozen=True)
class Block:
    """Trees that are drawn together; the groups in `cut` continue on other sheets.

    `spread_mm` is added between neighbours above the UPS, `drop_mm` between rows.
    """

    trunks: tuple[Trunk, ...]
    cut: frozenset[int]
    spread_mm: float = 0.0
    drop_mm: float = 0.0


@dataclass(frozen=True)
class WireRun:
    """Wire into `target` by its `way`; `target` is None for a wire to another sheet."""

    source: int
    target: int | None
    way: int
    points: tuple[Point, ...]


@dataclass(eq=False)
class PlacedBlock:
    """Positions of all parts of a block, from its upper left corner."""

    width_mm: float = 0.0
    height_mm: float = 0.0
    x_mm: dict[int, float] = field(default_factory=dict)
    y_mm: dict[int, float] = field(default_factory=dict)
    spans: dict[int, Point] = field(default_factory=dict)
    references: set[int] = field(default_factory=set)
    runs: list[WireRun] = field(default_factory=list)
    gaps: int = 0
    rows: int = 0
    dots: list[tuple[float, float, int]] = field(default_factory=list)
    devices: list[tuple[int, Input, float, float]] = field(default_factory=list)
    arrows: list[tuple[int, Input, float, float]] = field(default_factory=list)
    onward: list[tuple[int, float, float]] = field(default_factory=list)
    # Loads outside the network: group, number, and position of symbol and device.
    loads: list[tuple[int, int, float, float, float]] = field(default_factory=list)


def place_block(scene: DiagramScene, block: Block) -> PlacedBlock:
    """Return the positions of all parts of a block, independent of the state."""
    return _Placer(scene, block).placed()


@dataclass(eq=False)
class _Row:
    """One level: its nodes, their sources, and positions."""

    level: float
    nodes: list[int] = field(default_factory=list)
    tracks: int = 0
    up_mm: float = 0.0
    down_mm: float = 0.0
    references: bool = False
    device_lines: int = 0
    channel_y: float = 0.0
    reference_y: float = 0.0
    device_y: float = 0.0
    middle_y: float = 0.0
    bottom_y: float = 0.0


class _Placer:
    def __init__(self, scene: DiagramScene, block: Block) -> None:
        self.scene, self.block, self.tree = scene, block, scene.tree
        self.out = PlacedBlock()
        self.real: dict[int, tuple[int, ...]] = {}
        self.continued: set[int] = set()
        for trunk in block.trunks:
            if trunk.reference:
                self.out.references.add(trunk.node)
            self._collect(trunk.node, trunk.children, real=not trunk.reference)
        self.symbols = set(self.real) - self.out.references
        self.wired: dict[tuple[int, int], bool] = {}
        self._find_onward()
        # Numbers of the loads outside the network, below those of continuations: see `_arranged`.
        self.loads = {
            -1 - len(self.tree.groups) * (k + 1) - n: (n, k)
            for n in self.symbols
            for k, _ in enumerate(scene.loads(n))
        }

    def placed(self) -> PlacedBlock:
        """Return the positions."""
        out, left = self.out, 0.0
        for trunk in self.block.trunks:
            width, xs = self._arranged(trunk.node)
            left += self._gap(trunk.node) if left else 0.0
            out.x_mm |= {n: left + x for n, x in xs.items()}
            left += width
        out.width_mm = left
        self._set_spans()
        rows = self._rows()
        wired = self._tracks(rows)
        self._set_heights(rows)
        self._draw(rows, wired)
        return out

    def _collect(self, n: int, children: tuple[int, ...], *, real: bool = True) -> None:
        """Collect the groups of the block and their children."""
        self.real[n] = children
        for bypass in self.tree.bypasses.get(n, ()) if real else ():
            self.real[bypass] = ()
        for child in children:
            below = () if child in self.block.cut else self.tree.children[child]
            self._collect(child, below)

    def _find_onward(self) -> None:
        """Find the groups that refer to another sheet."""
        for n in self.symbols:
            if any(child not in self.real for child in self.tree.children[n]):
                self.continued.add(n)
        for target, group in enumerate(self.tree.groups):
            for one in self.scene.slot(target).inputs[1:]:
                source = group.sources[one.way]
                if source in self.symbols and not self._is_wired(source, target):
                    self.continued.add(source)

    def _is_wired(self, source: int, target: int) -> bool:
        """Return whether an alternate source is drawn as a wire: from the row above or a root."""
        if (source, target) not in self.wired:
            self.wired[source, target] = self._can_be_wired(source, target)
        return self.wired[source, target]

    def _can_be_wired(self, source: int, target: int) -> bool:
        symbols = self.symbols
        if source not in symbols or target not in symbols:
            return False
        between = {
            level
            for n, level in enumerate(self.tree.levels)
            if n in symbols and self.tree.levels[source] < level < self.tree.levels[target]
        }
        if not between and not self._cut_at(source):
            return True
        users = [n for n, group in enumerate(self.tree.groups) if source in group.sources[1:]]
        return not self.tree.children[source] and all(n in symbols for n in users)

    def _cut_at(self, source: int) -> bool:
        """Return whether a group at the level of `source` continues on another sheet."""
        level = self.tree.levels[source]
        return any(
            self.tree.levels[n] == level
            and any(child not in self.real for child in self.tree.children[n])
            for n in self.symbols
        )

    def _arranged(self, n: int) -> tuple[float, dict[int, float]]:
        """Return the width of a tree and the centres of its symbols from its left edge.

        A continuation to another sheet has the number ``-1 - n``, as the last child; loads outside
        the network follow.
        """
        xs: dict[int, float] = {}
        kids: list[float] = []
        width = 0.0
        for child in self._below(n):
            wide, found = self._end_of_wire(child) if child < 0 else self._arranged(child)
            width += self._gap(child) if kids else 0.0
            where = {k if k is not None else child: width + x for k, x in found.items()}
            xs |= where
            kids.append(where[child])
            width += wide
        left, right = self._reach(n)
        x = left if not kids else (kids[0] + kids[-1]) / 2.0
        if kids and n not in self.out.references and self.tree.groups[n].kind == _UTILITY:
            x = kids[0]
        shift = max(0.0, left - x)
        xs = {key: value + shift for key, value in xs.items()} | {n: x + shift}
        edge = xs[n] + right
        for bypass in self.tree.bypasses.get(n, ()) if n not in self.out.references else ():
            slot = self.scene.slot(bypass)
            xs[bypass] = edge + slot.left_mm
            edge += slot.left_mm + slot.right_mm
        return max(width + shift, edge), xs

    def _gap(self, n: int) -> float:
        """Return the space in front of a tree with a left neighbour."""
        if n < 0 or self.tree.levels[n] >= LEVELS["ups"]:
            return 0.0
        self.out.gaps += 1
        return self.block.spread_mm

    def _reach(self, n: int) -> Point:
        if n in self.out.references:
            room = self.scene.reference_room(n)
            return BUS_END_MM + PAD_MM, max(BUS_END_MM, REFERENCE_TEXT_MM + room.width_mm) + PAD_MM
        slot = self.scene.slot(n)
        right = slot.right_mm
        if n in self.tree.bypasses:  # their wires pass the label of the bus below
            below = [self.scene.slot(child).right_mm for child in self.real[n]]
            right = max([right, *below])
        return slot.left_mm, right

    def _below(self, n: int) -> list[int]:
        """Return the children of a group, its continuation and its loads outside the network."""
        onward = [-1 - n] if n in self.continued else []
        return [*self.real[n], *onward, *(id for id, load in self.loads.items() if load[0] == n)]

    def _end_of_wire(self, id: int) -> tuple[float, dict[None, float]]:
        """Return the width of a continuation or load, and its centre from its left edge."""
        if id not in self.loads:
            left = ARROW_MM + PAD_MM
            return left + 3.0 + ONWARD_MM + PAD_MM, {None: left}
        left, right = LOAD_MM[0] + PAD_MM, LOAD_MM[0] + SIDE_LABEL_MM
        load, circuit = self._load(id)
        plate = (
            text_width(line, bold=not n) for n, (_, line) in enumerate(self.scene.load_plate(load))
        )
        device_mm = DEVICE_TEXT_MM + words_width(self.scene.facts.circuits.get(circuit))
        return left + max(right + max(plate), device_mm) + PAD_MM, {None: left}

    def _load(self, id: int) -> tuple[str, str]:
        """Return tag and circuit of a load outside the network."""
        n, k = self.loads[id]
        return self.scene.loads(n)[k]

    def _set_spans(self) -> None:
        """Extend every bus over all its connections."""
        for n in self.real:
            x = self.out.x_mm[n]
            if self.tree.groups[n].kind not in BUSES and n not in self.out.references:
                self.out.spans[n] = x, x
                continue
            reach = [x, *(self.out.x_mm[child] for child in self.real[n])]
            for child in self.real[n]:
                reach += [self.out.x_mm[b] for b in self.tree.bypasses.get(child, ())]
            reach += [self.out.x_mm[child] for child in self._below(n) if child < 0]
            if n not in self.out.references:
                reach += [x + one.offset_mm for one in self.scene.slot(n).inputs]
                reach += [
                    self.out.x_mm[source]
                    for source in self.tree.groups[n].sources
                    if self.tree.groups[source].kind in BYPASSES
                ]
            self.out.spans[n] = min(reach) - BUS_END_MM, max(reach) + BUS_END_MM

    def _rows(self) -> list[_Row]:
        """Return the rows from the top, with the space required by their nodes."""
        rows: dict[float, _Row] = {}
        for n in self.real:
            level = float(self.tree.levels[n])
            self._grow(rows.setdefault(level, _Row(level)), n)
        for n in self.continued:
            row = rows.setdefault(self.tree.levels[n] + _HALF, _Row(self.tree.levels[n] + _HALF))
            row.nodes.append(-1 - n)
            half = ONWARD_LINES * LINE * TEXT_MM / 2.0
            row.up_mm, row.down_mm = max(row.up_mm, half), max(row.down_mm, half)
        for id, (n, _) in self.loads.items():
            below = (self.tree.levels[child] for child in self.real[n])
            level = min(below, default=self.tree.levels[n] + _HALF)
            row = rows.setdefault(level, _Row(level))
            row.nodes.append(id)
            load, circuit = self._load(id)
            half = max(LOAD_MM[1], len(self.scene.load_plate(load)) * LINE * TEXT_MM / 2.0)
            row.up_mm, row.down_mm = max(row.up_mm, half), max(row.down_mm, half)
            lines = len(self.scene.facts.circuits.get(circuit, ()))
            row.device_lines = max(row.device_lines, lines, 1)
        return [rows[level] for level in sorted(rows)]

    def _grow(self, row: _Row, n: int) -> None:
        row.nodes.append(n)
        kind = self.tree.groups[n].kind
        if n in self.out.references:
            height = self.scene.reference_room(n).lines * LINE * TEXT_MM
            row.up_mm = max(row.up_mm, max(height, _STUB_MM) + 1.5)
            row.down_mm = max(row.down_mm, 1.0)
            return
        slot = self.scene.slot(n)
        _, up, _, down = symbol_reach(kind)
        height = slot.label_height_mm
        if kind in BUSES:
            row.up_mm, row.down_mm = max(row.up_mm, height + 1.5), max(row.down_mm, 1.0)
        elif kind in BYPASSES:
            row.up_mm = max(row.up_mm, up)
            row.down_mm = max(row.down_mm, 2.0 * down + 1.0 + height - row.up_mm)
        else:
            row.up_mm = max(row.up_mm, up + 1.2, height / 2.0)
            row.down_mm = max(row.down_mm, down, height / 2.0)
        for k, one in enumerate(slot.inputs):
            device = self.scene.device(n, one.way)
            row.device_lines = max(row.device_lines, 0 if device is None else max(len(device), 1))
            row.references |= k > 0 and not self._is_wired(self._source(n, one), n)

    def _source(self, n: int, one: Input) -> int:
        return self.tree.groups[n].sources[one.way]

    def _tracks(self, rows: list[_Row]) -> dict[tuple[int, int], int]:
        """Assign tracks above a row to crossing wires; return the tracks of alternate sources."""
        for k, row in enumerate(rows[1:]):
            row.tracks = int(any(n >= 0 and self._goes_across(n) for n in rows[k].nodes))
        reach: dict[tuple[int, int], list[float]] = defaultdict(list)
        for k, row in enumerate(rows):
            for n in row.nodes:
                for one in self._wired_inputs(n):
                    source = self._source(n, one)
                    reach[source, k] += [self._x(source), self._x(n) + one.offset_mm]
        ends: dict[int, list[float]] = defaultdict(list)
        found: dict[tuple[int, int], int] = {}
        for (source, k), xs in sorted(reach.items(), key=lambda item: (item[0][1], min(item[1]))):
            free = (t for t, end in enumerate(ends[k]) if end < min(xs))
            track = next(free, len(ends[k]))
            ends[k][track : track + 1] = [max(xs) + 1.0]
            found[source, k] = rows[k].tracks + track
        for k, taken in ends.items():
            rows[k].tracks += len(taken)
        return found

    def _x(self, n: int) -> float:
        return self.out.x_mm[n]

    def _wired_inputs(self, n: int) -> Iterator[Input]:
        """Yield the alternate sources of a symbol that are drawn as wires."""
        if n in self.symbols:
            for one in self.scene.slot(n).inputs[1:]:
                if self._is_wired(self._source(n, one), n):
                    yield one

    def _goes_across(self, n: int) -> bool:
        """Return whether the preferred connections below a non-bus symbol need a track."""
        if self.tree.groups[n].kind in BUSES or n in self.out.references:
            return False
        kids = self._below(n)
        return any(abs(self.out.x_mm[kid] - self.out.x_mm[n]) > 1e-6 for kid in kids)

    def _set_heights(self, rows: list[_Row]) -> None:
        y = 0.0
        for k, row in enumerate(rows):
            row.channel_y = y + (_GAP_MM + self.block.drop_mm if k else 0.0)
            y = row.channel_y + row.tracks * _TRACK_MM
            row.reference_y = y + _REFERENCE_MM / 2.0
            y += _REFERENCE_MM if row.references else 0.0
            device_mm = max(_DEVICE_MM, row.device_lines * LINE * TEXT_MM + 1.2)
            row.device_y = y + device_mm / 2.0
            y += device_mm if row.device_lines else 0.0
            row.middle_y = y + row.up_mm
            row.bottom_y = y = row.middle_y + row.down_mm
        self.out.height_mm, self.out.rows = y, len(rows)

    def _draw(self, rows: list[_Row], wired: dict[tuple[int, int], int]) -> None:
        row_of = {n: k for k, row in enumerate(rows) for n in row.nodes}
        for n in self.real:
            self.out.y_mm[n] = self._level_of(n, rows[row_of[n]])
        for n in self.symbols:
            for one in self.scene.slot(n).inputs:
                if self.scene.device(n, one.way) is not None:
                    x = self.out.x_mm[n] + one.offset_mm
                    self.out.devices.append((n, one, x, rows[row_of[n]].device_y))
        for id, (n, k) in self.loads.items():
            x, row = self.out.x_mm[id], rows[row_of[id]]
            self.out.loads.append((n, k, x, row.middle_y, row.device_y))
            ends = (x, self.out.y_mm[n]), (x, row.middle_y)
            self.out.runs.append(WireRun(n, None, 0, ends))
        for n in self.real:
            self._draw_below(n, rows, row_of)
        for n in self.symbols:
            self._draw_others(n, rows[row_of[n]])
        for (source, k), track in wired.items():
            self._draw_track(source, rows[k], rows[k].channel_y + track * _TRACK_MM)

    def _level_of(self, n: int, row: _Row) -> float:
        kind = self.tree.groups[n].kind
        if kind in BUSES or n in self.out.references:
            return row.bottom_y - 1.0
        if kind in BYPASSES:
            return row.middle_y - row.up_mm + symbol_reach(kind)[1]
        return row.middle_y

    def _end(self, n: int) -> float:
        """Return the end points of wires into a symbol."""
        y, kind = self.out.y_mm[n], self.tree.groups[n].kind
        return y - symbol_reach(kind)[1] if kind in SWITCHES else y

    def _draw_below(self, n: int, rows: list[_Row], row_of: dict[int, int]) -> None:
        """Draw the wires to the equipment a symbol supplies as preferred source."""
        out, x, y = self.out, self.out.x_mm[n], self.out.y_mm[n]
        children = list(self.real[n])
        for child in self.real[n]:
            children += self.tree.bypasses.get(child, ())
        across = rows[row_of[n] + 1].channel_y if self._goes_across(n) else None
        kids = []
        for child in children:
            kids.append(out.x_mm[child])
            out.runs.append(
                WireRun(n, child, 0, self._path(x, y, kids[-1], self._end(child), across))
            )
        if n in self.continued:
            kids.append(out.x_mm[-1 - n])
            end = rows[row_of[-1 - n]].middle_y
            out.runs.append(WireRun(n, None, 0, self._path(x, y, kids[-1], end, across)))
            out.onward.append((n, kids[-1], end))
        if across is not None:
            out.dots += [(at, across, n) for at in junctions(x, kids)]

    @staticmethod
    def _path(
        x: float, y: float, to_x: float, to_y: float, across: float | None
    ) -> tuple[Point, ...]:
        if across is None or abs(x - to_x) < 1e-6:
            return (to_x, y), (to_x, to_y)
        return (x, y), (x, across), (to_x, across), (to_x, to_y)

    def _draw_others(self, n: int, row: _Row) -> None:
        """Draw the inputs from bypasses and from other sheets."""
        out = self.out
        for way, source in enumerate(self.tree.groups[n].sources):
            if way and self.tree.groups[source].kind in BYPASSES and source in self.real:
                x = out.x_mm[source]
                out.runs.append(WireRun(source, n, way, ((x, out.y_mm[source]), (x, out.y_mm[n]))))
        for one in self.scene.slot(n).inputs[1:]:
            if not self._is_wired(self._source(n, one), n):
                x = out.x_mm[n] + one.offset_mm
                out.arrows.append((n, one, x, row.reference_y))
                points = (x, row.reference_y), (x, self._end(n))
                out.runs.append(WireRun(self._source(n, one), n, one.way, points))

    def _draw_track(self, source: int, row: _Row, across: float) -> None:
        """Draw the wires of one source to all symbols in a row with it as alternate source."""
        out, x, y = self.out, self.out.x_mm[source], self.out.y_mm[source]
        ends = list(self._users(source, row))
        for n, one, to_x in ends:
            path = self._path(x, y, to_x, self._end(n), across)
            out.runs.append(WireRun(source, n, one.way, path))
        straight = any(abs(out.x_mm[child] - x) < 1e-6 for child in self.real[source])
        kids = [to_x for _, _, to_x in ends]
        out.dots += [(at, across, source) for at in junctions(x, kids, goes_down=straight)]

    def _users(self, source: int, row: _Row) -> Iterator[tuple[int, Input, float]]:
        for n in row.nodes:
            for one in self._wired_inputs(n):
                if self._source(n, one) == source:
                    yield n, one, self.out.x_mm[n] + one.offset_mm
