"""Writes a one-line diagram as SVG, with symbols in the style of IEEE 315."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from facility.files.safe_text import safe_text
from facility.files.svg_symbols import symbol_paths
from facility.report.one_line import LINE, TEXT_MM, TITLE_MM, Drawing, Label, Symbol, Wire
from facility.report.one_line_status import STATUS_WORDS, Status

PX_PER_MM = 4.0
"""Size of a millimetre of the drawing on a screen."""

_LEGEND_COLUMN_MM = 46.0
_LEGEND_ROW_MM = 5.0
_DASHES: dict[Status, str] = {
    "battery": "2.4 0.9", "bypass": "4 0.9 0.9 0.9", "open": "0.8 1.1", "dead": "1.4 1.2",
    "out": "0.5 0.8",
}  # fmt: skip
_THICK: dict[Status, float] = {"live": 0.55, "overloaded": 1.1, "battery": 0.55, "bypass": 0.55}
_THIN = 0.35
_CROSS_MM, _SMALL_CROSS_MM = 4.6, 3.0
_SHOWN_MEMBERS = 12
_BOLD = ' font-weight="bold"'
_TITLE_SIZE_MM = 3.6
_TITLE_LETTER_MM = 2.3


@dataclass(frozen=True)
class Paint:
    """Colours of a drawing: paper, text, and the lines of each status."""

    paper: str
    text: str
    lines: Mapping[Status, str]


LIGHT = Paint("#ffffff", "#1b1f24", {
    "live": "#17693f", "standby": "#3d6d99", "open": "#667080", "battery": "#945600",
    "bypass": "#6a3fb5", "overloaded": "#c21f1f", "dead": "#667080", "out": "#3c4043",
})  # fmt: skip
DARK = Paint("#171614", "#eceff1", {
    "live": "#57c98a", "standby": "#8fb8de", "open": "#98a2ae", "battery": "#f0b04a",
    "bypass": "#bda2f7", "overloaded": "#ff7b72", "dead": "#98a2ae", "out": "#d5d9de",
})  # fmt: skip


def drawing_svg(drawing: Drawing, paint: Paint = LIGHT) -> str:
    """Return `drawing` as an SVG document.

    Texts are escaped; the bytes depend on the drawing and the colours alone.

    Parameters
    ----------
    drawing : Drawing
        The diagram.
    paint : Paint
        Its colours: `LIGHT` for paper, `DARK` for a dark page.
    """
    width_mm, height_mm = drawing.width_mm, _height_mm(drawing)
    title, heading = _text(drawing.title), _text(_fitted(drawing.title, width_mm))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width_mm:g} {height_mm:g}" '
        f'width="{width_mm * PX_PER_MM:g}" height="{height_mm * PX_PER_MM:g}" '
        "font-family=\"Arial, Helvetica, 'Liberation Sans', sans-serif\" "
        f'font-size="{TEXT_MM:g}" role="img">',
        f"<title>{title}</title>",
        f'<rect width="100%" height="100%" fill="{paint.paper}"/>',
        f'<text x="4" y="8" font-size="{_TITLE_SIZE_MM:g}"{_BOLD} fill="{paint.text}">'
        f"{heading}</text>",
        f'<g transform="translate(0 {TITLE_MM:g})">',
    ]
    parts += [part for wire in drawing.wires for part in _wire(wire, paint)]
    parts += [part for symbol in drawing.symbols for part in _symbol(symbol, paint)]
    parts += [_label(symbol.label, paint) for symbol in drawing.symbols]
    parts.append("</g>")
    parts += _legend(TITLE_MM + drawing.height_mm + 3.0, _per_row(drawing), paint)
    return "\n".join([*parts, "</svg>", ""])


def drawing_size_px(drawing: Drawing) -> tuple[int, int]:
    """Return width and height of the document on a screen [px]."""
    return round(drawing.width_mm * PX_PER_MM), round(_height_mm(drawing) * PX_PER_MM)


def _height_mm(drawing: Drawing) -> float:
    rows = -(-len(STATUS_WORDS) // _per_row(drawing))
    return TITLE_MM + drawing.height_mm + rows * _LEGEND_ROW_MM + 4.0


def _per_row(drawing: Drawing) -> int:
    return max(1, int(drawing.width_mm // _LEGEND_COLUMN_MM))


def _fitted(title: str, width_mm: float) -> str:
    """Return the title with its middle left out where it is longer than the drawing is wide."""
    most = int((width_mm - 8.0) / _TITLE_LETTER_MM)
    if len(title) <= most:
        return title
    half = (most - 3) // 2
    return f"{title[:half]} … {title[-half:]}"


def _text(text: str) -> str:
    return escape(safe_text(text).replace("\n", " "))


def _stroke(status: Status, paint: Paint, *, dashed: bool = True) -> str:
    """Return the pen of a status; symbols are not dashed, wires and buses are."""
    dash = f' stroke-dasharray="{_DASHES[status]}"' if dashed and status in _DASHES else ""
    width = _THICK.get(status, _THIN)
    return f'stroke="{paint.lines[status]}" stroke-width="{width:g}"{dash}'


def _wire(wire: Wire, paint: Paint) -> Iterator[str]:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in wire.points_mm)
    yield f'<polyline points="{points}" fill="none" {_stroke(wire.status, paint)}/>'
    if wire.status == "out" and not wire.used:
        (x0, y0), (x1, y1) = wire.points_mm[-2:]
        yield _cross((x0 + x1) / 2.0, (y0 + y1) / 2.0, 1.5, paint)


def _cross(x: float, y: float, half: float, paint: Paint) -> str:
    return (
        f'<path d="M{x - half:.2f} {y - half:.2f}L{x + half:.2f} {y + half:.2f}'
        f'M{x - half:.2f} {y + half:.2f}L{x + half:.2f} {y - half:.2f}" '
        f'stroke="{paint.lines["overloaded"]}" stroke-width="0.7" fill="none"/>'
    )


def _symbol(symbol: Symbol, paint: Paint) -> Iterator[str]:
    members = ", ".join(symbol.members[:_SHOWN_MEMBERS])
    more = len(symbol.members) - _SHOWN_MEMBERS
    tip = f"{members}{f' and {more} more' if more > 0 else ''}: {STATUS_WORDS[symbol.status]}"
    yield f"<g><title>{_text(tip)}</title>"
    if len(symbol.members) > 1:
        shift = f"translate({symbol.x_mm + 1.2:.2f} {symbol.y_mm - 1.2:.2f})"
        yield from _drawn(symbol, symbol.best, shift, paint)
    place = f"translate({symbol.x_mm:.2f} {symbol.y_mm:.2f})"
    yield from _drawn(symbol, symbol.status, place, paint)
    if symbol.status == "out":
        half = _SMALL_CROSS_MM if symbol.kind.endswith("bypass") else _CROSS_MM
        yield _cross(symbol.x_mm, symbol.y_mm, half, paint)
    yield "</g>"


def _drawn(symbol: Symbol, status: Status, place: str, paint: Paint) -> Iterator[str]:
    line = _stroke(status, paint, dashed=symbol.width_mm > 0.0)
    yield f'<g transform="{place}" fill="{paint.paper}" {line}>'
    yield from symbol_paths(symbol.kind, symbol.width_mm, paint.lines[status])
    yield "</g>"


def _label(label: Label, paint: Paint) -> str:
    lines = "".join(
        f'<tspan x="{label.x_mm:.2f}" y="{label.y_mm + n * LINE * label.size_mm:.2f}"'
        f"{_BOLD if n == 0 else ''}>{_text(line)}</tspan>"
        for n, line in enumerate(label.lines)
    )
    return (
        f'<text font-size="{label.size_mm:g}" text-anchor="{label.anchor}" fill="{paint.text}" '
        f'stroke="{paint.paper}" stroke-width="0.9" paint-order="stroke">{lines}</text>'
    )


def _legend(top: float, per_row: int, paint: Paint) -> Iterator[str]:
    for n, (status, words) in enumerate(STATUS_WORDS.items()):
        x = 4.0 + _LEGEND_COLUMN_MM * (n % per_row)
        y = top + _LEGEND_ROW_MM * (n // per_row)
        yield f'<path d="M{x:g} {y:g}h8" {_stroke(status, paint)}/>'
        if status == "out":
            yield _cross(x + 4.0, y, 1.3, paint)
        yield f'<text x="{x + 10.0:g}" y="{y + 0.9:g}" fill="{paint.text}">{escape(words)}</text>'
