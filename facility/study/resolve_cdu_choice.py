"""The CDU chosen from those of the catalogue that stand where the project wants them."""

from __future__ import annotations

from facility.cooling.cdu_selection import CduDuty, CduOption, rank_cdus
from facility.cooling.hydraulics import heads_by_mount
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling_chain import CduPlan, FacilityWaterPlan
from facility.model.cooling_hydraulics import HydraulicsPlan
from facility.model.cooling_liquid import LiquidPlan
from facility.model.facility import Criteria
from facility.model.it import ItPlan
from facility.model.project.cooling import CduSection, CoolingSection
from facility.physics.coolant import coolant_temperature_rise, tabulated
from facility.study.resolve_liquid_path import resolve_liquid_path

_MOST_REASONS = 4


def wants_choice(section: CoolingSection) -> bool:
    """Return whether the project says where the CDUs stand, and not which they are."""
    cdu = section.cdu or CduSection()
    mounted = section.liquid is not None and section.liquid.cdu_mount is not None
    return mounted and cdu.model is None and cdu.rating is None


def with_cdu(
    section: CoolingSection, plan: ItPlan, criteria: Criteria, hydraulics: HydraulicsPlan,
    first: tuple[CduPlan, FacilityWaterPlan], trace: Trace,
) -> CoolingSection:  # fmt: skip
    """Return the section with the CDU that suits best: heat, flow, head and approach.

    Parameters
    ----------
    section : CoolingSection
        What the project says.
    plan, criteria : ItPlan, Criteria
        Racks; growth.
    hydraulics : HydraulicsPlan
        Pipes of the coolant loop.
    first : tuple of CduPlan and FacilityWaterPlan
        Both loops, resolved with any CDU.
    trace : Trace
        Takes the choice.

    Raises
    ------
    FacilityError
        ``CDU_NONE_SUITS`` with what each one lacks.
    """
    given = section.liquid
    if given is None:
        return section
    cdus, water = first
    liquid = resolve_liquid_path(given, plan, cdus, hydraulics.components, Trace())
    options = rank_cdus(liquid.candidates, _duty(liquid, plan, criteria, hydraulics, cdus, water))
    best = options[0]
    if not best.suits:
        raise FacilityError(
            "CDU_NONE_SUITS", "cooling.liquid.cdu_mount",
            f"no {liquid.mount} CDU of the catalogue suits: {_reasons(options)}.",
            "Give cooling.cdu.rating from a data sheet, or leave cdu_mount out.", exit_code=4,
        )  # fmt: skip
    others = sum(option.suits for option in options) - 1
    trace.ledger.add_text(
        "cooling.cdu.model", best.model,
        f"fewest of the {liquid.mount} CDUs of the catalogue; {others} more suit: {best.why}",
        DERIVED,
    )  # fmt: skip
    update: dict[str, object] = {"model": best.model}
    cdu = section.cdu or CduSection()
    if best.mount == "in-rack" and cdu.count is None:
        update["count"] = best.installed
    return section.model_copy(update={"cdu": cdu.model_copy(update=update)})


def _reasons(options: tuple[CduOption, ...]) -> str:
    near = [option for option in options if option.limit != "mount"]
    return "; ".join(f"{option.model}: {option.why}" for option in near[:_MOST_REASONS])


def _duty(
    liquid: LiquidPlan, plan: ItPlan, criteria: Criteria, hydraulics: HydraulicsPlan,
    cdus: CduPlan, water: FacilityWaterPlan,
) -> CduDuty:  # fmt: skip
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
        cdus, water, heat_w * grown * cdus.sizing_factor, flow * grown, heads, liquid.racks,
        liquid.mount,
    )  # fmt: skip
