"""PUE and WUE beside the published bands: the zone they are of, and why a plant lies outside."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from facility.core.check import Check, Outcome
from facility.study.annual.band import BenchmarkComparison, Reason, _large, explained
from facility.study.annual.hours import hours_of
from facility.study.annual.study import annual
from facility.study.annual.zone import ClimateZones, climate_zones, degree_days, thermal_zone
from facility.study.design.design import Design
from tests.study.helpers import SHORTEST, design_of

# Zones of ASHRAE 169 as the catalogue has them.
STATIONS = {
    "phoenix": "2B",
    "miami": "1A",
    "san-francisco": "3C",
    "ashburn": "4A",
    "chicago": "5A",
    "fargo": "6A",
}


def band(found: Design, rule: str) -> Check:
    (check,) = (check for check in annual(found).checks if check.rule == rule)
    return check


def hours(station: str) -> tuple[Design, tuple[float, float]]:
    found = design_of(SHORTEST, f"site.station={station}")
    assert found.weather_year is not None
    return found, degree_days(hours_of(found.weather_year))


@pytest.mark.parametrize(("station", "zone"), STATIONS.items())
def test_the_zone_of_a_record_follows_from_its_hours(station: str, zone: str) -> None:
    """A typical year is near the mean of many: where it is at a limit, both zones are kept."""
    found, _ = hours(station)
    assert found.weather_year is not None
    unknown = replace(found.facility.site, record=None)
    derived = climate_zones(unknown, hours_of(found.weather_year))
    assert derived.holds(zone)
    assert len(derived.numbers) <= 2
    assert "degree days" in derived.how
    assert climate_zones(found.facility.site, hours_of(found.weather_year)).numbers == (zone,)


@pytest.mark.parametrize(
    ("hot", "cold", "zone"),
    [
        (6001.0, 0.0, "0"),
        (6000.0, 0.0, "1"),
        (5000.0, 0.0, "2"),
        (3500.0, 2000.0, "3"),
        (3000.0, 2001.0, "4"),
        (1000.0, 3001.0, "5"),
        (1000.0, 5000.0, "6"),
        (500.0, 7000.0, "7"),
        (100.0, 7001.0, "8"),
    ],
)
def test_limits_of_the_zones(hot: float, cold: float, zone: str) -> None:
    assert thermal_zone(hot, cold) == zone


def test_degree_days_of_an_even_year_by_hand() -> None:
    found, _ = hours("ashburn")
    assert found.weather_year is not None
    even = replace(hours_of(found.weather_year))
    air = replace(even.air, dry_bulb_c=even.air.dry_bulb_c * 0.0 + 14.0)
    hot, cold = degree_days(replace(even, air=air))
    assert hot == pytest.approx(365 * 4.0)
    assert cold == pytest.approx(365 * 4.0)


def test_a_stated_zone_wins() -> None:
    check = band(design_of(SHORTEST, "site.climate_zone=1A"), "PUE-BAND")
    assert "in zone 1A" in check.why


def test_a_nearly_empty_hall_is_above_for_its_load() -> None:
    """What its PUE at full load is below that of the year is told, and is the reason."""
    sets = ("it.load_factor=4 %",)
    found = design_of(SHORTEST, *sets)
    check = band(found, "PUE-BAND")
    assert check.outcome is Outcome.FAIL
    full = annual(design_of(SHORTEST, "it.load_factor=100 %")).results["pue.annual"].si
    assert f"IT load factor 4%: at full load the PUE is {full:.3f}" in check.why
    assert "explained by" in check.why


def test_double_losses_and_warm_water_are_told_in_pue() -> None:
    cold = band(design_of(SHORTEST, "cooling.plant.chilled_water_supply=8 degC"), "PUE-BAND").why
    warm = band(design_of(SHORTEST, "cooling.plant.chilled_water_supply=18 degC"), "PUE-BAND").why
    assert "chilled water at 18 °C; chillers are rated at 6.7" in warm
    found = design_of(SHORTEST, "cooling.plant.chilled_water_supply=18 degC")
    assert found.year is not None
    comparison = BenchmarkComparison(found, found.year.year, frozenset(), False, 0.0, 0.0)
    (water,) = (one for one in comparison.lower_pue() if "chilled water" in one.words)
    energy_j, lift_k = found.year.results, found.year.year.chillers.lift_k
    chillers = energy_j["annual.cooling.chillers"].si / energy_j["annual.it"].si
    assert water.by == pytest.approx(chillers * (18.0 - 6.7) / lift_k)  # AHRI 550/590: 44 °F
    assert "chilled water at 18" not in cold


def test_without_a_reason_it_is_unexplained() -> None:
    assert explained(0.1, [], 0.01, str) == "0.1 outside the range, unexplained"
    assert "unexplained" in explained(0.1, [Reason(-0.2, "other way")], 0.01, str)
    part = explained(0.5, [Reason(0.25, "a"), Reason(0.125, "b")], 0.01, str)
    assert part == "0.5 outside the range, partly explained: a (0.25); b (0.125); 0.125 unexplained"
    whole = explained(0.5, [Reason(0.125, "b"), Reason(0.5, "a")], 0.01, str)
    assert whole == "0.5 outside the range, explained by: a (0.5); b (0.125)"


def test_water_that_air_spares_is_told() -> None:
    check = band(design_of(SHORTEST), "WUE-BAND")
    assert check.outcome is Outcome.FAIL
    assert "without evaporation" in check.why


def test_a_plant_without_water_says_so() -> None:
    sets = ("cooling.plant.heat_rejection=air_cooled",)
    check = band(design_of(SHORTEST, *sets), "WUE-BAND")
    assert "no towers and no wetted pads" in check.why


@pytest.mark.parametrize("numbers", [("5A",), ("3", "4")])
def test_large_samples_are_beside_midsize_ones_by_the_table(numbers: tuple[str, ...]) -> None:
    """The mean difference of the medians, of the zones and types that have both sizes."""
    path = Path(__file__).parents[3] / "reference/cooling/pue_wue_quantiles_lei_2025.csv"
    with path.open(encoding="utf-8") as file:
        rows = [r for r in csv.DictReader(file) if r["climate_zone"].startswith(numbers)]
    rows = [r for r in rows if r["cooling_system"].startswith("Waterside economizer")]
    for key, found in zip(("pue_p50", "wue_p50"), _large(ClimateZones(numbers, "")), strict=True):
        scale = 1.0 if key == "pue_p50" else 3.6e9  # L/kWh in m3/J
        of = {
            size: [float(r[key]) for r in rows if r["size"] == size]
            for size in ("Midsize", "Large-scale")
        }
        means = {size: sum(values) / len(values) for size, values in of.items()}
        assert len(of["Midsize"]) == len(of["Large-scale"]) >= len(numbers)
        assert found * scale == pytest.approx(means["Midsize"] - means["Large-scale"], abs=1e-9)
