"""From the panels section to panels and cords as stated: circuits and banks numbered from 0."""

from __future__ import annotations

from facility.model.inputs.panels import (
    PanelBoardSection,
    PanelCircuitSection,
    PanelsSection,
)
from facility.model.power.panels_as_built import (
    AsBuiltCircuit,
    AsBuiltCords,
    AsBuiltPanel,
    AsBuiltSpare,
)


def resolve_as_built(
    section: PanelsSection,
) -> tuple[tuple[AsBuiltPanel, ...], tuple[AsBuiltCords, ...]]:
    """Return the boards and cords of `section`, in its order; whether they exist is not known here.

    section: What the user said of single panelboards.
    """
    cords = tuple(
        AsBuiltCords(
            cord.rack, cord.feed, (cord.circuit or 1) - 1, tuple(bank - 1 for bank in cord.banks)
        )
        for cord in section.cords or ()
    )
    return tuple(_board(board) for board in section.boards or ()), cords


def _board(board: PanelBoardSection) -> AsBuiltPanel:
    return AsBuiltPanel(
        board.tag,
        tuple(_circuit(circuit) for circuit in board.circuits or ()),
        tuple(
            AsBuiltSpare(spare.poles, spare.breaker.si, spare.position)
            for spare in board.spares or ()
        ),
    )


def _circuit(circuit: PanelCircuitSection) -> AsBuiltCircuit:
    banks = None
    if circuit.banks is not None:
        first, second, third = circuit.banks
        banks = (first - 1, second - 1, third - 1)
    return AsBuiltCircuit(
        rack=circuit.rack,
        number=(circuit.circuit or 1) - 1,
        position=circuit.position,
        fixed=bool(circuit.fixed),
        banks=banks,
        description=circuit.description or "",
        together=circuit.together or "",
        apart=circuit.apart or "",
    )
