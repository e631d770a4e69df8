"""CDUs and facility water, resolved with their named defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from facility.catalogue import Row, table
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling_chain import CduPlan, FacilityWaterPlan
from facility.model.cooling_units import CduUnit, Fluid, WaterSource
from facility.model.facility import Criteria, Site
from facility.model.it import ItPlan
from facility.model.project.cooling import (
    CduSection,
    CoolingSection,
    FacilityWaterSection,
    RejectionSection,
)
from facility.physics.coolant import coolant_flow_for_heat, coolant_temperature_rise, tabulated
from facility.physics.tower import yorkcalc_approach
from facility.study.resolve_cooling_it import CoolantNeed, coolant_need, devices_of
from facility.study.resolve_cooling_parts import (
    curve,
    on_ups,
    resolve_condenser_pump,
    resolve_fluid,
    resolve_pump,
    resolve_spares,
    sizing_factor,
)
from facility.study.resolve_cooling_sink import resolve_sink
from facility.study.resolve_criteria import given_or_assumed

_DEFAULT_CDU = "XDU1350"
_RATED_SUPPLY_C = 32.0
_RISE_K = 10.0
_DESIGN_LIQUID = 0.90
_EXCHANGER_APPROACH_K = 3.0 / 1.8
_LEAST_DRY_APPROACH_K = 3.0
_OCP = Source("ocp-coolant-guidance", "1.5 L/min per kW at 10 K", "", "secondary")
_LENOVO = Source("lenovo-lp2357", "90 % to liquid, 10 % to air", "", "secondary")
_CDU_RECORD = Source("modelica-buildings-cdu")
_DCPRO = Source("lbnl-dcpro-manual", "WSE HX approach 3 F", "", "secondary")
_PLANT = Source("modelica-buildings-plant", "every exchanger 3 K", "", "secondary")
_PRACTICE = Source("memory-cooling-practice", verified="memory")


@dataclass(frozen=True)
class _Loops:
    """Temperatures of the two loops and the coolant flow."""

    tcs_c: float
    fws_c: float
    flow_m3_s: float
    need: CoolantNeed
    fluid: Fluid

    @property
    def rise_k(self) -> float:
        """Rise of the coolant at the IT load."""
        return float(
            coolant_temperature_rise.si(self.need.liquid_w, self.flow_m3_s, **_mean(self, 0.0))
        )


def resolve_liquid(
    section: CoolingSection, plan: ItPlan, site: Site, criteria: Criteria, chilled_c: float,
    recirculation_k: float, trace: Trace,
) -> tuple[CduPlan, FacilityWaterPlan]:  # fmt: skip
    """Return the CDUs and their facility water.

    Parameters
    ----------
    section : CoolingSection
        What the project says.
    plan : ItPlan
        The equipment.
    site, criteria : Site, Criteria
        Design weather; class of the facility water.
    chilled_c : float
        Chilled water, where the plant cools the facility water.
    recirculation_k : float
        Rise of the air that heat rejection takes in.
    trace : Trace
        Where givens and assumptions go.
    """
    cdu = section.cdu or CduSection()
    water = section.facility_water or FacilityWaterSection()
    fluid = resolve_fluid(
        cdu.fluid, "cooling.cdu.fluid", "PG25", "coolant of the racks: propylene glycol 25 %", trace
    )
    unit = _unit(cdu, fluid, trace)
    loops = _loops(cdu, water, unit, plan, criteria, fluid, trace)
    facility_water = _facility_water(water, loops, site, chilled_c, recirculation_k, trace)
    factor = sizing_factor(plan, cdu.design_fraction, "liquid", _DESIGN_LIQUID, _LENOVO, trace)
    need = loops.need
    cdus = CduPlan(
        unit=unit, count=cdu.count,
        spares=resolve_spares(cdu.redundancy, "cooling.cdu.redundancy", "among the CDUs", trace),
        fluid=fluid, tcs_supply_c=loops.tcs_c, tcs_supply_max_c=need.supply_max_c,
        tcs_flow_m3_s=loops.flow_m3_s, rack_flow_m3_s=need.flow_m3_s, sizing_factor=factor,
        pump_curve=curve("pump", "VSD no DP reset", ""),
        on_ups=on_ups(
            section.on_ups, "cdu_pumps", True,
            "with the pumps off cold plates reach their limit within seconds", _PRACTICE, trace,
        ),
    )  # fmt: skip
    return cdus, facility_water


def _unit(section: CduSection, fluid: Fluid, trace: Trace) -> CduUnit:
    water = resolve_fluid(None, "cooling.cdu.rating_water", "water", "at the rating", trace)
    if section.rating is not None:
        rating = section.rating
        tcs_flow = rating.tcs_flow.si
        fws_flow = _primary(rating.fws_flow.si if rating.fws_flow else None, tcs_flow, trace)
        pump_w = rating.pump_power.si if rating.pump_power is not None else None
        return CduUnit(
            rating.model or "CDU as given", rating.capacity.si, rating.approach.si, tcs_flow,
            fws_flow, fluid, water, _RATED_SUPPLY_C, _pump_w(pump_w, tcs_flow, trace), PROJECT,
            False, rating.head.si if rating.head is not None else None,
        )  # fmt: skip
    cdus = table("equipment/cdu")
    if section.model is not None:
        row = cdus.get(section.model, "cooling.cdu.model")
    else:
        row = cdus.get(_DEFAULT_CDU)
        trace.ledger.add_text(
            "cooling.cdu.model", _DEFAULT_CDU,
            "rated with flow and approach; N+1 pumps inside", row.cite("capacity_kw"),
        )  # fmt: skip
    return catalogue_unit(row, fluid, water, trace)


def catalogue_unit(row: Row, fluid: Fluid, water: Fluid, trace: Trace) -> CduUnit:
    """Return a CDU of the catalogue at its rating, with `fluid` as the coolant.

    Raises
    ------
    FacilityError
        ``CDU_TO_AIR`` for a unit that heats the room, ``UNKNOWN_VALUE`` for a row without
        capacity, approach or flow.
    """
    if str(row["rejects_to"]) != "water":
        raise FacilityError(
            "CDU_TO_AIR", "cooling.cdu.model",
            f"{row['model']!s} gives its heat to the room air, not to facility water.",
            "Choose a liquid-to-liquid CDU.",
        )  # fmt: skip
    give = "cooling.cdu.rating"
    tcs_flow = row.si("secondary_flow_l_min", give)
    columns = ("capacity_kw", "atd_k", "secondary_flow_l_min")
    unit = CduUnit(
        str(row["model"]), row.si("capacity_kw", give), row.si("atd_k", give), tcs_flow,
        _primary(row.si_or_none("primary_flow_l_min"), tcs_flow, trace), fluid, water,
        _RATED_SUPPLY_C, _pump_w(row.si_or_none("pump_input_kw"), tcs_flow, trace),
        row.cite("capacity_kw"), any(row.is_memory(c) for c in columns),
        row.si_or_none("external_head_kpa"),
    )  # fmt: skip
    trace.given("cooling.cdu.rating.capacity", unit.capacity_w, "heat_flow", unit.source)
    trace.given(
        "cooling.cdu.rating.approach", unit.approach_k, "temperature_difference", unit.source
    )
    trace.given("cooling.cdu.rating.tcs_flow", tcs_flow, "liquid_flow", unit.source)
    return unit


def _primary(given: float | None, tcs_flow: float, trace: Trace) -> float:
    if given is not None:
        return given
    return trace.assume(
        "cooling.cdu.rating.fws_flow", tcs_flow, "liquid_flow",
        "facility water at the rating as large as the coolant flow", _CDU_RECORD,
    )  # fmt: skip


def _pump_w(given: float | None, tcs_flow: float, trace: Trace) -> float:
    if given is not None:
        return given
    row = table("equipment/pumps").get(("system benchmark", "CDU pump power XDU1350"))
    specific = float(row.require("w_per_l_s")) * 1e3
    return trace.assume(
        "cooling.cdu.rating.pump_power", specific * tcs_flow, "active_power",
        f"{specific / 1e3:g} W for each L/s, as the XDU1350", row.cite("w_per_l_s"),
    )  # fmt: skip


def _loops(
    cdu: CduSection, water: FacilityWaterSection, unit: CduUnit, plan: ItPlan, criteria: Criteria,
    fluid: Fluid, trace: Trace,
) -> _Loops:  # fmt: skip
    limits = [d.tcs_supply_max_c for _, d, _, _ in devices_of(plan) if d.tcs_supply_max_c]
    highest_c = criteria.liquid_supply_max_c
    if cdu.tcs_supply is not None:
        highest_c = min(highest_c, cdu.tcs_supply.si - unit.approach_k)
    elif limits:
        highest_c = min(highest_c, min(limits) - unit.approach_k)
    fws_c = given_or_assumed(
        trace, "cooling.facility_water.supply", water.supply, highest_c, "temperature",
        f"highest that class {criteria.liquid_class} and the coolant allow", DERIVED,
    )  # fmt: skip
    tcs_c = given_or_assumed(
        trace, "cooling.cdu.tcs_supply", cdu.tcs_supply, fws_c + unit.approach_k, "temperature",
        f"facility water and the rated approach of {unit.model}", DERIVED,
    )  # fmt: skip
    if tcs_c <= fws_c:
        raise FacilityError(
            "COOLING_CONTRADICTION", "cooling.cdu.tcs_supply",
            f"the coolant ({tcs_c:g} degC) is not warmer than the facility water ({fws_c:g}).",
            "Raise tcs_supply, or lower facility_water.supply.",
        )  # fmt: skip
    need = coolant_need(plan, tcs_c, trace)
    loops = _Loops(tcs_c, fws_c, 0.0, need, fluid)
    return replace(loops, flow_m3_s=_coolant_flow(cdu, loops, trace))


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
    id, need = "cooling.cdu.tcs_flow", loops.need
    if cdu.tcs_flow is not None:
        return trace.given(id, cdu.tcs_flow.si, "liquid_flow", PROJECT)
    if cdu.tcs_delta_t is not None:
        rise_k = trace.given(
            "cooling.cdu.tcs_delta_t", cdu.tcs_delta_t.si, "temperature_difference", PROJECT
        )
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
    return trace.choose(id, known + float(balance), "liquid_flow", because, DERIVED)


def _facility_water(
    section: FacilityWaterSection, loops: _Loops, site: Site, chilled_c: float,
    recirculation_k: float, trace: Trace,
) -> FacilityWaterPlan:  # fmt: skip
    rise_k = section.delta_t.si if section.delta_t is not None else None
    approach_k = trace.assume(
        "cooling.facility_water.exchanger_approach", _EXCHANGER_APPROACH_K,
        "temperature_difference",
        "plate exchanger between facility water and tower or chilled water", _DCPRO,
    )  # fmt: skip
    source = section.source or _source(
        loops, rise_k or loops.rise_k, approach_k, site, recirculation_k, trace
    )
    if source == "chilled_water" and loops.fws_c < chilled_c + approach_k:
        raise FacilityError(
            "COOLING_CONTRADICTION", "cooling.facility_water.supply",
            f"{loops.fws_c:.1f} degC facility water cannot be made from {chilled_c:.1f} degC "
            f"chilled water across an exchanger of {approach_k:.1f} K.",
            "Lower cooling.plant.chilled_water_supply to "
            f"{math.floor(10.0 * (loops.fws_c - approach_k)) / 10.0:g} degC, or choose warmer "
            "facility water or a warmer liquid class.",
        )  # fmt: skip
    name = "PG25" if source == "dry_cooler" else "water"
    fluid = resolve_fluid(
        section.fluid, "cooling.facility_water.fluid", name,
        "glycol where the loop goes outdoors", trace,
    )  # fmt: skip
    id, rejection = "cooling.facility_water.rejection", section.rejection or RejectionSection()
    sink = None
    if source == "tower":
        tower_water = resolve_fluid(None, f"{id}.fluid", "water", "open tower loop", trace)
        pump = resolve_condenser_pump(rejection.pump, f"{id}.pump", trace)
        sink = resolve_sink("tower", rejection, id, tower_water, pump, trace)
    elif source == "dry_cooler":
        sink = resolve_sink("dry_cooler", rejection, id, fluid, None, trace)
    return FacilityWaterPlan(
        source=source, supply_c=loops.fws_c, rise_k=rise_k, fluid=fluid,
        pump=resolve_pump(section.pump, "cooling.facility_water.pump", trace), sink=sink,
        exchanger_approach_k=0.0 if source == "dry_cooler" else approach_k,
    )  # fmt: skip


def _source(
    loops: _Loops, rise_k: float, approach_k: float, site: Site, recirculation_k: float,
    trace: Trace,
) -> WaterSource:  # fmt: skip
    """Return the simplest heat rejection that holds the facility water at the design weather."""
    dry_c = site.design.dry_bulb_c + recirculation_k
    wet_c = site.design.wet_bulb_c + recirculation_k
    tower_c = wet_c + float(yorkcalc_approach.si(wet_c, rise_k, 1.0, 1.0)) + approach_k
    source: WaterSource
    if dry_c + _LEAST_DRY_APPROACH_K <= loops.fws_c:
        source, words = "dry_cooler", f"{dry_c:.1f} degC air at design leaves 3 K"
    elif tower_c <= loops.fws_c:
        source = "tower"
        words = f"air at design is too warm ({dry_c:.1f} degC); towers make {tower_c:.1f} degC"
    else:
        source = "chilled_water"
        words = f"neither air ({dry_c:.1f} degC) nor towers ({tower_c:.1f} degC) reach it"
    trace.ledger.add_text(
        "cooling.facility_water.source", source, f"{loops.fws_c:.1f} degC wanted: {words}", _PLANT
    )
    return source
