"""Job load page: load swings of a training job, storage to limit them, and grid sags."""

from __future__ import annotations

import streamlit as st

from facility.report.drawings.charts.kit.chart import Chart
from facility.report.drawings.charts.load import load_charts
from facility.report.studies.load_motion import LoadMotionShown
from facility.study.design.design import Design
from facility.ui import displays, sidebar
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
_VIEWS = {"profile": "Full profile", "steps": "Detail of a few steps"}


def _inputs() -> None:
    """Show the fields that are varied most often; the page Inputs has all."""
    for column, (title, path) in zip(st.columns(len(_FIELDS)), _FIELDS, strict=True):
        with column:
            sidebar.field(title, path)


@of_design()
def _figures(design: Design) -> dict[str, Chart]:
    study = design.moving_load.study
    assert study is not None, "a page without a study shows why"
    return load_charts(study)


def _charts() -> None:
    charts = _figures()
    chosen = one_of("Time span", _VIEWS, "load-time")
    displays.explained_chart(
        charts.get(chosen, charts["profile"]),
        "load-time-chart",
        "Line chart: power at the utility meter over time, without and with storage",
    )
    st.markdown("##### Load spectrum")
    displays.explained_chart(
        charts["spectrum"],
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
