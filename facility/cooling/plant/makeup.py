"""Heat rejection without make-up water: open towers stop, dry coolers run without their pads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.cooling.plant.rejection import coldest_water
from facility.cooling.plant.sinks import Sink
from facility.model.facility import Weather
from facility.physics.elementwise import plain


@dataclass(frozen=True)
class DrySink:
    """Heat rejection of one plant without make-up water.

    A tower fails when its stored water is used up; the basin volume is unknown.
    `wet_c` and `dry_c` are the coil air of dry coolers with and without water on their pads,
    `share` is their effectiveness without over with water, and `water_c` their supply
    without water at full fan speed and design range.
    """

    tower: bool
    wet_c: float = 0.0
    dry_c: float = 0.0
    share: float = 0.0
    water_c: float = 0.0


def without_makeup(sink: Sink | None, weather: Weather, recirculation_k: float) -> DrySink | None:
    """Return heat rejection without make-up water; None if it uses none in this weather."""
    if sink is None or not sink.installed:
        return None
    if sink.plan.kind == "tower":
        return DrySink(tower=True)
    if sink.plan.pads is None:
        return None
    without = replace(sink, plan=replace(sink.plan, pads=None))
    wet_c, dry_c = (one.coldest_air(weather, recirculation_k) for one in (sink, without))
    if dry_c <= wet_c:
        return None
    wet, dry = (
        plain(sink.fluid_effectiveness(1.0, air_c, weather.pressure_pa)) for air_c in (wet_c, dry_c)
    )
    water_c = coldest_water(without, sink.range_k, weather, recirculation_k)
    return DrySink(False, wet_c, dry_c, dry / wet, water_c)
