"""Sobol indices by SALib: the points they are computed from, and the indices."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from facility.core.kinds import FloatArray
from facility.study.sweep.engine import no_sweep_extra


@dataclass(frozen=True)
class Indices:
    """Parts of the variance of a result, by input: alone, and with all interactions.

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
    """Return the indices of the outcome at the points of `saltelli`; None of a constant."""
    if np.ptp(outcome) <= 1e-12 * np.max(np.abs(outcome)):
        return None
    found = _salib("SALib.analyze.sobol").analyze(
        _problem(inputs), outcome, calc_second_order=False, seed=seed
    )
    columns = (tuple(float(x) for x in found[name]) for name in ("S1", "S1_conf", "ST", "ST_conf"))
    return Indices(*columns)


def _problem(inputs: int) -> dict[str, object]:
    names = [f"x{place}" for place in range(inputs)]
    return {"num_vars": inputs, "names": names, "bounds": [[0.0, 1.0]] * inputs}


def _salib(module: str) -> ModuleType:
    import importlib

    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise no_sweep_extra("method") from error
