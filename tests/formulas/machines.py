"""Figures of single machines and parts that a design does not ask for."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    KINDS,
    ActivePower,
    AirFlow,
    ApparentPower,
    Charge,
    Current,
    Density,
    Fraction,
    HeatFlow,
    Length,
    LineVoltage,
    LiquidFlow,
    Numeric,
    Ratio,
    Resistance,
    SpecificEnthalpy,
    Temperature,
    Time,
)
from facility.core.sources import DERIVED, Source

SpecificFanPower = Annotated[Numeric, KINDS["specific_fan_power"]]
_FOOT_M = 0.3048
_SIZING = Source(
    "ieee-485", "temperature, ageing and design margin multiply the size", "", "secondary"
)


@equation("T_{ret}", r"T_{exh} - b (T_{exh} - T_s)", DERIVED)
def return_temperature(
    supply_c: Temperature, exhaust_c: Temperature, bypass: Fraction
) -> Temperature:
    """Return the return air: exhaust mixed with supply air that bypassed the equipment.

    Mixed by mass flow, T_ret = (1 - b) T_exh + b Ts, the specific heats being the same.
    """
    return exhaust_c - bypass * (exhaust_c - supply_c)


@equation(
    "K_{SO}",
    r"\frac{U_{nQ}}{U_{rG}(1 + p_G)}\frac{U_{rTLV}}{U_{rTHV}}"
    r"\frac{c_{max}}{1 + x''_d \sin\varphi_{rG}}",
    Source("iec-60909-0", "6.7.2", "2016", "secondary"),
)
def unit_correction_fixed_taps(
    network_v: LineVoltage,
    rated_v: LineVoltage,
    low_v: LineVoltage,
    high_v: LineVoltage,
    c_max: Ratio,
    reactance: Fraction,
    sine: Ratio,
    voltage_range: Fraction,
) -> Ratio:
    """Return the factor on generator and unit transformer together, without on-load taps.

    Off-load taps at their middle position are taken.

    network_v, rated_v: nominal voltage at the high side, rated voltage of the generator.
    low_v, high_v: rated voltages of the unit transformer.
    c_max: voltage factor for the highest currents.
    reactance: x"d as a fraction of the rated impedance.
    sine: of the phase angle of the generator at rated load.
    voltage_range: range of the generator voltage above the rated one.
    """
    ratio = network_v / (rated_v * (1.0 + voltage_range)) * low_v / high_v
    return ratio * c_max / (1.0 + reactance * sine)


@equation(
    "K_S",
    r"\frac{U_{nQ}^2}{U_{rG}^2}\frac{U_{rTLV}^2}{U_{rTHV}^2}"
    r"\frac{c_{max}}{1 + |x''_d - x_T| \sin\varphi_{rG}}",
    Source("iec-60909-0", "6.7.1", "2016", "secondary"),
)
def unit_correction_on_load_taps(
    network_v: LineVoltage,
    rated_v: LineVoltage,
    low_v: LineVoltage,
    high_v: LineVoltage,
    c_max: Ratio,
    reactance: Fraction,
    transformer_reactance: Fraction,
    sine: Ratio,
) -> Ratio:
    """Return the factor on generator and unit transformer together, with an on-load tap changer.

    network_v, rated_v: nominal voltage at the high side, rated voltage of the generator.
    low_v, high_v: rated voltages of the unit transformer.
    c_max: voltage factor for the highest currents.
    reactance, transformer_reactance: x"d and reactance of the transformer, each as a fraction of
        its rated impedance.
    sine: of the phase angle of the generator at rated load.
    """
    ratio = network_v / rated_v * low_v / high_v
    return ratio**2 * c_max / (1.0 + np.abs(reactance - transformer_reactance) * sine)


@equation(
    "Z",
    r"\frac{L}{C}",
    Source("bussmann-c-values", "C = 1 / impedance of one foot", verified="memory"),
    empirical="C is published per foot of conductor",
)
def impedance_of_c(length_m: Length, c_value: Ratio) -> Resistance:
    """Return the impedance of one conductor from the C value of the point-to-point method.

    C is the reciprocal of the ohms of one foot. The published C are those of cold conductors,
    which gives the higher current.

    length_m: one way.
    c_value: C of the conductor [ft/ohm].
    """
    return length_m / _FOOT_M / c_value


@equation("E", r"\dot q / (\rho\,h_{fg})", DERIVED)
def latent_evaporation(
    heat_w: HeatFlow, latent_heat_j_kg: SpecificEnthalpy, density_kg_m3: Density
) -> LiquidFlow:
    """Return the water that carries a heat away when all of it evaporates.

    1.47 L for each kWh at 25 degC: the upper end for a tower in mild air, and too little for one in
    hot dry air, which also cools the air.
    """
    return heat_w / (density_kg_m3 * latent_heat_j_kg)


@equation("F", r"\Delta I\,K_t\,T_t", _SIZING)
def period_size(change_a: Current, factor_s: Time, temperature: Ratio) -> Charge:
    """Return what one period of a duty cycle adds to the size of a section (current method).

    A section is all periods up to the end of one: it is the sum over them, each with the change of
    its current counted to that end, and the battery is the largest section. A falling current
    takes away from the section.

    change_a: current of the period less that of the period before.
    factor_s: rated capacity over the current that the cell gives to the end of the section.
    temperature: factor for cold electrolyte.
    """
    return change_a * factor_s * temperature


@equation("S_{lr}", r"k\,P_r", Source("nec-430-7b", "Table 430.7(B)", "2023", "secondary"))
def locked_rotor_power(rated_w: ActivePower, code_va_per_w: Ratio) -> ApparentPower:
    """Return the apparent power at standstill of a motor whose nameplate has a code letter.

    rated_w: rated shaft power; a horsepower is 745.7 W.
    code_va_per_w: apparent power at standstill over rated power, by the letter: the upper end of
        its range sizes what has to start the motor.
    """
    return code_va_per_w * rated_w


@equation(r"x_m", r"\sqrt{\frac{P_0}{P_k}}", DERIVED)
def best_load(no_load_w: ActivePower, load_loss_w: ActivePower) -> Fraction:
    """Return the load fraction at which the efficiency is highest.

    The loss per unit of output, :math:`P_0/x + x P_k`, is least where both terms are equal.

    no_load_w, load_loss_w: no-load loss, and load loss at rated load.
    """
    return (no_load_w / load_loss_w) ** 0.5


@equation("SFP", r"P / V", DERIVED)
def specific_fan_power(power_w: ActivePower, air_flow_m3_s: AirFlow) -> SpecificFanPower:
    """Return the electric power of a fan for each unit of air it moves.

    SFP = dp / eta: 1 kW/(m3/s) is 0.47 W/cfm.
    """
    return power_w / air_flow_m3_s
