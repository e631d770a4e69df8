"""Ranges: the year when inputs are not known to one value, and which of them matters most."""

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
from facility.ui.session.ranges_run import MOST_SAMPLES, RangesRun
from facility.ui.work.ready import over

_WHAT = (
    "The year of this design with inputs that are not known to one value: one input a line, "
    "field = range. Assumptions are spread too where tolerances are stated on the page Inputs. "
    "The equipment stays as designed."
)
_EXAMPLE = (
    "site.tariff = 0.04 .. 0.06 USD/kWh\nit.load_factor = normal(80 %, 4 %)\n"
    "cooling.supply_air = triangular(22, 24, 26 degC)"
)
_WAYS = {"lhs": "Latin hypercube", "mc": "Monte Carlo", "sobol": "Sobol indices"}


def _entered(key: str) -> None:
    ranges_run.enter(st.session_state[key])


def _started() -> None:
    asked = st.session_state
    ranges_run.start(asked["ranges-samples"], asked["ranges-seed"], asked["ranges-method"])


def _form() -> None:
    """Show the ranges as lines, and how they are run."""
    rows = ranges_run.rows_text()
    key = boxes.key_of("ranges-text", rows)
    st.text(_WHAT)
    st.text_area(
        "Ranges of inputs",
        rows,
        key=key,
        on_change=state.of_this(lambda: _entered(key)),
        placeholder=_EXAMPLE,
        disabled=opened.reads_only(),
        height=140,
    )
    error = ranges_run.refusal()
    if error is not None:
        displays.refused("Not applied", error)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Method",
            METHODS,
            key="ranges-method",
            format_func=_WAYS.__getitem__,
            persist_state="session",
        )
        st.number_input(
            "Samples", 2, MOST_SAMPLES, 256, 1, key="ranges-samples", persist_state="session"
        )
        st.number_input("Seed", 0, None, 1, 1, key="ranges-seed", persist_state="session")
        nothing = error is not None or not state.session().project.varies
        act("Run the ranges", "play_arrow", "ranges-start", _started, disabled=nothing)


def _charts(run: RangesRun, study: RangesStudy, system: System) -> None:
    """Show what matters to a result, as chosen, and the samples of it.

    A bar opens the result, where the project is the one that was run.
    """
    same = run.text == state.text()
    chart = displays.chart_to_ask if same else displays.chart
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
        st.markdown("##### What matters most")
        chart(
            tornado_figure(one, ink, system),
            "ranges-tornado",
            f"Bars: {one.title} with each input alone at its p5 and p95",
        )
    with right:
        st.markdown("##### The samples")
        chart(
            samples_figure(study.found[chosen], figure, one.title, ink, system),
            "ranges-samples-chart",
            f"Bars: how many samples have which {one.title}",
        )


def _shown(run: RangesRun, study: RangesStudy, system: System) -> None:
    shown = Ranges(state.designed(run.text), study)
    st.text("\n".join(shown.opening()))
    _charts(run, study, system)
    displays.study_tabs(shown, "ranges", system)
    st.download_button(
        "Samples as CSV", samples_csv(study), "samples.csv", "text/csv", key="ranges-csv"
    )
    st.text("\n".join(shown.left_out))


def _found(run: RangesRun) -> RangesStudy | None:
    """Return what came of a run; until it is over, how far it is stands on the page."""
    if run.study is not None:
        if run.text != state.text():
            st.text("The project has changed since this was run.")
        return run.study
    if run.text != state.text():
        st.text("The project has changed: the run has been ended. Run the ranges again.")
        return None
    done = over("ranges", "ranges", run.options, key="ranges")
    if done is not None and done.error is not None:
        displays.refused("Not run", done.error)
    elif done is not None:
        run.study = cast(RangesStudy, done.result())
    return run.study


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Ranges", design)
    _form()
    run = ranges_run.current()
    study = None if run is None else _found(run)
    if run is not None and study is not None:
        _shown(run, study, system)


_page()
