"""The results of a design by dotted key: what the contract of the command line names."""

from __future__ import annotations

from collections.abc import Iterable

from facility.core.table import Results, Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.power.it.load import ItLoad
from facility.study.design.steps import parts_of
from facility.study.loop import OperatingPoint, Sized
from facility.study.plausible import refuse_impossible

_DESIGN_HOUR = "design hour, not annual"

_Rows = dict[str, "str | Value"]
"""A result in words, or the basis of a number: the number is that of its step."""


def _plain(keys: Iterable[str]) -> _Rows:
    return dict.fromkeys(keys, "")


def _counts(*units: str) -> _Rows:
    return _plain(key for unit in units for key in (unit, f"{unit}.duty"))


_FIXED: _Rows = {
    "utility.demand": _DESIGN_HOUR,
    "utility.demand_kva": _DESIGN_HOUR,
    **_plain(("utility.power_factor", "utility.voltage", "utility.current")),
    "utility.fault_current": "three-phase, at the service",
    "utility.fault_peak": "first cycle, fully offset; by IEC 60909 with its peak factor",
    **_plain(("panels.count", "panels.circuits")),
    "panels.imbalance_max": "maximum deviation from the mean / mean, normal",
    "panels.current_max": "worst line, any state",
    "panels.lost_supplies": "each lost once, feeds alive",
    "panels.lost_supplies_covered": "no more on any line than with a feed lost",
    **_plain(("heat.air", "heat.liquid")),
    "heat.room": "air, in-room losses, lights, people, envelope",
    "heat.electrical_room": "",
    "heat.ventilation": "outdoor air of the halls, cooled and dried for them",
    "heat.outdoors": "losses outdoors",
    "heat.rejected": "",
    **_counts("crah.count", "crah.electrical_count"),
    "crah.airflow": "supplied to the halls",
    **_plain(("crah.supply_temperature", "crah.return_temperature")),
    "crah.inlet_temperature": "mean equipment inlet",
    "crah.inlet_temperature_worst": "",
    "crah.design_heat": "sizing value",
    **_counts("cdu.count"),
    "cdu.flow": "TCS",
    "cdu.design_heat": "sizing value",
    "fws.flow": "",
    "fws.chilled_heat": "of the facility water, onto the chilled water",
    **_counts("plant.chiller_count"),
    "plant.chiller_cop": _DESIGN_HOUR,
    "plant.chilled_water_flow": "",
    **_counts("plant.rejection_count", "plant.fws_rejection_count"),
    "plant.rejection.entering_air": "design hour: wet bulb at towers, dry bulb at coils",
    "plant.rejection.coil_air": "design hour, behind wetted pads",
    "plant.rejection.water": _DESIGN_HOUR,
    "plant.rejection.design_approach": _DESIGN_HOUR,
    "fws.rejection.entering_air": "design hour: wet bulb at towers, dry bulb at coils",
    "fws.rejection.coil_air": "design hour, behind wetted pads",
    "fws.rejection.water": _DESIGN_HOUR,
    "fws.rejection.design_approach": _DESIGN_HOUR,
    "fws.supply": _DESIGN_HOUR,
    "water.makeup": "design hour: evaporation, drift, blowdown, humidifiers",
    "water.evaporation": _DESIGN_HOUR,
    "water.drift": _DESIGN_HOUR,
    "water.blowdown": _DESIGN_HOUR,
    "water.storage.12h": "12 h of the make-up of the design hour",
    "water.storage": "as stated (cooling.makeup_water.storage)",
    "wue.design": _DESIGN_HOUR,
}
"""Results of the service, the panels, the heat and the cooling."""


def assemble(
    facility: Facility,
    it: ItLoad,
    sized: Sized,
    point: OperatingPoint,
    electrical: dict[str, Value],
    trace: Trace,
) -> Results:
    """Return every result of the design; unknown figures have no step and are left out."""
    rows = {
        **_loads(it),
        **_halls(facility),
        **dict.fromkeys(parts_of(point), _DESIGN_HOUR),
        **_ups(sized),
        **_plant(sized),
        **_FIXED,
        **_pue(point, facility),
        **_year(facility),
    }
    values = {
        key: row if isinstance(row, Value) else _number(trace, key, row)
        for key, row in rows.items()
        if isinstance(row, Value) or key in trace
    }
    return refuse_impossible(Results(values | electrical))


def _number(trace: Trace, key: str, basis: str) -> Value:
    step = trace[key]
    return Value(int(step.value) if step.kind == "count" else step.value, step.kind, basis)


def _loads(it: ItLoad) -> _Rows:
    basis = it.basis.replace("_", " ")
    known = (d.device.model for d in it.devices if d.supply_loss_w is not None)
    supplies = ", ".join(dict.fromkeys(known))
    return {
        "load.basis": Value(it.basis),
        "load.gpu": "thermal design power",
        **dict.fromkeys((f"load.{name}" for name in ("server", "network", "storage")), basis),
        "load.management": basis,
        "load.it": f"at the equipment inputs, {basis}",
        **_plain(("load.it_va", "load.it_idle", "load.it_typical")),
        "load.it_peak": "data-sheet maximum where no peak is published",
        "load.supply_loss": f"supplies of {supplies}: part of the IT load",
        "load.losses": _DESIGN_HOUR,
        "load.cooling": _DESIGN_HOUR,
        "load.house": "",
        "load.facility": _DESIGN_HOUR,
        **_plain(("load.gpus", "load.servers", "load.racks", "load.racks.compute")),
    }


def _halls(facility: Facility) -> _Rows:
    """Return the racks and halls: largest rack, floor area, density and cable routes."""
    plan = facility.it
    names = ("racks", "floor_area", "density", "route_mean", "route_max")
    return {
        "racks.power_max": plan.basis.replace("_", " "),
        "racks.mass_max": "without the cabinet",
        **{
            f"it.hall.{number}.{name}": hall.name
            for number, hall in enumerate(plan.halls, 1)
            for name in names
        },
    }


def _ups(sized: Sized) -> _Rows:
    scheme = sized.chain.chain.scheme
    names = ("systems", "modules", "modules.duty", "module_rating", "module_rating_kva")
    return {
        "ups.scheme": Value(scheme.name),
        "ups.model": Value(sized.chain.ups.module.model),
        **_plain(f"ups.{name}" for name in names),
        "ups.output": _DESIGN_HOUR,
        "ups.loading_normal": "by kW, all in service, a system as a whole",
        "ups.loading_failure": f"by kW, {scheme.failure}, a system as a whole",
        "ups.loading_va_normal": "by kVA, likewise",
        "ups.loading_va_failure": "by kVA, likewise",
        "ups.loading_fullest": "fullest phase of the fullest output bus, by kW or kVA, any state",
        "ups.efficiency": "at normal loading",
        "ups.losses": _DESIGN_HOUR,
    }


def _plant(sized: Sized) -> _Rows:
    names = ("count", "count.duty", "rating_kva", "loading_normal", "loading_failure")
    return {
        **_plain(("generator.count",)),
        **(_sets(sized) if sized.chain.generators.count else {}),
        **_plain(f"transformer.{name}" for name in names),
        **_plain(("pdu.count", "pdu.count.duty")),
    }


def _sets(sized: Sized) -> _Rows:
    return {
        "generator.model": Value(sized.chain.generators.model),
        **_plain(("generator.count.duty",)),
        "generator.rating": sized.chain.generators.rating_basis,
        "generator.rating_kva": "",
        "generator.voltage": "of the sets",
        "generator.sections": "buses of their own",
        "generator.step_up.count": "",
        "generator.step_up.rating_kva": "one at each set",
        "generator.step_up.losses": "under the load",
        "generator.loading": "sets on duty, derated",
    }


def _pue_basis(facility: Facility) -> str:
    """Return what the PUE of the design hour is of; its economizer counts for nothing."""
    plan = facility.cooling
    off = ["economizer"] if plan.economizer.kind != "none" else []
    off += ["heat reuse"] if plan.heat_reuse is not None else []
    return f"{_DESIGN_HOUR}; {' and '.join(off)} off by rule" if off else _DESIGN_HOUR


def _pue(point: OperatingPoint, facility: Facility) -> _Rows:
    return {
        "pue.design": _pue_basis(facility),
        **_plain(f"pue.part.{name}" for name in ("it", *parts_of(point), "house")),
        "loop.iterations": "",
    }


def _year(facility: Facility) -> _Rows:
    """Return the estimates of the year, and of its mean month, of a site without hours."""
    year = (
        f"estimate at IT load factor {facility.load.mean:.2f} and stated mean weather: no "
        "year of hours is of the site; hot hours are averaged out"
    )
    return {
        "pue.estimate": year,
        "energy.annual_estimate": year,
        "cost.month_estimate": f"energy only; {year}",
        "carbon.annual_estimate": year,
    }
