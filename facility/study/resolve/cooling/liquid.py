"""CDUs and facility water, resolved with their named defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from facility.catalogue import table
from facility.cooling.chain.design_checks import MIN_CDU_APPROACH_K
from facility.cooling.liquid.facility_water import water_need
from facility.cooling.parts.cdu import (
    approach_by_flow,
    approach_of_max_count,
    meets_minimum_plate_flow,
    size_cdus,
)
from facility.core.errors import FacilityError
from facility.core.rounding import reaches
from facility.core.sources import DERIVED, PRACTICE, Source
from facility.core.trace import Trace
from facility.model.cooling.chain import CduPlan, FacilityWaterPlan
from facility.model.cooling.units import CduUnit, Fluid, HydraulicsPlan
from facility.model.facility import Criteria, Site
from facility.model.inputs.cooling.liquid import CduSection, FacilityWaterSection
from facility.model.inputs.cooling.machines import RejectionSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import ItPlan
from facility.physics.liquids.coolant import (
    coolant_flow_for_heat,
    coolant_temperature_rise,
    tabulated,
)
from facility.study.resolve.cooling.it import CoolantNeed, coolant_limits, coolant_need
from facility.study.resolve.cooling.parts import (
    curve,
    known_fluid,
    on_ups,
    outdoor_fluid,
    resolve_cdu,
    resolve_condenser_pump,
    resolve_fluid,
    resolve_pump,
    resolve_spares,
    sizing_factor,
)
from facility.study.resolve.cooling.sink import given_pads, resolve_sink, tower_water_ratio
from facility.study.resolve.cooling.water_source import (
    SOURCES,
    WARMEST_C,
    WaterSite,
    Way,
    coil_air,
    tower_water,
    way_of,
)
from facility.study.resolve.reader import Reader

_FLUID = "cooling.facility_water.fluid"
_REJECTION = "cooling.facility_water.rejection"
_OR_PADS = f"wetted pads ({_REJECTION}.pad_effectiveness), "
_RISE_K = 10.0
_MAX_STEPS = 6
_APPROACH_PASSES = 3
"""Film coefficients and approach depend on each other; two passes converge."""
_OPEN_APPROACH_K = 3.0
"""Minimum CDU approach reserved below the rack limit by a default facility-water supply."""
_OCP = Source("ocp-coolant-guidance", "1.5 L/min per kW at 10 K", "", "secondary")
_PLANT = Source("modelica-buildings-plant", "every exchanger 3 K", "", "secondary")


@dataclass(frozen=True)
class _Loops:
    """Temperatures of the two loops and the coolant flow."""

    tcs_c: float
    fws_c: float
    flow_m3_s: float
    need: CoolantNeed
    fluid: Fluid
    max_fws_c: float

    @property
    def rise_k(self) -> float:
        """Rise of the coolant at the IT load."""
        return float(
            coolant_temperature_rise.si(self.need.liquid_w, self.flow_m3_s, **_mean(self, 0.0))
        )


@dataclass(frozen=True)
class _Inputs:
    """Project inputs of both loops, with the CDU."""

    cdu: CduSection
    water: FacilityWaterSection
    unit: CduUnit
    plan: ItPlan
    criteria: Criteria
    fluid: Fluid
    filling: Fluid  # Facility water fluid at the CDUs
    sizing_factor: float
    approach_k: float  # CDU approach, for unspecified coolant and facility water


def resolve_liquid(
    section: CoolingSection, plan: ItPlan, site: Site, criteria: Criteria,
    chilled_c: float | None, recirculation_k: float, pipes: HydraulicsPlan, trace: Trace,
) -> tuple[CduPlan, FacilityWaterPlan]:  # fmt: skip
    """Return the CDUs and their facility water.

    chilled_c: Chilled water that can cool the facility water; None without it.
    recirculation_k: Recirculation rise of heat rejection intake air.
    pipes: Pipes of the loops: the heat of their pumps is in the water.
    """
    cdu = section.cdu or CduSection.unstated()
    water = section.facility_water or FacilityWaterSection.unstated()
    fluid = resolve_fluid(cdu.fluid, "cooling.cdu.fluid", "PG25", "propylene glycol 25 %", trace)
    unit = resolve_cdu(cdu, fluid, trace)
    factor = sizing_factor(plan, cdu, "liquid", trace)
    inputs = _Inputs(
        cdu, water, unit, plan, criteria, fluid, unit.fws_fluid, factor, unit.approach_k
    )
    rating = (water.rejection or RejectionSection.unstated()).tower
    ratio = tower_water_ratio(rating, f"{_REJECTION}.tower", Trace())
    exchanger_k = Reader(water, "cooling.facility_water", Trace())("exchanger_approach")
    conditions = WaterSite(site, criteria, chilled_c, recirculation_k, pipes, ratio, exchanger_k)
    inputs = _filled(inputs, conditions)
    loops, way = _loops_and_way(inputs, conditions, trace)
    _refuse_too_warm(inputs, loops, way, conditions)
    if way.source != "dry_cooler" or way.trim:
        Reader(water, "cooling.facility_water", trace)("exchanger_approach")
    facility_water = _facility_water(water, loops, way, conditions, trace)
    cdus = _cdus(inputs, loops, trace)
    pumps = on_ups(
        section.on_ups, "cdu_pumps", True,
        "without pumps, cold plates reach their limit within seconds", PRACTICE, trace,
    )  # fmt: skip
    return replace(cdus, on_ups=pumps), facility_water


def _cdus(inputs: _Inputs, loops: _Loops, trace: Trace) -> CduPlan:
    need, words = loops.need, "among the CDUs"
    return CduPlan(
        unit=inputs.unit, count=inputs.cdu.count,
        spares=resolve_spares(inputs.cdu, "cooling.cdu", words, trace, inputs.cdu.count),
        fluid=inputs.fluid, tcs_supply_c=loops.tcs_c, tcs_supply_max_c=need.supply_max_c,
        tcs_flow_m3_s=loops.flow_m3_s, rack_flow_m3_s=need.flow_m3_s,
        sizing_factor=inputs.sizing_factor, pump_curve=curve("pump", "VSD no DP reset", ""),
        on_ups=True,
    )  # fmt: skip


def cdu_sizing(plan: ItPlan, criteria: Criteria, cdus: CduPlan) -> tuple[float, float]:
    """Return the heat that the CDUs are sized for and the coolant they pump, with growth."""
    heat_w = sum(rack.count * rack.liquid_w for rack in plan.racks)
    heat_w *= plan.demand_factor * plan.diversity * (1.0 + criteria.growth) * cdus.sizing_factor
    return heat_w, cdus.tcs_flow_m3_s * (1.0 + criteria.growth)


def _fillings(section: FacilityWaterSection, site: Site) -> tuple[str, ...]:
    """Return the possible facility water fluids, outdoor fluid for dry coolers first."""
    glycol = outdoor_fluid(site, "PG25")
    if section.fluid is not None:
        return (section.fluid,)
    if section.source is not None:
        return (
            glycol if SOURCES[section.source.partition("_and_")[0]] == "dry_cooler" else "water",
        )
    return glycol, "water"


def _filled(inputs: _Inputs, conditions: WaterSite) -> _Inputs:
    """Return the inputs, with the facility water fluid.

    Dry coolers must be sufficient with glycol in the CDUs; if only water would permit them, towers
    are used.
    """
    found = [_with(inputs, name, conditions) for name in _fillings(inputs.water, conditions.site)]
    if len(found) > 1:
        for one, outdoors in zip(found, (True, False), strict=True):
            if (_loops_and_way(one, conditions, Trace())[1].source == "dry_cooler") is outdoors:
                return one
    return found[0]


def _with(inputs: _Inputs, name: str, conditions: WaterSite) -> _Inputs:
    """Return the inputs with a facility water fluid, and the CDU approach for it.

    With rated fluids and an unspecified rise, the approach is the rated one, or that of as many
    CDUs as maintain the minimum plate flow by default; under a stated coolant supply, which makes
    the water colder, only if they then do. Otherwise it is that of the count required by flow. Both
    are rounded to 0.1 K, and at least the rated approach: additional CDUs have lower flow each and
    little effect.
    """
    unit = inputs.unit
    inputs = replace(inputs, filling=known_fluid(name, _FLUID))
    as_rated = (inputs.fluid.name, name) == (unit.tcs_fluid.name, unit.fws_fluid.name)
    as_rated = as_rated and inputs.water.delta_t is None
    if as_rated and inputs.cdu.count is not None:
        return inputs
    approach = approach_of_max_count if as_rated else approach_by_flow
    for _ in range(_APPROACH_PASSES):
        loops = _loops(inputs, inputs.criteria.liquid_supply_max_c, Trace())
        water, cdus = (
            _on_towers(inputs, loops, inputs.filling, conditions),
            _cdus(inputs, loops, Trace()),
        )
        sizing = cdu_sizing(inputs.plan, inputs.criteria, cdus)
        of_stated = as_rated and inputs.cdu.tcs_supply is not None
        if of_stated and not meets_minimum_plate_flow(cdus, water, *sizing):
            return inputs
        needed_k = approach(cdus, water, *sizing)
        rounded_k = math.ceil(10.0 * needed_k) / 10.0
        inputs = replace(inputs, approach_k=max(unit.approach_k, rounded_k))
    return inputs


def _on_towers(
    inputs: _Inputs, loops: _Loops, fluid: Fluid, conditions: WaterSite
) -> FacilityWaterPlan:
    """Return facility water with heat rejection not selected yet."""
    pump = resolve_pump(inputs.water.pump, "cooling.facility_water.pump", Trace())
    rise_k = inputs.water.delta_t.si if inputs.water.delta_t is not None else None
    return FacilityWaterPlan(
        "tower", loops.fws_c, rise_k, fluid, pump, None, conditions.exchanger_k, False, "", math.inf
    )


def _loops_and_way(inputs: _Inputs, conditions: WaterSite, trace: Trace) -> tuple[_Loops, Way]:
    """Return the loops and the facility water cooling, selected only here.

    If neither supply nor class is stated, and the heat sink cannot maintain the default
    class, the facility water supply is the temperature reached by that heat sink.
    """
    free = inputs.water.supply is None and not inputs.criteria.liquid_class_stated
    warmest_c = inputs.criteria.liquid_supply_max_c
    for _ in range(_MAX_STEPS):
        loops = _loops(inputs, warmest_c, Trace())
        way = way_of(
            inputs.water,
            (loops.fws_c, loops.max_fws_c),
            _range_k(inputs, loops, conditions),
            conditions,
        )
        if not free or reaches(loops.fws_c, way.made_c) or way.made_c > WARMEST_C:
            break
        warmest_c = math.ceil(10.0 * way.made_c) / 10.0
    loops = _loops(inputs, warmest_c, trace)
    if inputs.water.source is None:
        trace.ledger.add_text(
            "cooling.facility_water.source", way.name, f"{loops.fws_c:.1f} degC needed: {way.why}",
            _PLANT,
        )  # fmt: skip
    return loops, way


def _loops(inputs: _Inputs, warmest_c: float, trace: Trace) -> _Loops:
    cdu, plan = inputs.cdu, inputs.plan
    limits = [*coolant_limits(plan), *inputs.criteria.coolant_limits_c]
    highest_c = warmest_c
    if cdu.tcs_supply is not None:
        highest_c = min(highest_c, cdu.tcs_supply.si - inputs.approach_k)
    elif limits and warmest_c <= inputs.criteria.liquid_supply_max_c:
        highest_c = min(highest_c, min(limits) - inputs.approach_k)
    words = f"maximum permitted by class {inputs.criteria.liquid_class} and the coolant"
    if warmest_c > inputs.criteria.liquid_supply_max_c:
        words = "supply of its heat rejection at design weather"
    water = Reader(inputs.water, "cooling.facility_water", trace)
    fws_c = water("supply", highest_c, words)
    tcs_c = Reader(cdu, "cooling.cdu", trace)(
        "tcs_supply",
        _coolest_of(limits, fws_c, inputs.approach_k),
        f"facility water plus approach of {inputs.unit.model} with {inputs.filling.name}",
    )
    if tcs_c <= fws_c:
        raise FacilityError(
            "COOLING_CONTRADICTION", "cooling.cdu.tcs_supply",
            f"the coolant ({tcs_c:g} degC) is not warmer than the facility water ({fws_c:g}).",
            "Raise tcs_supply, or lower facility_water.supply.",
        )  # fmt: skip
    need = coolant_need(plan, tcs_c, trace)
    min_k = inputs.approach_k if inputs.approach_k > inputs.unit.approach_k else _OPEN_APPROACH_K
    max_fws_c = min(limits, default=math.inf) - min_k
    loops = _Loops(tcs_c, fws_c, 0.0, need, inputs.fluid, max_fws_c)
    return replace(loops, flow_m3_s=_coolant_flow(cdu, loops, trace))


def _coolest_of(limits: list[float], fws_c: float, approach_k: float) -> float:
    """Return the coolant supply temperature: at the CDU approach, or the rack limit if close."""
    limit_c = min(limits, default=math.inf)
    if fws_c + MIN_CDU_APPROACH_K <= limit_c < fws_c + approach_k:
        return limit_c
    return fws_c + approach_k


def _mean(loops: _Loops, rise_k: float) -> dict[str, float]:
    at_c, where = loops.tcs_c + 0.5 * rise_k, "cooling.cdu.tcs_supply"
    fluid = loops.fluid
    return {
        "density_kg_m3": float(tabulated(at_c, fluid.temperatures_c, fluid.densities_kg_m3, where)),
        "specific_heat_j_kgk": float(
            tabulated(at_c, fluid.temperatures_c, fluid.specific_heats_j_kgk, where)
        ),
    }


def _coolant_flow(cdu: CduSection, loops: _Loops, trace: Trace) -> float:
    """Return the coolant pumped: as specified, from the specified rise, or from rack data."""
    need, read = loops.need, Reader(cdu, "cooling.cdu", trace)
    given_m3_s, rise_k = read.given("tcs_flow"), read.given("tcs_delta_t")
    if given_m3_s is not None:
        return given_m3_s
    if rise_k is not None:
        balance_w, known = need.liquid_w, 0.0
    else:
        rise_k, balance_w, known = _RISE_K, need.unknown_w, need.flow_m3_s
        if balance_w > 0.0:
            trace.assume(
                "cooling.cdu.tcs_delta_t", rise_k, "temperature_difference",
                "planning value, for racks without published flow", _OCP,
            )  # fmt: skip
    balance = coolant_flow_for_heat.si(balance_w, rise_k, **_mean(loops, rise_k))
    because = "flow from rack data; from the heat balance for racks without data"
    return trace.choose(
        "cooling.cdu.tcs_flow", known + float(balance), "liquid_flow", because, DERIVED
    )


def _facility_water(
    section: FacilityWaterSection, loops: _Loops, way: Way, conditions: WaterSite, trace: Trace
) -> FacilityWaterPlan:
    _refuse_too_cold(loops, way, conditions)
    name = outdoor_fluid(conditions.site, "PG25") if way.source == "dry_cooler" else "water"
    fluid = resolve_fluid(section.fluid, _FLUID, name, "glycol for outdoor loops", trace)
    id, rejection = _REJECTION, section.rejection or RejectionSection.unstated()
    sink = None
    if way.source == "tower":
        tower_water = resolve_fluid(None, f"{id}.fluid", "water", "open tower loop", trace)
        pump = resolve_condenser_pump(rejection.pump, f"{id}.pump", trace)
        sink = resolve_sink("tower", rejection, id, tower_water, pump, trace)
    elif way.source == "dry_cooler":
        sink = resolve_sink("dry_cooler", rejection, id, fluid, None, trace)
    liquid_class, class_max_c = _class(loops, way, conditions.criteria, trace)
    return FacilityWaterPlan(
        source=way.source, supply_c=loops.fws_c,
        rise_k=section.delta_t.si if section.delta_t is not None else None, fluid=fluid,
        pump=resolve_pump(section.pump, "cooling.facility_water.pump", trace), sink=sink,
        exchanger_approach_k=0.0 if way.source == "dry_cooler" else conditions.exchanger_k,
        trim=way.trim, liquid_class=liquid_class, class_max_c=class_max_c,
        tower_range_k=_tower_range(section, way, trace),
    )  # fmt: skip


def _tower_range(section: FacilityWaterSection, way: Way, trace: Trace) -> float:
    """Return the range of the tower water, infinite if equal to the facility water range.

    Raises ``COOLING_CONTRADICTION`` for a range without towers, or above the facility water range.
    """
    id, stated = "cooling.facility_water.tower_range", section.tower_range
    if stated is not None and way.source != "tower":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            id,
            f"tower_range applies only to towers, but the source is {way.name!r}.",
            "Omit it, or select tower as the source.",
        )
    if stated is not None and stated.si > way.rise_k:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            id,
            f"a tower range of {stated.text} exceeds the facility water range of "
            f"{way.rise_k:.1f} K; the approach of the exchanger is at the cold end.",
            f"Enter at most {math.floor(10.0 * way.rise_k) / 10.0:g} K, or omit it.",
        )
    if way.source != "tower":
        return math.inf
    if way.range_k >= way.rise_k:
        trace.ledger.add_text(id, "as the facility water", way.range_words, DERIVED)
        return math.inf
    read = Reader(section, "cooling.facility_water", trace)
    return float(read("tower_range", way.range_k, way.range_words))


def _refuse_too_warm(inputs: _Inputs, loops: _Loops, way: Way, conditions: WaterSite) -> None:
    """Reject dry coolers if design air is as warm as the required water."""
    air_c = coil_air(inputs.water, conditions)
    if way.source != "dry_cooler" or way.trim or loops.fws_c > air_c:
        return
    limit_c = min(coolant_limits(inputs.plan), default=math.inf)
    if inputs.water.supply is not None:
        required = f"{loops.fws_c:.1f} degC water (cooling.facility_water.supply)"
    elif inputs.criteria.liquid_class_stated and loops.fws_c < inputs.criteria.liquid_supply_max_c:
        required = (
            f"{loops.fws_c:.1f} degC water, for {loops.tcs_c:.1f} degC coolant from CDUs with "
            f"{inputs.filling.name} (coolant_supply_max of the equipment, it; "
            "cooling.cdu.tcs_supply; cooling.facility_water.fluid)"
        )
    elif inputs.criteria.liquid_class_stated:
        required = f"{inputs.criteria.liquid_class} water (criteria.liquid_class)"
    elif limit_c <= WARMEST_C:
        required = (
            f"water for {limit_c:.1f} degC coolant (coolant_supply_max of the equipment, it) "
            f"from CDUs with {inputs.filling.name} (cooling.facility_water.fluid)"
        )
    else:
        required = f"{WARMEST_C:g} degC water, the warmest class"
    max_c = loops.fws_c if inputs.water.supply or inputs.criteria.liquid_class_stated else WARMEST_C
    tower_c = tower_water(
        inputs.water, loops.fws_c, _range_k(inputs, loops, conditions), conditions
    )[1]
    or_rise = "" if inputs.water.delta_t is None else "a smaller cooling.facility_water.delta_t, "
    dry_c = conditions.site.design.dry_bulb_c
    or_pads = "" if given_pads(inputs.water.rejection or RejectionSection.unstated()) else _OR_PADS
    or_tower = " or tower" if tower_c <= min(max_c, loops.max_fws_c) else ""
    raise FacilityError(
        "DRY_COOLER_INFEASIBLE", "cooling.facility_water.source",
        f"dry coolers (cooling.facility_water.source) cannot supply {required} at an air "
        f"temperature of "
        f"{air_c:.1f} degC (site.design_dry_bulb: {dry_c:.1f} degC, by default the extreme of the "
        f"record; plus {conditions.recirculation_k:g} K recirculation, "
        f"cooling.outdoor_recirculation"
        ").",
        f"Select {or_pads}dry_cooler_and_chiller{or_tower}; {or_rise}or reduce the glycol, or "
        "raise the stated water temperature if the equipment permits it."
    )  # fmt: skip


def _refuse_too_cold(loops: _Loops, way: Way, conditions: WaterSite) -> None:
    """Reject facility water that the chilled water cannot reach across its exchanger."""
    chilled_c = conditions.chilled_c
    if way.source != "chilled_water" and not way.trim:
        return
    if chilled_c is None:
        raise FacilityError(
            "AIR_CONTRADICTION", "cooling.facility_water.source",
            "the source is chilled_water, but CRACs have no chilled water.",
            "Select dry_cooler or tower, or another cooling.air.terminal.",
        )  # fmt: skip
    if loops.fws_c < chilled_c + conditions.exchanger_k:
        raise FacilityError(
            "COOLING_CONTRADICTION", "cooling.facility_water.supply",
            f"{loops.fws_c:.1f} degC facility water cannot be reached with {chilled_c:.1f} degC "
            f"chilled water across an exchanger of {conditions.exchanger_k:.1f} K.",
            "Lower cooling.plant.chilled_water_supply to "
            f"{math.floor(10.0 * (loops.fws_c - conditions.exchanger_k)) / 10.0:g} degC, or select "
            "warmer facility water or a warmer liquid class.",
        )  # fmt: skip


def _class(loops: _Loops, way: Way, criteria: Criteria, trace: Trace) -> tuple[str, float]:
    """Return the class of the facility water: as stated, or the coolest for the supply."""
    made_c = loops.fws_c if way.trim else max(loops.fws_c, min(way.made_c, WARMEST_C))
    if criteria.liquid_class_stated or made_c <= criteria.liquid_supply_max_c:
        return criteria.liquid_class, criteria.liquid_supply_max_c
    rows = table("cooling/ashrae_liquid_classes").select(loop="FWS")
    known = [(row.si_or_none("t_supply_max_c"), row) for row in rows]
    limit_c, row = min((c, row) for c, row in known if c is not None and reaches(c, made_c))
    name = trace.ledger.add_text(
        "cooling.facility_water.class", str(row["liquid_class"]),
        f"coolest class that includes the {made_c:.1f} degC of the heat rejection",
        row.cite("t_supply_max_c"),
    )  # fmt: skip
    return name, limit_c


def _range_k(inputs: _Inputs, loops: _Loops, conditions: WaterSite) -> float:
    """Return the tower range, from CDUs and loop as sized later.

    If the CDUs cannot be sized at these temperatures, another may be selected; until then the
    coolant rise is used.
    """
    water = known_fluid(inputs.water.fluid or "water", _FLUID)
    plan = _on_towers(inputs, loops, water, conditions)
    cdus = _cdus(inputs, loops, Trace())
    try:
        sized = size_cdus(cdus, plan, *cdu_sizing(inputs.plan, inputs.criteria, cdus), 0)
        return water_need(plan, sized, conditions.pipes).range_k
    except FacilityError:
        return plan.rise_k or inputs.sizing_factor * loops.rise_k
