"""Sampling: probabilities between 0 and 1 for each input, their values, and Sobol indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.model.inputs.ranges import Ranged
from facility.study.sweep.engine import no_sweep_extra

Method = Literal["lhs", "mc", "sobol"]
METHODS: tuple[Method, ...] = ("lhs", "mc", "sobol")
SAMPLES, SOBOL_SAMPLES = 1000, 256
"""Default number of samples; for Sobol indices, of base points with one run per input each."""
MAX_SAMPLES, MAX_SOBOL = 100_000, 8192
MAX_SOBOL_INPUTS = 6
_MIN_SAMPLES = 2


def draw(method: Method, samples: int, inputs: int, seed: int) -> FloatArray:
    """Return probabilities between 0 and 1: a row per run, a column per input.

    method: Latin hypercube: one draw from each of `samples` equal strata of every input. Monte
        Carlo: independent draws. Sobol: the points of Saltelli's scheme, `samples` base points with
        ``inputs + 2`` runs each.
    samples, inputs, seed: Number of samples, number of inputs, random seed.

    Raises ``RANGE_SAMPLES``, ``RANGE_SOBOL``, ``NO_SWEEP_EXTRA``.
    """
    _refuse(method, samples, inputs, seed)
    if method == "mc":
        return np.random.default_rng(seed).random((samples, inputs))
    if method == "lhs":
        from scipy.stats import qmc

        return np.asarray(
            qmc.LatinHypercube(inputs, rng=np.random.default_rng(seed)).random(samples)
        )
    return saltelli(samples, inputs, seed)


def values(parts: FloatArray, inputs: Sequence[Ranged]) -> FloatArray:
    """Return the values in SI at probabilities between 0 and 1."""
    columns = [
        [ranged.spread.at(float(part)) for part in column]
        for ranged, column in zip(inputs, parts.T, strict=True)
    ]
    return np.array(columns, dtype=float).T


def _refuse(method: Method, samples: int, inputs: int, seed: int) -> None:
    maximum = MAX_SOBOL if method == "sobol" else MAX_SAMPLES
    if method not in METHODS:
        words = f"{str(method)[:40]!r} is not a sampling method."
        raise FacilityError("OPTIONS", "method", words, "Use lhs, mc or sobol.")
    if not _MIN_SAMPLES <= samples <= maximum or seed < 0:
        raise FacilityError(
            "RANGE_SAMPLES",
            "samples",
            f"{samples:,} samples with seed {seed} are outside the permitted range.",
            f"Use {_MIN_SAMPLES} to {maximum:,} samples, and a seed of at least 0.",
        )
    if method != "sobol":
        return
    if inputs > MAX_SOBOL_INPUTS:
        raise FacilityError(
            "RANGE_SOBOL",
            "ranges",
            f"{inputs} inputs are varied; Sobol indices support at most {MAX_SOBOL_INPUTS}.",
            "Use the Latin hypercube (lhs); its rank correlations show which inputs to keep.",
        )
    if samples & (samples - 1):
        raise FacilityError(
            "RANGE_SAMPLES",
            "samples",
            f"{samples:,} is not a power of two, as required for balanced Sobol points.",
            f"Use {1 << (samples.bit_length() - 1):,} or {1 << samples.bit_length():,}.",
        )


@dataclass(frozen=True)
class Indices:
    """Sobol indices of a result by input: first-order and total.

    Each with the half width of its 95 % confidence interval, by resampling.
    """

    first: tuple[float, ...]
    first_error: tuple[float, ...]
    total: tuple[float, ...]
    total_error: tuple[float, ...]


def saltelli(samples: int, inputs: int, seed: int) -> FloatArray:
    """Return the points of Saltelli's scheme without second-order indices, in the unit cube."""
    sampled = _salib("SALib.sample.sobol").sample(
        _problem(inputs), samples, calc_second_order=False, seed=seed
    )
    return np.asarray(sampled, dtype=float)


def sobol_indices(outcome: FloatArray, inputs: int, seed: int) -> Indices | None:
    """Return the indices of the outcome at the points of `saltelli`; None if it is constant."""
    if np.ptp(outcome) <= 1e-12 * np.max(np.abs(outcome)):
        return None
    found = _salib("SALib.analyze.sobol").analyze(
        _problem(inputs), outcome, calc_second_order=False, seed=seed
    )
    columns = (tuple(float(x) for x in found[name]) for name in ("S1", "S1_conf", "ST", "ST_conf"))
    return Indices(*columns)


def _problem(inputs: int) -> dict[str, object]:
    names = [f"x{index}" for index in range(inputs)]
    return {"num_vars": inputs, "names": names, "bounds": [[0.0, 1.0]] * inputs}


def _salib(module: str) -> ModuleType:
    import importlib

    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise no_sweep_extra("method") from error
