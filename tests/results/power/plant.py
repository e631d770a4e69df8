"""Generators and batteries of a design once more, from the rows of the catalogue.

Ratings, deratings, fuel and discharge tables are read from the CSV files; numbers of sets and
strings, steps, dips, times and airflows are worked out by the formulas of textbooks and standards.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from facility.study.design.design import Design

REFERENCE = Path(__file__).parents[3] / "reference"
CLOSE = 1e-6
SQRT3 = math.sqrt(3.0)
OWN = "own set"
_GALLON_M3 = 3.785411784e-3
_LIMITS = {"mission critical": 0.85, "standby": 0.70}
"""Average load limits of LEHE1351-04."""


def _same(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if not abs(found - wanted) <= part * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    with (REFERENCE / name).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def numbers(found: Design) -> dict[str, float]:
    return {
        key: float(value.si)
        for key, value in found.all_results.values_by_key.items()
        if isinstance(value.si, (int, float)) and not isinstance(value.si, bool)
    }


def _up(value: float) -> int:
    return max(1, math.ceil(value * (1.0 - 1e-9)))


# --- generator sets ---------------------------------------------------------------------------


def derated(altitude_m: float, ambient_c: float) -> float:
    """The lesser of the engine, and of the alternator by altitude times ambient."""
    table = rows("electrical/generator_derate.csv")

    def line(column: str) -> tuple[list[float], list[float]]:
        own = sorted(
            (float(r[column]), float(r["multiplier"]))
            for r in table
            if r["kind"] == column and r["part"] == "alternator"
        )
        return [x for x, _ in own], [y for _, y in own]

    alternator = np.interp(altitude_m, *line("altitude_m"))
    alternator *= np.interp(ambient_c, *line("ambient_c"))
    engine = {
        (float(r["altitude_m"]), float(r["ambient_c"])): float(r["multiplier"])
        for r in table
        if r["kind"] == "altitude_and_ambient"
    }
    heights, heats = sorted({h for h, _ in engine}), sorted({a for _, a in engine})
    by_heat = [np.interp(altitude_m, heights, [engine[h, a] for h in heights]) for a in heats]
    return float(min(np.interp(ambient_c, heats, by_heat), alternator))


def sets_of_the_catalogue(found: Design) -> Iterator[dict[str, float]]:
    """Yield the sets of the frequency of the site: kW, kVA, and how far they may be loaded."""
    basis = found.chain.chain.generator
    for row in rows("equipment/generators.csv"):
        if float(row["frequency_hz"]) != found.facility.site.frequency_hz or not row["standby_kva"]:
            continue
        if float(row["standby_kva"]) * 1e3 > basis.max_va:
            continue
        critical = bool(row["mission_critical_kw"])
        kw = row["mission_critical_kw"] if critical else row["standby_kw"]
        limit = _LIMITS["mission critical" if critical else "standby"]
        yield {
            "w": float(kw) * 1e3,
            "va": float(row["standby_kva"]) * 1e3,
            "limit": limit if basis.max_loading is None else basis.max_loading,
        }


def generator_sets(found: Design) -> Iterator[str]:
    """Derating, sets of each section, the set chosen, its counts and its loading."""
    plant, basis = found.chain.generators, found.chain.chain.generator
    r, site = numbers(found), found.facility.site
    if not plant.count or "generator.design_load" not in r:
        return
    derate = basis.derate
    if derate is None:
        derate = derated(site.elevation_m, site.design.dry_bulb_c)
    yield from _same("generator.derate", plant.derate, derate)
    load_w, parts = r["generator.design_load"], basis.section_parts
    va = [c.value for c in found.sizing_checks if c.rule == "GENERATOR-KVA"]
    load_va = float(va[0] or 0.0)

    def duty(w: float, kva: float, limit: float) -> list[int]:
        return [
            max(_up(load_w * p / (w * derate * limit)), _up(load_va * p / (kva * derate * limit)))
            for p in parts
        ]

    own = duty(plant.rating_w, plant.rating_va, plant.max_loading)
    spare = basis.spare * len(parts)
    if plant.step_up is None or plant.connection == "LV":
        yield from _same("sets on duty of the sections", sum(own), sum(plant.section_duty), 0.0)
    if basis.count is not None:
        yield from _same("generator.count", plant.count, basis.count, 0.0)
    elif basis.is_open:
        yield from _chosen(found, duty, spare)
    if plant.count < sum(own) + spare and basis.count is None:
        yield f"generator.count: {plant.count} of {sum(own)} and {spare} spare"
    on_duty = max(1, plant.count - spare)
    wanted = r["generator.load"] / (on_duty * plant.rating_w * derate)
    yield from _same("generator.loading", r["generator.loading"], wanted)
    ups, charge = found.chain.ups, found.chain.chain.ups.recharge
    charge_w = charge * ups.modules_per_system * len(ups.systems) * ups.module.rating_w
    least = (r["generator.load"] - charge_w) / (plant.count * plant.rating_w)
    yield from _same("generator.loading_least", r["generator.loading_least"], least)


def _chosen(found: Design, duty: object, spare: int) -> Iterator[str]:
    """Fewest sets of at most 1.25 times the least installed kW, of up to eight on a bus."""
    plant, basis = found.chain.generators, found.chain.chain.generator
    sections = len(basis.section_parts)
    r = numbers(found)
    ups = found.chain.ups
    charge_w = found.chain.chain.ups.recharge * ups.modules * ups.module.rating_w
    most_w = (r["generator.load"] - charge_w) / basis.operation.minimum_load
    every = []
    for one in sets_of_the_catalogue(found):
        each = duty(one["w"], one["va"], one["limit"])  # type: ignore[operator]
        every.append((sum(each), (sum(each) + spare) * one["w"], max(each), one["w"]))
    few = [one for one in every if one[2] + spare // sections <= 8]
    few = [one for one in few if one[1] <= most_w] or few
    if not few:
        few = every
        best = min(few)
    else:
        near = 1.25 * min(one[1] for one in few) * (1.0 + 1e-9)
        best = min(one for one in few if one[1] <= near)
    if found.facility.criteria.growth == 0.0 and plant.connection == "LV":
        yield from _same("generator.rating", plant.rating_w, best[3])


def fuel_of_the_plant(found: Design) -> Iterator[str]:
    """The fuel of a set at its load, between the points of its sheet or of the chart."""
    plant, r = found.chain.generators, numbers(found)
    if "generator.fuel_rate" not in r:
        return
    sets = max(1, plant.count - plant.spare)
    each_w = r["generator.design_load"] / sets
    loads = [0.25, 0.50, 0.75, 1.00]
    sheet = next((x for x in rows("equipment/generators.csv") if x["model"] == plant.model), None)
    points = []
    if sheet is not None and sheet["fuel_basis_kw"]:
        columns = [sheet[f"fuel_{c}_l_h"] for c in (25, 50, 75, 100)]
        points = [
            (x * float(sheet["fuel_basis_kw"]) * 1e3, float(flow) / 3.6e6)
            for x, flow in zip(loads, columns, strict=True)
            if flow
        ]
    if len(points) < 2:
        chart = rows("electrical/generator_diesel.csv")
        kw = [float(x["rating_kw"]) for x in chart]
        at = min(plant.rating_w / 1e3, kw[-1])
        scale = plant.rating_w / 1e3 / at
        points = [
            (
                load * plant.rating_w,
                scale
                * float(np.interp(at, kw, [float(x[f"gal_per_h_{c}pct"]) for x in chart]))
                * _GALLON_M3
                / 3600.0,
            )
            for load, c in zip(loads, (25, 50, 75, 100), strict=True)
        ]
    flow = float(np.interp(each_w, [w for w, _ in points], [v for _, v in points]))
    yield from _same("generator.fuel_rate", r["generator.fuel_rate"], sets * flow)
    operation = found.chain.chain.generator.operation
    tank = operation.tank_m3
    if tank is None:
        tank = sets * flow * operation.fuel_s / operation.tank_usable
    yield from _same("generator.tank", r["generator.tank"], tank)
    lasts = tank * operation.tank_usable / (sets * flow)
    yield from _same("generator.fuel_time", r["generator.fuel_time"], lasts)


def steps_of_the_plant(found: Design) -> Iterator[str]:
    """The blocks of load over the sets of the first section; dip behind transient reactance."""
    plant, r = found.chain.generators, numbers(found)
    if not plant.count or "generator.steps" not in r:
        return
    operation, parts = found.chain.chain.generator.operation, found.chain.chain.generator
    sections, share = len(parts.section_parts), parts.section_parts[0]
    steps, n = [], 1
    while f"generator.step.{n}" in found.trace:
        steps.append(
            (
                found.trace.value(f"generator.step.{n}.load"),
                found.trace.value(f"generator.step.{n}"),
            )
        )
        n += 1
    yield from _same("generator.steps", r["generator.steps"], len(steps), 0.0)
    yield from _same(
        "steps add up", sum(w for w, _ in steps), r["generator.design_load"] * share, 0.03
    )
    spare = plant.spare // sections
    first = plant.section_duty[0] + spare
    beyond = plant.count - sum(plant.section_duty) - plant.spare
    if beyond >= 0:
        first += beyond // sections + (beyond % sections > 0)
        running = max(1, first - spare)
        if operation.running_sets is not None:
            running = operation.running_sets / sections
        for n, (w, part) in enumerate(steps, 1):
            wanted = w / (running * plant.rating_w * plant.derate)
            yield from _same(f"generator.step.{n}", part, wanted)
    if operation.steps:
        total = sum(operation.steps)
        for (w, _), part in zip(steps, operation.steps, strict=True):
            wanted = part / total * r["generator.design_load"] * share
            yield from _same("stated step", w, wanted)
    elif sections == 1:
        yield from _blocks(found, steps)
    yield from _same("generator.first_step", r["generator.first_step"], steps[0][1])
    largest = max(part for _, part in steps)
    yield from _same("generator.largest_step", r["generator.largest_step"], largest)
    if "generator.voltage_dip" in r:
        sets = operation.running_sets or max(1, plant.count - plant.spare)
        reactance = operation.transient_reactance
        if plant.step_up is not None:
            reactance += plant.step_up.impedance * plant.rating_va / plant.step_up.rating_va
        source_va = sets / sections * plant.rating_va / reactance
        starting_va = r["generator.starting_kva"]
        wanted = starting_va / (starting_va + source_va)
        yield from _same("generator.voltage_dip", r["generator.voltage_dip"], wanted)
        motor_w = found.trace.value("generator.largest_motor")
        wanted = operation.starting_current * motor_w / found.chain.chain.mechanical_power_factor
        yield from _same("generator.starting_kva", starting_va, wanted)
    yield from _step_checks(found, [part for _, part in steps])


def _blocks(found: Design, steps: list[tuple[float, float]]) -> Iterator[str]:
    """UPS lineups with their recharge, first with all that runs at once, then the cooling."""
    chain, flow = found.chain, found.point.flow
    if found.facility.criteria.growth > 0.0:
        return
    ups = chain.ups
    charge_w = chain.chain.ups.recharge * ups.modules_per_system * ups.module.rating_w
    wanted = []
    for system in flow.systems:
        for bus in range(ups.buses):
            part = chain.chain.part_of_bus(system.name, bus)
            wanted.append(float(system.input_w) * part + charge_w / ups.buses)
    demand = found.point.demand
    base_w = float(demand.house_w) + float(flow.part("lv_board").loss_w)
    if chain.generators.connection == "MV":
        base_w += float(flow.part("transformer").loss_w)
    wanted[0] += base_w + float(flow.generators.step_up_w)
    if demand.mech_w > 0.0:
        count = len(flow.systems)
        wanted += [float(demand.mech_w) / count] * count
    for n, ((w, _), by_hand) in enumerate(zip(steps, wanted, strict=True), 1):
        yield from _same(f"load of step {n}", w, by_hand)


def _step_checks(found: Design, steps: list[float]) -> Iterator[str]:
    """The first step against sheet or class; of the later ones the nearest to its limit."""
    operation, plant = found.chain.chain.generator.operation, found.chain.generators
    row = next(
        x
        for x in rows("electrical/generator_iso8528_classes.csv")
        if x["class"] == operation.performance_class
    )
    levels = [0.0] + [
        float(row[f"load_step_{n}_pct"]) / 100.0 for n in (1, 2, 3) if row[f"load_step_{n}_pct"]
    ]
    ladder = [high - low for low, high in pairwise(levels)]
    sheet = next((x for x in rows("equipment/generators.csv") if x["model"] == plant.model), None)
    first = operation.first_step
    if first is None and sheet is not None and sheet["block_load_pct"]:
        first = float(sheet["block_load_pct"]) / 100.0
    if first is None and ladder:
        first = ladder[0]
    for check in found.sizing_checks:
        if check.rule == "GENERATOR-FIRST-STEP" and check.limit is not None:
            yield from _same("GENERATOR-FIRST-STEP", check.value or 0.0, steps[0])
            yield from _same("GENERATOR-FIRST-STEP limit", check.limit, first or 0.0)
        if check.rule == "GENERATOR-LATER-STEPS" and check.limit is not None:
            reached, worst = steps[0], (0.0, 1.0)
            for step in steps[1:]:
                reached += step
                permitted = 1.0 if (first or 0.0) >= 1.0 else next(
                    (s for n, s in enumerate(ladder) if reached <= levels[n + 1] + 1e-9),
                    ladder[-1] if ladder else math.nan,
                )  # fmt: skip
                if step / permitted > worst[0] / worst[1] * (1.0 + 1e-9):
                    worst = (step, permitted)
            yield from _same("GENERATOR-LATER-STEPS", check.value or 0.0, worst[0])
            yield from _same("GENERATOR-LATER-STEPS limit", check.limit, worst[1])
        if check.rule == "GENERATOR-VOLTAGE-DIP" and check.limit is not None:
            permitted = -float(row["transient_voltage_load_increase_max_pct"]) / 100.0
            yield from _same("GENERATOR-VOLTAGE-DIP limit", check.limit, permitted)
        if check.rule == "GENERATOR-LEADING-PF" and check.limit is not None:
            sets = operation.running_sets or max(1, plant.count - plant.spare)
            yield from _same(
                "GENERATOR-LEADING-PF limit", check.limit,
                operation.factors["leading_limit"] * sets * plant.rating_va,
            )  # fmt: skip
            wanted = (operation.filter_var or 0.0) * found.chain.ups.modules
            yield from _same("GENERATOR-LEADING-PF", check.value or 0.0, wanted)
        if check.rule == "GENERATOR-MINIMUM-LOAD" and check.limit is not None:
            yield from _same("GENERATOR-MINIMUM-LOAD limit", check.limit, operation.minimum_load)


# --- batteries --------------------------------------------------------------------------------


def discharge_table(name: str, end_v: float) -> tuple[list[float], list[float]]:
    """Return times [s] and powers of a block [W] at an end voltage, linear between two listed."""
    block = next(x for x in rows("electrical/battery_blocks.csv") if x["battery"] == name)
    listed = {
        "battery_vrla_constant_power": "watts_per_block",
        "battery_vrla_csb_constant_current": "amps_a",
        "battery_vrla_panasonic_up_pw1245": "watts_per_block",
    }
    by_file = {
        file: [x for x in rows(f"electrical/{file}.csv") if x.get("battery", name) == name]
        for file in listed
    }
    file = next(file for file in listed if by_file[file])
    own, column = by_file[file], listed[file]
    scale = float(block["cells"]) * end_v if column == "amps_a" else 1.0
    by_time: dict[float, dict[float, float]] = {}
    for x in own:
        at = by_time.setdefault(float(x["minutes"]) * 60.0, {})
        at[float(x["end_voltage_v_per_cell"])] = float(x[column]) * scale
    times, watts = [], []
    volts = sorted({v for at in by_time.values() for v in at})
    low, high = max(v for v in volts if v <= end_v), min(v for v in volts if v >= end_v)
    for time_s in sorted(by_time):
        at = by_time[time_s]
        if low in at and high in at:
            part = 0.0 if high == low else (end_v - low) / (high - low)
            times.append(time_s)
            watts.append(at[low] + part * (at[high] - at[low]))
    return times, watts


def _power(time_s: float, times: list[float], watts: list[float]) -> float:
    return math.exp(np.interp(math.log(time_s), np.log(times), np.log(watts)))


def _time(power_w: float, times: list[float], watts: list[float]) -> float:
    if power_w > watts[0]:
        return 0.0
    return math.exp(np.interp(-math.log(power_w), -np.log(watts), np.log(times)))


def batteries(found: Design) -> Iterator[str]:
    """Strings on the largest load of a set; times at every load; charging, hydrogen and air."""
    r, chain = numbers(found), found.chain
    basis, ups, scheme = found.facility.electrical.battery, chain.ups, chain.chain.scheme
    if "battery.set_load" not in r or basis.block.points:
        return
    name = str(found.all_results["battery.model"].si)
    block = next(x for x in rows("electrical/battery_blocks.csv") if x["battery"] == name)
    times, watts = discharge_table(name, basis.end_v_per_cell)
    per_module, buses, every = basis.string.per_module, ups.buses, ups.modules_per_system
    spare = scheme.spare_units * buses
    sets_left = max(1, every - spare) if per_module else buses
    whole_w = found.trace.value("ups.design_output")
    uneven = chain.chain.unevenness
    system_w = whole_w * chain.worst_share * uneven
    yield from _same("battery.set_load", r["battery.set_load"], system_w / sets_left)
    cells = float(block["cells"]) if block["cells"] else 0.0
    series = basis.string.blocks
    if series is None and cells:
        float_v = basis.string.float_v_per_cell
        series = math.floor(basis.string.dc_max_v / (cells * float_v) * (1.0 + 1e-9))
    series = series or 1
    yield from _same("battery.blocks_per_string", r["battery.blocks_per_string"], series)
    factor = 1.0
    if basis.technology != "li-ion":
        cold = rows("electrical/battery_temperature_factors.csv")
        degrees = [float(x["electrolyte_c"]) for x in cold]
        factors = [float(x["factor"]) for x in cold]
        at, own = np.interp(
            [basis.room.temperature_c, float(block["reference_c"])], degrees, factors
        )
        factor = max(1.0, float(at / own))
    yield from _same("battery.temperature_factor", r["battery.temperature_factor"], factor)
    module = ups.module

    def efficiency(load_w: float, modules: float) -> float:
        if basis.inverter_efficiency is not None:
            return basis.inverter_efficiency
        x = load_w / (modules * module.rating_w)
        lost = module.constant + module.linear * x + module.quadratic * x**2
        return load_w / (load_w + lost * modules * module.rating_w)

    listed_w = _power(basis.autonomy_s, times, watts)
    yield from _same("battery.listed_power", r["battery.listed_power"], listed_w)
    set_w, in_set = system_w / sets_left, 1 if per_module else every // buses
    one_w = set_w / efficiency(set_w, in_set) / series * basis.ageing * factor * basis.margin
    strings = basis.string.strings or _up(one_w / listed_w)
    yield from _same("battery.strings.per_set", r["battery.strings.per_set"], strings)
    yield from _same("battery.block_power", r["battery.block_power"], one_w / strings)
    sets = (every if per_module else buses) * len(ups.systems)
    yield from _same("battery.strings", r["battery.strings"], strings * sets)
    yield from _same("battery.blocks", r["battery.blocks"], strings * sets * series)
    in_one = 1 if not cells else basis.string.blocks_per_cabinet
    wanted = math.ceil(series * strings / in_one) * sets
    yield from _same("battery.cabinets", r["battery.cabinets"], wanted)
    if block["mass_kg"]:
        wanted = strings * sets * series * float(block["mass_kg"])
        yield from _same("battery.mass", r["battery.mass"], wanted)

    def lasts(load_w: float, modules: int, ageing: float) -> float:
        live = modules if per_module else buses
        each_w = load_w / live / efficiency(load_w, modules)
        return _time(each_w / (series * strings) * ageing * factor, times, watts)

    normal_w = found.trace.value("battery.output_normal") * uneven
    failure_w = found.trace.value("ups.output.failure") * uneven
    left = max(1, every - spare)
    for state, load_w, modules, ageing in (
        ("design", system_w, left, basis.ageing),
        ("normal", normal_w, every, basis.ageing),
        ("normal_new", normal_w, every, 1.0),
        ("failure", failure_w, left, basis.ageing),
        ("failure_new", failure_w, left, 1.0),
    ):
        key = f"battery.autonomy_{state}"
        if key in r:
            yield from _same(key, r[key], lasts(load_w, modules, ageing), 1e-5)
    ride = basis.ride_through
    wanted = ride.attempts * ride.start_s + ride.transfer_s
    yield from _same("battery.ride_through", r["battery.ride_through"], wanted)
    if "battery.charging_current" in r:
        eta = efficiency(set_w, in_set)
        discharged_as = set_w / eta / (cells * series * basis.end_v_per_cell) * basis.autonomy_s
        back = next(
            float(x["value"])
            for x in rows("electrical/battery_factors.csv")
            if x["factor"] == "recharge_efficiency_factor_lead_acid"
        )
        wanted = discharged_as * back / basis.recharge_s
        yield from _same("battery.charging_current", r["battery.charging_current"], wanted)
        wanted *= cells * series * basis.string.float_v_per_cell
        yield from _same("battery.charging_power", r["battery.charging_power"], wanted)
        size = discharged_as * basis.ageing * factor * basis.margin
        yield from _same("battery.ampere_hour_method", r["battery.ampere_hour_method"], size)
    if "battery.capacity" in r:
        wanted = float(block["capacity_ah"]) * 3600.0 * strings
        yield from _same("battery.capacity", r["battery.capacity"], wanted)
    yield from _hydrogen(found, r, block, cells * series, strings)


def _hydrogen(
    found: Design, r: dict[str, float], block: dict[str, str], in_string: float, strings: int
) -> Iterator[str]:
    """NEC: 0.127e-6 m3/s for each ampere and cell, diluted to 1 %. EN 50272-2: 0.05 n I C/100."""
    basis, chain, ups = found.facility.electrical.battery, found.chain, found.chain.ups
    if "battery.hydrogen_airflow" not in r:
        return
    per_module, systems = basis.string.per_module, len(ups.systems)
    sets = ups.modules_per_system if per_module else ups.buses
    modules = 1 if per_module else ups.modules_per_system / ups.buses
    if basis.room.code == "NEC":
        if basis.room.boost:
            charger_w = chain.chain.ups.recharge * modules * ups.module.rating_w
            amperes = charger_w / (in_string * basis.string.float_v_per_cell)
            cells = in_string * sets
        else:
            gas = _gas(found)
            amperes = gas * 1e-3 * float(block["capacity_ah"])
            cells = in_string * sets * strings
        evolution = r["battery.hydrogen_evolution"] / (cells * systems * amperes)
        # A cell gives 0.42 l of hydrogen for each ampere-hour, at 0 degC: Faraday's law.
        if not 0.41e-3 / 3600.0 < evolution < 0.47e-3 / 3600.0:
            yield f"battery.hydrogen_evolution: {evolution!r} m3/s for each ampere and cell"
        wanted = r["battery.hydrogen_evolution"] / 0.01
        yield from _same("battery.hydrogen_airflow", r["battery.hydrogen_airflow"], wanted)
    else:
        gas = _gas(found)
        cells = in_string * sets * strings * systems
        # EN 50272-2, 8.2: Q = 0.05 n I_gas C_rt 10^-3 [m3/h].
        wanted = 0.05 * cells * gas * float(block["capacity_ah"]) * 1e-3 / 3600.0
        yield from _same("battery.hydrogen_airflow", r["battery.hydrogen_airflow"], wanted, 0.01)
    each = "battery.hydrogen_airflow.per_system"
    yield from _same(each, r[each] * systems, r["battery.hydrogen_airflow"])


def _gas(found: Design) -> float:
    basis = found.facility.electrical.battery
    charge = "boost" if basis.room.boost else "float"
    return next(
        float(x["gas_ma_per_ah"])
        for x in rows("electrical/battery_gassing.csv")
        if (x["technology"], x["charge"]) == (basis.technology, charge)
    )
