"""Writes the loop diagram of the cooling as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.files.svg.shapes import Paint, svg_document, text_line
from facility.report.drawings.loops.diagram import Box, LoopDrawing, Medium, Mover, Pipe, Side
from facility.report.drawings.text import TEXT_MM, fitted, text_width

PX_PER_MM = 4.0
"""Size of a millimetre of the drawing on a screen."""

_HEADING_MM = 3.6
_PAD_MM = 1.8
_LEFT_MM = 2.0
_TITLE_MM = 4.6
_LINE_MM = 3.9
_NOTE_MM = 4.4
_FOOT_MM = 3.0
_WIDTHS: dict[Medium, float] = {"air": 0.9, "water": 0.7, "refrigerant": 0.7}
_DASHES: dict[Medium, str] = {"air": "2.6 1.1", "water": "", "refrigerant": "0.9 0.9"}
_LEGEND: tuple[tuple[Medium, Side, str], ...] = (
    ("water", "warm", "water or coolant, return (warm)"),
    ("water", "cold", "water or coolant, supply (cold)"),
    ("air", "warm", "air, return (warm)"),
    ("air", "cold", "air, supply (cold)"),
)
_LEGEND_SAMPLE_MM, _LEGEND_GAP_MM = 9.0, 7.0


@dataclass(frozen=True)
class LoopPaint:
    """Colours of a loop diagram: paper, text, frames, streams, exceeded limits."""

    paper: str
    text: str
    frame: str
    fill: str
    warm: str
    cold: str
    alarm: str

    def of(self, side: Side) -> str:
        """Return the colour of a stream."""
        return self.warm if side == "warm" else self.cold


LOOP_LIGHT = LoopPaint("#ffffff", "#1b1f24", "#667080", "#f3f5f7", "#b3402e", "#1f6aa5", "#c21f1f")


def loop_svg(drawing: LoopDrawing) -> str:
    """Return the diagram as an SVG document for a screen, as wide as it is.

    Texts are escaped; the bytes depend only on the drawing.
    """
    size_mm = drawing.width_mm, drawing.height_mm + _NOTE_MM * (1 + len(drawing.notes)) + _FOOT_MM
    width_px, height_px = (str(round(side * PX_PER_MM)) for side in size_mm)
    return svg_document(
        size_mm,
        (width_px, height_px),
        f"{drawing.title}. {drawing.subtitle}",
        LOOP_LIGHT.paper,
        _parts(drawing, LOOP_LIGHT),
    )


def _parts(drawing: LoopDrawing, paint: LoopPaint) -> Iterator[str]:
    width = drawing.width_mm - 2.0 * _LEFT_MM
    plain = _ink(paint.text, paint)
    heading = fitted(drawing.title, width, bold=True, size_mm=_HEADING_MM)
    yield text_line(heading, _LEFT_MM, 4.6, plain, bold=True, size_mm=_HEADING_MM)
    yield text_line(fitted(drawing.subtitle, width), _LEFT_MM, 9.0, plain)
    for pipe in drawing.pipes:
        yield from _pipe(pipe, paint)
    for mover in drawing.movers:
        yield from _mover(mover, paint)
    for box in drawing.boxes:
        yield from _box(box, paint)
    for word in drawing.words:
        bold = word.tone != "plain"
        wide = text_width(word.text, bold=bold)
        x = word.x_mm - {"start": 0.0, "middle": 0.5 * wide, "end": wide}[word.anchor]
        colour = paint.alarm if word.tone == "alarm" else paint.text
        yield text_line(word.text, x, word.y_mm, _ink(colour, paint), bold=bold)
    top = drawing.height_mm
    yield from _legend(top, paint)
    for n, note in enumerate(drawing.notes, 1):
        yield text_line(fitted(note, width), _LEFT_MM, top + n * _NOTE_MM, plain)


def _ink(colour: str, paint: LoopPaint) -> Paint:
    return Paint(paint.paper, colour, colour, {})


def _pen(medium: Medium, colour: str) -> str:
    dash = f' stroke-dasharray="{_DASHES[medium]}"' if _DASHES[medium] else ""
    return f'stroke="{colour}" stroke-width="{_WIDTHS[medium]:g}" fill="none"{dash}'


def _pipe(pipe: Pipe, paint: LoopPaint) -> Iterator[str]:
    colour = paint.of(pipe.side)
    points = " ".join(f"{x:.2f},{y:.2f}" for x, y in pipe.points_mm)
    yield f'<polyline points="{points}" {_pen(pipe.medium, colour)}/>'
    (x0, y0), (x, y) = pipe.points_mm[-2:]
    if not pipe.arrow:
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.8" fill="{colour}"/>'
        return
    along, across = (x > x0) - (x < x0), (y > y0) - (y < y0)
    back_x, back_y = x - 2.6 * along, y - 2.6 * across
    yield (
        f'<path d="M{x:.2f} {y:.2f}L{back_x + 1.1 * across:.2f} {back_y + 1.1 * along:.2f}'
        f'L{back_x - 1.1 * across:.2f} {back_y - 1.1 * along:.2f}Z" fill="{colour}"/>'
    )


def _mover(mover: Mover, paint: LoopPaint) -> Iterator[str]:
    """Yield a pump: a circle with a triangle in flow direction."""
    x, y, way = mover.x_mm, mover.y_mm, 1.0 if mover.to_right else -1.0
    colour = paint.of(mover.side)
    yield (
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="2" fill="{paint.paper}" stroke="{colour}" '
        f'stroke-width="0.5"/>'
    )
    yield (
        f'<path d="M{x + 2.0 * way:.2f} {y:.2f}L{x - 1.1 * way:.2f} {y - 1.65:.2f}'
        f'L{x - 1.1 * way:.2f} {y + 1.65:.2f}Z" fill="{colour}"/>'
    )


def _box(box: Box, paint: LoopPaint) -> Iterator[str]:
    frame = paint.alarm if box.alarm else paint.frame
    yield (
        f'<rect x="{box.x_mm:.2f}" y="{box.y_mm:.2f}" width="{box.width_mm:.2f}" '
        f'height="{box.height_mm:.2f}" rx="1" fill="{paint.fill}" stroke="{frame}" '
        f'stroke-width="{0.8 if box.alarm else 0.4:g}"/>'
    )
    x, width = box.x_mm + _PAD_MM, box.width_mm - 2.0 * _PAD_MM
    plain = _ink(paint.text, paint)
    title = fitted(box.title, width, bold=True)
    yield text_line(title, x, box.y_mm + _TITLE_MM, plain, bold=True)
    for n, line in enumerate(box.lines, 1):
        y = box.y_mm + _TITLE_MM + n * _LINE_MM
        yield text_line(fitted(line, width), x, y, plain)
    if box.alarm:
        y = box.y_mm + _TITLE_MM + (len(box.lines) + 1) * _LINE_MM
        yield text_line(
            fitted(box.alarm, width, bold=True), x, y, _ink(paint.alarm, paint), bold=True
        )


def _legend(y: float, paint: LoopPaint) -> Iterator[str]:
    x = _LEFT_MM
    for medium, side, words in _LEGEND:
        yield (
            f'<path d="M{x:.2f} {y - 0.35 * TEXT_MM:.2f}h{_LEGEND_SAMPLE_MM:g}" '
            f"{_pen(medium, paint.of(side))}/>"
        )
        yield text_line(words, x + _LEGEND_SAMPLE_MM + 1.5, y, _ink(paint.text, paint))
        x += _LEGEND_SAMPLE_MM + 1.5 + text_width(words) + _LEGEND_GAP_MM
