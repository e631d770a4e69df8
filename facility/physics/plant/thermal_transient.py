"""How fast temperatures rise when heat is not taken away, and what water holds them back."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    Density,
    HeatCapacity,
    HeatFlow,
    SpecificHeat,
    Temperature,
    TemperatureDifference,
    ThermalConductance,
    Time,
    Volume,
)
from facility.core.sources import DERIVED


@equation("C", r"\rho\,c_p\,V", DERIVED)
def stored_heat_capacity(
    volume_m3: Volume, density_kg_m3: Density, specific_heat_j_kgk: SpecificHeat
) -> HeatCapacity:
    """Return the heat that a volume takes up for each kelvin of its rise.

    Mass times specific heat.
    """
    return density_kg_m3 * volume_m3 * specific_heat_j_kgk


@equation("t", r"C\,\Delta T / \dot q", DERIVED)
def time_to_rise(
    heat_capacity_j_k: HeatCapacity, rise_k: TemperatureDifference, heat_w: HeatFlow
) -> Time:
    """Return the time in which a store without heat removal rises by a temperature difference.

    The store is mixed and takes up all of the heat: C dT/dt = q.
    """
    return heat_capacity_j_k * rise_k / heat_w


@equation(
    "V",
    r"\dot q\,t / (\rho\,c_p\,\Delta T)",
    DERIVED,
    excel="{heat_w}*{time_s}/({density_kg_m3}*{specific_heat_j_kgk}*{rise_k})",
)
def storage_volume(
    heat_w: HeatFlow,
    time_s: Time,
    rise_k: TemperatureDifference,
    density_kg_m3: Density,
    specific_heat_j_kgk: SpecificHeat,
) -> Volume:
    """Return the volume of water that takes up a heat for a time with a temperature rise.

    The usable part of a tank; a stratified tank gives all but its mixing zone.
    """
    return heat_w * time_s / (density_kg_m3 * specific_heat_j_kgk * rise_k)


@equation(r"\tau", r"C / G", DERIVED)
def time_constant(heat_capacity_j_k: HeatCapacity, conductance_w_k: ThermalConductance) -> Time:
    """Return the time constant of a store that gives its heat over one conductance.

    C dT/dt = -G (T - T_inf); a mixed volume in a stream of capacity rate G is one too.
    """
    return heat_capacity_j_k / conductance_w_k


@equation("T", r"T_\infty + (T_0 - T_\infty)\,e^{-t/\tau}", DERIVED)
def approached_temperature(
    start_c: Temperature, final_c: Temperature, time_s: Time, time_constant_s: Time
) -> Temperature:
    """Return the temperature of a store on its way to a steady end.

    Solution of tau dT/dt = T_inf - T from T_0.
    """
    return final_c + (start_c - final_c) * np.exp(-time_s / time_constant_s)


@equation(
    r"\Delta T",
    r"\frac{\dot q\,t}{C + C_m} + \frac{\dot q\,C_m^2}{G (C + C_m)^2}"
    r"\left(1 - e^{-t G (C + C_m)/(C C_m)}\right)",
    DERIVED,
)
def two_node_rise(
    heat_w: HeatFlow,
    time_s: Time,
    heat_capacity_j_k: HeatCapacity,
    mass_heat_capacity_j_k: HeatCapacity,
    conductance_w_k: ThermalConductance,
) -> TemperatureDifference:
    """Return the rise of a heated store coupled to a mass that is heated by it alone.

    C dT/dt = q - G (T - T_m) and C_m dT_m/dt = G (T - T_m), both at rest at t = 0. The difference
    T - T_m goes to q C_m / (G (C + C_m)) with the time constant C C_m / (G (C + C_m)), and
    C T + C_m T_m = q t. The first rate is that of the air alone, q / C; the last one that of
    both, q / (C + C_m).
    """
    both_j_k = heat_capacity_j_k + mass_heat_capacity_j_k
    tau_s = heat_capacity_j_k * mass_heat_capacity_j_k / (conductance_w_k * both_j_k)
    lag_k = heat_w * mass_heat_capacity_j_k / (conductance_w_k * both_j_k)
    together_k = heat_w * time_s / both_j_k
    return together_k - lag_k * mass_heat_capacity_j_k / both_j_k * np.expm1(-time_s / tau_s)
