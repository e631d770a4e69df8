"""Sensitivity: rank correlations, Sobol indices, and one input at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.table import Value
from facility.model.inputs.ranges import Ranged
from facility.study.ranges.draw import Indices, sobol_indices
from facility.study.ranges.result import PARTS, Figure, Matter

MAIN = (
    "pue.annual", "energy.annual", "annual.peak", "water.annual", "wue.site", "cost.annual",
    "carbon.annual", "cue",
)  # fmt: skip
"""Annual results with a sensitivity analysis."""
_SAME = 1e-12
"""Relative difference below which a result is unchanged."""


def figures(
    found: Mapping[str, FloatArray], nominal: Mapping[str, Value], kinds: Mapping[str, str]
) -> tuple[Figure, ...]:
    """Return the quantiles of every result over the valid samples."""
    made = []
    for key, outcome in found.items():
        known = outcome[~np.isnan(outcome)]
        p5, p50, p95 = (float(x) for x in np.quantile(known, PARTS))
        whole = float(known.mean()), float(known.min()), float(known.max())
        designed = float(nominal[key].si) if key in nominal else None
        made.append(Figure(key, kinds[key], designed, p5, p50, p95, *whole))
    return tuple(made)


def rank_correlation(one: FloatArray, other: FloatArray) -> float | None:
    """Return Spearman's rank correlation of two series; None if one is constant."""
    from scipy.stats import rankdata

    if len(one) < 2 or _still(one) or _still(other):
        return None
    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])


def matters(
    inputs: Sequence[Ranged],
    drawn: FloatArray,
    found: Mapping[str, FloatArray],
    kinds: Mapping[str, str],
    alone: Sequence[tuple[Mapping[str, float], Mapping[str, float]]],
    sobol_seed: int | None,
) -> tuple[Matter, ...]:
    """Return the sensitivity of each main result to each input, largest effect first.

    inputs: The varied inputs.
    drawn: Their values, one row per sample.
    found: Results by key, for each sample.
    kinds: Quantity kind of each result.
    alone: Results with only one input at its p5 and p95; empty if these runs failed.
    sobol_seed: Seed of the points of the Sobol indices; None for no indices.
    """
    made: list[Matter] = []
    for key in (key for key in MAIN if key in found):
        outcome = found[key]
        known = ~np.isnan(outcome)
        indices = None
        if sobol_seed is not None and bool(known.all()):
            indices = sobol_indices(outcome, len(inputs), sobol_seed)
        of_key = [
            Matter(
                key,
                kinds[key],
                ranged.path,
                alone[index][0].get(key),
                alone[index][1].get(key),
                rank_correlation(drawn[known, index], outcome[known]),
                *_of(indices, index),
            )
            for index, ranged in enumerate(inputs)
        ]
        made += sorted(of_key, key=_weight, reverse=True)
    return tuple(made)


def moves_nothing(
    alone: tuple[Mapping[str, float], Mapping[str, float]], nominal: Mapping[str, Value]
) -> bool:
    """Return whether one input affects no result, and adds none."""
    return all(
        key in nominal and abs(value - float(nominal[key].si)) <= _SAME * abs(value)
        for found in alone
        for key, value in found.items()
    )


def _of(indices: Indices | None, index: int) -> tuple[float | None, ...]:
    if indices is None:
        return (None,) * 4
    columns = (indices.first, indices.first_error, indices.total, indices.total_error)
    return tuple(column[index] for column in columns)


def _weight(matter: Matter) -> tuple[float, float]:
    by_rank = abs(matter.correlation) if matter.correlation is not None else 0.0
    return (matter.total if matter.total is not None else matter.swing, by_rank)


def _still(series: FloatArray) -> bool:
    return bool(np.ptp(series) <= _SAME * np.max(np.abs(series)))
