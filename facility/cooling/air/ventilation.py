"""Outdoor air of the halls for ventilation and pressurization: heat and fan power.

A dedicated unit cools it to supply air temperature, and dehumidifies it to the room dew point if it
is more humid, with chilled water or a CRAC-type compressor; it does not humidify. Outdoor
air of lower enthalpy is warmed by the halls; its cooling effect is disregarded.
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
    """Return the enthalpy of outdoor air, before and after cooling and dehumidification [J/kg]."""
    dry_c, pressure = weather.dry_bulb_c, weather.pressure_pa
    outdoor = humidity_ratio_at_wet_bulb.si(dry_c, weather.wet_bulb_c, pressure)
    room = humidity_ratio.si(chain.room_dew_point_c, _SATURATED, pressure)
    supplied = enthalpy.si(chain.crah.supply_air_c, np.minimum(room, outdoor))
    return plain(enthalpy.si(dry_c, outdoor)), plain(supplied)


def ventilation_heat(chain: CoolingChain, weather: Weather) -> float:
    """Return the outdoor-air heat load of the halls, at one condition or over hours."""
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
