"""A panel before balancing: what it would be if nobody had looked at the phases."""

from __future__ import annotations

from dataclasses import replace

from facility.power.panels.balance.positions import place
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.pack import ANY


def unbalanced(panel: Panel) -> Panel:
    """Return `panel` with its breakers in list order from the top, all rack circuits wired alike.

    A three-phase rack circuit with unequal legs to neutral has its largest leg on its first pole,
    so that equal racks load the same phase. Fixed circuits are loosened too.

    Raises ``PANEL_FULL`` when the breakers do not fit.
    """
    loose = tuple(
        replace(_wired_alike(circuit), position=None, fixed=False) for circuit in panel.circuits
    )
    return place(replace(panel, circuits=loose), dict.fromkeys(range(len(loose)), ANY))


def _wired_alike(circuit: Circuit) -> Circuit:
    """Turn the legs of a three-phase circuit: in the normal state the largest comes first."""
    legs = [abs(power) for power in circuit.power_va[0]]
    if circuit.connection != "L-N" or len(legs) != 3:
        return circuit
    shift = max(range(3), key=lambda first: [*legs[first:], *legs[:first]])
    turned = tuple((*state[shift:], *state[:shift]) for state in circuit.power_va)
    return replace(circuit, power_va=turned)
