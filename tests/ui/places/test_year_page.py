"""The Year page: what it shows is what the library computes; without weather it says so."""

from __future__ import annotations

import base64
import json
from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from facility.core.views import show as view_shown
from facility.files.project.file import default_project, parse_project
from facility.report.drawings.charts.kit.chart import ChartText, PathShape
from facility.report.drawings.charts.year import (
    duration_chart,
    hour_chart,
    hour_map,
    it_days_chart,
    it_duration_chart,
    month_chart,
    series_of,
    week_chart,
)
from facility.report.studies.annual import Annual
from facility.report.why.pages import of_hour
from facility.study.annual.result import AnnualStudy
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design, design
from facility.ui.canvas.chart import chart_data
from facility.ui.session.year_hour import description
from tests.ui.helpers import (
    COOLING,
    SUMMARY,
    YEAR,
    as_shown,
    assert_sound,
    charts,
    choose,
    design_with,
    frame_rows,
    frames,
    go,
    metrics,
    opened,
    show_tab,
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
    for title in ("Months", "Annual energy by end use"):
        listed = [frame_rows(frame.value) for frame in frames(show_tab(at, title))]
        assert as_shown(tables[title])[1] in listed, title
    assert len(charts(at)) == 4


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
    canvas = json.loads(at.get("bidi_component")[0].proto.json)
    numbers = {one["label"]: one["value"] for one in canvas["numbers"]}
    cooling_w = float(year.group_w("cooling")[number - 1])
    assert numbers["Cooling power"] == view_shown(cooling_w, "active_power", digits=0)
    assert numbers["PUE, this hour"] == view_shown(float(year.pue[number - 1]), "ratio")
    upload(at, "nowhere.yaml", NOWHERE)
    go(at, COOLING)
    assert_sound(at)
    assert any("WEATHER_SITE" in warning.value for warning in at.warning)


@pytest.mark.parametrize(("index", "first"), [(0, 0), (4000, 4000 - 84), (8759, 8760 - 168)])
def test_the_week_around_an_hour_stacks_to_the_meter(index: int, first: int) -> None:
    year = study().year
    chart = week_chart(year, index, "si")
    groups = {"IT": "it", "Cooling": "cooling", "Losses": "losses", "Building load": "house"}
    assert [entry.name for entry in chart.legend] == [*groups]
    total = np.zeros(168)
    bands = [shape for shape in chart.shapes if isinstance(shape, PathShape) and shape.filled]
    for (name, group), band in zip(groups.items(), bands, strict=True):
        marks = chart.of(name)
        steps = range(first, first + 168)
        assert [mark.key for mark in marks] == [(f"load.{group}", str(n)) for n in steps]
        total += [mark.value for mark in marks]
        middles = 0.5 * (band.y[:168] + band.y[:167:-1])
        assert [mark.y for mark in marks] == pytest.approx(middles.tolist())
    assert total == pytest.approx(year.facility_w[first : first + 168] / 1e6, rel=1e-6)


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
    drawn = chart_data(hour_chart(hour_map(study(), "pue"), "si"), "")["cells"]
    low, high = drawn["ends"]
    whole = np.frombuffer(base64.b64decode(drawn["packed"]), "<u2")
    assert len(whole) == len(year.hours)
    assert low + whole / 65534 * (high - low) == pytest.approx(year.pue, abs=1e-5)
    index = 24 * 40 + 13
    assert (drawn["columns"][index // 24], drawn["rows"][index % 24]) == ("10 Feb", "hour 14")


def test_a_tariff_by_time_shows_the_cost_of_each_hour_and_the_bills() -> None:
    at = shown()
    assert "cost" not in series_of(study()), "at one price it is the power again"
    upload(at, "charged.yaml", CHARGED)
    go(at, YEAR)
    assert_sound(at)
    at.segmented_control(key="year-series").set_value("cost").run()
    assert_sound(at)
    assert charts(at)[0]["legend"][0]["name"].startswith("Hourly energy cost (EUR)")
    assert len(charts(at)) == 5
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
    assert any("No hourly weather applies to Nowhere." in text.value for text in at.text)
    assert not any("site.weather_file" in text.value for text in at.text)
    assert any("Choose a weather station" in text.value for text in at.text)
    assert not metrics(at)
    go(at, SUMMARY)
    choose(at, "Weather station", "phoenix")
    assert metrics(at)["Annual PUE"]


@pytest.mark.parametrize("system", ["si", "ip"])
def test_charts_carry_the_hours_of_the_study(system: str) -> None:
    year = study().year
    cells = hour_chart(hour_map(study(), "pue"), system).cells  # type: ignore[arg-type]
    assert cells is not None
    assert cells.values.shape == (24, 365)
    assert cells.values[13, 40] == pytest.approx(year.pue[40 * 24 + 13], rel=1e-6)
    assert cells.columns[-1] == "31 Dec"
    months = month_chart(study().months, system)  # type: ignore[arg-type]
    total_gwh = sum(mark.value for mark in months.marks)
    assert total_gwh == pytest.approx(float(study().results["energy.annual"].si) / 3.6e12)
    assert [f"{month.pue:.2f}" for month in study().months] == [
        label.text for label in months.shapes if isinstance(label, ChartText) and label.bold
    ]
    design_w = found().point.facility_w
    curve = duration_chart(year, design_w, system)  # type: ignore[arg-type]
    powers = [mark.value for mark in curve.of("Power at the meter")]
    assert powers == sorted(powers, reverse=True)
    assert powers[0] == pytest.approx(float(study().results["annual.peak"].si) / 1e6)
    assert powers[-1] == pytest.approx(float(year.facility_w.min()) / 1e6)


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
    drawn = it_days_chart(year, "si")
    parts = {"Minimum hour": 0.3, "Maximum hour": 0.8, "Daily mean": 0.55}
    for name, part in parts.items():
        marks = drawn.of(name)
        values = [mark.value for mark in marks]
        assert values == pytest.approx([part * load_kw] * len(marks))
        if name != "Daily mean":
            steps = [int(mark.key[1]) for mark in marks]
            assert list(year.power_w["it"][steps] / 1e3) == pytest.approx(values, rel=1e-6)
    curve = it_duration_chart(year, load_kw * 1e3, "si").of("IT power")
    assert {mark.key for mark in curve} == {("energy.annual.it",)}
    assert (curve[0].value, curve[-1].value) == pytest.approx((0.8 * load_kw, 0.3 * load_kw))
    half = max(mark.x for mark in curve if mark.value > 0.5 * load_kw)
    assert half == pytest.approx(0.5, abs=0.01)


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
