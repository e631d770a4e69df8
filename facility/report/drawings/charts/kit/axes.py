"""Axes of charts: scales with rounded ticks, the grid, and the plot area between them."""

from __future__ import annotations

import math
from calendar import month_abbr, monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, overload

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.rounding import within
from facility.report.drawings.charts.kit.chart import (
    SMALL_PX,
    TEXT_PX,
    Chart,
    ChartMark,
    ChartText,
    Dot,
    HeatCells,
    LegendSample,
    PathShape,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.text import text_width

_LEAP_YEAR, _OTHER_YEAR, _DAYS = 2000, 2001, 365
_TITLE_PX, _TICKS_PX, _EDGE_PX, _GAP_PX = 24.0, 22.0, 12.0, 8.0
Side = Literal["left", "right"]
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class PlotAxis:
    """Scale of an axis; `ticks` are values with their texts, `lines` the values with a grid line.

    Without `lines`, each tick has one. `groups` are names of several ticks, in a row below them.
    """

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    lines: tuple[float, ...] | None = None
    groups: tuple[tuple[float, str], ...] = ()
    is_log: bool = False

    @overload
    def at(self, value: float) -> float: ...
    @overload
    def at(self, value: FloatArray) -> FloatArray: ...
    def at(self, value: float | FloatArray) -> float | FloatArray:
        """Return the position of a value: 0 at the low end, 1 at the high end."""
        if self.is_log:
            ratio = np.log(np.asarray(value) / self.low) / math.log(self.high / self.low)
            return ratio if isinstance(value, np.ndarray) else float(ratio)
        return (value - self.low) / (self.high - self.low)

    @property
    def grid(self) -> tuple[float, ...]:
        """Values with a grid line."""
        return tuple(value for value, _ in self.ticks) if self.lines is None else self.lines


def tick_step(span: float, count: float = 5.0) -> float:
    """Return the spacing of about `count` ticks: 1, 2, 2.5 or 5 times a power of ten."""
    ten = 10.0 ** math.floor(math.log10(span / count))
    return next(part * ten for part in _STEPS if within(span / count, part * ten))


def linear_axis(
    title: str, low: float, high: float, count: float = 5.0, *, rounded: bool = False
) -> PlotAxis:
    """Return an even axis with about `count` ticks; if `rounded`, it ends at ticks."""
    if not high > low:
        low, high = low - 0.5 * (abs(low) or 1.0), high + 0.5 * (abs(high) or 1.0)
    step = tick_step(high - low, count)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    if rounded:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        low, high = first * step, last * step
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    if not within(abs(step * 10**digits - round(step * 10**digits)), 1e-6):
        digits += 1
    ticks = tuple((n * step, f"{n * step + 0.0:,.{digits}f}") for n in range(first, last + 1))
    return PlotAxis(title, low, high, ticks)


def log_axis(title: str, ticks: Sequence[float]) -> PlotAxis:
    """Return a logarithmic axis from the first to the last of its ticks."""
    return PlotAxis(
        title, ticks[0], ticks[-1], tuple((one, f"{one:g}") for one in ticks), is_log=True
    )


def category_axis(names: Sequence[str]) -> PlotAxis:
    """Return an axis with one unit of width for each name, its middle at n + 0.5."""
    ticks = tuple((n + 0.5, name) for n, name in enumerate(names))
    return PlotAxis("", 0.0, float(len(names)), ticks, ())


def month_axis(days: int) -> PlotAxis:
    """Return an axis of the days of a year from 0, with the months named in their middle."""
    year = _LEAP_YEAR if days > _DAYS else _OTHER_YEAR
    lengths = [monthrange(year, month)[1] for month in range(1, 13)]
    ends = list(accumulate(lengths))
    middles = [end - 0.5 * length for end, length in zip(ends, lengths, strict=True)]
    ticks = tuple(zip(middles, month_abbr[1:], strict=True))
    return PlotAxis("", 0.0, float(days), ticks, tuple(map(float, ends[:-1])))


@dataclass(frozen=True)
class Plot:
    """Plot area of two axes; `top` and `bottom` in pixels."""

    x: PlotAxis
    y: PlotAxis
    top: float
    bottom: float
    side: Side = "left"

    def across(self, value: float) -> float:
        """Return the horizontal position of a value."""
        return self.x.at(float(value))

    def up(self, value: float) -> float:
        """Return the vertical position of a value [px]."""
        return self.bottom - self.y.at(float(value)) * (self.bottom - self.top)

    def path(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the positions of points."""
        return self.x.at(x), self.bottom - self.y.at(y) * (self.bottom - self.top)

    def rule(self, value: float, words: str) -> Iterator[Shape]:
        """Yield a horizontal limit line with its label above it, at the right."""
        y = self.up(value)
        yield PathShape(np.array([0.0, 1.0]), np.array([y, y]), "limit", 1.5, "6 4")
        yield ChartText(words, 1.0, y - 9.0, "end", role="limit", bold=True, veiled=True)

    def named(self, x: float, y: float, words: str, role: Role = "it") -> Iterator[Shape]:
        """Yield a ring at a point, with its name on the freer side."""
        at, up = self.across(x), self.up(y)
        left = at > 0.6
        yield Dot(at, up, role, radius=4.0, hollow=True)
        yield ChartText(
            words,
            at,
            up - 9.0,
            "end" if left else "start",
            -6.0 if left else 6.0,
            role="ink",
            bold=True,
            veiled=True,
        )

    def upright(self, value: float, role: Role = "ink-2", dash: str = "4 3") -> PathShape:
        """Return a vertical line."""
        x = self.across(value)
        return PathShape(np.array([x, x]), np.array([self.top, self.bottom]), role, 1.0, dash)

    def stake(self, value: float, words: str = "", row: int = 0) -> Iterator[Shape]:
        """Yield a vertical dashed line with its label in a row at the top, on the freer side."""
        yield self.upright(value)
        x = self.across(value)
        if words:
            left = x > 0.5
            y, dx = self.top + 8.0 + 15.0 * row, -4.0 if left else 4.0
            anchor: Literal["start", "end"] = "end" if left else "start"
            yield ChartText(words, x, y, anchor, dx, SMALL_PX, "ink", veiled=True)


def plot_area(
    x: PlotAxis, y: PlotAxis, height: float, side: Side = "left", head: float = 0.0
) -> Plot:
    """Return the plot area of a chart of a height, with `head` pixels free above it."""
    top = _EDGE_PX + head + (_TITLE_PX if y.title else 0.0)
    return Plot(x, y, top, height - _foot(x), side)


def _foot(x: PlotAxis) -> float:
    """Return the height of the texts below the plot area."""
    rows = _TICKS_PX * bool(x.ticks) + _TITLE_PX * bool(x.title or x.groups)
    return rows + _EDGE_PX / 2.0


def plotted(
    plot: Plot,
    title: str,
    shapes: Sequence[Shape],
    marks: Sequence[ChartMark] = (),
    legend: Sequence[LegendSample] = (),
    *,
    nearest: bool = False,
    cells: HeatCells | None = None,
) -> Chart:
    """Return the chart of shapes in a plot area, above its grid and below the texts of its axes."""
    wide = max((text_width(text, size_mm=TEXT_PX) for _, text in plot.y.ticks), default=0.0)
    wide += _GAP_PX if wide else 0.0
    margins = (wide, _EDGE_PX) if plot.side == "left" else (_EDGE_PX, wide)
    drawn = (*_grid(plot), *shapes, *_texts(plot, margins))
    found = tuple(marks), tuple(legend)
    return Chart(title, plot.bottom + _foot(plot.x), *margins, drawn, *found, cells, nearest)


def _grid(plot: Plot) -> Iterator[Shape]:
    for value in plot.y.grid:
        y = plot.up(value)
        yield PathShape(np.array([0.0, 1.0]), np.array([y, y]), "grid")
    for value in plot.x.grid:
        x = plot.across(value)
        yield PathShape(np.array([x, x]), np.array([plot.top, plot.bottom]), "grid")


def _texts(plot: Plot, margins: tuple[float, float]) -> Iterator[Shape]:
    at, anchor, dx = (0.0, "end", -_GAP_PX) if plot.side == "left" else (1.0, "start", _GAP_PX)
    for value, text in plot.y.ticks:
        yield ChartText(text, at, plot.up(value), "end" if anchor == "end" else "start", dx)
    below = plot.bottom + 14.0
    second = below + _TITLE_PX - 4.0
    for value, text in plot.x.ticks:
        yield ChartText(text, plot.across(value), below, optional=True)
    for value, text in plot.x.groups:
        yield ChartText(text, plot.across(value), second, role="ink", optional=True)
    if plot.x.title:
        yield ChartText(plot.x.title, 0.5, second)
    if plot.y.title:
        dx = -margins[0] if plot.side == "left" else margins[1]
        end: Literal["start", "end"] = "start" if plot.side == "left" else "end"
        yield ChartText(plot.y.title, at, _EDGE_PX, end, dx)
