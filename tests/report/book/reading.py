"""Sheets read back by their headings and labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from facility.report.sheet.entries import Entries, Reach
from facility.report.sheet.model import Book, Cell, Sheet
from facility.report.sheet.tables import PageSetup


def sheet_of(book: Book, name: str) -> Sheet:
    return next(sheet for sheet in book.sheets if sheet.name == name)


def labels_of(sheet: Sheet) -> dict[str, int]:
    """Return the row of each label in the first column."""
    return {str(cell.value): row for (row, column), cell in sheet.cells.items() if column == 1}


def rows_of(sheet: Sheet, top: int) -> Iterator[dict[str, Cell]]:
    """Yield the rows of the table whose heading stands in row `top`, by heading."""
    heads: dict[int, str] = {
        column: str(cell.value) for (row, column), cell in sheet.cells.items() if row == top
    }
    row = top + 1
    while (row, len(heads)) in sheet.cells:
        yield {head: sheet.cells[row, column] for column, head in heads.items()}
        row += 1


def heading_row(sheet: Sheet, first_head: str) -> int:
    """Return the row of the table heading that starts with `first_head`."""
    return next(
        row
        for (row, column), cell in sheet.cells.items()
        if column == 1 and cell.value == first_head and cell.style == "head"
    )


def line(sheet: Sheet, label: str, nth: int = 0) -> Cell:
    """Return the value beside the `nth` line that bears a label."""
    rows = [
        row
        for (row, column), cell in sheet.cells.items()
        if column == 1 and str(cell.value).strip() == label
    ]
    return sheet.cells[rows[nth], 2]


def panel_inputs(page_setup: PageSetup) -> tuple[Sheet, dict[str, str]]:
    """Return a sheet of the inputs that all panels share, and the names of its cells."""
    entries = Entries()
    entries.cite("criteria.continuous_factor", "Factor", 1.25, "ratio", Reach.LOAD)
    entries.cite("panels.imbalance_limit", "Limit", 0.1, "fraction", Reach.LIMIT)
    return entries.sheet(page_setup)


def is_live(cell: Cell) -> bool:
    """Return whether a cell computes its number, whatever makes it read STALE."""
    wrapped = re.fullmatch(r'IF\([A-Za-z_+]+>0,"STALE",(.*)\)', cell.formula)
    inner = wrapped[1] if wrapped else cell.formula
    return bool(inner) and not re.fullmatch(r'-?[\d.e+-]+|".*"', inner)
