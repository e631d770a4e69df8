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
    metrics,
    opened,
    show_object,
)


def shown(at: AppTest) -> dict[str, Any]:
    """Return the hall plan as the browser is given it."""
    given: dict[str, Any] = json.loads(at.get("bidi_component")[0].proto.json)
    (view,) = (view for view in given["views"] if view["id"] == "hall-plan")
    return {**given, **view, **(view["detail"] or {})}


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
    assert shown(at)["layouts"]  # the state of the power network
    seen = {tuple(legend(at))}
    for mode in ("power", "panels", "inlet", "spare"):
        at.segmented_control(key="hall-mode").set_value(mode).run()
        assert_sound(at)
        assert len(shown(at)["marks"]) == len(racks)
        assert any("not to scale" in text.value for text in at.text)
        assert shown(at)["title"] == "Hall plan" or shown(at)["title"].endswith("Hall 1")
        seen.add(tuple(legend(at)))
    assert len(seen) == 5
    show_object(at, "NVL72 02")
    words = [mark["words"] for mark in shown(at)["marks"].values() if "NVL72 02" in mark["tags"]]
    assert words[0].startswith("NVL72 02: ")
    assert shown(at)["selected"] == "NVL72 02"
    show_object(at, "NVL72 02", "elevation")
    assert metrics(at)["Rack input power"]
    rows = list(circuit_rows(racks["NVL72 02"]))
    assert frame_rows(frames(at)[0].value) == as_shown(TextTable("", CIRCUIT_HEADS, rows))[1]


def test_a_failure_shows_the_racks_that_its_study_says() -> None:
    at = page()
    choose(at, "UPS redundancy", "N+2")
    of = design(apply_sets(parse_project(example_text("mixed-hall")), ["power.redundancy=N+2"]))
    states = {s.case.outage.id: s for s in failures(of).states}
    go(at, HALL)
    served = {one["label"]: one["value"] for one in shown(at)["numbers"]}
    assert served["Racks dropped"] == "0 of 24"
    at.selectbox(key="state-case").set_value("loss of TX-12>LVB-12").run()
    assert_sound(at)
    dropped = len(states["loss of TX-12>LVB-12"].racks)
    dark = [one for one in shown(at)["layouts"]["wide"]["targets"] if "without power" in one[5]]
    assert len(dark) == dropped
    at.segmented_control(key="hall-mode").set_value("failure").run()
    assert_sound(at)
    assert any("lumped model of all halls" in text.value for text in at.text)
    assert legend(at)
