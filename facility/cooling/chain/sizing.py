"""The cooling chain: sizing at design weather, operation in any weather."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facility.cooling.air.air_side import AirSide, air_side, supply_air
from facility.cooling.air.crah import (
    CoilAir,
    CoilWater,
    CrahDesign,
    coil_capacity,
    coil_temperature,
    doors_of,
    size_crah,
)
from facility.cooling.air.humidifier import steam_at
from facility.cooling.air.ventilation import record_ventilation
from facility.cooling.chain.assemble import assemble, cooling_power
from facility.cooling.chain.design_checks import design_checks
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow, CoolingOperation
from facility.cooling.economizer.control import pays
from facility.cooling.economizer.parts import (
    NO_ECONOMY,
    AirEconomy,
    AirStream,
    air_at_work,
    air_economy,
)
from facility.cooling.liquid.facility_water import facility_water_at, size_facility_water
from facility.cooling.parts.cdu import liquid_side, size_cdus
from facility.cooling.parts.loads import NO_FLOOR, NO_TANK, CoolingCounts, HeatLoad, TankFlow
from facility.cooling.plant.chilled_water import PlantHour, chilled_water_at, size_chilled_water
from facility.cooling.plant.rejection import CorrelationRange
from facility.cooling.plant.water_economizer import refuse_narrow
from facility.cooling.rules import RULES
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding
from facility.core.sources import DERIVED
from facility.core.trace import Quiet, Trace
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain
from facility.model.cooling.economizer import NO_ECONOMIZER
from facility.model.facility import Criteria, Site, Weather
from facility.physics.elementwise import anywhere, maximum, plain, where

_HUNDREDTH = 0.01


def _within_correlation_range(correlation_ranges: tuple[CorrelationRange, ...]) -> Check:
    """Return the range check of the tower correlation; above its wet bulb it is conservative."""
    outside = sorted({name for one in correlation_ranges for name in one.outside})
    warm = correlation_ranges[argmax_within_rounding([one.above_k for one in correlation_ranges])]
    why = "all inputs within the valid range"
    if outside:
        why = f"clipped: {', '.join(outside)}"
    elif warm.above_k > 0.0:
        why = (
            f"wet bulb {warm.above_k:.1f} K above the range: the approach at its limit, "
            f"{warm.approach_k:.1f} K, is used (conservative)"
        )
    return RULES["TOWER-BOX"].verdict("cooling towers", not outside, why)


def size_cooling(
    chain: CoolingChain,
    site: Site,
    criteria: Criteria,
    heat: HeatLoad,
    floor: CoolingCounts | None,
    trace: Trace,
) -> CoolingDesign:
    """Return the cooling sized for `heat` with its growth, at the site's design weather, checked.

    site, criteria: Design weather; limits and growth.
    heat: Heat of the design.
    floor: Counts of an earlier pass; lower bounds.

    Raises if no number of units is sufficient, with a remedy.
    """
    return check_cooling(
        size_cooling_unchecked(chain, site, criteria, heat, floor, trace), site, heat
    )


def size_cooling_unchecked(
    chain: CoolingChain,
    site: Site,
    criteria: Criteria,
    heat: HeatLoad,
    floor: CoolingCounts | None,
    trace: Trace,
) -> CoolingDesign:
    """Return the sized cooling without checks, for a pass that may be repeated.

    See `size_cooling`.
    """
    _refuse_impossible(heat, chain.cdu is not None)
    lower = floor if floor is not None else NO_FLOOR
    pipes = replace(chain.hydraulics, spare_flow=_HUNDREDTH * lower.pipe_spare)
    weather, warmer_k = site.design, chain.recirculation_k
    sizing = _sizing_heat(chain, criteria, heat)
    air = supply_air(chain, weather.pressure_pa, trace)
    crah = size_crah(chain, sizing, air, lower)
    water = None
    if chain.cdu is not None and chain.facility_water is not None and sizing.liquid_it_w > 0.0:
        flow = chain.cdu.tcs_flow_m3_s * (1.0 + criteria.growth)
        cdus = size_cdus(chain.cdu, chain.facility_water, sizing.liquid_it_w, flow, lower.cdu_duty)
        water = size_facility_water(
            chain.facility_water, cdus, weather, warmer_k, lower.fws_rejection_duty, pipes
        )
    coils_w = crah.taken_w + heat.ventilation_w + chain.crah.path.room.ventilation_fans_w
    if water is not None:
        coils_w += water.chilled_w
    chilled = size_chilled_water(
        chain.chilled_water,
        coils_w,
        weather,
        warmer_k,
        (lower.chillers_duty, lower.rejection_duty),
        coils_of(chain, crah),
        pipes,
    )
    refuse_narrow(chain.economizer, chilled.plan)
    design = CoolingDesign(
        chain,
        criteria,
        crah,
        water.cdus if water is not None else None,
        water,
        chilled,
        sizing.air_it_w,
        sizing.liquid_it_w,
        weather.dry_bulb_c + warmer_k,
        NO_FLOOR,
        (),
    )
    design = replace(design, counts=_counts(design, lower))
    _record(design, trace)
    return design


def check_cooling(design: CoolingDesign, site: Site, heat: HeatLoad) -> CoolingDesign:
    """Return the cooling sized for `heat` with its checks."""
    design = replace(design, usual_crahs=_at_usual_rise(design, site, heat))
    return replace(design, checks=design_checks(design))


def with_inputs(built: CoolingDesign, chain: CoolingChain, weather: Weather) -> CoolingDesign:
    """Return the existing cooling with set points, ratings and efficiencies of `chain`.

    Counts, capacities, design flows, pipes, coils and towers are unchanged.

    chain: The same kinds of equipment, with different values.
    weather: Design weather of the existing design.
    """
    limits, warmer_k = built.chain.hydraulics, chain.recirculation_k
    pipes = replace(
        chain.hydraulics,
        spare_flow=_HUNDREDTH * built.counts.pipe_spare,
        velocity_max_m_s=limits.velocity_max_m_s,
        gradient_max_pa_m=limits.gradient_max_pa_m,
    )
    water, units = built.water, coils_of(built.chain, built.crah)
    if water is not None and chain.facility_water is not None and chain.cdu is not None:
        cdus = water.cdus.with_inputs(chain.cdu, chain.facility_water)
        water = water.with_inputs(chain.facility_water, cdus, weather, warmer_k, pipes)
    return replace(
        built,
        chain=chain,
        cdus=water.cdus if water is not None else None,
        water=water,
        chilled=built.chilled.with_inputs(chain.chilled_water, weather, warmer_k, units, pipes),
        outdoor_c=weather.dry_bulb_c + warmer_k,
    )


def _sizing_heat(chain: CoolingChain, criteria: Criteria, heat: HeatLoad) -> HeatLoad:
    """Return the heat that air handlers and CDUs are sized for."""
    liquid_factor = chain.cdu.sizing_factor if chain.cdu is not None else 1.0
    return heat.scaled(1.0 + criteria.growth, chain.crah.sizing_factor, liquid_factor)


def _at_usual_rise(design: CoolingDesign, site: Site, heat: HeatLoad) -> int:
    """Return the air handlers on duty at rated chilled-water rise."""
    chain, water = design.chain, design.chain.chilled_water
    if water.rise_k <= water.usual_rise_k:
        return design.crah.duty
    usual = replace(chain, chilled_water=replace(water, rise_k=water.usual_rise_k))
    air = supply_air(chain, site.design.pressure_pa, Quiet())
    return size_crah(usual, _sizing_heat(chain, design.criteria, heat), air, NO_FLOOR).duty


def coils_of(chain: CoolingChain, crah: CrahDesign) -> tuple[int, int]:
    """Return the chilled-water units, duty and installed; every door counts as one."""
    doors = 0
    if chain.crah.path.door is not None:
        doors = round(sum(rack.count for rack in chain.racks if rack.air_w > 0.0))
    return (
        crah.duty + crah.electrical_duty + doors,
        crah.installed + crah.electrical_installed + doors,
    )


def _refuse_impossible(heat: HeatLoad, has_cdus: bool) -> None:
    if anywhere(heat.room_w <= 0.0):
        raise FacilityError(
            "NO_HEAT",
            "cooling",
            "the halls contain no heat source, so no air side can be designed.",
            "Enter the IT equipment, or the losses and lights of the halls.",
        )
    if anywhere(heat.liquid_it_w > 0.0) and not has_cdus:
        raise FacilityError(
            "LIQUID_REQUIRED",
            "cooling.method",
            f"{heat.liquid_it_w / 1e3:,.1f} kW of equipment heat go to coolant, but the cooling "
            "method is air.",
            "Set the method to hybrid, or select air-cooled equipment.",
        )


def _counts(design: CoolingDesign, floor: CoolingCounts) -> CoolingCounts:
    """Return the counts; as-built installed counts are unaffected by the lower bounds.

    No more units are on duty than are installed; checks report a shortfall.
    """
    crah, cdus, chilled = design.crah, design.cdus, design.chilled
    sink = design.water.sink if design.water is not None else None
    return CoolingCounts(
        crah=crah.installed,
        crah_duty=min(crah.duty, crah.installed),
        crah_electrical=crah.electrical_installed,
        crah_electrical_duty=min(crah.electrical_duty, crah.electrical_installed),
        cdu=cdus.installed if cdus is not None else 0,
        cdu_duty=cdus.on_duty if cdus is not None else 0,
        chillers=chilled.installed,
        chillers_duty=chilled.on_duty,
        rejection=chilled.sink.installed,
        rejection_duty=chilled.sink.on_duty,
        fws_rejection=sink.installed if sink is not None else 0,
        fws_rejection_duty=sink.on_duty if sink is not None else 0,
        pipe_spare=floor.pipe_spare,
    )


def _record(design: CoolingDesign, trace: Trace) -> None:
    counts, cdus = design.counts, design.cdus
    of_cdus = "no CDUs"
    if cdus is not None:
        unit = cdus.plan.unit
        of_cdus = (
            f"{unit.model}: coolant {show(cdus.tcs_flow_m3_s, 'liquid_flow')}, "
            f"{show(unit.tcs_flow_m3_s, 'liquid_flow')} per unit; {cdus.duty} required by flow and "
            "by approach, the others spare"
        )
    because = {
        "crah.count": (counts.crah, "by air flow and by coil capacity, per hall, with spares"),
        "crah.count.duty": (counts.crah_duty, "units that carry the load"),
        "crah.electrical_count": (counts.crah_electrical, "for the electrical rooms"),
        "cdu.count": (counts.cdu, of_cdus),
        "cdu.count.duty": (counts.cdu_duty, "units that carry the load"),
        "plant.chiller_count": (counts.chillers, "by capacity at design, with spares"),
        "plant.chiller_count.duty": (counts.chillers_duty, "units that carry the load"),
        "plant.rejection_count": (counts.rejection, "of the chillers, with spares"),
        "plant.fws_rejection_count": (counts.fws_rejection, "of the facility water"),
    }
    for id, (count, reason) in because.items():
        trace.choose(id, float(count), "count", reason, DERIVED)
    heats = {
        "crah.design_heat": (design.crah_design_w, "IT heat the air handlers are sized for"),
        "cdu.design_heat": (design.cdu_design_w, "IT heat the CDUs are sized for"),
        "plant.chiller_capacity": (design.chilled.capacity_w, "of each chiller"),
    }
    for id, (heat_w, reason) in heats.items():
        trace.choose(id, heat_w, "heat_flow", reason, DERIVED)


def solve_cooling(
    design: CoolingDesign, heat: HeatLoad, weather: Weather, trace: Trace | None = None,
    tank: TankFlow = NO_TANK,
) -> CoolingFlow:  # fmt: skip
    """Return the cooling in operation on `heat` in `weather`, with design counts, checked.

    See `solve_cooling_unchecked` and `check_operation`.
    """
    flow = solve_cooling_unchecked(design, heat, weather, trace, tank)
    return check_operation(design, flow, weather)


def check_operation(design: CoolingDesign, flow: CoolingFlow, weather: Weather) -> CoolingFlow:
    """Return the cooling in operation with its coil capacity, and the checks of one hour.

    Over many hours without checks: the annual study compares its hours with the limits itself.
    """
    flow = replace(flow, coil_capacity_w=_coil_capacity(design, flow, weather))
    if np.ndim(flow.power.total_w):
        return flow
    checks = tuple(RULES.checks(CoolingOperation(design, flow)))
    if flow.correlation_ranges:
        checks = (*checks, _within_correlation_range(flow.correlation_ranges))
    return replace(flow, checks=checks)


def solve_cooling_unchecked(
    design: CoolingDesign, heat: HeatLoad, weather: Weather, trace: Trace | None = None,
    tank: TankFlow = NO_TANK,
) -> CoolingFlow:  # fmt: skip
    """Return the cooling in operation without checks, for a pass that may be repeated.

    Every heat balance closes: heat rejected equals heat collected plus all power ending in a loop.
    At or above the design air temperature, economizer and heat reuse are off.

    design: From `size_cooling`.
    heat: Heat to remove; floats, or arrays of many hours at once.
    weather: Outdoor air, the same.
    tank: Heat to and from a tank of chilled water.
    """
    _refuse_impossible(heat, design.cdus is not None)
    steps = trace if trace is not None else Quiet()
    chain, counts, warmer_k = design.chain, design.counts, design.chain.recirculation_k
    air = supply_air(chain, weather.pressure_pa, steps)
    cool = weather.dry_bulb_c + warmer_k < design.outdoor_c
    reuse = chain.heat_reuse if anywhere(cool) else None
    if reuse is not None:
        reuse = replace(reuse, fraction=where(cool, reuse.fraction, 0.0))
    if trace is not None:
        record_ventilation(chain, weather, steps)
    doors = doors_of(chain, heat.air_it_w, air)
    side = air_side(chain, counts.crah, counts.crah_electrical, heat, air, doors, steps)
    loops = ["heat.coils", "heat.electrical_coils", "heat.fresh_air"]
    if doors is not None:
        loops.append("doors.heat")
    liquid, water = None, None
    if design.cdus is not None and design.water is not None:
        liquid = liquid_side(design.cdus, steps)
        water = facility_water_at(design.water, weather, warmer_k, steps, reuse)
        if np.any(water.chilled_w > 0.0):
            loops.append("heat.trim" if design.water.plan.trim else "heat.facility_water")
    economizer = chain.economizer if anywhere(cool) else NO_ECONOMIZER
    economy = _outdoor_air(design, side, loops, cool, weather, steps) if economizer.on_air else None
    if economy is not None:
        loops[0] = "heat.coils.mechanical"
    if tank is not NO_TANK:
        steps.given("tank.charge", tank.charge_w, "heat_flow", DERIVED)
        loops.append("tank.charge")
    steps.sum("heat.chilled_water", "heat_flow", "heat to the chilled water", *loops)
    hour = PlantHour(economizer, cool, tank.discharge_w, reuse)
    plant = chilled_water_at(design.chilled, "heat.chilled_water", weather, warmer_k, steps, hour)
    steam_w = steam_at(chain.crah.path.room, air, weather, steps)
    power = cooling_power(side, liquid, water, plant, economy, steam_w, steps)
    flow = assemble(design, heat, side, liquid, water, plant, economy, power)
    if tank is not NO_TANK:
        flow = replace(flow, tank_w=tank.charge_w - tank.discharge_w)
    if np.ndim(power.total_w):
        return flow
    waters = (one.water for one in (flow.rejection, flow.fws_rejection) if one is not None)
    ranges = (water.correlation_range for water in waters)
    return replace(flow, correlation_ranges=tuple(one for one in ranges if one is not None))


def _coil_capacity(design: CoolingDesign, flow: CoolingFlow, weather: Weather) -> float:
    """Return the capacity of all installed coils of the halls, after the economizer.

    At part load the pumps supply them with the flow of the sizing load.
    """
    crah, chain = design.crah, design.chain
    if not crah.installed:
        return 0.0
    air = supply_air(chain, weather.pressure_pa, Quiet())
    met = CoilAir(flow.crah_airflow_m3_s, flow.return_air_c, flow.coils_w)
    if chain.economizer.on_air:
        stream_w_k = met.flow_m3_s / air.volume_m3_kg * air.specific_heat_j_kgk
        colder_k = flow.economizer_w / maximum(stream_w_k, 1.0)
        met = CoilAir(met.flow_m3_s, met.return_c - colder_k, met.load_w - flow.economizer_w)
    water = CoilWater(coil_temperature(chain), chain.chilled_water.rise_k, crah.coils_w)
    return plain(coil_capacity(crah.coil, chain.crah, crah.installed, met, air, water))


def _outdoor_air(
    design: CoolingDesign,
    side: AirSide,
    loops: list[str],
    cool: bool,
    weather: Weather,
    steps: Trace,
) -> AirEconomy | None:
    """Return the air-side economizer at work in the hours in which it saves power; None in none."""
    chain, warmer_k = design.chain, design.chain.recirculation_k
    stream = AirStream.of(
        side.return_c, chain.crah.supply_air_c, side.supply_flow_m3_s, side.coil_w, side.fans_w
    )
    possible = air_economy(chain.economizer, stream, weather, warmer_k)
    load_w = sum(steps.value(x) for x in loops)
    worth = cool & pays(design.chilled, possible, load_w, weather, warmer_k)
    return air_at_work(where(worth, possible, NO_ECONOMY), steps) if np.any(worth) else None
