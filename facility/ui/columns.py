"""Table columns for the browser: text as strings, quantities as numbers.

A column of numbers with one unit has the unit in its heading, as in a spreadsheet: it sorts by
value, and a downloaded file states the unit. The table determines the displayed digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple
from weakref import finalize

import pyarrow as pa
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from facility.core.kinds import KINDS, Kind
from facility.core.views import printed_unit
from facility.report.sheet.grid import TextTable
from facility.report.sheet.tables import shown

_NUMBER = re.compile(
    r"([+-]?)(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?(e[+-]\d+)?(?: (\S+)|(%))?"
)
_NOTHING, _NONE = ("", "-"), "none"
_WORD = re.compile(r"[ ,()]+")
_GROUPED = 1000.0
_FIGURE_SPACE = "\u2007"  # As wide as a digit
_MAX_DIGITS = 15
"""Above this the browser (double precision) shows a different number."""
_MEASURED_ROWS, _LETTER_PX, _CELL_PX, _MAX_LETTERS = 9, 8, 18, 30


class ShownColumn(NamedTuple):
    """A column as displayed."""

    head: str  # Heading with unit
    cells: pa.Array
    config: ColumnConfig | None


_CACHE: dict[int, list[ShownColumn]] = {}


def cached_columns(table: TextTable) -> list[ShownColumn]:
    """Return the columns of a table, cached for the lifetime of the table object."""
    found = _CACHE.get(id(table))
    if found is None:
        found = _CACHE[id(table)] = shown_columns(table)
        finalize(table, _CACHE.pop, id(table), None).atexit = False
    return found


def shown_columns(table: TextTable) -> list[ShownColumn]:
    """Return the columns of a table in order."""
    rows, found = list(table.rows), list[ShownColumn]()
    for n, head in enumerate(table.heads):
        texts, cells = [row[n] for row in rows], [row[n].value for row in table.cells]
        kind = KINDS.get(table.columns[n].kind) if cells else None
        if any(isinstance(cell, str) and cell for cell in cells):
            column = _of_both(head, texts) if kind else _of_words(head, texts)
        else:
            declared = bool(cells) or _is_explained(table, head)
            column = shown_column(head, texts, declared=declared, kind=kind)
            if column.head in [one.head for one in found]:
                column = _of_words(head, texts)
        found.append(column)
    return found


def share_text(part: float) -> str:
    """Return a relative difference in percent; zero has no sign."""
    return f"{part:+.1%}" if round(part, 3) else "0.0%"


def _is_explained(table: TextTable, head: str) -> bool:
    """Return whether every row has a key for this column, so that its cells are numbers."""
    keys = [key for key in table.keys if isinstance(key, Mapping)]
    return bool(keys) and all(head in key for key in keys)


def shown_column(
    head: str, texts: Sequence[str], *, declared: bool = False, kind: Kind | None = None
) -> ShownColumn:
    """Return a numeric column if all texts are numbers of one unit or kind, else a text column.

    Numbers that the browser would display with different digits stay text; declared numbers may
    lose a trailing zero where others have more decimals.
    """
    return _of_numbers(head, texts, declared=declared, kind=kind) or _of_words(head, texts)


def _of_words(head: str, texts: Sequence[str]) -> ShownColumn:
    wide = _wide(head, texts)
    config = None if wide is None else st.column_config.Column(width=wide)
    return ShownColumn(head, pa.array(texts, pa.string()), config)


class _Digits(NamedTuple):
    """The parts of a formatted number."""

    value: float
    sign: str
    decimals: str
    power: str  # Exponent of ten
    unit: str
    grouped: bool | None  # Has a thousands separator; None below 1,000


def _of_numbers(
    head: str, texts: Sequence[str], *, declared: bool, kind: Kind | None
) -> ShownColumn | None:
    read = [_digits("0" if declared and text == _NONE else text) for text in texts]
    numbers = [one for one in read if one is not None]
    if len(numbers) < sum(text not in _NOTHING for text in texts):
        return None
    same = _in_one_unit([one for one in numbers if one.value or one.unit] or numbers, kind)
    signs = {one.sign == "+" for one in numbers if one.sign != "-" and one.value}
    grouped = {one.grouped for one in numbers} - {None}
    if same is None or len(signs) > 1 or len(grouped) > 1:
        return None
    unit, factors = same
    lengths = {len(one.decimals) for one in numbers}
    digits = f".{max(lengths)}f" if max(lengths) else "d"
    if len(lengths) > 1 or len(factors) > 1 or any(one.power for one in numbers):
        if not declared and any(one.decimals.endswith("0") for one in numbers):
            return None
        digits = "g"
    named = _with_unit(head, unit)
    # The browser would also print a plus before zero.
    plus = True in signs and all(one.value for one in numbers)
    config = st.column_config.NumberColumn(
        width=_wide(named, texts),
        format=f"%{'+' if plus else ''}{'' if False in grouped else ','}{digits}",
    )
    values = [None if one is None else one.value * factors.get(one.unit, 1.0) for one in read]
    return ShownColumn(named, pa.array(values, pa.float64()), config)


def _in_one_unit(
    numbers: Sequence[_Digits], kind: Kind | None
) -> tuple[str, dict[str, float]] | None:
    """Return the common unit of numbers and the factors into it; None if there is none.

    If a kind is shown in units of several sizes, the smallest is used.
    """
    units = {one.unit for one in numbers}
    if len(units) == 1 and units <= _units():
        return units.pop(), {}
    if not units or kind is None or not units <= kind.units.keys():
        return None
    scales = {unit: kind.units[unit][0] for unit in units}
    smallest = min(units, key=scales.__getitem__)
    return smallest, {unit: round(scale / scales[smallest], 9) for unit, scale in scales.items()}


def _digits(text: str) -> _Digits | None:
    """Return the parts of a formatted number; None if the text is not a single number."""
    found = _NUMBER.fullmatch(text)
    if found is None or sum(letter.isdigit() for letter in text) > _MAX_DIGITS:
        return None
    sign, whole, decimals, power, *unit = (part or "" for part in found.groups())
    value = float(f"{sign}{whole.replace(',', '')}.{decimals}{power}")
    if math.isinf(value):
        return None
    grouped = "," in whole if abs(value) >= _GROUPED else None
    return _Digits(value, sign, decimals, power, "".join(unit), grouped)


@cache
def _units() -> frozenset[str]:
    """Return the units in which a number may be displayed, with the empty unit."""
    known = [(kind.name, unit) for kind in KINDS.values() for unit in kind.units]
    printed = (printed_unit(unit) for _, unit in known)
    return frozenset({"", *printed, *(shown(0.0, *one).unit for one in known)})


def _of_both(head: str, texts: Sequence[str]) -> ShownColumn:
    """Return a text column of mixed words and numbers, padded so that numbers sort by value.

    The browser sorts such a column as text, in which a space precedes every digit.
    """
    read = [_digits(text) for text in texts]
    numbers = [one for one in read if one is not None]
    same = _in_one_unit(numbers, None)
    if same is None or any(one.sign or one.power for one in numbers):
        return _of_words(head, texts)
    unit, _ = same
    wholes = [_bare(text).partition(".")[0] for text in texts]
    wide = max(len(whole) for whole, one in zip(wholes, read, strict=True) if one is not None)
    padded = [
        text if one is None else _FIGURE_SPACE * (wide - len(whole)) + _bare(text)
        for text, whole, one in zip(texts, wholes, read, strict=True)
    ]
    return _of_words(_with_unit(head, unit), padded)


def _bare(text: str) -> str:
    """Return the number in a text without its unit."""
    return text.partition(" ")[0].removesuffix("%")


def _with_unit(head: str, unit: str) -> str:
    return head if not unit or unit in _WORD.split(head) else f"{head} ({unit})"


def _wide(head: str, texts: Sequence[str]) -> int | None:
    """Return a column width where the longest text is below the rows the browser measures."""
    lengths = [len(text) for text in texts]
    longest, seen = max(lengths, default=0), max(lengths[:_MEASURED_ROWS], default=0)
    wide = min(longest, _MAX_LETTERS)
    return _CELL_PX + _LETTER_PX * wide if max(seen, len(head)) < wide else None
