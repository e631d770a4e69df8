"""The year of a design: its parts, its months, its invariants."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import psychrolib
import pytest

from facility.core.check import Outcome
from facility.core.errors import FacilityError
from facility.core.trace import explain
from facility.files.project.file import apply_sets
from facility.model.facility import Weather
from facility.physics.facility.metrics import (
    annual_power_usage_effectiveness,
    carbon_usage_effectiveness,
    water_usage_effectiveness,
)
from facility.report.drawings.charts.year import hour_map
from facility.report.tables.hours import hour_rows
from facility.report.tables.summary import summary_tables
from facility.study.annual.hours import Hours, hours_of
from facility.study.annual.result import AnnualStudy
from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.loop import Sized, WingsBalance, balance
from facility.study.ranges.sample import as_built, with_inputs
from tests.study.helpers import PROJECTS, SHORTEST, design_of, reference

PLANTS = (
    (SHORTEST, "cooling.plant.heat_rejection=tower"),
    (SHORTEST, "cooling.plant.heat_rejection=dry_cooler"),
    (SHORTEST, "cooling.plant.heat_rejection=air_cooled"),
    (SHORTEST, "cooling.economizer.kind=integrated-water-side"),
    (SHORTEST, "cooling.economizer.kind=air-side-indirect"),
)


@cache
def year_of(name: str) -> AnnualStudy:
    return annual(reference(name))


def run(found: Design, hours: Hours, load: float | None = None) -> WingsBalance:
    sized = Sized(found.chain, found.cooling)
    part = found.facility.load.mean if load is None else load
    return balance(found.facility, found.it, sized, hours.weather, part)


def cooling_w(found: WingsBalance, hours: Hours) -> np.ndarray:
    return hours.spread(found.cooling.power.total_w)


@pytest.mark.parametrize("name", PROJECTS)
def test_parts_are_the_meter_and_months_are_the_year(name: str) -> None:
    study = year_of(name)
    results, months = study.results, study.months
    failed = {check.rule for check in study.checks if check.outcome is Outcome.FAIL}
    assert failed <= {"PUE-BAND", "WUE-BAND"}, "samples of all ages"
    total_j = float(results["energy.annual"].si)  # type: ignore[arg-type]
    assert sum(month.facility_j for month in months) == pytest.approx(total_j, rel=1e-12)
    assert sum(month.water_m3 for month in months) == pytest.approx(
        results["water.annual"].si, rel=1e-12
    )
    it_j = float(results["energy.annual.it"].si)  # type: ignore[arg-type]
    assert results["pue.annual"].si == pytest.approx(total_j / it_j, rel=1e-14)
    mean_ratio = float(study.year.pue.mean())
    assert results["pue.annual"].si == pytest.approx(mean_ratio, rel=1e-9), "the load is constant"


@pytest.mark.parametrize("name", PROJECTS)
def test_every_figure_can_be_asked_how_it_came_about(name: str) -> None:
    study = year_of(name)
    for key in study.results:
        assert explain(study.trace, key)


@pytest.mark.parametrize("plant", PLANTS)
def test_a_year_of_design_hours_is_the_design_hour(plant: tuple[str, ...]) -> None:
    found = design_of(*plant)
    design = found.facility.site.design
    two = Weather(
        *(np.array([x, x]) for x in (design.dry_bulb_c, design.wet_bulb_c, design.pressure_pa))
    )
    sized = Sized(found.chain, found.cooling)
    hours = balance(found.facility, found.it, sized, two)
    assert np.asarray(hours.facility_w) == pytest.approx(found.point.facility_w, rel=1e-11)


@pytest.mark.parametrize("plant", PLANTS)
def test_hours_put_in_another_order_come_out_in_that_order(plant: tuple[str, ...]) -> None:
    found = design_of(*plant)
    record = found.weather_year
    assert record is not None
    hours = hours_of(record)
    order = np.random.default_rng(3).permutation(len(hours))
    air = hours.air
    mixed = replace(
        air,
        **{
            n: getattr(air, n)[order]
            for n in ("dry_bulb_c", "wet_bulb_c", "humidity_ratio", "pressure_pa")
        },
    )
    once = cooling_w(run(found, hours), hours)
    again = cooling_w(run(found, replace(hours, air=mixed)), hours)
    assert again == pytest.approx(once[order], rel=1e-12)


@pytest.mark.parametrize("plant", PLANTS)
def test_a_hotter_year_never_takes_less_cooling_energy(plant: tuple[str, ...]) -> None:
    """Dry and wet bulb raised alike, at the equipment of the same design."""
    found = design_of(*plant)
    record = found.weather_year
    assert record is not None
    hours = hours_of(record)
    last = -np.inf
    for warmer_k in (-3.0, 0.0, 1.0, 4.0):
        air = hours.air
        raised = replace(
            air, dry_bulb_c=air.dry_bulb_c + warmer_k, wet_bulb_c=air.wet_bulb_c + warmer_k
        )
        used = float(cooling_w(run(found, replace(hours, air=raised)), hours).sum())
        assert used >= last * (1.0 - 1e-12)
        last = used


@pytest.mark.parametrize("plant", PLANTS)
def test_more_load_never_takes_less_cooling_energy(plant: tuple[str, ...]) -> None:
    found = design_of(*plant)
    record = found.weather_year
    assert record is not None
    hours = hours_of(record)
    used = [float(cooling_w(run(found, hours, load), hours).sum()) for load in (0.3, 0.5, 0.8, 1.0)]
    assert used == sorted(used)


def test_load_duration_is_of_the_hours() -> None:
    study = year_of("h100-10k")
    total, results = study.year.facility_w, study.results
    for part in (50, 90, 99):
        below = float(np.mean(total <= float(results[f"annual.p{part}"].si)))  # type: ignore[arg-type]
        assert below == pytest.approx(part / 100, abs=1e-3)
    hour = int(results["annual.peak.hour"].si)  # type: ignore[arg-type]
    assert results["annual.peak"].si == total[hour - 1] == total.max()
    chillers, load = study.year.chillers, study.year.balance.cooling.chiller_load_w
    heat_wh = float(study.year.hours.spread(load).sum())
    full = heat_wh / (chillers.on_duty * chillers.capacity_w)
    assert results["annual.chiller_full_load_hours"].si == pytest.approx(full, abs=0.5)


def test_the_measures_are_their_definitions() -> None:
    """ESIF, 2016-09 to 2017-08: 0.888 MW of IT, PUE 1.034, WUE 0.70 L/kWh."""
    it_j = 0.888e6 * 8760 * 3600.0
    assert annual_power_usage_effectiveness.si(1.034 * it_j, it_j) == pytest.approx(1.034)
    litres = 0.70 * 0.888e3 * 8760
    assert water_usage_effectiveness.si(litres / 1e3, it_j) * 3.6e9 == pytest.approx(0.70)
    assert carbon_usage_effectiveness.si(0.4 * 1.034 * it_j / 3.6e6, it_j) * 3.6e6 == pytest.approx(
        1.034 * 0.4
    )


def test_without_weather_there_is_no_year() -> None:
    found = design_of(
        SHORTEST,
        "site.place=Nowhere",
        "site.country=US",
        "site.design_dry_bulb=35 degC",
        "site.design_wet_bulb=25 degC",
    )
    with pytest.raises(FacilityError) as refused:
        annual(found)
    assert refused.value.code == "WEATHER_SITE"


def test_a_year_in_quarters_of_an_hour_is_the_year() -> None:
    """Every hour as four alike: the energies, hours and figures of the year do not move."""
    found = design_of(SHORTEST, "cooling.economizer.kind=integrated-water-side")
    record = found.weather_year
    assert record is not None
    fields = ("dry_bulb_c", "dew_point_c", "relative_humidity", "pressure_pa", "month")
    each = {name: np.repeat(getattr(record, name), 4) for name in fields}
    quarters = replace(record, step_s=900.0, **each)
    whole, parts = found.year, annual(WithWeather(found, quarters))
    assert whole is not None
    assert len(parts.year.hours) == 4 * 8760
    for key, value in whole.results.items():
        if value.kind:
            between = 1e-3 if key in ("annual.p50", "annual.p90", "annual.p99") else 1e-9
            assert parts.results[key].si == pytest.approx(value.si, rel=between), key
    assert parts.title == whole.title
    rows = hour_rows(parts.year)
    assert (rows[0][0], rows[-1][0]) == (0.25, 8760.0)
    shown, wanted = hour_map(parts, "pue"), hour_map(whole, "pue")
    assert shown.values.shape == (96, 365)
    assert shown.highest[1:] == wanted.highest[1:]


class WithWeather:
    """A design in the weather of another record."""

    def __init__(self, found: Design, weather: object) -> None:
        self._found, self.weather_year = found, weather

    def __getattr__(self, name: str) -> object:
        return getattr(self._found, name)


@pytest.mark.parametrize("name", PROJECTS)
def test_where_hours_are_known_there_is_one_answer(name: str) -> None:
    """A month is a twelfth of the year's cost; the keys of the estimates carry the year."""
    found = reference(name)
    shown = found.all_results
    pairs = [("pue.estimate", "pue.annual"), ("energy.annual_estimate", "energy.annual")]
    if found.facility.site.carbon_kg_per_j is not None:
        pairs.append(("carbon.annual_estimate", "carbon.annual"))
    for estimate, key in pairs:
        assert shown[estimate].si == shown[key].si, key
        assert shown[estimate].basis == f"from the hours of the year: {key}"
    month, year = (float(shown[key].si) for key in ("cost.month_estimate", "cost.annual"))
    assert month * 12.0 == pytest.approx(year, rel=1e-15)
    labels = [row[0] for table in summary_tables(shown) for row in table.rows]
    assert not [label for label in labels if "estimate" in label]
    assert "Annual PUE" in labels
    assert "estimate.facility" not in found.full_trace


def test_a_stated_mean_moves_no_figure_of_the_hours() -> None:
    plain = design_of(SHORTEST, "site.station=ashburn")
    warmer = ("site.mean_dry_bulb=25 degC", "site.mean_wet_bulb=20 degC")
    found = design_of(SHORTEST, "site.station=ashburn", *warmer)
    assert plain.year is not None
    assert found.year is not None
    assert found.year.results == plain.year.results
    assert found.mean is not None
    assert plain.mean is not None
    assert found.mean.facility_w != plain.mean.facility_w
    ids = {entry.id for entry in plain.ledger}
    assert "site.mean_dry_bulb" in ids
    steps = explain(plain.full_trace, "cost.month_estimate")
    assert not [line for line in steps if "mean_dry_bulb" in line or "mean_wet_bulb" in line]


@pytest.mark.parametrize("method", ["tower", "dry_cooler", "air_cooled"])
def test_a_warmer_year_never_takes_less_cooling(method: str) -> None:
    """The same equipment under hours that are warmer by 1, 2 and 4 K, the humidifiers apart."""
    sets = (f"cooling.plant.heat_rejection={method}",)
    built = as_built(design_of(SHORTEST, *sets))
    before = 0.0
    for warmer in ("", "site.year_warmer=1 K", "site.year_warmer=2 K", "site.year_warmer=4 K"):
        project = apply_sets(built.project, [*filter(None, [warmer])])
        power_w = annual(with_inputs(built, project)).year.power_w
        parts = (id for id in power_w if id.startswith("cooling.") and "humid" not in id)
        energy = float(sum(power_w[id].sum() for id in parts))
        assert energy >= before * (1.0 - 1e-12)
        before = energy


def test_a_warmer_year_keeps_its_relative_humidity() -> None:
    """Of the warmer air, by psychrolib; the design weather stays."""
    plain, warm = design_of(SHORTEST), design_of(SHORTEST, "site.year_warmer=3 K")
    was, found = plain.weather_year, warm.weather_year
    assert was is not None
    assert found is not None
    assert found.dry_bulb_c == pytest.approx(was.dry_bulb_c + 3.0)
    psychrolib.SetUnitSystem(psychrolib.SI)
    for hour in (0, 4000, 8759):
        dry_c, humid = float(found.dry_bulb_c[hour]), float(was.relative_humidity[hour])
        dew_c = psychrolib.GetTDewPointFromRelHum(dry_c, humid)
        assert float(found.dew_point_c[hour]) == pytest.approx(dew_c, abs=0.02)
    assert warm.facility.site.design == plain.facility.site.design
    assert "each +3 K" in annual(warm).title
