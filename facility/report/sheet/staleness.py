"""Out-of-date marking of a workbook once an input cell differs from the export.

Loads, settings and panel schedules are live formulas all the way. All other sheets depend on
figures that only the engine can compute, and show STALE once an input changes: the
hidden sheet ``_inputs`` contains each input as exported and counts differences, the Cover names
them,
and the sheets of the engine show STALE in place of their numbers and verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from facility.core.rounding import IN_CELLS
from facility.report.sheet.model import (
    Cell,
    CellValue,
    Conditional,
    Ref,
    Sheet,
    Span,
    column_letter,
)

INPUTS_SHEET = "_inputs"
CHANGED = "Inputs_Changed"
"""Workbook name of the number of inputs that differ from those exported."""

FIRST_CHANGED = "First_Input_Changed"
"""Workbook name of the text that names the first changed input."""

_INPUT_ROLES = frozenset({"input", "inputword", "pinputcell", "ptrip", "pinput"})
_MIN_SIGNED = 4
_FIRST = 3


class _Watched(NamedTuple):
    """An input, or a column of numbers as one: its name, and formula, value and scale."""

    label: str
    formula: str
    value: CellValue
    scale: float


def stale_or(formula: str) -> str:
    """Return a formula that shows STALE once an input changes, else `formula`."""
    return f'IF({CHANGED}>0,"STALE",{formula})'


def notice() -> tuple[str, str]:
    """Return the formula and the text of the line on the Cover about the inputs."""
    unchanged = "Inputs are as exported"
    changed = (
        f'{CHANGED}&" changed since the export: "&{FIRST_CHANGED}&". STALE: only the'
        ' engine can compute this; change the project and export again."'
    )
    return f'IF({CHANGED}=0,"{unchanged}",{changed})', unchanged


def inputs_sheet(sheets: Sequence[Sheet]) -> tuple[Sheet, dict[str, str]]:
    """Return the hidden sheet of the inputs as exported, and the workbook names of its results."""
    sheet = Sheet(INPUTS_SHEET, hidden=True)
    sheet.row(2, 1, ("input", "now", "as exported", "changed"), "label")
    row = _FIRST
    for watched in (found for one in sheets for found in _watched(one)):
        sheet.put(row, 1, watched.label, "text")
        sheet.formula(row, 2, watched.formula, watched.value, "text")
        sheet.put(row, 3, watched.value, "text")
        sheet.formula(row, 4, _differs(row, watched), 0, "text")
        row += 1
    labels, flags = (f"${x}${_FIRST}:${x}${max(row - 1, _FIRST)}" for x in "AD")
    more = 'IF($D$1>1," and others","")'
    first = f'IF($D$1=0,"",INDEX({labels},MATCH(1,{flags},0))&{more})'
    words = sheet.formula(1, 1, first, "", "text")
    count = sheet.formula(1, 4, f"SUM({flags})", 0, "text")
    return sheet, {CHANGED: str(count), FIRST_CHANGED: str(words)}


def mark_stale(sheet: Sheet) -> None:
    """Show STALE in place of the numbers and verdicts of `sheet` once an input changes."""
    area = Span(1, 1, max(row for row, _ in sheet.cells), max(column for _, column in sheet.cells))
    changed = f"{CHANGED}>0"
    rules = [Conditional(span, changed, "staleword") for span in _verdicts(sheet)]
    sheet.conditionals[:0] = [*rules, Conditional(area, changed, "stale")]


def _verdicts(sheet: Sheet) -> Iterator[Span]:
    positions = sorted(
        (column, row) for (row, column), cell in sheet.cells.items() if _role(cell) == "verdict"
    )
    for column, rows in _runs(positions):
        yield Span(rows[0], column, rows[-1], column)


def _runs(positions: Sequence[tuple[int, int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield column and rows of vertically adjacent cells."""
    for (column, _), found in groupby(enumerate(positions), lambda p: (p[1][0], p[1][1] - p[0])):
        yield column, [row for _, (_, row) in found]


def _role(cell: Cell) -> str:
    return cell.style.partition(".")[0]


def _is_input(cell: Cell) -> bool:
    """Return whether a cell is a numeric input; header text is for readers only."""
    role = _role(cell)
    return not cell.formula and role in _INPUT_ROLES and (role != "pinput" or _is_number(cell))


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.value, int | float) and not isinstance(cell.value, bool)


def _number(cell: Cell) -> float:
    return float(cell.value) if isinstance(cell.value, int | float) else 0.0


def _watched(sheet: Sheet) -> Iterator[_Watched]:
    """Yield the inputs of a sheet; a column of several numbers is watched as one."""
    columns: dict[int, list[int]] = {}
    for (row, column), cell in sheet.cells.items():
        if _is_input(cell):
            columns.setdefault(column, []).append(row)
    for column, rows in sorted(columns.items()):
        rows.sort()
        numbers = [sheet.cells.get((row, column)) for row in range(rows[0], rows[-1] + 1)]
        signed = all(cell is None or cell.value is None or _is_number(cell) for cell in numbers)
        if signed and len(rows) >= _MIN_SIGNED:
            yield _column(sheet, column, rows[0], rows[-1])
        else:
            yield from (_cell(sheet, row, column) for row in rows)


def _column(sheet: Sheet, column: int, first: int, last: int) -> _Watched:
    """Return a column of numbers as one: their sum, each weighted by its row."""
    span = f"{sheet.quoted}!{Span(first, column, last, column).fixed}"
    cells = ((row, sheet.cells.get((row, column))) for row in range(first, last + 1))
    terms = [_number(cell) * row for row, cell in cells if cell is not None]
    label = f"{sheet.name}, column {column_letter(column)}, rows {first} to {last}"
    formula = f'IFERROR(SUMPRODUCT({span}*ROW({span})),"text")'
    return _Watched(label, formula, sum(terms), sum(abs(term) for term in terms))


def _cell(sheet: Sheet, row: int, column: int) -> _Watched:
    cell = sheet.cells[row, column]
    address = Ref(sheet.quoted, row, column)
    title = sheet.cells.get((row, 1))
    words = f" ({title.value})" if title is not None and isinstance(title.value, str) else ""
    scale = abs(_number(cell))
    blank = cell.value is None
    formula = f'IF({address}="","",{address})' if blank else str(address)
    value = "" if blank else cell.value
    return _Watched(f"{sheet.name} {address.here}{words}", formula, value, scale)


def _differs(row: int, watched: _Watched) -> str:
    """Return the formula that is 1 if an input differs from the export, else 0."""
    now, then = f"$B{row}", f"$C{row}"
    if isinstance(watched.value, str):
        return f"IF({now}={then},0,1)" if watched.value else f'IF({now}="",0,1)'
    return f"IF(ISNUMBER({now}),IF(ABS({now}-{then})>{IN_CELLS}*{1.0 + watched.scale!r},1,0),1)"
