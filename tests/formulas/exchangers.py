"""Effectiveness of arrangements that no machine of a design has."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Numeric, Ratio
from facility.core.sources import Source

_TEXTBOOK = Source("effectiveness-ntu", "", "", "secondary")


def _expm1_ratio(x: Numeric) -> Numeric:
    """Return (1 - exp(-x)) / x, which is 1 at x = 0."""
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, -np.expm1(-safe) / safe)[()]


@equation(r"\varepsilon", r"(1 - e^{-N(1 + C_r)}) / (1 + C_r)", _TEXTBOOK)
def parallel_effectiveness(ntu: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the effectiveness of parallel flow.

    However long the exchanger, the streams meet at one temperature: eps <= 1 / (1 + Cr).
    """
    return -np.expm1(-ntu * (1.0 + capacity_ratio)) / (1.0 + capacity_ratio)


@equation(r"\varepsilon", r"1 - \exp\left(N^{0.22} (e^{-C_r N^{0.78}} - 1) / C_r\right)", _TEXTBOOK)
def crossflow_approximate_effectiveness(ntu: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the effectiveness of crossflow with both fluids unmixed, by the usual approximation.

    EnergyPlus and the handbooks use it; it is up to 0.006 above the exact series. For comparison
    with them only: coils here use the series.
    """
    x = np.asarray(ntu, dtype=float)
    ratio = np.maximum(capacity_ratio, 1e-12)
    return -np.expm1(x**0.22 * np.expm1(-ratio * x**0.78) / ratio)[()]


@equation(r"\varepsilon", r"1 - \exp\left(-(1 - e^{-N C_r}) / C_r\right)", _TEXTBOOK)
def crossflow_least_mixed_effectiveness(ntu: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the effectiveness of crossflow where the stream of least capacity rate is mixed.

    The unmixed stream meets a mixed one whose temperature changes along its own way alone.
    """
    return -np.expm1(-ntu * _expm1_ratio(ntu * capacity_ratio))


@equation(r"\varepsilon", r"(1 - \exp(-C_r (1 - e^{-N}))) / C_r", _TEXTBOOK)
def crossflow_most_mixed_effectiveness(ntu: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the effectiveness of crossflow where the stream of most capacity rate is mixed.

    As a finned coil of one row: the water is mixed in its tubes, the air between the fins is not.
    """
    x = -np.expm1(-np.asarray(ntu, dtype=float))
    return (x * _expm1_ratio(capacity_ratio * x))[()]
