"""Each input of a workbook, changed alone: what follows equals the engine, or reads STALE.

The workbook is recalculated by another program and compared, cell by cell, with the workbook of a
project that states the change.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from facility.core.views import System
from facility.files.project.file import apply_sets, load_project
from facility.files.workbook.book import workbook_book
from facility.files.workbook.verify import verify_workbook
from facility.files.workbook.writer import render
from facility.report.sheet.entries import HEAD_ROW, INPUTS_SHEET
from facility.report.sheet.model import Book, Cell, Sheet
from facility.report.sheet.styles import look_of
from facility.report.sheet.tables import in_units
from facility.study.design.design import Design, design
from tests.report.book.reading import sheet_of
from tests.tools.libreoffice import convert
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import differences, poisoned, read_book

HERE = Path(__file__).parent
NOT_COMPARED = {INPUTS_SHEET, "Assumptions", "Log", "_project"}
"""Facts of the export: inputs, defaults in use, hashes and the project."""
CLOSE = 1e-8
STALE = "STALE"
RECALCULATED = "Recalculated from changed inputs."
"""Finding of a check whose value or limit follows from a changed input."""


class Edit(NamedTuple):
    """One change: field and value with its unit, the sheets that recompute, and what is left."""

    project: str
    path: str
    value: str
    kind: str  # Edits of one kind count as one of the forty
    sheets: str
    stale: str  # "none" where no cell of the workbook reads STALE


def edits() -> list[Edit]:
    with (HERE / "live_inputs.csv").open(encoding="utf-8") as lines:
        return [Edit(*row) for row in list(csv.reader(lines))[1:]]


EDITS = edits()


class Exported(NamedTuple):
    """A design, its workbook, and the file as another program opens it."""

    base: Design
    book: Book
    opened: Any


@cache
def exported(project: str) -> Exported:
    base = design(load_project(HERE / "projects" / f"{project}.yaml"))
    book = workbook_book(base)
    return Exported(base, book, read_book(render(book)))


@pytest.fixture(scope="module")
def base() -> Design:
    return exported("live-inputs").base


@pytest.fixture(scope="module")
def book() -> Book:
    return exported("live-inputs").book


@pytest.fixture(scope="module")
def opened() -> Any:
    return exported("live-inputs").opened


def input_rows(sheet: Sheet) -> dict[str, int]:
    """Return the row of each input by its field."""
    return {
        str(cell.value): row
        for (row, column), cell in sheet.cells.items()
        if column == 6 and row > HEAD_ROW
    }


def saved_with(opened: Any, book: Book, edit: Edit, path: Path) -> Path:
    """Write the workbook with one input changed; the open workbook stays as it was."""
    cell = opened[INPUTS_SHEET].cell(input_rows(sheet_of(book, INPUTS_SHEET))[edit.path], 2)
    exported, cell.value = cell.value, float(edit.value.split()[0])
    opened.save(path)
    cell.value = exported
    return path


def rows_of_checks(sheet: Sheet) -> dict[tuple[object, object], int]:
    """Return the row of each check by rule and subject: the engine lists failed ones first."""
    cells = sheet.cells
    last = max(row for row, _ in cells)
    return {(cells[row, 3].value, cells[row, 4].value): row for row in range(10, last + 1)}


def dependents(book: Book, fresh: Book, read: Any) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield sheet, exported, recalculated and engine value of cells that state a result."""
    for sheet in book.sheets:
        if sheet.name in NOT_COMPARED:
            continue
        engine = sheet_of(fresh, sheet.name)
        moved: dict[int, int | None] = {}
        if sheet.name == "Checks":
            rows = rows_of_checks(engine)
            moved = {row: rows.get(key) for key, row in rows_of_checks(sheet).items()}
        for (row, column), cell in sheet.cells.items():
            now, at = read[sheet.name].cell(row, column).value, moved.get(row, row)
            found = Cell("a check less") if at is None else engine.cells.get((at, column))
            value = None if found is None else found.value
            number = isinstance(value, int | float)
            if now == STALE or (cell.value not in (None, "") and (number or cell.formula)):
                yield sheet.name, cell.value, now, value


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=CLOSE, abs_tol=1e-9)
    return (one or "") == (other or "") if isinstance(one or other, str) else bool(one == other)


def compared(book: Book, edit: Edit, base: Design, read: Any) -> tuple[set[str], Counter[str]]:
    """Check every dependent; return the sheets with a new value, and the STALE cells by sheet."""
    fresh = workbook_book(design(apply_sets(base.project, [f"{edit.path}={edit.value}"])))
    moved, stale, wrong = set(), Counter[str](), []
    for name, was, now, engine in dependents(book, fresh, read):
        if now == STALE:
            stale[name] += 1
        elif str(now).startswith(("1 of the inputs changed", RECALCULATED)):
            continue
        elif not equal(now, engine):
            wrong.append((name, was, now, engine))
        elif not equal(was, now):
            moved.add("panels" if name.startswith("RPP") else name)
    assert not wrong, wrong[:5]
    return moved, stale


def test_forty_edits_reach_every_kind_of_input(book: Book) -> None:
    rows = input_rows(sheet_of(book, INPUTS_SHEET))
    assert {edit.path for edit in EDITS if edit.project == "live-inputs"} == set(rows)
    assert len(rows) >= 40


def test_thirty_of_forty_edits_leave_nothing_stale() -> None:
    """One edit of each field, but one of the building loads and of the trips of racks."""
    kinds = {edit.kind: edit.stale for edit in EDITS}
    assert {(edit.kind, edit.stale) for edit in EDITS} == set(kinds.items())
    assert len(kinds) == 40
    assert sum(stale == "none" for stale in kinds.values()) >= 30


@pytest.mark.parametrize("edit", EDITS, ids=lambda one: f"{one.path}={one.value}")
def test_what_follows_equals_the_engine_or_reads_stale(edit: Edit, tmp_path: Path) -> None:
    base, book, opened = exported(edit.project)
    path = saved_with(opened, book, edit, tmp_path / "edit.xlsx")
    read = read_book(recalculated(path, tmp_path), data_only=True)
    moved, stale = compared(book, edit, base, read)
    assert set(edit.sheets.split("; ")) <= moved | {""}
    assert ("many" if stale else "none") == edit.stale, stale


@pytest.mark.libreoffice
def test_libreoffice_recomputes_the_same(
    base: Design, book: Book, opened: Any, tmp_path: Path
) -> None:
    edit = next(one for one in EDITS if one.path == "it.server_power")
    path = saved_with(opened, book, edit, tmp_path / "edit.xlsx")
    read = read_book(convert(path, "xlsx", tmp_path), data_only=True)
    assert {"Loads", "Roll-up", "panels"} <= compared(book, edit, base, read)[0]
    cover = [str(row[0].value) for row in read["Cover"].iter_rows(max_col=1)]
    assert any(
        line.startswith("1 of the inputs changed since the export: Input power") for line in cover
    )


@pytest.mark.parametrize(
    ("path", "value", "rule"),
    [
        ("power.distribution.panel_bus", "225 A", ""),  # Fewer racks for each panel
        ("panels.boards.0.sccr", "22000 A", "FAULT-INTERRUPTING"),  # As that of the other panel
    ],
)
def test_what_only_the_engine_can_decide_reads_stale(
    path: str, value: str, rule: str, book: Book, opened: Any, tmp_path: Path
) -> None:
    edit = Edit("live-inputs", path, value, "", "", "many")
    saved = saved_with(opened, book, edit, tmp_path / "edit.xlsx")
    read = read_book(recalculated(saved, tmp_path), data_only=True)
    figures = {row[0].value: row[1].value for row in read["Cover"].iter_rows(max_col=2)}
    assert (figures["PUE, design hour"] == STALE) == (rule == "")
    outcomes = [row[0].value for row in read["Checks"].iter_rows(10) if rule in str(row[2].value)]
    assert STALE in outcomes
    assert read["Checks"]["B5"].value == STALE


def test_two_edits_that_cancel_are_both_seen(book: Book, opened: Any, tmp_path: Path) -> None:
    rows = input_rows(sheet_of(book, INPUTS_SHEET))
    sheet = opened[INPUTS_SHEET]
    cells = [sheet.cell(rows[f"house.{name}"], 2) for name in ("controls", "other")]
    exported = [cell.value for cell in cells]
    cells[0].value, cells[1].value = exported[0] - 0.5, exported[1] + 0.5
    opened.save(tmp_path / "edit.xlsx")
    cells[0].value, cells[1].value = exported
    read = read_book(recalculated(tmp_path / "edit.xlsx", tmp_path), data_only=True)
    lines = [str(row[0].value) for row in read["Cover"].iter_rows(max_col=1)]
    assert any(line.startswith("2 of the inputs changed since the export: ") for line in lines)
    figures = {row[0].value: row[1].value for row in read["Cover"].iter_rows(max_col=2)}
    assert figures["PUE, design hour"] == STALE


def test_an_overloaded_panel_fails_each_of_its_checks(
    book: Book, opened: Any, tmp_path: Path
) -> None:
    """Racks of four times the power: 400 A bus and main, 80 A trips."""
    edit = Edit("live-inputs", "it.server_power", "41 kW", "", "", "many")
    path = saved_with(opened, book, edit, tmp_path / "edit.xlsx")
    read = read_book(recalculated(path, tmp_path), data_only=True)
    (row,) = (r for r in read["Panels"].iter_rows(min_row=5) if r[0].value == "RPP-A01")
    verdicts = {read["Panels"].cell(4, cell.column).value: cell.value for cell in row}
    for name in ("Failover", "Main OCPD"):
        assert verdicts[name] == "CHECK"
    assert verdicts["Maximum loading, failover"] > 1.0
    assert read["Loads"]["Y6"].value == "LOW"


def test_only_inputs_are_unlocked_and_something_follows_from_each(book: Book) -> None:
    formulas = " ".join(
        cell.formula for sheet in book.sheets for cell in sheet.cells.values() if cell.formula
    )
    names = {formula: name for name, formula in book.names.items()}
    for sheet in book.sheets:
        assert sheet.protected or sheet.hidden or sheet.name == "_project", sheet.name
        for (row, column), cell in sheet.cells.items():
            if look_of(cell.style)[0].locked:
                continue
            assert (sheet.name, column) == (INPUTS_SHEET, 2)
            assert names[f"{INPUTS_SHEET}!$B${row}"] in formulas.replace(",", " ")


@pytest.mark.parametrize("system", ["si", "ip"])
def test_recalculated_alike_in_both_systems_of_units(
    system: System, base: Design, tmp_path: Path
) -> None:
    with in_units(system):
        book = workbook_book(base)
    (tmp_path / "book.xlsx").write_bytes(render(poisoned(book)))
    assert differences(book, recalculated(tmp_path / "book.xlsx", tmp_path)) == []
    design_day = {
        str(cell.value): sheet_of(book, "Design day").cells[row, 3].value
        for (row, column), cell in sheet_of(book, "Design day").cells.items()
        if column == 1 and (row, 3) in sheet_of(book, "Design day").cells
    }
    assert design_day["Dry bulb"] == {"si": "°C", "ip": "°F"}[system]
    assert verify_workbook(saved(book, tmp_path / "v.xlsx")).same


def saved(book: Book, path: Path) -> Path:
    path.write_bytes(render(book))
    return path
