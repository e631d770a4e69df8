"""What changed between two issues of a set: sheets, tags and values; clouds round changed texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from facility.report.drawings.scene import THIN_MM, Polyline, Shape, Text
from facility.report.issue.content import Paragraph, SheetContent, TableBlock
from facility.report.issue.layout import MIN_MM, cloud
from facility.report.issue.paper import Paper
from facility.report.issue.sheet import Change, IssuedSheet
from facility.report.sheet.grid import TextTable
from facility.report.tables.names import value_name

OWN_PREFIX = "sheet."
"""Prefix of the keys of the title block, which are not values of the design."""
_MAX_LISTED = 300
_PAD_MM, _BULGE_MM = 0.35, 0.6
DELTA_MM, ROW_DELTA_MM = 4.6, 3.6
"""Width and height of the triangle of a revision: on drawings, and in the row of a table."""
_REACH_MM, _STEP_MM = 40.0, 1.2
"""Reach and step of the search for a free position of a triangle in a row of a table."""
Box = tuple[float, float, float, float]


class RecordedSheet(NamedTuple):
    """Number and title of a sheet, and a hash over its texts."""

    number: str
    title: str
    digest: str


@dataclass(frozen=True)
class IssuedRecord:
    """Revision, sheets and keyed values (sheet, key, text) of an issue."""

    revision: str
    date: str
    sheets: tuple[RecordedSheet, ...]
    figures: tuple[tuple[str, str, str], ...]

    @cached_property
    def values(self) -> Mapping[str, str]:
        """Texts of each key, without title blocks."""
        return _values((key, value) for _, key, value in self.figures)

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """Hash of each sheet by number."""
        return {sheet.number: sheet.digest for sheet in self.sheets}


def _values(figures: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return the different texts of each key, joined."""
    found: dict[str, dict[str, None]] = {}
    for key, value in figures:
        if not key.startswith(OWN_PREFIX):
            found.setdefault(key, {})[value] = None
    return {key: "; ".join(sorted(values)) for key, values in found.items()}


def recorded(sheet: IssuedSheet) -> RecordedSheet:
    """Return number, title and hash of a sheet, without its title block."""
    texts = [shape.text for shape in sheet.body if isinstance(shape, Text)]
    digest = hashlib.sha256("\n".join(texts).encode("utf-8", "replace")).hexdigest()[:16]
    return RecordedSheet(sheet.number, sheet.title, digest)


def changes_since(since: IssuedRecord, sheets: Sequence[IssuedSheet]) -> tuple[Change, ...]:
    """Return the keyed values that differ from an earlier issue, in the order of the sheets."""
    sheets_by_key: dict[str, dict[str, None]] = {}
    figures = [(sheet.number, *figure) for sheet in sheets for figure in sheet.figures]
    for number, key, _ in figures:
        sheets_by_key.setdefault(key, {})[number] = None
    after, before = _values((key, value) for _, key, value in figures), since.values
    return tuple(
        Change(key, before.get(key, ""), after.get(key, ""), ", ".join(sheets_by_key.get(key, ())))
        for key in (*after, *(key for key in before if key not in after))
        if before.get(key) != after.get(key)
    )


def clouded(
    sheet: IssuedSheet, since: IssuedRecord, changes: Sequence[Change], mark: str
) -> IssuedSheet:
    """Return a sheet with a cloud round each changed text, unless the whole sheet is new.

    Each cloud with space next to it has a triangle with the revision mark.
    """
    changed = {change.key for change in changes}
    if sheet.number not in since.digests:
        return sheet
    boxes: list[Box] = []
    for key, group in groupby(sheet.body, key=lambda s: s.key if isinstance(s, Text) else ""):
        if key in changed:
            found = [shape.box_mm for shape in group if isinstance(shape, Text)]
            boxes = joined(boxes, _around(found))
    drawn: list[Shape] = []
    occupied = [shape.box_mm for shape in sheet.body if isinstance(shape, Text)]
    for left, top, right, bottom in boxes:
        drawn += cloud((left - _PAD_MM, top - _PAD_MM, right + _PAD_MM, bottom + _PAD_MM))
        near = left - _PAD_MM - _BULGE_MM, right + _PAD_MM + _BULGE_MM
        spots = _spots(*near, top, bottom, drawing=sheet.is_drawing) if len(mark) == 1 else ()
        free = next((one for one in spots if _is_free(one, occupied, sheet.paper)), None)
        if free is not None:
            occupied.append(free)
            drawn += delta(free, mark)
    return replace(sheet, body=(*sheet.body, *drawn))


def _spots(left: float, right: float, top: float, bottom: float, *, drawing: bool) -> Iterator[Box]:
    """Yield the boxes of a triangle next to a cloud; in a table the nearest in its rows first."""
    if drawing:
        for x in (right, left - DELTA_MM):
            yield x, top - 1.0, x + DELTA_MM, top - 1.0 + DELTA_MM
        return
    size, y = ROW_DELTA_MM, 0.5 * (top + bottom - ROW_DELTA_MM)
    for n in range(int(_REACH_MM / _STEP_MM)):
        for x in (right + n * _STEP_MM, left - size - n * _STEP_MM):
            yield x, y, x + size, y + size


def _is_free(box: Box, occupied: Iterable[Box], paper: Paper) -> bool:
    """Return whether a box is on the area of a sheet and over none of the others."""
    left, top, wide, high = paper.area_mm
    inside = left <= box[0] and box[2] <= left + wide and top <= box[1] and box[3] <= top + high
    return inside and not any(
        one[0] < box[2] and box[0] < one[2] and one[1] < box[3] and box[1] < one[3]
        for one in occupied
    )


def delta(box: Box, mark: str) -> tuple[Shape, Shape]:
    """Return a triangle with the mark of a revision in a box."""
    left, top, right, bottom = box
    middle = (left + right) / 2.0
    corners = (left, bottom), (right, bottom), (middle, top)
    at = middle, bottom - 0.1 * (bottom - top)
    return (
        Polyline(corners, "cloud", THIN_MM, "alarm", closed=True),
        Text(mark, at, "cloud", MIN_MM, "middle", tone="alarm"),
    )


def joined(boxes: Sequence[Box], box: Box) -> list[Box]:
    """Return the boxes and `box`, merged with the boxes that its cloud would touch."""
    left, top, right, bottom = box
    reach = 2.0 * _PAD_MM + _BULGE_MM
    near = [
        one
        for one in boxes
        if one[0] < right + reach
        and left - reach < one[2]
        and one[1] < bottom + reach
        and top - reach < one[3]
    ]
    rest = [one for one in boxes if one not in near]
    return joined(rest, _around([box, *near])) if near else [*boxes, box]


def _around(boxes: Sequence[Box]) -> Box:
    """Return the box around boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def changes_content(
    since: IssuedRecord, sheets: Sequence[IssuedSheet], changes: Sequence[Change]
) -> SheetContent:
    """Return the sheet that lists the changes since an earlier issue."""
    now = {sheet.number: recorded(sheet) for sheet in sheets}
    rows = [
        (sheet.number, sheet.title, "changed" if sheet.number in since.digests else "new")
        for sheet in now.values()
        if since.digests.get(sheet.number) != sheet.digest
    ]
    rows += [
        (sheet.number, sheet.title, "withdrawn")
        for sheet in since.sheets
        if sheet.number not in now and not sheet.number.startswith("G-0")
    ]
    more = len(changes) - _MAX_LISTED
    below = (f"{more:,} further values are listed in set.json.",) if more > 0 else ()
    mark = since.revision
    return SheetContent(
        "G",
        0,
        f"Changes since revision {mark}",
        (
            Paragraph(f"Changes since revision {mark} of {since.date}", "heading"),
            TableBlock(TextTable("Sheets", ("Sheet", "Title", "Change"), rows), (0.14, 0.66, 0.2)),
            TableBlock(
                TextTable(
                    "Values",
                    ("Value", f"Revision {mark}", "This revision", "Sheets"),
                    [
                        (value_name(one.key), one.before or "none", one.after or "none", one.sheets)
                        for one in changes[:_MAX_LISTED]
                    ],
                    below,
                ),
                (0.32, 0.26, 0.26, 0.16),
            ),
        ),
        columns=2,
    )
