"""Results of a ranges study: samples, quantiles, sensitivity."""

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
"""Probabilities of the quantiles p5, p50 and p95."""


@dataclass(frozen=True)
class Figure:
    """One annual result over all samples, in SI."""

    key: str  # Key of the annual result
    kind: str
    nominal: float | None  # Nominal design; None if it has no such result
    p5: float
    p50: float
    p95: float
    mean: float
    low: float  # Minimum of the samples
    high: float  # Maximum of the samples


@dataclass(frozen=True)
class Matter:
    """Sensitivity of one result to one input.

    `low` and `high` are the result with only that input at its p5 and p95, None if that run failed.
    The correlation is Spearman's rank correlation. `first` and `total` are the Sobol indices,
    first-order and total, each with the half width of its 95 % interval; None with another method.
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
        """Difference of the result between p5 and p95 of the input."""
        return abs(self.high - self.low) if self.low is not None and self.high is not None else 0.0


@dataclass(frozen=True, eq=False, repr=False)
class RangesStudy(ShownByResults):
    """Uncertainty of the annual results of a design."""

    method: Method
    seed: int
    resized: bool  # Whether each sample was resized
    inputs: tuple[Ranged, ...]
    nominal: Mapping[str, Value]  # Annual results of the nominal design
    drawn: FloatArray  # Inputs in SI: a row per sample, a column per input
    found: Mapping[str, FloatArray]  # Results in SI by key: per sample, NaN if it failed
    figures: tuple[Figure, ...]
    matters: tuple[Matter, ...]  # By result, largest effect first
    refused: Mapping[int, FacilityError]  # Failed samples, from 0, and why
    checks: tuple[Check, ...]
    title: str

    @property
    def samples(self) -> int:
        """Number of samples."""
        return len(self.drawn)

    @property
    def results(self) -> Results:
        """Results by dotted key."""
        found = {
            "ranges.samples": Value(self.samples, "count", "samples drawn"),
            "ranges.refused": Value(len(self.refused), "count", "samples that failed"),
            "ranges.seed": Value(self.seed, "count", "random seed"),
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
        """Return the sensitivities of one result, largest effect first."""
        return tuple(matter for matter in self.matters if matter.key == key)
