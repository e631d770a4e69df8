"""Starting a motor on a generator: apparent power drawn, and the dip of the voltage."""

from __future__ import annotations

from typing import Any

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation("S_{st}", r"k\,\frac{P}{\cos\varphi}", "apparent_power", DERIVED,
          input_w="active_power", power_factor="ratio", current_ratio="ratio")  # fmt: skip
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


@equation(r"\Delta U", r"\frac{x'_d}{x'_d + S_G/S_{st}}", "fraction", DERIVED,
          starting_va="apparent_power", sets_va="apparent_power", reactance="fraction")  # fmt: skip
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
