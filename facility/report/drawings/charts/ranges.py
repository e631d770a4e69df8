"""Charts of ranges: effect of each input on a result, and histogram of its samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.views import System, show_exact
from facility.report.drawings.charts.kit.axes import linear_axis, plot_area, plotted
from facility.report.drawings.charts.kit.bars import BarPart, BarRow, bar_rows, column_parts
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    ChartText,
    LegendSample,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.units import axis_unit, significant
from facility.report.tables.ranges import label
from facility.study.ranges.influence import MAIN
from facility.study.ranges.result import Figure, RangesStudy

_SAMPLES_PX, _MAX_BINS = 320.0, 40
_ROOM = 0.25
"""Fraction of the span reserved next to the bars for their values."""
_ENDS: tuple[tuple[str, str, Role], ...] = (
    ("low", "Input at P5", "cooling"),
    ("high", "Input at P95", "house"),
)


@dataclass(frozen=True)
class Bar:
    """One input: result with only this input at p5 and at p95, in SI."""

    path: str
    low: float
    high: float


@dataclass(frozen=True)
class Tornado:
    """Bars of one result about its design value."""

    key: str
    title: str
    kind: str
    nominal: float
    bars: tuple[Bar, ...]

    @property
    def ends(self) -> tuple[float, float]:
        """Minimum and maximum of the bars and the design value."""
        values = [self.nominal, *(end for bar in self.bars for end in (bar.low, bar.high))]
        return min(values), max(values)


def tornadoes(study: RangesStudy) -> tuple[Tornado, ...]:
    """Return a tornado chart for every main result affected by an input."""
    made = []
    for key in MAIN:
        rows = sorted(study.matters_to(key), key=lambda matter: -matter.swing)
        bars = tuple(
            Bar(row.path, row.low, row.high)
            for row in rows
            if row.low is not None and row.high is not None and row.swing > 0.0
        )
        if bars and key in study.nominal:
            value = study.nominal[key]
            made.append(Tornado(key, label(key), value.kind, float(value.si), bars))
    return tuple(made)


def tornado_chart(found: Tornado, system: System) -> Chart:
    """Return the tornado chart: the result with one input at a time at its P5 and P95.

    found: Bars, widest first.
    system: Unit of the result.
    """
    unit = axis_unit(found.kind, found.ends[1], system)
    nominal = unit.of(found.nominal)
    rows = []
    for bar in found.bars:
        ends = []
        for side, series, role in _ENDS:
            value = bar.low if side == "low" else bar.high
            text = show_exact(value, found.kind, system)
            words = f"{bar.path}, {series[:1].lower()}{series[1:]}: {text}"
            ends.append(BarPart(series, nominal, unit.of(value), role, words, (found.key,), text))
        rows.append(BarRow(bar.path, _apart(ends)))
    low, high = (unit.of(end) for end in found.ends)
    room = _ROOM * (high - low or abs(high) or 1.0)
    axis = linear_axis(unit.title(found.title), low - room, high + room, 4.0)
    legend = [LegendSample(series, role) for _, series, role in _ENDS]
    lines: list[tuple[float, Role, str]] = [(nominal, "ink", "")]
    title = f"{found.title}: as designed {show_exact(found.nominal, found.kind, system)}"
    return bar_rows(title, axis, rows, legend, lines, named_above=True)


def _apart(ends: Sequence[BarPart]) -> tuple[BarPart, ...]:
    """Return both bars of an input; on one side, only the longer has its value next to it."""
    first, second = ends
    if (first.end - first.start) * (second.end - second.start) <= 0.0:
        return first, second
    longer = max(ends, key=lambda bar: abs(bar.end - bar.start))
    return tuple(
        bar if bar is longer else replace(bar, text="")
        for bar in sorted(ends, key=lambda bar: -abs(bar.end - bar.start))
    )


def samples_chart(outcome: FloatArray, of: Figure, title: str, system: System) -> Chart:
    """Return the histogram of the samples of a result, with P5, P50, P95 and the design.

    outcome: The result of each sample in SI units, NaN for a rejected sample.
    of: Quantiles of the result.
    title: Label of the result.
    system: Unit of the result.
    """
    known = outcome[~np.isnan(outcome)]
    unit = axis_unit(of.kind, float(known.max()), system)
    bins = min(_MAX_BINS, 2 * math.ceil(math.sqrt(len(known))))
    counts, edges = np.histogram(unit.of(known), bins=bins)
    y = linear_axis("Number of samples", 0.0, float(counts.max()), rounded=True)
    x = linear_axis(unit.title(title), float(edges[0]), float(edges[-1]))
    plot = plot_area(x, y, _SAMPLES_PX, head=28.0)
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    for count, left, right in zip(counts.tolist(), edges[:-1], edges[1:], strict=True):
        ends = f"{significant(left, 5)} to {significant(right, 5)}"
        words = f"{count} samples from {ends} {unit.text}"
        bar = BarPart("Samples", 0.0, count, "it", words.rstrip(), (of.key,))
        across = plot.across(left), plot.across(right)
        parts = column_parts(plot, across, [bar])
        shapes += parts[0]
        marks += parts[1]
    named = [("P5", of.p5), ("P50", of.p50), ("P95", of.p95)]
    named += [] if of.nominal is None else [("Design", of.nominal)]
    for index, (name, value) in enumerate(named):
        at, designed = unit.of(value), name == "Design"
        shapes.append(plot.upright(at, "ink", "" if designed else "4 3"))
        row = plot.top - 8.0 - 14.0 * (designed or index % 2)
        shapes.append(ChartText(name, plot.across(at), row, size=11.0, role="ink", bold=designed))
        words = f"{name}: {unit.show(value)}"
        marks.append(ChartMark(name, at, words, plot.across(at), row, (of.key,)))
    return plotted(plot, f"Samples of {title}", shapes, marks)
