"""The chilled-water plant: loop, chillers by lift or curves, and heat rejection."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.choices import ChillerChoice
from facility.cooling.loops.layout import chilled_water_loop
from facility.cooling.loops.loop import LoopRow
from facility.cooling.parts.fluids import Liquid, liquid_at
from facility.cooling.parts.pumping import LoopPump
from facility.cooling.plant.chillers import (
    Chillers,
    capacity_ratio,
    chillers_for,
    cop_by_curves,
    curves_of,
)
from facility.cooling.plant.pumping import chilled_water_pumps
from facility.cooling.plant.rejection import Rejection, SinkWater, reject, sink_water
from facility.cooling.plant.sinks import Sink, design_leaving, size_sink
from facility.cooling.plant.water_economizer import record_water, water_for_full
from facility.core.kinds import Numeric
from facility.core.sources import DERIVED, Source
from facility.core.trace import Quiet, Trace
from facility.model.cooling.chain import ChilledWaterPlan
from facility.model.cooling.economizer import NO_ECONOMIZER, EconomizerPlan
from facility.model.cooling.plant import HeatReusePlan
from facility.model.cooling.units import HydraulicsPlan
from facility.model.facility import Weather
from facility.physics.elementwise import maximum, minimum, plain, where
from facility.physics.facility.house import share_of_load
from facility.physics.liquids.coolant import coolant_flow_for_heat
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.chiller.lift import (
    compressor_power,
    condensing_temperature,
    evaporating_temperature,
    lift_cop,
    useful_condensing_temperature,
)

_FIELD_AND_LOOP = "cooling.plant.heat_rejection", "cw"
"""Field of the heat rejection, and the name of its loop."""
_EIR = Source("energyplus-chillers", "Chiller:Electric:EIR")
_MIN_RANGE_K = 1e-6
_FLOW_PASSES = 4
"""Passes for heat and range at constant flow; the range changes power by about 1 %."""


@dataclass(frozen=True)
class ChilledWater:
    """The chilled-water plant designed.

    `loop` is the loop as laid out, None without water. `load_w` is the sizing load of the chillers,
    `capacity_w` the capacity of each at design, `lift_k` their lift at design, `leaving_c` the
    heat rejection supply at design, `curves` the curve set of each, None for the lift model.
    """

    plan: ChilledWaterPlan
    liquid: Liquid
    loop: LoopRow | None
    pump: LoopPump
    load_w: float
    duty: int
    installed: int
    capacity_w: float
    lift_k: float
    sink: Sink
    leaving_c: float
    curves: EirCurves | None = None

    def with_inputs(
        self,
        plan: ChilledWaterPlan,
        weather: Weather,
        recirculation_k: float,
        units: tuple[int, int],
        pipes: HydraulicsPlan,
    ) -> ChilledWater:
        """Return the plant under other inputs: flows, pipes, units and sizes are unchanged.

        Chiller capacity follows from its rating at the set temperatures.
        """
        was, flow, loop, head_pa = self.plan, self.pump.flow_m3_s, None, 0.0
        if self.loop is not None:
            loop = chilled_water_loop(plan, flow, units, pipes).with_pipes_of(self.loop)
            head_pa = loop.pump_head_pa
        if plan.condenser_flow_m3_s is not None and was.condenser_flow_m3_s is not None:
            slower = was.condenser_flow_m3_s / plan.condenser_flow_m3_s
            plan = replace(plan, condenser_range_k=was.condenser_range_k * slower)
        leaving_c = condenser_supply(plan, weather, recirculation_k)
        ratio = capacity_ratio(plan.chiller, plan.supply_c, leaving_c)
        before = capacity_ratio(was.chiller, was.supply_c, self.leaving_c)
        capacity_w = self.capacity_w * (ratio / before)
        water = leaving_c, plan.condenser_range_k
        return replace(
            self,
            plan=plan,
            capacity_w=capacity_w,
            liquid=liquid_at(plan.fluid, plan.supply_c + 0.5 * plan.rise_k, "cooling.plant"),
            loop=loop,
            pump=LoopPump.sized(plan.pump, flow, head_pa),
            sink=self.sink.with_inputs(plan.sink, *water, (*_FIELD_AND_LOOP, pipes)),
            leaving_c=leaving_c,
            curves=curves_of(plan.chiller, capacity_w / ratio),
        )

    def capacity_at(self, condenser_in_c: Numeric) -> Numeric:
        """Return the capacity of one chiller at a condenser inlet temperature, from curves."""
        if self.curves is None:
            return self.capacity_w
        sink_c = condenser_in_c + self.plan.chiller.altitude_k
        chilled_c = self.plan.supply_c - self.plan.chiller.glycol_k
        return self.curves.over_hours(chilled_c, sink_c, 0.0).capacity_w

    @property
    def on_duty(self) -> int:
        """Duty units that are installed: as-built counts may be below the requirement."""
        return min(self.duty, self.installed)

    @property
    def remaining(self) -> int:
        """Chillers in service after the loss that the redundancy covers."""
        return self.plan.chiller.spares.remaining(self.installed, self.duty)

    @property
    def remaining_capacity_w(self) -> float:
        """Capacity of the remaining chillers at design."""
        return self.remaining * self.capacity_w

    @property
    def rated_w(self) -> float:
        """Capacity of each at its rating; design capacity for the lift model."""
        plan = self.plan.chiller
        return self.capacity_w / capacity_ratio(plan, self.plan.supply_c, self.leaving_c)

    @property
    def choice(self) -> ChillerChoice:
        """Model, capacity at the rating and number of the chillers."""
        return ChillerChoice(self.plan.chiller.model, self.rated_w, self.installed)

    @property
    def input_w(self) -> float:
        """Electrical input of the duty chillers at their capacity, at the design weather [W]."""
        load_w = self.duty * self.capacity_w or self.load_w
        return load_w / _design_cop(self.plan, self.curves, self.leaving_c, load_w, self.duty)

    @property
    def chillers(self) -> Chillers:
        """The chillers on duty."""
        return Chillers(self.on_duty, self.capacity_w)


@dataclass(frozen=True)
class PlantHour:
    """Chiller relief in one hour: economizer, tank, heat user.

    `allowed` is whether the economizer may run, `tank_w` is the heat that a tank absorbs,
    `reuse` the heat user, None if absent or disregarded.
    """

    economizer: EconomizerPlan = NO_ECONOMIZER
    allowed: bool = True
    tank_w: float = 0.0
    reuse: HeatReusePlan | None = None


PLAIN_HOUR = PlantHour()
"""Chillers and their heat rejection only."""


@dataclass(frozen=True)
class ChilledWaterState:
    """The chilled-water plant in operation; `condensing_c` is the refrigerant's temperature.

    `economizer_w` is the economizer heat upstream of the chillers, `load_w` the chiller load.
    """

    flow_m3_s: float
    pumps_w: float
    load_w: float
    cop: float
    chillers_w: float
    condensing_c: float
    rejection: Rejection
    economizer_w: float = 0.0

    @property
    def power_w(self) -> float:
        """Electrical power of chillers, pumps and heat rejection."""
        rejection = self.rejection
        return self.pumps_w + self.chillers_w + rejection.pumps_w + rejection.fans_w


def size_chilled_water(
    plan: ChilledWaterPlan,
    coils_w: float,
    weather: Weather,
    recirculation_k: float,
    floor: tuple[int, int],
    units: tuple[int, int],
    pipes: HydraulicsPlan,
) -> ChilledWater:
    """Return the plant for `coils_w` at design weather.

    coils_w: Loop heat at sizing.
    weather, recirculation_k: Design weather, and its rise at the heat rejection.
    floor: Minimum duty chillers and minimum duty heat rejection units.
    units: Coils on the loop, on duty and installed.
    pipes: Pipes and components, which determine an unspecified pump head.
    """
    rest = coils_w, weather, recirculation_k, floor, units, pipes
    found = _sized(plan, *rest)
    if plan.condenser_flow_m3_s is not None:
        for _ in range(_FLOW_PASSES):
            rate_w_k = found.sink.liquid.rate_w_k(plan.condenser_flow_m3_s)
            found = _sized(replace(plan, condenser_range_k=found.sink.heat_w / rate_w_k), *rest)
    return found


def _sized(
    plan: ChilledWaterPlan,
    coils_w: float,
    weather: Weather,
    recirculation_k: float,
    floor: tuple[int, int],
    units: tuple[int, int],
    pipes: HydraulicsPlan,
) -> ChilledWater:
    liquid = liquid_at(plan.fluid, plan.supply_c + 0.5 * plan.rise_k, "cooling.plant")
    flow = float(coolant_flow_for_heat.si(coils_w, plan.rise_k, **liquid.properties))
    loop = None if plan.direct else chilled_water_loop(plan, flow, units, pipes)
    pump = LoopPump.sized(plan.pump, flow, loop.pump_head_pa if loop is not None else 0.0)
    load_w = coils_w + pump.power_w
    range_k = plan.condenser_range_k
    leaving_c = condenser_supply(plan, weather, recirculation_k)
    ratio = capacity_ratio(plan.chiller, plan.supply_c, leaving_c)
    duty, capacity_w = chillers_for(plan.chiller, load_w, ratio, floor[0])
    chiller = plan.chiller
    installed = chiller.count if chiller.count is not None else chiller.spares.installed(duty)
    if plan.direct:
        duty, installed, capacity_w = 0, 0, 0.0
    curves = curves_of(plan.chiller, capacity_w / ratio)
    heat_w = load_w + load_w / _design_cop(plan, curves, leaving_c, load_w, duty)
    water, site = (leaving_c, range_k), (*_FIELD_AND_LOOP, pipes)
    sink = size_sink(plan.sink, heat_w, *water, weather, recirculation_k, floor[1], site)
    lift_k = leaving_c + _sink_to_condensing(plan) - _evaporating_c(plan)
    sizes = load_w, duty, installed, capacity_w, lift_k
    return ChilledWater(plan, liquid, loop, pump, *sizes, sink, leaving_c, curves)


def condenser_supply(plan: ChilledWaterPlan, weather: Weather, recirculation_k: float) -> float:
    """Return the condenser water at design, at least the minimum condenser water temperature."""
    leaving_c = design_leaving(plan.sink, plan.condenser_range_k, weather, recirculation_k)
    return leaving_c if plan.sink.kind == "air_cooled" else max(leaving_c, plan.min_water_c)


def _sink_to_condensing(plan: ChilledWaterPlan) -> float:
    """Return condensing temperature minus heat rejection supply."""
    if plan.sink.kind == "air_cooled":
        return plan.sink.approach_k
    return plan.condenser_range_k + plan.chiller.condenser_approach_k


def _evaporating_c(plan: ChilledWaterPlan) -> float:
    return plan.supply_c - plan.chiller.evaporator_approach_k


def _design_cop(
    plan: ChilledWaterPlan, curves: EirCurves | None, sink_c: float, load_w: float, running: int
) -> float:
    if curves is not None:
        return _cop_by_curves(plan, curves, sink_c, load_w, running)
    chiller, condensing_c = plan.chiller, sink_c + _sink_to_condensing(plan)
    limits = chiller.min_lift_k, chiller.factors["cop_limit"]
    cop = lift_cop.si(chiller.carnot_fraction, _evaporating_c(plan), condensing_c, *limits)
    return float(cop)


def _cop_by_curves(
    plan: ChilledWaterPlan, curves: EirCurves, sink_c: float, load_w: float, running: int
) -> float:
    water_c = (plan.supply_c, sink_c)
    return cop_by_curves(curves, plan.chiller, water_c, _sink_to_condensing(plan), load_w, running)


def chilled_water_at(
    design: ChilledWater,
    coils_id: str,
    weather: Weather,
    recirculation_k: float,
    trace: Trace,
    hour: PlantHour = PLAIN_HOUR,
) -> ChilledWaterState:
    """Return the plant in operation on the heat of the step `coils_id`, minus tank heat.

    The coil valves maintain the loop rise, so that its flow follows the heat. A
    water-side economizer runs where permitted and where plant and economizer together draw
    less power. Heat of sufficiently warm condenser water goes to the heat user, if any.
    """
    site, mechanical = (weather, recirculation_k), replace(hour, economizer=NO_ECONOMIZER)
    if hour.economizer.on_water:
        free, without = (
            _at_condenser_flow(
                design, coils_id, *site, Quiet(**{coils_id: trace.value(coils_id)}), one
            )
            for one in (hour, mechanical)
        )
        pays = hour.allowed & (free.power_w < without.power_w)
        if np.ndim(pays):
            return where(pays, free, without)
        if pays:
            return _at_condenser_flow(design, coils_id, *site, trace, hour)
    return _at_condenser_flow(design, coils_id, *site, trace, mechanical)


def _at_condenser_flow(
    design: ChilledWater,
    coils_id: str,
    weather: Weather,
    recirculation_k: float,
    trace: Trace,
    hour: PlantHour,
) -> ChilledWaterState:
    """Return the plant in operation; at constant condenser flow, the range follows from heat.

    Each pass runs the plant at the previous range, without a heat user, for its condenser heat.
    """
    flow_m3_s = design.plan.condenser_flow_m3_s
    if flow_m3_s is not None:
        coils_w = trace.value(coils_id)
        running = design.chillers.running(coils_w - hour.tank_w, design.plan.pumping.stage_up)
        rate_w_k = design.sink.liquid.rate_w_k(flow_m3_s) * maximum(running, 1) / design.duty
        rise_k, without_user = design.sink.pump_rise_k, replace(hour, reuse=None)
        for _ in range(_FLOW_PASSES):
            steps = Quiet(**{coils_id: coils_w})
            _at_condenser_range(design, coils_id, weather, recirculation_k, steps, without_user)
            heat_w = steps.value("plant.condenser_heat")
            range_k = maximum(heat_w / rate_w_k, _MIN_RANGE_K) + rise_k
            design = replace(design, plan=replace(design.plan, condenser_range_k=range_k))
    return _at_condenser_range(design, coils_id, weather, recirculation_k, trace, hour)


def _at_condenser_range(
    design: ChilledWater, coils_id: str, weather: Weather, recirculation_k: float, trace: Trace,
    hour: PlantHour,
) -> ChilledWaterState:  # fmt: skip
    """Return the plant in operation at the condenser range of its plan, recorded in `trace`."""
    plan, economizer, tank_w = design.plan, hour.economizer, hour.tank_w
    free = economizer.on_water
    air_cooled = plan.sink.kind == "air_cooled"
    flow = _water_flow(design, coils_id, trace)
    pumps_w = chilled_water_pumps(
        plan.pumping, design.pump, design.chillers, trace.value(coils_id) - tank_w, flow, trace
    )
    tank = ["tank.given"] if np.any(tank_w) else []
    if tank:
        trace.given("tank.given", -tank_w, "heat_flow", DERIVED, "tank heat")
    trace.sum(
        "plant.water_load" if free else "plant.chiller_load", "heat_flow",
        "pump power is heat in the water", coils_id, "plant.chw.pump_power", *tank,
    )  # fmt: skip
    setpoint_c = _useful_setpoint(design, weather, recirculation_k, trace)
    water = sink_water(
        design.sink, "plant.rejection", plan.condenser_range_k,
        water_for_full(economizer, plan) if free and not air_cooled else setpoint_c, weather,
        recirculation_k, trace,
    )  # fmt: skip
    heats, free_w = ["plant.chiller_load", "plant.chiller_power"], 0.0
    if free:
        source = trace.value("plant.rejection.entering_air") if air_cooled else water.leaving_c
        free_w = record_water(economizer, source, plan, trace)
        heats.append("economizer.heat")
    head_pressure = replace(water, leaving_c=maximum(water.leaving_c, setpoint_c))
    cop, chillers_w = _compress(design, head_pressure, heats, trace)
    rejection = _reject(design, water, hour, free_w, trace)
    return ChilledWaterState(
        flow, pumps_w, trace.value("plant.chiller_load"), cop, chillers_w,
        trace.value("plant.condensing"), rejection, free_w,
    )  # fmt: skip


def _reject(
    design: ChilledWater, water: SinkWater, hour: PlantHour, free_w: float, trace: Trace
) -> Rejection:
    """Return the heat rejection in operation, including fans of a free-cooling coil."""
    plan, range_k = design.plan, design.plan.condenser_range_k
    economizer = hour.economizer
    warm_c = trace.value("plant.condensing") - plan.chiller.condenser_approach_k
    if economizer.on_water:
        warm_c = where(free_w > 0.0, water.leaving_c + range_k, warm_c)
    heat = "plant.condenser_heat"
    found = reject(design.sink, "plant.rejection", heat, range_k, water, trace, warm_c, hour.reuse)
    if not economizer.on_water or plan.sink.kind != "air_cooled":
        return found
    fans_w = trace.do(
        "plant.rejection.fan_power",
        share_of_load,
        "fans of the free-cooling coil",
        load_w="economizer.heat",
        share=economizer.coil_fan_ratio,
    )
    return replace(found, fans_w=plain(fans_w))


def _useful_setpoint(
    design: ChilledWater, weather: Weather, recirculation_k: float, trace: Trace
) -> float:
    """Return the heat rejection supply set point.

    Lower temperatures give no chiller benefit, or are not permitted. Towers may have a set point
    above it that follows the wet bulb, up to the design temperature or a stated maximum.
    """
    plan, chiller = design.plan, design.plan.chiller
    trace.do(
        "plant.evaporating",
        evaporating_temperature,
        chilled_water_c=plan.supply_c,
        approach_k=chiller.evaporator_approach_k,
    )
    if design.curves is None:
        useful_c = useful_condensing_temperature.si(
            chiller.carnot_fraction,
            trace.value("plant.evaporating"),
            chiller.min_lift_k,
            chiller.factors["cop_limit"],
        ) - _sink_to_condensing(plan)
    else:
        useful_c = design.curves.range_condenser_c[0] - chiller.altitude_k
    setpoint_c = maximum(plan.min_water_c, plain(useful_c))
    if plan.sink.kind == "dry_cooler":
        air_c = design.sink.coldest_air(weather, recirculation_k)
        setpoint_c = maximum(setpoint_c, air_c + plan.sink.approach_k)
    if plan.setpoint_approach_k is not None:
        wet_c = weather.wet_bulb_c + recirculation_k
        max_c = plan.setpoint_max_c
        warmest_c = maximum(setpoint_c, design.leaving_c if max_c is None else max_c)
        setpoint_c = minimum(maximum(setpoint_c, wet_c + plan.setpoint_approach_k), warmest_c)
    return setpoint_c


def _water_flow(design: ChilledWater, coils_id: str, trace: Trace) -> float:
    if design.plan.direct:
        return trace.given("plant.chw_flow", 0.0, "liquid_flow", DERIVED, "no chilled water")
    return plain(
        trace.do(
            "plant.chw_flow",
            coolant_flow_for_heat,
            heat_w=coils_id,
            rise_k=design.plan.rise_k,
            **design.liquid.properties,
        )
    )


def _compress(
    design: ChilledWater, water: SinkWater, heats: list[str], trace: Trace
) -> tuple[float, float]:
    """Return COP and power of the chillers, and record the heat rejected to the condensers."""
    chiller = design.plan.chiller
    trace.do(
        "plant.condensing",
        condensing_temperature,
        sink_c=water.leaving_c,
        approach_k=_sink_to_condensing(design.plan),
    )
    if design.curves is None:
        cop = trace.do(
            "plant.chiller_cop",
            lift_cop,
            fraction=chiller.carnot_fraction,
            evaporating_c="plant.evaporating",
            condensing_c="plant.condensing",
            min_lift_k=chiller.min_lift_k,
            cop_limit=chiller.factors["cop_limit"],
        )
    else:
        load_w = trace.value("plant.chiller_load")
        running = design.chillers.running(load_w, design.plan.pumping.stage_up)
        cop = trace.choose(
            "plant.chiller_cop",
            _cop_by_curves(design.plan, design.curves, water.leaving_c, load_w, running),
            "ratio",
            f"EIR curves of {design.curves.name}, load shared by the running chillers; "
            "outside the valid range in proportion to lift",
            _EIR,
            condensing="plant.condensing",
            load="plant.chiller_load",
        )
    power_w = trace.do(
        "plant.chiller_power",
        compressor_power,
        heat_w="plant.chiller_load",
        cop="plant.chiller_cop",
    )
    trace.sum("plant.condenser_heat", "heat_flow", "heat absorbed and compressor power", *heats)
    return plain(cop), plain(power_w)
