"""The names that a field takes from a table: of the catalogue, or of the schemes that are known."""

from __future__ import annotations

import re
from collections import Counter

from facility.catalogue import table
from facility.model.inputs.power.battery import ARRANGEMENTS
from facility.model.inputs.power.plant import SPARES
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.model.it import Category
from facility.model.power.battery import TECHNOLOGIES
from facility.model.power.redundancy import SCHEMES
from facility.study.resolve.it.devices import CATEGORIES, NODES, SERVERS, lacking
from facility.study.resolve.it.short_form import offered_gpus
from facility.study.shortlist import CHOICES

_INDEX = re.compile(r"\.\d+(?=\.)")
_PDU = ("equipment/rack_pdus", "model")
_FLUIDS = (
    "cooling.cdu.fluid",
    "cooling.cdu.rating.fws_fluid",
    "cooling.facility_water.fluid",
    "cooling.plant.fluid",
    "cooling.plant.condenser_fluid",
)
_FEW_ROWS = 2
"""Temperatures of a fluid that are too few to design with."""
_GPUS = ("equipment/gpus", "model")
_COLUMNS = {
    "power.battery.model": ("electrical/battery_blocks", "battery"),
    "it.cords.rack_pdu": _PDU,
    "it.halls[].racks[].circuits[].rack_pdu": _PDU,
    "it.devices[].gpu_model": _GPUS,
    "it.devices[].supplies.efficiency_class": ("equipment/psu_efficiency", "psu_class"),
}
"""Column of a table that holds the names of a field."""
_TABLES = {"site.station": "weather/stations"} | {one.field: one.table for one in CHOICES}
_SPARE_UNITS = ("N", *(f"N+{n}" for n in range(1, 10)), "2N")
_WORDS: dict[str, tuple[str, ...]] = {
    "power.redundancy": SCHEMES,
    "power.transformer.redundancy": tuple(SPARES),
    "power.generator.redundancy": tuple(SPARES),
    "power.battery.technology": TECHNOLOGIES,
    "power.battery.arrangement": ARRANGEMENTS,
    "power.distribution.rack_system": tuple(RACK_SYSTEMS),
} | dict.fromkeys(
    (
        "cooling.crah.redundancy",
        "cooling.cdu.redundancy",
        "cooling.plant.chiller.redundancy",
        "cooling.plant.rejection.redundancy",
        "cooling.facility_water.rejection.redundancy",
    ),
    _SPARE_UNITS,
)
_CURVES = {
    "cooling.crah.fan_curve": ("fan",),
    "cooling.plant.rejection.fan_curve": ("fan", "tower fan"),
    "cooling.facility_water.rejection.fan_curve": ("fan", "tower fan"),
}
"""Devices whose part-load curves a field takes."""
_DEVICES: dict[str, tuple[Category, ...]] = {
    "it.server": ("server",),
    "it.network.switch": ("switch",),
    "it.storage.model": ("storage",),
    "it.management.model": ("management",),
    "it.halls[].racks[].devices[].model": ("server", "switch", "storage", "management"),
}
"""What devices a field takes."""


def known_names(path: str) -> tuple[str, ...]:
    """Return the names that are known for the field at `path`; others may be typed too."""
    field = _INDEX.sub("[]", path)
    if field in _COLUMNS:
        name, column = _COLUMNS[field]
        return tuple(dict.fromkeys(row.text(column) for row in table(name).rows))
    if field in _FLUIDS:
        listed = table("cooling/fluid_properties").rows
        rows = Counter(row.text("fluid") for row in listed if row["mu_mpas"] is not None)
        return tuple(name for name in rows if rows[name] > _FEW_ROWS)
    if field in _TABLES:
        return table(_TABLES[field]).keys
    if field in _CURVES:
        curves = table("cooling/fan_pump_part_load").rows
        return tuple(row.text("curve") for row in curves if row["device"] in _CURVES[field])
    return _of_it(field) or _WORDS.get(field, ())


def _of_it(field: str) -> tuple[str, ...]:
    """Return the devices of the catalogue that a field of the IT takes."""
    if field == "it.gpu_model":
        return offered_gpus()
    if field not in _DEVICES:
        return ()
    kinds = {row.text("model"): CATEGORIES.get(row.text("category")) for row in table(NODES).rows}
    kinds |= dict.fromkeys(table(SERVERS).keys, "server")
    wanted = [name for kind in _DEVICES[field] for name in kinds if kinds[name] == kind]
    return tuple(name for name in wanted if not lacking(name))
