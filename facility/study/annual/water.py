"""Water of the site over the hours: open towers, pads, humidifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.cooling.air.air_side import supply_air
from facility.cooling.air.humidifier import humidifier_water
from facility.cooling.chain.water import rejection_water
from facility.cooling.plant.water import SUPPLY_KG_M3, WaterHours
from facility.core.kinds import FloatArray
from facility.core.trace import Quiet
from facility.model.cooling.chain import CoolingChain
from facility.physics.liquids.water_use import blowdown
from facility.study.annual.hours import Hours
from facility.study.loop import WingsBalance
from facility.study.studies import StudyContext

_NO_DRIFT = 0.0


@dataclass(frozen=True, eq=False)
class YearWater:
    """Water by its use, hour by hour [m3/s]."""

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


def water_of(design: StudyContext, found: WingsBalance, hours: Hours) -> YearWater:
    """Return the hourly water use of a design."""
    chain = design.facility.cooling
    outdoors = rejection_water(design.cooling, found.cooling, hours.air)
    pads = hours.spread(found.cooling.pads_kg_s / SUPPLY_KG_M3)
    bled = np.asarray(blowdown.si(pads, chain.economizer.pad_cycles, _NO_DRIFT))
    volume = supply_air(chain, hours.weather.pressure_pa, Quiet()).volume_m3_kg
    humid = humidifier_water(chain.crah.path.room, volume, hours.air) / SUPPLY_KG_M3
    return YearWater(
        outdoors.towers,
        pads + outdoors.pads_m3_s,
        bled + outdoors.pads_bled_m3_s,
        humid,
        " and ".join(_with_pads(chain)),
    )


def _with_pads(chain: CoolingChain) -> Iterator[str]:
    if chain.economizer.pad_effectiveness > 0.0:
        yield "the economizer"
    water = chain.facility_water
    sinks = chain.chilled_water.sink, water.sink if water is not None else None
    if any(sink is not None and sink.pads is not None for sink in sinks):
        yield "dry coolers"
