"""The one-line diagram of a power network in one state, as shapes on a plane or on sheets.

Equipment is arranged in columns by UPS lineup and in levels from the utility down to the
panelboards. By default, equal equipment with the same sources is drawn once with its count.
Millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from facility.core.views import System
from facility.power.feeders.nec.equipment import ARC_ENERGY_FROM_A
from facility.power.feeders.trip_units import TRIP_FUNCTIONS
from facility.power.network.flow.solve import Flow
from facility.power.network.graph.types import Network, Outage
from facility.report.drawings.one_line.facts import NO_FACTS, DiagramFacts, Words
from facility.report.drawings.one_line.parts import (
    BUSES,
    BYPASSES,
    LOAD_MM,
    Anchor,
    Arrow,
    BreakerSymbol,
    Drawing,
    Label,
    LoadSymbol,
    Symbol,
    Wire,
    symbol_reach,
)
from facility.report.drawings.one_line.place import ARROW_MM, WireRun
from facility.report.drawings.one_line.sheets import (
    SHEET_MM,
    SheetPlan,
    Spot,
    plan_overview,
    plan_sheets,
)
from facility.report.drawings.one_line.status import Status, states_of, worst_of
from facility.report.drawings.one_line.tree import Detail, build_tree
from facility.report.drawings.one_line.words import (
    DEVICE_TEXT_MM,
    REFERENCE_TEXT_MM,
    SIDE_LABEL_MM,
    DiagramScene,
    onward_lines,
    reference_lines,
    state_lines,
)
from facility.report.drawings.text import LINE, TEXT_MM

_MARGIN_MM = 4.0
_MIDDLE = 0.36
_FAULT_NOTE = (
    "Isc: highest available fault current, bolted, of any source; ratings at breakers are "
    "overcurrent device ratings."
)
_TRIP_NOTE = (
    f"LSI, LSIG: electronic trip unit, {TRIP_FUNCTIONS['LSIG']} trip functions; others are"
    " thermal-magnetic. The long-time setting is the rating; other settings: see the coordination "
    "study."
)


def _keyed(tag: str, words: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return lines, and the key of each in a scene."""
    return tuple(line for _, line in words), tuple(f"{tag}:{name}" for name, _ in words)


def _device_label(words: Words, x: float, y: float, anchor: Anchor, tag: str) -> Label | None:
    """Return the lines at a device, at its mid-height; None without lines."""
    lines, keys = _keyed(tag, words)
    first_y = y - LINE * TEXT_MM * (len(lines) - 1) / 2.0 + _MIDDLE * TEXT_MM
    return Label(lines, x, first_y, anchor, bold=False, keys=keys) if lines else None


def _device_offset(words: Words) -> float:
    """Return how far the line of a device is below the middle of its lines [mm].

    Lines of the cable are above it where the device is at the end of the cable, else below.
    """
    names = [name for name, _ in words]
    at = names.index("device") if "device" in names else (len(names) - 1) / 2.0
    return LINE * TEXT_MM * (at - (len(names) - 1) / 2.0) if names else 0.0


@dataclass(frozen=True, eq=False)
class Diagram:
    """A diagram laid out, in any state: `overview` in one, `sheets` for paper."""

    scene: DiagramScene
    plan: SheetPlan
    overview: bool


def lay_out(
    network: Network,
    facts: DiagramFacts = NO_FACTS,
    *,
    detail: Detail = "grouped",
    sheets: bool = False,
    system: System = "si",
    size_mm: tuple[float, float] = SHEET_MM,
) -> Diagram:
    """Return the layout of a diagram; it does not depend on the state.

    facts: Additional equipment data.
    detail: Whether equal PDUs and panelboards with the same source are drawn once or individually.
    sheets: Whether it is laid out on A3 sheets, or on one sheet as large as needed.
    system: Unit system of the labels.
    size_mm: Space for the diagram on a sheet.
    """
    scene = DiagramScene(network, build_tree(network, detail), facts, system)
    plan = plan_sheets(scene, size_mm) if sheets else plan_overview(scene)
    return Diagram(scene, plan, not sheets)


def draw(
    diagram: Diagram, flow: Flow, state: int = 0, outage: Outage | None = None, title: str = ""
) -> tuple[Drawing, ...]:
    """Return the diagram in one state of `flow`, one drawing for each sheet.

    diagram: The layout.
    flow: The states of its network.
    state: Which of them is drawn.
    outage: Equipment taken out initially; default: the outage of the state. Other equipment out in
    the state is drawn as switched, not as failed.
    title: Heading; default: the outage id.
    """
    first = flow.outages[state] if outage is None else outage
    found = states_of(diagram.scene.network, flow, state, first)
    painter = _Painter(diagram, flow, state, found, set(first.out))
    return tuple(painter.drawing(spots, title or first.id) for spots in diagram.plan.sheets)


class _Painter:
    """Draws the layout in one state."""

    def __init__(
        self, diagram: Diagram, flow: Flow, state: int, status: Sequence[Status], out: set[str]
    ) -> None:
        self.diagram, self.scene, self.plan = diagram, diagram.scene, diagram.plan
        self.network, self.tree = self.scene.network, self.scene.tree
        self.flow, self.state, self.status, self.out = flow, state, status, out

    def drawing(self, spots: Sequence[Spot], title: str) -> Drawing:
        """Return one sheet."""
        whole = self.diagram.overview
        margin = _MARGIN_MM if whole else 0.0
        moved = [(spot, spot.x_mm + margin, spot.y_mm + margin) for spot in spots]
        size = self.plan.size_mm
        if whole:
            placed = spots[0].placed
            size = placed.width_mm + 2.0 * margin, placed.height_mm + 2.0 * margin
        wires = [wire for spot, x, y in moved for wire in self._wires(spot, x, y)]
        facts = self.scene.facts
        arc = f"{ARC_ENERGY_FROM_A:,.0f} A and more: {facts.arc_energy}, 240.87."
        notes = (
            _FAULT_NOTE if facts.fault_a else "",
            _TRIP_NOTE if facts.trips else "",
            arc if facts.arc_energy else "",
            facts.unknown_faults,
            *facts.notes,
        )
        return Drawing(
            title,
            *size,
            symbols=tuple(one for spot, x, y in moved for one in self._symbols(spot, x, y)),
            wires=tuple(sorted(wires, key=lambda wire: wire.used)),
            devices=tuple(one for spot, x, y in moved for one in self._devices(spot, x, y)),
            arrows=tuple(one for spot, x, y in moved for one in self._arrows(spot, x, y)),
            dots_mm=tuple(
                (x + at, y + down, self._group(n))
                for spot, x, y in moved
                for at, down, n in spot.placed.dots
            ),
            notes=tuple(note for note in notes if note),
            standard=facts.standard,
            loads=tuple(one for spot, x, y in moved for one in self._loads(spot, x, y)),
        )

    def _group(self, n: int, *, best: bool = True) -> Status:
        return worst_of([self.status[m] for m in self.tree.groups[n].members], last=best)

    def _symbols(self, spot: Spot, dx: float, dy: float) -> Iterator[Symbol]:
        for n in spot.placed.y_mm:
            group = self.tree.groups[n]
            x, y = spot.placed.x_mm[n] + dx, spot.placed.y_mm[n] + dy
            left, right = spot.placed.spans[n]
            reference = n in spot.placed.references
            lines, keys = self._reference(n) if reference else self._lines(n)
            yield Symbol(
                kind="ups-output" if reference else group.kind,
                members=tuple(self.network.equipment[m].tag for m in group.members),
                x_mm=x,
                y_mm=y,
                span_mm=(left + dx, right + dx),
                label=replace(self._label(n, lines, x, y, reference=reference), keys=keys),
                status=self._group(n, best=False),
                best=self._group(n),
                way=int(self.flow.taken[group.members[0], self.state]),
                reference=reference,
            )

    def _reference(self, n: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the lines where a wire or bus comes from another sheet, and no keys."""
        name = self.scene.facts.sheet_name
        return reference_lines(self.scene.tag(n), self.plan.sheet_of[n], name), ()

    def _lines(self, n: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the text lines of a symbol with their keys; sheets omit lines on the state."""
        group, scene = self.tree.groups[n], self.scene
        found = [self.status[m] for m in group.members]
        worst = worst_of(found)
        lines, keys = _keyed(scene.tag(n), scene.plate(n))
        if scene.facts.circuits:
            return lines, keys
        state = state_lines(scene.network, group, self.flow, self.state, found, worst, self.out)
        return (*lines, *state), keys

    def _label(
        self, n: int, lines: tuple[str, ...], x: float, y: float, *, reference: bool
    ) -> Label:
        """Return the text at the right of a symbol: over a bus, below a bypass."""
        last = LINE * TEXT_MM * (len(lines) - 1)
        if reference or self.tree.groups[n].kind in BUSES:
            label_x = REFERENCE_TEXT_MM if reference else SIDE_LABEL_MM
            return Label(lines, x + label_x, y - 2.2 - last)
        label_x = x + self.scene.slot(n).label_mm
        kind = self.tree.groups[n].kind
        if kind in BYPASSES:
            return Label(lines, label_x, y + symbol_reach(kind)[3] + 0.8 * TEXT_MM + 0.6)
        return Label(lines, label_x, y - last / 2.0 + _MIDDLE * TEXT_MM)

    def _devices(self, spot: Spot, dx: float, dy: float) -> Iterator[BreakerSymbol]:
        for n, one, x, y in spot.placed.devices:
            first = one.offset_mm == 0.0
            aside = DEVICE_TEXT_MM if first else -DEVICE_TEXT_MM
            members = [self.network.equipment[m] for m in self.tree.groups[n].members]
            links = [member.links[one.way] for member in members]
            words = self.scene.device(n, one.way) or ()
            tag = links[0].circuit or members[0].tag
            end: Anchor = "start" if first else "end"
            label = _device_label(words, x + dx + aside, y + dy, end, tag)
            yield BreakerSymbol(
                x + dx,
                y + dy + _device_offset(words),
                self.network[links[0].source].voltage_v > 1000.0,
                self._way(n, one.way)[0],
                label,
                tuple(link.circuit for link in links),
                links[0].source,
                members[0].tag,
            )

        for n, k, x, _, y in spot.placed.loads:
            load, circuit = self.scene.loads(n)[k]
            words = self.scene.facts.circuits.get(circuit, ())
            label = _device_label(words, x + dx + DEVICE_TEXT_MM, y + dy, "start", circuit)
            source, status = self.scene.tag(n), self._group(n)
            at = y + dy + _device_offset(words)
            yield BreakerSymbol(x + dx, at, False, status, label, (circuit,), source, load)

    def _loads(self, spot: Spot, dx: float, dy: float) -> Iterator[LoadSymbol]:
        for n, k, x, y, _ in spot.placed.loads:
            load, _ = self.scene.loads(n)[k]
            lines, keys = _keyed(load, self.scene.load_plate(load))
            first_y = y + dy - LINE * TEXT_MM * (len(lines) - 1) / 2.0 + _MIDDLE * TEXT_MM
            label = Label(lines, x + dx + LOAD_MM[0] + SIDE_LABEL_MM, first_y, keys=keys)
            yield LoadSymbol(load, x + dx, y + dy, self._group(n), label)

    def _arrows(self, spot: Spot, dx: float, dy: float) -> Iterator[Arrow]:
        for n, one, x, y in spot.placed.arrows:
            source = self.tree.groups[n].sources[one.way]
            lines, _ = self._reference(source)
            at = y + dy - LINE * TEXT_MM / 2.0 + _MIDDLE * TEXT_MM
            label = Label(lines, x + dx - DEVICE_TEXT_MM, at, "end")
            yield Arrow(x + dx, y + dy, self._group(source), label)
        for n, x, y in spot.placed.onward:
            users = self._users_elsewhere(n, spot)
            lines = onward_lines(
                [self.plan.sheet_of[user] for user in users],
                [self.scene.tag(user) for user in users],
                self.scene.facts.sheet_name,
            )
            at = y + dy - LINE * TEXT_MM * (len(lines) - 1) / 2.0 + _MIDDLE * TEXT_MM
            yield Arrow(x + dx, y + dy, self._group(n), Label(lines, x + dx + ARROW_MM + 1.0, at))

    def _users_elsewhere(self, n: int, spot: Spot) -> list[int]:
        """Return the loads of a group that are not wired to it on this sheet."""
        wired = {run.target for run in spot.placed.runs if run.source == n}
        return [
            target
            for target, group in enumerate(self.tree.groups)
            if n in group.sources and target not in wired and group.kind not in BYPASSES
        ]

    def _wires(self, spot: Spot, dx: float, dy: float) -> Iterator[Wire]:
        for run in spot.placed.runs:
            yield self._wire(run, dx, dy)
        for n in spot.placed.references:
            x, y = spot.placed.x_mm[n] + dx, spot.placed.y_mm[n] + dy
            yield Wire(((x, y - 4.0), (x, y)), self._group(n), used=True)

    def _wire(self, run: WireRun, dx: float, dy: float) -> Wire:
        points = tuple((x + dx, y + dy) for x, y in run.points)
        if run.target is None:
            return Wire(points, self._group(run.source), used=True)
        status, used = self._way(run.target, run.way)
        return Wire(points, status, used, failed=status == "out" and not used)

    def _way(self, n: int, way: int) -> tuple[Status, bool]:
        """Return the status of one input of a group, and whether it carries power."""
        members, flow, state = self.tree.groups[n].members, self.flow, self.state
        using = [m for m in members if flow.live[m, state] and flow.taken[m, state] == way]
        if using:
            return worst_of([self.status[m] for m in using], last=True), True
        failed = self.out.intersection(
            self.network.equipment[m].links[way].circuit for m in members
        )
        return ("out" if failed else "open"), False
