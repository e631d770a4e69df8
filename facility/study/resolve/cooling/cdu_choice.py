"""The CDU chosen from those of the catalogue: by where the project wants them, or how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.cooling.hydraulics.study import heads_by_mount
from facility.cooling.liquid.selection import CduDuty, CduOption, rank_cdus
from facility.cooling.parts.cdu import MIN_PLATE_FLOW, size_cdus
from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.rounding import rounded, whole_units
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.chain import CduPlan, CoolingChain, FacilityWaterPlan
from facility.model.cooling.liquid import LiquidPlan
from facility.model.cooling.units import CduUnit, HydraulicsPlan
from facility.model.facility import Criteria, Site
from facility.model.inputs.cooling.liquid import CduSection, FacilityWaterSection, LiquidPathSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import ItPlan
from facility.physics.liquids.coolant import coolant_temperature_rise, tabulated
from facility.study.resolve.cooling.liquid import cdu_sizing, resolve_liquid
from facility.study.resolve.cooling.liquid_path import resolve_liquid_path
from facility.study.resolve.cooling.parts import thin_glycols

MIN_PART_FLOW = 0.25
"""Flow of a CDU over its rated one below which a smaller one is chosen."""
_SMALLER_RISES = ("10 K", "8 K", "6 K")
"""Rises of stated facility water that are tried where CDUs would run at less: more water each."""
_MAX_REASONS = 4
_SIZES = 20


def requires_selection(section: CoolingSection) -> bool:
    """Return whether the project says where the CDUs stand or how many, and not which they are."""
    cdu = section.cdu or CduSection()
    mounted = section.liquid is not None and section.liquid.cdu_mount is not None
    return (mounted or cdu.count is not None) and cdu.model is None and cdu.rating is None


def with_cdu(
    section: CoolingSection,
    plan: ItPlan,
    criteria: Criteria,
    hydraulics: HydraulicsPlan,
    first: tuple[CduPlan, FacilityWaterPlan],
    trace: Trace,
) -> CoolingSection:
    """Return the section with the CDU that suits best: heat, flow, head and approach.

    first: Both loops, resolved with any CDU.

    Raises ``CDU_NONE_SUITS`` with what each one lacks.
    """
    cdus, water = first
    given = section.liquid or LiquidPathSection()
    liquid = resolve_liquid_path(given, plan, cdus, hydraulics.components, Trace())
    options = rank_cdus(liquid.candidates, _duty(liquid, plan, criteria, hydraulics, cdus, water))
    cdu = section.cdu or CduSection()
    if cdu.count is not None:
        return _of_count(section, cdu, cdu.count, options, liquid, trace)
    best = options[0]
    if not best.suits:
        near = [option for option in options if option.limit != "mount"][:_MAX_REASONS]
        reasons = "; ".join(f"{option.model}: {option.why}" for option in near)
        raise FacilityError(
            "CDU_NONE_SUITS",
            "cooling.liquid.cdu_mount",
            f"no {liquid.mount} CDU of the catalogue suits: {reasons}.",
            "Give cooling.cdu.rating from a data sheet, or leave cdu_mount out.",
        )
    others = sum(option.suits for option in options) - 1
    trace.ledger.add_text(
        "cooling.cdu.model",
        best.model,
        f"fewest of the {liquid.mount} CDUs of the catalogue; {others} more suit: {best.why}",
        DERIVED,
    )
    update: dict[str, object] = {"model": best.model}
    if best.mount == "in-rack" and cdu.count is None:
        update["count"] = best.installed
    return section.model_copy(update={"cdu": cdu.model_copy(update=update)})


def fitting_cdus(chain: CoolingChain, plan: ItPlan, criteria: Criteria) -> list[str]:
    """Return the CDUs of the catalogue that suit the coolant loop, those in racks left out."""
    cdus, water, liquid = chain.cdu, chain.facility_water, chain.liquid
    if cdus is None or water is None or liquid is None:
        return []
    options = rank_cdus(
        liquid.candidates, _duty(liquid, plan, criteria, chain.hydraulics, cdus, water)
    )
    return [one.model for one in options if one.suits and not one.mount.startswith("in-rack")]


def with_fuller_plates(
    section: CoolingSection,
    plan: ItPlan,
    place: tuple[Site, Criteria, float | None, float],
    hydraulics: HydraulicsPlan,
    first: tuple[CduPlan, FacilityWaterPlan],
    trace: Trace,
) -> CoolingSection:
    """Return the section with a CDU, and a glycol, that leave the plates no less than a quarter.

    Where the usual CDU runs at less of its rated flow, with all its spares: the fewest CDUs of the
    catalogue that do not, with the usual facility water or ethylene glycol, whose film is better.
    Where none in the rows keeps the least flow of CDU-PLATE-FLOW, as beside one to three racks,
    those that stand in the racks; where none does, those with the most flow.

    first: Both loops, resolved with the usual CDU.
    """
    cdu, water = section.cdu or CduSection(), section.facility_water or FacilityWaterSection()
    stated = cdu.model is not None or cdu.rating is not None or cdu.count is not None
    usual = _plate_flow(first, plan, place[1])
    if stated or usual >= MIN_PART_FLOW:
        return section
    fluids: list[str | None] = [None]
    if water.fluid is None and first[1].source == "dry_cooler":
        fluids += thin_glycols(place[0])
    found = [(usual, section, "")]
    for in_racks, enough in ((False, MIN_PART_FLOW), (True, MIN_PLATE_FLOW)):
        for fluid, rise in _waters(fluids, water):
            if max(found, key=lambda one: one[0])[0] >= enough:
                break
            update = {"fluid": fluid or water.fluid, "delta_t": rise or water.delta_t}
            filled = section.model_copy(update={"facility_water": water.model_copy(update=update)})
            found += _fuller_options(filled, plan, place, hydraulics, in_racks=in_racks)
    part, chosen, model = max(found, key=lambda one: min(one[0], MIN_PART_FLOW))
    if model:
        why = f"{part:.0%} of its rated flow with all running; {first[0].unit.model}: {usual:.0%}"
        trace.ledger.add_text("cooling.cdu.model", model, why, DERIVED)
        _record_water(chosen.facility_water or water, water, trace)
    return chosen


def _record_water(chosen: FacilityWaterSection, stated: FacilityWaterSection, trace: Trace) -> None:
    """Record a fluid and a rise of the facility water that are chosen with the CDUs."""
    if chosen.fluid is not None and chosen.fluid != stated.fluid:
        words = "its film lets fewer CDUs make the coolant"
        trace.ledger.add_text("cooling.facility_water.fluid", chosen.fluid, words, DERIVED)
    if chosen.delta_t is not None and stated.delta_t is None:
        words, rise = "more facility water lets fewer CDUs make the coolant", chosen.delta_t.si
        trace.ledger.add_text("cooling.facility_water.delta_t", f"{rise:g} K", words, DERIVED)


def _waters(
    fluids: list[str | None], water: FacilityWaterSection
) -> Iterator[tuple[str | None, Measured | None]]:
    """Yield fluids and rises of the facility water; the rise is open unless no fluid will do."""
    yield from ((fluid, None) for fluid in fluids)
    if water.delta_t is None and water.supply is not None:
        for text in _SMALLER_RISES:
            rise = FacilityWaterSection.model_validate({"delta_t": text}).delta_t
            yield from ((fluid, rise) for fluid in fluids)


def _fuller_options(
    section: CoolingSection,
    plan: ItPlan,
    place: tuple[Site, Criteria, float | None, float],
    hydraulics: HydraulicsPlan,
    *,
    in_racks: bool,
) -> list[tuple[float, CoolingSection, str]]:
    """Return flow over rated flow, section and model of the CDUs that suit, the fewest first.

    A CDU of another approach makes other coolant, of which the racks want another flow: it must
    suit the loop that it makes, too.

    in_racks: Whether those that stand in the racks are asked for, or all others.
    """
    flow, liquid, options = _coolant_options(section, plan, place, hydraulics)
    units = {one.model: one.unit for one in liquid.candidates} if liquid is not None else {}
    cdu = section.cdu or CduSection()
    found = []
    for option in options:
        unit = units[option.model]
        in_rack = option.mount.startswith("in-rack")
        if option.suits and unit is not None and in_rack is in_racks:
            update: dict[str, object] = {"model": option.model}
            if in_rack:
                update["count"] = option.installed
            changed = section.model_copy(update={"cdu": cdu.model_copy(update=update)})
            own = _coolant_options(changed, plan, place, hydraulics)[2]
            if any(one.suits for one in own if one.model == option.model):
                part = flow / (option.installed * unit.tcs_flow_m3_s)
                found.append((part, changed, option.model))
    return found


def _coolant_options(
    section: CoolingSection,
    plan: ItPlan,
    place: tuple[Site, Criteria, float | None, float],
    hydraulics: HydraulicsPlan,
) -> tuple[float, LiquidPlan | None, tuple[CduOption, ...]]:
    """Return the coolant flow [m3/s], its path and the CDUs for it; none where it has no loop."""
    try:
        cdus, water = resolve_liquid(section, plan, *place, hydraulics, Trace())
    except FacilityError:
        return 0.0, None, ()
    given = section.liquid or LiquidPathSection()
    liquid = resolve_liquid_path(given, plan, cdus, hydraulics.components, Trace())
    duty = _duty(liquid, plan, place[1], hydraulics, cdus, water)
    return cdus.tcs_flow_m3_s, liquid, rank_cdus(liquid.candidates, duty)


def _plate_flow(
    loops: tuple[CduPlan, FacilityWaterPlan], plan: ItPlan, criteria: Criteria
) -> float:
    """Return the flow through each CDU over its rated one, all installed running."""
    cdus, water = loops
    found = size_cdus(cdus, water, *cdu_sizing(plan, criteria, cdus), 0)
    return cdus.tcs_flow_m3_s / (found.installed * cdus.unit.tcs_flow_m3_s)


def _of_count(
    section: CoolingSection,
    cdu: CduSection,
    count: int,
    options: tuple[CduOption, ...],
    liquid: LiquidPlan,
    trace: Trace,
) -> CoolingSection:
    """Return the section with the CDU of which the number stated does it with least to spare.

    As many CDUs as racks, or a multiple, are those that stand in the racks. The spare units that
    nobody asked for are left out where the number has no room for them. Where no CDU of the
    catalogue does it the default stays, and its checks say what it lacks.
    """
    racks = sum(rack.count for rack in liquid.racks)
    able = [one for one in options if one.suits and one.duty <= count]
    spared = [one for one in able if one.installed <= count]
    pool = able if cdu.redundancy is None else spared
    in_racks = [one for one in pool if one.mount.startswith("in-rack")]
    pool = in_racks if in_racks and count % racks == 0 else pool
    if not pool:
        return section
    best = max(pool, key=lambda one: (one in spared, one.duty, -rounded(one.pump_w or 0.0)))
    trace.ledger.add_text(
        "cooling.cdu.model",
        best.model,
        f"of the CDUs of the catalogue the one that {count:,} suffice of with least to spare: "
        f"{best.duty:,} needed, {best.why}",
        DERIVED,
    )
    update: dict[str, object] = {"model": best.model}
    if best not in spared:
        update["redundancy"] = trace.ledger.add_text(
            "cooling.cdu.redundancy",
            "N",
            f"{count:,} are stated, {best.duty:,} needed: there is no spare",
            DERIVED,
        )
    return section.model_copy(update={"cdu": cdu.model_copy(update=update)})


def scaled_to_count(
    section: CoolingSection,
    loops: tuple[CduPlan, FacilityWaterPlan],
    plan: ItPlan,
    criteria: Criteria,
    trace: Trace,
) -> CduPlan:
    """Return the CDUs larger in the proportions of their rating, so that the number stated does it.

    Where no CDU of the catalogue does it; up to twice the size, about that of the largest CDUs. The
    rated approach, heads and temperatures stay. Beyond that the checks say what is lacking.
    """
    cdus, water = loops
    heat_w, flow = cdu_sizing(plan, criteria, cdus)
    left = cdus.spares.left(cdus.count or 0)
    for step in range(_SIZES + 1):
        unit = _enlarged(cdus.unit, 1.0 + step / _SIZES)
        try:
            found = size_cdus(replace(cdus, unit=unit, count=None), water, heat_w, flow, 0)
        except FacilityError:
            return cdus
        if max(found.duty, whole_units(heat_w / unit.capacity_w, least=1)) <= left:
            trace.choose(
                "cooling.cdu.rating.capacity",
                unit.capacity_w,
                "heat_flow",
                f"{cdus.count:,} CDUs are stated: as large as that asks for, in the proportions "
                f"of {cdus.unit.model}",
                DERIVED,
            )
            return replace(cdus, unit=unit)
    return cdus


def _enlarged(unit: CduUnit, size: float) -> CduUnit:
    """Return a CDU of `size` times the capacity, with its flows, pumps and plates in proportion."""
    if size == 1.0:
        return unit
    return replace(
        unit,
        model=f"{size:g} x {unit.model}",
        capacity_w=size * unit.capacity_w,
        tcs_flow_m3_s=size * unit.tcs_flow_m3_s,
        fws_flow_m3_s=size * unit.fws_flow_m3_s,
        pump_w=size * unit.pump_w,
        from_memory=True,
    )


def _duty(
    liquid: LiquidPlan,
    plan: ItPlan,
    criteria: Criteria,
    hydraulics: HydraulicsPlan,
    cdus: CduPlan,
    water: FacilityWaterPlan,
) -> CduDuty:
    """Return what the CDUs must do, with growth and the sizing factor, at the supply asked for."""
    grown = 1.0 + criteria.growth
    heat_w = sum(rack.count * rack.liquid_w for rack in liquid.racks)
    heat_w *= plan.demand_factor * plan.diversity
    flow, supply_c, fluid = cdus.tcs_flow_m3_s, cdus.tcs_supply_c, cdus.fluid
    where = "cooling.cdu.tcs_supply"
    density = tabulated(supply_c, fluid.temperatures_c, fluid.densities_kg_m3, where)
    specific = tabulated(supply_c, fluid.temperatures_c, fluid.specific_heats_j_kgk, where)
    rise_k = float(coolant_temperature_rise.si(heat_w, flow, density, specific))
    heads = heads_by_mount(
        hydraulics, liquid, fluid, (flow * grown, flow), (supply_c, supply_c + rise_k)
    )
    return CduDuty(
        cdus,
        water,
        heat_w * grown * cdus.sizing_factor,
        flow * grown,
        heads,
        liquid.racks,
        liquid.mount,
    )
