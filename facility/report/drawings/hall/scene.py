"""Plan of a hall and elevation of a rack as scenes, for the sheets of a set."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from facility.report.drawings.hall.elevation import Elevation
from facility.report.drawings.hall.plan import FACING_MM, HallPlan
from facility.report.drawings.scene import (
    MEDIUM_MM,
    THIN_MM,
    Polyline,
    Scene,
    Shape,
    Text,
    Tone,
    moved,
)
from facility.report.drawings.text import LINE, TEXT_MM, fitted

_TITLE_MM, _WORDS_MM = 8.0, 8.0
_LEGIBLE = 0.84
"""Scale down to which letters of `TEXT_MM` have 7 pt."""
_MAX_LETTERS_MM = 8.0
_MIDDLE = 0.36


def plan_scene(plan: HallPlan, width_mm: float, height_mm: float) -> Scene:
    """Return a plan with its rows and, where they stay legible, positions and aisles.

    width_mm, height_mm: Space on the sheet; letters grow where the plan is scaled down to it.
    """
    scale = min(1.0, width_mm / plan.width_mm, height_mm / plan.height_mm)
    detailed = scale >= _LEGIBLE
    size = TEXT_MM if detailed else TEXT_MM * _LEGIBLE / scale
    shapes: list[Shape] = []
    for cell in plan.cells:
        x, y, wide, high = cell.x_mm, cell.y_mm, cell.wide_mm, cell.high_mm
        shapes.append(_box(x, y, wide, high))
        if detailed and len(cell.racks) == 1:
            number = str(cell.position + 1)
            at = x + wide / 2.0, y + high / 2.0 + _MIDDLE * TEXT_MM
            shapes.append(Text(number, at, anchor="middle", key=f"{cell.racks[0]}:position"))
    if size <= _MAX_LETTERS_MM:
        for caption in plan.captions:
            at = caption.x_mm, caption.y_mm
            shapes.append(Text(caption.text, at, size_mm=size, anchor="end", bold=True))
    if detailed:
        for one, other in pairwise(plan.captions):
            if one.x_mm == other.x_mm and abs(other.y_mm - one.y_mm - FACING_MM) < 0.01:
                at = one.x_mm + 2.0, 0.5 * (one.y_mm + other.y_mm)
                shapes.append(Text("cold aisle", at, tone="cold"))
    return Scene(plan.width_mm, plan.height_mm, tuple(shapes))


def elevation_scene(found: Elevation, title: str, *, words_below: bool = False) -> Scene:
    """Return the elevation of a rack under a title.

    words_below: Place its words below the rack, not at its right.
    """
    left, top, wide, high = found.frame_mm
    at_mm, wide_mm = found.words_mm, found.width_mm
    if words_below:
        at_mm, wide_mm = (_WORDS_MM, top + high + 5.0), at_mm[0]
    down = _TITLE_MM - top + 4.0
    shapes: list[Shape] = [
        Text(fitted(title, wide_mm, bold=True), (0.0, 4.0), bold=True),
        _box(left, top + down, wide, high, MEDIUM_MM),
    ]
    for device in found.boxes:
        y = device.y_mm + down
        shapes.append(_box(left, y, wide, device.high_mm))
        if device.high_mm >= TEXT_MM * LINE:
            at = left + wide / 2.0, y + device.high_mm / 2.0 + _MIDDLE * TEXT_MM
            tone: Tone = "grey" if device.free else "plain"
            shapes.append(Text(device.text, at, anchor="middle", tone=tone))
    shapes += (_box(strip.x_mm, top + down, 3.0, high) for strip in found.strips)
    outer = min([left, *(strip.x_mm for strip in found.strips)]) - 1.5
    for number, y in found.scale:
        shapes.append(Text(number, (outer, y + down + _MIDDLE * TEXT_MM), anchor="end"))
    x, y = at_mm
    for n, line in enumerate(found.words):
        shapes.append(Text(line, (x, y + down + n * LINE * TEXT_MM)))
    height = max(high + top, y + len(found.words) * LINE * TEXT_MM) + down + 2.0
    return Scene(wide_mm, height, tuple(shapes))


def _box(x: float, y: float, wide: float, high: float, weight_mm: float = THIN_MM) -> Polyline:
    corners = (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)
    return Polyline(corners, "table", weight_mm, closed=True)


def side_by_side(scenes: list[Scene], count: int, gap_mm: float) -> Iterator[Scene]:
    """Yield rows of `count` scenes next to each other."""
    for n in range(0, len(scenes), count):
        row = scenes[n : n + count]
        wide = max(one.width_mm for one in row)
        shapes = [s for k, one in enumerate(row) for s in moved(one.shapes, k * (wide + gap_mm), 0)]
        width = count * wide + (count - 1) * gap_mm
        yield Scene(width, max(one.height_mm for one in row), tuple(shapes))
