"""Starting a motor on a generator: apparent power drawn, and the dip of the voltage."""

from __future__ import annotations

from typing import Any

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source


@equation(
    "S_{st}",
    r"k\,\frac{P}{\cos\varphi}",
    "apparent_power",
    DERIVED,
    input_w="active_power",
    power_factor="ratio",
    current_ratio="ratio",
)
def starting_power(input_w: Any, power_factor: Any, current_ratio: Any) -> Any:
    """Return the apparent power that a motor draws at standstill and full voltage.

    Parameters
    ----------
    input_w : float or ndarray
        Electrical input of the running motor at its load [W].
    power_factor : float or ndarray
        Power factor of the running motor.
    current_ratio : float or ndarray
        Starting over running current: 1 on a drive that ramps it, about 6 across the line.
    """
    return current_ratio * input_w / power_factor


@equation(
    "S_{lr}",
    r"k\,P_r",
    "apparent_power",
    Source("nec-430-7b", "Table 430.7(B)", "2023", "secondary"),
    rated_w="active_power",
    code_va_per_w="ratio",
)
def locked_rotor_power(rated_w: Any, code_va_per_w: Any) -> Any:
    """Return the apparent power at standstill of a motor whose nameplate has a code letter.

    Parameters
    ----------
    rated_w : float or ndarray
        Rated shaft power [W]; a horsepower is 745.7 W.
    code_va_per_w : float or ndarray
        Apparent power at standstill over rated power, by the letter: the upper end of its range
        sizes what has to start the motor.
    """
    return code_va_per_w * rated_w


@equation(
    r"\Delta U",
    r"\frac{x'_d}{x'_d + S_G/S_{st}}",
    "fraction",
    DERIVED,
    starting_va="apparent_power",
    sets_va="apparent_power",
    reactance="fraction",
)
def voltage_dip(starting_va: Any, sets_va: Any, reactance: Any) -> Any:
    r"""Return the dip of the voltage when a motor is connected to generators.

    Behind their transient reactance :math:`x'_d` the sets hold the voltage they had. The starting
    motor is an impedance of :math:`S_G/S_{st}` on the base of the sets, so that the two divide
    the voltage. Both count as pure reactances: the starting power factor is low, and any part of
    the impedance at another angle makes the dip smaller. Load already running and the voltage
    regulator, which act against each other, are left out.

    Parameters
    ----------
    starting_va : float or ndarray
        Apparent power of the motor at standstill and full voltage [VA].
    sets_va : float or ndarray
        Rating of all sets on the bus [VA].
    reactance : float or ndarray
        Transient reactance of a set on its rating.
    """
    return reactance / (reactance + sets_va / starting_va)
