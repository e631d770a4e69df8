"""Water of the site over the hours: open towers, pads of an economizer, humidifiers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.cooling.air.air_side import supply_air
from facility.cooling.air.humidifier import humidifier_water
from facility.cooling.plant.rejection import Rejection
from facility.cooling.plant.sinks import Sink
from facility.cooling.plant.water import WaterHours, tower_water
from facility.core.kinds import FloatArray
from facility.core.trace import Quiet
from facility.physics.liquids.water_use import blowdown
from facility.study.annual.hours import Hours
from facility.study.loop import WingsBalance
from facility.study.studies import Designed

_SUPPLY_KG_M3 = 998.2
"""Water of the mains at 20 degC."""
_NO_DRIFT = 0.0


@dataclass(frozen=True, eq=False)
class YearWater:
    """Water by its use, hour by hour [m3/s]."""

    towers: WaterHours
    pads_m3_s: FloatArray  # What the pads of an air-side economizer evaporate
    pads_bled_m3_s: FloatArray  # What replaces the salts that it leaves behind
    humidifiers_m3_s: FloatArray

    @property
    def makeup_m3_s(self) -> FloatArray:
        """What must be supplied."""
        pads = self.pads_m3_s + self.pads_bled_m3_s
        return np.asarray(self.towers.makeup_m3_s + pads + self.humidifiers_m3_s)


def water_of(design: Designed, found: WingsBalance, hours: Hours) -> YearWater:
    """Return the water of a design over the hours of its balance."""
    chain = design.facility.cooling
    pads = hours.spread(found.cooling.pads_kg_s / _SUPPLY_KG_M3)
    bled = np.asarray(blowdown.si(pads, chain.economizer.pad_cycles, _NO_DRIFT))
    volume = supply_air(chain, hours.weather.pressure_pa, Quiet()).volume_m3_kg
    humid = humidifier_water(chain.crah.path.room, volume, hours.air) / _SUPPLY_KG_M3
    return YearWater(_of_towers(design, found, hours), pads, bled, humid)


def _of_towers(design: Designed, found: WingsBalance, hours: Hours) -> WaterHours:
    """Return the water of the towers of the chillers and of the facility water."""
    cooling, water = found.cooling, design.cooling.water
    towers: list[tuple[Sink, Rejection]] = [(design.cooling.chilled.sink, cooling.rejection)]
    if water is not None and water.sink is not None and cooling.fws_rejection is not None:
        towers.append((water.sink, cooling.fws_rejection))
    used = [tower_water(sink, at, hours.air) for sink, at in towers if sink.plan.kind == "tower"]
    none = np.zeros(len(hours))
    return WaterHours(
        sum((one.evaporation_m3_s for one in used), none),
        sum((one.drift_m3_s for one in used), none),
        sum((one.blowdown_m3_s for one in used), none),
    )
