"""A second calculation of a design: its figures once more, by other formulas than the program's.

Every function yields what differs, as short texts that start with the name of the figure. The
formulas are those of textbooks, written out here; from the design come ratings, counts and what
the project states, never a function of the program. They hold for every project that designs:
`tests/soak` asks them of random ones, `test_second.py` of the reference projects and of variants.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from facility.cooling.ride_through.plant import ride_plant
from facility.core.check import Check
from facility.model.cooling.units import Fluid, Pads
from facility.model.facility import Weather
from facility.model.inputs.cooling.ratings import TowerRatingSection
from facility.study.design.design import Design
from facility.study.transient.checks import volume_checks

REFERENCE = Path(__file__).parents[2] / "reference"
CLOSE = 1e-6
SQRT3 = math.sqrt(3.0)
KELVIN = 273.15
_AIR_J_KGK = 287.042


def differs(name: str, found: float, wanted: float, part: float = CLOSE) -> Iterator[str]:
    if not abs(found - wanted) <= part * max(abs(wanted), abs(found)) + 1e-9:
        yield f"{name}: {found!r}, by hand {wanted!r}"


def _results(found: Design) -> dict[str, float]:
    return {
        key: float(value.si)
        for key, value in found.results.values_by_key.items()
        if isinstance(value.si, (int, float))
    }


def _checks(checks: tuple[Check, ...], rule: str) -> list[Check]:
    return [c for c in checks if c.rule == rule and c.value is not None and c.limit is not None]


# --- power ------------------------------------------------------------------------------------


def wiring_and_transformers(found: Design) -> Iterator[str]:
    """Losses of wiring go with the square of the load; P0 + x^2 Pk in every transformer."""
    chain, flow, demand = found.chain, found.point.flow, found.point.demand
    wiring, square = chain.chain.wiring, demand.it_w**2 / chain.reference_it_w
    for id, part in (
        ("rack_pdu", demand.rack_pdu_fraction),
        ("branch", wiring.branch_loss),
        ("feeder", wiring.feeder_loss),
        ("lv_board", wiring.lv_loss),
    ):
        yield from differs(f"losses.{id}", flow.part(id).loss_w, part * square)
    bank, unit = chain.transformers, chain.transformers.unit
    if not bank.present:
        return
    each, lost = bank.per_carrier, 0.0
    for system in flow.systems:
        x = system.board_va / (each * unit.rating_va)
        yield from differs(f"loading of {system.name}", system.transformer_loading, x)
        lost += each * (unit.no_load_w + x**2 * unit.load_loss_w)
    yield from differs("losses.transformer", flow.part("transformer").loss_w, lost)


def transformers_at_work(found: Design) -> Iterator[str]:
    """Efficiency and regulation of each state: x S pf over that and P0 + x^2 Pk; x (r, x_L)."""
    chain, flow, r = found.chain, found.point.flow, _results(found)
    lineups = len(chain.ups.systems) * chain.ups.buses
    yield from differs("substation.count", r["substation.count"], lineups)
    unit = chain.transformers.unit
    if not chain.transformers.present:
        return
    fullest = max(flow.systems, key=lambda system: system.board_va)
    factor = fullest.board_w / fullest.board_va
    loads = {"normal": flow.transformers.normal, "failure": flow.transformers.failure}
    for state, x in loads.items():
        yield from differs(f"transformer.loading_{state}", r[f"transformer.loading_{state}"], x)
        out = x * unit.rating_va * factor
        wanted = out / (out + unit.no_load_w + x**2 * unit.load_loss_w)
        id = f"transformer.efficiency_{state}"
        yield from differs(id, r[id], wanted)
    ohmic, x = unit.load_loss_w / unit.rating_va, loads["failure"]
    leakage, sine = math.sqrt(unit.impedance**2 - ohmic**2), math.sqrt(1.0 - factor**2)
    along, across = ohmic * factor + leakage * sine, leakage * factor - ohmic * sine
    wanted = x * along + (x * across) ** 2 / 2.0
    yield from differs("transformer.regulation", r["transformer.regulation"], wanted)
    grown, most = _grown_failure(found), chain.chain.transformer.max_loading
    for check in _checks(found.sizing_checks, "TRANSFORMER-HARMONICS"):
        limit = r["transformer.harmonic_capability"] * most
        yield from differs("TRANSFORMER-HARMONICS limit", check.limit or 0.0, limit)
        yield from differs("TRANSFORMER-HARMONICS", check.value or 0.0, grown)
    for check in _checks(found.sizing_checks, "TRANSFORMER-LOADING-NORMAL"):
        yield from differs("TRANSFORMER-LOADING-NORMAL limit", check.limit or 0.0, most)
    for check in _checks(found.sizing_checks, "TRANSFORMER-LOADING-FAILURE"):
        yield from differs("TRANSFORMER-LOADING-FAILURE", check.value or 0.0, grown)


def _grown_failure(found: Design) -> float:
    """Loading after the designed failure with growth: the check on it says so."""
    rows = _checks(found.sizing_checks, "TRANSFORMER-LOADING-FAILURE")
    if not rows:
        rows = _checks(found.sizing_checks, "TRANSFORMER-LOADING-NORMAL")
    return float(rows[0].value or 0.0)


def ups_in_every_state(found: Design) -> Iterator[str]:
    """Loading is output over the modules in service; losses are a polynomial of the loading."""
    chain, flow = found.chain, found.point.flow
    ups, module = chain.ups, chain.ups.module
    losses_w = 0.0
    for system in flow.systems:
        x = system.output_w / (ups.modules_per_system * module.rating_w)
        yield from differs(f"loading of UPS {system.name}", system.loading, x)
        curve = module.constant + module.linear * x + module.quadratic * x**2
        lost_w = ups.modules_per_system * module.rating_w * curve
        yield from differs(f"loss of UPS {system.name}", system.loss_w, lost_w)
        yield from differs(f"input of UPS {system.name}", system.input_w, system.output_w + lost_w)
        losses_w += lost_w
    yield from differs("losses.ups", flow.part("ups").loss_w, losses_w)
    output_w = sum(system.output_w for system in flow.systems)
    yield from differs("ups.output", flow.ups.output_w, output_w)
    installed, duty = len(ups.systems) * ups.modules_per_system, ups.duty_per_system * ups.carrying
    r = _results(found)
    yield from differs("ups.modules", r["ups.modules"], installed)
    yield from differs("ups.modules.duty", r["ups.modules.duty"], duty)
    scheme = chain.chain.scheme
    for check in _checks(found.sizing_checks, "UPS-SPARE"):
        least = ups.duty_per_system + scheme.spare_modules * ups.buses
        yield from differs("UPS-SPARE", check.value or 0.0, ups.modules_per_system)
        yield from differs("UPS-SPARE limit", check.limit or 0.0, least)
    grown = 1.0 + found.facility.criteria.growth
    for check in found.sizing_checks:
        if check.rule in ("UPS-LOADING-NORMAL", "UPS-LOADING-FAILURE") and check.limit is not None:
            yield from differs(f"{check.rule} limit", check.limit, chain.chain.ups.max_loading)
    for check in _checks(found.sizing_checks, "UPS-LOADING-NORMAL"):
        low, value = float(flow.ups.loading.normal), check.value or 0.0
        if not low * (1.0 - CLOSE) <= value <= low * grown * (1.0 + 0.02):
            yield f"UPS-LOADING-NORMAL: {value!r} for {low!r} today, growth {grown:g}"
    for check in _checks(found.sizing_checks, "UPS-LOADING-FAILURE"):
        low, value = float(flow.ups.loading.failure), check.value or 0.0
        if not low * (1.0 - CLOSE) <= value <= low * grown * (1.0 + 0.02):
            yield f"UPS-LOADING-FAILURE: {value!r} for {low!r} today, growth {grown:g}"


def short_circuit_of_the_service(found: Design) -> Iterator[str]:
    """I = S / (sqrt3 V ((1 - t) z + S / S_sc)) behind one transformer: IEEE C57.12 allows 7.5 %."""
    bank, site = found.chain.transformers, found.facility.site
    if not bank.present:
        return
    unit, volts = bank.unit, found.chain.chain.wiring.lv_voltage_v
    behind = 0.0 if site.fault_level_va is None else unit.rating_va / site.fault_level_va
    least = (1.0 - found.chain.chain.transformer.tolerance) * unit.impedance
    wanted = unit.rating_va / (SQRT3 * volts * (least + behind)) / 1e3
    for check in found.sizing_checks:
        if check.rule == "UTILITY-FAULT-LEVEL" and "downstream of one transformer" in check.why:
            words = check.why.split(" kA downstream of one transformer")[0].split()[-1]
            if abs(float(words) - wanted) > 0.051:
                yield f"UTILITY-FAULT-LEVEL: {words} kA, by hand {wanted:.2f} kA"


def generators_at_work(found: Design) -> Iterator[str]:
    """Load over what the sets that are not spare give on this site; counts of the sections."""
    plant, flow, r = found.chain.generators, found.point.flow.generators, _results(found)
    on_duty = max(1, plant.count - plant.spare)
    limit = float(flow.load_w) / (on_duty * plant.rating_w * plant.derate)
    yield from differs("generator.loading", r["generator.loading"], limit)
    installed = plant.count if plant.step_up is not None else 0
    yield from differs("generator.step_up.count", r["generator.step_up.count"], installed)
    if "generator.section.share" in found.trace:
        share, parts = found.trace.value("generator.section.share"), found.chain.chain.generator
        yield from differs("generator.section.share", share, max(parts.section_parts))
    for check in found.sizing_checks:
        words = re.search(r"at ([\d,.]+) L/h", check.why)
        if check.rule == "GENERATOR-FUEL" and words is not None:
            wanted = float(found.all_results["generator.fuel_rate"].si) * 3.6e6
            yield from differs("fuel", float(words.group(1).replace(",", "")), wanted, 0.03)
    if found.facility.power.generator.count is None:
        counted = sum(plant.section_duty) + plant.spare
        if plant.count < counted:
            yield f"generator.count: {plant.count} for {counted} of the sections with spares"
    for check in _checks(found.sizing_checks, "GENERATOR-CAPACITY"):
        most = on_duty * plant.rating_w * plant.derate * plant.max_loading
        yield from differs("GENERATOR-CAPACITY limit", check.limit or 0.0, most)
    for check in _checks(found.sizing_checks, "GENERATOR-KVA"):
        most = on_duty * plant.rating_va * plant.derate * plant.max_loading
        yield from differs("GENERATOR-KVA limit", check.limit or 0.0, most)


# --- air --------------------------------------------------------------------------------------


def _vapour_pa(dew_c: float) -> float:
    """Saturation over water, Buck 1996: within 0.1 % of the program's from 0 to 50 degC."""
    return 611.21 * math.exp((18.678 - dew_c / 234.5) * dew_c / (257.14 + dew_c))


def _curve(coefficients: tuple[float, ...], ratio: float) -> float:
    return sum(c * ratio**n for n, c in enumerate(coefficients)) / sum(coefficients)


def air_of_the_halls(found: Design) -> Iterator[str]:
    """Ideal gas at the pressure of the place; fans by volume, density and their curve."""
    chain, heat, flow = found.cooling.chain, found.point.heat, found.cooling_flow
    plan, counts, pressure = chain.crah, found.cooling.counts, found.facility.site.pressure_pa
    vapour = _vapour_pa(chain.room_dew_point_c)
    ratio = 0.621945 * vapour / (pressure - vapour)
    kelvin = plan.supply_air_c + KELVIN
    volume = _AIR_J_KGK * kelvin * (1.0 + 1.607858 * ratio) / pressure
    specific = 1006.0 + 1860.0 * ratio
    density = (1.0 + ratio) / volume
    beside = heat.hall_losses_w + heat.lights_w + heat.people_w + heat.envelope_w
    room = heat.air_it_w + beside
    near = 0.002
    yield from differs("heat.room", flow.room_w + 0.0, room) if plan.path.door is None else ()
    electrical = plan.path.electrical_unit
    flow_e = heat.electrical_room_w * volume / (specific * electrical.rated_rise_k)
    yield from differs("electrical airflow", flow.electrical_airflow_m3_s, flow_e, near)
    fans_w = 0.0
    results = found.room_air.results
    for name, units in (("all", counts.crah), ("duty", counts.crah_duty)):
        if units and f"air.fans.{name}" in results:
            part = max(flow.crah_airflow_m3_s / (units * plan.unit.air_flow_m3_s),
                       plan.factors["least_fan_flow"])  # fmt: skip
            wanted = units * plan.unit.fan_w * _curve(plan.fan_curve, part)
            wanted *= density / plan.unit.air_density_kg_m3
            shown = float(results[f"air.fans.{name}"].si)
            yield from differs(f"air.fans.{name}", shown, wanted, 2.0 * near)
    for units, unit, air in (
        (counts.crah, plan.unit, flow.crah_airflow_m3_s),
        (counts.crah_electrical, electrical, flow_e),
    ):
        if units:
            part = max(air / (units * unit.air_flow_m3_s), plan.factors["least_fan_flow"])
            each = unit.fan_w * _curve(plan.fan_curve, part)
            fans_w += units * each * density / unit.air_density_kg_m3
    fans_w += plan.path.room.ventilation_m3_s * plan.path.room.ventilation_fan_w_per_m3_s
    if plan.path.door is None:
        yield from differs("cooling.crah_fans", flow.power.crah_fans_w, fans_w, 2.0 * near)
        wanted = plan.supply_air_c + room * volume / (specific * flow.crah_airflow_m3_s)
        yield from differs("return air", flow.return_air_c, wanted, near)
        rises_k = [rack.rise_k for rack in found.facility.cooling.racks if rack.air_w > 0.0]
        most_k = max(rises_k, default=plan.server_rise_k)
        for name, inlet, leak, rise_k in (
            ("inlet", flow.inlet_c, plan.recirculation, plan.server_rise_k),
            ("worst inlet", flow.inlet_worst_c, plan.worst_recirculation, most_k),
        ):
            wanted = plan.supply_air_c + leak * rise_k / (1.0 - leak)
            yield from differs(name, inlet, wanted)
        needed = heat.air_it_w * (1.0 - plan.recirculation) / (1.0 - plan.bypass) + beside
        wanted = needed * volume / (specific * plan.server_rise_k)
        yield from differs("crah.airflow", flow.crah_airflow_m3_s, wanted, near)


def coils_close(found: Design) -> Iterator[str]:
    """Coils and doors take the heat of all rooms and the power of all fans in them."""
    flow, heat = found.cooling_flow, found.point.heat
    taken = flow.coils_w + flow.electrical_coils_w + flow.doors_w + flow.fresh_w
    given = heat.air_it_w + heat.hall_losses_w + heat.lights_w + heat.people_w + heat.envelope_w
    given += heat.electrical_room_w + heat.ventilation_w + flow.power.crah_fans_w
    yield from differs("heat of coils and doors", taken, given)
    crah, plan = found.cooling.crah, found.cooling.chain.crah
    if plan.count is None and plan.path.door is None:
        moved = crah.duty * plan.unit.air_flow_m3_s
        if moved < crah.airflow_m3_s * (1.0 - CLOSE):
            yield f"air handlers on duty move {moved:.3f} of {crah.airflow_m3_s:.3f} m3/s"


def units_of_the_halls(found: Design) -> Iterator[str]:
    """What each unit takes, duty units alone; water from that heat; spares beyond the duty."""
    r = {k: float(v.si) for k, v in found.room_air.results.items() if _number(v.si)}
    counts, flow = found.cooling.counts, found.cooling_flow
    if not found.cooling.chain.chilled_water.direct or "air.units.heat" in r:
        each = flow.coils_w / max(counts.crah_duty, 1)
        yield from differs("air.units.heat", r["air.units.heat"], each)
    if "air.electrical_units.heat" in r:
        each = flow.electrical_coils_w / max(counts.crah_electrical_duty, 1)
        yield from differs("air.electrical_units.heat", r["air.electrical_units.heat"], each)
    site, dew_c = found.facility.site, found.cooling.chain.room_dew_point_c
    kelvin = found.cooling.chain.crah.supply_air_c + KELVIN
    wet_pa, held_pa = _vapour_pa(site.design.wet_bulb_c), _vapour_pa(dew_c)
    damp, held = (0.621945 * pa / (site.pressure_pa - pa) for pa in (wet_pa, held_pa))
    volume = _AIR_J_KGK * kelvin * (1.0 + 1.607858 * held) / site.pressure_pa
    wanted = max(0.0, r["air.ventilation"] * (damp - held) / volume)
    yield from differs("air.dehumidifier", r["air.dehumidifier"], wanted, 0.01)
    supply_c, dry_c, wet_c = kelvin - KELVIN, site.design.dry_bulb_c, site.design.wet_bulb_c
    # ASHRAE Fundamentals, ch. 1: water of air at a dry and a wet bulb.
    outdoor = ((2501.0 - 2.326 * wet_c) * damp - 1.006 * (dry_c - wet_c)) / (
        2501.0 + 1.86 * dry_c - 4.186 * wet_c
    )
    brought, supplied = (
        1006.0 * air_c + ratio * (2.501e6 + 1860.0 * air_c)
        for air_c, ratio in ((dry_c, outdoor), (supply_c, min(held, outdoor)))
    )
    wanted = r["air.ventilation"] * max(0.0, brought - supplied) / volume
    yield from differs("heat.ventilation", found.point.heat.ventilation_w, wanted, 0.01)
    wet = {"air.latent_heat", "air.condensate", "air.shr"} <= set(r)
    if wet and r["air.latent_heat"] > 1e3:
        per_kg = r["air.latent_heat"] / r["air.condensate"]
        if not 2.2e6 < per_kg < 2.6e6:
            yield f"air.condensate: {per_kg:.4g} J/kg of latent heat, 2.2 to 2.6 MJ/kg by hand"
        sensible = r["air.latent_heat"] * r["air.shr"] / (1.0 - r["air.shr"])
        yield from differs("sensible heat of wet coils", sensible, flow.coils_w, 0.35)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --- water ------------------------------------------------------------------------------------


def _row(table: str, name: str) -> dict[str, str]:
    with (REFERENCE / "cooling" / table).open(encoding="utf-8") as file:
        return next(row for row in csv.DictReader(file) if row["name"] == name)


def _york(wet_c: float, range_k: float, water: float) -> float:
    """The 27 terms of YorkCalc at full air, each input within its box."""
    at = {"T": min(wet_c, 29.4444), "R": min(max(range_k, 1.1111), 22.2222)}
    at["L"], total = min(max(water, 0.75), 1.25), 0.0
    with (REFERENCE / "cooling/cooling_tower_coefficients.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["model"] == "YorkCalc":
                term = float(row["coefficient"])
                for factor in row["term"].split("*"):
                    name, _, power = factor.partition("^")
                    term *= at[name] ** int(power or 1) if name in at else 1.0
                total += term
    return min(max(total, 1.1111), 40.0)


def _tower_water(given: TowerRatingSection | None) -> float:
    """Water over that of the correlation at which it makes the approach of the rating; halving."""
    low, high = 0.75, 1.25
    if given is None:
        return 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        short = _york(given.wet_bulb.si, given.range.si, middle) < given.approach.si
        low, high = (middle, high) if short else (low, middle)
    return 0.5 * (low + high)


def _coil_air(pads: Pads | None, weather: Weather, warmer_k: float) -> float:
    """Air of dry coolers at design: behind pads, or that at which these start, if it is warmer."""
    dry_c, wet_c = weather.dry_bulb_c + warmer_k, weather.wet_bulb_c + warmer_k
    if pads is None:
        return dry_c
    behind_c = dry_c - pads.effectiveness * max(dry_c - wet_c, 0.0)
    return max(behind_c, min(pads.above_c if pads.above_c is not None else behind_c, dry_c))


def _cop_by_set(found: Design, sink_c: float, each_w: float) -> float:
    """DOE-2: P = Q_av / COP EIRFT EIRFPLR, cycling below; past the box at its Carnot fraction."""
    chilled, plan = found.cooling.chilled, found.cooling.chilled.plan
    chiller = plan.chiller
    assert chilled.curves is not None
    row = _row("chillers_eir.csv", chiller.curves or "")
    g = {k: float(v) for k, v in row.items() if re.fullmatch(r"-?[0-9.e-]+", v or "")}
    x, y = plan.supply_c - chiller.glycol_k, sink_c + chiller.altitude_k
    at_x = min(max(x, g["x_min_c"]), g["x_max_c"])
    at_y = min(max(y, g["y_min_c"]), g["y_max_c"])

    def surface(name: str) -> float:
        c = [g[f"{name}_{term}"] for term in ("1", "x", "x2", "y", "y2", "xy")]
        terms = (1.0, at_x, at_x**2, at_y, at_y**2, at_x * at_y)
        return sum(a * b for a, b in zip(c, terms, strict=True))

    available = chilled.curves.capacity_w * surface("capft")
    load = each_w / available
    on = min(max(load, g["plr_min"]), g["plr_max"])
    part = g["eirfplr_1"] + g["eirfplr_p"] * on + g["eirfplr_p2"] * on**2
    power = available / g["cop_ref"] * surface("eirft") * part * min(load / g["plr_min"], 1.0)
    edge = min(each_w, g["plr_max"] * available) / power
    warm = min(y, g["y_max_c"])
    if at_x == x and warm == y:
        return edge
    over = plan.sink.approach_k
    if plan.sink.kind != "air_cooled":
        over = plan.condenser_range_k + chiller.condenser_approach_k
    below = chiller.evaporator_approach_k - chiller.glycol_k
    over -= chiller.altitude_k

    def carnot(water_c: float, air_c: float) -> float:
        lift_k = max(air_c + over - water_c + below, chiller.min_lift_k)
        return (water_c - below + KELVIN) / lift_k

    return min(edge * carnot(x, y) / carnot(at_x, warm), max(chiller.factors["cop_limit"], edge))


def _cop(found: Design, condensing_c: float, sink_c: float, load_w: float, all_run: bool) -> float:
    """Carnot times the machine's part of it, with its least lift and its limit; or by its set."""
    chilled, plan = found.cooling.chilled, found.cooling.chilled.plan
    chiller = plan.chiller
    if chiller.curves is not None:
        running = chilled.on_duty
        if not all_run:
            asked = load_w / (plan.pumping.stage_up * chilled.capacity_w)
            running = min(running, math.ceil(asked - 1e-9))
        return _cop_by_set(found, sink_c, load_w / max(running, 1))
    evaporating_k = plan.supply_c - chiller.evaporator_approach_k + KELVIN
    lift_k = max(condensing_c + KELVIN - evaporating_k, chiller.min_lift_k)
    return min(chiller.carnot_fraction * evaporating_k / lift_k, chiller.factors["cop_limit"])


def chilled_water_design(found: Design) -> Iterator[str]:
    """Sizing: coils, doors, facility water and pumps; condensers take that and the compressors."""
    cooling, plan = found.cooling, found.cooling.chilled.plan
    chilled, chiller, crah = cooling.chilled, plan.chiller, cooling.crah
    picked = crah.taken_w
    picked += cooling.water.chilled_w if cooling.water is not None else 0.0
    room = cooling.chain.crah.path.room
    picked += room.ventilation_m3_s * room.ventilation_fan_w_per_m3_s
    picked += found.point.heat.ventilation_w
    load = picked + chilled.pump.power_w
    yield from differs("sizing load of the chillers", chilled.load_w, load)
    at_work_w = found.cooling_flow.chiller_load_w
    if not at_work_w < load * 1.001:
        yield f"chillers at the design hour: {at_work_w:.0f} W, sized for {load:.0f}"
    if not plan.direct:
        flow = picked / (chilled.liquid.rate_w_k(1.0) * plan.rise_k)
        yield from differs("design flow of the chilled water", chilled.pump.flow_m3_s, flow)
        if chiller.capacity_w is None:
            # No machine is smaller than half of the smallest of its class, at its rating.
            least = chilled.duty * chiller.min_w
            if chiller.curves is None or load > 1.25 * least:
                whole = max(load, least)
                yield from differs(
                    "capacity of a chiller", chilled.capacity_w * chilled.duty, whole
                )
            elif not load * 0.999 < chilled.capacity_w * chilled.duty < 1.25 * least:
                yield f"capacity of a chiller: {chilled.capacity_w:.0f} W, least {least:.0f}"
        elif chilled.capacity_w * chilled.duty < load * (1.0 - CLOSE):
            yield f"chillers on duty: {chilled.duty} of {chilled.capacity_w:.0f} W for {load:.0f}"
    evaporating_c = plan.supply_c - chiller.evaporator_approach_k
    condensing_c = chilled.lift_k + evaporating_c
    weather, warmer_k = found.facility.site.design, cooling.chain.recirculation_k
    behind = plan.sink.approach_k
    if plan.sink.kind != "air_cooled":
        behind = plan.condenser_range_k + chiller.condenser_approach_k
    sink_c = _coil_air(plan.sink.pads, weather, warmer_k)
    if plan.sink.kind == "dry_cooler":
        sink_c += plan.sink.approach_k
    elif plan.sink.kind == "tower":
        asked = found.project.cooling.plant
        rating = asked.rejection.tower if asked is not None and asked.rejection else None
        sink_c = weather.wet_bulb_c + warmer_k
        sink_c += _york(sink_c, plan.condenser_range_k, _tower_water(rating))
    yield from differs("condensing", condensing_c, sink_c + behind)
    heat = load * (1.0 + 1.0 / _cop(found, condensing_c, sink_c, load, True))
    if plan.sink.pump is None or chilled.sink.loop is None:
        yield from differs("sizing heat of the condensers", chilled.sink.heat_w, heat)
    elif not heat < chilled.sink.heat_w < heat * 1.03:
        yield f"sizing heat of the condensers: {chilled.sink.heat_w!r}, without pumps {heat!r}"


def chilled_water_at_work(found: Design) -> Iterator[str]:
    """Compressors at the lift of the hour; what goes outdoors is what came in."""
    flow, plan = found.cooling_flow, found.cooling.chilled.plan
    condensing_c = flow.condenser_out_c
    if plan.sink.kind != "air_cooled":
        condensing_c += plan.chiller.condenser_approach_k
    wanted = _cop(found, condensing_c, flow.condenser_in_c, flow.chiller_load_w, False)
    yield from differs("plant.chiller_cop", flow.chiller_cop, wanted)
    wanted = flow.chiller_load_w / flow.chiller_cop
    yield from differs("cooling.chillers", flow.power.chillers_w, wanted)
    picked = flow.coils_w + flow.electrical_coils_w + flow.doors_w + flow.fws_chilled_w
    picked += flow.fresh_w
    load = picked + flow.power.chw_pumps_w - flow.economizer_w
    yield from differs("load of the chillers", flow.chiller_load_w, load, 1e-4)
    if not plan.direct and flow.economizer_w == 0.0:
        water = picked / (found.cooling.chilled.liquid.rate_w_k(1.0) * plan.rise_k)
        yield from differs("plant.chilled_water_flow", flow.chw_flow_m3_s, water)
    if plan.sink.kind == "dry_cooler" and flow.economizer_w == 0.0:
        weather = found.facility.site.design
        air_c = _coil_air(plan.sink.pads, weather, found.cooling.chain.recirculation_k)
        if flow.condenser_in_c < air_c + plan.sink.approach_k - 1e-6:
            yield f"water of the dry coolers: {flow.condenser_in_c!r} from {air_c!r} degC air"
    heat = found.point.heat
    total = heat.air_it_w + heat.liquid_it_w + heat.hall_losses_w + heat.electrical_room_w
    total += heat.lights_w + heat.people_w + heat.envelope_w + heat.ventilation_w
    yield from differs("heat collected", flow.collected_w, total)
    yield from differs("heat.rejected", flow.rejected_w, total + flow.power.into_water_w)


def year_of_the_estimate(found: Design) -> Iterator[str]:
    """The mean year, not the design hour: its air before the condensers, its load everywhere."""
    point, mean = found.mean, found.facility.site.mean
    if point is None or mean is None:
        return
    factor, flow, plan = found.facility.load.mean, point.cooling, found.cooling.chilled
    for name, now, peak in (
        ("air", point.heat.air_it_w, found.point.heat.air_it_w),
        ("liquid", point.heat.liquid_it_w, found.point.heat.liquid_it_w),
    ):
        yield from differs(f"heat of the estimate to {name}", now, factor * peak)
    if plan.plan.sink.kind == "air_cooled" and flow.chiller_load_w > 0.0:
        outdoors = mean.dry_bulb_c + found.cooling.chain.recirculation_k
        chiller = plan.plan.chiller
        cold_c = plan.plan.supply_c - chiller.evaporator_approach_k
        at_limit_k = chiller.carnot_fraction * (cold_c + KELVIN) / chiller.factors["cop_limit"]
        held_c = max(
            cold_c + max(chiller.min_lift_k, at_limit_k),
            plan.plan.min_water_c + plan.plan.sink.approach_k,
        )
        if chiller.curves is not None:  # Its set is not used below the coldest air of its range
            coldest_c = float(_row("chillers_eir.csv", chiller.curves)["y_min_c"])
            held_c = max(held_c, coldest_c + plan.plan.sink.approach_k)
        wanted = outdoors + plan.plan.sink.approach_k + chiller.condenser_approach_k
        if not outdoors < flow.condenser_out_c <= max(wanted, held_c + 1e-9):
            yield f"condensing in the mean year: {flow.condenser_out_c!r} in {outdoors!r} degC air"
    elif plan.plan.sink.kind == "tower" and flow.chiller_load_w > 0.0:
        outdoors = mean.wet_bulb_c + found.cooling.chain.recirculation_k
        if not outdoors < flow.condenser_in_c:
            yield f"tower in the mean year: {flow.condenser_in_c!r} from {outdoors!r} degC"
    watts = point.flow.losses_w + flow.power.total_w + float(found.results["load.house"].si)
    wanted = (factor * found.it.it_w + watts) / (factor * found.it.it_w)
    shown = (
        float(found.results["pue.estimate"].si)
        if found.estimate
        else point.facility_w / point.demand.it_w
    )
    yield from differs("PUE of the mean year", shown, wanted)


def liquid_design(found: Design) -> Iterator[str]:
    """Coolant with growth; facility water takes racks and pumps; the exchanger holds its approach.

    Counterflow: eps = (1 - exp(-NTU (1 - c))) / (1 - c exp(-NTU (1 - c))).
    """
    cdus, water, flow = found.cooling.cdus, found.cooling.water, found.cooling_flow
    if cdus is None or water is None:
        return
    plan, grown = cdus.plan, 1.0 + found.facility.criteria.growth
    yield from differs("design flow of the coolant", cdus.tcs_flow_m3_s, plan.tcs_flow_m3_s * grown)
    sizing = found.point.heat.liquid_it_w * grown * plan.sizing_factor
    yield from differs("cdu.design_heat", cdus.design_w, sizing, 1e-4)
    if water.plan.rise_k is None:
        part = plan.unit.fws_flow_m3_s / plan.unit.tcs_flow_m3_s
        yield from differs(
            "design flow of the water", cdus.fws_flow_m3_s, cdus.tcs_flow_m3_s * part
        )
    running = (cdus.installed, max(min(cdus.duty, cdus.installed), 1))
    design = cdus.design_w + max(_pumps_at_sizing(found, units) for units in running)
    yield from differs("design heat of the facility water", water.design_w, design)
    share = min(plan.tcs_flow_m3_s / (cdus.installed * plan.unit.tcs_flow_m3_s), 1.0)
    pumps = cdus.installed * plan.unit.pump_w * _curve(plan.pump_curve, share)
    yield from differs("cooling.cdu_pumps", flow.power.cdu_pumps_w, pumps)
    taken = found.point.heat.liquid_it_w + pumps
    rise = taken / cdus.tcs.rate_w_k(plan.tcs_flow_m3_s)
    yield from differs("coolant return", flow.tcs_return_c, flow.tcs_supply_c + rise)
    if taken > 0.0:
        into = taken + flow.power.fws_pumps_w
        yield from differs("heat of the facility water", flow.facility_water_w, into)
        each = water.design_w / cdus.fws.rate_w_k(cdus.fws_flow_m3_s)
        yield from differs("design rise of the facility water", water.rise_k, each)
        heat = water.design_w + water.pump.power_w
        if water.sink is None:
            yield from differs("facility water on chilled water", water.chilled_w, heat)
        elif not heat * (1.0 - CLOSE) < water.sink.heat_w < heat * 1.03:
            yield f"heat of the facility water's sink: {water.sink.heat_w!r} for {heat!r}"
    yield from _plates(found)


def _pumps_at_sizing(found: Design, units: int) -> float:
    """All units share the flow; beyond their rating they do not pump."""
    cdus = found.cooling.cdus
    assert cdus is not None
    unit = cdus.plan.unit
    share = min(cdus.tcs_flow_m3_s / (units * unit.tcs_flow_m3_s), 1.0)
    return units * unit.pump_w * _curve(cdus.plan.pump_curve, share)


def _film(fluid: Fluid, rated: Fluid, at_c: float) -> float:
    """Dittus-Boelter at equal capacity rates: Re goes with 1 / (mu cp), h with k Re^0.8 Pr^0.4."""
    coldest = max(fluid.temperatures_c[0], rated.temperatures_c[0])
    warmest = min(fluid.temperatures_c[-1], rated.temperatures_c[-1])
    at_c = min(max(at_c, coldest), warmest)

    def film(one: Fluid) -> float:
        heat, sticky, leads = (
            float(np.interp(at_c, one.temperatures_c, column))
            for column in (one.specific_heats_j_kgk, one.viscosities_pa_s, one.conductivities_w_mk)
        )
        reynolds, prandtl = 1.0 / (heat * sticky), heat * sticky / leads
        return reynolds**0.8 * prandtl**0.4 * leads

    return film(fluid) / film(rated)


def _plates(found: Design) -> Iterator[str]:
    cdus = found.cooling.cdus
    assert cdus is not None
    n = max(cdus.duty, 1)
    tcs_w_k = cdus.tcs.rate_w_k(cdus.tcs_flow_m3_s / n)
    fws_w_k = cdus.fws.rate_w_k(cdus.fws_flow_m3_s / n)
    heat_w = (cdus.design_w + _pumps_at_sizing(found, n)) / n
    unit, water_c = cdus.plan.unit, found.facility.cooling.facility_water.supply_c
    films = (cdus.exchanger.first_w_k / tcs_w_k) ** 0.8 / min(
        _film(cdus.plan.fluid, unit.tcs_fluid, water_c), 1.0
    ) + (cdus.exchanger.second_w_k / fws_w_k) ** 0.8 / _film(
        found.facility.cooling.facility_water.fluid, unit.fws_fluid, water_c
    )
    conductance = cdus.exchanger.conductance_w_k * 2.0 / films
    least, most = sorted((tcs_w_k, fws_w_k))
    ntu, c = conductance / least, least / most
    if c > 1.0 - 1e-9:
        eps = ntu / (1.0 + ntu)
    else:
        e = math.exp(-ntu * (1.0 - c))
        eps = (1.0 - e) / (1.0 - c * e)
    wanted = heat_w / (eps * least) - heat_w / tcs_w_k
    yield from differs("approach of the CDUs", cdus.approach_k, wanted, 1e-4)


def sinks_left(found: Design) -> Iterator[str]:
    """After the loss that the redundancy covers the duty units are left; fans by their heat."""
    sinks = [found.cooling.chilled.sink]
    if found.cooling.water is not None and found.cooling.water.sink is not None:
        sinks.append(found.cooling.water.sink)
    named = ("chiller heat rejection", "facility water heat rejection")
    checks = found.sizing_checks
    for name, sink in zip(named, sinks, strict=False):
        lost = sink.plan.spares.installed(sink.duty) - sink.duty
        for check in _checks(checks, "REJECTION-CAPACITY"):
            if check.subject == name:
                left = float(sink.installed - lost)
                yield from differs("REJECTION-CAPACITY", check.value or 0.0, left)
                yield from differs("REJECTION-CAPACITY limit", check.limit or 0.0, sink.duty)
        for rule, wanted in (
            ("DRY-COOLER-APPROACH", sink.approach_k),
            ("DRY-COOLER-FANS", sink.fan_w / sink.heat_w),
        ):
            for check in _checks(checks, rule):
                if check.subject == name:
                    yield from differs(rule, check.value or 0.0, wanted)
    cdus = found.cooling.cdus
    for check in _checks(checks, "CDU-PLATE-FLOW"):
        assert cdus is not None
        rated = cdus.installed * cdus.plan.unit.tcs_flow_m3_s
        yield from differs("CDU-PLATE-FLOW", check.value or 0.0, cdus.plan.tcs_flow_m3_s / rated)


# --- pipes ------------------------------------------------------------------------------------


def pipes_of_the_loops(found: Design) -> Iterator[str]:
    """Head, velocity, volume of every loop from its stretches; authority of its valve."""
    r = {k: float(v.si) for k, v in found.hydraulics.results.items() if _number(v.si)}
    for row in found.hydraulics.loops:
        at = f"loop.{row.name}"
        head = sum(part.drop_pa for part in row.parts)
        volume, fastest, drops = row.other_volume_m3, 0.0, []
        hydraulics = found.cooling.chain.hydraulics
        if row.name in ("chw", "fws"):
            bore = math.pi / 4.0 * row.main.size.inside_m**2 * row.main.pipes
            second = 0.0 if hydraulics.header == "single" else 2.0 * hydraulics.plant_route_m * bore
            yield from differs(f"{at} second route", row.other_volume_m3, second)
        for one in row.stretches:
            area = math.pi / 4.0 * one.size.inside_m**2
            speed = one.flow_m3_s / one.pipes / area
            ram = row.liquid.density_kg_m3 * speed**2 / 2.0
            friction = one.flow(row.liquid).friction * one.length_m / one.size.inside_m
            rough = one.roughness_m / one.size.inside_m
            turbulent = 0.25 / math.log10(rough / 3.7) ** 2
            drops.append((friction * ram, turbulent * one.fittings * ram))
            head += sum(drops[-1])
            volume += area * one.length_m * one.pipes * one.places
            fastest = max(fastest, speed)
        yield from differs(f"{at}.head", r[f"{at}.head"], head, 0.01)
        yield from differs(f"{at}.volume", r[f"{at}.volume"], volume)
        main = row.stretches[0]
        speed = main.flow_m3_s / main.pipes / (math.pi / 4.0 * main.size.inside_m**2)
        yield from differs(f"{at}.velocity", r[f"{at}.velocity"], speed)
        if f"{at}.pump_power" in r and row.efficiency:
            power = row.flow_m3_s * row.head_pa / row.efficiency
            yield from differs(f"{at}.pump_power", r[f"{at}.pump_power"], power)
        wanted = {"PIPE-VELOCITY": fastest, "PIPE-AIR": speed}
        liquid = found.cooling.chain.liquid
        if row.name == "tcs" and liquid is not None:
            wanted["TCS-HEAD"] = row.head_pa * (1.0 + liquid.head_margin)
        parts = {part.name: part.drop_pa for part in row.parts}
        unit = parts.get("CDU, facility side", parts.get("cooling coil"))
        if unit is not None and "control valve" in parts:
            valve, branch = parts["control valve"], sum(drops[-1])
            wanted["VALVE-AUTHORITY"] = valve / (valve + unit + branch)
        for rule, value in wanted.items():
            for check in _checks(found.hydraulics.checks, rule):
                if check.subject == row.title:
                    yield from differs(f"{rule} {row.title}", check.value or 0.0, value, 0.01)


def coolant_pipes(found: Design) -> Iterator[str]:
    """There and back; a row carries its part, hoses what a rack takes; water in every rack."""
    row, cdus = found.hydraulics.loop("tcs"), found.cooling.cdus
    liquid, plan = found.cooling.chain.liquid, found.cooling.chain.hydraulics
    if row is None or cdus is None or liquid is None:
        return
    racks = sum(rack.count for rack in liquid.racks)
    yield from differs("water in the racks", row.other_volume_m3, racks * liquid.rack_volume_m3)
    yield from differs("flow of the coolant loop", row.flow_m3_s, cdus.tcs_flow_m3_s)
    most = max(rack.flow_m3_s for rack in liquid.racks)
    wanted = {
        "header across the rows": (2.0 * (plan.rows - 1) * plan.row_pitch_m, cdus.tcs_flow_m3_s, 1),
        "header along a row": (2.0 * plan.tcs_route_m, cdus.tcs_flow_m3_s / plan.rows, plan.rows),
        "hoses of a rack": (2.0 * plan.hose_m, most, racks),
    }
    for one in row.stretches:
        length, flow, places = wanted[one.name]
        yield from differs(f"length of the {one.name}", one.length_m, length)
        yield from differs(f"flow of the {one.name}", one.flow_m3_s, flow)
        yield from differs(f"number of the {one.name}", one.places, places)


def water_of_the_loops(found: Design) -> Iterator[str]:
    """A plate exchanger stands between facility water and its tower: its cold end is colder by it.

    With chilled water for the rest, the towers cool the water that returns by their part of it.
    """
    flow, water = found.cooling_flow, found.cooling.water
    fws, tower = found.hydraulics.loop("fws"), found.hydraulics.loop("fws_tower")
    if fws is not None:
        yield from differs("loop.fws.supply", fws.supply_c, flow.fws_supply_c)
        yield from differs("loop.fws.return", fws.return_c, flow.fws_return_c)
    if tower is None or water is None:
        return
    if flow.fws_rejection is None:
        yield from differs("tower water at rest", tower.running_m3_s, 0.0)
        return
    part = 1.0 - flow.fws_chilled_w / flow.facility_water_w
    cooled_k = part * (flow.fws_return_c - flow.fws_supply_c)
    cold_c = flow.fws_return_c - cooled_k - water.plan.exchanger_approach_k
    yield from differs("loop.fws_tower.supply", tower.supply_c, cold_c, 1e-6)
    rejected_w = part * flow.facility_water_w + flow.fws_rejection.pumps_w
    rise_k = rejected_w / (
        tower.liquid.density_kg_m3 * tower.liquid.specific_heat_j_kgk * tower.running_m3_s
    )
    yield from differs("loop.fws_tower.return", tower.return_c, cold_c + rise_k, 1e-6)


# --- circuits ---------------------------------------------------------------------------------


def circuits(found: Design) -> Iterator[str]:
    """The device is not under the load with its factor, the ampacity the lesser of two.

    Drop: sqrt3 or 2 times the current of one set times R cos + X sin.
    """
    criteria = found.facility.criteria
    for feeder in found.distribution.feeders.feeders:
        choice, circuit = feeder.choice, feeder.circuit
        if choice is None:
            continue
        tag = circuit.tag
        if feeder.normal_a > feeder.worst_a * (1.0 + CLOSE):
            yield f"{tag}: {feeder.normal_a!r} A in service, {feeder.worst_a!r} A at most"
        if choice.is_busway:
            continue
        if criteria.code == "NEC":
            least = min(choice.ampacity_term_a, choice.ampacity_corrected_a)
            yield from differs(f"ampacity of {tag}", choice.ampacity_a, least)
        if choice.drop_v is None or feeder.heaviest != tag:
            continue
        assert choice.resistance_ohm is not None
        assert choice.reactance_ohm is not None
        factor = feeder.power_factor
        along = choice.resistance_ohm * factor
        along += choice.reactance_ohm * math.sqrt(max(0.0, 1.0 - factor**2))
        amperes = feeder.worst_a / choice.sets
        wanted = (SQRT3 if circuit.poles == 3 else 2.0) * amperes * along
        yield from differs(f"drop of {tag}", choice.drop_v, wanted, 1e-4)


def duties_of_equipment(found: Design) -> Iterator[str]:
    """What a circuit must carry for the rating of what it feeds; panels with a supply lost too."""
    chain, volts = found.chain, found.chain.chain.wiring.lv_voltage_v
    feeders = found.distribution.feeders.feeders
    equipment = {one.tag: one for one in found.distribution.plan.network.equipment}
    ups_input = float(found.all_results["ups.input_current_low_line"].si)
    stated = found.facility.power.ups.input_limit_a
    ups_limit = ups_input if stated is None else min(ups_input, stated)
    for feeder in feeders:
        circuit, tag = feeder.circuit, feeder.circuit.tag
        target = equipment.get(circuit.target)
        rated = {
            "static switch of one UPS module": chain.ups.module.rating_va / (SQRT3 * volts),
            "rating of the UPS": chain.bus_rating_va / (SQRT3 * volts) / circuit.runs,
            "UPS module at its rating": ups_input,
            "input-current limit of the UPS module": ups_limit,
        }
        if target is not None and target.rating_va is not None:
            amperes = target.rating_va / (SQRT3 * circuit.voltage_v) / circuit.runs
            rated["rating of the PDU transformer"] = amperes
        for words, amperes in rated.items():
            if feeder.worst_state.startswith(words):
                yield from differs(f"duty of {tag}", feeder.worst_a, amperes)
        if target is not None and target.kind == "sts":
            behind = [one.worst_a for one in feeders if one.circuit.source == circuit.target]
            if feeder.worst_a < max(behind, default=0.0) * (1.0 - CLOSE):
                yield f"{tag}: {feeder.worst_a!r} A before a switch, {max(behind)!r} A behind"
    fed = {feeder.circuit.target: feeder for feeder in feeders if feeder.circuit.stage == "feeder"}
    for panel, lost in zip(found.panels.panels, found.panels.lost, strict=True):
        one = fed.get(panel.tag)
        most = 0.0 if lost is None else float(max(lost.line_a[:3]))
        if one is not None and one.worst_a < most * (1.0 - CLOSE):
            yield f"{panel.tag}: {one.worst_a!r} A, {most!r} A with a supply lost"


def trip_units(found: Design) -> Iterator[str]:
    """Ground-fault protection on every way to a feeder that needs it, and nowhere else.

    Every way is walked from the feeder up, one at a time, to a source, transformer or converter.
    """
    criteria, plan = found.facility.criteria, found.distribution.plan
    trips = {f.circuit.tag: f for f in found.distribution.feeders.feeders if f.trip is not None}
    resistor = found.chain.chain.transformer.grounding_a is not None
    electronic = 0

    def ways(tag: str) -> Iterator[tuple[str, ...]]:
        one = plan.network[tag]
        if one.kind in ("utility", "generator-plant", "transformer", "pdu", "ups"):
            yield ()
            return
        for link in one.links:
            own = (link.circuit,) if link.circuit else ()
            yield from (own + way for way in ways(link.source))

    basis, nec = found.facility.electrical.faults, criteria.code == "NEC"
    for tag, feeder in trips.items():
        circuit, trip, choice = feeder.circuit, feeder.trip, feeder.choice
        assert trip is not None
        assert choice is not None
        rating_a = choice.ocpd_a
        if trip.functions == "fuse":
            continue
        wye = circuit.stage == "feeder" or not resistor
        needed = nec and circuit.stage != "branch" and wye and basis.trips.ground_fault
        needed = needed and circuit.voltage_v / SQRT3 > 150.0 and rating_a >= 1000.0
        above = [{c for c in way if c in trips} for way in ways(circuit.source)]
        ahead = [any(trips[c].trip.ground_fault for c in way) for way in above]
        if trip.ground_fault != (needed and not all(ahead)):
            yield f"{tag}: {trip.functions}, ground fault needed {needed}, ahead {ahead}"
        reduced = nec and rating_a >= 1200.0 and basis.trips.arc_energy != "none"
        if bool(trip.arc_energy) != reduced:
            yield f"{tag}: arc energy {trip.arc_energy!r} of {rating_a} A"
        large = rating_a > basis.trips.electronic_above_a or (nec and rating_a >= 1200.0)
        electronic += circuit.runs * (large or needed)
    counted = float(found.distribution.results["feeder.electronic_trips"].si)
    yield from differs("feeder.electronic_trips", counted, electronic)


def cleared_in_assumed_times(found: Design) -> Iterator[str]:
    """The lines behind a large NEC breaker bear the fault at their beginning for 3 cycles.

    From the highest operating to the highest short-circuit temperature of the insulation, by the
    rule of ICEA in amperes and circular mils.
    """
    if (
        found.facility.criteria.code != "NEC"
        or not found.facility.electrical.faults.clearing.assumed
    ):
        return
    feeders = {f.circuit.tag: f for f in found.distribution.feeders.feeders}
    for check in _checks(found.checks, "NEC-WITHSTAND"):
        feeder = feeders[check.subject.partition(" and ")[0]]
        choice = feeder.choice
        assert choice is not None
        if "50 ms clearing time" not in check.why or choice.material != "cu":
            continue
        start_c = found.facility.electrical.conductors.insulation_c
        cmil = choice.area_m2 / 5.067074790974977e-10
        rise = math.log10((150.0 + 234.0) / (start_c + 234.0))
        one_a = cmil * math.sqrt(0.0297 * rise / 0.05)
        if not choice.neutral_size or choice.neutral_size == choice.size:
            yield from differs(
                f"withstand of {check.subject}", check.limit or 0.0, choice.sets * one_a, 1e-3
            )


def ride_model(found: Design) -> Iterator[str]:
    """Stores and conductances of the failures of the cooling, from what was designed."""
    cooling, flow, heat = found.cooling, found.cooling_flow, found.point.heat
    if cooling.chain.crah.path.terminal not in ("crah", "in-row", "fan-wall"):
        return
    weather, warmer_k = found.facility.site.design, cooling.chain.recirculation_k
    plant = ride_plant(cooling, flow, heat, found.facility.thermal, weather)
    yield from differs("tank", plant.tank_j_m3k, cooling.chilled.liquid.rate_w_k(1.0))
    yield from differs("air", plant.it_air_w_k, heat.air_it_w / cooling.chain.crah.server_rise_k)
    counts, banks = cooling.counts, plant.banks
    for name, installed, running in (
        ("fans", counts.crah, counts.crah),
        ("cdus", counts.cdu, counts.cdu),
        ("chillers", counts.chillers, min(counts.chillers, counts.chillers_duty)),
    ):
        yield from differs(f"{name} installed", banks[name].installed, installed)
        yield from differs(f"{name} running", banks[name].running, running)
    water = cooling.water
    if water is not None and water.sink is not None:
        cold_c = _coil_air(water.sink.plan.pads, weather, warmer_k)
        if water.sink.plan.kind == "tower":
            cold_c = weather.wet_bulb_c + warmer_k + water.plan.exchanger_approach_k
        yield from differs("sink of the facility water", plant.settings.sink_c, cold_c)
    if water is not None and water.chilled_w > 0.0:
        warm_c = water.plan.supply_c + water.rise_k
        wanted = water.chilled_w / (warm_c - flow.chw_supply_c)
        yield from differs("exchanger to the chilled water", plant.exchanger_w_k, wanted)
    chilled = found.hydraulics.loop("chw")
    for check in volume_checks(plant):
        assert chilled is not None
        stated_m3 = plant.thermal.loops.chw_m3
        loop_m3 = chilled.volume_m3 if stated_m3 is None else stated_m3
        there_m3 = loop_m3 + plant.thermal.loops.chw_tank_m3
        yield from differs("RIDE-THROUGH-VOLUME", check.value or 0.0, there_m3)
        least_m3 = 6.0 * 3.785411784e-3 * flow.chiller_load_w / 3516.853
        yield from differs("RIDE-THROUGH-VOLUME limit", check.limit or 0.0, least_m3)


def counts_by_result(found: Design) -> Iterator[str]:
    """CDUs and chillers: least loss within 10 % of the least installed power, and what is built.

    Of losses within 1 % of the least the fewest machines. Chillers on duty share one load: number
    times capacity is equal, but for what the smallest machine exceeds its share by.
    """
    results = _results(found)
    built = {"CDUs": "cdu.count", "chillers": "plant.chiller_count"}
    for choice in found.choices:
        if choice.subject not in built or any(one.cost for one in choice.candidates):
            continue
        able = [one for one in choice.candidates if not one.excluded]
        least_w = min(one.installed_w for one in able)
        near = [one for one in able if one.installed_w <= 1.1 * least_w * (1.0 + 1e-9)]
        published = [one for one in near if not one.recalled] or near
        least_w = min(one.loss_w for one in published)
        equal = [one for one in published if one.loss_w <= 1.01 * least_w * (1.0 + 1e-9)]
        best = min(equal, key=lambda one: (one.machines, round(one.installed_w), one.loss_w))
        first = choice.candidates[0]
        yield from differs(f"choice of {choice.subject}, loss", first.loss_w, best.loss_w)
        yield from differs(f"choice of {choice.subject}", first.installed_w, best.installed_w)
        count = float(first.name.partition(" x ")[0].replace(",", ""))
        yield from differs(built[choice.subject], results[built[choice.subject]], count)


SECOND: tuple[Callable[[Design], Iterator[str]], ...] = (
    wiring_and_transformers,
    transformers_at_work,
    ups_in_every_state,
    short_circuit_of_the_service,
    generators_at_work,
    air_of_the_halls,
    coils_close,
    units_of_the_halls,
    chilled_water_design,
    chilled_water_at_work,
    year_of_the_estimate,
    liquid_design,
    sinks_left,
    pipes_of_the_loops,
    coolant_pipes,
    water_of_the_loops,
    circuits,
    duties_of_equipment,
    trip_units,
    cleared_in_assumed_times,
    ride_model,
    counts_by_result,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every figure that the second calculation does not find."""
    for one in SECOND:
        yield from one(found)
