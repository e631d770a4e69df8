"""The Ranges page: entered lines, a run and what the library computes, what is refused."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

import facility
from facility.report.drawings.charts.ranges import samples_chart, tornado_chart, tornadoes
from facility.report.studies.ranges import Ranges
from facility.study.ranges.result import RangesStudy
from facility.ui.session.designs import designed
from facility.ui.studies.requests import StudyRequest
from tests.study.helpers import SHORTEST
from tests.ui.helpers import (
    RANGES,
    YEAR,
    as_shown,
    assert_sound,
    charts,
    edit_cells,
    errors,
    frame_rows,
    frames,
    go,
    grid,
    opened,
    press,
    report_event,
    session,
    upload,
)

LINES = "site.tariff = 0.04 .. 0.06 USD/kWh\nit.load_factor = 70 .. 90 %"


def page() -> AppTest:
    at = opened()
    upload(at, "short.yaml", SHORTEST.encode())
    go(at, RANGES)
    assert_sound(at)
    return at


def enter(at: AppTest, text: str) -> None:
    """Enter these ranges in place of those of the page."""
    ids = json.loads(grid(at, "ranges-inputs").data["body"])["ids"]
    report_event(at, grid(at, "ranges-inputs").id, "remove", ids=ids)
    rows = [line.split("=") for line in text.splitlines()]
    added = [{"path": path.strip(), "value-Range": values.strip()} for path, values in rows]
    edit_cells(at, "ranges-inputs", added_rows=added)


def ask(at: AppTest, samples: int) -> StudyRequest:
    at.number_input(key="ranges-samples").set_value(samples).run()
    press(at, "ranges-start")
    found: StudyRequest = at.session_state["request-ranges"]
    return found


def test_lines_are_the_ranges_of_the_project_and_refused_ones_wait() -> None:
    at = page()
    enter(at, LINES)
    rows = session(at).project.ranges or ()
    assert [row.field for row in rows] == ["site.tariff", "it.load_factor"]
    assert not at.button(key="ranges-start").disabled
    enter(at, "site.tariff = cheap")
    assert at.button(key="ranges-start").disabled
    assert any("RANGE_TEXT" in error for error in errors(at))
    assert list(grid(at, "ranges-inputs").value["Range"]) == ["cheap"]
    assert session(at).project.ranges is None
    enter(at, "it.load_factor = 70 .. 90")
    assert [row.range for row in session(at).project.ranges or ()] == ["70 .. 90 %"]
    enter(at, "it.load_factor =")
    (row,) = session(at).project.ranges or ()
    assert " .. " in row.range
    enter(at, "")
    assert session(at).project.ranges is None


def test_the_view_opens_with_the_ranges_of_the_defaults() -> None:
    """No range is stated: the defaults of the project vary, and its text stays as it is."""
    at = page()
    run: StudyRequest = at.session_state["request-ranges"]
    assert session(at).project.ranges is None
    assert session(at).project.tolerances is None
    assert isinstance(run.found, RangesStudy)
    assert "site.tariff" in [one.path for one in run.found.inputs]
    assert len(charts(at)) == 2
    assert any("The project states no ranges" in text.value for text in at.text)


def test_tolerances_alone_can_be_run() -> None:
    at = opened()
    upload(at, "short.yaml", f"{SHORTEST}tolerances: {{secondary: 10 %}}\n".encode())
    go(at, RANGES)
    assert_sound(at)
    assert not at.button(key="ranges-start").disabled
    run = ask(at, 4)
    assert isinstance(run.found, RangesStudy)
    assert "site.tariff" in [one.path for one in run.found.inputs]


def test_a_run_is_that_of_the_library_and_stays_while_pages_and_the_project_change() -> None:
    at = page()
    enter(at, LINES)
    run = ask(at, 4)
    go(at, YEAR)
    assert_sound(at)
    go(at, RANGES)
    assert_sound(at)
    assert at.number_input(key="ranges-samples").value == 4
    assert isinstance(run.found, RangesStudy)
    design = designed(run.text)
    alone = facility.ranges(design, samples=4)
    assert alone.drawn.tobytes() == run.found.drawn.tobytes()
    tables = {one.title: one for one in Ranges(design, run.found).tables("si")}
    shown = [frame_rows(frame.value) for frame in frames(at)]
    for title in ("Varied inputs", "Annual results over all samples"):
        assert as_shown(tables[title])[1] in shown
    assert len(charts(at)) == 2
    enter(at, "it.load_factor = 80 .. 90 %")
    assert any("has changed since" in text.value for text in at.text)


def test_a_refused_run_says_why_and_an_edit_leaves_it_stale() -> None:
    at = page()
    enter(at, LINES)
    at.selectbox(key="ranges-method").set_value("sobol").run()
    run = ask(at, 100)
    assert any("RANGE_SAMPLES" in error for error in errors(at))
    enter(at, "it.load_factor = 80 .. 90 %")
    assert run.found is None
    assert any("has changed since this result" in text.value for text in at.text)
    at.selectbox(key="ranges-method").set_value("lhs").run()
    at.number_input(key="ranges-samples").set_value(4).run()
    press(at, "ranges-again")
    again: StudyRequest = at.session_state["request-ranges"]
    assert isinstance(again.found, RangesStudy)
    assert not at.error


@pytest.fixture(scope="module")
def study() -> RangesStudy:
    rows = [line.split(" = ") for line in LINES.splitlines()]
    spread = [{"field": field, "range": text} for field, text in rows]
    project = facility.project(SHORTEST).with_({"ranges": spread})
    return facility.ranges(project, samples=20)


def test_bars_end_where_the_input_alone_takes_the_result(study: RangesStudy) -> None:
    found = {one.key: one for one in tornadoes(study)}
    cost = found["cost.annual"]
    assert [bar.path for bar in cost.bars] == ["site.tariff", "it.load_factor"]
    assert [bar.path for bar in found["energy.annual"].bars] == ["it.load_factor"]
    drawn = tornado_chart(cost, "si")
    assert [text for text in drawn.texts if text in ("site.tariff", "it.load_factor")] == [
        bar.path for bar in cost.bars
    ]
    ends = zip(cost.bars, drawn.of("Input at P5"), drawn.of("Input at P95"), strict=True)
    for bar, low, high in ends:
        assert cost.nominal + low.value == pytest.approx(bar.low)
        assert cost.nominal + high.value == pytest.approx(bar.high)
        assert low.words.startswith(f"{bar.path}, input at P5: ")


def test_the_samples_are_all_counted(study: RangesStudy) -> None:
    figure = next(one for one in study.figures if one.key == "cost.annual")
    drawn = samples_chart(study.found["cost.annual"], figure, "Cost", "ip")
    assert sum(mark.value for mark in drawn.of("Samples")) == 20
    assert {"P5", "P50", "P95", "Design"} <= {*drawn.texts}
    for name, value in (("P5", figure.p5), ("P95", figure.p95)):
        assert [mark.value for mark in drawn.of(name)] == pytest.approx([value])
