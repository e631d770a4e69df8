"""Checks of the cooling at work: inlet air, facility water, validity of the correlations."""

from __future__ import annotations

from collections.abc import Iterator

from facility.cooling.chain.design import CoolingDesign
from facility.cooling.chain.flow import CoolingFlow
from facility.cooling.liquid.facility_water import FacilityWater
from facility.cooling.parts.rules import RULES
from facility.cooling.plant.rejection import TowerBox
from facility.core.check import Check
from facility.core.views import show


def flow_checks(
    design: CoolingDesign, flow: CoolingFlow, boxes: tuple[TowerBox, ...]
) -> tuple[Check, ...]:
    """Return the checks that depend on heat and weather.

    `boxes` are the towers at work against the box of their correlation.
    """
    return tuple(_checks(design, flow, boxes))


def _checks(
    design: CoolingDesign, flow: CoolingFlow, boxes: tuple[TowerBox, ...]
) -> Iterator[Check]:
    criteria, chain = design.criteria, design.chain
    worst_c, kind = flow.inlet_worst_c, "temperature"
    yield RULES["INLET-TEMPERATURE"].compare(
        "halls", worst_c, "<=", criteria.air_allowable_max_c, kind
    )
    yield RULES["INLET-RECOMMENDED"].compare(
        "halls", worst_c, "<=", criteria.air_recommended_max_c, kind
    )
    yield RULES["INLET-COLD"].compare(
        "halls", flow.supply_air_c, ">=", criteria.air_recommended_min_c, kind
    )
    if chain.crah.inlet_limit_c is not None:
        yield RULES["INLET-EQUIPMENT"].compare(
            "halls", worst_c, "<=", chain.crah.inlet_limit_c, kind
        )
    if design.water is not None:
        yield from _liquid_checks(design, design.water, flow)
    if boxes:
        yield _in_the_box(boxes)


def _in_the_box(boxes: tuple[TowerBox, ...]) -> Check:
    """Return the check of the tower correlation; above its wet bulb it is on the safe side."""
    outside = sorted({name for box in boxes for name in box.outside})
    warm = max(boxes, key=lambda box: box.above_k)
    why = "all inputs inside"
    if outside:
        why = f"clipped: {', '.join(outside)}"
    elif warm.above_k > 0.0:
        why = (
            f"wet bulb {warm.above_k:.1f} K above the box: the approach of its edge, "
            f"{warm.approach_k:.1f} K, is held; towers need less there"
        )
    return RULES["TOWER-BOX"].verdict("cooling towers", not outside, why)


def _liquid_checks(
    design: CoolingDesign, water: FacilityWater, flow: CoolingFlow
) -> Iterator[Check]:
    """Yield the checks of what the loops reach, which need not be what was asked of them."""
    kind, made = "temperature", _made_words(water, flow)
    yield RULES["FWS-TEMPERATURE"].compare(
        f"facility water, {water.plan.liquid_class}",
        flow.fws_supply_c,
        "<=",
        water.plan.class_max_c,
        kind,
        f"{made}; {water.plan.liquid_class} (criteria.liquid_class) allows "
        f"{show(water.plan.class_max_c, kind)}",
    )
    yield RULES["FWS-SUPPLY"].compare(
        "facility water",
        flow.fws_supply_c,
        "<=",
        water.plan.supply_c,
        kind,
        f"{made}; cooling.facility_water.supply asks for {show(water.plan.supply_c, kind)}",
    )
    limit_c = water.cdus.plan.tcs_supply_max_c
    if limit_c is not None:
        yield RULES["TCS-TEMPERATURE"].compare(
            "coolant loop",
            flow.tcs_supply_c,
            "<=",
            limit_c,
            kind,
            f"{made}, and the CDUs {show(flow.tcs_supply_c, kind)} coolant; coolant_supply_max of "
            f"the equipment is {show(limit_c, kind)}",
        )


def _made_words(water: FacilityWater, flow: CoolingFlow) -> str:
    """Return what makes the facility water, with the field that says so."""
    names = {"tower": "towers", "dry_cooler": "dry coolers", "chilled_water": "chilled water"}
    made = show(flow.fws_supply_c, "temperature")
    behind = " and chilled water" if water.plan.trim else ""
    named = f"{names[water.plan.source]}{behind} (cooling.facility_water.source)"
    return f"{named} give {made} in this weather"
