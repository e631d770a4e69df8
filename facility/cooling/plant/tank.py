"""The level of a tank over many steps of charge and discharge, between empty and full."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from facility.core.kinds import FloatArray


class _Bound(NamedTuple):
    """The effect of steps on a level: ``min(max(level + change, least), most)``."""

    change: FloatArray
    least: FloatArray
    most: FloatArray


def levels(change_j: FloatArray, capacity_j: float) -> FloatArray:
    """Return the level at the end of each step of a year that begins as it ends.

    Two steps together act on a level as one `_Bound` does, so that those of 2, 4, 8 ... steps
    follow without a loop over the steps.

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
