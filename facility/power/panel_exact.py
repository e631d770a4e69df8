"""The best phases there are for one panel, with the proof: rounds of a mixed-integer program."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.power.panel_exact_effort import (
    EQUAL,
    Effort,
    Progress,
    ProgressCall,
    Status,
    Watch,
    ended,
)
from facility.power.panel_exact_model import PhaseModel
from facility.power.panel_model import Panel
from facility.power.panel_pack import Slots
from facility.power.panel_problem import PanelProblem
from facility.power.panel_search import IntArray, Search, peak

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


def prove(
    panel: Panel, posed: PanelProblem, start: IntArray, floor: float, effort: Effort,
    watch: Watch, progress: ProgressCall | None = None,
) -> Proof:  # fmt: skip
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
    rounds = _Rounds(panel, posed, start, floor, effort, watch, progress)
    while not rounds.done():
        rounds.step()
    return Proof(
        rounds.best, rounds.slots, rounds.bound, ended(rounds.reached, rounds.bound, effort, watch)
    )


class _Rounds:
    def __init__(
        self, panel: Panel, posed: PanelProblem, start: IntArray, floor: float, effort: Effort,
        watch: Watch, progress: ProgressCall | None,
    ) -> None:  # fmt: skip
        self._problem = posed.problem
        self._effort, self._watch, self._progress = effort, watch, progress
        self._search = Search(posed.problem)
        self.best = start
        self.slots: Slots | None = None
        self.reached = self._value(start)
        self.bound = floor if self._problem.size else self.reached
        self._nodes = 0
        self._stuck = False
        self._reported = -1
        self._scale = self.reached or 1.0
        self._posed = (panel, sorted((*posed.turning, *posed.loose)))
        self._model: PhaseModel | None = None

    def _value(self, starts: IntArray) -> float:
        return float(peak(self._problem.totals(starts)))

    def done(self) -> bool:
        near = self.reached <= self.bound * (1.0 + max(self._effort.gap, EQUAL))
        spent = self._nodes >= self._effort.nodes
        return near or spent or self._stuck or self._watch.stopped()

    def step(self) -> None:
        """Solve the program once, and learn from what it found."""
        if self._model is None:
            panel, movable = self._posed
            self._model = PhaseModel(self._problem, panel, movable, self._scale)
            self._model.sharpen(self.best)
        model = self._model
        ceiling = self.reached / self._scale * (1.0 + _SOLVER)
        solved = model.minimise(
            self.best, self.bound / self._scale * (1.0 - _SOLVER), ceiling, self._effort.gap / 4.0,
            self._effort.nodes - self._nodes, self._look,
        )  # fmt: skip
        self._nodes += solved.nodes
        proven = ceiling if solved.infeasible else min(solved.bound, ceiling)
        before = self.bound
        self.bound = min(max(before, proven * self._scale * (1.0 - _SOLVER)), self.reached)
        if solved.values is None:
            self._stuck = True
            return
        starts = model.starts(solved.values, self.best)
        if not model.positioned and self._problem.pack(self._problem.wants(starts)) is None:
            model.add_positions()
            return
        shown = float(solved.values[0]) * self._scale
        exact = self._value(starts) <= shown * (1.0 + EQUAL / 4.0)
        self._stuck = exact and self.bound <= before * (1.0 + EQUAL / 4.0)
        model.sharpen(starts)
        slots = model.slots(solved.values, starts) if model.positioned else None
        self._take(starts, slots)
        if self._problem.pack(self._problem.wants(starts)) is not None:
            self._take(self._search.descend(starts), None)

    def _take(self, starts: IntArray, slots: Slots | None) -> None:
        value = self._value(starts)
        if value < self.reached * (1.0 - 1e-12):
            self.best, self.reached, self.slots = starts, value, slots
            assert self._model is not None
            self._model.sharpen(starts)

    def _look(self, nodes: int, bound: float) -> bool:
        if self._progress is not None and nodes != self._reported:
            self._reported = nodes
            proven = max(self.bound, bound * self._scale) if np.isfinite(bound) else self.bound
            self._progress(
                Progress(self._nodes + nodes, self._effort.nodes, self.reached,
                         min(proven, self.reached))
            )  # fmt: skip
        return self._watch.stopped()
