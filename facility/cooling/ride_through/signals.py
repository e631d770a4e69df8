"""The cases of a design on one time grid: stores, coils, initial temperatures, signals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facility.cooling.air.crah import crah_coil
from facility.cooling.parts.exchanger import Exchanger
from facility.cooling.ride_through.model import Ride, fastest_store, run, step_for, together
from facility.cooling.ride_through.plant import RidePlant, cdu_conductance
from facility.cooling.ride_through.schedule import (
    COAST_S,
    LOOPS,
    PARTS,
    Bank,
    Knots,
    Part,
    RideCase,
    it_fraction,
    loop_flow,
    units_at_work,
)
from facility.cooling.ride_through.stores import NODES, SIGNALS
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.rounding import ROUNDING

_MIN_WATER_SIDE = 0.05
"""Minimum share of the water side in the thermal resistance of a coil."""


def coils(
    plant: RidePlant, units: FloatArray, moved: FloatArray, water: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the conductances of all coils: air to metal, and metal to the entering water [W/K].

    In series they equal eps Cmin of the coil. Without water only the air side remains, which warms
    the coil; its water side has at least 5 % of the resistance. `water` is the share of flowing
    water, or of units with running compressors.
    """
    coil = plant.design.crah.coil
    share = plant.flow.coils_w / plant.chilled_w
    from_air, whole = np.zeros_like(units), np.zeros_like(units)
    for n, (count, part, wet) in enumerate(zip(units, moved, water, strict=True)):
        air_w_k = part * plant.supply_air_w_k / count if count > 0.0 else 0.0
        if air_w_k <= 0.0:
            continue
        if coil.boils:
            whole_w_k = wet * coil.heat(air_w_k, coil.second_w_k, 1.0, 0.0)
        else:
            water_w_k = min(wet * share * plant.chw_w_k / count, coil.second_w_k)
            whole_w_k = coil.heat(air_w_k, water_w_k, 1.0, 0.0) if water_w_k > 0.0 else 0.0
        from_air[n] = count * _air_side(coil, air_w_k, whole_w_k)
        whole[n] = count * whole_w_k
    return from_air, _water_side(from_air, whole)


def door_coils(
    plant: RidePlant, air: FloatArray, water: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the conductances of all rear doors: exhaust to metal, metal to entering water [W/K].

    At full flow a door removes its design maximum, equal to its capacity where
    it is too small for its rack; other flows scale it like the coil.
    """
    to_doors, whole = np.zeros_like(air), np.zeros_like(air)
    chain = plant.design.chain
    unit = chain.crah.path.door
    if plant.doors is None or unit is None:
        return to_doors, whole
    coil, rise_k = (
        crah_coil(unit, chain.crah.film_ratio, chain.crah.water_film),
        chain.chilled_water.rise_k,
    )
    span_k = plant.exhaust_c - plant.settings.chw_c
    kinds = [door for door in plant.doors.kinds if door.taken_w > 0.0]
    small = any(door.taken_w < door.load_w + door.fan_w for door in kinds)
    for door in kinds:
        air_w_k = door.airflow_m3_s * plant.air.specific_heat_j_kgk / plant.air.volume_m3_kg
        max_w = door.taken_w if small else door.capacity_w
        water_w_k = min(max_w / rise_k, coil.second_w_k)
        full_w_k = coil.heat(air_w_k, water_w_k, 1.0, 0.0)
        for n, (part, wet) in enumerate(zip(air, water, strict=True)):
            if part <= 0.0:
                continue
            now_w_k = coil.heat(part * air_w_k, wet * water_w_k, 1.0, 0.0) if wet > 0.0 else 0.0
            whole_w_k = max_w / span_k * now_w_k / full_w_k
            to_doors[n] += door.count * _air_side(coil, part * air_w_k, whole_w_k)
            whole[n] += door.count * whole_w_k
    return to_doors, _water_side(to_doors, whole)


def _air_side(coil: Exchanger, air_w_k: float, whole_w_k: float) -> float:
    """Return the air-to-metal conductance of a coil with overall conductance `whole_w_k` [W/K]."""
    film_w_k, _ = coil.films(air_w_k, coil.second_w_k)
    alone_w_k = float(air_w_k * -np.expm1(-film_w_k / air_w_k))
    return max(alone_w_k, whole_w_k / (1.0 - _MIN_WATER_SIDE))


def _water_side(alone_w_k: FloatArray, whole_w_k: FloatArray) -> FloatArray:
    """Return the conductance that in series with the air side equals the overall one [W/K]."""
    limit_w_k = np.maximum(alone_w_k, 1e-9)
    return np.where(whole_w_k > 0.0, whole_w_k / (1.0 - whole_w_k / limit_w_k), 0.0)


STEP_S = 1.0
"""Longest step of a case."""
STRATIFIED_LAYERS = 8
"""Layers of a stratified buffer: the mixing zone is about one third."""
_MAX_NUMBERS = 2e8
"""Temperatures and signals over all steps and columns; designs use 1 to 25 %."""
_AT_ONCE = 4e7
"""Maximum in memory, 0.3 GB: more columns are simulated in batches."""


def simulate(
    plant: RidePlant,
    cases: Sequence[RideCase],
    *,
    step_s: float = STEP_S,
    chw_tank_m3: FloatArray | None = None,
    fws_tank_m3: FloatArray | None = None,
    of_case: Sequence[int] | None = None,
) -> Ride:
    """Return the temperatures of all cases over the horizon of the design.

    step_s: Longest step [s]; shorter if a store requires it.
    chw_tank_m3, fws_tank_m3: Buffers instead of the design buffers [m3], shape (columns,).
    of_case: Case of each column, for several buffers per case; else one column
        per case.

    Raises ``RIDE_THROUGH_STEP`` if a store is too small for the memory limit of steps.
    """
    column = list(range(len(cases))) if of_case is None else list(of_case)
    loops = plant.thermal.loops
    chw = np.full(len(column), loops.chw_tank_m3) if chw_tank_m3 is None else chw_tank_m3
    fws = np.full(len(column), loops.fws_tank_m3) if fws_tank_m3 is None else fws_tank_m3
    capacity = _capacities(plant, chw, fws)
    knots = [case_signals(plant, case) for case in cases]
    every = np.array([values.max(axis=0) for _, values in knots]).T[None]
    longest = step_for(capacity, every[:, :, column], plant.settings, step_s)
    horizon_s = plant.thermal.restart.horizon_s
    steps = int(np.ceil(horizon_s / longest))
    each = steps * (len(capacity) + 4 * len(SIGNALS))
    if each * len(column) > _MAX_NUMBERS:
        _refuse(steps, *fastest_store(capacity, every[:, :, column], plant.settings))
    times = np.linspace(0.0, horizon_s, 2 * steps + 1)
    signals = np.empty((len(times), len(SIGNALS), len(cases)))
    for n, (at, values) in enumerate(knots):
        signals[:, :, n] = values[0]
        for m in np.flatnonzero((values != values[0]).any(axis=0)):
            signals[:, m, n] = np.interp(times, at, values[:, m])
    start = np.repeat(first_temperatures(plant)[:, None], len(column), axis=1)
    start = np.vstack([start, np.repeat(start[-1:], len(capacity) - len(start), axis=0)])
    runs = []
    for few in np.array_split(np.arange(len(column)), math.ceil(each * len(column) / _AT_ONCE)):
        wide = np.ascontiguousarray(signals[:, :, np.asarray(column)[few]])
        runs.append(run(plant.settings, capacity[:, few], start[:, few], wide, horizon_s / steps))
    return together(runs)


_FIELDS = {
    "cold_air": "room_height",
    "hot_air": "room_height",
    "servers": "server_mass",
    "structure": "structure_mass",
    "coils": "coil_mass",
    "doors": "coil_mass",
    "plates": "plate_mass",
    "tcs_supply": "tcs_volume",
    "tcs_return": "tcs_volume",
    "fws_supply": "facility_water_volume",
    "fws_return": "facility_water_volume",
    "chw_return": "chilled_water_volume",
    "chw_supply": "chilled_water_volume",
}
"""Field of each store."""


def _refuse(steps: int, store: str, constant_s: float) -> None:
    raise FacilityError(
        "RIDE_THROUGH_STEP",
        f"cooling.thermal.{_FIELDS[store]}",
        f"the time constant of the store {store.replace('_', ' ')!r} is only "
        f"{constant_s:.2g} s, requiring {steps:,} steps per failure.",
        "Enter its mass or volume as built, or omit it.",
    )


def _capacities(plant: RidePlant, chw_tank_m3: FloatArray, fws_tank_m3: FloatArray) -> FloatArray:
    """Return the heat capacities [J/K], shape (nodes, columns).

    Half of every loop is on its supply side, with the usable part of its buffer.
    """
    room, loops, air = plant.thermal.room, plant.thermal.loops, plant.air
    air_j_k = room.air_m3 * air.specific_heat_j_kgk / air.volume_m3_kg
    cdus = plant.design.cdus
    tcs_j_k = fws_j_k = 0.0
    if plant.has_liquid and cdus is not None:
        tcs_j_k = plant.tcs_m3 * cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk
        fws_j_k = plant.fws_m3 * plant.fws_j_m3k
    chw_j_k = plant.chw_m3 * plant.tank_j_m3k
    layers = STRATIFIED_LAYERS if loops.chw_tank == "stratified" else 1
    usable_m3 = loops.tank_usable * chw_tank_m3
    cold = (0.5 * chw_j_k + plant.tank_j_m3k * usable_m3) / layers
    fixed = [
        room.cold_share * air_j_k,
        (1.0 - room.cold_share) * air_j_k,
        room.server_j_k,
        room.structure_j_k,
        plant.coil_j_k,
        plant.door_j_k,
        loops.plate_j_k,
        0.5 * tcs_j_k,
        0.5 * tcs_j_k,
    ]
    rows = [np.full(len(cold), value) for value in fixed]
    rows += [0.5 * fws_j_k + plant.fws_j_m3k * fws_tank_m3, np.full(len(cold), 0.5 * fws_j_k)]
    rows += [np.full(len(cold), 0.5 * chw_j_k), *([cold] * layers)]
    return np.asarray(np.maximum(np.array(rows), 1.0), dtype=np.float64)


def first_temperatures(plant: RidePlant) -> FloatArray:
    """Return the temperatures in normal operation, in the order of `NODES` [degC]."""
    p, heat, loops = plant.settings, plant.heat, plant.thermal.loops
    hot_c, it_air = plant.return_air_c, plant.it_air_w_k
    cold_c = plant.cold_air_c
    inlet_c = cold_c + p.recirculation * (plant.exhaust_c - cold_c)
    metal_c = inlet_c
    if it_air > 0.0:
        metal_c += heat.air_it_w / (it_air * p.server_effectiveness)
    found = dict.fromkeys(NODES, 0.0)
    found |= {"cold_air": cold_c, "hot_air": hot_c, "servers": metal_c, "structure": hot_c}
    running = np.array([float(plant.banks["fans"].running)])
    from_air, _ = coils(plant, running, np.ones(1), np.ones(1))
    found["coils"] = hot_c - plant.flow.coils_w / float(from_air[0])
    if plant.doors is not None:
        to_doors, _ = door_coils(plant, np.ones(1), np.ones(1))
        found["doors"] = plant.exhaust_c - plant.flow.doors_w / max(float(to_doors[0]), 1.0)
    found |= {"chw_supply": p.chw_c, "chw_return": p.chw_c}
    if not plant.direct:
        found["chw_return"] += plant.chilled_w / plant.chw_w_k
    if plant.has_liquid:
        pumps_w, fws_w = plant.flow.power.cdu_pumps_w, plant.flow.facility_water_w
        found["plates"] = p.tcs_c + loops.plate_rise_k
        found["tcs_supply"] = p.tcs_c
        found["tcs_return"] = p.tcs_c + (heat.liquid_it_w + pumps_w) / plant.tcs_w_k
        found["fws_supply"] = p.fws_c
        found["fws_return"] = p.fws_c + fws_w / plant.fws_w_k
    return np.array([found[name] for name in NODES])


def case_signals(plant: RidePlant, case: RideCase) -> tuple[FloatArray, FloatArray]:
    """Return the knots of all signals of a case: times [s], and values, shape (times, signals)."""
    restart = plant.thermal.restart
    lines: dict[str, Knots] = {}
    for part in PARTS:
        lines[part] = units_at_work(part, plant.banks[part], case, restart)
    powered = replace(case, lost={})
    lines["electrical"] = units_at_work("fans", Bank(1, 1), powered, restart)
    lines["coolant"] = units_at_work("cdus", Bank(1, 1, coolant=1.0), powered, restart)
    lines["air"] = it_fraction(*case.power.it_air, case.power)
    lines["liquid"] = it_fraction(*case.power.it_liquid, case.power)
    lines["dry"] = ((0.0, 0.0), (COAST_S, 1.0)) if case.dry else ((0.0, 0.0),)
    doors = max(1.0 - case.doors / max(plant.door_count, 1), 0.0)
    lines["doors"] = ((0.0, 1.0), (COAST_S, doors))
    for loop in LOOPS:
        lines[f"{loop} flow"] = loop_flow(loop, case, restart)
    times = np.unique([time for knots in lines.values() for time, _ in knots])
    at: dict[str, FloatArray] = {}
    for name, knots in lines.items():
        times_s, values = zip(*knots, strict=True)
        at[name] = np.interp(times, times_s, values)
    found = {**_air_signals(plant, at), **_liquid_signals(plant, at), **_plant_signals(plant, at)}
    return times, np.array([found[name] for name in SIGNALS]).T


def comes_back(plant: RidePlant, case: RideCase) -> bool:
    """Return whether chillers and heat rejection can finally remove the remaining heat.

    This is the design-hour heat, limited to the previous capacity. If they cannot,
    a buffer only delays the exceedance.
    """
    _, values = case_signals(plant, case)
    first, last = (dict(zip(SIGNALS, row, strict=True)) for row in (values[0], values[-1]))
    it_w = first["it_air_w"] + first["liquid_w"]
    left = (last["it_air_w"] + last["liquid_w"]) / it_w if it_w > 0.0 else 0.0
    enough = left * (1.0 - ROUNDING)
    chilled = last["chiller_w"] >= enough * min(plant.chilled_w, first["chiller_w"])
    return bool(chilled and last["sink_w_k"] >= enough * first["sink_w_k"])


def _of_duty(plant: RidePlant, part: Part, units: FloatArray) -> FloatArray:
    """Return the capacity of units over duty capacity, at most 1: spares do not add capacity."""
    bank = plant.banks[part]
    duty = min(bank.running, bank.duty)
    return np.minimum(units / duty, 1.0) if duty else np.zeros_like(units)


def _air_signals(plant: RidePlant, at: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the signals of the halls; remaining air handlers speed up to their rating."""
    flow, crah, units = plant.flow, plant.design.chain.crah, at["fans"]
    moved = np.minimum(1.0, units * crah.unit.air_flow_m3_s / flow.crah_airflow_m3_s)
    full = plant.banks["fans"].running * crah.unit.air_flow_m3_s / flow.crah_airflow_m3_s
    running = plant.banks["fans"].running
    moved = np.where(full >= 1.0, moved, units / running if running else 0.0 * units)
    water = at["chw_pumps"] * at["chw_pumps flow"]
    cold = water
    if plant.direct:
        # Share of units with air and running compressor.
        cold = np.minimum(at["chillers"], units) / np.maximum(units, 1e-9)
    from_air, to_water = coils(plant, units, moved, cold)
    to_doors, from_doors = door_coils(plant, at["air"], water)
    doors_w = plant.doors.fans_w if plant.doors is not None else 0.0
    other_w = 0.0 if plant.direct else plant.flow.electrical_coils_w
    fresh_w = 0.0 if plant.direct else plant.flow.fresh_w
    fan_w = fan_power_part(plant, units, moved)
    heat = plant.heat
    return {
        "it_air_w_k": plant.it_air_w_k * at["air"],
        "it_air_w": plant.heat.air_it_w * at["air"],
        # IT power chain losses follow the IT load; other non-IT heat is constant.
        "room_w": heat.non_it_w - heat.hall_losses_w * (1.0 - _running(plant, at)),
        "supply_air_w_k": plant.supply_air_w_k * moved,
        "fan_w": plant.fan_w * fan_w,
        "coil_air_w_k": from_air,
        "coil_water_w_k": to_water,
        "door_air_w_k": to_doors * at["doors"],
        "door_water_w_k": from_doors * at["doors"],
        "door_fan_w": doors_w * at["electrical"],
        "electrical_w": (other_w * _running(plant, at) + fresh_w)
        * at["electrical"]
        * (water > 0.0),
    }


def _running(plant: RidePlant, at: dict[str, FloatArray]) -> FloatArray:
    """Return the running share of IT; power chain losses follow it."""
    heat = plant.heat
    running_w = heat.air_it_w * at["air"] + heat.liquid_it_w * at["liquid"]
    return running_w / (heat.air_it_w + heat.liquid_it_w)


def fan_power_part(plant: RidePlant, units: FloatArray, moved: FloatArray) -> FloatArray:
    """Return the power of the fans over normal operation: each with the cube of its speed.

    Speed is at least the minimum speed of the design.
    """
    running, crah = plant.banks["fans"].running, plant.design.chain.crah
    rated_m3_s, flow_m3_s = crah.unit.air_flow_m3_s, plant.flow.crah_airflow_m3_s
    left = np.maximum(units, 1e-9)
    minimum = crah.factors["least_fan_flow"]
    speed = np.maximum(moved * flow_m3_s / (left * rated_m3_s), minimum)
    normal = max(flow_m3_s / (running * rated_m3_s), minimum)
    return np.where(units > 0.0, left / running * (speed / normal) ** 3, 0.0)


def _liquid_signals(plant: RidePlant, at: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the signals of the coolant and of its facility water.

    The conductance of the cold plates is constant while coolant flows (laminar channels). Remaining
    CDUs speed up to their rating for failed units; units without power are idle together with the
    racks on their bus, without their flow.
    """
    none = np.zeros_like(at["cdus"])
    names = SIGNALS[SIGNALS.index("liquid_w") : SIGNALS.index("chw_w_k")]
    cdus, flow = plant.design.cdus, plant.flow
    if not plant.has_liquid or cdus is None:
        return dict.fromkeys(names, none)
    units, running = at["cdus"], plant.banks["cdus"].running
    able = cdus.plan.unit.tcs_flow_m3_s / flow.tcs_flow_m3_s
    limit = units * max(able, 1.0 / running)
    part = np.minimum(limit, np.maximum(at["coolant"], at["liquid"]))
    tcs = plant.tcs_w_k * part * at["cdus flow"]
    water = at["fws_pumps"] * at["fws_pumps flow"]
    fws, heat_w = plant.fws_w_k * water, plant.heat.liquid_it_w
    warmed = min(heat_w / plant.thermal.loops.plate_rise_k / plant.tcs_w_k, 0.999)
    ua = -plant.tcs_w_k * np.log1p(-warmed)
    with np.errstate(divide="ignore"):
        plates = np.where(tcs > 0.0, -tcs * np.expm1(-ua / np.maximum(tcs, 1e-9)), 0.0)
    pumps_w = cdus.pumps_w(np.maximum(units, 1e-9), part * flow.tcs_flow_m3_s)
    dry = plant.dry
    sink_w_k = plant.sink_w_k * _of_duty(plant, "fws_rejection", at["fws_rejection"])
    sink_w_k = sink_w_k * at["fws_rejection flow"]
    warmer_k = 0.0
    if dry is not None and not dry.tower:
        warmer_k = dry.dry_c - dry.wet_c
        sink_w_k = sink_w_k * (1.0 + at["dry"] * (dry.share - 1.0))
    found = (
        heat_w * at["liquid"],
        plates,
        tcs,
        cdu_conductance(cdus, units, tcs, fws),
        np.where(part > 0.0, pumps_w, 0.0),
        fws,
        flow.power.fws_pumps_w * water**3,
        sink_w_k,
        plant.exchanger_w_k * water,
        sink_w_k * at["dry"] * warmer_k,
    )
    return dict(zip(names, found, strict=True))


def _plant_signals(plant: RidePlant, at: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the signals of the chilled water; chiller heat is limited to tower heat rejection."""
    chilled = plant.design.chilled
    if plant.direct:
        units = np.minimum(at["fans"], at["chillers"])
        none, max_w = np.zeros_like(units), plant.design.crah.coil.max_w * units
        return {"chw_w_k": none, "chw_pump_w": none, "chiller_w": max_w}
    water = at["chw_pumps"] * at["chw_pumps flow"]
    load_w = max(chilled.load_w, plant.flow.chiller_load_w)
    running = plant.banks["chillers"].running
    max_w = max(chilled.capacity_w, load_w / running if running else 0.0) * at["chillers"]
    if plant.banks["rejection"].running:
        part = _of_duty(plant, "rejection", at["rejection"]) * at["rejection flow"]
        max_w = np.minimum(max_w, load_w * part)
    return {
        "chw_w_k": plant.chw_w_k * water,
        "chw_pump_w": plant.flow.power.chw_pumps_w * water**3,
        "chiller_w": max_w,
    }
