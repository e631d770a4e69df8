"""The level of a tank through many steps: what it is to take and give, within what it holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from facility.core.kinds import FloatArray


class _Bound(NamedTuple):
    """What steps make of a level: ``min(max(level + change, least), most)``."""

    change: FloatArray
    least: FloatArray
    most: FloatArray


def levels(change_j: FloatArray, capacity_j: float) -> FloatArray:
    """Return the level at the end of each step of a year that begins as it ends.

    A level that is never under 0 nor over the capacity is a reflected sum. Steps are put together:
    two of them bound a level as one does, so that all sums of 2, 4, 8 ... steps follow without a
    loop over the steps.

    change_j: What each step would add, below zero what it would take.
    capacity_j: What the tank holds when it is full.
    """
    steps = _Bound(change_j, np.zeros(len(change_j)), np.full(len(change_j), capacity_j))
    span = 1
    while span < len(change_j):
        joined = _then(_Bound(*(x[:-span] for x in steps)), _Bound(*(x[span:] for x in steps)))
        steps = _Bound(*(np.concatenate([x[:span], y]) for x, y in zip(steps, joined, strict=True)))
        span *= 2
    year = _Bound(*(x[-1:] for x in steps))
    start = np.where(year.change > 0.0, year.most, year.least)
    return np.asarray(np.clip(start + steps.change, steps.least, steps.most))


def _then(first: _Bound, second: _Bound) -> _Bound:
    return _Bound(
        first.change + second.change,
        np.clip(first.least + second.change, second.least, second.most),
        np.clip(first.most + second.change, second.least, second.most),
    )
