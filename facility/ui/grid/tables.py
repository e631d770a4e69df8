"""Tables as grids to read: a column of numbers of one kind has one unit, in its heading.

Numbers sort by size, with words among them after the numbers. Unit and decimals are those of text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import KINDS, value_in
from facility.core.views import System, printed_unit, readable_unit, shared_decimals, show
from facility.report.sheet.grid import Amount, ColumnInfo, GridValue, TextTable
from facility.ui.grid.model import CellMark, GridColumn, GridContents, RowValues, Value

_MISSING = ("", "-")
_EXPLAINED = CellMark(why=True)
_MAX_DECIMALS = 6
_AMOUNT = re.compile(r"^-(?=[\d.,]+ \S)")
"""The sign of a number with its unit."""


class _Cells(NamedTuple):
    """A column with its values and the texts in which they are displayed."""

    column: GridColumn
    values: Sequence[Value]
    texts: Sequence[str] | None = None


def table_grid(table: TextTable, *, why: bool = False) -> GridContents:
    """Return a table as a grid; with `why`, its numbers open their explanation."""
    rows = list(table.rows)
    columns = []
    for n, head in enumerate(table.heads):
        values = [row[n].value for row in table.cells] or [row[n] for row in table.values]
        info = table.columns[n] if table.columns else _PLAIN
        columns.append(_column(head, [row[n] for row in rows], values, info, table.system))
    grid = _contents(table.title, columns, why=why)
    if not (why and table.keys):
        return grid
    rows_marked = [
        row._replace(marks=dict.fromkeys(_explained(keys) & {*table.heads}, _EXPLAINED))
        for row, keys in zip(grid.rows, table.keys, strict=True)
    ]
    return replace(grid, rows=rows_marked)


def _explained(keys: str | Mapping[str, str]) -> set[str]:
    """Return the headings of the cells that a row names a result for."""
    named = {"Value": keys} if isinstance(keys, str) else keys
    return {head for head, id in named.items() if id}


def values_grid(
    label: str,
    columns: Mapping[str, Sequence[object] | NDArray[np.generic]],
    system: System = "si",
    *,
    why: bool = False,
) -> GridContents:
    """Return columns of numbers or texts as a grid; numbers in SI with their kind are `Amount`."""
    found = []
    for head, cells in columns.items():
        values = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
        if any(isinstance(cell, Amount) for cell in values):
            amounts = cast(Sequence[GridValue], values)
            texts = [cell if isinstance(cell, str) else "" for cell in values]
            found.append(_column(head, texts, amounts, _PLAIN, system))
            continue
        numbers = [cell for cell in values if isinstance(cell, int | float)]
        if not numbers or any(isinstance(cell, str) for cell in values):
            found.append(_Cells(GridColumn(head, head), [str(cell or "") for cell in values]))
            continue
        decimals = max(len(str(round(one, _MAX_DECIMALS)).partition(".")[2]) for one in numbers)
        whole = all(float(one).is_integer() for one in numbers)
        listed = [one if isinstance(one, int | float) else None for one in values]
        column = GridColumn(head, head, "number", digits=0 if whole else decimals)
        found.append(_Cells(column, listed))
    return _contents(label, found, why=why)


_PLAIN = ColumnInfo("", "", "")


def _contents(label: str, columns: Sequence[_Cells], *, why: bool) -> GridContents:
    rows = zip(*(one.values for one in columns), strict=True)
    return GridContents(
        label,
        [one.column if not why else one.column.explained() for one in columns],
        [RowValues(str(n), values) for n, values in enumerate(rows)],
        sorts=True,
        texts={one.column.key: one.texts for one in columns if one.texts is not None},
    )


def _column(
    head: str, texts: Sequence[str], values: Sequence[GridValue], info: ColumnInfo, system: System
) -> _Cells:
    """Return a column of numbers if they are of one kind and not fewer than words; else of texts.

    texts, values: What the table displays, and its values in SI.
    """
    amounts = [_amount(value, info.kind) for value in values]
    known = [one for one in amounts if one is not None]
    words = sum(text not in _MISSING for text in texts) - len(known)
    kinds = {one.kind for one in known}
    if len(kinds) != 1 or words > len(known):
        return _Cells(GridColumn(head, head), [_AMOUNT.sub("−", text) for text in texts])
    (kind,) = kinds
    if kind not in KINDS:
        listed: list[Value] = [
            text or None if one is None else one.si
            for one, text in zip(amounts, texts, strict=True)
        ]
        return _Cells(GridColumn(head, head, "number"), listed, texts)
    largest = max((one.si for one in known), key=abs)
    unit = info.unit or readable_unit(largest, kind, system)
    digits = shared_decimals(largest, kind, unit) if info.digits is None else info.digits
    shown, listed = [], []
    for one, text in zip(amounts, texts, strict=True):
        is_word = one is None or text == "none"
        number = "" if one is None else show(one.si, kind, unit=unit, digits=digits)
        shown.append(text if is_word else number.partition(" ")[0].replace("-", "−", 1))
        listed.append(
            text
            if one is None and text not in _MISSING
            else None
            if one is None
            else value_in(KINDS[kind], one.si, unit)
        )
    name = printed_unit(unit)
    column = GridColumn(head, head, "number", unit="" if f"({name})" in head else name)
    return _Cells(column, listed, shown)


def _amount(value: GridValue, kind: str) -> Amount | None:
    """Return a number with its kind; None for a word."""
    if isinstance(value, Amount) or value is None or isinstance(value, str):
        return value if isinstance(value, Amount) else None
    return Amount(float(value), kind)
