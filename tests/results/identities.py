"""What every result of a design must equal: an identity with other results, or an outside figure.

`IDENTITIES` holds functions of the results in SI by pattern of key; `ROUGH` those that leave out
what is small; `FIGURES` figures of the reference projects from outside; `ELSEWHERE` the keys that
a test elsewhere holds against something from outside.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fnmatch import fnmatchcase

Results = dict[str, float]
Identity = Callable[[Results, str], float]
SQRT3 = math.sqrt(3.0)
YEAR_S = 8760.0 * 3600.0


def _sum(r: Results, pattern: str) -> float:
    return sum(value for key, value in r.items() if fnmatchcase(key, pattern))


def _at_pdu(r: Results) -> float:
    return r["energy.annual.it"] + r["annual.losses.rack_pdu"] + r["annual.losses.branch"]


def _rank(key: str) -> str:
    return re.sub(r"\.(\d+)\..*", r".\1", key)


IDENTITIES: dict[str, Identity] = {
    "load.it": lambda r, k: (
        r["load.server"] + r["load.network"] + r["load.storage"] + r["load.management"]
    ),
    "load.losses": lambda r, k: _sum(r, "losses.*"),
    "load.cooling": lambda r, k: _sum(r, "cooling.*"),
    "load.facility": lambda r, k: (
        r["load.it"] + r["load.losses"] + r["load.cooling"] + r["load.house"]
    ),
    "load.it_peak": lambda r, k: r["load.it"],
    "load.it_va": lambda r, k: r["load.it"] / 0.98,
    "losses.rack_pdu": lambda r, k: 0.005 * r["load.it"],
    "losses.branch": lambda r, k: 0.005 * r["load.it"],
    "losses.feeder": lambda r, k: 0.005 * r["load.it"],
    "losses.lv_board": lambda r, k: 0.005 * r["load.it"],
    "losses.pdu_transformer": lambda r, k: 0.0,
    "losses.ups": lambda r, k: r["ups.losses"],
    "losses.transformer": lambda r, k: r["heat.outdoors"],
    "load.house": lambda r, k: 0.001 * r["load.it"] + 2 * 16.0 * 120.0,
    "it.hall.1.racks": lambda r, k: r["load.racks"],
    "it.hall.1.density": lambda r, k: r["load.it"] / r["it.hall.1.floor_area"],
    "ups.modules": lambda r, k: r["ups.shortlist.1.modules"],
    "ups.output": lambda r, k: (
        r["load.it"]
        + r["losses.rack_pdu"]
        + r["losses.branch"]
        + r["losses.feeder"]
        + r["losses.pdu_transformer"]
        + r["cooling.crah_fans"]
        + r["cooling.cdu_pumps"]
        + r["cooling.chw_pumps"]
        + r["cooling.fws_pumps"]
    ),
    "ups.efficiency": lambda r, k: r["ups.output"] / (r["ups.output"] + r["ups.losses"]),
    "ups.efficiency_failure": lambda r, k: (
        r["ups.output"] / (r["ups.output"] + r["ups.losses_failure"])
    ),
    "ups.losses": lambda r, k: r["ups.shortlist.1.loss_normal"],
    "ups.losses_failure": lambda r, k: r["ups.shortlist.1.loss_failure"],
    "ups.loading_normal": lambda r, k: r["ups.shortlist.1.loading_normal"],
    "ups.loading_failure": lambda r, k: r["ups.shortlist.1.loading_failure"],
    "ups.output_current": lambda r, k: r["ups.module_rating_kva"] / (SQRT3 * 415.0),
    "ups.input_rating_minimum": lambda r, k: 1.25 * r["ups.input_current_low_line"],
    "ups.shortlist.*.installed": lambda r, k: r[_rank(k) + ".modules"] * _rating(r, k),
    "ups.shortlist.*.margin": lambda r, k: 1.0 - r[_rank(k) + ".loading_failure"],
    "ups.shortlist.*.efficiency_normal": lambda r, k: (
        r["ups.output"] / (r["ups.output"] + r[_rank(k) + ".loss_normal"])
    ),
    "ups.shortlist.*.efficiency_failure": lambda r, k: (
        r["ups.output"] / (r["ups.output"] + r[_rank(k) + ".loss_failure"])
    ),
    "generator.count": lambda r, k: r["generator.count.duty"] + 1.0,
    "generator.loading": lambda r, k: (
        r["generator.load"] / (r["generator.count.duty"] * r["generator.rating"])
    ),
    "generator.loading_least": lambda r, k: (
        (r["generator.load"] - 0.10 * r["ups.modules"] * r["ups.module_rating"])
        / (r["generator.count"] * r["generator.rating"])
    ),
    "generator.design_load": lambda r, k: r["generator.load"],
    "generator.tank": lambda r, k: r["generator.fuel_rate"] * 86400.0 / 0.9,
    "generator.fuel_time": lambda r, k: r["generator.tank"] * 0.9 / r["generator.fuel_rate"],
    "generator.largest_step": lambda r, k: r["generator.first_step"],
    "generator.voltage_dip": lambda r, k: _dip(r),
    "substation.count": lambda r, k: r["transformer.count"],
    "transformer.harmonic_capability": lambda r, k: math.sqrt(
        1.1 / (1.0 + 0.1 * r["transformer.k_factor"])
    ),
    "utility.demand": lambda r, k: r["load.facility"],
    "utility.demand_kva": lambda r, k: r["utility.demand"] / r["utility.power_factor"],
    "utility.current": lambda r, k: r["utility.demand_kva"] / (SQRT3 * r["utility.voltage"]),
    "utility.mv_current_13_8kv": lambda r, k: r["utility.demand_kva"] / (SQRT3 * 13.8e3),
    "utility.mv_current_33kv": lambda r, k: r["utility.demand_kva"] / (SQRT3 * 33e3),
    "utility.mv_current_34_5kv": lambda r, k: r["utility.demand_kva"] / (SQRT3 * 34.5e3),
    "panels.lost_supplies_covered": lambda r, k: r["panels.lost_supplies"],
    "heat.air": lambda r, k: r["load.it"] - r["heat.liquid"],
    "heat.electrical_room": lambda r, k: (
        r["losses.ups"] + r["losses.lv_board"] + 0.5 * r["losses.feeder"]
    ),
    "heat.outdoors": lambda r, k: r["losses.transformer"],
    "heat.ventilation": lambda r, k: r["air.ventilation.heat"],
    "crah.count": lambda r, k: r["crah.count.duty"] + 1.0,
    "crah.electrical_count": lambda r, k: r["crah.electrical_count.duty"] + 1.0,
    "plant.chiller_count": lambda r, k: r["plant.chiller_count.duty"] + 1.0,
    "plant.chiller_part_load.design": lambda r, k: (
        r["cooling.chillers"]
        * r["plant.chiller_cop"]
        / (r["plant.chillers_running.design"] * r["chiller.capacity"])
    ),
    "plant.rejection_count": lambda r, k: r["plant.rejection_count.duty"] + 1.0,
    "pue.design": lambda r, k: r["load.facility"] / r["load.it"],
    "pue.part.it": lambda r, k: 1.0,
    "pue.part.losses.*": lambda r, k: r[k.removeprefix("pue.part.")] / r["load.it"],
    "pue.part.cooling.*": lambda r, k: r[k.removeprefix("pue.part.")] / r["load.it"],
    "pue.part.house": lambda r, k: r["load.house"] / r["load.it"],
    "battery.autonomy_required": lambda r, k: 600.0,
    "battery.ride_through": lambda r, k: 45.0,
    "battery.hydrogen_airflow": lambda r, k: (
        r["ups.systems"] * r["battery.hydrogen_airflow.per_system"]
    ),
    "battery.strings": lambda r, k: r["ups.systems"] * r["battery.strings.per_system"],
    "battery.blocks": lambda r, k: r["battery.strings"] * r["battery.blocks_per_string"],
    "air.fans.saving": lambda r, k: 1.0 - r["air.fans.all"] / r["air.fans.duty"],
    "tcs.over_dew_point": lambda r, k: r["loop.tcs.supply"] - 15.0,
    "fws.over_dew_point": lambda r, k: r["loop.fws.supply"] - 15.0,
    "tcs.leak_loop": lambda r, k: r["loop.tcs.volume"],
    "tcs.volume": lambda r, k: r["loop.tcs.volume"],
    "tcs.supply_least": lambda r, k: 15.0 + 2.0,
    "cdu.flow": lambda r, k: r.get("loop.tcs.flow", 0.0),
    "energy.annual_estimate": lambda r, k: r["pue.estimate"] * r["load.it"] * 0.76 * YEAR_S,
    "annual.it": lambda r, k: r["load.it"] * 0.76 * YEAR_S,
    "annual.load.*": lambda r, k: 0.76,
    "annual.house": lambda r, k: r["load.house"] * YEAR_S,
    "annual.losses.rack_pdu": lambda r, k: r["losses.rack_pdu"] * 0.76**2 * YEAR_S,
    "annual.losses.branch": lambda r, k: r["losses.branch"] * 0.76**2 * YEAR_S,
    "annual.losses.feeder": lambda r, k: r["losses.feeder"] * 0.76**2 * YEAR_S,
    "annual.losses.lv_board": lambda r, k: r["losses.lv_board"] * 0.76**2 * YEAR_S,
    "annual.cooling.humidification": lambda r, k: 0.0,
    "annual.load_factor": lambda r, k: r["energy.annual"] / YEAR_S / r["annual.peak"],
    "energy.annual.it": lambda r, k: r["annual.it"],
    "energy.annual.house": lambda r, k: r["annual.house"],
    "energy.annual.losses": lambda r, k: _sum(r, "annual.losses.*"),
    "energy.annual.cooling": lambda r, k: _sum(r, "annual.cooling.*"),
    "energy.annual": lambda r, k: (
        r["annual.it"]
        + r["annual.house"]
        + _sum(r, "annual.losses.*")
        + _sum(r, "annual.cooling.*")
    ),
    "pue.annual": lambda r, k: r["energy.annual"] / r["energy.annual.it"],
    "pue.category.1": lambda r, k: (
        r["energy.annual"] / (_at_pdu(r) + _sum(r, "annual.losses.[pf][de]*er"))
    ),
    "pue.category.2": lambda r, k: r["energy.annual"] / _at_pdu(r),
    "pue.category.3": lambda r, k: r["pue.annual"],
    "ppue.*": lambda r, k: 1.0 + r[k.replace("ppue", "energy.annual")] / r["energy.annual.it"],
    "cost.annual": lambda r, k: r["energy.annual"] / 3.6e9 * 50.0,
    "carbon.annual": lambda r, k: r["energy.annual"] * 0.2705 / 3.6e6,
    "cue": lambda r, k: 0.2705 / 3.6e6 * r["pue.annual"],
    "water.annual": lambda r, k: (
        1.25 * r["water.annual.evaporation"] + r["water.annual.humidifiers"]
    ),
    "water.blowdown": lambda r, k: r["water.evaporation"] / (5.0 - 1.0) - r["water.drift"],
    "water.makeup": lambda r, k: 1.25 * r["water.evaporation"],
    "water.storage.12h": lambda r, k: 12.0 * 3600.0 * r["water.makeup"],
    "wue.design": lambda r, k: r["water.makeup"] / r["load.it"],
    "annual.generator.test_time": lambda r, k: 6.0 * 3600.0,
    "annual.generator.test_energy": lambda r, k: (
        6.0 * 3600.0 * 0.30 * r["generator.count"] * r["generator.rating"]
    ),
    "water.annual.blowdown": lambda r, k: (
        r["water.annual.evaporation"] / (5.0 - 1.0) - r["water.annual.drift"]
    ),
    "wue.site": lambda r, k: r["water.annual"] / r["energy.annual.it"],
    "cost.month_estimate": lambda r, k: r["energy.annual_estimate"] / 3.6e9 * 50.0 / 12.0,
    "transformer.k_factor": lambda r, k: _six_pulse_k(r["transformer.thd"]),
    "tcs.test_pressure": lambda r, k: 1.5 * 500e3,
    "loop.tcs.flow": lambda r, k: 130e-3 / 60.0 * r["heat.liquid"] / 114.972e3,
    "tcs.rack_flow": lambda r, k: 130e-3 / 60.0,
    "utility.voltage": lambda r, k: 13.8e3,
    "cooling.humidification": lambda r, k: 0.0,
    "fault.inverter.held": lambda r, k: 0.2,
    "generator.load": lambda r, k: (
        r["load.facility"]
        + 0.10 * r["ups.modules"] * r["ups.module_rating"]
        - (r["losses.transformer"] if r["generator.on_lv"] else 0.0)
    ),
    "carbon.annual_estimate": lambda r, k: r["energy.annual_estimate"] * 0.2705 / 3.6e6,
}


def _rating(r: Results, key: str) -> float:
    rank = _rank(key)
    return r[f"{rank}.installed"] / r[f"{rank}.modules"]


def _six_pulse_k(distortion: float) -> float:
    """K of currents in proportion to 1/h at the orders of a six-pulse rectifier up to 25."""
    orders = (5, 7, 11, 13, 17, 19, 23, 25)
    scale = distortion**2 / sum(1.0 / h**2 for h in orders)
    return (1.0 + len(orders) * scale) / (1.0 + distortion**2)


def _dip(r: Results) -> float:
    """Dip = S / (S + S_G / x''): starting kVA against the sets on duty behind 20 %."""
    sets_va = r["generator.count.duty"] * r["generator.rating_kva"]
    return r["generator.starting_kva"] / (r["generator.starting_kva"] + sets_va / 0.20)


def _passes(r: Results) -> float:
    """Passes of a contraction: cooling is part of the heat, losses of the UPS part of both."""
    cooling = r["load.cooling"] / r["load.it"]
    rate = cooling * (r["losses.ups"] + r["losses.transformer"]) / r["load.facility"]
    return 2.0 + math.log(1e-10 / cooling) / math.log(rate)


# Within a part: what an identity leaves out is small, a factor is not.
ROUGH: dict[str, tuple[float, Identity]] = {
    "water.annual.evaporation": (0.25, lambda r, k: r["energy.annual.it"] / 2.45e9),
    "ups.loading_normal": (
        0.06,
        lambda r, k: r["ups.output"] / (r["ups.modules"] * r["ups.module_rating"]),
    ),
    "ups.loading_failure": (
        0.08,
        lambda r, k: (
            r["ups.output"]
            / (r["ups.modules"] * r["ups.module_rating"])
            * r["ups.systems"]
            / (r["ups.systems"] - 1.0)
        ),
    ),
    "ups.loading_va_normal": (
        0.03,
        lambda r, k: (
            r["ups.loading_normal"] * r["ups.module_rating"] / r["ups.module_rating_kva"] / 0.98
        ),
    ),
    "ups.loading_va_failure": (
        0.03,
        lambda r, k: (
            r["ups.loading_failure"] * r["ups.module_rating"] / r["ups.module_rating_kva"] / 0.98
        ),
    ),
    "ups.input_current_low_line": (
        0.01,
        lambda r, k: 1.137 * r["ups.module_rating"] / (SQRT3 * 415.0 * 0.9 * 0.99),
    ),
    "cooling.chillers": (
        0.01,
        lambda r, k: (
            (r["plant.chilled_water_flow"] * 8.0 * 4.171e6 + r["cooling.chw_pumps"])
            / r["plant.chiller_cop"]
        ),
    ),
    "heat.room": (
        0.03,
        lambda r, k: (
            r["heat.air"] + r["losses.rack_pdu"] + r["losses.branch"] + 0.5 * r["losses.feeder"]
        ),
    ),
    "crah.airflow": (
        0.03,
        lambda r, k: (
            r["heat.room"]
            / (1.175 * 1015.0 * (r["crah.return_temperature"] - r["crah.supply_temperature"]))
        ),
    ),
    "air.units.water": (0.01, lambda r, k: r["air.units.heat"] / (8.0 * 4.171e6)),
    "air.electrical_units.water": (
        0.01,
        lambda r, k: r["air.electrical_units.heat"] / (8.0 * 4.171e6),
    ),
    "heat.rejected": (
        0.03,
        lambda r, k: (
            r["load.it"]
            + r["losses.rack_pdu"]
            + r["losses.branch"]
            + r["losses.feeder"]
            + r["losses.ups"]
            + r["losses.lv_board"]
            + r["cooling.chillers"]
            + r["cooling.crah_fans"]
            + r["cooling.chw_pumps"]
            + r["cooling.cdu_pumps"]
            + r["cooling.fws_pumps"]
            + r["cooling.condenser_pumps"]
        ),
    ),
    "loop.iterations": (0.35, lambda r, k: _passes(r)),
    "utility.power_factor": (0.02, lambda r, k: 0.98),
    "battery.charging_power": (0.05, lambda r, k: r["battery.charging_current"] * 540.0),
    "transformer.loading_normal": (
        0.06,
        lambda r, k: (
            r["ups.unevenness"]
            * r["utility.demand_kva"]
            / (r["transformer.count"] * r["transformer.rating_kva"])
        ),
    ),
    "loop.chw.flow": (0.15, lambda r, k: r["plant.chilled_water_flow"]),
}

# Held against figures from outside by these tests.
ELSEWHERE: dict[str, str] = {
    "ups.loading_fullest": "tests/power/train/test_schemes.py",
    "water.drift": "tests/hand/test_cases.py",
    "water.evaporation": "tests/hand/test_cases.py",
    "annual.*": "tests/study/test_balance_hours.py",
    "annual.peak*": "tests/study/annual/test_year.py",
    "annual.p[0-9]*": "tests/study/annual/test_year.py",
    "annual.chiller_full_load_hours": "tests/study/annual/test_year.py",
    "annual.hours_beyond": "tests/study/annual/test_limits.py",
    "water.annual.humidifiers": "tests/study/annual/test_water_and_tests.py",
    "fuel.annual": "tests/study/annual/test_water_and_tests.py",
    "water.annual.drift": "tests/cooling/plant/test_tower_water.py",
    "swing.*": "tests/study/transient/load/test_study.py",
    "swing.band*": "tests/study/transient/load/test_numbers.py",
    "swing.frequency": "tests/study/transient/load/test_numbers.py",
    "swing.amplitude": "tests/study/transient/load/test_numbers.py",
    "sag.*": "tests/study/transient/load/test_numbers.py",
    "fault.*": "tests/power/faults/test_against_pandapower.py",
    "feeder.*": "tests/power/feeders/test_schedule.py",
    "battery.*": "tests/power/battery/test_sizing.py",
    "battery.autonomy_*": "tests/power/battery/test_autonomy.py",
    "ups.input_current_low_line.system": "tests/hand/test_cases.py",
    "ups.module_rating*": "tests/catalogue/test_reference_tables.py",
    "ups.modules.duty": "tests/power/ups/test_ups.py",
    "ups.shortlist.*": "tests/power/ups/test_ups_study.py",
    "generator.*": "tests/power/backup/test_generator_operation.py",
    "generator.count.duty": "tests/power/substation/test_transformers_and_generators.py",
    "transformer.*": "tests/power/substation/test_transformer_operation.py",
    "panels.*": "tests/power/panels/board/test_phasor_currents.py",
    "network.*": "tests/power/network/test_build.py",
    "loop.*": "tests/cooling/loops/test_hydraulics.py",
    "tcs.*": "tests/cooling/liquid_path/test_liquid_path.py",
    "fws.*": "tests/cooling/liquid_path/test_liquid_path.py",
    "cdu.*": "tests/cooling/parts/test_equipment.py",
    "air.*": "tests/cooling/room/test_room_air.py",
    "crah.*": "tests/cooling/parts/test_equipment.py",
    "plant.*": "tests/cooling/chain/test_chain.py",
    "storage.*": "tests/cooling/plant/test_plant_options.py",
    "cooling.*": "tests/physics/plant/test_fans_pumps.py",
    "it.hall.*": "tests/power/it/test_halls.py",
    "load.network": "tests/power/it/test_fabric.py",
    "pue.estimate": "tests/hand/test_cases.py",
    "load.it_typical": "tests/power/it/test_roll_up.py",
    "load.supply_loss": "tests/power/it/test_supplies_physics.py",
    "load.racks": "tests/power/it/test_roll_up.py",
    "racks.*": "tests/power/it/test_roll_up.py",
}

# Four storage nodes of 1.4 kW for each 256 GPUs or part, seven management nodes of 900 W for each
# 1,016 or part: a scalable unit of a DGX SuperPOD, and four of them.
# What the documents say: GPUs of 700 W (H100) and 1,200 W (B200 of an NVL72 rack of 132 kW), eight
# in a DGX H100 of 10.2 kW, 130 L/min a rack.
FIGURES: dict[tuple[str, str], float] = {
    ("h100-10k", "load.gpus"): 10000.0,
    ("h100-10k", "load.gpu"): 10000 * 700.0,
    ("h100-10k", "load.servers"): 1250.0,
    ("h100-10k", "load.server"): 1250 * 10200.0,
    ("h100-10k", "load.racks.compute"): 313.0,
    ("h100-10k", "load.storage"): 40 * 4 * 1400.0,
    ("h100-10k", "load.management"): 10 * 7 * 900.0,
    ("dgx-su-32", "load.storage"): 4 * 1400.0,
    ("dgx-su-32", "load.management"): 7 * 900.0,
    ("nvl72-hall", "load.storage"): 0.0,
    ("nvl72-hall", "load.management"): 0.0,
    ("dgx-su-32", "load.gpus"): 256.0,
    ("dgx-su-32", "load.gpu"): 256 * 700.0,
    ("dgx-su-32", "load.servers"): 32.0,
    ("dgx-su-32", "load.server"): 32 * 10200.0,
    ("dgx-su-32", "load.racks.compute"): 8.0,
    ("nvl72-hall", "load.gpus"): 576.0,
    ("nvl72-hall", "load.gpu"): 576 * 1200.0,
    ("nvl72-hall", "load.servers"): 8.0,
    ("nvl72-hall", "load.server"): 8 * 132e3,
    ("nvl72-hall", "load.racks"): 8.0,
    ("nvl72-hall", "heat.liquid"): 8 * (132e3 - 17.028e3),
    ("dgx-su-32", "heat.liquid"): 0.0,
    ("nvl72-hall", "racks.power_max"): 132e3,
    ("dgx-su-32", "racks.power_max"): 4 * 10200.0,
    ("nvl72-hall", "racks.mass_max"): 1360.0,
    ("nvl72-hall", "ups.systems"): 2.0,
    ("dgx-su-32", "ups.systems"): 3.0,
    ("dgx-su-32", "pdu.count"): 0.0,
    ("dgx-su-32", "pdu.count.duty"): 0.0,
    ("dgx-su-32", "crah.supply_temperature"): 24.0,
    ("dgx-su-32", "loop.chw.supply"): 18.0,
    ("dgx-su-32", "loop.chw.return"): 26.0,
}
