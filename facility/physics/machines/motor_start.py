"""Starting a motor on a generator: apparent power drawn, and the dip of the voltage."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import ActivePower, ApparentPower, Fraction, Ratio
from facility.core.sources import DERIVED


@equation("S_{st}", r"k\,\frac{P}{\cos\varphi}", DERIVED)
def starting_power(
    input_w: ActivePower, power_factor: Ratio, current_ratio: Ratio
) -> ApparentPower:
    """Return the apparent power that a motor draws at standstill and full voltage.

    input_w: electrical input of the running motor at its load.
    power_factor: of the running motor.
    current_ratio: starting over running current: 1 on a drive that ramps it, about 6 across the
        line.
    """
    return current_ratio * input_w / power_factor


@equation(
    r"\Delta U",
    r"\frac{x'_d}{x'_d + S_G/S_{st}}",
    DERIVED,
    excel="{reactance}/({reactance}+{sets_va}/{starting_va})",
)
def voltage_dip(
    starting_va: ApparentPower, sets_va: ApparentPower, reactance: Fraction
) -> Fraction:
    """Return the dip of the voltage when a motor is connected to generators.

    Behind their transient reactance :math:`x'_d` the sets hold the voltage they had. The starting
    motor is an impedance of :math:`S_G/S_{st}` on the base of the sets, so that the two divide
    the voltage. Both count as pure reactances: the starting power factor is low, and any part of
    the impedance at another angle makes the dip smaller. Load already running and the voltage
    regulator, which act against each other, are left out.

    starting_va: apparent power of the motor at standstill and full voltage.
    sets_va: rating of all sets on the bus.
    reactance: transient reactance of a set on its rating.
    """
    return reactance / (reactance + sets_va / starting_va)
