"""Air-cooled chillers that economize, over all hours at once: nothing loops over hours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.core.kinds import FloatArray
from facility.physics.exchangers.free_cooling import economizer_share, precooled_temperature
from facility.physics.plant.chiller.lift import (
    compressor_power,
    condensing_temperature,
    evaporating_temperature,
    lift_cop,
)
from facility.physics.plant.chiller.switched import LiftLimits


@dataclass(frozen=True)
class AirCooledUnit:
    """Air-cooled chillers by lift, with a free-cooling coil ahead of the evaporator."""

    carnot_fraction: float  # Fraction of the Carnot efficiency, fans included
    limits: LiftLimits  # Approaches and limits of the lift model
    least_air_c: float  # Coldest air that counts for the condensers: head-pressure control
    coil_effectiveness: float  # Of the free-cooling coil, water towards entering air; 0 without one
    coil_fan_ratio: float  # Fan power per heat that the coil takes


@dataclass(frozen=True, eq=False)
class AirCooledHours:
    """Air-cooled chillers over hours: compressor and coil-fan power, COP, free heat by share."""

    chillers_w: FloatArray
    fans_w: FloatArray
    cop: FloatArray
    free_share: FloatArray


def air_cooled_hours(
    unit: AirCooledUnit,
    dry_bulb_c: FloatArray,
    load_w: FloatArray,
    supply_c: float,
    return_c: float,
) -> AirCooledHours:
    """Return air-cooled chillers by lift over hours, their free-cooling coil first.

    dry_bulb_c, load_w: Air that enters the condensers; heat taken from the chilled water.
    supply_c, return_c: Chilled water that leaves, and that returns.
    """
    pre_c = precooled_temperature.si(return_c, dry_bulb_c, supply_c, unit.coil_effectiveness)
    share = np.asarray(economizer_share.si(return_c, pre_c, supply_c))
    limits = unit.limits
    cop = lift_cop.si(
        unit.carnot_fraction,
        evaporating_temperature.si(supply_c, limits.evaporator_approach_k),
        condensing_temperature.si(np.maximum(dry_bulb_c, unit.least_air_c), limits.to_condensing_k),
        limits.least_lift_k,
        limits.cop_limit,
    )
    chillers_w = compressor_power.si(load_w * (1.0 - share), cop)
    return AirCooledHours(
        np.asarray(chillers_w),
        np.asarray(load_w * share * unit.coil_fan_ratio),
        np.asarray(cop),
        share,
    )
