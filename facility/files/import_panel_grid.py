"""Cells of a user's workbook: read within bounds, values beside formulas, nothing computed."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError
from zipfile import BadZipFile

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from facility.core.errors import FacilityError, near_matches
from facility.files.xlsx_guard import check_workbook_file
from facility.report.sheet_cells import column_letter
from facility.report.sheet_model import Sheet

MAX_ROWS = 50_000
MAX_COLUMNS = 60
_UNREADABLE = (
    InvalidFileException, BadZipFile, DefusedXmlException, ParseError, OSError, KeyError,
    ValueError, TypeError, AttributeError, IndexError, EOFError,
)  # fmt: skip

Place = tuple[int, int]


class ErrorText(str):
    """An error that a spreadsheet shows in place of a value, e.g. ``#REF!``."""

    __slots__ = ()


@dataclass(frozen=True)
class Grid:
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


def grid_of(sheet: Sheet) -> Grid:
    """Return a sheet that facility made as a grid, formulas with the values they carry."""
    return Grid(
        sheet.name,
        {place: cell.value for place, cell in sheet.cells.items() if cell.value not in (None, "")},
        {place: f"={cell.formula}" for place, cell in sheet.cells.items() if cell.formula},
    )


@dataclass(frozen=True)
class ReadBook:
    """A workbook open for reading: its values, and the same cells with formulas as text."""

    path: Path
    values: Any
    formulas: Any

    @property
    def names(self) -> tuple[str, ...]:
        """Sheets that are not hidden, in order."""
        return tuple(s.title for s in self.values.worksheets if s.sheet_state == "visible")

    def grid(self, name: str, rows: int = MAX_ROWS) -> Grid:
        """Return the first `rows` rows of a sheet.

        Raises
        ------
        FacilityError
            ``NO_SHEET`` with near matches; ``NOT_A_WORKBOOK`` for a sheet that is broken.
        """
        if name not in self.values.sheetnames:
            raise FacilityError(
                "NO_SHEET", self.path.name, f"there is no sheet {name[:60]!r}.",
                near_matches(name, self.names),
            )  # fmt: skip
        with _readable(self.path):
            values = {place: value for place, value, _ in _cells(self.values[name], rows)}
            formulas = {
                place: str(getattr(value, "text", value))
                for place, value, is_formula in _cells(self.formulas[name], rows)
                if is_formula
            }
        return Grid(name, values, formulas)


@contextmanager
def open_book(path: Path) -> Iterator[ReadBook]:
    """Open the workbook at `path` for reading, twice: values and formulas.

    Raises
    ------
    FacilityError
        With exit code 6 for a file that is refused or cannot be read.
    """
    check_workbook_file(path)
    with _readable(path):
        values = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        formulas = load_workbook(path, read_only=True, data_only=False, keep_links=False)
    with closing(values), closing(formulas):
        yield ReadBook(path, values, formulas)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        raise FacilityError(
            "NOT_A_WORKBOOK", path.name, f"the workbook cannot be read ({error}).",
            "Open it in Excel or LibreOffice and save it again as .xlsx.", exit_code=6,
        ) from None  # fmt: skip


def _cells(sheet: Any, rows: int) -> Iterable[tuple[Place, Any, bool]]:
    bounded = sheet.iter_rows(min_row=1, max_row=rows, min_col=1, max_col=MAX_COLUMNS)
    for number, row in enumerate(bounded, start=1):
        for column, cell in enumerate(row, start=1):
            value = cell.value
            if value is None or value == "":
                continue
            if cell.data_type == "e":
                value = ErrorText(value)
            yield (number, column), value, cell.data_type == "f"
