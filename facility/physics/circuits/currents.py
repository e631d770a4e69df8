"""Power and current of one circuit, and the required rating of its overcurrent device."""

from __future__ import annotations

import math

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    ApparentPower,
    Current,
    Fraction,
    LineVoltage,
    PhaseVoltage,
    Ratio,
    ReactivePower,
)
from facility.core.sources import DERIVED, Source

_SQRT3 = math.sqrt(3.0)


@equation("S", "P / pf", DERIVED, excel="{power_w}/{power_factor}")
def apparent_power(power_w: ActivePower, power_factor: Ratio) -> ApparentPower:
    """Apparent power of a load.

    The power factor is by definition active over apparent power.

    power_factor: above 0 and at most 1.
    """
    return power_w / power_factor


@equation(
    "Q",
    r"P \tan(\arccos pf)",
    DERIVED,
    excel="{power_w}*SQRT(1-{power_factor}*{power_factor})/{power_factor}",
)
def reactive_power(power_w: ActivePower, power_factor: Ratio) -> ReactivePower:
    """Reactive power of a load with a lagging power factor.

    From S^2 = P^2 + Q^2 with pf = P/S: Q = P sqrt(1/pf^2 - 1) = P tan(arccos pf).

    power_factor: above 0 and at most 1.
    """
    return power_w * np.sqrt(1.0 - power_factor * power_factor) / power_factor


@equation("I", r"S / V_{LN}", DERIVED, excel="{apparent_va:VA}/{phase_voltage_v}")
def line_neutral_current(apparent_va: ApparentPower, phase_voltage_v: PhaseVoltage) -> Current:
    """Current of a single-phase load between a line and the neutral."""
    return apparent_va / phase_voltage_v


@equation(
    "I", r"S / (\sqrt{3} V_{LL})", DERIVED, excel="{apparent_va}*1000/(SQRT(3)*{line_voltage_v})"
)
def three_phase_current(apparent_va: ApparentPower, line_voltage_v: LineVoltage) -> Current:
    """Line current of a balanced three-phase load.

    Each phase carries S/3 at V_LN = V_LL/sqrt(3), hence S / (sqrt(3) V_LL).

    apparent_va: apparent power of all three phases.
    returns: current in each line.
    """
    return apparent_va / (_SQRT3 * line_voltage_v)


@equation("I_n", r"I_{nc} + k I_c", Source("nec-210-20", "210.20(A), 215.3", "2017, 2020 and 2023"))
def required_rating(continuous_a: Current, other_a: Current, continuous_factor: Ratio) -> Current:
    """Least rating of an overcurrent device.

    Load that flows for three hours or more counts with the continuous factor: 1.25 in the NEC,
    1.0 for an assembly listed for 100 % and in IEC (Ib <= In).

    continuous_a, other_a: continuous and other load current.
    """
    return other_a + continuous_factor * continuous_a


@equation("I_{max}", r"I_n / k", Source("nec-210-20", "210.20(A), 215.3", "2017, 2020 and 2023"))
def continuous_limit(rating_a: Current, continuous_factor: Ratio) -> Current:
    """Largest continuous load current of an overcurrent device or bus: the 80 % rule.

    `required_rating` solved for a purely continuous load: 1/1.25 = 80 % of the rating in the NEC,
    the rating itself for an assembly listed for 100 % and in IEC.

    rating_a: of the device.
    continuous_factor: factor on continuous load.
    returns: largest continuous current.
    """
    return rating_a / continuous_factor


@equation(
    "k",
    r"\max\left(k_c, \frac{1}{1-\Delta u}\right)",
    Source("derivation", "constant power: the current is inverse to the voltage"),
)
def sizing_factor(continuous_factor: Ratio, voltage_drop: Fraction) -> Ratio:
    """Minimum device rating over its load current at the nominal voltage.

    Supplies draw constant power: at the lowest voltage that the design permits the current is
    1/(1 - drop) of the nominal one. The continuous factor covers that where it is larger.

    continuous_factor: factor on continuous load.
    voltage_drop: largest voltage drop permitted on the way to the load, of the nominal voltage.
    returns: minimum rating over the nominal current.
    """
    return np.maximum(continuous_factor, 1.0 / (1.0 - voltage_drop))
