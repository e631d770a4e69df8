"""Cells of a user's workbook, read within bounds without calculation; its sheet Loads."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facility.core.errors import FacilityError, unknown
from facility.files.workbook.cells import CellIndex
from facility.files.workbook.reading import HEAD_ROWS, MAX_COLUMNS, OpenWorkbook, open_workbook
from facility.report.sheet.model import Sheet, column_letter

RECALCULATE = "Recalculate and save the file in Excel or LibreOffice, then import it again."
MAX_ROWS = 50_000
PANEL_ROWS = 400
"""Maximum rows of a panel sheet."""


@dataclass(frozen=True)
class ReadCells:
    """One sheet: values and formulas by row and column, from 1."""

    name: str
    values: Mapping[CellIndex, Any]
    formulas: Mapping[CellIndex, str]

    def value(self, row: int, column: int) -> Any:
        """Return the value of a cell; None if empty or never calculated."""
        return self.values.get((row, column))

    def text(self, row: int, column: int) -> str:
        """Return the value of a cell as text."""
        return cell_text(self.value(row, column))

    def calculated(self, row: int, column: int) -> Any:
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


def cell_text(value: Any) -> str:
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
        return ReadCells(name, found.values, found.formulas)


@contextmanager
def open_book(path: Path) -> Iterator[ReadBook]:
    """Open the workbook at `path` for reading.

    Raises with exit code 6 for a file that is rejected or cannot be read.
    """
    with open_workbook(path) as book:
        yield ReadBook(book)


LOADS = "Loads"
_REFERENCE = re.compile(r"=\+?\$?'?Loads'?[!.]\$?([A-Z]{1,2})\$?(\d{1,6})", re.ASCII)
_NEEDED = ("panel", "circuit", "description", "class", "poles", "trip a", "conn.")


@dataclass(frozen=True)
class LoadRow:
    """One circuit on the Loads sheet.

    `texts` contains typed texts by heading; `power` the normal P and Q by heading, e.g.
    ``P AB W``; `va_columns` the letters of the three columns of normal VA, in phase order.
    """

    panel: str
    id: str
    row: int
    texts: Mapping[str, str]
    power: Mapping[str, Any]

    def leg(self, name: str) -> complex | None:
        """Return P + jQ of a phase or pair; None if a cell has no number."""
        p, q = self.power.get(f"p {name} w"), self.power.get(f"q {name} var")
        numbers = (int, float)
        if isinstance(p, numbers) and isinstance(q, numbers):
            return complex(p, q)
        return None


@dataclass(frozen=True)
class LoadsRead:
    """All rows of a Loads sheet, by row and by (panel, circuit), and the names of its phases."""

    rows: Mapping[int, LoadRow]
    by_circuit: Mapping[tuple[str, str], LoadRow]
    va_columns: Mapping[str, int]
    phases: tuple[str, str, str]

    def referred(self, formula: str) -> tuple[LoadRow, int] | None:
        """Return the row and phase of a formula that is a plain reference."""
        found = _REFERENCE.fullmatch(formula)
        if found is None or found[1] not in self.va_columns:
            return None
        row = self.rows.get(int(found[2]))
        return None if row is None else (row, self.va_columns[found[1]])

    def legs(self, row: LoadRow, connection: str) -> tuple[complex | None, ...]:
        """Return the power on A, B, C or on AB, BC, CA; None if a cell has no number."""
        a, b, c = (phase.casefold() for phase in self.phases)
        names = (a, b, c) if connection == "L-N" else (a + b, b + c, c + a)
        return tuple(row.leg(name) for name in names)

    def va(self, row: LoadRow, connection: str) -> tuple[float, float, float]:
        """Return the schedule VA of A, B, C from the typed power."""
        legs = [abs(leg or 0.0) for leg in self.legs(row, connection)]
        if connection != "L-N":
            legs = [(legs[x] + legs[x - 1]) / 2.0 for x in range(3)]
        return legs[0], legs[1], legs[2]


def read_loads(grid: ReadCells) -> LoadsRead:
    """Return the rows of the Loads sheet, columns found by their headings.

    Raises ``IMPORT_HEADING`` when a heading is missing.
    """
    top, heads = _headings(grid)
    first: dict[str, int] = {}
    for column, text in heads.items():
        first.setdefault(text, column)
    va = [text for text in first if text.endswith(" va") and text != "total va"][:3]
    missing = [name for name in _NEEDED if name not in first]
    if missing or len(va) != 3:
        raise FacilityError(
            "IMPORT_HEADING",
            grid.name,
            f"the heading {(missing or ['A VA'])[0]!r} of the sheet {LOADS} is missing.",
            "Restore the headings, or export the workbook again.",
        )
    power = [name for name in first if re.fullmatch(r"[pq] \w+ (w|var)", name)]
    rows = {}
    for row in sorted({r for r, _ in grid.values if r > top}):
        id = grid.text(row, first["circuit"])
        if id:
            texts = {name: grid.text(row, first[name]) for name in (*_NEEDED, "rack")}
            amounts = {name: grid.value(row, first[name]) for name in power}
            rows[row] = LoadRow(texts["panel"], id, row, texts, amounts)
    names = [name.removesuffix(" va").upper() for name in va]
    letters = {column_letter(first[name]): phase for phase, name in enumerate(va)}
    by_circuit = {(found.panel, found.id): found for found in rows.values()}
    return LoadsRead(rows, by_circuit, letters, (names[0], names[1], names[2]))


def _headings(grid: ReadCells) -> tuple[int, dict[int, str]]:
    for row, texts in grid.rows(HEAD_ROWS):
        heads = {column: plain_heading(text) for column, text in texts.items()}
        if {"panel", "circuit"} <= set(heads.values()):
            return row, heads
    return 0, {}


def plain_heading(text: str) -> str:
    """Return a heading without line breaks and case."""
    return " ".join(text.split()).casefold()
