"""Steps of results not recorded by power or cooling: counts, ratios, common quantities.

They complete the derivation of every number of the results.
"""

from __future__ import annotations

from collections.abc import Callable

from facility.core.rounding import argmax_within_rounding
from facility.core.trace import Trace
from facility.model.facility import Facility, House, Site
from facility.model.it import Rack
from facility.model.power.faults import Method
from facility.physics.facility.metrics import power_usage_effectiveness
from facility.physics.faults.currents import fault_current, first_cycle_peak
from facility.physics.faults.iec_60909 import peak_current, peak_factor
from facility.power.it.load import ItLoad
from facility.power.panels.design.halls import PanelSet
from facility.study.design.outdoors import record_outdoors
from facility.study.figures import reasoned
from facility.study.loop import OperatingPoint, Sized

_Note = Callable[..., None]
_ORIGINS = {
    "load.servers": {"servers": "it.servers"},
    "load.gpus": {"servers": "it.servers"},
    "load.racks.compute": {"compute": "it.compute.racks"},
}
"""Inputs of the load counts, in a project specified by GPUs."""


def record_loads(house: House, point: OperatingPoint, trace: Trace) -> None:
    """Record the building load, the facility load as the sum of its four parts, and the PUE."""
    house.total(trace)
    point.facility(trace=trace)
    trace.do(
        "pue.design",
        power_usage_effectiveness,
        "design hour, not annual",
        facility_w="load.facility",
        it_w="load.it",
    )


def parts_of(point: OperatingPoint) -> tuple[str, ...]:
    """Return the ids of all losses and cooling parts."""
    losses = (f"losses.{part.id}" for part in point.flow.parts)
    return (*losses, *(f"cooling.{name}" for name in point.cooling.power.parts))


def record_results(
    facility: Facility,
    it: ItLoad,
    panels: PanelSet,
    sized: Sized,
    point: OperatingPoint,
    trace: Trace,
) -> None:
    """Record the results that have no step yet."""

    def note(key: str, si: float | None, *words: str, member: str = "", **inputs: str) -> None:
        figure = reasoned(key)
        id = figure.key_of(member)
        if si is not None and id not in trace:
            known = {name: ref for name, ref in inputs.items() if ref in trace}
            trace.derive(id, float(si), figure.kind, figure.reason.format(*words), **known)

    _faults(facility.site, facility.electrical.faults.method, trace)
    _load(facility, it, note)
    _units(sized, point, note)
    _loadings(sized, point, note)
    note("utility.voltage", facility.site.utility_voltage_v, site="site.utility_voltage")
    _panels(panels, note)
    _temperatures_and_flows(point, note)
    record_outdoors(facility, sized, point, trace)
    for id in ("load.it", *parts_of(point), "load.house"):
        share, part = trace.value(id) / trace.value("load.it"), id.removeprefix("load.")
        note("pue.part.{part}", share, member=part, part=id, it="load.it")


def _faults(site: Site, method: Method, trace: Trace) -> None:
    if site.fault_level_va is None:
        return
    trace.do(
        "utility.fault_current",
        fault_current,
        "three-phase, at the service",
        fault_level_va="site.fault_level",
        v_ll_v="site.utility_voltage",
    )
    if site.x_over_r is not None and method == "iec-60909":
        trace.do("utility.peak_factor", peak_factor, "at the service", r_over_x=1.0 / site.x_over_r)
        trace.do(
            "utility.fault_peak",
            peak_current,
            "at the service",
            initial_a="utility.fault_current",
            kappa="utility.peak_factor",
        )
    elif site.x_over_r is not None:
        trace.do(
            "utility.fault_peak",
            first_cycle_peak,
            "first cycle, fully offset",
            fault_current_a="utility.fault_current",
            x_over_r="site.x_over_r",
        )


def _load(facility: Facility, it: ItLoad, note: _Note) -> None:
    servers = [load for load in it.devices if load.device.category == "server"]
    gpus = [load for load in it.devices if load.device.gpus]
    racks = facility.it.racks
    compute = [rack for rack in racks if rack.purpose == "compute"]
    counts = {
        "load.servers": (it.servers, [f"{ld.count:,} {ld.device.model}" for ld in servers]),
        "load.gpus": (it.gpus, [f"{ld.count:,} x {ld.device.gpus}" for ld in gpus]),
        "load.racks": (it.racks, [f"{rack.count:,} {rack.name}" for rack in racks]),
        "load.racks.compute": (it.racks_compute, [f"{r.count:,} {r.name}" for r in compute]),
    }
    for id, (count, terms) in counts.items():
        note(id, count, " + ".join(terms), **_ORIGINS.get(id, {}))
    note("load.it_peak", it.peak_w, diversity="it.diversity")
    note("load.it_typical", it.typical_w, diversity="it.diversity")
    note("load.it_idle", it.idle_w, diversity="it.diversity")
    if any(load.supply_loss_w is not None for load in it.devices):
        note("load.supply_loss", it.supply_loss_w)
    note("racks.power_max", max(rack.input_w for rack in racks))
    note("racks.mass_max", _heaviest_rack_kg(racks))
    for number, hall in enumerate(it.halls, 1):
        area = f"it.hall.{number}.floor_area"
        note("it.hall.{hall}.density", hall.density_w_m2, member=str(number), area=area)


def _heaviest_rack_kg(racks: tuple[Rack, ...]) -> float | None:
    """Return the equipment mass of the heaviest rack; None if any mass is unknown."""
    masses = [(p.count, p.device.mass_kg) for rack in racks for p in rack.placed]
    if any(mass_kg is None for _, mass_kg in masses):
        return None
    return max(sum(p.count * (p.device.mass_kg or 0.0) for p in rack.placed) for rack in racks)


def _units(sized: Sized, point: OperatingPoint, note: _Note) -> None:
    plant, ups, counts = sized.chain.generators, sized.chain.ups, sized.cooling.counts
    note("generator.voltage", plant.voltage_v)
    note("generator.sections", plant.sections)
    step_up, at = plant.step_up, "generator.step_up.count"
    because = "one per set" if step_up else "none required"
    count = plant.count if step_up else 0
    note(at, count, because, sets="generator.count")
    if step_up is not None:
        losses_w = point.flow.generators.step_up_w
        note("generator.step_up.losses", losses_w, count=at, load="generator.load")
        note("generator.step_up.rating_kva", step_up.rating_va, set="generator.rating_kva")
    scheme = sized.chain.chain.scheme
    note("ups.systems", len(ups.systems), f"{scheme.name}: {', '.join(scheme.systems)}")
    note("pdu.count", 0)
    note("pdu.count.duty", 0)
    on_duty = {
        "crah.electrical_count": counts.crah_electrical_duty,
        "plant.rejection_count": counts.rejection_duty,
        "plant.fws_rejection_count": counts.fws_rejection_duty,
    }
    for id, duty in on_duty.items():
        note(f"{id}.duty", duty, installed=id)
    note("loop.iterations", point.iterations)


def _loadings(sized: Sized, point: OperatingPoint, note: _Note) -> None:
    scheme, flow = sized.chain.chain.scheme, point.flow
    by_va, module = flow.ups.loading_va, "ups.module_rating_kva"
    note("ups.loading_va_normal", by_va.normal, module=module)
    note("ups.loading_va_failure", by_va.failure, scheme.failure, module=module)
    of = {"bus": "ups.fullest_phase", "system": "ups.loading_failure", "module": module}
    note("ups.loading_fullest", flow.ups.most_loaded_phase, **of)
    efficiency = flow.ups.output_w / flow.ups.input_w
    note("ups.efficiency", efficiency, output="ups.output", losses="ups.losses")
    if sized.chain.transformers.present:
        loading, rating = flow.transformers, "transformer.rating_kva"
        note("transformer.loading_normal", loading.normal, rating=rating)
        note("transformer.loading_failure", loading.failure, rating=rating)
    of = {"active": "utility.demand", "apparent": "utility.demand_kva"}
    note("utility.power_factor", flow.utility.power_factor, **of)


def _panels(panels: PanelSet, note: _Note) -> None:
    note("panels.circuits", panels.circuits, panels="panels.count")
    if panels.count:
        worst = argmax_within_rounding(panels.current_max_a)
        tag, current_a = panels.panels[worst].tag, panels.current_max_a[worst]
        note("panels.current_max", current_a, f"panel {tag}", panel=f"panel.{tag}.current_max")
    else:
        note("panels.current_max", 0.0, "no panels")


def _temperatures_and_flows(point: OperatingPoint, note: _Note) -> None:
    flow = point.cooling
    note("heat.outdoors", point.flow.outdoors_w, losses="load.losses")
    sinks = {"plant": "plant.rejection.rejected", "facility_water": "fws.rejection.rejected"}
    note("heat.rejected", flow.rejected_w, **sinks)
    air = "air.supply_temperature"
    note("crah.supply_temperature", flow.supply_air_c, air=air)
    note("crah.return_temperature", flow.return_air_c, supply=air, rise="air.return_rise")
    at, air = "crah.inlet_temperature", "air.inlet_temperature"
    note(at, flow.inlet_c, air=air)
    note(f"{at}_worst", flow.inlet_worst_c, air=f"{air}_worst")
    note("cdu.flow", flow.tcs_flow_m3_s)
    note("fws.flow", flow.fws_flow_m3_s)
    note("fws.chilled_heat", flow.fws_chilled_w, trim="heat.trim")
    note("plant.chilled_water_flow", flow.chw_flow_m3_s, plant="plant.chw_flow")
