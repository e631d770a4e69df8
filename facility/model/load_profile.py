"""The IT load over the year, as part of the IT load of the design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from facility.core.kinds import FloatArray

ProfileKind = Literal["flat", "hours", "measured", "training"]


@dataclass(frozen=True)
class Training:
    """What a year of training jobs comes to."""

    steps: float  # Part of the time in which steps run
    failures: float  # In the mean of years where they are rarer than one a year
    checkpoints: float
    lost: float  # Part of the time whose steps are lost since the last checkpoint


@dataclass(frozen=True, eq=False)
class LoadProfile:
    """What the IT draws through the year, over what it draws at the design hour."""

    kind: ProfileKind
    words: str  # What it is: ``at 76% of its load``
    mean: float  # Mean of the year
    # Mean of each step of the year of weather, or of 8,760 hours; None where all are the mean.
    values: FloatArray | None = None
    training: Training | None = None  # None where it follows no jobs
    first_day: int | None = None  # Of the week, 0 for Monday, where timestamps tell it

    @property
    def lowest(self) -> float:
        """The lowest of the steps."""
        return self.mean if self.values is None else float(np.min(self.values))

    @property
    def highest(self) -> float:
        """The highest of the steps."""
        return self.mean if self.values is None else float(np.max(self.values))

    @property
    def through_the_year(self) -> float:
        """The load of every step: one number where all are the same, else an array of them."""
        return self.mean if self.values is None else self.values  # type: ignore[return-value]
