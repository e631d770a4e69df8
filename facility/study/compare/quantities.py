"""What a way of cooling needs besides power: units, water at design, floor in the halls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from facility.catalogue import table
from facility.cooling.chain.design import CoolingDesign
from facility.cooling.chain.water import rejection_water
from facility.cooling.parts.air import AirHours
from facility.cooling.plant.sinks import Sink
from facility.core.sources import Source
from facility.physics.air.psychrometrics import humidity_ratio_at_wet_bulb
from facility.physics.liquids.water_use import makeup
from facility.study.design.design import Design


@dataclass(frozen=True)
class WaterUse:
    """Water of towers and pads at the design hour [m3/s]; `blowdown_m3_s` is without the drift."""

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
    """Return the water of towers and pads at the design hour, as the year counts it in an hour."""
    weather = design.facility.site.design
    dry_c, wet_c, pressure_pa = (
        np.array([x]) for x in (weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa)
    )
    humid = np.asarray(humidity_ratio_at_wet_bulb.si(dry_c, wet_c, pressure_pa))
    air = AirHours(dry_c, wet_c, humid, pressure_pa)
    found = rejection_water(design.cooling, design.cooling_flow, air)
    towers = found.towers
    evaporation = float((towers.evaporation_m3_s + found.pads_m3_s)[0])
    drift = float(towers.drift_m3_s[0])
    bled = float((towers.blowdown_m3_s + found.pads_bled_m3_s)[0])
    return WaterUse(evaporation, drift, bled, float(makeup.si(evaporation, drift, bled)))


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
