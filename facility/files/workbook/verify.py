"""Recompute a workbook from the project it embeds, and say same or different."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.io.safe_text import safe_text
from facility.files.project.file import parse_project
from facility.files.workbook.guard import check_workbook_file
from facility.files.workbook.split import book_with_sheets
from facility.report.book.log import PROJECT_SHEET
from facility.report.sheet.grid import TextTable
from facility.report.sheet.model import Book, Cell, Sheet, column_letter
from facility.report.studies.protocol import Object, Study
from facility.study.design.design import Design, design

_CLOSE = 1e-9
_MOST_SHOWN = 200
MAX_PROJECT_ROWS = 200
_MARGIN = 20
_UNREADABLE = (
    InvalidFileException,
    BadZipFile,
    DefusedXmlException,
    ParseError,
    OSError,
    KeyError,
    ValueError,
)


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
        """Whether every cell that facility wrote holds the value that it computes now."""
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
        more = "" if len(shown) < _MOST_SHOWN else f" (the first {_MOST_SHOWN})"
        return [f"different: {len(shown)} cells{more}", *shown]


def _designed(text: str) -> Design:
    return design(parse_project(text, PROJECT_SHEET))


def verify_workbook(path: Path, designed: Callable[[str], Design] = _designed) -> VerifyReport:
    """Return how the workbook at `path` compares with a fresh design of the project it embeds.

    `designed` makes the design of the embedded project, as text.

    Raises with exit code 6 for a file that is refused or was not written by facility; and whatever
    the embedded project raises.
    """
    check_workbook_file(path)
    with _reading(path):
        text = embedded_project(path)
    found = designed(text)
    with _reading(path):
        return VerifyReport(found.project_identity, _differences(path, found))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Refuse, with its own error, a file that cannot be read as a workbook."""
    try:
        yield
    except _UNREADABLE as error:
        raise FacilityError(
            "NOT_A_WORKBOOK",
            str(path),
            f"the workbook cannot be read ({error}).",
            "Give a workbook that facility wrote.",
        ) from None


def _differences(path: Path, found: Design) -> list[dict[str, Any]]:
    book = load_workbook(path, read_only=True, data_only=True)
    formulas = load_workbook(path, read_only=True, data_only=False)
    with closing(book), closing(formulas):
        fresh = book_with_sheets(found, book.sheetnames)
        return list(islice(_book_differences(fresh, book, formulas), _MOST_SHOWN))


def _book_differences(fresh: Book, book: Any, formulas: Any) -> Iterator[dict[str, Any]]:
    for sheet in fresh.sheets:
        if sheet.name not in book.sheetnames:
            yield _difference(sheet.name, "", "no such sheet", "a sheet")
            continue
        read = _Read(_cells(sheet, book[sheet.name]), _cells(sheet, formulas[sheet.name]))
        yield from _sheet_differences(sheet, read)


def embedded_project(path: Path) -> str:
    """Return the project that the workbook embeds, as text.

    Raises ``NO_PROJECT``, with exit code 6.
    """
    with closing(load_workbook(path, read_only=True, data_only=True)) as book:
        if PROJECT_SHEET not in book.sheetnames:
            raise no_project(path)
        rows = book[PROJECT_SHEET].iter_rows(
            min_row=2, max_row=MAX_PROJECT_ROWS, min_col=1, max_col=2, values_only=True
        )
        return "".join(str(text) for part, text in rows if part is not None and text is not None)


def no_project(path: Path) -> FacilityError:
    """Return the refusal of a workbook that embeds no project."""
    return FacilityError(
        "NO_PROJECT",
        str(path),
        "the workbook embeds no project.",
        "Only a workbook that facility wrote can be recomputed.",
    )


_Cells = dict[tuple[int, int], Any]


@dataclass(frozen=True)
class _Read:
    """One sheet of the file: its values, and the same cells with formulas as text."""

    values: _Cells
    formulas: _Cells


def _cells(sheet: Sheet, read: Any) -> _Cells:
    last_row = max(row for row, _ in sheet.cells) + _MARGIN
    last_column = max(column for _, column in sheet.cells) + _MARGIN
    rows = read.iter_rows(
        min_row=1, max_row=last_row, min_col=1, max_col=last_column, values_only=True
    )
    return {
        (r, c): value
        for r, row in enumerate(rows, start=1)
        for c, value in enumerate(row, start=1)
        if value is not None and value != ""
    }


def _sheet_differences(sheet: Sheet, read: _Read) -> Iterator[dict[str, Any]]:
    for (row, column), cell in sheet.cells.items():
        value = read.values.get((row, column))
        formula = str(read.formulas.get((row, column), ""))
        address = f"{column_letter(column)}{row}"
        if not _same(cell, value):
            unread = cell.formula and value is None
            shown = "no cached value: recalculate and save the file" if unread else value
            yield _difference(sheet.name, address, shown, cell.value)
        elif cell.formula and not formula.startswith("="):
            yield _difference(sheet.name, address, f"{formula} typed over", f"={cell.formula}")
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
