"""Summary of a design: key figures, verdict, charts and all results."""

from __future__ import annotations

from typing import cast

import streamlit as st

from facility.core.table import Results
from facility.core.views import System
from facility.report.book.record import check_table
from facility.report.drawings.charts.bars import heat_split, pue_stack
from facility.report.drawings.charts.kit.chart import Chart
from facility.report.drawings.charts.power_flow import power_flow
from facility.report.tables.summary import summary_tables
from facility.study.design.design import Design
from facility.ui import displays, verdict
from facility.ui.blocks.key import key_numbers
from facility.ui.session import state
from facility.ui.session.state import of_design
from facility.ui.work.known import KnownChecks, known


@of_design()
def _figures(design: Design, system: System) -> tuple[Chart, ...]:
    """Return the charts of power flow, PUE and heat split of a design."""
    results = design.results
    return (power_flow(results), pue_stack(results), heat_split(results, system))


def _charts(system: System) -> None:
    powers, pue, heat = _figures(system)
    flow, side = st.columns([3, 2], gap="medium")
    with flow:
        st.markdown("#### Power flow at the design hour")
        displays.explained_chart(
            powers,
            "power-flow",
            "Sankey diagram from the utility to IT, cooling, losses and building load",
        )
    with side:
        st.markdown("#### PUE, design hour")
        displays.explained_chart(pue, "pue-stack", "Bar chart: PUE by contribution")
        st.markdown("#### Heat by path")
        displays.explained_chart(
            heat, "heat-split", "Bar chart: IT heat by path, and heat removed by the air side"
        )


def _results(design: Design, now: KnownChecks, system: System) -> None:
    """Show every result; only the sizing results until the studies are done."""
    st.markdown("#### Results")
    done = now.results.state == "done"
    found = cast(Results, now.results.result()) if done else design.results
    if not done:
        st.text("Sizing results; study results appear as the studies finish.")
    displays.tabs(summary_tables(found, system), "results")


def show_summary() -> None:
    """Show key figures, verdict, charts and all results."""
    design, system = state.current(), state.unit_system()
    displays.heading("Summary", design)
    key_numbers(design, system)
    verdict.show(system)
    _charts(system)
    now = known()
    st.markdown("#### Findings, worst first")
    found = [check for check in now.checks if check.outcome.value != "PASS"]
    if found:
        displays.table(check_table(found, system), "open-checks")
    else:
        st.text("None.")
    _results(design, now, system)
