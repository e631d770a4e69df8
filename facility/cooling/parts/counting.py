"""Minimum sufficient number of units."""

from __future__ import annotations

from collections.abc import Callable


def fewest_units(low: int, short: Callable[[int], bool], limit: int = 1_000_000) -> int:
    """Return the minimum number of units from `low` that is not `short`; 0 if `limit` is short.

    Doubling brackets the count, bisection finds it: any count above a sufficient one must
    be sufficient too. `low` is at least 1.
    """
    high = low
    while short(high):
        if high >= limit:
            return 0
        low, high = high + 1, min(2 * high, limit)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if short(middle) else (low, middle)
    return high
