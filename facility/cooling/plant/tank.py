"""The level of a tank over many steps of charge and discharge, between empty and full."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from facility.core.kinds import FloatArray


class _Bound(NamedTuple):
    """The effect of steps on a level: ``min(max(level + change, lower), upper)``."""

    change: FloatArray
    lower: FloatArray
    upper: FloatArray


def levels(change_j: FloatArray, capacity_j: float) -> FloatArray:
    """Return the level at the end of each step of a cyclic year.

    Two steps combine to one `_Bound`, so that combinations of 2, 4, 8 ... steps
    follow without a loop over the steps.

    change_j: Addition of each step; negative for withdrawal.
    capacity_j: Full capacity of the tank.
    """
    steps = _Bound(change_j, np.zeros(len(change_j)), np.full(len(change_j), capacity_j))
    span = 1
    while span < len(change_j):
        joined = _then(_Bound(*(x[:-span] for x in steps)), _Bound(*(x[span:] for x in steps)))
        steps = _Bound(*(np.concatenate([x[:span], y]) for x, y in zip(steps, joined, strict=True)))
        span *= 2
    year = _Bound(*(x[-1:] for x in steps))
    start = np.where(year.change > 0.0, year.upper, year.lower)
    return np.asarray(np.clip(start + steps.change, steps.lower, steps.upper))


def _then(first: _Bound, second: _Bound) -> _Bound:
    return _Bound(
        first.change + second.change,
        np.clip(first.lower + second.change, second.lower, second.upper),
        np.clip(first.upper + second.change, second.lower, second.upper),
    )
