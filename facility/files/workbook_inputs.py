"""Import of the inputs of an edited workbook: every input cell, read by its field."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.files.incoming.grid import ReadCells, grid_of, open_book
from facility.files.io.atomic import file_changed, replace_bytes
from facility.files.io.read_text import read_bytes, text_of
from facility.files.project.compared import ProjectDifference
from facility.files.project.file import apply_sets, parse_project
from facility.files.project.text import with_fields_text
from facility.files.workbook.book import book_of
from facility.files.workbook.verify import embedded_project, written_units
from facility.model.inputs.document import as_typed
from facility.report.book.log import PROJECT_SHEET
from facility.report.sheet.entries import HEADS, INPUTS_SHEET, cell_name, stated
from facility.report.sheet.grid import TextTable
from facility.report.sheet.tables import in_units
from facility.study.design.design import Design, design

MAX_ROWS = 5_000
_MAX_TEXT = 80
_CLOSE = 1e-9
_VALUE, _UNIT, _EXPORTED, _PATH, _NAME = (HEADS[n] for n in (1, 2, 3, 5, 6))
_IDENTITY = ("identity.name", "site.place", "it.gpu_model")
"""Fields that tell one project from another."""
_ASCII_UNITS = {"°C": "degC", "m³": "m3", "m²": "m2"}


@dataclass(frozen=True)
class InputRow:
    """One row of the sheet Inputs."""

    path: str
    label: str
    value: object  # As typed: a number, or a text with a unit
    exported: object
    unit: str
    where: str  # Sheet and cell of the value

    @property
    def edited(self) -> bool:
        """Whether the value differs from the export."""
        return not _equal(self.value, self.exported)

    def text(self) -> str:
        """Return the value as the project states it.

        Raises ``IMPORT_CELL`` for a blank or too long value.
        """
        if isinstance(self.value, str) and self.value.strip():
            typed = self.value.strip()
        elif isinstance(self.value, int | float) and not isinstance(self.value, bool):
            unit = self.unit
            for sign, token in _ASCII_UNITS.items():
                unit = unit.replace(sign, token)
            typed = f"{self.value:.15g} {unit}".strip()
        else:
            raise _wrong(self.where, f"{self.label} has no value.", "Enter a number.")
        if len(typed) > _MAX_TEXT or "\n" in typed:
            raise _wrong(self.where, f"{self.label}: {typed[:40]!r} is not a value.")
        return typed


def _wrong(
    where: str, message: str, hint: str = "Enter a number in the unit of the row."
) -> FacilityError:
    return FacilityError("IMPORT_CELL", where, message, hint)


def _equal(one: object, other: object) -> bool:
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=1e-12)
    return one == other


@dataclass(frozen=True)
class WorkbookChanges(ProjectDifference):
    """Inputs changed in a workbook, and the engine results for them."""

    remarks: tuple[str, ...] = ()
    changes: Mapping[str, str] = field(default_factory=dict)  # Value by field
    verb = "import-workbook"

    @property
    def notices(self) -> Sequence[str]:
        """Rows inserted, deleted or already in the project."""
        return [*self.remarks, *super().notices]

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the differences; none if no input changes the project."""
        return super().tables(system) if self.changes else iter(())

    def closing(self, system: System) -> Iterator[str]:
        """Return both verdicts, or that nothing changes."""
        if not self.changes:
            yield "The project has the inputs of the workbook."
            return
        yield from super().closing(system)

    @cached_property
    def written(self) -> str:
        """Number of changed inputs, in words."""
        count = len(self.changes)
        return f"{count} input{'' if count == 1 else 's'}"


def workbook_changes(path: Path, against: Design | None = None) -> WorkbookChanges:
    """Return the inputs changed in the workbook at `path`, with the engine run with them.

    against: Design to compare with; default: of the project that the workbook embeds.

    Raises for a rejected file (exit code 6); ``NO_PROJECT``, ``NO_SHEET`` without the sheet
    Inputs; ``IMPORT_HEADING``, ``IMPORT_CELL`` and ``FORMULA_NOT_CALCULATED`` for a cell; and the
    errors of a project with these values.
    """
    with open_book(path) as book:
        if INPUTS_SHEET not in book.book.sheets:
            raise FacilityError(
                "NO_SHEET",
                path.name,
                f"the workbook has no sheet {INPUTS_SHEET!r}.",
                "Use a workbook written by facility export xlsx.",
            )
        exported = parse_project(embedded_project(book.book), PROJECT_SHEET)
        before = against or design(exported)
        rows, remarks = _rows(book.grid(INPUTS_SHEET, MAX_ROWS))
        units = written_units(book.book)
    others = [as_typed(exported), as_typed(before.project)]
    remarks[:0] = [
        f"ANOTHER PROJECT: the workbook is of {field} {one or 'not stated'}, the project file of"
        f" {other or 'not stated'}. Check the file before you apply it"
        for field in _IDENTITY
        for one, other in [[stated(typed, field) for typed in others]]
        if one != other
    ]
    tags = [panel.tag for panel in before.panels.panels[:1]]
    with in_units(units):
        fresh = next(one for one in book_of(before, tags).sheets if one.name == INPUTS_SHEET)
    known = {row.path: row for row in _rows(grid_of(fresh))[0]}
    remarks += [
        f"{row.where}: row inserted; {row.path[:60]!r} is not an input of this project"
        for row in rows
        if row.path not in known
    ]
    read = {row.path for row in rows}
    remarks += [
        f"{INPUTS_SHEET}: row deleted: {one.label} ({one.path}) stays as the project states it"
        for path, one in known.items()
        if path not in read
    ]
    changes: dict[str, str] = {}
    typed = as_typed(before.project)
    for row in rows:
        if row.path not in known or not row.edited:
            continue
        now = known[row.path]
        same = _equal(row.value, now.value) and row.unit == now.unit
        if same or stated(typed, row.path) == row.text():
            remarks.append(f"{row.where}: {row.label}: already in the project")
            continue
        if not _equal(row.exported, now.value):
            remarks.append(
                f"{row.where}: {row.label}: the project changed since the export, from "
                f"{row.exported} to {now.value} {now.unit}".rstrip()
            )
        changes[row.path] = row.text()
    after = before
    if changes:
        sets = [f"{path}={value}" for path, value in changes.items()]
        after = design(apply_sets(before.project, sets))
    return WorkbookChanges(
        before, after, ("project", path.name), remarks=tuple(remarks), changes=changes
    )


def apply_changes(path: Path, found: WorkbookChanges) -> None:
    """Write the changed inputs into the project file at `path`; comments and order are kept.

    Raises ``FILE_CHANGED`` if the file was edited since it was read, and errors of writing.
    """
    if not found.changes:
        return
    content = read_bytes(path)
    try:
        now = as_typed(parse_project(content, str(path)))
    except FacilityError:
        raise file_changed(path) from None
    if now != as_typed(found.before.project):
        raise file_changed(path)
    text = with_fields_text(text_of(content, str(path)), found.after.project, found.changes)
    replace_bytes(path, content, text.encode())


def _rows(grid: ReadCells) -> tuple[list[InputRow], list[str]]:
    """Return the rows of the sheet Inputs, and remarks on rows without a field."""
    top, columns = _headings(grid)
    label, value, unit, exported, path, name = (
        columns[head] for head in (HEADS[0], _VALUE, _UNIT, _EXPORTED, _PATH, _NAME)
    )
    found: dict[str, InputRow] = {}
    remarks = []
    for row in sorted({r for r, _ in grid.values if r > top}):
        field_of_row = grid.text(row, path).strip()
        where = grid.location(row, value)
        if not field_of_row:
            remarks.append(f"{where}: row inserted; it names no project field")
            continue
        if grid.text(row, name) != cell_name(field_of_row):
            raise _wrong(
                grid.location(row, name),
                f"the cell name of {field_of_row[:60]!r} is not its own.",
                "Export the workbook again; change the column Value only.",
            )
        if field_of_row in found:
            raise _wrong(
                where,
                f"{field_of_row[:60]!r} is also at {found[field_of_row].where}.",
                "Delete the inserted row.",
            )
        found[field_of_row] = InputRow(
            field_of_row,
            grid.text(row, label),
            grid.calculated(row, value),
            grid.value(row, exported),
            grid.text(row, unit),
            where,
        )
    return list(found.values()), remarks


def _headings(grid: ReadCells) -> tuple[int, dict[str, int]]:
    for row, texts in grid.rows(20):
        columns = {text.strip(): column for column, text in texts.items()}
        if _PATH in columns:
            missing = [head for head in HEADS[:7] if head not in columns]
            if not missing:
                return row, columns
            break
    else:
        missing = [_PATH]
    raise FacilityError(
        "IMPORT_HEADING",
        grid.name,
        f"the heading {missing[0]!r} of the sheet {INPUTS_SHEET} is missing.",
        "Restore the headings, or export the workbook again.",
    )
