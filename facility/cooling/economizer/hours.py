"""An economizer over the hours of a year: in full, in part, not at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING

_FULL = 1.0 - ROUNDING
_NONE = ROUNDING


@dataclass(frozen=True, eq=False)
class EconomizerHours:
    """What an economizer takes, hour by hour."""

    share: FloatArray  # Part of the load
    month: NDArray[np.int64]  # Month of each hour, 1 to 12
    step_h: float = 1.0  # How long each lasts, in hours

    @property
    def full(self) -> float:
        """Hours in which it takes the whole load."""
        return float((self.share >= _FULL).sum()) * self.step_h

    @property
    def none(self) -> float:
        """Hours in which it takes nothing."""
        return float((self.share <= _NONE).sum()) * self.step_h

    @property
    def partial(self) -> float:
        """Hours in which it takes a part of the load."""
        return len(self.share) * self.step_h - self.full - self.none

    def by_month(self) -> tuple[tuple[int, float, float, float, float], ...]:
        """Return rows of month, hours in full, in part, none, and mean share."""
        rows = []
        for month in range(1, 13):
            at = self.month == month
            of = EconomizerHours(self.share[at], self.month[at], self.step_h)
            rows.append((month, of.full, of.partial, of.none, float(of.share.mean())))
        return tuple(rows)
