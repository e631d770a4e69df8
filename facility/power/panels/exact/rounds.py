"""The best phases there are for one panel, with the proof: rounds of a mixed-integer program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from facility.core.kinds import FloatArray
from facility.power.panels.board.model import Panel
from facility.power.panels.board.pack import Slots
from facility.power.panels.exact.effort import (
    EQUAL,
    Effort,
    Progress,
    ProgressCall,
    Status,
    Watch,
    ended,
)
from facility.power.panels.exact.model import PhaseModel
from facility.power.panels.exact.solver import Look, Solved
from facility.power.panels.search.descent import IntArray, Search, peak
from facility.power.panels.search.problem import PanelProblem

_SOLVER = 1e-7
"""Fraction taken off every bound of the solver, which works to finite tolerances."""


@dataclass(frozen=True)
class Proof:
    """Phases found, and what is proven about them.

    Attributes
    ----------
    starts : ndarray of int, shape (n,)
        Start phase of each load of the problem.
    slots : dict or None
        Positions they fit, where the packing by itself did not find them.
    bound : float
        No arrangement has a lower objective [A or VA].
    status : str
        Why the search ended.
    """

    starts: IntArray
    slots: Slots | None
    bound: float
    status: Status


class Model(Protocol):
    """Program whose bounds hold, over whole numbers that say what is chosen."""

    @property
    def positioned(self) -> bool:
        """Whether the program knows the positions."""

    def add_positions(self) -> None:
        """Make the program know where breakers fit."""

    def sharpen(self, starts: IntArray, /) -> None:
        """Add the tangents at what is chosen."""

    def minimise(
        self, start: IntArray, floor: float, ceiling: float, gap: float, nodes: int, look: Look
    ) -> Solved:
        """Return the least objective between `floor` and `ceiling`."""

    def starts(self, values: FloatArray, near: IntArray, /) -> IntArray:
        """Return what a solution chooses, as much of it as in `near` as can be."""


class Target(Protocol):
    """What is to be proven: the choices there are, and the program of them."""

    @property
    def size(self) -> int:
        """Number of things to choose."""

    def value(self, starts: IntArray, /) -> float:
        """Return the objective of a choice."""

    def fits(self, starts: IntArray, /) -> bool:
        """Return whether positions for a choice were found."""

    def descend(self, starts: IntArray, /) -> IntArray:
        """Return a choice as good or better near one that fits."""

    def model(self, scale: float, /) -> Model:
        """Return the program, its values as fractions of `scale`."""


class _PanelTarget:
    def __init__(self, panel: Panel, posed: PanelProblem) -> None:
        self._panel, self._posed = panel, posed
        self._search = Search(posed.problem)
        self._last: PhaseModel | None = None

    @property
    def size(self) -> int:
        return self._posed.problem.size

    def value(self, starts: IntArray) -> float:
        return float(peak(self._posed.problem.totals(starts)))

    def fits(self, starts: IntArray) -> bool:
        problem = self._posed.problem
        return problem.pack(problem.wants(starts)) is not None

    def descend(self, starts: IntArray) -> IntArray:
        return self._search.descend(starts)

    def model(self, scale: float) -> PhaseModel:
        movable = sorted((*self._posed.turning, *self._posed.loose))
        self._last = PhaseModel(self._posed.problem, self._panel, movable, scale)
        return self._last

    def slots(self, values: FloatArray | None, starts: IntArray) -> Slots | None:
        if self._last is None or values is None or not self._last.positioned:
            return None
        return self._last.slots(values, starts)


def prove(
    panel: Panel,
    posed: PanelProblem,
    start: IntArray,
    floor: float,
    effort: Effort,
    watch: Watch,
    progress: ProgressCall | None = None,
) -> Proof:
    """Return the best phases found from `start` on, and the bound they are held against.

    Each round solves the program of `PhaseModel` and adds the tangents at what it found; the
    largest bound of a round holds for the panel. Rounds end when the best phases are within the gap
    of it, or when the limits of `effort` are reached.

    Parameters
    ----------
    panel, posed : Panel, PanelProblem
        Panel, and its search problem.
    start : ndarray of int
        Phases that fit the panel.
    floor : float
        Bound known already [A or VA].
    effort, watch : Effort, Watch
        Limits.
    progress : callable, optional
        Called with a `Progress` during the search.
    """
    target = _PanelTarget(panel, posed)
    rounds = Rounds(target, start, floor, effort, watch, progress)
    rounds.run()
    slots = target.slots(rounds.values, rounds.best)
    return Proof(rounds.best, slots, rounds.bound, rounds.status)


class Rounds:
    """Rounds of a program, each sharper than the one before.

    Parameters
    ----------
    target : Target
        What is to be proven.
    start : ndarray of int
        Choice that fits.
    floor : float
        Bound known already.
    effort, watch, progress
        As for `prove`.

    Attributes
    ----------
    best : ndarray of int
        Best choice found.
    reached, bound : float
        Its objective, and the bound proven.
    values : ndarray or None
        Solution of the program that `best` is, where that is its own.
    """

    def __init__(
        self,
        target: Target,
        start: IntArray,
        floor: float,
        effort: Effort,
        watch: Watch,
        progress: ProgressCall | None,
    ) -> None:
        self._target = target
        self._effort, self._watch, self._progress = effort, watch, progress
        self.best = start
        self.values: FloatArray | None = None
        self.reached = target.value(start)
        self.bound = floor if target.size else self.reached
        self._nodes = 0
        self._stuck = False
        self._reported = -1
        self._scale = self.reached or 1.0
        self._model: Model | None = None

    @property
    def status(self) -> Status:
        """Why the rounds ended."""
        return ended(self.reached, self.bound, self._effort, self._watch)

    def run(self) -> None:
        """Go on until the best choice is near the bound, or the effort is spent."""
        while not self.done():
            self.step()

    def done(self) -> bool:
        """Return whether nothing is left to do, or to be done with."""
        near = self.reached <= self.bound * (1.0 + max(self._effort.gap, EQUAL))
        spent = self._nodes >= self._effort.nodes
        return near or spent or self._stuck or self._watch.stopped()

    def step(self) -> None:
        """Solve the program once, and learn from what it found."""
        if self._model is None:
            self._model = self._target.model(self._scale)
            self._model.sharpen(self.best)
        model = self._model
        ceiling = self.reached / self._scale * (1.0 + _SOLVER)
        solved = model.minimise(
            self.best,
            self.bound / self._scale * (1.0 - _SOLVER),
            ceiling,
            self._effort.gap / 4.0,
            self._effort.nodes - self._nodes,
            self._look,
        )
        self._nodes += solved.nodes
        proven = ceiling if solved.infeasible else min(solved.bound, ceiling)
        before = self.bound
        self.bound = min(max(before, proven * self._scale * (1.0 - _SOLVER)), self.reached)
        if solved.values is None:
            self._stuck = True
            return
        starts = model.starts(solved.values, self.best)
        if not model.positioned and not self._target.fits(starts):
            model.add_positions()
            return
        shown = float(solved.values[0]) * self._scale
        exact = self._target.value(starts) <= shown * (1.0 + EQUAL / 4.0)
        self._stuck = exact and self.bound <= before * (1.0 + EQUAL / 4.0)
        model.sharpen(starts)
        self._take(starts, solved.values if model.positioned else None)
        if self._target.fits(starts):
            self._take(self._target.descend(starts), None)

    def _take(self, starts: IntArray, values: FloatArray | None) -> None:
        value = self._target.value(starts)
        if value < self.reached * (1.0 - 1e-12):
            self.best, self.reached, self.values = starts, value, values
            assert self._model is not None
            self._model.sharpen(starts)

    def _look(self, nodes: int, bound: float) -> bool:
        if self._progress is not None and nodes != self._reported:
            self._reported = nodes
            proven = max(self.bound, bound * self._scale) if np.isfinite(bound) else self.bound
            self._progress(
                Progress(
                    self._nodes + nodes, self._effort.nodes, self.reached, min(proven, self.reached)
                )
            )
        return self._watch.stopped()
