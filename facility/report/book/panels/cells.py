"""Cells of a panel schedule that may span several columns."""

from __future__ import annotations

from facility.report.sheet.cells import CellValue, Ref, Span
from facility.report.sheet.model import Sheet


def wide(sheet: Sheet, row: int, first: int, last: int, value: CellValue, style: str) -> Ref:
    """Write a value into one row, from column `first` to `last`; return its address."""
    if first == last:
        return sheet.put(row, first, value, style)
    return sheet.merge(Span(row, first, row, last), value, style)


def wide_formula(
    sheet: Sheet, row: int, first: int, last: int, formula: str, value: CellValue, style: str
) -> Ref:
    """Write a formula with its value from column `first` to `last`; return its address."""
    if first != last:
        sheet.merge(Span(row, first, row, last), None, style)
    return sheet.formula(row, first, formula, value, style)
