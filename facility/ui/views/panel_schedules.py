"""Panel schedules with the line currents of each phase in each state."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from facility.core.views import System, show
from facility.power.panel_model import Panel
from facility.power.panels import PanelSet
from facility.report.panel_grid import GRID_COLUMNS, panel_rows
from facility.ui import charts, displays, palette, state

_ROW_PX = 27
_WIDTHS = {"ckt": 40, "description": 150, "class": 58, "trip A": 46, "Ø": 28}
_VA_WIDTH = 55


def _choose(found: PanelSet) -> tuple[int, int]:
    """Show the choice of hall, panel and state; return the indices of panel and state."""
    hall_box, panel_box, state_box = st.columns([2, 2, 2])
    halls = list(dict.fromkeys(panel.hall for panel in found.panels))
    hall = hall_box.selectbox("Hall", halls, key="panel-hall",
                              persist_state="session")  # fmt: skip
    indices = [i for i, panel in enumerate(found.panels) if panel.hall == hall]
    index = panel_box.selectbox(
        f"Panel ({len(indices)} in the hall)", indices, key="panel-index",
        format_func=lambda i: found.panels[i].tag, persist_state="session",
    )  # fmt: skip
    states = found.panels[index].states
    chosen = state_box.selectbox("State shown in the schedule", range(len(states)),
                                 format_func=lambda i: states[i], key="panel-state",
                                 persist_state="session")  # fmt: skip
    return index, chosen


def _verdict(title: str, worst_a: float, limit_a: float) -> None:
    margin = 1.0 - worst_a / limit_a
    held = margin >= -1e-9
    remark = f"{margin:.1%} below limit" if held else f"{-margin:.1%} above limit"
    displays.metric(title, f"{worst_a:.1f} A", remark, "green" if held else "red")


def _numbers(found: PanelSet, index: int, system: System) -> None:
    panel, amps = found.panels[index], found.line_a[index]
    lengths = [c.length_m for c in panel.circuits if c.length_m is not None]
    with st.container(horizontal=True):
        _verdict("Worst line, normal", float(amps[0, :3].max()), found.limit_a)
        if len(panel.states) > 1:
            _verdict("Worst line, feed lost", float(amps[1:, :3].max()), found.limit_a)
        displays.metric("Imbalance, normal", f"{found.imbalance[index]:.2%}",
                        "max deviation / mean")  # fmt: skip
        displays.metric("Neutral, normal", f"{amps[0, 3]:.1f} A", f"worst {amps[:, 3].max():.1f} A")
        displays.metric("Poles used", f"{panel.poles_used} of {panel.poles}",
                        f"{len(panel.circuits)} circuits")  # fmt: skip
        if lengths:
            displays.metric("Longest circuit", show(max(lengths), "length", system, digits=1),
                            "panel to rack")  # fmt: skip
    st.text(_plate(panel, found.limit_a))


def _plate(panel: Panel, limit_a: float) -> str:
    """Return one line that says what the panel is and where it stands."""
    bus = "" if panel.bus_a is None else f"bus {panel.bus_a:.0f} A, "
    mains = "lugs only" if panel.main_a is None else f"main {panel.main_a:.0f} A"
    return (
        f"Panel {panel.tag} · {panel.system} V, 3Ø 4W · fed from {panel.fed_from} · {bus}{mains}, "
        f"{limit_a:.0f} A continuous · paired with {', '.join(panel.paired) or 'none'}"
    )


def _currents(found: PanelSet, index: int) -> None:
    panel, amps = found.panels[index], found.line_a[index]
    bars, partners = st.columns([3, 2], gap="medium")
    with bars:
        st.markdown("##### Line currents by state")
        by_state = {
            name: (float(amps[i, 0]), float(amps[i, 1]), float(amps[i, 2]))
            for i, name in enumerate(panel.states)
        }
        st.plotly_chart(charts.phase_bars(by_state, found.limit_a, palette.ink()),
                        key="phase-bars", config={"displayModeBar": False},
                        alt="Bars: line currents of the panel by phase and state")  # fmt: skip
    with partners:
        st.markdown("##### Worst line of the paired panels, A")
        tags = (panel.tag, *panel.paired)
        rows = [i for i, other in enumerate(found.panels) if other.tag in tags]
        _partner_table(found, rows, panel.states)


def _partner_table(found: PanelSet, rows: list[int], states: tuple[str, ...]) -> None:
    shown: dict[Any, list[str]] = {"panel": [found.panels[i].tag for i in rows]}
    for s, name in enumerate(states):
        shown[name] = [f"{found.line_a[i, s, :3].max():.1f}" for i in rows]
    shown["margin"] = [f"{1 - found.line_a[i, :, :3].max() / found.limit_a:+.1%}" for i in rows]
    right = st.column_config.TextColumn(alignment="right")
    st.dataframe(
        shown, hide_index=True, width="stretch", height="content", row_height=_ROW_PX,
        column_config=dict.fromkeys([*states, "margin"], right), key="partners",
    )  # fmt: skip


def _schedule(panel: Panel, shown: int) -> None:
    st.markdown("##### Schedule")
    st.text(f"VA by phase, state {panel.states[shown]}")
    rows = panel_rows(panel, shown)
    widths = {name: _WIDTHS.get(name.strip(), _VA_WIDTH) for name in GRID_COLUMNS}
    st.dataframe(
        {name: [row[i] for row in rows] for i, name in enumerate(GRID_COLUMNS)},
        hide_index=True, height="content", width="stretch", row_height=_ROW_PX, key="schedule",
        column_config={
            name: st.column_config.TextColumn(width=width, alignment=_alignment(name))
            for name, width in widths.items()
        },
    )  # fmt: skip


def _alignment(column: str) -> Literal["left", "center", "right"]:
    if column.strip().endswith("VA") or column.startswith("trip"):
        return "right"
    return "left" if column.startswith("description") else "center"


def _all_panels(found: PanelSet) -> None:
    st.markdown("##### All panels")
    panels = found.panels
    worst = found.line_a[:, :, :3].max(axis=(1, 2))
    st.dataframe(
        {
            "panel": [p.tag for p in panels],
            "hall": [p.hall for p in panels],
            "fed from": [p.fed_from for p in panels],
            "circuits": [len(p.circuits) for p in panels],
            "poles used": [p.poles_used for p in panels],
            "worst line A": worst.round(1),
            "margin %": (100.0 * (1.0 - worst / found.limit_a)).round(1),
            "neutral A": found.line_a[:, 0, 3].round(1),
            "imbalance %": (100.0 * found.imbalance).round(2),
        },
        hide_index=True, width="stretch", key="all-panels", row_height=_ROW_PX,
    )  # fmt: skip


def _page() -> None:
    design = state.current()
    displays.heading("Panels", design)
    if not design.panels.panels:
        st.info("This design has no panelboards.")
        return
    index, shown = _choose(design.panels)
    _numbers(design.panels, index, state.unit_system())
    _currents(design.panels, index)
    _schedule(design.panels.panels[index], shown)
    _all_panels(design.panels)


_page()
