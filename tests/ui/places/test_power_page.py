"""The power page: verdicts, the state chosen, and the tables are those of the library."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from facility.files.project.file import apply_sets, dump_project, example_text, parse_project
from facility.report.drawings.charts.bars import loading_bars
from facility.report.studies.equipment import PowerTrain
from facility.report.tables.states import case_title, matrix_rows, state_facts, worst_first
from facility.report.why.pages import loading_id
from facility.study.design.design import Design, design
from facility.study.failures.study import FailureStudy, failures
from tests.ui.helpers import (
    FAILURES,
    POWER,
    SUMMARY,
    as_shown,
    assert_sound,
    choose,
    errors,
    frame_rows,
    frames,
    go,
    metrics,
    opened,
    show_object,
    show_tab,
    upload,
)

EXAMPLE = "mixed-hall"
MODULAR = "power.ups.module_rating=600 kW"
"""Two modules to a system of the example."""


@cache
def found(*sets: str) -> Design:
    return design(apply_sets(parse_project(example_text(EXAMPLE)), list(sets)))


@cache
def study(*sets: str) -> FailureStudy:
    return failures(found(*sets))


def shown_page() -> AppTest:
    at = opened()
    choose(at, "Example", EXAMPLE)
    go(at, POWER)
    assert_sound(at)
    return at


def modular_page() -> AppTest:
    at = opened()
    given = dump_project(apply_sets(parse_project(example_text(EXAMPLE)), [MODULAR]))
    upload(at, "modular.yaml", given.encode())
    go(at, POWER)
    assert_sound(at)
    return at


def shown_canvas(at: AppTest) -> dict[str, Any]:
    """Return what the browser is given to draw."""
    given: dict[str, Any] = json.loads(at.get("bidi_component")[0].proto.json)
    return given


def drawn_texts(at: AppTest) -> list[str]:
    """Return the texts of the overview."""
    view = next(one for one in shown_canvas(at)["views"] if one["layouts"])
    return [one[1] for one in view["layouts"]["wide"]["shapes"] if one[0] == "text"]


def numbers(at: AppTest) -> dict[str, str]:
    """Return the numbers of the shown state."""
    return {one["label"]: one["value"] for one in shown_canvas(at)["numbers"]}


def facts(at: AppTest) -> list[tuple[str, str]]:
    """Return the effect of the shown state; the drawing is shown again after it."""
    show_object(at, "POWER", "outages")
    found = [(str(row.Quantity), str(row.Value)) for row in frames(at)[0].value.itertuples()]
    show_object(at, "POWER")
    return found


def test_the_failures_have_the_verdicts_of_the_study() -> None:
    at, verdicts = go(shown_page(), FAILURES), study()
    assert_sound(at)
    texts = "\n".join(text.value for text in at.text)
    for verdict in (verdicts.concurrently_maintainable, verdicts.fault_tolerant):
        assert f"{'met' if verdict.holds else 'not met'}; {verdict.because}" in texts
    points = sum(len(point.alike) for point in verdicts.single_points)
    assert metrics(at)["Single points of failure"] == (f"{points:,}" if points else "None")


def test_every_state_can_be_chosen_and_changes_what_is_shown() -> None:
    at = modular_page()
    states = {state.case.outage.id: state for state in study(MODULAR).states}
    box = at.selectbox(key="state-case")
    assert len(box.options) == len(states)
    worst = worst_first(study(MODULAR).single)[0].case
    assert box.options[:2] == ["Normal operation", case_title(worst)]
    pictures = [drawn_texts(at)]
    for id in ("loss of utility", "loss of UPS-A-1"):
        at.selectbox(key="state-case").set_value(id).run()
        assert_sound(at)
        assert facts(at) == list(state_facts(states[id]))
        assert "; ".join(states[id].transfers) in shown_canvas(at)["caption"]
        pictures.append(drawn_texts(at))
    assert "1 out" in pictures[-1]
    at.selectbox(key="state-case").set_value("loss of utility").run()
    at.segmented_control(key="state-moment").set_value("on battery").run()
    pictures.append(drawn_texts(at))
    assert "batt." in pictures[-1]
    assert len({tuple(one) for one in pictures}) == 4
    at.segmented_control(key="state-moment").set_value("before").run()
    assert drawn_texts(at) == pictures[0]


def test_the_buttons_lead_to_the_state_after_and_before() -> None:
    at = shown_page()
    at.button(key="state-after").click().run()
    assert_sound(at)
    worst = worst_first(study().single)[0].case.outage.id
    assert at.selectbox(key="state-case").value == worst
    place = f"single outage 1 of {len(study().states) - 1:,}, worst first"
    assert at.button(key="state-after").help == f"State after ({place})"
    at.button(key="state-before").click().run()
    assert at.selectbox(key="state-case").value == "normal"
    assert at.button(key="state-before").disabled


def test_a_state_that_the_next_project_lacks_is_left() -> None:
    at = modular_page()
    at.selectbox(key="state-case").set_value("loss of UPS-C-1").run()
    go(at, SUMMARY)
    go(at, POWER)
    assert at.selectbox(key="state-case").value == "loss of UPS-C-1"
    choose(at, "Example", "nvl72-hall")
    go(at, POWER)
    assert_sound(at)
    assert at.selectbox(key="state-case").value == "normal"


def test_the_tables_are_those_of_the_library() -> None:
    at = show_object(shown_page(), "POWER", "outages")
    matrix = frames(at)[1].value
    show_object(at, "POWER", "equipment")
    wanted = list(PowerTrain(found()).tables("si"))
    listed = [frames(show_tab(at, one.title))[0].value for one in wanted]
    worst = next(matrix_rows(study(), 1))
    assert matrix["State"][0] == worst.state
    assert matrix["UPS (%)"][0] == pytest.approx(100.0 * (worst.loading["UPS"] or 0.0), abs=0.05)
    for frame, one in zip(listed, wanted, strict=True):
        assert (list(frame.columns), frame_rows(frame)) == as_shown(one)
    ups, _, _, _, drops = listed
    assert list(ups["Module"]) == [one.model for one in found().chain.ups.shortlist]
    assert len(drops) == len({f.group for f in found().distribution.feeders.feeders})


def test_a_breaker_that_is_opened_changes_drawing_numbers_and_state() -> None:
    at = shown_page()
    choose(at, "UPS redundancy", "N+2")
    go(at, POWER)
    fragile = design(apply_sets(parse_project(example_text(EXAMPLE)), ["power.redundancy=N+2"]))
    states = {s.case.outage.id: s for s in failures(fragile).states}
    at.session_state["power-opened"] = ("TX-11>LVB-11",)
    at.run()
    assert_sound(at)
    assert facts(at) == list(state_facts(states["loss of TX-11>LVB-11"]))
    assert shown_canvas(at)["opened"] == ["TX-11>LVB-11"]
    at.session_state["power-opened"] = ("TX-11>LVB-11", "MVS-1>TX-12")
    at.run()
    assert dict(facts(at))["Racks without power"].startswith("13,")
    assert numbers(at)["Racks dropped"] == "13 of 24"
    assert numbers(at)["IT load dropped"] == dict(facts(at))["IT load dropped"]
    at.button(key="state-close-MVS-1>TX-12").click().run()
    assert_sound(at)
    assert shown_canvas(at)["opened"] == ["TX-11>LVB-11"]
    at.selectbox(key="state-added").set_value("MVS-1>TX-12").run()
    assert shown_canvas(at)["opened"] == ["TX-11>LVB-11", "MVS-1>TX-12"]
    at.session_state["power-opened"] = ("MBP-11", "no such thing")
    at.run()
    assert_sound(at)
    assert errors(at) == [
        "Not taken out of service: CANNOT_OPEN",
        "Not taken out of service: NETWORK_TAG",
    ]
    assert at.session_state["power-opened"] == ()


def test_a_panel_leads_to_its_schedule_and_is_taken_out_of_service() -> None:
    at = show_object(shown_page(), "RPP-B04")
    at.button(key="out-RPP-B04").click().run()
    assert_sound(at)
    assert at.session_state["power-opened"] == ("RPP-B04",)
    show_object(at, "RPP-B04", "schedule")
    assert any("Panel RPP-B04 ·" in text.value for text in at.text)


def test_loading_bars_name_what_is_above_its_rating() -> None:
    loading = {"UPS": 0.5, "Panels": 1.25, "PDU": None}
    chart = loading_bars(loading, loading_id)
    assert [mark.key for mark in chart.marks] == [("loading.UPS",), ("loading.Panels",)]
    assert [mark.words for mark in chart.marks] == ["UPS 50.0%", "Panels 125.0% above rating"]
    assert {"UPS", "Panels", "50.0%", "125.0% above rating"} <= {*chart.texts}
