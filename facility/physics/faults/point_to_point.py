"""The point-to-point method: fault currents step by step, impedances added as magnitudes.

Each step takes the current at its upper end and gives a factor f, the impedance added over the
impedance so far; the current at the lower end is M = 1 / (1 + f) times that of the upper end.
Adding magnitudes instead of resistances and reactances gives currents a few percent low where
the angles differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import Source

_BUSSMANN = Source("bussmann-plan-review", "steps 4-6, A-C")


@equation(
    "f",
    r"\frac{\sqrt{3}\,I\,Z}{n\,U}",
    "ratio",
    _BUSSMANN,
    fault_current_a="current",
    impedance_ohm="resistance",
    sets="count",
    v_ll_v="line_voltage",
)
def conductor_factor(fault_current_a: Any, impedance_ohm: Any, sets: Any, v_ll_v: Any) -> Any:
    """Return f of a three-phase run of conductors.

    U / (sqrt(3) I) is the impedance up to the run, Z / n that of the run.

    Parameters
    ----------
    fault_current_a : float or ndarray
        Three-phase fault current where the run begins [A].
    impedance_ohm : float or ndarray
        Impedance of one conductor of one set, one way [ohm].
    sets : int or ndarray
        Conductors in parallel for each phase.
    v_ll_v : float or ndarray
        Line-to-line voltage [V].
    """
    return np.sqrt(3.0) * fault_current_a * impedance_ohm / (sets * v_ll_v)


@equation(
    "f",
    r"\frac{2\,I\,Z}{n\,U}",
    "ratio",
    _BUSSMANN,
    fault_current_a="current",
    impedance_ohm="resistance",
    sets="count",
    voltage_v="line_voltage",
)
def two_wire_factor(fault_current_a: Any, impedance_ohm: Any, sets: Any, voltage_v: Any) -> Any:
    """Return f of a single-phase run: line to line, or line to neutral.

    The current flows out and back through equal conductors. For a line-to-line fault `voltage_v`
    is that between lines and the current the line-to-line fault current; for a line-to-neutral
    fault both are those to the neutral.

    Parameters
    ----------
    fault_current_a : float or ndarray
        Fault current of the same kind where the run begins [A].
    impedance_ohm : float or ndarray
        Impedance of one conductor of one set, one way [ohm].
    sets : int or ndarray
        Conductors in parallel for each line.
    voltage_v : float or ndarray
        Voltage of the loop [V].
    """
    return 2.0 * fault_current_a * impedance_ohm / (sets * voltage_v)


@equation(
    "f",
    r"\frac{\sqrt{3}\,I_p\,U_p\,z}{S_r}",
    "ratio",
    _BUSSMANN,
    primary_fault_a="current",
    primary_v="line_voltage",
    impedance="fraction",
    rating_va="apparent_power",
)
def transformer_factor(primary_fault_a: Any, primary_v: Any, impedance: Any, rating_va: Any) -> Any:
    """Return f of a three-phase transformer fed by a known fault current.

    The fault level at the primary over the fault level of the transformer alone, S / z.

    Parameters
    ----------
    primary_fault_a : float or ndarray
        Three-phase fault current at the primary [A].
    primary_v : float or ndarray
        Primary line-to-line voltage [V].
    impedance : float or ndarray
        Impedance as a fraction of the rated one, tolerance included.
    rating_va : float or ndarray
        Rating [VA].
    """
    return np.sqrt(3.0) * primary_fault_a * primary_v * impedance / rating_va


@equation(
    "f",
    r"\frac{I_p\,U_p\,z}{S_r}",
    "ratio",
    _BUSSMANN,
    primary_fault_a="current",
    primary_v="line_voltage",
    impedance="fraction",
    rating_va="apparent_power",
)
def single_phase_transformer_factor(
    primary_fault_a: Any, primary_v: Any, impedance: Any, rating_va: Any
) -> Any:
    """Return f of a single-phase transformer fed by a known fault current.

    Parameters
    ----------
    primary_fault_a : float or ndarray
        Fault current between the two primary lines [A].
    primary_v : float or ndarray
        Primary voltage [V].
    impedance : float or ndarray
        Impedance as a fraction of the rated one, tolerance included.
    rating_va : float or ndarray
        Rating [VA].
    """
    return primary_fault_a * primary_v * impedance / rating_va


@equation("M", r"\frac{1}{1 + f}", "ratio", _BUSSMANN, factor="ratio")
def multiplier(factor: Any) -> Any:
    """Return M, the part of the fault current left behind an added impedance.

    Parameters
    ----------
    factor : float or ndarray
        f: impedance added over the impedance so far.
    """
    return 1.0 / (1.0 + factor)


@equation(
    "I_s",
    r"\frac{U_p}{U_s}\,M\,I_p",
    "current",
    _BUSSMANN,
    primary_fault_a="current",
    primary_v="line_voltage",
    secondary_v="line_voltage",
    factor="ratio",
)
def secondary_current(primary_fault_a: Any, primary_v: Any, secondary_v: Any, factor: Any) -> Any:
    """Return the fault current at the secondary of a transformer from that at its primary.

    Parameters
    ----------
    primary_fault_a : float or ndarray
        Fault current at the primary [A].
    primary_v, secondary_v : float or ndarray
        Voltages [V].
    factor : float or ndarray
        f of the transformer.
    """
    return primary_fault_a * primary_v / secondary_v / (1.0 + factor)


@equation(
    "I_{LN}",
    r"1.5\,I_{LL}",
    "current",
    Source("bussmann-plan-review", "note on line-to-neutral faults at a centre tap"),
    line_line_a="current",
)
def centre_tap_current(line_line_a: Any) -> Any:
    """Return the line-to-neutral fault current at the terminals of a centre-tapped secondary.

    Half the winding has a quarter of the impedance if it were coupled perfectly and half the
    voltage, so twice the current; the leakage between the halves leaves about 1.5 times.

    Parameters
    ----------
    line_line_a : float or ndarray
        Line-to-line fault current at the terminals [A].
    """
    return 1.5 * line_line_a
