"""Writes the plan of a hall and the elevation of a rack as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from facility.files.svg.shapes import DARK, LIGHT, Paint, svg_document, text_line, xml_text
from facility.report.drawings.hall.elevation import Elevation
from facility.report.drawings.hall.plan import HallPlan
from facility.report.drawings.hall.shades import Scale, Shade
from facility.report.drawings.text import LINE, TEXT_MM, fitted, text_width

_PX_PER_MM = 4.0
_TITLE_MM, _HEADING_MM, _ROW_MM = 10.0, 3.6, 5.0
_LEGEND_MM = 58.0
_SWATCH_MM = (5.0, 3.0)


@dataclass(frozen=True)
class HallPaint:
    """Colours of a plan: lines, and steps of each scale."""

    lines: Paint
    edge: str
    steps: Mapping[Scale, tuple[str, ...]]

    def fill(self, shade: Shade) -> str:
        """Return the colour of a shade."""
        return self.steps[shade.scale][shade.step]


_CATEGORY = ("#4c78a8", "#e8892b", "#54a24b", "#b279a2", "#d3b021", "#5ba3a0", "#9d755d", "#8a8f98")
HALL_LIGHT = HallPaint(
    LIGHT,
    "#667080",
    {
        "sequence": ("#dbe9f6", "#a8cfe8", "#66a9d3", "#2f7ebb", "#0f4f91"),
        "category": _CATEGORY,
        "status": ("#a9d8b8", "#f0b04a", "#c21f1f", "#e2e5e9"),
    },
)
HALL_DARK = HallPaint(
    DARK,
    "#98a2ae",
    {
        "sequence": ("#16324a", "#22557d", "#3479ae", "#62a6d6", "#b3d9f3"),
        "category": _CATEGORY,
        "status": ("#2c7a4b", "#d9952a", "#ff7b72", "#4a4f57"),
    },
)


def plan_id(number: int) -> str:
    """Return the id of the shape of a cell, by its number on the plan."""
    return f"k{number}"


def live_plan_svg(plan: HallPlan, paint: HallPaint) -> str:
    """Return only the plan, in millimetres; every cell has its `plan_id`."""
    return _document(
        (plan.width_mm, plan.height_mm), 1.0, plan.title, paint.lines, _plan(plan, paint)
    )


def plan_svg(plan: HallPlan, paint: HallPaint = HALL_LIGHT) -> str:
    """Return the plan as a document with heading, legend and notes."""
    lines = paint.lines
    width = max(plan.width_mm, 160.0)
    top = _TITLE_MM + plan.height_mm + 4.0
    per_row = max(1, int((width - 8.0) // _LEGEND_MM))
    rows = -(-len(plan.legend) // per_row)
    notes = [fitted(note, width - 8.0) for note in plan.notes]
    height = top + (rows + len(notes)) * _ROW_MM + 3.0
    heading = fitted(plan.title, width - 8.0, bold=True, size_mm=_HEADING_MM)
    parts = (
        text_line(heading, 4.0, 6.5, lines, bold=True, size_mm=_HEADING_MM),
        f'<g transform="translate(0 {_TITLE_MM:g})">',
        *_plan(plan, paint),
        "</g>",
        *_legend(plan.legend, top, per_row, paint),
        *(
            text_line(note, 4.0, top + (rows + n) * _ROW_MM + 2.0, lines)
            for n, note in enumerate(notes)
        ),
    )
    return _document((width, height), _PX_PER_MM, plan.title, lines, parts)


def elevation_svg(found: Elevation, paint: HallPaint = HALL_LIGHT) -> str:
    """Return the elevation of a rack as a document."""
    lines = paint.lines
    return _document(
        (found.width_mm, found.height_mm + _TITLE_MM),
        _PX_PER_MM,
        found.title,
        lines,
        (
            text_line(
                fitted(found.title, found.width_mm - 8.0, bold=True, size_mm=_HEADING_MM),
                4.0, 6.5, lines, bold=True, size_mm=_HEADING_MM,
            ),
            f'<g transform="translate(0 {_TITLE_MM:g})">',
            *_rack(found, paint),
            "</g>",
        ),
    )  # fmt: skip


def _plan(plan: HallPlan, paint: HallPaint) -> Iterator[str]:
    yield f'<g stroke="{paint.edge}" stroke-width="0.25">'
    for n, cell in enumerate(plan.cells):
        yield (
            f'<rect id="{plan_id(n)}" x="{cell.x_mm:.1f}" y="{cell.y_mm:.1f}" '
            f'width="{cell.wide_mm:.1f}" height="{cell.high_mm:.1f}" '
            f'fill="{paint.fill(cell.shade)}"/>'
        )
    yield "</g>"
    for caption in plan.captions:
        x = caption.x_mm - text_width(caption.text)
        yield text_line(caption.text, x, caption.y_mm, paint.lines)


def _legend(shades: tuple[Shade, ...], top: float, per_row: int, paint: HallPaint) -> Iterator[str]:
    wide, high = _SWATCH_MM
    for n, shade in enumerate(shades):
        x = 4.0 + _LEGEND_MM * (n % per_row)
        y = top + _ROW_MM * (n // per_row)
        yield (
            f'<rect x="{x:.2f}" y="{y - high + 1.0:.2f}" width="{wide:g}" height="{high:g}" '
            f'fill="{paint.fill(shade)}" stroke="{paint.edge}" stroke-width="0.25"/>'
        )
        words = fitted(shade.words, _LEGEND_MM - wide - 4.0)
        yield text_line(words, x + wide + 2.0, y + 0.8, paint.lines)


def _rack(found: Elevation, paint: HallPaint) -> Iterator[str]:
    lines = paint.lines
    left, top, wide, high = found.frame_mm
    pen = f'stroke="{lines.text}" stroke-width="0.35"'
    yield (
        f'<rect x="{left - 1.0:.2f}" y="{top - 1.0:.2f}" width="{wide + 2.0:.2f}" '
        f'height="{high + 2.0:.2f}" fill="none" {pen}/>'
    )
    for box in found.boxes:
        fill = lines.paper if box.free else paint.steps["sequence"][0]
        dash = ' stroke-dasharray="1.4 1.2"' if box.free else ""
        yield (
            f'<rect x="{left:.2f}" y="{box.y_mm + 0.15:.2f}" width="{wide:.2f}" '
            f'height="{box.high_mm - 0.3:.2f}" fill="{fill}" stroke="{paint.edge}" '
            f'stroke-width="0.25"{dash}/>'
        )
        middle = box.y_mm + box.high_mm / 2.0 + 0.36 * TEXT_MM
        yield text_line(box.text, left + 1.5, middle, lines)
    for strip in found.strips:
        colour = lines.lost if strip.dead else lines.lines["live"]
        yield (
            f"<g><title>{xml_text(strip.text)}</title>"
            f'<rect x="{strip.x_mm:.2f}" y="{top:.2f}" width="3" height="{high:.2f}" '
            f'fill="{colour}"/></g>'
        )
    for text, y in found.scale:
        yield text_line(text, 4.0, y + 0.36 * TEXT_MM, lines)
    x, y = found.words_mm
    for n, words in enumerate(found.words):
        yield text_line(words, x, y + n * 1.25 * LINE * TEXT_MM, lines, bold=n == 0)


def _document(
    size_mm: tuple[float, float], px_per_mm: float, title: str, paint: Paint, parts: Iterable[str]
) -> str:
    wide, high = (f"{side * px_per_mm:.0f}" for side in size_mm)
    return svg_document(size_mm, (wide, high), title, paint.paper, parts)
