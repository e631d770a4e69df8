"""A schedule that facility wrote and somebody edited: every change is seen, nothing else is."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from facility.files.circuit_table.read import TableAnswers
from facility.files.import_panel.read import PanelImport, import_panel
from facility.files.io.safe_text import safe_text
from facility.files.panel_csv.document import read_panel_csv
from facility.files.project.file import apply_sets, default_project, parse_project
from facility.files.workbook.book import panel_sheet_names, with_valid_names, write_workbook
from facility.files.workbook.writer import render
from facility.report.book.log import PROJECT_SHEET
from facility.report.documents import build_part
from facility.report.sheet.model import Book, Cell
from facility.study.as_built_panels import as_built_with_texts, with_panels
from facility.study.design.design import Design, design
from tests.report.book.hostile import HOSTILE
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import read_book

PANELS = ("RPP-A01", "RPP-B01", "RPP-C01")
PROJECTS = Path(__file__).parents[2] / "report" / "book" / "projects"
Edits = dict[tuple[str, int, int], Cell | Any]


@pytest.fixture(scope="module")
def small() -> Design:
    return design(apply_sets(default_project(), ["it.gpus=64"]))


@pytest.fixture(scope="module")
def book(small: Design) -> Book:
    return schedules(small)


def schedules(found: Design) -> Book:
    """Return settings, loads and all schedules, with the project: a workbook by itself."""
    tags = [panel.tag for panel in found.panels.panels]
    return with_valid_names(build_part(found, panel_sheet_names(found), tags))


def edited(book: Book, edits: Edits, path: Path, *more: str) -> Path:
    """Write panels and loads of the book with other cells; formulas keep the values they carry.

    `more` are further sheets to be written.
    """
    sheets = []
    for sheet in (s for s in book.sheets if s.name in (*PANELS, "Loads", *more)):
        cells = dict(sheet.cells)
        for (name, row, column), value in edits.items():
            if name == sheet.name:
                was = cells.get((row, column), Cell(None))
                cell = value if isinstance(value, Cell) else Cell(value, was.style)
                cells[row, column] = cell
        sheets.append(dataclasses.replace(sheet, cells=cells))
    path.write_bytes(render(dataclasses.replace(book, sheets=tuple(sheets), names={})))
    return path


def at(book: Book, sheet: str, text: object, head: str | None = None) -> tuple[str, int, int]:
    """Return where a text stands first on a sheet; with `head`, the cell of its row below that."""
    cells = next(s for s in book.sheets if s.name == sheet).cells
    row, column = next(
        (r, c)
        for (r, c), cell in sorted(cells.items())
        if cell.value == text and (c == 1 or isinstance(text, str))
    )
    if head is not None:
        column = next(
            c
            for (r, c), cell in sorted(cells.items())
            if str(cell.value).replace("\n", " ") == head
        )
    return sheet, row, column


def read_one(path: Path, against: Design, **more: Any) -> PanelImport:
    (found,) = import_panel(path, sheet="RPP-A01", against=against, **more)
    return found


def changes(found: PanelImport) -> list[tuple[str, str, object, object]]:
    return [(d.circuit, d.field, d.was, d.now) for d in found.differences]


def test_an_untouched_workbook_has_no_differences(small: Design, tmp_path: Path) -> None:
    found = import_panel(write_workbook(small, tmp_path / "b.xlsx"))
    assert [p.panel.tag for p in found] == [p.tag for p in small.panels.panels]
    for panel, designed in zip(found, small.panels.panels, strict=True):
        assert panel.differences == panel.overrides == panel.problems == ()
        assert [c.power_va for c in panel.panel.circuits] == [
            c.power_va[:1] for c in designed.circuits
        ]
        again = read_panel_csv(panel.csv())
        assert [(c.id, c.position, c.breaker_a, c.partner) for c in again.circuits] == [
            (c.id, c.position, c.breaker_a, c.partner) for c in designed.circuits
        ]


@pytest.mark.parametrize("name", ["iec-400", "us-208-2n", "hostile-names"])
def test_other_systems_and_names_read_back_as_written(name: str, tmp_path: Path) -> None:
    project = parse_project((PROJECTS / f"{name}.yaml").read_text(encoding="utf-8"), name)
    path = tmp_path / "b.xlsx"
    path.write_bytes(render(schedules(design(project))))
    found = import_panel(path)
    assert found
    assert not [p for panel in found for p in (*panel.differences, *panel.problems)]


def test_a_value_typed_over_and_recalculated_is_the_one_difference(
    small: Design, book: Book, tmp_path: Path
) -> None:
    path = tmp_path / "b.xlsx"
    path.write_bytes(render(book))
    workbook = read_book(path)
    sheet = workbook["RPP-A01"]
    cell = next(
        c
        for row in sheet.iter_rows(min_row=9, max_col=9)
        for c in row
        if str(c.value).startswith("=Loads!$N")
    )
    cell.value = 9_999
    workbook.save(tmp_path / "edited.xlsx")
    with_gap = read_one(tmp_path / "edited.xlsx", small)
    assert {p.code for p in with_gap.problems} == {"FORMULA_NOT_CALCULATED"}
    assert "Excel or LibreOffice" in with_gap.problems[0].hint
    found = import_panel(recalculated(tmp_path / "edited.xlsx", tmp_path))
    assert [p.problems for p in found] == [()] * len(found)
    ((circuit, field, was, now),) = [c for p in found for c in changes(p)]
    assert (circuit, field) == ("RPP-A01-1", "va")
    assert [float(x) for x in str(now).split(" / ")][1] == 9_999
    assert str(now).split(" / ")[::2] == str(was).split(" / ")[::2]
    (override,) = [o for p in found for o in p.overrides]
    assert override.where == f"RPP-A01!{cell.coordinate}"
    assert override.value == 9_999.0
    again = read_panel_csv(found[0].csv())
    assert again.circuits[0].pole_va()[1] == pytest.approx(9_999, rel=1e-6)


def test_every_kind_of_edit_is_shown_with_its_cell(
    small: Design, book: Book, tmp_path: Path
) -> None:
    sheet = "RPP-A01"
    _, row, _ = at(book, sheet, 1)
    trip = at(book, sheet, 1, "Trip A")
    bus = at(book, sheet, "Bus A")
    found = read_one(
        edited(
            book,
            {
                (sheet, row, 2): "Row 1: compute",
                (sheet, row, 3): "IT-NET",
                trip: 50,
                (bus[0], bus[1], bus[2] + 2): 250,
                at(book, sheet, "Hall 1"): "Hall 9",
            },
            tmp_path / "b.xlsx",
        ),
        small,
    )
    assert found.problems == ()
    assert changes(found) == [
        ("", "Location", "Hall 1", "Hall 9"),
        ("", "Bus A", 400.0, 250),
        ("RPP-A01-1", "description", "Compute 01: 4 x DGX H100", "Row 1: compute"),
        ("RPP-A01-1", "class", "IT-AI", "IT-NET"),
        ("RPP-A01-1", "breaker_a", 60.0, 50.0),
    ]
    assert [d.applicable for d in found.differences] == [False, True, True, True, True]
    assert found.panel.bus_a == 250.0
    assert all(d.where.startswith("RPP-A01!") for d in found.differences)


def test_power_changed_on_the_loads_sheet_moves_the_power_factor(
    small: Design, book: Book, tmp_path: Path
) -> None:
    loads, row, column = at(book, "Loads", "RPP-A01-1", "P A W")
    legs = dict.fromkeys(range(3), 5000.0) | {3 + x: 3750.0 for x in range(3)}
    edits: Edits = {(loads, row, column + x): value for x, value in legs.items()}
    sheet = next(s for s in book.sheets if s.name == "RPP-A01")
    letters = [f"Loads!${letter}{row}" for letter in "MNO"]
    stale = read_one(edited(book, edits, tmp_path / "stale.xlsx"), small)
    assert {p.code for p in stale.problems} == {"FORMULA_NOT_CALCULATED"}
    edits |= {
        (sheet.name, *place): cell._replace(value=6250.0)
        for place, cell in sheet.cells.items()
        if cell.formula in letters
    }
    found = read_one(edited(book, edits, tmp_path / "b.xlsx"), small)
    assert found.problems == found.overrides == ()
    assert [(d.field, d.now) for d in found.differences] == [
        ("va", "6250 / 6250 / 6250"),
        ("pf", 0.8),
    ]
    assert found.panel.circuits[0].power_va == ((5000 + 3750j,) * 3,)


def test_two_sheets_that_disagree_are_an_error(small: Design, book: Book, tmp_path: Path) -> None:
    edits: Edits = {
        at(book, "RPP-A01", 1, "Trip A"): 50,
        at(book, "Loads", "RPP-A01-1", "Trip A"): 40,
    }
    (problem,) = read_one(edited(book, edits, tmp_path / "b.xlsx"), small).problems
    assert "'50'" in problem.message
    assert "'40'" in problem.message


def test_a_circuit_added_needs_its_power_factor(small: Design, book: Book, tmp_path: Path) -> None:
    sheet, row, column = at(book, "RPP-A01", "SPACE")
    edits: Edits = {
        (sheet, row, column): "New: heater",
        (sheet, row, column + 1): "MISC",
        (sheet, row, column + 2): 1,
        (sheet, row, column + 3): 20,
    }
    phase = next(s for s in book.sheets if s.name == sheet).cells[row, 11].value
    edits[sheet, row, 8 + "ABC".index(str(phase))] = 1500
    path = edited(book, edits, tmp_path / "b.xlsx")
    (problem,) = read_one(path, small).problems
    assert "--power-factor" in problem.hint
    found = read_one(path, small, answers=TableAnswers(power_factor=0.8))
    assert [d.field for d in found.differences] == ["circuit"]
    assert found.panel.circuits[-1].total_va() == pytest.approx(1200 + 900j)


def test_two_circuits_that_change_places_keep_their_load(
    small: Design, book: Book, tmp_path: Path
) -> None:
    """Cut and pasted with their formulas: known by the row of the Loads sheet they refer to."""
    name, row, _ = at(book, "RPP-A01", 1)
    cells = next(s for s in book.sheets if s.name == name).cells
    columns = {2: 20, 3: 19, 4: 18, 5: 17, 8: 12, 9: 13, 10: 14}
    edits: Edits = {}
    for line in range(row, row + 3):
        for left, right in columns.items():
            edits[name, line, left] = cells[line, right]
            edits[name, line, right] = cells[line, left]
    found = read_one(edited(book, edits, tmp_path / "b.xlsx"), small)
    assert found.problems == ()
    assert sorted(changes(found)) == [
        ("RPP-A01-1", "position", 1, 2),
        ("RPP-A01-2", "position", 2, 1),
    ]
    assert {c.id: c.power_va for c in found.panel.circuits} == {
        c.id: c.power_va[:1] for c in small.panels.panels[0].circuits
    }


def test_a_circuit_removed_is_shown(small: Design, book: Book, tmp_path: Path) -> None:
    sheet, row, _ = at(book, "RPP-A01", 1)
    edits: Edits = {(sheet, row + k, c): None for k in range(3) for c in range(2, 11)}
    found = read_one(edited(book, edits, tmp_path / "b.xlsx"), small)
    assert changes(found) == [("RPP-A01-1", "circuit", "Compute 01: 4 x DGX H100", None)]
    assert "RPP-A01-1" not in {c.id for c in found.panel.circuits}


def test_cells_that_cannot_be_read_are_named_one_by_one(
    small: Design, book: Book, tmp_path: Path
) -> None:
    _, row, _ = at(book, "RPP-A01", 1)
    wrong: list[tuple[int, int, object, str]] = [
        (row, 4, "three", "D"),
        (row, 8, "abc", "H"),
        (row, 9, 100.0, "I"),
        (row, 8, -5.0, "H"),
        (row, 8, None, "H"),
        (row, 5, "sixty", "E"),
        (row, 8, Cell("#REF!", "pva.va", "Loads!$ZZ9"), "H"),
        (row, 8, True, "H"),
        (row, 3, "IT-XX", "B"),
        (row + 1, 2, "another circuit", "B"),
    ]
    for start in range(0, len(wrong), len(PANELS)):
        batch = dict(zip(PANELS, wrong[start : start + len(PANELS)], strict=False))
        edits: Edits = {
            (tag, line, column): value for tag, (line, column, value, _) in batch.items()
        }
        found = import_panel(edited(book, edits, tmp_path / "b.xlsx"), against=small)
        problems = {panel.sheet: panel.problems for panel in found}
        for tag, (line, _, _, letter) in batch.items():
            assert problems[tag][0].where == f"{tag}!{letter}{line}"
            assert problems[tag][0].code == "IMPORT_CELL"


def test_poles_and_voltage_belong_to_the_project(small: Design, book: Book, tmp_path: Path) -> None:
    _, row, column = at(book, "RPP-A01", "Volts L-L")
    edits: Edits = {("RPP-A01", row, column + 2): 480}
    (problem,) = read_one(edited(book, edits, tmp_path / "b.xlsx"), small).problems
    assert "another panel" in problem.message


def whole_descriptions(book: Book, tag: str) -> list[tuple[str, int, int]]:
    """Return where descriptions stand that are not carried on in the row below."""
    cells = next(s for s in book.sheets if s.name == tag).cells
    texts = {place: str(cell.value) for place, cell in cells.items()}
    return [
        (tag, r, c)
        for r, c in sorted(texts)
        if c in (2, 20)
        and r > 8
        and texts.get((r, 4 if c == 2 else 18)) in ("1", "2", "3")
        and not texts.get((r + 1, c), "").startswith("| ")
    ]


def test_texts_that_look_like_formulas_come_back_as_text(
    small: Design, book: Book, tmp_path: Path
) -> None:
    """Every hostile string as a description: read as text, or refused by its cell."""
    spots = [spot for tag in PANELS for spot in whole_descriptions(book, tag)]
    survived = 0
    for start in range(0, len(HOSTILE), len(spots)):
        texts = dict(zip(spots, HOSTILE[start : start + len(spots)], strict=False))
        found = import_panel(edited(book, dict(texts), tmp_path / "b.xlsx"), against=small)
        refused = {p.where for panel in found for p in panel.problems}
        shown = {
            d.where: d.now for panel in found for d in panel.differences if d.field == "description"
        }
        for (tag, row, column), text in texts.items():
            where = f"{tag}!{'B' if column < 11 else 'T'}{row}"
            clean = safe_text(text)
            if where in refused:
                assert len(clean) > 200 or re.search(r"[\n\t\u2028\x85]", clean)
                continue
            assert (shown.get(where) or "") == clean.strip() or text.strip() == "", text
            survived += 1
        for panel in (p for p in found if not p.problems):
            back = read_panel_csv(panel.csv())
            assert [c.description for c in back.circuits] == [
                c.description.strip() for c in panel.panel.circuits
            ]
    assert survived >= 30


def test_against_another_project(book: Book, tmp_path: Path) -> None:
    path = edited(book, {}, tmp_path / "b.xlsx")
    changed = apply_sets(default_project(), ["it.gpus=64", "power.distribution.panel_bus=225 A"])
    other = design(changed)
    found = read_one(path, other)
    assert ("", "Bus A", 225.0, 400) in changes(found)


def test_a_workbook_of_another_version_says_so(small: Design, book: Book, tmp_path: Path) -> None:
    """A purpose changed in the project since then is no edit of the sheet Loads."""
    path = edited(book, {}, tmp_path / "b.xlsx", PROJECT_SHEET)
    assert not read_one(path, small).notes
    circuit = small.panels.panels[0].circuits[0]
    texts = {("RPP-A01", circuit.rack, circuit.ordinal): "Row 1"}
    project = with_panels(
        small.project, as_built_with_texts(small.project, small.panels.panels[:1], texts)
    )
    newer = design(project)
    assert newer.panels.panels[0].circuits[0].description == "Row 1"
    (note,) = read_one(path, newer).notes
    assert "another version of the project" in note
    place = at(
        book,
        "RPP-A01",
        next(
            cell.value
            for (_, column), cell in sorted(
                next(s for s in book.sheets if s.name == "RPP-A01").cells.items()
            )
            if column == 2 and str(cell.value).startswith(circuit.rack)
        ),
    )
    shown = edited(book, {place: "Row 1"}, tmp_path / "c.xlsx", PROJECT_SHEET)
    found = read_one(shown, newer)
    assert not [d for d in found.differences if d.field == "description"]
    assert any("Enter the same value in both" in problem.hint for problem in found.problems)


def test_a_table_whose_header_differs_from_the_project(small: Design, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    heads = "Ckt,Description,Poles,Trip,VA"
    path.write_text(f"PANEL RPP-A01 480Y/277V 225A MLO\n{heads}\n1,a,1,20,900\n")
    (found,) = import_panel(path, against=small)
    base = next(one for one in small.panels.panels if one.tag == "RPP-A01")
    header = [(d.field, d.was, d.now, d.where) for d in found.differences if not d.circuit]
    assert header == [
        ("System", base.system, "480Y/277", "s.csv!A1"),
        ("Bus A", base.bus_a, 225.0, "s.csv!A1"),
    ]
    assert found.panel.main_a is None
