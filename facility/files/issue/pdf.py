"""A set as one PDF: typst places the shapes of its sheets from data, fonts are embedded."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from facility.core.errors import FacilityError
from facility.core.version import __version__
from facility.files.io.safe_text import safe_text
from facility.report.drawings.scene import Arc, Polyline, Scene, Text
from facility.report.drawings.text import text_width
from facility.report.issue.sheet import SheetSet

_ARC_STEP_DEG = 7.5
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


def pdf_bytes(issued: SheetSet) -> bytes:
    """Return the set as a PDF with a bookmark per sheet; equal sets produce equal bytes.

    Raises ``NO_DOCUMENTS_EXTRA`` without the extra packages of documents.
    """
    try:
        import typst
    except ModuleNotFoundError:
        raise missing_extra("PDF", "typst") from None
    source: bytes = resources.files(__package__).joinpath("set.typ").read_bytes()
    return typst.compile(
        source,
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=[font_folder()]),
        sys_inputs={"data": json.dumps(_data(issued), ensure_ascii=False)},
        pdf_tags=False,
    )


@cache
def font_folder() -> Path:
    """Return the folder of the fonts of the sheets."""
    return Path(str(resources.files(__package__).joinpath("fonts")))


def missing_extra(what: str, package: str) -> FacilityError:
    """Return the error of a format whose package is not installed."""
    return FacilityError(
        "NO_DOCUMENTS_EXTRA",
        package,
        f"{what} requires the Python package {package}, which is not installed.",
        'Install it: pip install "facility[documents]"',
    )


def _data(issued: SheetSet) -> dict[str, object]:
    of = issued.of
    day = _DATE.fullmatch(of.date)
    return {
        "title": one_line(f"{of.project}: {issued.title}"),
        "author": one_line(of.originator),
        "description": one_line(
            f"Revision {of.revision}, {of.date}; project SHA-256 {issued.sha256}"
        ),
        "keywords": [one_line(of.code), one_line(of.status), f"facility {__version__}"],
        "date": [int(part) for part in day.groups()] if day else None,
        "sheets": [
            {
                "name": one_line(f"{sheet.number} {sheet.title}"),
                "size": (sheet.paper.width_mm, sheet.paper.height_mm),
                "lines": list(_lines(sheet.scene)),
                **_texts(sheet.scene),
            }
            for sheet in issued.sheets
        ],
    }


def _lines(scene: Scene) -> Iterator[tuple[object, ...]]:
    for shape in scene.shapes:
        if isinstance(shape, Polyline):
            points = [(round(x, 3), round(y, 3)) for x, y in shape.points_mm]
            yield points, shape.weight_mm, shape.tone, shape.closed, shape.fill, shape.dashed
        elif isinstance(shape, Arc):
            closed = shape.to_deg - shape.from_deg >= 360.0
            yield arc_points(shape), shape.weight_mm, shape.tone, closed, shape.fill, False


def arc_points(arc: Arc) -> list[tuple[float, float]]:
    """Return an arc as the points of a polyline [mm]."""
    steps = max(2, math.ceil((arc.to_deg - arc.from_deg) / _ARC_STEP_DEG))
    x, y = arc.centre_mm
    span, radius = math.radians(arc.to_deg - arc.from_deg) / steps, arc.radius_mm
    angles = (math.radians(arc.from_deg) + n * span for n in range(steps + 1))
    return [
        (round(x + radius * math.cos(angle), 3), round(y - radius * math.sin(angle), 3))
        for angle in angles
    ]


def _texts(scene: Scene) -> dict[str, list[tuple[object, ...]]]:
    """Return the texts: those at their left end, and those that typst aligns by their width."""
    plain: list[tuple[object, ...]] = []
    aligned: list[tuple[object, ...]] = []
    for shape in scene.shapes:
        if not isinstance(shape, Text) or not shape.text:
            continue
        words = one_line(shape.text)
        x, y = shape.at_mm
        style = shape.size_mm, shape.bold, shape.tone
        if shape.anchor == "start" or words.isascii():
            wide = text_width(words, bold=shape.bold, size_mm=shape.size_mm)
            left = x - {"start": 0.0, "middle": wide / 2.0, "end": wide}[shape.anchor]
            plain.append((words, round(left, 3), round(y, 3), *style))
        else:
            aligned.append((words, round(x, 3), round(y, 3), *style, shape.anchor))
    return {"texts": plain, "aligned": aligned}


def one_line(text: str) -> str:
    """Return user text without control characters, on one line."""
    return safe_text(text).replace("\n", " ").replace("\t", " ")
