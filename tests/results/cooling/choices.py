"""Machines chosen where the project states none, worked once more from the tables of the catalogue.

The chiller: the smallest published machine that carries its share of the estimated heat. CDUs: how
many of each row by flow, rated heat and approach, and which of them its number or place leaves.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from facility.cooling.parts.cdu import exchanger_of
from facility.model.cooling.units import CduUnit
from facility.study.design.design import Design
from facility.study.resolve.cooling.cdu_choice import _duty, _plate_flow, fitting_cdus
from tests.results.exchange import conducted
from tests.results.second import REFERENCE, _curve, _row, differs

AHRI_SPAN_K = 35.0 - 6.67
WATER_COOLED = (  # Curve sets whose reference is 44 and 85 degF
    "Trane CGWD 207kW/3.99COP/None",
    "Trane RTWA 383kW/4.17COP/Valve",
    "York YS 781kW/5.42COP/Valve",
    "York YT 1055kW/5.96COP/Vanes",
)
LARGEST_KW = {True: 1609.4, False: 2464.0}
"""30XA500, air-cooled; WSC100M, water-cooled."""


@cache
def _rows(table: str) -> tuple[dict[str, str], ...]:
    with (REFERENCE / "equipment" / table).open(encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


# --- chillers ---------------------------------------------------------------------------------


def _in_hot_air(row: dict[str, str], air_c: float) -> float | None:
    """Capacity in hot air over that at 35 degC, at the warmest water of the set; None beyond it."""
    if not row["curve"]:
        return None
    one = _row("chillers_eir.csv", row["curve"])
    if air_c > float(one["y_max_c"]):
        return None
    x = float(one["x_max_c"])

    def surface(y: float) -> float:
        c = [float(one[f"capft_{term}"]) for term in ("1", "x", "x2", "y", "y2", "xy")]
        return c[0] + c[1] * x + c[2] * x**2 + c[3] * y + c[4] * y**2 + c[5] * x * y

    return min(surface(max(air_c, 35.0)) / surface(35.0), 1.0)


def default_chiller(found: Design) -> Iterator[str]:
    """The smallest machine that carries its share; of those published for it in hot air."""
    cooling, section = found.facility.cooling, found.project.cooling
    plan, water = cooling.chilled_water, cooling.facility_water
    stated = section.plant.chiller if section.plant is not None else None
    on_water = water is not None and (water.trim or water.source == "chilled_water")
    if plan.direct or on_water or (stated is not None and stated.model is not None):
        return
    it, criteria = found.facility.it, found.facility.criteria
    heat_kw = sum(rack.count * rack.air_w for rack in cooling.racks) / 1e3
    heat_kw *= cooling.crah.sizing_factor * 1.1
    heat_kw *= it.demand_factor * it.diversity * (1.0 + criteria.growth)
    air = plan.sink.kind == "air_cooled"
    most_kw = LARGEST_KW[air]
    if "cooling.plant.chiller.largest" in found.trace:
        most_kw = found.trace.value("cooling.plant.chiller.largest") / 1e3
    each = heat_kw / max(math.ceil(heat_kw / most_kw - 1e-9), 1)
    by_curves = stated is not None and stated.performance == "curves"
    outdoor_c = found.facility.site.design.dry_bulb_c + cooling.recirculation_k
    machines = [row for row in _rows("chillers.csv") if row["type"] == "air-cooled"]
    rows: list[tuple[float, str]] = []
    if air and outdoor_c - plan.supply_c > AHRI_SPAN_K:
        for row in machines:
            ratio = _in_hot_air(row, outdoor_c)
            if ratio is not None:
                rows.append((float(row["capacity_kw"]) * ratio, row["model"]))
    if air and not rows:
        rows = [
            (float(row["capacity_kw"]), row["model"])
            for row in machines
            if (row["curve"] if by_curves else row["source"] == "energyplus-air-cooled-chillers")
        ]
    elif not air:
        rows = [(float(_row("chillers_eir.csv", n)["cap_ref_kw"]), n) for n in WATER_COOLED]
    enough = sorted(row for row in rows if row[0] >= each) or [max(rows)]
    if plan.chiller.model != enough[0][1]:
        yield f"chiller: {plan.chiller.model}, by hand {enough[0][1]} for {each:.1f} kW each"


# --- CDUs -------------------------------------------------------------------------------------


def _needed(found: Design, unit: CduUnit, share: float, heat_share: float) -> tuple[int, int, int]:
    """CDUs by flow of both loops, by the approach, by the rated heat, for a share of the loop."""
    cdus, water = found.cooling.cdus, found.cooling.water
    assert cdus is not None
    assert water is not None
    flow, heat = share * cdus.tcs_flow_m3_s, heat_share * cdus.design_w
    box = exchanger_of(replace(cdus.plan, unit=unit), water.plan)
    tcs = flow * cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk
    per_m3 = cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk
    fws_flow = flow * unit.fws_flow_m3_s / unit.tcs_flow_m3_s
    if water.plan.rise_k is not None:
        fws_flow = heat / (per_m3 * water.plan.rise_k)
    available = cdus.plan.tcs_supply_c - water.plan.supply_c

    def approach(n: int) -> float:
        part = min(flow / (n * unit.tcs_flow_m3_s), 1.0)
        whole = heat + n * unit.pump_w * _curve(cdus.plan.pump_curve, part)
        each = conducted(box, tcs / n, per_m3 * fws_flow / n)
        return whole / (n * each) - whole / tcs

    by_flow = max(math.ceil(flow / unit.tcs_flow_m3_s - 1e-9), 1)
    units = max(by_flow, math.ceil(fws_flow / unit.fws_flow_m3_s - 1e-9))
    while approach(units) > available + 1e-6 and units < 16 * by_flow:
        units += 1
    return by_flow, units, max(math.ceil(heat / unit.capacity_w - 1e-9), 1)


def _spares(found: Design, duty: int) -> int:
    spares = found.cooling.cdus.plan.spares  # type: ignore[union-attr]
    return 2 * duty if spares.doubled else duty + spares.spare


def cdus_for_the_loop(found: Design) -> Iterator[str]:
    """Rows that lack nothing: their numbers, spares and pumps; the fewest first."""
    cdus, liquid = found.cooling.cdus, found.cooling.chain.liquid
    if cdus is None or liquid is None or cdus.plan.spares.of_board:
        return
    table = {row["model"]: row for row in _rows("cdu.csv")}
    units = {one.model: one.unit for one in liquid.candidates}
    options = found.liquid_path.cdus
    for option in options:
        row = table.get(option.model)
        if row is None:
            continue
        known = all(row[c] for c in ("capacity_kw", "atd_k", "secondary_flow_l_min",
                                     "external_head_kpa"))  # fmt: skip
        fits = not liquid.mount or row["mount"] == liquid.mount
        able = known and fits and row["rejects_to"] == "water"
        if option.suits and not able:
            yield f"{option.model} suits, but its row does not"
        if able and not option.suits and option.limit not in ("head", "approach", "supply range"):
            yield f"{option.model} does not suit: {option.limit}"
        unit = units.get(option.model)
        if not option.suits or unit is None:
            continue
        if row["mount"] == "in-rack":
            heat = sum(rack.count * rack.liquid_w for rack in liquid.racks)
            flow = sum(rack.count * rack.flow_m3_s for rack in liquid.racks)
            each = [
                (rack.count, max(_needed(found, unit, rack.flow_m3_s / flow, rack.liquid_w / heat)))
                for rack in liquid.racks
            ]
        else:
            each = [(1, max(_needed(found, unit, 1.0, 1.0)))]
        duty = sum(count * n for count, n in each)
        installed = sum(count * _spares(found, n) for count, n in each)
        if (option.duty, option.installed) != (duty, installed):
            yield f"{option.model}: {option.duty}, {option.installed}; by hand {duty}, {installed}"
        yield from differs(f"pumps of {option.model}", option.pump_w or 0.0,
                           installed * unit.pump_w)  # fmt: skip
    order = [(o.installed, round(o.pump_w or 0.0, 6), o.model) for o in options if o.suits]
    if order != sorted(order):
        yield f"order of the CDUs: {order}"
    in_rows = [o.model for o in options if o.suits and not o.mount.startswith("in-rack")]
    chain, facility = found.cooling.chain, found.facility
    if sorted(fitting_cdus(chain, facility.it, facility.criteria)) != sorted(in_rows):
        yield f"CDUs to choose from: {in_rows}"


def duty_of_the_choice(found: Design) -> Iterator[str]:
    """Heat, flow and head that CDUs are chosen for are those that the design has."""
    cdus, water, liquid = found.cooling.cdus, found.cooling.water, found.cooling.chain.liquid
    if cdus is None or water is None or liquid is None:
        return
    facility, pipes = found.facility, found.cooling.chain.hydraulics
    it, criteria = facility.it, facility.criteria
    asked = _duty(liquid, it, criteria, pipes, cdus.plan, water.plan)
    yield from differs("heat of the CDUs chosen", asked.heat_w, cdus.design_w, 1e-4)
    yield from differs("coolant of the CDUs chosen", asked.flow_m3_s, cdus.tcs_flow_m3_s, 1e-6)
    loop = found.hydraulics.loop("tcs")
    own = liquid.own(cdus.plan.unit)
    if loop is not None and own is not None and own.mount in asked.heads_pa:
        head = loop.head_pa * (1.0 + liquid.head_margin)
        yield from differs("head of the CDUs chosen", asked.heads_pa[own.mount], head, 0.02)
    if cdus.plan.count is None:
        part = cdus.plan.tcs_flow_m3_s / (cdus.installed * cdus.plan.unit.tcs_flow_m3_s)
        found_part = _plate_flow((cdus.plan, water.plan), it, criteria)
        yield from differs("flow of the plates", found_part, part, 1e-6)


def cdus_stated(found: Design) -> Iterator[str]:
    """Of a number stated: the row of which most are needed; of a place: the fewest of it.

    Where no row does it, the usual one, larger by the least twentieth with which the number does.
    """
    section, cdus, liquid = (
        found.project.cooling.cdu,
        found.cooling.cdus,
        found.cooling.chain.liquid,
    )
    if cdus is None or liquid is None:
        return
    count = section.count if section is not None else None
    if section is not None and (section.model is not None or section.rating is not None):
        return
    suiting = [one for one in found.liquid_path.cdus if one.suits]
    unit = cdus.plan.unit
    if count is None:
        if liquid.mount and suiting and unit.model != suiting[0].model:
            yield f"CDU: {unit.model}, by hand {suiting[0].model}"
        return
    assert section is not None
    able = [one for one in suiting if one.duty <= count and one.model in _models()]
    spared = [one for one in able if one.duty + 1 <= count]
    pool: list[Any] = able if section.redundancy is None else [
        one for one in able if one.installed <= count
    ]  # fmt: skip
    racks = sum(rack.count for rack in liquid.racks)
    inside = [one for one in pool if one.mount == "in-rack"]
    if count % racks == 0 and inside:
        pool = inside
    if pool:
        best = max(pool, key=lambda one: (one in spared, one.duty, -(one.pump_w or 0.0)))
        if unit.model != best.model:
            yield f"CDU for {count}: {unit.model}, by hand {best.model}"
        if section.redundancy is None and cdus.plan.spares.spare != int(best in spared):
            yield f"spare CDUs of {count}: {cdus.plan.spares.spare}, {best.duty} needed"
        return
    usual = next(row for row in _rows("cdu.csv") if unit.model.endswith(row["model"]))
    size = unit.capacity_w / (1e3 * float(usual["capacity_kw"]))
    own = float(usual["secondary_flow_l_min"]) / 60e3
    yield from differs("flow of larger CDUs", unit.tcs_flow_m3_s, size * own)
    yield from differs("steps of larger CDUs", 20.0 * size, round(20.0 * size), 1e-9)
    left = count - cdus.plan.spares.spare
    for steps, enough in ((round(20.0 * size), True), (round(20.0 * size) - 1, False)):
        one = _larger(unit, steps / 20.0 / size)
        if size > 1.0 and (max(_needed(found, one, 1.0, 1.0)) <= left) != enough:
            yield f"CDUs {steps / 20.0:g} times as large: {left} suffice is not {enough}"


def _larger(unit: CduUnit, times: float) -> CduUnit:
    return replace(unit, capacity_w=times * unit.capacity_w, pump_w=times * unit.pump_w,
                   tcs_flow_m3_s=times * unit.tcs_flow_m3_s,
                   fws_flow_m3_s=times * unit.fws_flow_m3_s)  # fmt: skip


@cache
def _models() -> frozenset[str]:
    return frozenset(row["model"] for row in _rows("cdu.csv"))


CHOICES: tuple[Callable[[Design], Iterator[str]], ...] = (
    default_chiller,
    cdus_for_the_loop,
    duty_of_the_choice,
    cdus_stated,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every choice that the second calculation does not make."""
    for one in CHOICES:
        yield from (f"{one.__name__}: {words}" for words in one(found))
