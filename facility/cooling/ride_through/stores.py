"""Data of a ride-through: thermal stores, time-varying signals, constants."""

from __future__ import annotations

from dataclasses import dataclass

NODES = (
    "cold_air",
    "hot_air",
    "servers",
    "structure",
    "coils",
    "doors",
    "plates",
    "tcs_supply",
    "tcs_return",
    "fws_supply",
    "fws_return",
    "chw_return",
    "chw_supply",
)
"""The stores; the last is the chilled-water supply, of one layer or several."""

SIGNALS = (
    "it_air_w_k",
    "it_air_w",
    "room_w",
    "supply_air_w_k",
    "fan_w",
    "coil_air_w_k",
    "coil_water_w_k",
    "door_air_w_k",
    "door_water_w_k",
    "door_fan_w",
    "liquid_w",
    "plate_w_k",
    "tcs_w_k",
    "cdu_w_k",
    "cdu_pump_w",
    "fws_w_k",
    "fws_pump_w",
    "sink_w_k",
    "plate_exchanger_w_k",
    "sink_warmer_w",
    "chw_w_k",
    "chw_pump_w",
    "electrical_w",
    "chiller_w",
)
"""Time-varying signals: heats and powers in W, capacity rates and conductances in W/K."""


@dataclass(frozen=True)
class Settings:
    """Constants of a simulation."""

    # Set points of the supplies [degC].
    air_c: float
    tcs_c: float
    fws_c: float
    chw_c: float
    # Coldest facility water of its heat rejection: wet or dry bulb plus the approach
    # of the exchanger [degC].
    sink_c: float
    recirculation: float  # Exhaust fraction of inlet air
    server_effectiveness: float  # Rise of the air through the equipment over metal minus inlet
    structure_w_k: float  # Conductance of the structure to the hot air [W/K]
    # Heat passed by the coil valves per kelvin above set point [W/K].
    valve_w_k: float
    shutdown_c: float  # Inlet temperature of load shedding [degC]
    plate_limit_c: float  # Chip temperature of load shedding [degC]
    # Whether the coils are direct expansion: their heat is removed by their own compressors, and
    # `chw_c` is the evaporating temperature.
    direct: bool = False
    door_valve_w_k: float = 0.0  # `valve_w_k` of rear doors [W/K]
