"""Reading workbooks back, and spoiling their cached values before a recalculation."""

from __future__ import annotations

import dataclasses
import io
import math
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import openpyxl
from openpyxl.utils.escape import unescape
from openpyxl.worksheet.merge import MergedCellRange

from facility.files.io.safe_text import safe_text
from facility.report.sheet.model import Book, Cell, Sheet, column_letter

POISON_NUMBER = -987654.321
POISON_TEXT = "POISONED"


def read_book(source: Path | bytes, *, data_only: bool = False) -> openpyxl.Workbook:
    """Return a workbook that we wrote, in a third of the time that openpyxl takes.

    Parsed by the parser in C, where the product reads foreign files by the guarded one, and without
    the borders that cells share which are merged.
    """
    with (
        patch("openpyxl.worksheet._reader.iterparse", ElementTree.iterparse),
        patch.object(MergedCellRange, "format", lambda self: None),
    ):
        file = io.BytesIO(source) if isinstance(source, bytes) else source
        return openpyxl.load_workbook(file, data_only=data_only)


def poisoned(book: Book) -> Book:
    """Return the book with a wrong cached value in every formula cell."""
    return dataclasses.replace(book, sheets=tuple(_poisoned_sheet(s) for s in book.sheets))


def _poisoned_sheet(sheet: Sheet) -> Sheet:
    cells = {
        place: cell._replace(value=_wrong(cell)) if cell.formula else cell
        for place, cell in sheet.cells.items()
    }
    return dataclasses.replace(sheet, cells=cells)


def _wrong(cell: Cell) -> float | str:
    return POISON_TEXT if isinstance(cell.value, str) else POISON_NUMBER


def differences(book: Book, path: Path, rel: float = 1e-9) -> list[str]:
    """Return where the workbook at `path` shows another value than the book holds."""
    read = _values(path)
    found = []
    for sheet in book.sheets:
        target = read[sheet.name]
        for (row, column), cell in sheet.cells.items():
            if cell.value is None and not cell.formula:
                continue
            got = target.cell(row, column).value
            if cell.formula and isinstance(got, str):
                got = unescape(got)  # openpyxl reads the results of formulas as the file has them
            if not _same(cell.value, got, rel):
                place = f"{sheet.name}!{column_letter(column)}{row}"
                found.append(f"{place}: engine {cell.value!r}, sheet {got!r} ={cell.formula}")
    return found


def error_cells(path: Path) -> list[str]:
    """Return the cells of the workbook that show a spreadsheet error."""
    return [
        f"{sheet.title}!{cell.coordinate}: {cell.value}"
        for sheet in _values(path)
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str) and cell.data_type == "e"
    ]


def _values(path: Path) -> openpyxl.Workbook:
    """Return the workbook at `path` with the values of its formulas, read once."""
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(1)
def _read(path: Path, written_ns: int) -> openpyxl.Workbook:
    return read_book(path, data_only=True)


def formula_count(book: Book) -> int:
    """Return the number of formula cells of the book."""
    return sum(bool(c.formula) for sheet in book.sheets for c in sheet.cells.values())


def _same(expected: object, got: object, rel: float) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected == got
    if isinstance(expected, int | float):
        if got is None:
            return expected == 0
        return isinstance(got, int | float) and math.isclose(
            expected, got, rel_tol=rel, abs_tol=1e-9
        )
    return safe_text(str(expected)) == ("" if got is None else str(got))
