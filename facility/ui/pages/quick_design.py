"""Quick design: a few inputs beside a complete result."""

from __future__ import annotations

import streamlit as st

from facility.core.check import counted
from facility.report.summary import summary_sections
from facility.study.design import Design
from facility.ui import charts, inputs, state


def _charts(design: Design) -> None:
    st.subheader("Power flow at the design hour", anchor=False)
    st.plotly_chart(charts.power_flow(design.results), key="power-flow")
    stack, heat = st.columns([3, 2])
    stack.subheader("PUE, design hour", anchor=False)
    stack.plotly_chart(charts.pue_stack(design.results), key="pue-stack")
    heat.subheader("Heat by path", anchor=False)
    heat.plotly_chart(charts.heat_split(design.results), key="heat-split")


def _checks(design: Design) -> None:
    counts = counted(design.checks)
    st.subheader(
        f"Checks: {counts['VIOLATION']} violations, {counts['WARNING']} warnings, "
        f"{counts['ADVICE']} advice, {counts['NOT_EVALUATED']} not evaluated, "
        f"{counts['PASS']} passed",
        anchor=False,
    )
    inputs.failed_checks(design)


def _results(design: Design, system: str) -> None:
    st.subheader("Results", anchor=False)
    sections = summary_sections(design.results, system)
    columns = st.columns(2)
    for index, section in enumerate(sections):
        column = columns[index % len(columns)]
        column.markdown(f"**{section.title}**")
        column.dataframe(
            {
                "quantity": [row[0] for row in section.rows],
                "value": [row[1] for row in section.rows],
                "note": [row[2] for row in section.rows],
            },
            hide_index=True,
            width="stretch",
        )


def _page() -> None:
    st.title("Quick design", anchor=False)
    left, right = st.columns([1, 4], gap="large")
    with left:
        inputs.example_picker()
        inputs.quick_inputs()
        system = inputs.unit_system()
        inputs.file_transfer()
    with right:
        if (error := state.refused()) is not None:
            st.error(str(error), icon=":material/error:")
            st.caption("The last valid design is shown; the change above was not applied.")
        design = state.current()
        st.caption(design.title)
        inputs.kpi_row(design)
        _charts(design)
        _checks(design)
        _results(design, system)


_page()
