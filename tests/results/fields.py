"""A second calculation of what fields left open come to: supply air, dew point, water, rooms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import psychrolib

from facility.study.design.design import Design
from tests.results.second import _coil_air, _tower_water, _york, differs

STEP = 0.0051
"""Temperatures are given in tenths, or by halving."""
RECOMMENDED = {"dew": 15.0, "humidity": 0.70, "cold": 18.0, "warm": 27.0}
"""ASHRAE TC 9.9, classes A1 to A4, 2021: reference/cooling/ashrae_air_classes.csv."""


def _tenths(value: float) -> float:
    return math.floor(10.0 * value + 1e-9) / 10.0


def _devices(found: Design) -> list[Any]:
    return [placed.device for rack in found.facility.it.racks for placed in rack.placed]


def supply_air(found: Design) -> Iterator[str]:
    """Open supply air: that of the rating; colder for a class, warmer above stated water."""
    cooling, section = found.facility.cooling, found.project.cooling
    plan, criteria = cooling.crah, found.facility.criteria
    if section.supply_air is not None or criteria.air_class == "H1":
        return
    unit, refrigerant = plan.path.electrical_unit, plan.path.refrigerant
    rise = unit.net_sensible_w / unit.air_w_k
    rated = round(unit.return_air_c - rise, 1)
    plant = section.plant
    water = plant.chilled_water_supply if plant is not None else None
    thin = 101325.0 / found.facility.site.pressure_pa
    reserve = found.trace.value("cooling.server_airflow_reserve")
    if plan.path.door is not None:
        worst, lost = plan.path.room_rise_k, 1.5
    else:
        leak = plan.worst_recirculation
        worst, lost = 19.2 * max(1.0, thin / reserve) * leak / (1.0 - leak), 0.2
    coldest = RECOMMENDED["cold"]
    coil = None
    if refrigerant is not None:
        coil = unit.water_in_c
    elif water is not None:
        coil = water.si
    if coil is not None:
        coldest = max(coldest, min(rated, coil + 0.6 * (rated - unit.water_in_c)))
    devices = _devices(found)
    warm = [d.inlet_max_c for d in devices if d.inlet_max_c]
    allowed = min([criteria.air_allowable_max_c, *warm])
    highest = allowed - lost
    if RECOMMENDED["warm"] < rated:
        highest = min(highest, RECOMMENDED["warm"])
    supply = rated
    if highest - worst < rated:
        supply = max(_tenths(highest - worst), coldest)
    elif water is not None and water.si > unit.water_in_c and plan.path.door is None:
        most = max(rated, _tenths(RECOMMENDED["warm"] - worst))
        supply = min(rated + water.si - unit.water_in_c, most)
        if supply < water.si + 3.0:
            supply = min(water.si + 3.0, max(supply, _tenths(allowed - worst)))
    most = _tenths(min(warm) - worst - lost) if warm else math.inf
    most = max(most, min(supply, coldest))
    least = max((d.inlet_min_c for d in devices if d.inlet_min_c is not None), default=supply)
    wanted = min(max(supply, least), most)
    if abs(plan.supply_air_c - wanted) > STEP + 0.1 * (plan.path.door is None and thin > 1.0):
        yield f"supply air: {plan.supply_air_c!r}, by hand {wanted!r}"


def dew_point(found: Design) -> Iterator[str]:
    """The dampest recommended: 15 degC, or 70 % of the supply air."""
    if found.project.cooling.room_dew_point is not None:
        return
    if found.facility.criteria.air_class == "H1":
        return
    psychrolib.SetUnitSystem(psychrolib.SI)
    supply = found.cooling.chain.crah.supply_air_c
    dew = psychrolib.GetTDewPointFromRelHum(supply, RECOMMENDED["humidity"])
    wanted = min(RECOMMENDED["dew"], _tenths(dew))
    if abs(found.cooling.chain.room_dew_point_c - wanted) > 0.101 * (wanted != 15.0) + 1e-9:
        yield f"room dew point: {found.cooling.chain.room_dew_point_c!r}, by hand {wanted!r}"


def facility_water(found: Design) -> Iterator[str]:
    """Dry coolers where 3 K are left, else towers, else chilled water behind them, or alone.

    The range of tower water: that of the facility water, or smaller where that holds the supply.
    """
    cooling, site = found.facility.cooling, found.facility.site
    water, section = cooling.facility_water, found.project.cooling.facility_water
    design = found.cooling.water
    if water is None or design is None:
        return
    source = section.source if section is not None else None
    given = section.rejection if section is not None else None
    ratio = _tower_water(given.tower if given is not None else None)
    warmer, wanted = cooling.recirculation_k, water.supply_c
    behind = water.exchanger_approach_k
    if behind <= 0.0:
        return

    def made(weather: Any, range_k: float) -> float:
        wet = weather.wet_bulb_c + warmer
        return wet + _york(wet, range_k, ratio) + behind

    range_k = design.rise_k * (design.design_w + design.pump.power_w) / design.design_w
    tower = min(water.tower_range_k, range_k)
    whole, best = made(site.design, range_k), made(site.design, 5.5556)
    if section is None or section.tower_range is None:
        if whole <= wanted - 0.05 and abs(tower - range_k) > 0.06 * range_k:
            yield f"range of the towers: {tower!r} of {range_k!r}, {whole!r} for {wanted!r}"
        elif best < wanted < whole - 0.05 and tower < range_k * 0.98:
            # In tenths: the largest range with which towers hold the supply.
            if made(site.design, tower) > wanted + 0.02:
                yield f"range of the towers: {tower!r} K misses {wanted!r} degC"
            elif made(site.design, tower + 0.1) < wanted - 0.02:
                yield f"range of the towers: {tower!r} K, a larger one holds {wanted!r} degC"
    if source is not None:
        return
    air = _coil_air(cooling.facility_water.sink.pads if water.sink is not None else None,
                    site.design, warmer)  # fmt: skip
    held = made(site.design, tower)
    if air + 3.0 <= wanted - 0.05:
        kind, trim = "dry_cooler", False
    elif held <= wanted - 0.02:
        kind, trim = "tower", False
    elif (
        held <= wanted + 0.05
        or air + 3.0 <= wanted + 0.05
        or cooling.chilled_water.direct
        or site.mean is None
    ):
        return
    elif made(site.mean, 0.5 * tower) <= wanted + 0.5 * range_k:
        kind, trim = "tower", True
    else:
        kind, trim = "chilled_water", False
    if (water.source, water.trim) != (kind, trim):
        yield f"source: {water.source}, trim {water.trim}; by hand {kind}, {trim}"


def pads_in_fans(found: Design) -> Iterator[str]:
    """Fans of dry coolers behind pads: V dp / eta more than those of the catalogue row."""
    cooling = found.facility.cooling
    plant = found.project.cooling.plant
    sinks = [(cooling.chilled_water.sink, plant.rejection if plant is not None else None)]
    water, asked = cooling.facility_water, found.project.cooling.facility_water
    if water is not None and water.sink is not None:
        sinks.append((water.sink, asked.rejection if asked is not None else None))
    for sink, section in sinks:
        if sink.kind != "dry_cooler" or section is None or section.dry_cooler is not None:
            continue
        with_ = sink.pads is not None
        row = _cooler(sink.unit.model)
        if row is None:
            continue
        fan = 1e3 * float(row["fan_kw"]) if row.get("fan_kw") else None
        if fan is None:
            continue
        drop = section.pad_drop.si if section.pad_drop is not None else 25.0
        air = sink.unit.heat_w / (sink.unit.fluid_in_c - sink.unit.fluid_out_c)
        more = air / (1.2 * 1006.0) * drop / 0.5 if with_ else 0.0
        ratio = (sink.unit.fan_w - fan) / max(more, 1.0)
        if with_ and not 0.5 < ratio < 2.0:
            yield f"fans behind pads: {sink.unit.fan_w!r} W, {fan!r} W without, {more!r} W of pads"


def _cooler(model: str) -> dict[str, str] | None:
    import csv

    from tests.results.second import REFERENCE

    with (REFERENCE / "equipment/towers_drycoolers.csv").open(encoding="utf-8") as file:
        return next((r for r in csv.DictReader(file) if r.get("model") == model), None)


def racks_and_rooms(found: Design) -> Iterator[str]:
    """Shares of the halls; heat estimated for the chilled water; leaks of the containment."""
    cooling, section = found.facility.cooling, found.project.cooling
    plan = cooling.crah
    doors = plan.path.door is not None
    leaks = {"none": (0.50, 0.10), "hot-aisle": (0.075, 0.02), "cold-aisle": (0.075, 0.02)}
    bypass, mixed = leaks[plan.containment]
    if plan.path.room.supply != "raised-floor" and section.bypass is None:
        yield from differs("bypass", plan.bypass, 0.075 if doors else bypass)
    if section.recirculation is None and section.air is None:
        yield from differs("recirculation", plan.recirculation, mixed)
    if section.worst_recirculation is None:
        worst = min(2.0 * plan.recirculation, 0.95)
        yield from differs("worst recirculation", plan.worst_recirculation, worst)
    yield from differs("shares of the halls", sum(part for _, part in plan.halls), 1.0)
    yield from differs("shares of the groups", sum(part for _, part in plan.path.groups), 1.0)
    volume = found.facility.site.pressure_pa
    for rack in cooling.racks:
        if rack.air_w > 0.0:
            yield from differs(f"standard air of {rack.name}", rack.standard_m3_s,
                               rack.airflow_m3_s * volume / 101325.0, 0.01)  # fmt: skip


FIELDS: tuple[Callable[[Design], Iterator[str]], ...] = (
    supply_air,
    dew_point,
    facility_water,
    pads_in_fans,
    racks_and_rooms,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every field left open that the second calculation does not find."""
    for one in FIELDS:
        yield from (f"{one.__name__}: {words}" for words in one(found))
