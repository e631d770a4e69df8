"""Tables of numbers as printed: the unit is in the heading, one count of decimals by column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from facility.core.kinds import KINDS, value_in
from facility.core.views import System, printed_unit, show, view_unit
from facility.report.drawings.scene import Anchor
from facility.report.issue.content import TableBlock
from facility.report.sheet.grid import (
    Amount,
    Column,
    GridValue,
    Row,
    SheetTable,
    TextTable,
    at_door,
)

NOT_STATED = "not stated"
NOT_KNOWN = "not known"


def printed(
    table: SheetTable[Row],
    rows: Iterable[Row],
    system: System,
    *below: str,
    title: str | None = None,
    keys: Sequence[str] = (),
) -> TextTable:
    """Return a table with the units in its headings, without empty columns.

    keys: Tag of each row, see `TextTable.keys`.
    """
    columns, values = _used(table, rows)
    return TextTable(
        table.title if title is None else title,
        [f"{c.name} ({unit})" if (unit := _token(c, system)) else c.name for c in columns],
        [
            [_cell(column, value, system) for column, value in zip(columns, row, strict=True)]
            for row in values
        ],
        below,
        keys,
        because=table.because,
    )


def listing(
    table: SheetTable[Row],
    rows: Iterable[Row],
    system: System,
    *below: str,
    title: str | None = None,
    keys: Sequence[str] = (),
    dense: bool = False,
) -> TableBlock:
    """Return a printed table with the widths of its columns."""
    listed = list(rows)
    columns, _ = _used(table, listed)
    found = printed(table, listed, system, *below, title=title, keys=keys)
    anchors: tuple[Anchor, ...] = tuple(
        "end" if column.kind in KINDS or column.number_format else "start" for column in columns
    )
    return TableBlock(found, tuple(column.width for column in columns), anchors, dense=dense)


def _used(
    table: SheetTable[Row], rows: Iterable[Row]
) -> tuple[list[Column[Row]], list[list[GridValue]]]:
    """Return the columns with a value in any row, and the values of all rows in them."""
    columns = at_door("text", table.columns)
    values = [[column.value(row) for column in columns] for row in rows]
    used = [n for n in range(len(columns)) if any(row[n] not in (None, "") for row in values)]
    return [columns[n] for n in used], [[row[n] for n in used] for row in values]


def _token(column: Column[Row], system: System, *, printed: bool = True) -> str:
    """Return the unit of a column: its own where both systems have it; empty for none."""
    if column.kind not in KINDS:
        return ""
    if printed and column.kind == "fraction":
        return "%"
    kind, token = KINDS[column.kind], view_unit(column.kind, system)
    if column.unit and (system == "si" or kind.view_si == kind.view_ip):
        token = column.unit
    return printed_unit(token) if printed else token


def _cell(column: Column[Row], value: GridValue, system: System) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, Amount):
        return show(*value, system)
    found = re.search(r"\d", column.number_format)
    if column.kind not in KINDS:
        return f"{value:,.{int(found[0]) if found else 0}f}"
    kind = KINDS[column.kind]
    digits = int(found[0]) if found else kind.digits
    unit = _token(column, system, printed=False)
    number = 100.0 * value if column.kind == "fraction" else value_in(kind, float(value), unit)
    return f"{number:,.{digits}f}"
