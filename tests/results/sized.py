"""A second calculation of the sizes of the cooling: coils, counts, pipes, drops, checks, loads.

Ratings and fields come from the design; what they come to is worked here: NTU at the rating, the
fewest units by trying one less, the smallest pipe by the friction of `fluids`, the drops of
components by the law of their table, each check by value and limit, each rack by its own devices.
"""

from __future__ import annotations

import csv
import dataclasses
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import fluids
import numpy as np

from facility.cooling.chain.sizing import with_inputs
from facility.study.design.design import Design
from tests.results.exchange import conducted, effectiveness
from tests.results.second import (
    KELVIN,
    REFERENCE,
    _checks,
    _curve,
    _number,
    _pumps_at_sizing,
    differs,
)

NEAR = 1e-5


def _moist(found: Design) -> tuple[float, float, float]:
    """Volume, specific heat, density of the supply air; psychrolib."""
    import psychrolib

    psychrolib.SetUnitSystem(psychrolib.SI)
    chain, pressure = found.cooling.chain, found.facility.site.pressure_pa
    held = float(psychrolib.GetSatHumRatio(chain.room_dew_point_c, pressure))
    kelvin = chain.crah.supply_air_c + KELVIN
    volume = 287.042 * kelvin * (1.0 + 1.607858 * held) / pressure
    return volume, 1006.0 + 1860.0 * held, (1.0 + held) / volume


# --- exchangers -------------------------------------------------------------------------------


def exchangers_at_their_rating(found: Design) -> Iterator[str]:
    """An exchanger passes the heat of its sheet at the flows and temperatures of its sheet."""
    cooling = found.cooling
    plan, coil = cooling.chain.crah, cooling.crah.coil
    unit = plan.unit
    gross = unit.net_sensible_w + unit.fan_w
    new = replace(coil, first_fluid=1.0, second_fluid=1.0, max_w=math.inf)
    cold = plan.path.refrigerant.evaporating_c if plan.path.refrigerant else unit.water_in_c
    span = unit.return_air_c - cold
    heat = conducted(new, coil.first_w_k, coil.second_w_k) * span
    yield from differs("rating of the coils", heat, gross, NEAR)
    if plan.path.refrigerant is None:
        water = gross / (unit.water_out_c - unit.water_in_c)
        yield from differs("water of the coils at their rating", coil.second_w_k, water)
    else:
        most = plan.path.refrigerant.capacity_ratio * gross
        yield from differs("compressor of a unit", coil.max_w, most)
    sinks = [cooling.chilled.sink]
    if cooling.water is not None and cooling.water.sink is not None:
        sinks.append(cooling.water.sink)
    for sink in sinks:
        if sink.coil is None:
            continue
        one, dry = sink.plan.unit, sink.coil
        rate = one.heat_w / (one.fluid_in_c - one.fluid_out_c)
        clean = replace(dry, second_fluid=1.0)
        heat = conducted(clean, rate, rate) * (one.fluid_in_c - one.air_in_c)
        yield from differs("rating of the dry coolers", heat, one.heat_w, NEAR)
        yield from _dry_coolers(found, sink)
    cdus = cooling.cdus
    if cdus is not None:
        rated, box = cdus.plan.unit, cdus.exchanger
        clean = replace(box, first_fluid=1.0, second_fluid=1.0)
        hot = rated.approach_k + rated.capacity_w / box.first_w_k
        heat = conducted(clean, box.first_w_k, box.second_w_k) * hot
        yield from differs("rating of the CDUs", heat, rated.capacity_w, NEAR)


def _dry_coolers(found: Design, sink: Any) -> Iterator[str]:
    """As many coolers as bring the water to its temperature: eps on the fluid = range / span."""
    unit, site = sink.plan.unit, found.facility.site
    density = site.pressure_pa / 101325.0 * (unit.air_in_c + KELVIN) / (sink.air_c + KELVIN)
    coil = sink.coil
    if unit.scalable:
        coil = replace(coil, second_w_k=sink.unit_w_k)
    air, fluid = sink.coil.first_w_k * density, sink.unit_w_k
    eps = conducted(coil, air, fluid) / fluid
    wanted = sink.range_k / (sink.range_k + sink.approach_k)
    rate = sink.heat_w / sink.range_k
    coolers = rate / fluid
    if unit.scalable and 0.051 < coolers / (rate / sink.coil.second_w_k) < 19.9:
        yield from differs("effectiveness of the dry coolers", eps, wanted, 1e-4)
    elif not unit.scalable and eps < wanted * (1.0 - 1e-4):
        yield f"dry coolers: effectiveness {eps!r}, {wanted!r} wanted"
    if math.ceil(coolers - 1e-9) > sink.duty:
        yield f"dry coolers on duty: {sink.duty} of {coolers!r}"
    fan = unit.fan_w * density
    yield from differs("fans of the dry coolers", sink.fan_w, coolers * fan)
    # Fans at 6 % of the heat: so many coolers, and the approach that they reach.
    each = rate * fan / (0.06 * sink.heat_w)
    coil = replace(sink.coil, second_w_k=each) if unit.scalable else sink.coil
    most = conducted(coil, air, each) / each
    yield from differs("least approach", sink.min_approach_k, sink.range_k * (1.0 / most - 1.0),
                       1e-4)  # fmt: skip


# --- counts -----------------------------------------------------------------------------------


def _give(found: Design, units: int, heat: float, air: float) -> tuple[float, float]:
    """Heat that coils of the halls take, and that they must: heat of the room with their fans."""
    plan, coil = found.cooling.chain.crah, found.cooling.crah.coil
    volume, specific, density = _moist(found)
    chain = found.cooling.chain
    share = air / units
    part = max(share / plan.unit.air_flow_m3_s, plan.factors["least_fan_flow"])
    fans = units * plan.unit.fan_w * _curve(plan.fan_curve, part) * density
    fans /= plan.unit.air_density_kg_m3
    must = heat + fans
    per = specific / volume
    back = plan.supply_air_c + heat / (air * per)
    refrigerant = plan.path.refrigerant
    cold = refrigerant.evaporating_c if refrigerant else chain.chilled_water.supply_c
    rated, moved = plan.unit.air_flow_m3_s * per, max(share, plan.factors["least_fan_flow"] *
                                                     plan.unit.air_flow_m3_s) * per  # fmt: skip
    mixed = plan.supply_air_c + (back - plan.supply_air_c) * share * per / moved
    water = min(must / units / chain.chilled_water.rise_k, coil.second_w_k)
    best = 0.0
    for flow, inlet in ((share * per, back), (moved, mixed)):
        rate = min(flow, rated)
        low = rate if coil.boils else min(rate, water)
        taken = effectiveness(coil, rate, water) * low * (inlet - cold)
        best = max(best, min(taken, coil.max_w))
    return units * best, must


def air_handlers(found: Design) -> Iterator[str]:
    """Fewest units of each hall that move its air and take its heat; those of electrical rooms."""
    cooling, plan = found.cooling, found.cooling.chain.crah
    if plan.path.door is not None:
        return
    crah, heat = cooling.crah, found.point.heat
    grown = 1.0 + found.facility.criteria.growth
    volume, specific, _ = _moist(found)
    it_w = cooling.crah_design_w
    yield from differs("IT heat of the air handlers", it_w,
                       heat.air_it_w * grown * plan.sizing_factor, 1e-4)  # fmt: skip
    beside = heat.hall_losses_w * grown + heat.lights_w + heat.people_w + heat.envelope_w
    least = most = 0
    for _, share in plan.path.groups:
        if share <= 0.0:
            continue
        own = it_w * share + beside * share
        air = it_w * share * (1.0 - plan.recirculation) / (1.0 - plan.bypass) + beside * share
        air *= volume / (specific * plan.server_rise_k)
        counts = []
        for near in (1.0 - 0.02, 1.0 + 0.02):
            units = max(1, math.ceil(near * air / plan.unit.air_flow_m3_s - 1e-9))
            while units < 10000:
                give, must = _give(found, units, near * own, near * air)
                if give >= must * (1.0 - 1e-9):
                    break
                units += 1
            counts.append(units)
        least, most = least + counts[0], most + counts[1]
    if not least <= crah.duty <= max(most, least):
        yield f"air handlers on duty: {crah.duty}, by hand {least} to {most}"
    each = plan.path.electrical_unit
    per = specific / volume
    air_w_k = each.air_flow_m3_s * per
    coil = crah.coil
    if each is plan.unit:
        cold = (plan.path.refrigerant.evaporating_c if plan.path.refrigerant
                else cooling.chain.chilled_water.supply_c)  # fmt: skip
        back = plan.supply_air_c + each.rated_rise_k
        give = conducted(coil, air_w_k, coil.second_w_k) * (back - cold)
        give = min(give, coil.max_w) - each.fan_w
        give = min(give, air_w_k * each.rated_rise_k)
        low, high = (math.ceil(heat.electrical_room_w * grown * x / give - 1e-9)
                     for x in (0.97, 1.03))  # fmt: skip
        if not low <= crah.electrical_duty <= high:
            yield f"electrical units on duty: {crah.electrical_duty}, by hand {low} to {high}"


def coolant_units(found: Design) -> Iterator[str]:
    """As few CDUs as pump both flows and hold the approach."""
    cdus, water = found.cooling.cdus, found.cooling.water
    if cdus is None or water is None:
        return
    unit, available = cdus.plan.unit, cdus.plan.tcs_supply_c - water.plan.supply_c

    def approach(units: int) -> float:
        heat = cdus.design_w + _pumps_at_sizing(found, units)
        tcs = cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk * cdus.tcs_flow_m3_s
        fws = cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk * cdus.fws_flow_m3_s
        return heat / (units * conducted(cdus.exchanger, tcs / units, fws / units)) - heat / tcs

    least = max(1, math.ceil(max(
        cdus.tcs_flow_m3_s / unit.tcs_flow_m3_s, cdus.fws_flow_m3_s / unit.fws_flow_m3_s
    ) - 1e-9))  # fmt: skip
    while approach(least) > available + 1e-9 and least < 10000:
        least += 1
    if cdus.duty != least:
        yield f"CDUs on duty: {cdus.duty}, by hand {least}"
    left = max(cdus.installed - (cdus.plan.spares.installed(cdus.duty) - cdus.duty), 0)
    for check in _checks(found.cooling.checks, "CDU-APPROACH"):
        yield from differs("CDU-APPROACH", check.value or 0.0, approach(left), 1e-4)
        yield from differs("CDU-APPROACH limit", check.limit or 0.0, available)
    for rule, value, limit in (
        ("CDU-FLOW", cdus.tcs_flow_m3_s, left * unit.tcs_flow_m3_s),
        ("CDU-FWS-FLOW", cdus.fws_flow_m3_s, left * unit.fws_flow_m3_s),
        ("TCS-FLOW", cdus.plan.tcs_flow_m3_s, cdus.plan.rack_flow_m3_s),
        ("CDU-LEAST-APPROACH", available, 2.0),
        ("CDU-PLATE-FLOW", cdus.plan.tcs_flow_m3_s / (cdus.installed * unit.tcs_flow_m3_s), 0.2),
    ):
        yield from _check(found.cooling.checks, rule, value, limit)
    each_l_min = 6e4 * cdus.plan.tcs_flow_m3_s / cdus.installed
    yield from _told(found, "CDU-LEAST-APPROACH", water.plan.supply_c + 2.0, 0.05)
    yield from _told(found, "CDU-PLATE-FLOW", each_l_min / 0.2, 0.05 * each_l_min / 0.2)


def _told(found: Design, rule: str, value: float, near: float) -> Iterator[str]:
    """The number recommended in the words of a check, as rounded there."""
    for check in _checks(found.cooling.checks, rule):
        words = re.search(r"recommended[a-z ]*: ([\d,.]+) ", check.why)
        told = math.nan if words is None else float(words[1].replace(",", ""))
        if not abs(told - value) <= near * 1.001:
            yield f"{rule} recommends {told:g}, by hand {value:g}"


def _check(checks: Any, rule: str, value: float, limit: float, near: float = 1e-6) -> Iterator[str]:
    for check in _checks(checks, rule):
        yield from differs(rule, check.value or 0.0, value, near)
        yield from differs(f"{rule} limit", check.limit or 0.0, limit, near)


# --- checks -----------------------------------------------------------------------------------


def checks_of_the_design(found: Design) -> Iterator[str]:
    """Value and limit of the checks of air handlers, chillers, sinks, loops and racks."""
    cooling, checks = found.cooling, found.cooling.checks
    plan, crah, chilled = cooling.chain.crah, cooling.crah, cooling.chilled
    lost = plan.spares.installed(crah.duty) - crah.duty
    for check in _checks(checks, "CRAH-AIRFLOW"):
        left = max(crah.installed - (max(crah.installed, 0) - crah.remaining), 0)
        air = left * plan.unit.air_flow_m3_s
        yield from differs("CRAH-AIRFLOW limit", check.limit or 0.0, air)
    if plan.count is None and len(plan.path.groups) == 1:
        yield from differs("units left", crah.remaining, max(crah.installed - lost, 0))
    water, loop = cooling.water, chilled.plan
    over = {"CHW-RISE": (loop.rise_k, 4.0), "AIR-BYPASS": (plan.bypass, 0.30)}
    if water is not None:
        colder = water.plan.supply_c - water.plan.exchanger_approach_k - loop.supply_c
        over["CHW-COLDER-THAN-NEEDED"] = (colder, 10.0)
    if cooling.chain.cdu is not None:
        dew = cooling.chain.hall_dew_points_c[1] + 2.0
        over["DEW-POINT"] = (cooling.chain.cdu.tcs_supply_c, dew)
    for rule, (value, limit) in over.items():
        yield from _check(checks, rule, value, limit)
    if not loop.direct:
        left = max(
            chilled.installed - (loop.chiller.spares.installed(chilled.duty) - chilled.duty), 0
        )
        yield from _check(checks, "CHILLER-CAPACITY", chilled.load_w, left * chilled.capacity_w)
    sinks = {"chiller heat rejection": chilled.sink}
    if water is not None and water.sink is not None:
        sinks["facility water heat rejection"] = water.sink
    for check in _checks(checks, "TOWER-SIZE"):
        yield from differs("TOWER-SIZE", check.value or 0.0, sinks[check.subject].heat_w)
        yield from differs("TOWER-SIZE limit", check.limit or 0.0, 300e3)
    for rule, limit in (("DRY-COOLER-APPROACH", 3.0), ("DRY-COOLER-FANS", 0.06)):
        for check in _checks(checks, rule):
            yield from differs(f"{rule} limit", check.limit or 0.0, limit)
    for check in _checks(checks, "CYCLES-MINIMUM"):
        yield from differs("CYCLES-MINIMUM limit", check.limit or 0.0, 2.0)
    racks = {f"rack {rack.name}": rack for rack in cooling.chain.racks}
    for check in _checks(checks, "AIR-DENSITY-LIMIT"):
        yield from differs("AIR-DENSITY-LIMIT", check.value or 0.0, racks[check.subject].air_w)
        yield from differs("AIR-DENSITY-LIMIT limit", check.limit or 0.0, 30e3)
    for check in _checks(checks, "AIR-SERVER-FLOW"):
        rack = racks[check.subject]
        yield from differs("AIR-SERVER-FLOW", check.value or 0.0, rack.airflow_m3_s)
        yield from differs("AIR-SERVER-FLOW limit", check.limit or 0.0,
                           0.75 * (rack.drawn_m3_s or 0.0))  # fmt: skip
    yield from _of_sizes(found)
    yield from _senses(found)


def _of_sizes(found: Design) -> Iterator[str]:
    """The smallest unit of the catalogue over what one must do; numbers of units."""
    cooling, chilled = found.cooling, found.cooling.chilled
    for check in _checks(cooling.checks, "UNIT-SIZE"):
        yield from differs("UNIT-SIZE limit", check.limit or 0.0, 4.0)
        if check.subject != "chillers":
            with (REFERENCE / "equipment/crah_crac.csv").open(encoding="utf-8") as file:
                rows = [r for r in csv.DictReader(file) if r["water_in_c"] and r["net_sensible_kw"]]
            least = cooling.chain.crah.unit.net_sensible_w
            if cooling.chain.crah.path.terminal == "crah":
                least = min(least, *(1e3 * float(r["net_sensible_kw"]) for r in rows))
            wanted = least / cooling.crah.coils_w
            yield from differs("UNIT-SIZE", check.value or 0.0, wanted, 1e-4)
        else:
            each = chilled.load_w / max(chilled.duty, 1)
            words = float((check.value or 0.0) * each)
            if not 20e3 < words < 1.5e6:
                yield f"UNIT-SIZE of chillers: {words!r} W"
    counts = cooling.counts
    for check in _checks(cooling.checks, "UNIT-NUMBER"):
        numbers = {"chillers": (counts.chillers, 150.0)}
        named = numbers.get(check.subject)
        if named is None:
            of_water = check.subject.endswith("facility water")
            named = (counts.fws_rejection if of_water else counts.rejection, 600.0)
        yield from differs(f"UNIT-NUMBER {check.subject}", check.value or 0.0, named[0])
        yield from differs("UNIT-NUMBER limit", check.limit or 0.0, named[1])


MOST_RULES = {
    "CRAH-CAPACITY", "CRAH-AIRFLOW", "CRAH-RISE", "CDU-APPROACH", "CDU-FLOW", "CDU-FWS-FLOW",
    "CHILLER-CAPACITY", "CURVE-BOX", "CURVE-BOX-WATER", "CRAC-OUTDOOR", "DRY-COOLER-FANS",
    "AIR-BYPASS", "CHW-COLDER-THAN-NEEDED", "AIR-DENSITY-LIMIT", "UNIT-SIZE", "UNIT-NUMBER",
    "INLET-TEMPERATURE", "INLET-RECOMMENDED", "INLET-EQUIPMENT", "FWS-TEMPERATURE", "FWS-SUPPLY",
    "TCS-TEMPERATURE", "AIR-ALLOWABLE", "AIR-ELEVATION", "AIR-TILES", "AIR-SERVER-ALTITUDE",
    "AIR-VENTILATION", "AIR-COIL-SENSIBLE", "PIPE-VELOCITY",
}  # fmt: skip
LEAST_RULES = {
    "TCS-FLOW", "CDU-LEAST-APPROACH", "CDU-PLATE-FLOW", "CYCLES-MINIMUM", "COIL-FILM",
    "REJECTION-CAPACITY", "TOWER-SIZE", "DRY-COOLER-APPROACH", "CHW-RISE", "DEW-POINT",
    "AIR-SERVER-FLOW", "INLET-COLD", "AIR-COLD", "AIR-COIL-SURFACE",
}  # fmt: skip


def _senses(found: Design) -> Iterator[str]:
    """A limit is the most, or the least: what is beyond it fails."""
    every = (*found.cooling.checks, *found.cooling_flow.checks, *found.room_air.checks)
    for check in every:
        if check.value is None or check.limit is None:
            continue
        over, under = (check.value - check.limit) * np.array([1.0, -1.0])
        slack = 1e-9 * max(abs(check.limit), abs(check.value)) + 1e-9
        if check.rule in MOST_RULES and check.failed != (over > slack):
            yield f"{check.rule}: {check.value!r} of at most {check.limit!r}, failed {check.failed}"
        if check.rule in LEAST_RULES and check.failed != (under > slack):
            yield f"{check.rule}: {check.value!r}, least {check.limit!r}, failed {check.failed}"


# --- loops ------------------------------------------------------------------------------------


def _table(fluid: Any, column: str, at_c: float) -> float:
    return float(np.interp(at_c, fluid.temperatures_c, getattr(fluid, column)))


def _gradient(one: Any, size: Any, pipes: int, flow: float, liquid: Any) -> tuple[float, float]:
    """Velocity, and drop of straight pipe for each metre by the friction of `fluids`."""
    area = math.pi / 4.0 * size.inside_m**2
    speed = flow / pipes / area
    reynolds = fluids.Reynolds(V=speed, D=size.inside_m, rho=liquid.density_kg_m3,
                               mu=liquid.viscosity_pa_s)  # fmt: skip
    factor = fluids.friction_factor(Re=reynolds, eD=one.roughness_m / size.inside_m)
    return speed, factor / size.inside_m * liquid.density_kg_m3 * speed**2 / 2.0


def pipes_laid_out(found: Design) -> Iterator[str]:
    """The smallest pipes within the limits; fittings; the liquid at its mean temperature."""
    plan = found.cooling.chain.hydraulics
    each = plan.fittings
    for row in found.hydraulics.loops:
        grown = 1.0 + 0.01 * found.cooling.counts.pipe_spare
        for one in row.stretches:
            at = f"{row.name}, {one.name}"
            elbows = math.ceil(one.length_m / plan.elbow_spacing_m) + 2
            lengths = elbows * each["elbow 90 degrees"] + 4 * each["butterfly valve"]
            lengths += 2 * (each["tee, branch"] + each["tee, through"]) + each["check valve"]
            yield from differs(f"fittings of {at}", one.fittings, lengths)
            full = one.flow_m3_s * grown
            speed, drop = _gradient(one, one.size, one.pipes, full, row.liquid)
            if speed > plan.velocity_max_m_s * 1.001 or drop > plan.gradient_max_pa_m * 1.02:
                yield f"{at}: {speed:.3f} m/s, {drop:.1f} Pa/m"
            smaller = [size for size in plan.sizes if size.inside_m < one.size.inside_m]
            tried = [(smaller[-1], one.pipes)] if smaller else []
            if one.pipes > 1:
                tried.append((plan.sizes[-1], one.pipes - 1))
            for size, pipes in tried:
                speed, drop = _gradient(one, size, pipes, full, row.liquid)
                within = speed < plan.velocity_max_m_s * 0.999
                if within and drop < plan.gradient_max_pa_m * 0.98:
                    yield f"{at}: DN{size.dn} x {pipes} holds the limits"
        yield from _filled(found, row)


def _filled(found: Design, row: Any) -> Iterator[str]:
    """Properties at the mean temperature of the layout, growth from filling to the return."""
    fluid, plan = row.fluid, found.cooling.chain.hydraulics
    low, high = fluid.temperatures_c[0], fluid.temperatures_c[-1]
    cold, hot = (min(max(t, low), high) for t in (plan.fill_c, row.return_c))
    filled, warm = (_table(fluid, "densities_kg_m3", t) for t in (cold, hot))
    growth = max(filled / warm - 1.0, 0.0)
    if row.name in ("chw",):
        yield from differs(f"growth of {row.name}", row.expansion, growth, 0.02)
    yield from differs(f"growth of the volume of {row.name}", row.expansion_m3,
                       row.volume_m3 * row.expansion)  # fmt: skip
    if row.name == "chw":
        mean = 0.5 * (row.supply_c + row.return_c)
        for name, column in (("density_kg_m3", "densities_kg_m3"),
                             ("specific_heat_j_kgk", "specific_heats_j_kgk"),
                             ("viscosity_pa_s", "viscosities_pa_s")):  # fmt: skip
            wanted = _table(fluid, column, mean)
            yield from differs(f"{name} of {row.name}", getattr(row.liquid, name), wanted, 1e-4)


def drops_of_components(found: Design) -> Iterator[str]:
    """Components by their table: drop at the rated flow, growing with the flow by its power.

    Walls of exchangers: density^0.75 and viscosity^0.25 of the fluid over those of water (Blasius).
    """
    cooling = found.cooling
    with (REFERENCE / "cooling/component_drops.csv").open(encoding="utf-8") as file:
        rows = {row["component"]: row for row in csv.DictReader(file)}
    for row in found.hydraulics.loops:
        mean = 0.5 * (row.supply_c + row.return_c)
        water = cooling.chain.hydraulics.water
        fluid = 1.0
        if row.fluid.name != water.name:
            at = min(max(mean, water.temperatures_c[0], row.fluid.temperatures_c[0]),
                     water.temperatures_c[-1], row.fluid.temperatures_c[-1])  # fmt: skip
            thick, sticky = (
                _table(row.fluid, c, at) / _table(water, c, at)
                for c in ("densities_kg_m3", "viscosities_pa_s")
            )
            fluid = thick**0.75 * sticky**0.25
        for part in row.parts:
            known = rows.get(part.name.removesuffix(" to the chilled water"))
            if known is None or row.name == "tcs":
                continue
            drop, flow = 1e3 * float(known["drop_kpa"]), row.flow_m3_s
            if part.name == "CDU, facility side" and cooling.cdus is not None:
                unit = cooling.cdus.plan.unit
                ratio = row.flow_m3_s / max(cooling.cdus.on_duty, 1) / unit.fws_flow_m3_s
                if unit.model == "XDU1350":
                    ratio = (row.flow_m3_s / max(cooling.cdus.on_duty, 1)
                             / (float(known["rated_flow_l_min"]) / 60e3))  # fmt: skip
                drop *= ratio ** float(known["flow_exponent"])
            elif known["rated_flow_l_min"]:
                ratio = flow / (float(known["rated_flow_l_min"]) / 60e3)
                drop *= ratio ** float(known["flow_exponent"])
            walls = ("chiller, evaporator", "chiller, condenser", "cooling coil", "plate exchanger")
            if known["component"] in walls:
                drop *= fluid
            yield from differs(f"drop of {part.name} in {row.name}", part.drop_pa, drop, 0.03)


def routes_of_the_loops(found: Design) -> Iterator[str]:
    """There and back: mains along the plant, branches to units; flow of a branch of duty units."""
    plan, cooling = found.cooling.chain.hydraulics, found.cooling
    crah, doors = cooling.crah, 0
    if cooling.chain.crah.path.door is not None:
        doors = sum(rack.count for rack in cooling.chain.racks if rack.air_w > 0.0)
    on = crah.duty + crah.electrical_duty + doors
    there = crah.installed + crah.electrical_installed + doors
    cdus = cooling.cdus
    dry = cooling.water is not None and cooling.water.plan.source == "dry_cooler"
    for row in found.hydraulics.loops:
        if row.name == "tcs":
            continue
        mains = row.main
        length = 2.0 * plan.plant_route_m
        if row.name == "fws" and dry:
            length += 2.0 * plan.rejection_route_m
        if row.name in ("cw", "fws_tower"):
            length = 2.0 * plan.rejection_route_m
        yield from differs(f"mains of {row.name}", mains.length_m, length)
        yield from differs(f"flow of the mains of {row.name}", mains.flow_m3_s, row.flow_m3_s)
        for branch in row.stretches[1:]:
            units, places = (on, there) if row.name == "chw" else (
                max(cdus.on_duty, 1), cdus.installed) if cdus else (1, 1)  # fmt: skip
            yield from differs(f"branch of {row.name}", branch.length_m, 2.0 * plan.branch_m)
            yield from differs(f"flow of a branch of {row.name}", branch.flow_m3_s,
                               row.flow_m3_s / max(units, 1))  # fmt: skip
            yield from differs(f"branches of {row.name}", branch.places, max(places, 1))


# --- loads and racks --------------------------------------------------------------------------


def held_as_built(found: Design) -> Iterator[str]:
    """What was built, under the inputs that it was built for, is what was built."""
    again = with_inputs(found.cooling, found.cooling.chain, found.facility.site.design)
    yield from _apart("as built", found.cooling, again)


_UNEQUAL = ("checks", "counts", "trace")


def _apart(name: str, here: Any, there: Any) -> Iterator[str]:
    if dataclasses.is_dataclass(here) and type(here) is type(there):
        for field in dataclasses.fields(here):
            if field.name not in _UNEQUAL:
                yield from _apart(f"{name}.{field.name}", getattr(here, field.name),
                                  getattr(there, field.name))  # fmt: skip
    elif isinstance(here, tuple) and isinstance(there, tuple) and len(here) == len(there):
        for n, (one, other) in enumerate(zip(here, there, strict=True)):
            yield from _apart(f"{name}[{n}]", one, other)
    elif isinstance(here, float) and isinstance(there, (float, int)):
        if math.isfinite(here) or math.isfinite(there):
            yield from differs(name, float(there), here, 1e-3)
    elif (here is None) != (there is None):
        yield f"{name}: {there!r}, built {here!r}"


def _at_full_speed(found: Design, rack: Any) -> Iterator[str]:
    """Servers of one kind: the flow at their maximum power, and the reserve of their fans."""
    (placed,) = (kind.placed for kind in found.facility.it.racks if kind.name == rack.name)
    if len(placed) > 1 or "cooling.server_airflow_reserve" not in found.trace:
        return
    load = min(placed[0].input_w / placed[0].device.maximum_w, 1.0)
    most = rack.sea_level_m3_s / load * found.trace.value("cooling.server_airflow_reserve")
    yield from differs(f"full speed of {rack.name}", rack.max_m3_s, most)


def racks_in_air(found: Design) -> Iterator[str]:
    """Air of each kind of rack: what it takes in, what is supplied for it, its inlets."""
    chain = found.cooling.chain
    plan = chain.crah
    volume, specific, _density = _moist(found)
    r = {k: float(v.si) for k, v in found.room_air.results.items() if _number(v.si)}
    racks = [rack for rack in chain.racks if rack.air_w > 0.0]
    flows = []
    for number, rack in enumerate(racks, 1):
        at, rise = f"air.rack.{number}", rack.rise_k
        air = rack.air_w * volume / (specific * rise)
        flows.append(rack.count * air)
        yield from differs(f"{at}.airflow", r[f"{at}.airflow"], air, NEAR)
        yield from _at_full_speed(found, rack)
        if plan.path.door is not None:
            stood = plan.supply_air_c + plan.path.room_rise_k
            yield from differs(f"{at}.inlet", r[f"{at}.inlet"], stood)
            continue
        supplied = air * (1.0 - plan.recirculation) / (1.0 - plan.bypass)
        yield from differs(f"{at}.supply", r[f"{at}.supply"], supplied, NEAR)
        for suffix, leak in (("", plan.recirculation), ("_worst", plan.worst_recirculation)):
            wanted = plan.supply_air_c + leak / (1.0 - leak) * rise
            yield from differs(f"{at}.inlet{suffix}", r[f"{at}.inlet{suffix}"], wanted)
        room = plan.path.room
        if f"{at}.tiles" in r:
            # Idelchik: an opening of a share f in a thin plate.
            wanted = supplied / r["air.tile.airflow"]
            yield from differs(f"{at}.tiles", r[f"{at}.tiles"], wanted, NEAR)
            hall = next(h for h in found.facility.it.halls if h.name == rack.hall)
            front = hall.rack_pitch_m * room.tile_depth_m / room.tile_area_m2
            yield from differs(f"{at}.tiles_in_front", r[f"{at}.tiles_in_front"], front)
    if racks and "air.server.flow" in r:
        whole = sum(rack.count * rack.air_w for rack in racks)
        yield from differs("air.server.flow", r["air.server.flow"],
                           sum(rack.count * rack.airflow_m3_s for rack in racks))  # fmt: skip
        mean = whole * volume / (specific * r["air.server.flow"])
        yield from differs("air.server.rise", r["air.server.rise"], mean, NEAR)
        slow = sum(rack.count * rack.sea_level_m3_s for rack in racks)
        yield from differs(
            "air.server.flow_constant_speed", r["air.server.flow_constant_speed"], slow
        )
        low_volume = volume * found.facility.site.pressure_pa / 101325.0
        thin = low_volume / volume
        extra = sum(
            rack.count * rack.fans_w * ((rack.airflow_m3_s / rack.sea_level_m3_s) ** 3 * thin - 1.0)
            for rack in racks
        )
        shown = r["air.server.fan_power_extra"]
        if abs(shown - extra) > 0.03 * abs(extra) + 0.01 * sum(k.count * k.fans_w for k in racks):
            yield f"air.server.fan_power_extra: {shown!r}, by hand {extra!r}"
        here = [c for c in found.room_air.checks if c.rule == "AIR-SERVER-ALTITUDE"]
        most = max(rack.sea_level_m3_s / rack.max_m3_s for rack in racks)
        for check in here:
            worst = next(k for k in racks if check.subject == f"servers of rack {k.name}")
            if worst.sea_level_m3_s / worst.max_m3_s < most * (1.0 - 1e-6):
                yield f"AIR-SERVER-ALTITUDE: {worst.name} is not the worst rack"
            wanted = worst.sea_level_m3_s / thin
            yield from differs("AIR-SERVER-ALTITUDE", check.value or 0.0, wanted, 0.01)
            yield from differs("AIR-SERVER-ALTITUDE limit", check.limit or 0.0, worst.max_m3_s)


def rises_of_servers(found: Design) -> Iterator[str]:
    """Air of a device by its sheet at sea level; at altitude the fans speed up to their reserve."""
    volume, specific, _ = _moist(found)
    pressure = found.facility.site.pressure_pa
    if found.project.cooling.server_delta_t is not None:
        return
    listed = {rack.name: rack for rack in found.facility.it.racks}
    air_only = found.facility.cooling.liquid is None
    thin = 101325.0 / pressure
    reserve = found.trace.value("cooling.server_airflow_reserve")
    fan = found.trace.value("cooling.server_fan_power")
    for rack in found.facility.cooling.racks:
        heat = flow = sea = fans = most = 0.0
        known = True
        for placed in listed[rack.name].placed:
            device, x = placed.device, min(placed.input_w / placed.device.maximum_w, 1.0)
            part = 1.0 if air_only else 1.0 - device.liquid_fraction
            watts = placed.count * placed.input_w * part
            if watts <= 0.0:
                continue
            known &= device.airflow_m3_s is not None and not _guided(device.model)
            if not known:
                break
            drawn = placed.count * x * device.airflow_m3_s
            rise = device.maximum_w * part / device.airflow_m3_s * volume / thin / specific
            rise *= max(1.0, x * thin / reserve)
            heat, flow = heat + watts, flow + watts / rise
            sea, fans = sea + drawn, fans + fan * drawn * x**2
            most += placed.count * device.airflow_m3_s * reserve
        if known and heat > 0.0:
            yield from differs(f"rise of {rack.name}", rack.rise_k, heat / flow, 0.01)
            yield from differs(f"air of {rack.name} at sea level", rack.sea_level_m3_s, sea, 0.01)
            yield from differs(f"most air of {rack.name}", rack.max_m3_s, most, 0.01)
            yield from differs(f"server fans of {rack.name}", rack.fans_w, fans, 0.01)


def _guided(model: str) -> bool:
    with (REFERENCE / "equipment/design_guide.csv").open(encoding="utf-8") as file:
        return any(
            r["system"] == model and r["facility_airflow_cfm_per_kw"] for r in csv.DictReader(file)
        )


def doors_at_work(found: Design) -> Iterator[str]:
    """A door takes the heat of its rack and fan, or what its coil can at the rise of the water."""
    chain = found.cooling.chain
    unit, plan = chain.crah.path.door, chain.crah
    if unit is None:
        return
    volume, specific, density = _moist(found)
    taken = fans = behind = 0.0
    whole = sum(r.count * r.air_w for r in chain.racks)
    part_load = found.point.heat.air_it_w / whole
    inlet = plan.supply_air_c + plan.path.room_rise_k
    for n, rack in enumerate((r for r in chain.racks if r.air_w > 0.0), 1):
        load = rack.air_w * part_load
        air = load * volume / (specific * rack.rise_k)
        fan = 0.0
        if unit.fan_w:
            part = max(air / unit.air_flow_m3_s, plan.factors["least_fan_flow"])
            fan = unit.fan_w * _curve(plan.fan_curve, part) * density / unit.air_density_kg_m3
        key = f"air.door.{n}.capacity"
        most = float(found.room_air.results[key].si) if key in found.room_air.results else math.inf
        yield from _capacity(found, rack, load, inlet + rack.rise_k, most)
        taken += rack.count * min(most, load + fan)
        fans += rack.count * fan
        behind = max(behind, (load + fan - min(most, load + fan)) * rack.rise_k / load)
    yield from differs("heat of the doors", found.cooling_flow.doors_w, taken, NEAR)
    worst = found.cooling_flow.inlet_worst_c
    yield from differs("inlet behind the worst door", worst, inlet + behind, NEAR)
    if "doors.fan_power" in found.trace:
        yield from differs("fans of the doors", found.trace.value("doors.fan_power"), fans, NEAR)


def _capacity(found: Design, rack: Any, load: float, exhaust: float, most: float) -> Iterator[str]:
    """At the capacity of a door its coil gives the heat that its water carries at its rise."""
    if not math.isfinite(most):
        return
    from facility.cooling.air.crah import crah_coil

    chain = found.cooling.chain
    assert chain.crah.path.door is not None
    coil = crah_coil(chain.crah.path.door, chain.crah.film_ratio, chain.crah.water_film)
    air, water = load / rack.rise_k, most / chain.chilled_water.rise_k
    if water <= 0.0:
        return
    gives = conducted(coil, air, water) * (exhaust - chain.chilled_water.supply_c)
    if water < coil.second_w_k * (1.0 - 1e-6):
        yield from differs(f"capacity of the door of {rack.name}", most, gives, 1e-3)
    elif gives < most * (1.0 - 1e-3):
        yield f"capacity of the door of {rack.name}: {most!r}, the coil gives {gives!r}"


SIZED: tuple[Callable[[Design], Iterator[str]], ...] = (
    exchangers_at_their_rating,
    air_handlers,
    coolant_units,
    checks_of_the_design,
    pipes_laid_out,
    drops_of_components,
    routes_of_the_loops,
    held_as_built,
    racks_in_air,
    rises_of_servers,
    doors_at_work,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every size that the second calculation does not find."""
    for one in SIZED:
        yield from (f"{one.__name__}: {words}" for words in one(found))
