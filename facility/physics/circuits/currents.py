"""Power and current of one circuit, and the rating its overcurrent device needs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source

_SQRT3 = math.sqrt(3.0)


@equation("S", "P / pf", "apparent_power", DERIVED, power_w="active_power", power_factor="ratio")
def apparent_power(power_w: Any, power_factor: Any) -> Any:
    """Apparent power of a load.

    The power factor is by definition active over apparent power.

    Parameters
    ----------
    power_w : float or ndarray
        Active power [W].
    power_factor : float or ndarray
        Power factor, above 0 and at most 1.

    Returns
    -------
    float or ndarray
        Apparent power [VA].
    """
    return power_w / power_factor


@equation(
    "Q",
    r"P \tan(\arccos pf)",
    "reactive_power",
    DERIVED,
    power_w="active_power",
    power_factor="ratio",
    excel="{power_w}*SQRT(1-{power_factor}*{power_factor})/{power_factor}",
)
def reactive_power(power_w: Any, power_factor: Any) -> Any:
    """Reactive power of a load with a lagging power factor.

    From S^2 = P^2 + Q^2 with pf = P/S: Q = P sqrt(1/pf^2 - 1) = P tan(arccos pf).

    Parameters
    ----------
    power_w : float or ndarray
        Active power [W].
    power_factor : float or ndarray
        Power factor, above 0 and at most 1.

    Returns
    -------
    float or ndarray
        Reactive power [var].
    """
    return power_w * np.sqrt(1.0 - power_factor * power_factor) / power_factor


@equation(
    "I",
    r"S / V_{LN}",
    "current",
    DERIVED,
    apparent_va="apparent_power",
    phase_voltage_v="phase_voltage",
)
def line_neutral_current(apparent_va: Any, phase_voltage_v: Any) -> Any:
    """Current of a single-phase load between a line and the neutral.

    Parameters
    ----------
    apparent_va : float or ndarray
        Apparent power of the load [VA].
    phase_voltage_v : float or ndarray
        Line-to-neutral voltage [V].

    Returns
    -------
    float or ndarray
        Current in the line and in the neutral [A].
    """
    return apparent_va / phase_voltage_v


@equation(
    "I",
    r"S / V_{LL}",
    "current",
    DERIVED,
    apparent_va="apparent_power",
    line_voltage_v="line_voltage",
)
def line_line_current(apparent_va: Any, line_voltage_v: Any) -> Any:
    """Current of a single-phase load between two lines.

    The same current flows in both lines, none in the neutral.

    Parameters
    ----------
    apparent_va : float or ndarray
        Apparent power of the load [VA].
    line_voltage_v : float or ndarray
        Line-to-line voltage [V].

    Returns
    -------
    float or ndarray
        Current in each of the two lines [A].
    """
    return apparent_va / line_voltage_v


@equation(
    "I",
    r"S / (\sqrt{3} V_{LL})",
    "current",
    DERIVED,
    apparent_va="apparent_power",
    line_voltage_v="line_voltage",
    excel="{apparent_va}*1000/(SQRT(3)*{line_voltage_v})",
)
def three_phase_current(apparent_va: Any, line_voltage_v: Any) -> Any:
    """Line current of a balanced three-phase load.

    Each phase carries S/3 at V_LN = V_LL/sqrt(3), hence S / (sqrt(3) V_LL).

    Parameters
    ----------
    apparent_va : float or ndarray
        Apparent power of all three phases [VA].
    line_voltage_v : float or ndarray
        Line-to-line voltage [V].

    Returns
    -------
    float or ndarray
        Current in each line [A].
    """
    return apparent_va / (_SQRT3 * line_voltage_v)


@equation(
    "I_n",
    r"I_{nc} + k I_c",
    "current",
    Source("nec-210-20", "210.20(A), 215.3", "2017, 2020 and 2023"),
    continuous_a="current",
    other_a="current",
    continuous_factor="ratio",
)
def required_rating(continuous_a: Any, other_a: Any, continuous_factor: Any) -> Any:
    """Least rating of an overcurrent device.

    Load that flows for three hours or more counts with the continuous factor: 1.25 in the NEC,
    1.0 for an assembly listed for 100 % and in IEC (Ib <= In).

    Parameters
    ----------
    continuous_a, other_a : float or ndarray
        Continuous and other load current [A].
    continuous_factor : float
        Factor on the continuous part.

    Returns
    -------
    float or ndarray
        Least rating [A].
    """
    return other_a + continuous_factor * continuous_a


@equation(
    "I_{max}",
    r"I_n / k",
    "current",
    Source("nec-210-20", "210.20(A), 215.3", "2017, 2020 and 2023"),
    rating_a="current",
    continuous_factor="ratio",
)
def continuous_limit(rating_a: Any, continuous_factor: Any) -> Any:
    """Largest continuous load current of an overcurrent device or bus: the 80 % rule.

    `required_rating` solved for a purely continuous load: 1/1.25 = 80 % of the rating in the NEC,
    the rating itself for an assembly listed for 100 % and in IEC.

    Parameters
    ----------
    rating_a : float or ndarray
        Rating of the device [A].
    continuous_factor : float
        Factor on continuous load.

    Returns
    -------
    float or ndarray
        Largest continuous current [A].
    """
    return rating_a / continuous_factor


@equation(
    "k",
    r"\max\left(k_c, \frac{1}{1-\Delta u}\right)",
    "ratio",
    Source("derivation", "constant power: the current is inverse to the voltage"),
    continuous_factor="ratio",
    voltage_drop="fraction",
)
def sizing_factor(continuous_factor: Any, voltage_drop: Any) -> Any:
    """Least rating of a device over the current of its load at the nominal voltage.

    Supplies draw constant power: at the lowest voltage that the design permits the current is
    1/(1 - drop) of the nominal one. The continuous factor covers that where it is larger.

    Parameters
    ----------
    continuous_factor : float
        Factor on continuous load.
    voltage_drop : float
        Largest voltage drop permitted on the way to the load, of the nominal voltage.

    Returns
    -------
    float
        Least rating over the nominal current.
    """
    return np.maximum(continuous_factor, 1.0 / (1.0 - voltage_drop))
