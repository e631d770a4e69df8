"""Humidification of outdoor air for the halls: water, and power of steam humidifiers."""

from __future__ import annotations

import numpy as np

from facility.cooling.air.air_side import SupplyAir
from facility.cooling.parts.air import AirHours
from facility.core.kinds import FloatArray
from facility.core.trace import Trace
from facility.model.cooling.air import RoomPlan
from facility.model.facility import Weather
from facility.physics.air.distribution import moisture_flow, steam_power
from facility.physics.air.psychrometrics import humidity_ratio, humidity_ratio_at_wet_bulb
from facility.physics.elementwise import maximum, plain

_SATURATED = 1.0


def steam_at(room: RoomPlan, air: SupplyAir, weather: Weather, trace: Trace) -> float:
    """Return the power of steam humidifiers in `weather`; zero for adiabatic humidifiers.

    Outdoor air below the recommended minimum dew point is humidified to it. Records
    ``humidifier.water`` and ``humidifier.power``.
    """
    if room.humidifier != "steam" or room.driest_c is None:
        return 0.0
    outdoor = humidity_ratio_at_wet_bulb.si(
        weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa
    )
    target = humidity_ratio.si(room.driest_c, _SATURATED, weather.pressure_pa)
    trace.do(
        "humidifier.water",
        moisture_flow,
        f"outdoor air to {room.driest_c:g} degC dew point",
        air_flow_m3_s=room.ventilation_m3_s,
        specific_volume_m3_kg=air.volume_m3_kg,
        from_ratio=outdoor,
        to_ratio=maximum(plain(target), plain(outdoor)),
    )
    return plain(trace.do("humidifier.power", steam_power, water_kg_s="humidifier.water"))


def humidifier_water(room: RoomPlan, volume_m3_kg: float | FloatArray, air: AirHours) -> FloatArray:
    """Return the water that humidifiers of either type add to the outdoor air, by hour [kg/s]."""
    if room.driest_c is None:
        return np.zeros_like(air.dry_bulb_c)
    target = humidity_ratio.si(room.driest_c, _SATURATED, air.pressure_pa)
    raised = np.maximum(target, air.humidity_ratio)
    return np.asarray(
        moisture_flow.si(room.ventilation_m3_s, volume_m3_kg, air.humidity_ratio, raised)
    )
