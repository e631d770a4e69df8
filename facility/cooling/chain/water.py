"""Water use of the cooling over hours: open towers, pads, humidifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.cooling.air.air_side import supply_air
from facility.cooling.air.humidifier import humidifier_water
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.water import SUPPLY_KG_M3, WaterHours, pad_evaporation, tower_water
from facility.core.kinds import FloatArray
from facility.core.trace import Quiet
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Weather
from facility.physics.air.psychrometrics import humidity_ratio_at_wet_bulb
from facility.physics.liquids.water_use import blowdown

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


@dataclass(frozen=True, eq=False)
class CoolingWater:
    """Water of the cooling by its use over hours [m3/s]."""

    towers: WaterHours
    pads_m3_s: FloatArray  # Evaporated by pads of an airside economizer and of dry coolers
    pads_bled_m3_s: FloatArray  # Blowdown of the pads
    humidifiers_m3_s: FloatArray
    pads_of: str = ""  # Equipment with pads, as text

    @property
    def makeup_m3_s(self) -> FloatArray:
        """Make-up water."""
        pads = self.pads_m3_s + self.pads_bled_m3_s
        return np.asarray(self.towers.makeup_m3_s + pads + self.humidifiers_m3_s)


def cooling_water(
    design: CoolingDesign, flow: CoolingFlow, weather: Weather, air: AirHours
) -> CoolingWater:
    """Return the water of heat rejection, economizer and humidifiers.

    design, flow: The cooling as designed, and in operation over the hours.
    weather, air: Outdoor air of these hours, for the balance and for equations of moist air.
    """
    chain, outdoors = design.chain, rejection_water(design, flow, air)
    pads = np.asarray(flow.pads_kg_s / SUPPLY_KG_M3)
    bled = np.asarray(blowdown.si(pads, chain.economizer.pad_cycles, _NO_DRIFT))
    volume = supply_air(chain, weather.pressure_pa, Quiet()).volume_m3_kg
    return CoolingWater(
        outdoors.towers,
        pads + outdoors.pads_m3_s,
        bled + outdoors.pads_bled_m3_s,
        humidifier_water(chain.crah.path.room, volume, air) / SUPPLY_KG_M3,
        " and ".join(_with_pads(chain)),
    )


def _with_pads(chain: CoolingChain) -> Iterator[str]:
    if chain.economizer.pad_effectiveness > 0.0:
        yield "the economizer"
    if any(sink.pads is not None for sink in chain.wetted_sinks):
        yield "dry coolers"


def hour_water(design: CoolingDesign, flow: CoolingFlow, weather: Weather) -> CoolingWater:
    """Return the water of the cooling in one hour, as arrays of one element."""
    dry_c, wet_c, pressure_pa = (
        np.array([x]) for x in (weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa)
    )
    humid = np.asarray(humidity_ratio_at_wet_bulb.si(dry_c, wet_c, pressure_pa))
    return cooling_water(design, flow, weather, AirHours(dry_c, wet_c, humid, pressure_pa))
