"""Ranges page: annual results with uncertain inputs, and their sensitivities."""

from __future__ import annotations

from typing import cast

import streamlit as st

from facility.core.views import System
from facility.report.drawings.charts.tornado import tornadoes
from facility.report.studies.ranges import Ranges
from facility.report.tables.ranges import samples_csv
from facility.study.ranges.draw import METHODS
from facility.study.ranges.result import RangesStudy
from facility.ui import boxes, displays
from facility.ui.charts import palette
from facility.ui.charts.ranges import samples_figure, tornado_figure
from facility.ui.controls import act
from facility.ui.session import opened, ranges_run, state
from facility.ui.session.ranges_run import MAX_SAMPLES, RangesRun
from facility.ui.work.ready import over

_WHAT = (
    "Annual results of this design with uncertain inputs. Enter one input per line as "
    "field = range. Assumptions with a tolerance on the page Inputs also vary. The equipment "
    "stays as designed."
)
_EXAMPLE = (
    "site.tariff = 0.04 .. 0.06 USD/kWh\nit.load_factor = normal(80 %, 4 %)\n"
    "cooling.supply_air = triangular(22, 24, 26 degC)"
)
_WAYS = {"lhs": "Latin hypercube", "mc": "Monte Carlo", "sobol": "Sobol indices"}


def _entered(key: str) -> None:
    ranges_run.enter(st.session_state[key])


def _started() -> None:
    values = st.session_state
    ranges_run.start(values["ranges-samples"], values["ranges-seed"], values["ranges-method"])


def _form() -> None:
    """Show the ranges, one per line, and the run options."""
    rows = ranges_run.rows_text()
    key = boxes.key_of("ranges-text", rows)
    st.text(_WHAT)
    st.text_area(
        "Input ranges",
        rows,
        key=key,
        on_change=state.of_this(lambda: _entered(key)),
        placeholder=_EXAMPLE,
        disabled=opened.reads_only(),
        height=140,
    )
    error = ranges_run.refusal()
    if error is not None:
        displays.refused("Ranges not applied", error)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Method",
            METHODS,
            key="ranges-method",
            format_func=_WAYS.__getitem__,
            persist_state="session",
        )
        st.number_input(
            "Samples", 2, MAX_SAMPLES, 256, 1, key="ranges-samples", persist_state="session"
        )
        st.number_input("Seed", 0, None, 1, 1, key="ranges-seed", persist_state="session")
        nothing = error is not None or not state.session().project.varies
        act("Run ranges", "play_arrow", "ranges-start", _started, disabled=nothing)


def _charts(run: RangesRun, study: RangesStudy, system: System) -> None:
    """Show the sensitivities and the samples of the selected result.

    A bar opens its result while the project is the one that was run.
    """
    same = run.text == state.text()
    chart = displays.explained_chart if same else displays.chart
    found = {one.key: one for one in tornadoes(study)}
    if not found:
        return
    chosen = st.selectbox(
        "Result",
        list(found),
        key="ranges-result",
        format_func=lambda key: found[key].title,
        persist_state="session",
    )
    one, ink = found[chosen], palette.ink()
    figure = next(figure for figure in study.figures if figure.key == chosen)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("##### Sensitivity")
        chart(
            tornado_figure(one, ink, system),
            "ranges-tornado",
            f"Tornado chart: {one.title} with one input at a time at its P5 and P95",
        )
    with right:
        st.markdown("##### Distribution of the samples")
        chart(
            samples_figure(study.found[chosen], figure, one.title, ink, system),
            "ranges-samples-chart",
            f"Histogram: number of samples by {one.title}",
        )


def _shown(run: RangesRun, study: RangesStudy, system: System) -> None:
    shown = Ranges(state.designed(run.text), study)
    st.text("\n".join(shown.opening()))
    _charts(run, study, system)
    displays.study_tabs(shown, "ranges", system)
    st.download_button(
        "Download samples (.csv)", samples_csv(study), "samples.csv", "text/csv", key="ranges-csv"
    )
    st.text("\n".join(shown.left_out))


def _found(run: RangesRun) -> RangesStudy | None:
    """Return the result of a run; until it is done, show its progress."""
    if run.study is not None:
        if run.text != state.text():
            st.text("The project has changed since this run. Run the ranges again to update it.")
        return run.study
    if run.text != state.text():
        st.text("The project has changed, so the run was cancelled. Run the ranges again.")
        return None
    done = over("ranges", "ranges", run.options, key="ranges")
    if done is not None and done.error is not None:
        displays.refused("Ranges not run", done.error)
    elif done is not None:
        run.study = cast(RangesStudy, done.result())
    return run.study


def show_ranges() -> None:
    """Show results as ranges from uncertain inputs."""
    design, system = state.current(), state.unit_system()
    displays.heading("Ranges", design)
    _form()
    run = ranges_run.current()
    study = None if run is None else _found(run)
    if run is not None and study is not None:
        _shown(run, study, system)
