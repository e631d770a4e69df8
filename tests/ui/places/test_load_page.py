"""The Load that moves page: what it shows is what the library computes; its fields design anew."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from facility.report.drawings.charts.line_chart import load_charts
from facility.report.studies.load_motion import LoadMotionShown
from facility.ui.charts import palette
from facility.ui.charts.load_motion import load_figure
from tests.ui.helpers import (
    LOAD,
    as_shown,
    assert_sound,
    design_with,
    frame_rows,
    go,
    metrics,
    opened,
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
    frames = [frame.value for frame in at.dataframe]
    for title in ("Load at each level", "Storage size by ramp limit", "Repeated sags"):
        assert as_shown(tables[title])[1] in map(frame_rows, frames), title
    assert len(at.get("plotly_chart")) == 2
    at.segmented_control(key="load-time").set_value("steps").run()
    assert_sound(at)


def test_a_limit_typed_on_the_page_is_judged() -> None:
    at = page()
    type_in(at, "Ramp limit", "10 kW/s")
    expected = design_with("site.grid.ramp_limit=10 kW/s").moving_load.study
    assert expected is not None
    nominal = expected.results["swing.storage.nominal"].shown()
    assert metrics(at)["Storage energy, nominal"] == nominal
    judged = [list(row) for frame in at.dataframe for row in frame.value.to_numpy()]
    (ramp,) = [row for row in judged if row[0] == "ramp"]
    assert ramp[-2:] == ["exceeded", "within limit"]
    type_in(at, "Step time", "0.1 s")
    assert any("do not fit" in text.value for text in at.text)


def test_charts_draw_what_they_are_given() -> None:
    study = design_with().moving_load.study
    assert study is not None
    scene, _, spectrum = load_charts(study, "Load")
    keys = ("swing.utility", "swing.storage.power")
    figure = load_figure(scene, keys, palette.LIGHT)
    assert {*keys} <= {*study.results}
    assert max(figure.data[0].y) * 1e6 == study.utility.profile.values.max()
    assert load_figure(spectrum, keys, palette.DARK).layout.xaxis.type == "log"
