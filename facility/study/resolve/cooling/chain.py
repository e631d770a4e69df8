"""The cooling chain, resolved: inputs, and every default listed in the ledger."""

from __future__ import annotations

import math
from dataclasses import replace

from facility.catalogue import Row, table
from facility.cooling.air.air_side import supply_air_at
from facility.cooling.air.crah import size_crah, units_for_air
from facility.cooling.air.rack_limits import MAX_COOLERS_PER_RACK
from facility.cooling.parts.loads import NO_FLOOR, HeatLoad
from facility.cooling.plant.site_air import cracs_at_site
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, UNSTATED
from facility.core.trace import Quiet, Trace
from facility.model.cooling.chain import (
    CduPlan,
    ChilledWaterPlan,
    CoolingChain,
    CrahPlan,
    FacilityWaterPlan,
    Method,
    RackAir,
)
from facility.model.cooling.liquid import LiquidPlan
from facility.model.cooling.thermal import StoragePlan
from facility.model.cooling.units import HydraulicsPlan
from facility.model.facility import Criteria, Site
from facility.model.inputs.cooling.economizer import EconomizerSection
from facility.model.inputs.cooling.liquid import FacilityWaterSection, LiquidPathSection
from facility.model.inputs.cooling.plant import PlantSection, PumpingSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import ItPlan
from facility.physics.air.psychrometrics import dew_point, humidity_ratio
from facility.physics.air.sensible import air_flow_for_heat
from facility.physics.liquids.coolant import refuse_freezing
from facility.study.resolve.cooling.air import RoomConditions, resolve_crah
from facility.study.resolve.cooling.cdu_choice import (
    requires_selection,
    scaled_to_count,
    with_cdu,
    with_min_plate_flow,
)
from facility.study.resolve.cooling.hydraulics import resolve_hydraulics
from facility.study.resolve.cooling.it import InletAir, ItAir, RackRise, devices_of, drawn_by
from facility.study.resolve.cooling.liquid import resolve_liquid
from facility.study.resolve.cooling.liquid_path import resolve_liquid_path
from facility.study.resolve.cooling.parts import film_of, on_ups
from facility.study.resolve.cooling.plant import COLDEST_WATER_C, resolve_chilled_water
from facility.study.resolve.cooling.plant_options import (
    resolve_economizer,
    resolve_heat_reuse,
    resolve_makeup,
    with_glycol,
    with_pumping,
    with_spares_of_goal,
)
from facility.study.resolve.reader import Reader

_Conditions = tuple[Site, Criteria, float | None, float]
"""Weather, limits, chilled water if any, and intake air recirculation."""
_OTHER_HALL_HEAT = 0.1
"""Maximum losses, lights and people in the halls over rack heat."""
_WATER_STEP_K = 0.5
_COMPRESSORS_ON_UPS = (
    "variable-speed compressors, starting within rated current: room air "
    "exceeds the inlet limit within a minute, a restart takes 3 min or more"
)
_PUMPS_ON_UPS = (
    "without flow, no water reaches the coils and CDUs, not even from a buffer: air and coolant "
    "exceed their limits before generators supply the pumps"
)


def resolve_cooling(
    section: CoolingSection, plan: ItPlan, site: Site, criteria: Criteria, trace: Trace
) -> CoolingChain:
    """Return the cooling chain in SI, complete.

    Raises for unknown models, contradictions, or values missing in the catalogue.
    """
    plant, warmest_c = section.plant or PlantSection.unstated(), None
    in_rows = section.air is not None and section.air.terminal == "in-row"
    if in_rows and plant.chilled_water_supply is None:
        usual = _resolved(section, plan, (site, criteria), None, Trace())
        warmest_c = _water_for_rows(usual, plan, site, criteria)
    found = _resolved(section, plan, (site, criteria), warmest_c, trace)
    found = with_spares_of_goal(found, criteria.goal, trace)
    return replace(
        found,
        heat_reuse=resolve_heat_reuse(section.heat_reuse, trace),
        makeup_storage_s=resolve_makeup(section.makeup_water, found, criteria.goal, trace),
    )


def _water_for_rows(
    chain: CoolingChain, plan: ItPlan, site: Site, criteria: Criteria
) -> float | None:
    """Return the maximum water temperature for which the in-row coolers fit their racks.

    None if they fit at the default temperature, or if rack air flow requires more coolers
    at any. Sized like the design, with 10 % for hall heat not from
    racks; if that heat requires more coolers for its air flow, these apply.
    """
    usual_c, racks = chain.chilled_water.supply_c, sum(r.count for r in chain.racks if r.air_w > 0)
    air = supply_air_at(chain.crah.supply_air_c, chain.room_dew_point_c, site.pressure_pa, Quiet())
    heat_w = sum(rack.count * rack.air_w for rack in chain.racks) * plan.demand_factor
    heat_w *= plan.diversity * (1.0 + criteria.growth) * chain.crah.sizing_factor
    of_racks, heat = (
        HeatLoad(heat_w, 0.0, other * heat_w, 0.0, 0.0, 0.0, 0.0)
        for other in (0.0, _OTHER_HALL_HEAT)
    )
    limit = MAX_COOLERS_PER_RACK * racks
    if not racks or units_for_air(chain, of_racks, air) > limit:
        return None
    limit = max(limit, units_for_air(chain, heat, air))

    def fits(water_c: float) -> bool:
        water = replace(chain.chilled_water, supply_c=water_c)
        film = film_of(water.fluid, water_c + 0.5 * water.rise_k, "plant.chw.film", Trace())
        colder = replace(chain, chilled_water=water, crah=replace(chain.crah, water_film=film))
        try:
            return size_crah(colder, heat, air, NO_FLOOR).duty <= limit
        except FacilityError:
            return False

    steps = range(math.floor((usual_c - COLDEST_WATER_C) / _WATER_STEP_K) + 1)
    waters = (usual_c - step * _WATER_STEP_K for step in steps)
    found_c = next((water_c for water_c in waters if fits(water_c)), None)
    return found_c if found_c != usual_c else None


def _resolved(
    section: CoolingSection,
    plan: ItPlan,
    at: tuple[Site, Criteria],
    rows_c: float | None,
    trace: Trace,
) -> CoolingChain:
    """Return the chain; with in-row coolers the water is no warmer than `rows_c`."""
    (site, criteria), method = at, _method(section, plan, trace)
    read = Reader(section, "cooling", trace)
    recirculation_k = read("outdoor_recirculation")
    row, moistest_c = _recommended(criteria), read.si("room_dew_point")
    if moistest_c is None:
        moistest_c = row.si("dp_max_c")
    inlets_c = (criteria.air_recommended_min_c, criteria.air_recommended_max_c)
    own = (device.inlet_max_c for _, device, _, _ in devices_of(plan) if device.inlet_max_c)
    allowed_c = min([criteria.air_allowable_max_c, *own])
    driest_c = row.si_or_none("dp_min_c")
    room = RoomConditions(moistest_c, site.pressure_pa, *inlets_c, allowed_c, driest_c)
    crah, air = resolve_crah(section, plan, method == "air", room, trace)
    dew_point_c = _room_dew_point(read, criteria, crah.supply_air_c, site.pressure_pa)
    # Halls with CRACs have no water: no default of its loops is recorded.
    of_water = trace if method != "air" or crah.path.refrigerant is None else Trace()
    pumps_on_ups = on_ups(section.on_ups, "water_pumps", True, _PUMPS_ON_UPS, DERIVED, of_water)
    plant = section.plant or PlantSection.unstated()
    hydraulics = resolve_hydraulics(section.hydraulics, plan, crah.spares, criteria.goal, of_water)
    conditions: _Conditions = (site, criteria, None, recirculation_k)
    liquid_c = _water_for_liquid(section, plan, conditions, hydraulics, method)
    limits = (
        (liquid_c, "for the facility water downstream of its exchanger"),
        (rows_c, f"so that {MAX_COOLERS_PER_RACK:g} in-row coolers per rack are sufficient"),
    )
    colder = min(((c, words) for c, words in limits if c is not None), default=None)
    heat_w = _chilled_heat(plan, crah, air, criteria, liquid_c is not None)
    hot_c = site.design.dry_bulb_c + recirculation_k
    chilled = resolve_chilled_water(plant, crah, pumps_on_ups, site, colder, heat_w, hot_c, trace)
    # Halls with CRACs have no water: their pumps are coolant pumps.
    if chilled.direct:
        pumps = chilled.pumps_on_ups and method != "air"
        compressors = on_ups(
            section.on_ups, "crac_compressors", True, _COMPRESSORS_ON_UPS, DERIVED, trace
        )
        chilled = replace(chilled, compressors_on_ups=compressors, pumps_on_ups=pumps)
    crah = cracs_at_site(crah, chilled.chiller.model, hot_c, site.elevation_m, trace)
    chilled, crah = with_glycol(chilled, crah, plant.chiller, trace)
    chilled = with_pumping(chilled, plant.pumping or PumpingSection.unstated(), trace)
    humidity = (row, *_dampest(row, crah.supply_air_c, site.pressure_pa))
    economizer, chilled = resolve_economizer(
        section.economizer or EconomizerSection.unstated(),
        chilled,
        crah.path.terminal,
        humidity,
        trace,
    )
    cdu, water, liquid = None, None, None
    if method != "air":
        conditions = (site, criteria, None if chilled.direct else chilled.supply_c, recirculation_k)
        cdu, water, liquid = _liquid_loops(section, plan, conditions, hydraulics, trace)
    _refuse_freezing(chilled, cdu, water)
    return CoolingChain(
        method=method, crah=crah, cdu=cdu, facility_water=water, chilled_water=chilled,
        racks=_racks(section, air, (crah.supply_air_c, dew_point_c, site.pressure_pa)),
        room_dew_point_c=dew_point_c, recirculation_k=recirculation_k, hydraulics=hydraulics,
        liquid=liquid, economizer=economizer, storage=_storage(section, site, chilled, trace),
    )  # fmt: skip


def _chilled_heat(
    plan: ItPlan, crah: CrahPlan, air: ItAir, criteria: Criteria, liquid: bool
) -> float:
    """Return the estimated heat of the chilled water, with growth; `liquid`: of the CDUs too.

    10 % above the heat of the racks, for the losses, lights and people in the halls.
    """
    heat_w = sum(rack.rack.count * rack.heat_w for rack in air.racks)
    heat_w *= crah.sizing_factor * (1.0 + _OTHER_HALL_HEAT)
    if liquid:
        heat_w += sum(rack.count * rack.liquid_w for rack in plan.racks)
    return heat_w * plan.demand_factor * plan.diversity * (1.0 + criteria.growth)


def _water_for_liquid(
    section: CoolingSection,
    plan: ItPlan,
    conditions: _Conditions,
    pipes: HydraulicsPlan,
    method: Method,
) -> float | None:
    """Return the chilled water required by the facility water; None if not required."""
    if method == "air":
        return None
    site, criteria, _, warmer_k = conditions
    any_chilled = (site, criteria, -math.inf, warmer_k)
    water = resolve_liquid(section, plan, *any_chilled, pipes, Trace())[1]
    if water.source != "chilled_water" and not water.trim:
        return None
    stated = section.facility_water or FacilityWaterSection.unstated()
    return water.supply_c - Reader(stated, "cooling.facility_water", Trace())("exchanger_approach")


def _refuse_freezing(
    chilled: ChilledWaterPlan, cdu: CduPlan | None, water: FacilityWaterPlan | None
) -> None:
    """Reject loops with freezing coolant; in chillers, at the evaporator plates."""
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


def _storage(
    section: CoolingSection, site: Site, chilled: ChilledWaterPlan, trace: Trace
) -> StoragePlan | None:
    """Return the storage tank controlled by the tariff; reject tanks without chilled water."""
    buffer = section.thermal and section.thermal.chilled_water_tank
    if chilled.direct and (buffer is not None or section.storage is not None):
        tank = "storage" if buffer is None else "thermal.chilled_water_tank"
        raise FacilityError(
            "AIR_CONTRADICTION",
            f"cooling.{tank}",
            "CRACs have no chilled water to store.",
            "Omit it, or select another cooling.air.terminal.",
        )
    if section.storage is None:
        return None
    if site.tariff is None or not site.tariff.by_hours:
        raise FacilityError(
            "STORAGE_TARIFF",
            "cooling.storage",
            "neither energy nor demand is priced by hours or days: no basis for tank "
            "charging, and peak shaving under a single demand price is not supported.",
            "Enter site.tariff with energy or demand priced by hours, or omit the tank.",
        )
    read = Reader(section.storage, "cooling.storage", trace)
    return StoragePlan(*(read(name) for name in ("volume", "usable", "gain", "reserve")))


def _liquid_loops(
    section: CoolingSection,
    plan: ItPlan,
    conditions: _Conditions,
    hydraulics: HydraulicsPlan,
    trace: Trace,
) -> tuple[CduPlan, FacilityWaterPlan, LiquidPlan]:
    """Return CDUs, facility water, liquid path; the CDU selected by mounting or count."""
    criteria, pipes = conditions[1], hydraulics
    if requires_selection(section):
        first = resolve_liquid(section, plan, *conditions, pipes, Trace())
        section = with_cdu(section, plan, criteria, hydraulics, first, trace)
    else:
        usual = resolve_liquid(section, plan, *conditions, pipes, Trace())
        section = with_min_plate_flow(section, plan, conditions, hydraulics, usual, trace)
    cdu, water = resolve_liquid(section, plan, *conditions, pipes, trace)
    if requires_selection(section):
        cdu = scaled_to_count((cdu, water), plan, criteria, trace)
    given = section.liquid or LiquidPathSection.unstated()
    return cdu, water, resolve_liquid_path(given, plan, cdu, hydraulics.components, trace)


def _method(section: CoolingSection, plan: ItPlan, trace: Trace) -> Method:
    liquid = any(device.liquid_fraction > 0.0 for _, device, _, _ in devices_of(plan))
    if section.method is None:
        words = "the equipment rejects heat to coolant" if liquid else "the equipment is air-cooled"
        method: Method = "hybrid" if liquid else "air"
        trace.ledger.add_text("cooling.method", method, words, UNSTATED)
        return method
    if section.method != "air" and not liquid:
        raise FacilityError(
            "NO_LIQUID_RACKS",
            "cooling.method",
            f"method is {section.method!r}, but no equipment rejects heat to coolant.",
            "Set the method to air, or select liquid-cooled equipment.",
        )
    return section.method


def _room_dew_point(read: Reader, criteria: Criteria, supply_c: float, pressure_pa: float) -> float:
    """Return the dew point of the halls: limited by saturation of the supply air.

    By default it is the maximum recommended by the class: of dew point, and of relative
    humidity of the supply air, the minimum equipment inlet.

    Raises ``COOLING_CONTRADICTION`` where a stated one is above the supply air.
    """
    row = _recommended(criteria)
    max_c, words = _dampest(row, supply_c, pressure_pa)
    dew_point_c = read("room_dew_point", max_c, words, row.cite("dp_max_c"))
    if dew_point_c > supply_c:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            "cooling.room_dew_point",
            f"{supply_c:.1f} degC supply air (cooling.supply_air) is below the dew point of "
            f"{dew_point_c:.1f} degC.",
            "Lower the room dew point, or raise the supply air temperature.",
        )
    return dew_point_c


def _dampest(row: Row, supply_c: float, pressure_pa: float) -> tuple[float, str]:
    """Return the maximum recommended dew point of supply air, and why it differs from the row."""
    max_c, dampest = row.si("dp_max_c"), row.si_or_none("rh_max_pct")
    if dampest is not None:
        ratio = humidity_ratio.si(supply_c, dampest, pressure_pa)
        humid_c = math.floor(10.0 * float(dew_point.si(ratio, pressure_pa))) / 10.0
        if humid_c < max_c:
            return humid_c, f"maximum recommended humidity, {dampest:.0%} of supply air"
    return max_c, ""


def _recommended(criteria: Criteria) -> Row:
    group = "H1" if criteria.air_class == "H1" else "A1-A4"
    return table("cooling/ashrae_air_classes").get((group, "recommended", "2021"))


def _racks(
    section: CoolingSection, air: ItAir, supply: tuple[float, float, float]
) -> tuple[RackAir, ...]:
    """Return the racks in the supply air of a temperature, a dew point and a pressure."""
    inlet, stated = InletAir.at(*supply), section.server_delta_t is not None

    def flow(rack: RackRise) -> float:
        site = inlet.air.volume_m3_kg, inlet.air.specific_heat_j_kgk
        return float(air_flow_for_heat.si(rack.heat_w, rack.rise_k, *site))

    def drawn(rack: RackRise) -> float | None:
        published = drawn_by(rack.rack) if stated else None
        return None if published is None else min(published * inlet.volume_ratio, rack.max_m3_s)

    return tuple(
        RackAir(
            name=rack.rack.name, count=rack.rack.count, air_w=rack.heat_w, airflow_m3_s=flow(rack),
            hall=rack.rack.hall, rise_k=rack.rise_k, drawn_m3_s=drawn(rack),
            standard_m3_s=flow(rack) / inlet.volume_ratio,
            sea_level_m3_s=rack.sea_level_m3_s, max_m3_s=rack.max_m3_s, fans_w=rack.fans_w,
        )
        for rack in air.racks
    )  # fmt: skip
