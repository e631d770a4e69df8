"""Plain tables of circuits: usual headings, errors by cell, text that stays text."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.import_panel.read import PanelImport, import_panel
from facility.files.panel_csv.document import read_panel_csv, write_panel_csv
from tests.power.panels.helpers import load, panel
from tests.report.book.hostile import HOSTILE

HEAD = "# panel: LP-1; system: 208Y/120; poles: 42; bus: 225 A"
COLUMNS = ("Ckt", "Load name", "Poles", "VA", "Power factor", "Trip A", "Fixed")
ROWS = ((1, "Lights", 1, 1200, 0.95, 20, "no"), ("2,4", "Heater", 2, 5000, 1, 30, True))


def table(
    path: Path,
    *rows: tuple[object, ...],
    head: str | None = HEAD,
    columns: tuple[str, ...] = COLUMNS,
    title: str = "Sheet",
) -> Path:
    workbook = openpyxl.Workbook()
    sheet = workbook["Sheet"]
    sheet.title = title
    if head is not None:
        sheet.append([head])
        sheet.append([])
    sheet.append(columns)
    for row in rows:
        sheet.append(row)
    workbook.save(path)
    return path


def read(path: Path) -> PanelImport:
    (found,) = import_panel(path)
    return found


def test_a_sheet_with_usual_headings(tmp_path: Path) -> None:
    found = read(table(tmp_path / "t.xlsx", *ROWS))
    assert found.problems == ()
    assert not found.compared
    assert found.panel.bus_a == 225.0
    lights, heater = found.panel.circuits
    assert (lights.description, lights.position, lights.fixed) == ("Lights", 1, False)
    assert abs(lights.total_va()) == pytest.approx(1200)
    assert (heater.poles, heater.connection, heater.position, heater.fixed) == (2, "L-L", 2, True)
    assert read_panel_csv(found.csv()) == found.panel


def test_a_csv_with_semicolons_and_one_that_facility_wrote(tmp_path: Path) -> None:
    lines = [HEAD, ";".join(COLUMNS), "1;Lights;1;1200;0.95;20;no", "2;Heater;2;5000;1;30;yes"]
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    assert [c.description for c in read(tmp_path / "t.csv").panel.circuits] == ["Lights", "Heater"]
    made = panel(load("a", 1, 900.0, 0.9, position=3), load("b", 3, 9000.0, position=6))
    text = write_panel_csv(made)
    (tmp_path / "own.csv").write_text(text, encoding="utf-8")
    assert read(tmp_path / "own.csv").csv() == write_panel_csv(read_panel_csv(text))


@pytest.mark.parametrize(
    ("column", "value", "where", "code"),
    [
        (2, 4, "Sheet!C4", "PANEL_CSV_CELL"),
        (3, None, "Sheet!D4", "PANEL_CSV_CELL"),
        (3, "=A1+1", "Sheet!D4", "FORMULA_NOT_CALCULATED"),
        (3, "#REF!", "Sheet!D4", "IMPORT_CELL"),
        (4, 1.4, "Sheet!E4", "PANEL_CSV_CELL"),
        (5, "large", "Sheet!F4", "NOT_A_NUMBER"),
        (6, "perhaps", "Sheet!G4", "PANEL_CSV_CELL"),
        (0, "nowhere", "Sheet!A4", "NOT_A_COUNT"),
    ],
)
def test_each_wrong_row_is_named_by_its_cell(
    tmp_path: Path, column: int, value: object, where: str, code: str
) -> None:
    row = list(ROWS[0])
    row[column] = value  # type: ignore[call-overload]
    found = read(table(tmp_path / "t.xlsx", tuple(row), ROWS[1], head=HEAD))
    (problem,) = found.problems
    assert (problem.where, problem.code) == (where, code)
    assert [c.description for c in found.panel.circuits] == ["Heater"]
    with pytest.raises(FacilityError):
        found.csv()


def test_poles_taken_twice_are_a_problem(tmp_path: Path) -> None:
    twice = (3, "Again", 1, 100, 1, 20, "no")
    found = read(table(tmp_path / "t.xlsx", ROWS[0], ROWS[1], (4, *twice[1:])))
    assert [p.code for p in found.problems] == ["PANEL_OVERLAP"]
    assert found.problems[0].where == "Sheet!A6"


@pytest.mark.parametrize(
    ("head", "columns", "code"),
    [
        (None, COLUMNS, "PANEL_CSV_HEADER"),
        ("# panel: X", COLUMNS, "PANEL_CSV_HEADER"),
        (HEAD, (*COLUMNS[:3], "Colour", *COLUMNS[4:]), "PANEL_CSV_COLUMN"),
        (HEAD, ("what", "is", "this"), "NO_PANEL"),
    ],
)
def test_headings_that_do_not_do(
    tmp_path: Path, head: str | None, columns: tuple[str, ...], code: str
) -> None:
    with pytest.raises(FacilityError) as refused:
        import_panel(table(tmp_path / "t.xlsx", *ROWS, head=head, columns=columns))
    assert refused.value.code == code


def test_two_headings_for_one_field_are_a_question(tmp_path: Path) -> None:
    found = read(table(tmp_path / "t.xlsx", *ROWS, columns=(*COLUMNS[:6], "Trip")))
    assert [(p.code, p.where) for p in found.problems] == [("TABLE_QUESTION", "Sheet!G3")]


def test_a_column_that_is_not_read_is_named(tmp_path: Path) -> None:
    columns = (*COLUMNS, "Colour")
    found = read(table(tmp_path / "t.xlsx", (*ROWS[0], "blue"), columns=columns))
    assert found.notes == ("columns not read: 'Colour'",)


def test_no_such_sheet(tmp_path: Path) -> None:
    with pytest.raises(FacilityError) as refused:
        import_panel(table(tmp_path / "t.xlsx", *ROWS), sheet="Shet")
    assert refused.value.code == "NO_SHEET"
    assert "Sheet" in refused.value.hint


def test_hostile_texts_survive_as_text_or_are_refused(tmp_path: Path) -> None:
    """Written as text cells by another library; what a CSV cannot hold is refused by its cell."""
    workbook = openpyxl.Workbook()
    sheet = workbook["Sheet"]
    sheet.append([HEAD.replace("42", "84")])
    sheet.append(COLUMNS)
    kept = [t for t in HOSTILE if t.isprintable() and 0 < len(t) <= 200 and t.strip() == t]
    for number, text in enumerate(kept, start=1):
        sheet.append([number, "", 1, 100, 1, 20, "no"])
        cell = sheet.cell(number + 2, 2)
        cell.value = text
        cell.data_type = "s"
        cell.quotePrefix = True  # type: ignore[attr-defined]
    workbook.save(tmp_path / "t.xlsx")
    found = read(tmp_path / "t.xlsx")
    assert len(kept) >= 30
    assert found.problems == ()
    assert [c.description for c in found.panel.circuits] == kept
    assert [c.description for c in read_panel_csv(found.csv()).circuits] == kept
