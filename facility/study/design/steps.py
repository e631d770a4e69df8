"""The steps of those results that neither wing records: counts, ratios, and what both wings share.

With them every number of the results can be asked how it came about.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from facility.core.table import Results, Value
from facility.core.trace import Trace, derivation_differs
from facility.model.facility import Facility
from facility.power.it.load import ItLoad
from facility.power.panels.design.halls import PanelSet
from facility.study.loop import Sized

_Note = Callable[..., None]
_ROUNDING = 1e-9
"""Sums of many parts taken in two orders differ by less."""


def as_derived(results: Results, trace: Trace) -> Results:
    """Return `results` with the very numbers of their derivations.

    A number that is a sum of parts has the order of its derivation, so that it is computed once.

    Raises
    ------
    FacilityError
        ``DERIVATION_DIFFERS`` (exit code 1) where a result is another number than its derivation
        comes to.
    """
    return Results({key: _derived(key, value, trace) for key, value in results.items()})


def _derived(key: str, value: Value, trace: Trace) -> Value:
    if not value.kind or key not in trace or float(value.si) == trace.value(key):
        return value
    derived = trace.value(key)
    if not math.isclose(float(value.si), derived, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        raise derivation_differs(key, f"the result is {float(value.si)!r}", key, derived)
    return replace(value, si=derived)


def record_results(
    facility: Facility, it: ItLoad, panels: PanelSet, sized: Sized, results: Results, trace: Trace
) -> None:
    """Record a step for every number of `results` that has none yet."""

    def note(id: str, because: str, **inputs: str) -> None:
        value = results.get(id)
        if id not in trace and value is not None:
            known = {name: ref for name, ref in inputs.items() if ref in trace}
            trace.derive(id, float(value.si), value.kind, because, **known)

    _load(facility, it, note)
    _units(sized, note)
    _loadings(sized, note)
    _panels(panels, note)
    _temperatures_and_flows(note)
    for id in results:
        if id.startswith("pue.part."):
            part = id.removeprefix("pue.part.")
            source = {"it": "load.it", "house": "load.house"}.get(part, part)
            note(id, "part over the IT load; the parts sum to the PUE", part=source, it="load.it")


def _load(facility: Facility, it: ItLoad, note: _Note) -> None:
    servers = [load for load in it.devices if load.device.category == "server"]
    racks = facility.it.racks
    note("load.servers", " + ".join(f"{ld.count:,} {ld.device.model}" for ld in servers))
    note(
        "load.gpus",
        " + ".join(f"{ld.count:,} x {ld.device.gpus}" for ld in it.devices if ld.device.gpus),
    )
    note("load.racks", " + ".join(f"{rack.count:,} {rack.name}" for rack in racks))
    note(
        "load.racks.compute",
        " + ".join(f"{rack.count:,} {rack.name}" for rack in racks if rack.purpose == "compute"),
    )
    sums = {
        "load.it_peak": "short-time peak of each device, its data-sheet maximum where none is "
        "published; times the diversity",
        "load.it_typical": "published typical power of each device, times the diversity",
        "load.it_idle": "published idle power of each device, times the diversity",
    }
    for id, because in sums.items():
        note(id, because, diversity="it.diversity")
    note("load.supply_loss", "input less output of the supplies, from their part-load curve")
    note("racks.power_max", "sum of what stands in the largest rack")
    note("racks.mass_max", "sum of what stands in the heaviest rack")
    for number in range(1, len(it.halls) + 1):
        at = f"it.hall.{number}"
        note(f"{at}.density", "IT load of the hall over its floor area", area=f"{at}.floor_area")


def _units(sized: Sized, note: _Note) -> None:
    plant = sized.chain.generators
    note("generator.voltage", "that of the bus where sets are made for it, else stepped up")
    note("generator.sections", "so many that switchgear is made for each")
    note(
        "generator.step_up.count",
        "one at each set" if plant.step_up else "none is needed",
        sets="generator.count",
    )
    note(
        "generator.step_up.losses",
        "no-load and load losses of those of the sets on duty",
        count="generator.step_up.count",
        load="generator.load",
    )
    note(
        "generator.step_up.rating_kva",
        "least standard rating not below that of the set",
        set="generator.rating_kva",
    )
    scheme = sized.chain.chain.scheme
    note("ups.systems", f"{scheme.name}: {', '.join(scheme.systems)}")
    for id in ("pdu.count", "pdu.count.duty"):
        note(id, "none: the racks take the voltage of the UPS")
    for kind in ("crah.electrical_count", "plant.rejection_count", "plant.fws_rejection_count"):
        note(f"{kind}.duty", "units that carry the load", installed=kind)
    note("loop.iterations", "passes until power and cooling are in balance")


def _loadings(sized: Sized, note: _Note) -> None:
    failure = sized.chain.chain.scheme.failure
    note(
        "ups.loading_va_normal",
        "kVA on the fullest system over the kVA of its modules",
        module="ups.module_rating_kva",
    )
    note(
        "ups.loading_va_failure",
        f"the same after the designed failure: {failure}",
        module="ups.module_rating_kva",
    )
    note(
        "ups.efficiency", "output over output and losses", output="ups.output", losses="ups.losses"
    )
    note(
        "transformer.loading_normal",
        "kVA on the fullest board over the kVA of its transformers",
        rating="transformer.rating_kva",
    )
    note(
        "transformer.loading_failure",
        "the largest in a designed state",
        rating="transformer.rating_kva",
    )
    note(
        "utility.power_factor",
        "active over apparent power",
        active="utility.demand",
        apparent="utility.demand_kva",
    )
    note("utility.voltage", "at the service", site="site.utility_voltage")


def _panels(panels: PanelSet, note: _Note) -> None:
    note("panels.circuits", "circuits of all panels", panels="panels.count")
    if panels.count:
        worst = int(panels.current_max_a.argmax())
        tag = panels.panels[worst].tag
        note("panels.current_max", f"panel {tag}", panel=f"panel.{tag}.current_max")


def _temperatures_and_flows(note: _Note) -> None:
    note(
        "heat.outdoors",
        "the losses that warm no room; the rest is heat of halls and rooms",
        losses="load.losses",
    )
    note(
        "heat.rejected",
        "heat given to the outdoors by towers or dry coolers",
        plant="plant.rejection.rejected",
        facility_water="fws.rejection.rejected",
    )
    note("crah.supply_temperature", "supply air of the halls", air="air.supply_temperature")
    note(
        "crah.return_temperature",
        "supply air and its rise",
        supply="air.supply_temperature",
        rise="air.return_rise",
    )
    note("crah.inlet_temperature", "mean inlet of the equipment", air="air.inlet_temperature")
    note("crah.inlet_temperature_worst", "worst inlet", air="air.inlet_temperature_worst")
    note("cdu.flow", "no equipment gives heat to coolant")
    note("fws.flow", "no equipment gives heat to coolant")
    note("fws.chilled_heat", "facility-water heat that the chilled water takes", trim="heat.trim")
    note("plant.chilled_water_flow", "flow of the chilled water", plant="plant.chw_flow")
