"""Search over the options of units: descent by moves and exchanges, restarted from kicks.

A search evaluates hundreds of steps to take one. The squared lines after all of them are cheap, and
bound the improvement of each step; only the most promising are evaluated exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.core.rounding import ROUNDING, reaches, rising, rounded, within
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.lines import TIE, IntArray, peak, rounded_scores
from facility.power.panels.board.pack import ANY, Want


class Score(Protocol):
    """Objective of a search, to be minimised."""

    slack: float
    """Maximum difference between the score and the rough score."""

    def __call__(self, totals: ComplexArray) -> FloatArray:
        """Return the score of lines by state (last two axes)."""

    def rough(self, squares: FloatArray) -> FloatArray:
        """Return a lower bound of the score from the squared lines of all states (first axis)."""


class Steps:
    """Moves and exchanges of the units of `choices`, by index: exchanges, then options.

    Attributes
    ----------
    first, second : ndarray of int
        Units of every pair that may exchange their options.
    """

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        first, second = np.triu_indices(choices.size, k=1)
        same = choices.shape[first] == choices.shape[second]
        self.first, self.second = first[same], second[same]
        self._first_of_first = choices.first[self.first]
        self._first_of_second = choices.first[self.second]
        self._lines = choices.base.size
        self._parts = _real(choices.parts.reshape(-1, self._lines))

    def exchanged(self, choice: IntArray, i: IntArray, j: IntArray) -> tuple[IntArray, IntArray]:
        """Return the options of units `i` and `j` after an exchange."""
        first = self._choices.first
        return first[i] + choice[j] - first[j], first[j] + choice[i] - first[i]

    def differing(self, choice: IntArray) -> tuple[IntArray, IntArray]:
        """Return the pairs of units with different options."""
        local = choice - self._choices.first[:-1]
        differ = local[self.first] != local[self.second]
        return self.first[differ], self.second[differ]

    def better(
        self, choice: IntArray, totals: ComplexArray, score: Score, threshold: float
    ) -> Iterator[IntArray]:
        """Yield the choices one step away whose score is below `threshold`, best first.

        `totals` are the line values of `choice`.
        """
        rough = score.rough(self._squares(choice, totals))
        open_ = (rough < threshold).nonzero()[0]
        while len(open_):
            first = float(rough[open_].min())
            near = rough[open_] <= first + score.slack
            some, open_ = open_[near], open_[~near]
            if len(some) > 1 or first + score.slack >= threshold:
                values = score(self._totals(choice, totals, some))
                order = np.argsort(rounded_scores(values), kind="stable")
                some = some[order[values[order] < threshold]]
            for number in some.tolist():
                yield self._taken(choice, number)

    def _squares(self, choice: IntArray, totals: ComplexArray) -> FloatArray:
        """Return the squared lines after each step, by state and line, then step."""
        choices = self._choices
        local = choice - choices.first[:-1]
        change = self._parts - _picked(_picked(self._parts, choice), choices.unit)
        moves = change + _real(totals.reshape(1, -1))
        swaps = _picked(moves, self._first_of_first + local.take(self.second))
        swaps += _picked(change, self._first_of_second + local.take(self.first))
        squares = [
            after[: self._lines] ** 2 + after[self._lines :] ** 2 for after in (swaps, moves)
        ]
        return np.concatenate(squares, axis=1)

    def _totals(self, choice: IntArray, totals: ComplexArray, numbers: IntArray) -> ComplexArray:
        """Return the lines after each of some steps."""
        choices = self._choices
        pairs = len(self.first)
        parts = choices.parts
        own = parts[choice]
        lines = np.empty((len(numbers), *totals.shape), dtype=np.complex128)
        swap = numbers < pairs
        i, j = self.first[numbers[swap]], self.second[numbers[swap]]
        to_i, to_j = self.exchanged(choice, i, j)
        lines[swap] = totals - own[i] - own[j] + parts[to_i] + parts[to_j]
        option = numbers[~swap] - pairs
        lines[~swap] = totals - own[choices.unit[option]] + parts[option]
        return lines

    def _taken(self, choice: IntArray, number: int) -> IntArray:
        trial = choice.copy()
        pairs = len(self.first)
        if number < pairs:
            i, j = self.first[number], self.second[number]
            trial[i], trial[j] = self.exchanged(choice, i, j)
        else:
            trial[self._choices.unit[number - pairs]] = number - pairs
        return trial


def _picked(columns: FloatArray, numbers: IntArray) -> FloatArray:
    """Return some columns; indices are in range, so `clip` only avoids a copy."""
    return columns.take(numbers, axis=1, mode="clip")


def _real(lines: ComplexArray) -> FloatArray:
    """Return the real parts of lines (last axis), then the imaginary ones, as first axis."""
    return np.ascontiguousarray(np.concatenate([lines.real, lines.imag], axis=-1).T)


ALL_CHOICES_UP_TO = 20_000
"""Up to this number all choices are evaluated."""

_SMOOTH = 1e-3
_ATTEMPTS = 60
_EVEN_KICKS = 10
"""Fraction of the kicks used for the secondary objective."""

_CLOSE = 1e-12
_NOISE = 1e-11
"""Smaller gains are rounding, as is `_OVER`: such steps could cycle forever."""

_OVER = 1e3
"""Penalty factor of a peak above its limit, relative to the secondary objective."""

_ROUNDING = 1e-13
"""Rounding tolerance of scores evaluated in another order, with lines of order one."""


class _Smooth:
    """Largest line plus a small fraction of all lines, over `scale`: objective of a descent."""

    slack = 2.0 * _ROUNDING

    def __init__(self, scale: float) -> None:
        self._scale = scale

    def __call__(self, totals: ComplexArray) -> FloatArray:
        squares = (totals.real**2 + totals.imag**2).sum(axis=(-2, -1))
        squares /= totals.shape[-2] * totals.shape[-1]
        return np.asarray(peak(totals) / self._scale + _SMOOTH * squares / self._scale**2)

    def rough(self, squares: FloatArray) -> FloatArray:
        largest = np.sqrt(squares.max(axis=0)) / self._scale
        rest = squares.sum(axis=0) * (_SMOOTH / len(squares) / self._scale**2)
        return np.asarray(largest + rest - _ROUNDING)


class _Even:
    """Secondary objective, with a penalty for a peak above `limit` that exceeds all of it."""

    slack = np.inf

    def __init__(self, choices: Choices, limit: float) -> None:
        self._choices, self._limit = choices, limit

    def __call__(self, totals: ComplexArray) -> FloatArray:
        over = np.maximum(0.0, peak(totals) / self._limit - 1.0)
        return np.asarray(self._choices.measure(totals) + _OVER * over)

    def rough(self, squares: FloatArray) -> FloatArray:
        over = np.sqrt(squares.max(axis=0)) / self._limit - 1.0
        return np.asarray(_OVER * (np.maximum(0.0, over) - _ROUNDING))


class ChoiceSearch:
    """Local search over feasible choices.

    choices: Options.
    ties: Whether peaks within `TIE` count as equal and are ranked by the secondary objective of
        the choices.
    floor: Lower bound of the peak. If a peak within the tie of it is found, no peak above that
        counts as equal.

    Attributes
    ----------
    lowest : ndarray of int or None
        Choice with the lowest peak found by kicks, ignoring ties.
    """

    def __init__(self, choices: Choices, *, ties: bool, floor: float = 0.0) -> None:
        self._choices = choices
        self._tie = TIE if ties else 1e-9
        self._floor = floor
        self._steps = Steps(choices)
        self.lowest: IntArray | None = None
        self._turns: dict[tuple[object, ...], int] = {}
        self._pending: list[Want | None] = []
        sizes = np.abs(choices.parts).max(axis=(1, 2), initial=0.0)
        total = np.abs(choices.totals(choices.first[:-1])).sum(axis=-1).max(initial=0.0)
        self._scale = float(total) / choices.base.shape[1] or 1.0
        self._sizes = np.maximum.reduceat(sizes, choices.first[:-1]) if choices.size else sizes

    def construct(self) -> IntArray | None:
        """Return a feasible choice, longest runs and largest loads first; None if none is found."""
        options = [self._choices.options[k] for k in self._choices.first[:-1]]
        one = len(self._choices.units.panels) == 1
        single = [len(unit.members) == 1 for unit in self._choices.units.units]
        self._pending = [
            (option.want[0], ANY) if one and alone and option.want else None
            for option, alone in zip(options, single, strict=True)
        ]
        rows = np.array([abs(option.want[0]) if option.want else 99 for option in options])
        first = np.where([want is None for want in self._pending], rows, 0)
        crowd = self._choices.marks[self._choices.first[:-1]].sum(axis=1)
        order = np.lexsort((-rounded_scores(self._sizes / self._scale), -first, -crowd))
        rng = np.random.default_rng(0)
        for _ in range(_ATTEMPTS):
            choice = self._greedy(order)
            if choice is not None:
                return choice
            noise = rng.uniform(0.5, 1.5, len(rows))
            order = np.lexsort((-rounded_scores(self._sizes / self._scale), -rows * noise))
        return self._anyhow()

    def _anyhow(self) -> IntArray | None:
        """Return the choice of the first packing of single breakers; None if there is none."""
        choices, units = self._choices, self._choices.units
        wants = [want for want in self._pending if want is not None]
        found = choices.slots(np.zeros(0, dtype=np.int64), Counter(wants))
        if found is None or len(wants) < choices.size:
            return None
        left = {want: iter(slots) for want, slots in found[0].items()}
        phases = [units.panels[0].layout.phase(next(left[want])) for want in wants]
        offered = zip(choices.first[:-1], units.units, phases, strict=True)
        choice = np.array(
            [
                first + next((k for k, o in enumerate(u.options) if o.starts[0] == phase), 0)
                for first, u, phase in offered
            ],
            dtype=np.int64,
        )
        return choice if choices.fits(choice) else None

    def _greedy(self, order: IntArray) -> IntArray | None:
        """Return units in `order`, each with the option of smallest increase of the line currents.

        Remaining breakers must fit on any phase.
        """
        choices = self._choices
        taken = np.full(choices.size, -1, dtype=np.int64)
        total = choices.base.copy()
        pending = Counter(want for want in self._pending if want is not None)
        for unit in order:
            if (want := self._pending[unit]) is not None:
                pending[want] -= 1
            # Of equal starts, mainly on empty lines, the one after the first: any is equivalent
            # here, and from it the published panels reach their minimum neutral current.
            options = np.roll(np.arange(choices.first[unit], choices.first[unit + 1]), -1)
            rise = _Smooth(self._scale)(total + choices.parts[options])
            for option in options[np.argsort(rounded_scores(rise), kind="stable")]:
                taken[unit] = option
                there = taken[taken >= 0]
                if choices.apart(there) and choices.slots(there, +pending) is not None:
                    break
            else:
                return None
            total = total + choices.parts[taken[unit]]
        return taken

    def descend(self, choice: IntArray) -> IntArray:
        """Return the local optimum reached by the best move or exchange at each step."""
        return self._descend(choice, _Smooth(self._scale))

    def even_out(self, choice: IntArray, limit: float) -> IntArray:
        """Return the most even choice found whose peak is at most `limit`.

        A choice with a higher peak is first reduced to the limit, as far as possible.
        """
        return self._descend(choice, _Even(self._choices, limit or 1.0), _NOISE)

    def _descend(self, choice: IntArray, score: Score, gain: float = 1e-15) -> IntArray:
        choices = self._choices
        better: IntArray | None = choice
        while better is not None:
            choice = better
            totals = choices.totals(choice)
            threshold = float(score(totals)) * (1.0 - _CLOSE) - gain
            trials = self._steps.better(choice, totals, score, threshold)
            better = next(filter(choices.fits, trials), None)
        return choice

    def improve(
        self, choice: IntArray, kicks: int, stop: Callable[[float], bool] | None = None
    ) -> IntArray:
        """Return the best choice found from `choice` by `kicks` seeded disturbances.

        Small problems are enumerated instead. `stop` is called before every kick, with the lowest
        peak so far.
        """
        if np.prod(np.diff(self._choices.first).astype(float)) <= ALL_CHOICES_UP_TO:
            return self._best_of_all(choice)
        rng = np.random.default_rng(0)
        here = self.descend(choice)
        found, best = [here], self.peak(here)
        for _ in range(kicks):
            if stop is not None and stop(best):
                break
            there = self.descend(self._kicked(here, rng))
            value = self.peak(there)
            found.append(there)
            if within(value, best):
                best, here = min(value, best), there
        chosen = self._even_choice(found, best, kicks // _EVEN_KICKS, rng)
        lowest = min((here, chosen), key=lambda choice: rounded(self.peak(choice)))
        if self.lowest is None or not reaches(self.peak(lowest), self.peak(self.lowest)):
            self.lowest = lowest
        return chosen

    def _even_choice(
        self, found: list[IntArray], best: float, kicks: int, rng: np.random.Generator
    ) -> IntArray:
        """Return the most even choice within the tie of the `best` peak, by separate kicks."""
        limit = self.tied(best)
        near = sorted((c for c in found if self.peak(c) <= limit), key=self.measure)
        here = min((self.even_out(c, limit) for c in near[:3]), key=self.measure)
        for _ in range(kicks):
            there = self.even_out(self._kicked(here, rng), limit)
            if self.peak(there) <= limit and self.measure(there) <= self.measure(here):
                here = there
        return here

    def tied(self, best: float) -> float:
        """Return the largest peak considered equal to the lowest peak found, `best`."""
        of_floor = self._floor * (1.0 + self._tie)
        return of_floor if best <= of_floor else best * (1.0 + self._tie)

    def peak(self, choice: IntArray) -> float:
        """Return the largest line value of a choice."""
        return float(peak(self._choices.totals(choice)))

    def measure(self, choice: IntArray) -> float:
        """Return the secondary objective of `choice`, rounded; lower is better."""
        return float(rounded_scores(self._choices.measure(self._choices.totals(choice))))

    def _best_of_all(self, choice: IntArray) -> IntArray:
        choices = self._choices
        totals = choices.base[None]
        for first, end in zip(choices.first, choices.first[1:], strict=False):
            totals = totals[:, None] + choices.parts[first:end]
            totals = totals.reshape(-1, *choices.base.shape)
        peaks = peak(totals)
        order = rising(peaks)
        lowest = next((n for n in order if choices.fits(self._numbered(n))), None)
        if lowest is None:
            return choice
        near = order[peaks[order] <= self.tied(float(peaks[lowest])) * (1.0 + ROUNDING)]
        uneven = rounded_scores(choices.measure(totals[near]))
        ranked = near[np.argsort(uneven, kind="stable")]
        return next(found for n in ranked if choices.fits(found := self._numbered(n)))

    def _numbered(self, number: int) -> IntArray:
        """Return a choice by its index among all, the last unit changing first."""
        first = self._choices.first
        local = np.unravel_index(number, tuple(np.diff(first)))
        return first[:-1] + np.array(local, dtype=np.int64)

    def _kicked(self, choice: IntArray, rng: np.random.Generator) -> IntArray:
        choices = self._choices
        choice = choice.copy()
        for trial in self._disturbed(choice, rng):
            if choices.fits(trial):
                choice[:] = trial
        return choice

    def _disturbed(self, choice: IntArray, rng: np.random.Generator) -> Iterator[IntArray]:
        """Yield three exchanges and one move, each applied to the previous result."""
        for _ in range(3):
            if len(self._steps.first):
                pick = int(rng.integers(0, len(self._steps.first)))
                i, j = self._steps.first[pick : pick + 1], self._steps.second[pick : pick + 1]
                trial = choice.copy()
                (trial[i], trial[j]) = self._steps.exchanged(choice, i, j)
                yield trial
        option = int(rng.integers(0, len(self._choices.unit)))
        trial = choice.copy()
        trial[self._choices.unit[option]] = option
        yield trial

    def settle(self, choice: IntArray, given: IntArray, limit: float = 0.0) -> IntArray:
        """Return a choice equivalent to `choice` with the maximum number of unchanged units.

        Phases are rotated where that costs nothing, then identical units are exchanged. Equivalent
        is a peak of at most that of `choice`, or `limit`, and at most its secondary objective. A
        given option of -1 is none.
        """
        limit = max(limit, self.peak(choice)) * (1.0 + 1e-9)
        uneven = self.measure(choice) + 1e-9

        def as_good(trial: IntArray) -> bool:
            good = self.peak(trial) <= limit and self.measure(trial) <= uneven
            return good and self._choices.fits(trial)

        turns = [turned for turn in range(3) if (turned := self._turned(choice, turn)) is not None]
        equivalent = [trial for trial in turns if as_good(trial)]
        here = max(equivalent or [choice], key=lambda trial: int((trial == given).sum()))
        while (closer := self._closer(here, given, as_good)) is not None:
            here = closer
        return here

    def _turned(self, choice: IntArray, turn: int) -> IntArray | None:
        """Return `choice` with all phases rotated; None if an option has no rotated equivalent."""
        known = self._turns
        if not known:
            options = zip(self._choices.unit, self._choices.options, strict=True)
            known |= {(u, o.panel, o.starts, o.positions): k for k, (u, o) in enumerate(options)}
        found = [known.get(_turned_key(self._choices, number, turn)) for number in choice.tolist()]
        return None if None in found else np.array(found, dtype=np.int64)

    def _closer(
        self, choice: IntArray, given: IntArray, as_good: Callable[[IntArray], bool]
    ) -> IntArray | None:
        i, j = self._steps.differing(choice)
        to_i, to_j = self._steps.exchanged(choice, i, j)
        gain = (to_i == given[i]).astype(int) + (to_j == given[j])
        gain -= (choice[i] == given[i]).astype(int) + (choice[j] == given[j])
        for k in np.argsort(-gain, kind="stable"):
            if gain[k] <= 0:
                break
            trial = choice.copy()
            trial[i[k]], trial[j[k]] = to_i[k], to_j[k]
            if as_good(trial):
                return trial
        for unit in np.flatnonzero((choice != given) & (given >= 0)):
            trial = choice.copy()
            trial[unit] = given[unit]
            if as_good(trial):
                return trial
        return None


def _turned_key(choices: Choices, number: int, turn: int) -> tuple[object, ...]:
    """Return unit, panelboard, starts and rows of an option with its phases rotated."""
    option = choices.options[number]
    starts = tuple(s if s == ANY else (s + turn) % 3 for s in option.starts)
    return int(choices.unit[number]), option.panel, starts, option.positions
