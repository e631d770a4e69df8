"""Flow chart (Sankey) of power from the utility to IT, cooling, losses and building load."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from facility.core.table import Results
from facility.core.views import view_value
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    ChartText,
    FlowBand,
    Rectangle,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.text import sentence
from facility.report.tables.summary import part_name

_HEIGHT, _LABELS_PX = 560.0, 214.0
_TOP, _BOTTOM = 30.0, 8.0
_ROOM = _HEIGHT - _TOP - _BOTTOM
_PAD = 18.0
_MIDDLE = 0.5
_THICK_PX = 6.0
_SMALL_KW, _LARGE_KW, _HUGE_KW = 300.0, 1e4, 1e5


class _Part(NamedTuple):
    """A power, with its name and result key."""

    name: str
    key: str
    power_kw: float


@dataclass(frozen=True)
class _Branch:
    """A share of the facility load; its leaves are its parts, or the share itself."""

    whole: _Part
    role: Role
    leaves: tuple[_Part, ...]


@dataclass(frozen=True)
class _Node:
    """A bar at a fraction `x` of the width, and the band from the bar `parent` to it [px]."""

    part: _Part
    role: Role
    x: float
    top: float
    height: float
    parent: int = -1
    start: float = 0.0  # Top of the band at its parent


def power_flow(results: Results) -> Chart:
    """Return the power flow at the design hour; every branch ends in a label on the right.

    Bars and bands have the key of their result.

    results: Results of a design.
    """
    branches = _branches(results)
    whole = _Part("Utility", "load.facility", _kw(results, "load.facility"))
    leaves = [leaf for branch in branches for leaf in branch.leaves]
    scale, spots = _spots([leaf.power_kw for leaf in leaves])
    middles = _middles(branches, spots)
    nodes = _nodes(branches, whole, scale, spots, middles)
    shapes: list[Shape] = [_band(nodes[n.parent], n) for n in nodes if n.parent >= 0]
    for node in nodes:
        inner = {0.0: (0.0, _THICK_PX), 1.0: (-_THICK_PX, 0.0)}
        dx = inner.get(node.x, (-_THICK_PX / 2.0, _THICK_PX / 2.0))
        shapes.append(
            Rectangle((node.x, node.x), (node.top, node.top + node.height), node.role, dx)
        )
    for leaf, spot in zip(leaves, spots, strict=True):
        shapes.append(ChartText(_share(leaf, whole), 1.0, spot, "start", 6.0, role="ink"))
    shapes.append(ChartText(_total(whole, whole), 0.0, 12.0, "start", role="ink", bold=True))
    for branch, middle in zip(branches, middles, strict=True):
        if len(branch.leaves) > 1:
            y = middle - branch.whole.power_kw * scale / 2.0 - 10.0
            text = _total(branch.whole, whole)
            shapes.append(ChartText(text, _MIDDLE, y, role="ink", bold=True, veiled=True))
    marks = tuple(_marks(nodes, whole))
    title = "Power flow at the design hour"
    return Chart(title, _HEIGHT, 0.0, _LABELS_PX, tuple(shapes), marks)


def _share(part: _Part, whole: _Part) -> str:
    return f"{_total(part, whole)} · {part.power_kw / whole.power_kw:.1%}"


def _total(part: _Part, whole: _Part) -> str:
    """Return name and power of a part; all in MW from 10 MW in total, as the key figures."""
    if whole.power_kw >= _LARGE_KW:
        digits = 1 if whole.power_kw >= _HUGE_KW else 2
        return f"{part.name} {part.power_kw / 1e3:,.{digits}f} MW"
    digits = 1 if whole.power_kw < _SMALL_KW else 0
    return f"{part.name} {part.power_kw:,.{digits}f} kW"


def _kw(results: Results, key: str) -> float:
    return view_value(float(results[key].si), "active_power") if key in results else 0.0


def _branches(results: Results) -> list[_Branch]:
    house = sentence(part_name("house"))
    return [
        _branch(results, "IT", "load.it", "", "it"),
        _branch(results, "Cooling", "load.cooling", "cooling.", "cooling"),
        _branch(results, "Losses", "load.losses", "losses.", "loss"),
        _branch(results, house, "load.house", "", "house"),
    ]


def _branch(results: Results, name: str, key: str, prefix: str, role: Role) -> _Branch:
    whole = _Part(name, key, _kw(results, key))
    parts = [
        _Part(sentence(part_name(part, results)), part, _kw(results, part))
        for part in results
        if prefix and part.startswith(prefix)
    ]
    leaves = tuple(leaf for leaf in parts if leaf.power_kw > 0.0)
    return _Branch(whole, role, leaves or (whole,))


def _spots(powers: list[float]) -> tuple[float, list[float]]:
    """Return pixels per kW, and the height of the middle of each leaf from the top."""
    scale = (_ROOM - _PAD * (len(powers) - 1)) / max(sum(powers), 1e-9)
    spots, top = [], _TOP
    for power in powers:
        spots.append(top + power * scale / 2.0)
        top += power * scale + _PAD
    return scale, spots


def _middles(branches: list[_Branch], spots: list[float]) -> list[float]:
    """Return the height of each branch: the mean height of its leaves."""
    left = iter(spots)
    middles = []
    for branch in branches:
        own = [next(left) for _ in branch.leaves]
        middles.append(sum(own) / len(own))
    return middles


def _nodes(
    branches: list[_Branch], whole: _Part, scale: float, spots: list[float], middles: list[float]
) -> list[_Node]:
    """Return the bars from the utility onwards; bands leave each bar in the order of its leaves."""
    nodes = [_Node(whole, "ink-2", 0.0, _TOP, whole.power_kw * scale)]
    left, start = iter(spots), _TOP
    for branch, middle in zip(branches, middles, strict=True):
        parent, leaving = 0, start
        height = branch.whole.power_kw * scale
        if len(branch.leaves) > 1:
            parent, leaving = len(nodes), middle - height / 2.0
            nodes.append(_Node(branch.whole, branch.role, _MIDDLE, leaving, height, 0, start))
        start += height
        for leaf in branch.leaves:
            height = leaf.power_kw * scale
            top = next(left) - height / 2.0
            nodes.append(_Node(leaf, branch.role, 1.0, top, height, parent, leaving))
            leaving += height
    return nodes


def _marks(nodes: list[_Node], whole: _Part) -> Iterator[ChartMark]:
    """Yield a mark for each bar and the band leading to the bar."""
    for node in nodes:
        part, y = node.part, node.top + node.height / 2.0
        series = "Utility" if node.parent < 0 else nodes[node.parent].part.name
        area = None if node.parent < 0 else _band(nodes[node.parent], node)
        box = (0.0, node.top, 0.03, node.top + node.height)
        words = _share(part, whole)
        yield ChartMark(series, part.power_kw, words, node.x, y, (part.key,), area or box)


def _band(parent: _Node, node: _Node) -> FlowBand:
    return FlowBand((parent.x, node.x), (node.start, node.top), node.height, node.role)
