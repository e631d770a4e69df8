"""Buffer tanks: their standard sizes, and the volume for bridging a cooling restart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.fluids import Liquid
from facility.cooling.ride_through.limits import Limit
from facility.cooling.ride_through.plant import RidePlant
from facility.core.rounding import ROUNDING
from facility.model.cooling.thermal import Restart, Tank
from facility.physics.plant.thermal_transient import storage_volume

_PREFERRED = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
"""Standard tank sizes and their decimal multiples: series R10 of ISO 3:1973."""
_DECADES = range(-2, 5)
SIZES_M3 = np.array([10.0**k * size for k in _DECADES for size in _PREFERRED])


@dataclass(frozen=True)
class Bridge:
    """Heat absorbed by a buffer during a cooling restart."""

    heat_w: float  # Heat at the design hour
    wait_s: float  # Time without cooling
    rise_k: float  # Supply to return temperature rise

    def volume_m3(self, liquid: Liquid) -> float:
        """Return the water volume that absorbs this heat [m3]."""
        if self.heat_w <= 0.0 or self.rise_k <= 0.0:
            return 0.0
        return float(storage_volume.si(self.heat_w, self.wait_s, self.rise_k, **liquid.properties))


@dataclass(frozen=True)
class Tanks:
    """Buffers of a design, gross volume [m3]."""

    chw_m3: float
    fws_m3: float


def tanks_of(plant: RidePlant) -> Tanks:
    """Return the buffers of a model."""
    return Tanks(plant.thermal.loops.chw_tank_m3, plant.thermal.loops.fws_tank_m3)


def controlled(plant: RidePlant) -> Tanks:
    """Return the buffers with a default chilled-water buffer as required for chiller control."""
    found, short_m3 = tanks_of(plant), plant.chw_short_m3
    if "chw" not in plant.thermal.loops.open_tanks or short_m3 <= 0.0:
        return found
    return replace(found, chw_m3=size_from(short_m3))


def with_tanks(plant: RidePlant, tanks: Tanks) -> RidePlant:
    """Return a model with other buffers."""
    loops = replace(plant.thermal.loops, chw_tank_m3=tanks.chw_m3, fws_tank_m3=tanks.fws_m3)
    return replace(plant, thermal=replace(plant.thermal, loops=loops))


def chw_bridge(design: CoolingDesign, flow: CoolingFlow, restart: Restart, back_s: float) -> Bridge:
    """Return the heat absorbed by the chilled-water buffer until chiller restart.

    design, flow: The cooling, and its operating point at the design hour.
    restart: Restart of the chillers; half of the ramp counts as outage.
    back_s: Time from utility loss to power on the boards [s].
    """
    wait_s = back_s + restart.chiller_s + 0.5 * restart.chiller_ramp_s
    return Bridge(flow.chiller_load_w, wait_s, design.chilled.plan.rise_k)


def fws_bridge(plant: RidePlant, back_s: float) -> Bridge:
    """Return the heat absorbed by the facility-water buffer until restart of towers or coolers."""
    restart, flow = plant.thermal.restart, plant.flow
    wait_s = back_s + restart.rejection_s + 0.5 * restart.ramp_s
    return Bridge(flow.facility_water_w, wait_s, flow.fws_return_c - flow.fws_supply_c)


def size_from(volume_m3: float) -> float:
    """Return the smallest standard size for a volume [m3]."""
    return float(SIZES_M3[min(first_size(volume_m3), len(SIZES_M3) - 1)])


def first_size(volume_m3: float) -> int:
    """Return the index of the smallest standard size for a volume [m3]."""
    return int(np.searchsorted(SIZES_M3, volume_m3 * (1.0 - ROUNDING)))


def loop_of(plant: RidePlant, limit: Limit) -> Tank:
    """Return the loop whose buffer affects a limit; facility water only with own heat rejection."""
    return "fws" if plant.sink_w_k > 0.0 and limit.of_liquid else "chw"
