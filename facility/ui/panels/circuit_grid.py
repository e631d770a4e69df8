"""The circuits of a panel as a grid: edited, moved and explained in their cells."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.power.panels.board.model import Circuit, Panel
from facility.report.why.pages import of_pole
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import (
    Asked,
    CellMark,
    Edited,
    Event,
    GridColumn,
    GridContents,
    Moved,
    RowValues,
    Value,
)
from facility.ui.session import opened, state
from facility.ui.session.panel_rows import (
    EDITABLE,
    GridRow,
    edited_rows,
    grid_rows,
    moved_rows,
    rejected_cell,
    row_ids,
    with_rows,
)
from facility.ui.why import navigation

_Rows = tuple[GridRow, ...]
_EXPLAINED = {"va": "va", "pf": "power_factor", "trip": "trip"}
"""Columns of results, with the last part of their result key."""


def show_circuits(panel: Panel, shown: int) -> None:
    """Show the circuits of a panel; a rejected entry stays in its cell, with the error.

    shown: Index of the state whose load is displayed.
    """
    draft = state.session().drafts.get(panel.tag)
    accepted, rows = grid_rows(panel), waiting_rows(panel)
    if draft is not None:
        controls.refused("Circuits not applied", draft.error)
        st.text("The panel is unchanged. Correct the cells below.")
    made = state.session().generation

    def handle(event: Event) -> None:
        now = waiting_rows(panel)
        if isinstance(event, Asked):
            circuit = row_ids(panel).get(event.id)
            if circuit is not None and event.key in _EXPLAINED:
                id = f"panel.circuit.{_EXPLAINED[event.key]}"
                navigation.ask(id, of_pole(panel, circuit, 0, shown))
        elif opened.reads_only() or state.session().generation != made:
            return
        elif isinstance(event, Edited):
            enter_rows(panel, edited_rows(now, event.cells))
        elif isinstance(event, Moved):
            enter_rows(panel, moved_rows(panel, now, event.id, event.rows, event.columns))

    grid = GridContents(
        f"Circuits of panel {panel.tag}",
        _columns(panel),
        _listed(panel, rows, accepted, shown, None if draft is None else draft.error),
        name=f"circuits-{panel.tag}",
        moves=not opened.reads_only(),
    )
    show_grid(grid, "circuits", handle)
    st.text(
        f"VA and power factor: state {panel.states[shown]}. Empty position: assigned by balancing. "
        "Empty description: description of the design. Circuits with the same entry in Together "
        "are placed in adjacent positions; circuits with the same entry in Apart never share a "
        "phase. Alt and arrows move a circuit."
    )


def waiting_rows(panel: Panel) -> _Rows:
    """Return the rows of the session, with rejected entries if there are any."""
    accepted, draft = grid_rows(panel), state.session().drafts.get(panel.tag)
    if draft is None:
        return accepted
    entered = {row.id: row for row in draft.rows}
    return tuple(entered.get(row.id, row) for row in accepted)


def enter_rows(panel: Panel, after: _Rows) -> None:
    """Change the circuits of a panel, or keep the rows with the error if they are rejected."""
    if set(after) == set(grid_rows(panel)):
        state.edit_panel(panel.tag, after, lambda project: project, "")
        return
    state.edit_panel(
        panel.tag, after, lambda project: with_rows(project, panel, after), "circuits of a panel"
    )


def _columns(panel: Panel) -> list[GridColumn]:
    edits = not opened.reads_only()
    of_panel = f"Pole number of the first pole, 1 to {panel.poles}"
    return [
        GridColumn("position", "Position", "number", digits=0, editable=edits, help=of_panel),
        GridColumn("phases", "Phases", width=72),
        GridColumn(
            "fixed", "Fixed", "flag", editable=edits, help="Balancing does not move this circuit"
        ),
        GridColumn("rack", "Rack"),
        GridColumn("description", "Description", editable=edits),
        GridColumn("poles", "Poles", "number", digits=0),
        GridColumn("va", "Load", "number", unit="VA", digits=0, why=True),
        GridColumn("pf", "PF", "number", digits=3, why=True, help="Power factor"),
        GridColumn("trip", "Trip", "number", unit="A", why=True),
        GridColumn("together", "Together", editable=edits),
        GridColumn("apart", "Apart", editable=edits),
    ]


def _listed(
    panel: Panel, rows: _Rows, accepted: _Rows, shown: int, error: FacilityError | None
) -> list[RowValues]:
    circuits, before = row_ids(panel), {row.id: row for row in accepted}
    rejected = None if error is None else rejected_cell(panel, rows, error)
    found = []
    for row in rows:
        marks = {
            column: CellMark(was=_text(getattr(before[row.id], column)))
            for column in EDITABLE
            if getattr(row, column) != getattr(before[row.id], column)
        }
        if rejected is not None and error is not None and rejected[0] == row.id:
            text = _text(getattr(row, rejected[1]))
            marks[rejected[1]] = CellMark(error=f"{error.message} {error.hint}", text=text)
        found.append(RowValues(row.id, _values(panel, row, circuits[row.id], shown), marks))
    return found


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _values(panel: Panel, row: GridRow, circuit: Circuit, shown: int) -> list[Value]:
    total = circuit.total_va(shown)
    return [
        row.position,
        _phases(panel, row, circuit),
        row.fixed,
        circuit.rack or circuit.class_code,
        row.description,
        circuit.poles,
        abs(total) or None,
        total.real / abs(total) if abs(total) > 0.0 else None,
        circuit.breaker_a,
        row.together,
        row.apart,
    ]


def _phases(panel: Panel, row: GridRow, circuit: Circuit) -> str:
    start = row.position
    if not isinstance(start, int) or not panel.layout.may_start(start, circuit.poles, panel.poles):
        return ""
    return "-".join(panel.phases(replace(circuit, position=start)))
