"""From an arrangement of a hall to boards and cords as they are stated in a project."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from facility.model.power.panels_as_built import StatedCords, StatedPanel
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.pack import ANY
from facility.power.panels.design.as_built import stated_of
from facility.power.panels.design.racks import outlet_banks
from facility.power.panels.hall.decode import Arrangement
from facility.power.panels.hall.tables import bank_order
from facility.power.panels.hall.units import HallUnits
from facility.power.panels.search.positions import place


def stated_cords(hall: HallUnits, at: Arrangement) -> tuple[StatedCords, ...]:
    """Return the cords of an arrangement: those the project states, and those plugged anew.

    What is left out is plugged as the design does it.
    """
    already = {(c.rack, c.feed, c.number) for c in hall.found.basis.cords}
    stated = {}
    for key, cords in sorted(hall.cords.items()):
        designed = outlet_banks(cords.power_va, cords.banks < 0)
        if cords.key in already or not np.array_equal(at.banks[key], designed):
            banks = tuple(int(bank) for bank in at.banks[key])
            stated[cords.key] = StatedCords(*cords.key, banks)
    return tuple(stated.values())


def stated_boards(hall: HallUnits, at: Arrangement) -> tuple[StatedPanel, ...]:
    """Return the boards of an arrangement, circuits that keep panel and phase where they stand.

    Raises
    ------
    FacilityError
        ``PANEL_FULL`` when the breakers do not fit.
    """
    held: dict[int, list[int]] = defaultdict(list)
    for number in range(len(hall.members)):
        held[int(at.panels[number])].append(number)
    sides = {panel.tag: panel.side for panel in hall.found.panels}
    said = {
        (sides.get(board.tag, ""), circuit.rack, circuit.number): circuit.description
        for board in hall.found.basis.stated
        for circuit in board.circuits
    }
    boards = stated_of(_arranged(hall, at, number, held[number]) for number in hall.panels)
    return tuple(
        replace(
            board,
            circuits=tuple(
                replace(c, description=said.get((sides[board.tag], c.rack, c.number), ""))
                for c in board.circuits
            ),
        )
        for board in boards
    )


def _arranged(hall: HallUnits, at: Arrangement, number: int, members: list[int]) -> Panel:
    """Return a panel with its circuits placed, banks named; legs stay those of the given banks."""
    panel = hall.found.panels[number]
    gone = {m.index for m in hall.members if m.panel == number}
    circuits = [c for index, c in enumerate(panel.circuits) if index not in gone]
    starts: dict[int, int] = {}
    first = len(circuits)
    for m in members:
        circuit = hall.circuit(m)
        if at.panels[m] != hall.members[m].panel:
            circuit = replace(circuit, position=None)
        if not hall.members[m].pinned:
            starts[len(circuits)] = ANY if circuit.poles == 3 else int(at.starts[m])
        circuits.append(circuit)
    stood = place(replace(panel, circuits=tuple(circuits)), starts).circuits
    turned = (
        _turned(hall, at, m, circuit) for m, circuit in zip(members, stood[first:], strict=True)
    )
    placed = sorted((*stood[:first], *turned), key=lambda c: c.position or 0)
    return replace(panel, circuits=tuple(placed))


def _turned(hall: HallUnits, at: Arrangement, m: int, circuit: Circuit) -> Circuit:
    """Return a placed member with its banks on the poles where its start asks for them."""
    if circuit.poles != 3 or circuit.position is None:
        return circuit
    order = bank_order(hall.members[m].sort)
    behind = int(at.starts[m]) - hall.panel(m).layout.phase(circuit.position)
    first, second, third = ((pole - behind) % 3 for pole in range(3))
    return replace(circuit, banks=(order[first], order[second], order[third]))
