"""Recomputation of a workbook from its embedded project, with comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.io.safe_text import safe_text
from facility.files.project.file import parse_project
from facility.files.workbook.cells import SheetCells
from facility.files.workbook.reading import OpenWorkbook, open_workbook
from facility.files.workbook.split import book_with_sheets
from facility.report.book.log import PROJECT_SHEET
from facility.report.sheet.entries import INPUTS_SHEET, UNITS_CELL
from facility.report.sheet.grid import TextTable
from facility.report.sheet.model import Book, Cell, Sheet, column_letter
from facility.report.sheet.tables import in_units
from facility.report.studies.protocol import Object, Study
from facility.study.design.design import Design, design

_CLOSE = 1e-9
_MAX_SHOWN = 200
MAX_PROJECT_ROWS = 200
_MARGIN = 20


@dataclass(frozen=True)
class VerifyReport(Study):
    """Outcome of a recomputation: the project, and the cells that differ."""

    verb = "verify"
    of: Mapping[str, str]  # Name and hash of the project
    differences: list[Object]

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash."""
        return self.of

    @property
    def same(self) -> bool:
        """Whether every exported cell equals the recomputed value."""
        return not self.differences

    @property
    def results(self) -> Mapping[str, object]:
        """The verdict."""
        return {"same": self.same}

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the cells that differ."""
        return {"differences": self.differences}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return none."""
        yield from ()

    def closing(self, system: System) -> Sequence[str]:
        """Return the outcome as text."""
        return self.lines()

    def lines(self) -> list[str]:
        """Return the outcome as text."""
        if self.same:
            return [f"same: {self.project['name']}, project {self.project['sha256'][:12]}"]
        shown = [
            f"{d['sheet']}!{d['cell']}: file {d['file']!r}, computed {d['computed']!r}"
            for d in self.differences
        ]
        more = "" if len(shown) < _MAX_SHOWN else f" (the first {_MAX_SHOWN})"
        return [f"different: {len(shown)} cells{more}", *shown]


def _designed(text: str) -> Design:
    return design(parse_project(text, PROJECT_SHEET))


def verify_workbook(path: Path, designed: Callable[[str], Design] = _designed) -> VerifyReport:
    """Return how the workbook at `path` compares with a fresh design of the project it embeds.

    `designed` makes the design of the embedded project, as text.

    Raises with exit code 6 for a file that is refused or was not written by facility; and whatever
    the embedded project raises.
    """
    with open_workbook(path) as book:
        found = designed(embedded_project(book))
        with in_units(written_units(book)):
            fresh = book_with_sheets(found, book.sheets)
        differences = list(islice(_book_differences(fresh, book), _MAX_SHOWN))
    return VerifyReport(found.project_identity, differences)


def _book_differences(fresh: Book, book: OpenWorkbook) -> Iterator[dict[str, Any]]:
    for sheet in fresh.sheets:
        if sheet.name not in book.sheets:
            yield _difference(sheet.name, "", "no such sheet", "a sheet")
            continue
        last_row = max(row for row, _ in sheet.cells) + _MARGIN
        last_column = max(column for _, column in sheet.cells) + _MARGIN
        yield from _sheet_differences(sheet, book.cells(sheet.name, last_row, last_column))


def written_units(book: OpenWorkbook) -> System:
    """Return the system of units in which a workbook was written."""
    if INPUTS_SHEET not in book.sheets:
        return "si"
    return "ip" if book.cells(INPUTS_SHEET, *UNITS_CELL).values.get(UNITS_CELL) == "IP" else "si"


def embedded_project(book: OpenWorkbook) -> str:
    """Return the project that the workbook embeds, as text.

    Raises ``NO_PROJECT``, with exit code 6.
    """
    if PROJECT_SHEET not in book.sheets:
        raise no_project(book.path)
    read = book.cells(PROJECT_SHEET, MAX_PROJECT_ROWS, 2).values
    rows = range(2, MAX_PROJECT_ROWS + 1)
    return "".join(str(read[row, 2]) for row in rows if (row, 1) in read and (row, 2) in read)


def no_project(path: Path) -> FacilityError:
    """Return the refusal of a workbook that embeds no project."""
    return FacilityError(
        "NO_PROJECT",
        str(path),
        "the workbook embeds no project.",
        "Only a workbook exported by facility can be recomputed.",
    )


def _sheet_differences(sheet: Sheet, read: SheetCells) -> Iterator[dict[str, Any]]:
    for (row, column), cell in sheet.cells.items():
        value = read.values.get((row, column))
        formula = read.formulas.get((row, column))
        address = f"{column_letter(column)}{row}"
        if not _same(cell, value):
            unread = cell.formula and value is None
            shown = "no cached value: recalculate and save the file" if unread else value
            yield _difference(sheet.name, address, shown, cell.value)
        elif cell.formula and formula is None:
            shown = "" if value is None else value
            yield _difference(
                sheet.name, address, f"{shown} replaced by a typed value", f"={cell.formula}"
            )
    for row, column in sorted(set(read.values) - set(sheet.cells)):
        address = f"{column_letter(column)}{row}"
        yield _difference(sheet.name, address, read.values[row, column], "an empty cell")


def _same(cell: Cell, value: Any) -> bool:
    expected = cell.value
    if expected is None or expected == "":
        return value is None or value == ""
    if isinstance(expected, bool):
        return bool(value == expected)
    if isinstance(expected, int | float):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return math.isclose(value, expected, rel_tol=_CLOSE, abs_tol=1e-12)
    return str(value) == safe_text(str(expected))


def _difference(sheet: str, cell: str, file: Any, computed: Any) -> dict[str, Any]:
    shown = file if isinstance(file, int | float | bool) or file is None else str(file)[:200]
    return {"sheet": sheet, "cell": cell, "file": shown, "computed": computed}
