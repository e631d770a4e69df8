"""Water use of heat rejection: evaporation, drift and blowdown of towers, water of pads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.cooling.parts.air import AirHours
from facility.cooling.plant.rejection import Rejection
from facility.cooling.plant.sinks import Sink
from facility.core.kinds import FloatArray
from facility.model.cooling.units import DRY_AIR_J_KGK
from facility.physics.air.evaporative_cooling import evaporative_leaving_humidity
from facility.physics.air.psychrometrics import (
    enthalpy,
    humidity_ratio_at_wet_bulb,
    specific_volume,
)
from facility.physics.liquids.water_use import (
    blowdown,
    makeup,
    saturated_exit_humidity,
    tower_evaporation,
)

_AIR_M3_S_PER_W = 0.5 / 190.0
"""Tower air flow from fan power only: 50 % fan efficiency at 190 Pa (EnergyPlus,
autosizing of variable-speed towers)."""
_SEA_LEVEL_PA = 101325.0
SUPPLY_KG_M3 = 998.2
"""Density of mains water at 20 degC."""


@dataclass(frozen=True, eq=False)
class WaterHours:
    """Hourly water flows by use [m3/s]."""

    evaporation_m3_s: FloatArray
    drift_m3_s: FloatArray
    blowdown_m3_s: FloatArray

    @property
    def makeup_m3_s(self) -> FloatArray:
        """Make-up water."""
        return np.asarray(makeup.si(self.evaporation_m3_s, self.drift_m3_s, self.blowdown_m3_s))


def tower_water(sink: Sink, found: Rejection, air: AirHours) -> WaterHours:
    """Return the water of open towers over operating hours.

    The running cells, in proportion to the water, draw the air of their fan speed, which leaves
    saturated. Blowdown follows the cycles of concentration of the plan.

    found: Their heat, water and air ratio over the hours.
    """
    plan, liquid = sink.plan, sink.liquid
    air_kg_s, humid = tower_air(sink, found, air)
    evaporated = np.asarray(
        tower_evaporation.si(air_kg_s, air.humidity_ratio, humid, liquid.density_kg_m3)
    )
    drift = np.asarray(plan.drift * found.cells_m3_s * found.water.air_ratio)
    bled = np.asarray(blowdown.si(evaporated, plan.cycles, drift))
    return WaterHours(evaporated, drift, bled)


def tower_air(sink: Sink, found: Rejection, air: AirHours) -> tuple[FloatArray, FloatArray]:
    """Return the dry air that open towers draw over the hours [kg/s], and its humidity on leaving.

    Parameters as for `tower_water`.
    """
    design_m3_s = sink.heat_w / (sink.liquid.rate_w_k(1.0) * sink.range_k)
    at_work = np.maximum(found.cells_m3_s / design_m3_s, 1e-9)
    volume = specific_volume.si(air.dry_bulb_c, air.humidity_ratio, air.pressure_pa)
    air_kg_s = sink.fan_w * _AIR_M3_S_PER_W * at_work * found.water.air_ratio / volume
    entering = enthalpy.si(air.dry_bulb_c, air.humidity_ratio)
    humid = saturated_exit_humidity.si(entering, found.heat_w, air_kg_s, air.pressure_pa)
    return np.asarray(air_kg_s), np.asarray(humid)


def pad_evaporation(sink: Sink, found: Rejection, pressure_pa: FloatArray) -> FloatArray:
    """Return the water that the pads of dry coolers evaporate over operating hours [m3/s].

    All air of the running coolers passes the pads; at constant wet bulb and absorbs the
    evaporation. Fan volume flow is rated flow times speed ratio.

    sink, found: The coolers as designed, and in operation.
    """
    at, coil, unit = found.water.pads, sink.coil, sink.plan.unit
    if at is None or coil is None:
        raise TypeError("dry coolers without pads")
    running = found.cells_m3_s * sink.liquid.rate_w_k(1.0) / sink.unit_w_k
    full_m3_s = (
        coil.first_w_k / DRY_AIR_J_KGK * specific_volume.si(unit.air_in_c, 0.0, _SEA_LEVEL_PA)
    )
    before = humidity_ratio_at_wet_bulb.si(at.dry_c, at.wet_c, pressure_pa)
    after = evaporative_leaving_humidity.si(at.leaving_c, at.wet_c, pressure_pa)
    volume = specific_volume.si(at.leaving_c, after, pressure_pa)
    air_kg_s = running * full_m3_s * found.water.air_ratio / volume
    return np.asarray(tower_evaporation.si(air_kg_s, before, after, SUPPLY_KG_M3))
