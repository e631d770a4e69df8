"""Search among the options of units: descent by moves and exchanges, restarted from kicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.groups.choice import Choices
from facility.power.panels.search.descent import TIE, IntArray, peak

ALL_CHOICES_UP_TO = 20_000
"""As many choices are all looked at."""

_SMOOTH = 1e-3
_ATTEMPTS = 60
_CLOSE = 1e-12
_Score = Callable[[ComplexArray], FloatArray]


class ChoiceSearch:
    """Local search among choices that fit.

    Parameters
    ----------
    choices : Choices
        Options.
    ties : bool
        Whether peaks that differ by less than `TIE` count as equal, to be told apart by the
        measure of the choices.
    """

    def __init__(self, choices: Choices, *, ties: bool) -> None:
        self._choices = choices
        self.tie = TIE if ties else 1e-9
        first, second = np.triu_indices(choices.size, k=1)
        same = choices.shape[first] == choices.shape[second]
        self._first, self._second = first[same], second[same]
        sizes = np.abs(choices.parts).max(axis=(1, 2), initial=0.0)
        total = np.abs(choices.totals(choices.first[:-1])).sum(axis=-1).max(initial=0.0)
        self._scale = float(total) / choices.base.shape[1] or 1.0
        self._sizes = np.array([sizes[unit] for unit in choices.first[:-1]])

    def construct(self) -> IntArray | None:
        """Return a choice that fits, longest runs and largest loads first; None if none is met."""
        rows = np.array(
            [
                abs(option.want[0]) if option.want else 99
                for option in (self._choices.options[k] for k in self._choices.first[:-1])
            ],
            dtype=float,
        )
        crowd = self._choices.marks[self._choices.first[:-1]].sum(axis=1)
        order = np.lexsort((-self._sizes, -rows, -crowd))
        rng = np.random.default_rng(0)
        for _ in range(_ATTEMPTS):
            choice = self._greedy(order)
            if choice is not None:
                return choice
            noise = rng.uniform(0.5, 1.5, len(rows))
            order = np.lexsort((-self._sizes, -rows * noise))
        return None

    def _greedy(self, order: IntArray) -> IntArray | None:
        choices = self._choices
        taken = np.full(choices.size, -1, dtype=np.int64)
        total = choices.base.copy()
        for unit in order:
            options = np.arange(choices.first[unit], choices.first[unit + 1])
            rise = self._smooth(total + choices.parts[options])
            for option in options[np.argsort(rise, kind="stable")]:
                taken[unit] = option
                if choices.fits(taken[taken >= 0]):
                    break
            else:
                return None
            total = total + choices.parts[taken[unit]]
        return taken

    def _smooth(self, totals: ComplexArray) -> FloatArray:
        squares = (totals.real**2 + totals.imag**2).mean(axis=(-2, -1))
        return np.asarray(peak(totals) / self._scale + _SMOOTH * squares / self._scale**2)

    def descend(self, choice: IntArray) -> IntArray:
        """Return the local optimum reached by the best move or exchange at a time."""
        return self._descend(choice, self._smooth)

    def even_out(self, choice: IntArray, limit: float) -> IntArray:
        """Return the most even choice found that keeps the peak below `limit`."""

        def score(totals: ComplexArray) -> FloatArray:
            uneven = self._choices.measure(totals)
            return np.asarray(np.where(peak(totals) <= limit, uneven, np.inf))

        return self._descend(choice, score)

    def _descend(self, choice: IntArray, score: _Score) -> IntArray:
        while (better := self._best_step(choice, score)) is not None:
            choice = better
        return choice

    def _best_step(self, choice: IntArray, score: _Score) -> IntArray | None:
        choices = self._choices
        totals = choices.totals(choice)
        least = float(score(totals)) * (1.0 - _CLOSE) - 1e-15
        own = choices.parts[choice]
        moves = score(totals - own[choices.unit] + choices.parts)
        i, j = self._exchangeable(choice)
        to_i, to_j = self._exchanged(choice, i, j)
        swaps = score(totals - own[i] - own[j] + choices.parts[to_i] + choices.parts[to_j])
        values = np.concatenate([moves, swaps])
        better = np.flatnonzero(values < least)
        for number in better[np.argsort(values[better], kind="stable")]:
            trial = choice.copy()
            if number < len(moves):
                trial[choices.unit[number]] = number
            else:
                k = number - len(moves)
                trial[i[k]], trial[j[k]] = to_i[k], to_j[k]
            if choices.fits(trial):
                return trial
        return None

    def _exchangeable(self, choice: IntArray) -> tuple[IntArray, IntArray]:
        local = choice - self._choices.first[:-1]
        differ = local[self._first] != local[self._second]
        return self._first[differ], self._second[differ]

    def _exchanged(self, choice: IntArray, i: IntArray, j: IntArray) -> tuple[IntArray, IntArray]:
        first = self._choices.first
        return first[i] + choice[j] - first[j], first[j] + choice[i] - first[i]

    def improve(
        self, choice: IntArray, kicks: int, stop: Callable[[float], bool] | None = None
    ) -> IntArray:
        """Return the best choice found from `choice` by `kicks` seeded disturbances.

        Where they are few all choices are looked at instead. `stop` is asked before every kick,
        with the least peak so far.
        """
        if np.prod(np.diff(self._choices.first).astype(float)) <= ALL_CHOICES_UP_TO:
            return self._best_of_all(choice)
        rng = np.random.default_rng(0)
        here = self.descend(choice)
        found, best = [here], self._peak(here)
        for _ in range(kicks):
            if stop is not None and stop(best):
                break
            there = self.descend(self._kicked(here, rng))
            value = self._peak(there)
            found.append(there)
            if value <= best:
                best, here = value, there
        limit = best * (1.0 + self.tie)
        near = sorted((c for c in found if self._peak(c) <= limit), key=self._measure)
        return min((self.even_out(c, limit) for c in near[:3]), key=self._measure)

    def _peak(self, choice: IntArray) -> float:
        return float(peak(self._choices.totals(choice)))

    def _measure(self, choice: IntArray) -> float:
        return float(self._choices.measure(self._choices.totals(choice)))

    def _best_of_all(self, choice: IntArray) -> IntArray:
        choices = self._choices
        ranges = [range(a, b) for a, b in zip(choices.first, choices.first[1:], strict=False)]
        every = np.array(list(product(*ranges)), dtype=np.int64).reshape(-1, choices.size)
        totals = np.broadcast_to(choices.base, (len(every), *choices.base.shape)).copy()
        for unit in range(choices.size):
            totals += choices.parts[every[:, unit]]
        peaks, uneven = peak(totals), choices.measure(totals)
        limit, best, least = np.inf, choice, np.inf
        for index in np.argsort(peaks, kind="stable"):
            if peaks[index] > limit:
                break
            if uneven[index] < least and choices.fits(every[index]):
                limit = min(limit, float(peaks[index]) * (1.0 + self.tie))
                best, least = every[index], float(uneven[index])
        return best

    def _kicked(self, choice: IntArray, rng: np.random.Generator) -> IntArray:
        choices = self._choices
        choice = choice.copy()
        for trial in self._disturbed(choice, rng):
            if choices.fits(trial):
                choice[:] = trial
        return choice

    def _disturbed(self, choice: IntArray, rng: np.random.Generator) -> Iterator[IntArray]:
        """Yield three exchanges and one move, each from what became of the one before."""
        for _ in range(3):
            if len(self._first):
                pick = int(rng.integers(0, len(self._first)))
                i, j = self._first[pick : pick + 1], self._second[pick : pick + 1]
                trial = choice.copy()
                (trial[i], trial[j]) = self._exchanged(choice, i, j)
                yield trial
        option = int(rng.integers(0, len(self._choices.unit)))
        trial = choice.copy()
        trial[self._choices.unit[option]] = option
        yield trial

    def settle(self, choice: IntArray, given: IntArray, limit: float = 0.0) -> IntArray:
        """Return a choice as good as `choice` with as many units as possible left as given.

        As good is a peak not above that of `choice`, or `limit`, and no more of the measure. A
        given option of -1 is none.
        """
        limit = max(limit, self._peak(choice)) * (1.0 + 1e-9)
        uneven = self._measure(choice) + 1e-9
        while (closer := self._closer(choice, given, limit, uneven)) is not None:
            choice = closer
        return choice

    def _closer(
        self, choice: IntArray, given: IntArray, limit: float, uneven: float
    ) -> IntArray | None:
        i, j = self._exchangeable(choice)
        to_i, to_j = self._exchanged(choice, i, j)
        before = (choice[i] == given[i]).astype(int) + (choice[j] == given[j])
        after = (to_i == given[i]).astype(int) + (to_j == given[j])
        trials = []
        for k in np.flatnonzero(after > before):
            trial = choice.copy()
            trial[i[k]], trial[j[k]] = to_i[k], to_j[k]
            trials.append(trial)
        for unit in np.flatnonzero((choice != given) & (given >= 0)):
            trial = choice.copy()
            trial[unit] = given[unit]
            trials.append(trial)
        for trial in trials:
            good = self._peak(trial) <= limit and self._measure(trial) <= uneven
            if good and self._choices.fits(trial):
                return trial
        return None
