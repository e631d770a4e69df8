"""Short-circuit current at a point of known fault level."""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import Source

_DERIVED = Source("derivation", "three-phase power; decaying offset of an R-L circuit")


@equation(
    "I_k", r"\frac{S_k}{\sqrt{3} V}", "current", _DERIVED,
    fault_level_va="apparent_power", v_ll_v="line_voltage",
)  # fmt: skip
def fault_current(fault_level_va: Any, v_ll_v: Any) -> Any:
    """Return the symmetrical three-phase short-circuit current of a fault level.

    The fault level is by definition sqrt(3) times the line voltage before the fault times the
    symmetrical current of a bolted three-phase fault.

    Parameters
    ----------
    fault_level_va : float or ndarray
        Fault level [VA].
    v_ll_v : float or ndarray
        Line-to-line voltage before the fault [V].

    Returns
    -------
    float or ndarray
        Symmetrical current, root mean square [A].
    """
    return fault_level_va / (np.sqrt(3.0) * v_ll_v)


@equation(
    "i_p", r"\sqrt{2} I_k \left(1 + e^{-\pi / (X/R)}\right)", "current", _DERIVED,
    fault_current_a="current", x_over_r="ratio",
)  # fmt: skip
def first_cycle_peak(fault_current_a: Any, x_over_r: Any) -> Any:
    """Return the peak of the first cycle of a fully offset short-circuit current.

    With the offset decaying at R/L, half a period after the worst instant of the fault the
    exponent is omega t R / X = pi / (X/R); the crest then stands on what is left of the offset.

    Parameters
    ----------
    fault_current_a : float or ndarray
        Symmetrical current, root mean square [A].
    x_over_r : float or ndarray
        Reactance over resistance of the source; above 0.

    Returns
    -------
    float or ndarray
        Instantaneous peak [A].
    """
    return np.sqrt(2.0) * fault_current_a * (1.0 + np.exp(-np.pi / x_over_r))
