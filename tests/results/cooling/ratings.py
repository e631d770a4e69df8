"""Machines at other conditions than those of their rating, worked once more.

Glycol in chillers and coils, tower cells from their rating, fans of coolers behind pads. Film
coefficients are those of Dittus and Boelter, coils by the effectiveness of crossflow.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from facility.cooling.air.crah import crah_coil
from facility.cooling.hydraulics.study import _against_frost, _authority
from facility.cooling.loops.layout import chilled_water_loop, rejection_loop
from facility.cooling.plant.pads import coldest_air, design_air
from facility.cooling.plant.site_air import chillers_at_altitude
from facility.cooling.rules import RULES
from facility.core.check import Outcome
from facility.core.trace import Trace
from facility.model.inputs.cooling.machines import ChillerSection, RejectionSection
from facility.model.inputs.cooling.ratings import TowerRatingSection
from facility.study.design.design import Design
from facility.study.resolve.cooling.parts import known_fluid
from facility.study.resolve.cooling.plant_options import usual_rise, with_glycol
from facility.study.resolve.cooling.sink import _approach, _dry_cooler, _tower, _with_pad_drop
from facility.study.resolve.cooling.sink import _film as film_of_coolers
from facility.study.resolve.reader import Reader
from tests.results.exchange import conducted
from tests.results.second import REFERENCE, _film, differs

_LOSS_PER_K = 0.026
"""Capacity of a chiller per kelvin of a colder evaporator: JCI guide 150.26-EG1."""
_FAN_AND_MOTOR = 0.55
"""Efficiency of the fans of coolers, which the design assumes and tells."""
FLUIDS = ("PG25", "PG60")
_WALLS = ("chiller, evaporator", "chiller, condenser", "cooling coil", "plate exchanger")


def glycol_in_the_plant(found: Design) -> Iterator[str]:
    """Half of the resistance is the film: a colder evaporator, and a warmer condenser."""
    chain, water = found.facility.cooling, known_fluid("water")
    for name in FLUIDS:
        fluid = known_fluid(name)
        for kind, capacity_w in (("tower", None), ("dry_cooler", 4e5)):
            sink = replace(chain.chilled_water.sink, kind=kind, fluid=fluid)  # type: ignore[arg-type]
            chiller = replace(chain.chilled_water.chiller, curves=None, capacity_w=capacity_w)
            plan = replace(chain.chilled_water, fluid=fluid, sink=sink, chiller=chiller)
            after, crah = with_glycol(plan, chain.crah, None, Trace())
            film = _film(fluid, water, plan.supply_c + 0.5 * plan.rise_k)
            colder = 0.5 * chiller.evaporator_approach_k * (1.0 / film - 1.0)
            warmer, mean = 0.0, 0.5 * (sink.unit.fluid_in_c + sink.unit.fluid_out_c)
            if kind == "dry_cooler":
                there = _film(fluid, water, mean)
                warmer = 0.5 * chiller.condenser_approach_k * (1.0 / there - 1.0)
            one, less = after.chiller, math.exp(-_LOSS_PER_K * colder)
            at = f"{name}, {kind}"
            for what, shown, wanted in (
                ("film", crah.water_film, film),
                ("evaporator", one.evaporator_approach_k, chiller.evaporator_approach_k + colder),
                ("condenser", one.condenser_approach_k, chiller.condenser_approach_k + warmer),
                ("glycol", one.glycol_k, colder),
                ("altitude", one.altitude_k, chiller.altitude_k + warmer),
                ("largest", one.largest_w, chiller.largest_w * less),
                ("capacity", one.capacity_w or 0.0, (capacity_w or 0.0) * less),
            ):
                yield from differs(f"{what} with {at}", shown, wanted, 1e-6)
            stated = ChillerSection.model_validate({"capacity": "400 kW"})
            kept, _ = with_glycol(plan, chain.crah, stated, Trace())
            yield from differs(f"stated with {at}", kept.chiller.largest_w, chiller.largest_w)
        yield from _rise(chain.crah, fluid)
    same, _ = with_glycol(replace(chain.chilled_water, fluid=water), chain.crah, None, Trace())
    yield from differs("largest with water", same.chiller.largest_w,
                       chain.chilled_water.chiller.largest_w)  # fmt: skip


def _authority_told(row: Any, drops: dict[str, float]) -> Iterator[str]:
    """Authority of the valve over coil and branch; the drop told gives it a quarter."""
    if "control valve" not in drops:
        if list(_authority(row)):
            yield f"authority of {row.name} without a valve"
        return
    (check,) = _authority(row)
    valve, branch = drops["control valve"], row.flows[-1]
    rest = drops["cooling coil"] + branch.straight_pa + branch.fittings_pa
    yield from differs("authority", check.value or 0.0, valve / (valve + rest), 1e-9)
    told = float(check.why.partition("recommended valve drop: ")[2].split()[0])
    yield from differs("valve drop told [kPa]", told, rest / 3.0 / 1e3, 0.02)


def frost() -> Iterator[str]:
    """The 20-year minimum decides; without it the coldest hour can only prove freezing."""
    row: Any = SimpleNamespace(fluid=known_fluid("PG25"), title="loop")
    freezing = row.fluid.freezing_c
    for coldest, hour, outcome, value in (
        (freezing - 1.0, None, Outcome.FAIL, freezing - 1.0),
        (freezing + 1.0, freezing - 9.0, Outcome.PASS, freezing + 1.0),
        (None, freezing - 1.0, Outcome.FAIL, freezing - 1.0),
        (None, freezing + 1.0, Outcome.NOT_EVALUATED, None),
        (None, None, Outcome.NOT_EVALUATED, None),
    ):
        site: Any = SimpleNamespace(coldest_c=coldest, coldest_hour_c=hour)
        check = _against_frost(RULES["COOLANT-FREEZE"], row, site)
        if (check.outcome, check.value) != (outcome, value):
            yield f"frost of {coldest}, {hour} degC: {check.outcome}, {check.value}"


def _rise(crah: Any, fluid: Any) -> Iterator[str]:
    """At the rated flow a coil with glycol cools as much air to its supply as its heat does."""
    unit, water = crah.unit, known_fluid("water")
    rated_k = unit.water_out_c - unit.water_in_c
    film = _film(fluid, water, unit.water_in_c + 0.5 * rated_k)
    coil = crah_coil(unit, crah.film_ratio, film)
    low, high = 0.1, 1.0
    for _ in range(60):
        part = 0.5 * (low + high)
        gives = conducted(coil, part * unit.air_w_k, coil.second_w_k)
        gives *= unit.return_air_c - unit.water_in_c
        low, high = (
            (part, high) if gives > part * (unit.net_sensible_w + unit.fan_w) else (low, part)
        )
    yield from differs(
        f"rise with {fluid.name}", usual_rise(crah, fluid)[0], round(low * rated_k, 1)
    )
    yield from differs("rise with water", usual_rise(crah, water)[0], rated_k)


def towers_by_their_rating() -> Iterator[str]:
    """Heat of a cell by its flow and range, the flow by its heat; fan power per kg/s of water."""
    water = known_fluid("water")
    for wet, range_k, approach, size in (
        (25.0, 6.0, 3.5, {"flow": "30 L/s"}), (18.0, 10.0, 8.0, {"heat": "900 kW"}),
        (28.0, 4.0, 2.5, {"flow": "85 L/s"}),
    ):  # fmt: skip
        rating = TowerRatingSection.model_validate({
            "wet_bulb": f"{wet} degC", "range": f"{range_k} K", "approach": f"{approach} K",
            "fan_power": "11 kW", **size,
        })  # fmt: skip
        of_cells = Reader(RejectionSection.unstated(), "sink", Trace())
        heat_w, per_kg, rated_kg_s = _tower(rating, "sink", of_cells)
        mean = wet + approach + 0.5 * range_k
        density, specific = (
            float(np.interp(mean, water.temperatures_c, column))
            for column in (water.densities_kg_m3, water.specific_heats_j_kgk)
        )
        if "flow" in size:
            water_kg_s = float(size["flow"].split()[0]) / 1e3 * density
            wanted_w = water_kg_s * specific * range_k
        else:
            wanted_w = 1e3 * float(size["heat"].split()[0])
            water_kg_s = wanted_w / specific / range_k
        at = f"tower of {size} at {wet} degC"
        yield from differs(f"heat of a {at}", heat_w, wanted_w, 1e-7)
        yield from differs(f"water of a {at}", rated_kg_s or 0.0, water_kg_s, 1e-7)
        yield from differs(f"fan power of a {at}", per_kg, 11e3 / water_kg_s, 1e-7)


def fans_behind_pads() -> Iterator[str]:
    """V dp / eta more: the air carries the heat of the rating at the rise of its fluid."""
    unit = _dry_cooler(None, "sink", False, Trace())
    for drop_pa in (10.0, 25.0, 60.0):
        found = _with_pad_drop(unit, drop_pa, Trace(), "sink")
        air_m3_s = unit.heat_w / (unit.fluid_in_c - unit.fluid_out_c) / (1.2 * 1006.0)
        more_w = air_m3_s * drop_pa / _FAN_AND_MOTOR
        yield from differs(
            f"fans behind pads of {drop_pa} Pa", found.fan_w, unit.fan_w + more_w, 1e-6
        )
    approach_k = _approach("dry_cooler", unit, "sink", Trace())
    yield from differs("approach of dry coolers", approach_k, unit.fluid_out_c - unit.air_in_c)
    water, mean = known_fluid("water"), 0.5 * (unit.fluid_in_c + unit.fluid_out_c)
    for name in FLUIDS:
        fluid = known_fluid(name)
        found = film_of_coolers("dry_cooler", unit, fluid, "sink", Trace())
        yield from differs(f"coolers with {name}", found, _film(fluid, water, mean), 1e-6)


def loops_with_glycol(found: Design) -> Iterator[str]:
    """Drops of every part of loops of water and of glycol, and the least drop of the valve.

    Walls of exchangers go with density^0.75 and viscosity^0.25; a valve takes a quarter of its
    drop with coil and branch, or what its row has, if that is more.
    """
    chain, water = found.facility.cooling, known_fluid("water")
    with (REFERENCE / "cooling/component_drops.csv").open(encoding="utf-8") as file:
        rows = {row["component"]: row for row in csv.DictReader(file)}
    pipes = replace(chain.hydraulics, valve_drop_pa=None, branch_m=120.0)
    for name in ("water", *FLUIDS):
        fluid = known_fluid(name)
        plan = replace(chain.chilled_water, fluid=fluid)
        sink = replace(plan.sink, fluid=fluid)
        for flow in (0.004, 0.03):
            loops = (
                chilled_water_loop(plan, flow, (5, 7), pipes),
                rejection_loop("cw", sink, flow, (28.0, 36.0), pipes),
                rejection_loop("fws_tower", sink, flow, (24.0, 30.0), pipes),
            )
            for row in loops:
                mean = 0.5 * (row.supply_c + row.return_c)
                thick, sticky = (
                    float(np.interp(mean, fluid.temperatures_c, getattr(fluid, column)))
                    / float(np.interp(mean, water.temperatures_c, getattr(water, column)))
                    for column in ("densities_kg_m3", "viscosities_pa_s")
                )
                drops = {part.name: part.drop_pa for part in row.parts}
                yield from _authority_told(row, drops)
                for part, shown in drops.items():
                    wanted = 1e3 * float(rows[part]["drop_kpa"])
                    if part == "control valve":
                        branch = row.flows[-1]
                        rest = drops["cooling coil"] + branch.straight_pa + branch.fittings_pa
                        wanted = max(wanted, rest / 3.0)  # A quarter of the whole
                    if rows[part]["rated_flow_l_min"]:
                        rated = float(rows[part]["rated_flow_l_min"]) / 60e3
                        wanted *= (flow / rated) ** float(rows[part]["flow_exponent"])
                    if part in _WALLS:
                        wanted *= thick**0.75 * sticky**0.25
                    at = f"{part} of {row.name}, {name}, {flow} m3/s"
                    yield from differs(at, shown, wanted, 1e-6)


def air_cooled_at_altitude(found: Design) -> Iterator[str]:
    """Warmer condensers and less capacity by the table; a capacity of the project is the site's."""
    with (REFERENCE / "cooling/altitude_air_cooled.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    heights, condensers, units = (
        [float(row[column]) for row in rows]
        for column in ("elevation_m", "condenser_ratio", "unit_ratio")
    )
    chilled = found.facility.cooling.chilled_water
    sink = replace(chilled.sink, approach_k=14.0)
    for elevation in (0.0, 900.0, 1610.0, 2130.0, 9000.0):
        condenser, unit = (
            float(np.interp(elevation, heights, column)) for column in (condensers, units)
        )
        for capacity_w, given in ((None, False), (5e5, False), (5e5, True)):
            chiller = replace(chilled.chiller, capacity_w=capacity_w)
            plan = replace(chilled, sink=sink, chiller=chiller)
            after = chillers_at_altitude(plan, given, elevation, Trace())
            less = 1.0 if given else unit
            for name, shown, wanted in (
                ("approach", after.sink.approach_k, 14.0 / condenser),
                ("warmer", after.chiller.altitude_k, 14.0 / condenser - 14.0),
                ("capacity", after.chiller.capacity_w or 0.0, (capacity_w or 0.0) * less),
                ("largest", after.chiller.largest_w, chilled.chiller.largest_w * less),
                ("smallest", after.chiller.min_w, chilled.chiller.min_w * less),
            ):
                yield from differs(f"{name} at {elevation:g} m", shown, wanted)


def air_behind_pads() -> Iterator[str]:
    """A part of the wet-bulb depression; at design at least the air from which pads are wetted."""
    weather: Any = SimpleNamespace(dry_bulb_c=36.0, wet_bulb_c=20.0, pressure_pa=101325.0)
    for above, wanted in ((None, 26.0), (30.0, 30.0), (15.0, 26.0), (50.0, 38.0)):
        pads: Any = SimpleNamespace(effectiveness=0.75, above_c=above)
        shown = design_air(pads, weather, 2.0)
        yield from differs(f"air at design, wetted above {above}", shown, wanted)
    yield from differs("air without pads", design_air(None, weather, 2.0), 38.0)
    for above, wanted in ((30.0, 26.0), (38.5, 38.0)):
        shown = coldest_air(pads, above, weather, 2.0)
        yield from differs(f"coldest air, wetted above {above}", shown, wanted)
    yield from differs("coldest air without pads", coldest_air(None, 20.0, weather, 2.0), 38.0)
