"""Derivation of a table cell: a separate step in the terms of the table."""

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


class ExplainedCell(NamedTuple):
    """Id to explain for a cell, and the known steps."""

    id: str
    known: Known


def cell_of(table: TextTable, row: int, head: str, *known: Known) -> ExplainedCell | None:
    """Return the id to explain for a table cell; None for a cell without a number.

    It is the known result or step of its row or column; otherwise the cell itself, with the row
    cells used by its formula.

    known: Known results and steps in the context of the table, in search order.
    """
    column = list(table.heads).index(head)
    id = _named(table, row, column)
    if not table.cells:
        knows = next((one for one in known if id in one), known[-1])
        return ExplainedCell(id, knows) if id else None
    explained = _ExplainedRow(table, row, known[0])
    found = next((one for one in known if _matches(one, id, explained.number(column))), None)
    if found is not None:
        return ExplainedCell(id, found)
    if explained.number(column) is None:
        return None
    id = explained.step(column)
    return ExplainedCell(id, replace(known[0], trace=explained.trace))


def _named(table: TextTable, row: int, column: int) -> str:
    """Return the declared result or step of a cell; empty if none."""
    if table.keys:
        of_row = table.keys[row]
        return of_row if isinstance(of_row, str) else of_row.get(table.heads[column], "")
    return table.cells[row][column].id if table.cells else ""


def _matches(known: Known, id: str, number: tuple[float, str] | None) -> bool:
    """Return whether `id` is known, and for a cell number, has the same value."""
    if number is None or id not in known:
        return id in known
    if id in known.trace:
        return known.trace.value(id) == number[0]
    return id in known.results and known.results[id].si == number[0]


class _ExplainedRow:
    """Row whose cells are added as steps to the known steps."""

    def __init__(self, table: TextTable, row: int, known: Known) -> None:
        self._table, self._row = table, row
        self._cells, self._columns, self._heads = table.cells[row], table.columns, table.heads
        self._at = {column.key: n for n, column in enumerate(table.columns)}
        self._name = _row_name(table, row)
        self.trace = known.trace.draft()

    def number(self, column: int) -> tuple[float, str] | None:
        """Return the number of a cell in SI with its kind; None for text and empty cells."""
        value = self._cells[column].value
        if isinstance(value, Amount):
            return value
        if value is None or isinstance(value, str):
            return None
        kind = self._columns[column].kind
        return float(value), kind if kind in KINDS else ""

    def step(self, column: int) -> str:
        """Record the step of a cell and its inputs; return its id."""
        number = self.number(column)
        assert number is not None, "only numbers are asked about"
        named = _named(self._table, self._row, column)
        if named in self.trace and self.trace.value(named) == number[0]:
            return named
        info, formula = self._columns[column], self._cells[column].formula
        id = f"{self._name}{OF_CELL}{self._heads[column]}"
        if id in self.trace:
            return id
        applied = self._applied(formula)
        if applied is None:
            because = (
                info.because or self._in_words(self._heads[column], formula) or self._of_table()
            )
            inputs = tuple(self._taken(formula))
            self.trace.record(Step(id, "derived", *number, DERIVED, because, None, inputs))
        else:
            equation, inputs = applied
            source = equation.source
            step = Step(id, "computed", *number, source, info.because, equation, inputs)
            self.trace.record(step)
        return id

    def _applied(self, formula: str) -> tuple[AnyEquation, tuple[_Input, ...]] | None:
        """Return the equation of a formula on row cells, with its inputs."""
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
        """Yield the row cells used by a formula, by heading."""
        for key in dict.fromkeys(_NAMED.findall(formula)):
            number = self._number_of(key)
            if number is not None:
                at = self._at[key]
                yield self._heads[at], *number, self.step(at)

    def _number_of(self, key: str) -> tuple[float, str] | None:
        return self.number(self._at[key]) if key in self._at else None

    def _in_words(self, name: str, formula: str) -> str:
        """Return a formula with column headings, if it uses no other cell."""
        known = _NAMED.sub(
            lambda m: self._heads[self._at[m[1]]] if m[1] in self._at else m[0], formula
        )
        return "" if not formula or _ADDRESS.search(known) else f"{name} = {known}"

    def _of_table(self) -> str:
        """Return the basis of the table numbers, and the source named in the row."""
        at = self._at.get("source")
        source = "" if at is None else self._cells[at].value
        of_row = f"Source in the row: {source}." if source else ""
        basis = (self._table.because,) if self._table.because else self._table.below
        return " ".join(one for one in (f"{self._table.title}.", *basis, of_row) if one.strip("."))


def _row_name(table: TextTable, row: int) -> str:
    """Return the name of a row: its leading texts, as many as needed to be unique."""
    names = [_leading(table, n) for n in range(len(table.cells))]
    mine = names[row]
    for count in range(1, len(mine) + 1):
        if sum(name[:count] == mine[:count] for name in names) == 1:
            return ", ".join(mine[:count])
    return ", ".join(mine) or f"{table.title} {row + 1}".strip()


def _leading(table: TextTable, row: int) -> list[str]:
    """Return the leading texts of a row."""
    found = []
    for cell in table.cells[row]:
        if not isinstance(cell.value, str):
            break
        if cell.value:
            found.append(cell.value)
    return found
