"""The ranges of a year: what was drawn, what came out, and what matters most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.table import Results, ShownByResults, Value
from facility.model.inputs.ranges import Ranged
from facility.study.ranges.draw import Method

PARTS = (0.05, 0.5, 0.95)
"""Parts of the samples that p5, p50 and p95 are not exceeded by."""


@dataclass(frozen=True)
class Figure:
    """One result of the year over all samples, in SI."""

    key: str  # Of the results of the year
    kind: str
    nominal: float | None  # Of the design as it stands; None where it has no such result
    p5: float
    p50: float
    p95: float
    mean: float
    low: float  # Lowest of the samples
    high: float  # Highest of them


@dataclass(frozen=True)
class Matter:
    """What one input does to one result.

    `low` and `high` are the result with that input alone at its p5 and p95, None where it is
    refused there. The correlation is Spearman's, of ranks. `first` and `total` are Sobol's
    indices, alone and with interactions, each with the half width of its 95 % interval; None with
    another method.
    """

    key: str  # Of the result
    kind: str
    path: str  # Of the input
    low: float | None
    high: float | None
    correlation: float | None
    first: float | None = None
    first_error: float | None = None
    total: float | None = None
    total_error: float | None = None

    @property
    def swing(self) -> float:
        """How far the result moves between the two."""
        return abs(self.high - self.low) if self.low is not None and self.high is not None else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class RangesStudy(ShownByResults):
    """The ranges of the year of a design."""

    method: Method
    seed: int
    resized: bool  # Whether each sample was designed anew
    inputs: tuple[Ranged, ...]
    nominal: Mapping[str, Value]  # Results of the year of the design as it stands
    drawn: FloatArray  # Inputs in SI: a row for each sample, a column for each input
    found: Mapping[str, FloatArray]  # Results in SI by key: of each sample, NaN of a refused one
    figures: tuple[Figure, ...]
    matters: tuple[Matter, ...]  # By result, what moves it most first
    refused: Mapping[int, FacilityError]  # Samples that were refused, from 0, and why
    checks: tuple[Check, ...]
    title: str

    @property
    def samples(self) -> int:
        """Samples drawn."""
        return len(self.drawn)

    @property
    def results(self) -> Results:
        """Results by dotted key."""
        found = {
            "ranges.samples": Value(self.samples, "count", "samples drawn"),
            "ranges.refused": Value(len(self.refused), "count", "samples that were refused"),
            "ranges.seed": Value(self.seed, "count", "what the draws start from"),
            "ranges.method": Value(self.method),
            "ranges.resized": Value(self.resized),
        }
        for figure in self.figures:
            if figure.kind == "count":
                continue  # a quantile of whole numbers need not be one
            for name in ("p5", "p50", "p95"):
                value = Value(getattr(figure, name), figure.kind, f"{name} of the samples")
                found[f"{figure.key}.{name}"] = value
        return Results(found)

    def matters_to(self, key: str) -> tuple[Matter, ...]:
        """Return what matters to one result, the most first."""
        return tuple(matter for matter in self.matters if matter.key == key)
