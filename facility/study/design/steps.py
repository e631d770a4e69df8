"""The steps of those results that neither wing records: counts, ratios, and what both wings share.

With them every number of the results can be asked how it came about.
"""

from __future__ import annotations

from collections.abc import Callable

from facility.core.rounding import first_largest
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
from facility.study.loop import OperatingPoint, Sized

_Note = Callable[..., None]
_ORIGINS = {
    "load.servers": {"servers": "it.servers"},
    "load.gpus": {"servers": "it.servers"},
    "load.racks.compute": {"compute": "it.compute.racks"},
}
"""Steps that counts of the load follow from, in a project that asks for GPUs."""


def record_loads(house: House, point: OperatingPoint, trace: Trace) -> None:
    """Record the house load, the facility load as the sum of its four parts, and the PUE."""
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
    """Return the ids of all losses and of all parts of the cooling."""
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
    """Record what is known of the results and has no step yet."""

    def note(id: str, si: float | None, kind: str, because: str, **inputs: str) -> None:
        if si is not None and id not in trace:
            known = {name: ref for name, ref in inputs.items() if ref in trace}
            trace.derive(id, float(si), kind, because, **known)

    _faults(facility.site, facility.electrical.faults.method, trace)
    _load(facility, it, note)
    _units(sized, point, note)
    _loadings(sized, point, note)
    volts, site = facility.site.utility_voltage_v, "site.utility_voltage"
    note("utility.voltage", volts, "line_voltage", "at the service", site=site)
    _panels(panels, note)
    _temperatures_and_flows(point, note)
    record_outdoors(facility, sized, point, trace)
    for id in ("load.it", *parts_of(point), "load.house"):
        share, key = trace.value(id) / trace.value("load.it"), id.removeprefix("load.")
        because = "part over the IT load; the parts sum to the PUE"
        note(f"pue.part.{key}", share, "ratio", because, part=id, it="load.it")


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
        note(id, count, "count", " + ".join(terms), **_ORIGINS.get(id, {}))
    sums = {
        "load.it_peak": (
            it.peak_w,
            "short-time peak of each device, its data-sheet maximum where none is published; times "
            "the diversity",
        ),
        "load.it_typical": (
            it.typical_w,
            "published typical power of each device, times the diversity",
        ),
        "load.it_idle": (it.idle_w, "published idle power of each device, times the diversity"),
    }
    for id, (load_w, because) in sums.items():
        note(id, load_w, "active_power", because, diversity="it.diversity")
    if any(load.supply_loss_w is not None for load in it.devices):
        because = "input less output of the supplies, from their part-load curve"
        note("load.supply_loss", it.supply_loss_w, "active_power", because)
    largest_w = max(rack.input_w for rack in racks)
    note("racks.power_max", largest_w, "active_power", "sum of what stands in the largest rack")
    heaviest_kg = _heaviest_rack_kg(racks)
    note("racks.mass_max", heaviest_kg, "mass", "sum of what stands in the heaviest rack")
    for number, hall in enumerate(it.halls, 1):
        at, because = f"it.hall.{number}", "IT load of the hall over its floor area"
        area = f"{at}.floor_area"
        note(f"{at}.density", hall.density_w_m2, "power_density", because, area=area)


def _heaviest_rack_kg(racks: tuple[Rack, ...]) -> float | None:
    """Return the mass of what stands in the heaviest rack; None where a mass is not known."""
    masses = [(p.count, p.device.mass_kg) for rack in racks for p in rack.placed]
    if any(mass_kg is None for _, mass_kg in masses):
        return None
    return max(sum(p.count * (p.device.mass_kg or 0.0) for p in rack.placed) for rack in racks)


def _units(sized: Sized, point: OperatingPoint, note: _Note) -> None:
    plant, ups, counts = sized.chain.generators, sized.chain.ups, sized.cooling.counts
    because = "that of the bus where sets are made for it, else stepped up"
    note("generator.voltage", plant.voltage_v, "line_voltage", because)
    note("generator.sections", plant.sections, "count", "so many that switchgear is made for each")
    at, step_up = "generator.step_up", plant.step_up
    because = "one at each set" if step_up else "none is needed"
    count = plant.count if step_up else 0
    note(f"{at}.count", count, "count", because, sets="generator.count")
    if step_up is not None:
        note(
            f"{at}.losses",
            point.flow.generators.step_up_w,
            "active_power",
            "no-load and load losses of those of the sets on duty",
            count=f"{at}.count",
            load="generator.load",
        )
        because = "least standard rating not below that of the set"
        rating_va, kva = step_up.rating_va, "generator.rating_kva"
        note(f"{at}.rating_kva", rating_va, "apparent_power", because, set=kva)
    scheme = sized.chain.chain.scheme
    note("ups.systems", len(ups.systems), "count", f"{scheme.name}: {', '.join(scheme.systems)}")
    for id in ("pdu.count", "pdu.count.duty"):
        note(id, 0, "count", "none: the racks take the voltage of the UPS")
    on_duty = {
        "crah.electrical_count": counts.crah_electrical_duty,
        "plant.rejection_count": counts.rejection_duty,
        "plant.fws_rejection_count": counts.fws_rejection_duty,
    }
    for id, duty in on_duty.items():
        note(f"{id}.duty", duty, "count", "units that carry the load", installed=id)
    because = "passes until power and cooling are in balance"
    note("loop.iterations", point.iterations, "count", because)


def _loadings(sized: Sized, point: OperatingPoint, note: _Note) -> None:
    scheme, flow, fraction = sized.chain.chain.scheme, point.flow, "fraction"
    by_va, module = flow.ups.loading_va, "ups.module_rating_kva"
    because = "kVA on the fullest system over the kVA of its modules"
    note("ups.loading_va_normal", by_va.normal, fraction, because, module=module)
    because = f"the same after the designed failure: {scheme.failure}"
    note("ups.loading_va_failure", by_va.failure, fraction, because, module=module)
    because = (
        "fullest phase of the fullest output bus over the modules left on it, any state or feed"
        " lost: panels hang on buses in whole groups"
    )
    of = {"system": "ups.loading_failure", "module": "ups.module_rating_kva"}
    note("ups.loading_fullest", flow.ups.fullest, fraction, because, bus="ups.fullest_phase", **of)
    because, efficiency = "output over output and losses", flow.ups.output_w / flow.ups.input_w
    of = {"output": "ups.output", "losses": "ups.losses"}
    note("ups.efficiency", efficiency, fraction, because, **of)
    if sized.chain.transformers.present:
        loading, rating = flow.transformers, "transformer.rating_kva"
        because = "kVA on the fullest board over the kVA of its transformers"
        note("transformer.loading_normal", loading.normal, fraction, because, rating=rating)
        because = "the largest in a designed state"
        note("transformer.loading_failure", loading.failure, fraction, because, rating=rating)
    of = {"active": "utility.demand", "apparent": "utility.demand_kva"}
    because, power_factor = "active over apparent power", flow.utility.power_factor
    note("utility.power_factor", power_factor, "ratio", because, **of)


def _panels(panels: PanelSet, note: _Note) -> None:
    count = "panels.count"
    note("panels.circuits", panels.circuits, "count", "circuits of all panels", panels=count)
    if panels.count:
        worst = first_largest(panels.current_max_a)
        tag, current_a = panels.panels[worst].tag, panels.current_max_a[worst]
        at = f"panel.{tag}.current_max"
        note("panels.current_max", current_a, "current", f"panel {tag}", panel=at)
    else:
        note("panels.current_max", 0.0, "current", "there are no panels")


def _temperatures_and_flows(point: OperatingPoint, note: _Note) -> None:
    flow, celsius, water = point.cooling, "temperature", "liquid_flow"
    note(
        "heat.outdoors",
        point.flow.outdoors_w,
        "heat_flow",
        "the losses that warm no room; the rest is heat of halls and rooms",
        losses="load.losses",
    )
    note(
        "heat.rejected",
        flow.rejected_w,
        "heat_flow",
        "heat given to the outdoors by towers or dry coolers",
        plant="plant.rejection.rejected",
        facility_water="fws.rejection.rejected",
    )
    at, air = "crah.supply_temperature", "air.supply_temperature"
    note(at, flow.supply_air_c, celsius, "supply air of the halls", air=air)
    at, rise = "crah.return_temperature", "air.return_rise"
    note(at, flow.return_air_c, celsius, "supply air and its rise", supply=air, rise=rise)
    at, air = "crah.inlet_temperature", "air.inlet_temperature"
    note(at, flow.inlet_c, celsius, "mean inlet of the equipment", air=air)
    note(f"{at}_worst", flow.inlet_worst_c, celsius, "worst inlet", air=f"{air}_worst")
    note("cdu.flow", flow.tcs_flow_m3_s, water, "no equipment gives heat to coolant")
    note("fws.flow", flow.fws_flow_m3_s, water, "no equipment gives heat to coolant")
    because = "facility-water heat that the chilled water takes"
    note("fws.chilled_heat", flow.fws_chilled_w, "heat_flow", because, trim="heat.trim")
    at, because = "plant.chilled_water_flow", "flow of the chilled water"
    note(at, flow.chw_flow_m3_s, water, because, plant="plant.chw_flow")
