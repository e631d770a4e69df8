"""Writes a one-line diagram as SVG, with symbols in the style of IEEE 315."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from facility.report.one_line import STATUS_WORDS, Drawing, Status, Symbol, Wire

COLOURS: dict[Status, str] = {
    "live": "#1f7a4d", "overloaded": "#c62828", "battery": "#b26a00", "bypass": "#6a3fb5",
    "dead": "#9aa0a6", "out": "#5f6368",
}  # fmt: skip
_TEXT_MM = 2.6
_HALF_MM = 4.0
_BUSES = ("mv-switchgear", "lv-board", "ups-output")
_LETTERS = {
    "generator-plant": "G", "utility": "U", "ats": "ATS", "sts": "STS", "ups": "UPS",
    "static-bypass": "SBP", "maintenance-bypass": "MBP", "panel": "P", "busway": "BW", "tie": "T",
}  # fmt: skip


def drawing_svg(drawing: Drawing) -> str:
    """Return `drawing` as an SVG document, in millimetres; text is escaped."""
    legend_mm = 10.0
    size = f"{drawing.width_mm:g} {drawing.height_mm + legend_mm:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'font-family="sans-serif" font-size="{_TEXT_MM}" role="img">',
        f"<title>{escape(drawing.title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="6" y="8" font-size="4" fill="#202124">{escape(drawing.title)}</text>',
    ]
    parts += [_wire(wire) for wire in drawing.wires]
    parts += [part for symbol in drawing.symbols for part in _symbol(symbol)]
    parts += _legend(drawing.height_mm + legend_mm / 2.0)
    return "\n".join([*parts, "</svg>", ""])


def _wire(wire: Wire) -> str:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in wire.points_mm)
    dash = "" if wire.used else ' stroke-dasharray="1.2 1"'
    width = 0.6 if wire.used else 0.3
    return (
        f'<polyline points="{points}" fill="none" stroke="{COLOURS[wire.status]}" '
        f'stroke-width="{width}"{dash}/>'
    )


def _symbol(symbol: Symbol) -> Iterator[str]:
    colour = COLOURS[symbol.status]
    x, y = symbol.x_mm, symbol.y_mm
    tip = escape(f"{', '.join(symbol.members[:12])}: {STATUS_WORDS[symbol.status]}")
    yield f'<g stroke="{colour}" fill="#ffffff" stroke-width="0.6"><title>{tip}</title>'
    if symbol.kind in _BUSES:
        half = symbol.width_mm / 2.0
        yield f'<line x1="{x - half:.2f}" y1="{y:.2f}" x2="{x + half:.2f}" y2="{y:.2f}" stroke-width="1.6"/>'  # noqa: E501
        label_x, label_y = x - half, y - 1.6 - _TEXT_MM * 1.2 * (len(symbol.lines) - 1)
    elif symbol.kind in ("transformer", "pdu"):
        for shift in (-1.7, 1.7):
            yield f'<circle cx="{x:.2f}" cy="{y + shift:.2f}" r="2.8" fill-opacity="0"/>'
        label_x, label_y = x + _HALF_MM + 1.0, y - 1.0
    else:
        yield from _box(symbol, x, y)
        label_x, label_y = x + _HALF_MM + 1.5, y - 1.0
    yield "</g>"
    if symbol.kind in ("static-bypass", "maintenance-bypass"):
        return
    for row, line in enumerate(symbol.lines):
        yield (
            f'<text x="{label_x:.2f}" y="{label_y + row * _TEXT_MM * 1.2:.2f}" '
            f'fill="#202124">{escape(line)}</text>'
        )


def _box(symbol: Symbol, x: float, y: float) -> Iterator[str]:
    if symbol.kind in ("utility", "generator-plant"):
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{_HALF_MM}"/>'
    else:
        yield (
            f'<rect x="{x - _HALF_MM:.2f}" y="{y - 2.8:.2f}" width="{2 * _HALF_MM}" height="5.6"/>'
        )
    yield (
        f'<text x="{x:.2f}" y="{y + 0.9:.2f}" text-anchor="middle" stroke="none" '
        f'fill="{COLOURS[symbol.status]}">{_LETTERS.get(symbol.kind, "")}</text>'
    )


def _legend(y: float) -> Iterator[str]:
    x = 6.0
    for status, words in STATUS_WORDS.items():
        yield f'<rect x="{x:.1f}" y="{y - 2:.1f}" width="4" height="2.4" fill="{COLOURS[status]}"/>'
        yield f'<text x="{x + 5.5:.1f}" y="{y:.1f}" fill="#202124">{escape(words)}</text>'
        x += 34.0
