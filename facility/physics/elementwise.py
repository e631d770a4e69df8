"""Elementwise operations: solvers for one number, applied to arrays of hours.

Typed as of one number, which is what most callers have; a float stays a float, so that one
operating point costs no arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import wraps
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray, Numeric
from facility.physics.roots import root_between

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])

_CACHED_CALLS = 4
"""Cached calls: of two plants, each with and without an economizer."""

_STEPS = 100
_CONVERGED = 1e-13
"""Relative change below which an estimate of Ridders' method has converged; the next step would
move it by its square."""


def plain(value: Numeric) -> float:
    """Return a number as a float, an array as it is."""
    is_one = isinstance(value, float | int) or np.ndim(value) == 0
    return float(value) if is_one else value  # type: ignore[return-value]


def maximum(a: float, b: float) -> float:
    """Return the larger of two."""
    if isinstance(a, float | int) and isinstance(b, float | int):
        return max(a, b)
    return plain(np.maximum(a, b))


def minimum(a: float, b: float) -> float:
    """Return the smaller of two."""
    if isinstance(a, float | int) and isinstance(b, float | int):
        return min(a, b)
    return plain(np.minimum(a, b))


def anywhere(condition: bool | Numeric | NDArray[np.bool_]) -> bool:
    """Return whether a condition is true in any hour."""
    return bool(condition if isinstance(condition, bool | float) else np.any(condition))


def where(condition: bool | NDArray[np.bool_], one: T, other: T) -> T:
    """Return `one` where `condition` holds, else `other`: numbers, or objects of numbers.

    Of two objects of one class each field is chosen by itself; words, and fields that are the
    same, are those of `one`.
    """
    if np.ndim(condition) == 0:
        return one if condition else other
    if one is None or one is other or isinstance(one, str):
        return one
    if is_dataclass(one) and not isinstance(one, type):
        parts = {
            field.name: where(condition, getattr(one, field.name), getattr(other, field.name))
            for field in fields(one)
        }
        return replace(one, **parts)
    return np.where(condition, one, other)  # type: ignore[call-overload]


def cached_calls(function: F) -> F:
    """Cache the last calls of a function of hours, which passes of a balance repeat.

    Arguments are the same where they are one object, or numbers that are equal in every hour. What
    is found is returned again and must not be modified.
    """
    last: tuple[tuple[tuple[object, ...], object], ...] = ()

    @wraps(function)
    def remembered(*args: object) -> object:
        nonlocal last
        if all(isinstance(x, float) for x in args):
            return function(*args)
        for before, found in last:
            if all(map(_same, args, before)):
                return found
        found = function(*args)
        last = ((args, found), *last)[:_CACHED_CALLS]
        return found

    return cast(F, remembered)


def _same(one: object, other: object) -> bool:
    if one is other:
        return True
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other)
    return isinstance(one, float) and isinstance(other, float) and one == other


def crossing(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function reaches zero between `low` and `high`, or the nearer end."""
    at_low, at_high = rising(low), rising(high)
    if np.ndim(at_low) == 0 and np.ndim(at_high) == 0:
        if at_low >= 0.0:
            return low
        return high if at_high <= 0.0 else root_between(rising, low, high)
    return plain(_crossing(rising, np.asarray(at_low), np.asarray(at_high), low, high))


def _crossing(
    function: Callable[[float], float],
    at_low: FloatArray,
    at_high: FloatArray,
    low: float,
    high: float,
) -> FloatArray:
    """Return the roots by Ridders' method (see `root_between`), all hours at each step."""
    rising = cast(Callable[[FloatArray], FloatArray], function)
    at_low, at_high = np.broadcast_arrays(at_low, at_high)
    start, end = (np.broadcast_to(x, at_low.shape).astype(float) for x in (low, high))
    done = (at_low >= 0.0) | (at_high <= 0.0)
    root = np.where(at_low >= 0.0, start, end)
    low_, high_, last = start, end, np.full(at_low.shape, np.inf)
    for _ in range(_STEPS):
        middle = 0.5 * (low_ + high_)
        at_middle = rising(middle)
        bend = np.sqrt(np.maximum(at_middle * at_middle - at_low * at_high, 1e-300))
        found = np.where(done, root, middle - (middle - low_) * at_middle / bend)
        at_found = rising(found)
        root = found
        done = done | (np.abs(found - last) <= _CONVERGED * np.abs(found)) | (at_found == 0.0)
        if done.all():
            break
        last = found
        (low_, at_low), (high_, at_high) = _bracket(
            (low_, at_low), (middle, at_middle), (found, at_found), (high_, at_high)
        )
    return root


def _bracket(
    *points: tuple[FloatArray, FloatArray],
) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Return the highest point below zero and the lowest above, of points in any order."""
    low, high = points[0], points[-1]
    for at, value in points[1:-1]:
        below, above = (value < 0.0) & (at > low[0]), (value >= 0.0) & (at < high[0])
        low = np.where(below, at, low[0]), np.where(below, value, low[1])
        high = np.where(above, at, high[0]), np.where(above, value, high[1])
    return low, high
