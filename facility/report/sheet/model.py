"""Sheets as data: cells and addresses, independent of the workbook writer.

Rows and columns count from 1, as people read them. A formula cell always includes the engine value,
so that readers without calculation show the same number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from facility.core.errors import FacilityError

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
        return f"{self.first}:{column_letter(self.right)}{self.bottom}"

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
    """Return a sheet name as written in formulas."""
    plain = name.isascii() and name.isalpha()
    return name if plain else "'" + name.replace("'", "''") + "'"


def literal_text(text: str) -> str:
    """Return `text` as a literal of a formula, in parts joined by ``&``.

    A literal has at most 255 characters. Some programs interpret escapes such as ``_x0041_``,
    others read text, so no part contains a whole escape.
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


Paper = Literal["letter", "tabloid", "a4", "a3"]
_AS_IT_IS = frozenset((str, bool, int, type(None)))
_LIVE_ROLES = {"given": "calc", "number": "calc", "paid": "calc", "pgiven": "pvalue"}
"""Style of a number of the engine that becomes a formula."""
_new = tuple.__new__  # half the time of a named tuple's own constructor; a book has a million


@dataclass(frozen=True)
class Conditional:
    """A format applied where `formula` (relative to the span's first cell) is true."""

    span: Span
    formula: str
    style: str


@dataclass(frozen=True)
class Validation:
    """Data validation of a span: a named list, or a number of at least `minimum`."""

    span: Span
    list_source: str = ""
    minimum: float | None = None
    stop: bool = False
    message: str = ""


class SheetListObject(NamedTuple):
    """An Excel table: its workbook name, and its cells with the row of unique headings."""

    name: str
    span: Span


@dataclass(frozen=True)
class SheetChart:
    """Curves over one column of a sheet, drawn from cell (`row`, `column`) on.

    `lines` contains heading, value cells and dash flag of each curve; `along` the cells of the x
    values. All these cells are numbers.
    """

    title: str
    x_title: str
    y_title: str
    row: int
    column: int
    width_mm: float
    height_mm: float
    along: Span
    lines: tuple[tuple[str, Span, bool], ...]


@dataclass(frozen=True)
class Bars:
    """Horizontal bars to both sides of zero, first on top, drawn from a cell on.

    `names` are the cells of their names; `series` contains heading, value cells and colour of each
    series.
    """

    title: str
    along: str
    row: int
    column: int
    width_mm: float
    height_mm: float
    names: Span
    series: tuple[tuple[str, Span, str], ...]


@dataclass(frozen=True)
class Page:
    """Print set-up of a sheet. `fit_height` 0: as many pages as required.

    With `breaks`, the rows a page ends after, it is not scaled: spreadsheets do not do both.
    """

    paper: Paper = "letter"
    landscape: bool = True
    fit_height: int = 0
    repeat_rows: tuple[int, int] | None = None
    area: Span | None = None
    margin_mm: float = 10.0
    header: tuple[str, str, str] = ("", "", "")
    footer: tuple[str, str, str] = ("", "", "")
    breaks: tuple[int, ...] = ()


@dataclass
class Sheet:
    """A sheet being filled. `name` is final: allocated once for the whole book."""

    name: str
    page: Page = field(default_factory=Page)
    freeze: tuple[int, int] | None = None
    hidden: bool = False
    protected: bool = False
    tab_color: str = ""
    zoom: int = 100
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    merges: list[Span] = field(default_factory=list)
    widths: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    conditionals: list[Conditional] = field(default_factory=list)
    validations: list[Validation] = field(default_factory=list)
    filter_span: Span | None = None
    tables: list[SheetListObject] = field(default_factory=list)
    converted: set[tuple[int, int]] = field(default_factory=set)  # In other units than SI
    charts: list[SheetChart | Bars] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.quoted = quote_sheet(self.name)

    def put(self, row: int, column: int, value: CellValue, style: str = "text") -> Ref:
        """Write a plain value and return its address."""
        if value.__class__ not in _AS_IT_IS:
            value = self._checked(value, row, column)
        self.cells[row, column] = _new(Cell, (value, style, "", ""))
        return _new(Ref, (self.quoted, row, column))

    def blank(self, row: int, columns: Iterable[int], style: str) -> None:
        """Set the style of blank cells of a row."""
        cell = Cell(None, style)
        for column in columns:
            self.cells[row, column] = cell

    def formula(
        self, row: int, column: int, formula: str, value: CellValue, style: str = "calc"
    ) -> Ref:
        """Write a live formula with its engine value; return its address."""
        if value.__class__ not in _AS_IT_IS:
            value = self._checked(value, row, column)
        self.cells[row, column] = _new(Cell, (value, style, formula, ""))
        return _new(Ref, (self.quoted, row, column))

    def make_live(self, row: int, column: int, formula: str) -> None:
        """Make a cell a formula with its present value and the style of computed cells."""
        cell = self.cells[row, column]
        role, dot, number_format = cell.style.partition(".")
        style = f"{_LIVE_ROLES.get(role, role)}{dot}{number_format}"
        self.cells[row, column] = cell._replace(formula=formula, style=style)

    def link(self, row: int, column: int, text: str, target: Ref, style: str = "link") -> Ref:
        """Write a text linked to another cell of the workbook; return its address."""
        self.cells[row, column] = Cell(text, style, "", f"{target.sheet}!{target.here}")
        return Ref(self.quoted, row, column)

    def row(self, row: int, column: int, values: Sequence[CellValue], style: str = "text") -> None:
        """Write plain values in adjacent cells, in one style."""
        for offset, value in enumerate(values):
            self.put(row, column + offset, value, style)

    def merge(self, span: Span, value: CellValue, style: str = "text") -> Ref:
        """Merge a span, all of it in one style, and write a value into it."""
        self.merges.append(span)
        return self.put(span.top, span.left, value, style)

    def set_widths(self, *widths: float) -> None:
        """Set the widths of the first columns, in characters."""
        self.widths.update(enumerate(widths, start=1))

    def _checked(self, value: CellValue, row: int, column: int) -> CellValue:
        """Return a value other than text, count or flag as a finite number."""
        if value is None or isinstance(value, str | int):
            return value
        number = float(value)
        if not math.isfinite(number):
            address = f"{self.name}!{column_letter(column)}{row}"
            raise FacilityError(
                "NOT_FINITE",
                address,
                f"{number} is not finite and cannot be written to a workbook cell.",
                "This is a program error; please report it.",
                exit_code=1,
            )
        return number


@dataclass(frozen=True)
class Book:
    """A workbook: its sheets in order, its defined names, and its properties.

    `names` maps a defined name to a formula; `created` is (year, month, day), from the project.
    """

    sheets: tuple[Sheet, ...]
    names: dict[str, str]
    title: str
    subject: str
    author: str
    company: str
    keywords: str
    created: tuple[int, int, int]
    properties: dict[str, str]
