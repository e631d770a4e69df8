"""Cases of ride-through: loops, tanks and rooms whose heat is not taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from facility.physics.thermal_transient import stored_heat_capacity, time_to_rise


def _loop_time(
    volume_m3: float, density_kg_m3: float, specific_heat_j_kgk: float, rise_k: float, heat_w: float
) -> float:
    capacity_j_k = stored_heat_capacity.si(volume_m3, density_kg_m3, specific_heat_j_kgk)
    return float(time_to_rise.si(capacity_j_k, rise_k, heat_w))


def _room_time(
    volume_m3: float, density_kg_m3: float, specific_heat_j_kgk: float, metal_j_k: float,
    rise_k: float, heat_w: float,
) -> float:  # fmt: skip
    """Return the time of a room whose air and metal rise together."""
    air_j_k = stored_heat_capacity.si(volume_m3, density_kg_m3, specific_heat_j_kgk)
    return float(time_to_rise.si(air_j_k + metal_j_k, rise_k, heat_w))


FUNCTIONS: Mapping[str, tuple[str, Callable[..., float]]] = {
    "ride.loop_time": ("time", _loop_time),
    "ride.room_time": ("time", _room_time),
}
"""Kind of the result, and the function, by name."""
