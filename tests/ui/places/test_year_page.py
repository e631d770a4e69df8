"""The Year page: what it shows is what the library computes; without weather it says so."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from facility.core.views import show as view_shown
from facility.files.project.file import default_project, parse_project
from facility.report.drawings.charts.year import hour_map, series_of
from facility.report.studies.annual import Annual
from facility.report.why.pages import of_hour
from facility.study.annual.result import AnnualStudy
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design, design
from facility.ui.charts import palette
from facility.ui.charts.year import (
    duration_figure,
    hour_figure,
    it_days_figure,
    it_duration_figure,
    month_figure,
    week_figure,
)
from facility.ui.session.year_hour import description
from tests.ui.helpers import (
    COOLING,
    SUMMARY,
    YEAR,
    as_shown,
    assert_sound,
    choose,
    design_with,
    frame_rows,
    go,
    metrics,
    opened,
    upload,
)

NOWHERE = b"""schema_version: 1
site: {place: Nowhere, design_dry_bulb: 35 degC, design_wet_bulb: 25 degC}
it: {gpu_model: H100 SXM5, gpus: 64}
"""


@cache
def found() -> Design:
    return design_with()


def study() -> AnnualStudy:
    year = found().year
    assert year is not None
    return year


def shown() -> AppTest:
    at = opened()
    go(at, YEAR)
    assert_sound(at)
    return at


def test_the_page_shows_the_year_of_the_library() -> None:
    at, results = shown(), study().results
    numbers = metrics(at)
    assert numbers["Annual PUE"] == results["pue.annual"].shown()
    assert numbers["WUE, site"] == results["wue.site"].shown()
    tables = {one.title: one for one in Annual(found(), study()).tables("si")}
    frames = [frame.value for frame in at.dataframe]
    for title in ("Months", "Annual energy by end use"):
        assert as_shown(tables[title])[1] in map(frame_rows, frames), title
    assert len(at.get("plotly_chart")) == 4


def test_any_series_is_drawn_and_stays_valid_with_another_plant() -> None:
    at = shown()
    for key in series_of(study()):
        at.segmented_control(key="year-series").set_value(key).run()
        assert_sound(at)
    assert at.segmented_control(key="year-series").value == "water"
    upload(at, "dry.yaml", NO_TOWER)
    assert not at.error
    go(at, YEAR)
    assert_sound(at)
    dry = design(parse_project(NO_TOWER.decode())).year
    assert dry is not None
    chosen = at.segmented_control(key="year-series")
    assert chosen.options == list(series_of(dry).values())
    assert chosen.value in series_of(dry)


def test_an_hour_of_the_year_opens_on_the_page_of_the_cooling() -> None:
    """The balance there, solved alone, is the hour of the year: power and PUE to the digit."""
    year = study().year
    at = shown()
    assert at.number_input(key="year-hour").value == study().results["annual.peak.hour"].si
    number = 8760 // 3
    at.number_input(key="year-hour").set_value(number).run()
    told = next(text.value for text in at.text if "at the meter" in text.value)
    assert told.startswith("2 May, hour 16:")
    assert told.endswith(f"PUE {year.pue[number - 1]:.3f}")
    at.session_state["cooling-hour"] = "year"
    go(at, COOLING)
    assert_sound(at)
    assert at.number_input(key="year-hour").value == number
    numbers = metrics(at)
    cooling_w = float(year.group_w("cooling")[number - 1])
    assert numbers["Cooling power"] == view_shown(cooling_w, "active_power")
    assert numbers["PUE, this hour"] == view_shown(float(year.pue[number - 1]), "ratio")
    upload(at, "nowhere.yaml", NOWHERE)
    go(at, COOLING)
    assert_sound(at)
    assert any("WEATHER_SITE" in warning.value for warning in at.warning)


@pytest.mark.parametrize(("index", "first"), [(0, 0), (4000, 4000 - 84), (8759, 8760 - 168)])
def test_the_week_around_an_hour_stacks_to_the_meter(index: int, first: int) -> None:
    year = study().year
    data = week_figure(year, index, palette.LIGHT, "si").data
    parts, asked = data[:4], data[4:]
    assert [part.name for part in parts] == ["IT", "Losses", "Cooling", "Building load"]
    assert [int(x) for x in parts[0].x] == list(range(first + 1, first + 169))
    total_kw = np.sum([np.asarray(part.y) for part in parts], axis=0)
    assert total_kw == pytest.approx(year.facility_w[first : first + 168] / 1e3, rel=1e-6)
    below = np.zeros(168)
    for part, points, group in zip(parts, asked, ("it", "losses", "cooling", "house"), strict=True):
        assert [(key, int(step)) for key, step, _ in points.customdata] == [
            (f"load.{group}", step) for step in range(first, first + 168)
        ]
        assert np.asarray(points.y) == pytest.approx(below + 0.5 * np.asarray(part.y), rel=1e-6)
        below = below + np.asarray(part.y)


@pytest.mark.parametrize("index", [0, 4000, 8759])
def test_an_hour_that_is_asked_about_has_the_powers_that_are_drawn(index: int) -> None:
    plan = design(default_project())
    assert plan.year is not None
    year = plan.year.year
    hour = cooling_hour(plan, year.outdoors(index), float(year.load[index]), year.tank(index))
    told = of_hour(hour).trace
    for group in year.groups:
        drawn_w = float(year.group_w(group)[index])
        assert told.value(f"load.{group}") == pytest.approx(drawn_w, rel=1e-9)


def test_the_map_of_the_mode_counts_the_hours_of_the_study() -> None:
    economized = design_with("cooling.economizer.kind=integrated-water-side").year
    assert economized is not None
    share = hour_map(economized, "mode").values
    hours = {mode: economized.results[f"annual.economizer.{mode}"].si for mode in ("full", "none")}
    assert np.count_nonzero(share >= 1.0 - 1e-9) == hours["full"] > 0
    assert np.count_nonzero(share <= 1e-9) == hours["none"] > 0
    assert share.max() <= 1.0 + 1e-12
    assert "mode" not in series_of(study())


def test_points_to_choose_stand_in_the_order_of_the_hours() -> None:
    year = study().year
    drawn, points = hour_figure(hour_map(study(), "pue"), palette.LIGHT, "si").data
    assert len(points.x) == len(points.y) == len(year.hours)
    index = 24 * 40 + 13
    assert points.x[index] == drawn.x[40]
    assert points.y[index] == drawn.y[13]


def test_a_tariff_by_time_shows_the_cost_of_each_hour_and_the_bills() -> None:
    at = shown()
    assert "cost" not in series_of(study()), "at one price it is the power again"
    upload(at, "charged.yaml", CHARGED)
    go(at, YEAR)
    assert_sound(at)
    at.segmented_control(key="year-series").set_value("cost").run()
    assert_sound(at)
    assert "Hourly energy cost (EUR)" in str(at.get("plotly_chart")[0].proto.spec)
    assert len(at.get("plotly_chart")) == 5
    assert metrics(at)["Electricity cost"].endswith("EUR")
    assert at.text_input(key=tariff_key(at)).disabled
    upload(at, "dry.yaml", NO_TOWER)
    go(at, YEAR)
    assert_sound(at)
    assert at.segmented_control(key="year-series").value == "pue", "it has no cost of an hour"


def tariff_key(at: AppTest) -> str:
    return next(str(one.key) for one in at.text_input if one.label.startswith("Energy price"))


CHARGED = b"""schema_version: 1
it: {gpu_model: H100 SXM5, gpus: 64}
site:
  station: ashburn
  tariff:
    energy:
      - {price: 0.12 EUR/kWh, hours: 8-20}
      - {price: 0.06 EUR/kWh, hours: 20-8}
    demand: [{price: 15 EUR/kW}]
"""
NO_TOWER = b"""schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 64}
cooling: {plant: {heat_rejection: air_cooled}}
"""


def test_without_weather_the_page_says_what_to_give() -> None:
    at = opened()
    upload(at, "nowhere.yaml", NOWHERE)
    assert "PUE, design hour" in metrics(at), "no year, so the design hour stands there"
    go(at, YEAR)
    assert_sound(at)
    assert any("No annual simulation" in text.value for text in at.markdown)
    assert any("WEATHER_SITE" in text.value for text in at.text)
    assert any("Choose a weather station" in text.value for text in at.text)
    assert not metrics(at)
    go(at, SUMMARY)
    choose(at, "Weather station", "phoenix")
    assert metrics(at)["Annual PUE"]


@pytest.mark.parametrize("system", ["si", "ip"])
def test_charts_carry_the_hours_of_the_study(system: str) -> None:
    year, ink = study().year, palette.LIGHT
    figure = hour_figure(hour_map(study(), "pue"), ink, system)  # type: ignore[arg-type]
    drawn = np.asarray(figure.data[0].z)
    assert drawn.shape == (24, 365)
    assert drawn[13, 40] == pytest.approx(year.pue[40 * 24 + 13], rel=1e-6)
    assert str(figure.data[0].x[-1])[5:10] == "12-31"
    bars = month_figure(study().months, ink, system).data  # type: ignore[arg-type]
    total_mwh = sum(sum(float(y) for y in bar.y) for bar in bars)
    assert total_mwh == pytest.approx(float(study().results["energy.annual"].si) / 3.6e9)
    design_w = found().point.facility_w
    curve = duration_figure(year, design_w, ink, system).data[0]  # type: ignore[arg-type]
    powers = [float(y) for y in curve.y]
    assert powers == sorted(powers, reverse=True)
    assert powers[0] == pytest.approx(float(study().results["annual.peak"].si) / 1e3)
    assert powers[-1] == pytest.approx(float(year.facility_w.min()) / 1e3)


def test_the_it_load_is_drawn_where_the_project_states_how_it_runs() -> None:
    assert not [m for m in shown().markdown if "IT load by day" in m.value]
    day = ", ".join(["0.3"] * 12 + ["0.8"] * 12)
    stated = f"{{gpu_model: H100 SXM5, gpus: 64, load_profile: {{hours: [{day}]}}}}"
    text = f"schema_version: 1\nit: {stated}\n"
    at = opened()
    upload(at, "day.yaml", text.encode())
    go(at, YEAR)
    assert_sound(at)
    assert {"**IT load by day**", "**IT load duration**"} <= {m.value for m in at.markdown}
    made = design(parse_project(text))
    assert made.year is not None
    year, load_kw = made.year.year, float(made.results["load.it"].si) / 1e3
    drawn = it_days_figure(year, palette.LIGHT, "si").data
    parts = {"Minimum hour": 0.3, "Maximum hour": 0.8, "Daily mean": 0.55}
    for line, points in zip(drawn[::2], drawn[1::2], strict=True):
        assert list(line.y) == pytest.approx([parts[line.name] * load_kw] * 365)
        assert list(points.y) == list(line.y)
        if line.name != "Daily mean":
            steps = [int(step) for _, step in points.customdata]
            assert list(year.power_w["it"][steps] / 1e3) == pytest.approx(list(line.y), rel=1e-6)
    curve, asked = it_duration_figure(year, load_kw * 1e3, palette.LIGHT, "si").data
    assert {*asked.customdata} == {"energy.annual.it"}
    powers = np.asarray(curve.y)
    assert (powers[0], powers[-1]) == pytest.approx((0.8 * load_kw, 0.3 * load_kw))
    assert max(np.asarray(curve.x)[powers > 0.5 * load_kw]) == pytest.approx(4380, abs=20)


def test_the_highest_hour_of_a_map_is_the_hour_of_the_peak() -> None:
    value, day, hour = hour_map(study(), "facility").highest
    assert value == study().results["annual.peak"].si
    assert 24 * day + hour + 1 == study().results["annual.peak.hour"].si


def test_hours_without_it_are_shown_without_a_pue() -> None:
    """Half of each day nothing runs: the map has gaps, the clicked hour says so."""
    at = opened()
    day = ", ".join(["0"] * 12 + ["0.8"] * 12)
    text = (
        "schema_version: 1\n"
        f"it: {{gpu_model: H100 SXM5, gpus: 64, load_profile: {{hours: [{day}]}}}}\n"
    )
    upload(at, "day.yaml", text.encode())
    assert not at.error
    go(at, YEAR)
    assert_sound(at)
    said = " ".join(one.value for one in at.text)
    assert "by the hours of its day: 40% of its load on the mean" in said
    year = design(parse_project(text)).year
    assert year is not None
    assert np.isnan(hour_map(year, "pue").values[:12]).all()
    assert hour_map(year, "load").values[:, 0] == pytest.approx([0.0] * 12 + [0.8] * 12)
    assert description(year.year, 0, "si").endswith("no IT")
    assert "PUE" in description(year.year, 12, "si")
