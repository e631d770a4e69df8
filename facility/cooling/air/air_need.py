"""Room air required by a rack of a given heat: flow, floor tiles, air handlers.

For questions about density before there is a design: requirements of air cooling at 20, 40 or 130
kW per rack.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.rounding import whole_units
from facility.model.cooling.air import RoomPlan
from facility.model.cooling.units import CrahUnit
from facility.physics.air.distribution import tile_flow, tile_loss_coefficient
from facility.physics.air.psychrometrics import (
    humidity_ratio_of_vapor,
    saturation_pressure,
    specific_volume,
)
from facility.physics.air.sensible import (
    air_flow_for_heat,
    moist_air_specific_heat,
    supply_air_flow,
)


@dataclass(frozen=True)
class RoomAirBasis:
    """Air of a room: supply, rise across the equipment, dew point, pressure, leaks."""

    supply_c: float
    rise_k: float
    dew_point_c: float
    pressure_pa: float
    bypass: float
    recirculation: float


@dataclass(frozen=True)
class AirNeed:
    """Requirements of racks of `heat_w`: air and tiles per rack, air handlers for all."""

    heat_w: float
    airflow_m3_s: float
    supply_m3_s: float
    tiles: float
    units: int


def air_need(
    heat_w: float, racks: int, basis: RoomAirBasis, room: RoomPlan, unit: CrahUnit
) -> AirNeed:
    """Return the room air required by `racks` racks of `heat_w` each.

    The air handler count follows from the air flow, without spares; coil capacity is left
    to a design.
    """
    ratio = humidity_ratio_of_vapor.si(saturation_pressure.si(basis.dew_point_c), basis.pressure_pa)
    volume = float(specific_volume.si(basis.supply_c, ratio, basis.pressure_pa))
    flow = float(
        air_flow_for_heat.si(heat_w, basis.rise_k, volume, moist_air_specific_heat.si(ratio))
    )
    supply = float(supply_air_flow.si(flow, basis.bypass, basis.recirculation))
    loss = tile_loss_coefficient.si(room.tile_open_fraction)
    density = (1.0 + float(ratio)) / volume
    tile = float(tile_flow.si(room.tile_area_m2, room.plenum_pa, loss, density))
    units = whole_units(racks * supply / unit.air_flow_m3_s, minimum=1)
    return AirNeed(heat_w, flow, supply, supply / tile, units)
