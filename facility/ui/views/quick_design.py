"""Quick design: a complete result beside a few inputs."""

from __future__ import annotations

import streamlit as st

from facility.core.views import System
from facility.report.book.record import check_table
from facility.report.studies.design import Designed
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.charts import bars as charts
from facility.ui.charts import palette
from facility.ui.charts.power_flow import power_flow
from facility.ui.session import state


def _charts(design: Design, system: System) -> None:
    results, ink = design.results, palette.ink()
    flow, beside = st.columns([3, 2], gap="medium")
    with flow:
        st.markdown("##### Power flow at the design hour")
        displays.chart(
            power_flow(results, ink),
            "power-flow",
            "Sankey diagram from the utility to IT, cooling, losses and house load",
        )
    with beside:
        st.markdown("##### PUE, design hour")
        displays.chart(
            charts.pue_stack(results, ink),
            "pue-stack",
            "Bars: the parts of the power usage effectiveness",
        )
        st.markdown("##### Heat by path")
        displays.chart(
            charts.heat_split(results, ink, system),
            "heat-split",
            "Bars: heat of the IT by path, and what the air side removes",
        )


def _checks(study: Designed, system: System) -> None:
    st.markdown("##### Checks that did not pass")
    found = [check for check in study.checks if check.outcome.value != "PASS"]
    if found:
        displays.table(check_table(found, system), "open-checks")
    else:
        st.text("None.")


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Quick design", design)
    displays.key_numbers(design, system)
    place = st.empty()
    displays.running(place)
    _charts(design, system)
    displays.verdicts(design, place, system)
    study = Designed(design)
    _checks(study, system)
    st.markdown("##### Results")
    displays.tabs(study.tables(system), "results")


_page()
