"""Workbooks, pasted text and hostile files of inventories."""

from __future__ import annotations

import io

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.incoming.inventory.answers import answers_of
from facility.files.incoming.inventory.racksdb import unfolded
from facility.files.incoming.inventory.read import Inventory, read_inventory
from facility.files.incoming.inventory.tables import InventoryFile
from facility.files.incoming.profile import ImportProfile, parse_profile
from facility.model.inputs.document import read_document

PROJECT = read_document({"schema_version": "1"})
ROWS = (("Rack", "Model", "Devices per rack"), ("R1", "DGX H100", 4), ("R2", "DGX H100", 2.0))


def book(**sheets: tuple[tuple[object, ...], ...]) -> bytes:
    made = openpyxl.Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def read(content: bytes | str, name: str = "list.csv", **choices: str) -> Inventory:
    return read_inventory([InventoryFile(name, content)], answers_of(choices=choices), PROJECT)


def code_of(content: bytes | str, name: str = "list.csv", **choices: str) -> str:
    with pytest.raises(FacilityError) as caught:
        read(content, name, **choices)
    assert caught.value.hint or caught.value.message
    return caught.value.code


def test_the_only_sheet_that_lists_models_is_read_and_named() -> None:
    found = read(book(Cover=(("Project", "X"),), Racks=(("All racks",), *ROWS)), "list.xlsx")
    assert found.summary == "2 racks, 6 servers, 1 model, largest rack 40.8 kW, 1 room"
    assert [table.grid.name for table in found.tables] == ["Racks"]
    assert found.tables[0].columns[2].where == "Racks!C2"


def test_cells_merged_over_rows_are_repeated_below_and_quantities_are_not() -> None:
    made = openpyxl.Workbook()
    sheet = made.worksheets[0]
    rows = (("Hall", "Rack", "Model", "Qty per rack"), ("H1", "R1", "DGX H100", 4))
    for row in (*rows, (None, None, "CPU node 2U", None), ("H1", "R2", "DGX H100", 3)):
        sheet.append(row)
    for area in ("A2:A3", "B2:B3", "D2:D3", "C4:C40"):
        sheet.merge_cells(area)
    stream = io.BytesIO()
    made.save(stream)
    found = read(stream.getvalue(), "list.xlsx")
    assert [*found.questions, *found.problems] == []
    assert found.summary.startswith("2 racks, 7 servers, 1 other device, 2 models")
    assert "1 row without a quantity: 1 device each, first Sheet!D3" in found.notes


def test_one_of_several_sheets_is_chosen() -> None:
    content = book(North=ROWS, South=ROWS[:2])
    assert code_of(content, "list.xlsx") == "SHEET_QUESTION"
    assert read(content, "list.xlsx", sheet="South").summary.startswith("1 rack, 4 servers")
    assert code_of(content, "list.xlsx", sheet="East") == "NO_SHEET"


def test_numbers_of_a_workbook_are_not_read_with_the_decimal_sign_of_its_texts() -> None:
    rows = (
        ("Rack", "Model", "Device height", "U size", "Device max power (kW)", "Weight (kg)"),
        ("R1", "Box", None, 2, 1.5, "31,5"),
    )
    found = read(book(Racks=rows), "list.xlsx")
    assert [question.code for question in found.questions] == ["TABLE_QUESTION"]
    columns = ["Device height=ignore"]
    found = read_inventory(
        [InventoryFile("list.xlsx", book(Racks=rows))], answers_of(columns), PROJECT
    )
    assert found.summary == "1 rack, 1 server, 1 model, largest rack 1.5 kW, 1 room"


def test_a_sheet_is_never_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facility.files.incoming.inventory.tables.MAX_ROWS", 3)
    assert code_of(book(Racks=ROWS), "list.xlsx") == "FILE_TOO_LARGE"


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        (b"", "list.csv", "FILE_EMPTY"),
        (b"Rack,Model\n", "list.csv", "INVENTORY_ROW"),
        (b"a,b\n1,2\n", "list.csv", "INVENTORY_COLUMNS"),
        (b'Rack,Model\n"R,DGX H100\n', "list.csv", "TABLE_ROW"),
        (b"Rack,Model\nR\0,DGX H100\n", "list.csv", "FILE_NOT_TEXT"),
        (b"PK not a book", "list.xlsx", "NOT_A_WORKBOOK"),
        (b"layout: [", "db.yml", "YAML_SYNTAX"),
        (b"layout: &a [*a]", "db.yml", "YAML_ALIAS"),
        (b"types: {}\n", "db.yml", "RACKSDB"),
        (b"layout: [{rack: R, nodes: [{name: 'n[1-999999999]', type: t}]}]", "db.yml", "LIMIT"),
    ],
)
def test_a_file_that_is_no_inventory_is_refused(content: bytes, name: str, code: str) -> None:
    assert code_of(content, name) == code


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("R1,DGX H100,many", "NOT_A_COUNT"),
        ("R1,DGX H100,0", "NOT_A_COUNT"),
        ("R1,DGX H100,1e9", "NOT_A_COUNT"),
        ("R1,DGX H100,101", "LIMIT"),
        (f"{'R' * 300},DGX H100,1", "TEXT_TOO_LONG"),
        ("R1\u202e,DGX H100,1", "TEXT_CONTROL"),
        ("R1,=cmd|' /C calc'!A0,1", "UNKNOWN_MODEL"),
        ("R1,DGX H10,1", "UNKNOWN_MODEL"),
    ],
)
def test_a_cell_that_is_not_valid_is_named(row: str, code: str) -> None:
    found = read(f"Rack,Model,Devices per rack\nR2,DGX H100,4\n{row}\n")
    errors = [question.as_error() for question in found.questions] + found.problems
    assert [error.code for error in errors] == [code]
    assert errors[0].where.startswith("list.csv!")
    assert not found.ready


def test_a_profile_of_another_kind_is_refused() -> None:
    profile = ImportProfile("inventory", ("model", "rack"), {"map": ("qty=devices",)})
    assert parse_profile(profile.text(), "a.profile.json", "inventory") == profile
    for text in ("", "[]", "{}", profile.text().replace("inventory", "panel"), "[" * 9000):
        with pytest.raises(FacilityError) as caught:
            parse_profile(text, "a.profile.json", "inventory")
        assert caught.value.code == "PROFILE"


def test_an_answer_for_a_cell_that_does_not_occur_is_named() -> None:
    answers = answers_of(values=["dgx h100=DGX H100", "R9=ignore"])
    found = read_inventory([InventoryFile("a.csv", "Rack,Model\nR1,DGX H100\n")], answers, PROJECT)
    assert found.notes[0] == "no cell contains 'r9' (--value)"
    assert len([note for note in found.notes if note.startswith("no cell")]) == 1


def test_folded_names() -> None:
    assert unfolded("R1-A[09-11]") == ["R1-A09", "R1-A10", "R1-A11"]
    assert unfolded("n[a-b]") == ["n[a-b]"]
    assert unfolded("plain") == ["plain"]
