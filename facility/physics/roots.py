"""Roots of monotone functions of one number."""

from __future__ import annotations

from collections.abc import Callable

_STEPS = 80


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where `function` changes sign between `low` and `high`.

    False position with the Illinois rule: the end that stays is weighed by half, so that both
    ends close in. Ends when the interval or the value is at rounding error.

    Raises
    ------
    ValueError
        When the function has the same sign at both ends.
    """
    at_low, at_high = function(low), function(high)
    if at_low == 0.0:
        return low
    if at_high == 0.0:
        return high
    if at_low * at_high > 0.0:
        raise ValueError("no change of sign between the ends")
    for _ in range(_STEPS):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = function(middle)
        if value == 0.0 or abs(high - low) <= 1e-14 * abs(middle):
            return middle
        if value * at_high < 0.0:
            low, at_low = high, at_high
        else:
            at_low *= 0.5
        high, at_high = middle, value
    return high
