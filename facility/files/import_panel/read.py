"""Import of a panel from a workbook or CSV file, with all differences for review.

Nothing is applied here: the result contains the panel of the file, the differences from the design
and errors by cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from facility.core.errors import FacilityError, unknown
from facility.files.circuit_table.header import facts_of_option
from facility.files.circuit_table.headings import Headings
from facility.files.circuit_table.lines import MAX_ROWS
from facility.files.circuit_table.read import MAX_BYTES, TableAnswers, is_table, read_table
from facility.files.circuit_table.stacked import panel_name, stacked_tables
from facility.files.import_panel.merge import Difference, Match, circuit_differences, same
from facility.files.incoming.grid import ReadBook, ReadCells, open_book
from facility.files.incoming.text_table import decoded, text_table
from facility.files.io.read_text import read_bytes
from facility.files.panel_csv.cabinet import is_cabinet_csv, panel_blocks
from facility.files.panel_csv.document import read_panel_csv, with_partner_states, write_panel_csv
from facility.files.workbook.reading import HEAD_ROWS
from facility.files.workbook.render import collector_resting
from facility.power.panels.board.model import Panel, check_layout
from facility.report.book.log import PROJECT_SHEET
from facility.report.sheet.entries import INPUTS_SHEET
from facility.study.design.design import Design

TABLE_ROWS = 8 * (MAX_ROWS + 2 * HEAD_ROWS)
"""Rows of a sheet that are read: tables, what is above them, and some below."""
_HEADER = (
    ("System", "system", "system"),
    ("Poles", "poles", "poles"),
    ("Bus A", "bus", "bus_a"),
    ("Main A", "main", "main_a"),
)
"""Data of a panel that a table may state: label, key of its header, and attribute."""


@dataclass(frozen=True)
class PanelImport:
    """Panel as read from a file."""

    sheet: str  # Sheet of the workbook, or name of the file
    panel: Panel  # The panel; complete only where there are no `problems`
    compared: bool  # Whether there was a design to compare with
    differences: tuple[Difference, ...]  # What the file states otherwise than the design
    problems: tuple[FacilityError, ...]  # What cannot be read, each with its cell
    notes: tuple[str, ...]  # What was left aside
    headings: Headings  # Of the table
    power_factor: bool = True  # Whether the power factors are stated

    def csv(self) -> str:
        """Return the panel as the text of a panel CSV, verified by reading it back.

        Raises the first of the `problems`, or as `read_panel_csv`.
        """
        if self.problems:
            raise self.problems[0]
        text = write_panel_csv(self.panel, power_factor=self.power_factor)
        read_panel_csv(text, self.sheet)
        return text


def import_panel(
    path: Path,
    *,
    sheet: str | None = None,
    against: Design | None = None,
    answers: TableAnswers | None = None,
) -> tuple[PanelImport, ...]:
    """Return the panels of the file; for a workbook, the panels of all its tables.

    path: Workbook (.xlsx), or text table with commas, semicolons or tabs.
    sheet: Only sheet to read.
    against: Design to compare with.
    answers: What the user states in addition to the cells.

    Raises for a rejected file (exit code 6), ``NO_SHEET``, ``NO_PROJECT``, ``NO_PANEL``, missing
    table headings and missing data of the panel.
    """
    options = answers or TableAnswers()
    if options.power_factor is not None and not 0.0 < options.power_factor <= 1.0:
        raise FacilityError(
            "NOT_A_POWER_FACTOR",
            "power-factor",
            f"{options.power_factor:g} is not a power factor.",
            "Enter a value above 0, at most 1.",
        )
    if path.suffix.lower() not in (".xlsx", ".xlsm", ".xls"):
        content = read_bytes(path, MAX_BYTES)
        text = decoded(content, path.name)
        if is_cabinet_csv(text):
            lines = text.splitlines()
            first = int(bool(lines) and not lines[0].lower().replace(" ", "").startswith("#panel"))
            blocks = panel_blocks(lines, path.name, first)
            return tuple(_of_table(block, against, options) for block in blocks)
        return _of_tables(text_table(content, path.name, MAX_BYTES), against, options)
    with collector_resting():
        with open_book(path) as book:
            grids = [book.grid(name, TABLE_ROWS) for name in _tables(book, sheet, options)]
        return tuple(one for grid in grids for one in _of_tables(grid, against, options))


def only_panel(
    path: Path, sheet: str | None = None, answers: TableAnswers | None = None
) -> PanelImport:
    """Return the only panel of a file.

    Raises as `import_panel`; ``BALANCE_OPTION`` for a workbook with several.
    """
    found = import_panel(path, sheet=sheet, answers=answers)
    if len(found) > 1:
        names = ", ".join(one.sheet for one in found[:8])
        raise FacilityError(
            "BALANCE_OPTION",
            "--sheet",
            f"the file contains {len(found)} panels.",
            f"Add --sheet with one of {names}."
            if len({one.sheet for one in found}) == len(found)
            else f"Add --panel with one of {', '.join(one.panel.tag for one in found[:8])}.",
        )
    return found[0]


def load_panel(path: Path) -> Panel:
    """Return the only panel of a file with its circuits, in the states that partners cause.

    Raises the first problem of the file, and as `only_panel`.
    """
    found = only_panel(path)
    if found.problems:
        raise found.problems[0]
    return with_partner_states(found.panel)


def _tables(book: ReadBook, sheet: str | None, options: TableAnswers) -> list[str]:
    """Return the names of the sheets with a table: the given one, or all found."""
    own = INPUTS_SHEET in book.book.sheets and PROJECT_SHEET in book.book.sheets
    if sheet is not None and not own:
        return [sheet]
    heads = {} if own else book.heads()
    tables = [name for name, head in heads.items() if is_table(head, options)]
    if not tables:
        raise FacilityError(
            "NO_PANEL",
            book.name,
            "the workbook is an export of facility; its inputs are on the sheet Inputs."
            if own
            else "no sheet has the headings of a panel schedule or table.",
            "Use facility import workbook."
            if own
            else "Use the headings of the template (facility import template panel), or map "
            "yours with --map.",
        )
    return tables


def _normal(panel: Panel) -> Panel:
    """Return the panel with only its normal state."""
    circuits = tuple(replace(c, power_va=c.power_va[:1]) for c in panel.circuits)
    return replace(panel, states=("normal",), circuits=circuits)


def _assembled(panel: Panel, matches: Sequence[Match], problems: list[FacilityError]) -> Panel:
    order = {circuit.id: n for n, circuit in enumerate(panel.circuits)}
    ranked = sorted(matches, key=lambda m: order.get(m.circuit.id, len(order)))
    changed = replace(panel, circuits=tuple(match.circuit for match in ranked))
    if not problems:
        try:
            check_layout(changed, tuple(match.where for match in ranked))
        except FacilityError as problem:
            problems.append(problem)
    return changed


def _of_tables(
    grid: ReadCells, against: Design | None, options: TableAnswers
) -> tuple[PanelImport, ...]:
    """Return the panels of a sheet; of several below each other, the one that the option names.

    Raises as `read_table`, and ``UNKNOWN_PANEL`` for a name that none of several has.
    """
    blocks = stacked_tables(grid, options.columns)
    if len(blocks) == 1:
        return (_of_table(grid, against, options),)
    stated = facts_of_option(options.panel) if options.panel else {}
    if "panel" not in stated:
        return tuple(_of_table(block, against, options) for block in blocks)
    tag = stated["panel"].text
    named = {name: block for block in blocks if (name := panel_name(block, options.columns))}
    if tag not in named:
        words = f"the sheet has no panel {tag[:60]!r}."
        raise unknown("UNKNOWN_PANEL", "--panel", words, tag, named)
    return (_of_table(named[tag], against, options),)


def _of_table(grid: ReadCells, against: Design | None, options: TableAnswers) -> PanelImport:
    known = [_normal(p) for p in against.panels.panels] if against is not None else []
    read = read_table(grid, known, options)
    problems = list(read.problems)
    base = next((p for p in known if p.tag == read.panel.tag), None)
    unknown_to = []
    if against is not None and base is None:
        listed = ", ".join(panel.tag for panel in known[:6])
        unknown_to = [
            f"the project has no panel {read.panel.tag!r}; its panels start with {listed}"
        ]
    left = {c.id: c for c in base.circuits} if base is not None else {}
    matches = []
    for circuit, location in zip(read.circuits, read.locations, strict=True):
        was = left.pop(circuit.id, None)
        if was is None:
            same_name = [id for id, c in left.items() if c.description == circuit.description]
            was = left.pop(same_name[0]) if len(same_name) == 1 else None
        matches.append(Match(circuit, was, location))
    panel = _assembled(replace(read.panel, states=("normal",)), matches, problems)
    if not read.circuits and not problems:
        problems.append(
            FacilityError("IMPORT_CELL", grid.name, "the table contains no circuits.", "")
        )
    differences = []
    if base is not None:
        differences = [
            Difference(panel.tag, "", label, before, after, read.stated.get(key, grid.name))
            for label, key, name in _HEADER
            if (after := getattr(panel, name)) is not None
            and not same(before := getattr(base, name), after)
        ]
        differences += circuit_differences(base, matches, read.columns)
    return PanelImport(
        sheet=grid.name,
        panel=panel,
        compared=base is not None,
        differences=tuple(differences),
        problems=tuple(problems),
        notes=(*read.notes, *unknown_to),
        headings=read.headings,
        power_factor=read.power_factor,
    )
