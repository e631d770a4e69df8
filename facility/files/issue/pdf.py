"""A set as one PDF: typst places the shapes of its sheets from data, fonts are embedded."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path

from facility.core import __version__
from facility.core.errors import FacilityError
from facility.files.io.safe_text import safe_text
from facility.report.drawings.scene import Arc, Polyline, Scene, Shape, Text
from facility.report.drawings.text import text_width
from facility.report.issue.sheet import SheetSet

_ARC_STEP_DEG = 7.5
_SIGNS = {"×": 0.584, "·": 0.333, "°": 0.4, "²": 0.333, "³": 0.333, "≤": 0.549, "≥": 0.549}
"""Widths of signs in Liberation Sans, plain and bold, over the size of the letters."""
_SHEET = re.compile(r"\b[GEM]-\d{3,7}\b")
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


def pdf_bytes(issued: SheetSet) -> bytes:
    """Return the set as a PDF with a bookmark per sheet; equal sets produce equal bytes.

    Raises ``NO_DOCUMENTS_EXTRA`` without the extra packages of documents.
    """
    try:
        import typst
    except ModuleNotFoundError:
        raise missing_extra("PDF", "typst") from None
    source: bytes = Path(__file__).with_name("set.typ").read_bytes()
    return typst.compile(
        source,
        font_paths=typst.Fonts(include_system_fonts=False, font_paths=[font_folder()]),
        sys_inputs={"data": _data(issued)},
        pdf_tags=False,
    )


@cache
def font_folder() -> Path:
    """Return the folder of the fonts of the sheets."""
    return Path(__file__).with_name("fonts")


def missing_extra(what: str, package: str) -> FacilityError:
    """Return the error of a format whose package is not installed."""
    return FacilityError(
        "NO_DOCUMENTS_EXTRA",
        package,
        f"{what} requires the Python package {package}, which is not installed.",
        'Install it: pip install "facility[documents]"',
    )


def _data(issued: SheetSet) -> str:
    """Return the set as JSON, created sheet by sheet to limit memory."""
    of = issued.of
    day = _DATE.fullmatch(of.date)
    about = {
        "title": one_line(": ".join(dict.fromkeys((issued.name, of.project)))),
        "author": one_line(of.originator),
        "description": one_line(f"Rev. {of.revision}, {of.date}; SHA-256 {issued.sha256}"),
        "keywords": [one_line(of.code), one_line(of.status), f"facility {__version__}"],
        "date": [int(part) for part in day.groups()] if day else None,
    }
    pages = {sheet.number: n for n, sheet in enumerate(issued.sheets, 1)}
    sheets = (
        {
            "name": one_line(f"{sheet.number} {sheet.title}"),
            "size": (sheet.paper.width_mm, sheet.paper.height_mm),
            "lines": list(_lines(sheet.scene)),
            "links": list(_links(sheet.body, pages)),
            **_texts(sheet.scene),
        }
        for sheet in issued.sheets
    )
    parts = [f'{json.dumps(about)[:-1]}, "sheets": [']
    for n, one in enumerate(sheets):
        parts += ["," if n else "", json.dumps(one, separators=(",", ":"))]
    return "".join((*parts, "]}"))


def _links(
    shapes: Iterable[Shape], pages: Mapping[str, int]
) -> Iterator[tuple[float, float, float, float, int]]:
    """Yield the boxes of texts that name a sheet, and its page: left, top, width, height."""
    for shape in shapes:
        named = _SHEET.search(shape.text) if isinstance(shape, Text) else None
        if isinstance(shape, Text) and named and named[0] in pages:
            left, top, right, bottom = (round(one, 2) for one in shape.box_mm)
            yield left, top, right - left, bottom - top, pages[named[0]]


def _lines(scene: Scene) -> Iterator[tuple[object, ...]]:
    """Yield the strokes, consecutive ones of one pen together: points, closed; then the pen."""
    shapes = (shape for shape in scene.shapes if not isinstance(shape, Text))
    pens = ((shape, isinstance(shape, Polyline) and shape.dashed) for shape in shapes)
    for (weight, tone, fill, dashed), group in groupby(
        pens, key=lambda one: (one[0].weight_mm, one[0].tone, one[0].fill, one[1])
    ):
        strokes = []
        for shape, _ in group:
            if isinstance(shape, Arc):
                closed = shape.to_deg - shape.from_deg >= 360.0
                strokes.append((arc_points(shape), closed))
            else:
                points = [(round(x, 3), round(y, 3)) for x, y in shape.points_mm]
                strokes.append((points, shape.closed))
        yield strokes, weight, tone, fill, dashed


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
    """Return texts by row, each at its distance from the one before, and other single texts.

    A row is one line of text to typst, which takes a third of the memory of placing each of its
    texts. Texts with letters of unknown width are placed by typst.
    """
    rows: dict[float, list[tuple[float, float, Text]]] = {}
    single: list[tuple[object, ...]] = []
    for shape in scene.shapes:
        if not isinstance(shape, Text) or not shape.text:
            continue
        words, (x, y) = one_line(shape.text), shape.at_mm
        wide = _exact_width(words, shape)
        if wide is not None and words == words.strip():
            left = x - {"start": 0.0, "middle": wide / 2.0, "end": wide}[shape.anchor]
            rows.setdefault(round(y, 3), []).append((left, wide, shape))
        else:
            pen = shape.size_mm, shape.bold, shape.tone, shape.anchor
            single.append((words, round(x, 3), round(y, 3), *pen))
    found: list[tuple[object, ...]] = []
    for y, texts in rows.items():
        at, row = 0.0, []
        for left, wide, text in sorted(texts, key=lambda one: one[:2]):
            style = text.size_mm, text.bold, text.tone
            row.append((round(left - at, 4), one_line(text.text), *style))
            at = left + wide
        found.append((y, row))
    return {"rows": found, "single": single}


def _exact_width(words: str, text: Text) -> float | None:
    """Return the width in the fonts of the PDF [mm]; None with letters of unknown width."""
    signs = [letter for letter in words if not letter.isascii()]
    if not all(letter in _SIGNS for letter in signs):
        return None
    letters = "".join(letter for letter in words if letter.isascii())
    wide = text_width(letters, bold=text.bold, size_mm=text.size_mm)
    return wide + sum(_SIGNS[sign] for sign in signs) * text.size_mm


def one_line(text: str) -> str:
    """Return user text without control characters, on one line."""
    return safe_text(text).replace("\n", " ").replace("\t", " ")
