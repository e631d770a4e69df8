"""CDU selection from the catalogue, by mounting or count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from facility.catalogue.loader import per_catalogue
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
"""CDU flow over rated flow below which a smaller CDU is selected."""
_SMALLER_RISES = ("10 K", "8 K", "6 K")
"""Facility water rises tried for CDUs below that flow, in order of increasing flow."""
_MAX_REASONS = 4
_SIZES = 20


def requires_selection(section: CoolingSection) -> bool:
    """Return whether the project specifies CDU mounting or count, but no model."""
    cdu = section.cdu or CduSection.unstated()
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
    """Return the section with the most suitable CDU: heat, flow, head and approach.

    first: Both loops, resolved with any CDU.

    Raises ``CDU_NONE_SUITS`` with the reason for each CDU.
    """
    cdus, water = first
    given = section.liquid or LiquidPathSection.unstated()
    liquid = resolve_liquid_path(given, plan, cdus, hydraulics.components, Trace())
    options = rank_cdus(liquid.candidates, _duty(liquid, plan, criteria, hydraulics, cdus, water))
    cdu = section.cdu or CduSection.unstated()
    if cdu.count is not None:
        return _of_count(section, cdu, cdu.count, options, liquid, trace)
    best = options[0]
    if not best.suits:
        near = [option for option in options if option.limit != "mount"][:_MAX_REASONS]
        reasons = "; ".join(f"{option.model}: {option.why}" for option in near)
        raise FacilityError(
            "CDU_NONE_SUITS",
            "cooling.liquid.cdu_mount",
            f"no suitable {liquid.mount} CDU in the catalogue: {reasons}.",
            "Enter cooling.cdu.rating from a data sheet, or omit cdu_mount.",
        )
    others = sum(option.suits for option in options) - 1
    trace.ledger.add_text(
        "cooling.cdu.model",
        best.model,
        f"minimum count of the {liquid.mount} catalogue CDUs; {others} others suitable: {best.why}",
        DERIVED,
    )
    update: dict[str, object] = {"model": best.model}
    if best.mount == "in-rack" and cdu.count is None:
        update["count"] = best.installed
    return section.model_copy(update={"cdu": cdu.model_copy(update=update)})


def fitting_cdus(chain: CoolingChain, plan: ItPlan, criteria: Criteria) -> list[str]:
    """Return the catalogue CDUs suitable for the coolant loop, without in-rack CDUs."""
    cdus, water, liquid = chain.cdu, chain.facility_water, chain.liquid
    if cdus is None or water is None or liquid is None:
        return []
    options = rank_cdus(
        liquid.candidates, _duty(liquid, plan, criteria, chain.hydraulics, cdus, water)
    )
    return [one.model for one in options if one.suits and not one.mount.startswith("in-rack")]


def with_min_plate_flow(
    section: CoolingSection,
    plan: ItPlan,
    conditions: tuple[Site, Criteria, float | None, float],
    hydraulics: HydraulicsPlan,
    first: tuple[CduPlan, FacilityWaterPlan],
    trace: Trace,
) -> CoolingSection:
    """Return the section with a CDU, and a glycol, with at least 25 % of rated plate flow.

    If the default CDU runs at lower flow with all spares: the minimum count of catalogue CDUs
    that do not, with the default facility water or ethylene glycol, which has a better film.
    If no row CDU meets the minimum flow of CDU-PLATE-FLOW, as for one to three racks,
    in-rack CDUs; if none does, the CDUs with the highest flow.

    first: Both loops, resolved with the usual CDU.
    """
    cdu, water = (
        section.cdu or CduSection.unstated(),
        section.facility_water or FacilityWaterSection.unstated(),
    )
    stated = cdu.model is not None or cdu.rating is not None or cdu.count is not None
    usual = _plate_flow(first, plan, conditions[1])
    if stated or usual >= MIN_PART_FLOW:
        return section
    fluids: list[str | None] = [None]
    if water.fluid is None and first[1].source == "dry_cooler":
        fluids += thin_glycols(conditions[0])
    found = [(usual, section, "")]
    for in_racks, enough in ((False, MIN_PART_FLOW), (True, MIN_PLATE_FLOW)):
        for fluid, rise in _waters(fluids, water):
            if max(found, key=lambda one: one[0])[0] >= enough:
                break
            update = {"fluid": fluid or water.fluid, "delta_t": rise or water.delta_t}
            filled = section.model_copy(update={"facility_water": water.model_copy(update=update)})
            found += _plate_flow_options(filled, plan, conditions, hydraulics, in_racks=in_racks)
    part, chosen, model = max(found, key=lambda one: min(one[0], MIN_PART_FLOW))
    if model:
        why = f"{part:.0%} of rated flow with all running; {first[0].unit.model}: {usual:.0%}"
        trace.ledger.add_text("cooling.cdu.model", model, why, DERIVED)
        _record_water(chosen.facility_water or water, water, trace)
    return chosen


def _record_water(chosen: FacilityWaterSection, stated: FacilityWaterSection, trace: Trace) -> None:
    """Record a fluid and a rise of the facility water selected with the CDUs."""
    if chosen.fluid is not None and chosen.fluid != stated.fluid:
        words = "better film coefficient, so that fewer CDUs are required"
        trace.ledger.add_text("cooling.facility_water.fluid", chosen.fluid, words, DERIVED)
    if chosen.delta_t is not None and stated.delta_t is None:
        words, rise = (
            "higher facility water flow, so that fewer CDUs are required",
            chosen.delta_t.si,
        )
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


def _plate_flow_options(
    section: CoolingSection,
    plan: ItPlan,
    conditions: tuple[Site, Criteria, float | None, float],
    hydraulics: HydraulicsPlan,
    *,
    in_racks: bool,
) -> list[tuple[float, CoolingSection, str]]:
    """Return flow over rated flow, section and model of the suitable CDUs, in ascending count.

    A CDU with another approach gives another coolant temperature and rack flow: it must
    also suit the resulting loop.

    in_racks: Whether in-rack CDUs are considered, or all others.
    """
    flow, liquid, options = _coolant_options(section, plan, conditions, hydraulics)
    units = {one.model: one.unit for one in liquid.candidates} if liquid is not None else {}
    cdu = section.cdu or CduSection.unstated()
    found = []
    for option in options:
        unit = units[option.model]
        in_rack = option.mount.startswith("in-rack")
        if option.suits and unit is not None and in_rack is in_racks:
            update: dict[str, object] = {"model": option.model}
            if in_rack:
                update["count"] = option.installed
            changed = section.model_copy(update={"cdu": cdu.model_copy(update=update)})
            own = _coolant_options(changed, plan, conditions, hydraulics)[2]
            if any(one.suits for one in own if one.model == option.model):
                part = flow / (option.installed * unit.tcs_flow_m3_s)
                found.append((part, changed, option.model))
    return found


def _coolant_options(
    section: CoolingSection,
    plan: ItPlan,
    conditions: tuple[Site, Criteria, float | None, float],
    hydraulics: HydraulicsPlan,
) -> tuple[float, LiquidPlan | None, tuple[CduOption, ...]]:
    """Return the coolant flow [m3/s], its path and the CDUs for it; none without a loop."""
    names = ("cdu", "facility_water", "liquid", "on_ups")
    of_loops = CoolingSection.model_construct(**{name: getattr(section, name) for name in names})
    return _options_of(of_loops, plan, conditions, _Pipes(hydraulics))


@dataclass(frozen=True)
class _Pipes:
    """Pipes compared by value; their components have no hash."""

    plan: HydraulicsPlan = field(hash=False)


@per_catalogue(256)
def _options_of(
    section: CoolingSection,
    plan: ItPlan,
    conditions: tuple[Site, Criteria, float | None, float],
    pipes: _Pipes,
) -> tuple[float, LiquidPlan | None, tuple[CduOption, ...]]:
    """Return `_coolant_options`, once for all plants and chillers compared with equal loops."""
    hydraulics = pipes.plan
    try:
        cdus, water = resolve_liquid(section, plan, *conditions, hydraulics, Trace())
    except FacilityError:
        return 0.0, None, ()
    given = section.liquid or LiquidPathSection.unstated()
    liquid = resolve_liquid_path(given, plan, cdus, hydraulics.components, Trace())
    duty = _duty(liquid, plan, conditions[1], hydraulics, cdus, water)
    return cdus.tcs_flow_m3_s, liquid, rank_cdus(liquid.candidates, duty)


def _plate_flow(
    loops: tuple[CduPlan, FacilityWaterPlan], plan: ItPlan, criteria: Criteria
) -> float:
    """Return the flow through each CDU over rated flow, all installed running."""
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
    """Return the section with the CDU for which the stated number suffices with minimum margin.

    A count equal to the racks, or a multiple, selects in-rack CDUs. Default spare units
    are omitted if the number does not include them. If no catalogue CDU
    is sufficient, the default remains, and its checks report the shortfall.
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
        f"catalogue CDU for which {count:,} are sufficient with minimum margin: "
        f"{best.duty:,} required, {best.why}",
        DERIVED,
    )
    update: dict[str, object] = {"model": best.model}
    if best not in spared:
        update["redundancy"] = trace.ledger.add_text(
            "cooling.cdu.redundancy",
            "N",
            f"{count:,} specified, {best.duty:,} required: no spare",
            DERIVED,
        )
    return section.model_copy(update={"cdu": cdu.model_copy(update=update)})


def scaled_to_count(
    loops: tuple[CduPlan, FacilityWaterPlan], plan: ItPlan, criteria: Criteria, trace: Trace
) -> CduPlan:
    """Return the CDUs scaled up so that the stated number is sufficient.

    If no catalogue CDU is sufficient; up to twice the size, about that of the largest CDUs. The
    rated approach, heads and temperatures are unchanged. Above that the checks report the
    shortfall.
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
        if max(found.duty, whole_units(heat_w / unit.capacity_w, minimum=1)) <= left:
            trace.choose(
                "cooling.cdu.rating.capacity",
                unit.capacity_w,
                "heat_flow",
                f"{cdus.count:,} CDUs specified: scaled to the required size, in the proportions "
                f"of {cdus.unit.model}",
                DERIVED,
            )
            return replace(cdus, unit=unit)
    return cdus


def _enlarged(unit: CduUnit, size: float) -> CduUnit:
    """Return a CDU of `size` times the capacity, with proportional flows, pumps and plates."""
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
    """Return the CDU requirements, with growth and sizing factor, at the required supply."""
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
