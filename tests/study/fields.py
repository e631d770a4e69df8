"""Every field of the project document, with two settings that must lead to different designs.

``FIELDS`` holds, for each leaf of the document: the base project, and two lists of ``path=value``
changes: the field left open and given, or given twice. A field that is declared with a number as
its default is varied from that number, where it does not stand in `BY_HAND`. `EXCEPTIONS` are the
fields that no result, check or assumption depends on, with the reason.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.model.inputs.declare import Entry, leaves
from facility.model.inputs.document import Project
from facility.model.inputs.load_motion import (
    GridSection,
    JobSection,
    SmoothingSection,
    UpsSagSection,
)
from facility.model.inputs.load_profile import ReadingSection
from facility.model.inputs.panels import NameplateSection
from facility.model.inputs.power.nameplates import EquipmentNameplateSection
from facility.model.inputs.power.reliability import ReliabilitySection

AIR = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 64, server: DGX H100}
power: {redundancy: 3N/2}
cooling: {method: air, plant: {heat_rejection: tower}}
"""
LIQUID = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: B200 NVL72, gpus: 144, network: {topology: none}}
power: {redundancy: 2N}
cooling: {method: hybrid, plant: {heat_rejection: tower}}
"""
BUILT = """\
schema_version: 1
site: {station: ashburn}
it:
  halls:
    - name: One
      racks:
        - name: Nodes
          count: 3
          devices: [{model: DGX H100, count: 4}]
          feeds: [A, B, C]
power: {redundancy: 3N/2}
cooling: {method: air, plant: {heat_rejection: tower}}
"""
OWN = """\
schema_version: 1
site: {station: ashburn}
it:
  devices:
    - model: Box
      category: server
      gpus: 8
      gpu_model: H100 SXM5
      gpu_power: 700 W
      maximum_power: 10 kW
      rack_units: 8
      supplies: {count: 6, needed: 4, rating: 3.3 kW, voltage_min: 200 V, voltage_max: 240 V}
  halls:
    - name: One
      racks:
        - name: Nodes
          count: 3
          devices: [{model: Box, count: 4}]
          feeds: [A, B, C]
power: {redundancy: 3N/2}
cooling: {method: air, plant: {heat_rejection: tower}}
"""
BASES = {"air": AIR, "liquid": LIQUID, "built": BUILT, "own": OWN}


MOVING = {
    "it.job": JobSection,
    "site.grid": GridSection,
    "power.smoothing": SmoothingSection,
    "power.ups.sags": UpsSagSection,
}
"""Sections that the study of load that moves reads, and nothing else."""


class Change(NamedTuple):
    """A base project and two settings of one field (with whatever else they need)."""

    base: str
    one: tuple[str, ...]
    two: tuple[str, ...]


def _change(path: str, base: str, one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, Change]:
    """Return the change of a field by two settings."""
    return path, Change(base, one, two)


_SINGLE = "cooling.hydraulics.header=single"


def _value(base: str, path: str, value: str, *both: str) -> tuple[str, Change]:
    """Return the change from the field left open to `value`."""
    return path, Change(base, both, (*both, f"{path.replace('[]', '.0')}={value}"))


def _each(
    base: str, at: str, values: Mapping[str, str], *both: str
) -> Iterator[tuple[str, Change]]:
    """Yield the change of each field of a section from left open to its value."""
    for name, value in values.items():
        yield _value(base, f"{at}.{name}", value, *both)


def _values(base: str, path: str, one: str, two: str, *both: str) -> tuple[str, Change]:
    """Return the change from one value of the field to another."""
    used = path.replace("[]", ".0")
    return path, Change(base, (*both, f"{used}={one}"), (*both, f"{used}={two}"))


_WAIVER = (
    "checks.waived.0.rule=PEAK-KNOWN",
    "checks.waived.0.reason=measured on site",
    "checks.waived.0.by=the engineer",
)
_CAPPED = (
    "it.devices.0.supplies.needed=6",
    "it.devices.0.supplies.capped.supplies=4",
    "it.devices.0.supplies.capped.power=5 kW",
)
_OWN_ROWS = (
    "equipment.0.table=equipment/servers",
    "equipment.0.rows.0=vendor,model,name,class,form,liquid_only,gpus_per_system,gpu_model,"
    "max_input_kw,rack_units",
    "equipment.0.rows.1=Own,DGX H100,DGX H100,air 8-GPU,system,no,8,H100 SXM5,9.1,8",
)
_OVERRIDE = (
    "criteria.growth=5 %",
    "overridden.0.assumption=criteria.growth",
    "overridden.0.reason=the owner wants it",
    "overridden.0.by=the engineer",
)
_CRAH = (
    "cooling.crah.rating.net_sensible=100 kW",
    "cooling.crah.rating.airflow=7 m3/s",
    "cooling.crah.rating.return_air=36 degC",
    "cooling.crah.rating.water_in=18 degC",
    "cooling.crah.rating.water_out=26 degC",
)
_IN_ROW = (
    "cooling.air.terminal=in-row",
    "cooling.air.rating.net_sensible=40 kW",
    "cooling.air.rating.airflow=2.8 m3/s",
    "cooling.air.rating.return_air=36 degC",
    "cooling.air.rating.water_in=18 degC",
    "cooling.air.rating.water_out=24 degC",
)
_CRAC = (
    "cooling.air.terminal=crac",
    "cooling.plant.heat_rejection=air_cooled",
    "cooling.air.rating.net_sensible=80 kW",
    "cooling.air.rating.airflow=5.6 m3/s",
    "cooling.air.rating.return_air=36 degC",
)
_FLOOR = ("cooling.air.supply=raised-floor",)
_DOORS = ("cooling.air.terminal=rear-door",)
_CDU = (
    "cooling.cdu.rating.capacity=800 kW",
    "cooling.cdu.rating.approach=4 K",
    "cooling.cdu.rating.tcs_flow=900 L/min",
)

_PLATE = (
    "cooling.liquid.cold_plate.chip_power=1 kW",
    "cooling.liquid.cold_plate.flow=1 L/min",
    "cooling.liquid.cold_plate.case_max=85 degC",
)


def _dry(section: str) -> tuple[str, ...]:
    at = f"cooling.{section}.rejection.dry_cooler"
    return (
        f"{at}.heat=400 kW",
        f"{at}.air_in=35 degC",
        f"{at}.fluid_in=46 degC",
        f"{at}.fluid_out=40 degC",
        f"{at}.fan_power=8 kW",
    )


def _dry_cooler(case: str, section: str, air_in: str, *more: str) -> Iterator[tuple[str, Change]]:
    """Yield the fields of the rating of a dry cooler."""
    values = {
        "model": "Y",
        "heat": "300 kW",
        "air_in": air_in,
        "fluid_in": "48 degC",
        "fluid_out": "39 degC",
        "fan_power": "12 kW",
    }
    at = f"cooling.{section}.rejection.dry_cooler"
    return _each(case, at, values, *more, *_dry(section))


def _tower(section: str) -> tuple[str, ...]:
    at = f"cooling.{section}.rejection.tower"
    return (
        f"{at}.heat=1200 kW",
        f"{at}.wet_bulb=25.6 degC",
        f"{at}.range=5.6 K",
        f"{at}.approach=3.9 K",
        f"{at}.fan_power=18 kW",
    )


def _rated_tower(case: str, section: str, *more: str) -> list[tuple[str, Change]]:
    """Return the fields of the rating of a tower, its fans' curve and their least air."""
    at, rated = f"cooling.{section}.rejection", (*more, *_tower(section))
    values = {
        "heat": "300 kW",
        "wet_bulb": "24.5 degC",
        "range": "6.5 K",
        "approach": "4.4 K",
        "fan_power": "30 kW",
        "model": "Y",
    }
    flow = [x for x in rated if ".heat=" not in x]
    return [
        *_each(case, f"{at}.tower", values, *rated),
        _values(case, f"{at}.tower.flow", "10 L/s", "20 L/s", *flow),
        _value(case, f"{at}.fan_curve", "inlet vanes (DOE-2)", *more),
        _value(case, f"{at}.least_air", "45 %", *more),
    ]


_ON_WATER = "cooling.economizer.kind=integrated-water-side"
_OUTDOOR_AIR = "cooling.economizer.kind=air-side-direct"
_RATED_UPS = ("power.ups.module_rating=500 kW",)
_CURVE = (
    *_RATED_UPS,
    "power.ups.efficiency_25=95 %",
    "power.ups.efficiency_50=96.5 %",
    "power.ups.efficiency_75=96.8 %",
    "power.ups.efficiency_100=96.6 %",
)
_POINTS = (
    "power.battery.points.0.time=5 min",
    "power.battery.points.0.block_power=2510 W",
    "power.battery.points.1.time=15 min",
    "power.battery.points.1.block_power=1340 W",
)
_LOSSES = (
    "power.transformer.rating=1000 kVA",
    "power.transformer.no_load_loss=1.1 kW",
    "power.transformer.load_loss=9 kW",
)


def _circuits(**last: str) -> tuple[str, ...]:
    found = []
    for index, feed in enumerate("ABC"):
        at = f"it.halls.0.racks.0.circuits.{index}"
        found += [f"{at}.feed={feed}", f"{at}.poles=3", f"{at}.breaker=60 A"]
    return (*found, *(f"it.halls.0.racks.0.circuits.0.{k}={v}" for k, v in last.items()))


_DRY_PLANT = ("cooling.plant.heat_rejection=dry_cooler",)
_TOWER_WATER = ("cooling.facility_water.source=tower",)
_NOWHERE = ("site.station=", "site.design_dry_bulb=35 degC", "site.design_wet_bulb=25 degC")
_WET, _DRY = (*_NOWHERE, "site.mean_wet_bulb=14 degC"), (*_NOWHERE, "site.mean_dry_bulb=22 degC")
_AIR_COOLED = "cooling.plant.heat_rejection=air_cooled"
_LIMITS_FROM = "criteria.component_limits_edition=a standard"
_WARM_WATER = ("criteria.liquid_class=W45", "cooling.facility_water.fluid=water")
_DRY_WATER = ("cooling.facility_water.source=dry_cooler", *_WARM_WATER)

_BUSBAR = (
    "power.dc.architecture=54V busbar",
    "power.dc.length=2 m",
    "power.dc.busbar_section=800 mm2",
)
_DC_FEEDER = (
    "power.dc.architecture=800V feeder",
    "power.dc.length=60 m",
    "power.dc.conductor_size=3/0",
)


def _board(**last: str) -> tuple[str, ...]:
    """Return a board with three circuits that stand on banks and positions of their own."""
    at = "panels.boards.0"
    found = [f"{at}.tag=RPP-A01"]
    for n, position in enumerate(("1", "2", "7")):
        found += [
            f"{at}.circuits.{n}.rack=Nodes 0{n + 1}",
            f"{at}.circuits.{n}.position={position}",
        ]
        found += [f"{at}.circuits.{n}.banks.{pole}={pole + 1}" for pole in range(3)]
    return (*found, *(f"{at}.circuits.0.{k.replace('_', '.')}={v}" for k, v in last.items()))


def _cords(rack: str, feed: str = "A", cords: int = 8, *more: str) -> tuple[str, ...]:
    """Return cords that all hang on the first outlet bank."""
    banks = tuple(f"panels.cords.0.banks.{n}=1" for n in range(cords))
    return (*more, f"panels.cords.0.rack={rack}", f"panels.cords.0.feed={feed}", *banks)


def _spare(**given: str) -> tuple[str, ...]:
    spare = {"tag": "RPP-A01", "poles": "1", "breaker": "20 A", "position": "40"} | given
    at = "panels.boards.0"
    return (
        f"{at}.tag={spare.pop('tag')}",
        *(f"{at}.spares.0.{name}={value}" for name, value in spare.items()),
    )


_ONE_PRICE = ("site.tariff.energy.0.price=0.05 USD/kWh",)
_DEMAND = (*_ONE_PRICE, "site.tariff.demand.0.price=10 USD/kW")


_COST = ("cost.prices=guides",)
_LOW = ("power.distribution.rack_system=208Y/120",)


def _cost() -> Iterator[tuple[str, Change]]:
    """Yield the fields of the cost of ownership."""
    yield _values("air", "cost.prices", "guides", "stated", "cost.operation.staff=1 kUSD")
    for name in ("gpu", "network"):
        yield _value("air", f"cost.capital.{name}", "50000 USD", *_COST)
    for name in ("power", "cooling", "building"):
        yield _value("air", f"cost.capital.{name}", "9000 USD/kW", *_COST)
    for name in ("ups", "transformer"):
        yield _value("air", f"cost.equipment.{name}", "777 USD/kVA", *_COST)
    yield _value("air", "cost.equipment.pdu_transformer", "777 USD/kVA", *_COST, *_LOW)
    for name in ("generator", "cables", "chiller", "heat_rejection", "air_handler"):
        yield _value("air", f"cost.equipment.{name}", "777 USD/kW", *_COST)
    for name in ("pump", "pipes"):
        yield _value("air", f"cost.equipment.{name}", "777 USD/kW", *_COST)
    for name in ("cdu", "plate_exchanger"):
        yield _value("liquid", f"cost.equipment.{name}", "777 USD/kW", *_COST)
    yield _value("air", "cost.equipment.rear_door", "777 USD/kW", *_COST, *_DOORS)
    for name in ("mv_switchgear", "switchboard", "panel"):
        yield _value("air", f"cost.equipment.{name}", "77777 USD", *_COST)
    strips = ("it.cords.rack_pdu=NA 415 V 3ph 30 A",)
    yield _value("air", "cost.equipment.rack_pdu", "7777 USD", *_COST, *strips)
    yield _value("air", "cost.equipment.battery", "900 USD/kWh", *_COST)
    yield _value("air", "cost.equipment.installation", "33 %", *_COST)
    for name in ("maintenance", "staff", "lease", "spares", "other"):
        yield _value("air", f"cost.operation.{name}", "100 kUSD", *_COST)
    yield _value("air", "cost.operation.water", "3 USD/m3", *_COST)
    yield _value("air", "cost.operation.fuel", "1.2 USD/L", *_COST)
    for name, years in (("it", "3"), ("plant", "10"), ("building", "50")):
        yield _value("air", f"cost.{name}_years", years, *_COST)
    yield _value("air", "cost.rate", "5 %", *_COST)
    yield _value("air", "cost.used", "70 %", *_COST)
    yield _value("air", "cost.run", "1e6 h", *_COST)


def _tariff() -> Iterator[tuple[str, Change]]:
    """Yield the fields of a tariff: each alone changes the bill."""
    at = "site.tariff.energy[]"
    rest = ("site.tariff.energy.1.price=0.10 USD/kWh",)
    yield _values("air", f"{at}.price", "0.05 USD/kWh", "0.06 USD/kWh")
    for name, one, other, two, another in (
        ("months", "Jun-Sep", "Oct-May", "Jun-Aug", "Sep-May"),
        ("days", "weekdays", "weekends", "weekends", "weekdays"),
        ("hours", "8-20", "20-8", "8-21", "21-8"),
    ):
        set_one = (f"site.tariff.energy.0.{name}={one}", f"site.tariff.energy.1.{name}={other}")
        set_two = (f"site.tariff.energy.0.{name}={two}", f"site.tariff.energy.1.{name}={another}")
        both = (*_ONE_PRICE, *rest)
        yield f"{at}.{name}", Change("air", (*both, *set_one), (*both, *set_two))
    at = "site.tariff.demand[]"
    yield _values("air", f"{at}.price", "10 USD/kW", "12 USD/kVA", *_ONE_PRICE)
    yield _value("air", f"{at}.months", "Jun-Aug", *_DEMAND)
    yield _value("air", f"{at}.days", "weekends", *_DEMAND)
    yield _value("air", f"{at}.hours", "0-6", *_DEMAND)
    yield _value("air", f"{at}.ratchet", "99.9 %", *_DEMAND)
    ratchet = (*_DEMAND, "site.tariff.demand.0.ratchet=100 %")
    yield _value("air", f"{at}.ratchet_months", "Jan", *ratchet)
    yield _value("air", f"{at}.coincident", "24 Jun 17", *_DEMAND)
    yield _value("air", "site.tariff.power_factor", "100 %", *_DEMAND)
    at, above = f"{at}.blocks[]", "site.tariff.demand.0.blocks.0.above=10 kW"
    blocks = (*_DEMAND, "site.tariff.demand.0.blocks.0.price=12 USD/kW")
    yield _values("air", f"{at}.above", "10 kW", "20 kW", *blocks)
    yield _values("air", f"{at}.price", "12 USD/kW", "14 USD/kW", *_DEMAND, above)
    at = "site.tariff.energy[].blocks[]"
    blocks = (*_ONE_PRICE, "site.tariff.energy.0.blocks.0.price=0.04 USD/kWh")
    above = "site.tariff.energy.0.blocks.0.above=1 MWh"
    yield _values("air", f"{at}.above", "1 MWh", "100 h", *blocks)
    yield _values("air", f"{at}.price", "0.04 USD/kWh", "0.03 USD/kWh", *_ONE_PRICE, above)
    at = "site.tariff.reactive[]"
    yield _values("air", f"{at}.price", "0.04 USD/kvarh", "0.05 USD/kvarh", *_ONE_PRICE)
    reactive = (*_ONE_PRICE, "site.tariff.reactive.0.price=0.04 USD/kvarh")
    yield _value("air", f"{at}.beyond", "5 %", *reactive)
    yield _value("air", f"{at}.months", "Jun-Aug", *reactive)
    yield _value("air", f"{at}.days", "sundays", *reactive)
    yield _value("air", f"{at}.hours", "0-6", *reactive)
    yield _value("air", "site.tariff.fixed", "1000 USD", *_ONE_PRICE)
    days = (
        *_ONE_PRICE,
        *rest,
        "site.tariff.energy.0.days=weekdays",
        "site.tariff.energy.1.days=weekends",
    )
    yield _value("air", "site.tariff.first_day", "friday", *days)
    yield _value("air", "site.tariff.holidays", "4 Jul, 25 Dec", *days)


_STORAGE = (
    *_ONE_PRICE,
    "site.tariff.energy.0.hours=8-20",
    "site.tariff.energy.1.price=0.02 USD/kWh",
    "site.tariff.energy.1.hours=20-8",
)


def _storage() -> Iterator[tuple[str, Change]]:
    """Yield the fields of a tank that the tariff runs."""
    at = "cooling.storage"
    yield _value("air", f"{at}.volume", "40 m3", *_STORAGE)
    for name, value in (("usable", "60 %"), ("gain", "10 %"), ("reserve", "30 %")):
        yield _value("air", f"{at}.{name}", value, *_STORAGE, f"{at}.volume=40 m3")
    yield _value(
        "air", "cost.equipment.tank", "777 USD/m3", *_COST, *_STORAGE, f"{at}.volume=40 m3"
    )


_THIRD = (
    "power.transformer.it_harmonics.0.order=3",
    "power.transformer.it_harmonics.0.current=20 %",
    "power.distribution.rack_system=415Y/240",
)
_TWO_KINDS = (
    "it.halls.0.racks.1.name=Boxes",
    "it.halls.0.racks.1.devices.0.model=DGX H100",
    "it.halls.0.racks.1.devices.0.count=4",
    *(f"it.halls.0.racks.1.feeds.{n}={feed}" for n, feed in enumerate("ABC")),
)
_TWO_CIRCUITS = tuple(
    f"it.halls.0.racks.0.circuits.{n}.{name}={value}"
    for n, (feed, breaker) in enumerate((f, b) for f in "ABC" for b in ("60 A", "20 A"))
    for name, value in (("feed", feed), ("poles", "3"), ("breaker", breaker))
)
_TWO_BOARDS = (
    "it.halls.0.racks.0.count=6",
    "power.distribution.panel_poles=12",
    "panels.boards.0.tag=RPP-A02",
)
_TWO_BOARDS_OF_TWO = (
    "it.halls.0.racks.0.count=3",
    "power.distribution.panel_poles=12",
    *_TWO_CIRCUITS,
    "panels.boards.0.tag=RPP-A02",
    "panels.boards.0.circuits.0.rack=Nodes 01",
)
_TRAINING = "it.load_profile.kind=training"
_DAY = tuple(f"it.load_profile.hours.{n}={40 + n} %" for n in range(24))
_AT_208 = "power.distribution.rack_system=208Y/120"
_AT_415 = "power.distribution.rack_system=415Y/240"
_AT_480 = "power.distribution.voltage=480 V"
_FAULTS = "site.fault_level=500 MVA"
_LARGE_DEVICES = ("power.distribution.rack_system=415Y/240", "power.ups.model=9395XR-600")
_SMALL_CABLES = "power.mv_cables.largest_size=1/0"
_BACKUP = "power.faults.backup_rating=60 A"
_LET_THROUGH = (
    "power.faults.let_through.0.rating=20 A",
    "power.faults.let_through.0.fault_current=65 kA",
    "power.faults.let_through.0.energy=40 kA2s",
)
_INDIRECT = "cooling.economizer.kind=air-side-indirect"
_IEC = "criteria.code=IEC"
_SECONDARY = "cooling.plant.pumping.scheme=primary-secondary"
_USER = ("cooling.heat_reuse.fraction=40 %", "cooling.heat_reuse.temperature=70 degC")
_LIQUID_BOX = ("it.devices.0.liquid_fraction=80 %", "cooling.method=hybrid")
BY_HAND: dict[str, Change] = dict(
    [
        _value("air", "site.station", "phoenix"),
        _values("air", "site.climate_zone", "1A", "7"),
        _value("air", "site.year_warmer", "2 K"),
        _value("air", "site.country", "GB"),
        _values("air", "site.latitude", "38.98", "51.5", "site.longitude=-77.47"),
        _values("air", "site.longitude", "-77.47", "-0.12", "site.latitude=38.98"),
        _value("air", "site.elevation", "1609 m"),
        _value("air", "site.design_dry_bulb", "42 degC"),
        _value("air", "site.design_wet_bulb", "27 degC"),
        _values("air", "site.mean_dry_bulb", "20 degC", "22 degC", *_WET, _AIR_COOLED),
        _values("air", "site.mean_wet_bulb", "14 degC", "15 degC", *_DRY),
        _value("air", "site.coldest_dry_bulb", "-30 degC"),
        _value("air", "site.utility_voltage", "34.5 kV"),
        _values("air", "site.frequency", "50 Hz", "60 Hz"),
        _value("air", "site.fault_level", "900 MVA"),
        _value("air", "site.x_over_r", "30", _FAULTS),
        _value("air", "site.tariff", "0.11 USD/kWh"),
        *_tariff(),
        *_storage(),
        *_cost(),
        _value("air", "site.grid_carbon", "500 g/kWh"),
        _value("air", "site.grid_water", "2 L/kWh"),
        _value("air", "site.utility_capacity", "1 MW"),
        _value("air", "criteria.code", "IEC"),
        _values("air", "criteria.edition", "2017", "2023", "criteria.code=NEC"),
        _values("air", "criteria.continuous_factor", "1.5", "1.25"),
        _values("air", "criteria.mlc_limit", "0.2", "0.3", _LIMITS_FROM),
        _values("air", "criteria.elc_limit", "0.2", "0.3", _LIMITS_FROM),
        _value("air", "criteria.growth", "60 %"),
        _values("air", "criteria.voltage_drop_branch", "2 %", "3 %"),
        _values("air", "criteria.voltage_drop_feeder", "2 %", "3 %"),
        _values("air", "criteria.voltage_drop_total", "4 %", "5 %"),
        _value("air", "criteria.air_class", "A4"),
        _value("liquid", "criteria.liquid_class", "W45"),
        _values("air", "criteria.redundancy_goal", "N", "3N/2"),
        _value("air", "criteria.availability_goal", "fault_tolerant"),
        _values(
            "air",
            "criteria.availability_scope",
            "electrical",
            "electrical_and_cooling",
            "criteria.availability_goal=fault_tolerant",
        ),
        _value("air", "it.gpu_model", "H200 SXM", "it.server="),
        _value("air", "it.gpus", "512"),
        _change("equipment[].table", "air", (), _OWN_ROWS),
        _change("equipment[].rows", "air", (), _OWN_ROWS),
        _value("air", "it.server", "DGX H200", "it.gpu_model="),
        _values("air", "it.servers", "32", "64", "it.gpus="),
        _value("air", "it.servers_per_rack", "1"),
        _value("air", "it.rack_units", "30"),
        _value("air", "it.rack_power", "25 kW"),
        _value("air", "it.basis", "nameplate"),
        _value("air", "it.measured_power", "8 kW"),
        _value("air", "it.server_power", "9 kW"),
        _value("air", "it.load_factor", "90 %"),
        _change("it.load_profile.hours", "air", (), _DAY),
        _value("air", "it.load_profile.kind", "training"),
        _value("air", "it.load_profile.busy", "80 %", _TRAINING),
        _value("air", "it.load_profile.job_time", "9 d", _TRAINING, "it.load_profile.busy=70 %"),
        _value("air", "it.load_profile.ramp", "1 h", _TRAINING),
        _value("air", "it.load_profile.seed", "3", _TRAINING),
        _change(
            "it.feeds",
            "air",
            ("it.feeds.0=A", "it.feeds.1=B"),
            ("it.feeds.0=A", "it.feeds.1=B", "it.feeds.2=C"),
        ),
        _values("air", "it.cords.poles", "1", "3"),
        _value("air", "it.cords.per_feed", "2"),
        _value("air", "it.cords.breaker", "100 A"),
        _value("air", "it.cords.rack_pdu", "NA 415 V 3ph 30 A"),
        _value("air", "it.cords.connector", "NEMA L21-30R"),
        _value("air", "it.network.topology", "none"),
        _value("air", "it.network.switch", "SN5610"),
        _value("air", "it.network.radix", "32"),
        _values("air", "it.network.oversubscription", "1", "3", "it.gpus=256"),
        _values("air", "it.network.rails", "4", "8", "it.gpus=320"),
        _values("air", "it.network.optics", "passive", "active"),
        _value("air", "it.network.leaf", "12"),
        _value("air", "it.network.spine", "8"),
        _value("air", "it.network.core", "2"),
        _value("air", "it.network.other_switches", "12"),
        _value("air", "it.storage.model", "management node 1U", "it.storage.count=8"),
        _value("air", "it.storage.count", "8"),
        _value("air", "it.management.model", "NVMe storage node 2U"),
        _value("air", "it.management.count", "8"),
        _change(
            "it.devices[].model",
            "own",
            (),
            ("it.devices.0.model=Chest", "it.halls.0.racks.0.devices.0.model=Chest"),
        ),
        _value("own", "it.devices[].category", "storage"),
        _value("own", "it.devices[].gpus", "4"),
        _value("own", "it.devices[].gpu_model", "B200 SXM", "it.devices.0.gpu_power="),
        _value("own", "it.devices[].gpu_power", "500 W"),
        _value("own", "it.devices[].maximum_power", "9 kW"),
        _value("own", "it.devices[].typical_power", "8 kW"),
        _value("own", "it.devices[].idle_power", "3 kW"),
        _value("own", "it.devices[].peak_power", "14 kW"),
        _value("own", "it.devices[].supplies.count", "8"),
        _value("own", "it.devices[].supplies.needed", "5"),
        _value("own", "it.devices[].supplies.rating", "2 kW"),
        _value(
            "own",
            "it.devices[].supplies.voltage_min",
            "250 V",
            "it.devices.0.supplies.voltage_max=277 V",
        ),
        _value("own", "it.devices[].supplies.voltage_max", "220 V"),
        _value("own", "it.devices[].supplies.phases", "3"),
        _values("own", "it.devices[].supplies.power_factor", "90 %", "98 %"),
        _value("own", "it.devices[].supplies.efficiency_class", "80 PLUS Platinum"),
        _value("own", "it.devices[].supplies.shelves", "3"),
        _values("own", "it.devices[].supplies.capped.supplies", "4", "5", *_CAPPED),
        _values("own", "it.devices[].supplies.capped.power", "5 kW", "6 kW", *_CAPPED),
        _value("own", "it.devices[].rack_units", "16"),
        _value("own", "it.devices[].airflow", "1500 cfm"),
        _value("own", "it.devices[].inlet_min", "26 degC"),
        _value("own", "it.devices[].inlet_max", "22 degC"),
        _values("own", "it.devices[].liquid_fraction", "50 %", "80 %", "cooling.method=hybrid"),
        _value("own", "it.devices[].liquid_only", "true", *_LIQUID_BOX),
        _value("own", "it.devices[].coolant_flow", "15 L/min", *_LIQUID_BOX),
        _value("own", "it.devices[].coolant_supply_max", "25 degC", *_LIQUID_BOX),
        _value("own", "it.devices[].mass", "900 kg"),
        _value("built", "it.halls[].floor_area", "300 m2"),
        _value("built", "it.halls[].rows", "4"),
        _values("built", "it.halls[].rack_pitch", "0.6 m", "0.8 m"),
        _value("built", "it.halls[].route_mean", "15 m", "it.halls.0.route_max=30 m"),
        _values("built", "it.halls[].route_max", "20 m", "30 m", "it.halls.0.route_mean=10 m"),
        _value("built", "it.halls[].route_rule", "wall"),
        _value("built", "it.halls[].row_pitch", "3 m"),
        _value("built", "it.halls[].circulation", "1.5"),
        _value("built", "it.halls[].drops", "8 m"),
        _value("built", "it.halls[].racks[].name", "Boxes"),
        _value("built", "it.halls[].racks[].count", "10"),
        _value("built", "it.halls[].racks[].purpose", "storage"),
        _value("built", "it.halls[].racks[].devices[].model", "DGX H200"),
        _value("built", "it.halls[].racks[].devices[].count", "3"),
        _value("built", "it.halls[].racks[].devices[].power", "8 kW"),
        _change(
            "it.halls[].racks[].devices[].supplies",
            "built",
            tuple(f"it.halls.0.racks.0.devices.0.supplies.{f}=2" for f in "ABC"),
            tuple(
                f"it.halls.0.racks.0.devices.0.supplies.{f}={n}"
                for f, n in zip("ABC", "411", strict=True)
            ),
        ),
        _change("it.halls[].racks[].feeds", "built", (), ("it.halls.0.racks.0.feeds.2=",)),
        _change(
            "it.halls[].racks[].circuits[].poles",
            "built",
            _circuits(poles="3"),
            _circuits(poles="1"),
        ),
        _change(
            "it.halls[].racks[].circuits[].feed",
            "built",
            _circuits(),
            (
                *_circuits(),
                "it.halls.0.racks.0.circuits.3.feed=B",
                "it.halls.0.racks.0.circuits.3.poles=3",
                "it.halls.0.racks.0.circuits.3.breaker=60 A",
            ),
        ),
        _change(
            "it.halls[].racks[].circuits[].breaker",
            "built",
            _circuits(breaker="60 A"),
            _circuits(breaker="100 A"),
        ),
        _change(
            "it.halls[].racks[].circuits[].rack_pdu",
            "built",
            _circuits(rack_pdu="NA 415 V 3ph 60 A"),
            _circuits(rack_pdu="NA 415 V 3ph 30 A"),
        ),
        _change(
            "it.halls[].racks[].circuits[].connector",
            "built",
            _circuits(),
            _circuits(connector="NEMA L21-30R"),
        ),
        _value("built", "it.halls[].racks[].connector", "NEMA L21-30R"),
        _change(
            "it.halls[].racks[].devices[].u_positions",
            "built",
            (),
            tuple(f"it.halls.0.racks.0.devices.0.u_positions.{n}={2 * n + 1}" for n in range(4)),
        ),
        _value("built", "it.halls[].racks[].rack_units", "20"),
        _value("built", "it.halls[].racks[].power_limit", "30 kW"),
        _values("air", "power.redundancy", "2N", "3N/2"),
        _values("air", "power.blocks", "2", "3", "power.redundancy=block-redundant"),
        _change(
            "power.feeds",
            "air",
            ("power.redundancy=N+1", "power.feeds.0=A", "power.feeds.1=B"),
            ("power.redundancy=N+1", "power.feeds.0=A", "power.feeds.1=B", "power.feeds.2=C"),
        ),
        _value("air", "power.ups.model", "9395XR-1935"),
        _value("air", "power.ups.module_rating", "750 kW"),
        _value("air", "power.ups.module_rating_kva", "700 kVA"),
        _values(
            "air",
            "power.ups.output_power_factor",
            "0.9",
            "1.0",
            "power.ups.module_rating_kva=500 kVA",
        ),
        _value("air", "power.ups.modules_per_system", "2"),
        _values("air", "power.ups.max_parallel", "2", "4", *_RATED_UPS),
        _value("air", "power.ups.input_limit", "150 A", *_RATED_UPS),
        _value("air", "power.ups.max_loading", "20 %", *_RATED_UPS),
        _values("air", "power.ups.input_power_factor", "0.95", "0.99", *_RATED_UPS),
        _value("air", "power.ups.efficiency_25", "94.5 %", *_CURVE),
        _value("air", "power.ups.efficiency_50", "96 %", *_CURVE),
        _value("air", "power.ups.efficiency_75", "96.4 %", *_CURVE),
        _value("air", "power.ups.efficiency_100", "96.4 %", *_CURVE),
        _values("air", "power.ups.eco_mode", "true", "false"),
        _values("air", "power.ups.eco_efficiency", "98 %", "98.5 %", "power.ups.eco_mode=true"),
        _value("air", "power.battery.technology", "li-ion"),
        _value("air", "power.battery.model", "UP-PW1245P1"),
        _value("air", "power.battery.points[].time", "6 min", *_POINTS),
        _value("air", "power.battery.points[].block_power", "2600 W", *_POINTS),
        _value("air", "power.battery.cells_per_block", "3", *_POINTS),
        _value("air", "power.battery.capacity", "100 Ah", *_POINTS),
        _value("air", "power.battery.autonomy", "15 min"),
        _value("air", "power.battery.end_voltage", "1.75 V"),
        _value("air", "power.battery.ageing", "1.4"),
        _value("air", "power.battery.design_margin", "1.5"),
        _value("air", "power.battery.inverter_efficiency", "90 %"),
        _value("air", "power.battery.arrangement", "bus", "power.ups.modules_per_system=2"),
        _value("air", "power.battery.blocks_per_string", "38"),
        _value("air", "power.battery.strings", "7"),
        _value("air", "power.battery.blocks_per_cabinet", "20"),
        _values("air", "power.battery.boost_charge", "true", "false"),
        _value("air", "power.battery.room_airflow", "200 m3/h"),
        _value("air", "power.battery.recharge_time", "1 h"),
        _value("air", "power.distribution.voltage", "480 V", _AT_415),
        _value("air", "power.distribution.rack_system", "415Y/240"),
        _value("air", "power.distribution.pdu_transformer", "500 kVA", _AT_480, _AT_415),
        _value("air", "power.distribution.pdus", "6", _AT_480, _AT_415),
        _value("air", "power.distribution.panel_bus", "225 A"),
        _value("air", "power.distribution.panel_main", "225 A"),
        _value("air", "power.distribution.panel_poles", "84"),
        _values("air", "power.distribution.listed_100", "true", "false"),
        _change(
            "power.distribution.breakers",
            "air",
            ("power.distribution.breakers.0=60 A", _AT_415),
            ("power.distribution.breakers.0=100 A", _AT_415),
        ),
        _values("air", "power.distribution.ties", "true", "false"),
        _value("air", "power.transformer.vector_group", "YNyn0"),
        _values("air", "power.transformer.grounding", "solid", "high-resistance", *_LOW),
        _value(
            "air",
            "power.transformer.grounding_current",
            "8 A",
            *_LOW,
            "power.transformer.grounding=high-resistance",
        ),
        _value("air", "power.distribution.branch_loss", "1 %"),
        _value("air", "power.distribution.feeder_loss", "1 %"),
        _value("air", "power.distribution.board_loss", "1 %"),
        _change("power.dc.architecture", "liquid", (), _BUSBAR),
        _value("liquid", "power.dc.voltage", "50 V", *_BUSBAR),
        _value("liquid", "power.dc.load", "100 kW", *_BUSBAR),
        _value("liquid", "power.dc.length", "1 m", *_BUSBAR),
        _value("liquid", "power.dc.busbar_section", "900 mm2", *_BUSBAR),
        _value("liquid", "power.dc.conductor_size", "250 kcmil", *_DC_FEEDER),
        _value("liquid", "power.dc.sets", "2", *_DC_FEEDER),
        _value("liquid", "power.dc.material", "aluminum", *_BUSBAR),
        _value("liquid", "power.dc.conductor_temperature", "60 degC", *_BUSBAR),
        _value("liquid", "power.dc.voltage_min", "48 V", *_BUSBAR),
        _value("liquid", "power.dc.voltage_max", "56 V", *_BUSBAR),
        _value("liquid", "power.dc.converter_efficiency", "97 %", *_BUSBAR),
        _value("liquid", "power.dc.compared_loss", "2 %", *_BUSBAR),
        _value("air", "power.transformer.rating", "1500 kVA"),
        _value("air", "power.transformer.count", "6"),
        _value("air", "power.transformer.redundancy", "N+1"),
        _value("air", "power.transformer.no_load_loss", "2 kW", *_LOSSES),
        _value("air", "power.transformer.load_loss", "12 kW", *_LOSSES),
        _value("air", "power.transformer.impedance", "4 %", _FAULTS),
        _values(
            "air",
            "power.transformer.harmonics[].order",
            "5",
            "7",
            "power.transformer.harmonics.0.current=20 %",
        ),
        _values(
            "air",
            "power.transformer.harmonics[].current",
            "10 %",
            "20 %",
            "power.transformer.harmonics.0.order=5",
        ),
        _values(
            "air",
            "power.distribution.pdu_k_rating",
            "4",
            "13",
            *_LOW,
            "power.transformer.it_harmonics.0.order=7",
            "power.transformer.it_harmonics.0.current=60 %",
        ),
        _values(
            "air",
            "power.transformer.it_harmonics[].order",
            "5",
            "7",
            *_LOW,
            "power.transformer.it_harmonics.0.current=20 %",
        ),
        _values(
            "air",
            "power.transformer.it_harmonics[].current",
            "10 %",
            "20 %",
            *_LOW,
            "power.transformer.it_harmonics.0.order=5",
        ),
        _values(
            "air",
            "power.generator.model",
            "3516E (standby / mission critical)",
            "C15 GC 500 ekW standby",
        ),
        _value("air", "power.generator.rating", "800 kW"),
        _value("air", "power.generator.rating_kva", "1000 kVA"),
        _value("air", "power.generator.count", "4"),
        _values("air", "power.generator.redundancy", "N", "N+1"),
        _value("air", "power.generator.max_loading", "50 %", "power.generator.rating=600 kW"),
        _value("air", "power.generator.derate", "80 %"),
        _value("air", "power.generator.voltage", "600 V"),
        _values("air", "power.generator.connection", "LV", "MV"),
        _values("air", "power.generator.breaker", "bus", "set", "power.generator.connection=LV"),
        _value("air", "power.generator.breaker_rating", "300 A", "power.generator.connection=LV"),
        _values(
            "air",
            "power.generator.overload_prevented",
            "no",
            "yes",
            "power.generator.connection=LV",
            "power.generator.breaker=bus",
        ),
        _values("air", "power.generator.performance_class", "G2", "G3"),
        _values("air", "power.generator.running_sets", "1", "2", "power.generator.count=3"),
        _values("air", "power.generator.first_step", "20 %", "90 %"),
        _change(
            "power.generator.steps",
            "air",
            ("power.generator.steps.0=100 %",),
            ("power.generator.steps.0=40 %", "power.generator.steps.1=60 %"),
        ),
        _value("air", "power.generator.largest_motor", "300 kW"),
        _values("air", "power.generator.motor_start", "drive", "direct"),
        _value("air", "power.generator.starting_current", "4"),
        _values("air", "power.generator.tank", "5 m3", "10 m3"),
        _value("air", "power.generator.filter_capacitive", "30 kvar"),
        _change(
            "cooling.method",
            "own",
            _LIQUID_BOX,
            ("it.devices.0.liquid_fraction=80 %", "cooling.method=liquid"),
        ),
        _value("air", "cooling.supply_air", "25 degC"),
        _value("air", "cooling.server_delta_t", "16 K"),
        _value("air", "cooling.server_airflow_reserve", "1.1", "site.elevation=3000 m"),
        _value("air", "cooling.server_fan_power", "2500 W/(m3/s)"),
        _value("air", "cooling.containment", "none"),
        _value("air", "cooling.bypass", "20 %"),
        _value("air", "cooling.recirculation", "10 %"),
        _value("air", "cooling.room_dew_point", "19 degC"),
        _change(
            "cooling.on_ups",
            "air",
            ("cooling.on_ups.0=crah_fans",),
            ("cooling.on_ups.0=crah_fans", "cooling.on_ups.1=water_pumps"),
        ),
        _value("air", "cooling.air.terminal", "in-row"),
        _value("air", "cooling.air.model", "CoolLoop DCD35", "cooling.air.terminal=rear-door"),
        _value("air", "cooling.air.room_rise", "5 K", *_DOORS),
        _values("air", "cooling.air.supply", "direct", "raised-floor"),
        _value("air", "cooling.air.tile_open_area", "25 %", *_FLOOR),
        _value("air", "cooling.air.plenum_pressure", "25 Pa", *_FLOOR),
        _value("air", "cooling.air.floor_leakage", "10 %", *_FLOOR),
        _value("air", "cooling.air.blanking", "none"),
        _value("air", "cooling.air.ventilation", "0.5 m3/s"),
        _values("air", "cooling.air.humidifier", "adiabatic", "steam"),
        _value("air", "cooling.air.rating.model", "Y", *_IN_ROW),
        _value("air", "cooling.air.rating.net_sensible", "30 kW", *_IN_ROW),
        _value("air", "cooling.air.rating.airflow", "2.2 m3/s", *_IN_ROW),
        _value("air", "cooling.air.rating.return_air", "38 degC", *_IN_ROW),
        _value("air", "cooling.air.rating.water_in", "16 degC", *_IN_ROW),
        _value("air", "cooling.air.rating.water_out", "25 degC", *_IN_ROW),
        _value("air", "cooling.air.rating.fan_power", "1.5 kW", *_IN_ROW),
        _value("air", "cooling.air.rating.evaporating", "12 degC", *_CRAC),
        _value("air", "cooling.air.rating.outdoor", "42 degC", *_CRAC),
        _value("air", "cooling.crah.redundancy", "N+2"),
        _value("air", "cooling.crah.model", "CRAH 100 kW, 36/24 air, 14/22 water"),
        _value("air", "cooling.crah.rating.model", "Y", *_CRAH),
        _value("air", "cooling.crah.rating.net_sensible", "80 kW", *_CRAH),
        _value("air", "cooling.crah.rating.airflow", "5 m3/s", *_CRAH),
        _value("air", "cooling.crah.rating.return_air", "34 degC", *_CRAH),
        _value("air", "cooling.crah.rating.water_in", "16 degC", *_CRAH),
        _value("air", "cooling.crah.rating.water_out", "24 degC", *_CRAH),
        _value("air", "cooling.crah.rating.fan_power", "6 kW", *_CRAH),
        _value("air", "cooling.crah.count", "8"),
        _value("air", "cooling.crah.electrical_count", "4"),
        _value("air", "cooling.crah.fan_curve", "inlet vanes (DOE-2)"),
        _value("liquid", "cooling.cdu.redundancy", "N+2"),
        _value("liquid", "cooling.cdu.model", "CHx2000"),
        _value("liquid", "cooling.cdu.rating.model", "Y", *_CDU),
        _value("liquid", "cooling.cdu.rating.capacity", "700 kW", *_CDU),
        _value("liquid", "cooling.cdu.rating.approach", "3 K", *_CDU),
        _value("liquid", "cooling.cdu.rating.tcs_flow", "700 L/min", *_CDU),
        _value("liquid", "cooling.cdu.rating.fws_flow", "700 L/min", *_CDU),
        _value("liquid", "cooling.cdu.rating.fws_fluid", "PG25", *_CDU),
        _value("liquid", "cooling.cdu.rating.pump_power", "12 kW", *_CDU),
        _value("liquid", "cooling.cdu.rating.head", "200 kPa", *_CDU),
        _value("liquid", "cooling.cdu.count", "3"),
        _value("liquid", "cooling.cdu.tcs_supply", "40 degC"),
        _value("liquid", "cooling.cdu.tcs_delta_t", "12 K"),
        _value("liquid", "cooling.cdu.tcs_flow", "700 L/min"),
        _value("liquid", "cooling.cdu.fluid", "water"),
        _value("liquid", "cooling.facility_water.source", "dry_cooler", *_WARM_WATER),
        _values("liquid", "cooling.facility_water.supply", "30 degC", "32 degC"),
        _value("liquid", "cooling.facility_water.delta_t", "10 K"),
        _value("liquid", "cooling.facility_water.fluid", "PG25"),
        _value("liquid", "cooling.facility_water.pump.head", "250 kPa"),
        _value("liquid", "cooling.facility_water.pump.efficiency", "75 %"),
        _value("liquid", "cooling.facility_water.rejection.redundancy", "N+2", *_DRY_WATER),
        _value("liquid", "cooling.facility_water.rejection.count", "4", *_DRY_WATER),
        _value("liquid", "cooling.facility_water.rejection.cycles", "8", *_TOWER_WATER),
        _value("liquid", "cooling.facility_water.rejection.largest_cell", "40 kW", *_TOWER_WATER),
        _value("liquid", "cooling.facility_water.rejection.tower_fan", "500", *_TOWER_WATER),
        _value("liquid", "cooling.facility_water.rejection.pad_effectiveness", "70 %", *_DRY_WATER),
        _value(
            "liquid",
            "cooling.facility_water.rejection.pad_drop",
            "120 Pa",
            *_DRY_WATER,
            "cooling.facility_water.rejection.pad_effectiveness=70 %",
        ),
        _value(
            "liquid",
            "cooling.facility_water.rejection.pad_wet_above",
            "48 degC",
            *_DRY_WATER,
            "cooling.facility_water.rejection.pad_effectiveness=70 %",
        ),
        _value("liquid", "cooling.facility_water.rejection.drift", "0.05 %", *_TOWER_WATER),
        *_dry_cooler("liquid", "facility_water", "36 degC", *_DRY_WATER),
        _value("liquid", "cooling.facility_water.rejection.pump.head", "200 kPa", *_TOWER_WATER),
        _value("liquid", "cooling.facility_water.rejection.pump.efficiency", "75 %", *_TOWER_WATER),
        _value("liquid", "cooling.liquid.cdu_mount", "row/perimeter"),
        _value("liquid", "cooling.liquid.design_pressure", "6 bar"),
        _value("liquid", "cooling.liquid.cold_plate.chip_power", "1.2 kW", *_PLATE),
        _value("liquid", "cooling.liquid.cold_plate.flow", "1.4 L/min", *_PLATE),
        _value("liquid", "cooling.liquid.cold_plate.case_max", "80 degC", *_PLATE),
        _value("liquid", "cooling.hydraulics.tcs_route", "40 m", "cooling.cdu.model=XDU1350"),
        _value("liquid", "cooling.hydraulics.branch", "20 m"),
        _value("liquid", "cooling.hydraulics.header", "dual"),
        _value("liquid", "cooling.hydraulics.valve_drop", "60 kPa"),
        _value("liquid", "cooling.hydraulics.tcs_header", "dual", "cooling.cdu.model=XDU1350"),
        _value("liquid", "cooling.hydraulics.header_valves", "false", _SINGLE),
        _value("liquid", "cooling.hydraulics.hose", "6 m"),
        _value("liquid", "cooling.hydraulics.elbow_spacing", "5 m"),
        _value("liquid", "cooling.hydraulics.velocity_min", "2.8 m/s"),
        _value("liquid", "cooling.hydraulics.fill", "30 degC"),
        _value("air", "cooling.hydraulics.plant_route", "200 m"),
        _values("air", "cooling.plant.chilled_water_supply", "14 degC", "18 degC"),
        _values("air", "cooling.plant.delta_t", "6 K", "8 K"),
        _value("air", "cooling.plant.pump.head", "300 kPa"),
        _value("air", "cooling.plant.pump.efficiency", "75 %"),
        _value("air", "cooling.plant.chiller.redundancy", "N+2"),
        _value("air", "cooling.plant.chiller.model", "York YT 1055kW/5.96COP/Vanes"),
        _value("air", "cooling.plant.chiller.capacity", "200 kW"),
        _value("air", "cooling.plant.chiller.largest", "40 kW"),
        _value("air", "cooling.plant.chiller.count", "4"),
        _value("air", "cooling.plant.chiller.carnot_fraction", "0.65"),
        _value("air", "cooling.plant.chiller.performance", "curves"),
        _value("air", "cooling.plant.heat_rejection", "air_cooled"),
        _value("air", "cooling.plant.fluid", "PG40"),
        _value("air", "cooling.plant.condenser_fluid", "PG40", *_DRY_PLANT),
        _value("air", "cooling.plant.rejection.redundancy", "N+2"),
        _value("air", "cooling.plant.rejection.count", "4"),
        _value("air", "cooling.plant.rejection.largest_cell", "40 kW"),
        _value("air", "cooling.plant.rejection.tower_fan", "500"),
        _value("air", "cooling.plant.rejection.pad_effectiveness", "70 %", *_DRY_PLANT),
        _value(
            "air",
            "cooling.plant.rejection.pad_drop",
            "120 Pa",
            *_DRY_PLANT,
            "cooling.plant.rejection.pad_effectiveness=70 %",
        ),
        _value(
            "air",
            "cooling.plant.rejection.pad_wet_above",
            "32 degC",
            *_DRY_PLANT,
            "cooling.plant.rejection.pad_effectiveness=70 %",
        ),
        *_dry_cooler("air", "plant", "33 degC", *_DRY_PLANT),
        _value("air", "cooling.plant.rejection.pump.head", "200 kPa"),
        _value("air", "cooling.plant.rejection.pump.efficiency", "75 %"),
        _value("air", "cooling.plant.condenser_range", "5 K"),
        _value("air", "cooling.plant.condenser_flow", "40 L/s"),
        _value(
            "air",
            "cooling.plant.condenser_water_most",
            "24 degC",
            "cooling.plant.condenser_setpoint_approach=6 K",
        ),
        *_rated_tower("air", "plant"),
        *_rated_tower("liquid", "facility_water", *_TOWER_WATER),
        _value("air", "cooling.plant.condenser_setpoint_approach", "12 K"),
        _value("air", "cooling.plant.condenser_water_least", "24 degC"),
        _value("air", "house.lighting", "3 kW"),
        _value("air", "house.lighting_density", "10 W/m2"),
        _value("air", "house.lighting_share", "0.5 %"),
        _value("air", "house.controls", "3 kW"),
        _value("air", "house.security", "3 kW"),
        _value("air", "house.other", "3 kW"),
        _value("air", "power.generator.test_time", "2 h"),
        _value("air", "power.generator.test_load", "50 %"),
        _value("air", "house.generator_heaters", "8 kW"),
        _value("air", "house.people", "20"),
        _value("air", "house.envelope", "20 kW"),
        _values("air", "power.faults.method", "per-unit", "point-to-point"),
        _value("air", "power.faults.clearing_time", "50 ms"),
        _value("air", "power.faults.molded_case_time", "50 ms"),
        _value(
            "air",
            "power.faults.power_breaker_time",
            "0.4 s",
            "power.faults.molded_case_rating=60 A",
        ),
        _value("air", "power.faults.electronic_trip_above", "90 A"),
        *(
            _value("air", f"power.faults.{name}", value, *_LARGE_DEVICES)
            for name, value in (("ground_fault_protection", "no"), ("arc_energy_reduction", "none"))
        ),
        _value(
            "air", "power.faults.molded_case_rating", "30 A", "power.faults.clearing_time=0.5 s"
        ),
        _values(
            "air",
            "power.faults.small_device",
            "listed breaker",
            "by time",
            "power.faults.clearing_time=0.3 s",
        ),
        _value("air", "power.faults.small_breaking_capacity", "6 kA", _IEC),
        *(
            _value(
                "air",
                f"power.faults.let_through[].{name}",
                value,
                *(_FAULTS, _AT_208, *_LET_THROUGH),
            )
            for name, value in (
                ("rating", "25 A"),
                ("fault_current", "1 kA"),
                ("energy", "400 kA2s"),
            )
        ),
        _values("air", "power.faults.backup_device", "gG", "class J", _BACKUP),
        _value(
            "air", "power.faults.backup_rating", "100 A", "power.faults.backup_device=gG", _BACKUP
        ),
        _value("air", "power.faults.trip_multiple", "10"),
        _value(
            "air",
            "power.faults.delayed_trip_multiple",
            "5",
            "criteria.code=IEC",
            "site.fault_level=500 MVA",
            "power.faults.utility_minimum_level=200 MVA",
            "power.faults.clearing_time=0.4 s",
            "power.faults.molded_case_rating=40 A",
        ),
        _value("air", "power.faults.board_rating", "65 kA"),
        _value("air", "power.faults.switchgear_rating", "25 kA", _FAULTS),
        _value("air", "power.faults.panel_rating", "22 kA"),
        _value("air", "power.faults.rack_pdu_rating", "10 kA"),
        _value("air", "power.faults.pdu_rating", "22 kA", _AT_480, _AT_208),
        _value("air", "power.faults.ups_output_rating", "22 kA"),
        _value("air", "power.faults.ats_rating", "65 kA"),
        _value("air", "power.faults.sts_rating", "22 kA", "power.redundancy=block-redundant"),
        _value("air", "power.faults.generator_bus_rating", "22 kA"),
        _value("air", "power.conductors.material", "aluminum"),
        _value("air", "power.conductors.insulation", "THWN"),
        _value("air", "power.conductors.termination_temperature", "60 degC"),
        _value("air", "power.conductors.raceway", "RMC"),
        _values("air", "power.conductors.transformer_location", "outdoors", "indoors"),
        _values(
            "air",
            "power.conductors.ambient_correction",
            "table",
            "equation",
            "power.conductors.ambient=41 degC",
        ),
        _values("air", "power.conductors.method", "C", "E", _IEC),
        _values("air", "power.conductors.arrangement", "bunched", "ladder", _IEC),
        _value("air", "power.conductors.trays", "3", _IEC),
        _value("air", "power.conductors.largest_size", "350", _AT_415),
        _values("air", "power.conductors.neutral_counted", "true", "false"),
        _value("air", "power.conductors.panel_length", "60 m", *_LOW),
        _value("air", "power.conductors.branch_length", "40 m"),
        _value("air", "power.conductors.mechanical_device", "15 A"),
        _value("air", "power.conductors.largest_pump", "200 W"),
        _value("air", "power.mv_cables.material", "aluminum"),
        _value("air", "power.mv_cables.type", "MV-105"),
        _value("air", "power.mv_cables.installation", "air"),
        _value("air", "power.mv_cables.ambient", "35 degC"),
        _value("air", "power.mv_cables.grouped_circuits", "6"),
        _value("air", "power.mv_cables.largest_size", "1/0", _FAULTS),
        _value("air", "power.mv_cables.parallel_sets", "1", _FAULTS, _SMALL_CABLES),
        _value("air", "power.mv_cables.generator_length", "500 m", "power.generator.connection=MV"),
        _value("air", "power.mv_cables.pickup", "4"),
        _value("air", "power.faults.prefault_lowest", "0.9", _FAULTS),
        _value("air", "power.faults.low_voltage_tolerance", "10 %", _IEC),
        _value("air", "power.faults.utility_minimum_level", "200 MVA", _FAULTS),
        _value("air", "power.faults.utility_zero_sequence", "2", _FAULTS),
        _value("air", "power.faults.dry_transformer_tolerance", "7.5 %", _AT_480),
        _change(
            "panels.cords[].rack",
            "built",
            _cords("Nodes", "A", 8, *_TWO_KINDS),
            _cords("Boxes", "A", 8, *_TWO_KINDS),
        ),
        _change("panels.cords[].feed", "built", _cords("Nodes"), _cords("Nodes", "B")),
        _values(
            "built", "panels.cords[].circuit", "1", "2", *_cords("Nodes", "A", 4, *_TWO_CIRCUITS)
        ),
        _change("panels.cords[].banks", "built", (), _cords("Nodes")),
        _change("panels.boards[].tag", "built", _spare(), _spare(tag="RPP-B01")),
        _value("built", "panels.boards[].sccr", "22 kA", "panels.boards.0.tag=RPP-A01"),
        _values("built", "panels.boards[].circuits[].rack", "Nodes 01", "Nodes 04", *_TWO_BOARDS),
        _values("built", "panels.boards[].circuits[].circuit", "1", "2", *_TWO_BOARDS_OF_TWO),
        _change("panels.boards[].circuits[].position", "built", _board(), _board(position="15")),
        _change(
            "panels.boards[].circuits[].banks",
            "built",
            _board(),
            _board(banks_0="2", banks_1="3", banks_2="1"),
        ),
        *(
            _change(
                f"panels.boards[].circuits[].{name}",
                "built",
                _board(),
                (*_board(), *(f"panels.boards.0.circuits.{n}.{name}=x" for n in range(2))),
            )
            for name in ("together", "apart")
        ),
        _change("panels.boards[].spares[].poles", "built", _spare(), _spare(poles="2")),
        _change("panels.boards[].spares[].breaker", "built", _spare(), _spare(breaker="22 A")),
        _value("air", "power.mechanical_power_factor", "0.8"),
        _value("air", "power.house_power_factor", "0.8"),
        _value("air", "power.distribution.pdu_max_loading", "20 %", *_LOW),
        _value("air", "power.generator.power_factor", "0.9", "power.generator.rating=600 kW"),
        _value("air", "power.house_third_harmonic", "50 %", "criteria.code=IEC"),
        _value("air", "power.ups.conductor_spare", "49 %", "it.gpus=512"),
        _value("air", "power.transformer.distortion", "20 %"),
        _value("air", "power.battery.float_voltage", "2.3 V"),
        _value("air", "panels.neutral_rating", "800 A", *_THIRD),
        _value("air", "power.ups.bypass_rating", "1.5"),
        _value("air", "power.transformer.largest", "300 kVA", "it.gpus=512"),
        _value("air", "it.network.rack_power", "8 kW"),
        _value("air", "cooling.worst_recirculation", "20 %"),
        _value("air", "cooling.plant.chiller.least_lift", "30 K"),
        _value("air", "cooling.plant.chiller.cop_limit", "6"),
        _value("liquid", "cooling.facility_water.exchanger_approach", "4 K"),
        _value("liquid", "cooling.facility_water.tower_range", "6 K", *_TOWER_WATER),
        _values("air", "cooling.economizer.kind", "none", "integrated-water-side"),
        _value("air", "cooling.economizer.effectiveness", "70 %", _ON_WATER),
        _value("air", "cooling.economizer.pressure_drop", "100 kPa", _ON_WATER),
        _value("air", "cooling.economizer.evaporative_effectiveness", "70 %", _INDIRECT),
        _value(
            "air",
            "cooling.economizer.pad_cycles",
            "3",
            _INDIRECT,
            "cooling.economizer.evaporative_effectiveness=0.7",
        ),
        _value("air", "cooling.economizer.fan_power", "0.8 kW/(m3/s)", _OUTDOOR_AIR),
        _value("air", "cooling.economizer.dew_point_min", "5 degC", _OUTDOOR_AIR),
        _value("air", "cooling.economizer.dew_point_max", "17 degC", _OUTDOOR_AIR),
        _values("air", "cooling.plant.pumping.scheme", "variable-primary", "primary-secondary"),
        _value("air", "cooling.plant.pumping.primary_head", "100 kPa", _SECONDARY),
        _value(
            "air", "cooling.plant.pumping.stage_up", "70 %", "cooling.plant.chiller.capacity=20 kW"
        ),
        _values("air", "cooling.makeup_water.storage", "0 h", "12 h"),
        _values("air", "cooling.heat_reuse.heat_pump.source_min", "20 degC", "35 degC", *_USER),
        _values("air", "cooling.heat_reuse.heat_pump.carnot_fraction", "40 %", "50 %", *_USER),
        _values("air", "cooling.heat_reuse.heat_pump.approach", "3 K", "5 K", *_USER),
        _values(
            "air",
            "cooling.heat_reuse.fraction",
            "40 %",
            "50 %",
            "cooling.heat_reuse.temperature=20 degC",
        ),
        _values(
            "air",
            "cooling.heat_reuse.temperature",
            "20 degC",
            "40 degC",
            "cooling.heat_reuse.fraction=40 %",
        ),
        _change("confirmed", "air", (), ("confirmed.0=it.diversity",)),
        _values("air", "checks.waived[].rule", "PEAK-KNOWN", "UPS-CURVE", *_WAIVER[1:]),
        _values("air", "checks.waived[].subject", "DGX H100", "no such device", *_WAIVER),
        _values("air", "checks.waived[].reason", "known", "measured", *_WAIVER[::2]),
        _values("air", "checks.waived[].by", "the owner", "the engineer", *_WAIVER[:2]),
        _values(
            "air",
            "overridden[].assumption",
            "criteria.growth",
            "it.diversity",
            *_OVERRIDE[:1],
            *_OVERRIDE[2:],
        ),
        _values("air", "overridden[].reason", "known", "measured", *_OVERRIDE[:2], _OVERRIDE[3]),
        _values("air", "overridden[].by", "the owner", "the engineer", *_OVERRIDE[:3]),
    ]
)

_IDENTITY = "printed with the design, and part of its hash; no number depends on it"
EXCEPTIONS: dict[str, str] = {
    "ranges[].field": "moves the ranges of the year alone, tested there",
    "ranges[].range": "moves the ranges of the year alone, tested there",
    **{
        f"tolerances.{mark}": "moves the ranges of the year alone, tested there"
        for mark in ("read", "computed", "secondary", "memory")
    },
    "schema_version": "has one value alone",
    "cooling.hydraulics.design_pressure": "moves the commissioning plan alone, tested there",
    "cooling.hydraulics.pump_shutoff": "moves flows with a header section shut, tested there",
    **{
        f"project.{name}": _IDENTITY
        for name in (
            *("name", "number", "title", "status", "company", "originator", "checker"),
            "approver",
            "started_from",
        )
    },
    **{
        f"project.revisions[].{name}": _IDENTITY
        for name in ("rev", "date", "by", "checked", "description")
    },
    "site.place": _IDENTITY,
    "criteria.component_limits_edition": "names where the limits are from",
    **{
        f"site.tariff.{kind}[].name": "names a line of the bill"
        for kind in ("energy", "demand", "reactive")
    },
    "it.halls[].name": "names the hall of the panels",
    "it.halls[].racks[].names": "names racks for the next import of their list",
    "it.halls[].racks[].devices[].names": "names devices for the next import of their list",
    "site.weather_file": "needs a file beside the project",
    **{
        f"{path}.{name}": "answers a question of a file, tested with the engine of series"
        for path in (
            "it.load_profile.reading",
            "site.grid_carbon_reading",
            "site.price_reading",
            "site.weather_reading",
        )
        for name in ReadingSection.model_fields
    },
    "site.price_file": "needs a file beside the project",
    "site.grid_carbon_file": "needs a file beside the project",
    "it.load_profile.file": "needs a file beside the project",
    "power.systems": "checked against the scheme, never taken from it",
    **{
        f"power.reliability.{kind}.{time}": "moves the study of failures alone, tested there"
        for kind in ReliabilitySection.model_fields
        for time in ("mtbf", "mttr")
    },
    **{
        f"cooling.thermal.{name}": "moves the failures through time alone, tested there"
        for name in ThermalSection.model_fields
    },
    **{
        f"{path}.{name}": "moves the load that moves alone, tested there"
        for path, section in MOVING.items()
        for name in section.model_fields
    },
    **{
        f"{path}.{name}": "printed on the schedule of the panel"
        for path in ("panels.nameplate", "panels.boards[].nameplate")
        for name in NameplateSection.model_fields
    },
    "panels.boards[].supply_circuit": "printed on the schedule of the panel",
    "panels.boards[].designation": "printed on the schedule of the panel",
    **{
        f"power.nameplates[].{name}": "printed in the equipment schedule"
        for name in EquipmentNameplateSection.model_fields
    },
    "panels.boards[].circuits[].fixed": "binds the balancing of the panel alone",
    "panels.boards[].circuits[].description": "printed on the schedule of the panel",
    "panels.boards[].spares[].position": "stands on the schedule; a spare carries no load",
    "cooling.crah.rating.supply_air": "checked against the other figures of the rating",
}
"""Fields that move no number of their own, with the reason; each has a test of its own."""


_OF_LIQUID = ("cooling.cdu", "cooling.liquid", "cooling.crah.design_fraction")
"""Beginnings of the fields that a plant cooled by air does not look at."""


def _from_the_default(entry: Entry) -> Change | None:
    """Return the change from the default of a field to another value that it may have."""
    default, read = entry.declared.default, entry.type
    if default is None or not isinstance(default.value, int | float) or read is None:
        return None
    top = 1.0 if entry.kind == "fraction" else math.inf
    steps = (1.0, -1.0) if entry.kind == "count" else (0.5 * default.value, -0.5 * default.value)
    for value in (default.value + step for step in steps):
        text = f"{value:.6g} {KINDS[entry.kind].si}".strip()
        with contextlib.suppress(FacilityError):
            read.read(text)
            if value <= top:
                base = "liquid" if entry.path.startswith(_OF_LIQUID) else "air"
                return Change(base, (), (f"{entry.path}={text}",))
    return None


FIELDS: dict[str, Change] = {
    **{
        entry.path: change
        for entry in leaves(Project)
        if entry.path not in EXCEPTIONS and (change := _from_the_default(entry)) is not None
    },
    **BY_HAND,
}
