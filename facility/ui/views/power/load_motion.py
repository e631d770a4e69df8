"""Load that moves: a training job at the utility, what smooths it, and sags of the grid."""

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
    ("Step at the utility", "swing.utility", "swing.highest", "up to {}"),
    ("Ramp at the utility", "swing.utility.ramp", "swing.after.ramp", "with storage {}"),
    ("Energy in the band", "swing.band", "swing.band.rms", "{} RMS"),
    ("Storage, power", "swing.storage.power", "swing.storage.ramp", "holds {}"),
    ("Storage, nominal energy", "swing.storage.nominal", "swing.storage.loss", "loses {} a year"),
    ("Dummy load in its place, a year", "swing.burn", "swing.burn.cost", "burns {} a year"),
)
_FIELDS = (
    ("Ramp limit, e.g. 1 MW/s", "site.grid.ramp_limit"),
    ("Range limit, e.g. 2 MW", "site.grid.range_limit"),
    ("Step time, e.g. 5 s", "it.job.step_time"),
    ("Communication power, e.g. 40 %", "it.job.communication_power"),
)
_OF_TIME = ("swing.utility", "swing.storage.power")
_OF_SPECTRUM = ("swing.band", "swing.band.after")
"""Results that the lines lead to: of the load as it is, and with the storage."""
_VIEWS = {"scene": "whole scene", "steps": "some steps"}


def _inputs() -> None:
    """Show the fields that people try first; all others are in the project file."""
    for column, (title, path) in zip(st.columns(len(_FIELDS)), _FIELDS, strict=True):
        with column:
            sidebar.field(title, path)


@of_design()
def _figures(design: Design, ink: Ink) -> tuple[Figure, ...]:
    """Return the whole scene, some steps of it where it has any, and the spectrum."""
    study = design.moving_load.study
    assert study is not None, "a page without a study shows why"
    *scenes, spectrum = load_charts(study, "Load")
    against_time = [load_figure(scene, _OF_TIME, ink) for scene in scenes]
    return (*against_time, load_figure(spectrum, _OF_SPECTRUM, ink))


def _charts() -> None:
    scene, *steps, spectrum = _figures(palette.ink())
    chosen = one_of("Time shown", _VIEWS, "load-time")
    displays.chart_to_ask(
        steps[0] if chosen == "steps" and steps else scene,
        "load-time-chart",
        "Power at the utility meter against time, as it is and with the storage",
    )
    st.markdown("##### Spectrum of the steps")
    displays.chart_to_ask(
        spectrum,
        "load-spectrum",
        "Amplitude at the utility meter by frequency, as it is and with the storage",
    )


def _refused(design: Design) -> None:
    with st.container(border=True):
        st.error("Not followed", icon=":material/error:")
        st.text(design.moving_load.refusal)


def _page() -> None:
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


_page()
