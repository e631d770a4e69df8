"""The sheet of one panel: positions, phases, sums, and what it prints as."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from facility.core.errors import FacilityError
from facility.files.panel_csv.document import read_panel_csv
from facility.files.workbook.writer import render
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.model import Panel
from facility.report.book.panels.columns import LEFT, PHASE, RIGHT
from facility.report.book.panels.loads import ScheduledPanel, loads_sheet
from facility.report.book.panels.places import PanelCells, PanelContext
from facility.report.book.panels.schedule import FIRST_ROW, panel_sheet
from facility.report.sheet.model import Book, Ref, Sheet
from facility.report.sheet.tables import PageSetup
from tests.report.book.reading import panel_inputs
from tests.tools.libreoffice import convert, pdf_pages

VA_LEFT, VA_RIGHT = range(LEFT.va, LEFT.va + 3), range(RIGHT.va, RIGHT.va + 3)
FURNITURE = PageSetup("Project", "PRELIMINARY", "Rev A", False)
HEAD = "description,poles,va,pf,breaker_a,position,fixed,va_b,va_c,class,connection\n"
THREE_LEGS = (
    "# panel: RPP-1A; system: 415Y/240; poles: 42; bus: 400 A; main: 400 A\n"
    + HEAD
    + "Whip 1,3,78540,1,400,1,yes,92060,95380,IT-AI,\n"
)
TWO_OF_THREE = (
    "# panel: LP-1; system: 208Y/120; poles: 42; bus: 100 A\n"
    + HEAD
    + "Load AB,2,4160,1,30,1,yes,,,REC,\n"
    + "Load BC,2,4160,1,30,4,yes,,,REC,\n"
)
PARTNERS = (
    "# panel: RPP-A01; system: 208Y/120; poles: 42; bus: 100 A\n"
    "description,poles,va,pf,breaker_a,position,fixed,side,partner\n"
    "Three,3,3000,1,30,1,yes,A,RPP-B01-1 / RPP-C01-1\n"
    "Two,2,1500,1,30,7,yes,A,RPP-B01-7 / RPP-C01-7\n"
    "One,1,500,1,20,2,yes,A,RPP-B01-2\n"
)
LARGE = (
    "# panel: LP-84; system: 208Y/120; poles: 84; bus: 400 A\n"
    + HEAD
    + "Load,3,6000,0.9,30,7,yes,,,COOL,\n"
    + "Spare,1,0,1,20,42,yes,,,SPARE,\n"
)


def schedule(text: str) -> tuple[Sheet, PanelCells, Book]:
    panel = read_panel_csv(text, "panel.csv")
    if not panel.placed:
        panel = balance(panel, "current").panel
    return schedule_of(panel)


def schedule_of(panel: Panel) -> tuple[Sheet, PanelCells, Book]:
    scheduled = ScheduledPanel(panel, panel_loads(panel))
    inputs, names = panel_inputs(FURNITURE)
    loads, load_places = loads_sheet("Loads", [scheduled], 1.25, FURNITURE)
    context = PanelContext("NEC 2023", "A", 60.0, 1.25, 0.1, (), "", "facility", FURNITURE)
    sheet, found = panel_sheet("Panel", scheduled, load_places, context)
    book = Book((inputs, loads, sheet), names, "", "", "", "", "", (1980, 1, 1), {})
    return sheet, found, book


def row_of(sheet: Sheet, places: PanelCells, span: str) -> list[float]:
    place = places.spans[span]
    values = [sheet.cells[place.top, column].value for column in range(place.left, place.right + 1)]
    return [float(v) for v in values if isinstance(v, int | float)]


def test_hand_checked_currents_of_three_legs() -> None:
    sheet, places, _ = schedule(THREE_LEGS)
    assert row_of(sheet, places, "phase_va") == pytest.approx([78540, 92060, 95380])
    assert row_of(sheet, places, "lines") == pytest.approx([327.80, 384.22, 398.08], abs=0.005)
    assert places.results["neutral"].value == pytest.approx(64.48, abs=0.005)
    mean = 88660.0
    assert places.results["imbalance"].value == pytest.approx((mean - 78540) / mean)
    assert places.results["verdict_imbalance"].value == "CHECK"


def test_hand_checked_currents_of_two_line_to_line_loads() -> None:
    sheet, places, _ = schedule(TWO_OF_THREE)
    lines = row_of(sheet, places, "lines")
    assert lines == pytest.approx([20.0, 34.64, 20.0], abs=0.005)
    below = places.spans["lines"].top + 1
    scheduled = [sheet.cells[below, column].value for column in VA_RIGHT]
    assert scheduled == pytest.approx([17.32, 34.64, 17.32], abs=0.005)
    assert places.results["neutral"].value == pytest.approx(0.0, abs=1e-9)


def test_both_circuits_of_a_row_share_its_phase() -> None:
    sheet, _, _ = schedule(THREE_LEGS)
    phase = {}
    for row in range(FIRST_ROW, FIRST_ROW + 21):
        for side in (LEFT, RIGHT):
            phase[sheet.cells[row, side.at["ckt"]].value] = sheet.cells[row, PHASE].value
    assert [phase[n] for n in (1, 2, 3, 4, 5, 6, 7)] == list("AABBCCA")
    assert phase[41] == phase[42] == "C"
    large, _, _ = schedule(LARGE)
    assert large.cells[FIRST_ROW + 41, 1].value == 83
    assert large.cells[FIRST_ROW + 41, PHASE].value == "C"


def test_the_rows_of_a_circuit_name_its_partners() -> None:
    panel = read_panel_csv(PARTNERS, "panel.csv")
    sheet, _, _ = schedule_of(panel)
    notes = [sheet.cells[FIRST_ROW + n, LEFT.at["note"]].value for n in range(6)]
    assert notes == ["", "RPP-B01-1", "RPP-C01-1", "", "RPP-B01-7 / RPP-C01-7", None]
    right = [sheet.cells[FIRST_ROW + n, RIGHT.at["note"]].value for n in range(2)]
    assert right == ["RPP-B01-2", None]
    marked = sheet.cells[FIRST_ROW, RIGHT.at["note"]]
    assert marked.formula is not None
    assert marked.formula.endswith('="LOW","LOW","RPP-B01-2")')


def test_a_three_pole_breaker_takes_every_other_number() -> None:
    sheet, _, _ = schedule(LARGE)
    at, every = LEFT.at, range(FIRST_ROW, FIRST_ROW + 42)
    rows = [r for r in every if sheet.cells[r, at["code"]].value == "COOL"]
    assert [sheet.cells[r, at["ckt"]].value for r in rows] == [7, 9, 11]
    assert [sheet.cells[r, at["description"]].value for r in rows] == ["Load", "|", "|"]
    assert [sheet.cells[r, at["poles"]].value for r in rows] == [3, None, None]
    for row, phase in zip(rows, range(3), strict=True):
        for x in range(3):
            cell = sheet.cells[row, VA_LEFT[x]]
            assert bool(cell.formula) == (x == phase)
            assert (cell.value is None) == (x != phase)


def test_va_cells_refer_to_the_loads_sheet() -> None:
    sheet, _, _ = schedule(THREE_LEGS)
    formulas = [sheet.cells[row, VA_LEFT[x]].formula for x, row in enumerate(range(9, 12))]
    assert all(re.fullmatch(r"Loads!\$[MNO]6", formula) for formula in formulas)


def test_spare_and_space_are_counted_apart() -> None:
    sheet, _, _ = schedule(LARGE)
    texts = [cell.value for cell in sheet.cells.values() if isinstance(cell.value, str)]
    assert "1 / 80" in texts


def test_least_ocpd_is_the_worst_line_with_the_continuous_factor() -> None:
    _, places, _ = schedule(THREE_LEGS)
    assert places.results["least_ocpd"].value == pytest.approx(398.08 * 1.25, abs=0.01)
    assert places.results["verdict_main"].value == "CHECK"
    assert places.results["permitted"].value == pytest.approx(320.0)


def test_results_stand_where_they_say() -> None:
    sheet, places, _ = schedule(LARGE)
    for name, (cell, value) in places.results.items():
        assert isinstance(cell, Ref)
        stored = sheet.cells[cell.row, cell.column].value
        if isinstance(value, float) and isinstance(stored, float):
            assert math.isclose(stored, value, rel_tol=1e-12, abs_tol=1e-12), name
        else:
            assert stored == value, name


@pytest.mark.libreoffice
@pytest.mark.parametrize("text", [THREE_LEGS, LARGE], ids=["42 poles", "84 poles"])
def test_prints_on_one_page(text: str, tmp_path: Path) -> None:
    sheet, _, book = schedule(text)
    assert sheet.page.landscape
    assert sheet.page.paper == ("letter" if text is THREE_LEGS else "tabloid")
    source = tmp_path / "panel.xlsx"
    source.write_bytes(render(book))
    pages = pdf_pages(convert(source, "pdf", tmp_path))
    assert pages == len(book.sheets)


def test_one_column_of_poles_is_folded_with_its_phases() -> None:
    """Poles of a single column: 1 A, 2 B, 3 C, 4 A; the page folds it at a whole group of three."""
    sheet, places, _ = schedule(
        "# panel: LP-S; system: 208Y/120; poles: 18; bus: 100 A; numbering: SINGLE\n"
        + HEAD
        + "Low,1,1000,1,20,2,yes,,,REC,\nHigh,2,3000,1,30,14,yes,,,REC,\n"
    )
    rows = {
        sheet.cells[row, 1].value: sheet.cells[row, PHASE].value
        for row in range(FIRST_ROW, FIRST_ROW + 9)
    }
    assert "".join(str(rows[n]) for n in range(1, 10)) == "ABCABCABC"
    right = [sheet.cells[FIRST_ROW + n, RIGHT.at["ckt"]].value for n in range(9)]
    assert right == [*range(10, 19)]
    assert row_of(sheet, places, "phase_va") == pytest.approx([0, 2500, 1500])
    subtotal = [sheet.cells[FIRST_ROW + 9, column].value for column in (*VA_LEFT, *VA_RIGHT)]
    assert subtotal == pytest.approx([0, 1000, 0, 0, 1500, 1500])


def test_a_busway_has_no_schedule() -> None:
    panel = read_panel_csv(
        "# panel: BW-1; system: 415Y/240; tap-offs: 6; bus: 250 A; numbering: BUSWAY\n"
        "description,poles,va,pf,breaker_a,position,fixed,phases\nTap,1,500,1,20,1,yes,B\n"
    )
    with pytest.raises(FacilityError, match="SCHEDULE_BUSWAY"):
        schedule_of(panel)
