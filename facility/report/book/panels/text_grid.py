"""Rows of a panel schedule: pole positions of both sides, and their circuits."""

from __future__ import annotations

from facility.power.panels.board.model import Circuit, Panel

Positions = tuple[int | None, int | None]


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
