"""Dry plants over all hours at once: dry and adiabatic coolers, air-cooled chillers that economize.

The weather, the fans and the water of each hour are arrays; nothing loops over hours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.cooling.parts.air import AirHours
from facility.cooling.parts.exchanger import Exchanger
from facility.core.kinds import FloatArray
from facility.physics.air.evaporative_cooling import (
    evaporative_leaving_humidity,
    evaporative_leaving_temperature,
)
from facility.physics.air.psychrometrics import specific_volume
from facility.physics.exchangers.dry_cooler import dry_cooler_leaving_temperature
from facility.physics.exchangers.free_cooling import economizer_share, precooled_temperature
from facility.physics.liquids.water_use import tower_evaporation
from facility.physics.plant.chiller.lift import (
    compressor_power,
    condensing_temperature,
    evaporating_temperature,
    lift_cop,
)
from facility.physics.plant.chiller.switched import LiftLimits

_LEAST_RATE, _MOST_RATE, _TABLE = 0.02, 2.0, 2000
"""Rates of the air, over the rating, that the table of effectiveness holds; linear between its
rows to a part in ten million."""
_SEA_LEVEL_PA = 101325.0
_KELVIN = 273.15


@dataclass(frozen=True)
class DryCoolerBank:
    """Dry coolers as one: coil and capacity rates at the rating, fans, pads."""

    coil: Exchanger  # All coils together; its capacity rates are those of the rating
    fluid_w_k: float  # Capacity rate of the fluid, which stays
    rated_air_c: float  # Entering air of the rating, at sea level
    fan_w: float  # Fan power at full speed; it falls with the cube of the air flow
    least_air: float  # Part of the air flow that moves with the fans off
    # Part of the wet-bulb depression that adiabatic pads take off; 0 without pads.
    pad_effectiveness: float = 0.0


@dataclass(frozen=True, eq=False)
class DryHours:
    """Dry coolers over hours: leaving fluid, entering air, air ratio, fans, water, wet pads."""

    leaving_c: FloatArray
    entering_air_c: FloatArray
    air_ratio: FloatArray
    fan_w: FloatArray
    evaporation_m3_s: FloatArray
    wet: NDArray[np.bool_]


def dry_cooler_hours(
    bank: DryCoolerBank,
    air: AirHours,
    heat_w: FloatArray,
    setpoint_c: FloatArray,
    water_kg_m3: float = 1000.0,
) -> DryHours:
    """Return dry coolers rejecting `heat_w`, fans slowed until the fluid is at the set point.

    The pads are wetted in the hours in which dry coils at full speed miss the set point.

    Parameters
    ----------
    bank : DryCoolerBank
        The coolers.
    air : AirHours
        Outdoor air.
    heat_w, setpoint_c : ndarray
        Heat to reject, and fluid wanted; where full speed does not reach it, it is warmer.
    water_kg_m3 : float
        Density of the water on the pads.
    """
    range_k = heat_w / bank.fluid_w_k
    curve = _effectiveness(bank)
    dry_c = air.dry_bulb_c
    full_dry = _density(bank, dry_c, air.pressure_pa)
    dry_leaving = dry_cooler_leaving_temperature.si(dry_c, range_k, np.interp(full_dry, *curve))
    wet = (dry_leaving > setpoint_c) & (bank.pad_effectiveness > 0.0)
    behind_pads = evaporative_leaving_temperature.si(dry_c, air.wet_bulb_c, bank.pad_effectiveness)
    entering_c = np.where(wet, behind_pads, dry_c)
    full = _density(bank, entering_c, air.pressure_pa)
    wanted = range_k / np.maximum(range_k + setpoint_c - entering_c, 1e-9)
    rate = np.interp(wanted, curve[1], curve[0])
    ratio = np.clip(rate / full, bank.least_air, 1.0)
    reached = dry_cooler_leaving_temperature.si(
        entering_c, range_k, np.interp(ratio * full, *curve)
    )
    humid = evaporative_leaving_humidity.si(entering_c, air.wet_bulb_c, air.pressure_pa)
    volume = specific_volume.si(entering_c, air.humidity_ratio, air.pressure_pa)
    water = tower_evaporation.si(
        ratio * _air_m3_s(bank) / volume, air.humidity_ratio, humid, water_kg_m3
    )
    return DryHours(
        np.maximum(reached, setpoint_c),
        entering_c,
        ratio,
        np.where(ratio > bank.least_air, bank.fan_w * ratio**3, 0.0),
        np.where(wet, water, 0.0),
        wet,
    )


def _air_m3_s(bank: DryCoolerBank) -> float:
    """Return the air flow at full speed, from its capacity rate at the rating."""
    volume = float(specific_volume.si(bank.rated_air_c, 0.0, _SEA_LEVEL_PA))
    return bank.coil.first_w_k * volume / 1006.0


def _density(bank: DryCoolerBank, entering_c: FloatArray, pressure_pa: FloatArray) -> FloatArray:
    """Return the density of the air over that at the rating."""
    return np.asarray(
        pressure_pa / _SEA_LEVEL_PA * (bank.rated_air_c + _KELVIN) / (entering_c + _KELVIN)
    )


def _effectiveness(bank: DryCoolerBank) -> tuple[FloatArray, FloatArray]:
    """Return the effectiveness on the fluid over the air's capacity rate, as a fine table.

    The fluid's rate stays, so that the rate of the air (over that of the rating) alone decides.
    """
    rate = np.linspace(_LEAST_RATE, _MOST_RATE, _TABLE)
    air_w_k = bank.coil.first_w_k * rate
    effectiveness = bank.coil.effectiveness(air_w_k, bank.fluid_w_k)
    return rate, np.asarray(effectiveness * np.minimum(air_w_k, bank.fluid_w_k) / bank.fluid_w_k)


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

    Parameters
    ----------
    unit : AirCooledUnit
        The chillers.
    dry_bulb_c, load_w : ndarray
        Air that enters the condensers; heat taken from the chilled water.
    supply_c, return_c : float
        Chilled water that leaves, and that returns.
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
