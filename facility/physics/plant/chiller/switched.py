"""Chiller curves inside their valid range, and the lift model outside it.

The public curve sets end near 13 degC of leaving chilled water, where halls for AI begin; beyond
it their polynomials are wrong in sign. Inside their valid range the curves apply. Outside it their
inputs are clipped, and the COP at that edge follows the lift at a constant Carnot fraction:
continuous at the edge, rising with warmer chilled water, falling with a warmer condenser. A
condenser temperature below the range is clipped, as head-pressure control would do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.equation import equation
from facility.core.kinds import Numeric, Ratio, Temperature, TemperatureDifference
from facility.core.sources import DERIVED
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.chiller.lift import (
    carnot_fraction,
    condensing_temperature,
    evaporating_temperature,
    lift_cop,
)


@equation(
    "COP",
    r"COP_0 \frac{T_e}{\max(T_c - T_e, \Delta T_{min})} / "
    r"\frac{T_{e,0}}{\max(T_{c,0} - T_{e,0}, \Delta T_{min})}",
    DERIVED,
    empirical="adds 273.15 to reach kelvin",
)
def anchored_lift_cop(
    edge_cop: Ratio,
    edge_evaporating_c: Temperature,
    edge_condensing_c: Temperature,
    evaporating_c: Temperature,
    condensing_c: Temperature,
    min_lift_k: TemperatureDifference,
    cop_limit: Ratio,
) -> Ratio:
    """Return the COP outside the valid range, at the Carnot fraction of a known point.

    The fraction is that at the known point, with the same floor of the lift, so that the COP is
    continuous there. The ceiling is `cop_limit`, or the known COP where that is higher.
    """
    edge_c = np.maximum(edge_condensing_c, edge_evaporating_c + min_lift_k)
    fraction = carnot_fraction.si(edge_cop, edge_evaporating_c, edge_c)
    limit = np.maximum(cop_limit, edge_cop)
    return lift_cop.si(fraction, evaporating_c, condensing_c, min_lift_k, limit)


@dataclass(frozen=True)
class LiftLimits:
    """Lift model data in addition to a curve set."""

    evaporator_approach_k: float  # Leaving chilled water above the evaporating temperature
    # Condensing temperature above what enters the condenser: range and approach of condenser water,
    # or the approach to the air.
    to_condensing_k: float
    min_lift_k: float  # Minimum compressor lift
    cop_limit: float  # Highest COP counted on


@dataclass(frozen=True, eq=False)
class SwitchedHours:
    """A chiller over hours by curves and lift."""

    power_w: NDArray[np.float64]
    # Load over power; a load above the range has the COP of its largest part load.
    cop: NDArray[np.float64]
    # Capacity by the curve, at the edge of its range if the hour lies outside: less than there is
    # for warmer chilled water, more than there is for a warmer condenser.
    capacity_w: NDArray[np.float64]
    clipped: NDArray[np.bool_]  # Where an input is outside the valid range
    by_lift: NDArray[np.bool_]  # Where the lift model gives the COP


def switched_hours(
    curves: EirCurves,
    limits: LiftLimits,
    chilled_water_c: Numeric,
    condenser_c: Numeric,
    load_w: Numeric,
) -> SwitchedHours:
    """Return a chiller over hours: curves inside their valid range, lift model outside.

    curves: The curve set; `condenser_c` enters it.
    limits: Approaches and limits of the lift model.
    chilled_water_c, condenser_c: Leaving chilled water; entering condenser water or air.
    load_w: Heat taken from the chilled water, above zero.
    """
    found = curves.over_hours(chilled_water_c, condenser_c, load_w)
    edge_x = np.clip(chilled_water_c, *curves.range_chw_c)
    edge_y = np.minimum(condenser_c, curves.range_condenser_c[1])
    edge_cop = np.minimum(load_w, curves.range_plr[1] * found.capacity_w) / found.power_w
    lift = anchored_lift_cop.si(
        edge_cop,
        *_sides(limits, edge_x, edge_y),
        *_sides(limits, chilled_water_c, condenser_c),
        limits.min_lift_k,
        limits.cop_limit,
    )
    by_lift = (edge_x != chilled_water_c) | (edge_y != condenser_c)
    cop = np.where(by_lift, lift, edge_cop)
    return SwitchedHours(
        np.asarray(load_w / cop),
        np.asarray(cop),
        found.capacity_w,
        found.clipped,
        np.asarray(by_lift),
    )


def _sides(
    limits: LiftLimits, chilled_water_c: Numeric, condenser_c: Numeric
) -> tuple[Numeric, Numeric]:
    """Return evaporating and condensing temperature."""
    return (
        evaporating_temperature.si(chilled_water_c, limits.evaporator_approach_k),
        condensing_temperature.si(condenser_c, limits.to_condensing_k),
    )
