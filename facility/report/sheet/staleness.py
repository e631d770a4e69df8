"""Results of the engine read STALE once an input that they follow from differs from the export.

Which cells these are follows from the formulas: a number of the engine depends on the inputs that
reach it, a formula on all that its cells depend on. STALE is the value of the cell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from facility.report.sheet.entries import CHANGED, FIRST_CHANGED, Reach
from facility.report.sheet.model import Cell, Sheet, literal_text

STALE = "STALE"
COST_SHEET = "Cost"
"""Sheet whose amounts follow from prices by formula: its other amounts follow from the load."""

_PAID = "paid"
_ENGINE_ROLES = frozenset({"given", "pgiven", _PAID})
_ENGINE_WORDS = frozenset({"word", "finding", "choice", "outcome", "pchoice", "pwire"})
_TEXT = re.compile(r'"[^"]*"')
_SHEET = r"(?:('(?:[^']|'')+'|[A-Za-z]\w*)!)?"
_CELL = r"\$?([A-Z]{1,3})\$?(\d{1,7})"
_REFERENCE = re.compile(rf"(?<![\w.]){_SHEET}{_CELL}(?::{_CELL})?(?![\w(!])", re.ASCII)
_NAME = re.compile(r"(?<![\w.!'])[A-Za-z_]\w{2,}(?![\w(!'])", re.ASCII)


def stale_or(formula: str, reach: Reach) -> str:
    """Return a formula that is STALE once an input with this reach changes, else `formula`."""
    counts = "+".join(part.name_of_changed for part in Reach if part & reach)
    return f'IF({counts}>0,"{STALE}",{formula})'


def notice() -> tuple[str, str]:
    """Return the formula and the text of the line on the Cover about the inputs."""
    unchanged = "Inputs are as exported"
    changed = (
        f'{CHANGED}&" of the inputs changed since the export: "&{FIRST_CHANGED}'
        f'&". {STALE}: run facility import workbook."'
    )
    return f'IF({CHANGED}=0,"{unchanged}",{changed})', unchanged


def mark_stale(
    sheets: Sequence[Sheet], names: Mapping[str, str], reach: Mapping[tuple[str, int], Reach]
) -> None:
    """Make every cell that follows from the engine read STALE once its inputs change.

    names: Cells of the workbook names, without equals sign.
    reach: Inputs that all figures of a row follow from through the engine, by sheet name and row;
        default: LOAD, for those in the style of an engine result only.
    """
    found = _Dependence({sheet.quoted: sheet for sheet in sheets}, names, reach)
    for sheet in sheets:
        for (row, column), cell in list(sheet.cells.items()):
            depends = found.of(sheet.quoted, row, column)
            if depends:
                formula = cell.formula or (
                    literal_text(cell.value) if isinstance(cell.value, str) else repr(cell.value)
                )
                sheet.cells[row, column] = cell._replace(formula=stale_or(formula, depends))


def names_used(sheets: Sequence[Sheet]) -> set[str]:
    """Return the names referenced by formulas of the sheets, and words that look like names."""
    formulas = {cell.formula for sheet in sheets for cell in sheet.cells.values() if cell.formula}
    return {name for formula in formulas for name in _NAME.findall(_TEXT.sub("", formula))}


def without_conversions(sheets: Sequence[Sheet]) -> None:
    """Replace formulas that refer to numbers in other units than SI by their values.

    The formulas of equations hold in SI units only. A copy of one cell stays a formula.
    """
    at = {sheet.quoted: sheet for sheet in sheets if sheet.converted}
    for sheet in sheets if at else ():
        for (row, column), cell in list(sheet.cells.items()):
            if not cell.formula:
                continue
            text = _TEXT.sub("", cell.formula)
            found = _REFERENCE.findall(text)
            own = (row, column) in sheet.converted
            others = [_reaches(at.get(one[0] or sheet.quoted), one) for one in found]
            linear = len(found) == 1 and (_REFERENCE.fullmatch(text) or text.startswith("SUM("))
            if (own != others[0]) if linear else (own or any(others)):
                role, _, form = cell.style.partition(".")
                number = isinstance(cell.value, int | float)
                style = f"given.{form}" if number and role in ("calc", "total") else cell.style
                sheet.cells[row, column] = cell._replace(formula="", style=style)


def _reaches(sheet: Sheet | None, reference: Sequence[str]) -> bool:
    """Return whether a reference includes a cell in other units than SI."""
    if sheet is None:
        return False
    _, column, row, last_column, last_row = reference
    left, top = _number(column), int(row)
    right, bottom = (_number(last_column), int(last_row)) if last_row else (left, top)
    return any(top <= r <= bottom and left <= c <= right for r, c in sheet.converted)


@dataclass
class _Dependence:
    """Inputs that the cells of a workbook depend on through the engine."""

    sheets: Mapping[str, Sheet]
    names: Mapping[str, str]
    reach: Mapping[tuple[str, int], Reach]
    known: dict[tuple[str, int, int], Reach] = field(default_factory=dict)
    parsed: dict[tuple[str, str], Reach] = field(default_factory=dict)

    def of(self, quoted: str, row: int, column: int) -> Reach:
        key = (quoted, row, column)
        if key not in self.known:
            self.known[key] = Reach.NONE  # Ends a circle
            sheet = self.sheets.get(quoted)
            cell = None if sheet is None else sheet.cells.get((row, column))
            if sheet is not None and cell is not None:
                self.known[key] = self._of_cell(sheet, row, cell)
        return self.known[key]

    def _of_cell(self, sheet: Sheet, row: int, cell: Cell) -> Reach:
        whole = (sheet.name, row) in self.reach
        engine = self.reach.get((sheet.name, row), Reach.LOAD)
        if cell.formula:
            found = self._of_formula(sheet.quoted, cell.formula)
            return found | engine if whole else found
        role = cell.style.partition(".")[0]
        number = isinstance(cell.value, int | float) and not isinstance(cell.value, bool)
        if number and (role in _ENGINE_ROLES or (whole and role in ("number", "calc"))):
            priced = Reach.COST if role == _PAID and sheet.name != COST_SHEET else Reach.NONE
            return engine | priced
        words = isinstance(cell.value, str) and cell.value
        if words and (role in _ENGINE_WORDS or (whole and role == "verdict")):
            return engine
        return Reach.NONE

    def _of_formula(self, quoted: str, formula: str) -> Reach:
        key = (quoted, formula)
        if key in self.parsed:
            return self.parsed[key]
        text = _TEXT.sub("", formula)
        found = Reach.NONE
        for name in _NAME.findall(text):
            if name in self.names:
                found |= self._of_formula("", self.names[name])
        for sheet, column, row, last_column, last_row in _REFERENCE.findall(text):
            at = sheet or quoted
            left, top = _number(column), int(row)
            right, bottom = (_number(last_column), int(last_row)) if last_row else (left, top)
            for across in range(left, right + 1):
                for down in range(top, bottom + 1):
                    found |= self.of(at, down, across)
        self.parsed[key] = found
        return found


def _number(letters: str) -> int:
    found = 0
    for letter in letters:
        found = 26 * found + ord(letter) - 64
    return found
