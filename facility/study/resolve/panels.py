"""From the panels section to panels and cords as stated: circuits and banks numbered from 0."""

from __future__ import annotations

from dataclasses import replace

from facility.core.trace import Trace
from facility.model.inputs.panels import PanelBoardSection, PanelCircuitSection, PanelsSection
from facility.model.power.hall_distribution import PanelBasis
from facility.model.power.panels_as_built import (
    AsBuiltCircuit,
    AsBuiltCords,
    AsBuiltPanel,
    AsBuiltSpare,
)
from facility.study.resolve.reader import Reader


def with_panels_stated(basis: PanelBasis, section: PanelsSection, trace: Trace) -> PanelBasis:
    """Return `basis` with the boards and cords of `section`, and what is said of every panel.

    Whether these boards and cords exist is not known here.

    section: What the user said of panelboards.
    trace: Takes givens and assumptions.
    """
    read = Reader(section, "panels", trace)
    cords = tuple(
        AsBuiltCords(
            cord.rack, cord.feed, (cord.circuit or 1) - 1, tuple(bank - 1 for bank in cord.banks)
        )
        for cord in section.cords or ()
    )
    return replace(
        basis,
        stated=tuple(_board(board) for board in section.boards or ()),
        cords=cords,
        imbalance_limit=read("imbalance_limit"),
        neutral_a=read.si("neutral_rating"),
    )


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
