"""The cooling pages: what they show is what the library computes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.views import System, show
from facility.files.project.file import example_text, parse_project
from facility.model.facility import Weather
from facility.report.book.cooling.ride_through import BUFFERED, case_rows
from facility.report.drawings.charts.compare import power_by_method, power_over_density
from facility.report.drawings.charts.kit.chart import Chart, ChartText, PathShape
from facility.report.drawings.charts.ride_through import named_limits, ride_chart
from facility.report.sheet.grid import TextTable
from facility.report.studies.compare import density_table, option_table
from facility.report.studies.equipment import CoolingAtHour
from facility.report.tables.ride_events import focus_s, ride_events
from facility.report.why.pages import of_comparison
from facility.study.compare.ways import compare_cooling
from facility.study.cooling_hour import cooling_hour
from facility.study.design.design import Design, design
from facility.study.transient.study import TransientStudy, transient
from tests.ui.canvas.test_user_text import texts_in_markup
from tests.ui.helpers import (
    COMPARE,
    COOLING,
    RIDE,
    SUMMARY,
    as_shown,
    assert_sound,
    charts,
    choose,
    errors,
    frame_rows,
    frames,
    go,
    metrics,
    opened,
    press,
    session,
    show_object,
    show_tab,
    type_in,
    upload,
)
from tests.ui.hostile import PROJECT

EXAMPLE = "nvl72-hall"


@cache
def found() -> Design:
    return design(parse_project(example_text(EXAMPLE)))


@cache
def ridden() -> TransientStudy:
    return transient(found())


def shown(page: str) -> AppTest:
    at = opened()
    choose(at, "Example", EXAMPLE)
    go(at, page)
    assert_sound(at)
    return at


def tables(plan: Design, system: System = "si") -> dict[str, TextTable]:
    hour = cooling_hour(plan, plan.facility.site.design)
    return {one.title: one for one in CoolingAtHour(plan, hour).tables(system)}


def rows_of(at: AppTest, heads: Sequence[str]) -> list[list[object]]:
    (frame,) = (f.value for f in frames(at) if list(f.value.columns) == list(heads))
    return frame_rows(frame)


def canvas(at: AppTest) -> dict[str, Any]:
    """Return what the browser is given to draw."""
    given: dict[str, Any] = json.loads(at.get("bidi_component")[0].proto.json)
    return given


def numbers(at: AppTest) -> dict[str, str]:
    """Return the numbers of the shown hour."""
    return {one["label"]: one["value"] for one in canvas(at)["numbers"]}


def diagram(at: AppTest) -> str:
    """Return the texts of the loops."""
    (view,) = (view for view in canvas(at)["views"] if view["layouts"])
    shapes = view["layouts"]["wide"]["shapes"]
    return "\n".join(shape[1] for shape in shapes if shape[0] == "text")


def air(at: AppTest) -> AppTest:
    """Show the air and the tables of the plant."""
    return show_object(at, "COOLING", "cooling")


def test_the_cooling_page_shows_the_design_hour() -> None:
    at, plan = shown(COOLING), found()
    flow = plan.cooling_flow
    power = show(flow.power.total_w, "active_power", digits=0)
    assert numbers(at)["Cooling power"] == power
    assert numbers(at)["PUE, this hour"] == plan.results["pue.design"].shown()
    assert show(flow.tcs_return_c, "temperature") in diagram(at)
    assert show(flow.fws_supply_c, "temperature") in diagram(at)
    air(at)
    found_in = tables(plan)
    assert len(found_in) >= 6
    for title, one in found_in.items():
        heads, rows = as_shown(one)
        assert rows_of(show_tab(at, title), heads) == rows
    (cdus,) = found_in["Coolant distribution units"].rows
    assert str(plan.cooling.counts.cdu) in cdus
    assert len(list(found_in["Loops"].rows)) == len(plan.hydraulics.loops)
    (chart,) = charts(at)
    assert "Recommended" in [entry["name"] for entry in chart["legend"]]


def test_the_hour_can_be_the_mean_year_or_typed_in_any_unit() -> None:
    at, plan = shown(COOLING), found()
    at.segmented_control(key="cooling-hour").set_value("mean").run()
    assert_sound(at)
    mean = plan.mean
    assert mean is not None
    ratio = mean.facility_w / mean.demand.it_w
    assert numbers(at)["PUE, this hour"] == show(ratio, "ratio")
    power = show(mean.cooling.power.total_w, "active_power", digits=0)
    assert numbers(at)["Cooling power"] == power
    at.segmented_control(key="cooling-hour").set_value("own").run()
    for key, text in (("dry", "41 degF"), ("wet", "3 °C"), ("it", "80 %")):
        at.text_input(key=f"cooling-{key}").set_value(text).run()
    assert_sound(at)
    weather = Weather(5.0, 3.0, plan.facility.site.pressure_pa)
    power_w = cooling_hour(plan, weather, 0.8).point.cooling.power.total_w
    assert numbers(at)["Cooling power"] == show(power_w, "active_power", digits=0)
    assert numbers(at)["Dry bulb"] == "5.0 °C"


@pytest.mark.parametrize(
    ("key", "text", "code"),
    [
        ("dry", "<b>hot</b>", "NOT_A_NUMBER"),
        ("dry", "20", "UNIT_MISSING"),
        ("wet", "59 degC", "OUT_OF_RANGE"),
        ("it", "120 %", "IT_FRACTION"),
        ("dry", "1e999 degC", "NOT_A_NUMBER"),
        ("dry", "", "NOT_A_NUMBER"),
    ],
)
def test_weather_that_is_none_is_refused_and_the_design_hour_stays(
    key: str, text: str, code: str
) -> None:
    at = shown(COOLING)
    at.segmented_control(key="cooling-hour").set_value("own").run()
    at.text_input(key=f"cooling-{key}").set_value(text).run()
    assert_sound(at)
    assert errors(at) == ["Weather not applied. The design hour is shown."]
    assert [f"[{code}]" in one.value for one in at.text].count(True) == 1
    assert texts_in_markup(at) == []
    power_w = found().cooling_flow.power.total_w
    assert numbers(at)["Cooling power"] == show(power_w, "active_power", digits=0)


def test_units_change_what_the_cooling_page_shows() -> None:
    at = shown(COOLING)
    at.segmented_control(key="units").set_value("ip").run()
    assert_sound(at)
    flow = found().cooling_flow
    assert show(flow.fws_supply_c, "temperature", "ip") in diagram(at)
    assert show(flow.fws_flow_m3_s, "liquid_flow", "ip", digits=0) in diagram(at)
    air(at)
    show_tab(at, "Loops")
    loops = tables(found(), "ip")["Loops"]
    heads, rows = as_shown(loops)
    assert "Flow, design (gpm)" in heads
    assert rows_of(at, heads) == rows


def test_the_comparison_is_made_when_opened_and_is_that_of_the_library() -> None:
    at = shown(COMPARE)
    comparison = compare_cooling(found().project)
    listed = [frame_rows(frame.value) for frame in frames(at)]
    assert as_shown(option_table(comparison))[1] in listed
    for option in comparison.options:
        assert any(option.reason in text.value for text in at.text)
    density = density_table(comparison)
    show_tab(at, density.title)
    assert as_shown(density)[1] in [frame_rows(frame.value) for frame in frames(at)]
    feasible = sum(option.feasible for option in comparison.options)
    assert metrics(at)["Feasible cooling methods"] == f"{feasible} of 5"
    assert any(comparison.crossover.because in text.value for text in at.text)
    assert len(charts(at)) == 2
    drawn = sum(mark.value for mark in power_by_method(comparison).marks)
    whole = sum(
        o.design.cooling_flow.power.total_w
        for o in comparison.options
        if o.feasible and o.design is not None
    )
    assert drawn == pytest.approx(1e-3 * whole)
    density = power_over_density(comparison)
    known = of_comparison(comparison)
    assert all(key in known for mark in density.marks for key in mark.key)


def test_a_changed_project_is_compared_again_only_when_asked_for() -> None:
    at = shown(COMPARE)
    before = metrics(at)
    go(at, SUMMARY)
    type_in(at, "Number of GPUs", "288")
    go(at, COMPARE)
    assert_sound(at)
    assert metrics(at) == before
    assert any("has changed" in text.value for text in at.text)
    press(at, "cooling-again")
    assert not any("has changed" in text.value for text in at.text)
    compared = compare_cooling(session(at).project)
    feasible = sum(option.feasible for option in compared.options)
    assert metrics(at)["Feasible cooling methods"] == f"{feasible} of 5"


def test_the_ride_through_page_shows_every_failure() -> None:
    at, study = shown(RIDE), ridden()
    rows = {row.words: row for row in case_rows(study)}
    assert "Case" not in frames(at)[0].value
    frame = frames(at)[0].value
    buffers = frames(show_tab(at, BUFFERED.title))[0].value
    assert list(frame["Failure"]) == list(rows)
    assert list(frame["Equipment within limits"]) == [
        "yes" if r.found.holds else "NO" for r in rows.values()
    ]
    shown_volumes = BUFFERED.text(r for r in rows.values() if r.found.storage is not None)
    assert frame_rows(buffers) == [row[1:] for row in as_shown(shown_volumes)[1]]
    for case in ("utility", "chw_header", "crah"):
        at.selectbox(key="ride-case").set_value(case).run()
        assert_sound(at)
        assert any(study[case].first_words in text.value for text in at.text)
    at.segmented_control(key="ride-time").set_value("all").run()
    assert_sound(at)


def test_what_is_not_followed_through_time_is_said() -> None:
    at = opened()
    text = example_text("dgx-su-32").replace("cooling:", "cooling:\n  crah: {count: 1}", 1)
    upload(at, "short.yaml", text.encode())
    go(at, RIDE)
    assert_sound(at)
    assert ["RIDE_THROUGH_SHORT" in error for error in errors(at)] == [True]
    assert any("CRAHs: 1 installed" in text.value for text in at.text)


def limits_in(chart: Chart) -> list[tuple[str, float]]:
    """Return the letters of the limits, each with its height; they stand beside the curves."""
    labels = (s for s in chart.shapes if isinstance(s, ChartText) and s.x == 1.0 and s.bold)
    beside = sorted(labels, key=lambda one: one.y)
    assert all(one.anchor == "start" for one in beside)
    return [(letter, one.y) for one in beside for letter in one.text.split(", ")]


def test_curves_are_those_of_the_study_with_events_in_order() -> None:
    study = ridden()
    for result in study.cases:
        events = ride_events(study, result)
        times = [event.time_s for event in events]
        assert times == sorted(times)
        until_s = focus_s(result, events)
        assert max(times) <= until_s <= result.horizon_s
        chart = ride_chart(study, result, events, until_s, "ip")
        worst = chart.of("inlet_worst")
        assert worst[0].words.startswith("Equipment inlet, worst: ")
        assert worst[0].value == pytest.approx(32.0 + 1.8 * result.series["inlet_worst"][0])
        assert max(mark.x for mark in worst) <= 1.0 + 1e-9
        lines = [s.y[0] for s in chart.shapes if isinstance(s, PathShape) and s.dash == "6 4"]
        named = named_limits(result)
        one, other = worst[0], max(worst, key=lambda mark: abs(mark.value - worst[0].value))
        if one.value != other.value:  # height of a temperature
            per_f = (other.y - one.y) / (other.value - one.value)
            heights = [one.y + per_f * (32.0 + 1.8 * it.at_c - one.value) for it in named]
            assert heights == pytest.approx(lines, abs=1e-6)
        assert [letter for letter, _ in limits_in(chart)] == [it.letter for it in named]
        assert [y for _, y in limits_in(chart)] == pytest.approx(lines, abs=20.0)
    utility = [event.what for event in ride_events(study, study["utility"])]
    assert utility.index("generators supply the cooling") < utility.index("chillers start cooling")


@pytest.mark.parametrize("page", [COMPARE, RIDE])
def test_hostile_names_stay_text_where_they_are_asked_about(page: str) -> None:
    at = opened()
    upload(at, "hostile.json", PROJECT)
    go(at, page)
    assert_sound(at)
    assert texts_in_markup(at) == []
    assert charts(at)
