"""A panel as a search problem, and the bound that no arrangement can beat."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import ComplexArray
from facility.power.panels.board.currents import class_power, currents
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.board.pack import ANY, Packer, Slots, Want
from facility.power.panels.search.descent import IntArray, Problem

Objective = Literal["current", "va"]

TURN = np.exp(-2j * np.pi / 3.0 * np.array([0.0, -1.0, 1.0]))
"""Turns the phase voltages of A, B, C (0, -120, 120 degrees) to zero degrees, by conjugate."""


@dataclass(frozen=True)
class PanelProblem:
    """What the search may decide about a panel.

    Attributes
    ----------
    problem : Problem
        The loads whose start phase matters.
    turning : tuple[int, ...]
        Index in the panel of each load of the problem.
    loose : tuple[int, ...]
        Indices of movable circuits that load all lines alike wherever they start.
    fixed : tuple[int, ...]
        Indices of circuits that stay where they are.
    """

    problem: Problem
    turning: tuple[int, ...]
    loose: tuple[int, ...]
    fixed: tuple[int, ...]


def line_parts(circuit: Circuit, start: int, panel: Panel, objective: Objective) -> ComplexArray:
    """Return what `circuit` adds to lines A, B, C by state when it starts on phase `start`.

    Phasor currents [A] for the objective ``current``, schedule VA for ``va``.
    """
    states = len(panel.states)
    if objective == "current":
        return currents(class_power(circuit, start, states), panel.v_ll)[:, :3]
    parts = np.zeros((states, 3), dtype=np.complex128)
    for state in range(states):
        for pole, value_va in enumerate(circuit.pole_va(state)):
            parts[state, (start + pole) % 3] += value_va
    return parts


def panel_problem(panel: Panel, objective: Objective) -> PanelProblem:
    """Return the search problem of `panel`.

    Raises
    ------
    FacilityError
        ``PANEL_FULL`` when the breakers do not fit the free positions in any arrangement.
    """
    base = np.zeros((len(panel.states), 3), dtype=np.complex128)
    turning, loose, fixed, parts = [], [], [], []
    for index, circuit in enumerate(panel.circuits):
        if circuit.fixed and circuit.position is not None:
            fixed.append(index)
            base += line_parts(circuit, panel.layout.phase(circuit.position), panel, objective)
            continue
        each = np.stack([line_parts(circuit, start, panel, objective) for start in range(3)])
        if np.abs(each - each[:1]).max() <= 1e-12 * max(1.0, float(np.abs(each).max())):
            loose.append(index)
            base += each[0]
        else:
            turning.append(index)
            parts.append(each)
    taken = [n for index in fixed for n in panel.occupied(panel.circuits[index])]
    poles = np.array([panel.circuits[i].poles for i in turning], dtype=np.int64)
    packer = Packer(panel.layout, panel.poles, taken)
    others = Counter((panel.circuits[i].poles, ANY) for i in loose)

    def pack(wants: Counter[Want]) -> Slots | None:
        return packer.pack(wants + others)

    if pack(Counter((int(k), ANY) for k in poles)) is None:
        raise FacilityError(
            "PANEL_FULL", panel.tag,
            f"the circuits ({panel.poles_used} poles) do not fit the free positions of "
            f"{panel.poles} poles, breakers being of one piece.",
            "Use a larger panel, free a fixed circuit, or move circuits elsewhere.", exit_code=4,
        )  # fmt: skip
    shape = (len(turning), 3, len(panel.states), 3)
    return PanelProblem(
        Problem(np.array(parts, dtype=np.complex128).reshape(shape), base, poles,
                np.zeros(len(turning), dtype=np.bool_), pack, panel.layout.phase),
        tuple(turning), tuple(loose), tuple(fixed),
    )  # fmt: skip


def given_starts(panel: Panel, posed: PanelProblem) -> IntArray | None:
    """Return the start phases the panel has now, or None when a circuit is not placed."""
    if not panel.placed:
        return None
    positions = [panel.circuits[index].position or 1 for index in posed.turning]
    return np.array([panel.layout.phase(n) for n in positions], dtype=np.int64)


def lower_bound(problem: Problem, objective: Objective) -> float:
    """Return a bound that the largest line value of no arrangement can beat.

    For each line x let J_x = I_x turned by its phase voltage, so that V conj(J_x) is the complex
    power V_x conj(I_x). These powers add up to the power of all loads, whatever line each is on,
    hence max |I_x| >= |sum J_x| / 3. Where no load has a power factor below 0.5, Re J_x of every
    load on every line is not negative, hence max |I_x| >= max Re J_x of the fixed loads together
    with any one movable load on its best phase. Schedule VA are the same without the turn.
    """
    turn = TURN if objective == "current" else np.ones(3)
    base = problem.base * turn
    parts = problem.parts * turn
    total = base.sum(axis=-1) + parts[:, 0].sum(axis=(0, -1))
    bound = float(np.abs(total).max() / 3.0)
    scale = max(bound, 1e-300)
    if min(float(base.real.min()), float(parts.real.min(initial=0.0))) < -1e-9 * scale:
        return bound
    alone = float(base.real.max())
    if problem.size:
        with_one = (base + parts).real.max(axis=(-2, -1)).min(axis=1)
        alone = max(alone, float(with_one.max()))
    return max(bound, alone)
