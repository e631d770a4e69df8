"""A panel schedule as rows of text: two columns of circuits as they stand in the panel."""

from __future__ import annotations

from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel

_OF_CIRCUIT, _VA = ("ckt", "description", "class", "trip A"), ("A VA", "B VA", "C VA")
GRID_COLUMNS = (*_OF_CIRCUIT, *_VA, "Ø", *(f"{head} " for head in (*_VA, *_OF_CIRCUIT[::-1])))
"""Headings; those of the right-hand side end in a space, so that all are different."""

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
        rows.append((*before, phase, *after[4:], *reversed(after[:4])))
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
    """Return circuit and pole, from 0, at each position that is taken."""
    return {
        position: (circuit, pole)
        for circuit in panel.circuits
        for pole, position in enumerate(panel.occupied(circuit))
    }


def pole_at(panel: Panel, row: int, column: str) -> tuple[Circuit, int] | None:
    """Return circuit and pole, from 0, of a cell of the schedule; None where none stands."""
    left, right = row_positions(panel)[row]
    position = left if GRID_COLUMNS.index(column) < len(GRID_COLUMNS) // 2 else right
    return None if position is None else occupants(panel).get(position)


def _side(
    panel: Panel, at: dict[int, tuple[Circuit, int]], position: int | None, phase: str, state: int
) -> tuple[str, ...]:
    """Return number, description, class, trip rating, and the VA under A, B, C of one pole."""
    if position is None:
        return ("",) * 7
    label = panel.layout.label(position)
    if position not in at:
        return (label, "SPACE", "", "", "", "", "")
    circuit, pole = at[position]
    power = f"{circuit.pole_va(state)[pole]:,.0f}"
    cells = [power if name == phase else "" for name in PHASES]
    if pole:
        return (label, "|", "", "", *cells)
    trip = "" if circuit.breaker_a is None else f"{circuit.breaker_a:g}"
    return (label, circuit.description, circuit.class_code, trip, *cells)
