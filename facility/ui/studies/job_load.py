"""Job load page: load swings of a training job, storage to limit them, and grid sags."""

from __future__ import annotations

import streamlit as st
from plotly.graph_objects import Figure

from facility.report.drawings.charts.line_chart import load_charts
from facility.report.studies.load_motion import LoadMotionShown
from facility.study.design.design import Design
from facility.ui import displays, sidebar
from facility.ui.charts import palette
from facility.ui.charts.load_motion import load_figure
from facility.ui.charts.palette import Ink
from facility.ui.controls import one_of
from facility.ui.session import state
from facility.ui.session.state import of_design
from facility.ui.work.ready import ready

_KPIS = (
    ("", "swing.utility", "swing.highest", "Maximum power {}"),
    ("", "swing.utility.ramp", "swing.after.ramp", "With storage {}"),
    ("", "swing.band", "swing.band.rms", "{} RMS"),
    ("", "swing.storage.power", "swing.storage.ramp", "Ramp limit {}"),
    ("", "swing.storage.nominal", "swing.storage.loss", "Loss {} per year"),
    ("Dummy-load energy per year", "swing.burn", "swing.burn.cost", "Energy cost {} per year"),
)
_FIELDS = (
    ("Ramp limit, e.g. 1 MW/s", "site.grid.ramp_limit"),
    ("Range limit, e.g. 2 MW", "site.grid.range_limit"),
    ("Step time, e.g. 5 s", "it.job.step_time"),
    ("Communication power, e.g. 40 %", "it.job.communication_power"),
)
_OF_TIME = ("swing.utility", "swing.storage.power")
_OF_SPECTRUM = ("swing.band", "swing.band.after")
"""Results that the lines open: without storage, and with storage."""
_VIEWS = {"scene": "Full profile", "steps": "Detail of a few steps"}


def _inputs() -> None:
    """Show the fields that are varied most often; the page Inputs has all."""
    for column, (title, path) in zip(st.columns(len(_FIELDS)), _FIELDS, strict=True):
        with column:
            sidebar.field(title, path)


@of_design()
def _figures(design: Design, ink: Ink) -> tuple[Figure, ...]:
    """Return the charts of the full profile, of a few steps if it has any, and of the spectrum."""
    study = design.moving_load.study
    assert study is not None, "a page without a study shows why"
    *scenes, spectrum = load_charts(study, "Load")
    against_time = [load_figure(scene, _OF_TIME, ink) for scene in scenes]
    return (*against_time, load_figure(spectrum, _OF_SPECTRUM, ink))


def _charts() -> None:
    scene, *steps, spectrum = _figures(palette.ink())
    chosen = one_of("Time span", _VIEWS, "load-time")
    displays.explained_chart(
        steps[0] if chosen == "steps" and steps else scene,
        "load-time-chart",
        "Line chart: power at the utility meter over time, without and with storage",
    )
    st.markdown("##### Load spectrum")
    displays.explained_chart(
        spectrum,
        "load-spectrum",
        "Line chart: amplitude at the utility meter vs. frequency, without and with storage",
    )


def _refused(design: Design) -> None:
    with st.container(border=True):
        st.error("Job load not simulated", icon=":material/error:")
        st.text(design.moving_load.refusal)


def show_job_load() -> None:
    """Show the effect of the load of a training job on the supply."""
    design, system = state.current(), state.unit_system()
    displays.heading("Job load", design)
    _inputs()
    if not ready("load"):
        return
    study = design.moving_load.study
    if study is None:
        _refused(design)
        return
    shown = LoadMotionShown(design, study)
    st.text("\n".join(shown.opening()))
    displays.numbers(study.results, _KPIS, "more-numbers", system)
    _charts()
    displays.study_tabs(shown, "load", system)
    st.text("\n".join(shown.left_out))
