"""Panels with one rack supply lost, if no other state covers it.

These states are not included in `Panel`: there are as many as racks and supplies, and each concerns
one rack. The search includes them as further rows; for a finished panel the worst are retained.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.core.rounding import argmax_within_rounding
from facility.power.panels.board.currents import (
    by_start,
    circuit_current,
    class_power,
    currents,
    panel_power,
)
from facility.power.panels.board.model import Panel
from facility.power.panels.design.fill import Assigned
from facility.power.panels.design.supplies_lost import LostLegs


@dataclass(frozen=True)
class LostBranch:
    """Branch circuit nearest to its breaker rating with a supply lost."""

    circuit: str
    state: str
    current_a: float
    breaker_a: float


@dataclass(frozen=True, eq=False)
class PanelLost:
    """Panel with a supply of one of its racks lost."""

    states: int  # Lost supplies evaluated: the distinct changes of every rack
    state: str  # State with the largest line current, e.g. "supply 2 of R760 in Nodes 03 lost"
    power_va: ComplexArray  # Power on AN, BN, CN, AB, BC, CA in that state [VA]; shape (6,)
    line_a: FloatArray  # Magnitude of the phasor currents A, B, C, N in that state [A]; shape (4,)
    # Worst branch circuit of all these states; None if no breaker is known.
    branch: LostBranch | None
    # Largest line current of each circuit of the panel, in order, with a supply of its rack
    # lost; zero if other states cover it [A].
    circuit_a: tuple[float, ...]
    # Largest load of an outlet bank of each circuit in these states, or of the circuit without
    # banks; zero if other states cover it [VA].
    bank_va: tuple[float, ...]


def with_lost_rows(parts: ComplexArray, assigned: Sequence[Assigned], v_ll: float) -> ComplexArray:
    """Return `parts` of a search with a further state for every lost supply of every rack.

    parts: Contribution of each circuit to lines A, B, C by start phase and state, the normal one
        first [A], shape (n, 3, states, 3).
    assigned: Circuits; those of one rack are matched by order within their type.
    v_ll: Line-to-line voltage [V].
    """
    seen: Counter[tuple[int, int]] = Counter()
    racks: dict[tuple[int, int], list[int]] = {}
    for index, one in enumerate(assigned):
        sort = (one.kind, one.tap_off.ordinal)
        if one.tap_off.lost.names:
            racks.setdefault((one.kind, seen[sort]), []).append(index)
        seen[sort] += 1
    rows = [parts]
    for members in racks.values():
        changes = len(assigned[members[0]].tap_off.lost.names)
        row = np.repeat(parts[:, :, :1], changes, axis=2)
        for index in members:
            tap_off = assigned[index].tap_off
            row[index] = by_start(tap_off.lost.of(tap_off.circuit), v_ll)[..., :3]
        rows.append(row)
    return np.concatenate(rows, axis=2) if len(rows) > 1 else parts


def panel_lost(panel: Panel, legs: Sequence[LostLegs]) -> PanelLost | None:
    """Return `panel` in the worst state with a supply lost; None if all are covered.

    panel: Panel with its circuits placed and named by rack.
    legs: Legs of each circuit with a supply of its rack lost, in order.
    """
    racks: dict[str, list[int]] = {}
    for index, (circuit, lost) in enumerate(zip(panel.circuits, legs, strict=True)):
        if lost.names:
            racks.setdefault(circuit.rack, []).append(index)
    if not racks:
        return None
    normal = panel_power(panel)[0]
    names: list[str] = []
    power = []
    branches: list[LostBranch] = []
    circuit_a, bank_va = [0.0] * len(legs), [0.0] * len(legs)
    for rack, members in racks.items():
        states = [f"{name} in {rack} lost" for name in legs[members[0]].names]
        of_rack = np.repeat(normal[None, :], len(states), axis=0)
        for index in members:
            circuit, lost = panel.circuits[index], legs[index]
            start = panel.start(circuit) or 0
            of_rack += class_power(lost.change(circuit), start, len(states))
            amperes = circuit_current(lost.of(circuit), panel.v_ll)
            circuit_a[index] = float(amperes.max())
            bank_va[index] = float(np.abs(lost.power_va).max())
            if circuit.breaker_a:
                highest = argmax_within_rounding(amperes)
                worst_a = float(amperes[highest])
                branches.append(LostBranch(circuit.id, states[highest], worst_a, circuit.breaker_a))
        names += states
        power.append(of_rack)
    total = np.concatenate(power)
    line_a = np.abs(currents(total, panel.v_ll))
    worst = argmax_within_rounding(line_a[:, :3].max(axis=1))
    filled = [branch.current_a / branch.breaker_a for branch in branches]
    nearest = branches[argmax_within_rounding(filled)] if branches else None
    of_circuits = tuple(circuit_a), tuple(bank_va)
    return PanelLost(len(names), names[worst], total[worst], line_a[worst], nearest, *of_circuits)
