"""The Load that moves page: what it shows is what the library computes; its fields design anew."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from facility.report.drawings.charts.kit.chart import ChartText
from facility.report.drawings.charts.load import load_charts
from facility.report.studies.load_motion import LoadMotionShown
from tests.ui.helpers import (
    LOAD,
    as_shown,
    assert_sound,
    charts,
    design_with,
    frame_rows,
    frames,
    go,
    metrics,
    opened,
    show_tab,
    type_in,
)


def page() -> AppTest:
    at = opened()
    go(at, LOAD)
    assert_sound(at)
    return at


def test_the_page_shows_the_load_of_the_library() -> None:
    design = design_with()
    study = design.moving_load.study
    assert study is not None
    at = page()
    numbers = metrics(at)
    assert numbers["Load ramp at the utility"] == study.results["swing.utility.ramp"].shown()
    tables = {one.title: one for one in LoadMotionShown(design, study).tables("si")}
    for title in ("Load at each level", "Storage size by ramp limit", "Repeated sags"):
        listed = [frame_rows(frame.value) for frame in frames(show_tab(at, title))]
        assert as_shown(tables[title])[1] in listed, title
    assert len(charts(at)) == 2
    at.segmented_control(key="load-time").set_value("steps").run()
    assert_sound(at)


def test_a_limit_typed_on_the_page_is_judged() -> None:
    at = page()
    type_in(at, "Ramp limit", "10 kW/s")
    expected = design_with("site.grid.ramp_limit=10 kW/s").moving_load.study
    assert expected is not None
    nominal = expected.results["swing.storage.nominal"].shown()
    assert metrics(at)["Storage energy, nominal"] == nominal
    show_tab(at, "Utility limits")
    judged = [list(row) for frame in frames(at) for row in frame.value.to_numpy()]
    (ramp,) = [row for row in judged if row[0] == "ramp"]
    assert ramp[-2:] == ["exceeded", "within limit"]
    type_in(at, "Step time", "0.1 s")
    assert any("do not fit" in text.value for text in at.text)


def test_charts_draw_what_they_are_given() -> None:
    study = design_with().moving_load.study
    assert study is not None
    drawn = load_charts(study)
    assert [*drawn] == ["profile", "steps", "spectrum"]
    assert {key for chart in drawn.values() for mark in chart.marks for key in mark.key} == {
        "swing.utility",
        "swing.storage.power",
        "swing.band",
        "swing.band.after",
    }
    assert {key for mark in drawn["profile"].marks for key in mark.key} <= {*study.results}
    highest_w = float(study.utility.profile.values.max())
    highest_mw = max(mark.value for mark in drawn["profile"].of("Without storage"))
    assert highest_mw * 1e6 == pytest.approx(highest_w, rel=1e-6)
    assert f"Maximum {highest_w / 1e6:.4g} MW" in drawn["profile"].texts
    # The spectrum is logarithmic: from 0.1 to 100 Hz, each decade is as wide.
    at_hz = {s.text: s.x for s in drawn["spectrum"].shapes if isinstance(s, ChartText)}
    assert at_hz["10"] - at_hz["1"] == pytest.approx(at_hz["1"] - at_hz["0.1"])
