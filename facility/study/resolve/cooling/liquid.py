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
"""Films follow the facility water, which follows the approach: it settles in two."""
_OPEN_APPROACH_K = 3.0
"""Least approach of CDUs that an open facility-water supply leaves under the racks' limit."""
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
    most_fws_c: float

    @property
    def rise_k(self) -> float:
        """Rise of the coolant at the IT load."""
        return float(
            coolant_temperature_rise.si(self.need.liquid_w, self.flow_m3_s, **_mean(self, 0.0))
        )


@dataclass(frozen=True)
class _Asked:
    """What the project says of both loops, with the CDU."""

    cdu: CduSection
    water: FacilityWaterSection
    unit: CduUnit
    plan: ItPlan
    criteria: Criteria
    fluid: Fluid
    filling: Fluid  # What the facility water holds where the CDUs meet it
    sizing_factor: float
    approach_k: float  # Of the CDUs, between coolant and facility water left open


def resolve_liquid(
    section: CoolingSection, plan: ItPlan, site: Site, criteria: Criteria,
    chilled_c: float | None, recirculation_k: float, pipes: HydraulicsPlan, trace: Trace,
) -> tuple[CduPlan, FacilityWaterPlan]:  # fmt: skip
    """Return the CDUs and their facility water.

    chilled_c: Chilled water, where the plant can cool the facility water; None where there is none.
    recirculation_k: Rise of the air that heat rejection takes in.
    pipes: Pipes of the loops: the heat of their pumps is in the water.
    """
    cdu = section.cdu or CduSection()
    water = section.facility_water or FacilityWaterSection()
    fluid = resolve_fluid(
        cdu.fluid, "cooling.cdu.fluid", "PG25", "coolant of the racks: propylene glycol 25 %", trace
    )
    unit = resolve_cdu(cdu, fluid, trace)
    factor = sizing_factor(plan, cdu, "liquid", trace)
    asked = _Asked(cdu, water, unit, plan, criteria, fluid, unit.fws_fluid, factor, unit.approach_k)
    rating = (water.rejection or RejectionSection()).tower
    ratio = tower_water_ratio(rating, f"{_REJECTION}.tower", Trace())
    exchanger_k = Reader(water, "cooling.facility_water", Trace())("exchanger_approach")
    place = WaterSite(site, criteria, chilled_c, recirculation_k, pipes, ratio, exchanger_k)
    asked = _filled(asked, place)
    loops, way = _loops_and_way(asked, place, trace)
    _refuse_too_warm(asked, loops, way, place)
    if way.source != "dry_cooler" or way.trim:
        Reader(water, "cooling.facility_water", trace)("exchanger_approach")
    facility_water = _facility_water(water, loops, way, place, trace)
    cdus = _cdus(asked, loops, trace)
    pumps = on_ups(
        section.on_ups, "cdu_pumps", True,
        "with the pumps off cold plates reach their limit within seconds", PRACTICE, trace,
    )  # fmt: skip
    return replace(cdus, on_ups=pumps), facility_water


def _cdus(asked: _Asked, loops: _Loops, trace: Trace) -> CduPlan:
    need, words = loops.need, "among the CDUs"
    return CduPlan(
        unit=asked.unit, count=asked.cdu.count,
        spares=resolve_spares(asked.cdu, "cooling.cdu", words, trace, asked.cdu.count),
        fluid=asked.fluid, tcs_supply_c=loops.tcs_c, tcs_supply_max_c=need.supply_max_c,
        tcs_flow_m3_s=loops.flow_m3_s, rack_flow_m3_s=need.flow_m3_s,
        sizing_factor=asked.sizing_factor, pump_curve=curve("pump", "VSD no DP reset", ""),
        on_ups=True,
    )  # fmt: skip


def cdu_sizing(plan: ItPlan, criteria: Criteria, cdus: CduPlan) -> tuple[float, float]:
    """Return the heat that the CDUs are sized for and the coolant they pump, with growth."""
    heat_w = sum(rack.count * rack.liquid_w for rack in plan.racks)
    heat_w *= plan.demand_factor * plan.diversity * (1.0 + criteria.growth) * cdus.sizing_factor
    return heat_w, cdus.tcs_flow_m3_s * (1.0 + criteria.growth)


def _fillings(section: FacilityWaterSection, site: Site) -> tuple[str, ...]:
    """Return what the facility water may hold, what goes outdoors to dry coolers first."""
    glycol = outdoor_fluid(site, "PG25")
    if section.fluid is not None:
        return (section.fluid,)
    if section.source is not None:
        return (
            glycol if SOURCES[section.source.partition("_and_")[0]] == "dry_cooler" else "water",
        )
    return glycol, "water"


def _filled(asked: _Asked, place: WaterSite) -> _Asked:
    """Return what is asked, with what the facility water holds.

    Dry coolers have to do it with glycol in the CDUs; where only water would let them, towers take
    the heat.
    """
    found = [_with(asked, name, place) for name in _fillings(asked.water, place.site)]
    if len(found) > 1:
        for one, outdoors in zip(found, (True, False), strict=True):
            if (_loops_and_way(one, place, Trace())[1].source == "dry_cooler") is outdoors:
                return one
    return found[0]


def _with(asked: _Asked, name: str, place: WaterSite) -> _Asked:
    """Return what is asked with a fluid in the facility water, and the approach of CDUs with it.

    With the fluids of the rating and an open rise it is that of the rating, or that of as many CDUs
    as left open keep the least flow through their plates; under stated coolant, whose water is the
    colder for it, only where they then do. Else it is that of as many as the flows ask for. Both
    are to a tenth of a kelvin, and no less than rated: each of more CDUs gets less flow, so that
    they hardly help.
    """
    unit = asked.unit
    asked = replace(asked, filling=known_fluid(name, _FLUID))
    as_rated = (asked.fluid.name, name) == (unit.tcs_fluid.name, unit.fws_fluid.name)
    as_rated = as_rated and asked.water.delta_t is None
    if as_rated and asked.cdu.count is not None:
        return asked
    approach = approach_of_max_count if as_rated else approach_by_flow
    for _ in range(_APPROACH_PASSES):
        loops = _loops(asked, asked.criteria.liquid_supply_max_c, Trace())
        water, cdus = _on_towers(asked, loops, asked.filling, place), _cdus(asked, loops, Trace())
        sizing = cdu_sizing(asked.plan, asked.criteria, cdus)
        of_stated = as_rated and asked.cdu.tcs_supply is not None
        if of_stated and not meets_minimum_plate_flow(cdus, water, *sizing):
            return asked
        needed_k = approach(cdus, water, *sizing)
        rounded_k = math.ceil(10.0 * needed_k) / 10.0
        asked = replace(asked, approach_k=max(unit.approach_k, rounded_k))
    return asked


def _on_towers(asked: _Asked, loops: _Loops, fluid: Fluid, place: WaterSite) -> FacilityWaterPlan:
    """Return facility water whose heat rejection is not decided yet."""
    pump = resolve_pump(asked.water.pump, "cooling.facility_water.pump", Trace())
    rise_k = asked.water.delta_t.si if asked.water.delta_t is not None else None
    return FacilityWaterPlan(
        "tower", loops.fws_c, rise_k, fluid, pump, None, place.exchanger_k, False, "", math.inf
    )


def _loops_and_way(asked: _Asked, place: WaterSite, trace: Trace) -> tuple[_Loops, Way]:
    """Return the loops and how the facility water is cooled: decided here and nowhere else.

    Where neither the supply nor its class is stated, and the way to cool it cannot hold the class
    that is taken for want of one, the facility water is as warm as that way makes it.
    """
    free = asked.water.supply is None and not asked.criteria.liquid_class_stated
    warmest_c = asked.criteria.liquid_supply_max_c
    for _ in range(_MAX_STEPS):
        loops = _loops(asked, warmest_c, Trace())
        way = way_of(
            asked.water, (loops.fws_c, loops.most_fws_c), _range_k(asked, loops, place), place
        )
        if not free or reaches(loops.fws_c, way.made_c) or way.made_c > WARMEST_C:
            break
        warmest_c = math.ceil(10.0 * way.made_c) / 10.0
    loops = _loops(asked, warmest_c, trace)
    if asked.water.source is None:
        trace.ledger.add_text(
            "cooling.facility_water.source", way.name, f"{loops.fws_c:.1f} degC wanted: {way.why}",
            _PLANT,
        )  # fmt: skip
    return loops, way


def _loops(asked: _Asked, warmest_c: float, trace: Trace) -> _Loops:
    cdu, plan = asked.cdu, asked.plan
    limits = coolant_limits(plan)
    highest_c = warmest_c
    if cdu.tcs_supply is not None:
        highest_c = min(highest_c, cdu.tcs_supply.si - asked.approach_k)
    elif limits and warmest_c <= asked.criteria.liquid_supply_max_c:
        highest_c = min(highest_c, min(limits) - asked.approach_k)
    words = f"highest that class {asked.criteria.liquid_class} and the coolant allow"
    if warmest_c > asked.criteria.liquid_supply_max_c:
        words = "what its heat rejection makes at the design weather"
    water = Reader(asked.water, "cooling.facility_water", trace)
    fws_c = water("supply", highest_c, words)
    tcs_c = Reader(cdu, "cooling.cdu", trace)(
        "tcs_supply",
        _coolest_of(limits, fws_c, asked.approach_k),
        f"facility water and the approach of {asked.unit.model} with {asked.filling.name} in it",
    )
    if tcs_c <= fws_c:
        raise FacilityError(
            "COOLING_CONTRADICTION", "cooling.cdu.tcs_supply",
            f"the coolant ({tcs_c:g} degC) is not warmer than the facility water ({fws_c:g}).",
            "Raise tcs_supply, or lower facility_water.supply.",
        )  # fmt: skip
    need = coolant_need(plan, tcs_c, trace)
    least_k = asked.approach_k if asked.approach_k > asked.unit.approach_k else _OPEN_APPROACH_K
    most_fws_c = min(limits, default=math.inf) - least_k
    loops = _Loops(tcs_c, fws_c, 0.0, need, asked.fluid, most_fws_c)
    return replace(loops, flow_m3_s=_coolant_flow(cdu, loops, trace))


def _coolest_of(limits: list[float], fws_c: float, approach_k: float) -> float:
    """Return the coolant supply: at an approach, or at the racks' limit where it is near."""
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
    """Return the coolant pumped: as given, by the rise given, or what the racks' data ask for."""
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
                "rise of the coolant in racks whose flow is not published", _OCP,
            )  # fmt: skip
    balance = coolant_flow_for_heat.si(balance_w, rise_k, **_mean(loops, rise_k))
    because = "flow the racks' data ask for, and the heat balance of the others"
    return trace.choose(
        "cooling.cdu.tcs_flow", known + float(balance), "liquid_flow", because, DERIVED
    )


def _facility_water(
    section: FacilityWaterSection, loops: _Loops, way: Way, place: WaterSite, trace: Trace
) -> FacilityWaterPlan:
    _refuse_too_cold(loops, way, place)
    name = outdoor_fluid(place.site, "PG25") if way.source == "dry_cooler" else "water"
    fluid = resolve_fluid(section.fluid, _FLUID, name, "glycol where the loop goes outdoors", trace)
    id, rejection = _REJECTION, section.rejection or RejectionSection()
    sink = None
    if way.source == "tower":
        tower_water = resolve_fluid(None, f"{id}.fluid", "water", "open tower loop", trace)
        pump = resolve_condenser_pump(rejection.pump, f"{id}.pump", trace)
        sink = resolve_sink("tower", rejection, id, tower_water, pump, trace)
    elif way.source == "dry_cooler":
        sink = resolve_sink("dry_cooler", rejection, id, fluid, None, trace)
    liquid_class, class_max_c = _class(loops, way, place.criteria, trace)
    return FacilityWaterPlan(
        source=way.source, supply_c=loops.fws_c,
        rise_k=section.delta_t.si if section.delta_t is not None else None, fluid=fluid,
        pump=resolve_pump(section.pump, "cooling.facility_water.pump", trace), sink=sink,
        exchanger_approach_k=0.0 if way.source == "dry_cooler" else place.exchanger_k,
        trim=way.trim, liquid_class=liquid_class, class_max_c=class_max_c,
        tower_range_k=_tower_range(section, way, trace),
    )  # fmt: skip


def _tower_range(section: FacilityWaterSection, way: Way, trace: Trace) -> float:
    """Return the range of the tower water, without end where it is that of the facility water.

    Raises ``COOLING_CONTRADICTION`` for one without towers, or above that of the facility water.
    """
    id, stated = "cooling.facility_water.tower_range", section.tower_range
    if stated is not None and way.source != "tower":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            id,
            f"towers have such water, the facility water is cooled by {way.name!r}.",
            "Leave it out, or choose tower as the source.",
        )
    if stated is not None and stated.si > way.rise_k:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            id,
            f"the tower water is to warm up by {stated.text}, the facility water cools down by "
            f"{way.rise_k:.1f} K: the exchanger has its approach at the cold end.",
            f"Give at most {math.floor(10.0 * way.rise_k) / 10.0:g} K, or leave it out.",
        )
    if way.source != "tower":
        return math.inf
    if way.range_k >= way.rise_k:
        trace.ledger.add_text(id, "as the facility water", way.range_words, DERIVED)
        return math.inf
    read = Reader(section, "cooling.facility_water", trace)
    return float(read("tower_range", way.range_k, way.range_words))


def _refuse_too_warm(asked: _Asked, loops: _Loops, way: Way, place: WaterSite) -> None:
    """Refuse dry coolers alone where the air at design is as warm as the water they are to make."""
    air_c = coil_air(asked.water, place)
    if way.source != "dry_cooler" or way.trim or loops.fws_c > air_c:
        return
    limit_c = min(coolant_limits(asked.plan), default=math.inf)
    if asked.water.supply is not None:
        wanted = f"{loops.fws_c:.1f} degC water (cooling.facility_water.supply)"
    elif asked.criteria.liquid_class_stated and loops.fws_c < asked.criteria.liquid_supply_max_c:
        wanted = (
            f"{loops.fws_c:.1f} degC water, for {loops.tcs_c:.1f} degC coolant behind CDUs with "
            f"{asked.filling.name} (coolant_supply_max of the equipment, it; "
            "cooling.cdu.tcs_supply; cooling.facility_water.fluid)"
        )
    elif asked.criteria.liquid_class_stated:
        wanted = f"{asked.criteria.liquid_class} water (criteria.liquid_class)"
    elif limit_c <= WARMEST_C:
        wanted = (
            f"water for {limit_c:.1f} degC coolant (coolant_supply_max of the equipment, it) "
            f"behind CDUs with {asked.filling.name} (cooling.facility_water.fluid)"
        )
    else:
        wanted = f"{WARMEST_C:g} degC water, the warmest class"
    most_c = loops.fws_c if asked.water.supply or asked.criteria.liquid_class_stated else WARMEST_C
    tower_c = tower_water(asked.water, loops.fws_c, _range_k(asked, loops, place), place)[1]
    or_rise = "" if asked.water.delta_t is None else "a smaller cooling.facility_water.delta_t, "
    dry_c = place.site.design.dry_bulb_c
    or_pads = "" if given_pads(asked.water.rejection or RejectionSection()) else _OR_PADS
    or_tower = " or tower" if tower_c <= min(most_c, loops.most_fws_c) else ""
    raise FacilityError(
        "DRY_COOLER_INFEASIBLE", "cooling.facility_water.source",
        f"dry coolers (cooling.facility_water.source) cannot make {wanted} from air of "
        f"{air_c:.1f} degC (site.design_dry_bulb: {dry_c:.1f} degC, left open the extreme of the "
        f"record; coolers take in {place.recirculation_k:g} K more, cooling.outdoor_recirculation"
        ").",
        f"Choose {or_pads}dry_cooler_and_chiller{or_tower}; {or_rise}or less glycol, or warmer "
        "water where it is stated and the equipment allows it."
    )  # fmt: skip


def _refuse_too_cold(loops: _Loops, way: Way, place: WaterSite) -> None:
    """Refuse facility water that the chilled water cannot make across its exchanger."""
    chilled_c = place.chilled_c
    if way.source != "chilled_water" and not way.trim:
        return
    if chilled_c is None:
        raise FacilityError(
            "AIR_CONTRADICTION", "cooling.facility_water.source",
            "the facility water is to be cooled by chilled water, but CRACs have no chilled water.",
            "Choose dry_cooler or tower, or another cooling.air.terminal.",
        )  # fmt: skip
    if loops.fws_c < chilled_c + place.exchanger_k:
        raise FacilityError(
            "COOLING_CONTRADICTION", "cooling.facility_water.supply",
            f"{loops.fws_c:.1f} degC facility water cannot be made from {chilled_c:.1f} degC "
            f"chilled water across an exchanger of {place.exchanger_k:.1f} K.",
            "Lower cooling.plant.chilled_water_supply to "
            f"{math.floor(10.0 * (loops.fws_c - place.exchanger_k)) / 10.0:g} degC, or choose "
            "warmer facility water or a warmer liquid class.",
        )  # fmt: skip


def _class(loops: _Loops, way: Way, criteria: Criteria, trace: Trace) -> tuple[str, float]:
    """Return the class of the facility water: as stated, or the coolest that holds what is made."""
    made_c = loops.fws_c if way.trim else max(loops.fws_c, min(way.made_c, WARMEST_C))
    if criteria.liquid_class_stated or made_c <= criteria.liquid_supply_max_c:
        return criteria.liquid_class, criteria.liquid_supply_max_c
    rows = table("cooling/ashrae_liquid_classes").select(loop="FWS")
    known = [(row.si_or_none("t_supply_max_c"), row) for row in rows]
    limit_c, row = min((c, row) for c, row in known if c is not None and reaches(c, made_c))
    name = trace.ledger.add_text(
        "cooling.facility_water.class", str(row["liquid_class"]),
        f"coolest class that holds the {made_c:.1f} degC of the heat rejection",
        row.cite("t_supply_max_c"),
    )  # fmt: skip
    return name, limit_c


def _range_k(asked: _Asked, loops: _Loops, place: WaterSite) -> float:
    """Return the range that towers would see: that of the CDUs and loop as they are sized later.

    Where the CDUs cannot be sized at these temperatures, another may be chosen; until then the
    rise of the coolant stands for it.
    """
    water = known_fluid(asked.water.fluid or "water", _FLUID)
    plan = _on_towers(asked, loops, water, place)
    cdus = _cdus(asked, loops, Trace())
    try:
        sized = size_cdus(cdus, plan, *cdu_sizing(asked.plan, asked.criteria, cdus), 0)
        return water_need(plan, sized, place.pipes).range_k
    except FacilityError:
        return plan.rise_k or asked.sizing_factor * loops.rise_k
