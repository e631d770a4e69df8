"""Roots of monotone functions of one number."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

_STEPS = 100
_ROUNDING = 4e-16
_NEAR = 1e-12


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where `function` changes sign between `low` and `high`.

    Ridders' method: an exponential is fitted through both ends and the middle. Each step halves
    the bracket at least; near the root the correct digits double. Ends when the estimate moves
    by rounding error only and the sign changes there: far from the root of a steep function the
    estimate can stagnate at an end of the bracket.

    Raises
    ------
    ValueError
        When the function has the same sign at both ends.
    """
    ends = low, high
    at_low, at_high = function(low), function(high)
    if at_low == 0.0 or at_high == 0.0:
        return low if at_low == 0.0 else high
    if at_low * at_high > 0.0:
        raise ValueError("no change of sign between the ends")
    last = math.inf
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        at_middle = function(middle)
        if at_middle == 0.0:
            return middle
        slope = (
            math.copysign(1.0, at_low)
            * at_middle
            / math.sqrt(at_middle * at_middle - at_low * at_high)
        )
        root = middle + (middle - low) * slope
        at_root = function(root)
        stagnates = abs(root - last) <= _ROUNDING * abs(root)
        if at_root == 0.0 or (stagnates and _changes_sign(function, root, ends)):
            return root
        last = root
        (low, at_low), (high, at_high) = _bracket(
            sorted(((low, at_low), (middle, at_middle), (root, at_root), (high, at_high)))
        )
    return 0.5 * (low + high)


def _changes_sign(
    function: Callable[[float], float], root: float, ends: tuple[float, float]
) -> bool:
    """Return whether `function` changes sign within `_NEAR` of `root`, looking between `ends`."""
    below, above = max(root - _NEAR * abs(root), ends[0]), min(root + _NEAR * abs(root), ends[1])
    return function(below) * function(above) <= 0.0


def _bracket(points: list[tuple[float, float]]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the neighbours among `points`, in rising order, between which the sign changes.

    The outermost two differ in sign, so that there is such a pair.
    """
    return next((a, b) for a, b in pairwise(points) if a[1] * b[1] < 0.0)
