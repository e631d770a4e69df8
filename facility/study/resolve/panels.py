"""From the panels section to panels and cords as stated: circuits and banks numbered from 0."""

from __future__ import annotations

from facility.model.inputs.panels import (
    PanelBoardSection,
    PanelCircuitSection,
    PanelsSection,
)
from facility.model.power.panels_as_built import (
    StatedCircuit,
    StatedCords,
    StatedPanel,
    StatedSpare,
)


def resolve_stated(
    section: PanelsSection,
) -> tuple[tuple[StatedPanel, ...], tuple[StatedCords, ...]]:
    """Return the boards and cords of `section`, in its order; whether they exist is not known here.

    Parameters
    ----------
    section : PanelsSection
        What the user said of single panelboards.
    """
    cords = tuple(
        StatedCords(
            cord.rack, cord.feed, (cord.circuit or 1) - 1, tuple(bank - 1 for bank in cord.banks)
        )
        for cord in section.cords or ()
    )
    return tuple(_board(board) for board in section.boards or ()), cords


def _board(board: PanelBoardSection) -> StatedPanel:
    return StatedPanel(
        board.tag,
        tuple(_circuit(circuit) for circuit in board.circuits or ()),
        tuple(
            StatedSpare(spare.poles, spare.breaker.si, spare.position)
            for spare in board.spares or ()
        ),
    )


def _circuit(circuit: PanelCircuitSection) -> StatedCircuit:
    banks = None
    if circuit.banks is not None:
        first, second, third = circuit.banks
        banks = (first - 1, second - 1, third - 1)
    return StatedCircuit(
        rack=circuit.rack,
        number=(circuit.circuit or 1) - 1,
        position=circuit.position,
        fixed=bool(circuit.fixed),
        banks=banks,
        description=circuit.description or "",
        together=circuit.together or "",
        apart=circuit.apart or "",
    )
