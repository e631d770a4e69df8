"""An input that was changed is named on the Cover, and what rests on the engine says STALE."""

from __future__ import annotations

from typing import Any

import pytest

from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.files.workbook.book import write_workbook
from facility.report.sheet.model import Book
from facility.report.sheet.styles import look_of
from facility.study.design.design import Design, design
from tests.report.book.reading import sheet_of
from tests.tools.libreoffice import convert_all
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import read_book

EDITS = {
    "as-exported": (),
    "demand": (("Settings", "IT demand factor", 0.9),),
    "load": (("Loads", "AA6", 9_999.0),),
    "trip": (("RPP-A01", "E9", 15.0),),
    "volts": (("RPP-A01", "J2", 400.0),),
}
REFEREED = 2
"""The first edits, which LibreOffice recalculates."""
ENGINE_ONLY = ("IT load", "Facility load", "PUE, design hour", "Utility demand")


@pytest.fixture(scope="module")
def found() -> Design:
    return design(load_project(reference_path("projects", "dgx-su-32.yaml")))


@pytest.fixture(scope="module")
def edited(found: Design, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the workbook with each edit, recalculated: nothing is kept of the cached values."""
    folder = tmp_path_factory.mktemp("stale")
    workbook = read_book(write_workbook(found, folder / "source.xlsx"))
    paths = []
    for name, edits in EDITS.items():
        cells = [(_place(workbook[sheet], place), value) for sheet, place, value in edits]
        exported = [cell.value for cell, _ in cells]
        for cell, value in cells:
            assert not cell.protection.locked, f"{name}: {cell.coordinate} is no input"
            cell.value = value
        workbook.save(folder / f"{name}.xlsx")
        paths.append(folder / f"{name}.xlsx")
        for (cell, _), value in zip(cells, exported, strict=True):
            cell.value = value
    out = [
        *convert_all(paths[:REFEREED], "xlsx", folder),
        *(recalculated(path, folder) for path in paths[REFEREED:]),
    ]
    read = [read_book(path, data_only=True) for path in out]
    return dict(zip(EDITS, read, strict=True))


def _place(sheet: Any, place: str) -> Any:
    labels = {row[0].value: row[1] for row in sheet.iter_rows(max_col=2)}
    return labels.get(place) or sheet[place]


def _cover(workbook: Any) -> tuple[dict[str, Any], str]:
    """Return the figures of the Cover by name, and its line about the inputs."""
    sheet = workbook["Cover"]
    figures = {row[0].value: row[1].value for row in sheet.iter_rows(max_col=2)}
    lines = [str(row[0].value) for row in sheet.iter_rows(max_col=1)]
    line = next(x for x in lines if x.startswith("Inputs are") or "changed since" in x)
    return figures, line


@pytest.mark.libreoffice
def test_nothing_is_stale_as_exported(edited: dict[str, Any]) -> None:
    figures, line = _cover(edited["as-exported"])
    assert line == "Inputs are as exported"
    assert all(isinstance(figures[name], float) for name in ENGINE_ONLY)
    assert edited["as-exported"]["_inputs"]["D1"].value == 0


@pytest.mark.libreoffice
@pytest.mark.parametrize(
    ("edit", "named"),
    [
        ("demand", "Settings B12 (IT demand factor)"),
        ("load", "Loads, column AA"),
        ("trip", "RPP-A01, column E"),
        ("volts", "RPP-A01 J2"),
    ],
)
def test_a_changed_input_is_named_and_what_rests_on_it_is_stale(
    edited: dict[str, Any], edit: str, named: str
) -> None:
    figures, line = _cover(edited[edit])
    assert line.startswith("1 changed since the export: ")
    assert named in line
    assert {figures[name] for name in ENGINE_ONLY} == {"STALE"}
    outcomes = {row[0].value for row in edited[edit]["Checks"].iter_rows(min_row=10, max_col=1)}
    assert outcomes == {"STALE"}


@pytest.mark.libreoffice
def test_trip_and_volts_of_the_schedule_reach_the_loads(edited: dict[str, Any]) -> None:
    """15 A is below what the first circuit needs; at 400 V it takes 415/400 of the current."""
    before, after = edited["as-exported"]["Loads"], edited["trip"]["Loads"]
    assert (before["Y6"].value, after["Y6"].value) == ("OK", "LOW")
    assert after["I6"].value == 15
    amperes = edited["volts"]["Loads"]["V6"].value / before["V6"].value
    assert amperes == pytest.approx(415.0 / 400.0, rel=1e-9)


def test_engine_figures_are_locked_and_of_their_own_colour(book: Book) -> None:
    """Blue is for cells that may be typed into: none of the numbers of Failures is one."""
    blue = look_of("input")[0].color
    given = look_of("given")[0]
    assert given.locked
    assert given.color != blue
    failures = sheet_of(book, "Failures")
    assert failures.protected
    numbers = [c for c in failures.cells.values() if isinstance(c.value, int | float)]
    assert numbers
    assert all(look_of(cell.style)[0].color != blue for cell in numbers)


def test_every_blue_cell_may_be_typed_into_and_is_watched_or_words(book: Book) -> None:
    """A blue cell is unlocked; its number stands among the inputs that make figures stale."""
    watched = " ".join(str(c.value) for c in sheet_of(book, "_inputs").cells.values())
    blue = look_of("input")[0].color
    for sheet in book.sheets:
        for (row, column), cell in sheet.cells.items():
            look = look_of(cell.style)[0]
            if look.color == blue and not cell.formula:
                assert not look.locked, (sheet.name, row, column)
                if isinstance(cell.value, float):
                    assert sheet.name in watched, (sheet.name, row, column)
