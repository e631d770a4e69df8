"""Scene: the shapes and texts of a drawing or page in millimetres, independent of any file format.

The origin is the upper left corner, x to the right, y down. Renderers for PDF, DXF and SVG draw the
same scene, so that a figure cannot differ between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from facility.report.drawings.text import TEXT_MM, text_width

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
Layer = Literal[
    "frame", "table", "power", "device", "water", "machine", "air", "text", "cloud",
    "chw", "cw", "fws", "fws_tower", "tcs",
]  # fmt: skip
"""What a shape is of; the last five are water loops by name."""
Tone = Literal["plain", "grey", "alarm", "warm", "cold"]
THIN_MM, MEDIUM_MM, THICK_MM = 0.18, 0.35, 0.7


@dataclass(frozen=True, slots=True)
class Polyline:
    """Polyline, closed where `closed`; `fill` paints its area.

    Shapes in sequence with one `symbol`, its kind and tag with a colon, are a block of a DXF file.
    """

    points_mm: tuple[Point, ...]
    layer: Layer
    weight_mm: float = THIN_MM
    tone: Tone = "plain"
    closed: bool = False
    fill: Tone | None = None
    dashed: bool = False
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Arc:
    """Circular arc from one angle to another [deg], counterclockwise; 0 to 360 is a circle."""

    centre_mm: Point
    radius_mm: float
    layer: Layer
    from_deg: float = 0.0
    to_deg: float = 360.0
    weight_mm: float = THIN_MM
    tone: Tone = "plain"
    fill: Tone | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `at_mm` is the start, middle or end of its baseline.

    `key` is the result, equipment tag or field that it shows, for example "ups.rating" or
    "UPS-A1:rating"; a DXF file has it as the tag of an attribute. Empty for fixed words.
    """

    text: str
    at_mm: Point
    layer: Layer = "text"
    size_mm: float = TEXT_MM
    anchor: Anchor = "start"
    bold: bool = False
    tone: Tone = "plain"
    key: str = ""
    symbol: str = ""

    @property
    def box_mm(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        wide = text_width(self.text, bold=self.bold, size_mm=self.size_mm)
        x, y = self.at_mm
        left = x - {"start": 0.0, "middle": wide / 2.0, "end": wide}[self.anchor]
        return left, y - 0.74 * self.size_mm, left + wide, y + 0.22 * self.size_mm


Shape = Polyline | Arc | Text


def moved(shapes: Iterable[Shape], x: float, y: float) -> Iterator[Shape]:
    """Yield shapes moved to the right and down [mm]."""
    for shape in shapes:
        if isinstance(shape, Polyline):
            yield replace(shape, points_mm=tuple((a + x, b + y) for a, b in shape.points_mm))
        elif isinstance(shape, Arc):
            yield replace(shape, centre_mm=(shape.centre_mm[0] + x, shape.centre_mm[1] + y))
        else:
            yield replace(shape, at_mm=(shape.at_mm[0] + x, shape.at_mm[1] + y))


@dataclass(frozen=True)
class Scene:
    """Shapes on an area, in the order in which they are drawn."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]
