"""The facility water of the CDUs: pumps and heat sink."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.cooling.choices import FacilityWaterChoice
from facility.cooling.loops.layout import facility_water_loop
from facility.cooling.loops.loop import LoopRow
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.parts.pumping import LoopPump
from facility.cooling.plant.rejection import Rejection, coldest_water, reject, sink_water
from facility.cooling.plant.sinks import Sink, design_leaving, size_sink
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.chain import FacilityWaterPlan, SinkPlan
from facility.model.cooling.plant import HeatReusePlan
from facility.model.cooling.units import HydraulicsPlan
from facility.model.facility import Weather
from facility.physics.elementwise import cached_calls, crossing, maximum, minimum, plain, where
from facility.physics.facility.house import share_of_load
from facility.physics.liquids.coolant import coolant_flow_for_heat, coolant_temperature_rise

_FIELD_AND_LOOP = "cooling.facility_water.source", "fws_tower"
"""Field of the heat rejection, and the name of its loop."""
_MIN_RANGE = 0.1
"""Share of the range below which heat rejection upstream of chilled water does not run."""


@dataclass(frozen=True)
class FacilityWater:
    """The facility-water loop designed, for the CDUs' heat `design_w` at its design rise.

    `sink` is None if the chilled-water plant cools it; `chilled_w` is the heat removed by the plant
    at design weather, in full or after the heat rejection. `tower_part` is the
    range of the tower water over the facility water rise.
    """

    plan: FacilityWaterPlan
    cdus: CduDesign
    loop: LoopRow
    pump: LoopPump
    design_w: float
    rise_k: float
    sink: Sink | None
    chilled_w: float
    tower_part: float = 1.0

    def with_inputs(
        self,
        plan: FacilityWaterPlan,
        cdus: CduDesign,
        weather: Weather,
        recirculation_k: float,
        pipes: HydraulicsPlan,
    ) -> FacilityWater:
        """Return the loop under other inputs: flows, pipes and heat rejection are unchanged.

        Its rise is as stated, in proportion to the design rise.
        """
        stated_k, was_k = plan.rise_k, self.plan.rise_k
        rise_k = self.rise_k * (
            stated_k / was_k if stated_k is not None and was_k is not None else 1.0
        )
        loop = facility_water_loop(plan, cdus, rise_k, pipes).with_pipes_of(self.loop)
        pump = LoopPump.sized(plan.pump, self.pump.flow_m3_s, loop.pump_head_pa)
        found = replace(self, plan=plan, cdus=cdus, loop=loop, pump=pump, rise_k=rise_k)
        if self.sink is None or plan.sink is None:
            return found
        range_k = rise_k * (self.design_w + self.pump.power_w) / self.design_w
        leaving_c, part = _tower_water(plan, plan.sink, range_k, weather, recirculation_k)
        sink = self.sink.with_inputs(
            plan.sink, leaving_c, part * range_k, (*_FIELD_AND_LOOP, pipes)
        )
        return replace(found, sink=sink, tower_part=part)

    @property
    def choice(self) -> FacilityWaterChoice:
        """Heat sink, supply, rise and fluid."""
        plan, sink = self.plan, self.sink
        return FacilityWaterChoice(
            f"{plan.source}_and_chiller" if plan.trim else plan.source,
            plan.supply_c,
            plan.rise_k,
            plan.fluid.name,
            None if sink is None else sink.choice,
        )


@dataclass(frozen=True)
class WaterNeed:
    """Facility water heat at sizing, and the resulting temperature rise.

    `design_w` is the heat of the CDUs with pumps, `heat_w` also with the loop pumps;
    `rise_k` and `range_k` are the corresponding temperature rises.
    """

    loop: LoopRow
    pump: LoopPump
    design_w: float
    heat_w: float
    rise_k: float
    range_k: float


def water_need(plan: FacilityWaterPlan, cdus: CduDesign, pipes: HydraulicsPlan) -> WaterNeed:
    """Return heat and range of the facility water at CDU sizing heat.

    plan, cdus: The loop, and the units on it. All units or duty units run; the larger pump
        power applies.
    """
    running = (cdus.installed, max(min(cdus.duty, cdus.installed), 1))
    design_w, flow = max(cdus.sizing_heat(units) for units in running), cdus.fws_flow_m3_s
    rise_k = float(coolant_temperature_rise.si(design_w, flow, **cdus.fws.properties))
    loop = facility_water_loop(plan, cdus, rise_k, pipes)
    pump = LoopPump.sized(plan.pump, flow, loop.pump_head_pa)
    heat_w = design_w + pump.power_w
    return WaterNeed(loop, pump, design_w, heat_w, rise_k, rise_k * heat_w / design_w)


@dataclass(frozen=True)
class FacilityWaterState:
    """The facility-water loop in operation.

    `heat_w` is its heat including pumps, `chilled_w` the part removed by chilled water.
    """

    flow_m3_s: float
    pumps_w: float
    heat_w: float
    chilled_w: float
    supply_c: float
    return_c: float
    rejection: Rejection | None


def size_facility_water(
    plan: FacilityWaterPlan,
    cdus: CduDesign,
    weather: Weather,
    recirculation_k: float,
    floor: int,
    pipes: HydraulicsPlan,
) -> FacilityWater:
    """Return the loop for the CDU sizing heat and all pump heat."""
    need = water_need(plan, cdus, pipes)
    loop, pump, design_w, rise_k = need.loop, need.pump, need.design_w, need.rise_k
    heat_w, range_k = need.heat_w, need.range_k
    if plan.sink is None:
        return FacilityWater(plan, cdus, loop, pump, design_w, rise_k, None, heat_w)
    leaving_c, part = _tower_water(plan, plan.sink, range_k, weather, recirculation_k)
    sink = size_sink(
        plan.sink,
        heat_w,
        leaving_c,
        part * range_k,
        weather,
        recirculation_k,
        floor,
        (*_FIELD_AND_LOOP, pipes),
    )
    water = FacilityWater(plan, cdus, loop, pump, design_w, rise_k, sink, 0.0, part)
    if not plan.trim:
        return water
    share = _left_to_chillers(water, sink, range_k, weather, recirculation_k)
    return replace(water, chilled_w=share * heat_w)


def _tower_water(
    plan: FacilityWaterPlan,
    sink: SinkPlan,
    range_k: float,
    weather: Weather,
    recirculation_k: float,
) -> tuple[float, float]:
    """Return the supply of the heat rejection at design, and its relative range.

    The relative range is its range over the facility water range, `range_k`.
    """
    leaving_c = plan.supply_c - plan.exchanger_approach_k
    if plan.trim and sink.kind == "dry_cooler":
        leaving_c = max(leaving_c, design_leaving(sink, range_k, weather, recirculation_k))
    return leaving_c, min(1.0, plan.tower_range_k / range_k)


@cached_calls
def _left_to_chillers(
    design: FacilityWater, sink: Sink, range_k: float, weather: Weather, recirculation_k: float
) -> float:
    """Return the share of the heat that exceeds the heat rejection at full fan speed.

    The return water is warmer than the supply by `range_k`. Heat rejection cools it by r, as
    limited by its approach at that smaller range: T_return - r = T_made(r). Chilled water
    provides the remaining cooling, 1 - r / R of the heat.
    """
    plan, part = design.plan, design.tower_part
    warm_c = plan.supply_c + range_k

    def short_k(taken_k: float) -> float:
        made_c = coldest_water(sink, part * taken_k, weather, recirculation_k)
        return made_c + plan.exchanger_approach_k - (warm_c - taken_k)

    min_k = _MIN_RANGE * range_k
    taken_k = crossing(short_k, min_k, range_k)
    return where(taken_k <= min_k, 1.0 + 0.0 * taken_k, 1.0 - taken_k / range_k)


def facility_water_at(
    design: FacilityWater,
    weather: Weather,
    recirculation_k: float,
    trace: Trace,
    reuse: HeatReusePlan | None = None,
) -> FacilityWaterState:
    """Return the loop in operation on the heat of the step ``heat.cdu``.

    The CDU valves modulate the flow with the heat, as long as the coolant supply is maintained.
    Heat of sufficiently warm water goes to the heat user, if any, instead of outdoors; the
    chilled-water share is unaffected.
    """
    plan = design.plan
    flow = trace.do(
        "fws.flow",
        coolant_flow_for_heat,
        heat_w="heat.cdu",
        rise_k=_rise(design, trace.value("heat.cdu")),
        **design.cdus.fws.properties,
    )
    pumps_w = design.pump.power_at("fws", plain(flow), trace)
    heat_w = trace.sum(
        "heat.facility_water",
        "heat_flow",
        "pump power is heat in the water",
        "heat.cdu",
        "fws.pump_power",
    )
    range_k = trace.do(
        "fws.range",
        coolant_temperature_rise,
        heat_w="heat.facility_water",
        flow_m3_s="fws.flow",
        **design.cdus.fws.properties,
    )
    supply_c, rejection, chilled_w = plan.supply_c, None, heat_w
    if design.sink is not None:
        supply_c, rejection, chilled_w = _rejected(
            design, design.sink, plain(range_k), weather, recirculation_k, trace, reuse
        )
    trace.given("fws.supply", supply_c, "temperature", DERIVED, "supply of the heat rejection")
    return_c = supply_c + plain(range_k)
    return FacilityWaterState(
        plain(flow), pumps_w, heat_w, chilled_w, supply_c, return_c, rejection
    )


def _rejected(
    design: FacilityWater,
    sink: Sink,
    range_k: float,
    weather: Weather,
    recirculation_k: float,
    trace: Trace,
    reuse: HeatReusePlan | None,
) -> tuple[float, Rejection | None, float]:
    """Return the achieved supply, the heat rejection in operation, and the chilled-water heat."""
    plan, heat, subject = design.plan, "heat.facility_water", "fws.rejection"
    chilled_w, warmed_k = 0.0, range_k
    if plan.trim:
        share = _left_to_chillers(design, sink, range_k, weather, recirculation_k)
        trace.choose(
            "fws.trim_share",
            share,
            "fraction",
            "heat remaining for chilled water with heat rejection at full fan speed",
            DERIVED,
        )
        chilled_w = plain(trace.do("heat.trim", share_of_load, load_w=heat, share="fws.trim_share"))
        if np.all(share >= 1.0):
            return plan.supply_c, None, chilled_w
        heat, range_k = "heat.fws_rejected", range_k * maximum(1.0 - share, _MIN_RANGE)
        trace.do(heat, share_of_load, "remainder", load_w="heat.facility_water", share=1.0 - share)
    range_k = design.tower_part * range_k
    water = sink_water(
        sink,
        subject,
        range_k,
        plan.supply_c - plan.exchanger_approach_k,
        weather,
        recirculation_k,
        trace,
    )
    made_c = water.leaving_c + plan.exchanger_approach_k
    supply_c = where(chilled_w > 0.0, plan.supply_c, made_c)
    rejection = reject(sink, subject, heat, range_k, water, trace, supply_c + warmed_k, reuse)
    return supply_c, rejection, chilled_w


@cached_calls
def _rise(design: FacilityWater, heat_w: float) -> float:
    """Return the rise of the facility water across the CDUs: the design rise, or less.

    Coolant flow is constant, so that its rise falls with the heat. At the facility water rise of
    the design, the leaving water would be warmer than the entering coolant: the valves open, up to
    design flow, until the exchanger approach maintains the coolant supply.
    """
    cdus = design.cdus
    available_k = cdus.plan.tcs_supply_c - design.plan.supply_c

    def shortfall(rise_k: float) -> float:
        flow = heat_w / cdus.fws.rate_w_k(rise_k)
        needed_k = cdus.approach_with(cdus.installed, heat_w, cdus.plan.tcs_flow_m3_s, flow)
        return needed_k - available_k

    min_k = heat_w / cdus.fws.rate_w_k(cdus.fws_flow_m3_s)
    if np.all((shortfall(design.rise_k) <= 0.0) | (min_k >= design.rise_k)):
        return design.rise_k
    return crossing(shortfall, minimum(min_k, design.rise_k), design.rise_k)
