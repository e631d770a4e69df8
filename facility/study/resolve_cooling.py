"""The cooling chain, resolved: what is given, and every default named in the ledger."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.cooling_chain import CoolingChain, Method, RackAir
from facility.model.facility import Criteria, Site
from facility.model.it import ItPlan
from facility.model.project.cooling import CoolingSection, PlantSection
from facility.physics.air import air_flow_for_heat, moist_air_specific_heat
from facility.physics.psychrometrics import (
    humidity_ratio_of_vapor,
    saturation_pressure,
    specific_volume,
)
from facility.study.resolve_cooling_air import resolve_crah
from facility.study.resolve_cooling_it import ItAir, devices_of
from facility.study.resolve_cooling_liquid import resolve_liquid
from facility.study.resolve_cooling_parts import on_ups
from facility.study.resolve_cooling_plant import resolve_chilled_water
from facility.study.resolve_criteria import UNSTATED, given_or_assumed

_RECIRCULATION_K = 1.0
_PRACTICE = Source("memory-cooling-practice", verified="memory")


def resolve_cooling(
    section: CoolingSection, plan: ItPlan, site: Site, criteria: Criteria, trace: Trace
) -> CoolingChain:
    """Return the cooling chain in SI, complete.

    Parameters
    ----------
    section : CoolingSection
        What the project says.
    plan : ItPlan
        The equipment to be cooled.
    site, criteria : Site, Criteria
        Weather and limits.
    trace : Trace
        Receives the givens and, in its ledger, every default.

    Raises
    ------
    FacilityError
        For unknown models, contradictions, or values that the catalogue lacks.
    """
    method = _method(section, plan, trace)
    recirculation_k = given_or_assumed(
        trace, "cooling.outdoor_recirculation", section.outdoor_recirculation, _RECIRCULATION_K,
        "temperature_difference", "rise of the air that heat rejection takes in by its own",
        _PRACTICE,
    )  # fmt: skip
    crah, air = resolve_crah(section, plan, method == "air", trace)
    pumps_on_ups = on_ups(
        section.on_ups, "water_pumps", False, "they restart on the generators", UNSTATED, trace
    )
    chilled = resolve_chilled_water(section.plant or PlantSection(), crah.unit, pumps_on_ups, trace)
    cdu, water = None, None
    if method != "air":
        cdu, water = resolve_liquid(
            section, plan, site, criteria, chilled.supply_c, recirculation_k, trace
        )
    dew_point_c = _room_dew_point(section, criteria, trace)
    return CoolingChain(
        method=method, crah=crah, cdu=cdu, facility_water=water, chilled_water=chilled,
        racks=_racks(air, crah.supply_air_c, dew_point_c, site.pressure_pa),
        room_dew_point_c=dew_point_c, recirculation_k=recirculation_k,
    )  # fmt: skip


def _method(section: CoolingSection, plan: ItPlan, trace: Trace) -> Method:
    liquid = any(device.liquid_fraction > 0.0 for _, device, _, _ in devices_of(plan))
    if section.method is None:
        words = "the equipment gives heat to coolant" if liquid else "the equipment is air-cooled"
        method: Method = "hybrid" if liquid else "air"
        trace.ledger.add_text("cooling.method", method, words, UNSTATED)
        return method
    if section.method != "air" and not liquid:
        raise FacilityError(
            "NO_LIQUID_RACKS",
            "cooling.method",
            f"the cooling is {section.method!r}, but no equipment gives heat to coolant.",
            "Set the method to air, or choose liquid-cooled equipment.",
        )
    return section.method


def _room_dew_point(section: CoolingSection, criteria: Criteria, trace: Trace) -> float:
    group = "H1" if criteria.air_class == "H1" else "A1-A4"
    row = table("cooling/ashrae_air_classes").get((group, "recommended", "2021"))
    return given_or_assumed(
        trace, "cooling.room_dew_point", section.room_dew_point, row.si("dp_max_c"), "temperature",
        "highest recommended dew point: the worst for condensation on coils and pipes",
        row.cite("dp_max_c"),
    )  # fmt: skip


def _racks(
    air: ItAir, supply_c: float, dew_point_c: float, pressure_pa: float
) -> tuple[RackAir, ...]:
    ratio = humidity_ratio_of_vapor.si(saturation_pressure.si(dew_point_c), pressure_pa)
    volume = float(specific_volume.si(supply_c, ratio, pressure_pa))
    heat = float(moist_air_specific_heat.si(ratio))
    return tuple(
        RackAir(rack.name, rack.count, q, float(air_flow_for_heat.si(q, rise, volume, heat)))
        for rack, q, rise in air.rises
    )
