"""The hall plan in the app: what its colours say, what a failure darkens, one rack in detail."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from facility.files.project.file import apply_sets, example_text, parse_project
from facility.report.drawings.hall.elevation import CIRCUIT_HEADS, circuit_rows
from facility.report.sheet.grid import TextTable
from facility.study.design.design import design
from facility.study.design.rack_positions import hall_layouts
from facility.study.failures.study import failures
from tests.ui.helpers import (
    HALL,
    as_shown,
    assert_sound,
    choose,
    frame_rows,
    frames,
    go,
    opened,
    show_object,
)


def shown(at: AppTest, number: int = 0) -> dict[str, Any]:
    """Return what the browser is given to draw: the plan, then the rack."""
    given: dict[str, Any] = json.loads(at.get("bidi_component")[number].proto.json)
    (view,) = given["views"]
    return {**given, **view, **view["detail"]}


def legend(at: AppTest) -> list[str]:
    return [entry["words"] for entry in shown(at)["legend"]]


def page() -> AppTest:
    at = opened()
    choose(at, "Example", "mixed-hall")
    go(at, HALL)
    assert_sound(at)
    return at


def test_colours_follow_the_choice_and_a_rack_is_shown_in_detail() -> None:
    at = page()
    of = design(parse_project(example_text("mixed-hall")))
    racks = {rack.name: rack for rack in hall_layouts(of)[0].racks}
    assert len(shown(at)["marks"]) == len(racks)
    assert any("not to scale" in text.value for text in at.text)
    seen = {tuple(legend(at))}
    for mode in ("panels", "inlet", "spare"):
        at.segmented_control(key="hall-mode").set_value(mode).run()
        assert_sound(at)
        seen.add(tuple(legend(at)))
    assert len(seen) == 4
    show_object(at, "NVL72 02", "elevation")
    assert shown(at)["name"] == "Rack NVL72 02"
    rows = list(circuit_rows(racks["NVL72 02"]))
    assert frame_rows(frames(at)[0].value) == as_shown(TextTable("", CIRCUIT_HEADS, rows))[1]
    show_object(at, "NVL72 02", "plan")
    marked = [shown(at)["marks"][shown(at)["selected"]]["words"]]
    assert marked[0].startswith("NVL72 02: ")


def test_a_failure_shows_the_racks_that_its_study_says() -> None:
    at = page()
    choose(at, "UPS redundancy", "N+2")
    of = design(apply_sets(parse_project(example_text("mixed-hall")), ["power.redundancy=N+2"]))
    states = {s.case.outage.id: s for s in failures(of).states}
    go(at, HALL)
    at.segmented_control(key="hall-mode").set_value("failure").run()
    assert_sound(at)
    assert legend(at) == ["served: 24"]
    at.selectbox(key="hall-state").set_value("loss of TX-12>LVB-12").run()
    assert_sound(at)
    dropped = len(states["loss of TX-12>LVB-12"].racks)
    assert f"dark: {dropped}" in legend(at)
    at.session_state["power-opened"] = ("TX-11>LVB-11",)
    at.run()
    assert legend(at) == ["served: 11", "dark: 13"]
    at.segmented_control(key="hall-cause").set_value("cooling").run()
    assert_sound(at)
    assert any("lumped model of all halls" in text.value for text in at.text)
