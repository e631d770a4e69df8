"""Small projects of which only the second calculations of the cooling ask."""

from __future__ import annotations

STATED = {
    "fewer of every unit, loads below their sum, power agreed": """\
schema_version: 1
site: {station: chicago, tariff: 0.08 USD/kWh, utility_capacity: 2.1 MW}
it: {server: GB200 NVL72 Supermicro, servers: 24, demand_factor: 85 %, diversity: 95 %}
power: {redundancy: N+1}
cooling: {method: hybrid, facility_water: {source: tower, rejection: {count: 2}},
  cdu: {model: XDU1350, count: 2}, crah: {count: 3},
  plant: {heat_rejection: tower, rejection: {count: 1, largest_cell: 300 kW},
  chiller: {count: 2, capacity: 300 kW, performance: curves}}}
""",
    "outdoor air of a dry winter, few units": """\
schema_version: 1
site: {station: fargo, tariff: 0.08 USD/kWh}
it: {gpu_model: H100 SXM5, gpus: 512}
power: {redundancy: N+1}
cooling: {method: air, economizer: {kind: air-side-direct, evaporative_effectiveness: 0.85},
  crah: {count: 3}, plant: {heat_rejection: air_cooled, chiller: {count: 1, model: AGZ140D}}}
""",
}
"""Fewer units than the heat requires."""

COOLANT = {
    "CDUs by their number": """\
schema_version: 1
site: {station: chicago}
criteria: {growth: 15 %}
it: {server: GB200 NVL72 Supermicro, servers: 20, demand_factor: 90 %}
power: {redundancy: N}
cooling: {method: hybrid, facility_water: {source: tower}, cdu: {count: 4},
  plant: {heat_rejection: tower, chiller: {count: 1}}}
""",
    "CDUs in the racks": """\
schema_version: 1
site: {station: fargo}
it: {server: GB200 NVL72 Supermicro, servers: 3, diversity: 90 %}
power: {redundancy: N}
cooling: {method: hybrid, facility_water: {source: tower}, liquid: {cdu_mount: in-rack},
  plant: {heat_rejection: air_cooled, chiller: {count: 1}}}
""",
    "one CDU, larger than any": """\
schema_version: 1
site: {station: chicago}
it: {server: GB200 NVL72 Supermicro, servers: 13}
power: {redundancy: N}
cooling: {method: hybrid, facility_water: {source: tower},
  cdu: {count: 1, redundancy: N, tcs_supply: 38 degC},
  plant: {heat_rejection: tower, chiller: {count: 1}}}
""",
}
"""CDUs of which the project states the number or the place."""

WET = """\
schema_version: 1
site: {station: chicago}
it: {gpu_model: H100 SXM5, gpus: 512}
power: {redundancy: N+1}
cooling: {method: air, supply_air: 18 degC, room_dew_point: 16 degC,
  plant: {chilled_water_supply: 6 degC}}
"""
"""Chilled water below the dew point of the room."""

FLOORS = {
    "leaking floor and open slots": """\
schema_version: 1
site: {station: chicago}
it: {gpu_model: H100 SXM5, gpus: 64, servers_per_rack: 1}
power: {redundancy: N+1}
cooling: {method: air, containment: cold-aisle, air: {supply: raised-floor,
  floor_leakage: 6 %, blanking: none,
  tile_open_area: 40 %, plenum_pressure: 15 Pa}}
""",
    "a floor by itself": """\
schema_version: 1
site: {station: chicago}
it: {gpu_model: H100 SXM5, gpus: 64, servers_per_rack: 1}
power: {redundancy: N+1}
cooling: {method: air, containment: none, bypass: 30 %, air: {blanking: full,
  ventilation: 0.2 m3/s}}
""",
    "racks whose heat asks for more than their fans": """\
schema_version: 1
site: {station: chicago}
it: {gpu_model: H100 SXM5, gpus: 64, servers_per_rack: 2}
power: {redundancy: N+1}
cooling: {method: air, containment: none, air: {blanking: none}}
""",
    "racks that tiles do not serve": """\
schema_version: 1
site: {station: chicago}
it: {gpu_model: H100 SXM5, gpus: 64, servers_per_rack: 4}
power: {redundancy: N+1}
cooling: {method: air, containment: cold-aisle, recirculation: 4 %, air: {ventilation: 0.1 m3/s}}
""",
}
"""Racks in front of floor tiles."""

SMALL = {
    "glycol in the chillers": """\
schema_version: 1
site: {station: chicago}
criteria: {growth: 30 %}
it: {gpu_model: H100 SXM, gpus: 64, demand_factor: 90 %, diversity: 80 %}
power: {redundancy: N}
cooling: {method: air, plant: {chiller: {count: 3}, fluid: PG25}}
"""
}
"""Less heat than the smallest tower takes, so that the kind of plant is told with the heat."""
