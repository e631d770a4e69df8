"""A panel schedule as rows of text: two columns of circuits as they stand in the panel."""

from __future__ import annotations

from facility.power.panel_model import Circuit, Panel

GRID_COLUMNS = (
    "ckt", "description", "class", "trip A", "A VA", "B VA", "C VA",
    "Ø", "A VA ", "B VA ", "C VA ", "trip A ", "class ", "description ", "ckt ",
)  # fmt: skip
"""Headings; those of the right-hand side end in a space, so that all are different."""

_PHASES = "ABC"


def panel_rows(panel: Panel, state: int = 0) -> list[tuple[str, ...]]:
    """Return the schedule of `panel` in one state, a row for each pair of poles.

    A multi-pole circuit is described on its first row and continued with a bar, as on paper.

    Parameters
    ----------
    panel : Panel
        Panel with its circuits placed; circuits without a position are not shown.
    state : int
        Index into ``panel.states``.
    """
    at = _by_position(panel)
    rows = []
    for row in range((panel.poles + 1) // 2):
        left, right = 2 * row + 1, 2 * row + 2
        phase = panel.layout.phases(left, 1)
        rows.append(
            (
                *_side(panel, at, left, phase, state),
                phase,
                *reversed(_side(panel, at, right, phase, state, mirrored=True)),
            )
        )
    return rows


def _by_position(panel: Panel) -> dict[int, tuple[Circuit, int]]:
    return {
        position: (circuit, pole)
        for circuit in panel.circuits
        for pole, position in enumerate(panel.occupied(circuit))
    }


def _side(
    panel: Panel,
    at: dict[int, tuple[Circuit, int]],
    position: int,
    phase: str,
    state: int,
    *,
    mirrored: bool = False,
) -> tuple[str, ...]:
    label = panel.layout.label(position) if position <= panel.poles else ""
    if position not in at:
        free = "SPACE" if position <= panel.poles else ""
        return (label, "", free, "", "", "", "")
    circuit, pole = at[position]
    power = f"{circuit.pole_va(state)[pole]:,.0f}"
    cells = [power if name == phase else "" for name in _PHASES]
    if mirrored:
        cells.reverse()
    if pole:
        return (label, "|", "", "", *cells)
    trip = "" if circuit.breaker_a is None else f"{circuit.breaker_a:g}"
    return (label, circuit.description, circuit.class_code, trip, *cells)
