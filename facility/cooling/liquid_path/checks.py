"""Checks of the liquid path: racks, cold plate, classes, CDU limits."""

from __future__ import annotations

from collections.abc import Iterator

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.liquid.selection import CduOption
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.rules import RULES
from facility.core.check import Check
from facility.core.views import show
from facility.model.cooling.liquid import CduCandidate, LiquidPlan

OPERATING_FILTER = "operating filter"
"""Requirement that the filter of a CDU is compared with."""


def liquid_checks(
    design: CoolingDesign,
    flow: CoolingFlow,
    plan: LiquidPlan,
    options: tuple[CduOption, ...],
    case_c: float | None,
) -> Iterator[Check]:
    """Yield the checks of the liquid path.

    design, flow: The cooling as sized, and at the design hour.
    plan: Racks and criteria.
    options: CDUs of the catalogue for this loop.
    """
    for rack in plan.racks:
        yield from RULES.checks(rack)
    yield _case(plan, case_c)
    yield _supply_class(design, flow.tcs_supply_c)
    yield RULES["FWS-DEW-POINT"].at_least(
        "facility water", flow.fws_supply_c, design.chain.hall_dew_points_c[1], "temperature"
    )
    if design.cdus is not None:
        own = plan.own(design.cdus.plan.unit)
        if own is not None:
            yield from _own_limits(own, plan, flow.tcs_supply_c)
        yield _selection(design.cdus, options)


def _supply_class(design: CoolingDesign, supply_c: float) -> Check:
    rule, criteria = RULES["SUPPLY-CLASS"], design.criteria
    for limit_c in criteria.coolant_limits_c:
        supply, limit = show(supply_c, "temperature"), show(limit_c, "temperature")
        names = [one.name for one in criteria.uncovered if one.field == "criteria.liquid_class"]
        why = (
            f"coolant supply {supply}; {names[0]} (criteria.liquid_class), {limit}, is not covered"
        )
        return rule.not_evaluated("coolant", why)
    return rule.verdict("coolant", False, "the S classes are unverified (guideline not consulted)")


def _case(plan: LiquidPlan, case_c: float | None) -> Check:
    rule, plate = RULES["CASE-TEMPERATURE"], plan.cold_plate
    if plate is None:
        return rule.not_evaluated(
            "chips", "cold-plate resistance is not published (enter cooling.liquid.cold_plate)"
        )
    if case_c is None:
        return rule.not_evaluated("chips", "no measurement of the plate with this coolant")
    return rule.at_most(f"chip on {plate.name}", case_c, plate.case_max_c, "temperature")


def _own_limits(own: CduCandidate, plan: LiquidPlan, supply_c: float) -> Iterator[Check]:
    subject = f"CDU {own.model}"
    rule = RULES["CDU-RANGE"]
    if own.supply_min_c is None or own.supply_max_c is None:
        at = show(supply_c, "temperature")
        why = f"coolant supply range unknown, for {at} coolant"
        yield rule.not_evaluated(subject, why)
    else:
        yield rule.at_most(subject, supply_c, own.supply_max_c, "temperature")
        yield rule.at_least(subject, supply_c, own.supply_min_c, "temperature")
    rule = RULES["CDU-FILTER"]
    if own.filter_um is None:
        yield rule.not_evaluated(subject, "filter unknown")
    else:
        limit_um = next(one.value for one in plan.requirements if one.item == OPERATING_FILTER)
        why = f"{own.filter_um:g} um, {limit_um:g} um required"
        yield rule.verdict(subject, own.filter_um <= limit_um, why)
    rule = RULES["CDU-PUMPS"]
    if own.pump_spare is None:
        yield rule.not_evaluated(subject, "standby pumps unknown")
    else:
        yield rule.verdict(subject, own.pump_spare, own.pumps)


def _selection(cdus: CduDesign, options: tuple[CduOption, ...]) -> Check:
    rule, subject = RULES["CDU-SELECTION"], f"CDU {cdus.plan.unit.model}"
    own = next(option for option in options if option.model == cdus.plan.unit.model)
    if own.suits and own.mount == "in-rack" and cdus.installed < own.installed:
        why = f"{cdus.installed} installed; each serves only its rack: {own.installed} required"
        return rule.verdict(subject, False, why)
    if own.limit == "data":
        return rule.not_evaluated(subject, own.why)
    return rule.verdict(subject, own.suits, own.why)
