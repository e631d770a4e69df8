"""Control of an air-side economizer: operation where it saves more power than its fans draw."""

from __future__ import annotations

import numpy as np

from facility.cooling.economizer.parts import AirEconomy
from facility.cooling.plant.chilled_water import ChilledWater, chilled_water_at
from facility.core.trace import Quiet
from facility.model.facility import Weather

_LOAD = "heat.chilled_water"


def pays(
    design: ChilledWater,
    economy: AirEconomy,
    load_w: float,
    weather: Weather,
    recirculation_k: float,
) -> bool:
    """Return whether plant and economizer fans draw less power than the plant alone, by hour."""
    if np.all(economy.share <= 0.0):
        return False

    def plant_w(heat_w: float) -> float:
        trace = Quiet(**{_LOAD: heat_w})
        return chilled_water_at(design, _LOAD, weather, recirculation_k, trace).power_w

    together_w = plant_w(load_w - economy.heat_w) + economy.fans_w
    return (economy.share > 0.0) & (together_w < plant_w(load_w))
