"""Cells of a user's workbook: read within bounds, values beside formulas, nothing computed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from facility.core.errors import FacilityError, unknown
from facility.files.workbook.cells import CellBasis, Place, read_cells
from facility.files.workbook.guard import check_workbook_file
from facility.report.sheet.cells import column_letter
from facility.report.sheet.model import Sheet

MAX_ROWS = 50_000
MAX_COLUMNS = 60
_UNREADABLE = (
    InvalidFileException,
    BadZipFile,
    DefusedXmlException,
    ParseError,
    ExpatError,
    OSError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    EOFError,
)


@dataclass(frozen=True)
class ReadCells:
    """One sheet: values by row and column, from 1, and the formulas that stand behind some."""

    name: str
    values: Mapping[Place, Any]
    formulas: Mapping[Place, str]

    def value(self, row: int, column: int) -> Any:
        """Return the value of a cell; None where it is empty or never was calculated."""
        return self.values.get((row, column))

    def text(self, row: int, column: int) -> str:
        """Return the value of a cell as text."""
        return cell_text(self.value(row, column))

    def uncalculated(self, row: int, column: int) -> bool:
        """Return whether the cell holds a formula without a value."""
        return (row, column) in self.formulas and self.value(row, column) is None

    def blank(self, row: int, column: int) -> bool:
        """Return whether the cell holds nothing at all."""
        return self.value(row, column) in (None, "") and (row, column) not in self.formulas

    def place(self, row: int, column: int) -> str:
        """Return sheet and address, for messages."""
        return f"{self.name}!{column_letter(column)}{row}"

    def rows(self, last: int) -> Iterator[tuple[int, dict[int, str]]]:
        """Yield the rows that hold anything, to row `last`, as texts by column."""
        found: dict[int, dict[int, str]] = {}
        for row, column in self.values:
            if row <= last:
                found.setdefault(row, {})[column] = self.text(row, column)
        yield from ((row, dict(sorted(found[row].items()))) for row in sorted(found))


def cell_text(value: Any) -> str:
    """Return the value of a cell as people type it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)


def grid_of(sheet: Sheet) -> ReadCells:
    """Return a sheet that facility made as a grid, formulas with the values they carry."""
    return ReadCells(
        sheet.name,
        {place: cell.value for place, cell in sheet.cells.items() if cell.value not in (None, "")},
        {place: f"={cell.formula}" for place, cell in sheet.cells.items() if cell.formula},
    )


@dataclass(frozen=True)
class ReadBook:
    """A workbook open for reading."""

    path: Path
    book: Any

    @property
    def names(self) -> tuple[str, ...]:
        """Sheets that are not hidden, in order."""
        return tuple(s.title for s in self.book.worksheets if s.sheet_state == "visible")

    def grid(self, name: str, rows: int = MAX_ROWS) -> ReadCells:
        """Return the first `rows` rows of a sheet.

        Raises ``NO_SHEET`` with near matches; ``NOT_A_WORKBOOK`` for a sheet that is broken.
        """
        if name not in self.book.sheetnames:
            raise unknown(
                "NO_SHEET", self.path.name, f"there is no sheet {name[:60]!r}.", name, self.names
            )
        sheet = self.book[name]
        with _readable(self.path), self.book._archive.open(sheet._worksheet_path) as stream:
            found = read_cells(stream, self._basis, rows, MAX_COLUMNS)
        return ReadCells(name, found.values, found.formulas)

    @cached_property
    def _basis(self) -> CellBasis:
        book = self.book
        strings = book.worksheets[0]._shared_strings if book.worksheets else ()
        return CellBasis(
            strings, frozenset(book._date_formats), frozenset(book._timedelta_formats), book.epoch
        )


@contextmanager
def open_book(path: Path) -> Iterator[ReadBook]:
    """Open the workbook at `path` for reading.

    Raises with exit code 6 for a file that is refused or cannot be read.
    """
    check_workbook_file(path)
    with _readable(path):
        book = load_workbook(path, read_only=True, data_only=True, keep_links=False)
    with closing(book):
        yield ReadBook(path, book)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        raise FacilityError(
            "NOT_A_WORKBOOK",
            path.name,
            f"the workbook cannot be read ({error}).",
            "Open it in Excel or LibreOffice and save it again as .xlsx.",
        ) from None
