"""How fast temperatures rise when heat is not taken away, and what water holds them back."""

from __future__ import annotations

from typing import Any

from facility.core.equation import equation
from facility.core.sources import DERIVED


@equation(
    "C",
    r"\rho\,c_p\,V",
    "heat_capacity",
    DERIVED,
    volume_m3="volume",
    density_kg_m3="density",
    specific_heat_j_kgk="specific_heat",
)
def stored_heat_capacity(volume_m3: Any, density_kg_m3: Any, specific_heat_j_kgk: Any) -> Any:
    """Return the heat that a volume takes up for each kelvin of its rise.

    Mass times specific heat.
    """
    return density_kg_m3 * volume_m3 * specific_heat_j_kgk


@equation(
    "t",
    r"C\,\Delta T / \dot q",
    "time",
    DERIVED,
    heat_capacity_j_k="heat_capacity",
    rise_k="temperature_difference",
    heat_w="heat_flow",
)
def time_to_rise(heat_capacity_j_k: Any, rise_k: Any, heat_w: Any) -> Any:
    """Return the time in which a store without heat removal rises by a temperature difference.

    The store is mixed and takes up all of the heat: C dT/dt = q.
    """
    return heat_capacity_j_k * rise_k / heat_w


@equation(
    "V",
    r"\dot q\,t / (\rho\,c_p\,\Delta T)",
    "volume",
    DERIVED,
    heat_w="heat_flow",
    time_s="time",
    rise_k="temperature_difference",
    density_kg_m3="density",
    specific_heat_j_kgk="specific_heat",
)
def storage_volume(
    heat_w: Any, time_s: Any, rise_k: Any, density_kg_m3: Any, specific_heat_j_kgk: Any
) -> Any:
    """Return the volume of water that takes up a heat for a time with a temperature rise.

    The usable part of a tank; a stratified tank gives all but its mixing zone.
    """
    return heat_w * time_s / (density_kg_m3 * specific_heat_j_kgk * rise_k)
