"""Tables of many columns: each column states its heading, kind, value and, where live, formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, NamedTuple, TypeVar

from facility.core.kinds import KINDS
from facility.core.views import System, show, view_value
from facility.report.sheet.lines import Cited, engine_role, note_conversion
from facility.report.sheet.model import Conditional, Ref, Sheet, Span, column_letter
from facility.report.sheet.tables import heading_in, shown


class Amount(NamedTuple):
    """A number in SI with its kind, in a column whose rows differ in kind."""

    si: float
    kind: str

    @property
    def plain(self) -> float:
        """The number in the JSON unit of its kind; counts are unchanged."""
        bare = self.kind in ("", "count")
        return self.si if bare else view_value(float(self.si), self.kind)


GridValue = float | int | str | Amount | None
Values = Mapping[str, GridValue]
"""Row as a mapping from column key to value."""
Row = TypeVar("Row")
Door = Literal["", "sheet", "text", "json"]
_WORDS = ("verdict", "word")


class ColumnInfo(NamedTuple):
    """Metadata of a column of numbers, see `Column`."""

    key: str
    kind: str
    because: str
    unit: str = ""  # Unit token of all its numbers; empty: by the largest
    digits: int | None = None  # Decimals; None: those of the kind


class CellValue(NamedTuple):
    """Displayed cell: value in SI, and its column formula."""

    value: GridValue
    formula: str
    id: str  # Result or step that it is; empty where its column names none


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column of a table."""

    key: str  # Name by which formulas refer to it
    head: str  # Heading; the unit is part of it
    width: float  # In characters
    # Kind of quantity of its numbers; empty for text, "verdict" for verdicts and "word" for other
    # text with a formula, which may refer to it as `{words}`
    kind: str = ""
    # Formula of its numbers, with `{key}` for the cell of another column in the same row.
    formula: str = ""
    unit: str = ""  # Unit token of the kind, where it is not that of the view
    number_format: str = ""  # Where it is not that of the kind
    style: str = "listed"  # Style of its words
    # Function of a row that returns its value in SI; None where it does not apply. Default: the
    # attribute or mapping entry with the key.
    of: Callable[[Row], GridValue] | None = None
    # Whether the formula holds for a row; it does without.
    live: Callable[[Row], bool] | None = None
    door: Door = ""  # Where it stands on that door alone
    id: Callable[[Row], str] | None = None  # Result or step that it shows in a row
    because: str = ""  # Where its numbers are from, in words, where neither that nor a formula says
    json: str = ""  # What the JSON contract calls it; empty where it does not have it
    ip_unit: str = ""  # Unit token of texts in the IP view, where it is not that of the view

    def value(self, row: Row | Values) -> GridValue:
        """Return its value in a row."""
        if isinstance(row, Mapping):
            return row.get(self.key)
        return getattr(row, self.key) if self.of is None else self.of(row)

    def number(self, row: Row | Values) -> float:
        """Return its number in a row that has one."""
        return float(self.value(row))  # type: ignore[arg-type]  # the caller knows

    def plain(self, row: Row | Values) -> float | int | str | None:
        """Return its JSON value: a number in the unit of its kind."""
        value = self.value(row)
        if value is None or isinstance(value, str):
            return value
        return (value if isinstance(value, Amount) else Amount(value, self.kind)).plain

    def cell(self, row: Row | Values) -> CellValue:
        """Return its displayed cell in a row."""
        id = "" if self.id is None else self.id(row)  # type: ignore[arg-type]  # as `value`
        return CellValue(self.value(row), self.formula_of(row), id)

    def formula_of(self, row: Row | Values) -> str:
        """Return its formula in a row; empty if none."""
        holds = self.live is None or self.live(row)  # type: ignore[arg-type]  # as `value`
        return self.formula if holds else ""

    @property
    def name(self) -> str:
        """Heading without unit, for outputs whose cells include the unit."""
        unit = shown(0.0, self.kind, self.unit).unit if self.kind in KINDS else ""
        return self.head.removesuffix(f" ({unit})").removesuffix(f" {unit}") if unit else self.head

    def info(self, system: System) -> ColumnInfo:
        """Return what a table of values displays of it."""
        unit = self.ip_unit if system == "ip" else self.unit if self.kind != "energy" else ""
        return ColumnInfo(self.key, self.kind, self.because, unit, self._digits)

    @property
    def _digits(self) -> int | None:
        found = re.search(r"\d", self.number_format)
        return int(found[0]) if found else None

    def text(self, row: Row | Values, system: System = "si") -> str:
        """Return the display text of a row outside a sheet: a number with its unit.

        A zero in a format that hides zeros is "none".
        """
        value = self.value(row)
        if isinstance(value, Amount):
            return show(*value, system)
        if value is None or isinstance(value, str):
            return value or ""
        if value == 0.0 and self.number_format.endswith("z"):
            return "none"
        digits = self._digits
        if self.kind and not (self.unit and system == "si" and self.kind != "energy"):
            unit = self.ip_unit if system == "ip" else ""
            return show(float(value), self.kind, system, digits=digits, unit=unit)
        number = shown(float(value), self.kind, self.unit)
        decimals = int(number.format[1:]) if digits is None else digits
        return f"{number.value:,.{decimals}f} {number.unit}".strip()


def at_door(door: Door, columns: Iterable[Column[Row]]) -> tuple[Column[Row], ...]:
    """Return the columns that one output shows: terminal, page, sheet or JSON."""
    return tuple(column for column in columns if column.door in ("", door))


@dataclass(frozen=True)
class TextTable:
    """Table of texts: title, headings, rows, and lines below."""

    title: str
    heads: Sequence[str]
    rows: Iterable[Sequence[str]]
    below: Sequence[str] = ()
    # Result id of each row, or ids of its cells by heading; empty if rows are not results
    keys: Sequence[str | Mapping[str, str]] = ()
    # For tables of numbers: columns and displayed cells
    columns: Sequence[ColumnInfo] = ()
    cells: Sequence[Sequence[CellValue]] = ()
    because: str = ""  # Where these are from
    system: System = "si"  # Of its texts
    # Values of the rows of a table without displayed cells, in SI
    values: Sequence[Sequence[GridValue]] = ()

    @classmethod
    def of(
        cls,
        title: str,
        heads: Sequence[str],
        rows: Iterable[Sequence[GridValue]],
        system: System = "si",
        keys: Sequence[str | Mapping[str, str]] = (),
    ) -> TextTable:
        """Return the table of values whose numbers have a kind."""
        values = [list(row) for row in rows]
        texts = [
            [show(*one, system) if isinstance(one, Amount) else str(one or "") for one in row]
            for row in values
        ]
        return cls(title, heads, texts, keys=keys, system=system, values=values)

    def only(self, keeps: Callable[[Sequence[str]], bool]) -> TextTable:
        """Return the table with only the rows for which `keeps` is true."""
        rows = list(self.rows)
        at = [n for n, row in enumerate(rows) if keeps(row)]
        parts = {"keys": self.keys, "cells": self.cells, "values": self.values}
        taken = {name: [part[n] for n in at] for name, part in parts.items() if part}
        return replace(self, rows=[rows[n] for n in at], **taken)  # type: ignore[arg-type]


class Grid(Generic[Row]):
    """Writes the rows of a table below its heading.

    sheet: Destination.
    top: Row of the heading.
    columns: From column A on.
    head_height: Height of the heading, in points; 0: set by `fit_heights`.
    number_role: Style of numbers without a formula: ``"given"`` for inputs of formulas.
    cells: Cells outside the table that formulas refer to.
    """

    def __init__(
        self,
        sheet: Sheet,
        top: int,
        columns: Sequence[Column[Row]],
        head_height: float = 40.0,
        number_role: str = "given",
        cells: Mapping[str, object] | None = None,
    ) -> None:
        self.sheet, self._number_role = sheet, number_role
        self.columns = columns = at_door("sheet", columns)
        self.first = self.row = top + 1
        self._at = {column.key: n for n, column in enumerate(columns, start=1)}
        self._cells = dict(cells or {})
        heads = [heading_in(column.head, column.kind, column.unit) for column in columns]
        sheet.row(top, 1, heads, "head")
        if head_height:
            sheet.heights[top] = head_height

    def set_widths(self) -> None:
        """Set the sheet's column widths from this table."""
        self.sheet.set_widths(*(column.width for column in self.columns))

    def cell(self, key: str, row: int | None = None) -> Ref:
        """Return the cell of a column, in the row written last by default."""
        return Ref(self.sheet.quoted, self.row - 1 if row is None else row, self._at[key])

    def span(self, *keys: str) -> Span:
        """Return the cells of one column, or a range of columns, over all rows written."""
        return Span(
            self.first, self._at[keys[0]], max(self.first, self.row - 1), self._at[keys[-1]]
        )

    def write(self, row: Row | Values, cells: Mapping[str, object] | None = None) -> int:
        """Write a row and return its number; `cells` are additional formula references of this row.

        A number is the cached value of its formula, if any; text is written as is; missing values
        and None do not apply and are grey.
        """
        at = self.row
        addresses = (
            self._cells
            | dict(cells or {})
            | {key: f"{column_letter(n)}{at}" for key, n in self._at.items()}
        )
        for n, column in enumerate(self.columns, start=1):
            value, formula = column.value(row), column.formula_of(row)
            if value is None:
                self.sheet.put(at, n, None, "pna")
            elif isinstance(value, str):
                if formula and column.kind in _WORDS:
                    style = column.style if column.kind == "word" else column.kind
                    self.sheet.formula(
                        at, n, formula.format_map(addresses | {"words": value}), value, style
                    )
                else:
                    engine = column.kind in KINDS and self._number_role == "given"
                    self.sheet.put(at, n, value, "word" if engine else column.style)
            else:
                if isinstance(value, Amount):
                    number, kind = shown(*value), value.kind
                else:
                    number, kind = shown(float(value), column.kind, column.unit), column.kind
                note_conversion(self.sheet, Ref("", at, n), kind)
                style = column.number_format or number.format
                if formula:
                    live = formula.format_map(addresses)
                    self.sheet.formula(at, n, live, number.value, f"calc.{style}")
                else:
                    role = engine_role(kind, self._number_role)
                    self.sheet.put(at, n, number.value, f"{role}.{style}")
        self.row += 1
        return at

    def band(self, title: str) -> None:
        """Write a title row for the rows below."""
        self.sheet.put(self.row, 1, title, "band")
        self.sheet.blank(self.row, range(2, len(self.columns) + 1), "band")
        self.row += 1

    def total(
        self,
        label: str,
        values: Mapping[str, float],
        since: int | None = None,
        blank: bool = True,
        by: str = "SUM",
    ) -> dict[str, Cited]:
        """Write a total row: function `by` of some columns from row `since` on; return the cells.

        `blank` gives the other columns the look of the row too.
        """
        row, cells = self.row, {}
        self.sheet.put(row, 1, label, "total")
        if blank:
            self.sheet.blank(row, range(2, len(self.columns) + 1), "total")
        for n, column in enumerate(self.columns, start=1):
            if column.key in values:
                value = values[column.key]
                number = shown(float(value), column.kind, column.unit)
                style = f"total.{column.number_format or number.format}"
                formula = f"{by}({Span(since or self.first, n, row - 1, n)})"
                # a count stays one, without decimals
                shown_value = value if isinstance(value, int) else number.value
                cell = self.sheet.formula(row, n, formula, shown_value, style)
                note_conversion(self.sheet, cell, column.kind)
                cells[column.key] = Cited(cell, float(value), column.kind)
        self.row += 1
        return cells

    def mark(self, key: str, condition: str, style: str) -> None:
        """Format the cells of a column where `condition` is true, with ``{}`` for the cell."""
        span = self.span(key)
        self.sheet.conditionals.append(Conditional(span, condition.format(span.first), style))


@dataclass(frozen=True)
class SheetTable(Generic[Row]):
    """A titled table of a sheet."""

    title: str  # Heading of its section
    columns: tuple[Column[Row], ...]
    head_height: float = 40.0  # Height of its heading, in points
    # Column, condition and style of conditional formats, see `Grid.mark`.
    marks: tuple[tuple[str, str, str], ...] = ()
    number_role: str = "given"  # Style of numbers without a formula
    because: str = ""  # Where its numbers are from, where no column has one

    def write(
        self, sheet: Sheet, row: int, rows: Iterable[Row], cells: Mapping[str, object] | None = None
    ) -> Grid[Row]:
        """Write title, heading and rows from `row` on; return the grid."""
        sheet.put(row, 1, self.title, "section")
        return self._fill(
            Grid(sheet, row + 1, self.columns, self.head_height, self.number_role, cells), rows
        )

    def write_alone(
        self, sheet: Sheet, row: int, rows: Iterable[Row], cells: Mapping[str, object] | None = None
    ) -> Grid[Row]:
        """Write heading and rows as the only table of a sheet and set its column widths."""
        grid = self.grid(sheet, row, cells)
        grid.set_widths()
        return self._fill(grid, rows)

    def grid(self, sheet: Sheet, row: int, cells: Mapping[str, object] | None = None) -> Grid[Row]:
        """Write only the heading; return the grid below it."""
        return Grid(sheet, row, self.columns, self.head_height, self.number_role, cells)

    def _fill(self, grid: Grid[Row], rows: Iterable[Row]) -> Grid[Row]:
        for one in rows:
            grid.write(one)
        self.mark(grid)
        return grid

    def mark(self, grid: Grid[Row]) -> None:
        """Add the conditional formats to the rows written so far."""
        for mark in self.marks:
            grid.mark(*mark)

    def write_if(self, sheet: Sheet, row: int, rows: Sequence[Row]) -> int:
        """Write the table if it has rows; return the row after the blank row below it."""
        return self.write(sheet, row, rows).row + 1 if rows else row

    def text(
        self, rows: Iterable[Row | Values], system: System = "si", *below: str, title: str = ""
    ) -> TextTable:
        """Return the table for text outputs, with lines below.

        Headings omit units, which the cells include, unless needed to distinguish two columns; the
        source column comes last.
        """
        shown = at_door("text", self.columns)
        columns = sorted(shown, key=lambda column: column.key == "source")
        names = [column.name for column in columns]
        heads = [
            name if names.count(name) == 1 else column.head
            for name, column in zip(names, columns, strict=True)
        ]
        listed = list(rows)
        return TextTable(
            title or self.title,
            heads,
            [[column.text(row, system) for column in columns] for row in listed],
            below,
            columns=[column.info(system) for column in columns],
            cells=[[column.cell(row) for column in columns] for row in listed],
            because=self.because,
            system=system,
        )

    def objects(self, rows: Iterable[Row]) -> list[dict[str, object]]:
        """Return the rows as objects of the JSON contract."""
        named = [column for column in self.columns if column.json]
        return [{column.json: column.plain(row) for column in named} for row in rows]


def verdict_word(found: bool | None) -> GridValue:
    """Return the text of a verdict column; None without a criterion."""
    return None if found is None else "OK" if found else "CHECK"
