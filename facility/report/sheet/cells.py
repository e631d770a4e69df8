"""Cells and addresses: what stands where, independent of any spreadsheet library.

Rows and columns count from 1, as people read them. A formula cell always carries the value the
engine computed, so that a reader that does not calculate sees the same number.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

CellValue = float | int | str | bool | None
_BEFORE_ESCAPE = re.compile("(?<=_)(?=x)")


class Cell(NamedTuple):
    """One cell: its value, style key, and the formula or internal link if there is one.

    `formula` starts without an equals sign; `link` is a target such as ``'Loads'!A1``.
    """

    value: CellValue
    style: str = "text"
    formula: str = ""
    link: str = ""


class Ref(NamedTuple):
    """Address of a cell; as text it is absolute and names its sheet."""

    sheet: str
    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.sheet}!${column_letter(self.column)}${self.row}"

    @property
    def here(self) -> str:
        """Address for a formula on the same sheet."""
        return f"{column_letter(self.column)}{self.row}"

    @property
    def fixed(self) -> str:
        """Absolute address for a formula on the same sheet."""
        return f"${column_letter(self.column)}${self.row}"


class Span(NamedTuple):
    """A rectangle of cells on one sheet, both corners included."""

    top: int
    left: int
    bottom: int
    right: int

    def __str__(self) -> str:
        first = f"{column_letter(self.left)}{self.top}"
        last = f"{column_letter(self.right)}{self.bottom}"
        return f"{first}:{last}"

    @property
    def first(self) -> str:
        """Address of the first cell."""
        return f"{column_letter(self.left)}{self.top}"

    @property
    def fixed(self) -> str:
        """Absolute address."""
        left, right = column_letter(self.left), column_letter(self.right)
        return f"${left}${self.top}:${right}${self.bottom}"


def quote_sheet(name: str) -> str:
    """Return a sheet's name as a formula writes it."""
    plain = name.isascii() and name.isalpha()
    return name if plain else "'" + name.replace("'", "''") + "'"


def literal_text(text: str) -> str:
    """Return `text` as a literal of a formula, in parts joined by ``&``.

    A literal holds 255 characters at most; one with an escape in it (``_x0041_``) is read as such
    by some programs and as text by others, so that no part holds a whole one.
    """
    pieces = _BEFORE_ESCAPE.split(text)
    parts = [piece[n : n + 120] for piece in pieces for n in range(0, max(len(piece), 1), 120)]
    return "&".join('"' + part.replace('"', '""') + '"' for part in parts)


@lru_cache(maxsize=1024)
def column_letter(column: int) -> str:
    """Return the letters of a column that counts from 1."""
    letters = ""
    while column:
        column, remainder = divmod(column - 1, 26)
        letters = chr(65 + remainder) + letters
    return letters
