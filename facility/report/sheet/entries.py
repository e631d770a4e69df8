"""The inputs of a workbook: one sheet, one row for each input cell that a formula refers to.

A value becomes an input when a formula cites it, so that something follows from every unlocked
cell. Each row has the field of the project it states, a stable cell name made from that field, the
value as exported and whether the two differ. Only these cells are unlocked.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from enum import IntFlag
from typing import NamedTuple

from facility.core.kinds import KINDS
from facility.core.rounding import IN_CELLS
from facility.core.views import view_unit
from facility.report.sheet.lines import Cited
from facility.report.sheet.model import Conditional, Ref, Sheet, SheetListObject, Span, Validation
from facility.report.sheet.tables import (
    PageSetup,
    Shown,
    in_units,
    shown,
    system_of_units,
    write_heading,
)

INPUTS_SHEET = "Inputs"
INPUTS_TABLE = "Input_Cells"
HEADS = (
    "Input",
    "Value",
    "Unit",
    "As exported",
    "Changed",
    "Project field",
    "Cell name",
    "Engine results that follow",
)
HEAD_ROW = 4
UNITS_CELL = (3, 2)
"""Row and column of the system of units."""

CHANGED = "Inputs_Changed"
"""Workbook name of the number of inputs that differ from those exported."""

FIRST_CHANGED = "First_Input_Changed"
"""Workbook name of the text that names the first changed input."""

_NOT_IN_NAME = re.compile(r"[^A-Za-z0-9]+")


class Reach(IntFlag):
    """Engine results that follow from an input, and are not formulas of the workbook."""

    NONE = 0
    LOAD = 1  # Every result of the engine
    LIMIT = 2  # Checks and verdicts
    COST = 4  # Costs of alternatives, ranges of prices
    DEFAULT = 8  # Checks of defaults, and counts of all checks

    @property
    def words(self) -> str:
        """Name on the sheet."""
        if self & Reach.LOAD:
            return "all"
        words = [word for part, word in _WORDS.items() if part & self]
        return ", ".join(words) or "none"

    @property
    def name_of_changed(self) -> str:
        """Workbook name of the number of changed inputs with this reach."""
        return f"Changed_{(self.name or '').capitalize()}"


_WORDS = {Reach.LOAD: "all", Reach.LIMIT: "checks", Reach.COST: "cost", Reach.DEFAULT: "default"}


class InputCell(NamedTuple):
    """One input: a field of the project, and its value as exported."""

    path: str  # Field of the project, as in `--set`
    label: str
    si: float
    kind: str
    unit: str  # Unit token in which the cell states it; empty for a number
    reach: Reach
    # Condition with `{now}` and `{was}` under which an input of another reach has reach LOAD
    load_if: str = ""

    @property
    def name(self) -> str:
        """Name of its cell."""
        return cell_name(self.path)

    @property
    def shown(self) -> Shown:
        """Its number as typed: without digits of the conversion."""
        bare = self.kind in ("", "count", "ratio", "fraction")
        with in_units("si"):
            number = shown(self.si, self.kind, "" if bare else self.unit)
        unit = self.unit if bare else number.unit
        return Shown(float(f"{number.value:.12g}"), number.format, unit)

    def text(self, value: float) -> str:
        """Return a value of the cell as the project states it, with its unit."""
        return f"{value:.15g} {self.unit}".strip()


def cell_name(path: str) -> str:
    """Return the workbook name of the cell of a field: ``it_demand_factor``."""
    return _NOT_IN_NAME.sub("_", path).strip("_")


def stated(typed: object, path: str) -> object:
    """Return the text of a field as typed in the project; None if not stated."""
    for part in path.split("."):
        if isinstance(typed, list) and part.isdigit() and int(part) < len(typed):
            typed = typed[int(part)]
        else:
            typed = typed.get(part) if isinstance(typed, dict) else None
    return typed


@dataclass
class Entries:
    """The inputs cited so far, in order, by field.

    `typed` is the project as typed: an input that it does not state is a default, whose change
    reaches the checks of defaults too.
    """

    typed: Mapping[str, object] = field(default_factory=dict)
    entries: dict[str, InputCell] = field(default_factory=dict)

    def cite(
        self,
        path: str,
        label: str,
        si: float,
        kind: str,
        reach: Reach,
        unit: str = "",
        load_if: str = "",
    ) -> str:
        """Return the name of the cell of an input, for a formula; its row is added once.

        path: Field of the project, as in `--set`.
        si: Value in SI.
        unit: Unit token of the kind, where it is not that of the view.
        load_if: Condition under which its reach is LOAD, see `InputCell`.
        """
        if path not in self.entries:
            reach |= Reach.NONE if self.states(path) else Reach.DEFAULT
            bare = kind not in KINDS or kind in ("fraction", "ratio", "count")
            token = unit or ("" if bare else view_unit(kind))
            self.entries[path] = InputCell(path, label, float(si), kind, token, reach, load_if)
        return self.entries[path].name

    def widen(self, *starts: str) -> None:
        """Make all engine results depend on the inputs whose field begins with one of `starts`."""
        for path, one in self.entries.items():
            if path.startswith(starts):
                self.entries[path] = one._replace(reach=one.reach | Reach.LOAD)

    def states(self, path: str) -> bool:
        """Return whether the project states a field."""
        return stated(self.typed, path) is not None

    def link(
        self, sheet: Sheet, cited: Cited, path: str, label: str, reach: Reach, unit: str = ""
    ) -> None:
        """Make a number of a sheet refer to the cell of an input."""
        name = self.cite(path, label, cited.si, cited.kind, reach, unit)
        sheet.make_live(cited.cell.row, cited.cell.column, name)

    def used(self, names: Container[str]) -> Entries:
        """Return the inputs whose cells formulas refer to by these names."""
        kept = {path: one for path, one in self.entries.items() if one.name in names}
        return Entries(self.typed, kept)

    def sheet(self, page_setup: PageSetup) -> tuple[Sheet, dict[str, str]]:
        """Return the sheet, and the workbook names of its cells and counts."""
        sheet = Sheet(INPUTS_SHEET, freeze=(HEAD_ROW + 1, 2), protected=True)
        write_heading(
            sheet,
            "Inputs",
            "The only cells that may be changed. Equipment, panels and positions stay as exported; "
            "facility import workbook writes changed inputs into the project and runs it again.",
        )
        sheet.row(HEAD_ROW, 1, HEADS, "head")
        names: dict[str, str] = {}
        row = HEAD_ROW
        for row, entry in enumerate(self.entries.values(), start=HEAD_ROW + 1):
            number, words = entry.shown, entry.reach.words
            sheet.put(row, 1, entry.label, "cell")
            cell = sheet.put(row, 2, number.value, f"input.{number.format}")
            sheet.put(row, 3, number.unit, "cell")
            was = sheet.put(row, 4, number.value, f"number.{number.format}")
            sheet.formula(row, 5, _differs(cell, was), 0, "calc.n0")
            sheet.row(row, 6, (entry.path, entry.name, words), "cell")
            if entry.load_if:
                condition = entry.load_if.format(now=cell.here, was=was.here)
                formula = f'IF({condition},"{Reach.LOAD.words}","{words}")'
                sheet.formula(row, 8, formula, words, "cell")
            names[entry.name] = str(cell)
        last = max(row, HEAD_ROW + 1)
        names |= self._counts(sheet, last)
        area = Span(HEAD_ROW, 1, last, len(HEADS))
        if self.entries:
            sheet.tables.append(SheetListObject(INPUTS_TABLE, area))
        values = Span(HEAD_ROW + 1, 2, last, 2)
        sheet.validations.append(
            Validation(values, minimum=0.0, stop=True, message="A number of at least 0.")
        )
        changed = f"$E{HEAD_ROW + 1}=1"
        sheet.conditionals.append(Conditional(values, changed, "warn"))
        sheet.set_widths(46, 15, 14, 15, 10, 44, 40, 26)
        sheet.page = page_setup.page(
            repeat_rows=(HEAD_ROW, HEAD_ROW), area=Span(1, 1, last, len(HEADS))
        )
        return sheet, names

    def _counts(self, sheet: Sheet, last: int) -> dict[str, str]:
        """Write the counts of changed inputs, all and by reach; return their names."""
        flags, labels, reach = (f"${x}${HEAD_ROW + 1}:${x}${last}" for x in "EAH")
        count = sheet.formula(3, 5, f"SUM({flags})", 0, "calc.n0")
        sheet.put(3, 4, "changed", "label")
        sheet.put(*UNITS_CELL, system_of_units().upper(), "center")
        sheet.put(3, 3, "units", "label")
        more = f'IF({count.fixed}>1," and others","")'
        first = f'IF({count.fixed}=0,"",INDEX({labels},MATCH(1,{flags},0))&{more})'
        words = sheet.formula(3, 1, first, "", "note")
        names = {CHANGED: str(count), FIRST_CHANGED: str(words)}
        for column, part in enumerate(_WORDS, start=len(HEADS) + 2):
            sheet.put(2, column, f"changed: {_WORDS[part]}", "label")
            formula = f'SUMIFS({flags},{reach},"*{_WORDS[part]}*")'
            if part is not Reach.LOAD:
                formula += f'+SUMIFS({flags},{reach},"all")'
            cell = sheet.formula(3, column, formula, 0, "text")
            names[part.name_of_changed] = str(cell)
        return names


def _differs(cell: Ref, was: Ref) -> str:
    """Return the formula that is 1 if an input differs from the export, else 0."""
    now, then = cell.here, was.here
    return f"IF(ISNUMBER({now}),IF(ABS({now}-{then})>{IN_CELLS}*ABS({then}),1,0),1)"
