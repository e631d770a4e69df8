"""A panel of the design: line currents, circuit editor and exports; the table of all panels."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from facility.core.rounding import argmax_within_rounding
from facility.core.views import System, show
from facility.files.panel_csv.document import write_panel_csv
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Panel
from facility.power.panels.design.halls import PanelSet
from facility.report.book.panels.text_grid import GRID_COLUMNS, panel_rows, pole_at
from facility.report.drawings.charts.bars import phase_bars
from facility.report.why.known import Known
from facility.report.why.pages import of_board, of_panel, of_pole
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.checks.words import share_text
from facility.ui.panels import answers as panel_answers
from facility.ui.panels import export as panel_export
from facility.ui.panels.circuit_grid import show_circuits
from facility.ui.panels.workbench import Bench, show_workbench
from facility.ui.session import state
from facility.ui.session.panel_rows import grid_rows, placed_project
from facility.ui.why import navigation

_COLUMN_KEYS = {
    "Circuits": "panel.circuits",
    "Poles used": "panel.poles_used",
    "Worst line (A)": "panel.largest_line",
    "Margin (%)": "panel.margin",
    "Neutral (A)": "panel.neutral",
    "Imbalance (%)": "panel.imbalance",
}
"""Result keys of the columns of the panel list."""
_IN_SCHEDULE = {f"{phase} VA": "panel.circuit.pole_va" for phase in PHASES}
_IN_SCHEDULE["trip A"] = "panel.circuit.trip"
_OF_BOARD, _IN_WORST = ("Circuits", "Poles used"), ("Worst line (A)", "Margin (%)")


def show_panel(design: Design, tag: str) -> None:
    """Show a panel of the design: its circuits to edit, schedule as printed, and states."""
    found = design.panels
    index = next(n for n, panel in enumerate(found.panels) if panel.tag == tag)
    panel = found.panels[index]
    shown = _state(panel)
    _numbers(found, index, state.unit_system())
    circuits, printed, everything = st.tabs(["Circuits", "Printed schedule", "States"])
    with circuits:
        show_circuits(panel, shown)
        with st.container(horizontal=True):
            panel_export.show_downloads(
                panel.tag,
                lambda: panel_export.design_workbook(design, panel.tag),
                lambda: write_panel_csv(panel).encode(),
                key=f"design-{panel.tag}",
            )
        bench = Bench(
            panel.tag,
            panel,
            found.limit_a,
            shown,
            partial(_applied, panel),
            panel.tag in state.session().drafts,
        )
        show_workbench(bench)
    with printed:
        _schedule(panel, shown)
    with everything:
        _all_states(found, index)
        _partners(found, index)


def _state(panel: Panel) -> int:
    """Show the selection of the state of a panel; return its index."""
    return st.selectbox(
        "Feeds in service",
        range(len(panel.states)),
        format_func=lambda i: panel.states[i],
        key="panel-state",
        persist_state="session",
        width=280,
    )


def _numbers(found: PanelSet, index: int, system: System) -> None:
    panel, amps = found.panels[index], found.line_a[index]
    lengths = [c.length_m for c in panel.circuits if c.length_m is not None]
    loads, board = panel_answers.loads(panel), of_board(panel)
    with st.container(horizontal=True):
        normal = of_panel(panel, loads[0], at="panel.normal")
        _verdict("Worst line, normal", float(amps[0, :3].max()), found.limit_a, "normal", normal)
        if len(panel.states) > 1:
            worst = 1 + argmax_within_rounding(amps[1:, :3].max(axis=1))
            lost = of_panel(panel, loads[worst], at="panel.lost")
            worst_a = float(amps[1:, :3].max())
            _verdict("Worst line, feed lost", worst_a, found.limit_a, "lost", lost)
        displays.metric(
            "Poles used",
            f"{panel.poles_used} of {panel.poles}",
            f"{len(panel.circuits)} circuits",
            why="panel.poles_used",
            page=board,
        )
        if lengths:
            displays.metric(
                "Longest circuit",
                show(max(lengths), "length", system, digits=1),
                "Panel to rack",
                why="panel.longest_circuit",
                page=board,
            )
    bus = "" if panel.bus_a is None else f"bus {panel.bus_a:.0f} A, "
    mains = "lugs only" if panel.main_a is None else f"main {panel.main_a:.0f} A"
    st.text(
        f"Panel {panel.tag} · {panel.system} V, 3Ø 4W · fed from {panel.fed_from} · {bus}{mains}, "
        f"{found.limit_a:.0f} A continuous · paired with {', '.join(panel.paired) or 'none'}"
    )


def _verdict(title: str, worst_a: float, limit_a: float, at: str, page: Known) -> None:
    margin = 1.0 - worst_a / limit_a
    within = margin >= -1e-9
    remark = f"{margin:.1%} below limit" if within else f"{-margin:.1%} above limit"
    colour: displays.Colour = "green" if within else "red"
    why = f"panel.{at}.largest_line"
    displays.metric(title, f"{worst_a:.1f} A", remark, colour, why=why, page=page)


def _applied(panel: Panel, placed: Panel, label: str) -> None:
    state.edit_panel(
        panel.tag, grid_rows(placed), lambda project: placed_project(project, placed), label
    )


def _schedule(panel: Panel, shown: int) -> None:
    st.text(f"VA by phase, state {panel.states[shown]}")
    rows = panel_rows(panel, shown)

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        id, pole = _IN_SCHEDULE.get(head.strip()), pole_at(panel, row, head)
        if id is None or pole is None or not rows[row][GRID_COLUMNS.index(head)]:
            return None
        return id, of_pole(panel, *pole, shown)

    displays.explained_frame(
        "Printed schedule",
        {name: [row[i] for row in rows] for i, name in enumerate(GRID_COLUMNS)},
        "schedule",
        of_cell,
    )


def _all_states(found: PanelSet, index: int) -> None:
    st.markdown("#### Line currents by state")
    panel, amps = found.panels[index], found.line_a[index]
    by_state = {
        name: (float(amps[i, 0]), float(amps[i, 1]), float(amps[i, 2]))
        for i, name in enumerate(panel.states)
    }
    displays.explained_chart(
        phase_bars(by_state, found.limit_a),
        "phase-bars",
        "Bar chart: line currents of the panel by phase and state",
        lambda state: of_panel(panel, panel_answers.loads(panel)[int(state)]),
    )


def _partners(found: PanelSet, index: int) -> None:
    st.markdown("#### Worst line current of paired panels (A)")
    panel = found.panels[index]
    tags = (panel.tag, *panel.paired)
    rows = [i for i, other in enumerate(found.panels) if other.tag in tags]
    shown: dict[Any, list[str]] = {"Panel": [found.panels[i].tag for i in rows]}
    for s, name in enumerate(panel.states):
        shown[name] = [f"{found.line_a[i, s, :3].max():.1f}" for i in rows]
    shown["Margin"] = [share_text(1 - found.line_a[i, :, :3].max() / found.limit_a) for i in rows]

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        one = found.panels[rows[row]]
        if head == "Margin":
            return "panel.margin", _of_worst(found, rows[row])
        if head not in one.states:
            return None
        load = panel_answers.loads(one)[one.states.index(head)]
        return "panel.largest_line", of_panel(one, load)

    displays.explained_frame("Paired panels", shown, "partners", of_cell)


def _of_worst(found: PanelSet, index: int) -> Known:
    """Return the explanations of the currents of a panel in its worst state."""
    worst = argmax_within_rounding(found.line_a[index, :, :3].max(axis=1))
    panel = found.panels[index]
    return of_panel(panel, panel_answers.loads(panel)[worst], limit_a=found.limit_a)


def show_all_panels(design: Design) -> None:
    """Show the panels of the design as a table."""
    found = design.panels
    panels = found.panels
    if not panels:
        st.info("This design has no panelboards. Add racks fed by panelboards to the rack list.")
        return
    worst = found.line_a[:, :, :3].max(axis=(1, 2))

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        id, panel = _COLUMN_KEYS.get(head, ""), panels[row]
        if not id:
            return None
        if head in _OF_BOARD:
            return id, of_board(panel)
        if head in _IN_WORST:
            return id, _of_worst(found, row)
        return id, of_panel(panel, panel_answers.loads(panel)[0])

    displays.explained_frame(
        "All panels",
        {
            "Panel": [p.tag for p in panels],
            "Hall": [p.hall for p in panels],
            "Fed from": [p.fed_from for p in panels],
            "Circuits": [len(p.circuits) for p in panels],
            "Poles used": [p.poles_used for p in panels],
            "Worst line (A)": worst.round(1),
            "Margin (%)": (100.0 * (1.0 - worst / found.limit_a)).round(1),
            "Neutral (A)": found.line_a[:, 0, 3].round(1),
            "Imbalance (%)": (100.0 * found.imbalance).round(2),
        },
        "all-panels",
        of_cell,
    )
