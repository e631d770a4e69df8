"""A design rests on the weather, grid and prices of its own place, or says what it lacks."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from facility.core.check import Check, Outcome, Severity
from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.files.project.file import load_project
from facility.model.facility import Site
from facility.report.drawings.charts.psychrometric import year_hours
from facility.study.cost.prices import price_list
from facility.study.design.design import Design, design
from tests.study.helpers import DATA, SHORTEST, checks_of, design_of, si

ROWS = list(csv.DictReader((DATA / "sites.csv").read_text(encoding="utf-8").splitlines()))
DESIGN = ("site.design_dry_bulb=38 degC", "site.design_wet_bulb=18 degC")
MEAN = ("site.mean_dry_bulb=10.1 degC", "site.mean_wet_bulb=4.4 degC")
DENVER = ("site.place=Denver", "site.elevation=1650 m", *DESIGN)
BY_AIR = (
    "cooling.economizer.kind=air-side-direct",
    "cooling.economizer.evaporative_effectiveness=0.85",
    "cooling.plant.heat_rejection=air_cooled",
    "cooling.supply_air=25 degC",
)
YEARLY = (
    "annual.economizer.full",
    "annual.economizer.partial",
    "annual.economizer.none",
    "annual.economizer.heat",
    "economizer.share_year",
)
ESTIMATES = ("pue.estimate", "energy.annual_estimate", "cost.month_estimate")

DENVER_HALL = """\
schema_version: 1
project: {name: denver-economizer, title: Air-cooled B200 hall in Denver with direct outdoor air}
site:
  place: Denver
  elevation: 1650 m
  design_dry_bulb: 38 degC
  design_wet_bulb: 18 degC
  mean_dry_bulb: 10.1 degC
  mean_wet_bulb: 4.4 degC
it:
  halls:
    - name: Hall 1
      racks:
        - {name: B200, count: 40, devices: [{model: DGX B200, count: 2}], feeds: [A, B]}
power: {redundancy: 2N}
cooling:
  method: air
  containment: hot-aisle
  supply_air: 25 degC
  air: {terminal: fan-wall}
  economizer: {kind: air-side-direct, evaporative_effectiveness: 0.85}
  plant: {heat_rejection: air_cooled, chilled_water_supply: 18 degC, delta_t: 10 K}
"""


def only(found: Design, rule: str) -> Check:
    (check,) = checks_of(found, rule)
    return check


def site_of(*sets: str) -> Site:
    return design_of(SHORTEST, *DESIGN, *sets).facility.site


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["case"] == "country"], ids=lambda row: row["sets"]
)
def test_voltage_and_frequency_left_open_are_those_of_the_country(row: dict[str, str]) -> None:
    site = site_of(*row["sets"].split(";"))
    factor = {"Hz": 1.0, "kV": 1e3}[row["unit"]]
    found = {"frequency": site.frequency_hz, "utility_voltage": site.utility_voltage_v}
    assert found[row["expect"]] == float(row["value"]) * factor


@pytest.mark.parametrize(
    ("sets", "code"),
    [
        (("site.country=GB",), "IEC"),
        (("site.country=US",), "NEC"),
        ((), "NEC"),
        (("site.frequency=50 Hz",), "IEC"),
        (("site.frequency=50 Hz", "criteria.edition=2023"), "NEC"),
        (("site.country=GB", "criteria.edition=2009"), "IEC"),
        (("criteria.edition=2009",), "IEC"),
        (("site.country=GB", "criteria.code=NEC", "criteria.edition=2023"), "NEC"),
        (("site.country=GB", "criteria.code=NEC"), "NEC"),
    ],
)
def test_code_left_open_is_that_of_the_country(sets: tuple[str, ...], code: str) -> None:
    assert design_of(SHORTEST, *DESIGN, *sets).facility.criteria.code == code


@pytest.mark.parametrize(
    ("sets", "where", "words"),
    [
        (
            ("site.country=GB", "criteria.edition=2017"),
            "criteria.edition",
            "2017 is an edition of the NEC, but the code of the site is the IEC",
        ),
        (
            ("site.country=US", "criteria.edition=2009"),
            "criteria.edition",
            "2009 is an edition of the IEC, but the code of the site is the NEC",
        ),
        (("criteria.code=IEC", "criteria.edition=2017"), "criteria.edition", "but of the NEC"),
        (
            ("power.generator.rating=2000 kW", "power.generator.rating_kva=1500 kVA"),
            "power.generator.rating",
            "2000 kW of 1500 kVA: the power factor would be 1.33",
        ),
        (
            ("power.ups.module_rating=100 kW", "power.ups.module_rating_kva=80 kVA"),
            "power.ups.module_rating",
            "100 kW of 80 kVA: the power factor would be 1.25",
        ),
    ],
)
def test_what_cannot_go_together_is_refused(sets: tuple[str, ...], where: str, words: str) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, *DESIGN, *sets)
    assert caught.value.where == where
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("place", "country"),
    [
        ("Dublin, Ireland", "IE"),
        ("London, UK", "GB"),
        ("Singapore", "SG"),
        ("Memphis TN", "US"),
        ("Los Angeles, CA", "US"),
    ],
)
def test_country_that_the_place_names(place: str, country: str) -> None:
    assert site_of(f"site.place={place}").country == country


def test_coordinates_abroad_are_not_in_the_us() -> None:
    site = site_of("site.latitude=1.35", "site.longitude=103.82", "criteria.code=IEC")
    assert (site.country, site.currency, site.frequency_hz) == ("", "", 50.0)
    assert site.energy_price_per_j is None
    assert site_of("site.latitude=39.74", "site.longitude=-104.99").country == "US"


@pytest.mark.parametrize(
    ("longitude", "frequency_hz"),
    [(135.5, 60.0), (130.4, 60.0), (139.7, 50.0), (141.35, 50.0), (138.2, None)],
)  # Osaka, Fukuoka, Tokyo, Sapporo, Nagano
def test_grid_of_japan_by_longitude(longitude: float, frequency_hz: float | None) -> None:
    sets = ("site.country=JP", "site.latitude=35", f"site.longitude={longitude}")
    if frequency_hz is not None:
        assert site_of(*sets).frequency_hz == frequency_hz
        return
    with pytest.raises(FacilityError) as caught:
        site_of(*sets)
    assert caught.value.code == "SITE_FREQUENCY"
    assert site_of(*sets, "site.frequency=60 Hz").frequency_hz == 60.0


def test_unknown_country_and_a_country_of_two_frequencies_are_refused() -> None:
    for sets, code, where in (
        ("site.country=Atlantis", "UNKNOWN_COUNTRY", "site.country"),
        ("site.country=JP", "SITE_FREQUENCY", "site.frequency"),
    ):
        with pytest.raises(FacilityError) as caught:
            site_of(sets)
        assert (caught.value.code, caught.value.where) == (code, where)
        assert caught.value.exit_code == 3


def test_a_place_without_weather_takes_no_hour_of_another() -> None:
    found = design_of(SHORTEST, *DENVER, *MEAN, *BY_AIR)
    assert found.weather_year is None
    assert year_hours(found) is None
    assert not [key for key in YEARLY if key in found.all_results]
    for rule in ("ECONOMIZER-HOURS", "SITE-WEATHER"):
        assert only(found, rule).outcome is Outcome.NOT_EVALUATED
    why = only(found, "ECONOMIZER-HOURS").why
    assert all(key in why for key in YEARLY)
    assert "site.station" in why
    assert "fargo (Fargo, North Dakota)" in why
    assert "stated mean weather" in found.results["pue.estimate"].basis
    assert found.facility.site.mean is not None
    assert found.facility.site.mean.dry_bulb_c == 10.1
    assert found.notes == []


def test_with_a_station_the_hours_are_there() -> None:
    found = design_of(SHORTEST, "site.station=chicago", *BY_AIR)
    assert all(key in found.all_results for key in YEARLY)
    hours = [int(found.all_results[key].si) for key in YEARLY[:3]]
    assert sum(hours) == 8760
    assert only(found, "SITE-WEATHER").outcome is Outcome.PASS


def test_the_nearest_station_is_offered_with_its_distance() -> None:
    found = design_of(
        SHORTEST, *DENVER, *MEAN, *BY_AIR, "site.latitude=39.74", "site.longitude=-104.99"
    )
    why = only(found, "SITE-WEATHER").why
    # Golden, 105.18 W: 0.19 degrees of longitude x cos(39.74 degrees) = 0.146: x 111.195 km
    assert "golden (Golden, Colorado), 16 km" in why
    assert found.weather_year is None


def test_without_mean_temperatures_there_is_no_estimate() -> None:
    found = design_of(
        SHORTEST,
        *DENVER,
        *BY_AIR,
        "cooling.heat_reuse.temperature=30 degC",
        "cooling.heat_reuse.fraction=50 %",
    )
    assert found.estimate is None
    assert not [key for key in (*ESTIMATES, "reuse.ere") if key in found.all_results]
    check = only(found, "ANNUAL-ESTIMATE")
    assert check.outcome is Outcome.NOT_EVALUATED
    assert all(key in check.why for key in ESTIMATES)
    assert "site.mean_wet_bulb" in check.remedy
    for rule in ("CHILLER-STAGING", "REUSE-TEMPERATURE"):
        assert only(found, rule).outcome is Outcome.NOT_EVALUATED
    assert "plant.chillers_running.mean" not in found.all_results
    assert "plant.chillers_running.design" in found.all_results


@pytest.mark.parametrize(
    ("sets", "fields"),
    [
        (("site.place=Denver",), ("design_dry_bulb", "design_wet_bulb")),
        (("site.place=Denver", DESIGN[0]), ("design_wet_bulb",)),
        (("site.country=GB",), ("design_dry_bulb", "design_wet_bulb")),
        (
            ("site.latitude=1.35", "site.longitude=103.82"),
            ("country", "design_dry_bulb", "design_wet_bulb"),
        ),
    ],
)
def test_a_place_takes_no_design_weather_of_another(
    sets: tuple[str, ...], fields: tuple[str, ...]
) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, *sets)
    assert (caught.value.code, caught.value.where) == ("WEATHER_SITE", f"site.{fields[0]}")
    assert caught.value.exit_code == 3
    assert all(f"site.{name}" in caught.value.hint for name in (*fields, "station"))


def test_a_project_that_says_nothing_of_its_site_is_announced() -> None:
    found = design_of(SHORTEST)
    assert found.facility.site.place.startswith("Ashburn")
    assert "Ashburn" in found.notes[0]
    assert found.warnings[0] == found.notes[0]
    check = only(found, "SITE-STATED")
    assert (check.outcome, check.severity) == (Outcome.FAIL, Severity.ADVICE)
    stated = design_of(SHORTEST, "site.station=ashburn")
    assert only(stated, "SITE-STATED").outcome is Outcome.PASS
    assert not stated.notes


def test_temperatures_of_elsewhere_end_the_hours_of_the_assumed_station() -> None:
    for sets in (("site.mean_dry_bulb=20 degC",), ("site.elevation=383 m",)):
        found = design_of(SHORTEST, *sets, *BY_AIR)
        assert found.weather_year is None
        assert "annual.economizer.full" not in found.all_results
    assert design_of(SHORTEST, "site.elevation=382 m", *BY_AIR).weather_year is not None


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r["case"] == "distance"], ids=lambda row: row["sets"]
)
def test_a_record_is_within_100_km(row: dict[str, str]) -> None:
    found = design_of(SHORTEST, *row["sets"].split(";"))
    check, expected_m = only(found, "SITE-DISTANCE"), float(row["value"]) * 1e3
    assert check.value == pytest.approx(expected_m, abs=float(row["tolerance"]) * 1e3)
    assert check.failed is (expected_m > 100e3)
    assert check.severity is Severity.VIOLATION
    assert "site.latitude 39.87" in check.why
    assert "ashburn" in check.why


def test_a_weather_file_far_from_the_place_is_a_violation(tmp_path: Path) -> None:
    shutil.copy(reference_path("weather", "miami.epw.gz"), tmp_path / "site.epw.gz")
    file = tmp_path / "p.yaml"
    site = "site: {weather_file: site.epw.gz, latitude: 1.35, longitude: 103.82, country: SG}\n"
    file.write_text(SHORTEST + site)
    found = design(load_project(file))
    assert only(found, "SITE-DISTANCE").failed
    assert "103.82" in only(found, "SITE-DISTANCE").why
    assert found.year is not None
    miami = "1.35 deg, 103.82 deg; weather: MIAMI"
    assert found.year.title.startswith(miami), found.year.title
    assert " km from the site; 8,760 hours" in found.year.title
    country = only(found, "SITE-COUNTRY")
    assert country.failed
    assert "SG" in country.why
    assert "US" in country.why


def test_a_place_without_coordinates_says_that_it_cannot_be_compared() -> None:
    found = design_of(SHORTEST, "site.place=Denver", "site.station=miami")
    assert only(found, "SITE-DISTANCE").outcome is Outcome.NOT_EVALUATED
    assert "site.latitude" in only(found, "SITE-DISTANCE").why


@pytest.mark.parametrize(("elevation", "failed"), [("382 m", False), ("383 m", True)])
def test_height_of_the_record_and_of_the_site(elevation: str, failed: bool) -> None:
    """The station of Ashburn stands at 82 m, and 300 m is the limit."""
    stated = design_of(SHORTEST, "site.station=ashburn", f"site.elevation={elevation}")
    check = only(stated, "SITE-ELEVATION")
    assert (check.failed, check.severity) == (failed, Severity.VIOLATION)
    assert elevation.split()[0] in check.why
    assert "82" in check.why
    check = only(design_of(SHORTEST, f"site.elevation={elevation}"), "SITE-ELEVATION-OPEN")
    assert (check.failed, check.severity) == (failed, Severity.WARNING)


def test_a_place_without_elevation_is_at_sea_level_and_says_so() -> None:
    found = design_of(SHORTEST, "site.place=Denver", *DESIGN)
    assert found.facility.site.elevation_m == 0.0
    assert only(found, "SITE-ELEVATION-OPEN").failed
    assert not checks_of(design_of(SHORTEST, *DENVER), "SITE-ELEVATION-OPEN")


def test_a_place_whose_country_nothing_tells_says_whose_code_it_takes() -> None:
    place = ("site.place=Freetown, Sierra Leone", *DESIGN)
    check = only(design_of(SHORTEST, *place), "SITE-COUNTRY-OPEN")
    assert (check.failed, check.severity) == (True, Severity.WARNING)
    assert "Freetown" in check.why
    assert "US" in check.why
    named = design_of(SHORTEST, "site.place=Lyon, France", *DESIGN)
    assert not only(named, "SITE-COUNTRY-OPEN").failed
    for stated in ("site.country=US", "criteria.code=NEC", "site.frequency=50 Hz"):
        assert not checks_of(design_of(SHORTEST, *place, stated), "SITE-COUNTRY-OPEN"), stated


@pytest.mark.parametrize(
    ("rule", "sets", "failed", "words"),
    [
        ("SITE-FREQUENCY", ("site.country=US", "site.frequency=50 Hz"), True, ("50 Hz", "60 Hz")),
        ("SITE-FREQUENCY", ("site.country=US", "site.frequency=60 Hz"), False, ()),
        ("SITE-CODE", ("site.country=GB", "criteria.code=NEC"), True, ("NEC", "IEC")),
        ("SITE-CODE", ("site.country=GB", "criteria.code=IEC"), False, ()),
        ("SITE-COUNTRY", ("site.country=SG", "site.station=miami"), True, ("SG", "US")),
        ("SITE-COUNTRY", ("site.place=Singapore", "site.station=miami"), True, ("SG", "US")),
        ("SITE-COUNTRY", ("site.country=US", "site.station=miami"), False, ()),
        ("SITE-CURRENCY", ("site.country=GB", "site.tariff=0.2 USD/kWh"), True, ("USD", "GBP")),
        ("SITE-CURRENCY", ("site.country=GB", "site.tariff=0.2 GBP/kWh"), False, ()),
    ],
)
def test_contradictions_name_both_sides(
    rule: str, sets: tuple[str, ...], failed: bool, words: tuple[str, ...]
) -> None:
    check = only(design_of(SHORTEST, *DESIGN, *sets), rule)
    assert check.failed is failed
    assert all(word in check.why for word in words)


def test_a_country_with_a_code_of_its_own_is_told_what_is_reckoned_by() -> None:
    check = only(design_of(SHORTEST, "site.country=CA", *DESIGN), "SITE-CODE-OWN")
    assert check.failed
    assert "NEC" in check.why
    assert "CSA C22.1" in check.why
    assert not checks_of(design_of(SHORTEST, "site.country=GB", *DESIGN), "SITE-CODE-OWN")


def test_no_price_of_another_country() -> None:
    abroad = design_of(SHORTEST, "site.country=GB", *DESIGN, *MEAN)
    assert "cost.month_estimate" not in abroad.results
    assert only(abroad, "SITE-TARIFF").outcome is Outcome.NOT_EVALUATED
    assert "GBP/kWh" in only(abroad, "SITE-TARIFF").why
    assert "pue.estimate" in abroad.results
    priced = design_of(SHORTEST, "site.country=GB", "site.tariff=0.25 GBP/kWh", *DESIGN, *MEAN)
    cost = priced.results["cost.month_estimate"]
    kilowatt_hours = si(priced, "energy.annual_estimate") / 3.6e6
    assert float(cost.si) == pytest.approx(kilowatt_hours / 12.0 * 0.25, rel=1e-12)
    assert cost.as_json()["unit"] == "GBP"
    assert priced.trace["cost.month_estimate"].kind == "money_gbp"


def test_no_unit_cost_of_another_country() -> None:
    abroad = design_of(SHORTEST, "site.country=GB", *DESIGN)
    cost = price_list(None, abroad.facility.site.country).equipment("cooling", abroad)
    assert cost.parts
    assert not cost.is_known
    assert all(part.cost is None and "USD" in part.why for part in cost.parts)
    assert price_list(None, "US").equipment("cooling", design_of(SHORTEST)).is_known


def test_the_hall_in_denver() -> None:
    """10.1 degC outdoors is 14.9 K under the supply of 25 degC: all heat of the hall coils.

    640 GPUs in 80 servers of 14.3 kW are 1,144 kW; the month is a twelfth of the year at 0.05
    USD/kWh, the price of a US site that states none.
    """
    found = design_of(DENVER_HALL)
    assert si(found, "load.it") == pytest.approx(1144e3, rel=1e-9)
    assert found.estimate is not None
    flow = found.estimate.cooling
    assert float(found.all_results["economizer.heat_mean"].si) == pytest.approx(
        flow.coils_w, rel=1e-9
    )
    assert not [key for key in YEARLY if key in found.all_results]
    year_mwh = si(found, "energy.annual_estimate") / 3.6e9
    factor = found.facility.load.mean
    assert year_mwh == pytest.approx(1.144 * factor * 8760 * si(found, "pue.estimate"), rel=1e-9)
    assert si(found, "cost.month_estimate") == pytest.approx(year_mwh * 50.0 / 12.0, rel=1e-9)
    assert found.facility.site.pressure_pa == pytest.approx(83.1e3, rel=0.002)  # 1,650 m, ISA


def test_conductors_have_the_frequency_of_the_site() -> None:
    found = design_of(SHORTEST, *DESIGN, "site.frequency=50 Hz", "criteria.code=NEC")
    assert found.facility.electrical.conductors.frequency_hz == 50.0


def test_the_carbon_of_another_country_is_not_taken() -> None:
    abroad = design_of(SHORTEST, "site.station=ashburn", "site.country=DE")
    assert abroad.facility.site.carbon_kg_per_j is None
    assert only(abroad, "SITE-CARBON").outcome is Outcome.NOT_EVALUATED
    assert not [key for key in abroad.all_results if key.startswith("carbon.")]
    here = design_of(SHORTEST, "site.station=ashburn")
    assert here.facility.site.carbon_kg_per_j is not None
    assert not [check for check in here.checks if check.rule == "SITE-CARBON"]
    stated = design_of(
        SHORTEST, "site.station=ashburn", "site.country=DE", "site.grid_carbon=0.38 kg/kWh"
    )
    assert stated.facility.site.carbon_kg_per_j == pytest.approx(0.38 / 3.6e6)


def test_costs_without_hours_are_named_as_left_out() -> None:
    found = design_of(SHORTEST, *DENVER, *BY_AIR, "cost.operation.staff=1 USD")
    assert "cost of ownership (cost)" in only(found, "SITE-WEATHER").why
    bare = design_of(SHORTEST, *DENVER, *BY_AIR)
    assert "cost" not in only(bare, "SITE-WEATHER").why
