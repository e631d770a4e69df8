"""The cooling as built under other inputs: units fixed, their operation calculated again.

Each function here repeats what sizing does with set points and ratings: a field that sizing begins
to use must be used here too.
"""

from __future__ import annotations

from dataclasses import replace

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.chain.sizing import coils_of
from facility.cooling.liquid.facility_water import SINK_WHERE as FWS_WHERE
from facility.cooling.liquid.facility_water import FacilityWater, tower_part
from facility.cooling.loops.layout import chilled_water_loop, facility_water_loop, rejection_loop
from facility.cooling.loops.loop import LoopRow
from facility.cooling.parts.cdu import CduDesign, exchanger_of
from facility.cooling.parts.fluids import liquid_at, liquid_rising
from facility.cooling.parts.pumping import LoopPump
from facility.cooling.plant.chilled_water import SINK_WHERE, ChilledWater, condenser_supply
from facility.cooling.plant.chillers import capacity_ratio, curves_of
from facility.cooling.plant.sinks import Sink, design_leaving, dry_cooler_coil, sink_liquid
from facility.model.cooling.chain import CduPlan, CoolingChain, FacilityWaterPlan, SinkPlan
from facility.model.cooling.units import HydraulicsPlan
from facility.model.facility import Weather

_HUNDREDTH = 0.01


def held_cooling(built: CoolingDesign, chain: CoolingChain, weather: Weather) -> CoolingDesign:
    """Return the cooling as built, with set points, ratings and efficiencies as `chain` has them.

    Counts, capacities, design flows, pipes, coils and towers stay as large as they are; what a
    data sheet says of one of them, and what it is set to, is that of `chain`.

    chain: The same kinds of equipment, with other numbers.
    weather: Design weather that it was built for.
    """
    limits = built.chain.hydraulics
    pipes = replace(
        chain.hydraulics,
        spare_flow=_HUNDREDTH * built.counts.pipe_spare,
        velocity_max_m_s=limits.velocity_max_m_s,
        gradient_max_pa_m=limits.gradient_max_pa_m,
    )
    water = built.water
    if water is not None and chain.facility_water is not None and chain.cdu is not None:
        cdus = _cdus(water.cdus, chain.cdu, chain.facility_water)
        place = weather, chain.recirculation_k
        water = _facility_water(water, chain.facility_water, cdus, place, pipes)
    return replace(
        built,
        chain=chain,
        cdus=water.cdus if water is not None else None,
        water=water,
        chilled=_chilled(built, chain, weather, pipes),
        outdoor_c=weather.dry_bulb_c + chain.recirculation_k,
    )


def _cdus(built: CduDesign, plan: CduPlan, water: FacilityWaterPlan) -> CduDesign:
    where = "cooling.facility_water.supply"
    tcs = liquid_rising(
        plan.fluid, plan.tcs_supply_c, built.design_w, built.tcs_flow_m3_s, "cooling.cdu.tcs_supply"
    )
    if water.rise_k is None:
        fws = liquid_rising(water.fluid, water.supply_c, built.design_w, built.fws_flow_m3_s, where)
    else:
        fws = liquid_at(water.fluid, water.supply_c + 0.5 * water.rise_k, where)
    return replace(built, plan=plan, tcs=tcs, fws=fws, exchanger=exchanger_of(plan, water))


def _facility_water(
    built: FacilityWater,
    plan: FacilityWaterPlan,
    cdus: CduDesign,
    place: tuple[Weather, float],
    pipes: HydraulicsPlan,
) -> FacilityWater:
    """Return the facility water; its rise is as stated, in proportion to that of the design.

    `place` is the outdoor air of the design and its recirculation.
    """
    asked, was = plan.rise_k, built.plan.rise_k
    rise_k = built.rise_k * (asked / was if asked is not None and was is not None else 1.0)
    loop = _as_laid(facility_water_loop(plan, cdus, rise_k, pipes), built.loop)
    pump = LoopPump.sized(plan.pump, built.pump.flow_m3_s, loop.pump_head_pa)
    sink, part = built.sink, built.tower_part
    if sink is not None and plan.sink is not None:
        heat_w = built.design_w + built.pump.power_w
        leaving_c = plan.supply_c - plan.exchanger_approach_k
        range_k = rise_k * heat_w / built.design_w
        if plan.trim and plan.sink.kind == "dry_cooler":
            leaving_c = max(leaving_c, design_leaving(plan.sink, range_k, *place))
        part = tower_part(plan, range_k)
        water = leaving_c, part * range_k
        sink = _sink(sink, plan.sink, water, (FWS_WHERE, "fws_tower", pipes))
    return replace(
        built, plan=plan, cdus=cdus, loop=loop, pump=pump, rise_k=rise_k, sink=sink, tower_part=part
    )


def _chilled(
    design: CoolingDesign, chain: CoolingChain, weather: Weather, pipes: HydraulicsPlan
) -> ChilledWater:
    built, plan = design.chilled, chain.chilled_water
    flow, loop, head_pa = built.pump.flow_m3_s, None, 0.0
    if built.loop is not None:
        units = coils_of(design.chain, design.crah)
        loop = _as_laid(chilled_water_loop(plan, flow, units, pipes), built.loop)
        head_pa = loop.pump_head_pa
    if plan.condenser_flow_m3_s is not None and built.plan.condenser_flow_m3_s is not None:
        slower = built.plan.condenser_flow_m3_s / plan.condenser_flow_m3_s
        plan = replace(plan, condenser_range_k=built.plan.condenser_range_k * slower)
    range_k = plan.condenser_range_k
    leaving_c = condenser_supply(plan, weather, chain.recirculation_k)
    ratio = capacity_ratio(plan.chiller, plan.supply_c, leaving_c)
    was = capacity_ratio(built.plan.chiller, built.plan.supply_c, built.leaving_c)
    capacity_w = built.capacity_w * (ratio / was)
    return replace(
        built,
        plan=plan,
        capacity_w=capacity_w,
        liquid=liquid_at(plan.fluid, plan.supply_c + 0.5 * plan.rise_k, "cooling.plant"),
        loop=loop,
        pump=LoopPump.sized(plan.pump, flow, head_pa),
        sink=_sink(built.sink, plan.sink, (leaving_c, range_k), (SINK_WHERE, "cw", pipes)),
        leaving_c=leaving_c,
        curves=curves_of(plan.chiller, capacity_w / ratio),
    )


def _sink(
    built: Sink, plan: SinkPlan, water: tuple[float, float], piping: tuple[str, str, HydraulicsPlan]
) -> Sink:
    """Return the heat rejection; `water` is the leaving temperature and range of its loop."""
    (leaving_c, range_k), (where, name, pipes), was = water, piping, built.plan
    liquid, loop, fan_w, coil = sink_liquid(plan, *water, where), built.loop, built.fan_w, None
    if loop is not None:
        ends_c = (leaving_c, leaving_c + range_k)
        loop = _as_laid(rejection_loop(name, plan, loop.flow_m3_s, ends_c, pipes), loop)
    if plan.kind == "tower":
        fan_w *= plan.fan_w_per_kg_s / was.fan_w_per_kg_s
    elif plan.kind == "dry_cooler":
        fan_w *= plan.unit.fan_w / was.unit.fan_w
        coil = dry_cooler_coil(plan.unit, plan.film)
    return replace(built, plan=plan, liquid=liquid, loop=loop, fan_w=fan_w, coil=coil)


def _as_laid(loop: LoopRow, built: LoopRow) -> LoopRow:
    """Return a loop with the pipes as built."""
    stretches = tuple(
        replace(new, size=old.size, pipes=old.pipes)
        for new, old in zip(loop.stretches, built.stretches, strict=True)
    )
    return replace(loop, stretches=stretches)
