"""The Sankey diagram of power: from the utility to the IT, with cooling and losses as branches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import plotly.graph_objects as go

from facility.core.table import Results
from facility.core.views import view_value
from facility.report.tables.part_names import part_name
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_HEIGHT = 600
_LABELS = 232
_TOP, _BOTTOM = 30, 8
_PAD = 20.0
_MIDDLE = 0.5
_UTILITY = "#6b7480"


@dataclass(frozen=True)
class _Branch:
    """A share of the facility load; leaves are its parts, or the share itself."""

    name: str
    power_kw: float
    colour: str
    leaves: tuple[tuple[str, float], ...]


class _Node(NamedTuple):
    """A node and the link that leads to it; spots are shares from the left and from the top."""

    parent: int
    name: str
    power_kw: float
    colour: str
    x: float
    y: float


def power_flow(results: Results, ink: Ink) -> go.Figure:
    """Return the power flow at the design hour; every branch ends in a label at the right.

    results: Results of a design.
    ink: Colours of the page.
    """
    branches = _branches(results)
    whole = _kw(results, "load.facility")
    leaves = [leaf for branch in branches for leaf in branch.leaves]
    scale, spots = _spots([power for _, power in leaves])
    labels = [
        _label(_share(name, power, whole), 1.0, 1.0 - spot, "left", xshift=6)
        for (name, power), spot in zip(leaves, spots, strict=True)
    ]
    labels.append(_label(f"<b>utility {whole:,.0f} kW</b>", 0.0, 1.0, "left", yshift=12))
    for branch, spot in zip(branches, _middles(branches, spots), strict=True):
        if len(branch.leaves) > 1:
            above = branch.power_kw * scale / 2.0 + 10.0
            total = f"<b>{_total(branch)}</b>"
            labels.append(_label(total, _MIDDLE, 1.0 - spot, "center", yshift=above))
    margin = {"l": 6, "r": _LABELS, "t": _TOP, "b": _BOTTOM}
    layout = {"margin": margin, "annotations": labels}
    return palette.drawn(_sankey(branches, whole, scale, spots), layout, ink, _HEIGHT)


def _label(text: str, x: float, y: float, anchor: str, **shift: float) -> dict[str, object]:
    """Return a label of the drawing, at shares from its left and from its foot."""
    return _PLAIN | {"text": text, "x": x, "y": y, "xanchor": anchor} | shift


_PLAIN = {"xref": "paper", "yref": "paper", "yanchor": "middle", "showarrow": False}


def _share(name: str, power_kw: float, whole_kw: float) -> str:
    return f"{name} {power_kw:,.0f} kW · {power_kw / whole_kw:.1%}"


def _total(branch: _Branch) -> str:
    return f"{branch.name} {branch.power_kw:,.0f} kW"


def _kw(results: Results, key: str) -> float:
    return view_value(float(results[key].si), "active_power") if key in results else 0.0


def _branches(results: Results) -> list[_Branch]:
    return [
        _branch(results, "IT", "load.it", "", Hue.IT.value),
        _branch(results, "cooling", "load.cooling", "cooling.", Hue.COOLING.value),
        _branch(results, "losses", "load.losses", "losses.", Hue.LOSS.value),
        _branch(results, part_name("house"), "load.house", "", Hue.HOUSE.value),
    ]


def _branch(results: Results, name: str, key: str, prefix: str, colour: str) -> _Branch:
    power = _kw(results, key)
    parts = [
        (part_name(part), _kw(results, part))
        for part in results
        if prefix and part.startswith(prefix)
    ]
    leaves = tuple(leaf for leaf in parts if leaf[1] > 0.0)
    return _Branch(name, power, colour, leaves or ((name, power),))


def _spots(powers: list[float]) -> tuple[float, list[float]]:
    """Return pixels per kW, and the height of the middle of each leaf as a share from the top."""
    room = _HEIGHT - _TOP - _BOTTOM
    scale = (room - _PAD * (len(powers) - 1)) / max(sum(powers), 1e-9)
    spots, top = [], 0.0
    for power in powers:
        spots.append(min(max((top + power * scale / 2.0) / room, 1e-3), 1.0 - 1e-3))
        top += power * scale + _PAD
    return scale, spots


def _middles(branches: list[_Branch], spots: list[float]) -> list[float]:
    """Return the height of each branch: amid its leaves, as far apart as their totals need."""
    left = iter(spots)
    middles = []
    for branch in branches:
        own = [next(left) for _ in branch.leaves]
        middles.append(sum(own) / len(own))
    return middles


def _sankey(
    branches: list[_Branch], whole_kw: float, scale: float, spots: list[float]
) -> go.Sankey:
    top = whole_kw * scale / 2.0 / (_HEIGHT - _TOP - _BOTTOM)
    nodes = [_Node(-1, "utility", whole_kw, _UTILITY, 1e-3, top)]
    left = iter(spots)
    for branch, middle in zip(branches, _middles(branches, spots), strict=True):
        parent = 0
        if len(branch.leaves) > 1:
            parent = len(nodes)
            nodes.append(_Node(0, branch.name, branch.power_kw, branch.colour, _MIDDLE, middle))
        for name, power in branch.leaves:
            nodes.append(_Node(parent, name, power, branch.colour, 1.0 - 1e-3, next(left)))
    shares = [_share(node.name, node.power_kw, whole_kw) for node in nodes]
    hover = "%{customdata}<extra></extra>"
    return go.Sankey(
        arrangement="fixed",
        node={
            "label": [""] * len(nodes),
            "color": [node.colour for node in nodes],
            "x": [node.x for node in nodes],
            "y": [node.y for node in nodes],
            "pad": _PAD,
            "thickness": 12,
            "line_width": 0,
            "customdata": shares,
            "hovertemplate": hover,
        },
        link={
            "source": [node.parent for node in nodes[1:]],
            "target": list(range(1, len(nodes))),
            "value": [node.power_kw for node in nodes[1:]],
            "color": [_faded(node.colour) for node in nodes[1:]],
            "customdata": shares[1:],
            "hovertemplate": hover,
        },
    )


def _faded(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.45)"
