"""The cooling chain, resolved: what is given, and every default named in the ledger."""

from __future__ import annotations

import math

from facility.catalogue import table
from facility.cooling.air.air_side import supply_air_at
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, Source
from facility.core.trace import Trace
from facility.model.cooling.chain import (
    CduPlan,
    ChilledWaterPlan,
    CoolingChain,
    FacilityWaterPlan,
    Method,
    RackAir,
)
from facility.model.cooling.hydraulics import HydraulicsPlan
from facility.model.cooling.liquid import LiquidPlan
from facility.model.facility import Criteria, Site
from facility.model.inputs.cooling.economizer import EconomizerSection
from facility.model.inputs.cooling.hydraulics import HydraulicsSection
from facility.model.inputs.cooling.liquid import LiquidPathSection
from facility.model.inputs.cooling.plant import PumpingSection
from facility.model.inputs.cooling.section import CoolingSection, PlantSection
from facility.model.it import ItPlan
from facility.physics.air.sensible import air_flow_for_heat
from facility.physics.liquids.coolant import refuse_freezing
from facility.study.resolve.cooling.air import RoomPlace, resolve_crah
from facility.study.resolve.cooling.cdu_choice import as_large_as_asked, wants_choice, with_cdu
from facility.study.resolve.cooling.hydraulics import resolve_hydraulics
from facility.study.resolve.cooling.it import ItAir, devices_of
from facility.study.resolve.cooling.liquid import resolve_liquid
from facility.study.resolve.cooling.liquid_path import resolve_liquid_path
from facility.study.resolve.cooling.parts import on_ups
from facility.study.resolve.cooling.plant import in_thin_air, resolve_chilled_water
from facility.study.resolve.cooling.plant_options import (
    resolve_economizer,
    resolve_heat_reuse,
    with_pumping,
)
from facility.study.resolve.criteria import UNSTATED, given_or_assumed

_Place = tuple[Site, Criteria, float | None, float]
"""Weather, limits, chilled water where there is any, and rise of the air that is taken in."""
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
    dew_point_c = _room_dew_point(section, criteria, trace)
    room = RoomPlace(dew_point_c, site.pressure_pa, criteria.air_recommended_max_c)
    crah, air = resolve_crah(section, plan, method == "air", room, trace)
    pumps_on_ups = on_ups(
        section.on_ups, "water_pumps", True,
        "without flow no water, and no buffer of it, reaches the coils and CDUs: their air and "
        "coolant pass their limits before the generators carry the pumps", DERIVED, trace,
    )  # fmt: skip
    plant = section.plant or PlantSection()
    hydraulics = resolve_hydraulics(section.hydraulics or HydraulicsSection(), plan, trace)
    place: _Place = (site, criteria, None, recirculation_k)
    coldest_c = _water_behind_liquid(section, plan, place, hydraulics, method)
    chilled = resolve_chilled_water(plant, crah, pumps_on_ups, site.elevation_m, coldest_c, trace)
    crah = in_thin_air(crah, site.elevation_m, trace)
    chilled = with_pumping(chilled, plant.pumping or PumpingSection(), trace)
    economizer, chilled = resolve_economizer(
        section.economizer or EconomizerSection(), chilled, crah.path.terminal, criteria, trace
    )
    cdu, water, liquid = None, None, None
    if method != "air":
        place = (site, criteria, None if chilled.direct else chilled.supply_c, recirculation_k)
        cdu, water, liquid = _liquid_loops(section, plan, place, hydraulics, trace)
    _refuse_freezing(chilled, cdu, water)
    return CoolingChain(
        method=method, crah=crah, cdu=cdu, facility_water=water, chilled_water=chilled,
        racks=_racks(air, crah.supply_air_c, dew_point_c, site.pressure_pa),
        room_dew_point_c=dew_point_c, recirculation_k=recirculation_k, hydraulics=hydraulics,
        liquid=liquid, economizer=economizer,
        heat_reuse=resolve_heat_reuse(section.heat_reuse, trace),
    )  # fmt: skip


def _water_behind_liquid(
    section: CoolingSection, plan: ItPlan, place: _Place, pipes: HydraulicsPlan, method: Method
) -> float | None:
    """Return the chilled water that the facility water asks for; None where it asks for none."""
    if method == "air":
        return None
    site, criteria, _, warmer_k = place
    behind = (site, criteria, -math.inf, warmer_k)
    water = resolve_liquid(section, plan, *behind, pipes, Trace())[1]
    if water.source != "chilled_water" and not water.trim:
        return None
    return water.supply_c - water.exchanger_approach_k


def _refuse_freezing(
    chilled: ChilledWaterPlan, cdu: CduPlan | None, water: FacilityWaterPlan | None
) -> None:
    """Refuse loops whose coldest coolant freezes: in chillers that at the evaporating plates."""
    loops = (
        []
        if chilled.direct
        else [
            (
                chilled.supply_c - chilled.chiller.evaporator_approach_k,
                chilled.fluid,
                "cooling.plant.chilled_water_supply",
            )
        ]
    )
    if water is not None and cdu is not None:
        loops.append((water.supply_c, water.fluid, "cooling.facility_water.supply"))
        loops.append((cdu.tcs_supply_c, cdu.fluid, "cooling.cdu.tcs_supply"))
    for coldest_c, fluid, where in loops:
        refuse_freezing(coldest_c, fluid.freezing_c, fluid.name, where)


def _liquid_loops(
    section: CoolingSection,
    plan: ItPlan,
    place: _Place,
    hydraulics: HydraulicsPlan,
    trace: Trace,
) -> tuple[CduPlan, FacilityWaterPlan, LiquidPlan]:
    """Return CDUs, facility water, liquid path; the CDU chosen by its place or number."""
    criteria, pipes = place[1], hydraulics
    if wants_choice(section):
        first = resolve_liquid(section, plan, *place, pipes, Trace())
        section = with_cdu(section, plan, criteria, hydraulics, first, trace)
    cdu, water = resolve_liquid(section, plan, *place, pipes, trace)
    if wants_choice(section):
        cdu = as_large_as_asked(section, (cdu, water), plan, criteria, trace)
    given = section.liquid or LiquidPathSection()
    return cdu, water, resolve_liquid_path(given, plan, cdu, hydraulics.components, trace)


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
        trace,
        "cooling.room_dew_point",
        section.room_dew_point,
        row.si("dp_max_c"),
        "temperature",
        "highest recommended dew point: the worst for condensation on coils and pipes",
        row.cite("dp_max_c"),
    )


def _racks(
    air: ItAir, supply_c: float, dew_point_c: float, pressure_pa: float
) -> tuple[RackAir, ...]:
    inlet = supply_air_at(supply_c, dew_point_c, pressure_pa, Trace())
    return tuple(
        RackAir(
            rack.name,
            rack.count,
            q,
            float(air_flow_for_heat.si(q, rise, inlet.volume_m3_kg, inlet.specific_heat_j_kgk)),
            rack.hall,
            rise,
        )
        for rack, q, rise in air.rises
    )
