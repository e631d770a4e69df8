"""The facility water of the CDUs: its pumps, and where it is cooled."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.cdu import CduDesign
from facility.cooling.pumping import LoopPump
from facility.cooling.rejection import Rejection, reject, sink_water
from facility.cooling.sinks import Sink, size_sink
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling_chain import FacilityWaterPlan
from facility.model.facility import Weather
from facility.physics.coolant import coolant_flow_for_heat, coolant_temperature_rise
from facility.physics.roots import root_between

SINK_WHERE = "cooling.facility_water.source"


@dataclass(frozen=True)
class FacilityWater:
    """The facility-water loop designed, for the CDUs' heat `design_w` at its design rise.

    `sink` is None where the chilled-water plant cools it.
    """

    plan: FacilityWaterPlan
    cdus: CduDesign
    pump: LoopPump
    design_w: float
    rise_k: float
    sink: Sink | None


@dataclass(frozen=True)
class FacilityWaterState:
    """The facility-water loop at work; `heat_w` is what it gives away, pumps included."""

    flow_m3_s: float
    pumps_w: float
    heat_w: float
    supply_c: float
    return_c: float
    rejection: Rejection | None


def size_facility_water(
    plan: FacilityWaterPlan, cdus: CduDesign, weather: Weather, recirculation_k: float, floor: int
) -> FacilityWater:
    """Return the loop that takes the CDUs' sizing heat and that of all their pumps."""
    design_w = cdus.design_w + cdus.installed * cdus.plan.unit.pump_w
    flow = cdus.fws_flow_m3_s
    rise_k = float(coolant_temperature_rise.si(design_w, flow, **cdus.fws.properties))
    pump = LoopPump.sized(plan.pump, flow)
    sink = None
    if plan.sink is not None:
        heat_w = design_w + pump.power_w
        leaving_c, range_k = plan.supply_c - plan.exchanger_approach_k, rise_k * heat_w / design_w
        sink = size_sink(
            plan.sink, heat_w, leaving_c, range_k, weather, recirculation_k, floor, SINK_WHERE
        )
    return FacilityWater(plan, cdus, pump, design_w, rise_k, sink)


def facility_water_at(
    design: FacilityWater, weather: Weather, recirculation_k: float, trace: Trace
) -> FacilityWaterState:
    """Return the loop at work on the heat of the step ``heat.cdu``.

    The valves of the CDUs let its flow follow the heat, as far as the coolant stays cold enough.
    """
    plan = design.plan
    flow = trace.do(
        "fws.flow", coolant_flow_for_heat, heat_w="heat.cdu",
        rise_k=_rise(design, trace.value("heat.cdu")), **design.cdus.fws.properties,
    )  # fmt: skip
    pumps_w = design.pump.power_at("fws", float(flow), trace)
    heat_w = trace.sum(
        "heat.facility_water", "heat_flow", "the pumps' power is heat in the water", "heat.cdu",
        "fws.pump_power",
    )  # fmt: skip
    range_k = trace.do(
        "fws.range", coolant_temperature_rise, heat_w="heat.facility_water", flow_m3_s="fws.flow",
        **design.cdus.fws.properties,
    )  # fmt: skip
    supply_c, rejection = plan.supply_c, None
    if design.sink is not None:
        approach_k = plan.exchanger_approach_k
        water = sink_water(
            design.sink, "fws.rejection", float(range_k), plan.supply_c - approach_k, weather,
            recirculation_k, trace,
        )  # fmt: skip
        supply_c = water.leaving_c + approach_k
        rejection = reject(
            design.sink, "fws.rejection", "heat.facility_water", float(range_k), water, trace
        )
    trace.given("fws.supply", supply_c, "temperature", DERIVED, "what the heat rejection makes")
    return_c = supply_c + float(range_k)
    return FacilityWaterState(float(flow), pumps_w, heat_w, supply_c, return_c, rejection)


def _rise(design: FacilityWater, heat_w: float) -> float:
    """Return the rise of the facility water across the CDUs: that of the design, or less.

    The coolant keeps its flow, so that its own rise falls with the heat. At the rise of the
    design the water would then leave warmer than the coolant that enters: the valves open, up to
    the design flow, until the approach of the exchangers leaves the coolant at its supply.
    """
    cdus = design.cdus
    available_k = cdus.plan.tcs_supply_c - design.plan.supply_c

    def lacking(rise_k: float) -> float:
        flow = heat_w / cdus.fws.rate_w_k(rise_k)
        needed_k = cdus.approach_with(cdus.installed, heat_w, cdus.plan.tcs_flow_m3_s, flow)
        return needed_k - available_k

    least_k = heat_w / cdus.fws.rate_w_k(cdus.fws_flow_m3_s)
    if lacking(design.rise_k) <= 0.0 or least_k >= design.rise_k:
        return design.rise_k
    return least_k if lacking(least_k) >= 0.0 else root_between(lacking, least_k, design.rise_k)
