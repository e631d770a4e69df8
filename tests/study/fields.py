"""Every field of the project document, with two settings that must lead to different designs.

``FIELDS`` holds, for each leaf of the document: the base project, and two lists of ``path=value``
changes. `EXCEPTIONS` are the fields that no result, check or assumption depends on, with the
reason.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel

AIR = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 256, server: DGX H100}
power: {redundancy: 3N/2}
cooling: {method: air}
"""
LIQUID = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: B200 NVL72, gpus: 288, network: {topology: none}}
power: {redundancy: 2N}
cooling: {method: hybrid}
"""
BUILT = """\
schema_version: 1
site: {station: ashburn}
it:
  halls:
    - name: One
      racks:
        - name: Nodes
          count: 8
          devices: [{model: DGX H100, count: 4}]
          feeds: [A, B, C]
power: {redundancy: 3N/2}
cooling: {method: air}
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
          count: 8
          devices: [{model: Box, count: 4}]
          feeds: [A, B, C]
power: {redundancy: 3N/2}
cooling: {method: air}
"""
BASES = {"air": AIR, "liquid": LIQUID, "built": BUILT, "own": OWN}


class Change(NamedTuple):
    """A base project and two settings of one field (with whatever else they need)."""

    base: str
    one: tuple[str, ...]
    two: tuple[str, ...]


def _pair(base: str, path: str, one: str, two: str, *both: str) -> tuple[str, Change]:
    used = path.replace("[]", ".0")
    return path, Change(base, (*both, f"{used}={one}"), (*both, f"{used}={two}"))


_CRAH = (
    "cooling.crah.rating.net_sensible=100 kW", "cooling.crah.rating.airflow=7 m3/s",
    "cooling.crah.rating.return_air=36 degC", "cooling.crah.rating.water_in=18 degC",
    "cooling.crah.rating.water_out=26 degC",
)  # fmt: skip
_CDU = (
    "cooling.cdu.rating.capacity=800 kW", "cooling.cdu.rating.approach=4 K",
    "cooling.cdu.rating.tcs_flow=900 L/min",
)  # fmt: skip


def _dry(section: str) -> tuple[str, ...]:
    at = f"cooling.{section}.rejection.dry_cooler"
    return (
        f"{at}.heat=400 kW", f"{at}.air_in=35 degC", f"{at}.fluid_in=46 degC",
        f"{at}.fluid_out=40 degC", f"{at}.fan_power=8 kW",
    )  # fmt: skip


_RATED_UPS = ("power.ups.module_rating=500 kW",)
_CURVE = (
    *_RATED_UPS, "power.ups.efficiency_25=95 %", "power.ups.efficiency_50=96.5 %",
    "power.ups.efficiency_75=96.8 %", "power.ups.efficiency_100=96.6 %",
)  # fmt: skip
_LOSSES = (
    "power.transformer.rating=1000 kVA", "power.transformer.no_load_loss=1.1 kW",
    "power.transformer.load_loss=9 kW",
)  # fmt: skip
_CIRCUITS = ",".join(["it.halls.0.racks.0.circuits"])


def _circuits(**last: str) -> tuple[str, ...]:
    found = []
    for index, feed in enumerate("ABC"):
        at = f"it.halls.0.racks.0.circuits.{index}"
        found += [f"{at}.feed={feed}", f"{at}.poles=3", f"{at}.breaker=60 A"]
    return (*found, *(f"it.halls.0.racks.0.circuits.0.{k}={v}" for k, v in last.items()))


_DRY_PLANT = ("cooling.plant.heat_rejection=dry_cooler",)
_DRY_WATER = ("cooling.facility_water.source=dry_cooler", "criteria.liquid_class=W45")

FIELDS: dict[str, Change] = dict([
    _pair("air", "site.station", "ashburn", "phoenix"),
    _pair("air", "site.elevation", "0 m", "1609 m"),
    _pair("air", "site.design_dry_bulb", "35 degC", "42 degC"),
    _pair("air", "site.design_wet_bulb", "22 degC", "27 degC"),
    _pair("air", "site.mean_dry_bulb", "11 degC", "20 degC"),
    _pair("air", "site.mean_wet_bulb", "5 degC", "15 degC", "site.mean_dry_bulb=22 degC"),
    _pair("air", "site.utility_voltage", "13.8 kV", "34.5 kV"),
    _pair("air", "site.frequency", "50 Hz", "60 Hz"),
    _pair("air", "site.fault_level", "250 MVA", "900 MVA"),
    _pair("air", "site.x_over_r", "5", "30", "site.fault_level=500 MVA"),
    _pair("air", "site.tariff", "0.05 USD/kWh", "0.11 USD/kWh"),
    _pair("air", "site.grid_carbon", "100 g/kWh", "500 g/kWh"),
    _pair("air", "criteria.code", "NEC", "IEC"),
    _pair("air", "criteria.edition", "2017", "2023", "criteria.code=NEC"),
    _pair("air", "criteria.continuous_factor", "1.0", "1.25"),
    _pair("air", "criteria.growth", "0 %", "60 %"),
    _pair("air", "criteria.voltage_drop_branch", "2 %", "3 %"),
    _pair("air", "criteria.voltage_drop_feeder", "2 %", "3 %"),
    _pair("air", "criteria.voltage_drop_total", "4 %", "5 %"),
    _pair("air", "criteria.air_class", "A1", "A4"),
    _pair("liquid", "criteria.liquid_class", "W32", "W45"),
    _pair("air", "it.gpu_model", "H100 SXM5", "H200 SXM", "it.server="),
    _pair("air", "it.gpus", "256", "512"),
    _pair("air", "it.server", "DGX H100", "DGX H200", "it.gpu_model="),
    _pair("air", "it.servers", "32", "64", "it.gpus="),
    _pair("air", "it.servers_per_rack", "4", "2"),
    _pair("air", "it.rack_units", "48", "30"),
    _pair("air", "it.rack_power", "45 kW", "25 kW"),
    _pair("air", "it.basis", "datasheet_maximum", "nameplate"),
    _pair("air", "it.measured_power", "7 kW", "8 kW"),
    _pair("air", "it.demand_factor", "100 %", "90 %"),
    _pair("air", "it.diversity", "100 %", "90 %"),
    _pair("air", "it.load_factor", "60 %", "90 %"),
    ("it.feeds", Change("air", ("it.feeds.0=A", "it.feeds.1=B"),
                        ("it.feeds.0=A", "it.feeds.1=B", "it.feeds.2=C"))),
    _pair("air", "it.cords.poles", "1", "3"),
    _pair("air", "it.cords.per_feed", "1", "2"),
    _pair("air", "it.cords.breaker", "60 A", "100 A"),
    _pair("air", "it.cords.rack_pdu", "NA 415 V 3ph 60 A", "NA 415 V 3ph 30 A"),
    _pair("air", "it.rack_pdu_loss", "0 %", "2 %"),
    _pair("air", "it.network.topology", "rail-optimised", "none"),
    _pair("air", "it.network.switch", "QM9700", "SN5610"),
    _pair("air", "it.network.radix", "64", "32"),
    _pair("air", "it.network.oversubscription", "1", "3"),
    _pair("air", "it.network.ports_per_gpu", "1", "2"),
    _pair("air", "it.network.rails", "4", "8"),
    _pair("air", "it.network.planes", "1", "2"),
    _pair("air", "it.network.optics", "passive", "active"),
    _pair("air", "it.network.leaf", "8", "12"),
    _pair("air", "it.network.spine", "4", "8"),
    _pair("air", "it.network.core", "0", "2"),
    _pair("air", "it.network.other_switches", "0", "12"),
    _pair("air", "it.storage.model", "NVMe storage node 2U", "management node 1U",
          "it.storage.count=8"),
    _pair("air", "it.storage.count", "4", "8"),
    _pair("air", "it.management.model", "management node 1U", "NVMe storage node 2U"),
    _pair("air", "it.management.count", "4", "8"),
    ("it.devices[].model", Change("own", (), ("it.devices.0.model=Chest",
                                              "it.halls.0.racks.0.devices.0.model=Chest"))),
    _pair("own", "it.devices[].category", "server", "storage"),
    _pair("own", "it.devices[].gpus", "8", "4"),
    _pair("own", "it.devices[].gpu_model", "H100 SXM5", "H200 SXM"),
    _pair("own", "it.devices[].gpu_power", "700 W", "500 W"),
    _pair("own", "it.devices[].maximum_power", "10 kW", "9 kW"),
    _pair("own", "it.devices[].typical_power", "7 kW", "8 kW"),
    _pair("own", "it.devices[].idle_power", "2 kW", "3 kW"),
    _pair("own", "it.devices[].peak_power", "11 kW", "14 kW"),
    _pair("own", "it.devices[].supplies.count", "6", "8"),
    _pair("own", "it.devices[].supplies.needed", "4", "5"),
    _pair("own", "it.devices[].supplies.rating", "3.3 kW", "2 kW"),
    _pair("own", "it.devices[].supplies.voltage_min", "200 V", "250 V",
          "it.devices.0.supplies.voltage_max=277 V"),
    _pair("own", "it.devices[].supplies.voltage_max", "240 V", "220 V"),
    _pair("own", "it.devices[].supplies.phases", "1", "3"),
    _pair("own", "it.devices[].supplies.power_factor", "90 %", "98 %"),
    _pair("own", "it.devices[].supplies.efficiency_class", "80 PLUS Titanium",
          "80 PLUS Platinum"),
    _pair("own", "it.devices[].rack_units", "8", "16"),
    _pair("own", "it.devices[].airflow", "1000 cfm", "1500 cfm"),
    _pair("own", "it.devices[].inlet_min", "5 degC", "26 degC"),
    _pair("own", "it.devices[].inlet_max", "35 degC", "22 degC"),
    _pair("own", "it.devices[].liquid_fraction", "50 %", "80 %", "cooling.method=hybrid"),
    _pair("own", "it.devices[].liquid_only", "false", "true", "it.devices.0.liquid_fraction=80 %",
          "cooling.method=hybrid"),
    _pair("own", "it.devices[].coolant_flow", "10 L/min", "15 L/min",
          "it.devices.0.liquid_fraction=80 %", "cooling.method=hybrid"),
    _pair("own", "it.devices[].coolant_supply_max", "45 degC", "25 degC",
          "it.devices.0.liquid_fraction=80 %", "cooling.method=hybrid"),
    _pair("own", "it.devices[].mass", "130 kg", "900 kg"),
    _pair("built", "it.halls[].name", "One", "Two"),
    _pair("built", "it.halls[].floor_area", "100 m2", "300 m2"),
    _pair("built", "it.halls[].rows", "1", "4"),
    _pair("built", "it.halls[].rack_pitch", "0.6 m", "0.8 m"),
    _pair("built", "it.halls[].route_mean", "10 m", "15 m"),
    _pair("built", "it.halls[].route_max", "20 m", "30 m"),
    _pair("built", "it.halls[].route_rule", "row-end", "wall"),
    _pair("built", "it.halls[].racks[].name", "Nodes", "Boxes"),
    _pair("built", "it.halls[].racks[].count", "8", "10"),
    _pair("built", "it.halls[].racks[].purpose", "compute", "storage"),
    _pair("built", "it.halls[].racks[].devices[].model", "DGX H100", "DGX H200"),
    _pair("built", "it.halls[].racks[].devices[].count", "4", "3"),
    _pair("built", "it.halls[].racks[].devices[].power", "9 kW", "8 kW"),
    ("it.halls[].racks[].devices[].supplies", Change(
        "built",
        tuple(f"it.halls.0.racks.0.devices.0.supplies.{f}=2" for f in "ABC"),
        tuple(f"it.halls.0.racks.0.devices.0.supplies.{f}={n}" for f, n in
              zip("ABC", "411", strict=True)))),
    ("it.halls[].racks[].feeds", Change("built", (), ("it.halls.0.racks.0.feeds.2=",))),
    ("it.halls[].racks[].circuits[].poles", Change("built", _circuits(poles="3"), _circuits(poles="1"))),
    ("it.halls[].racks[].circuits[].feed", Change("built", _circuits(feed="A"), _circuits(feed="B"))),
    ("it.halls[].racks[].circuits[].breaker",
     Change("built", _circuits(breaker="60 A"), _circuits(breaker="100 A"))),
    ("it.halls[].racks[].circuits[].rack_pdu",
     Change("built", _circuits(rack_pdu="NA 415 V 3ph 60 A"), _circuits(rack_pdu="NA 415 V 3ph 30 A"))),
    _pair("built", "it.halls[].racks[].rack_units", "48", "20"),
    _pair("built", "it.halls[].racks[].power_limit", "50 kW", "30 kW"),
    _pair("air", "power.redundancy", "2N", "3N/2"),
    _pair("air", "power.blocks", "2", "3", "power.redundancy=block-redundant"),
    _pair("air", "power.systems", "3", "4", "power.redundancy="),
    ("power.feeds", Change("air", ("power.redundancy=N+1", "power.feeds.0=A", "power.feeds.1=B"),
                           ("power.redundancy=N+1", "power.feeds.0=A", "power.feeds.1=B",
                            "power.feeds.2=C"))),
    _pair("air", "power.ups.model", "9395XR-600", "9395XR-1935"),
    _pair("air", "power.ups.module_rating", "500 kW", "750 kW"),
    _pair("air", "power.ups.module_rating_kva", "500 kVA", "700 kVA"),
    _pair("air", "power.ups.output_power_factor", "0.9", "1.0", "power.ups.module_rating_kva=500 kVA"),
    _pair("air", "power.ups.modules_per_system", "1", "2"),
    _pair("air", "power.ups.buses", "1", "2"),
    _pair("air", "power.ups.max_loading", "80 %", "20 %", *_RATED_UPS),
    _pair("air", "power.ups.input_power_factor", "0.95", "0.99", *_RATED_UPS),
    _pair("air", "power.ups.efficiency_25", "95 %", "94 %", *_CURVE),
    _pair("air", "power.ups.efficiency_50", "96.5 %", "96 %", *_CURVE),
    _pair("air", "power.ups.efficiency_75", "96.8 %", "96.4 %", *_CURVE),
    _pair("air", "power.ups.efficiency_100", "96.6 %", "96 %", *_CURVE),
    _pair("air", "power.ups.recharge", "0 %", "20 %"),
    _pair("air", "power.distribution.voltage", "415 V", "480 V",
          "power.distribution.rack_system=415Y/240"),
    _pair("air", "power.distribution.rack_system", "415Y/240", "208Y/120"),
    _pair("air", "power.distribution.pdu_transformer", "225 kVA", "500 kVA",
          "power.distribution.voltage=480 V", "power.distribution.rack_system=415Y/240"),
    _pair("air", "power.distribution.pdus", "3", "6",
          "power.distribution.voltage=480 V", "power.distribution.rack_system=415Y/240"),
    _pair("air", "power.distribution.panel_bus", "400 A", "225 A"),
    _pair("air", "power.distribution.panel_main", "400 A", "225 A"),
    _pair("air", "power.distribution.panel_poles", "42", "30"),
    _pair("air", "power.distribution.listed_100", "true", "false"),
    ("power.distribution.breakers", Change("air", ("power.distribution.breakers.0=60 A",),
                                           ("power.distribution.breakers.0=100 A",))),
    _pair("air", "power.distribution.branch_loss", "0.5 %", "1 %"),
    _pair("air", "power.distribution.feeder_loss", "0.5 %", "1 %"),
    _pair("air", "power.distribution.board_loss", "0.5 %", "1 %"),
    _pair("air", "power.transformer.rating", "1000 kVA", "1500 kVA"),
    _pair("air", "power.transformer.count", "3", "6"),
    _pair("air", "power.transformer.redundancy", "N", "N+1"),
    _pair("air", "power.transformer.max_loading", "80 %", "40 %"),
    _pair("air", "power.transformer.no_load_loss", "1.1 kW", "2 kW", *_LOSSES),
    _pair("air", "power.transformer.load_loss", "9 kW", "12 kW", *_LOSSES),
    _pair("air", "power.transformer.impedance", "5.75 %", "4 %", "site.fault_level=500 MVA"),
    _pair("air", "power.generator.model", "3516E (standby / mission critical)",
          "C15 GC 500 ekW standby"),
    _pair("air", "power.generator.rating", "600 kW", "800 kW"),
    _pair("air", "power.generator.rating_kva", "750 kVA", "1000 kVA"),
    _pair("air", "power.generator.count", "3", "4"),
    _pair("air", "power.generator.redundancy", "N", "N+1"),
    _pair("air", "power.generator.max_loading", "90 %", "50 %", "power.generator.rating=600 kW"),
    _pair("air", "power.generator.derate", "100 %", "80 %"),
    _pair("air", "cooling.method", "air", "hybrid"),
    _pair("air", "cooling.supply_air", "22 degC", "25 degC"),
    _pair("air", "cooling.server_delta_t", "12 K", "16 K"),
    _pair("air", "cooling.containment", "hot-aisle", "none"),
    _pair("air", "cooling.bypass", "5 %", "20 %"),
    _pair("air", "cooling.recirculation", "1 %", "10 %"),
    _pair("air", "cooling.room_dew_point", "10 degC", "19 degC"),
    _pair("air", "cooling.outdoor_recirculation", "0 K", "3 K"),
    ("cooling.on_ups", Change("air", ("cooling.on_ups.0=crah_fans",),
                              ("cooling.on_ups.0=crah_fans", "cooling.on_ups.1=water_pumps"))),
    _pair("air", "cooling.crah.redundancy", "N", "N+2"),
    _pair("air", "cooling.crah.model", "CRAH 150 kW, 36/24 air, 18/26 water",
          "CRAH 100 kW, 36/24 air, 18/26 water"),
    _pair("air", "cooling.crah.rating.model", "X", "Y", *_CRAH),
    _pair("air", "cooling.crah.rating.net_sensible", "100 kW", "80 kW", *_CRAH),
    _pair("air", "cooling.crah.rating.airflow", "7 m3/s", "5 m3/s", *_CRAH),
    _pair("air", "cooling.crah.rating.return_air", "36 degC", "34 degC", *_CRAH),
    _pair("air", "cooling.crah.rating.supply_air", "24 degC", "22 degC", *_CRAH),
    _pair("air", "cooling.crah.rating.water_in", "18 degC", "16 degC", *_CRAH),
    _pair("air", "cooling.crah.rating.water_out", "26 degC", "24 degC", *_CRAH),
    _pair("air", "cooling.crah.rating.fan_power", "4 kW", "6 kW", *_CRAH),
    _pair("air", "cooling.crah.count", "6", "8"),
    _pair("air", "cooling.crah.electrical_count", "2", "4"),
    _pair("air", "cooling.crah.fan_curve", "fan / VSD motor (DOE-2)", "fan / ideal cube law"),
    _pair("liquid", "cooling.crah.design_fraction", "15 %", "50 %"),
    _pair("liquid", "cooling.cdu.redundancy", "N", "N+2"),
    _pair("liquid", "cooling.cdu.model", "XDU1350", "CHx2000"),
    _pair("liquid", "cooling.cdu.rating.model", "X", "Y", *_CDU),
    _pair("liquid", "cooling.cdu.rating.capacity", "800 kW", "300 kW", *_CDU),
    _pair("liquid", "cooling.cdu.rating.approach", "4 K", "3 K", *_CDU),
    _pair("liquid", "cooling.cdu.rating.tcs_flow", "900 L/min", "700 L/min", *_CDU),
    _pair("liquid", "cooling.cdu.rating.fws_flow", "900 L/min", "700 L/min", *_CDU),
    _pair("liquid", "cooling.cdu.rating.pump_power", "8 kW", "12 kW", *_CDU),
    _pair("liquid", "cooling.cdu.count", "2", "3"),
    _pair("liquid", "cooling.cdu.tcs_supply", "36 degC", "40 degC"),
    _pair("liquid", "cooling.cdu.tcs_delta_t", "8 K", "12 K"),
    _pair("liquid", "cooling.cdu.tcs_flow", "500 L/min", "700 L/min"),
    _pair("liquid", "cooling.cdu.fluid", "PG25", "water"),
    _pair("liquid", "cooling.cdu.design_fraction", "80 %", "100 %"),
    _pair("liquid", "cooling.facility_water.source", "tower", "dry_cooler"),
    _pair("liquid", "cooling.facility_water.supply", "30 degC", "32 degC"),
    _pair("liquid", "cooling.facility_water.delta_t", "6 K", "10 K"),
    _pair("liquid", "cooling.facility_water.fluid", "water", "PG25"),
    _pair("liquid", "cooling.facility_water.pump.head", "100 kPa", "250 kPa"),
    _pair("liquid", "cooling.facility_water.pump.efficiency", "60 %", "75 %"),
    _pair("liquid", "cooling.facility_water.rejection.redundancy", "N", "N+2", *_DRY_WATER),
    _pair("liquid", "cooling.facility_water.rejection.count", "2", "4", *_DRY_WATER),
    _pair("liquid", "cooling.facility_water.rejection.dry_cooler.model", "X", "Y", *_DRY_WATER,
          *_dry("facility_water")),
    _pair("liquid", "cooling.facility_water.rejection.dry_cooler.heat", "400 kW", "300 kW",
          *_DRY_WATER, *_dry("facility_water")),
    _pair("liquid", "cooling.facility_water.rejection.dry_cooler.air_in", "35 degC", "33 degC",
          *_DRY_WATER, *_dry("facility_water")),
    _pair("liquid", "cooling.facility_water.rejection.dry_cooler.fluid_in", "46 degC", "48 degC",
          *_DRY_WATER, *_dry("facility_water")),
    _pair("liquid", "cooling.facility_water.rejection.dry_cooler.fluid_out", "40 degC", "39 degC",
          *_DRY_WATER, *_dry("facility_water")),
    _pair("liquid", "cooling.facility_water.rejection.dry_cooler.fan_power", "8 kW", "12 kW",
          *_DRY_WATER, *_dry("facility_water")),
    _pair("liquid", "cooling.facility_water.rejection.pump.head", "100 kPa", "200 kPa",
          "cooling.facility_water.source=tower"),
    _pair("liquid", "cooling.facility_water.rejection.pump.efficiency", "60 %", "75 %",
          "cooling.facility_water.source=tower"),
    _pair("air", "cooling.plant.chilled_water_supply", "14 degC", "18 degC"),
    _pair("air", "cooling.plant.delta_t", "6 K", "8 K"),
    _pair("air", "cooling.plant.pump.head", "200 kPa", "300 kPa"),
    _pair("air", "cooling.plant.pump.efficiency", "60 %", "75 %"),
    _pair("air", "cooling.plant.chiller.redundancy", "N", "N+2"),
    _pair("air", "cooling.plant.chiller.model", "WSC100M", "York YT 1055kW/5.96COP/Vanes"),
    _pair("air", "cooling.plant.chiller.capacity", "500 kW", "200 kW"),
    _pair("air", "cooling.plant.chiller.count", "3", "4"),
    _pair("air", "cooling.plant.chiller.carnot_fraction", "0.5", "0.65"),
    _pair("air", "cooling.plant.heat_rejection", "tower", "air_cooled"),
    _pair("air", "cooling.plant.rejection.redundancy", "N", "N+2"),
    _pair("air", "cooling.plant.rejection.count", "2", "4"),
    _pair("air", "cooling.plant.rejection.dry_cooler.model", "X", "Y", *_DRY_PLANT, *_dry("plant")),
    _pair("air", "cooling.plant.rejection.dry_cooler.heat", "400 kW", "300 kW", *_DRY_PLANT,
          *_dry("plant")),
    _pair("air", "cooling.plant.rejection.dry_cooler.air_in", "35 degC", "33 degC", *_DRY_PLANT,
          *_dry("plant")),
    _pair("air", "cooling.plant.rejection.dry_cooler.fluid_in", "46 degC", "48 degC", *_DRY_PLANT,
          *_dry("plant")),
    _pair("air", "cooling.plant.rejection.dry_cooler.fluid_out", "40 degC", "39 degC", *_DRY_PLANT,
          *_dry("plant")),
    _pair("air", "cooling.plant.rejection.dry_cooler.fan_power", "8 kW", "12 kW", *_DRY_PLANT,
          *_dry("plant")),
    _pair("air", "cooling.plant.rejection.pump.head", "100 kPa", "200 kPa"),
    _pair("air", "cooling.plant.rejection.pump.efficiency", "60 %", "75 %"),
    _pair("air", "cooling.plant.condenser_range", "4 K", "5 K"),
    _pair("air", "house.lighting", "1 kW", "3 kW"),
    _pair("air", "house.lighting_density", "5 W/m2", "10 W/m2"),
    _pair("air", "house.controls", "1 kW", "3 kW"),
    _pair("air", "house.security", "1 kW", "3 kW"),
    _pair("air", "house.other", "1 kW", "3 kW"),
    _pair("air", "house.people", "1", "20"),
    _pair("air", "house.heat_per_person", "70 W", "90 W"),
    _pair("air", "house.envelope", "1 kW", "20 kW"),
    ("confirmed", Change("air", (), ("confirmed.0=it.diversity",))),
])  # fmt: skip

EXCEPTIONS: dict[str, str] = {}


def leaves(model: Any = None, prefix: str = "") -> Iterator[str]:
    """Yield the path of every leaf field of the project document."""
    if model is None:
        from facility.model.project.document import Project

        model = Project
    for name, field in model.model_fields.items():
        inner = _section_in(field.annotation)
        if inner is None:
            yield prefix + name
        else:
            section, is_list = inner
            yield from leaves(section, f"{prefix}{name}{'[]' if is_list else ''}.")


def _section_in(annotation: Any) -> tuple[type[BaseModel], bool] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType, Annotated, tuple, list):
        for argument in get_args(annotation):
            found = _section_in(argument)
            if found is not None:
                return found[0], found[1] or origin in (tuple, list)
    return None
