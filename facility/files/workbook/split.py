"""Partial workbooks: parts with an index, lists, hours, ranges, scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.io.atomic import write_bytes
from facility.files.io.file_names import safe_file_name
from facility.files.workbook.book import book_of, panel_sheet_names, with_valid_names
from facility.files.workbook.render import Maker, all_rendered, rendered
from facility.report.book.lists.book import LIST_INDEX
from facility.report.book.lists.commissioning import LEVEL_SHEETS, LIMITS_SHEET
from facility.report.book.ranges import RANGES_SHEET
from facility.report.book.year import HOURS_SHEET
from facility.report.documents import (
    MAX_PANEL_SHEETS,
    build_book,
    build_commissioning,
    build_hours,
    build_isolation,
    build_limits,
    build_lists,
    build_part,
    build_ranges,
    build_scenarios,
)
from facility.report.sheet.model import Book
from facility.study.design.design import Design
from facility.study.isolation.study import Isolation
from facility.study.scenarios import Scenarios

_INDEX, _COVER, _LOADS = "index", "Cover", "Loads"


@dataclass(frozen=True)
class WorkbookPart:
    """The panels of one workbook: file name and tags."""

    file: str
    tags: tuple[str, ...]


def workbook_parts(design: Design) -> tuple[WorkbookPart, ...]:
    """Return the panels of each workbook: one room and side, at most 150 panels.

    File names depend only on project, room and side, and are unique ignoring case.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for panel in design.panels.panels:
        groups.setdefault((panel.hall, panel.side), []).append(panel.tag)
    taken = {_index_name(design).casefold()}
    parts = []
    for (hall, side), tags in groups.items():
        pieces = [tags[n : n + MAX_PANEL_SHEETS] for n in range(0, len(tags), MAX_PANEL_SHEETS)]
        for number, piece in enumerate(pieces, start=1):
            several = f"-{number}" if len(pieces) > 1 else ""
            requested = f"{design.facility.identity.name}-{hall}-{side}{several}"
            parts.append(WorkbookPart(_free_name(requested, taken), tuple(piece)))
    return tuple(parts)


def split_books(design: Design) -> Iterator[tuple[str, Book]]:
    """Yield file name and content of each workbook, the index first; one is created at a time."""
    return ((name, make()) for name, make in _makers(design).items())


def _makers(design: Design) -> dict[str, Maker]:
    """Return the builder of each workbook, by file name, index first."""
    parts = workbook_parts(design)
    names = panel_sheet_names(design)
    files = {tag: part.file for part in parts for tag in part.tags}

    def index() -> Book:
        return with_valid_names(build_book(design, names, (), files))

    def part(tags: Sequence[str]) -> Book:
        return with_valid_names(build_part(design, names, tags))

    return {_index_name(design): index} | {p.file: partial(part, p.tags) for p in parts}


def write_split(design: Design, folder: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Write the workbooks of a design into `folder`, created if missing; return the paths.

    Raises ``FILE_EXISTS`` before anything is written, ``FILE_NOT_WRITTEN``; both with exit code 6.
    """
    makers = _makers(design)
    try:
        folder.mkdir(parents=False, exist_ok=True)
        present = [name for name in makers if (folder / name).exists()]
    except OSError as error:
        raise FacilityError(
            "FILE_NOT_WRITTEN",
            str(folder),
            f"the folder cannot be created: {error.strerror}.",
            "Choose a folder whose parent exists.",
        ) from None
    if present and not force:
        raise FacilityError(
            "FILE_EXISTS",
            str(folder / present[0]),
            "the file exists.",
            "Use --force to overwrite it.",
        )
    vars(design).setdefault("distribution", design.distribution)  # once, before work is divided
    contents = all_rendered(
        tuple(makers.values()), parallel=len(design.panels.panels) >= MAX_PANEL_SHEETS
    )
    return tuple(
        write_bytes(folder / name, content, force=force)
        for name, content in zip(makers, contents, strict=True)
    )


def write_book(
    make: Callable[[Design], Book], design: Design, path: Path, *, force: bool = False
) -> Path:
    """Write the workbook of lists, hours or ranges created by `make` to `path`; return the path.

    Raises as `make`; ``FILE_EXISTS`` or ``FILE_NOT_WRITTEN`` (exit code 6).
    """
    return write_bytes(path, rendered(partial(make, design)), force=force)


def lists_workbook(design: Design) -> Book:
    """Return the workbook of the flat lists as neutral data."""
    return with_valid_names(build_lists(design))


def isolation_workbook(found: Sequence[Isolation], design: Design) -> Book:
    """Return the workbook of one isolation, or of the isolation of every tag, as neutral data."""
    return with_valid_names(build_isolation(found, design))


def hours_workbook(design: Design) -> Book:
    """Return the workbook of the hours of the year as neutral data.

    Raises ``WEATHER_SITE`` if the site has no hourly weather.
    """
    return with_valid_names(build_hours(design))


def ranges_workbook(design: Design) -> Book:
    """Return the workbook of the ranges of the year as neutral data.

    Raises ``RANGE_NONE`` without ranges.
    """
    return with_valid_names(build_ranges(design))


def commissioning_workbook(design: Design, levels: Sequence[int]) -> Book:
    """Return the workbook of the commissioning plan, a sheet for each level."""
    return with_valid_names(build_commissioning(design, levels))


def limits_workbook(design: Design) -> Book:
    """Return the workbook of the operating limits as neutral data."""
    return with_valid_names(build_limits(design))


def book_with_sheets(design: Design, sheets: Iterable[str]) -> Book:
    """Return the workbook with the sheets of a file: whole, index, part, lists, year, tests."""
    present = set(sheets)
    names = panel_sheet_names(design)
    if LIST_INDEX in present:
        return lists_workbook(design)
    if HOURS_SHEET in present:
        return hours_workbook(design)
    if RANGES_SHEET in present:
        return ranges_workbook(design)
    if LIMITS_SHEET in present:
        return limits_workbook(design)
    if levels := [level for level, name in LEVEL_SHEETS.items() if name in present]:
        return commissioning_workbook(design, levels)
    shown: Sequence[str] = [tag for tag, name in names.items() if name in present]
    if _COVER not in present:
        return with_valid_names(build_part(design, names, shown))
    if _LOADS not in present:
        return next(split_books(design))[1]
    return book_of(design, shown)


def _index_name(design: Design) -> str:
    return f"{safe_file_name(f'{design.facility.identity.name}-{_INDEX}')}.xlsx"


def _free_name(requested: str, taken: set[str]) -> str:
    base = safe_file_name(requested)
    name, number = f"{base}.xlsx", 1
    while name.casefold() in taken:
        number += 1
        name = f"{base}~{number}.xlsx"
    taken.add(name.casefold())
    return name


def scenarios_bytes(found: Scenarios) -> bytes:
    """Return the workbook of scenarios."""
    return rendered(lambda: with_valid_names(build_scenarios(found)))
