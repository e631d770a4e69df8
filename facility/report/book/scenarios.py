"""Scenarios: inputs that differ, results with differences, verdicts; as texts, CSV and sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from facility.core.table import csv_text
from facility.core.views import System, show, show_difference
from facility.model.inputs.change import normal_path
from facility.model.inputs.document import Project, as_typed
from facility.report.sheet.entries import stated
from facility.report.sheet.grid import Amount, Column, GridValue, SheetTable, TextTable, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, unit_of, write_heading
from facility.report.tables.summary import LABELS
from facility.report.tables.verdict import headline
from facility.study.scenarios import FLOOR, VIOLATIONS, WARNINGS, ScenarioFigure, Scenarios

DESIGNED = "designed"
"""Text, displayed and typed, for a field sized by the design."""
BASE = "Project"
_NAMES = {VIOLATIONS: "Violations", WARNINGS: "Warnings", FLOOR: "Hall floor area"}


def name_of(key: str) -> str:
    """Return the label of a scenario figure."""
    return _NAMES.get(key) or LABELS[key]


def text_at(project: Project, path: str) -> str:
    """Return the text of a project at a path; `DESIGNED` if not specified."""
    value = stated(as_typed(project), normal_path(path))
    if value is None:
        return DESIGNED
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ", ".join(value)
    return "(section)" if isinstance(value, Mapping | list) else str(value)


def input_rows(found: Scenarios) -> Iterator[Values]:
    """Yield the fields that differ: path, and text in the project and in each scenario."""
    for path in found.paths:
        base = text_at(found.base.project, path)
        row: dict[str, GridValue] = {"path": path, "base": base}
        for number, one in enumerate(found.scenarios):
            row[f"s{number}"] = (one.changes[path] or DESIGNED) if path in one.changes else base
        yield row


def inputs_table(found: Scenarios) -> SheetTable[Values]:
    """Return the table of the inputs that differ."""
    heads = [(f"s{n}", one.name) for n, one in enumerate(found.scenarios)]
    columns: list[Column[Values]] = [Column("path", "Input", 34), Column("base", BASE, 18)]
    return SheetTable(
        "Inputs that differ", (*columns, *(Column(key, h, 18) for key, h in heads)), 0
    )


def figures_table(found: Scenarios) -> SheetTable[ScenarioFigure]:
    """Return the table of results, with the project result and the change for each scenario."""
    columns: list[Column[ScenarioFigure]] = [
        Column("name", "Result", 34, of=lambda f: name_of(f.key)),
        Column("unit", "Unit", 11, door="sheet", of=lambda f: unit_of(f.kind)),
        Column("base", BASE, 16, of=lambda f: _amount(f.base, f.kind)),
    ]
    for n, one in enumerate(found.scenarios):
        columns.append(Column(f"s{n}", one.name, 16, of=partial(_value, n)))
        changes: tuple[Column[ScenarioFigure], ...] = (
            Column(f"d{n}", f"{one.name}, change", 16, "", f"{{s{n}}}-{{base}}",
                   of=partial(_change, n), live=partial(_has_change, n)),
            Column(f"p{n}", f"{one.name}, change (%)", 12, "fraction",
                   f'IF({{base}}=0,"",({{s{n}}}-{{base}})/{{base}})', of=partial(_share, n),
                   live=partial(_has_change, n)),
        )  # fmt: skip
        for column in changes:
            in_text = partial(_if_shown, n, column.value)
            columns += [replace(column, door="sheet"), replace(column, door="text", of=in_text)]
    return SheetTable("Results", tuple(columns))


def verdict_table(found: Scenarios) -> TextTable:
    """Return the verdicts on the project and on each scenario, from all their studies."""
    rows = [(BASE, headline(found.checks))]
    for one in found.scenarios:
        rows.append((one.name, headline(one.checks) if one.error is None else str(one.error)))
    return TextTable("Verdict", ("Scenario", "Verdict"), rows)


def scenarios_csv(found: Scenarios, system: System) -> bytes:
    """Return inputs, results and verdicts as one CSV file; numbers carry their units."""
    rows: list[Sequence[str]] = []
    for table in (
        inputs_table(found).text(input_rows(found), system),
        figures_table(found).text(found.figures, system),
        verdict_table(found),
    ):
        # Spreadsheets interpret a text that begins so as a formula.
        cells = (
            [(f"'{cell}" if cell[:1] in ("=", "@", "\t", "\r") else cell) for cell in row]
            for row in table.rows
        )
        rows += [[table.title], table.heads, *cells, []]
    return csv_text(rows).encode("utf-8")


def _amount(si: float | None, kind: str) -> GridValue:
    return None if si is None else Amount(si, kind)


def _value(index: int, figure: ScenarioFigure) -> GridValue:
    return _amount(figure.values[index], figure.kind)


def _change(index: int, figure: ScenarioFigure) -> GridValue:
    return _amount(figure.change(index), figure.kind)


def _share(index: int, figure: ScenarioFigure) -> GridValue:
    change = figure.change(index)
    if change is None or not figure.base or figure.kind == "fraction":
        return None
    return change / figure.base


def _if_shown(
    index: int, of: Callable[[ScenarioFigure], GridValue], figure: ScenarioFigure
) -> GridValue:
    """Return a change, of a share in percentage points; zero if the displayed values are equal."""
    value, sides = of(figure), (figure.base, figure.values[index])
    texts = {show(side, figure.kind) for side in sides if side is not None and figure.kind}
    is_shown = value is None or len(texts) > 1 or not figure.kind
    if isinstance(value, Amount):
        by = value if is_shown else Amount(0.0, figure.kind)
        return show_difference(by.si, by.kind) if by.kind == "fraction" else by
    return value if is_shown else 0.0


def _has_change(index: int, figure: ScenarioFigure) -> bool:
    return figure.change(index) is not None


_VERDICT: SheetTable[Values] = SheetTable(
    "Verdict", (Column("name", "Scenario", 34), Column("verdict", "Verdict", 60)), 0
)


def scenarios_sheet(found: Scenarios, page_setup: PageSetup) -> Sheet:
    """Return the sheet of a comparison."""
    sheet = Sheet("Scenarios", page=page_setup.page(large=True, fit_height=1), freeze=(4, 2))
    write_heading(sheet, "Scenarios", f"{found.base.title}; effect of each change.")
    figures = figures_table(found)
    sheet.set_widths(*(column.width for column in figures.columns))
    row = inputs_table(found).write(sheet, 4, input_rows(found)).row + 1
    row = figures.write(sheet, row, found.figures).row + 1
    rows = verdict_table(found).rows
    _VERDICT.write(sheet, row, ({"name": name, "verdict": word} for name, word in rows))
    fit_heights(sheet, 4)
    return sheet
