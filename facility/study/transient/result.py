"""What one failure does to the temperatures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.limits import Grade, Limit, over, rises
from facility.cooling.ride_through.schedule import RideCase
from facility.cooling.ride_through.storage import Storage
from facility.core.rounding import first_least

Passed = tuple[Limit, float | None, float]
"""A limit, when it is passed [s] (None: not reached), and the highest temperature [degC]."""
HARD: tuple[Grade, ...] = ("allowable",)
"""Grades of limits that no failure may pass."""


def after_words(time_s: float) -> str:
    """Return when a limit is passed in words; whole seconds, as fine as the model steps."""
    return "within 1 s" if time_s < 1.0 else f"after {time_s:,.0f} s"


@dataclass(frozen=True, eq=False)
class RideResult:
    """What one failure does."""

    case: RideCase  # The failure
    # Temperatures by name [degC]: inlet, inlet_worst, return_air, chw_supply, fws_supply,
    # tcs_supply, tcs_return, plates; those that the design has. Shape (times,).
    series: dict[str, NDArray[np.float64]]
    limits: tuple[Passed, ...]  # Every limit, when it is passed, and the highest temperature
    settled: bool  # Whether every temperature has come to rest at the end
    horizon_s: float  # How long it was followed [s]
    storage: Storage | None  # Buffers with which no allowable limit is passed; None where none is

    @property
    def holds(self) -> bool:
        """Whether every allowable limit that is known is kept: the chain of restarts makes it."""
        return not any(limit.grade in HARD and t is not None for limit, t, _ in self.limits)

    @property
    def milder(self) -> tuple[Limit, ...]:
        """The limits that it passes beside allowable ones: recommended, or of a class of water."""
        return tuple(one for one, t, _ in self.limits if one.grade not in HARD and t is not None)

    @property
    def rising(self) -> bool:
        """Whether a temperature with an allowable limit still rises in the last minute.

        One that falls again has had its highest value; it decides the failure before it is at rest.
        """
        governed = {limit.series for limit, _, _ in self.limits if limit.grade in HARD}
        return any(rises(self.series[name], self.horizon_s) for name in governed)

    def before(self, limit: Limit) -> bool:
        """Whether the design hour itself is over a limit, before anything fails."""
        known = limit.limit_c is not None
        return known and over(self.series[limit.series][0], limit.limit_c or 0.0)

    @property
    def passed(self) -> tuple[Limit, ...]:
        """The allowable limits that the failure passes; the design hour keeps them."""
        return tuple(
            one
            for one, t, _ in self.limits
            if one.grade in HARD and t is not None and not self.before(one)
        )

    @property
    def first(self) -> tuple[Limit, float] | None:
        """The limit that is passed first, allowable ones before all others; None where none is."""
        passed = [(limit, t) for limit, t, _ in self.limits if t is not None]
        hard = [one for one in passed if one[0].grade in HARD]
        first = hard or passed
        return first[first_least([time_s for _, time_s in first])] if first else None

    @property
    def first_hard(self) -> tuple[Limit, float] | None:
        """The allowable limit that is passed first; None where none is."""
        return self.first if self.first is not None and self.first[0].grade in HARD else None

    @property
    def first_words(self) -> str:
        """What overheats first, in words."""
        if self.first is None:
            return "nothing overheats"
        limit, time_s = self.first
        return f"{limit.title} is passed first, {after_words(time_s)}"
