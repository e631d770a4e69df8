"""The results of a design by dotted key: what the contract of the command line names."""

from __future__ import annotations

from facility.cooling.chain.flow import CoolingFlow
from facility.core.kinds import money_kind
from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.model.facility import Facility, Site
from facility.model.it import Rack
from facility.physics.faults.currents import fault_current, first_cycle_peak
from facility.power.it.load import ItLoad
from facility.power.panels.design.halls import PanelSet
from facility.power.train.types import GeneratorDesign, TransformerDesign
from facility.study.design.estimate import Estimate
from facility.study.loop import OperatingPoint, Sized
from facility.study.plausible import refuse_impossible

_DESIGN_HOUR = "design hour, not annual"
_AT_SERVICE = "three-phase, at the service"
_FIRST_CYCLE = "first cycle, fully offset"


def assemble(
    facility: Facility,
    it: ItLoad,
    panels: PanelSet,
    sized: Sized,
    point: OperatingPoint,
    estimate: Estimate | None,
    electrical: dict[str, Value],
    trace: Trace,
) -> Results:
    """Return every result of the design; unknown figures are left out, never zero."""
    values: dict[str, Value] = {}
    for group in (
        _loads(facility, it, point),
        _halls(facility, it),
        _losses_and_cooling(point),
        _ups(sized, point),
        _plant(sized, point),
        _utility(facility.site, point, trace),
        _panels(panels),
        _heat(it, sized, point),
        _pue(facility, point),
        {} if estimate is None else _year(facility, estimate),
        electrical,
    ):
        values.update({key: value for key, value in group.items() if value is not None})
    return refuse_impossible(Results(values))


_Group = dict[str, "Value | None"]


def _power(si: float, basis: str = "") -> Value:
    return Value(si, "active_power", basis)


def _maybe(si: float | None, kind: str, basis: str = "") -> Value | None:
    return None if si is None else Value(si, kind, basis)


def _loads(facility: Facility, it: ItLoad, point: OperatingPoint) -> _Group:
    basis = it.basis.replace("_", " ")
    return {
        "load.basis": Value(it.basis),
        "load.gpu": _power(it.gpu_w, "thermal design power"),
        "load.server": _power(it.servers_w, basis),
        "load.network": _power(it.network_w, basis),
        "load.storage": _power(it.storage_w, basis),
        "load.management": _power(it.management_w, basis),
        "load.it": _power(it.it_w, f"at the equipment inputs, {basis}"),
        "load.it_va": Value(it.it_va, "apparent_power"),
        "load.it_idle": _maybe(it.idle_w, "active_power"),
        "load.it_typical": _maybe(it.typical_w, "active_power"),
        "load.it_peak": _power(it.peak_w, "data-sheet maximum where no peak is published"),
        "load.supply_loss": _supply_loss(it),
        "load.losses": _power(point.flow.losses_w, _DESIGN_HOUR),
        "load.cooling": _power(point.cooling.power.total_w, _DESIGN_HOUR),
        "load.house": _power(facility.house.total_w),
        "load.facility": _power(point.facility_w, _DESIGN_HOUR),
        "load.gpus": Value(it.gpus, "count"),
        "load.servers": Value(it.servers, "count"),
        "load.racks": Value(it.racks, "count"),
        "load.racks.compute": Value(it.racks_compute, "count"),
    }


def _supply_loss(it: ItLoad) -> Value | None:
    """Return the loss of the power supplies whose curve is known, None where no curve is."""
    models = dict.fromkeys(d.device.model for d in it.devices if d.supply_loss_w is not None)
    if not models:
        return None
    return _power(it.supply_loss_w, f"supplies of {', '.join(models)}: part of the IT load")


def _halls(facility: Facility, it: ItLoad) -> _Group:
    """Return the racks and halls: largest rack, floor area, density and cable routes."""
    plan = facility.it
    values: _Group = {
        "racks.power_max": _power(
            max(rack.input_w for rack in plan.racks), plan.basis.replace("_", " ")
        ),
        "racks.mass_max": _maybe(heaviest_rack_kg(plan.racks), "mass", "without the cabinet"),
    }
    for number, (hall, load) in enumerate(zip(plan.halls, it.halls, strict=True), 1):
        values |= {
            f"it.hall.{number}.racks": Value(load.racks, "count", hall.name),
            f"it.hall.{number}.floor_area": Value(hall.floor_area_m2, "area", hall.name),
            f"it.hall.{number}.density": Value(load.density_w_m2, "power_density", hall.name),
            f"it.hall.{number}.route_mean": Value(hall.route_mean_m, "length", hall.name),
            f"it.hall.{number}.route_max": Value(hall.route_max_m, "length", hall.name),
        }
    return values


def heaviest_rack_kg(racks: tuple[Rack, ...]) -> float | None:
    """Return the mass of what stands in the heaviest rack; None where a mass is not known."""
    masses = [(p.count, p.device.mass_kg) for rack in racks for p in rack.placed]
    if any(mass_kg is None for _, mass_kg in masses):
        return None
    return max(sum(p.count * (p.device.mass_kg or 0.0) for p in rack.placed) for rack in racks)


def cooling_parts(flow: CoolingFlow) -> dict[str, float]:
    """Return the electrical power of the cooling by named part [W]."""
    power = flow.power
    return {
        "crah_fans": power.crah_fans_w,
        "cdu_pumps": power.cdu_pumps_w,
        "chw_pumps": power.chw_pumps_w,
        "fws_pumps": power.fws_pumps_w,
        "chillers": power.chillers_w,
        "condenser_pumps": power.condenser_pumps_w,
        "heat_rejection_fans": power.heat_rejection_fans_w,
        "humidification": power.humidification_w,
    }


def _parts(point: OperatingPoint) -> dict[str, float]:
    losses = {f"losses.{part.id}": part.loss_w for part in point.flow.parts}
    cooling = {f"cooling.{name}": w for name, w in cooling_parts(point.cooling).items()}
    return {**losses, **cooling}


def _losses_and_cooling(point: OperatingPoint) -> _Group:
    return {key: _power(w, _DESIGN_HOUR) for key, w in _parts(point).items()}


def _ups(sized: Sized, point: OperatingPoint) -> _Group:
    ups, flow = sized.chain.ups, point.flow.ups
    return {
        "ups.scheme": Value(sized.chain.chain.scheme.name),
        "ups.model": Value(ups.module.model),
        "ups.systems": Value(len(ups.systems), "count"),
        "ups.modules": Value(ups.modules, "count"),
        "ups.modules.duty": Value(ups.duty, "count"),
        "ups.module_rating": _power(ups.module.rating_w),
        "ups.module_rating_kva": Value(ups.module.rating_va, "apparent_power"),
        "ups.output": _power(flow.output_w, _DESIGN_HOUR),
        "ups.loading_normal": Value(flow.loading.normal, "fraction", "by kW, all in service"),
        "ups.loading_failure": Value(
            flow.loading.failure, "fraction", f"by kW, {sized.chain.chain.scheme.failure}"
        ),
        "ups.loading_va_normal": Value(flow.loading_va.normal, "fraction", "by kVA"),
        "ups.loading_va_failure": Value(flow.loading_va.failure, "fraction", "by kVA"),
        "ups.efficiency": Value(flow.output_w / flow.input_w, "fraction", "at normal loading"),
        "ups.losses": _power(flow.losses_w, _DESIGN_HOUR),
    }


def _plant(sized: Sized, point: OperatingPoint) -> _Group:
    chain, flow = sized.chain, point.flow
    generators, transformers, pdus = chain.generators, chain.transformers, chain.pdus
    return {
        "generator.model": Value(generators.model),
        "generator.count": Value(generators.count, "count"),
        "generator.count.duty": Value(generators.duty, "count"),
        "generator.rating": _power(generators.rating_w, generators.rating_basis),
        "generator.rating_kva": Value(generators.rating_va, "apparent_power"),
        "generator.voltage": Value(generators.voltage_v, "line_voltage", "of the sets"),
        "generator.sections": Value(generators.sections, "count", "buses of their own"),
        **_step_up(generators, float(flow.generators.step_up_w)),
        "generator.loading": Value(flow.generators.loading, "fraction", "sets on duty, derated"),
        "transformer.count": Value(transformers.count, "count"),
        "transformer.count.duty": Value(transformers.duty, "count"),
        "transformer.rating_kva": _if_any(
            transformers, transformers.unit.rating_va, "apparent_power"
        ),
        "transformer.loading_normal": _if_any(transformers, flow.transformers.normal, "fraction"),
        "transformer.loading_failure": _if_any(transformers, flow.transformers.failure, "fraction"),
        "pdu.count": Value(pdus.count if pdus else 0, "count"),
        "pdu.count.duty": Value(pdus.duty if pdus else 0, "count"),
    }


def _if_any(transformers: TransformerDesign, si: float, kind: str) -> Value | None:
    return Value(si, kind) if transformers.present else None


def _step_up(plant: GeneratorDesign, loss_w: float) -> dict[str, Value]:
    """Return the step-up transformers: one at each set, where its bus has another voltage."""
    found = {"generator.step_up.count": Value(plant.count if plant.step_up else 0, "count")}
    if plant.step_up is not None:
        rating = Value(plant.step_up.rating_va, "apparent_power", "one at each set")
        found["generator.step_up.rating_kva"] = rating
        found["generator.step_up.losses"] = Value(loss_w, "active_power", "under the load")
    return found


def _utility(site: Site, point: OperatingPoint, trace: Trace) -> _Group:
    flow = point.flow.utility
    fault_a, peak_a = None, None
    if site.fault_level_va is not None:
        fault_a = float(
            trace.do(
                "utility.fault_current",
                fault_current,
                _AT_SERVICE,
                fault_level_va="site.fault_level",
                v_ll_v="site.utility_voltage",
            )
        )
        if site.x_over_r is not None:
            peak_a = float(
                trace.do(
                    "utility.fault_peak",
                    first_cycle_peak,
                    _FIRST_CYCLE,
                    fault_current_a="utility.fault_current",
                    x_over_r="site.x_over_r",
                )
            )
    return {
        "utility.demand": _power(flow.demand_w, _DESIGN_HOUR),
        "utility.demand_kva": Value(flow.demand_va, "apparent_power", _DESIGN_HOUR),
        "utility.power_factor": Value(flow.power_factor, "ratio"),
        "utility.voltage": Value(site.utility_voltage_v, "line_voltage"),
        "utility.current": Value(flow.current_a, "current"),
        "utility.fault_current": _maybe(fault_a, "current", _AT_SERVICE),
        "utility.fault_peak": _maybe(peak_a, "current", _FIRST_CYCLE),
    }


def _panels(panels: PanelSet) -> _Group:
    return {
        "panels.count": Value(panels.count, "count"),
        "panels.circuits": Value(panels.circuits, "count"),
        "panels.imbalance_max": Value(
            panels.imbalance_max, "fraction", "maximum deviation from the mean / mean, normal"
        ),
        "panels.current_max": Value(
            float(panels.current_max_a.max(initial=0.0)), "current", "worst line, any state"
        ),
        "panels.lost_supplies": Value(panels.supplies, "count", "each lost once, feeds alive"),
        "panels.lost_supplies_covered": Value(
            panels.supplies_covered, "count", "no more on any line than with a feed lost"
        ),
    }


def _heat(it: ItLoad, sized: Sized, point: OperatingPoint) -> _Group:
    counts, flow = sized.cooling.counts, point.cooling
    return {
        "heat.air": Value(it.air_w, "heat_flow"),
        "heat.liquid": Value(it.liquid_w, "heat_flow"),
        "heat.room": Value(
            point.heat.room_w, "heat_flow", "air, in-room losses, lights, people, envelope"
        ),
        "heat.electrical_room": Value(point.heat.electrical_room_w, "heat_flow"),
        "heat.outdoors": Value(point.flow.outdoors_w, "heat_flow", "losses outdoors"),
        "heat.rejected": Value(flow.rejected_w, "heat_flow"),
        "crah.count": Value(counts.crah, "count"),
        "crah.count.duty": Value(counts.crah_duty, "count"),
        "crah.electrical_count": Value(counts.crah_electrical, "count"),
        "crah.electrical_count.duty": Value(counts.crah_electrical_duty, "count"),
        "crah.airflow": Value(flow.crah_airflow_m3_s, "air_flow", "supplied to the halls"),
        "crah.supply_temperature": Value(flow.supply_air_c, "temperature"),
        "crah.return_temperature": Value(flow.return_air_c, "temperature"),
        "crah.inlet_temperature": Value(flow.inlet_c, "temperature", "mean equipment inlet"),
        "crah.inlet_temperature_worst": Value(flow.inlet_worst_c, "temperature"),
        "crah.design_heat": Value(sized.cooling.crah_design_w, "heat_flow", "sizing value"),
        "cdu.count": Value(counts.cdu, "count"),
        "cdu.count.duty": Value(counts.cdu_duty, "count"),
        "cdu.flow": Value(flow.tcs_flow_m3_s, "liquid_flow", "TCS"),
        "cdu.design_heat": Value(sized.cooling.cdu_design_w, "heat_flow", "sizing value"),
        "fws.flow": Value(flow.fws_flow_m3_s, "liquid_flow"),
        "fws.chilled_heat": Value(
            flow.fws_chilled_w, "heat_flow", "of the facility water, onto the chilled water"
        ),
        "plant.chiller_count": Value(counts.chillers, "count"),
        "plant.chiller_count.duty": Value(counts.chillers_duty, "count"),
        "plant.chiller_cop": Value(flow.chiller_cop, "ratio", _DESIGN_HOUR),
        "plant.chilled_water_flow": Value(flow.chw_flow_m3_s, "liquid_flow"),
        "plant.rejection_count": Value(counts.rejection, "count"),
        "plant.rejection_count.duty": Value(counts.rejection_duty, "count"),
        "plant.fws_rejection_count": Value(counts.fws_rejection, "count"),
        "plant.fws_rejection_count.duty": Value(counts.fws_rejection_duty, "count"),
    }


def _pue(facility: Facility, point: OperatingPoint) -> _Group:
    it_w = point.demand.it_w
    parts = {"it": it_w, **_parts(point), "house": facility.house.total_w}
    return {
        "pue.design": Value(point.facility_w / it_w, "ratio", _DESIGN_HOUR),
        **{f"pue.part.{name}": Value(w / it_w, "ratio") for name, w in parts.items()},
        "loop.iterations": Value(point.iterations, "count"),
    }


def _year(facility: Facility, estimate: Estimate) -> _Group:
    """Return the estimates of the year, and of its mean month."""
    record = facility.site.record
    weather = "mean-year weather" if record is not None and record.year else "stated mean weather"
    year = (
        f"estimate at IT load factor {facility.it.load_factor:.2f} and {weather}; "
        "hot hours are averaged out, so a year of hours is a little higher"
    )
    cost = money_kind(estimate.currency)
    return {
        "pue.estimate": Value(estimate.pue, "ratio", year),
        "energy.annual_estimate": Value(estimate.energy_j, "energy", year),
        "cost.month_estimate": _maybe(estimate.month_cost, cost, f"energy only; {year}"),
        "carbon.annual_estimate": _maybe(estimate.carbon_kg, "mass", year),
    }
