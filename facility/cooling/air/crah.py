"""Air handlers for the heat of a room: rated once, sized at project conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from facility.cooling.air.air_side import AirSide, SupplyAir, air_side
from facility.cooling.air.terminals import DoorAir, Doors, direct_coil, doors_at
from facility.cooling.parts.counting import fewest_units
from facility.cooling.parts.exchanger import Exchanger, rated
from facility.cooling.parts.loads import CoolingCounts, HeatLoad
from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.core.rounding import reaches, whole_units
from facility.core.trace import Quiet
from facility.model.cooling.chain import CoolingChain, CrahPlan
from facility.model.cooling.units import CrahUnit
from facility.physics.elementwise import maximum, minimum, plain, where

_MAX_UNITS_OVER_AIRFLOW = 16
"""Units over those for the air flow at which the search ends: the water is too warm."""
_MIN_W = 1.0
"""Minimum heat of a coil."""


def crah_coil(unit: CrahUnit, film_ratio: float, water_film: float = 1.0) -> Exchanger:
    """Return the coil of an air handler from its rating point, with the fluid of the loop.

    The coil load is the net capacity plus the heat of its downstream fan.
    """
    gross_w = unit.net_sensible_w + unit.fan_w
    water_w_k = gross_w / (unit.water_out_c - unit.water_in_c)
    span_k = unit.return_air_c - unit.water_in_c
    where = "cooling.crah.rating"
    coil = rated("finned coil", gross_w, unit.air_w_k, water_w_k, span_k, film_ratio, where)
    return replace(coil, second_fluid=water_film)


def hall_coil(plan: CrahPlan) -> Exchanger:
    """Return the coil of the units of the halls."""
    direct = plan.path.refrigerant
    if direct is not None:
        return direct_coil(plan.unit, direct.evaporating_c, direct.capacity_ratio)
    return crah_coil(plan.unit, plan.film_ratio, plan.water_film)


def doors_of(chain: CoolingChain, air_it_w: float, air: SupplyAir) -> Doors | None:
    """Return the rear doors in operation on the air heat of the equipment, None without doors."""
    plan, water = chain.crah, chain.chilled_water
    if plan.path.door is None:
        return None
    met = DoorAir(
        air.volume_m3_kg,
        air.specific_heat_j_kgk,
        air.density_kg_m3,
        plan.supply_air_c + plan.path.room_rise_k,
        water.supply_c,
        water.rise_k,
    )
    return doors_at(
        chain, crah_coil(plan.path.door, plan.film_ratio, plan.water_film), air_it_w, met
    )


def coil_temperature(chain: CoolingChain) -> float:
    """Return the coil entering temperature of the halls: chilled water or refrigerant."""
    refrigerant = chain.crah.path.refrigerant
    return refrigerant.evaporating_c if refrigerant is not None else chain.chilled_water.supply_c


@dataclass(frozen=True)
class CoilAir:
    """Coil conditions: supply air flow, return air, and load."""

    flow_m3_s: float
    return_c: float
    load_w: float


@dataclass(frozen=True)
class CoilWater:
    """Coil inlet: chilled water with its rise, or refrigerant.

    `min_w` is the heat corresponding to the minimum pump flow.
    """

    in_c: float
    rise_k: float
    min_w: float = 0.0


def coil_capacity(
    coil: Exchanger, plan: CrahPlan, units: int, met: CoilAir, air: SupplyAir, water: CoilWater
) -> Numeric:
    """Return the capacity of `units` hall coils at their shared flows.

    Air above the rated flow, and water above the rated flow, are disregarded. At low load
    the fans, at their minimum speed, may move more air than the room requires; the excess returns
    at the supply temperature.

    met: The air at the coils, and the required heat.
    """
    shared_w_k = met.flow_m3_s / units / air.volume_m3_kg * air.specific_heat_j_kgk
    rated_w_k = plan.unit.air_flow_m3_s / air.volume_m3_kg * air.specific_heat_j_kgk
    moved_w_k = maximum(shared_w_k, plan.factors["least_fan_flow"] * rated_w_k)
    return_c = plan.supply_air_c + (met.return_c - plan.supply_air_c) * shared_w_k / moved_w_k
    carried_w = maximum(maximum(met.load_w, water.min_w), _MIN_W)
    water_w_k = minimum(carried_w / units / water.rise_k, coil.second_w_k)
    found_w = maximum(
        coil.heat(minimum(shared_w_k, rated_w_k), water_w_k, met.return_c, water.in_c),
        coil.heat(minimum(moved_w_k, rated_w_k), water_w_k, return_c, water.in_c),
    )
    return where(met.load_w > _MIN_W, units * found_w, met.load_w)


@dataclass(frozen=True)
class CrahFit:
    """Air handlers for the heat of one room: number required to maintain the supply temperature.

    `heat` is the sizing heat of the room, `water_in_c` and `water_rise_k` the chilled water,
    `doors` the rear doors of the room.
    """

    chain: CoolingChain
    coil: Exchanger
    air: SupplyAir
    heat: HeatLoad
    water_in_c: float
    water_rise_k: float
    doors: Doors | None = None

    def part(self, share: float) -> CrahFit:
        """Return the sizing for a share of the racks."""
        doors = self.doors.share(share) if self.doors is not None else None
        return replace(self, heat=self.heat.share(share), doors=doors)

    def capacity(self, units: int, side: AirSide) -> float:
        """Return the capacity of `units` coils at their shared flows on the air side `side`."""
        water = CoilWater(self.water_in_c, self.water_rise_k)
        met = CoilAir(side.supply_flow_m3_s, side.return_c, side.coil_w)
        return plain(coil_capacity(self.coil, self.chain.crah, units, met, self.air, water))

    def at(self, units: int, electrical_units: int = 0) -> AirSide:
        """Return the air side of the room with `units` and `electrical_units` running."""
        known = {
            "air.supply_temperature": self.chain.crah.supply_air_c,
            "air.specific_volume": self.air.volume_m3_kg,
            "air.specific_heat": self.air.specific_heat_j_kgk,
        }
        return air_side(
            self.chain, units, electrical_units, self.heat, self.air, self.doors, Quiet(**known)
        )

    def units_for_air(self) -> int:
        """Return the units whose rated flow covers the air."""
        flow = self.at(1).supply_flow_m3_s
        return whole_units(flow / self.chain.crah.unit.air_flow_m3_s, minimum=1)

    def duty(self) -> int:
        """Return the minimum number of units for air flow and heat.

        Raises ``CRAH_INFEASIBLE`` when the chilled water is too warm for the supply air required.
        """
        fewest = self.units_for_air()

        def short(units: int) -> bool:
            side = self.at(units)
            return not reaches(self.capacity(units, side), side.coil_w)

        units = fewest_units(fewest, short, _MAX_UNITS_OVER_AIRFLOW * fewest)
        if units == 0:
            raise self.infeasible()
        return units

    def infeasible(self) -> FacilityError:
        """Return the error for a coil too warm for the supply air."""
        supply = self.chain.crah.supply_air_c
        loop = (
            f"{self.water_in_c:g} degC chilled water (cooling.plant.chilled_water_supply) with a "
            f"{self.water_rise_k:g} K rise (cooling.plant.delta_t)"
        )
        if self.chain.crah.path.refrigerant is not None:
            loop = f"refrigerant at {self.water_in_c:g} degC (cooling.air.rating.evaporating)"
        return FacilityError(
            "CRAH_INFEASIBLE",
            "cooling.supply_air",
            f"no number of {self.chain.crah.unit.model!r} units reaches {supply:g} degC supply air "
            f"(cooling.supply_air) with {loop}.",
            "Lower the coil inlet temperature, raise the supply air temperature, or select a "
            "larger coil.",
        )


@dataclass(frozen=True)
class CrahDesign:
    """Air handlers designed: counts of halls and electrical rooms, and the load after a loss."""

    coil: Exchanger  # Coil of one unit
    duty: int  # Duty units of the halls
    installed: int  # Units of the halls installed
    electrical_duty: int  # Duty units of the electrical rooms
    electrical_installed: int  # Units of the electrical rooms installed
    coils_w: float  # Coil load of the halls at sizing with the duty units running
    taken_w: float  # Coil and door heat at sizing, maximum of duty units and all units running
    remaining: int  # Hall units in service after the loss that the redundancy covers
    remaining_capacity_w: float  # Capacity of the remaining units
    remaining_load_w: float  # Coil load of the remaining units
    remaining_airflow_m3_s: float  # Rated air flow of the remaining units
    airflow_m3_s: float  # Air flow that the remaining units must move


def _all_groups(chain: CoolingChain, heat: HeatLoad, air: SupplyAir) -> CrahFit:
    doors, rise_k = doors_of(chain, heat.air_it_w, air), chain.chilled_water.rise_k
    return CrahFit(chain, hall_coil(chain.crah), air, heat, coil_temperature(chain), rise_k, doors)


def _by_group(whole: CrahFit, units: Callable[[CrahFit], int]) -> Iterator[int]:
    """Yield the units of each rack group with shared units."""
    parts = [part for _, part in whole.chain.crah.path.groups if part > 0.0]
    found = {part: units(whole.part(part)) for part in dict.fromkeys(parts)}
    yield from (found[part] for part in parts)


def units_for_air(chain: CoolingChain, heat: HeatLoad, air: SupplyAir) -> int:
    """Return the hall units required for air flow, regardless of coil capacity."""
    return sum(_by_group(_all_groups(chain, heat, air), CrahFit.units_for_air))


def size_crah(
    chain: CoolingChain, heat: HeatLoad, air: SupplyAir, floor: CoolingCounts
) -> CrahDesign:
    """Return the air handlers for the sizing heat: per hall, and for the electrical rooms.

    Raises ``CRAH_INFEASIBLE`` when the chilled water is too warm for the supply air required.
    """
    plan, whole = chain.crah, _all_groups(chain, heat, air)
    halls = list(_by_group(whole, CrahFit.duty))
    duty = max(sum(halls), floor.crah_duty)
    designed = max(sum(plan.spares.installed(units) for units in halls), floor.crah)
    installed = designed if plan.count is None else plan.count
    duty_e = max(_electrical_units(whole), floor.crah_electrical_duty)
    designed_e = max(plan.spares.installed(duty_e), floor.crah_electrical)
    installed_e = designed_e if plan.electrical_count is None else plan.electrical_count
    remaining = max(installed - (designed - duty), 0)
    side, after = whole.at(duty, duty_e), whole.at(max(remaining, 1))
    # Spares also run: at minimum fan speed, more units add more heat.
    all_running = whole.at(max(installed, duty), max(installed_e, duty_e))
    taken_w = side.doors_w + max(side.coil_w, all_running.coil_w)
    taken_w += max(side.electrical_coil_w, all_running.electrical_coil_w)
    return CrahDesign(
        whole.coil,
        duty,
        installed,
        duty_e,
        installed_e,
        side.coil_w,
        taken_w,
        remaining,
        whole.capacity(remaining, after) if remaining else 0.0,
        after.coil_w,
        remaining * plan.unit.air_flow_m3_s,
        after.supply_flow_m3_s,
    )


def _electrical_units(fit: CrahFit) -> int:
    """Return the units of the electrical rooms, at rated air flow and temperature drop."""
    plan = fit.chain.crah
    heat_w, unit, coil = fit.heat.electrical_room_w, plan.path.electrical_unit, fit.coil
    if heat_w <= 0.0:
        return 0
    if unit is not plan.unit:
        coil = crah_coil(unit, plan.film_ratio, plan.water_film)
    air_w_k = unit.air_flow_m3_s / fit.air.volume_m3_kg * fit.air.specific_heat_j_kgk
    return_c = fit.chain.crah.supply_air_c + unit.rated_rise_k
    each_w = coil.heat(air_w_k, coil.second_w_k, return_c, fit.water_in_c) - unit.fan_w
    each_w = min(each_w, air_w_k * unit.rated_rise_k)
    if each_w <= 0.0:
        raise fit.infeasible()
    return whole_units(heat_w / each_w)
