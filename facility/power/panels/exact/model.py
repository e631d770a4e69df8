"""The phases of a panel as a mixed-integer program.

Loads that are alike are counted, not named: the unknowns are how many of each kind start on each
phase. The magnitude of a line phasor is replaced by its projections on some directions, which never
exceed it, so that every bound of the program is a bound of the panel. Positions are asked for only
after phases were found that do not fit: each column is then a path from its top to its end, each
breaker a step of as many rows as it has poles.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np

from facility.core.kinds import FloatArray
from facility.power.panels.board.model import Panel
from facility.power.panels.board.pack import ANY, Slots, Want
from facility.power.panels.exact.solver import Look, Program, Solved
from facility.power.panels.search.descent import IntArray, Problem

_FAN = (0.0, -0.1, 0.1, -0.25, 0.25)
"""Directions about the one a line phasor has in a balanced panel [rad]."""


class PhaseModel:
    """Program of one panel; all its values are fractions of `scale`.

    Parameters
    ----------
    problem : Problem
        Loads and lines; none of them free of the positions.
    panel : Panel
        Panel with its fixed circuits in place.
    movable : iterable of int
        Indices in the panel of every circuit that may move.
    scale : float
        Value of the objective near 1.
    """

    def __init__(
        self, problem: Problem, panel: Panel, movable: Iterable[int], scale: float
    ) -> None:
        self._problem, self._panel = problem, panel
        self._movable = tuple(movable)
        self._parts, self._base = problem.parts / scale, problem.base / scale
        self._kinds = _alike(problem)
        self._program = Program()
        self._peak = self._program.column(0.0, math.inf, whole=False)
        self._counts = [
            [self._program.column(0.0, len(kind)) for _ in range(3)] for kind in self._kinds
        ]
        self._taken = {
            n
            for index, circuit in enumerate(panel.circuits)
            if index not in set(self._movable)
            for n in panel.occupied(circuit)
        }
        self._arcs: dict[int, tuple[int, int]] = {}
        for columns, kind in zip(self._counts, self._kinds, strict=True):
            self._program.row(len(kind), len(kind), columns, [1.0] * 3)
        self._room()
        self._fan_out()

    @property
    def positioned(self) -> bool:
        """Whether the program knows the positions."""
        return bool(self._arcs)

    def _fan_out(self) -> None:
        self._straight = not (np.any(self._parts.imag) or np.any(self._base.imag))
        if self._straight:
            self._cut(np.zeros(self._base.shape))
            return
        turned = np.exp(-2j * np.pi / 3.0 * np.arange(3))
        lines = self._base + self._parts[:, 0].sum(axis=0)
        angles = np.angle((lines * turned.conj()).sum(axis=-1)[:, None] * turned)
        for offset in _FAN:
            self._cut(angles + offset)

    def _cut(self, angles: FloatArray) -> None:
        """Hold the peak above the projection of every line of every state on its angle."""
        columns = [self._peak, *(column for kind in self._counts for column in kind)]
        heads = np.array([kind[0] for kind in self._kinds], dtype=np.int64)
        for state, line in np.ndindex(*self._base.shape):
            turn = np.exp(-1j * angles[state, line])
            slopes = (self._parts[heads, :, state, line] * turn).real.ravel()
            rest = float((self._base[state, line] * turn).real)
            self._program.row(rest, math.inf, columns, [1.0, *(-slopes)])

    def sharpen(self, starts: IntArray) -> None:
        """Add the tangents at the line phasors of `starts`, where the program then is exact."""
        if not self._straight:
            chosen = self._parts[np.arange(self._problem.size), starts].sum(axis=0)
            self._cut(np.angle(self._base + chosen))

    def _room(self) -> None:
        """Hold poles and starts within what the free positions have of each phase."""
        panel, layout = self._panel, self._panel.layout
        free = [n for n in range(1, panel.poles + 1) if n not in self._taken]
        for poles in (1, 2, 3):
            starts = Counter(layout.phase(n) for n in free if self._may_start(n, poles))
            for phase in range(3):
                columns = [
                    columns[phase]
                    for columns, kind in zip(self._counts, self._kinds, strict=True)
                    if self._problem.poles[kind[0]] == poles
                ]
                self._program.row(0.0, starts[phase], columns, [1.0] * len(columns))
        room = Counter(layout.phase(n) for n in free)
        for phase in range(3):
            columns = [
                columns[(phase - pole) % 3]
                for columns, kind in zip(self._counts, self._kinds, strict=True)
                for pole in range(int(self._problem.poles[kind[0]]))
            ]
            self._program.row(0.0, room[phase], columns, [1.0] * len(columns))

    def _may_start(self, position: int, poles: int) -> bool:
        layout = self._panel.layout
        return layout.may_start(position, poles, self._panel.poles) and not (
            self._taken.intersection(layout.occupied(position, poles))
        )

    def add_positions(self) -> None:
        """Make the program know where breakers fit."""
        panel = self._panel
        for column in panel.layout.columns(panel.poles):
            steps: list[list[tuple[int, float]]] = [[] for _ in range(len(column) + 1)]
            for row, position in enumerate(column):
                for poles in (0, 1, 2, 3):
                    if poles and not self._may_start(position, poles):
                        continue
                    arc = self._program.column(0.0, 1.0)
                    steps[row].append((arc, 1.0))
                    steps[row + max(1, poles)].append((arc, -1.0))
                    if poles:
                        self._arcs[arc] = (position, poles)
            for row, ends in enumerate(steps):
                flow = float(row == 0) - float(row == len(column))
                self._program.row(flow, flow, [a for a, _ in ends], [v for _, v in ends])
        wanted = Counter(panel.circuits[index].poles for index in self._movable)
        for poles in (1, 2, 3):
            self._tie(poles, wanted[poles])

    def _tie(self, poles: int, wanted: int) -> None:
        """Tie the breakers of `poles` that the columns hold to those that are wanted."""
        phase = self._panel.layout.phase
        arcs = {arc: phase(at) for arc, (at, size) in self._arcs.items() if size == poles}
        self._program.row(wanted, wanted, list(arcs), [1.0] * len(arcs))
        for start in range(3):
            here = [arc for arc, at in arcs.items() if at == start]
            counts = [
                columns[start]
                for columns, kind in zip(self._counts, self._kinds, strict=True)
                if self._problem.poles[kind[0]] == poles
            ]
            ones = [1.0] * len(here) + [-1.0] * len(counts)
            self._program.row(0.0, math.inf, here + counts, ones)

    def minimise(
        self, start: IntArray, floor: float, ceiling: float, gap: float, nodes: int, look: Look
    ) -> Solved:
        """Return the least peak between `floor` and `ceiling`, from the phases `start` on."""
        self._program.limit(self._peak, floor, ceiling)
        given = [
            (columns[phase], float((start[kind] == phase).sum()))
            for columns, kind in zip(self._counts, self._kinds, strict=True)
            for phase in range(3)
        ]
        return self._program.minimise([(self._peak, ceiling), *given], gap, nodes, look)

    def starts(self, values: FloatArray, near: IntArray) -> IntArray:
        """Return the start phase of every load; loads alike keep those of `near` where they can."""
        starts = near.copy()
        for columns, kind in zip(self._counts, self._kinds, strict=True):
            left = [round(values[column]) for column in columns]
            moving = []
            for load in kind:
                if left[near[load]] > 0:
                    left[near[load]] -= 1
                else:
                    moving.append(load)
            for load in moving:
                starts[load] = next(phase for phase in range(3) if left[phase] > 0)
                left[starts[load]] -= 1
        return starts

    def slots(self, values: FloatArray, starts: IntArray) -> Slots:
        """Return the positions of a solution that knows them, by poles and start phase."""
        slots: Slots = {}
        missing: Counter[Want] = self._problem.wants(starts)
        for arc, (position, poles) in self._arcs.items():
            if values[arc] < 0.5:
                continue
            want = (poles, self._panel.layout.phase(position))
            if missing[want] == 0:
                want = (poles, ANY)
            missing[want] -= 1
            slots.setdefault(want, []).append(position)
        return slots


def _alike(problem: Problem) -> list[IntArray]:
    """Return the indices of loads that cannot be told apart, in order of first appearance."""
    kinds: dict[tuple[int, bytes], list[int]] = {}
    for load in range(problem.size):
        key = (int(problem.poles[load]), problem.parts[load].tobytes())
        kinds.setdefault(key, []).append(load)
    return [np.array(kind, dtype=np.int64) for kind in kinds.values()]
