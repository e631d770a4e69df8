"""A year in the steps and days of another."""

from __future__ import annotations

import math

import numpy as np

from facility.catalogue.series.roles import DAY_S
from facility.core.kinds import FloatArray

_LEAP_DAY = 59
"""Index of 29 February in a leap year, from 0."""


def in_steps(values: FloatArray, step_s: int, number: int, other_s: int) -> tuple[FloatArray, str]:
    """Return the means of a year in the steps of another, and the treatment of 29 February.

    A day missing in the other year is omitted; an additional day repeats the previous day. Both
    steps are whole fractions of an hour [s].
    """
    days = values.reshape(-1, DAY_S // step_s)
    due = number * other_s // DAY_S
    leap = ""
    if len(days) > due:
        days, leap = np.delete(days, _LEAP_DAY, axis=0), "; 29 February omitted"
    elif len(days) < due:
        days = np.insert(days, _LEAP_DAY, days[_LEAP_DAY - 1], axis=0)
        leap = "; 29 February same as 28 February"
    common_s = math.gcd(step_s, other_s)
    fine = np.repeat(days.ravel(), step_s // common_s)
    return np.asarray(fine.reshape(number, -1).mean(axis=1)), leap
