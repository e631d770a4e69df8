"""The one-line diagram of a power network in one state, as shapes on a plane.

Equipment stands in columns by UPS lineup and in levels from the utility down to the panelboards.
Equal equipment of one kind behind the same sources is drawn once with its number. Millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from facility.core.views import System, show
from facility.power.network.solve import Flow
from facility.power.network.types import Equipment, EquipmentKind, Network, Outage
from facility.report.one_line_layout import (
    LEVEL_MM,
    Group,
    Layout,
    Place,
    lay_out,
)
from facility.report.one_line_status import SHORT_WORDS, Status, states_of, worst_of

TEXT_MM = 2.6
SMALL_MM = 2.2
LINE = 1.2
"""Height of a line of text over the size of its letters."""
TITLE_MM = 12.0

_LETTER = 0.62
_BUS_END_MM = 1.5
_BESIDE_MM = {
    "utility": 5.5, "generator-plant": 5.5, "transformer": 6.0, "pdu": 7.0, "ups": 9.5,
    "ats": 6.0,
}  # fmt: skip
_OWN_WORDS: dict[tuple[EquipmentKind, Status], str] = {
    ("static-bypass", "bypass"): "in use", ("maintenance-bypass", "bypass"): "in use",
    ("generator-plant", "open"): "not running", ("ups", "bypass"): "to its bypass",
}  # fmt: skip
_PLURALS = {"panel": "panels", "busway": "busways", "pdu": "PDUs", "sts": "STS"}
_WITH_VOLTAGE = ("utility", "mv-switchgear", "lv-board", "panel", "busway", "pdu")
_BYPASSES = ("static-bypass", "maintenance-bypass")
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Label:
    """Lines of text; `x_mm` is their start, middle or end, `y_mm` the first baseline."""

    lines: tuple[str, ...]
    x_mm: float
    y_mm: float
    anchor: Anchor
    size_mm: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, with letters as wide as those of a wide font."""
        wide = max((len(line) for line in self.lines), default=0) * _LETTER * self.size_mm
        left = self.x_mm - {"start": 0.0, "middle": wide / 2.0, "end": wide}[self.anchor]
        top = self.y_mm - self.size_mm
        height = self.size_mm * (1.0 + LINE * (len(self.lines) - 1) + 0.25)
        return left, top, left + wide, top + height


@dataclass(frozen=True)
class Symbol:
    """One drawn piece of equipment: place of its middle, what stands beside it, how it is.

    `members` are the tags it stands for; `width_mm` is the length of a bus and 0 elsewhere.
    `best` differs from `status`, the worst, where not all members are alike.
    """

    kind: EquipmentKind
    members: tuple[str, ...]
    x_mm: float
    y_mm: float
    width_mm: float
    label: Label
    status: Status
    best: Status


@dataclass(frozen=True)
class Wire:
    """A connection as a polyline; `used` where power comes this way in the state drawn.

    `bolted` where the two are one assembly, without a circuit between them.
    """

    points_mm: tuple[Place, ...]
    status: Status
    used: bool
    bolted: bool


@dataclass(frozen=True)
class Drawing:
    """A one-line diagram; symbols and wires begin `TITLE_MM` below the top."""

    title: str
    width_mm: float
    height_mm: float
    symbols: tuple[Symbol, ...]
    wires: tuple[Wire, ...]


def one_line(
    network: Network, flow: Flow, state: int = 0, outage: Outage | None = None,
    title: str = "", system: System = "si",
) -> Drawing:  # fmt: skip
    """Return the diagram of `network` in one state of `flow`.

    Parameters
    ----------
    network : Network
        The network that was solved.
    flow : Flow
        Its states.
    state : int
        Which of them is drawn.
    outage : Outage, optional
        What was taken out at first; that of the state where not given. What the state has out
        beside it is drawn as switched, not as failed.
    title : str
        Heading; the id of the outage where not given.
    system : {"si", "ip"}
        Unit system of the labels.
    """
    first = flow.outages[state] if outage is None else outage
    layout = lay_out(network)
    status = states_of(network, flow, state, first)
    out = set(first.out)
    symbols = tuple(
        _symbol(network, flow, state, layout, n, status, out, system)
        for n in range(len(layout.groups))
    )
    return Drawing(
        title=title or first.id,
        width_mm=layout.width_mm,
        height_mm=layout.height_mm,
        symbols=symbols,
        wires=tuple(_wires(network, flow, state, layout, status, out)),
    )


def _symbol(
    network: Network, flow: Flow, state: int, layout: Layout, n: int,
    status: Sequence[Status], out: set[str], system: System,
) -> Symbol:  # fmt: skip
    group, span, y_mm = layout.groups[n], layout.spans[n], layout.places[n][1]
    members = [network.equipment[m] for m in group.members]
    found = [status[m] for m in group.members]
    worst, best = worst_of(found), worst_of(found, last=True)
    lines = [_name(members), *_rating(members[0], system)]
    if members[0].kind in _BYPASSES:
        lines = lines[:1]
    loading = flow.loading[list(group.members), state]
    if np.any(np.isfinite(loading)) and np.nanmax(loading) > 0.0:
        several = "up to " if len(members) > 1 else ""
        lines.append(several + show(float(np.nanmax(loading)), "fraction"))
    lines += _remarks(members, found, worst, out)
    return Symbol(
        kind=group.kind,
        members=tuple(one.tag for one in members),
        x_mm=(span[0] + span[1]) / 2.0,
        y_mm=y_mm,
        width_mm=span[1] - span[0],
        label=_label(group.kind, tuple(lines), layout.places[n], span),
        status=worst,
        best=best,
    )


def _name(members: Sequence[Equipment]) -> str:
    if len(members) == 1:
        return members[0].tag
    return f"{len(members)} {_PLURALS.get(members[0].kind, members[0].kind)}"


def _rating(one: Equipment, system: System) -> Iterator[str]:
    """Yield what the name plate says: units and rating, voltage."""
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


def _remarks(
    members: Sequence[Equipment], found: Sequence[Status], worst: Status, out: set[str]
) -> Iterator[str]:
    """Yield in words what the colour says, and how many units or members it is true of."""
    missing = len(out.intersection(members[0].unit_tags)) if len(members) == 1 else 0
    units = len(members[0].unit_tags)
    if 0 < missing < units:
        yield f"{missing} of {units} out"
    if worst != "live":
        count = sum(status == worst for status in found)
        several = f"{count} of {len(found)} " if len(found) > 1 and count < len(found) else ""
        yield several + _OWN_WORDS.get((members[0].kind, worst), SHORT_WORDS[worst])


def _label(kind: EquipmentKind, lines: tuple[str, ...], place: Place, span: Place) -> Label:
    """Return the text beside a symbol: left of buses and UPS, below bypasses, else on the right."""
    x_mm, y_mm = place
    if kind in _BYPASSES:
        return Label(lines, x_mm, y_mm + 5.6, "middle", SMALL_MM)
    height = LINE * TEXT_MM * (len(lines) - 1)
    first = y_mm - height / 2.0 + 0.35 * TEXT_MM
    if span[0] != span[1]:
        return Label(lines, span[0] - _BUS_END_MM, first, "end", TEXT_MM)
    beside = _BESIDE_MM.get(kind, 7.0)
    if kind == "ups":
        return Label(lines, x_mm - beside, first, "end", TEXT_MM)
    return Label(lines, x_mm + beside, first, "start", TEXT_MM)


def _wires(
    network: Network, flow: Flow, state: int, layout: Layout, status: Sequence[Status],
    out: set[str],
) -> Iterator[Wire]:  # fmt: skip
    """Yield the wires, unused ones first, so that those in use are drawn over them."""
    found = [
        wire
        for n, group in enumerate(layout.groups)
        for wire in _ways(network, flow, state, layout, n, group, status, out)
    ]
    yield from sorted(found, key=lambda wire: wire.used)


def _ways(
    network: Network, flow: Flow, state: int, layout: Layout, n: int, group: Group,
    status: Sequence[Status], out: set[str],
) -> Iterator[Wire]:  # fmt: skip
    links = network.equipment[group.members[0]].links
    for way, (source, link) in enumerate(zip(group.sources, links, strict=True)):
        using = [m for m in group.members if flow.live[m, state] and flow.taken[m, state] == way]
        failed = out.intersection(network.equipment[m].links[way].circuit for m in group.members)
        unused: Status = "out" if failed else "open"
        found = worst_of([status[m] for m in using], last=True) if using else unused
        start = _start(layout, source, n)
        points = (start, *_bend(start, layout.places[n], way, layout.spans[n]))
        yield Wire(points, found, bool(using), not link.circuit)


def _start(layout: Layout, source: int, target: int) -> Place:
    left, right = layout.spans[source]
    return min(max(layout.places[target][0], left), right), layout.places[source][1]


def _bend(start: Place, end: Place, way: int, span: Place) -> tuple[Place, ...]:
    """Return the corners and the end of a wire: straight down, or across between the levels."""
    wide = span[0] != span[1]
    if wide:
        x_mm = min(max(start[0], span[0] + 2.0), span[1] - 2.0)
        inward = 3.0 if start[0] < span[0] + 2.0 else -3.0
        x_mm += inward * way if abs(x_mm - start[0]) > 1e-6 else 0.0
    else:
        x_mm = end[0] + 2.5 * way
    if abs(start[0] - x_mm) < 1e-6:
        return ((x_mm, end[1]),)
    across = end[1] - LEVEL_MM * (0.44 + 0.05 * way)
    return (start[0], across), (x_mm, across), (x_mm, end[1])
