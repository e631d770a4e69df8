"""Inputs changed in a workbook return to the project, as often as the file is imported."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from facility.core.errors import FacilityError
from facility.files.project.file import apply_sets, load_project
from facility.files.workbook.book import write_workbook
from facility.files.workbook_inputs import WorkbookChanges, apply_changes, workbook_changes
from facility.report.book.log import PROJECT_SHEET
from facility.report.sheet.entries import INPUTS_SHEET
from facility.study.design.design import Design, design
from tests.tools.workbooks import read_book

PROJECT = Path(__file__).parents[1] / "report" / "book" / "projects" / "live-inputs.yaml"
Change = Callable[[Any, dict[str, int]], None]


@pytest.fixture(scope="module")
def base() -> Design:
    return design(load_project(PROJECT))


@pytest.fixture(scope="module")
def exported(base: Design, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_workbook(base, tmp_path_factory.mktemp("book") / "hall.xlsx")


@pytest.fixture(scope="module")
def inputs(exported: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook with its cover and what an import reads: all sheets take a second to save."""
    book = read_book(exported)
    for sheet in book.worksheets[1:]:
        if sheet.title not in (INPUTS_SHEET, PROJECT_SHEET):
            book.remove(sheet)
    path = tmp_path_factory.mktemp("inputs") / "hall.xlsx"
    book.save(path)
    return path


def edited(exported: Path, path: Path, change: Change) -> Path:
    """Save the workbook as another program does, with the sheet Inputs changed."""
    book = read_book(exported)
    sheet = book["Inputs"]
    change(sheet, {str(sheet.cell(row, 6).value): row for row in range(5, sheet.max_row + 1)})
    book.save(path)
    return path


def typed(**values: object) -> Change:
    """Return the change of inputs, their dots written as two underscores."""

    def change(sheet: Any, rows: dict[str, int]) -> None:
        for name, value in values.items():
            sheet.cell(rows[name.replace("__", ".")], 2).value = value

    return change


def test_changed_inputs_are_written_and_the_rest_of_the_file_stays(
    exported: Path, tmp_path: Path
) -> None:
    project = Path(shutil.copy(PROJECT, tmp_path / "hall.yaml"))
    change = typed(
        it__server_power=10.5, site__tariff__energy__1__price=0.07, house__other="1.25 kW"
    )
    path = edited(exported, tmp_path / "edited.xlsx", change)
    found = workbook_changes(path, design(load_project(project)))
    assert found.changes == {
        "it.server_power": "10.5 kW",
        "house.other": "1.25 kW",
        "site.tariff.energy.1.price": "0.07 USD/kWh",
    }
    ratio = found.after.it.servers_w / found.before.it.servers_w
    assert ratio == pytest.approx(10.5 / 10.2)
    apply_changes(project, found)
    before, after = PROJECT.read_text().splitlines(), project.read_text().splitlines()
    differ = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert [b.strip() for _, b in differ][:2] == [
        "- {name: rest, months: Oct-May, price: 0.07 USD/kWh}",
        "server_power: 10.5 kW",
    ]
    assert len(differ) == 3

    again = workbook_changes(path, design(load_project(project)))
    assert again.changes == {}
    assert sum("already in the project" in note for note in again.notices) == 3
    apply_changes(project, again)
    assert project.read_text().splitlines() == after


def test_the_embedded_project_is_compared_without_another(exported: Path) -> None:
    found = workbook_changes(exported)
    assert found.changes == {}
    assert list(found.closing("si")) == ["The project has the inputs of the workbook."]


def test_a_change_of_the_project_since_the_export_is_named(
    exported: Path, inputs: Path, tmp_path: Path
) -> None:
    newer = tmp_path / "newer.yaml"
    newer.write_text(PROJECT.read_text().replace("rate: 0.06", "rate: 0.08"))
    path = edited(inputs, tmp_path / "edited.xlsx", typed(cost__rate=0.07, cost__used=0.9))
    project = design(load_project(newer))
    found = workbook_changes(path, project)
    assert found.changes == {"cost.rate": "0.07", "cost.used": "0.9"}
    assert any("changed since the export, from 0.06 to 0.08" in note for note in found.notices)
    untouched = workbook_changes(exported, project)
    assert untouched.changes == {}
    assert not any("ANOTHER PROJECT" in note for note in untouched.notices)


def test_a_workbook_of_another_project_is_named_first(exported: Path) -> None:
    other = apply_sets(load_project(PROJECT), ("site.place=Elsewhere",))
    assert workbook_changes(exported, design(other)).notices[0].startswith("ANOTHER PROJECT")


def insert_row(sheet: Any, rows: dict[str, int]) -> None:
    sheet.insert_rows(rows["house.other"])
    sheet.cell(rows["house.other"], 2).value = 3
    sheet.cell(rows["house.other"], 1).value = "Sauna"


def insert_field(sheet: Any, rows: dict[str, int]) -> None:
    insert_row(sheet, rows)
    sheet.cell(rows["house.other"], 6).value = "house.sauna"
    sheet.cell(rows["house.other"], 7).value = "house_sauna"


REMARKS = {
    "row inserted": (insert_row, "row inserted; it names no project field"),
    "field inserted": (insert_field, "row inserted; 'house.sauna' is not an input"),
    "row deleted": (
        lambda sheet, rows: sheet.delete_rows(rows["house.other"]),
        "row deleted: Building load: Other (house.other)",
    ),
}


@pytest.mark.parametrize("name", REMARKS)
def test_inserted_and_deleted_rows_are_named(
    name: str, base: Design, inputs: Path, tmp_path: Path
) -> None:
    change, remark = REMARKS[name]
    found = workbook_changes(edited(inputs, tmp_path / "edited.xlsx", change), base)
    assert found.changes == {}
    assert [note for note in found.notices if remark in note]


def copied(sheet: Any, rows: dict[str, int]) -> None:
    for column in range(1, 9):
        cell = sheet.cell(rows["cost.run"] + 1, column)
        cell.value = sheet.cell(rows["cost.used"], column).value


def renamed(sheet: Any, rows: dict[str, int]) -> None:
    sheet.cell(rows["cost.used"], 7).value = "it_gpus"


REFUSED = {
    "blank": (typed(cost__used=None), "IMPORT_CELL"),
    "flag": (typed(cost__used=True), "IMPORT_CELL"),
    "long": (typed(cost__used="9" * 200), "IMPORT_CELL"),
    "formula text": (typed(it__server_power="=HYPERLINK(1)"), "FORMULA_NOT_CALCULATED"),
    "words": (typed(it__server_power="a lot"), "NOT_A_NUMBER"),
    "other unit": (typed(it__server_power="3 m"), "UNIT_WRONG"),
    "not a field's value": (typed(cost__used=7), "OUT_OF_RANGE"),
    "row twice": (copied, "IMPORT_CELL"),
    "another name": (renamed, "IMPORT_CELL"),
    "heading": (lambda sheet, _: sheet.delete_cols(4), "IMPORT_HEADING"),
    "no sheet": (lambda sheet, _: sheet.parent.remove(sheet), "NO_SHEET"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused(
    name: str, base: Design, inputs: Path, tmp_path: Path
) -> None:
    change, code = REFUSED[name]
    path = edited(inputs, tmp_path / "edited.xlsx", change)
    with pytest.raises(FacilityError) as refused:
        workbook_changes(path, base)
    assert refused.value.code == code


def test_a_project_edited_meanwhile_is_not_overwritten(
    base: Design, inputs: Path, tmp_path: Path
) -> None:
    project = Path(shutil.copy(PROJECT, tmp_path / "hall.yaml"))
    path = edited(inputs, tmp_path / "edited.xlsx", typed(cost__used=0.7))
    found: WorkbookChanges = workbook_changes(path, base)
    project.write_text(PROJECT.read_text().replace("gpus: 64", "gpus: 72"))
    with pytest.raises(FacilityError, match="FILE_CHANGED"):
        apply_changes(project, found)
