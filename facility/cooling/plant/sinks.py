"""Heat rejection designed: towers, dry coolers and the condenser coils of air-cooled chillers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.cooling.choices import RejectionChoice
from facility.cooling.loops.layout import rejection_loop
from facility.cooling.loops.loop import LoopRow
from facility.cooling.parts.exchanger import Exchanger, rated
from facility.cooling.parts.fluids import Liquid, liquid_at, within_table
from facility.cooling.plant.pads import coldest_air, design_air
from facility.core.errors import FacilityError
from facility.core.rounding import whole_units
from facility.model.cooling.chain import SinkPlan
from facility.model.cooling.units import DryCoolerUnit, HydraulicsPlan
from facility.model.facility import Weather
from facility.physics.elementwise import minimum, plain
from facility.physics.exchangers.dry_cooler import fluid_side_effectiveness
from facility.physics.liquids.coolant import coolant_flow_for_heat
from facility.physics.plant.fans_pumps import heat_with_pump_work
from facility.physics.plant.tower.yorkcalc import yorkcalc_approach
from facility.physics.roots import root_between

_SEA_LEVEL_PA = 101325.0
_KELVIN = 273.15
_LOOP_PASSES = 3
_FEWEST_COOLERS, _MAX_COOLERS = 0.05, 20.0
"""Coolers relative to the count at rated flow: practical range."""
MIN_DRY_APPROACH_K = 3.0
"""Minimum practical dry cooler approach; below it coils and fans are oversized."""
MIN_TOWER_W = 300e3
"""Minimum heat of a practical open cooling tower."""
MAX_DRY_FAN_SHARE = 0.06
"""Maximum dry cooler fan power over heat rejected, at full speed."""


@dataclass(frozen=True)
class Sink:
    """Heat rejection designed: duty and installed units, heat rejected, and its range.

    `fan_w` is the power of all duty fans at full speed, `loop` the loop of its dedicated pumps. Dry
    coolers also have: `coil`; `unit_w_k`, the fluid capacity rate of each running unit; `air_c`,
    the air at the coils at design (downstream of pads, if any); `approach_k`, the leaving fluid
    above it; and `min_approach_k`, the approach at which the fans take `MAX_DRY_FAN_SHARE` of the
    heat.
    """

    plan: SinkPlan
    liquid: Liquid
    duty: int
    installed: int
    heat_w: float
    range_k: float
    fan_w: float
    coil: Exchanger | None = None
    unit_w_k: float = 0.0
    air_c: float = 0.0
    approach_k: float = 0.0
    min_approach_k: float = 0.0
    loop: LoopRow | None = None

    def with_inputs(
        self,
        plan: SinkPlan,
        leaving_c: float,
        range_k: float,
        piping: tuple[str, str, HydraulicsPlan],
    ) -> Sink:
        """Return the same units and sizes under other inputs, at their design water and range.

        `piping` as in `size_sink`.
        """
        (where, name, pipes), was = piping, self.plan
        loop, fan_w, coil = None, self.fan_w, None
        if self.loop is not None:
            ends_c = (leaving_c, leaving_c + range_k)
            loop = rejection_loop(name, plan, self.loop.flow_m3_s, ends_c, pipes)
            loop = loop.with_pipes_of(self.loop)
        if plan.kind == "tower":
            fan_w *= plan.fan_w_per_kg_s / was.fan_w_per_kg_s
        elif plan.kind == "dry_cooler":
            fan_w *= plan.unit.fan_w / was.unit.fan_w
            coil = dry_cooler_coil(plan.unit, plan.film)
        liquid = sink_liquid(plan, leaving_c, range_k, where)
        return replace(self, plan=plan, liquid=liquid, loop=loop, fan_w=fan_w, coil=coil)

    @property
    def on_duty(self) -> int:
        """Duty units that are installed: as-built counts may be below the requirement."""
        return min(self.duty, self.installed)

    @property
    def remaining(self) -> int:
        """Units in service after the loss that the redundancy covers."""
        return self.plan.spares.remaining(self.installed, self.duty)

    @property
    def choice(self) -> RejectionChoice:
        """Type, number and pads."""
        pads = self.plan.pads
        effectiveness = None if pads is None else pads.effectiveness
        return RejectionChoice(self.plan.kind, self.installed, effectiveness)

    @property
    def pump_rise_k(self) -> float:
        """Water temperature rise by pump power; 0 without dedicated pumps."""
        if self.plan.pump is None or self.loop is None:
            return 0.0
        per_m3_k = self.liquid.density_kg_m3 * self.liquid.specific_heat_j_kgk
        return self.loop.pump_head_pa / (self.plan.pump.efficiency * per_m3_k)

    @property
    def wetted_above_c(self) -> float:
        """Entering air above which its pads may be wetted; undefined without pads."""
        pads = self.plan.pads
        return self.air_c if pads is None or pads.above_c is None else pads.above_c

    def coldest_air(self, weather: Weather, recirculation_k: float) -> float:
        """Return the minimum entering air of dry cooler coils in a given weather."""
        return coldest_air(self.plan.pads, self.wetted_above_c, weather, recirculation_k)

    def fluid_effectiveness(self, air_ratio: float, air_c: float, pressure_pa: float) -> float:
        """Return the effectiveness of a dry cooler on its fluid side, with site air."""
        coil = (
            self.coil if self.coil is not None else dry_cooler_coil(self.plan.unit, self.plan.film)
        )
        return _on_fluid_side(coil, self.plan.unit, self.unit_w_k, air_ratio, air_c, pressure_pa)


def dry_cooler_coil(unit: DryCoolerUnit, film: float = 1.0) -> Exchanger:
    """Return the coil of a dry cooler from its data sheet, with balanced capacity rates.

    `film` is the fluid film over the rated film.
    """
    rate_w_k = unit.heat_w / (unit.fluid_in_c - unit.fluid_out_c)
    span_k = unit.fluid_in_c - unit.air_in_c
    where = "dry cooler rating"
    coil = rated("finned coil", unit.heat_w, rate_w_k, rate_w_k, span_k, unit.film_ratio, where)
    return replace(coil, second_fluid=film)


def _density_ratio(unit: DryCoolerUnit, air_c: float, pressure_pa: float) -> float:
    """Return the air density over rated density, which is at sea level.

    The fans move volume: air mass flow and fan power follow the density.
    """
    return pressure_pa / _SEA_LEVEL_PA * (unit.air_in_c + _KELVIN) / (air_c + _KELVIN)


def _on_fluid_side(
    coil: Exchanger,
    unit: DryCoolerUnit,
    fluid_w_k: float,
    air_ratio: float,
    air_c: float,
    pressure_pa: float,
) -> float:
    """Return the effectiveness on the fluid side.

    Coolers of any size are circuited for rated tube velocity.
    """
    if unit.scalable:
        coil = replace(coil, second_w_k=fluid_w_k)
    air_w_k = coil.first_w_k * air_ratio * _density_ratio(unit, air_c, pressure_pa)
    effectiveness = plain(coil.effectiveness(air_w_k, fluid_w_k))
    return effectiveness * minimum(air_w_k, fluid_w_k) / fluid_w_k


def design_leaving(
    plan: SinkPlan, range_k: float, weather: Weather, recirculation_k: float
) -> float:
    """Return the water of heat rejection at design with full fan speed.

    For air-cooled chillers it is the condenser entering air.
    """
    if plan.kind == "tower":
        wet_c = weather.wet_bulb_c + recirculation_k
        return wet_c + float(yorkcalc_approach.si(wet_c, range_k, plan.water_ratio, 1.0))
    air_c = design_air(plan.pads, weather, recirculation_k)
    return air_c + plan.approach_k if plan.kind == "dry_cooler" else air_c


def size_sink(
    plan: SinkPlan,
    heat_w: float,
    leaving_c: float,
    range_k: float,
    weather: Weather,
    recirculation_k: float,
    floor: int,
    piping: tuple[str, str, HydraulicsPlan],
) -> Sink:
    """Return the heat rejection for `heat_w` including its dedicated pumps.

    `piping` is the field of the project for messages, the name of its loop, and the pipes.

    Raises ``DRY_COOLER_INFEASIBLE`` when the air is too warm for the water required.
    """
    where = piping[0]
    liquid = sink_liquid(plan, leaving_c, range_k, where)
    loop, heat_w = _own_loop(plan, liquid, heat_w, (leaving_c, range_k), piping)
    if plan.kind == "air_cooled":
        return Sink(plan, liquid, 0, 0, heat_w, range_k, 0.0)
    if plan.kind == "tower":
        return replace(_towers(plan, liquid, heat_w, range_k, floor), loop=loop)
    air_c = design_air(plan.pads, weather, recirculation_k)
    unit, rate_w_k = plan.unit, heat_w / range_k
    coil = dry_cooler_coil(plan.unit, plan.film)
    coolers = _dry_coolers(
        unit, coil, rate_w_k, range_k, leaving_c, air_c, weather.pressure_pa, where
    )
    duty = max(floor, whole_units(coolers, minimum=1))
    if not unit.scalable:
        coolers = float(duty)
    fan_w = unit.fan_w * _density_ratio(unit, air_c, weather.pressure_pa)
    unit_w_k = rate_w_k * fan_w / (MAX_DRY_FAN_SHARE * heat_w)
    maximum = _on_fluid_side(coil, unit, unit_w_k, 1.0, air_c, weather.pressure_pa)
    return Sink(
        plan,
        liquid,
        duty,
        _installed(plan, duty),
        heat_w,
        range_k,
        coolers * fan_w,
        coil,
        rate_w_k / coolers,
        air_c,
        leaving_c - air_c,
        range_k * (1.0 / maximum - 1.0),
        loop,
    )


def sink_liquid(plan: SinkPlan, leaving_c: float, range_k: float, where: str) -> Liquid:
    """Return the circulating fluid at mean temperature, within its property table."""
    mean_c = within_table(plan.fluid, leaving_c + 0.5 * range_k)
    return liquid_at(plan.fluid, mean_c, where)


def _own_loop(
    plan: SinkPlan,
    liquid: Liquid,
    heat_w: float,
    water: tuple[float, float],
    piping: tuple[str, str, HydraulicsPlan],
) -> tuple[LoopRow | None, float]:
    """Return the dedicated loop, and the heat including pump power.

    Pump power depends on head, head on flow, and flow on heat including pump
    power: a few percent, so that a few passes are sufficient.
    """
    if plan.pump is None:
        return None, heat_w
    (leaving_c, range_k), (_, name, pipes) = water, piping
    ends_c, whole_w = (leaving_c, leaving_c + range_k), heat_w
    for _ in range(_LOOP_PASSES):
        flow = float(coolant_flow_for_heat.si(whole_w, range_k, **liquid.properties))
        loop = rejection_loop(name, plan, flow, ends_c, pipes)
        whole_w = float(
            heat_with_pump_work.si(
                heat_w,
                loop.pump_head_pa,
                plan.pump.efficiency,
                range_k=range_k,
                **liquid.properties,
            )
        )
    return loop, whole_w


def _installed(plan: SinkPlan, duty: int) -> int:
    return plan.count if plan.count is not None else plan.spares.installed(duty)


def _towers(plan: SinkPlan, liquid: Liquid, heat_w: float, range_k: float, floor: int) -> Sink:
    water_kg_s = heat_w / (liquid.specific_heat_j_kgk * range_k)
    # A rated cell has its rated water flow as maximum, at any range.
    cells = heat_w / plan.cell_w if plan.cell_kg_s is None else water_kg_s / plan.cell_kg_s
    duty = max(floor, whole_units(cells, minimum=1))
    fans_w = plan.fan_w_per_kg_s * water_kg_s
    return Sink(plan, liquid, duty, _installed(plan, duty), heat_w, range_k, fans_w)


def _dry_coolers(
    unit: DryCoolerUnit,
    coil: Exchanger,
    rate_w_k: float,
    range_k: float,
    leaving_c: float,
    air_c: float,
    pressure_pa: float,
    where: str,
) -> float:
    """Return the required number of rated coolers, as a fraction."""
    at_rated_flow = rate_w_k / coil.second_w_k
    fewest, maximum = _FEWEST_COOLERS * at_rated_flow, _MAX_COOLERS * at_rated_flow

    required = float(fluid_side_effectiveness.si(leaving_c + range_k, leaving_c, air_c))

    def shortfall(coolers: float) -> float:
        effectiveness = _on_fluid_side(coil, unit, rate_w_k / coolers, 1.0, air_c, pressure_pa)
        return required - effectiveness

    if leaving_c <= air_c or shortfall(maximum) > 0.0:
        raise FacilityError(
            "DRY_COOLER_INFEASIBLE",
            where,
            f"dry coolers cannot supply {leaving_c:.1f} degC water at {air_c:.1f} degC air.",
            "Select warmer water, wetted pads (pad_effectiveness of the rejection), a tower, or "
            "additional chilled water (dry_cooler_and_chiller).",
        )
    if shortfall(fewest) <= 0.0:
        return fewest
    return root_between(shortfall, fewest, maximum)
