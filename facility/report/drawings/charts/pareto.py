"""Scatter charts of two results: designs of a sweep with their Pareto front, scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from facility.core.views import System
from facility.report.drawings.charts.kit.axes import PlotAxis, linear_axis, plot_area, plotted
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    ChartText,
    Dot,
    LegendSample,
    Shape,
    Symbol,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.series import line
from facility.report.drawings.charts.kit.units import axis_unit, significant
from facility.study.scenarios import ScenarioFigure
from facility.study.sweep.row import OK, Cells

Better = Literal["less", "more"]


@dataclass(frozen=True)
class ChartAxis:
    """Result along an axis, and its preferred direction."""

    head: str
    better: Better = "less"


@dataclass(frozen=True)
class Point:
    """A design in the plot."""

    row: int  # Number of its row
    x: float
    y: float
    holds: bool  # Whether there are no violations
    front: bool = False  # Whether it is feasible and not dominated by another feasible design


def points_of(rows: Iterable[Cells], x: ChartAxis, y: ChartAxis) -> list[Point]:
    """Return the designs with both results; front designs are marked.

    A design with violations in the studies run is not on the front.
    """
    found = [point for cells in rows if (point := _point(cells, x.head, y.head)) is not None]
    best = _front([point for point in found if point.holds], x, y)
    return [Point(p.row, p.x, p.y, p.holds, p.row in best) for p in found]


def _point(cells: Cells, x: str, y: str) -> Point | None:
    across, up, row = cells.get(x), cells.get(y), cells["row"]
    numbers = isinstance(across, int | float) and isinstance(up, int | float)
    if cells["status"] != OK or not numbers or not isinstance(row, int):
        return None
    return Point(row, float(across or 0.0), float(up or 0.0), not cells["violations"])


def _front(feasible: list[Point], x: ChartAxis, y: ChartAxis) -> set[int]:
    """Return the rows that are not dominated."""
    signs = tuple(1.0 if axis.better == "less" else -1.0 for axis in (x, y))
    ordered = sorted((signs[0] * p.x, signs[1] * p.y, p.row) for p in feasible)
    best: set[int] = set()
    lowest, last = float("inf"), (float("nan"), float("nan"))
    for across, up, row in ordered:
        if up < lowest or (across, up) == last:
            best.add(row)
            lowest, last = up, (across, up)
    return best


_HEIGHT_PX, _SCENARIOS_PX = 440.0, 380.0
_PAD = 0.06
_CLASSES: tuple[tuple[str, Symbol, Role, float, Callable[[Point], bool]], ...] = (
    ("Violations", "cross", "limit", 4.0, lambda point: not point.holds),
    ("No violations", "circle", "it", 4.5, lambda point: point.holds and not point.front),
    ("Pareto front", "diamond", "house", 6.0, lambda point: point.front),
)


def pareto_chart(
    points: Sequence[Point], axes: tuple[ChartAxis, ChartAxis], chosen: int | None
) -> Chart:
    """Return the designs as points; each has its row number as key.

    points: The designs.
    axes: Results on the horizontal and the vertical axis.
    chosen: BarRow of the selected design.
    """
    x, y = (
        _padded(f"{axis.head}, {axis.better} is better", [getattr(p, side) for p in points])
        for axis, side in zip(axes, ("x", "y"), strict=True)
    )
    plot = plot_area(x, y, _HEIGHT_PX)
    front = sorted((p.x, p.y) for p in points if p.front)
    ends = np.array(front).reshape(-1, 2).T
    shapes: list[Shape] = [line(plot, ends[0], ends[1], "house", 1.0, "2 3")]
    marks: list[ChartMark] = []
    legend = []
    for name, symbol, role, radius, belongs in _CLASSES:
        of = [point for point in points if belongs(point)]
        legend.append(LegendSample(f"{name} ({len(of):,})", role, symbol))
        for p in of:
            at = plot.across(p.x), plot.up(p.y)
            words = f"Row {p.row}: {significant(p.x, 6)}, {significant(p.y, 6)}"
            shapes.append(Dot(*at, role, symbol, radius))
            marks.append(ChartMark(name, p.y, words, *at, (str(p.row),)))
            if p.row == chosen:
                shapes.append(Dot(*at, "ink", radius=11.0, hollow=True))
                shapes.append(
                    ChartText(
                        f"Row {p.row}", at[0], at[1] - 19.0, role="ink", bold=True, veiled=True
                    )
                )
    return plotted(plot, f"{axes[1].head} vs. {axes[0].head}", shapes, marks, legend)


def _padded(title: str, values: Sequence[float], min_span: float = 0.0) -> PlotAxis:
    """Return an axis over values with a margin; `min_span` is its minimum span over the values."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    span = min_span * max(abs(low), abs(high))
    if high - low < span:
        low, high = 0.5 * (low + high) - span, 0.5 * (low + high) + span
    pad = _PAD * (high - low)
    return linear_axis(title, low - pad, high + pad)


_MIN_SPAN = 0.04
"""Minimum axis span, as a fraction of the result: small differences must not look large."""


def scenarios_chart(
    along: ScenarioFigure,
    up: ScenarioFigure,
    labels: tuple[str, str],
    names: Sequence[str],
    system: System,
) -> Chart:
    """Return the project and its scenarios as points with their names.

    Each point has the key of the vertical result and the name of its scenario.

    along, up: Results on the horizontal and the vertical axis.
    labels: Names of both results.
    names: Names of the project and of the scenarios.
    system: Units of the axes.
    """
    units = []
    for figure in (along, up):
        known = [value for value in (figure.base, *figure.values) if value is not None]
        units.append(axis_unit(figure.kind, max(map(abs, known), default=0.0), system))
    pairs = zip((along.base, *along.values), (up.base, *up.values), strict=True)
    at: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in zip(names, pairs, strict=True):
        if x is not None and y is not None:
            at.setdefault((units[0].of(x), units[1].of(y)), []).append(name)
    axes = [
        _padded(unit.title(label), [spot[n] for spot in at], _MIN_SPAN)
        for n, (label, unit) in enumerate(zip(labels, units, strict=True))
    ]
    plot = plot_area(axes[0], axes[1], _SCENARIOS_PX, head=10.0)
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    for (x, y), there in at.items():
        spot, name = (plot.across(x), plot.up(y)), ", ".join(there)
        base = names[0] in there
        role: Role = "it" if base else "house"
        shapes.append(Dot(*spot, role, "circle" if base else "diamond", 6.5 if base else 6.0))
        right = spot[0] > 0.6
        shapes.append(
            ChartText(
                name,
                spot[0],
                spot[1] + (-7.0 if base else 7.0),  # points at one height keep their names apart
                "end" if right else "start",
                -10.0 if right else 10.0,
                role="ink",
                veiled=True,
            )
        )
        words = f"{name}: {significant(x)} {units[0].text}, {significant(y)} {units[1].text}"
        marks.append(ChartMark(there[0], y, words, *spot, (up.key, there[0])))
    return plotted(plot, f"{labels[1]} vs. {labels[0]}", shapes, marks)
