"""The one-line diagram of a power network in one state, as shapes on a plane.

Equipment stands in columns by UPS lineup and in levels from the utility down to the panelboards.
Equal equipment of one kind behind the same source is drawn once with its number. Millimetres.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from facility.core.views import show
from facility.power.network.solve import Flow
from facility.power.network.types import Equipment, EquipmentKind, Network

Status = Literal["live", "overloaded", "battery", "bypass", "dead", "out"]
STATUS_WORDS: dict[Status, str] = {
    "live": "in service", "overloaded": "above its rating", "battery": "on battery",
    "bypass": "without UPS", "dead": "de-energised", "out": "out of service",
}  # fmt: skip

_LEVELS: dict[EquipmentKind, int] = {
    "utility": 0, "generator-plant": 0, "mv-switchgear": 1, "transformer": 2, "ats": 3,
    "lv-board": 4, "tie": 4, "ups": 5, "static-bypass": 5, "maintenance-bypass": 5,
    "ups-output": 6, "sts": 7, "pdu": 8, "panel": 9, "busway": 9,
}  # fmt: skip
_BYPASSES = ("static-bypass", "maintenance-bypass")
COLUMN_MM = 44.0
LEVEL_MM = 24.0
_MARGIN_MM = 14.0
_ASIDE_MM = 15.0


@dataclass(frozen=True)
class Symbol:
    """One drawn piece of equipment: place of its middle, what stands beside it, how it is.

    `members` are the tags it stands for; `width_mm` is the length of a bus and 0 elsewhere.
    """

    kind: EquipmentKind
    members: tuple[str, ...]
    x_mm: float
    y_mm: float
    width_mm: float
    lines: tuple[str, ...]
    status: Status


@dataclass(frozen=True)
class Wire:
    """A connection as a polyline; `used` where power comes this way in the state drawn."""

    points_mm: tuple[tuple[float, float], ...]
    status: Status
    used: bool


@dataclass(frozen=True)
class Drawing:
    """A one-line diagram."""

    title: str
    width_mm: float
    height_mm: float
    symbols: tuple[Symbol, ...]
    wires: tuple[Wire, ...]


@dataclass(frozen=True)
class _Group:
    """Equipment drawn as one symbol, and the groups it can be supplied from, first choice first."""

    kind: EquipmentKind
    members: tuple[int, ...]
    sources: tuple[int, ...]


def one_line(network: Network, flow: Flow, state: int = 0) -> Drawing:
    """Return the diagram of `network` in one state of `flow`.

    Parameters
    ----------
    network : Network
        The network that was solved.
    flow : Flow
        Its states.
    state : int
        Which of them is drawn.
    """
    groups = _groups(network)
    columns = _columns(groups)
    used_levels = sorted({_LEVELS[group.kind] for group in groups})
    level = {found: row for row, found in enumerate(used_levels)}
    places = [
        (_MARGIN_MM + COLUMN_MM * (columns[n] + 0.5) + _aside(group.kind),
         _MARGIN_MM + LEVEL_MM * (level[_LEVELS[group.kind]] + 0.5))
        for n, group in enumerate(groups)
    ]  # fmt: skip
    spans = _spans(groups, places)
    symbols = tuple(
        _symbol(network, flow, state, group, spans[n], places[n][1])
        for n, group in enumerate(groups)
    )
    wires = _wires(network, flow, state, groups, places, spans, symbols)
    return Drawing(
        title=flow.outages[state].id,
        width_mm=2.0 * _MARGIN_MM + COLUMN_MM * (max(columns) + 1.0),
        height_mm=2.0 * _MARGIN_MM + LEVEL_MM * len(used_levels),
        symbols=symbols,
        wires=wires,
    )


def _groups(network: Network) -> list[_Group]:
    """Return the equipment to draw; PDUs and panels of one kind and source together."""
    groups: list[_Group] = []
    of: dict[int, int] = {}
    together: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for n, one in enumerate(network.equipment):
        if one.kind not in _LEVELS:
            continue
        sources = tuple(of[network.index[link.source]] for link in one.links)
        if one.kind in ("pdu", "panel", "busway", "sts"):
            key = (one.kind, sources)
            if key in together:
                together[key].append(n)
                of[n] = of[together[key][0]]
                groups[of[n]] = _Group(one.kind, tuple(together[key]), sources)
                continue
            together[key] = [n]
        of[n] = len(groups)
        groups.append(_Group(one.kind, (n,), sources))
    return groups


def _columns(groups: Sequence[_Group]) -> list[float]:
    """Return the column of each group: leaves side by side, the rest above what it supplies."""
    below: dict[int, list[int]] = defaultdict(list)
    for n, group in enumerate(groups):
        for source in group.sources[:1]:
            below[source].append(n)
    column: dict[int, float] = {}
    taken = 0

    def stand(n: int) -> float:
        nonlocal taken
        if n in column:
            return column[n]
        children = [c for c in below[n] if groups[c].kind not in _BYPASSES]
        if children:
            spots = [stand(child) for child in children]
            column[n] = (spots[0] + spots[-1]) / 2.0
        elif groups[n].kind == "generator-plant":
            column[n] = -1.0
        else:
            column[n] = float(taken)
            taken += 1
        return column[n]

    for n, group in enumerate(groups):
        if not group.sources:
            stand(n)
    for n, group in enumerate(groups):
        if group.kind in _BYPASSES:
            column[n] = column[group.sources[0]]
    last = max(column.values())
    return [last + 1.0 if column[n] < 0.0 else column[n] for n in range(len(groups))]


def _aside(kind: EquipmentKind) -> float:
    return {"static-bypass": _ASIDE_MM, "maintenance-bypass": 1.6 * _ASIDE_MM}.get(kind, 0.0)


_Span = tuple[float, float]


def _spans(groups: Sequence[_Group], places: Sequence[tuple[float, float]]) -> list[_Span]:
    """Return left and right end of each symbol: a bus reaches over all that it supplies."""
    reach: list[list[float]] = [[x] for x, _ in places]
    for n, group in enumerate(groups):
        for source in group.sources:
            if groups[source].kind in ("mv-switchgear", "lv-board", "utility", "generator-plant"):
                reach[source].append(places[n][0])
        if group.kind == "ups-output":
            reach[n] += [places[source][0] for source in group.sources]
    wide = ("mv-switchgear", "lv-board", "ups-output")
    return [
        (min(xs) - 5.0, max(xs) + 5.0) if group.kind in wide else (places[n][0], places[n][0])
        for n, (group, xs) in enumerate(zip(groups, reach, strict=True))
    ]


def _symbol(
    network: Network, flow: Flow, state: int, group: _Group, span: _Span, y_mm: float
) -> Symbol:
    members = tuple(network.equipment[n].tag for n in group.members)
    first = network.equipment[group.members[0]]
    name = first.tag if len(members) == 1 else f"{len(members)} x {first.kind}"
    lines = [name]
    rating = _rating(first)
    if rating:
        lines.append(rating)
    loading = flow.loading[list(group.members), state]
    if np.any(np.isfinite(loading)):
        lines.append(show(float(np.nanmax(loading)), "fraction"))
    return Symbol(
        kind=group.kind, members=members, x_mm=(span[0] + span[1]) / 2.0, y_mm=y_mm,
        width_mm=span[1] - span[0], lines=tuple(lines),
        status=_status(network, flow, state, group.members),
    )  # fmt: skip


def _rating(one: Equipment) -> str:
    units = len(one.unit_tags)
    count = f"{units} x " if units > 1 else ""
    if one.rating_va is not None:
        return count + show(one.rating_va, "apparent_power")
    if one.rating_a is not None:
        return count + show(one.rating_a, "current")
    return ""


_WEIGHT: tuple[Status, ...] = ("out", "dead", "overloaded", "bypass", "battery", "live")


def _status(network: Network, flow: Flow, state: int, members: Sequence[int]) -> Status:
    out = set(flow.outages[state].out)
    found = {_one_status(network, flow, state, n, out) for n in members}
    return next(status for status in _WEIGHT if status in found)


def _one_status(network: Network, flow: Flow, state: int, n: int, out: set[str]) -> Status:
    one = network.equipment[n]
    if one.tag in out or out.issuperset(one.unit_tags):
        return "out"
    if not flow.live[n, state]:
        return "dead"
    if flow.loading[n, state] > 1.0 + 1e-9:
        return "overloaded"
    if flow.on_battery[n, state]:
        return "battery"
    taken = int(flow.taken[n, state])
    if one.kind == "ups-output" and network[one.links[taken].source].kind in _BYPASSES:
        return "bypass"
    return "live"


def _wires(
    network: Network, flow: Flow, state: int, groups: Sequence[_Group],
    places: Sequence[tuple[float, float]], spans: Sequence[_Span], symbols: Sequence[Symbol],
) -> tuple[Wire, ...]:  # fmt: skip
    wires = []
    for n, group in enumerate(groups):
        member = group.members[0]
        taken = int(flow.taken[member, state])
        for way, source in enumerate(group.sources):
            used = bool(flow.live[member, state]) and taken == way
            status = symbols[n].status if used else "dead"
            start = _from(spans[source], places[source], places[n])
            ends = (start, *_bend(start, places[n], way, spans[n]))
            wires.append(Wire(ends, status, used))
    return tuple(wires)


def _from(span: _Span, place: tuple[float, float], to: tuple[float, float]) -> tuple[float, float]:
    return min(max(to[0], span[0]), span[1]), place[1]


def _bend(
    start: tuple[float, float], end: tuple[float, float], way: int, span: _Span
) -> tuple[tuple[float, float], ...]:
    """Return the corners and the end of a wire: straight down, or across between the levels."""
    x_mm = end[0] if span[0] == span[1] else min(max(start[0], span[0]), span[1])
    x_mm += 3.0 * way if span[0] == span[1] and way else 0.0
    if abs(start[0] - x_mm) < 1e-6:
        return ((x_mm, end[1]),)
    across = end[1] - LEVEL_MM * (0.45 + 0.04 * way)
    return (start[0], across), (x_mm, across), (x_mm, end[1])
