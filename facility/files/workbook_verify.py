"""Recompute a workbook from the project it embeds, and say same or different."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from facility.core.errors import FacilityError
from facility.files.project_file import parse_project
from facility.files.safe_text import safe_text
from facility.files.workbook import book_of, panel_sheet_names
from facility.files.xlsx_guard import check_workbook_file
from facility.report.sheet_cells import Cell, column_letter
from facility.report.sheet_model import Sheet
from facility.report.sheets_log import PROJECT_SHEET
from facility.study.design import design

_CLOSE = 1e-9
_MOST_SHOWN = 200
_MAX_PROJECT_ROWS = 200


@dataclass(frozen=True)
class VerifyReport:
    """Outcome of a recomputation: the project, and the cells that differ."""

    project: dict[str, str]
    differences: list[dict[str, Any]]

    @property
    def same(self) -> bool:
        """Whether every cell that facility wrote holds the value that it computes now."""
        return not self.differences

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


def verify_workbook(path: Path) -> VerifyReport:
    """Return how the workbook at `path` compares with a fresh design of the project it embeds.

    Raises
    ------
    FacilityError
        With exit code 6 for a file that is refused or was not written by facility; and whatever
        the embedded project raises.
    """
    check_workbook_file(path)
    try:
        return _compared(path)
    except (InvalidFileException, BadZipFile, DefusedXmlException, KeyError, ValueError) as error:
        raise FacilityError(
            "NOT_A_WORKBOOK", str(path), f"the workbook cannot be read ({error}).",
            "Give a workbook that facility wrote.", exit_code=6,
        ) from None  # fmt: skip


def _compared(path: Path) -> VerifyReport:
    book = load_workbook(path, read_only=True, data_only=True)
    try:
        found = design(parse_project(_embedded(book, path), PROJECT_SHEET))
        present = set(book.sheetnames)
        shown = [tag for tag, name in panel_sheet_names(found).items() if name in present]
        fresh = book_of(found, shown)
        differences: list[dict[str, Any]] = []
        for sheet in fresh.sheets:
            if sheet.name not in present:
                differences.append(_difference(sheet.name, "", "no such sheet", "a sheet"))
                continue
            for difference in _sheet_differences(sheet, book[sheet.name]):
                differences.append(difference)
                if len(differences) >= _MOST_SHOWN:
                    return VerifyReport(found.project_identity, differences)
        return VerifyReport(found.project_identity, differences)
    finally:
        book.close()


def _embedded(book: Any, path: Path) -> str:
    if PROJECT_SHEET not in book.sheetnames:
        raise FacilityError(
            "NO_PROJECT", str(path), "the workbook embeds no project.",
            "Only a workbook that facility wrote can be recomputed.", exit_code=6,
        )  # fmt: skip
    rows = book[PROJECT_SHEET].iter_rows(
        min_row=2, max_row=_MAX_PROJECT_ROWS, min_col=1, max_col=2, values_only=True
    )
    return "".join(str(text) for part, text in rows if part is not None and text is not None)


def _sheet_differences(sheet: Sheet, read: Any) -> Iterator[dict[str, Any]]:
    last_row = max(row for row, _ in sheet.cells)
    last_column = max(column for _, column in sheet.cells)
    rows = read.iter_rows(
        min_row=1, max_row=last_row, min_col=1, max_col=last_column, values_only=True
    )
    values = {
        (r, c): value
        for r, row in enumerate(rows, start=1)
        for c, value in enumerate(row, start=1)
        if value is not None
    }
    for (row, column), cell in sheet.cells.items():
        value = values.get((row, column))
        if not _same(cell, value):
            address = f"{column_letter(column)}{row}"
            unread = cell.formula and value is None
            shown = "no cached value: recalculate and save the file" if unread else value
            yield _difference(sheet.name, address, shown, cell.value)


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
