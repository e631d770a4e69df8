"""The shapes of a one-line diagram as SVG: pens, colours, symbols, wires, labels, legend."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from math import cos, radians, sin

from facility.files.io.safe_text import safe_text
from facility.report.drawings.live.marks import LETTERS, MarkKind
from facility.report.drawings.one_line.parts import (
    RACKS_MM,
    BreakerSymbol,
    Drawing,
    Label,
    RackStrip,
    Standard,
    Symbol,
    Wire,
    symbol_reach,
)
from facility.report.drawings.one_line.place import ARROW_MM
from facility.report.drawings.one_line.status import STATUS_WORDS, Status
from facility.report.drawings.one_line.symbols import breaker_shapes, symbol_shapes
from facility.report.drawings.scene import THICK_MM, Arc, Shape, Text
from facility.report.drawings.text import LINE, TEXT_MM, is_measured, text_width


def painted(shapes: Iterable[Shape], colour: str) -> Iterator[str]:
    """Yield the shapes of a symbol in one colour; stroke and fill are those of the group around it.

    Closed shapes have its fill; only a bus has a width other than that of the group.
    """
    for shape in shapes:
        if isinstance(shape, Text):
            x, y = shape.at_mm
            words = xml_text(shape.text)
            yield (
                f'<text x="{x:g}" y="{y:.2f}" text-anchor="{shape.anchor}" stroke="none" '
                f'fill="{colour}">{words}</text>'
            )
            continue
        fill = f' fill="{colour}"' if shape.fill else ""
        if isinstance(shape, Arc):
            x, y = shape.centre_mm
            if shape.to_deg - shape.from_deg >= _CIRCLE_DEG:
                yield f'<circle cx="{x:g}" cy="{y:g}" r="{shape.radius_mm:g}"{fill}/>'
                continue
            radius, angles = shape.radius_mm, (shape.from_deg, shape.to_deg)
            start, end = (
                f"{x + radius * cos(radians(a)):.2f} {y - radius * sin(radians(a)):.2f}"
                for a in angles
            )
            yield f'<path d="M{start}A{radius:g} {radius:g} 0 0 0 {end}" fill="none"/>'
            continue
        path = "L".join(f"{x:g} {y:g}" for x, y in shape.points_mm)
        wide = f' stroke-width="{shape.weight_mm:g}"' if shape.weight_mm > THICK_MM else ""
        if shape.closed:
            yield f'<path d="M{path}Z"{fill}{wide}/>'
        else:
            yield f'<path d="M{path}" fill="none"{wide}/>'


LEGEND_COLUMN_MM = 46.0
LEGEND_ROW_MM = 5.0
TEXT_STYLE = (
    "font-family=\"Arial, Helvetica, 'Liberation Sans', sans-serif\" "
    f'font-size="{TEXT_MM:g}" text-rendering="geometricPrecision"'
)
"""Font of all text; letter widths are not fitted to screen pixels."""
DASHES: dict[Status, str] = {
    "battery": "2.4 0.9",
    "bypass": "4 0.9 0.9 0.9",
    "open": "0.8 1.1",
    "dead": "1.4 1.2",
    "out": "0.5 0.8",
}
_THICK: dict[Status, float] = {"live": 0.55, "overloaded": 1.1, "battery": 0.55, "bypass": 0.55}
_THIN = 0.35
_CIRCLE_DEG = 360.0
_CROSS_MM, _SMALL_CROSS_MM = 4.6, 3.0
_RING_MM = 0.1
_SHOWN_MEMBERS = 12
_BOLD = ' font-weight="bold"'


@dataclass(frozen=True)
class Paint:
    """Colours of a drawing: paper, text, lost load, and lines of each status."""

    paper: str
    text: str
    lost: str
    lines: Mapping[Status, str]


LIGHT = Paint(
    "#ffffff",
    "#1b1f24",
    "#c21f1f",
    {
        "live": "#17693f",
        "standby": "#3d6d99",
        "open": "#667080",
        "battery": "#00707c",
        "bypass": "#6a3fb5",
        "overloaded": "#a85a00",
        "dead": "#667080",
        "out": "#3c4043",
    },
)
DARK = Paint(
    "#171614",
    "#eceff1",
    "#ff7b72",
    {
        "live": "#57c98a",
        "standby": "#8fb8de",
        "open": "#98a2ae",
        "battery": "#48cfdc",
        "bypass": "#bda2f7",
        "overloaded": "#f0b04a",
        "dead": "#98a2ae",
        "out": "#d5d9de",
    },
)


def drawing_shapes(
    drawing: Drawing, paint: Paint, *, marked: bool = False, opened: Collection[str] = ()
) -> Iterator[str]:
    """Yield all shapes of a diagram: wires, then symbols, then texts.

    If `marked`, selectable shapes have the ids of `marks_of`. `opened` are the tags of circuits and
    equipment with a ring.
    """
    for wire in drawing.wires:
        yield from _wire(wire, paint)
    for x, y, status in drawing.dots_mm:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.75" fill="{paint.lines[status]}"/>'
    for n, device in enumerate(drawing.devices):
        yield from _device(device, paint, drawing.standard, _id("breaker", n) if marked else "")
    for n, symbol in enumerate(drawing.symbols):
        yield from _symbol(symbol, paint, drawing.standard, _id("equipment", n) if marked else "")
    for n, strip in enumerate(drawing.racks):
        yield from _racks(strip, paint, _id("racks", n) if marked else "")
    for arrow in drawing.arrows:
        yield _arrow(arrow.x_mm, arrow.y_mm, paint.lines[arrow.status])
    for label in drawing.labels:
        yield _label(label, paint)
    yield from _rings(drawing, paint, frozenset(opened))


def _rings(drawing: Drawing, paint: Paint, opened: frozenset[str]) -> Iterator[str]:
    """Yield a ring around every shape with opened equipment."""
    shapes = [(device.circuits, device.box) for device in drawing.devices]
    shapes += [(symbol.members, symbol.box) for symbol in drawing.symbols]
    for tags, (left, top, right, bottom) in shapes:
        if opened.intersection(tags):
            yield (
                f'<rect x="{left - _RING_MM:.2f}" y="{top - _RING_MM:.2f}" rx="0.8" '
                f'width="{right - left + 2 * _RING_MM:.2f}" '
                f'height="{bottom - top + 2 * _RING_MM:.2f}" fill="none" stroke="{paint.lost}" '
                f'stroke-width="0.45"/>'
            )


def text_line(
    text: str, x: float, y: float, paint: Paint, *, bold: bool = False, size_mm: float = TEXT_MM
) -> str:
    """Return one line of text, limited to its `text_width` in any font."""
    size = "" if size_mm == TEXT_MM else f' font-size="{size_mm:g}"'
    return (
        f'<text x="{x:.2f}" y="{y:.2f}"{size}{_BOLD if bold else ""} fill="{paint.text}"'
        f"{_fixed_width(text, bold=bold, size_mm=size_mm)}>{xml_text(text)}</text>"
    )


def xml_text(text: str) -> str:
    """Return `text` escaped, on one line."""
    return escape(safe_text(text).replace("\n", " "))


def svg_document(
    box_mm: tuple[float, float], size: tuple[str, str], title: str, paper: str, parts: Iterable[str]
) -> str:
    """Return a document of a screen size with shapes in millimetres on coloured paper."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box_mm[0]:.2f} {box_mm[1]:.2f}" '
        f'width="{size[0]}" height="{size[1]}" {TEXT_STYLE} role="img">'
    )
    ground = f'<rect width="100%" height="100%" fill="{paper}"/>'
    return "\n".join((head, f"<title>{xml_text(title)}</title>", ground, *parts, "</svg>", ""))


def legend(x: float, top: float, per_row: int, paint: Paint) -> Iterator[str]:
    """Yield the legend of the pens."""
    for n, (status, words) in enumerate(STATUS_WORDS.items()):
        at = x + LEGEND_COLUMN_MM * (n % per_row)
        y = top + LEGEND_ROW_MM * (n // per_row)
        yield f'<path d="M{at:g} {y:g}h8" {_stroke(status, paint)}/>'
        if status == "out":
            yield cross(at + 4.0, y, 1.3, paint.lost)
        yield text_line(words, at + 10.0, y + 1.0, paint)


def _id(kind: MarkKind, number: int) -> str:
    return f' id="{LETTERS[kind]}{number}"'


def _fixed_width(text: str, *, bold: bool, size_mm: float) -> str:
    """Return the attribute that forces a text with unknown letters into its width."""
    if is_measured(text):
        return ""
    wide = text_width(text, bold=bold, size_mm=size_mm)
    return f' textLength="{wide:.2f}" lengthAdjust="spacingAndGlyphs"'


def _stroke(status: Status, paint: Paint, *, dashed: bool = True) -> str:
    """Return the pen of a status; symbols are not dashed, wires and buses are."""
    dash = f' stroke-dasharray="{DASHES[status]}"' if dashed and status in DASHES else ""
    width = _THICK.get(status, _THIN)
    return f'stroke="{paint.lines[status]}" stroke-width="{width:g}"{dash}'


def _wire(wire: Wire, paint: Paint) -> Iterator[str]:
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in wire.points_mm)
    yield f'<polyline points="{points}" fill="none" {_stroke(wire.status, paint)}/>'
    if wire.failed:
        x, end = wire.points_mm[-1]
        yield cross(x, (wire.points_mm[-2][1] + end) / 2.0, 1.5, paint.lost)


def cross(x: float, y: float, half: float, colour: str) -> str:
    """Return a cross, `half` as wide as it is."""
    return (
        f'<path d="M{x - half:.2f} {y - half:.2f}L{x + half:.2f} {y + half:.2f}'
        f'M{x - half:.2f} {y + half:.2f}L{x + half:.2f} {y - half:.2f}" '
        f'stroke="{colour}" stroke-width="0.7" fill="none"/>'
    )


def _device(device: BreakerSymbol, paint: Paint, standard: Standard, id: str) -> Iterator[str]:
    pen = f'stroke="{paint.lines[device.status]}" stroke-width="{_THIN + 0.1:g}"'
    transform = f"translate({device.x_mm:.2f} {device.y_mm:.2f})"
    yield f'<g{id} transform="{transform}" fill="{paint.paper}" {pen}>'
    yield f'<path d="M0 -1.6V1.6" stroke="{paint.paper}" stroke-width="1.4"/>'
    found = breaker_shapes(standard, medium_voltage=device.medium_voltage)
    yield from painted(found, paint.lines[device.status])
    yield "</g>"


def _symbol(symbol: Symbol, paint: Paint, standard: Standard, id: str) -> Iterator[str]:
    members = ", ".join(symbol.members[:_SHOWN_MEMBERS])
    more = len(symbol.members) - _SHOWN_MEMBERS
    tip = f"{members}{f' and {more} more' if more > 0 else ''}: {STATUS_WORDS[symbol.status]}"
    yield f"<g{id}><title>{xml_text(tip)}</title>"
    if len(symbol.members) > 1 and not symbol.reference:
        yield from _drawn(symbol, symbol.best, 1.2, paint, standard)
    yield from _drawn(symbol, symbol.status, 0.0, paint, standard)
    if symbol.reference:
        yield _arrow(symbol.x_mm, symbol.y_mm - 3.2, paint.lines[symbol.status])
    elif symbol.status == "out":
        half = _SMALL_CROSS_MM if symbol.kind.endswith("bypass") else _CROSS_MM
        yield cross(symbol.x_mm, symbol.y_mm, half, paint.lost)
    yield "</g>"


def _drawn(
    symbol: Symbol, status: Status, offset_mm: float, paint: Paint, standard: Standard
) -> Iterator[str]:
    line = _stroke(status, paint, dashed=symbol.width_mm > 0.0)
    middle = sum(symbol.span_mm) / 2.0 if symbol.width_mm else symbol.x_mm
    transform = f"translate({middle + offset_mm:.2f} {symbol.y_mm - offset_mm:.2f})"
    yield f'<g transform="{transform}" fill="{paint.paper}" {line}>'
    if not symbol.width_mm:  # hides the wire, which runs to the centre
        _, up, half, down = symbol_reach(symbol.kind)
        yield f'<path d="M{-half:g} {-up:g}H{half:g}V{down:g}H{-half:g}Z" stroke="none"/>'
    found = symbol_shapes(symbol.kind, standard, symbol.width_mm, symbol.way)
    yield from painted(found, paint.lines[status])
    yield "</g>"


def _racks(strip: RackStrip, paint: Paint, id: str) -> Iterator[str]:
    """Yield the racks on a panelboard: a cabinet, filled by the share of dropped racks."""
    wide, high = RACKS_MM
    colour = paint.lost if strip.dropped else paint.lines["live"]
    top, left = strip.y_mm - high, strip.x_mm - wide
    pen = f'stroke="{colour}" stroke-width="{_THIN + 0.1:g}"'
    yield f"<g{id}><title>{xml_text(f'{strip.racks:,} racks, {strip.dropped:,} dropped')}</title>"
    tie = f"M{strip.x_mm:.2f} {strip.tie_mm:.2f}V{top:.2f}"
    yield f'<path d="{tie}" fill="none" {_stroke(strip.status, paint)}/>'
    yield (
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{2 * wide:g}" height="{2 * high:g}" '
        f'fill="{paint.paper}" {pen}/>'
    )
    if strip.dropped:
        part = 2.0 * wide * strip.dropped / strip.racks
        yield (
            f'<rect x="{left:.2f}" y="{top:.2f}" width="{part:.2f}" height="{2 * high:g}" '
            f'fill="{colour}"/>'
        )
    yield "</g>"


def _arrow(x: float, y: float, colour: str) -> str:
    half = 0.8 * ARROW_MM
    return (
        f'<path d="M{x - half:.2f} {y - half:.2f}H{x + half:.2f}L{x:.2f} {y + half:.2f}Z" '
        f'fill="{colour}"/>'
    )


def _label(label: Label, paint: Paint) -> str:
    lines = "".join(
        f'<tspan x="{label.x_mm:.2f}" y="{label.y_mm + n * LINE * TEXT_MM:.2f}"'
        f"{_BOLD if label.bold and n == 0 else ''}"
        f"{_fixed_width(line, bold=label.bold and n == 0, size_mm=TEXT_MM)}"
        f">{xml_text(line)}</tspan>"
        for n, line in enumerate(label.lines)
    )
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    return f'<text{anchor} fill="{paint.text}">{lines}</text>'
