"""The head of a schedule: feeder, fault current, neutral; wires; IEC ways."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

from facility.core.errors import FacilityError
from facility.files.io.safe_text import safe_text
from facility.files.panel_csv.document import read_panel_csv
from facility.files.workbook.writer import render
from facility.physics.circuits.harmonics import HarmonicSpectrum
from facility.physics.circuits.iec_conductors import largest_loop_impedance
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.harmonics import panel_harmonics, rack_spectrum
from facility.power.panels.board.model import Panel
from facility.report.book.panels.columns import FORM, LEFT, PHASE, WAY, Form
from facility.report.book.panels.loads import ScheduledPanel, loads_sheet
from facility.report.book.panels.places import PanelCells, PanelContext
from facility.report.book.panels.schedule import FIRST_ROW, panel_sheet
from facility.report.book.panels.supply import PanelSupply, available_fault, panel_supplies
from facility.report.sheet.model import Book, Sheet
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design
from tests.report.book.hostile import HOSTILE
from tests.report.book.reading import panel_inputs, sheet_of
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import differences, poisoned, read_book

PLAIN = PageSetup("Project", "PRELIMINARY", "Rev A", False)
RECEPTACLES = (
    "# panel: LP-1; system: 208Y/120; poles: 42; bus: 100 A; main: 100 A\n"
    "description,poles,va,pf,breaker_a,position,fixed,class\n"
    "Desks,3,13500,1,60,1,yes,REC\nDesk,1,1500,1,20,8,yes,REC\nLights,1,3000,1,20,7,yes,LTG\n"
)
NEUTRALS = (
    "# panel: LP-1; system: 208Y/120; poles: 42; bus: 100 A; main: 100 A\n"
    "description,poles,va,pf,breaker_a,position,fixed,class,connection\n"
    "Heater,2,9000,1,60,1,yes,MISC,\nThree,3,9000,1,60,2,yes,REC,L-N\n"
    "Desk,1,4000,0.9,40,5,yes,REC,\n"
)


def scheduled_book(
    panels: list[Panel],
    supplies: dict[str, PanelSupply],
    words: str = "",
    triplen: float | None = None,
) -> tuple[Book, list[PanelCells]]:
    """Return inputs, loads and schedules."""
    inputs, names = panel_inputs(PLAIN)
    scheduled = [ScheduledPanel(panel, panel_loads(panel)) for panel in panels]
    loads, load_places = loads_sheet("Loads", scheduled, 1.25, PLAIN)
    context = PanelContext(
        words or "NEC 2023",
        words or "A",
        60.0,
        1.25,
        0.1,
        ((words, words, words, words),),
        words,
        words or "facility",
        PLAIN,
        supplies,
        triplen,
    )
    made = [panel_sheet(f"P{n}", one, load_places, context) for n, one in enumerate(scheduled)]
    sheets = (inputs, loads, *(sheet for sheet, _ in made))
    book = Book(sheets, names, "", "", "", "", "", (1980, 1, 1), {})
    return book, [found for _, found in made]


def value_beside(sheet: Sheet, label: str) -> object:
    """Return the value of the header cell right of a label."""
    row, column = next(
        place for place, cell in sheet.cells.items() if cell.value == label and place[0] < 7
    )
    return next(
        sheet.cells[row, after].value
        for after in range(column + 1, Form(single=False).at(FORM) + 1)
        if (row, after) in sheet.cells
    )


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
        for state in faults.states.values()
        if bus in state.highest.tags
    )
    assert value_beside(sheet, "Avail. fault kA") == pytest.approx(highest / 1e3)
    feeder = next(f for f in design.distribution.feeders.feeders if f.circuit.target == panel.tag)
    assert feeder.choice is not None
    text = str(value_beside(sheet, "Feeder"))
    assert feeder.trip is not None
    assert text.startswith(f"{feeder.choice.ocpd_a:g} A {feeder.trip.label}, ")
    assert feeder.choice.size in text
    assert f"{feeder.length_m:g} m" in text
    named = f"{feeder.circuit.source}, breaker {panel.tag}"
    assert value_beside(sheet, "Fed from, circuit") == named
    assert value_beside(sheet, "Mounting") == "not stated"
    chosen_a = float(design.distribution.results["fault.panel.rating"].si)
    assert chosen_a >= highest
    assert value_beside(sheet, "SCCR kA sym") == pytest.approx(chosen_a / 1e3)


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
                    state.highest, three_phase_a=three_phase, line_ground_a=three_phase
                )
            ),
        },
    )
    assert available_fault(spoiled, "RPP-A01")[0] is None


def test_every_circuit_shows_the_conductor_of_its_branch(
    designs: dict[str, Design], books: dict[str, Book]
) -> None:
    for name, form in (("mixed-hall", "{} {}"), ("iec-400", "{0}/{2}")):
        design = designs[name]
        panel = design.panels.panels[0]
        choices = {f.circuit.tag: f.choice for f in design.distribution.feeders.feeders}
        sheet = sheet_of(books[name], panel.tag)
        first = min(panel.circuits, key=lambda c: c.position or 0)
        choice = choices[first.id]
        assert choice is not None
        wanted = form.format(choice.size, choice.size_unit, choice.egc_size)
        assert sheet.cells[FIRST_ROW, LEFT.at["wire"]].value == wanted
        supply = panel_supplies(design)[panel.tag]
        assert set(supply.cables) == {c.id for c in panel.circuits}


def test_neutral_load_counts_circuits_to_neutral_only() -> None:
    """220.61: the largest load between a phase and neutral, 7 kVA of C; 208Y/120 V."""
    panel = read_panel_csv(NEUTRALS, "panel.csv")
    _, (found,) = scheduled_book([panel], {})
    volts = 208 / math.sqrt(3)
    assert found.results["neutral_load"].value == pytest.approx(7_000 / volts)
    assert found.results["failover_neutral_load"].value == pytest.approx(7_000 / volts)


def test_iec_board_is_one_list_of_ways(designs: dict[str, Design], books: dict[str, Book]) -> None:
    panel = designs["iec-400"].panels.panels[0]
    sheet = sheet_of(books["iec-400"], panel.tag)
    rows = range(FIRST_ROW, FIRST_ROW + panel.poles)
    assert [sheet.cells[row, 1].value for row in rows] == [
        panel.layout.label(n) for n in range(1, panel.poles + 1)
    ]
    phases = [sheet.cells[row, PHASE].value for row in rows]
    assert phases == ["L1", "L2", "L3"] * (panel.poles // 3)
    heads = [sheet.cells[FIRST_ROW - 1, column].value for column in (PHASE + 1, WAY["curve"])]
    assert heads == ["Device\ntype", "Curve"]
    first = min(panel.circuits, key=lambda c: c.position or 0)
    assert sheet.cells[FIRST_ROW, WAY["length"]].value == pytest.approx(first.length_m)
    assert not sheet.page.landscape


def test_a_typed_curve_gives_the_largest_loop(books: dict[str, Book], tmp_path: Path) -> None:
    book = books["iec-400"]
    sheet = sheet_of(book, "RPP-A01")
    typed = dataclasses.replace(sheet, cells=dict(sheet.cells))
    multiples = {"B": 5.0, "C": 10.0, "D": 20.0, "K": None}
    for offset, curve in enumerate(multiples):
        typed.put(FIRST_ROW + 3 * offset, WAY["curve"], curve, "pcode")
    changed = tuple(typed if one.name == sheet.name else one for one in book.sheets)
    source = tmp_path / "book.xlsx"
    source.write_bytes(render(dataclasses.replace(book, sheets=changed)))
    read = read_book(recalculated(source, tmp_path), data_only=True)["RPP-A01"]
    for offset, multiple in enumerate(multiples.values()):
        row = FIRST_ROW + 3 * offset
        found = read.cell(row, WAY["loop"]).value
        if multiple is None:
            assert found in (None, "")
            continue
        trip_a = multiple * float(str(read.cell(row, LEFT.at["trip"]).value))
        expected = largest_loop_impedance.si(400.0 / math.sqrt(3.0), 0.95, trip_a)
        assert found == pytest.approx(expected, rel=1e-9)


def hostile_panel(number: int, text: str) -> Panel:
    panel = read_panel_csv(RECEPTACLES, "panel.csv")
    first, *others = panel.circuits
    circuits = (
        dataclasses.replace(
            first, description=text, rack=text, partner=text, receptacle=text, side=text
        ),
        *others,
    )
    return dataclasses.replace(
        panel,
        tag=f"{text}{number}",
        side=text,
        hall=text,
        system=text,
        fed_from=text,
        paired=(text, text),
        circuits=circuits,
    )


def test_hostile_text_in_every_field_of_a_schedule_stays_text() -> None:
    panels = [hostile_panel(number, text) for number, text in enumerate(HOSTILE)]
    supplies = {
        panel.tag: PanelSupply(
            source=text,
            feeder=text,
            neutral=text,
            fault_basis=text,
            cables={circuit.id: text for circuit in panel.circuits},
        )
        for panel, text in zip(panels, HOSTILE, strict=True)
    }
    book, _ = scheduled_book(panels, supplies, words="=1+1")
    read = read_book(render(book))
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


def test_neutral_with_triplen_harmonics_is_that_of_the_engine() -> None:
    """Third harmonic of 60 % in balanced lines: 3 x 0.6/rms of the line, more than the line."""
    text = (
        RECEPTACLES.splitlines()[0] + "\ndescription,poles,va,pf,breaker_a,position,fixed,"
        "class,connection\nRack,3,18000,1,60,1,yes,IT-AI,L-N\n"
    )
    panel = read_panel_csv(text, "panel.csv")
    spectrum = rack_spectrum(((3, 0.6), (5, 0.3)))
    assert spectrum is not None
    share = spectrum.triplen / spectrum.rms
    _, (found,) = scheduled_book([panel], {}, triplen=share)
    line_a = 6_000 / (208 / math.sqrt(3))
    wanted = panel_harmonics(panel, spectrum).neutral_a
    assert found.results["neutral_triplen"].value == pytest.approx(wanted)
    assert wanted == pytest.approx(3 * line_a * 0.6 / math.sqrt(1 + 0.36 + 0.09))
    _, (unknown,) = scheduled_book([panel], {})
    assert "neutral_triplen" not in unknown.results


def test_neutral_with_triplen_harmonics_is_recalculated_alike(tmp_path: Path) -> None:
    text = NEUTRALS.replace("MISC", "IT-NET").replace("REC", "IT-AI")
    panel = read_panel_csv(text, "panel.csv")
    book, (found,) = scheduled_book([panel], {}, triplen=0.4)
    assert found.results["neutral_triplen"].value == pytest.approx(
        panel_harmonics(panel, HarmonicSpectrum(((1, math.sqrt(1 - 0.16)), (3, 0.4)))).neutral_a
    )
    source = tmp_path / "panel.xlsx"
    source.write_bytes(render(poisoned(book)))
    assert differences(book, recalculated(source, tmp_path)) == []
