"""Sheets of the set as the place Documents lists, previews and writes them; run by workers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from facility.core.views import System
from facility.files.io.zipped import zipped
from facility.files.issue.svg import sheet_svg
from facility.files.issue.write import Format, set_files
from facility.report.issue.sheet import IssuedSheet, SheetSet
from facility.report.issue.sheets import Progress, first_drawing, sheet_set
from facility.study.design.design import Design

GROUPS = ("Drawings", "Schedules", "Calculation", "Cover")
COVER = "Cover"
_PANELS = "Panel schedules"
_PANEL = _PANELS.removesuffix("s")
_MIN_PANELS = 4
_SCHEDULES = {("E", 2), ("E", 6), ("M", 2)}


@dataclass(frozen=True)
class ListedSheets:
    """A line of the list of documents: the sheets of one content, or of all panels."""

    title: str
    group: str
    contents: tuple[str, ...]  # Titles of its contents
    numbers: tuple[str, ...]  # Numbers of its sheets
    has_drawings: bool


_LAST: dict[tuple[str, System], SheetSet] = {}
"""The set of the last project, whose pages are requested one after another."""


def _set_of(design: Design, system: System) -> SheetSet:
    key = design.sha256, system
    if key not in _LAST:
        found = sheet_set(design, system)
        _LAST.clear()
        _LAST[key] = found
    return _LAST[key]


def listed_sheets(design: Design, system: System) -> tuple[ListedSheets, ...]:
    """Return the documents of the set of a design, in the order of their groups."""
    lines = _lines(_set_of(design, system).sheets)
    return tuple(sorted(lines, key=lambda one: GROUPS.index(one.group)))


def first_page(design: Design, system: System) -> tuple[str, str, str]:
    """Return title, number and SVG of the first drawing, before the set is laid out."""
    sheet = first_drawing(design, system)
    return sheet.content, sheet.number, sheet_svg(sheet)


def _lines(sheets: Sequence[IssuedSheet]) -> Iterator[ListedSheets]:
    panels = {one.content for one in sheets if one.content.startswith(_PANEL)}
    found: dict[str, ListedSheets] = {}
    for one in sheets:
        joined = one.content in panels and len(panels) >= _MIN_PANELS
        title = _PANELS if joined else one.content
        line = found.get(title, ListedSheets(title, _group(one), (), (), has_drawings=False))
        found[title] = replace(
            line,
            contents=tuple(dict.fromkeys((*line.contents, one.content))),
            numbers=(*line.numbers, one.number),
            has_drawings=line.has_drawings or one.is_drawing,
        )
    yield from found.values()


def _group(sheet: IssuedSheet) -> str:
    if sheet.content == COVER:
        return "Cover"
    if sheet.is_drawing:
        return "Drawings"
    return "Schedules" if (sheet.discipline, sheet.series) in _SCHEDULES else "Calculation"


def page_svg(design: Design, system: System, number: str) -> str:
    """Return the sheet with a number as SVG."""
    issued = _set_of(design, system)
    return sheet_svg(next(one for one in issued.sheets if one.number == number))


def chosen_files(
    design: Design,
    system: System,
    contents: Collection[str],
    formats: Collection[Format] = ("pdf", "dxf"),
    report: Progress = lambda _: None,
) -> Mapping[str, bytes]:
    """Return the files of a set with some of its contents; sheets keep their numbers."""
    issued = sheet_set(design, system, only=contents, report=report)
    return dict(set_files(issued, formats, report))


def one_document(
    design: Design, system: System, contents: Collection[str], written: Format
) -> bytes:
    """Return the sheets of some contents: one PDF, or an archive of DXF or SVG files."""
    issued = _set_of(design, system)
    kept = replace(issued, sheets=tuple(one for one in issued.sheets if one.content in contents))
    files = {name: content for name, content in set_files(kept, (written,)) if written in name}
    if written == "pdf":
        return next(iter(files.values()))
    return zipped({name.rpartition("/")[2]: content for name, content in files.items()})


def set_archive(
    design: Design,
    system: System,
    contents: Collection[str],
    others: Iterable[tuple[str, bytes]],
    report: Progress = lambda _: None,
) -> bytes:
    """Return the archive of a set with some of its contents, and other files.

    report: Is called with each content before it is laid out, and each file before it is written.
    """
    return zipped({**chosen_files(design, system, contents, report=report), **dict(others)})
