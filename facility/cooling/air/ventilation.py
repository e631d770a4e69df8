"""Outdoor air of the halls for people and pressure: its heat, and its fans.

A unit of its own cools it to the supply air, and dries it to the dew point of the halls where it
is more humid, with chilled water, or a compressor as those of CRACs; it adds no moisture. Air of
less heat than that is warmed by the halls: what it could take away is not counted on.
"""

from __future__ import annotations

import numpy as np

from facility.cooling.air.air_side import supply_air
from facility.core.trace import Quiet, Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Weather
from facility.physics.air.distribution import outdoor_air_heat
from facility.physics.air.psychrometrics import enthalpy, humidity_ratio, humidity_ratio_at_wet_bulb
from facility.physics.elementwise import plain

_SATURATED = 1.0


def ventilation_states(chain: CoolingChain, weather: Weather) -> tuple[float, float]:
    """Return the enthalpy of outdoor air, and of it cooled and dried for the halls [J/kg]."""
    dry_c, pressure = weather.dry_bulb_c, weather.pressure_pa
    outdoor = humidity_ratio_at_wet_bulb.si(dry_c, weather.wet_bulb_c, pressure)
    held = humidity_ratio.si(chain.room_dew_point_c, _SATURATED, pressure)
    supplied = enthalpy.si(chain.crah.supply_air_c, np.minimum(held, outdoor))
    return plain(enthalpy.si(dry_c, outdoor)), plain(supplied)


def ventilation_heat(chain: CoolingChain, weather: Weather) -> float:
    """Return the heat that the outdoor air of the halls brings, at one weather or over hours."""
    flow_m3_s = chain.crah.path.room.ventilation_m3_s
    if flow_m3_s <= 0.0:
        return 0.0
    volume = supply_air(chain, weather.pressure_pa, Quiet()).volume_m3_kg
    return plain(outdoor_air_heat.si(flow_m3_s, volume, *ventilation_states(chain, weather)))


def record_ventilation(chain: CoolingChain, weather: Weather, trace: Trace) -> None:
    """Record that heat as ``heat.ventilation``, after the supply air."""
    flow_m3_s = chain.crah.path.room.ventilation_m3_s
    if flow_m3_s <= 0.0:
        return
    outdoor, supplied = ventilation_states(chain, weather)
    trace.do(
        "heat.ventilation",
        outdoor_air_heat,
        "outdoor air of the halls, cooled to the supply air and dried to the dew point",
        air_flow_m3_s=trace.link("cooling.air.ventilation", flow_m3_s),
        specific_volume_m3_kg="air.specific_volume",
        outdoor_j_kg=outdoor,
        room_j_kg=supplied,
    )
