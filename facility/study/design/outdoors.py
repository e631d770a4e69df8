"""Heat rejection and make-up water at the design hour."""

from __future__ import annotations

from facility.cooling.chain.water import hour_water
from facility.cooling.plant.rejection import Rejection
from facility.cooling.plant.sinks import Sink
from facility.core.trace import Trace
from facility.model.cooling.chain import TOLERANT_STORAGE_S
from facility.model.facility import Facility
from facility.study.loop import OperatingPoint, Sized

_HOUR = "design hour, calculated as an hour of the year"


def record_outdoors(facility: Facility, sized: Sized, point: OperatingPoint, trace: Trace) -> None:
    """Record water and approach of heat rejection, and the make-up water, at the design hour."""
    cooling, flow = sized.cooling, point.cooling
    _sink("plant.rejection", cooling.chilled.sink, flow.rejection, trace)
    water = cooling.water
    if water is not None and water.sink is not None and flow.fws_rejection is not None:
        _sink("fws.rejection", water.sink, flow.fws_rejection, trace)
    _water(facility, sized, point, trace)


def _sink(subject: str, sink: Sink, found: Rejection, trace: Trace) -> None:
    """Record the approach of leaving water to the entering air of towers or coils."""
    if sink.plan.kind == "air_cooled":
        return
    air = f"{subject}.coil_air" if sink.plan.pads is not None else f"{subject}.entering_air"
    bulb = "wet bulb" if sink.plan.kind == "tower" else "dry bulb"
    because = f"leaving water above the entering-air {bulb}"
    above_k = found.water.leaving_c - trace.value(air)
    names = {"water": f"{subject}.water", "air": air}
    at = f"{subject}.design_approach"
    trace.derive(at, above_k, "temperature_difference", because, **names)


def _water(facility: Facility, sized: Sized, point: OperatingPoint, trace: Trace) -> None:
    """Record make-up, blowdown, storage and WUE."""
    used = hour_water(sized.cooling, point.cooling, facility.site.design)
    terms = {
        "water.evaporation": used.towers.evaporation_m3_s + used.pads_m3_s,
        "water.drift": used.towers.drift_m3_s,
        "water.blowdown": used.towers.blowdown_m3_s + used.pads_bled_m3_s,
        "water.humidifiers": used.humidifiers_m3_s,
    }
    for id, flow_m3_s in terms.items():
        trace.derive(id, float(flow_m3_s[0]), "liquid_flow", _HOUR)
    makeup_m3_s = trace.sum("water.makeup", "liquid_flow", "total make-up water", *terms)
    names = {"makeup": "water.makeup"}
    if point.demand.it_w > 0.0:
        wue = makeup_m3_s / point.demand.it_w
        because = "make-up water divided by IT power"
        trace.derive("wue.design", wue, "water_per_energy", because, it="load.it", **names)
    stored_s = facility.cooling.makeup_storage_s
    for id, time_s in (("water.storage.12h", TOLERANT_STORAGE_S), ("water.storage", stored_s)):
        if time_s is not None and facility.cooling.wetted_sinks:
            because = f"{time_s / 3600.0:g} h of make-up at the design-hour rate"
            trace.derive(id, makeup_m3_s * time_s, "volume", because, **names)
