"""Rear doors and direct-expansion coils: differences from CRAHs.

A rear door cools the exhaust of one rack. Its valve admits the water flow that
returns the air to the room at rack inlet temperature (room-neutral), at the design rise of
the chilled water; if the coil is too small, CRAHs remove the remaining
heat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, reduce

import numpy as np

from facility.cooling.parts.exchanger import Exchanger, rated
from facility.model.cooling.chain import CoolingChain, RackAir
from facility.model.cooling.units import CrahUnit
from facility.physics.air.sensible import air_flow_for_heat
from facility.physics.elementwise import crossing, maximum, minimum, plain, where
from facility.physics.plant.fans_pumps import part_load_power_ratio, to_one

_MIN_WATER = 1e-3
"""Minimum water flow over rated flow, where the search for the flow of a coil starts."""


def direct_coil(unit: CrahUnit, evaporating_c: float, capacity_ratio: float = 1.0) -> Exchanger:
    """Return the coil of a CRAC from its rating point, its compressor derated by a ratio.

    Raises ``OUT_OF_RANGE`` for air that would leave colder than the refrigerant.
    """
    gross_w = unit.net_sensible_w + unit.fan_w
    unreachable = (
        f"the leaving air of {unit.model!r} would be colder than its {evaporating_c:g} degC "
        "refrigerant.",
        "Check net_sensible, airflow, return_air and evaporating of the rating.",
    )
    span_k, endless = unit.return_air_c - evaporating_c, float("inf")
    coil = rated(
        "boiling", gross_w, unit.air_w_k, endless, span_k, 0.0, "cooling.air.rating", unreachable
    )
    return replace(coil, max_w=capacity_ratio * gross_w)


@dataclass(frozen=True)
class Door:
    """Rear doors of one rack type: heat per rack, for `count` racks.

    `leaving_rise_k` is the door leaving air temperature minus the rack inlet temperature.
    """

    name: str
    count: float
    load_w: float
    airflow_m3_s: float
    fan_w: float
    capacity_w: float
    taken_w: float
    exhaust_c: float
    leaving_rise_k: float


@dataclass(frozen=True)
class Doors:
    """All doors of a set of halls."""

    kinds: tuple[Door, ...]

    def share(self, part: float) -> Doors:
        """Return the doors of a share of the racks."""
        return Doors(tuple(replace(door, count=door.count * part) for door in self.kinds))

    @property
    def taken_w(self) -> float:
        """Heat removed by the doors."""
        return sum(door.count * door.taken_w for door in self.kinds)

    @property
    def fans_w(self) -> float:
        """Power of the doors' own fans."""
        return sum(door.count * door.fan_w for door in self.kinds)

    @property
    def airflow_m3_s(self) -> float:
        """Air through the doors."""
        return sum(door.count * door.airflow_m3_s for door in self.kinds)

    @property
    def worst_rise_k(self) -> float:
        """Maximum air temperature rise from rack inlet to door outlet."""
        return reduce(maximum, (door.leaving_rise_k for door in self.kinds), 0.0)


@dataclass(frozen=True)
class DoorAir:
    """Entering air and water of the doors."""

    volume_m3_kg: float
    specific_heat_j_kgk: float
    density_kg_m3: float
    inlet_c: float
    water_in_c: float
    water_rise_k: float


def doors_at(chain: CoolingChain, coil: Exchanger, air_it_w: float, air: DoorAir) -> Doors:
    """Return the doors for the IT heat `air_it_w` in air.

    Every rack has its share of it, with proportional air flow at constant server rise.
    """
    whole_w = sum(rack.count * rack.air_w for rack in chain.racks)
    if whole_w <= 0.0:
        return Doors(())
    part = air_it_w / whole_w
    racks = (rack for rack in chain.racks if rack.air_w > 0.0)
    return Doors(tuple(_door(chain, coil, rack, part, air) for rack in racks))


def _door(chain: CoolingChain, coil: Exchanger, rack: RackAir, part: float, air: DoorAir) -> Door:
    plan, unit = chain.crah, chain.crah.path.door
    assert unit is not None
    load_w = rack.air_w * part
    if not np.any(load_w > 0.0):
        return Door(rack.name, rack.count, 0.0, 0.0, 0.0, 0.0, 0.0, air.inlet_c, 0.0)
    flow = plain(
        air_flow_for_heat.si(load_w, rack.rise_k, air.volume_m3_kg, air.specific_heat_j_kgk)
    )
    air_w_k = load_w / rack.rise_k
    fan_w = 0.0
    if unit.fan_w != 0.0:
        ratio = maximum(flow / unit.air_flow_m3_s, plan.factors["least_fan_flow"])
        share = part_load_power_ratio.si(ratio, **to_one(plan.fan_curve))
        fan_w = plain(unit.fan_w * share * air.density_kg_m3 / unit.air_density_kg_m3)
    exhaust_c = air.inlet_c + rack.rise_k
    capacity_w = max_coil_heat(coil, air_w_k, exhaust_c, air.water_in_c, air.water_rise_k)
    taken_w = minimum(capacity_w, load_w + fan_w)
    left_w = load_w + fan_w - taken_w
    return Door(
        rack.name, rack.count, load_w, flow, fan_w, capacity_w, taken_w, exhaust_c, left_w / air_w_k
    )


def max_coil_heat(
    coil: Exchanger, air_w_k: float, hot_in_c: float, water_in_c: float, water_rise_k: float
) -> float:
    """Return the maximum coil heat at constant water rise and at most rated flow.

    Coil heat increases less than proportionally with water flow, heat at constant rise in
    proportion: they are equal at one flow. Above rated flow, the rated flow determines the heat.
    """
    if hot_in_c - water_in_c <= water_rise_k:
        return 0.0
    if isinstance(air_w_k, float):
        return _max_heat_of_one(coil, air_w_k, hot_in_c, water_in_c, water_rise_k)
    return _max_heat(coil, air_w_k, hot_in_c, water_in_c, water_rise_k)


def _max_heat(
    coil: Exchanger, air_w_k: float, hot_in_c: float, water_in_c: float, water_rise_k: float
) -> float:
    def shortfall(water_w_k: float) -> float:
        return water_w_k * water_rise_k - coil.heat(air_w_k, water_w_k, hot_in_c, water_in_c)

    min_w_k = _MIN_WATER * coil.second_w_k
    found = crossing(shortfall, min_w_k, coil.second_w_k)
    return where(found <= min_w_k, 0.0 * found, found * water_rise_k)


_max_heat_of_one = lru_cache(maxsize=4096)(_max_heat)
"""Cached for numbers only: passes of the iteration repeat them, and arrays are not hashable."""
