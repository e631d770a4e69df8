"""The head of a schedule: feeder, fault current, neutral; wires; demand tiers; IEC ways."""

from __future__ import annotations

import dataclasses
import io
import math
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from facility.core.errors import FacilityError
from facility.files.panel_csv import read_panel_csv
from facility.files.safe_text import safe_text
from facility.files.xlsx_writer import render
from facility.physics.iec_conductors import largest_loop_impedance
from facility.power.panel_currents import panel_loads
from facility.power.panel_model import Panel
from facility.report.panel_places import PanelContext, PanelPlaces
from facility.report.panel_schedule import FIRST_ROW, panel_sheet
from facility.report.panel_supply import PanelSupply, available_fault, panel_supplies
from facility.report.sheet_model import Book, Sheet
from facility.report.sheet_tables import Furniture
from facility.report.sheets_loads import ScheduledPanel, loads_sheet
from facility.report.sheets_settings import (
    CONTINUOUS_NAME,
    IMBALANCE_NAME,
    Setting,
    settings_sheet,
)
from facility.study.design import Design
from tests.tools.libreoffice import convert
from tests.tools.workbooks import differences, poisoned
from tests.workbook.hostile import HOSTILE
from tests.workbook.reading import sheet_of

PLAIN = Furniture("Project", "PRELIMINARY", "Rev A", False)
RECEPTACLES = (
    "# panel: LP-1; system: 208Y/120; poles: 42; bus: 100 A; main: 100 A\n"
    "description,poles,va,pf,breaker_a,position,fixed,class\n"
    "Desks,3,15000,1,60,1,yes,REC\nLights,1,3000,1,20,7,yes,LTG\n"
)  # fmt: skip


def scheduled_book(
    panels: list[Panel], supplies: dict[str, PanelSupply], tier: tuple[float, float] | None = None,
    words: str = "",
) -> tuple[Book, list[PanelPlaces]]:  # fmt: skip
    """Return settings, loads and schedules; `tier` is that of the class REC."""
    settings, places = settings_sheet(
        "Settings",
        [Setting("Factor", 1.25, "ratio", CONTINUOUS_NAME, ""),
         Setting("Limit", 0.1, "fraction", IMBALANCE_NAME, "")],
        [], (20.0, 60.0), PLAIN,
    )  # fmt: skip
    classes = list(places.classes)
    if tier is not None:
        at = next(n for n, one in enumerate(classes) if one.code == "REC")
        classes[at] = dataclasses.replace(classes[at], tier_va=tier[0], tier_factor=tier[1])
        row = classes[at].tier_cell.row
        settings.put(row, classes[at].tier_cell.column, tier[0], "input.n0")
        settings.put(row, classes[at].tier_factor_cell.column, tier[1], "input.n2")
    scheduled = [ScheduledPanel(panel, panel_loads(panel)) for panel in panels]
    loads, load_places = loads_sheet("Loads", scheduled, 1.25, PLAIN)
    context = PanelContext(
        words or "NEC 2023", words or "A", 60.0, 1.25, CONTINUOUS_NAME, 0.1, IMBALANCE_NAME,
        tuple(classes), ((words, words, words, words),), words, words or "facility", PLAIN,
        supplies,
    )  # fmt: skip
    made = [
        panel_sheet(f"P{n}", one, load_places, context) for n, one in enumerate(scheduled)
    ]  # fmt: skip
    sheets = (settings, loads, *(sheet for sheet, _ in made))
    book = Book(sheets, places.names, "", "", "", "", "", (1980, 1, 1), {})
    return book, [found for _, found in made]


def value_beside(sheet: Sheet, label: str) -> object:
    """Return the value of the header cell right of a label."""
    row, column = next(
        place for place, cell in sheet.cells.items() if cell.value == label and place[0] < 7
    )  # fmt: skip
    return next(
        sheet.cells[row, after].value for after in range(column + 1, 22)
        if (row, after) in sheet.cells
    )  # fmt: skip


@pytest.mark.parametrize("name", ["mixed-hall", "iec-400", "us-208-2n"])
def test_header_states_feeder_and_fault_current_of_the_study(
    name: str, designs: dict[str, Design], books: dict[str, Book]
) -> None:
    design = designs[name]
    panel = design.panels.panels[0]
    sheet = sheet_of(books[name], panel.tag)
    faults = design.distribution.faults
    bus = faults.bus_of[panel.tag]
    highest = max(
        float(state.highest.available_a[state.highest.index(bus)])
        for state in faults.states.values() if bus in state.highest.tags
    )  # fmt: skip
    assert value_beside(sheet, "Avail. fault kA") == pytest.approx(highest / 1e3)
    feeder = next(
        f for f in design.distribution.feeders.feeders if f.circuit.target == panel.tag
    )  # fmt: skip
    assert feeder.choice is not None
    text = str(value_beside(sheet, "Feeder"))
    assert text.startswith(f"{feeder.choice.ocpd_a:g} A, ")
    assert feeder.choice.size in text
    assert f"{feeder.length_m:g} m" in text
    assert str(value_beside(sheet, "Fed from, circuit")).endswith(feeder.circuit.tag)
    assert value_beside(sheet, "Mounting") == value_beside(sheet, "SCCR kA sym") == "not stated"


def test_date_of_the_calculation_is_the_projects(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    dated = str(value_beside(sheet_of(books["iec-400"], "RPP-A01"), "Fault date; from"))
    assert dated.startswith("2025-06-30; ")
    undated = str(value_beside(sheet_of(books["mixed-hall"], "RPP-A01"), "Fault date; from"))
    assert undated.startswith("no dated revision; ")
    assert available_fault(designs["iec-400"].distribution.faults, "no such panel") == (None, "")


def test_an_unknown_fault_current_is_not_known(designs: dict[str, Design]) -> None:
    faults = designs["iec-400"].distribution.faults
    state = faults.states["utility"]
    row = state.highest.index(faults.bus_of["RPP-A01"])
    three_phase = state.highest.three_phase_a.copy()
    three_phase[row] = math.nan
    spoiled = dataclasses.replace(
        faults,
        states={
            **faults.states,
            "utility": state._replace(
                highest=dataclasses.replace(
                    state.highest, three_phase_a=three_phase,
                    line_ground_a=three_phase,
                )
            ),
        },
    )  # fmt: skip
    assert available_fault(spoiled, "RPP-A01")[0] is None


def test_every_circuit_shows_the_conductor_of_its_branch(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    for name, column, form in (("mixed-hall", 6, "{} {}"), ("iec-400", 6, "{0}/{2}")):
        design = designs[name]
        panel = design.panels.panels[0]
        choices = {f.circuit.tag: f.choice for f in design.distribution.feeders.feeders}
        sheet = sheet_of(books[name], panel.tag)
        first = min(panel.circuits, key=lambda c: c.position or 0)
        choice = choices[first.id]
        assert choice is not None
        wanted = form.format(choice.size, choice.size_unit, choice.egc_size)
        assert sheet.cells[FIRST_ROW, column].value == wanted
        supply = panel_supplies(design)[panel.tag]
        assert set(supply.cables) == {c.id for c in panel.circuits}


def test_demand_above_the_tier_takes_the_second_factor() -> None:
    panel = read_panel_csv(RECEPTACLES, "panel.csv")
    _, (plain,) = scheduled_book([panel], {})
    _, (tiered,) = scheduled_book([panel], {}, tier=(10_000.0, 0.5))
    assert plain.results["demand_va"].value == pytest.approx(18_000.0)
    assert tiered.results["demand_va"].value == pytest.approx(3_000 + 10_000 + 0.5 * 5_000)
    assert tiered.results["design_va"].value == pytest.approx(1.25 * 3_000 + 12_500)


@pytest.mark.libreoffice
def test_tiers_are_recalculated_alike(tmp_path: Path) -> None:
    panel = read_panel_csv(RECEPTACLES, "panel.csv")
    book, _ = scheduled_book([panel], {}, tier=(10_000.0, 0.5))
    source = tmp_path / "panel.xlsx"
    source.write_bytes(render(poisoned(book)))
    assert differences(book, convert(source, "xlsx", tmp_path)) == []


def test_iec_board_is_one_list_of_ways(designs: dict[str, Design], books: dict[str, Book]) -> None:
    panel = designs["iec-400"].panels.panels[0]
    sheet = sheet_of(books["iec-400"], panel.tag)
    rows = range(FIRST_ROW, FIRST_ROW + panel.poles)
    assert [sheet.cells[row, 1].value for row in rows] == [
        panel.layout.label(n) for n in range(1, panel.poles + 1)
    ]  # fmt: skip
    assert [sheet.cells[row, 11].value for row in rows] == ["L1", "L2", "L3"] * (panel.poles // 3)
    heads = [sheet.cells[FIRST_ROW - 1, column].value for column in range(12, 22)]
    assert heads[:2] == ["Device\ntype", "Curve"]
    first = min(panel.circuits, key=lambda c: c.position or 0)
    assert sheet.cells[FIRST_ROW, 17].value == pytest.approx(first.length_m)
    assert not sheet.page.landscape


@pytest.mark.libreoffice
def test_a_typed_curve_gives_the_largest_loop(books: dict[str, Book], tmp_path: Path) -> None:
    book = books["iec-400"]
    sheet = sheet_of(book, "RPP-A01")
    typed = dataclasses.replace(sheet, cells=dict(sheet.cells))
    multiples = {"B": 5.0, "C": 10.0, "D": 20.0, "K": None}
    for offset, curve in enumerate(multiples):
        typed.put(FIRST_ROW + 3 * offset, 13, curve, "ptrip")
    changed = tuple(typed if one.name == sheet.name else one for one in book.sheets)
    source = tmp_path / "book.xlsx"
    source.write_bytes(render(dataclasses.replace(book, sheets=changed)))
    read = openpyxl.load_workbook(convert(source, "xlsx", tmp_path), data_only=True)["RPP-A01"]
    for offset, multiple in enumerate(multiples.values()):
        row = FIRST_ROW + 3 * offset
        found = read.cell(row, 19).value
        if multiple is None:
            assert found in (None, "")
            continue
        trip_a = multiple * float(str(read.cell(row, 5).value))
        expected = largest_loop_impedance.si(400.0 / math.sqrt(3.0), 0.95, trip_a)
        assert found == pytest.approx(expected, rel=1e-9)


def test_circuit_numbers_that_occur_twice_are_marked(books: dict[str, Book]) -> None:
    sheet = sheet_of(books["mixed-hall"], "RPP-A01")
    rules = [rule.formula for rule in sheet.conditionals if rule.span.left in (1, 21)]
    assert rules[0] == 'AND(A9<>"",COUNTIF($A$9:$A$29,A9)+COUNTIF($U$9:$U$29,A9)>1)'
    assert len(rules) == 2


def hostile_panel(number: int, text: str) -> Panel:
    panel = read_panel_csv(RECEPTACLES, "panel.csv")
    first, *others = panel.circuits
    circuits = (
        dataclasses.replace(
            first, description=text, rack=text, partner=text, receptacle=text, side=text
        ),
        *others,
    )  # fmt: skip
    return dataclasses.replace(
        panel, tag=f"{text}{number}", side=text, hall=text, system=text, fed_from=text,
        paired=(text, text), circuits=circuits,
    )  # fmt: skip


def test_hostile_text_in_every_field_of_a_schedule_stays_text() -> None:
    panels = [hostile_panel(number, text) for number, text in enumerate(HOSTILE)]
    supplies = {
        panel.tag: PanelSupply(
            circuit=text, feeder=text, neutral=text, fault_basis=text,
            cables={circuit.id: text for circuit in panel.circuits},
        )
        for panel, text in zip(panels, HOSTILE, strict=True)
    }  # fmt: skip
    book, _ = scheduled_book(panels, supplies, words="=1+1")
    read = openpyxl.load_workbook(io.BytesIO(render(book)))
    assert len(book.sheets) - 2 == len(HOSTILE) >= 30
    for sheet in book.sheets[2:]:
        for (row, column), cell in sheet.cells.items():
            if isinstance(cell.value, str) and cell.value and not cell.formula:
                got = read[sheet.name].cell(row, column)
                assert got.data_type == "s", (sheet.name, row, column)
                assert got.value == safe_text(cell.value)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["bus_a", "main_a", "fault_a", "sccr_a", "neutral"])
def test_a_number_that_is_not_finite_is_refused(field: str, number: float) -> None:
    panel, supply = read_panel_csv(RECEPTACLES, "panel.csv"), PanelSupply()
    changed: dict[str, Any] = {field: number}
    if field in ("bus_a", "main_a"):
        panel = dataclasses.replace(panel, **changed)
    else:
        supply = dataclasses.replace(supply, **changed)
    with pytest.raises(FacilityError, match="NOT_FINITE"):
        scheduled_book([panel], {panel.tag: supply})
