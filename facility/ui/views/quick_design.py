"""Quick design: a complete result beside a few inputs."""

from __future__ import annotations

import streamlit as st

from facility.core.views import System
from facility.report.tables.summary import summary_sections
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.charts import bars as charts
from facility.ui.charts import palette
from facility.ui.charts.power_flow import power_flow
from facility.ui.session import state

_FIXED = {"displaylogo": False, "displayModeBar": False}


def _charts(design: Design, system: System) -> None:
    results, ink = design.results, palette.ink()
    flow, beside = st.columns([3, 2], gap="medium")
    with flow:
        st.markdown("##### Power flow at the design hour")
        st.plotly_chart(
            power_flow(results, ink),
            key="power-flow",
            config=_FIXED,
            alt="Sankey diagram from the utility to IT, cooling, losses and house load",
        )
    with beside:
        st.markdown("##### PUE, design hour")
        st.plotly_chart(
            charts.pue_stack(results, ink),
            key="pue-stack",
            config=_FIXED,
            alt="Bars: the parts of the power usage effectiveness",
        )
        st.markdown("##### Heat by path")
        st.plotly_chart(
            charts.heat_split(results, ink, system),
            key="heat-split",
            config=_FIXED,
            alt="Bars: heat of the IT by path, and what the air side removes",
        )


def _checks(design: Design, system: System) -> None:
    st.markdown("##### Checks that did not pass")
    open_checks = [c for c in design.checks if c.outcome.value != "PASS"]
    if open_checks:
        displays.check_table(open_checks, "open-checks", system)
    else:
        st.text("None.")


def _results(design: Design, system: System) -> None:
    st.markdown("##### Results")
    sections = summary_sections(design.results, system)
    for index, tab in enumerate(st.tabs([section.title for section in sections])):
        section = sections[index]
        with tab:
            st.dataframe(
                {
                    "quantity": [row[0] for row in section.rows],
                    "value": [row[1] for row in section.rows],
                    "note": [row[2] for row in section.rows],
                },
                hide_index=True,
                width="stretch",
                height="content",
                row_height=30,
                key=f"results-{index}",
                column_config={"value": st.column_config.TextColumn(alignment="right")},
            )


def _page() -> None:
    design, system = state.current(), state.unit_system()
    displays.heading("Quick design", design)
    displays.key_numbers(design, system)
    place = st.empty()
    displays.running(place)
    _charts(design, system)
    displays.verdicts(design, place, system)
    _checks(design, system)
    _results(design, system)


_page()
