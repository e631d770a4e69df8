"""Small projects whose power supplies the reference projects and variants do not show."""

from __future__ import annotations

SUPPLIES = {
    "3N/4 by the IEC, load in stated steps": """\
schema_version: 1
site: {place: Frankfurt, country: DE, elevation: 110 m, design_dry_bulb: 34 degC,
  design_wet_bulb: 21 degC, mean_dry_bulb: 10.5 degC, mean_wet_bulb: 8 degC,
  fault_level: 500 MVA, x_over_r: '8'}
criteria: {code: IEC}
it: {gpu_model: H200 SXM, gpus: 192}
power: {redundancy: 4N/3,
  generator: {steps: [40 %, 35 %, 25 %], fuel_hours: 48 h},
  faults: {utility_minimum_level: 300 MVA}}
cooling: {method: air}
""",
    "one feed at 208 V, small modules, stated sets": """\
schema_version: 1
site: {place: Denver CO, country: US, elevation: 1610 m, design_dry_bulb: 34 degC,
  design_wet_bulb: 18 degC, mean_dry_bulb: 10 degC, mean_wet_bulb: 4 degC,
  fault_level: 300 MVA, x_over_r: '10'}
it: {gpu_model: A100 SXM4 80GB, gpus: 64}
power: {redundancy: N+1, distribution: {rack_system: 208Y/120, voltage: 480 V},
  ups: {module_rating: 50 kW, recharge: 20 %},
  generator: {rating: 400 kW, count: 3, running_sets: 2}, battery: {autonomy: 7 min},
  conductors: {material: aluminum}}
cooling: {method: air}
""",
}
