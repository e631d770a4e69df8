"""The sheet of scenarios: inputs that differ, results with live differences, verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from facility.report.scenarios.tables import (
    figures_table,
    input_rows,
    inputs_table,
    verdict_table,
)
from facility.report.sheet.grid import Column, SheetTable, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.scenarios import Scenarios

_VERDICT: SheetTable[Values] = SheetTable(
    "Verdict", (Column("name", "Scenario", 34), Column("verdict", "Buildable?", 60)), 0
)


def scenarios_sheet(found: Scenarios, verdicts: Sequence[str], page_setup: PageSetup) -> Sheet:
    """Return the sheet; `verdicts` are those on the project and on each scenario."""
    sheet = Sheet("Scenarios", page=page_setup.page(large=True, fit_height=1), freeze=(4, 2))
    write_heading(sheet, "Scenarios", f"{found.base.title}; what each change makes of it.")
    figures = figures_table(found)
    sheet.set_widths(*(column.width for column in figures.columns))
    row = inputs_table(found).write(sheet, 4, input_rows(found)).row + 1
    row = figures.write(sheet, row, found.figures).row + 1
    told = verdict_table(found, verdicts).rows
    _VERDICT.write(sheet, row, ({"name": name, "verdict": word} for name, word in told))
    fit_heights(sheet, 4)
    return sheet
