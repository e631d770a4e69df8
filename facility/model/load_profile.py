"""Annual IT load profile, relative to the design IT load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray

ProfileKind = Literal["flat", "hours", "measured", "training"]


@dataclass(frozen=True)
class Training:
    """Annual totals of training jobs."""

    steps: float  # Fraction of time with steps running
    failures: float  # Mean number per year, also below one
    checkpoints: float
    lost: float  # Fraction of time with steps lost since the last checkpoint


@dataclass(frozen=True)
class SeriesFacts:
    """How a file of times and values was read."""

    column: str = ""  # Heading of the values
    notes: tuple[str, ...] = ()  # Conversions, filled gaps
    odd: tuple[tuple[str, str], ...] = ()  # Implausible values by type


@dataclass(frozen=True, eq=False)
class LoadProfile:
    """IT power through the year over IT power at the design hour."""

    kind: ProfileKind
    words: str  # Description: ``at 76% of its load``
    mean: float  # Mean of the year
    # Mean of each step of the year of weather, or of 8,760 hours; None if constant at the mean.
    values: FloatArray | None = None
    training: Training | None = None  # None without training jobs
    first_day: int | None = None  # Weekday of 1 January from timestamps, 0 for Monday
    facts: SeriesFacts | None = None  # Of a measured year
    measured: NDArray[np.bool_] | None = None  # Steps with readings, where others are left out

    @property
    def lowest(self) -> float:
        """Minimum of the steps."""
        return self.mean if self.values is None else float(np.min(self.values))

    @property
    def highest(self) -> float:
        """Maximum of the steps."""
        return self.mean if self.values is None else float(np.max(self.values))

    @property
    def through_the_year(self) -> float:
        """The load of every step: a number if constant, else an array."""
        return self.mean if self.values is None else self.values  # type: ignore[return-value]
