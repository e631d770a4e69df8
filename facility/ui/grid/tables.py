"""Tables as grids to read: a column of numbers of one unit has the unit in its heading.

Numbers sort by size, with words among them after the numbers. They are displayed as in the table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import KINDS, Kind, value_in
from facility.core.views import printed_unit, show
from facility.report.sheet.grid import Amount, GridValue, TextTable
from facility.report.sheet.tables import shown
from facility.ui.grid.model import GridColumn, GridContents, RowValues, Value

_NUMBER = re.compile(
    r"([+-]?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?(?:e[+-]\d+)?)(?: (\S+)|(%))?"
)
_MISSING = ("", "-")
_WORD = re.compile(r"[ ,()]+")
_MAX_DIGITS, _MAX_DECIMALS = 15, 6


class _Read(NamedTuple):
    """A text that is a number: its value, its digits and its unit."""

    value: float
    digits: str
    unit: str


class _Cells(NamedTuple):
    """A column with its values and the texts in which they are displayed."""

    column: GridColumn
    values: Sequence[Value]
    texts: Sequence[str] | None


def table_grid(table: TextTable, *, why: bool = False) -> GridContents:
    """Return a table as a grid; with `why`, its numbers open their explanation."""
    rows = list(table.rows)
    columns = []
    for n, head in enumerate(table.heads):
        cells = [row[n].value for row in table.cells]
        kind = KINDS.get(table.columns[n].kind) if cells else None
        columns.append(_column(head, [row[n] for row in rows], cells, kind))
    return _contents(table.title, columns, why=why)


def values_grid(
    label: str, columns: Mapping[str, Sequence[object] | NDArray[np.generic]], *, why: bool = False
) -> GridContents:
    """Return columns of numbers or texts as a grid."""
    found = []
    for head, cells in columns.items():
        values = [cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
        texts = [cell for cell in values if isinstance(cell, str)]
        numbers = [cell for cell in values if isinstance(cell, int | float)]
        if texts or not numbers:
            column = _column(head, [str(cell or "") for cell in values], (), None)
        else:
            decimals = max(len(str(round(one, _MAX_DECIMALS)).partition(".")[2]) for one in numbers)
            whole = all(float(one).is_integer() for one in numbers)
            digits = 0 if whole else decimals
            listed = [one if isinstance(one, int | float) else None for one in values]
            column = _Cells(GridColumn(head, head, "number", digits=digits), listed, None)
        found.append(column)
    return _contents(label, found, why=why)


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
    head: str, texts: Sequence[str], cells: Sequence[GridValue], kind: Kind | None
) -> _Cells:
    """Return a column of numbers if its numbers have one unit, or one kind; else of texts.

    cells: Values in SI, if known.
    """
    read = [_read(text) for text in texts]
    numbers = [one for one in read if one is not None]
    words = sum(one is None and text not in _MISSING for one, text in zip(read, texts, strict=True))
    units = {one.unit for one in numbers if one.value or one.unit} or {""}
    if not numbers or words > len(numbers) or not (units <= _units() or kind):
        return _Cells(GridColumn(head, head), texts, None)
    if len(units) > 1:
        if kind is None or not _is_plain(cells):
            return _Cells(GridColumn(head, head), texts, None)
        return _in_one_unit(head, texts, cells, kind)
    (unit,) = units
    factor = _token(kind, unit) if kind is not None and _is_plain(cells) else ""
    values: list[Value] = [text if one is None else one.value for one, text in _pairs(read, texts)]
    if factor and kind is not None:
        values = [
            value_in(kind, cell, factor) if isinstance(cell, int | float) else one
            for cell, one in zip(cells, values, strict=True)
        ]
    values = [None if one in _MISSING else one for one in values]
    digits = [text if one is None else one.digits for one, text in _pairs(read, texts)]
    return _Cells(GridColumn(head, head, "number", unit=_unit(head, unit)), values, digits)


def _pairs(read: Sequence[_Read | None], texts: Sequence[str]) -> list[tuple[_Read | None, str]]:
    return list(zip(read, texts, strict=True))


def _in_one_unit(head: str, texts: Sequence[str], cells: Sequence[GridValue], kind: Kind) -> _Cells:
    """Return numbers of several units of a kind in the unit of the largest."""
    sizes = [abs(cell) if isinstance(cell, int | float) else 0.0 for cell in cells]
    largest = _read(texts[sizes.index(max(sizes))])
    token = _token(kind, largest.unit if largest else "") or kind.view_si
    values: list[Value] = []
    digits = []
    for cell, text in zip(cells, texts, strict=True):
        known = isinstance(cell, int | float)
        values.append(value_in(kind, cell, token) if known else text or None)  # type: ignore[arg-type]
        shown_text = show(float(cell), kind.name, unit=token) if known else text  # type: ignore[arg-type]
        digits.append(shown_text.partition(" ")[0] if known else text)
    return _Cells(
        GridColumn(head, head, "number", unit=_unit(head, printed_unit(token))), values, digits
    )


def _is_plain(cells: Sequence[GridValue]) -> bool:
    return bool(cells) and not any(isinstance(cell, Amount) for cell in cells)


def _token(kind: Kind | None, unit: str) -> str:
    """Return the unit token of a kind that is printed as `unit`; empty if there is none."""
    if kind is None:
        return ""
    return next((token for token in kind.units if printed_unit(token) == unit), "")


def _read(text: str) -> _Read | None:
    """Return the number and unit of a text; None if it is not a single number."""
    found = _NUMBER.fullmatch(text)
    if found is None or sum(letter.isdigit() for letter in text) > _MAX_DIGITS:
        return None
    digits, *unit = (part or "" for part in found.groups())
    return _Read(float(digits.replace(",", "")), digits, "".join(unit))


@cache
def _units() -> frozenset[str]:
    """Return the units in which a number may be displayed, with the empty unit."""
    known = [(kind.name, unit) for kind in KINDS.values() for unit in kind.units]
    printed = (printed_unit(unit) for _, unit in known)
    return frozenset({"", *printed, *(shown(0.0, *one).unit for one in known)})


def _unit(head: str, unit: str) -> str:
    """Return a unit for the heading, unless the heading has it."""
    return "" if unit in _WORD.split(head) else unit
