"""Label sheets: every label drawn to size, ready for cutting or engraving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from facility.report.book.lists.labels import LabelText, design_labels
from facility.report.drawings.scene import Polyline, Scene, Shape, Text
from facility.report.drawings.text import fitted
from facility.report.issue.content import DrawingBlock, Paragraph, SheetContent
from facility.report.issue.electrical.facts import ElectricalFacts

_SERIES = 500
_WIDE_MM, _HIGH_MM, _GAP_MM = 61.0, 18.0, 1.0
_COLUMNS, _ROWS = 4, 8
_TEXT_MM, _LOCATION_MM = 2.6, 2.5
_MAX_CORDS = 240
"""Most labels of circuits and cords on sheets; a list of all has one row for each."""


def label_sheets(facts: ElectricalFacts) -> SheetContent:
    """Return the labels of panels, service equipment, circuits, cords and UPS inputs."""
    rows = chain.from_iterable(facts.circuits.values())
    labels = list(design_labels(facts.design, rows))
    many = [one for one in labels if one.kind in ("circuit", "cord")]
    left_out = set(many[_MAX_CORDS:])
    printed_labels = [one for one in labels if one not in left_out]
    note = f"{len(labels):,} labels. Last line: where to fix the label."
    if left_out:
        note += (
            f" {len(left_out):,} further labels of circuits and cords: list Labels of"
            " facility export csv."
        )
    figures = (DrawingBlock(scene) for scene in _scenes(printed_labels))
    return SheetContent("E", _SERIES, "Labels", (Paragraph(note, "note"), *figures))


def _scenes(labels: Sequence[LabelText]) -> Iterator[Scene]:
    step_x, step_y = _WIDE_MM + _GAP_MM, _HIGH_MM + _GAP_MM
    number = _COLUMNS * _ROWS
    for page in (labels[first : first + number] for first in range(0, len(labels), number)):
        shapes: list[Shape] = []
        for n, label in enumerate(page):
            row, column = divmod(n, _COLUMNS)
            shapes += _drawn(label, column * step_x, row * step_y)
        rows = -(-len(page) // _COLUMNS)
        yield Scene(_COLUMNS * step_x - _GAP_MM, rows * step_y - _GAP_MM, tuple(shapes))


def _drawn(label: LabelText, x: float, y: float) -> Iterator[Shape]:
    """Yield frame and lines of a label at its upper left corner."""
    right, bottom = x + _WIDE_MM, y + _HIGH_MM
    yield Polyline(((x, y), (right, y), (right, bottom), (x, bottom)), "frame", closed=True)
    for n, text in enumerate((label.line1, label.line2, label.line3, label.line4)):
        at = x + 1.5, y + 3.4 + n * 3.4
        line = fitted(text, _WIDE_MM - 3.0, bold=not n, size_mm=_TEXT_MM)
        key = f"{label.id}:{label.kind} {n + 1}"
        yield Text(line, at, "text", _TEXT_MM, bold=not n, key=key)
    location = fitted(f"At {label.place}", _WIDE_MM - 3.0, size_mm=_LOCATION_MM)
    yield Text(location, (x + 1.5, bottom - 0.9), "text", _LOCATION_MM, tone="grey")
