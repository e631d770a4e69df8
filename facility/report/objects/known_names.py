"""The names that an input accepts: of the catalogue, of tables, and of the vocabulary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from facility.catalogue import table
from facility.catalogue.trade_names import NODES, SERVERS
from facility.model.inputs.change import declared_path
from facility.model.inputs.power.battery import ARRANGEMENTS
from facility.model.inputs.power.plant import SPARES
from facility.model.inputs.power.section import RACK_SYSTEMS
from facility.model.inputs.site import SiteSection
from facility.model.it import Category
from facility.model.power.battery import TECHNOLOGIES
from facility.model.power.redundancy import SCHEMES
from facility.study.brief.site import nearest_stations
from facility.study.resolve.it.devices import CATEGORIES, missing_data
from facility.study.resolve.it.short_form import offered_gpus
from facility.study.shortlist import CHOICES

_FEW_ROWS = 2
"""Number of property rows of a fluid that is insufficient for a design."""
_SPARE_UNITS = ("N", *(f"N+{n}" for n in range(1, 10)), "2N")
_ALL: tuple[Category, ...] = ("server", "switch", "storage", "management")


def known_names(path: str) -> tuple[str, ...]:
    """Return the known names for the field at `path`; other names can be typed too."""
    names = _NAMES.get(declared_path(path))
    return () if names is None else tuple(dict.fromkeys(names()))


def _column(name: str, column: str) -> Sequence[str]:
    return [row.text(column) for row in table(name).rows]


def _curves(*devices: str) -> Sequence[str]:
    rows = table("cooling/fan_pump_part_load").rows
    return [row.text("curve") for row in rows if row["device"] in devices]


def _fluids() -> Sequence[str]:
    listed = table("cooling/fluid_properties").rows
    rows = Counter(row.text("fluid") for row in listed if row["mu_mpas"] is not None)
    return [name for name in rows if rows[name] > _FEW_ROWS]


def _devices(*categories: Category) -> Sequence[str]:
    """Return the devices of the catalogue in the order of their categories, with all data."""
    kinds = {row.text("model"): CATEGORIES.get(row.text("category")) for row in table(NODES).rows}
    kinds |= dict.fromkeys(table(SERVERS).keys, "server")
    listed = [name for kind in categories for name in kinds if kinds[name] == kind]
    return [name for name in listed if not missing_data(name)]


_RACK_PDUS = partial(_column, "equipment/rack_pdus", "model")
_NAMES: Mapping[str, Callable[[], Sequence[str]]] = {
    "site.station": lambda: table("weather/stations").keys,
    **{one.field: lambda name=one.table: table(name).keys for one in CHOICES},  # type: ignore[misc]
    "it.gpu_model": offered_gpus,
    "it.devices[].gpu_model": partial(_column, "equipment/gpus", "model"),
    "it.devices[].supplies.efficiency_class": partial(
        _column, "equipment/psu_efficiency", "psu_class"
    ),
    "it.server": partial(_devices, "server"),
    "it.network.switch": partial(_devices, "switch"),
    "it.storage.model": partial(_devices, "storage"),
    "it.management.model": partial(_devices, "management"),
    "it.halls[].racks[].devices[].model": partial(_devices, *_ALL),
    "it.halls[].racks[].circuits[].rack_pdu": _RACK_PDUS,
    "it.cords.rack_pdu": _RACK_PDUS,
    "power.battery.model": partial(_column, "electrical/battery_blocks", "battery"),
    "power.battery.technology": lambda: TECHNOLOGIES,
    "power.battery.arrangement": lambda: ARRANGEMENTS,
    "power.redundancy": lambda: tuple(SCHEMES),
    "power.transformer.redundancy": lambda: tuple(SPARES),
    "power.generator.redundancy": lambda: tuple(SPARES),
    "power.distribution.rack_system": lambda: tuple(RACK_SYSTEMS),
    "cooling.crah.fan_curve": partial(_curves, "fan"),
    "cooling.plant.rejection.fan_curve": partial(_curves, "fan", "tower fan"),
    "cooling.facility_water.rejection.fan_curve": partial(_curves, "fan", "tower fan"),
    "cooling.crah.redundancy": lambda: _SPARE_UNITS,
    "cooling.cdu.redundancy": lambda: _SPARE_UNITS,
    "cooling.plant.chiller.redundancy": lambda: _SPARE_UNITS,
    "cooling.plant.rejection.redundancy": lambda: _SPARE_UNITS,
    "cooling.facility_water.rejection.redundancy": lambda: _SPARE_UNITS,
    "cooling.cdu.fluid": _fluids,
    "cooling.cdu.rating.fws_fluid": _fluids,
    "cooling.facility_water.fluid": _fluids,
    "cooling.plant.fluid": _fluids,
    "cooling.plant.condenser_fluid": _fluids,
}
"""Names by field."""


def station_labels(site: SiteSection) -> dict[str, str]:
    """Return the place of each included weather station by its key: nearest to the site first.

    Each with its distance, or by place without the coordinates of the site.
    """
    if site.latitude is None or site.longitude is None:
        rows = sorted(table("weather/stations").rows, key=lambda row: row.text("place"))
        return {row.text("station"): row.text("place") for row in rows}
    near = nearest_stations(site.latitude.si, site.longitude.si)
    return {one.station: one.label for one in near}
