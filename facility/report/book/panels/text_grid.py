"""A panel schedule as rows of text: two columns of circuits in panel order."""

from __future__ import annotations

from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.report.book.panels.columns import SCHEDULE, CircuitEntry
from facility.report.sheet.model import CellValue

_SHOWN = tuple(column for column in SCHEDULE if column.screen)
_OF_CIRCUIT, _VA = tuple(column.screen for column in _SHOWN), ("A VA", "B VA", "C VA")
GRID_COLUMNS = (*_OF_CIRCUIT, *_VA, "Ø", *(f"{head} " for head in (*_VA, *_OF_CIRCUIT[::-1])))
"""Headings; right-hand headings end in a space so that all are unique."""

Positions = tuple[int | None, int | None]


def panel_rows(panel: Panel, state: int = 0) -> list[tuple[str, ...]]:
    """Return the schedule of `panel` in one state, a row for each pair of poles.

    A multi-pole circuit is described on its first row and continued with a bar, as on paper.

    panel: Panel with its circuits placed; circuits without a position are not shown.
    state: Index into ``panel.states``.
    """
    at = occupants(panel)
    rows = []
    for left, right in row_positions(panel):
        phase = PHASES[panel.layout.phase(left or right or 1)]
        before = _side(panel, at, left, phase, state)
        after = _side(panel, at, right, phase, state)
        own = len(_SHOWN)
        rows.append((*before, phase, *after[own:], *reversed(after[:own])))
    return rows


def row_positions(panel: Panel) -> list[Positions]:
    """Return the left and right pole position of each row; both are on the phase of the row.

    A board with one column of ways is folded in the middle, at a whole way.
    """
    columns = panel.layout.columns(panel.poles)
    if len(columns) == 1:
        half = -(-panel.poles // 6) * 3
        columns = (range(1, half + 1), range(half + 1, panel.poles + 1))
    left, right = columns
    return [
        (left[row] if row < len(left) else None, right[row] if row < len(right) else None)
        for row in range(max(len(left), len(right)))
    ]


def occupants(panel: Panel) -> dict[int, tuple[Circuit, int]]:
    """Return circuit and pole, from 0, at each occupied position."""
    return {
        position: (circuit, pole)
        for circuit in panel.circuits
        for pole, position in enumerate(panel.occupied(circuit))
    }


def pole_at(panel: Panel, row: int, column: str) -> tuple[Circuit, int] | None:
    """Return circuit and pole, from 0, of a schedule cell; None if unoccupied."""
    left, right = row_positions(panel)[row]
    position = left if GRID_COLUMNS.index(column) < len(GRID_COLUMNS) // 2 else right
    return None if position is None else occupants(panel).get(position)


def _side(
    panel: Panel, at: dict[int, tuple[Circuit, int]], position: int | None, phase: str, state: int
) -> tuple[str, ...]:
    """Return the column texts of one pole, and the VA under A, B, C."""
    if position is None:
        return ("",) * (len(_SHOWN) + 3)
    own: dict[str, str] = {"description": "SPACE"}
    va = [""] * 3
    if position in at:
        circuit, pole = at[position]
        power = f"{circuit.pole_va(state)[pole]:,.0f}"
        va = [power if name == phase else "" for name in PHASES]
        entry = CircuitEntry(panel, circuit)
        own = {"description": "|"} if pole else {c.key: _text(c.of(entry)) for c in _SHOWN}
    own["ckt"] = panel.layout.label(position)
    return (*(own.get(column.key, "") for column in _SHOWN), *va)


def _text(value: CellValue) -> str:
    return "" if value is None else value if isinstance(value, str) else f"{value:g}"
