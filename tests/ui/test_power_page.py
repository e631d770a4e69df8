"""The power page: verdicts, the state chosen, and the tables are those of the library."""

from __future__ import annotations

import json
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from facility.core.views import show
from facility.files.project.file import example_text, parse_project
from facility.report.studies.equipment import PowerTrain
from facility.report.tables.states import matrix_rows, state_facts
from facility.study.design.design import Design, design
from facility.study.failures.study import FailureStudy, failures
from facility.ui.charts import bars as charts
from facility.ui.charts import palette
from tests.ui.helpers import POWER, assert_sound, choose, metrics, opened

EXAMPLE = "mixed-hall"


@cache
def found() -> Design:
    return design(parse_project(example_text(EXAMPLE)))


@cache
def study() -> FailureStudy:
    return failures(found())


def shown_page() -> AppTest:
    at = opened()
    choose(at, "Example", EXAMPLE)
    at.switch_page(POWER).run()
    assert_sound(at)
    return at


def diagram(at: AppTest) -> str:
    document: str = at.get("iframe")[0].proto.srcdoc
    return document


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
        assert numbers[title] == ("yes" if verdict.holds else "no")
        assert any(verdict.because in text.value for text in at.text)
    worst = max(
        s.dropped_w + s.interrupted_w for s in verdicts.states if s.case.kind in ("loss", "utility")
    )
    expected = show(worst, "active_power") if worst else "none"
    assert numbers["IT dropped, worst loss"] == expected


def test_every_state_can_be_chosen_and_changes_what_is_shown() -> None:
    at = shown_page()
    states = {state.case.outage.id: state for state in study().states}
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


def test_a_state_that_the_next_project_lacks_is_left() -> None:
    at = shown_page()
    at.selectbox(key="power-state").set_value("loss of UPS-C-1").run()
    choose(at, "Example", "nvl72-hall")
    assert at.selectbox(key="power-state").value == "normal"


def test_the_tables_are_those_of_the_library() -> None:
    at = shown_page()
    _, matrix, *frames = (frame.value for frame in at.dataframe)
    worst = next(matrix_rows(study(), 1))
    assert matrix["state"][0] == worst.state
    assert matrix["UPS"][0] == pytest.approx(100.0 * (worst.loading["UPS"] or 0.0))
    wanted = list(PowerTrain(found()).tables("si"))
    for frame, one in zip(frames, wanted, strict=True):
        assert list(frame.columns) == list(one.heads)
        assert [list(row) for row in frame.to_numpy()] == [list(row) for row in one.rows]
    ups, _, _, _, drops = frames
    assert list(ups["Module"]) == [one.model for one in found().chain.ups.shortlist]
    assert len(drops) == len({f.alike for f in found().distribution.feeders.feeders})


def test_nothing_in_the_frame_of_the_diagram_may_run() -> None:
    page = diagram(shown_page())
    policy = page.index("default-src 'none'; style-src 'unsafe-inline'")
    assert policy < page.index("<svg")


def test_loading_bars_name_what_is_above_its_rating() -> None:
    figure = charts.loading_bars({"UPS": 0.5, "Panels": 1.25, "PDU": None}, palette.LIGHT)
    bar = json.loads(figure.to_json())["data"][0]
    assert bar["y"] == ["UPS", "Panels"]
    assert bar["text"] == ["50.0%", "125.0% above rating"]


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
