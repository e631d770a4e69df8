"""Heat rejection in operation: leaving water, pumps and fans.

Cells, coolers and their pumps are staged with the load, so that each running unit has its design
flow and the loop maintains its range; fan speed is reduced to the supply set point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.cooling.plant.pads import PadAir, air_at_pads
from facility.cooling.plant.sinks import Sink
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.chain import SinkPlan
from facility.model.cooling.plant import HeatReusePlan
from facility.model.cooling.units import Pads
from facility.model.facility import Weather
from facility.physics.air.evaporative_cooling import evaporative_leaving_temperature
from facility.physics.elementwise import crossing, maximum, plain, where
from facility.physics.exchangers.dry_cooler import (
    dry_cooler_leaving_temperature,
    entering_air_temperature,
)
from facility.physics.liquids.coolant import coolant_flow_for_heat
from facility.physics.plant.fans_pumps import (
    heat_with_pump_work,
    part_load_power_ratio,
    pump_power,
    staged_fans_power,
)
from facility.physics.plant.tower.yorkcalc import (
    tower_leaving_temperature,
    yorkcalc_above,
    yorkcalc_air_ratio,
    yorkcalc_approach,
    yorkcalc_outside,
)

_MIN_W = 1e-9
"""Divisor replacing zero heat; the quotient is not used."""


@dataclass(frozen=True)
class CorrelationRange:
    """Whether a tower operates in the valid range of its correlation.

    `outside` lists inputs clipped to the range, except a wet bulb `above_k` over it: there the
    `approach_k` at the limit is conservative.
    """

    outside: tuple[str, ...]
    above_k: float
    approach_k: float


@dataclass(frozen=True)
class SinkWater:
    """Heat rejection supply in the weather.

    `leaving_c` is its leaving water, or the condenser air of air-cooled chillers, whose fans
    slow down to maintain the head-pressure set point; `correlation_range` is the range check of
    the tower correlation; `pads` is the air at the pads of dry coolers, None without any.
    """

    leaving_c: float
    air_ratio: float
    correlation_range: CorrelationRange | None = None
    pads: PadAir | None = None


@dataclass(frozen=True)
class Rejection:
    """Heat rejection in operation: water, heat rejected outdoors, flow and powers.

    Of the heat in the water, `whole_w` including pumps, `reused_w` goes to a heat user and
    `heat_w` to the outdoors. The pumps deliver the full flow, `flow_m3_s`; the heat user's
    exchanger is in parallel with the cells or coolers. `warm_c` is the entering water temperature.
    """

    water: SinkWater
    heat_w: float
    flow_m3_s: float
    pumps_w: float
    fans_w: float
    reused_w: float = 0.0
    warm_c: float = 0.0

    @property
    def whole_w(self) -> float:
        """Heat in the water, including pumps."""
        return self.heat_w + self.reused_w

    @property
    def cells_m3_s(self) -> float:
        """Flow through the running cells or coolers."""
        return self.flow_m3_s * (1.0 - self.reused_w / maximum(self.whole_w, _MIN_W))


def sink_water(
    sink: Sink,
    subject: str,
    range_k: float,
    setpoint_c: float,
    weather: Weather,
    recirculation_k: float,
    trace: Trace,
) -> SinkWater:
    """Return the heat rejection supply.

    sink, subject: Designed heat rejection, and the prefix of its results.
    range_k: Range of the water through it.
    setpoint_c: Leaving water required; the fans slow down to maintain it.
    weather, recirculation_k: Outdoor air, and its rise by discharge recirculation.
    """
    wet = sink.plan.kind == "tower"
    air_c = trace.do(
        f"{subject}.entering_air",
        entering_air_temperature,
        "wet bulb" if wet else "dry bulb",
        outdoor_c=weather.wet_bulb_c if wet else weather.dry_bulb_c,
        recirculation_k=recirculation_k,
    )
    if sink.plan.kind == "air_cooled":
        return SinkWater(maximum(plain(air_c), setpoint_c), 1.0)
    correlation_range, pads = None, None
    if wet:
        ratio, correlation_range = _tower(
            sink.plan, subject, plain(air_c), range_k, setpoint_c, trace
        )
    else:
        at = f"{subject}.entering_air"
        if sink.plan.pads is not None:
            site = weather, recirculation_k
            pads = _pads(sink, sink.plan.pads, subject, range_k, setpoint_c, site, trace)
            at = f"{subject}.coil_air"
        ratio = _dry(sink, subject, at, range_k, setpoint_c, weather.pressure_pa, trace)
    water_c = trace.choose(
        f"{subject}.water",
        maximum(trace.value(f"{subject}.leaving"), setpoint_c),
        "temperature",
        "a bypass maintains the minimum water set point",
        DERIVED,
        leaving=f"{subject}.leaving",
    )
    return SinkWater(water_c, ratio, correlation_range, pads)


def coldest_water(sink: Sink, range_k: float, weather: Weather, recirculation_k: float) -> float:
    """Return the water of towers or dry coolers at full fan speed and a range [degC]."""
    if sink.plan.kind == "tower":
        wet_c = weather.wet_bulb_c + recirculation_k
        return wet_c + plain(yorkcalc_approach.si(wet_c, range_k, sink.plan.water_ratio, 1.0))
    air_c = sink.coldest_air(weather, recirculation_k)
    effectiveness = sink.fluid_effectiveness(1.0, air_c, weather.pressure_pa)
    return plain(dry_cooler_leaving_temperature.si(air_c, range_k, effectiveness))


def reject(
    sink: Sink,
    subject: str,
    heat_id: str,
    range_k: float,
    water: SinkWater,
    trace: Trace,
    warm_c: float = 0.0,
    reuse: HeatReusePlan | None = None,
) -> Rejection:
    """Return flow and powers for rejecting the heat of the step `heat_id` with that water.

    The fans run for the cells or coolers remaining in operation after heat reuse.

    warm_c: Entering water temperature; ignored without a heat user.
    reuse: The heat user; None where no heat is reused, or disregarded in this weather.
    """
    if sink.plan.kind == "air_cooled":
        return Rejection(water, trace.value(heat_id), 0.0, 0.0, 0.0)
    whole_w, flow, pumps_w = _pumped(sink, subject, heat_id, range_k, trace)
    reused_w = _reused(subject, heat_id, whole_w, warm_c, reuse, trace)
    heat_w = whole_w - reused_w
    ratio = plain(part_load_power_ratio.si(water.air_ratio, *sink.plan.fan_curve))
    at_air = f" at {water.air_ratio:.1%} air flow" if isinstance(water.air_ratio, float) else ""
    trace.choose(
        f"{subject}.fan_power_ratio",
        maximum(ratio, 0.0),
        "ratio",
        f"part-load curve{at_air}",
        DERIVED,
        water=f"{subject}.water",
    )
    fans_w = trace.do(
        f"{subject}.fan_power",
        staged_fans_power,
        full_power_w=sink.fan_w,
        power_ratio=f"{subject}.fan_power_ratio",
        load_ratio=heat_w / range_k / (sink.heat_w / sink.range_k),
    )
    return Rejection(water, heat_w, flow, pumps_w, plain(fans_w), reused_w, warm_c)


def _reused(
    subject: str,
    heat_id: str,
    whole_w: float,
    warm_c: float,
    reuse: HeatReusePlan | None,
    trace: Trace,
) -> float:
    """Return and record the heat reused from sufficiently warm water."""
    if reuse is None:
        return 0.0
    reused_w = where(warm_c >= reuse.source_c, reuse.fraction * whole_w, 0.0 * whole_w)
    trace.choose(
        f"{subject}.reused",
        reused_w,
        "heat_flow",
        f"reuse fraction of the heat of water at or above {reuse.source_c:g} degC",
        DERIVED,
        heat=heat_id,
    )
    trace.derive(
        f"{subject}.outdoors",
        whole_w - reused_w,
        "heat_flow",
        "reused heat is not rejected",
        heat=heat_id,
        reused=f"{subject}.reused",
    )
    return reused_w


def _pumped(
    sink: Sink, subject: str, heat_id: str, range_k: float, trace: Trace
) -> tuple[float, float, float]:
    """Return the heat including dedicated pumps, the flow, and pump power."""
    pump, loop, liquid = sink.plan.pump, sink.loop, sink.liquid.properties
    if pump is None or loop is None:
        heat_w = trace.value(heat_id)
        return heat_w, plain(coolant_flow_for_heat.si(heat_w, range_k, **liquid)), 0.0
    heat_w = trace.do(
        f"{subject}.rejected",
        heat_with_pump_work,
        heat_w=heat_id,
        head_pa=loop.pump_head_pa,
        efficiency=pump.efficiency,
        range_k=range_k,
        **liquid,
    )
    flow = trace.do(
        f"{subject}.flow",
        coolant_flow_for_heat,
        heat_w=f"{subject}.rejected",
        rise_k=range_k,
        **liquid,
    )
    power_w = trace.do(
        f"{subject}.pump_power",
        pump_power,
        flow_m3_s=f"{subject}.flow",
        head_pa=loop.pump_head_pa,
        efficiency=pump.efficiency,
    )
    return plain(heat_w), plain(flow), plain(power_w)


def _tower(
    plan: SinkPlan, subject: str, wet_bulb_c: float, range_k: float, setpoint_c: float, trace: Trace
) -> tuple[float, CorrelationRange | None]:
    approach_k, water = setpoint_c - wet_bulb_c, plan.water_ratio
    ratio = plain(yorkcalc_air_ratio(wet_bulb_c, range_k, approach_k, plan.least_air, water))
    trace.do(
        f"{subject}.approach",
        yorkcalc_approach,
        wet_bulb_c=f"{subject}.entering_air",
        range_k=range_k,
        water_ratio=water,
        air_ratio=ratio,
    )
    trace.do(
        f"{subject}.leaving",
        tower_leaving_temperature,
        wet_bulb_c=f"{subject}.entering_air",
        approach_k=f"{subject}.approach",
    )
    if not isinstance(ratio, float):
        return ratio, None
    above_k = yorkcalc_above(wet_bulb_c)
    outside = yorkcalc_outside(wet_bulb_c, range_k, water, ratio)
    clipped = tuple(name for name in outside if name != "wet bulb" or above_k == 0.0)
    return ratio, CorrelationRange(clipped, above_k, trace.value(f"{subject}.approach"))


def _pads(
    sink: Sink,
    pads: Pads,
    subject: str,
    range_k: float,
    setpoint_c: float,
    site: tuple[Weather, float],
    trace: Trace,
) -> PadAir:
    """Return the air at the pads and record the coil entering air.

    They are wetted where dry coils at full fans miss the set point, and the air is sufficiently
    warm.
    """
    weather, recirculation_k = site
    at = air_at_pads(pads, weather, recirculation_k)
    full = sink.fluid_effectiveness(1.0, at.dry_c, weather.pressure_pa)
    dry_c = dry_cooler_leaving_temperature.si(at.dry_c, range_k, full)
    wet = (dry_c > setpoint_c) & (at.dry_c > sink.wetted_above_c)
    trace.do(
        f"{subject}.behind_pads",
        evaporative_leaving_temperature,
        "wetted pads, constant wet bulb",
        temperature_c=f"{subject}.entering_air",
        wet_bulb_c=at.wet_c,
        effectiveness=pads.effectiveness,
    )
    leaving_c = trace.choose(
        f"{subject}.coil_air",
        where(wet, at.leaving_c, at.dry_c),
        "temperature",
        "leaving wetted pads where dry coils miss the set point, else dry",
        DERIVED,
        dry=f"{subject}.entering_air",
        wetted=f"{subject}.behind_pads",
    )
    return replace(at, leaving_c=leaving_c)


def _dry(
    sink: Sink,
    subject: str,
    air: str,
    range_k: float,
    setpoint_c: float,
    pressure_pa: float,
    trace: Trace,
) -> float:
    """Return the air ratio for the water set point with coil entering air of the step `air`."""
    air_c = trace.value(air)

    def effectiveness(air_ratio: float) -> float:
        return sink.fluid_effectiveness(air_ratio, air_c, pressure_pa)

    def shortfall(air_ratio: float) -> float:
        leaving = dry_cooler_leaving_temperature.si(air_c, range_k, effectiveness(air_ratio))
        return setpoint_c - plain(leaving)

    ratio = crossing(shortfall, sink.plan.least_air, 1.0)
    trace.do(
        f"{subject}.leaving",
        dry_cooler_leaving_temperature,
        air_in_c=air,
        range_k=range_k,
        fluid_effectiveness=effectiveness(ratio),
    )
    return ratio
