"""A panel of the design: its schedule with balance and exports; the table of all panels."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from facility.core.rounding import argmax_within_rounding
from facility.core.views import show
from facility.files.io.file_names import safe_file_name
from facility.files.panel_csv.document import write_panel_csv
from facility.files.workbook.book import panel_sheet_names, with_valid_names
from facility.files.workbook.writer import render as render_book
from facility.power.panels.board.layout import PHASE_NAMES
from facility.power.panels.board.model import Panel
from facility.power.panels.design.halls import PanelSet
from facility.report.documents import build_part
from facility.report.drawings.charts.bars import phase_bars
from facility.report.sheet.grid import Amount
from facility.report.why.known import Known
from facility.report.why.pages import of_board, of_panel
from facility.study.design.design import Design
from facility.ui.blocks import render
from facility.ui.blocks.blocks import ChartBlock, DisplayTable, NumberCell, Numbers, cell
from facility.ui.controls import download, one_of, refused
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Asked, Edited, Event, Moved
from facility.ui.grid.tables import values_grid
from facility.ui.panels import answers
from facility.ui.panels.balance import PanelOption, currents, show_balance, state_words
from facility.ui.panels.schedule import LEFT, RIGHT, PoleGrid
from facility.ui.session import opened, state
from facility.ui.session.panel_rows import GridRow, edited_rows, grid_rows, rejected_cell, with_rows
from facility.ui.shell import style
from facility.ui.why import navigation

_COLUMNS = {"loads": "Loads", "balancing": "Balancing"}
_SIDES = {LEFT: "Left", RIGHT: "Right"}
_COLUMN_KEYS = {
    "Circuits": "panel.circuits",
    "Poles used": "panel.poles_used",
    "Worst line": "panel.largest_line",
    "Margin": "panel.margin",
    "Neutral": "panel.neutral",
    "Imbalance": "panel.imbalance",
}
"""Result keys of the columns of the panel list."""
_OF_BOARD, _IN_WORST = ("Circuits", "Poles used"), ("Worst line", "Margin")


def show_panel(design: Design, tag: str) -> None:
    """Show a panel of the design: its schedule to edit, balance, exports, and all states."""
    found = design.panels
    index = next(n for n, panel in enumerate(found.panels) if panel.tag == tag)
    panel = found.panels[index]
    st.text(_about(panel, found.limit_a))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shown = st.selectbox(
            "Feeds in service",
            range(len(panel.states)),
            format_func=lambda i: state_words(panel.states[i]),
            key="panel-state",
            persist_state="session",
            width=180,
        )
        details = one_of("Columns", _COLUMNS, "panel-columns") == "balancing"
        only = one_of("Side", _SIDES, "panel-side") if style.is_narrow() else ""
        name = safe_file_name(tag, "panel")
        content, key = (lambda: panel_workbook(design, tag)), f"xlsx-design-{tag}"
        download("Schedule (.xlsx)", f"{name}.xlsx", content, key)
        text, key = (lambda: write_panel_csv(panel).encode()), f"csv-design-{tag}"
        download("Circuits (.csv)", f"{name}.csv", text, key)
    controls, schedule = st.container(), st.container()
    option = show_balance(panel, controls, waiting=tag in state.session().drafts)
    with schedule:
        _schedule(PoleGrid(panel, shown, details, only), option)
        if panel.placed or option is not None:
            render.show([currents(panel, shown, found.limit_a, option)])
        render.show([Numbers(_board(panel, option), "panel-board", of_board(panel))])
    _all_states(found, index)


def panel_workbook(design: Design, tag: str) -> bytes:
    """Return the workbook with the schedule of one panel of a design."""
    return render_book(with_valid_names(build_part(design, panel_sheet_names(design), [tag])))


def _about(panel: Panel, limit_a: float) -> str:
    bus = "" if panel.bus_a is None else f"bus {panel.bus_a:.0f} A, "
    mains = "lugs only" if panel.main_a is None else f"main {panel.main_a:.0f} A"
    return (
        f"Panel {panel.tag} · {panel.system} V, 3Ø 4W · fed from {panel.fed_from} · {bus}{mains}, "
        f"{limit_a:.0f} A continuous · paired with {', '.join(panel.paired) or 'none'}"
    )


def _board(panel: Panel, option: PanelOption | None) -> list[NumberCell]:
    poles = f"{panel.poles_used} of {panel.poles}"
    circuits = f"{len(panel.circuits)} circuits, {len(panel.spaces)} spaces"
    cells = [cell("Poles used", poles, circuits, why="panel.poles_used")]
    lengths = [c.length_m for c in panel.circuits if c.length_m is not None]
    if lengths:
        text = show(max(lengths), "length", state.unit_system(), digits=1)
        why = "panel.longest_circuit"
        cells.append(cell("Longest circuit", text, "Panel to rack", why=why))
    moves = "None" if option is None else str(option.moves)
    return [*cells, NumberCell("Breakers to move", moves, note="In the arrangement shown")]


def _schedule(existing: PoleGrid, option: PanelOption | None) -> None:
    """Show the schedule; a rejected entry stays in its cell, with the error."""
    panel = existing.panel
    draft, made = state.session().drafts.get(panel.tag), state.session().generation
    edits = option is None
    schedule = existing if option is None else replace(existing, panel=option.panel)
    if draft is not None:
        refused("Circuits not applied", draft.error)
        st.text("The panel is unchanged. Correct the cells below.")
    if not panel.placed:
        loose = sum(circuit.position is None for circuit in panel.circuits)
        st.info(f"{loose} circuits have no position. Balance the panel to place them.")

    def handle(event: Event) -> None:
        rows = _waiting_rows(panel)
        if isinstance(event, Asked):
            request = schedule.explained(event)
            if request is not None:
                navigation.ask(*request)
        elif opened.reads_only() or state.session().generation != made:
            return
        elif isinstance(event, Edited):
            _enter(panel, edited_rows(rows, schedule.entries(event.cells)))
        elif isinstance(event, Moved):
            _enter(panel, schedule.moved(rows, event))

    rows, label = _waiting_rows(panel), f"Circuits of panel {panel.tag}"
    if not edits or opened.reads_only():
        grid = schedule.grid(label, before=None if edits else panel)
    else:
        rejected = None if draft is None else rejected_cell(panel, rows, draft.error)
        why = "" if draft is None else draft.error.explanation
        grid = schedule.grid(label, rows, None if rejected is None else (*rejected, why))
    show_grid(grid, "circuits", handle)
    if edits:
        st.text("Type another number in Ckt, or press Alt and arrows, to move a circuit.")
    else:
        st.text(
            "Proposed arrangement, read-only. To move a circuit, apply it or show the existing one."
        )


def _waiting_rows(panel: Panel) -> tuple[GridRow, ...]:
    """Return the rows of the session, with rejected entries if there are any."""
    accepted, draft = grid_rows(panel), state.session().drafts.get(panel.tag)
    if draft is None:
        return accepted
    entered = {row.id: row for row in draft.rows}
    return tuple(entered.get(row.id, row) for row in accepted)


def _enter(panel: Panel, after: tuple[GridRow, ...]) -> None:
    """Change the circuits of a panel, or keep the rows with the error if they are rejected."""
    if set(after) == set(grid_rows(panel)):
        state.edit_panel(panel.tag, after, lambda project: project, "")
        return
    state.edit_panel(
        panel.tag, after, lambda project: with_rows(project, panel, after), "circuits of a panel"
    )


def _all_states(found: PanelSet, index: int) -> None:
    """Show the line currents of a panel by state, and the worst line of its paired panels."""
    panel, amps = found.panels[index], found.line_a[index]
    by_state = {
        state_words(name): (float(amps[i, 0]), float(amps[i, 1]), float(amps[i, 2]))
        for i, name in enumerate(panel.states)
    }
    chart = ChartBlock(
        "Line currents by state",
        phase_bars(by_state, found.limit_a, PHASE_NAMES.get(panel.numbering, "ABC")),
        "phase-bars",
        "Bar chart: line currents of the panel by phase and state",
        page=lambda name: of_panel(panel, answers.loads(panel)[int(name)]),
    )
    render.show([chart])
    st.markdown("#### Worst line current of paired panels")
    rows = [i for i, other in enumerate(found.panels) if other.tag in (panel.tag, *panel.paired)]
    columns: dict[str, list[object]] = {"Panel": [found.panels[i].tag for i in rows]}
    for s, name in enumerate(panel.states):
        columns[state_words(name)] = [Amount(found.line_a[i, s, :3].max(), "current") for i in rows]
    worst_a = [found.line_a[i, :, :3].max() for i in rows]
    columns["Margin"] = [Amount(1.0 - amps / found.limit_a, "fraction") for amps in worst_a]

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        one = found.panels[rows[row]]
        if head == "Margin":
            return "panel.margin", _of_worst(found, rows[row])
        states = [state_words(name) for name in one.states]
        if head not in states:
            return None
        return "panel.largest_line", of_panel(one, answers.loads(one)[states.index(head)])

    grid = values_grid("Paired panels", columns, state.unit_system(), why=True)
    render.show([DisplayTable(grid, "partners", explain=of_cell)])


def _of_worst(found: PanelSet, index: int) -> Known:
    """Return the explanations of the currents of a panel in its worst state."""
    worst = argmax_within_rounding(found.line_a[index, :, :3].max(axis=1))
    panel = found.panels[index]
    return of_panel(panel, answers.loads(panel)[worst], limit_a=found.limit_a)


def show_all_panels(design: Design, tags: tuple[str, ...] = ()) -> None:
    """Show the panels of the design as a table.

    tags: Panels to show; empty for all.
    """
    found = design.panels
    rows = [n for n, one in enumerate(found.panels) if not tags or one.tag in tags]
    panels = [found.panels[n] for n in rows]
    if not panels:
        st.info("This design has no panelboards. Add racks fed by panelboards to the rack list.")
        return
    worst = found.line_a[rows, :, :3].max(axis=(1, 2))

    def of_cell(row: int, head: str) -> navigation.WhyRequest | None:
        id, panel = _COLUMN_KEYS.get(head, ""), panels[row]
        if not id:
            return None
        if head in _OF_BOARD:
            return id, of_board(panel)
        if head in _IN_WORST:
            return id, _of_worst(found, rows[row])
        return id, of_panel(panel, answers.loads(panel)[0])

    grid = values_grid(
        "All panels",
        {
            "Panel": [p.tag for p in panels],
            "Hall": [p.hall for p in panels],
            "Fed from": [p.fed_from for p in panels],
            "Circuits": [len(p.circuits) for p in panels],
            "Poles used": [p.poles_used for p in panels],
            "Worst line": [Amount(amps, "current") for amps in worst],
            "Margin": [Amount(1.0 - amps / found.limit_a, "fraction") for amps in worst],
            "Neutral": [Amount(amps, "current") for amps in found.line_a[rows, 0, 3]],
            "Imbalance": [Amount(share, "fraction") for share in found.imbalance[rows]],
        },
        state.unit_system(),
        why=True,
    )
    render.show([DisplayTable(grid, "all-panels", explain=of_cell)])
