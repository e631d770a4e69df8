"""Import of a panel from a workbook or CSV file, with all differences for review.

Nothing is applied here: the result contains the panel of the file, the differences from the design,
VA typed over formulas, and errors by cell.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from facility.core.errors import FacilityError, unknown
from facility.files.circuit_table.header import facts_of_option
from facility.files.circuit_table.headings import Headings
from facility.files.circuit_table.lines import MAX_ROWS
from facility.files.circuit_table.read import MAX_BYTES, TableAnswers, is_table, read_table
from facility.files.circuit_table.stacked import panel_name, stacked_tables
from facility.files.import_panel.loads import LOADS, PANEL_ROWS, LoadsRead, read_loads
from facility.files.import_panel.merge import (
    Difference,
    Edited,
    Match,
    circuit_differences,
    merged,
    same,
)
from facility.files.import_panel.schedule import (
    Override,
    ReadSchedule,
    header_fields,
    is_schedule,
    read_schedule,
)
from facility.files.incoming.grid import ReadBook, ReadCells, grid_of, open_book
from facility.files.incoming.text_table import decoded, text_table
from facility.files.io.read_text import read_bytes
from facility.files.panel_csv.cabinet import is_cabinet_csv, panel_blocks
from facility.files.panel_csv.document import read_panel_csv, with_partner_states, write_panel_csv
from facility.files.project.file import parse_project
from facility.files.workbook.book import panel_sheet_names
from facility.files.workbook.reading import HEAD_ROWS
from facility.files.workbook.render import collector_resting
from facility.files.workbook.verify import embedded_project
from facility.model.inputs.document import as_typed
from facility.power.panels.board.model import Panel, check_layout
from facility.report.book.log import PROJECT_SHEET
from facility.report.documents import build_part
from facility.report.sheet.model import Sheet
from facility.study.design.design import Design, design

TABLE_ROWS = 8 * (MAX_ROWS + 2 * HEAD_ROWS)
"""Rows of a sheet that are read: tables, what is above them, and some below."""
_OLDER = (
    "the workbook was exported from another version of the project; project changes since then "
    "also appear here, reversed"
)
_TITLE = re.compile(r"PANEL (?P<tag>.+?) · SIDE ", re.DOTALL)
_STRUCTURE = ("Poles", "Volts L-L")
_RATINGS = {"Bus A": "bus_a", "Main A": "main_a"}
_HEADER = (
    ("System", "system", "system"),
    ("Poles", "poles", "poles"),
    ("Bus A", "bus", "bus_a"),
    ("Main A", "main", "main_a"),
)
"""Data of a panel that a table may state: label, key of its header, and attribute."""
_NOT_STATED = ("not stated", "MLO", "", None)


@dataclass(frozen=True)
class PanelImport:
    """Panel as read from a file."""

    sheet: str  # Sheet of the workbook, or name of the file
    panel: Panel  # The panel; complete only where there are no `problems`
    compared: bool  # Whether there was a design to compare with
    differences: tuple[Difference, ...]  # What the file states otherwise than the design
    # VA typed where the schedule had a formula, equal to the design or not.
    overrides: tuple[Override, ...]
    problems: tuple[FacilityError, ...]  # What cannot be read, each with its cell
    notes: tuple[str, ...]  # What was left aside
    headings: Headings | None = None  # Of a table; None for a schedule of this tool
    power_factor: bool = True  # Whether the power factors are stated

    @property
    def from_table(self) -> bool:
        """Whether it was read from a table, not from a schedule of this tool."""
        return self.headings is not None

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
    """Return the panels of the file; for a workbook all its schedules, or all its tables.

    path: Workbook (.xlsx), or text table with commas, semicolons or tabs.
    sheet: Only sheet to read.
    against: Design to compare with; default: the project embedded in the workbook.
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
        return _of_workbook(path, sheet, against, options)


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


def _of_workbook(
    path: Path, sheet: str | None, against: Design | None, options: TableAnswers
) -> tuple[PanelImport, ...]:
    with open_book(path) as book:
        schedules, tables = _selected(book, sheet, options)
        if not schedules:
            grids = [book.grid(name, TABLE_ROWS) for name in tables]
            return tuple(one for grid in grids for one in _of_tables(grid, against, options))
        embedded = against is None or PROJECT_SHEET in book.book.sheets
        text = embedded_project(book.book) if embedded else ""
        older = against is not None and embedded and not _is_of(text, against)
        found = against or design(parse_project(text, PROJECT_SHEET))
        # Read whole sheets only after the embedded project is identified.
        sheets_read = {name: book.grid(name, PANEL_ROWS) for name in schedules}
        loads = read_loads(book.grid(LOADS))
    names = panel_sheet_names(found)
    panels = {name: _panel_of(found, names, grid) for name, grid in sheets_read.items()}
    fresh = build_part(found, names, [panel.tag for panel in panels.values()])
    sheets = {sheet.name: sheet for sheet in fresh.sheets}
    reader = _ScheduleReader(sheets, read_loads(grid_of(sheets[LOADS])), loads, older)
    return tuple(
        reader.read(panels[name], names[panels[name].tag], grid, options.power_factor)
        for name, grid in sheets_read.items()
    )


def _is_of(text: str, against: Design) -> bool:
    """Return whether a workbook with this embedded project was exported from `against`."""
    try:
        return as_typed(parse_project(text, PROJECT_SHEET)) == as_typed(against.project)
    except FacilityError:
        return False


def _selected(
    book: ReadBook, sheet: str | None, options: TableAnswers
) -> tuple[list[str], list[str]]:
    """Return the names of the schedules, else of the tables: the given sheet, or all found."""
    heads = book.heads() if sheet is None else {sheet: book.grid(sheet, HEAD_ROWS)}
    # A schedule of this tool refers to the sheet Loads; without it the sheet is a table.
    own = LOADS in book.book.sheets
    found = [name for name, head in heads.items() if own and is_schedule(head)]
    if found or sheet is not None:
        return found, [] if sheet is None else [sheet]
    tables = [name for name, head in heads.items() if name != LOADS and is_table(head, options)]
    if not tables:
        raise FacilityError(
            "NO_PANEL",
            book.name,
            "no sheet has the headings of a panel schedule or table.",
            "Use the headings of the template (facility import template panel), or map "
            "yours with --map.",
        )
    return [], tables


@dataclass(frozen=True)
class _ScheduleReader:
    """Reads the schedules of one workbook and compares them with fresh exports."""

    fresh: Mapping[str, Sheet]
    fresh_loads: LoadsRead
    loads: LoadsRead
    older: bool

    def read(
        self, panel: Panel, name: str, grid: ReadCells, power_factor: float | None
    ) -> PanelImport:
        fresh = grid_of(self.fresh[name])
        edited = Edited(
            read_schedule(fresh, self.fresh_loads),
            self.fresh_loads,
            read_schedule(grid, self.loads),
            self.loads,
            self.older,
        )
        matches, problems = merged(panel, edited, power_factor)
        offsets = _header_offsets(self.fresh[name], edited.fresh.head_row)
        head = _header_differences(panel.tag, fresh, grid, offsets, edited.fresh, problems)
        changed = _with_ratings(_assembled(panel, matches, problems), head, problems)
        return PanelImport(
            sheet=grid.name,
            panel=changed,
            compared=True,
            differences=(*head, *circuit_differences(panel, matches)),
            overrides=tuple(edited.given.overrides),
            problems=tuple(problems),
            notes=(_OLDER,) if self.older else (),
        )


def _panel_of(found: Design, names: Mapping[str, str], grid: ReadCells) -> Panel:
    """Return the panel of the design named in the sheet title, or by the sheet name."""
    title = _TITLE.match(grid.text(1, 1))
    by_title = title["tag"] if title else ""
    by_sheet = {name: tag for tag, name in names.items()}
    panels = {p.tag: p for p in found.panels.panels}
    for tag in (by_title, by_sheet.get(grid.name, "")):
        if tag in panels:
            return _normal(panels[tag])
    raise unknown(
        "UNKNOWN_PANEL",
        grid.location(1, 1),
        f"the project has no panel {(by_title or grid.name)[:60]!r}.",
        by_title or grid.name,
        panels,
    )


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


def _header_offsets(fresh: Sheet, head_row: int) -> dict[str, int]:
    """Return the column offset of the editable value of each header label."""
    rows: dict[int, list[int]] = {}
    for row, column in sorted(fresh.cells):
        if row < head_row:
            rows.setdefault(row, []).append(column)
    offsets = {}
    for row, columns in rows.items():
        for column, value_column in itertools.pairwise(columns):
            label = fresh.cells[row, column]
            is_label = label.style == "plabel" and isinstance(label.value, str)
            if is_label and not fresh.cells[row, value_column].formula:
                offsets[str(label.value)] = value_column - column
    return offsets


def _header_differences(
    tag: str,
    fresh: ReadCells,
    grid: ReadCells,
    offsets: Mapping[str, int],
    read: ReadSchedule,
    problems: list[FacilityError],
) -> list[Difference]:
    """Return the header differences; only ratings can be saved in a panel CSV."""
    before = header_fields(fresh, read.head_row, offsets)
    after = header_fields(grid, read.head_row, offsets)
    found = []
    for label, (row, column, was) in before.items():
        _, _, now = after.get(label, (row, column, was))
        if same(_plain(was), _plain(now)):
            continue
        where = grid.location(*after[label][:2])
        if label in _STRUCTURE:
            problems.append(
                FacilityError(
                    "IMPORT_CELL",
                    where,
                    f"{label}: {was} changed to {now}; this would be another panel.",
                    "Change it in the project.",
                )
            )
            continue
        found.append(
            Difference(
                tag, "", label, _plain(was), _plain(now), where, applicable=label in _RATINGS
            )
        )
    return found


def _plain(value: Any) -> str | float | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, int | float) else str(value)


def _with_ratings(panel: Panel, head: Sequence[Difference], problems: list[FacilityError]) -> Panel:
    changes: dict[str, Any] = {}
    for difference in head:
        name, now = _RATINGS.get(difference.field), difference.now
        if name is None:
            continue
        if now in _NOT_STATED:
            changes[name] = None
        elif isinstance(now, int | float) and 0.0 < now < 1e6:
            changes[name] = float(now)
        else:
            problems.append(
                FacilityError(
                    "IMPORT_CELL",
                    difference.where,
                    f"{str(now)[:40]!r} is not a rating in amperes.",
                    "Write a number above zero, or 'not stated'.",
                )
            )
    return replace(panel, **changes)


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
        problems.append(FacilityError("IMPORT_CELL", grid.name, "the table holds no circuit.", ""))
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
        overrides=(),
        problems=tuple(problems),
        notes=(*read.notes, *unknown_to),
        headings=read.headings,
        power_factor=read.power_factor,
    )
