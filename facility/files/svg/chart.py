"""Charts as an SVG document of a fixed width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from facility.files.svg.shapes import xml_text
from facility.report.drawings.charts.kit.chart import (
    TEXT_PX,
    Chart,
    ChartMark,
    ChartText,
    Dot,
    FlowBand,
    HeatCells,
    LegendSample,
    PathShape,
    Shape,
    Symbol,
)
from facility.report.drawings.charts.kit.colours import COLOURS, Role
from facility.report.drawings.text import text_width, wrapped

WIDTH_PX = 860.0
_EDGE_PX, _TITLE_PX, _LINE_PX = 16.0, 28.0, 20.0
_FONT = "'Source Sans 3','Source Sans Pro',Arial,Helvetica,'Liberation Sans',sans-serif"
_APART_PX = 3.0
_SHADES = 24
_SYMBOLS: dict[Symbol, tuple[tuple[float, float], ...]] = {
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
    "up": ((0, -1.2), (1.15, 0.9), (-1.15, 0.9)),
    "down": ((0, 1.2), (1.15, -0.9), (-1.15, -0.9)),
}
_STROKES: dict[Symbol, str] = {"cross": "M-1-1 1 1M-1 1 1-1", "plus": "M0-1.2V1.2M-1.2 0H1.2"}


def chart_svg(charts: Sequence[Chart], title: str = "", notes: Sequence[str] = ()) -> str:
    """Return charts below each other as an SVG document in the colours of a light page.

    All text is escaped, and the bytes depend only on the arguments.

    title: Title of the document; that of the first chart if omitted.
    notes: Paragraphs below the charts.
    """
    parts: list[str] = []
    y = 0.0
    if title:
        parts.append(_text(title, _EDGE_PX, 20.0, size=16.0, bold=True))
        y = 34.0
    for chart in charts:
        rows = list(_legend_rows(chart.legend))
        parts.append(f'<g transform="translate(0 {y:g})">')
        parts.append(_text(chart.title, _EDGE_PX, 18.0, size=14.0, bold=True))
        for row in rows:
            parts += _legend_row(row, y=_TITLE_PX + _LINE_PX * (rows.index(row) + 0.5))
        top = _TITLE_PX + _LINE_PX * len(rows) + 4.0
        parts += _drawn(chart, top)
        parts.append("</g>")
        y += top + chart.height + 8.0
    for note in notes:
        for text in wrapped(note, WIDTH_PX - 2 * _EDGE_PX, 3, size_mm=TEXT_PX):
            parts.append(_text(text, _EDGE_PX, y + _LINE_PX / 2.0))
            y += _LINE_PX
    size = f'viewBox="0 0 {WIDTH_PX:g} {y + 8.0:g}" width="{WIDTH_PX:g}" height="{y + 8.0:g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}" role="img">',
        f"<title>{xml_text(title or charts[0].title)}</title>",
        f'<rect width="{WIDTH_PX:g}" height="{y + 8.0:g}" fill="{_colour("paper")}"/>',
    )
    return "\n".join((*head, *parts, "</svg>", ""))


def _drawn(chart: Chart, top: float) -> Iterator[str]:
    """Yield the shapes of a chart, and the words of its bars as tooltips."""
    writer = _Writer(_EDGE_PX + chart.left, WIDTH_PX - 2 * _EDGE_PX - chart.left - chart.right)
    yield f'<g transform="translate(0 {top:g})">'
    if chart.cells is not None:
        yield from writer.cells(chart.cells)
    kept: list[_Ends] = []
    for shape in chart.shapes:
        if isinstance(shape, ChartText):
            ends = writer.ends(shape)
            if shape.optional and any(_overlap(ends, other) for other in kept):
                continue
            kept.append(ends)
        yield writer.shape(shape)
    for mark in chart.marks:
        if mark.area is not None:
            yield writer.mark(mark)
    yield "</g>"


_Ends = tuple[float, float, float, float]


def _overlap(one: _Ends, other: _Ends) -> bool:
    return (
        one[0] < other[2] + _APART_PX
        and other[0] < one[2] + _APART_PX
        and one[1] < other[3]
        and other[1] < one[3]
    )


def _colour(role: Role) -> str:
    return COLOURS[role][0]


def _text(
    text: str,
    x: float,
    y: float,
    role: Role = "ink",
    anchor: str = "start",
    size: float = TEXT_PX,
    *,
    bold: bool = False,
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:g}" '
        f'text-anchor="{anchor}" fill="{_colour(role)}"{weight}>{xml_text(text)}</text>'
    )


_Placed = list[tuple[float, LegendSample]]


def _legend_rows(legend: tuple[LegendSample, ...]) -> Iterator[_Placed]:
    row: _Placed = []
    x = _EDGE_PX
    for entry in legend:
        wide = 44.0 + text_width(entry.name, size_mm=TEXT_PX)
        if row and x + wide > WIDTH_PX:
            yield row
            row, x = [], _EDGE_PX
        row.append((x, entry))
        x += wide
    if row:
        yield row


def _legend_row(row: _Placed, y: float) -> Iterator[str]:
    for x, entry in row:
        if entry.sample == "line":
            ends = np.array([x, x + 22.0]), np.array([y, y])
            yield _path(PathShape(*ends, entry.role, 2.5, entry.dash))
        elif entry.sample == "shades":
            for n in range(6):
                place = f'x="{x + 4 * n:g}" y="{y - 5:g}" width="4" height="10"'
                yield f'<rect {place} fill="{_mixed(n / 5)}"/>'
        elif entry.sample == "area":
            fill = _colour(entry.role)
            yield f'<rect x="{x + 5:g}" y="{y - 6:g}" width="12" height="12" rx="2" fill="{fill}"/>'
        else:
            yield _symbol(Dot(x + 11.0, y, entry.role, entry.sample, 4.0, entry.hollow))
        yield _text(entry.name, x + 28.0, y)


def _path(path: PathShape) -> str:
    """Return a line or an area whose positions are pixels."""
    words, pen = [], "M"
    for x, y in zip(path.x.tolist(), path.y.tolist(), strict=True):
        if np.isfinite(y):
            words.append(f"{pen}{x:.1f} {y:.1f}")
            pen = "L"
        else:
            pen = "M"
    d, colour = "".join(words), _colour(path.role)
    if path.filled:
        faint = ' fill-opacity="0.2"' if path.faint else ""
        return f'<path d="{d}Z" fill="{colour}"{faint}/>'
    dash = f' stroke-dasharray="{path.dash}"' if path.dash else ""
    return f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{path.width:g}"{dash}/>'


def _symbol(dot: Dot) -> str:
    """Return a symbol whose position is in pixels."""
    colour, paper = _colour(dot.role), _colour("paper")
    look = f'fill="none" stroke="{colour}" stroke-width="2"'
    if dot.symbol in _STROKES:
        place = f"translate({dot.x:.1f} {dot.y:.1f}) scale({dot.radius:g})"
        thin = f'fill="none" stroke="{colour}" stroke-width="{2.0 / dot.radius:.2f}"'
        return f'<path d="{_STROKES[dot.symbol]}" transform="{place}" {thin}/>'
    if not dot.hollow:
        look = f'fill="{colour}" stroke="{paper}" stroke-width="1.5"'
    if dot.symbol == "circle":
        return f'<circle cx="{dot.x:.1f}" cy="{dot.y:.1f}" r="{dot.radius:g}" {look}/>'
    corners = " ".join(
        f"{dot.x + dot.radius * x:.1f},{dot.y + dot.radius * y:.1f}"
        for x, y in _SYMBOLS[dot.symbol]
    )
    return f'<polygon points="{corners}" {look}/>'


class _Writer:
    """Writes shapes on a plot area from `left`, `wide` pixels wide."""

    def __init__(self, left: float, wide: float) -> None:
        self._left, self._wide = left, wide

    def _x(self, part: float) -> float:
        return self._left + part * self._wide

    def shape(self, shape: Shape) -> str:
        """Return the element of a shape."""
        if isinstance(shape, PathShape):
            return _path(replace(shape, x=self._left + shape.x * self._wide))
        if isinstance(shape, Dot):
            return _symbol(replace(shape, x=self._x(shape.x)))
        if isinstance(shape, ChartText):
            return self._label(shape)
        if isinstance(shape, FlowBand):
            return f'<path d="{self._flow(shape)}" fill="{_colour(shape.role)}" opacity="0.45"/>'
        left, right = (self._x(x) + dx for x, dx in zip(shape.x, shape.dx, strict=True))
        return self._rect((left, shape.y[0], right, shape.y[1]), f'fill="{_colour(shape.role)}"')

    def mark(self, mark: ChartMark) -> str:
        """Return an unseen shape with the words of a mark, which a browser shows as a tooltip."""
        title = f"<title>{xml_text(mark.words)}</title>"
        if isinstance(mark.area, FlowBand):
            return f'<path d="{self._flow(mark.area)}" fill-opacity="0">{title}</path>'
        assert mark.area is not None
        left, top, right, bottom = mark.area
        ends = self._x(left), top, self._x(right), bottom
        return self._rect(ends, 'fill-opacity="0"').replace("/>", f">{title}</rect>")

    def ends(self, label: ChartText) -> _Ends:
        """Return left, top, right and bottom of a text."""
        wide = text_width(label.text, bold=label.bold, size_mm=label.size)
        left = self._x(label.x) + label.dx
        left -= {"start": 0.0, "middle": wide / 2.0, "end": wide}[label.anchor]
        return left, label.y - 0.5 * label.size, left + wide, label.y + 0.5 * label.size

    def _rect(self, ends: _Ends, look: str) -> str:
        left, top, right, bottom = ends
        size = f'width="{max(right - left, 0.0):.1f}" height="{max(bottom - top, 0.0):.1f}"'
        return f'<rect x="{left:.1f}" y="{top:.1f}" {size} {look}/>'

    def _label(self, label: ChartText) -> str:
        x = self._x(label.x) + label.dx
        text = _text(label.text, x, label.y, label.role, label.anchor, label.size, bold=label.bold)
        if not label.veiled:
            return text
        veil = f'paint-order="stroke" stroke="{_colour("paper")}" stroke-width="4"'
        return text.replace("<text ", f"<text {veil} ", 1)

    def _flow(self, flow: FlowBand) -> str:
        (start, end), high = flow.y, flow.height
        left, right = map(self._x, flow.x)
        middle = (left + right) / 2.0
        return (
            f"M{left:.1f} {start:.1f}C{middle:.1f} {start:.1f} {middle:.1f} {end:.1f} "
            f"{right:.1f} {end:.1f}V{end + high:.1f}C{middle:.1f} {end + high:.1f} "
            f"{middle:.1f} {start + high:.1f} {left:.1f} {start + high:.1f}Z"
        )

    def cells(self, cells: HeatCells) -> Iterator[str]:
        """Yield one path for each shade; runs of equal shades in a column are one rectangle."""
        rows, columns = cells.values.shape
        low, high = cells.ends
        parts = (cells.values - low) / ((high - low) or 1.0)
        shades = np.where(np.isnan(parts), -1, np.round((_SHADES - 1) * np.nan_to_num(parts)))
        paths: dict[int, list[str]] = {}
        for column in range(columns):
            shown = shades[:, column].astype(int)
            ends = [0, *(np.flatnonzero(np.diff(shown)) + 1).tolist(), rows]
            for start, end in pairwise(ends):
                words = f"M{column} {rows - end}h1v{end - start}h-1z"
                paths.setdefault(int(shown[start]), []).append(words)
        left, right = map(self._x, cells.x)
        wide, tall = (right - left) / columns, (cells.y[1] - cells.y[0]) / rows
        place = f"translate({left:.1f} {cells.y[0]:.1f}) scale({wide:.4f} {tall:.4f})"
        yield f'<g transform="{place}" shape-rendering="crispEdges">'
        for shade in sorted(paths.keys() - {-1}):
            yield f'<path d="{"".join(paths[shade])}" fill="{_mixed(shade / (_SHADES - 1))}"/>'
        yield "</g>"


def _mixed(part: float) -> str:
    """Return the colour between the lowest and the highest shade."""
    ends = [[int(_colour(role)[i : i + 2], 16) for i in (1, 3, 5)] for role in ("heat-0", "heat-1")]
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in zip(*ends, strict=True))
