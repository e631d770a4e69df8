"""Temperatures after one failure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.limits import Grade, Limit, over, rises
from facility.cooling.ride_through.schedule import RideCase
from facility.cooling.ride_through.storage import Storage
from facility.core.rounding import argmin_within_rounding

Passed = tuple[Limit, float | None, float]
"""A limit, the time it is exceeded [s] (None: not reached), and the maximum temperature [degC]."""
HARD: tuple[Grade, ...] = ("allowable",)
"""Grades of limits that no failure may exceed."""


def after_words(time_s: float) -> str:
    """Return the time a limit is exceeded as text, in whole seconds like the model steps."""
    return "within 1 s" if time_s < 1.0 else f"after {time_s:,.0f} s"


@dataclass(frozen=True, eq=False)
class RideResult:
    """Result of one failure case."""

    case: RideCase  # The failure
    # Temperatures by name [degC]: inlet, inlet_worst, return_air, chw_supply, fws_supply,
    # tcs_supply, tcs_return, plates, as present in the design. Shape (times,).
    series: dict[str, NDArray[np.float64]]
    limits: tuple[Passed, ...]  # Every limit, time exceeded, maximum temperature
    settled: bool  # Whether every temperature is steady at the end
    horizon_s: float  # Simulated time [s]
    storage: Storage | None  # Buffers to meet all allowable limits; None if not needed

    @property
    def holds(self) -> bool:
        """Whether all known allowable limits are met until the restart is complete."""
        return not any(limit.grade in HARD and t is not None for limit, t, _ in self.limits)

    @property
    def milder(self) -> tuple[Limit, ...]:
        """The other limits exceeded: recommended limits and water-class limits."""
        return tuple(one for one, t, _ in self.limits if one.grade not in HARD and t is not None)

    @property
    def rising(self) -> bool:
        """Whether a temperature with an allowable limit still rises in the last minute.

        A falling temperature has passed its maximum; the case is decided before it is steady.
        """
        governed = {limit.series for limit, _, _ in self.limits if limit.grade in HARD}
        return any(rises(self.series[name], self.horizon_s) for name in governed)

    def before(self, limit: Limit) -> bool:
        """Whether the design hour exceeds a limit before the failure."""
        known = limit.limit_c is not None
        return known and over(self.series[limit.series][0], limit.limit_c or 0.0)

    @property
    def passed(self) -> tuple[Limit, ...]:
        """The allowable limits exceeded after the failure but not in the design hour."""
        return tuple(
            one
            for one, t, _ in self.limits
            if one.grade in HARD and t is not None and not self.before(one)
        )

    @property
    def first(self) -> tuple[Limit, float] | None:
        """The first limit exceeded, allowable limits before all others; None if all are met."""
        passed = [(limit, t) for limit, t, _ in self.limits if t is not None]
        hard = [one for one in passed if one[0].grade in HARD]
        first = hard or passed
        return first[argmin_within_rounding([time_s for _, time_s in first])] if first else None

    @property
    def first_hard(self) -> tuple[Limit, float] | None:
        """The first allowable limit exceeded; None if all are met."""
        return self.first if self.first is not None and self.first[0].grade in HARD else None

    @property
    def first_words(self) -> str:
        """First limit exceeded, as text."""
        if self.first is None:
            return "no limit is exceeded"
        limit, time_s = self.first
        return f"{limit.title} is exceeded first, {after_words(time_s)}"
