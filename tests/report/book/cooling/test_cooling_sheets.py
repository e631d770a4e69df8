"""The sheets of the cooling: what the studies found, live where an engineer traces a number."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from facility.core.check import Outcome
from facility.core.kinds import KINDS, value_in
from facility.core.reference import reference_path
from facility.core.views import view_value
from facility.files.project.file import apply_sets, load_project
from facility.files.workbook.writer import render
from facility.report.book.cooling.sheets import COOLING_CONTENTS, cooling_sheets
from facility.report.sheet.model import Book, Cell, Sheet
from facility.report.sheet.tables import PageSetup
from facility.study.design.design import Design, design
from facility.study.transient.study import TransientStudy
from tests.report.book.reading import heading_row, line, rows_of, sheet_of
from tests.study.helpers import reference
from tests.tools.recalculate import recalculated
from tests.tools.workbooks import differences, error_cells, formula_count, poisoned, read_book

CDU_NAME, COOLER_NAME = '=HYPERLINK("http://example.org","x")', "@SUM(A1)<b>&P</b>"
_CDU = "cooling.cdu.rating."
_COOLER = "cooling.facility_water.rejection.dry_cooler."
_TOWER = "cooling.plant.heat_rejection=tower"
VARIANTS = {
    "liquid": ("nvl72-hall", (_TOWER,)),
    "air": ("dgx-su-32", ("cooling.economizer.kind=integrated-water-side", _TOWER)),
    "outdoor air": (
        "dgx-su-32",
        ("cooling.economizer.kind=air-side-indirect", "cooling.plant.heat_rejection=air_cooled"),
    ),
    "doors": (
        "dgx-su-32",
        (
            "cooling.air.terminal=rear-door",
            "cooling.plant.pumping.scheme=primary-secondary",
            _TOWER,
        ),
    ),
    "direct": ("dgx-su-32", ("cooling.air.terminal=crac",)),
    "curves": ("dgx-su-32", ("cooling.plant.chiller.performance=curves", _TOWER)),
    "hostile": (
        "nvl72-hall",
        (
            f"{_CDU}fws_fluid=PG50",
            f"{_CDU}model={CDU_NAME}",
            f"{_CDU}capacity=800 kW",
            f"{_CDU}approach=4 K",
            f"{_CDU}tcs_flow=900 L/min",
            _TOWER,
            "cooling.facility_water.source=dry_cooler",
            f"{_COOLER}model={COOLER_NAME}",
            f"{_COOLER}heat=400 kW",
            f"{_COOLER}air_in=35 degC",
            f"{_COOLER}fluid_in=54 degC",
            f"{_COOLER}fluid_out=46 degC",
            f"{_COOLER}fan_power=8 kW",
            "cooling.cdu.tcs_supply=52 degC",
            "cooling.facility_water.supply=48 degC",
        ),
    ),
}
PLAIN = PageSetup("", "", "", False)


@pytest.fixture(scope="module")
def found() -> dict[str, Design]:
    return {
        name: design(apply_sets(load_project(reference_path("projects", f"{base}.yaml")), sets))
        for name, (base, sets) in VARIANTS.items()
    }


@pytest.fixture(scope="module")
def wings(found: dict[str, Design]) -> dict[str, Book]:
    return {name: wing(one) for name, one in found.items()}


def wing(one: Design) -> Book:
    """Return the sheets of the cooling alone, as a book; they refer to no other sheet."""
    sheets = tuple(cooling_sheets(one, PLAIN))
    return Book(sheets, {}, "", "", "", "", "", (2026, 1, 1), {})


def test_sheets_stand_in_their_order(wings: dict[str, Book]) -> None:
    for book in wings.values():
        assert [sheet.name for sheet in book.sheets] == list(COOLING_CONTENTS)


def test_every_number_is_recalculated_alike(wings: dict[str, Book], tmp_path: Path) -> None:
    for name, book in wings.items():
        source = tmp_path / f"{name}.xlsx"
        source.write_bytes(render(poisoned(book)))
        converted = recalculated(source, tmp_path)
        assert formula_count(book) > 40
        assert error_cells(converted) == []
        assert differences(book, converted) == []


def _rides(one: Design) -> TransientStudy:
    study = one.ride_through.study
    assert study is not None
    return study


def _table(sheet: Sheet, title: str) -> list[dict[str, Cell]]:
    """Return the rows of the table that stands below a section title."""
    row = next(r for (r, c), cell in sheet.cells.items() if c == 1 and cell.value == title)
    return list(rows_of(sheet, row + 1))


def _shows(cell: Cell, si: float, kind: str, *, live: bool) -> None:
    assert cell.value == pytest.approx(view_value(si, kind), rel=1e-9, abs=1e-12)
    assert bool(cell.formula) is live


@pytest.mark.parametrize("name", ["liquid", "air", "doors", "hostile"])
def test_loops_are_those_of_the_study(
    name: str, found: dict[str, Design], wings: dict[str, Book]
) -> None:
    study, sheet = found[name].hydraulics, sheet_of(wings[name], "Cooling loops")
    rows = list(rows_of(sheet, heading_row(sheet, "Loop")))
    assert [row["Loop"].value for row in rows] == [loop.title for loop in study.loops]
    for row, loop in zip(rows, study.loops, strict=True):
        at = f"loop.{loop.name}"
        _shows(
            row["Calculated head (kPa)"],
            float(study.results[f"{at}.head"].si),
            "pressure",
            live=True,
        )
        _shows(row["Mains (m/s)"], float(study.results[f"{at}.velocity"].si), "velocity", live=True)
        _shows(row["Volume (m³)"], float(study.results[f"{at}.volume"].si), "volume", live=True)
        _shows(
            row["Expansion volume (m³)"],
            float(study.results[f"{at}.expansion"].si),
            "volume",
            live=True,
        )
        if f"{at}.pump_power" in study.results:
            power = float(study.results[f"{at}.pump_power"].si)
            _shows(row["Pump power at calculated head (kW)"], power, "active_power", live=True)
        drops = _table(sheet, f"{loop.title[0].upper()}{loop.title[1:]}: critical path")
        assert str(drops[-1]["Part"].value) == "Critical path"
        total = sum(
            float(str(row["Pressure drop (kPa)"].value))
            for row in drops[:-1]
            if row["Pressure drop (kPa)"].value is not None
        )
        assert total == pytest.approx(loop.head_pa / 1e3, rel=1e-9)
        assert drops[-1]["Pressure drop (kPa)"].formula.startswith("SUM(")


def test_heat_of_a_loop_is_that_of_the_balance(
    found: dict[str, Design], wings: dict[str, Book]
) -> None:
    """Flow, density, specific heat and rise give the heat the design moves, loop by loop."""
    one, sheet = found["liquid"], sheet_of(wings["liquid"], "Cooling loops")
    rows = {str(r["Loop"].value): r for r in rows_of(sheet, heading_row(sheet, "Loop"))}
    for title, id in (
        ("coolant (TCS)", "heat.cdu"),
        ("facility water (FWS)", "heat.facility_water"),
        ("tower water of the facility water", "fws.rejection.rejected"),
        ("chilled water", "heat.chilled_water"),
        ("condenser water of the chillers", "plant.rejection.rejected"),
    ):
        shown = float(str(rows[title]["Heat, design hour (kW)"].value))
        assert shown == pytest.approx(one.trace.value(id) / 1e3, rel=2e-4), title


@pytest.mark.parametrize("name", VARIANTS)
def test_equipment_counts_and_supplies_are_those_of_the_design(
    name: str, found: dict[str, Design], wings: dict[str, Book]
) -> None:
    one, sheet = found[name], sheet_of(wings[name], "Cooling equipment")
    counts, chain = one.cooling.counts, one.cooling.chain
    air = {str(r["Service"].value): r for r in _table(sheet, "Air units")}
    if counts.crah:
        assert air["halls"]["Duty"].value == counts.crah_duty
        assert air["halls"]["Installed"].value == counts.crah
        assert air["halls"]["Supply"].value == ("UPS" if chain.crah.on_ups else "generator")
        assert air["halls"]["Heat"].value == "OK"
    if counts.cdu:
        (cdu,) = _table(sheet, "Coolant distribution units")
        assert (cdu["Duty"].value, cdu["Installed"].value) == (counts.cdu_duty, counts.cdu)
        assert one.cooling.cdus is not None
        _shows(
            cdu["Required approach (K)"],
            one.cooling.cdus.approach_k,
            "temperature_difference",
            live=False,
        )
    if counts.chillers:
        (chiller,) = _table(sheet, "Chillers")
        assert chiller["Installed"].value == counts.chillers
        by_curves = name == "curves"
        cop = one.cooling_flow.chiller_cop
        _shows(chiller["COP, design hour"], cop, "ratio", live=not by_curves)
        power_w = one.cooling_flow.power.chillers_w
        _shows(chiller["Power, design hour, all (kW)"], power_w, "active_power", live=by_curves)
        assert ("Fraction of Carnot COP" in chiller) is not by_curves
    if counts.rejection or counts.fws_rejection:
        sinks = {str(r["Service"].value): r for r in _table(sheet, "Heat rejection")}
        for service, count in (
            ("chillers", counts.rejection),
            ("facility water", counts.fws_rejection),
        ):
            assert (service in sinks) == (count > 0)
            if count:
                assert sinks[service]["Installed"].value == count


def test_doors_take_what_the_balance_says(found: dict[str, Design], wings: dict[str, Book]) -> None:
    sheet = sheet_of(wings["doors"], "Cooling equipment")
    rows = {str(row["Tag"].value).split("-")[0]: row for row in _table(sheet, "Air units")}
    _shows(
        rows["RD"]["Heat removed, all (kW)"],
        found["doors"].cooling_flow.doors_w,
        "heat_flow",
        live=False,
    )
    assert rows["RD"]["Supply"].value == "none"


def test_flow_of_a_dry_cooler_is_that_of_its_own_water(
    found: dict[str, Design], wings: dict[str, Book]
) -> None:
    """Heat = flow times density, specific heat and range, for each heat rejection."""
    one = found["hostile"]
    sheet = sheet_of(wings["hostile"], "Cooling equipment")
    rows = {str(row["Service"].value): row for row in _table(sheet, "Heat rejection")}
    fws = rows["facility water"]["Flow, design hour (L/min)"]
    _shows(fws, one.cooling_flow.fws_flow_m3_s, "liquid_flow", live=False)
    chillers = rows["chillers"]["Flow, design hour (L/min)"]
    _shows(chillers, one.cooling_flow.condenser_flow_m3_s, "liquid_flow", live=False)


@pytest.mark.parametrize("name", ["doors", "direct"])
def test_doors_and_cracs_are_followed(
    name: str, found: dict[str, Design], wings: dict[str, Book]
) -> None:
    ride = found[name].ride_through
    assert ride.study is not None
    sheet = sheet_of(wings[name], "Ride-through")
    shown = {str(cell.value) for (_, column), cell in sheet.cells.items() if column == 1}
    for one in ride.study.evaluated:
        left = "".join(f", {part:.0%} of the flow remaining" for part in one.case.headers.values())
        assert f"{one.case.title}{left}" in shown


def test_what_is_not_followed_says_so() -> None:
    """One air handler, where three are needed."""
    ride = reference("dgx-su-32", "cooling.crah.count=1").ride_through
    assert ride.study is None
    (check,) = ride.checks
    assert check.outcome is Outcome.NOT_EVALUATED
    assert "temperatures rise before any failure" in ride.refusal


def test_what_rests_on_memory_says_so(wings: dict[str, Book]) -> None:
    sheet = sheet_of(wings["air"], "Cooling equipment")
    (halls, *_) = _table(sheet, "Air units")
    assert "[unverified]" in str(halls["Source of the rating"].value)


@pytest.mark.parametrize("name", VARIANTS)
def test_heat_of_the_design_day_closes(
    name: str, found: dict[str, Design], wings: dict[str, Book]
) -> None:
    one, sheet = found[name], sheet_of(wings[name], "Design day")
    for label in ("Air heat balance", "Heat balance"):
        cell = line(sheet, label)
        assert cell.value == "OK"
        assert cell.formula
    for label, si in (
        ("Air-side heat load", one.cooling_flow.room_w),
        ("Total heat rejected", one.cooling_flow.rejected_w),
        ("Hall coils", one.cooling_flow.coils_w),
        ("Chiller load", one.cooling_flow.chiller_load_w),
    ):
        _shows(line(sheet, label), si, "heat_flow", live=True)
    for label, id in (("Dry bulb", "design_dry_bulb"), ("Wet bulb", "design_wet_bulb")):
        assert line(sheet, label).value == one.trace.value(f"site.{id}")


def test_states_of_the_air_are_psychrometric(wings: dict[str, Book]) -> None:
    """The enthalpy of 24 °C air at 15 °C dew point and 100.34 kPa: 51.5 kJ/kg (psychrolib)."""
    sheet = sheet_of(wings["liquid"], "Design day")
    rows = {str(r["State"].value): r for r in rows_of(sheet, heading_row(sheet, "State"))}
    supply = rows["Supply air"]
    assert supply["Dry bulb (°C)"].value == 24.0
    assert float(str(supply["Enthalpy (kJ/kg)"].value)) == pytest.approx(51.5, abs=0.1)
    assert float(str(supply["Relative humidity"].value)) == pytest.approx(0.571, abs=0.002)
    assert len({row["Humidity ratio (g/kg)"].value for row in rows.values()}) == 1
    assert all(row["Enthalpy (kJ/kg)"].formula for row in rows.values())


@pytest.mark.parametrize("name", ["air", "outdoor air"])
def test_economizer_hours_are_those_of_the_year(
    name: str, found: dict[str, Design], wings: dict[str, Book]
) -> None:
    hours, sheet = found[name].plant_options.hours, sheet_of(wings[name], "Design day")
    assert hours is not None
    *months, year = rows_of(sheet, heading_row(sheet, "Month"))
    assert len(months) == 12
    assert year["Full (h)"].value == hours.full
    assert year["Partial (h)"].value == hours.partial
    assert year["Hours"].value == 8760
    assert year["Mean share of load"].value == pytest.approx(float(hours.share.mean()))


def test_no_economizer_no_hours(wings: dict[str, Book]) -> None:
    texts = {cell.value for cell in sheet_of(wings["liquid"], "Design day").cells.values()}
    assert "Month" not in texts


def test_ride_through_is_that_of_the_study(
    found: dict[str, Design], wings: dict[str, Book]
) -> None:
    study, sheet = _rides(found["liquid"]), sheet_of(wings["liquid"], "Ride-through")
    cases = _table(sheet, "Failures")
    assert len(cases) == len(study.cases)
    for row, case in zip(cases, study.cases, strict=True):
        assert (row["Equipment within limits"].value == "yes") is case.holds
        expected = case.first[0].title if case.first else "none"
        assert row["First limit exceeded"].value == expected
        peak = float(case.series["inlet_worst"].max())
        assert row["Inlet, worst, maximum (°C)"].value == pytest.approx(peak)
    limits = _table(sheet, "Limits")
    passed = [(limit, t, peak) for case in study.cases for limit, t, peak in case.limits]
    assert len(limits) == len(passed)
    for row, (limit, time_s, peak_c) in zip(limits, passed, strict=True):
        assert row["Maximum (°C)"].value == pytest.approx(peak_c)
        if limit.limit_c is not None:
            assert (row["Verdict"].value == "CHECK") is (time_s is not None)
            assert row["Margin (K)"].formula


def test_temperatures_stand_at_their_times(
    found: dict[str, Design], wings: dict[str, Book]
) -> None:
    study, sheet = _rides(found["liquid"]), sheet_of(wings["liquid"], "Ride-through")
    first, *_ = _table(sheet, "Temperatures over time")
    series = study.cases[0].series["inlet"]
    at_60 = int(abs(study.time_s - 60.0).argmin())
    assert study.time_s[at_60] == pytest.approx(60.0)
    assert first["At 60 s"].value == pytest.approx(float(series[at_60]))
    assert first["At 0 s"].value == pytest.approx(float(series[0]))


def test_buffer_is_heat_times_time_over_what_a_cubic_metre_takes(
    found: dict[str, Design], wings: dict[str, Book]
) -> None:
    one, sheet = found["liquid"], sheet_of(wings["liquid"], "Ride-through")
    chilled, _ = _table(sheet, "Buffer to maintain the supply set point")
    restart, flow = one.facility.thermal.restart, one.cooling_flow
    restored = float(_rides(one).results["ride.restored"].si)
    wait_s = restored + restart.chiller_s + restart.chiller_ramp_s / 2.0
    liquid = one.cooling.chilled.liquid
    rise_j_m3 = liquid.density_kg_m3 * liquid.specific_heat_j_kgk * 8.0
    assert flow.chw_return_c - flow.chw_supply_c == 8.0
    expected = flow.chiller_load_w * wait_s / rise_j_m3
    assert chilled["Buffer (m³)"].value == pytest.approx(expected, rel=1e-9)
    assert chilled["Buffer (m³)"].formula


@pytest.mark.parametrize("name", ["liquid", "doors"])
def test_racks_breathe_what_the_study_says(
    name: str, found: dict[str, Design], wings: dict[str, Book]
) -> None:
    one, sheet = found[name], sheet_of(wings[name], "Cooling racks")
    rows = _table(sheet, "Air")
    assert len(rows) == len(one.room_air.racks)
    for row, rack in zip(rows, one.room_air.racks, strict=True):
        _shows(row["Air, each (m³/s)"], rack.airflow_m3_s, "air_flow", live=True)
    if one.cooling.cdus is not None:
        (coolant,) = _table(sheet, "Coolant")
        _shows(coolant["Return (°C)"], one.liquid_path.racks[0].return_c, "temperature", live=True)
        test = next(s for s in one.liquid_path.steps if s.key == "tcs.test_pressure")
        steps = {str(r["Step or value"].value): r for r in _table(sheet, "Commissioning checklist")}
        assert steps[test.words]["Value"].value == pytest.approx(
            value_in(KINDS["pressure"], test.value, "kPa")
        )


def test_checks_of_the_studies_reach_the_workbook(found: dict[str, Design]) -> None:
    one = found["liquid"]
    rules = {check.rule for check in one.checks}
    assert {"RIDE-THROUGH", "LOOP-HEAD", "PIPE-VELOCITY", "AIR-DEW-POINT"} <= rules
    assert {check.rule for check in one.plant_options.checks} <= rules


def test_names_of_equipment_stay_text(wings: dict[str, Book]) -> None:
    book = wings["hostile"]
    read = read_book(render(book))["Cooling equipment"]
    cells = {cell.value: cell.data_type for row in read.iter_rows() for cell in row if cell.value}
    assert cells[CDU_NAME] == "s"
    assert cells[COOLER_NAME] == "s"


def test_same_design_same_bytes(found: dict[str, Design], wings: dict[str, Book]) -> None:
    assert render(wings["liquid"]) == render(wing(found["liquid"]))


def test_every_page_says_how_it_prints(wings: dict[str, Book]) -> None:
    for sheet in wings["liquid"].sheets:
        fits = sheet.page.fit_height == 1 or sheet.page.repeat_rows is not None
        assert fits, sheet.name
        assert not sheet.merges or sheet.name == "Design day"
        assert all(math.isfinite(width) for width in sheet.widths.values())
