"""Sankey diagram of power from the utility to IT, cooling, losses and building load.

It is drawn from bars and bands, whose clicks open explanations; the Plotly Sankey has no clicks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go

from facility.core.table import Results
from facility.core.views import view_value
from facility.report.tables.summary import part_name
from facility.ui.charts import palette
from facility.ui.charts.click_points import NEAREST_POINT, click_points
from facility.ui.charts.palette import Hue, Ink

_HEIGHT = 600
_LABELS = 232
_TOP, _BOTTOM = 30, 8
_ROOM = _HEIGHT - _TOP - _BOTTOM
_PAD = 20.0
_UTILITY_X, _MIDDLE, _LEAF_X = 0.01, 0.5, 0.99
_THICK = 0.02
_UTILITY = "#6b7480"
_STOPS = [n / 10.0 for n in range(1, 10)]
_APART_PX = 30.0
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
    colour: str
    leaves: tuple[_Part, ...]


@dataclass(frozen=True)
class _Node:
    """A bar, and the band from the bar `parent` to it; heights in pixels from the top."""

    part: _Part
    colour: str
    x: float
    top: float
    height: float
    parent: int = -1
    start: float = 0.0  # Top of the band at its parent


def power_flow(results: Results, ink: Ink) -> go.Figure:
    """Return the power flow at the design hour; every branch ends in a label on the right.

    Bars and bands carry the key of their result.

    results: Results of a design.
    ink: Colours of the page.
    """
    branches = _branches(results)
    whole = _Part("Utility", "load.facility", _kw(results, "load.facility"))
    leaves = [leaf for branch in branches for leaf in branch.leaves]
    scale, spots = _spots([leaf.power_kw for leaf in leaves])
    middles = _middles(branches, spots)
    labels = [
        _label(_share(leaf, whole), 1.0, spot, "left", xshift=6)
        for leaf, spot in zip(leaves, spots, strict=True)
    ]
    labels.append(_label(f"<b>{_total(whole, whole)}</b>", 0.0, 0.0, "left", yshift=12))
    for branch, middle in zip(branches, middles, strict=True):
        if len(branch.leaves) > 1:
            above = branch.whole.power_kw * scale / 2.0 + 10.0
            total = f"<b>{_total(branch.whole, whole)}</b>"
            label = _label(total, _MIDDLE, middle, "center", yshift=above)
            labels.append(label | {"bgcolor": palette.veil(ink)})
    nodes = _nodes(branches, whole, scale, spots, middles)
    layout = {
        "margin": {"l": 6, "r": _LABELS, "t": _TOP, "b": _BOTTOM},
        "annotations": labels,
        "shapes": [
            *(_band(nodes[node.parent], node) for node in nodes if node.parent >= 0),
            *(_bar(node) for node in nodes),
        ],
        "xaxis": {"visible": False, "range": [0.0, 1.0]},
        "yaxis": {"visible": False, "range": [_ROOM, 0.0]},
        "showlegend": False,
        **NEAREST_POINT,
    }
    return palette.drawn(_points(nodes, whole), layout, ink, _HEIGHT)


def _label(text: str, x: float, y: float, anchor: str, **shift: float) -> dict[str, object]:
    """Return a label at a fraction `x` from the left and `y` pixels from the top."""
    return _PLAIN | {"text": text, "x": x, "y": 1.0 - y / _ROOM, "xanchor": anchor} | shift


_PLAIN = {"xref": "paper", "yref": "paper", "yanchor": "middle", "showarrow": False}


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
    return [
        _branch(results, "IT", "load.it", "", Hue.IT.value),
        _branch(results, "Cooling", "load.cooling", "cooling.", Hue.COOLING.value),
        _branch(results, "Losses", "load.losses", "losses.", Hue.LOSS.value),
        _branch(results, palette.sentence(part_name("house")), "load.house", "", Hue.HOUSE.value),
    ]


def _branch(results: Results, name: str, key: str, prefix: str, colour: str) -> _Branch:
    whole = _Part(name, key, _kw(results, key))
    parts = [
        _Part(palette.sentence(part_name(part, results)), part, _kw(results, part))
        for part in results
        if prefix and part.startswith(prefix)
    ]
    leaves = tuple(leaf for leaf in parts if leaf.power_kw > 0.0)
    return _Branch(whole, colour, leaves or (whole,))


def _spots(powers: list[float]) -> tuple[float, list[float]]:
    """Return pixels per kW, and the height of the middle of each leaf from the top."""
    scale = (_ROOM - _PAD * (len(powers) - 1)) / max(sum(powers), 1e-9)
    spots, top = [], 0.0
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
    nodes = [_Node(whole, _UTILITY, _UTILITY_X, 0.0, whole.power_kw * scale)]
    left, start = iter(spots), 0.0
    for branch, middle in zip(branches, middles, strict=True):
        parent, leaving = 0, start
        height = branch.whole.power_kw * scale
        if len(branch.leaves) > 1:
            parent, leaving = len(nodes), middle - height / 2.0
            nodes.append(_Node(branch.whole, branch.colour, _MIDDLE, leaving, height, 0, start))
        start += height
        for leaf in branch.leaves:
            height = leaf.power_kw * scale
            top = next(left) - height / 2.0
            nodes.append(_Node(leaf, branch.colour, _LEAF_X, top, height, parent, leaving))
            leaving += height
    return nodes


def _points(nodes: list[_Node], whole: _Part) -> dict[str, object]:
    """Return points distributed over bars and bands; a click selects the nearest."""
    spots = [(node, *spot) for node in nodes for spot in (*_of_bar(node), *_of_band(nodes, node))]
    keys = [[node.part.key, _share(node.part, whole)] for node, *_ in spots]
    x, y = [x for _, x, _ in spots], [y for *_, y in spots]
    return click_points(x, y, keys, "%{customdata[1]}<extra></extra>")


def _of_bar(node: _Node) -> Iterator[tuple[float, float]]:
    return ((node.x, node.top + part * node.height) for part in _rows(node.height))


def _of_band(nodes: list[_Node], node: _Node) -> Iterator[tuple[float, float]]:
    """Yield points of the band that leads to a bar, row by row."""
    if node.parent < 0:
        return
    from_x, to_x = nodes[node.parent].x, node.x
    for t in _STOPS:
        across, down = 1.5 * t * (1.0 - t) + t**3, t * t * (3.0 - 2.0 * t)
        x, top = from_x + across * (to_x - from_x), node.start + down * (node.top - node.start)
        for part in _rows(node.height):
            yield x, top + part * node.height


def _rows(height: float) -> list[float]:
    """Return the positions of the points across a height, as fractions."""
    count = max(1, round(height / _APART_PX))
    return [(n + 0.5) / count for n in range(count)]


def _bar(node: _Node) -> dict[str, object]:
    left, right = node.x - _THICK / 2.0, node.x + _THICK / 2.0
    ends = {"x0": left, "x1": right, "y0": node.top, "y1": node.top + node.height}
    return {"type": "rect", **ends, "fillcolor": node.colour, "line": {"width": 0}}


def _band(parent: _Node, node: _Node) -> dict[str, object]:
    """Return the band that leads to a bar, horizontal at both ends."""
    left, right = parent.x, node.x
    middle, height = (left + right) / 2.0, node.height
    start, end = node.start, node.top
    path = (
        f"M {left},{start} C {middle},{start} {middle},{end} {right},{end} L {right},{end + height}"
        f" C {middle},{end + height} {middle},{start + height} {left},{start + height} Z"
    )
    colour, plain = _faded(node.colour), {"width": 0}
    return {"type": "path", "path": path, "fillcolor": colour, "line": plain, "layer": "below"}


def _faded(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.45)"
