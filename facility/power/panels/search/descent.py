"""Search for the phase of every load: descent by moves and swaps, restarted from seeded kicks.

A load may start on one of three phases; each choice adds known phasors to the lines of the panel
in every state. The search knows nothing of positions but one question: whether, and where, breakers
of given poles and start phases fit the panel together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.board.pack import ANY, Slots, Want

IntArray = NDArray[np.int64]
Pack = Callable[[Counter[Want]], Slots | None]
_Measure = Callable[[ComplexArray], FloatArray]

TIE = 1e-3
"""Largest values that differ by less than this fraction count as equal."""

_EXACT = 7
"""Largest number of loads whose 3^n arrangements are all looked at."""

_SMOOTH = 1e-3


@dataclass(frozen=True)
class Problem:
    """Loads to be given a start phase.

    Attributes
    ----------
    parts : ndarray, shape (n, 3, states, 3)
        What load i adds to lines A, B, C in each state when it starts on phase p: phasor
        currents, or schedule VA.
    base : ndarray, shape (states, 3)
        What fixed and rotation-free loads add.
    poles : ndarray, shape (n,)
        Poles of each load; loads of equal poles may exchange their phases.
    free : ndarray, shape (n,)
        Whether the start phase is the load's own affair (outlet banks of a rack PDU), so that it
        does not touch the positions.
    pack : callable
        Positions for breakers of given (poles, start phase), None where they do not fit.
    phase : callable
        Phase of a position.
    """

    parts: ComplexArray
    base: ComplexArray
    poles: IntArray
    free: NDArray[np.bool_]
    pack: Pack
    phase: Callable[[int], int]

    @property
    def size(self) -> int:
        """Number of loads."""
        return len(self.poles)

    def totals(self, starts: IntArray) -> ComplexArray:
        """Return the sum over all loads by state and line."""
        chosen = self.parts[np.arange(self.size), starts]
        return np.asarray(self.base + chosen.sum(axis=0))

    def wants(self, starts: IntArray) -> Counter[Want]:
        """Return how many breakers of each sort the positions must hold."""
        return Counter(
            (int(k), int(p))
            for k, p, free in zip(self.poles, starts, self.free, strict=True)
            if not free
        )

    def feasible_move(self, starts: IntArray, load: int, start: int) -> bool:
        """Return whether the panel still holds all breakers when `load` starts on `start`."""
        if self.free[load]:
            return True
        wants = self.wants(starts)
        wants[int(self.poles[load]), int(starts[load])] -= 1
        wants[int(self.poles[load]), start] += 1
        return self.pack(+wants) is not None


def peak(totals: ComplexArray) -> FloatArray:
    """Return the largest magnitude over states and lines (the last two axes)."""
    return np.asarray(np.abs(totals).max(axis=(-2, -1)))


def unevenness(totals: ComplexArray) -> FloatArray:
    """Return the imbalance of the normal state: max deviation from the mean over the mean."""
    lines = np.abs(totals[..., 0, :])
    mean = lines.mean(axis=-1)
    deviation = np.abs(lines - mean[..., None]).max(axis=-1)
    return np.asarray(np.where(mean > 0.0, deviation / np.where(mean > 0.0, mean, 1.0), 0.0))


def neutral_then_imbalance(totals: ComplexArray) -> FloatArray:
    """Return what tells equal peaks apart: neutral current, then imbalance, of the normal state.

    The neutral current, over the mean line current, counts in steps of `TIE`, so that amperes
    nobody can measure do not outweigh an imbalance; the imbalance, at most 2, counts within a step.
    """
    lines = totals[..., 0, :]
    mean = np.abs(lines).mean(axis=-1)
    neutral = np.abs(lines.sum(axis=-1))
    share = np.where(mean > 0.0, neutral / np.where(mean > 0.0, mean, 1.0), 0.0)
    return np.asarray(TIE * np.ceil(share / TIE - 1e-6) + TIE / 4.0 * unevenness(totals))


def _smooth_peak(totals: ComplexArray, scale: float) -> FloatArray:
    squares = (totals.real**2 + totals.imag**2).mean(axis=(-2, -1))
    return np.asarray(peak(totals) / scale + _SMOOTH * squares / scale**2)


def _pairs(problem: Problem) -> tuple[IntArray, IntArray]:
    first, second = np.triu_indices(problem.size, k=1)
    same = (problem.poles[first] == problem.poles[second]) & (
        problem.free[first] == problem.free[second]
    )
    return first[same], second[same]


class Search:
    """Local search on one problem.

    Parameters
    ----------
    problem : Problem
        Loads and lines.
    ties : bool
        Whether peaks that differ by less than `TIE` count as equal, to be told apart by
        `neutral_then_imbalance`: the loads are phasor currents. Otherwise only equal peaks are
        told apart, by imbalance.
    floor : float
        Bound no peak is below. Where a peak within the tie of it is found, no peak beyond that
        counts as equal.
    """

    def __init__(self, problem: Problem, *, ties: bool = True, floor: float = 0.0) -> None:
        self._problem = problem
        self.tie = TIE if ties else 1e-9
        self._floor = floor
        self._measure: _Measure = neutral_then_imbalance if ties else unevenness
        self._pairs = _pairs(problem)
        total = np.abs(problem.totals(np.zeros(problem.size, dtype=np.int64)))
        self._scale = float(total.mean(axis=-1).max()) or 1.0

    def anyhow(self) -> IntArray:
        """Return the starts of the first packing found, loads in the order given."""
        problem = self._problem
        sorts = [(int(k), ANY) for k in problem.poles[~problem.free]]
        slots = problem.pack(Counter(sorts)) or {}
        left = {sort: iter(slots[sort]) for sort in set(sorts)}
        starts = np.zeros(problem.size, dtype=np.int64)
        for load in np.flatnonzero(~problem.free):
            starts[load] = problem.phase(next(left[int(problem.poles[load]), ANY]))
        return starts

    def longest_first(self) -> IntArray | None:
        """Return starts by the greedy rule: largest load first, to the phase that rises least.

        Only phases that leave a packing for all loads to come are taken; None where that fails.
        """
        problem = self._problem
        starts = np.zeros(problem.size, dtype=np.int64)
        size = np.abs(problem.parts).max(axis=(1, 2, 3))
        decided: Counter[Want] = Counter()
        pending = Counter(
            (int(k), ANY) for k, free in zip(problem.poles, problem.free, strict=True) if not free
        )
        total = problem.base.copy()
        for load in sorted(range(problem.size), key=lambda i: (-size[i], i)):
            poles = int(problem.poles[load])
            if not problem.free[load]:
                pending[poles, ANY] -= 1
            rise = _smooth_peak(total + problem.parts[load], self._scale)
            for start in (int(s) for s in np.argsort(rise, kind="stable")):
                trial = decided + pending + Counter({(poles, start): 1})
                if problem.free[load] or problem.pack(trial) is not None:
                    break
            else:
                return None
            starts[load] = start
            if not problem.free[load]:
                decided[poles, start] += 1
            total = total + problem.parts[load, start]
        return starts

    def descend(self, starts: IntArray) -> IntArray:
        """Return the local optimum reached by the best move or swap at a time."""
        return self._descend(starts, lambda totals: _smooth_peak(totals, self._scale))

    def tied(self, best: float) -> float:
        """Return the largest peak that counts as equal to the least one found, `best`."""
        of_floor = self._floor * (1.0 + self.tie)
        return of_floor if best <= of_floor else best * (1.0 + self.tie)

    def measure(self, starts: IntArray) -> float:
        """Return what tells `starts` from others of equal peak; the least is the best."""
        return float(self._measure(self._problem.totals(starts)))

    def even_out(self, starts: IntArray, limit: float) -> IntArray:
        """Return starts with the least `measure` found that keeps the peak below `limit`."""

        def score(totals: ComplexArray) -> FloatArray:
            return np.asarray(np.where(peak(totals) <= limit, self._measure(totals), np.inf))

        return self._descend(starts, score)

    def _descend(self, starts: IntArray, score: _Measure) -> IntArray:
        starts = starts.copy()
        totals = self._problem.totals(starts)
        value = float(score(totals))
        while True:
            step = self._best_step(starts, totals, value, score)
            if step is None:
                return starts
            for load, start in step:
                starts[load] = start
            totals = self._problem.totals(starts)
            value = float(score(totals))

    def _best_step(
        self,
        starts: IntArray,
        totals: ComplexArray,
        value: float,
        score: _Measure,
    ) -> tuple[tuple[int, int], ...] | None:
        problem = self._problem
        least = value * (1.0 - 1e-12) - 1e-15
        step: tuple[tuple[int, int], ...] | None = None
        own = problem.parts[np.arange(problem.size), starts]
        first, second = self._pairs
        apart = starts[first] != starts[second]
        first, second = first[apart], second[apart]
        if len(first):
            after = (
                totals
                - own[first]
                - own[second]
                + problem.parts[first, starts[second]]
                + problem.parts[second, starts[first]]
            )
            values = score(after)
            best = int(values.argmin())
            if values[best] < least:
                least = float(values[best])
                i, j = int(first[best]), int(second[best])
                step = ((i, int(starts[j])), (j, int(starts[i])))
        values = score(totals - own[:, None] + problem.parts)
        for flat in np.argsort(values, axis=None, kind="stable"):
            load, start = divmod(int(flat), 3)
            if values[load, start] >= least:
                break
            if problem.feasible_move(starts, load, start):
                return ((load, start),)
        return step

    def improve(
        self, starts: IntArray, kicks: int, stop: Callable[[float], bool] | None = None
    ) -> IntArray:
        """Return the best starts found from `starts` by `kicks` seeded disturbances.

        The best has the least peak; peaks within the tie of it are told apart by `measure`. Few
        loads are looked at in all arrangements instead. `stop` is asked before every kick, with
        the least peak so far.
        """
        if self._problem.size <= _EXACT:
            return self._best_of_all(starts)
        rng = np.random.default_rng(0)
        here = self.descend(starts)
        found = [here]
        best = float(peak(self._problem.totals(here)))
        for _ in range(kicks):
            if stop is not None and stop(best):
                break
            there = self.descend(self._kicked(here, rng))
            value = float(peak(self._problem.totals(there)))
            found.append(there)
            if value <= best:
                best, here = value, there
        return self._most_even(found, best)

    def _best_of_all(self, starts: IntArray) -> IntArray:
        problem = self._problem
        every = np.array(list(product(range(3), repeat=problem.size)), dtype=np.int64)
        totals = problem.base + problem.parts[np.arange(problem.size), every].sum(axis=1)
        peaks, uneven = peak(totals), self._measure(totals)
        limit = np.inf
        best, least = starts, np.inf
        for index in np.argsort(peaks, kind="stable"):
            if peaks[index] > limit:
                break
            if uneven[index] < least and problem.pack(problem.wants(every[index])) is not None:
                limit = min(limit, self.tied(float(peaks[index])))
                best, least = every[index], float(uneven[index])
        return best

    def _kicked(self, starts: IntArray, rng: np.random.Generator) -> IntArray:
        starts = starts.copy()
        first, second = self._pairs
        if len(first):
            for pick in rng.integers(0, len(first), size=3):
                i, j = first[pick], second[pick]
                starts[i], starts[j] = starts[j], starts[i]
        load, start = int(rng.integers(0, self._problem.size)), int(rng.integers(0, 3))
        if self._problem.feasible_move(starts, load, start):
            starts[load] = start
        return starts

    def _most_even(self, found: list[IntArray], best: float) -> IntArray:
        limit = self.tied(best)
        near = [s for s in found if peak(self._problem.totals(s)) <= limit]
        ranked = sorted(near, key=self.measure)
        return min((self.even_out(s, limit) for s in ranked[:3]), key=self.measure)

    def settle(self, starts: IntArray, given: IntArray, limit: float = 0.0) -> IntArray:
        """Return starts as good as `starts` with as many loads as possible left as given.

        The phases are renamed in turn where that costs nothing, then equal loads change back. As
        good is a peak not above that of `starts`, or `limit`, and no more of `measure`.
        """
        totals = self._problem.totals(starts)
        limit = max(limit, float(peak(totals))) * (1.0 + 1e-9)
        uneven = float(self._measure(totals)) + 1e-9

        def as_good(trial: IntArray) -> bool:
            totals = self._problem.totals(trial)
            good = float(peak(totals)) <= limit and float(self._measure(totals)) <= uneven
            return good and self._problem.pack(self._problem.wants(trial)) is not None

        kept = [s for turn in range(3) if as_good(s := (starts + turn) % 3)]
        here = max(kept or [starts], key=lambda s: int((s == given).sum()))
        while (better := self._closer(here, given, as_good)) is not None:
            here = better
        return here

    def _closer(
        self, here: IntArray, given: IntArray, as_good: Callable[[IntArray], bool]
    ) -> IntArray | None:
        first, second = self._pairs
        before = (here[first] == given[first]).astype(int) + (here[second] == given[second])
        after = (here[second] == given[first]).astype(int) + (here[first] == given[second])
        for index in np.argsort(before - after, kind="stable"):
            if after[index] <= before[index]:
                break
            trial = here.copy()
            i, j = first[index], second[index]
            trial[i], trial[j] = here[j], here[i]
            if as_good(trial):
                return trial
        for load in np.flatnonzero(here != given):
            trial = here.copy()
            trial[load] = given[load]
            if as_good(trial):
                return trial
        return None
