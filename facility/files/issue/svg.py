"""A sheet of a set as SVG; keyed texts have their key as attribute ``data-key``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from facility.files.issue.pdf import arc_points, one_line
from facility.files.svg.shapes import svg_document, xml_text
from facility.report.drawings.scene import Arc, Point, Shape, Text, Tone
from facility.report.drawings.text import TEXT_MM
from facility.report.issue.sheet import IssuedSheet

_TONES: dict[Tone, str] = {
    "plain": "#000000",
    "grey": "#5c636b",
    "alarm": "#b3261e",
    "warm": "#b3261e",
    "cold": "#1f5fa8",
}
_RULES: dict[Tone, str] = {"grey": "#9aa3ad"}
_FILLS: dict[Tone, str] = {
    "plain": "#000000",
    "grey": "#e6e9ec",
    "alarm": "#fbdcd9",
    "warm": "#fbe3d6",
    "cold": "#dbe9f7",
}


def sheet_svg(sheet: IssuedSheet) -> str:
    """Return a sheet as an SVG document of its paper size."""
    scene = sheet.scene
    size = f"{scene.width_mm:g}mm", f"{scene.height_mm:g}mm"
    shapes = (part for shape in scene.shapes for part in _shape(shape))
    box = scene.width_mm, scene.height_mm
    return svg_document(box, size, f"{sheet.number} {sheet.title}", "#ffffff", shapes)


def _shape(shape: Shape) -> Iterator[str]:
    if isinstance(shape, Text):
        words = xml_text(one_line(shape.text))
        anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
        key = f' data-key="{escape(one_line(shape.key))}"' if shape.key else ""
        bold = ' font-weight="bold"' if shape.bold else ""
        size = "" if shape.size_mm == TEXT_MM else f' font-size="{shape.size_mm:g}"'
        x, y = shape.at_mm
        yield (
            f'<text x="{x:.2f}" y="{y:.2f}"{size}{anchor}{bold} fill="{_TONES[shape.tone]}"{key}>'
            f"{words}</text>"
        )
        return
    if isinstance(shape, Arc):
        points: Sequence[Point] = arc_points(shape)
        closed, dashed = shape.to_deg - shape.from_deg >= 360.0, False
    else:
        points, closed, dashed = shape.points_mm, shape.closed, shape.dashed
    path = "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    fill = "none" if shape.fill is None else _FILLS[shape.fill]
    dash = ' stroke-dasharray="1.6 1"' if dashed else ""
    pen = _RULES.get(shape.tone, _TONES[shape.tone])
    yield (
        f'<path d="M{path}{"Z" if closed else ""}" fill="{fill}" stroke="{pen}" '
        f'stroke-width="{shape.weight_mm:g}"{dash}/>'
    )
