"""By rule, the stated fields whose release may clear it: the design then chooses what passes.

Wishes and facts are never released: what a site, a product or a person is, redundancy, autonomy,
limits. Rules about those have no row, and no fix is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_UPS = (
    "power.ups.modules_per_system",
    "power.ups.module_rating",
    "power.ups.module_rating_kva",
    "power.ups.buses",
    "power.ups.model",
)
_TRANSFORMER = ("power.transformer.count", "power.transformer.rating")
_GENERATOR = (
    "power.generator.count",
    "power.generator.rating",
    "power.generator.rating_kva",
    "power.generator.model",
)
_STRINGS = ("power.battery.strings", "power.battery.blocks_per_string")
_CIRCUIT = (
    "it.cords.breaker",
    "it.cords.rack_pdu",
    "it.halls[].racks[].circuits[].breaker",
    "it.halls[].racks[].circuits[].rack_pdu",
    "it.cords.per_feed",
    "it.cords",
)
_PANEL = ("power.distribution.panel_main", "power.distribution.panel_bus")
_FAULT = (
    "power.faults.switchgear_rating",
    "power.faults.board_rating",
    "power.faults.panel_rating",
    "power.faults.rack_pdu_rating",
)
_RACK = (
    "it.servers_per_rack",
    "it.rack_units",
    "it.halls[].racks[].rack_units",
)
_AIR = (
    "cooling.supply_air",
    "cooling.room_dew_point",
    "cooling.plant.chilled_water_supply",
)
_CRAH = ("cooling.crah.count", "cooling.crah.electrical_count", "cooling.crah.rating")
_CDU = ("cooling.cdu.count", "cooling.cdu.tcs_flow", "cooling.cdu.model", "cooling.cdu.rating")
_WATER = (
    "cooling.cdu.tcs_supply",
    "cooling.cdu.tcs_delta_t",
    "cooling.facility_water.supply",
    "cooling.facility_water.delta_t",
    "cooling.plant.chilled_water_supply",
)
_PLANT = (
    "cooling.plant.chiller.count",
    "cooling.plant.chiller.capacity",
    "cooling.plant.chiller.model",
    "cooling.plant.rejection.count",
    "cooling.plant.rejection.dry_cooler",
    "cooling.facility_water.rejection.count",
    "cooling.facility_water.rejection.dry_cooler",
)
_DC = (
    "power.dc.busbar_section",
    "power.dc.conductor_size",
    "power.dc.sets",
)

BY_RULE: Mapping[str, tuple[str, ...]] = {
    "UPS-VOLTAGE": ("power.ups.model",),
    "UPS-[A-Z-]+": _UPS,
    "INSTALLED-SURPLUS": (*_UPS, *_TRANSFORMER, *_GENERATOR),
    "CIRCUIT-TOO-LARGE|FAULT-INTERRUPTING|FAULT-MAKING": (
        "power.ups.buses",
        *_FAULT,
        *_TRANSFORMER,
        "power.ups.modules_per_system",
    ),
    "TRANSFORMER-(LOADING-NORMAL|LOADING-FAILURE|SPARE|DEVICE)": _TRANSFORMER,
    "GENERATOR-(CAPACITY|KVA|FREQUENCY)": _GENERATOR,
    "GENERATOR-VOLTAGE": ("power.generator.voltage",),
    "GENERATOR-FUEL": ("power.generator.tank",),
    "BATTERY-(AUTONOMY|RIDE-THROUGH|DC-BUS|FLOAT)|RIDE-THROUGH-BATTERY|SAG-BATTERY": _STRINGS,
    "BATTERY-HYDROGEN(-LIMIT)?": ("power.battery.room_airflow",),
    "PDU-LOADING": ("power.distribution.pdus", "power.distribution.pdu_transformer"),
    "NETWORK-LOADING|OVERLOAD-IN-STATE": (*_TRANSFORMER, *_UPS, "power.distribution.pdus"),
    "BRANCH-LOAD|CIRCUIT-LOADING|RACK-PDU-[A-Z]+|RECEPTACLE-RATING|NEC-OCPD-RATING": _CIRCUIT,
    "IEC-(DESIGN-CURRENT|OVERLOAD|SHORT-CIRCUIT|DISCONNECTION)": _CIRCUIT,
    "PANEL-MAIN": _PANEL,
    "NEC-NEUTRAL-COUNTED": ("power.conductors.neutral_counted",),
    "RACK-(POWER|UNITS|FLOW)|AIR-DENSITY-LIMIT|COOLERS-PER-RACK|AIR-TILES": _RACK,
    "AIR-(ALLOWABLE|COLD|DEW-POINT|DOOR-SURFACE)|INLET-[A-Z-]+": _AIR,
    "CRAH-(AIRFLOW|CAPACITY)|AIR-DOOR-LOST": _CRAH,
    "CDU-[A-Z]+|TCS-(FLOW|HEAD)|CASE-TEMPERATURE": _CDU,
    "CDU-FWS-FLOW": (*_CDU, "cooling.facility_water.delta_t"),
    "TCS-TEMPERATURE|FWS-[A-Z]+": _WATER,
    "CHILLER-CAPACITY|REJECTION-CAPACITY": _PLANT,
    "DC-(MAXIMUM-POWER|VOLTAGE-LOW|AMPACITY)": _DC,
    "FABRIC-SWITCHES": ("it.network.leaf", "it.network.spine", "it.network.core"),
    "SWING-(STORAGE-(POWER|ENERGY)|(RAMP|RANGE|BAND)-STORAGE)": (
        "power.smoothing.energy",
        "power.smoothing.power",
        "power.smoothing.ramp",
    ),
}
"""Fields by a pattern of rules, the one that changes least first; ``[]`` stands for any entry."""


def fields_of(rule: str) -> tuple[str, ...]:
    """Return the fields whose release may clear a rule; none where nothing is known."""
    for pattern, fields in BY_RULE.items():
        if re.fullmatch(pattern, rule):
            return fields
    return ()
