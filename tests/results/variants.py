"""Small projects, each a variant that the reference projects do not show."""

from __future__ import annotations

VARIANTS = {
    "two buses, growth, on a mountain": """\
schema_version: 1
site: {place: Santa Fe NM, country: US, elevation: 2130 m, design_dry_bulb: 36 degC,
  design_wet_bulb: 17 degC, mean_dry_bulb: 10.5 degC, mean_wet_bulb: 3.5 degC,
  fault_level: 250 MVA, x_over_r: '12'}
criteria: {growth: 25 %}
it: {gpu_model: H100 SXM5, gpus: 256, load_factor: 60 %}
power: {redundancy: N+1, ups: {buses: 2, module_rating: 250 kW}, transformer: {redundancy: N+1}}
cooling: {method: air, plant: {heat_rejection: dry_cooler, chiller: {redundancy: N+2}},
  crah: {redundancy: N+2}}
""",
    "2N by the IEC": """\
schema_version: 1
site: {place: London, country: GB, elevation: 25 m, design_dry_bulb: 36 degC,
  design_wet_bulb: 22 degC, mean_dry_bulb: 11.5 degC, mean_wet_bulb: 9 degC}
criteria: {code: IEC}
it: {gpu_model: H200 SXM, gpus: 128}
power: {redundancy: 2N}
cooling: {method: air, plant: {heat_rejection: air_cooled}, economizer: {kind: air-side-indirect}}
""",
    "three systems for two, PDU transformers": """\
schema_version: 1
site: {station: phoenix}
it: {gpu_model: B200 SXM, gpus: 192}
power: {redundancy: 3N/2, distribution: {rack_system: 208Y/120, voltage: 480 V}}
cooling: {method: air, air: {terminal: active-rear-door}, plant: {heat_rejection: tower}}
""",
    "liquid on dry coolers with a trim chiller, rows": """\
schema_version: 1
site: {station: phoenix}
criteria: {growth: 10 %, liquid_class: W32}
it: {server: GB200 NVL72 Supermicro, servers: 40}
power: {redundancy: block-redundant}
cooling: {method: hybrid, facility_water: {source: dry_cooler_and_chiller}, cdu: {redundancy: N+2},
  liquid: {cdu_mount: row/perimeter}}
""",
    "cold water in damp air": """\
schema_version: 1
site: {station: miami}
it: {gpu_model: A100 SXM4 80GB, gpus: 64}
power: {redundancy: N}
cooling: {method: air, supply_air: 15 degC, room_dew_point: 15 degC,
  plant: {heat_rejection: tower, chilled_water_supply: 7 degC}}
""",
}

PLANTS = {
    "chillers by their set, towers by their rating": """\
schema_version: 1
site: {station: chicago}
it: {gpu_model: H100 SXM5, gpus: 512}
power: {redundancy: N+1}
cooling: {method: air, plant: {chilled_water_supply: 10 degC, condenser_range: 6 K,
  chiller: {model: McQuay PEH 819kW/8.11COP/Vanes, performance: curves},
  rejection: {tower: {flow: 30 L/s, wet_bulb: 25 degC, range: 6 K, approach: 3.5 K,
  fan_power: 11 kW}}}}
""",
    "warm water by a set, beyond its box": """\
schema_version: 1
site: {station: phoenix}
it: {gpu_model: H100 SXM5, gpus: 256}
power: {redundancy: N+1}
cooling: {method: air, plant: {heat_rejection: tower, chiller: {performance: curves}}}
""",
    "dry coolers behind pads": """\
schema_version: 1
site: {station: phoenix}
it: {gpu_model: H100 SXM5, gpus: 256}
power: {redundancy: N+1}
cooling: {method: air, plant: {heat_rejection: dry_cooler, rejection: {pad_effectiveness: 70 %}}}
""",
}
"""Plants of which only the second calculation asks; they are not in the golden record."""

YEARS = {
    "towers on the water side, primary and secondary pumps, steam": """\
schema_version: 1
site: {station: chicago, tariff: 0.08 USD/kWh}
it: {gpu_model: H100 SXM5, gpus: 256, load_factor: 70 %}
power: {redundancy: N+1}
cooling: {method: air, air: {humidifier: steam}, economizer: {kind: integrated-water-side},
  plant: {heat_rejection: tower, chilled_water_supply: 16 degC,
  pumping: {scheme: primary-secondary}}}
""",
    "outdoor air and pads": """\
schema_version: 1
site: {station: san-francisco, tariff: 0.08 USD/kWh}
it: {gpu_model: H100 SXM5, gpus: 128}
power: {redundancy: N+1}
cooling: {method: air, economizer: {kind: air-side-direct, evaporative_effectiveness: 0.85},
  plant: {heat_rejection: air_cooled}}
""",
    "fan walls, scavenger air": """\
schema_version: 1
site: {station: fargo, tariff: 0.08 USD/kWh}
it: {gpu_model: H100 SXM5, gpus: 128}
power: {redundancy: 2N}
cooling: {method: air, air: {terminal: fan-wall}, economizer: {kind: air-side-indirect},
  plant: {heat_rejection: air_cooled}}
""",
    "coolant from dry coolers behind pads, heat reused": """\
schema_version: 1
site: {station: phoenix, tariff: 0.08 USD/kWh}
it: {server: GB200 NVL72 Supermicro, servers: 8}
power: {redundancy: N+1}
cooling: {method: hybrid,
  facility_water: {source: dry_cooler, rejection: {pad_effectiveness: 70 %}},
  heat_reuse: {fraction: 30 %, temperature: 40 degC}, plant: {heat_rejection: tower}}
""",
    "in-row, free-cooling coil, pumps of constant flow": """\
schema_version: 1
site: {station: fargo, tariff: 0.08 USD/kWh}
it: {gpu_model: A100 SXM4 80GB, gpus: 256, load_factor: 55 %}
power: {redundancy: N+1}
cooling: {method: air, air: {terminal: in-row}, economizer: {kind: integrated-water-side},
  plant: {heat_rejection: air_cooled, pumping: {scheme: constant-primary}}}
""",
    "doors too small for their racks, water by its demand": """\
schema_version: 1
site: {station: chicago, tariff: 0.08 USD/kWh}
it: {gpu_model: B200 SXM, gpus: 144, servers_per_rack: 6, demand_factor: 90 %, diversity: 95 %}
power: {redundancy: N+1}
cooling: {method: air, air: {terminal: active-rear-door}, plant: {heat_rejection: tower}}
""",
}
"""Plants whose year is worked once more."""
