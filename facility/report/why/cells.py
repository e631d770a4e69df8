"""How the number in a cell of a table came about: a step of its own in the words of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from facility.core.equation import EQUATIONS, AnyEquation, LiveFormula
from facility.core.kinds import KINDS
from facility.core.sources import DERIVED
from facility.core.trace import Step
from facility.report.sheet.grid import Amount, TextTable
from facility.report.why.known import Known
from facility.report.why.names import OF_CELL

_NAMED = re.compile(r"\{(\w+)\}")
_ADDRESS = re.compile(r"[$!{]")
_Input = tuple[str, float, str, str]


class AskedCell(NamedTuple):
    """What to ask about a cell, and what is known of it."""

    id: str
    known: Known


def cell_of(table: TextTable, row: int, head: str, *known: Known) -> AskedCell | None:
    """Return what the cell of a table asks about; None for one that shows no number.

    It is the result or step that its row or column names, where that is known; else the cell
    itself, with the cells of its row that its formula takes.

    known: What is known where the table is shown, that to be asked first in front.
    """
    column = list(table.heads).index(head)
    id = _named(table, row, column)
    if not table.cells:
        knows = next((one for one in known if id in one), known[-1])
        return AskedCell(id, knows) if id else None
    asked = _AskedRow(table, row, known[0])
    found = next((one for one in known if _says(one, id, asked.number(column))), None)
    if found is not None:
        return AskedCell(id, found)
    if asked.number(column) is None:
        return None
    id = asked.step(column)
    return AskedCell(id, replace(known[0], trace=asked.trace))


def _named(table: TextTable, row: int, column: int) -> str:
    """Return the result or step that a cell is said to show; empty where none is."""
    if table.keys:
        of_row = table.keys[row]
        return of_row if isinstance(of_row, str) else of_row.get(table.heads[column], "")
    return table.cells[row][column].id if table.cells else ""


def _says(known: Known, id: str, number: tuple[float, str] | None) -> bool:
    """Return whether `id` is known, and of a number of a cell whether it has this very value."""
    if number is None or id not in known:
        return id in known
    if id in known.trace:
        return known.trace.value(id) == number[0]
    return id in known.results and known.results[id].si == number[0]


class _AskedRow:
    """A row whose cells become steps beside those that are known."""

    def __init__(self, table: TextTable, row: int, known: Known) -> None:
        self._table, self._row = table, row
        self._cells, self._columns, self._heads = table.cells[row], table.columns, table.heads
        self._at = {column.key: n for n, column in enumerate(table.columns)}
        self._name = _row_name(table, row)
        self.trace = known.trace.draft()

    def number(self, column: int) -> tuple[float, str] | None:
        """Return the number of a cell in SI with its kind; None for words and for none."""
        value = self._cells[column].value
        if isinstance(value, Amount):
            return value
        if value is None or isinstance(value, str):
            return None
        kind = self._columns[column].kind
        return float(value), kind if kind in KINDS else ""

    def step(self, column: int) -> str:
        """Record the step of a cell, and those that it takes; return its id."""
        number = self.number(column)
        assert number is not None, "only numbers are asked about"
        named = _named(self._table, self._row, column)
        if named in self.trace and self.trace.value(named) == number[0]:
            return named
        told, formula = self._columns[column], self._cells[column].formula
        id = f"{self._name}{OF_CELL}{self._heads[column]}"
        if id in self.trace:
            return id
        applied = self._applied(formula)
        if applied is None:
            because = (
                told.because or self._in_words(self._heads[column], formula) or self._of_table()
            )
            inputs = tuple(self._taken(formula))
            self.trace.record(Step(id, "derived", *number, DERIVED, because, None, inputs))
        else:
            equation, inputs = applied
            source = equation.source
            step = Step(id, "computed", *number, source, told.because, equation, inputs)
            self.trace.record(step)
        return id

    def _applied(self, formula: str) -> tuple[AnyEquation, tuple[_Input, ...]] | None:
        """Return the equation that a formula is of cells of the row, with these."""
        if not isinstance(formula, LiveFormula):
            return None
        found = []
        for argument, cell in formula.cells.items():
            named = _NAMED.fullmatch(cell)
            number = self._number_of(named[1]) if named else None
            if named is None or number is None:
                return None
            found.append((argument, *number, self.step(self._at[named[1]])))
        return EQUATIONS[formula.equation], tuple(found)

    def _taken(self, formula: str) -> Iterator[_Input]:
        """Yield the cells of the row that a formula takes, by their headings."""
        for key in dict.fromkeys(_NAMED.findall(formula)):
            number = self._number_of(key)
            if number is not None:
                at = self._at[key]
                yield self._heads[at], *number, self.step(at)

    def _number_of(self, key: str) -> tuple[float, str] | None:
        return self.number(self._at[key]) if key in self._at else None

    def _in_words(self, name: str, formula: str) -> str:
        """Return a formula with the headings of its columns, where it takes no other cell."""
        known = _NAMED.sub(
            lambda m: self._heads[self._at[m[1]]] if m[1] in self._at else m[0], formula
        )
        return "" if not formula or _ADDRESS.search(known) else f"{name} = {known}"

    def _of_table(self) -> str:
        """Return what the table says of all its numbers, and the source that the row names."""
        at = self._at.get("source")
        source = "" if at is None else self._cells[at].value
        of_row = f"Source in the row: {source}." if source else ""
        said = (self._table.because,) if self._table.because else self._table.below
        return " ".join(one for one in (f"{self._table.title}.", *said, of_row) if one.strip("."))


def _row_name(table: TextTable, row: int) -> str:
    """Return what a row is of: the words that it begins with, as many as tell it from others."""
    names = [_leading(table, n) for n in range(len(table.cells))]
    mine = names[row]
    for count in range(1, len(mine) + 1):
        if sum(name[:count] == mine[:count] for name in names) == 1:
            return ", ".join(mine[:count])
    return ", ".join(mine) or f"{table.title} {row + 1}".strip()


def _leading(table: TextTable, row: int) -> list[str]:
    """Return the words that a row begins with."""
    found = []
    for cell in table.cells[row]:
        if not isinstance(cell.value, str):
            break
        if cell.value:
            found.append(cell.value)
    return found
