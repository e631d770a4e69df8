"""Water use of the heat rejection over hours: open towers, pads of dry coolers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.cooling.air.air_side import supply_air
from facility.cooling.air.humidifier import humidifier_water
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.water import SUPPLY_KG_M3, WaterHours, pad_evaporation, tower_water
from facility.core.kinds import FloatArray
from facility.core.trace import Quiet
from facility.model.facility import Weather
from facility.physics.air.psychrometrics import humidity_ratio_at_wet_bulb
from facility.physics.liquids.water_use import blowdown, makeup

_NO_DRIFT = 0.0


@dataclass(frozen=True, eq=False)
class RejectionWater:
    """Water of towers, evaporation of dry cooler pads, and pad blowdown."""

    towers: WaterHours
    pads_m3_s: FloatArray
    pads_bled_m3_s: FloatArray


def rejection_water(design: CoolingDesign, flow: CoolingFlow, air: AirHours) -> RejectionWater:
    """Return the water of the heat rejection of the chillers and of the facility water.

    design, flow: The cooling as designed, and in operation over the hours.
    air: Outdoor air of these hours.
    """
    found = [(design.chilled.sink, flow.rejection)]
    water = design.water
    if water is not None and water.sink is not None and flow.fws_rejection is not None:
        found.append((water.sink, flow.fws_rejection))
    used = [tower_water(sink, at, air) for sink, at in found if sink.plan.kind == "tower"]
    none = np.zeros(np.shape(air.dry_bulb_c))
    pads_m3_s, bled_m3_s = none, none
    for sink, at in found:
        if sink.plan.pads is not None:
            evaporated = pad_evaporation(sink, at, air.pressure_pa)
            bled = blowdown.si(evaporated, sink.plan.pads.cycles, _NO_DRIFT)
            pads_m3_s, bled_m3_s = pads_m3_s + evaporated, bled_m3_s + bled
    return RejectionWater(
        WaterHours(
            sum((one.evaporation_m3_s for one in used), none),
            sum((one.drift_m3_s for one in used), none),
            sum((one.blowdown_m3_s for one in used), none),
        ),
        pads_m3_s,
        bled_m3_s,
    )


@dataclass(frozen=True)
class HourWater:
    """Water of towers, pads and humidifiers in one hour [m3/s]."""

    evaporation_m3_s: float
    drift_m3_s: float
    blowdown_m3_s: float
    humidifiers_m3_s: float

    @property
    def makeup_m3_s(self) -> float:
        """Make-up water."""
        of_rejection = makeup.si(self.evaporation_m3_s, self.drift_m3_s, self.blowdown_m3_s)
        return float(of_rejection) + self.humidifiers_m3_s


def hour_water(design: CoolingDesign, flow: CoolingFlow, weather: Weather) -> HourWater:
    """Return the water of the cooling in operation in one hour, as in the annual study."""
    dry_c, wet_c, pressure_pa = (
        np.array([x]) for x in (weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa)
    )
    humid = np.asarray(humidity_ratio_at_wet_bulb.si(dry_c, wet_c, pressure_pa))
    air = AirHours(dry_c, wet_c, humid, pressure_pa)
    found, chain = rejection_water(design, flow, air), design.chain
    pads = flow.pads_kg_s / SUPPLY_KG_M3
    bled = float(blowdown.si(pads, chain.economizer.pad_cycles, _NO_DRIFT))
    volume = supply_air(chain, weather.pressure_pa, Quiet()).volume_m3_kg
    steam = humidifier_water(chain.crah.path.room, volume, air) / SUPPLY_KG_M3
    return HourWater(
        float((found.towers.evaporation_m3_s + found.pads_m3_s)[0]) + pads,
        float(found.towers.drift_m3_s[0]),
        float((found.towers.blowdown_m3_s + found.pads_bled_m3_s)[0]) + bled,
        float(steam[0]),
    )
