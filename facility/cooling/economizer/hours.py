"""Economizer hours of a year: full, partial, none."""

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
    """Hourly heat removed by an economizer."""

    share: FloatArray  # Share of the load
    month: NDArray[np.int64]  # Month of each hour, 1 to 12
    step_h: float = 1.0  # Duration of each step, in hours

    @property
    def full(self) -> float:
        """Hours at full load share."""
        return float((self.share >= _FULL).sum()) * self.step_h

    @property
    def none(self) -> float:
        """Hours without economizer operation."""
        return float((self.share <= _NONE).sum()) * self.step_h

    @property
    def partial(self) -> float:
        """Hours at partial load share."""
        return len(self.share) * self.step_h - self.full - self.none

    def by_month(self) -> tuple[tuple[int, float, float, float, float], ...]:
        """Return rows of month, full, partial and no economizer hours, and mean share."""
        rows = []
        for month in range(1, 13):
            at = self.month == month
            of = EconomizerHours(self.share[at], self.month[at], self.step_h)
            rows.append((month, of.full, of.partial, of.none, float(of.share.mean())))
        return tuple(rows)
