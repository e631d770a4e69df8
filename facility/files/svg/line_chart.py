"""A line chart as SVG: axes, a pen for each line, ends marked with a cross, legend beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.rounding import within
from facility.files.svg.shapes import LIGHT, TEXT_STYLE, Paint, text_line, xml_text
from facility.report.drawings.charts.line_chart import ChartLine, LineChart
from facility.report.drawings.charts.load_motion import load_charts
from facility.report.drawings.text import LINE, TEXT_MM, fitted, text_width, wrapped
from facility.study.transient.load.result import LoadStudy

_PX_PER_MM = 4.0
_WIDTH_MM, _HEIGHT_MM = 300.0, 150.0
WIDTH_PX, HEIGHT_PX = _WIDTH_MM * _PX_PER_MM, _HEIGHT_MM * _PX_PER_MM
_LEFT_MM, _TOP_MM, _PLOT_WIDTH_MM, _PLOT_HEIGHT_MM = 22.0, 18.0, 170.0, 100.0
_LEGEND_MM, _LEGEND_WIDTH_MM = 202.0, 94.0
_NOTE_LINES = 3
_TITLE_MM = 4.2
_GRID = "#9aa3ad"
_CROSS_MM = 1.6
_PENS = (
    ("#c2410c", ""),
    ("#b7791f", "5 1.2"),
    ("#8b3fb0", "1.6 1.2"),
    ("#1d70b8", "7 1.2 1.6 1.2"),
    ("#0f7b4f", ""),
)


@dataclass(frozen=True)
class _Scale:
    """Where a point of the chart is drawn."""

    low_x: float
    high_x: float
    high_y: float
    even: bool

    def x_mm(self, x: float) -> float:
        """Return the place of `x` across."""
        if self.even:
            part = (x - self.low_x) / (self.high_x - self.low_x)
        else:
            part = math.log(x / self.low_x) / math.log(self.high_x / self.low_x)
        return _LEFT_MM + part * _PLOT_WIDTH_MM

    def y_mm(self, y: float) -> float:
        """Return the place of `y` down."""
        return _TOP_MM + (1.0 - y / self.high_y) * _PLOT_HEIGHT_MM


def line_chart_svg(chart: LineChart, paint: Paint = LIGHT) -> str:
    """Return `chart` as an SVG document.

    Texts are escaped; the bytes depend on the chart and the colours alone.

    chart: What is drawn; the vertical axis begins at zero.
    paint: Colours of paper and text.
    """
    ys = [y for line in chart.lines for _, y in line.points]
    step = _step(max(ys, default=1.0))
    high_y = step * max(math.ceil(max(ys, default=1.0) * 1.05 / step), 1)
    scale = _Scale(chart.x_ticks[0], chart.x_ticks[-1], high_y, chart.even)
    size = f'width="{WIDTH_PX:.0f}" height="{HEIGHT_PX:.0f}"'
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
        f'viewBox="0 0 {_WIDTH_MM:g} {_HEIGHT_MM:g}" {TEXT_STYLE}>',
        f"<title>{xml_text(chart.title)}</title>",
        f'<rect width="{_WIDTH_MM:g}" height="{_HEIGHT_MM:g}" fill="{paint.paper}"/>',
        text_line(
            fitted(chart.title, _WIDTH_MM - 8.0, bold=True, size_mm=_TITLE_MM),
            4.0,
            8.0,
            paint,
            bold=True,
            size_mm=_TITLE_MM,
        ),
        *_axes(chart, scale, step, paint),
        *_marks(chart, scale, paint),
        *(shape for n, line in enumerate(chart.lines) for shape in _line(line, n, scale)),
        *_legend(chart, paint),
        *_notes(chart, paint),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _step(highest: float) -> float:
    """Return the distance of the horizontal lines: four to eight of them, 1, 2 or 5 times ten."""
    if highest <= 0.0:
        return 1.0
    ten = 10.0 ** math.floor(math.log10(highest / 4.0))
    return max(part * ten for part in (1.0, 2.0, 5.0) if within(part * ten, highest / 4.0))


def _axes(chart: LineChart, scale: _Scale, step: float, paint: Paint) -> Iterator[str]:
    bottom = _TOP_MM + _PLOT_HEIGHT_MM
    pen = f'stroke="{_GRID}" stroke-width="0.15"'
    for x in chart.x_ticks:
        at = scale.x_mm(x)
        yield f'<path d="M{at:.2f} {_TOP_MM:g}V{bottom + 1.2:.2f}" {pen}/>'
        text = f"{x:g}"
        yield text_line(text, at - text_width(text) / 2.0, bottom + 5.0, paint)
    for n in range(round(scale.high_y / step) + 1):
        at, text = scale.y_mm(n * step), f"{n * step:,g}"
        yield f'<path d="M{_LEFT_MM - 1.2:g} {at:.2f}H{_LEFT_MM + _PLOT_WIDTH_MM:g}" {pen}/>'
        yield text_line(text, _LEFT_MM - 2.4 - text_width(text), at + 1.0, paint)
    middle = _LEFT_MM + (_PLOT_WIDTH_MM - text_width(chart.x_label)) / 2.0
    yield text_line(chart.x_label, middle, bottom + 10.0, paint)
    yield text_line(chart.y_label, 4.0, _TOP_MM - 4.0, paint)


def _marks(chart: LineChart, scale: _Scale, paint: Paint) -> Iterator[str]:
    bottom = _TOP_MM + _PLOT_HEIGHT_MM
    for mark in chart.marks:
        yield (
            f'<path d="M{scale.x_mm(mark.x):.2f} {_TOP_MM:g}V{bottom:g}" stroke="{paint.text}" '
            'stroke-width="0.3" stroke-dasharray="0.8 0.8"/>'
        )
    for n, mark in enumerate(chart.marks):
        at = scale.x_mm(mark.x)
        at_end = at + 1.2 + text_width(mark.words) > _LEFT_MM + _PLOT_WIDTH_MM
        x = at - 1.2 - text_width(mark.words) if at_end else at + 1.2
        y = bottom - 1.6 - n * LINE * TEXT_MM
        yield (
            f'<rect x="{x - 0.6:.2f}" y="{y - TEXT_MM:.2f}" height="{LINE * TEXT_MM:.2f}" '
            f'width="{text_width(mark.words) + 1.2:.2f}" fill="{paint.paper}"/>'
        )
        yield text_line(mark.words, x, y, paint)


def _line(line: ChartLine, number: int, scale: _Scale) -> Iterator[str]:
    colour, _ = _PENS[number % len(_PENS)]
    places = [(scale.x_mm(x), scale.y_mm(y)) for x, y in line.points]
    if not places:
        return
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in places)
    yield (
        f"<g><title>{xml_text(line.name)}</title>"
        f'<polyline points="{points}" fill="none" {_pen(number)}/></g>'
    )
    if line.ends:
        yield _cross(*places[-1], colour)


def _pen(number: int) -> str:
    colour, dashes = _PENS[number % len(_PENS)]
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'stroke="{colour}" stroke-width="0.7"{dash}'


def _cross(x: float, y: float, colour: str) -> str:
    half = _CROSS_MM
    return (
        f'<path d="M{x - half:.2f} {y - half:.2f}L{x + half:.2f} {y + half:.2f}'
        f'M{x - half:.2f} {y + half:.2f}L{x + half:.2f} {y - half:.2f}" stroke="{colour}" '
        'stroke-width="0.7" fill="none"/>'
    )


def _legend(chart: LineChart, paint: Paint) -> Iterator[str]:
    y = _TOP_MM + 1.0
    for number, line in enumerate(chart.lines):
        if line.points:
            yield f'<path d="M{_LEGEND_MM:g} {y:.2f}h9" {_pen(number)}/>'
        if line.ends:
            yield _cross(_LEGEND_MM + 4.5, y, _PENS[number % len(_PENS)][0])
        yield text_line(line.name, _LEGEND_MM + 11.0, y + 1.0, paint, bold=True)
        y += LINE * TEXT_MM
        for text in wrapped(line.note, _LEGEND_WIDTH_MM - 11.0, _NOTE_LINES) if line.note else ():
            yield text_line(text, _LEGEND_MM + 11.0, y + 1.0, paint)
            y += LINE * TEXT_MM
        y += 2.0


def _notes(chart: LineChart, paint: Paint) -> Iterator[str]:
    y = _TOP_MM + _PLOT_HEIGHT_MM + 18.0
    for note in chart.notes:
        for text in wrapped(note, _WIDTH_MM - 8.0, 2):
            yield text_line(text, 4.0, y, paint)
            y += LINE * TEXT_MM


def load_svg(study: LoadStudy, title: str) -> str:
    """Return the load against time, some steps of it and its spectrum as an SVG document."""
    drawn = [line_chart_svg(chart) for chart in load_charts(study, title)]
    placed = (
        one.replace("<svg ", f'<svg y="{n * HEIGHT_PX:.0f}" ', 1) for n, one in enumerate(drawn)
    )
    height_px = HEIGHT_PX * len(drawn)
    size = f'width="{WIDTH_PX:.0f}" height="{height_px:.0f}"'
    box = f'viewBox="0 0 {WIDTH_PX:.0f} {height_px:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>'
    return "\n".join((head, *placed)) + "</svg>\n"
