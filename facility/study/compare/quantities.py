"""What a way of cooling needs besides power: units, water at design, floor in the halls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from facility.catalogue import table
from facility.cooling.chain.design import CoolingDesign
from facility.cooling.plant.sinks import Sink
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import Weather
from facility.physics.air.psychrometrics import (
    enthalpy,
    humidity_ratio_at_wet_bulb,
    specific_volume,
)
from facility.physics.liquids.water_use import (
    blowdown,
    makeup,
    saturated_exit_humidity,
    tower_evaporation,
)
from facility.study.design.design import Design

_CYCLES, _DRIFT = 5.0, 5e-5
_LEI = Source("lei-masanet-2022", "3 to 15 at large scale", "", "secondary")
_DRIFT_SOURCE = Source("memory-cooling-practice", verified="memory")
_AUTOSIZED = Source("energyplus-towers", "autosizing: air over fan power")
_AIR_M3_S_PER_W = 0.5 / 190.0
"""Air flow of a tower at full speed for each watt of its fan (EnergyPlus, autosizing)."""


@dataclass(frozen=True)
class WaterUse:
    """Water of the towers at the design hour [m3/s]; `blowdown_m3_s` is without the drift."""

    evaporation_m3_s: float
    drift_m3_s: float
    blowdown_m3_s: float
    makeup_m3_s: float


@dataclass(frozen=True)
class FloorPart:
    """Floor of one kind of unit in the halls.

    `each_m2` is the footprint of one, None where nobody gives it; `source` says whose it is.
    """

    kind: str
    units: int
    each_m2: float | None
    source: Source

    @property
    def area_m2(self) -> float | None:
        """Floor of all of them."""
        return None if self.each_m2 is None else self.units * self.each_m2


def assume_water(trace: Trace) -> None:
    """Record what the water of the towers rests on."""
    trace.assume("compare.cycles", _CYCLES, "ratio", "cycles of concentration of towers", _LEI)
    trace.assume("compare.drift", _DRIFT, "fraction", "drift over circulated water", _DRIFT_SOURCE)
    trace.assume(
        "compare.tower_air",
        _AIR_M3_S_PER_W,
        "ratio",
        "air of a tower at full speed, m3/s for each W of fan",
        _AUTOSIZED,
    )


def units_of(design: Design) -> dict[str, int]:
    """Return the units installed by kind; kinds that are not there are left out."""
    counts, chain = design.cooling.counts, design.facility.cooling
    racks = sum(rack.count for rack in chain.racks if rack.air_w > 0.0)
    hall = "in_row" if chain.crah.path.terminal == "in-row" else "crah"
    found = {
        hall: counts.crah,
        "doors": round(racks) if chain.crah.path.door is not None else 0,
        "electrical_crah": counts.crah_electrical,
        "cdu": counts.cdu,
        "chillers": counts.chillers,
        "rejection": counts.rejection,
        "fws_rejection": counts.fws_rejection,
    }
    return {kind: count for kind, count in found.items() if count}


def sinks_of(design: Design) -> Iterator[tuple[str, Sink, float]]:
    """Yield each heat rejection: its name, what is designed, and the heat at the design hour."""
    cooling: CoolingDesign = design.cooling
    flow = design.cooling_flow
    fws_w = 0.0
    if cooling.water is not None and cooling.water.sink is not None:
        id = "fws.rejection.rejected"
        fws_w = flow.facility_water_w - flow.fws_chilled_w
        fws_w = design.trace.value(id) if id in design.trace else fws_w
        yield "facility water", cooling.water.sink, fws_w
    yield "chillers", cooling.chilled.sink, flow.rejected_w - fws_w


def water_use(design: Design) -> WaterUse:
    """Return the water of all towers at the design hour; none without towers.

    The air leaves saturated. Running cells move their full air, as many as the heat asks for.
    """
    weather = design.facility.site.design
    total = [0.0, 0.0, 0.0]
    for _, sink, heat_w in sinks_of(design):
        if sink.plan.kind == "tower" and heat_w > 0.0:
            for index, part in enumerate(_tower_water(sink, heat_w, weather)):
                total[index] += part
    evaporation, drift, bled = total
    return WaterUse(evaporation, drift, bled, float(makeup.si(evaporation, drift, bled)))


def _tower_water(sink: Sink, heat_w: float, weather: Weather) -> tuple[float, float, float]:
    pressure_pa, density = weather.pressure_pa, sink.liquid.density_kg_m3
    humidity = humidity_ratio_at_wet_bulb.si(weather.dry_bulb_c, weather.wet_bulb_c, pressure_pa)
    volume = specific_volume.si(weather.dry_bulb_c, humidity, pressure_pa)
    air_kg_s = sink.fan_w * heat_w / sink.heat_w * _AIR_M3_S_PER_W / volume
    entering = enthalpy.si(weather.dry_bulb_c, humidity)
    leaving = saturated_exit_humidity.si(entering, heat_w, air_kg_s, pressure_pa)
    evaporated = float(tower_evaporation.si(air_kg_s, humidity, leaving, density))
    drift = _DRIFT * heat_w / (sink.liquid.specific_heat_j_kgk * sink.range_k) / density
    return evaporated, drift, float(blowdown.si(evaporated, _CYCLES, drift))


def floor_parts(units: Mapping[str, int], design: Design) -> tuple[FloorPart, ...]:
    """Return the floor that cooling units take in the halls; the plant rooms are not in it."""
    chain = design.facility.cooling
    models = {
        "crah": chain.crah.unit.model,
        "in_row": chain.crah.unit.model,
        "doors": chain.crah.path.door.model if chain.crah.path.door is not None else "",
        "cdu": chain.cdu.unit.model if chain.cdu is not None else "",
    }
    rows = table("cooling/footprints")
    parts = []
    for kind, model in models.items():
        if kind not in units:
            continue
        found = rows.select(kind=kind, model=model) or rows.select(kind=kind, model=None)
        each = found[0].si_or_none("footprint_m2") if found else None
        source = found[0].cite("footprint_m2") if found else Source("unknown", "no footprint")
        parts.append(FloorPart(kind, units[kind], each, source))
    return tuple(parts)
