"""Tables of many columns: each column states its heading, kind and, where live, its formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facility.report.sheet.cells import Ref, Span, column_letter
from facility.report.sheet.model import Conditional, Sheet
from facility.report.sheet.tables import shown

GridValue = float | int | str | None


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    key : str
        Name by which rows and formulas refer to it.
    head : str
        Heading; the unit is part of it.
    width : float
        In characters.
    kind : str
        Kind of quantity of its numbers; empty for words.
    formula : str
        Formula of its numbers, with ``{key}`` for the cell of another column in the same row.
    unit : str
        Unit token of the kind, where it is not that of the view.
    number_format : str
        Where it is not that of the kind.
    style : str
        Style of its words.
    """

    key: str
    head: str
    width: float
    kind: str = ""
    formula: str = ""
    unit: str = ""
    number_format: str = ""
    style: str = "listed"


class Grid:
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
        Height of the heading, in points.
    number_role : str
        Style of numbers without a formula: ``"given"`` where formulas start from them.
    """

    def __init__(
        self,
        sheet: Sheet,
        top: int,
        columns: Sequence[Column],
        head_height: float = 40.0,
        number_role: str = "given",
    ) -> None:
        self.sheet, self.columns, self._number_role = sheet, tuple(columns), number_role
        self.first = self.row = top + 1
        self._at = {column.key: n for n, column in enumerate(columns, start=1)}
        sheet.row(top, 1, [column.head for column in columns], "head")
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

    def write(self, values: Mapping[str, GridValue], plain: Sequence[str] = ()) -> int:
        """Write a row and return its number.

        A number stands below its formula where the column has one and is not among `plain`; words
        stand as they are; what is missing or None does not apply and is grey.
        """
        row = self.row
        places = {key: f"{column_letter(n)}{row}" for key, n in self._at.items()}
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

    def _live(self, row: int, n: int, column: Column, formula: str, value: float | str) -> None:
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

    def mark(self, key: str, condition: str, style: str) -> None:
        """Format the cells of a column where `condition`, with ``{}`` for the cell, is true."""
        span = self.span(key)
        self.sheet.conditionals.append(Conditional(span, condition.format(span.first), style))
