"""Site, criteria, house and identity: givens, defaults, and where they are from."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psychrolib
import pytest

from facility import api
from facility.catalogue import sources, table
from facility.catalogue.weather import station_weather
from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.core.sources import PROJECT
from facility.core.trace import Trace, explain
from facility.files.project.file import load_project, parse_project
from facility.model.facility import Criteria, House, Identity, Site
from facility.model.inputs.document import Project
from facility.model.it import Hall, ItPlan
from facility.study.resolve.criteria import resolve_criteria, resolve_house
from facility.study.resolve.facility import resolve
from facility.study.resolve.site.checks import site_checks
from facility.study.resolve.site.site import resolve_identity, resolve_site
from facility.study.resolve.site.weather import weather_year
from tests.tools.weather_forms import HEADER, epw_lines, tmy3_lines

KWH_J = 3.6e6


def site(text: str = "", trace: Trace | None = None) -> Site:
    project = parse_project(f"schema_version: 1\nsite: {{{text}}}")
    return resolve_site(project.site, trace or Trace())


def criteria(text: str = "", trace: Trace | None = None) -> Criteria:
    project = parse_project(f"schema_version: 1\ncriteria: {{{text}}}")
    return resolve_criteria(project.criteria, trace or Trace())


def plan(halls: int = 2, area_m2: float = 500.0) -> ItPlan:
    rooms = tuple(Hall(f"H{i}", area_m2, 4, 0.6, 20.0, 40.0, 2.7) for i in range(halls))
    return ItPlan("datasheet_maximum", 1.0, 1.0, rooms, (), 0.0)


def house(text: str = "", it_w: float = 10e6, trace: Trace | None = None) -> House:
    project = parse_project(f"schema_version: 1\nhouse: {{{text}}}")
    kept = trace or Trace()
    kept.given("load.it", it_w, "active_power", PROJECT)
    return resolve_house(project.house, it_w, plan(), kept)


def ledger(trace: Trace) -> dict[str, Any]:
    return {assumption.id: assumption for assumption in trace.ledger}


def test_open_site_is_ashburn_at_its_extremes() -> None:
    trace = Trace()
    found = site(trace=trace)
    row = table("weather/stations").get("ashburn")
    assert found.place == row["place"]
    assert found.design.dry_bulb_c == row["extreme_20_year_db_max_c"]
    assert found.design.wet_bulb_c == row["extreme_wet_bulb_max_c"]
    assert found.mean.dry_bulb_c == row["mean_db_c"]
    assert found.mean.wet_bulb_c == row["mean_wb_c"]
    assert (found.utility_voltage_v, found.frequency_hz) == (13_800.0, 60.0)
    assert found.energy_price_per_j * KWH_J == pytest.approx(0.05, rel=1e-12)
    assert found.carbon_kg_per_j is not None
    assert found.carbon_kg_per_j * KWH_J == pytest.approx(0.2705, rel=1e-12)
    assert (found.fault_level_va, found.x_over_r) == (None, None)
    assert set(ledger(trace)) == {
        "site.station",
        "site.design_dry_bulb",
        "site.design_wet_bulb",
        "site.mean_dry_bulb",
        "site.mean_wet_bulb",
        "site.utility_voltage",
        "site.frequency",
        "site.tariff",
        "site.grid_carbon",
        "site.country",
    }
    assert all(a.basis and a.source.id for a in trace.ledger)


def test_every_source_of_a_default_is_registered() -> None:
    trace = Trace()
    site(trace=trace)
    house(trace=trace)
    for code in ("code: NEC", "code: IEC"):
        criteria(code, trace)
        named = {a.source.id for a in trace.ledger} | {step.source.id for step in trace}
        assert named <= {*sources(), "project", "derivation"}


@pytest.mark.parametrize("station", table("weather/stations").keys)
def test_pressure_is_the_standard_atmosphere_of_psychrolib(station: str) -> None:
    psychrolib.SetUnitSystem(psychrolib.SI)
    found = site(f"station: {station}")
    expected = psychrolib.GetStandardAtmPressure(found.elevation_m)
    assert found.pressure_pa == pytest.approx(expected, rel=1e-6)
    assert found.design.pressure_pa == found.mean.pressure_pa == found.pressure_pa


def test_design_is_harder_than_the_typical_year_everywhere() -> None:
    for station in table("weather/stations").keys:
        found = site(f"station: {station}")
        row = table("weather/stations").get(station)
        assert found.design.dry_bulb_c > row.si("cooling_0_4_db_c")
        assert found.design.wet_bulb_c > row.si("wet_bulb_0_4_c")


def test_every_given_replaces_its_default_and_is_traced() -> None:
    trace = Trace()
    found = site(
        "place: Here, station: phoenix, elevation: 1000 ft, design_dry_bulb: 50 degC,"
        " design_wet_bulb: 30 degC, mean_dry_bulb: 20 degC, mean_wet_bulb: 10 degC,"
        " utility_voltage: 34.5 kV, frequency: 50 Hz, fault_level: 500 MVA, x_over_r: 12,"
        " tariff: 80 USD/MWh, grid_carbon: 400 g/kWh",
        trace,
    )
    assert found.place == "Here"
    assert found.elevation_m == pytest.approx(304.8, rel=1e-12)
    assert (found.design.dry_bulb_c, found.design.wet_bulb_c) == (50.0, 30.0)
    assert (found.mean.dry_bulb_c, found.mean.wet_bulb_c) == (20.0, 10.0)
    assert (found.utility_voltage_v, found.frequency_hz) == (34_500.0, 50.0)
    assert (found.fault_level_va, found.x_over_r) == (500e6, 12.0)
    assert found.energy_price_per_j * KWH_J == pytest.approx(0.08, rel=1e-12)
    assert found.carbon_kg_per_j is not None
    assert found.carbon_kg_per_j * KWH_J == pytest.approx(0.4, rel=1e-12)
    assert len(trace.ledger) == 0
    assert all(trace[f"site.{name}"].source == PROJECT for name in ("tariff", "fault_level"))


def test_grid_carbon_is_unknown_where_no_region_fits() -> None:
    assert site("station: phoenix").carbon_kg_per_j is None
    stated = "design_dry_bulb: 40 degC, design_wet_bulb: 25 degC"
    assert site(f"place: Elsewhere, {stated}").carbon_kg_per_j is None
    californian = site("station: san-francisco").carbon_kg_per_j
    assert californian is not None
    assert californian * KWH_J == pytest.approx(0.195, rel=1e-12)


def test_unknown_station_offers_near_matches() -> None:
    with pytest.raises(FacilityError) as caught:
        site("station: ashbern")
    assert (caught.value.code, caught.value.where) == ("UNKNOWN_MODEL", "site.station")
    assert "'ashburn'" in caught.value.hint
    assert "site.weather_file" in caught.value.hint


def test_wet_bulb_above_dry_bulb_is_a_contradiction() -> None:
    for text, where in (
        ("design_dry_bulb: 25 degC", "site.design_wet_bulb"),
        ("mean_dry_bulb: 5 degC", "site.mean_wet_bulb"),
    ):
        with pytest.raises(FacilityError) as caught:
            site(text)
        assert (caught.value.code, caught.value.where) == ("CONTRADICTION", where)


def written(folder: Path, header_design: bool = True) -> Path:
    packed = reference_path("weather", "ashburn.epw.gz")
    if header_design:
        shutil.copy(packed, folder / "mine.epw.gz")
        name = "mine.epw.gz"
    else:
        lines = gzip.decompress(packed.read_bytes()).decode("latin-1").split("\n")
        lines[1] = "DESIGN CONDITIONS,0"
        name = "mine.epw"
        (folder / name).write_text("\n".join(lines), encoding="latin-1")
    project = folder / "p.yaml"
    project.write_text(f"schema_version: 1\nsite: {{weather_file: {name}}}\n")
    return project


def test_weather_file_gives_what_the_station_table_computed_with_psychrolib(tmp_path: Path) -> None:
    trace = Trace()
    found = resolve_site(load_project(written(tmp_path)).site, trace)
    row = table("weather/stations").get("ashburn")
    assert found.elevation_m == row["elevation_m"]
    assert found.design.dry_bulb_c == row["extreme_20_year_db_max_c"]
    assert found.design.wet_bulb_c == row["extreme_wet_bulb_max_c"]
    assert found.mean.dry_bulb_c == pytest.approx(row.si("mean_db_c"), abs=0.0006)
    assert found.mean.wet_bulb_c == pytest.approx(row.si("mean_wb_c"), abs=0.001)
    assert "site.station" not in ledger(trace)
    assert found.carbon_kg_per_j is None
    assert "SHA-256" in str(trace["site.mean_wet_bulb"].source)


def test_weather_file_without_design_conditions_asks_for_them(tmp_path: Path) -> None:
    path = written(tmp_path, header_design=False)
    with pytest.raises(FacilityError) as caught:
        resolve_site(load_project(path).site, Trace())
    assert (caught.value.code, caught.value.where) == ("WEATHER_DESIGN", "site.design_dry_bulb")
    assert "site.design_wet_bulb" in caught.value.hint
    path.write_text(
        "schema_version: 1\nsite: {weather_file: mine.epw, design_dry_bulb: 40 degC,"
        " design_wet_bulb: 29 degC}\n"
    )
    assert resolve_site(load_project(path).site, Trace()).design.wet_bulb_c == 29.0


def weather_checks(project: Project, rule: str) -> list[Check]:
    """Return what a rule says of the weather file."""
    few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
    facility, _ = resolve(api.project(few), Trace())
    facility = replace(facility, site=resolve_site(project.site, Trace()))
    return [c for c in site_checks(project, facility) if c.rule == rule]


def filled(project: Project) -> list[Check]:
    """Return what is said of the gaps of the weather file."""
    return weather_checks(project, "SITE-WEATHER-FILLED")


ODD = {
    # Rule, column from 1 and text of one hour, and what is said of it.
    "SITE-WEATHER-DEW-POINT": (
        8,
        "40.0",
        "Line 4009, column 8: 40 degC, over a dry bulb of",
        "Line 4009, column 8",
    ),
    "SITE-WEATHER-JUMP": (7, "65.0", "Line 4009, column 7: 65 degC after", "1 similar records"),
    "SITE-WEATHER-EXTREME": (
        7,
        "65.0",
        "Line 4009, column 7: 65 degC, 25.0 K beyond",
        "-37.7 to 40 degC",
    ),
    "SITE-WEATHER-STUCK": (7, "26.0", "Line 4009, column 7: 26 degC", "for 30 consecutive hours"),
}


def _with_one(folder: Path, column: int, text: str) -> Project:
    """Return a project beside a file of Fargo with one cell of line 4,009 replaced."""
    lines = epw_lines("fargo")
    for line in range(4008, 4008 + (30 if text == "26.0" else 1)):  # 30 h are a stuck sensor
        cells = lines[line].split(",")
        cells[column - 1] = text
        lines[line] = ",".join(cells)
    (folder / "mine.epw").write_text("\n".join(lines))
    path = folder / "p.yaml"
    path.write_text("schema_version: 1\nsite: {weather_file: mine.epw}\n")
    return load_project(path)


@pytest.mark.parametrize("rule", ODD)
def test_odd_weather_is_told_with_line_and_column(rule: str, tmp_path: Path) -> None:
    column, text, begins, holds = ODD[rule]
    (check,) = weather_checks(_with_one(tmp_path, column, text), rule)
    assert (check.outcome, check.severity.value) == (Outcome.FAIL, "WARNING")
    assert check.why.startswith(begins)
    assert holds in check.why


@pytest.mark.parametrize("rule", ODD)
def test_usual_weather_is_not_odd(rule: str, tmp_path: Path) -> None:
    (check,) = weather_checks(load_project(written(tmp_path)), rule)
    assert check.outcome is Outcome.PASS


@pytest.mark.parametrize("station", ["ashburn", "chicago", "fargo", "miami", "phoenix"])
def test_no_carried_record_is_odd(station: str) -> None:
    assert set(station_weather(station).odd.values()) == {""}


def test_extremes_of_a_file_without_them_are_not_evaluated(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("\n".join(tmy3_lines(epw_lines("ashburn"))))
    path = tmp_path / "p.yaml"
    path.write_text(
        "schema_version: 1\nsite: {weather_file: mine.csv, design_dry_bulb: 40 degC,"
        " design_wet_bulb: 29 degC}\n"
    )
    (check,) = weather_checks(load_project(path), "SITE-WEATHER-EXTREME")
    assert check.outcome is Outcome.NOT_EVALUATED


def _without(folder: Path, *columns: int) -> Path:
    """Return a project beside a file of Ashburn that lacks columns, from 1, all year."""
    lines = epw_lines("ashburn")
    rows = [line.split(",") for line in lines[HEADER:]]
    for row in rows:
        for column in columns:
            row[column - 1] = "999999"
    (folder / "mine.epw").write_text("\n".join([*lines[:HEADER], *(",".join(r) for r in rows)]))
    project = folder / "p.yaml"
    project.write_text("schema_version: 1\nsite: {weather_file: mine.epw}\n")
    return project


def test_a_file_without_pressure_takes_that_of_its_height(tmp_path: Path) -> None:
    project = load_project(_without(tmp_path, 9, 10))
    trace = Trace()
    found = resolve_site(project.site, trace)
    assert found.record is not None
    assert "pressure missing for 8,760 hours" in (found.record.filled or "")
    weather = weather_year(project.site, found)
    assert weather is not None
    assert weather.pressure_pa == pytest.approx(found.pressure_pa)
    measured = station_weather("ashburn")
    apart = abs(weather.relative_humidity - measured.relative_humidity)
    assert np.median(apart) < 0.005, "the file rounds both, and some hours contradict"
    assert "Climate Design Data" in str(ledger(trace)["site.design_dry_bulb"])
    assert [check.outcome for check in filled(project)] == [Outcome.FAIL]


def test_a_complete_file_says_so(tmp_path: Path) -> None:
    checks = filled(load_project(written(tmp_path)))
    assert [(check.outcome, check.why) for check in checks] == [(Outcome.PASS, "complete")]


def test_a_tmy3_file_is_a_weather_file(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("\n".join(tmy3_lines(epw_lines("ashburn"))))
    path = tmp_path / "p.yaml"
    path.write_text(
        "schema_version: 1\nsite: {weather_file: mine.csv, design_dry_bulb: 40 degC,"
        " design_wet_bulb: 29 degC}\n"
    )
    found = resolve_site(load_project(path).site, Trace())
    row = table("weather/stations").get("ashburn")
    assert found.mean.dry_bulb_c == pytest.approx(row.si("mean_db_c"), abs=0.0006)
    assert found.elevation_m == row["elevation_m"]
    assert found.country == "US"


def test_missing_weather_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("schema_version: 1\nsite: {weather_file: none.epw}\n")
    with pytest.raises(FacilityError) as caught:
        resolve_site(load_project(path).site, Trace())
    assert (caught.value.code, caught.value.where) == ("WEATHER_FILE", "site.weather_file")


@pytest.mark.parametrize(
    ("text", "code", "edition", "factor", "drops"),
    [
        ("", "NEC", "2023", 1.25, (0.03, 0.03, 0.05)),
        ("edition: 2017", "NEC", "2017", 1.25, (0.03, 0.03, 0.05)),
        ("code: IEC", "IEC", "2009", 1.0, (0.05, 0.05, 0.05)),
        (
            "continuous_factor: 1.3, voltage_drop_branch: 2 %, voltage_drop_feeder: 1.5 %,"
            " voltage_drop_total: 0.04",
            "NEC",
            "2023",
            1.3,
            (0.02, 0.015, 0.04),
        ),
    ],
)
def test_criteria_follow_the_code(
    text: str, code: str, edition: str, factor: float, drops: tuple[float, float, float]
) -> None:
    found = criteria(text)
    assert (found.code, found.edition, found.continuous_factor) == (code, edition, factor)
    assert drops == pytest.approx(
        (found.voltage_drop_branch, found.voltage_drop_feeder, found.voltage_drop_total)
    )


def test_the_nec_asks_a_quarter_more_of_continuous_load() -> None:  # 210.20(A), 215.3
    with pytest.raises(FacilityError) as caught:
        criteria("continuous_factor: 1.0")
    assert (caught.value.code, caught.value.where) == (
        "CONTRADICTION",
        "criteria.continuous_factor",
    )
    assert "listed_100" in caught.value.hint
    assert criteria("code: IEC, continuous_factor: 1.0").continuous_factor == 1.0


def test_sources_of_criteria_carry_the_edition() -> None:
    trace = Trace()
    criteria("edition: 2017, growth: 20 %", trace)
    assert ledger(trace)["criteria.continuous_factor"].source.edition == "2017"
    assert "criteria.edition" not in ledger(trace)
    assert trace.value("criteria.growth") == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("air_class", "recommended_c", "allowable_c"),
    [
        ("A1", (18, 27), 32),
        ("A2", (18, 27), 35),
        ("A3", (18, 27), 40),
        ("A4", (18, 27), 45),
        ("H1", (18, 22), 25),
    ],
)
def test_air_classes(air_class: str, recommended_c: tuple[int, int], allowable_c: int) -> None:
    found = criteria(f"air_class: {air_class}")
    assert found.air_class == air_class
    assert (found.air_recommended_min_c, found.air_recommended_max_c) == recommended_c
    assert found.air_allowable_max_c == allowable_c


@pytest.mark.parametrize(
    ("text", "limit_c"), [("", 32), ("liquid_class: W17", 17), ("liquid_class: W45", 45)]
)
def test_liquid_classes(text: str, limit_c: float) -> None:
    assert criteria(text).liquid_supply_max_c == limit_c


def test_open_house_loads() -> None:
    trace = Trace()
    found = house(trace=trace)
    assert found.lighting_w == pytest.approx(0.001 * 10e6)  # DC Pro: 0.1 % of IT
    assert found.controls_w == found.security_w == 2 * 1920.0
    assert found.total_w == pytest.approx(10e3 + 4 * 1920.0)
    assert (found.people, found.envelope_w) == (4, 0.0)
    assert found.people_w == pytest.approx(73.27, abs=0.005)  # Revit space types
    assert any("load.it" in line for line in explain(trace, "house.lighting"))
    assert set(ledger(trace)) == {
        "house.lighting_share",
        "house.controls",
        "house.security",
        "house.other",
        "house.generator_heaters",
        "house.people",
        "house.heat_per_person",
        "house.envelope",
    }


def test_given_house_loads() -> None:
    trace = Trace()
    found = house(
        "lighting: 12 kW, controls: 3 kW, security: 2 kW, other: 1 kW, people: 6,"
        " heat_per_person: 100 W, envelope: 4 kW, generator_heaters: 5 kW",
        trace=trace,
    )
    assert found == House(12e3, 3e3, 2e3, 1e3, 6, 100.0, 4e3, 5e3)
    assert len(trace.ledger) == 0
    assert house("lighting_density: 2 W/ft2").lighting_w == pytest.approx(
        1000.0 / 0.3048**2 * 2.0, rel=1e-12
    )


def test_identity() -> None:
    trace = Trace()
    text = (
        "schema_version: 1\nproject: {name: N, number: 7, title: T, status: FOR REVIEW,"
        " originator: A, checker: B, revisions: [{rev: P1, date: 2026-01-31, by: A, checked: B,"
        " description: first}, {rev: P2, date: 2026-02-01, by: A}]}"
    )
    assert resolve_identity(parse_project(text).project, trace) == Identity(
        "N",
        "7",
        "T",
        "FOR REVIEW",
        "A",
        "B",
        (("P1", "2026-01-31", "A (checked B)", "first"), ("P2", "2026-02-01", "A", "")),
    )
    assert len(trace.ledger) == 0
    open_one = resolve_identity(parse_project("schema_version: 1").project, trace)
    assert open_one.status == "PRELIMINARY"
    assert set(ledger(trace)) == {"project.name", "project.status"}
    assert open_one.name == "Unnamed project"
    titled = parse_project("schema_version: 1\nproject: {title: 256 B200 SXM}").project
    assert resolve_identity(titled, Trace()).name == "256 B200 SXM"
