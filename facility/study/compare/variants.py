"""Variants of a project that differ only in cooling, for the comparison of cooling methods.

Racks and power are unchanged. Equipment sold air-cooled rejects part of its heat to coolant only in
the liquid variants: its fraction is a separate assumption, derived from the parts under cold
plates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from facility.catalogue import table
from facility.core.sources import DERIVED, Source
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.model.inputs.document import Project, as_typed, read_document
from facility.model.it import Device
from facility.power.it.reconcile import slug

OptionName = Literal["air", "in_row", "rear_door", "hybrid", "liquid"]
OPTIONS: tuple[OptionName, ...] = ("air", "in_row", "rear_door", "hybrid", "liquid")
LABELS: dict[OptionName, str] = {
    "air": "Air: CRAHs around the hall",
    "in_row": "In-row coolers",
    "rear_door": "Rear doors",
    "hybrid": "Liquid and air",
    "liquid": "Full liquid",
}
"""Displayed names of the five cooling methods."""

_COLD_PLATES = ("gpu", "cpu", "nvswitch")
_FULL = "VR NVL72"
_UNIT_FIELDS = ("terminal", "model", "rating", "room_rise")
_IN_THE_ROWS: tuple[OptionName, ...] = ("in_row", "rear_door")
_FLOOR_FIELDS = ("supply", "tile_open_area", "plenum_pressure", "floor_leakage")
_LIQUID_SECTIONS = ("cdu", "facility_water", "liquid")
_TERMINALS: dict[OptionName, tuple[str, ...]] = {
    "air": ("crah",),
    "in_row": ("in-row",),
    "rear_door": ("rear-door", "active-rear-door"),
}


@dataclass(frozen=True)
class Variant:
    """A project with one cooling method."""

    name: OptionName  # Cooling method
    project: Project  # The project with that cooling
    own: bool  # Whether it is the project's own cooling, unchanged
    changes: tuple[str, ...]  # Differences from the project, as text

    def at_chilled_water(self, supply_c: float) -> Variant:
        """Return the variant with another chilled-water temperature."""
        typed = as_typed(self.project)
        plant = typed.setdefault("cooling", {}).setdefault("plant", {})
        plant["chilled_water_supply"] = f"{supply_c:g} degC"
        changes = (*self.changes, f"chilled water at {supply_c:g} °C")
        return replace(self, project=_read(typed, self.project), changes=changes)


def own_option(facility: Facility) -> OptionName:
    """Return the cooling method of a facility."""
    chain = facility.cooling
    if chain.method == "liquid":
        return "liquid"
    if chain.method == "hybrid":
        return "hybrid"
    terminal = chain.crah.path.terminal
    for name, kinds in _TERMINALS.items():
        if terminal in kinds:
            return name
    return "air"


def variants(project: Project, facility: Facility, name: OptionName, trace: Trace) -> list[Variant]:
    """Return the variants of `project` with the cooling method `name`.

    The project's own cooling is unchanged. Rear doors have a passive and an active variant.
    """
    if name == own_option(facility):
        return [Variant(name, project, True, ())]
    if name in _TERMINALS:
        return [_by_air(project, facility, name, kind) for kind in _TERMINALS[name]]
    return [_by_liquid(project, facility, name, trace)]


def _by_air(project: Project, facility: Facility, name: OptionName, terminal: str) -> Variant:
    typed = _same_racks(project, facility)
    cooling = _freed(typed)
    for section in _LIQUID_SECTIONS:
        cooling.pop(section, None)
    cooling["method"] = "air"
    room = _room(cooling)
    if terminal == "in-row":
        room = {field: value for field, value in room.items() if field not in _FLOOR_FIELDS}
    cooling["air"] = room | {"terminal": terminal}
    changes = ["air cooling", f"terminal: {terminal}"]
    economizer = (cooling.get("economizer") or {}).get("kind", "")
    if name in _IN_THE_ROWS and economizer.startswith("air-side"):
        del cooling["economizer"]
        changes.append(f"no {economizer} economizer: not available with units in the rows")
    return Variant(name, _read(typed, project), False, tuple(changes))


def _by_liquid(project: Project, facility: Facility, name: OptionName, trace: Trace) -> Variant:
    typed = _same_racks(project, facility)
    cooling = _freed(typed)
    cooling["air"] = _room(cooling)
    cooling["method"] = name
    devices: list[dict[str, Any]] = typed.setdefault("it", {}).setdefault("devices", [])
    changes = ["liquid and air cooling"]
    for device in _servers(facility):
        fraction = _liquid_fraction(device, name, trace)
        if fraction is None:
            continue
        entry = _entry(devices, device.model)
        entry["liquid_fraction"] = f"{100.0 * fraction:.4f} %"
        if device.airflow_m3_s is not None and fraction < 1.0:
            left = (1.0 - fraction) / (1.0 - device.liquid_fraction)
            entry["airflow"] = f"{device.airflow_m3_s * left:.6f} m3/s"
        changes.append(
            f"{device.model}: {fraction:.0%} of heat to coolant, airflow in proportion, assumed"
        )
    if not devices:
        typed["it"].pop("devices")
    return Variant(name, _read(typed, project), False, tuple(changes))


def _same_racks(project: Project, facility: Facility) -> dict[str, Any]:
    """Return the project as typed, with the servers per rack as in its present cooling."""
    typed = as_typed(project)
    compute = [rack for rack in facility.it.racks if rack.purpose == "compute"]
    if compute and not any(hall.racks for hall in project.it.halls or ()):
        per_rack = max(sum(placed.count for placed in rack.placed) for rack in compute)
        typed.setdefault("it", {}).setdefault("servers_per_rack", per_rack)
    return typed


def _room(cooling: dict[str, Any]) -> dict[str, Any]:
    """Return the room inputs of the project; units are those of the variant."""
    given: dict[str, Any] = cooling.get("air") or {}
    return {name: value for name, value in given.items() if name not in _UNIT_FIELDS}


def _freed(typed: dict[str, Any]) -> dict[str, Any]:
    """Return the cooling section without as-built counts, which belong to other equipment.

    Statements on assumptions are removed too: other cooling has other assumptions.
    """
    typed.pop("confirmed", None)
    typed.pop("overridden", None)
    cooling: dict[str, Any] = typed.setdefault("cooling", {})
    for path in (
        ("crah",),
        ("cdu",),
        ("plant", "chiller"),
        ("plant", "rejection"),
        ("facility_water", "rejection"),
    ):
        section = cooling
        for key in path:
            section = section.get(key, {})
        for key in ("count", "electrical_count"):
            section.pop(key, None)
    return cooling


def _servers(facility: Facility) -> Iterator[Device]:
    """Yield each type of server once."""
    placed = (p.device for rack in facility.it.racks for p in rack.placed)
    found = {device.model: device for device in placed if device.category == "server"}
    yield from found.values()


def _liquid_fraction(device: Device, name: OptionName, trace: Trace) -> float | None:
    """Return the fraction of server heat to coolant, None if unchanged from the product."""
    id = f"compare.liquid_fraction.{name}.{slug(device.model)}"
    if name == "liquid":
        if device.liquid_fraction >= 1.0:
            return None
        row = table("equipment/servers").get(_FULL)
        words = (
            f"{device.model} without air-cooled parts, like the {_FULL}; not available as a product"
        )
        return trace.assume(
            id, row.si("liquid_heat_fraction"), "fraction", words, row.cite("liquid_heat_fraction")
        )
    if device.liquid_fraction > 0.0:
        return None
    covered_w, recalled = _under_cold_plates(device)
    if covered_w <= 0.0:
        return None
    source = Source(DERIVED.id, "parts over input", "", "memory") if recalled else DERIVED
    words = (
        f"{device.model} with cold plates on GPUs, CPUs and switches: {covered_w / 1e3:.2f} kW of"
        f" {device.maximum_w / 1e3:g} kW; sold air-cooled"
    )
    return trace.assume(id, min(covered_w / device.maximum_w, 1.0), "fraction", words, source)


def _under_cold_plates(device: Device) -> tuple[float, bool]:
    """Return the power of the parts under cold plates, and whether any value is unverified."""
    parts = [p for p in device.components if p.component in _COLD_PLATES and p.unit_power_w]
    if not parts:
        return device.gpus * (device.gpu_power_w or 0.0), False
    power_w = sum(p.count * (p.unit_power_w or 0.0) for p in parts)
    return power_w, any(p.source.verified == "memory" for p in parts)


def _entry(devices: list[dict[str, Any]], model: str) -> dict[str, Any]:
    for entry in devices:
        if entry.get("model") == model:
            return entry
    devices.append({"model": model})
    return devices[-1]


def _read(typed: dict[str, Any], project: Project) -> Project:
    return read_document(typed, project.site.folder)
