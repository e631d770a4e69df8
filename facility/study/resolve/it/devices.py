"""Devices of the project: catalogue rows, completed or replaced by user input."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from facility.catalogue import Row, match_gpu, table
from facility.catalogue.trade_names import GPUS, NODES, SERVERS, device_key, gpu_key
from facility.core.errors import FacilityError, near_matches, unknown
from facility.core.parse import Measured
from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.model.inputs.it import DeviceSection, ItSection
from facility.model.it import Category, Component, Device
from facility.power.it.reconcile import slug
from facility.study.resolve.it.supplies import catalogue_supplies, given_supplies
from facility.study.resolve.reader import Reader

CATEGORIES: dict[str, Category] = {
    "IB switch": "switch",
    "Ethernet switch": "switch",
    "OOB Ethernet switch": "switch",
    "CPU node": "management",
    "Management appliance": "management",
    "Storage": "storage",
}
_DC_SHELF_EFFICIENCY = 0.975
_MEASURED_LIQUID = ("GB200 NVL72", "GB300 NVL72")
"""Preferred rows for the liquid heat fraction of other rows with the same GPU."""


@dataclass
class DeviceBook:
    """Devices by model name, each created once.

    given: Project input of a model, with its list index; None where only its power is stated.
    it: The section; its trace receives the assumptions that complete a device.
    """

    given: dict[str, tuple[int | None, DeviceSection]]
    it: Reader
    _built: dict[str, Device] = field(default_factory=dict)

    def get(self, model: str, where: str) -> Device:
        """Return the device `model`.

        Raises ``UNKNOWN_MODEL`` with near matches, ``NOT_A_DEVICE`` for a component of another
        device, ``UNKNOWN_VALUE`` for a value missing in catalogue and project.
        """
        if model not in self._built:
            key = model if model in self.given else device_key(model, where)
            if key not in self._built:
                self._built[key] = self._build(key, where)
            self._built[model] = self._built[key]
        return self._built[model]

    def state_power(self, model: str, power: Measured) -> None:
        """Enter the stated maximum power of a server that is not built yet.

        Raises ``CONTRADICTION`` where the project describes the server with another power.
        """
        key = model if model in self.given else device_key(model, "it.server")
        index, section = self.given.get(key, (None, None))
        if section is None and (key,) not in table(SERVERS).index:
            self.get(model, "it.server")
        section = section or DeviceSection(model=key)
        if section.maximum_power is not None:
            raise FacilityError(
                "CONTRADICTION",
                "it.server_power",
                f"it.devices[{index}].maximum_power also states the power of {key}.",
                "Enter only one of the two.",
            )
        self.given[key] = (index, section.model_copy(update={"maximum_power": power}))

    def _build(self, model: str, where: str) -> Device:
        index, section = self.given.get(model, (0, None))
        where_listed = "it.server_power" if index is None else f"it.devices[{index}]"
        servers, nodes = table(SERVERS).index, table(NODES).index
        if (model,) in servers:
            row = servers[(model,)]
            device = _server(row, section, self.it.trace)
        elif (model,) in nodes:
            row = nodes[(model,)]
            device = _node(row, section, where)
        elif section is not None:
            return _own(section, where_listed, self.it)
        else:
            known = [*table(SERVERS).keys, *table(NODES).keys, *self.given]
            raise FacilityError(
                "UNKNOWN_MODEL",
                where,
                f"{model!r} is not a catalogue device.",
                near_matches(model, known) + " Or describe it under it.devices.",
            )
        device = device if section is None else _overlaid(device, section, where_listed, self.it)
        if section is not None and section.supplies is not None:
            return device
        return replace(device, psu=catalogue_supplies(row, device, self.it))


def device_book(it: ItSection, trace: Trace) -> DeviceBook:
    """Return the devices that the project describes, in addition to the catalogue.

    Raises ``DUPLICATE`` when a model is described twice, ``AMBIGUOUS_MODEL`` for fields that
    complete a row under a name of several rows.
    """
    given: dict[str, tuple[int | None, DeviceSection]] = {}
    for index, section in enumerate(it.devices or ()):
        complete = section.maximum_power is not None and section.rack_units is not None
        where = f"it.devices[{index}].model"
        model = section.model if complete else device_key(section.model, where)
        if model in given:
            raise FacilityError(
                "DUPLICATE",
                where,
                f"{section.model!r} is already described in it.devices[{given[model][0]}].",
                "Describe each model once.",
            )
        given[model] = (index, section)
    return DeviceBook(given, Reader(it, "it", trace))


def gpu_tdp_w(gpu_model: str, where: str) -> float:
    """Return the thermal design power of a catalogue GPU [W].

    Raises ``UNKNOWN_MODEL`` with near matches, ``UNKNOWN_VALUE`` if not published.
    """
    found = _published_tdp_w(gpu_model, where)
    if found is None:
        raise FacilityError(
            "UNKNOWN_VALUE",
            where,
            f"the thermal design power of {gpu_model} is not published.",
            "Enter it.devices: [{model: ..., gpu_power: ... W}].",
        )
    return found


def _published_tdp_w(gpu_model: str, where: str) -> float | None:
    return table(GPUS).get(gpu_key(gpu_model, where), where).si_or_none("tdp_w")


def missing_data(model: str) -> str:
    """Return the data missing in the catalogue for a device; empty if complete.

    A component of another device (an optic, a cable) is not a device.
    """
    try:
        device_book(ItSection.unstated(), Trace()).get(model, "it.server")
    except FacilityError as error:
        return error.message.rstrip(".")
    return ""


def _maximum(row: Row, column: str, section: DeviceSection | None, where: str) -> float:
    if section is not None and section.maximum_power is not None:
        return section.maximum_power.si
    if row[column] is None:
        raise FacilityError(
            "UNKNOWN_VALUE",
            where,
            f"the maximum power of {row['model']} is missing in the catalogue.",
            "Enter it.server_power from the data sheet; for racks in it.halls, enter "
            f"it.devices: [{{model: {row['model']}, maximum_power: ... kW}}].",
        )
    return row.si(column)


def _server(row: Row, section: DeviceSection | None, trace: Trace) -> Device:
    where = f"it.server ({row['model']})"
    maximum_w = _maximum(row, "max_input_kw", section, where)
    scale = 1.0
    if row.text("input_supply") == "dc":
        scale /= _DC_SHELF_EFFICIENCY
        trace.assume(
            f"it.device.{slug(str(row['model']))}.shelf_efficiency",
            _DC_SHELF_EFFICIENCY,
            "fraction",
            "published power is DC input; power shelves add about 2.5 % to the AC side",
            row.cite("max_input_kw"),
        )
    gpu_model = row.text("gpu_model")
    own_gpu_w = section.gpu_power if section is not None else None
    components = tuple(
        Component(str(part["component"]), str(part["description"]), part.integer("count"),
                  part.si_or_none("unit_power_w"), part.cite("unit_power_w"))
        for part in table("equipment/server_components").select(server=row["model"])
    )  # fmt: skip
    rack_scale = row["form"] == "rack"
    given_max = section is not None and section.maximum_power is not None
    return Device(
        model=str(row["model"]),
        category="server",
        gpus=row.integer("gpus_per_system"),
        gpu_model=gpu_model,
        gpu_power_w=own_gpu_w.si if own_gpu_w is not None else _published_tdp_w(gpu_model, where),
        maximum_w=maximum_w if given_max else maximum_w * scale,
        typical_w=_scaled(row.si_or_none("typical_input_kw"), scale),
        peak_w=_scaled(row.si_or_none("peak_transient_kw"), scale),
        components=components,
        rack_units=_rack_units(row, section, 48 if rack_scale else None),
        airflow_m3_s=row.si_or_none("airflow_cfm"),
        inlet_min_c=row.si_or_none("inlet_temp_min_c"),
        inlet_max_c=row.si_or_none("inlet_temp_max_c"),
        liquid_fraction=_liquid_fraction(row, section, trace),
        liquid_only=bool(row["liquid_only"]),
        tcs_flow_m3_s=row.si_or_none("liquid_flow_l_min"),
        tcs_supply_max_c=row.si_or_none("tcs_supply_temp_max_c"),
        mass_kg=row.si_or_none("weight_kg"),
        source=row.cite("max_input_kw"),
        from_memory=row.is_memory("max_input_kw"),
    )


def _scaled(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale


def _rack_units(row: Row, section: DeviceSection | None, fallback: int | None) -> int:
    if section is not None and section.rack_units is not None:
        return section.rack_units
    if row["rack_units"] is None and fallback is not None:
        return fallback
    return row.integer("rack_units", "it.devices rack_units")


def _liquid_fraction(row: Row, section: DeviceSection | None, trace: Trace) -> float:
    if section is not None and section.liquid_fraction is not None:
        return section.liquid_fraction.si
    known = row.si_or_none("liquid_heat_fraction")
    if known is not None:
        return known
    if not row["liquid_only"]:
        return 0.0
    model, gpu = str(row["model"]), row.text("gpu_model")
    same_gpu = table(SERVERS).select(gpu_model=gpu)
    for other in sorted(same_gpu, key=lambda one: one["model"] not in _MEASURED_LIQUID):
        fraction = other.si_or_none("liquid_heat_fraction")
        if fraction:
            id, source = f"it.device.{slug(model)}.liquid_fraction", other.cite("air_heat_fraction")
            return trace.assume(id, fraction, "fraction", f"same as {other['model']}", source)
    raise FacilityError(
        "UNKNOWN_VALUE",
        f"it.devices ({model})",
        f"the liquid heat fraction of {model} is unknown.",
        f"Enter it.devices: [{{model: {model}, liquid_fraction: 0.9}}].",
    )


def _node(row: Row, section: DeviceSection | None, where: str) -> Device:
    kind = row.text("category")
    if kind not in CATEGORIES:
        raise FacilityError(
            "NOT_A_DEVICE",
            where,
            f"{row['model']} is a component ({kind}), already included in the power of another "
            f"device.",
            "Enter a switch, node or storage device.",
        )
    return Device(
        model=str(row["model"]),
        category=CATEGORIES[kind],
        maximum_w=_maximum(row, "max_w", section, where),
        typical_w=row.si_or_none("typical_w"),
        rack_units=_rack_units(row, section, None),
        mass_kg=row.si_or_none("weight_kg"),
        source=row.cite("max_w"),
        from_memory=row.is_memory("max_w"),
    )


_FIELDS: tuple[tuple[str, str], ...] = (
    ("maximum_w", "maximum_power"),
    ("typical_w", "typical_power"),
    ("idle_w", "idle_power"),
    ("peak_w", "peak_power"),
    ("gpu_power_w", "gpu_power"),
    ("airflow_m3_s", "airflow"),
    ("inlet_min_c", "inlet_min"),
    ("inlet_max_c", "inlet_max"),
    ("liquid_fraction", "liquid_fraction"),
    ("tcs_flow_m3_s", "coolant_flow"),
    ("tcs_supply_max_c", "coolant_supply_max"),
    ("mass_kg", "mass"),
)
_PLAIN = ("category", "gpus", "gpu_model", "rack_units", "liquid_only")


def _overlaid(device: Device, section: DeviceSection, where: str, it: Reader) -> Device:
    """Return `device` with all fields specified in the project."""
    changes: dict[str, Any] = {
        name: measured.si
        for name, key in _FIELDS
        if (measured := getattr(section, key)) is not None
    }
    changes |= {key: getattr(section, key) for key in _PLAIN if getattr(section, key) is not None}
    if section.gpu_model is not None:
        changes["gpu_model"] = match_gpu(section.gpu_model).key or section.gpu_model
    if section.maximum_power is not None:
        changes |= {"from_memory": False, "source": PROJECT}
    changed = replace(device, **changes)
    ladder = [
        ("idle_power", changed.idle_w),
        ("typical_power", changed.typical_w),
        ("maximum_power", changed.maximum_w),
        ("peak_power", changed.peak_w),
    ]
    known = [(name, value) for name, value in ladder if value is not None]
    for (low_name, low), (high_name, high) in pairwise(known):
        if low > high:
            raise FacilityError(
                "CONTRADICTION",
                f"{where}.{low_name}",
                f"{low_name} {low / 1e3:g} kW of {changed.model} exceeds its {high_name} "
                f"{high / 1e3:g} kW.",
                "Enter ascending values for idle, typical, maximum, peak.",
            )
    if section.supplies is not None:
        changed = replace(changed, psu=given_supplies(section.supplies, changed, where, it))
    return changed


def _own(section: DeviceSection, where: str, it: Reader) -> Device:
    if section.maximum_power is None or section.rack_units is None:
        missing = "maximum_power" if section.maximum_power is None else "rack_units"
        raise unknown(
            "MISSING_FIELD", f"{where}.{missing}",
            f"{section.model!r} is not in the catalogue; {missing} is required.",
            section.model, table(SERVERS).keys
        )  # fmt: skip
    gpu_w = 0.0
    if section.gpus and section.gpu_power is None:
        if section.gpu_model is None:
            raise FacilityError(
                "MISSING_FIELD", f"{where}.gpu_model", "the GPU model is required.",
                "Enter gpu_model from the catalogue, or gpu_power.",
            )  # fmt: skip
        gpu_w = gpu_tdp_w(section.gpu_model, f"{where}.gpu_model")
    blank = Device(
        model=section.model,
        category="server",
        gpu_power_w=gpu_w,
        maximum_w=0.0,
        rack_units=1,
        source=PROJECT,
    )
    device = _overlaid(blank, section, where, it)
    if device.psu is None:
        device = replace(device, psu=given_supplies(None, device, where, it))
    return device
