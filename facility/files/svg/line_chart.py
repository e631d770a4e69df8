"""Charts as SVG: line charts with axes and legend; tornado charts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from facility.core.views import System, show_exact
from facility.files.svg.shapes import LIGHT, TEXT_STYLE, cross, text_line, xml_text
from facility.report.drawings.charts.line_chart import ChartLine, LineChart, even_step, load_charts
from facility.report.drawings.charts.tornado import Tornado
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
    """Scale from chart values to drawing positions."""

    low_x: float
    high_x: float
    high_y: float
    even: bool

    def x_mm(self, x: float) -> float:
        """Return the horizontal position of `x`."""
        if self.even:
            part = (x - self.low_x) / (self.high_x - self.low_x)
        else:
            part = math.log(x / self.low_x) / math.log(self.high_x / self.low_x)
        return _LEFT_MM + part * _PLOT_WIDTH_MM

    def y_mm(self, y: float) -> float:
        """Return the vertical position of `y`."""
        return _TOP_MM + (1.0 - y / self.high_y) * _PLOT_HEIGHT_MM


def line_chart_svg(chart: LineChart) -> str:
    """Return `chart` as an SVG document.

    Texts are escaped; the bytes depend only on the chart and the colours.

    chart: The chart; its vertical axis begins at zero.
    """
    ys = [y for line in chart.lines for _, y in line.points]
    highest = max(ys, default=1.0)
    step = even_step(highest) if highest > 0.0 else 1.0
    high_y = step * max(math.ceil(highest * 1.05 / step), 1)
    scale = _Scale(chart.x_ticks[0], chart.x_ticks[-1], high_y, chart.even)
    parts = (
        *_axes(chart, scale, step),
        *_marks(chart, scale),
        *(shape for n, line in enumerate(chart.lines) for shape in _line(line, n, scale)),
        *_legend(chart),
        *_notes(chart),
    )
    return _document(_WIDTH_MM, _HEIGHT_MM, chart.title, parts)


def _document(width_mm: float, height_mm: float, title: str, parts: Iterable[str]) -> str:
    """Return a document with title and shapes."""
    words = fitted(title, width_mm - 8.0, bold=True, size_mm=_TITLE_MM)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_mm * _PX_PER_MM:.0f}" '
        f'height="{height_mm * _PX_PER_MM:.0f}" '
        f'viewBox="0 0 {width_mm:g} {height_mm:g}" {TEXT_STYLE}>',
        f"<title>{xml_text(title)}</title>",
        f'<rect width="{width_mm:g}" height="{height_mm:g}" fill="{LIGHT.paper}"/>',
        text_line(words, 4.0, 8.0, LIGHT, bold=True, size_mm=_TITLE_MM),
    )
    return "\n".join((*head, *parts, "</svg>")) + "\n"


def _axes(chart: LineChart, scale: _Scale, step: float) -> Iterator[str]:
    bottom = _TOP_MM + _PLOT_HEIGHT_MM
    pen = f'stroke="{_GRID}" stroke-width="0.15"'
    for x in chart.x_ticks:
        at = scale.x_mm(x)
        yield f'<path d="M{at:.2f} {_TOP_MM:g}V{bottom + 1.2:.2f}" {pen}/>'
        text = f"{x:g}"
        yield text_line(text, at - text_width(text) / 2.0, bottom + 5.0, LIGHT)
    for n in range(round(scale.high_y / step) + 1):
        at, text = scale.y_mm(n * step), f"{n * step:,g}"
        yield f'<path d="M{_LEFT_MM - 1.2:g} {at:.2f}H{_LEFT_MM + _PLOT_WIDTH_MM:g}" {pen}/>'
        yield text_line(text, _LEFT_MM - 2.4 - text_width(text), at + 1.0, LIGHT)
    middle = _LEFT_MM + (_PLOT_WIDTH_MM - text_width(chart.x_label)) / 2.0
    yield text_line(chart.x_label, middle, bottom + 10.0, LIGHT)
    yield text_line(chart.y_label, 4.0, _TOP_MM - 4.0, LIGHT)


def _marks(chart: LineChart, scale: _Scale) -> Iterator[str]:
    bottom = _TOP_MM + _PLOT_HEIGHT_MM
    for mark in chart.marks:
        yield (
            f'<path d="M{scale.x_mm(mark.x):.2f} {_TOP_MM:g}V{bottom:g}" stroke="{LIGHT.text}" '
            'stroke-width="0.3" stroke-dasharray="0.8 0.8"/>'
        )
    for n, mark in enumerate(chart.marks):
        at = scale.x_mm(mark.x)
        at_end = at + 1.2 + text_width(mark.words) > _LEFT_MM + _PLOT_WIDTH_MM
        x = at - 1.2 - text_width(mark.words) if at_end else at + 1.2
        y = bottom - 1.6 - n * LINE * TEXT_MM
        yield (
            f'<rect x="{x - 0.6:.2f}" y="{y - TEXT_MM:.2f}" height="{LINE * TEXT_MM:.2f}" '
            f'width="{text_width(mark.words) + 1.2:.2f}" fill="{LIGHT.paper}"/>'
        )
        yield text_line(mark.words, x, y, LIGHT)


def _line(line: ChartLine, number: int, scale: _Scale) -> Iterator[str]:
    colour, _ = _PENS[number % len(_PENS)]
    positions = [(scale.x_mm(x), scale.y_mm(y)) for x, y in line.points]
    if not positions:
        return
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in positions)
    yield (
        f"<g><title>{xml_text(line.name)}</title>"
        f'<polyline points="{points}" fill="none" {_pen(number)}/></g>'
    )
    if line.ends:
        yield cross(*positions[-1], _CROSS_MM, colour)


def _pen(number: int) -> str:
    colour, dashes = _PENS[number % len(_PENS)]
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'stroke="{colour}" stroke-width="0.7"{dash}'


def _legend(chart: LineChart) -> Iterator[str]:
    y = _TOP_MM + 1.0
    for number, line in enumerate(chart.lines):
        if line.points:
            yield f'<path d="M{_LEGEND_MM:g} {y:.2f}h9" {_pen(number)}/>'
        if line.ends:
            yield cross(_LEGEND_MM + 4.5, y, _CROSS_MM, _PENS[number % len(_PENS)][0])
        yield text_line(line.name, _LEGEND_MM + 11.0, y + 1.0, LIGHT, bold=True)
        y += LINE * TEXT_MM
        for text in wrapped(line.note, _LEGEND_WIDTH_MM - 11.0, _NOTE_LINES) if line.note else ():
            yield text_line(text, _LEGEND_MM + 11.0, y + 1.0, LIGHT)
            y += LINE * TEXT_MM
        y += 2.0


def _notes(chart: LineChart) -> Iterator[str]:
    y = _TOP_MM + _PLOT_HEIGHT_MM + 18.0
    for note in chart.notes:
        for text in wrapped(note, _WIDTH_MM - 8.0, 2):
            yield text_line(text, 4.0, y, LIGHT)
            y += LINE * TEXT_MM


def load_svg(study: LoadStudy, title: str) -> str:
    """Return load profile, detail and spectrum as an SVG document."""
    drawn = [line_chart_svg(chart) for chart in load_charts(study, title)]
    placed = (
        one.replace("<svg ", f'<svg y="{n * HEIGHT_PX:.0f}" ', 1) for n, one in enumerate(drawn)
    )
    height_px = HEIGHT_PX * len(drawn)
    size = f'width="{WIDTH_PX:.0f}" height="{height_px:.0f}"'
    box = f'viewBox="0 0 {WIDTH_PX:.0f} {height_px:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>'
    return "\n".join((head, *placed)) + "</svg>\n"


_WIDE_MM, _NAMES_MM, _PLOT_MM = 260.0, 84.0, 128.0
_HEAD_MM, _HEADING_MM, _ROW_MM, _BAR_MM, _GAP_MM = 14.0, 9.0, 6.0, 3.6, 6.0
_BELOW, _ABOVE = "#1d70b8", "#c2410c"
_MIN_SPAN = 1e-12


def tornado_svg(found: Sequence[Tornado], title: str, system: System = "si") -> str:
    """Return tornado charts as an SVG document; the bytes depend only on the arguments.

    found: Charts, from the top.
    title: Subject.
    system: Units of the ends.
    """
    height = _HEAD_MM + sum(_height(one) for one in found) + _GAP_MM
    parts: list[str] = []
    top = _HEAD_MM
    for one in found:
        parts += _tornado(one, top, system)
        top += _height(one)
    return _document(_WIDE_MM, height, title, parts)


def _height(found: Tornado) -> float:
    return _HEADING_MM + _ROW_MM * len(found.bars) + _GAP_MM


def _tornado(found: Tornado, top_mm: float, system: System) -> Iterator[str]:
    low, high = found.ends
    span = max(high - low, _MIN_SPAN * abs(high))

    def at(value: float) -> float:
        return _NAMES_MM + (value - low) / span * _PLOT_MM

    middle, first = at(found.nominal), top_mm + _HEADING_MM
    words = f"{found.title}: as designed {show_exact(found.nominal, found.kind, system)}"
    yield text_line(words, 4.0, top_mm + 5.0, LIGHT, bold=True)
    for row, bar in enumerate(found.bars):
        y = first + row * _ROW_MM
        name = fitted(bar.path, _NAMES_MM - 24.0)
        yield text_line(name, 4.0, y + _BAR_MM - 0.6, LIGHT)
        for end, colour in ((bar.low, _BELOW), (bar.high, _ABOVE)):
            left, right = sorted((middle, at(end)))
            yield (
                f'<rect x="{left:.2f}" y="{y:.2f}" width="{right - left:.2f}" '
                f'height="{_BAR_MM:g}" fill="{colour}"/>'
            )
        at_mm = (at(bar.low), at(bar.high))
        placed = sorted(zip(at_mm, (bar.low, bar.high), ("p5", "p95"), strict=True))
        for side, (x, value, part) in enumerate(placed):
            end_words = f"{show_exact(value, found.kind, system)} ({part})"
            start = x + 1.0 if side else x - 1.0 - text_width(end_words)
            yield text_line(end_words, start, y + _BAR_MM - 0.6, LIGHT)
    bottom = first + _ROW_MM * len(found.bars)
    yield (
        f'<path d="M{middle:.2f} {first - 1.2:.2f}V{bottom:.2f}" stroke="{LIGHT.text}" '
        'stroke-width="0.3"/>'
    )
