"""The power page: verdicts, the state chosen, and the tables are those of the library."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.views import show
from facility.files.project.file import apply_sets, dump_project, example_text, parse_project
from facility.report.drawings.charts.bars import loading_bars
from facility.report.studies.equipment import PowerTrain
from facility.report.tables.states import matrix_rows, state_facts
from facility.report.why.pages import loading_id
from facility.study.design.design import Design, design
from facility.study.failures.study import FailureStudy, failures
from tests.ui.helpers import (
    POWER,
    SUMMARY,
    as_shown,
    assert_sound,
    choose,
    frame_rows,
    go,
    metrics,
    opened,
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


def shown_drawing(at: AppTest) -> dict[str, Any]:
    """Return what the browser is given to draw."""
    given: dict[str, Any] = json.loads(at.get("bidi_component")[0].proto.json)
    return given


def diagram(at: AppTest) -> str:
    document: str = shown_drawing(at)["svg"]
    return document


def marked(document: str) -> str:
    """Return a document without its title, which names state and moment."""
    return re.sub("<title>.*?</title>", "", document, count=1)


def facts(at: AppTest) -> list[tuple[str, str]]:
    return [(str(row.Quantity), str(row.Value)) for row in at.dataframe[0].value.itertuples()]


def test_the_page_shows_the_verdicts_of_the_study() -> None:
    at = shown_page()
    numbers, verdicts = metrics(at), study()
    assert numbers["Redundancy"] == found().facility.power.scheme.name
    for title, verdict in (
        ("Concurrently maintainable", verdicts.concurrently_maintainable),
        ("Fault tolerant", verdicts.fault_tolerant),
    ):
        assert numbers[title] == ("Yes" if verdict.holds else "No")
        assert any(verdict.because in text.value for text in at.text)
    worst = max(
        s.dropped_w + s.interrupted_w for s in verdicts.states if s.case.kind in ("loss", "utility")
    )
    expected = show(worst, "active_power") if worst else "None"
    assert numbers["IT dropped, worst loss"] == expected


def test_every_state_can_be_chosen_and_changes_what_is_shown() -> None:
    at = modular_page()
    states = {state.case.outage.id: state for state in study(MODULAR).states}
    box = at.selectbox(key="power-state")
    assert len(box.options) == len(states)
    assert box.options[:2] == ["normal", "loss of utility"]
    pictures = [diagram(at)]
    for id in ("loss of utility", "loss of UPS-A-1"):
        at.selectbox(key="power-state").set_value(id).run()
        assert_sound(at)
        assert facts(at) == list(state_facts(states[id]))
        assert any("; ".join(states[id].transfers) in text.value for text in at.text)
        pictures.append(diagram(at))
    at.segmented_control(key="power-moment").set_value("on battery").run()
    pictures.append(diagram(at))
    assert len(set(pictures)) == 4
    at.segmented_control(key="power-moment").set_value("before").run()
    assert marked(diagram(at)) == marked(pictures[0])


def test_a_state_that_the_next_project_lacks_is_left() -> None:
    at = modular_page()
    at.selectbox(key="power-state").set_value("loss of UPS-C-1").run()
    go(at, SUMMARY)
    go(at, POWER)
    assert at.selectbox(key="power-state").value == "loss of UPS-C-1"
    choose(at, "Example", "nvl72-hall")
    go(at, POWER)
    assert_sound(at)
    assert at.selectbox(key="power-state").value == "normal"


def test_the_tables_are_those_of_the_library() -> None:
    at = shown_page()
    _, matrix, *frames = (frame.value for frame in at.dataframe)
    worst = next(matrix_rows(study(), 1))
    assert matrix["State"][0] == worst.state
    assert matrix["UPS"][0] == pytest.approx(100.0 * (worst.loading["UPS"] or 0.0))
    wanted = list(PowerTrain(found()).tables("si"))
    for frame, one in zip(frames, wanted, strict=True):
        assert (list(frame.columns), frame_rows(frame)) == as_shown(one)
    ups, _, _, _, drops = frames
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
    given = shown_drawing(at)
    ringed = [given["marks"][id]["words"] for id in given["ringed"]]
    assert ringed == ["breaker TX-11>LVB-11, out of service"]
    assert ">6 dropped<" in given["svg"]
    at.session_state["power-opened"] = ("TX-11>LVB-11", "MVS-1>TX-12")
    at.run()
    assert dict(facts(at))["Racks without power"].startswith("13,")
    badges = [text.value for text in at.markdown]
    power = dict(facts(at))["IT load dropped"]
    assert any(f"IT load dropped: {power}]" in text for text in badges), badges
    at.button(key="close-all").click().run()
    assert_sound(at)
    assert dict(facts(at))["Racks without power"] == "none"
    at.session_state["power-opened"] = ("MBP-11", "no such thing")
    at.run()
    assert_sound(at)
    assert [e.value for e in at.error] == [
        "Device not opened: CANNOT_OPEN",
        "Device not opened: NETWORK_TAG",
    ]
    assert at.session_state["power-opened"] == ()


def test_a_panel_has_a_card_that_leads_to_its_schedule() -> None:
    at = shown_page()
    at.session_state["power-selected"] = ("RPP-B04",)
    at.run()
    assert_sound(at)
    assert any("Panelboard RPP-B04" in text.value for text in at.text)
    at.button(key="card-out-RPP-B04").click().run()
    assert at.session_state["power-opened"] == ("RPP-B04",)
    at.button(key="card-why").click().run()
    assert_sound(at)
    assert at.session_state["why-trail"] == ("panel.RPP-B04.current_max",)
    at.button(key="card-schedule").click().run()
    assert_sound(at)
    assert at.session_state["panel-index"] == next(
        n for n, panel in enumerate(found().panels.panels) if panel.tag == "RPP-B04"
    )
    assert any("Panel RPP-B04 ·" in text.value for text in at.text)


def test_loading_bars_name_what_is_above_its_rating() -> None:
    loading = {"UPS": 0.5, "Panels": 1.25, "PDU": None}
    chart = loading_bars(loading, loading_id)
    assert [mark.key for mark in chart.marks] == [("loading.UPS",), ("loading.Panels",)]
    assert [mark.words for mark in chart.marks] == ["UPS 50.0%", "Panels 125.0% above rating"]
    assert {"UPS", "Panels", "50.0%", "125.0% above rating"} <= {*chart.texts}


def test_the_diagram_is_shown_in_one_piece_or_sheet_by_sheet() -> None:
    at = shown_page()
    overview = diagram(at)
    assert "6 panels" in overview
    at.segmented_control(key="power-picture").set_value("full").run()
    assert_sound(at)
    box = at.selectbox(key="power-sheet")
    assert box.label == f"Sheet (of {len(box.options)})"
    first = diagram(at)
    assert f"1 of {len(box.options)}" in first
    assert "UPS-A" in first
    box.set_value(2).run()
    assert_sound(at)
    second = diagram(at)
    assert "from UPO-A" in second
    assert all(tag in second for tag in ("RPP-A01", "RPP-B01"))
    at.segmented_control(key="power-picture").set_value("grouped").run()
    assert_sound(at)
    assert not [box for box in at.selectbox if box.key == "power-sheet"]
