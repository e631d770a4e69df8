"""Cells of a table from outside, with the addresses people see; workbooks within bounds."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from facility.core.errors import FacilityError, unknown
from facility.files.workbook.cells import CellIndex
from facility.files.workbook.reading import MAX_COLUMNS, OpenWorkbook, open_workbook
from facility.report.sheet.model import Sheet, column_letter

RECALCULATE = "Recalculate and save the file in Excel or LibreOffice, then import it again."
MAX_ROWS = 50_000


@dataclass(frozen=True)
class ReadCells:
    """One sheet: values and formulas by row and column, from 1."""

    name: str
    values: Mapping[CellIndex, object]
    formulas: Mapping[CellIndex, str]
    merged: Mapping[CellIndex, int] = field(default_factory=dict)  # Last row of cells over rows

    def value(self, row: int, column: int) -> object:
        """Return the value of a cell; None if empty or never calculated."""
        return self.values.get((row, column))

    def text(self, row: int, column: int) -> str:
        """Return the value of a cell as text."""
        return cell_text(self.value(row, column))

    def calculated(self, row: int, column: int) -> object:
        """Return the value of a cell.

        Raises ``FORMULA_NOT_CALCULATED`` for a formula without one.
        """
        value = self.value(row, column)
        if value is None and (row, column) in self.formulas:
            shown = f"the formula {self.formulas[row, column][:60]} has no value in the file."
            raise FacilityError(
                "FORMULA_NOT_CALCULATED", self.location(row, column), shown, RECALCULATE
            )
        return value

    def blank(self, row: int, column: int) -> bool:
        """Return whether the cell has neither value nor formula."""
        return self.value(row, column) in (None, "") and (row, column) not in self.formulas

    def location(self, row: int, column: int) -> str:
        """Return sheet and address, for messages."""
        return f"{self.name}!{column_letter(column)}{row}"

    def rows(self, last: int) -> Iterator[tuple[int, dict[int, str]]]:
        """Yield the non-empty rows, to row `last`, as texts by column."""
        found: dict[int, dict[int, str]] = {}
        for row, column in self.values:
            if row <= last:
                found.setdefault(row, {})[column] = self.text(row, column)
        yield from ((row, dict(sorted(found[row].items()))) for row in sorted(found))


def cell_text(value: object) -> str:
    """Return the value of a cell as typed text."""
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
    """Return an exported sheet as a grid, formulas with their cached values."""
    return ReadCells(
        sheet.name,
        {at: cell.value for at, cell in sheet.cells.items() if cell.value not in (None, "")},
        {at: f"={cell.formula}" for at, cell in sheet.cells.items() if cell.formula},
    )


@dataclass(frozen=True)
class ReadBook:
    """Workbook open for reading."""

    book: OpenWorkbook

    @property
    def name(self) -> str:
        """Name of its file."""
        return self.book.path.name

    @property
    def names(self) -> tuple[str, ...]:
        """Sheets that are not hidden, in order."""
        return self.book.visible

    def heads(self) -> dict[str, ReadCells]:
        """Return the first rows of every sheet that is not hidden.

        Raises ``WORKBOOK_REFUSED`` for too much content; ``NOT_A_WORKBOOK`` for a damaged sheet.
        """
        return {
            name: ReadCells(name, found.values, found.formulas) for name, found in self.book.heads()
        }

    def grid(self, name: str, rows: int = MAX_ROWS) -> ReadCells:
        """Return the first `rows` rows of a sheet.

        Raises ``NO_SHEET`` with near matches; as `heads`.
        """
        if name not in self.book.sheets:
            raise unknown(
                "NO_SHEET", self.name, f"there is no sheet {name[:60]!r}.", name, self.names
            )
        found = self.book.cells(name, rows, MAX_COLUMNS)
        return ReadCells(name, found.values, found.formulas, found.merged)


@contextmanager
def open_book(path: Path) -> Iterator[ReadBook]:
    """Open the workbook at `path` for reading.

    Raises with exit code 6 for a file that is rejected or cannot be read.
    """
    with open_workbook(path) as book:
        yield ReadBook(book)
