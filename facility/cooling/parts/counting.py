"""The fewest units that suffice."""

from __future__ import annotations

from collections.abc import Callable


def fewest_units(low: int, short: Callable[[int], bool], most: int = 1_000_000) -> int:
    """Return the fewest units, `low` or more, that are not `short`; 0 when `most` are short.

    Doubling brackets the count, bisection finds it: more units than a count that suffices must
    suffice too. `low` is at least 1.
    """
    high = low
    while short(high):
        if high >= most:
            return 0
        low, high = high + 1, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if short(middle) else (low, middle)
    return high
