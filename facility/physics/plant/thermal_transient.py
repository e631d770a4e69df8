"""Temperature rise without heat removal, and thermal storage of water."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import (
    Density,
    Energy,
    HeatCapacity,
    HeatFlow,
    SpecificHeat,
    TemperatureDifference,
    Time,
    Volume,
)
from facility.core.sources import DERIVED


@equation("C", r"\rho\,c_p\,V", DERIVED)
def stored_heat_capacity(
    volume_m3: Volume, density_kg_m3: Density, specific_heat_j_kgk: SpecificHeat
) -> HeatCapacity:
    """Return the heat capacity of a volume [J/K].

    Mass times specific heat.
    """
    return density_kg_m3 * volume_m3 * specific_heat_j_kgk


@equation("t", r"C\,\Delta T / \dot q", DERIVED)
def time_to_rise(
    heat_capacity_j_k: HeatCapacity, rise_k: TemperatureDifference, heat_w: HeatFlow
) -> Time:
    """Return the time for a temperature rise of a thermal store without heat removal.

    The store is mixed and takes up all of the heat: C dT/dt = q.
    """
    return heat_capacity_j_k * rise_k / heat_w


@equation("Q", r"V \rho\,c_p\,\Delta T", DERIVED)
def storage_heat(
    volume_m3: Volume,
    rise_k: TemperatureDifference,
    density_kg_m3: Density,
    specific_heat_j_kgk: SpecificHeat,
) -> Energy:
    """Return the heat absorbed by the usable water of a tank over a temperature rise."""
    return volume_m3 * density_kg_m3 * specific_heat_j_kgk * rise_k


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
    """Return the water volume that absorbs a heat for a time with a temperature rise.

    The usable part of a tank; a stratified tank gives all but its mixing zone.
    """
    return heat_w * time_s / (density_kg_m3 * specific_heat_j_kgk * rise_k)
