"""Tables of many columns: each column states its heading, kind, value and, where live, formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from facility.report.sheet.cells import Ref, Span, column_letter
from facility.report.sheet.lines import Cited
from facility.report.sheet.model import Conditional, Sheet
from facility.report.sheet.tables import shown

GridValue = float | int | str | None
Values = Mapping[str, GridValue]
"""A row whose columns have no getters."""
Row = TypeVar("Row")


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column of a table.

    Attributes
    ----------
    key : str
        Name by which formulas refer to it.
    head : str
        Heading; the unit is part of it.
    width : float
        In characters.
    kind : str
        Kind of quantity of its numbers; empty for words, ``"verdict"`` for verdicts.
    formula : str
        Formula of its numbers, with ``{key}`` for the cell of another column in the same row.
    unit : str
        Unit token of the kind, where it is not that of the view.
    number_format : str
        Where it is not that of the kind.
    style : str
        Style of its words.
    of : callable, optional
        Its value in what a row is written from, in SI; None where it does not apply.
    """

    key: str
    head: str
    width: float
    kind: str = ""
    formula: str = ""
    unit: str = ""
    number_format: str = ""
    style: str = "listed"
    of: Callable[[Row], GridValue] | None = None


class Grid(Generic[Row]):
    """Writes the rows of a table below its heading.

    Parameters
    ----------
    sheet : Sheet
        Where to.
    top : int
        Row of the heading.
    columns : sequence of Column
        From column A on.
    head_height : float
        Height of the heading, in points; 0 leaves it to `fit_heights`.
    number_role : str
        Style of numbers without a formula: ``"given"`` where formulas start from them.
    cells : mapping of str to object
        Cells outside the table that formulas name beside its columns.
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
        self.sheet, self.columns, self._number_role = sheet, tuple(columns), number_role
        self.first = self.row = top + 1
        self._at = {column.key: n for n, column in enumerate(columns, start=1)}
        self._cells = dict(cells or {})
        sheet.row(top, 1, [column.head for column in columns], "head")
        if head_height:
            sheet.heights[top] = head_height

    def set_widths(self) -> None:
        """Give the sheet's columns the widths of this table."""
        self.sheet.set_widths(*(column.width for column in self.columns))

    def cell(self, key: str, row: int | None = None) -> Ref:
        """Return the cell of a column, in the row written last by default."""
        return Ref(self.sheet.quoted, self.row - 1 if row is None else row, self._at[key])

    def span(self, *keys: str) -> Span:
        """Return the cells of one column, or from one to another, over all rows written."""
        return Span(
            self.first, self._at[keys[0]], max(self.first, self.row - 1), self._at[keys[-1]]
        )

    def add(
        self, row: Row, plain: Sequence[str] = (), cells: Mapping[str, object] | None = None
    ) -> int:
        """Write the row of `row`, every column as its getter has it; return its number.

        `cells` are those outside the table that the formulas of this row name.
        """
        values = {column.key: column.of(row) for column in self.columns if column.of is not None}
        return self.write(values, plain, cells)

    def write(
        self, values: Values, plain: Sequence[str] = (), cells: Mapping[str, object] | None = None
    ) -> int:
        """Write a row and return its number.

        A number stands below its formula where the column has one and is not among `plain`; words
        stand as they are; what is missing or None does not apply and is grey.
        """
        row = self.row
        places = (
            self._cells
            | dict(cells or {})
            | {key: f"{column_letter(n)}{row}" for key, n in self._at.items()}
        )
        for n, column in enumerate(self.columns, start=1):
            value = values.get(column.key)
            formula = "" if column.key in plain else column.formula
            if value is None:
                self.sheet.put(row, n, None, "pna")
            elif formula:
                self._live(row, n, column, formula.format_map(places), value)
            elif isinstance(value, str):
                self.sheet.put(row, n, value, column.style)
            else:
                number = shown(float(value), column.kind, column.unit)
                style = f"{self._number_role}.{column.number_format or number.format}"
                self.sheet.put(row, n, number.value, style)
        self.row += 1
        return row

    def band(self, title: str) -> None:
        """Write a row that titles those below it."""
        self.sheet.put(self.row, 1, title, "band")
        self.sheet.blank(self.row, range(2, len(self.columns) + 1), "band")
        self.row += 1

    def _live(
        self, row: int, n: int, column: Column[Row], formula: str, value: float | str
    ) -> None:
        if isinstance(value, str):
            style = "verdict" if column.kind == "verdict" else column.style
            if column.kind == "verdict":
                self.sheet.formula(row, n, formula, value, style)
            else:
                self.sheet.put(row, n, value, style)
            return
        number = shown(float(value), column.kind, column.unit)
        style = f"calc.{column.number_format or number.format}"
        self.sheet.formula(row, n, formula, number.value, style)

    def total(
        self, label: str, values: Mapping[str, float], since: int | None = None, blank: bool = True
    ) -> dict[str, Cited]:
        """Write the live sums of some columns, from row `since` on; return their cells.

        `blank` gives the columns without a sum the look of the row too.
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
                formula = f"SUM({Span(since or self.first, n, row - 1, n)})"
                # a count stays one, without decimals
                kept = value if isinstance(value, int) else number.value
                cell = self.sheet.formula(row, n, formula, kept, style)
                cells[column.key] = Cited(cell, float(value), column.kind)
        self.row += 1
        return cells

    def mark(self, key: str, condition: str, style: str) -> None:
        """Format the cells of a column where `condition`, with ``{}`` for the cell, is true."""
        span = self.span(key)
        self.sheet.conditionals.append(Conditional(span, condition.format(span.first), style))


@dataclass(frozen=True)
class Table(Generic[Row]):
    """A titled table of a sheet.

    Attributes
    ----------
    title : str
        Heading of its section.
    columns : tuple[Column, ...]
        Its columns.
    head_height : float
        Height of its heading, in points.
    marks : tuple[tuple[str, str, str], ...]
        Column, condition and style of what is coloured, see `Grid.mark`.
    """

    title: str
    columns: tuple[Column[Row], ...]
    head_height: float = 40.0
    marks: tuple[tuple[str, str, str], ...] = ()

    def write(
        self, sheet: Sheet, row: int, rows: Iterable[Row], cells: Mapping[str, object] | None = None
    ) -> Grid[Row]:
        """Write title, heading and rows from `row` on; return the grid."""
        sheet.put(row, 1, self.title, "section")
        grid = Grid(sheet, row + 1, self.columns, self.head_height, cells=cells)
        for one in rows:
            grid.add(one)
        for mark in self.marks:
            grid.mark(*mark)
        return grid

    def write_if(self, sheet: Sheet, row: int, rows: Sequence[Row]) -> int:
        """Write the table where it has rows; return the row after the empty one below it."""
        return self.write(sheet, row, rows).row + 1 if rows else row


def held(found: bool | None) -> GridValue:
    """Return the word of a verdict column; None where there is nothing to hold it against."""
    return None if found is None else "OK" if found else "CHECK"
