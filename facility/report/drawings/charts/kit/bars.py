"""Bars of charts: rows, stacked columns and steps, with their marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from facility.report.drawings.charts.kit.axes import Plot, PlotAxis, plotted
from facility.report.drawings.charts.kit.chart import (
    TEXT_PX,
    Chart,
    ChartMark,
    ChartText,
    LegendSample,
    Rectangle,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.text import fitted, text_width

_ROW_PX, _NAME_PX, _BAR_PX = 26.0, 18.0, 16.0
_HEAD_PX = 8.0
_MAX_NAME_PX = 168.0


@dataclass(frozen=True)
class BarPart:
    """A bar from `start` to `end` of the value axis, or a part of a stacked one.

    `words` describe it, `text` is written after it.
    """

    series: str
    start: float
    end: float
    role: Role
    words: str
    key: tuple[str, ...] = ()
    text: str = ""
    bold: bool = False


@dataclass(frozen=True)
class BarRow:
    """Bars next to one name, and the text after the last of them."""

    name: str
    bars: tuple[BarPart, ...]
    text: str = ""
    bold: bool = False


def bar_rows(
    title: str,
    axis: PlotAxis,
    rows: Sequence[BarRow],
    legend: Sequence[LegendSample] = (),
    lines: Sequence[tuple[float, Role, str]] = (),
    *,
    named_above: bool = False,
) -> Chart:
    """Return horizontal bars, from the top.

    lines: Vertical lines: value, role and dash.
    named_above: Whether the name of a row is above its bars, for long names.
    """
    apart = _ROW_PX + _NAME_PX * named_above
    plot = Plot(axis, PlotAxis("", 0.0, 1.0), _HEAD_PX, _HEAD_PX + apart * len(rows))
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    wide = max((text_width(r.name, bold=r.bold, size_mm=TEXT_PX) for r in rows), default=0.0)
    left = 0.0 if named_above else min(wide + 8.0, _MAX_NAME_PX)
    for n, row in enumerate(rows):
        middle = _HEAD_PX + apart * (n + 1) - _ROW_PX / 2.0
        ends = middle - _BAR_PX / 2.0, middle + _BAR_PX / 2.0
        for bar in row.bars:
            shape, mark = _placed(bar, (plot.across(bar.start), plot.across(bar.end)), ends)
            shapes.append(shape)
            marks.append(mark)
            if bar.text:
                shapes.append(_after(bar, plot, middle))
        if row.text:
            end = max(bar.end for bar in row.bars)
            text = ChartText(
                row.text, plot.across(end), middle, "start", 5.0, role="ink", bold=True
            )
            shapes.append(text)
        if named_above:
            shapes.append(ChartText(row.name, 0.0, middle - 17.0, "start", bold=row.bold))
        else:
            name = fitted(row.name, left - 8.0, bold=row.bold, size_mm=TEXT_PX)
            shapes.append(ChartText(name, 0.0, middle, "end", -8.0, role="ink", bold=row.bold))
    for value, role, dash in lines:
        shapes.append(plot.upright(value, role, dash))
    chart = plotted(plot, title, shapes, marks, legend)
    return replace(chart, left=max(left, 12.0), right=32.0)


def _placed(
    bar: BarPart, across: tuple[float, float], ends: tuple[float, float]
) -> tuple[Rectangle, ChartMark]:
    left, right = sorted(across)
    box = left, ends[0], right, ends[1]
    middle = 0.5 * (left + right), 0.5 * (ends[0] + ends[1])
    mark = ChartMark(bar.series, bar.end - bar.start, bar.words, *middle, bar.key, box)
    return Rectangle((left, right), ends, bar.role), mark


def _after(bar: BarPart, plot: Plot, middle: float) -> ChartText:
    """Return the text of a bar at its end, on the side to which it extends."""
    back = bar.end < bar.start
    at = plot.across(bar.end)
    dx, anchor = (-5.0, "end") if back else (5.0, "start")
    return ChartText(
        bar.text, at, middle, "end" if anchor == "end" else "start", dx, role="ink", bold=bar.bold
    )


def columns(
    plot: Plot, stacks: Sequence[Sequence[BarPart]], gap: float = 0.25
) -> tuple[list[Shape], list[ChartMark]]:
    """Return vertical bars, one stack for each unit of a category axis."""
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    for n, stack in enumerate(stacks):
        across = plot.across(n + gap / 2.0), plot.across(n + 1.0 - gap / 2.0)
        found = column_parts(plot, across, stack)
        shapes += found[0]
        marks += found[1]
    return shapes, marks


def column_parts(
    plot: Plot, across: tuple[float, float], stack: Sequence[BarPart]
) -> tuple[list[Shape], list[ChartMark]]:
    """Return the bars of one stack between two horizontal positions, and the texts above them."""
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    for bar in stack:
        low, high = sorted((plot.up(bar.start), plot.up(bar.end)))
        shape, mark = _placed(bar, across, (low, high))
        shapes.append(shape)
        marks.append(mark)
        if bar.text:
            x = 0.5 * (across[0] + across[1])
            shapes.append(ChartText(bar.text, x, low - 8.0, role="ink", bold=True, optional=True))
    return shapes, marks
