"""Circuits of an as-built board: placed circuits as specified, the rest balanced around them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from facility.core.errors import FacilityError
from facility.model.power.hall_distribution import AsBuiltSpare, PanelBasis
from facility.power.panels.balance.arrange import start_phases
from facility.power.panels.balance.one_panel import balance
from facility.power.panels.balance.units import Units, loads_of
from facility.power.panels.board.constraints import has_groups
from facility.power.panels.board.currents import by_start
from facility.power.panels.board.layout import Layout
from facility.power.panels.board.model import Circuit, Panel, check_layout, turned_banks
from facility.power.panels.board.pack import ANY, Packer
from facility.power.panels.design.as_built import AssignedCircuit, Board
from facility.power.panels.design.lost_states import with_lost_rows
from facility.power.panels.design.pattern import KICKS, framed
from facility.power.panels.design.racks import refuse_too_large


def placed_panel(board: Board, turn: int, basis: PanelBasis, states: tuple[str, ...]) -> Panel:
    """Return the panel of `board`: assigned circuits in order, then spares, all placed.

    Ids are as in the messages, descriptions and partners as for the rack type. If nothing binds
    outlet banks to phases, the banks of all are rotated by `turn` phases.

    Raises ``PANEL_POSITION``, ``PANEL_OVERLAP``, ``PANEL_FULL``, or ``CONTRADICTION`` for a spare
    larger than bus or main of its panel, with the project field.
    """
    for number, spare in enumerate(board.spares):
        refuse_too_large(spare.breaker_a, basis, f"{board.where}.spares[{number}].breaker")
    drafted = [_drafted(one) for one in board.carried]
    drafted += [_spare(spare, n, len(states)) for n, spare in enumerate(board.spares)]
    circuits = tuple(drafted)
    panel = framed(basis, circuits, states, tag=board.tag, side=board.feed, hall=board.hall)
    if panel.poles_used > panel.poles:
        raise FacilityError(
            "PANEL_FULL",
            board.where or board.tag,
            f"panel {board.tag} would have {len(board.carried)} rack circuits and"
            f" {len(board.spares)} spares with a total of {panel.poles_used} poles; it has"
            f" {panel.poles}.",
            "Enter some of its circuits under another panel of the feed, remove spares, or use"
            " panels with more poles (power.distribution.panel_poles).",
        )
    check_layout(panel, tuple(_wheres(board)))
    open_banks = [
        one.assigned.tap_off.turns and (one.as_built is None or one.as_built.banks is None)
        for one in board.carried
    ]
    placed = _placed(panel, open_banks, board)
    if turn and all(open_banks):
        turned = tuple(turned_banks(c, -turn) if c.rack else c for c in placed.circuits)
        return replace(placed, circuits=turned)
    return placed


def _drafted(one: AssignedCircuit) -> Circuit:
    circuit = replace(
        one.assigned.tap_off.circuit,
        rack=one.rack,
        id=f"{one.rack}, circuit {one.assigned.tap_off.ordinal + 1}",
    )
    entry = one.as_built
    if entry is None:
        return circuit
    if entry.banks is not None:
        first, second, third = entry.banks
        legs = tuple((state[first], state[second], state[third]) for state in circuit.power_va)
        circuit = replace(circuit, power_va=legs, banks=entry.banks)
    return replace(
        circuit,
        position=entry.position,
        fixed=entry.fixed,
        together=entry.together,
        apart=entry.apart,
    )


def _spare(spare: AsBuiltSpare, number: int, states: int) -> Circuit:
    legs = 3 if spare.poles == 3 else 1
    return Circuit(
        id=f"spare {number + 1}",
        description="Spare",
        class_code="SPARE",
        poles=spare.poles,
        connection="L-L" if spare.poles == 2 else "L-N",
        power_va=((0j,) * legs,) * states,
        breaker_a=spare.breaker_a,
        position=spare.position,
    )


def _wheres(board: Board) -> list[str]:
    found = [one.where or board.where or board.tag for one in board.carried]
    return [*found, *(f"{board.where}.spares[{n}]" for n in range(len(board.spares)))]


def _placed(panel: Panel, open_banks: list[bool], board: Board) -> Panel:
    """Return `panel` with a position for every circuit, and banks if not specified."""
    count = len(open_banks)
    waiting = [n for n in range(count) if panel.circuits[n].position is None]
    undecided = [n for n in range(count) if open_banks[n] or n in waiting]
    if not undecided:
        return panel
    units = _units(panel, board, undecided, waiting, open_banks)
    starts = start_phases(units, KICKS)
    if starts is None:
        raise FacilityError(
            "PANEL_FULL",
            board.where or board.tag,
            f"{len(waiting)} circuits of panel {board.tag} do not fit between the fixed circuits; a"
            " breaker needs adjacent positions.",
            "Enter positions for these circuits too, or leave more positions unspecified.",
        )
    wants = Counter(
        (panel.circuits[n].poles, ANY if open_banks[n] else int(start))
        for n, start in zip(undecided, starts, strict=True)
        if n in waiting
    )
    slots = Packer(panel.layout, panel.poles, units.taken[0]).pack(wants) or {}
    free = {want: iter(positions) for want, positions in slots.items()}
    circuits = list(panel.circuits)
    for n, start in zip(undecided, (int(s) for s in starts), strict=True):
        circuit = circuits[n]
        if n in waiting:
            want = circuit.poles, ANY if open_banks[n] else start
            circuit = replace(circuit, position=next(free[want]))
        if open_banks[n]:
            circuit = turned_banks(circuit, _phase(circuit, panel.layout) - start)
        circuits[n] = circuit
    placed = replace(panel, circuits=tuple(circuits))
    return _in_groups(placed, waiting) if waiting else placed


def _units(
    panel: Panel, board: Board, undecided: list[int], waiting: list[int], open_banks: list[bool]
) -> Units:
    """Return the undecided circuits `undecided` as units, around the placed ones."""
    placed = panel.circuits[: len(board.carried)]
    assigned = [
        replace(one.assigned, tap_off=replace(one.assigned.tap_off, circuit=circuit))
        for one, circuit in zip(board.carried, placed, strict=True)
    ]
    parts = np.stack([by_start(one, panel.v_ll)[..., :3] for one in placed])
    parts = with_lost_rows(parts, assigned, panel.v_ll)
    base = np.zeros(parts.shape[2:], dtype=np.complex128)
    for n, circuit in enumerate(placed):
        if n not in undecided:
            base += parts[n, _phase(circuit, panel.layout)]
    wants = [
        (placed[n].poles, ANY if open_banks[n] else 0) if n in waiting else None for n in undecided
    ]
    taken = [n for circuit in panel.circuits for n in panel.occupied(circuit)]
    there = replace(panel, circuits=tuple(placed[n] for n in undecided))
    return loads_of(there, parts[undecided], wants, base, taken)


def _in_groups(panel: Panel, waiting: list[int]) -> Panel:
    """Return `panel` with the circuits `waiting` placed again if groups constrain some of them.

    If placed circuits violate a group, it stays violated, and a check reports it.
    """
    if not has_groups(panel.circuits):
        return panel
    posed = tuple(
        replace(circuit, position=None) if n in waiting else replace(circuit, fixed=True)
        for n, circuit in enumerate(panel.circuits)
    )
    try:
        found = balance(replace(panel, circuits=posed), kicks=KICKS).panel.circuits
    except FacilityError as error:
        if error.code != "PANEL_GROUP":
            raise
        return panel
    pairs = zip(found, panel.circuits, strict=True)
    return replace(panel, circuits=tuple(replace(new, fixed=old.fixed) for new, old in pairs))


def _phase(circuit: Circuit, layout: Layout) -> int:
    return layout.phase(circuit.position or 1)
