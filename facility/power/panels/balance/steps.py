"""Steps from a choice: a unit that takes another option, or two alike that exchange theirs.

A search looks at hundreds of steps to take one. The squares of the lines after all of them are
cheap, and tell a bound on what each step can be worth; the few that could be best are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from facility.core.kinds import ComplexArray, FloatArray
from facility.power.panels.balance.choice import Choices
from facility.power.panels.balance.lines import IntArray, told_apart


class Score(Protocol):
    """What a search makes least."""

    slack: float
    """The most that a score is above the rough one."""

    def __call__(self, totals: ComplexArray) -> FloatArray:
        """Return the score of lines by state (last two axes)."""

    def rough(self, squares: FloatArray) -> FloatArray:
        """Return a bound below the score from the squared lines of all states (first axis)."""


class Steps:
    """Moves and exchanges of the units of `choices`, by number: exchanges, then options.

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
        self._least_of_first = choices.first[self.first]
        self._least_of_second = choices.first[self.second]
        self._lines = choices.base.size
        self._parts = _real(choices.parts.reshape(-1, self._lines))

    def exchanged(self, choice: IntArray, i: IntArray, j: IntArray) -> tuple[IntArray, IntArray]:
        """Return the options of units `i` and `j` after they exchanged theirs."""
        first = self._choices.first
        return first[i] + choice[j] - first[j], first[j] + choice[i] - first[i]

    def differing(self, choice: IntArray) -> tuple[IntArray, IntArray]:
        """Return the pairs of units to which an exchange is of matter."""
        local = choice - self._choices.first[:-1]
        differ = local[self.first] != local[self.second]
        return self.first[differ], self.second[differ]

    def better(
        self, choice: IntArray, totals: ComplexArray, score: Score, least: float
    ) -> Iterator[IntArray]:
        """Yield the choices one step away whose score is below `least`, the best first.

        `totals` are the lines of `choice`.
        """
        rough = score.rough(self._squares(choice, totals))
        open_ = (rough < least).nonzero()[0]
        while len(open_):
            first = float(rough[open_].min())
            near = rough[open_] <= first + score.slack
            some, open_ = open_[near], open_[~near]
            if len(some) > 1 or first + score.slack >= least:
                values = score(self._totals(choice, totals, some))
                order = np.argsort(told_apart(values), kind="stable")
                some = some[order[values[order] < least]]
            for number in some.tolist():
                yield self._taken(choice, number)

    def _squares(self, choice: IntArray, totals: ComplexArray) -> FloatArray:
        """Return the squared lines after each step, by state and line, then step."""
        choices = self._choices
        local = choice - choices.first[:-1]
        change = self._parts - _picked(_picked(self._parts, choice), choices.unit)
        moves = change + _real(totals.reshape(1, -1))
        swaps = _picked(moves, self._least_of_first + local.take(self.second))
        swaps += _picked(change, self._least_of_second + local.take(self.first))
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
    """Return some columns; numbers are in range, so that `clip` only spares a copy."""
    return columns.take(numbers, axis=1, mode="clip")


def _real(lines: ComplexArray) -> FloatArray:
    """Return the real parts of lines (last axis), then the imaginary ones, as first axis."""
    return np.ascontiguousarray(np.concatenate([lines.real, lines.imag], axis=-1).T)
