"""An economizer over the hours of a typical year: in full, in part, not at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.cooling.economizer.parts import AirStream, air_side_share, pad_water
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.chilled_water import ChilledWater
from facility.cooling.plant.rejection import sink_water
from facility.cooling.plant.water_economizer import water_for_full
from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING
from facility.core.trace import Quiet
from facility.model.cooling.economizer import EconomizerPlan
from facility.model.facility import Weather
from facility.physics.exchangers.free_cooling import (
    economizer_share,
    precooled_temperature,
)

_FULL = 1.0 - ROUNDING
_NONE = ROUNDING


@dataclass(frozen=True, eq=False)
class EconomizerHours:
    """What the weather lets an economizer take, hour by hour."""

    share: FloatArray  # Part of the load
    water_kg_s: FloatArray  # Water that pads evaporate
    month: NDArray[np.int64]  # Month of each hour, 1 to 12
    step_h: float = 1.0  # How long each lasts, in hours

    @property
    def full(self) -> float:
        """Hours in which it takes the whole load."""
        return float((self.share >= _FULL).sum()) * self.step_h

    @property
    def none(self) -> float:
        """Hours in which it takes nothing."""
        return float((self.share <= _NONE).sum()) * self.step_h

    @property
    def partial(self) -> float:
        """Hours in which it takes a part of the load."""
        return len(self.share) * self.step_h - self.full - self.none

    def by_month(self) -> tuple[tuple[int, float, float, float, float], ...]:
        """Return rows of month, hours in full, in part, none, and mean share."""
        rows = []
        for month in range(1, 13):
            at = self.month == month
            here = self.share[at], self.water_kg_s[at], self.month[at]
            of = EconomizerHours(*here, self.step_h)
            rows.append((month, of.full, of.partial, of.none, float(of.share.mean())))
        return tuple(rows)


def water_side_hours(
    plan: EconomizerPlan, design: ChilledWater, air: AirHours, recirculation_k: float
) -> FloatArray:
    """Return the part of the load that an economizer on the water takes, hour by hour.

    plan, design: The economizer, and the plant it stands in, with all fans and cells at work.
    air, recirculation_k: Outdoor air, and its rise at the heat rejection.
    """
    water = design.plan
    source_c = _source(design, air, recirculation_k, water_for_full(plan, water))
    pre_c = precooled_temperature.si(water.return_c, source_c, water.supply_c, plan.effectiveness)
    return np.asarray(economizer_share.si(water.return_c, pre_c, water.supply_c))


def _source(
    design: ChilledWater, air: AirHours, recirculation_k: float, wanted_c: float
) -> FloatArray:
    """Return the water of the heat rejection, or the air at a free-cooling coil."""
    subject, hours = "plant.rejection", Quiet()
    weather = Weather(air.dry_bulb_c, air.wet_bulb_c, air.pressure_pa)  # type: ignore[arg-type]
    range_k = design.plan.condenser_range_k
    made = sink_water(design.sink, subject, range_k, wanted_c, weather, recirculation_k, hours)
    if design.sink.plan.kind == "air_cooled":
        return np.asarray(hours.value(f"{subject}.entering_air"))
    return np.asarray(made.leaving_c)


def air_side_hours(
    plan: EconomizerPlan, stream: AirStream, air: AirHours, recirculation_k: float
) -> tuple[FloatArray, FloatArray]:
    """Return the part of the coils' heat that outdoor air takes, and the water of its pads [kg/s].

    plan, stream: The economizer, and the air of the halls.
    air, recirculation_k: Outdoor air, and its rise by the facility's own discharge.
    """
    found, humid, outdoor = air_side_share(
        plan, stream.return_c, stream.coil_out_c, air, recirculation_k
    )
    share = np.asarray(found)
    if plan.pad_effectiveness == 0.0:
        return share, np.zeros_like(share)
    gain, ratio = humid - air.humidity_ratio, air.humidity_ratio
    water_kg_s = pad_water(plan, stream, outdoor, gain, ratio, air.pressure_pa)
    return share, np.where(share > _NONE, water_kg_s, 0.0)
