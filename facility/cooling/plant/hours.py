"""A water-cooled plant over all hours at once: chillers, a variable-speed tower, and its water."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.physics.air.psychrometrics import enthalpy, specific_volume
from facility.physics.liquids.water_use import (
    blowdown,
    makeup,
    saturated_exit_humidity,
    tower_evaporation,
    tower_sensible_heat,
)
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.tower.yorkcalc import YORKCALC_BOX, yorkcalc_approach, yorkcalc_terms

_BISECTIONS = 30
_FIXED_POINT = 3
"""The heat of the compressor changes the range, which changes the water, which changes the power
a hundredfold less: three rounds leave 3e-8 of the power."""


@dataclass(frozen=True, eq=False)
class AirHours:
    """Outdoor air hour by hour: temperatures [degC], humidity ratio, pressure [Pa]."""

    dry_bulb_c: FloatArray
    wet_bulb_c: FloatArray
    humidity_ratio: FloatArray
    pressure_pa: FloatArray


@dataclass(frozen=True)
class TowerUnit:
    """An open tower with a fan of variable speed, by the YorkCalc correlation."""

    water_kg_s: float  # Design flow of water
    air_m3_s: float  # Design flow of air, with the fan at full speed
    fan_w: float  # Fan power at full speed; it falls with the cube of the air flow
    least_air: float  # Part of the design air flow that moves with the fan off
    cycles: float  # Cycles of concentration
    drift: float  # Drift as a fraction of the water flow at full air flow


@dataclass(frozen=True, eq=False)
class TowerHours:
    """A tower over hours."""

    leaving_c: FloatArray  # Water that it makes
    air_ratio: FloatArray  # Air flow over the design flow
    fan_w: FloatArray
    # Water by what becomes of it.
    evaporation_m3_s: FloatArray
    drift_m3_s: FloatArray
    blowdown_m3_s: FloatArray
    makeup_m3_s: FloatArray
    # Part of the heat that leaves by warming the air, without water; below zero in hot dry air.
    sensible_w: FloatArray


@dataclass(frozen=True, eq=False)
class PlantHours:
    """Chillers and tower over hours: powers, heat rejected [W], and where a curve was clipped."""

    chillers_w: FloatArray
    rejected_w: FloatArray
    tower: TowerHours
    clipped: NDArray[np.bool_]


def tower_hours(
    unit: TowerUnit,
    air: AirHours,
    heat_w: FloatArray,
    setpoint_c: FloatArray,
    water_j_kgk: float,
    water_kg_m3: float,
) -> TowerHours:
    """Return the tower rejecting `heat_w`, its fan slowed until the water is at the set point.

    Parameters
    ----------
    unit : TowerUnit
        The tower.
    air : AirHours
        Outdoor air.
    heat_w, setpoint_c : ndarray
        Heat to reject, and water wanted; where full speed does not reach it, it is warmer.
    water_j_kgk, water_kg_m3 : float
        Specific heat and density of the water.
    """
    range_k = heat_w / (unit.water_kg_s * water_j_kgk)
    ratio = _air_ratio(unit, air.wet_bulb_c, range_k, setpoint_c)
    leaving_c = np.maximum(_leaving(air.wet_bulb_c, range_k, ratio), setpoint_c)
    fan_w = np.where(ratio > unit.least_air, unit.fan_w * ratio**3, 0.0)
    volume = specific_volume.si(air.dry_bulb_c, air.humidity_ratio, air.pressure_pa)
    air_kg_s = unit.air_m3_s * ratio / volume
    entering = enthalpy.si(air.dry_bulb_c, air.humidity_ratio)
    exit_humidity = saturated_exit_humidity.si(entering, heat_w, air_kg_s, air.pressure_pa)
    evaporation = np.asarray(
        tower_evaporation.si(air_kg_s, air.humidity_ratio, exit_humidity, water_kg_m3)
    )
    drift = unit.drift * unit.water_kg_s / water_kg_m3 * ratio
    bled = np.asarray(blowdown.si(evaporation, unit.cycles, drift))
    sensible_w = tower_sensible_heat.si(
        air_kg_s, air.dry_bulb_c, air.humidity_ratio, entering + heat_w / air_kg_s, exit_humidity
    )
    return TowerHours(
        leaving_c,
        ratio,
        fan_w,
        evaporation,
        drift,
        bled,
        np.asarray(makeup.si(evaporation, drift, bled)),
        np.asarray(sensible_w),
    )


def _leaving(wet_bulb_c: FloatArray, range_k: FloatArray, ratio: FloatArray) -> FloatArray:
    return np.asarray(wet_bulb_c + yorkcalc_approach.si(wet_bulb_c, range_k, 1.0, ratio))


def _air_ratio(
    unit: TowerUnit, wet_bulb_c: FloatArray, range_k: FloatArray, setpoint_c: FloatArray
) -> FloatArray:
    """Return the air flow at which the water is at its set point, or the nearest to it.

    The approach is a quadratic in water over air flow, evaluated once; halving finds the flow.
    """
    c0, c1, c2 = yorkcalc_terms(wet_bulb_c, range_k)
    wanted_k = setpoint_c - wet_bulb_c
    low_k, high_k = YORKCALC_BOX["approach"]

    def excess(ratio: FloatArray | float) -> FloatArray:
        x = 1.0 / ratio
        return np.asarray(np.clip(c0 + x * c1 + x * x * c2, low_k, high_k) - wanted_k)

    low, high = np.full_like(wet_bulb_c, unit.least_air), np.ones_like(wet_bulb_c)
    slack = excess(unit.least_air) <= 0.0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        cold = excess(middle) < 0.0
        high, low = np.where(cold, middle, high), np.where(cold, low, middle)
    return np.where(slack, unit.least_air, high)


def water_cooled_hours(
    curves: EirCurves,
    unit: TowerUnit,
    air: AirHours,
    load_w: FloatArray,
    chilled_water_c: float,
    setpoint_c: FloatArray,
    water_j_kgk: float,
    water_kg_m3: float,
) -> PlantHours:
    """Return chillers by their EIR curves with a tower, over all hours.

    Parameters
    ----------
    curves : EirCurves
        The chiller.
    unit : TowerUnit
        The tower.
    air : AirHours
        Outdoor air.
    load_w : ndarray
        Heat taken from the chilled water, the heat of its pumps included.
    chilled_water_c : float
        Leaving chilled water.
    setpoint_c : ndarray
        Condenser water wanted.
    water_j_kgk, water_kg_m3 : float
        Specific heat and density of the condenser water.
    """
    power_w = load_w / curves.cop
    range_k = (load_w + power_w) / (unit.water_kg_s * water_j_kgk)
    for _ in range(_FIXED_POINT):
        ratio = _air_ratio(unit, air.wet_bulb_c, range_k, setpoint_c)
        water_c = np.maximum(_leaving(air.wet_bulb_c, range_k, ratio), setpoint_c)
        power_w = curves.over_hours(chilled_water_c, water_c, load_w).power_w
        range_k = (load_w + power_w) / (unit.water_kg_s * water_j_kgk)
    rejected_w = load_w + power_w
    tower = tower_hours(unit, air, rejected_w, setpoint_c, water_j_kgk, water_kg_m3)
    solved = curves.over_hours(chilled_water_c, tower.leaving_c, load_w)
    return PlantHours(solved.power_w, rejected_w, tower, solved.clipped)
