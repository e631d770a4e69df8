"""The best choice there is, with the proof: rounds of a mixed-integer program."""

from __future__ import annotations

import numpy as np

from facility.core.kinds import FloatArray
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.effort import (
    EQUAL,
    Effort,
    Progress,
    ProgressCall,
    Status,
    Watch,
    ended,
)
from facility.power.panels.balance.lines import TIE, IntArray
from facility.power.panels.balance.program import ChoiceModel
from facility.power.panels.balance.search import ChoiceSearch
from facility.power.panels.board.pack import Slots

_SOLVER = 1e-7
"""Fraction taken off every bound of the solver, which works to finite tolerances."""

_EVEN_NODES = 200
"""What evens out does so within 100 nodes on every panel tried; the rest is for other panels."""

_EVEN_ROUNDS = 20


class Rounds:
    """Rounds of a program, each sharper than the one before.

    Each solves the program of `ChoiceModel` and adds the tangents at what it found; the largest
    bound of a round holds for the panelboards. They end when the best choice is within the gap of
    it, or when the limits of `effort` are reached.

    choices, search: Options, and the search among them.
    start: Choice that fits.
    floor: Bound known already.
    effort, watch: Limits.
    progress: Called with a `Progress`.

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
        choices: Choices,
        search: ChoiceSearch,
        start: IntArray,
        floor: float,
        effort: Effort,
        watch: Watch,
        progress: ProgressCall | None,
    ) -> None:
        self._choices, self._search = choices, search
        self._effort, self._watch, self._progress = effort, watch, progress
        self.best = start
        self.values: FloatArray | None = None
        self.reached = search.peak(start)
        self.bound = floor if choices.size else self.reached
        self._nodes = 0
        self._stuck = False
        self._reported = -1
        self._scale = self.reached or 1.0
        self._model: ChoiceModel | None = None

    @property
    def status(self) -> Status:
        """Why the rounds ended."""
        return ended(self.reached, self.bound, self._effort, self._watch)

    @property
    def slots(self) -> list[Slots] | None:
        """Positions of the best choice, where only the program knows them."""
        if self.values is None or self._model is None or self._choices.fits(self.best):
            return None
        return self._model.slots(self.values, self.best)

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
            self._model = ChoiceModel(self._choices, self._scale)
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
        if not model.positioned and not self._choices.fits(starts):
            model.add_positions()
            return
        shown = float(solved.values[0]) * self._scale
        exact = self._search.peak(starts) <= shown * (1.0 + EQUAL / 4.0)
        self._stuck = exact and self.bound <= before * (1.0 + EQUAL / 4.0)
        model.sharpen(starts)
        self._take(starts, solved.values if model.positioned else None)
        if self._choices.fits(starts):
            self._take(self._search.descend(starts), None)

    def most_even(self, choice: IntArray, limit: float) -> IntArray:
        """Return `choice`, or a more even one whose peak is not above `limit`.

        Where the effort was enough for the proof, at most `_EVEN_NODES` nodes more are spent on it;
        none where the positions are known to the program alone.
        """
        choices, search = self._choices, self._search
        near = TIE * float(np.abs(choices.totals(choice)[0]).mean())
        nodes = min(_EVEN_NODES, self._effort.nodes)
        if (
            self._nodes >= self._effort.nodes
            or self._uneven(choice) <= near
            or self._watch.stopped()
        ):
            return choice
        model = self._model or ChoiceModel(choices, self._scale)
        model.sharpen(choice)
        model.aim_even(limit / self._scale, near / self._scale / 4.0)
        seen: set[bytes] = set()
        while nodes > 0:
            solved = model.most_even(choice, nodes, lambda *_: self._watch.stopped())
            nodes -= solved.nodes + _EVEN_NODES // _EVEN_ROUNDS
            if solved.values is None:
                break
            found = model.starts(solved.values, choice)
            if found.tobytes() in seen:
                break
            if not choices.fits(found):
                if model.positioned:
                    break
                model.add_positions()
                continue
            seen.add(found.tobytes())
            model.sharpen(found)
            model.sharpen_even(found)
            if search.peak(found) <= limit and self._uneven(found) < self._uneven(choice):
                choice = found
            if self._uneven(choice) <= solved.bound * self._scale + near:
                break
        return choice

    def _uneven(self, choice: IntArray) -> float:
        """Return what `ChoiceModel.aim_even` makes least."""
        return float(np.abs(self._choices.even_forms(self._choices.totals(choice))).max())

    def _take(self, starts: IntArray, values: FloatArray | None) -> None:
        value = self._search.peak(starts)
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
