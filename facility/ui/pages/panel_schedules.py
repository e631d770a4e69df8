"""Panel schedules with the line currents of each phase in each state."""

from __future__ import annotations

import streamlit as st

from facility.power.panel_model import Panel
from facility.power.panels import PanelSet
from facility.report.panel_grid import GRID_COLUMNS, panel_rows
from facility.ui import charts, state
from facility.ui.inputs import plain_metric


def _choose(found: PanelSet) -> tuple[int, int]:
    """Show the choice of hall, panel and state; return the indices of panel and state."""
    hall_box, panel_box, state_box = st.columns([2, 2, 3])
    halls = list(dict.fromkeys(panel.hall for panel in found.panels))
    hall = hall_box.selectbox("Hall", halls, key="panel-hall")
    tags = [panel.tag for panel in found.panels if panel.hall == hall]
    tag = panel_box.selectbox("Panel", tags, key=f"panel-tag-{hall}")
    index = next(i for i, p in enumerate(found.panels) if p.tag == tag and p.hall == hall)
    states = found.panels[index].states
    shown = state_box.segmented_control(
        "State shown in the schedule", states, default=states[0], key="panel-state"
    )
    return index, states.index(shown) if shown in states else 0


def _metrics(found: PanelSet, index: int) -> None:
    panel, amps = found.panels[index], found.line_a[index]
    worst = float(amps[:, :3].max())
    cells = st.columns(5)
    plain_metric(cells[0], "System", panel.system, f"fed from {panel.fed_from}")
    plain_metric(cells[1], "Bus", f"{panel.bus_a or 0:.0f} A",
                 f"limit {found.limit_a:.0f} A continuous")  # fmt: skip
    cells[2].metric("Worst line current", f"{worst:.1f} A",
                    f"{1 - worst / found.limit_a:+.1%} to the limit", border=True)  # fmt: skip
    plain_metric(cells[3], "Imbalance, normal", f"{found.imbalance[index]:.2%}",
                 "max deviation / mean")  # fmt: skip
    plain_metric(cells[4], "Poles used", f"{panel.poles_used} of {panel.poles}",
                 "paired with " + ", ".join(panel.paired))  # fmt: skip


def _schedule(found: PanelSet, index: int, shown: int) -> None:
    panel, amps = found.panels[index], found.line_a[index]
    st.subheader("Line currents by state", anchor=False)
    currents = {
        name: (float(amps[i, 0]), float(amps[i, 1]), float(amps[i, 2]))
        for i, name in enumerate(panel.states)
    }
    st.plotly_chart(charts.phase_bars(currents, found.limit_a), key="phase-bars")
    st.subheader(f"Schedule, {panel.states[shown]}", anchor=False)
    rows = panel_rows(panel, shown)
    st.dataframe(
        {name: [row[i] for row in rows] for i, name in enumerate(GRID_COLUMNS)},
        hide_index=True, height=36 * (len(rows) + 1), width="stretch",
    )  # fmt: skip


def _all_panels(panels: tuple[Panel, ...], found: PanelSet) -> None:
    st.subheader("All panels", anchor=False)
    st.dataframe(
        {
            "panel": [p.tag for p in panels],
            "hall": [p.hall for p in panels],
            "fed from": [p.fed_from for p in panels],
            "circuits": [len(p.circuits) for p in panels],
            "poles used": [p.poles_used for p in panels],
            "worst line A": [round(float(a[:, :3].max()), 1) for a in found.line_a],
            "neutral A": [round(float(a[0, 3]), 1) for a in found.line_a],
            "imbalance %": [round(100 * float(i), 2) for i in found.imbalance],
        },
        hide_index=True,
        width="stretch",
    )


def _page() -> None:
    design = state.current()
    st.title("Panels", anchor=False)
    st.caption(design.title)
    if not design.panels.panels:
        st.info("This design has no panelboards.")
        return
    index, shown = _choose(design.panels)
    _metrics(design.panels, index)
    _schedule(design.panels, index, shown)
    _all_panels(design.panels.panels, design.panels)


_page()
