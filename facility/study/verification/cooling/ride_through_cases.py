"""Cases of ride-through: loops, tanks and rooms without heat removal."""

from __future__ import annotations

import numpy as np

from facility.cooling.ride_through.limits import time_to
from facility.cooling.ride_through.model import run
from facility.cooling.ride_through.stores import NODES, SIGNALS, Settings
from facility.physics.plant.thermal_transient import stored_heat_capacity, time_to_rise
from facility.study.verification.inputs import CaseFunctions

_STEP_S = 1.0
"""A few times shorter than required by the fastest heat capacity, the air at the cabinet inlets."""
_HORIZON_S = 600.0
_COLD_SHARE = 0.4


def _rise_time(
    volume_m3: float,
    density_kg_m3: float,
    specific_heat_j_kgk: float,
    rise_k: float,
    heat_w: float,
    metal_j_k: float = 0.0,
) -> float:
    """Return the time of temperature rise of a loop, or of a room with air and metal combined."""
    fluid_j_k = stored_heat_capacity.si(volume_m3, density_kg_m3, specific_heat_j_kgk)
    return float(time_to_rise.si(fluid_j_k + metal_j_k, rise_k, heat_w))


def _shutdown_time(  # noqa: PLR0913 - columns of a published case
    power_w: float,
    air_m3: float,
    density_kg_m3: float,
    specific_heat_j_kgk: float,
    server_j_k: float,
    server_effectiveness: float,
    structure_j_k: float,
    structure_w_k: float,
    rise_k: float,
    start_c: float,
    shutdown_c: float,
) -> float:
    """Return the time until a cabinet inlet reaches its shutdown temperature without cooling.

    Server fans keep their flow; air of the hot side returns to the inlets.
    """
    settings = Settings(
        air_c=start_c,
        tcs_c=0.0,
        fws_c=0.0,
        chw_c=0.0,
        sink_c=0.0,
        recirculation=0.0,
        server_effectiveness=server_effectiveness,
        structure_w_k=structure_w_k,
        valve_w_k=0.0,
        shutdown_c=shutdown_c,
        plate_limit_c=shutdown_c,
    )
    air_j_k = float(stored_heat_capacity.si(air_m3, density_kg_m3, specific_heat_j_kgk))
    flow_w_k, hot_c = power_w / rise_k, start_c + rise_k
    capacity, start = np.ones((len(NODES), 1)), np.zeros((len(NODES), 1))
    capacity[:4, 0] = (
        _COLD_SHARE * air_j_k,
        (1.0 - _COLD_SHARE) * air_j_k,
        server_j_k,
        structure_j_k,
    )
    start[:5, 0] = start_c, hot_c, start_c + rise_k / server_effectiveness, hot_c, hot_c
    signals = np.zeros((2 * int(_HORIZON_S / _STEP_S) + 1, len(SIGNALS), 1))
    signals[:, SIGNALS.index("it_air_w_k")] = flow_w_k
    signals[:, SIGNALS.index("it_air_w")] = power_w
    ride = run(settings, capacity, start, signals, _STEP_S)
    return float(time_to(ride.inlet(0.0), shutdown_c, ride.time_s)[0])


def _shutdown_bound(bound_s: float, **room: float) -> str:
    """Return the published bound if the time is below it, else the time."""
    time_s = _shutdown_time(**room)
    return f"< {bound_s / 60.0:g} min" if time_s < bound_s else f"{time_s:.0f} s"


FUNCTIONS: CaseFunctions = {
    "ride.loop_time": ("time", _rise_time),
    "ride.room_time": ("time", _rise_time),
    "ride.shutdown_time": ("time", _shutdown_time),
    "ride.shutdown_bound": ("text", _shutdown_bound),
}
