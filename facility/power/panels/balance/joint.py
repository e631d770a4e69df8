"""Joint search of two groups of units: every sum of one is combined with sums of the other.

A descent takes one step at a time, so it ends where two or three steps together would improve. Here
the options of about twenty units are decided at once, by meeting in the middle: n sums of one group
and n of the other are n^2 choices, and sorting selects those whose lines can all be below the peak.
If the two groups include all units, no feasible choice is better than the one found.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np

from facility.core.kinds import ComplexArray
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.effort import EQUAL
from facility.power.panels.balance.lines import IntArray, peak, rounded_scores

_ROUNDS = ((1_000, 2), (4_000, 4), (20_000, 8), (60_000, 4))
"""Maximum sums of a group, and iterations with groups of that size.

Small groups first: the lower the peak, the fewer pairs remain.
"""

_PAIRS = 4_000_000
"""Maximum pairs evaluated in an iteration."""

_TRIED = 1_000
"""Maximum choices of an iteration whose positions are tried."""

_KICKS = 1e-5
"""Fraction above the bound that hundreds of kicks reach, and rarely improve."""

_EXACT = 1e-12
"""Peaks within this fraction differ only by rounding."""


class JointSearch:
    """Joint search over `choices`.

    Attributes
    ----------
    bound : float
        Proven lower bound of the peak: initially `floor`, known without a search.
    """

    def __init__(self, choices: Choices, floor: float) -> None:
        self._choices = choices
        self.bound = floor
        self._kind = np.zeros(choices.size, dtype=np.int64)
        for number, kind in enumerate(choices.kinds()):
            self._kind[kind] = number
        self._turn = np.exp(-1j * choices.balanced_angles())
        in_line = (choices.parts * self._turn).real.sum(axis=-1)
        minimum = np.minimum.reduceat(in_line, choices.first[:-1]).sum(axis=0)
        self._whole = (choices.base * self._turn).real.sum(axis=-1) + minimum

    def reached(self, lowest: float) -> bool:
        """Return whether no peak is below `lowest`, to the precision of a proof."""
        return lowest <= self.bound * (1.0 + EQUAL)

    def near(self, lowest: float) -> bool:
        """Return whether kicks are unlikely to find a lower peak."""
        return lowest <= self.bound * (1.0 + _KICKS)

    def improve(self, choice: IntArray, stop: Callable[[], bool]) -> IntArray:
        """Return a choice with a lower peak than `choice`, or `choice` if none is found.

        `stop` is called before every iteration.
        """
        rng = np.random.default_rng(0)
        for max_sums, rounds in _ROUNDS:
            for _ in range(rounds):
                lowest = float(peak(self._choices.totals(choice)))
                if not self._choices.size or self.reached(lowest) or stop():
                    return choice
                choice = self._matched(choice, lowest, self._groups(rng, max_sums))
        return choice

    def _groups(self, rng: np.random.Generator, max_sums: int) -> tuple[list[int], list[int]]:
        """Return two random groups of units, each with at most `max_sums` sums."""
        counts = np.diff(self._choices.first)
        order = rng.permutation(self._choices.size).tolist()
        groups: tuple[list[int], list[int]] = ([], [])
        for group in groups:
            sums, used = 1.0, [0] * (int(self._kind.max()) + 1)
            while order:
                kind = self._kind[order[0]]
                sums *= (used[kind] + counts[order[0]]) / (used[kind] + 1)
                if sums > max_sums:
                    break
                used[kind] += 1
                group.append(order.pop(0))
        return groups

    def _sums(self, group: list[int]) -> tuple[ComplexArray, IntArray]:
        """Return the sums of a group, and the option of every unit in each sum.

        Permutations of identical units are equivalent.
        """
        choices = self._choices
        sums = np.zeros((1, *choices.base.shape), dtype=np.complex128)
        picked = np.zeros((1, choices.size), dtype=np.int64)
        for kind in sorted(set(self._kind[group].tolist())):
            units = [unit for unit in group if self._kind[unit] == kind]
            options = range(choices.first[units[0] + 1] - choices.first[units[0]])
            each = np.array(list(combinations_with_replacement(options, len(units))))
            added = choices.parts[choices.first[units[0]] + each].sum(axis=1)
            sums = (sums[:, None] + added).reshape(-1, *choices.base.shape)
            picked = np.repeat(picked, len(each), axis=0)
            picked[:, units] = np.tile(choices.first[units] + each, (len(sums) // len(each), 1))
        return sums, picked[:, group]

    def _matched(
        self, choice: IntArray, lowest: float, groups: tuple[list[int], list[int]]
    ) -> IntArray:
        """Return the best feasible choice that differs from `choice` only in two groups."""
        choices = self._choices
        here, there = groups
        rest = choices.totals(choice) - choices.parts[choice[here + there]].sum(axis=0)
        sums, picked = self._sums(here)
        others, other_picked = self._sums(there)
        first, second, whole = self._pairs(sums + rest, others, lowest)
        peaks = peak(sums[first] + rest + others[second])
        below = np.flatnonzero(peaks < lowest * (1.0 - _EXACT))
        below = below[np.argsort(rounded_scores(peaks[below] / lowest), kind="stable")]
        found = False
        for pair in below[:_TRIED]:
            trial = choice.copy()
            trial[here], trial[there] = picked[first[pair]], other_picked[second[pair]]
            if found := choices.fits(trial):
                choice, lowest = trial, float(peaks[pair])
                break
        every = whole and len(here) + len(there) == choices.size
        if every and (found or len(below) <= _TRIED) and choices.units.complete and choices.sure:
            self.bound = max(self.bound, lowest * (1.0 - _EXACT))
        return choice

    def _pairs(
        self, sums: ComplexArray, others: ComplexArray, lowest: float
    ) -> tuple[IntArray, IntArray, bool]:
        """Return pairs of sums whose lines can all be below `lowest`, and whether all are included.

        The sum of all lines of a state has a minimum, so no line is far below the peak
        either: of the sorted values of a line, a part remains for each of the `sums`.
        """
        lines = sums.shape[-1]
        left = (sums * self._turn).real.reshape(len(sums), -1)
        right = (others * self._turn).real.reshape(len(others), -1)
        line = int(np.argmax(right.std(axis=0).round(9)))
        order = np.argsort(right[:, line], kind="stable")
        value = right[order, line]
        minimum = float(self._whole[line // lines]) - (lines - 1) * lowest
        start = np.searchsorted(value, minimum - left[:, line] - _EXACT * lowest)
        end = np.searchsorted(value, lowest - left[:, line], side="right")
        count = np.maximum(end - start, 0)
        ends = np.cumsum(count)
        rows = int(np.searchsorted(ends, _PAIRS, side="right"))
        first = np.repeat(np.arange(rows), count[:rows])
        second = np.arange(len(first)) - np.repeat((ends - count - start)[:rows], count[:rows])
        second = order[second]
        for other in range(left.shape[1]):
            feasible = left[first, other] + right[second, other] <= lowest
            first, second = first[feasible], second[feasible]
        return first, second, rows == len(sums)
