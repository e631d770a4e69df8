"""A design as CSV files: results, checks, assumptions, and the flat lists for the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from facility.core.check import Check
from facility.core.ledger import Assumption
from facility.core.table import csv_text
from facility.core.views import view_unit, view_value
from facility.files.io.atomic import write_bytes
from facility.files.io.safe_text import csv_cell
from facility.report.book.lists.book import LIST_INDEX
from facility.report.documents import build_lists
from facility.report.sheet.grid import Row, SheetTable, at_door
from facility.report.sheet.model import Sheet
from facility.study.design.design import Design

_NO_TABLES = (LIST_INDEX, "Directories")
"""List sheets that are pages, not tables: the index, and the directory of each panel."""
_CHECK_HEADS = (
    "rule", "subject", "count", "severity", "outcome", "value", "sense", "limit", "unit", "why",
    "remedy", "source",
)  # fmt: skip
_ASSUMPTION_HEADS = ("id", "value", "unit", "basis", "source", "status")
_Rows = Iterator[Sequence[object]]


def write_tables(design: Design, folder: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Write the tables of a design into a folder, one CSV file each; return the files.

    Numbers are as in the JSON output, unrounded. Text that a spreadsheet would interpret as a
    formula has a leading apostrophe.

    Raises ``FILE_EXISTS`` for an existing file, without `force`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(
        write_bytes(folder / f"{name}.csv", rows_csv(rows), force=force)
        for name, rows in _tables(design)
    )


def table_csv(table: SheetTable[Row], rows: Iterable[Row]) -> str:
    """Return a table as CSV, with the names, units and unrounded numbers of the JSON output."""
    columns = [column for column in at_door("json", table.columns) if column.json]
    heads = [column.json for column in columns]
    return csv_text([heads, *([csv_cell(one.plain(row)) for one in columns] for row in rows)])


def rows_csv(rows: Iterable[Sequence[object]]) -> bytes:
    """Return rows as a CSV file, text that looks like a formula with a leading apostrophe."""
    return csv_text([csv_cell(one) for one in row] for row in rows).encode()


def _tables(design: Design) -> Iterator[tuple[str, _Rows]]:
    yield "results", _results(design)
    yield "checks", _flat(_CHECK_HEADS, design.checks)
    yield "assumptions", _flat(_ASSUMPTION_HEADS, design.ledger)
    for sheet in build_lists(design).sheets:
        if sheet.name not in _NO_TABLES and not sheet.hidden:
            yield sheet.name.lower().replace(" ", "-"), _listed(sheet)


def _results(design: Design) -> _Rows:
    yield "key", "value", "unit", "basis"
    for key, value in design.all_results.values_by_key.items():
        number = value.si
        if value.kind and not isinstance(number, str | bool):
            number = view_value(float(number), value.kind)
        yield key, number, view_unit(value.kind) if value.kind else "", value.basis


def _flat(heads: Sequence[str], entries: Iterable[Check | Assumption]) -> _Rows:
    """Yield the JSON fields, with the unit of the numbers in a separate column."""
    yield heads
    for one in entries:
        plain = one.as_json() | {"unit": view_unit(one.kind) if one.kind else ""}
        cells = (plain[head] for head in heads)
        yield [cell["value"] if isinstance(cell, dict) else cell for cell in cells]


def _listed(sheet: Sheet) -> _Rows:
    """Yield the rows of a flat list with the values of its cells."""
    rows = sorted({row for row, _ in sheet.cells})
    last = max((column for _, column in sheet.cells), default=0)
    for row in rows:
        cells = (sheet.cells.get((row, column)) for column in range(1, last + 1))
        yield [None if cell is None else cell.value for cell in cells]
