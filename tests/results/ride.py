"""A second calculation of the failures of the cooling: signals, temperatures, limits, tanks.

Every function yields what differs. Signals are written out case by case from the heat, flows and
counts of the design; the balance of every store is one line, as in docs/ride-through.md, and is
integrated by the method of Runge and Kutta on arrays of cases.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.limits import Limit
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import RideCase
from facility.cooling.ride_through.signals import case_signals
from facility.cooling.ride_through.stores import NODES, SIGNALS
from facility.study.design.design import Design
from facility.study.transient.study import TransientStudy, transient
from tests.results.exchange import conducted, films
from tests.results.second import _curve, differs

Array = NDArray[np.float64]
COAST_S, SHED_K, VALVE_S, PASSED_K = 1.0, 5.0, 10.0, 0.01
CLOSE = 1e-6
LAYERS = 8
NEAR_K = 0.02
R10 = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
"""ISO 3: preferred numbers, rounded as tanks are sold."""


@dataclass(frozen=True)
class Ramps:
    """A value, and ramps to others: begin, value reached, duration."""

    first: float
    ramps: tuple[tuple[float, float, float], ...]

    def at(self, time_s: float, ramps: int | None = None) -> float:
        """The last ramp begun decides; it starts from what the ones before had come to."""
        n = len(self.ramps) if ramps is None else ramps
        if n == 0:
            return self.first
        begin, value, lasts = self.ramps[n - 1]
        if time_s <= begin:
            return self.at(time_s, n - 1)
        start = self.at(begin, n - 1)
        return start + (value - start) * min((time_s - begin) / lasts, 1.0)

    def then(self, begin: float, value: float, lasts: float) -> Ramps:
        """One ramp more; none where the value is held and stays so."""
        last = self.ramps[-1][1] if self.ramps else self.first
        if self.at(begin) == value == last:
            return self
        return Ramps(self.first, (*self.ramps, (begin, value, lasts)))

    @property
    def times(self) -> set[float]:
        """Begin and end of every ramp that is not cut off before. Signals are linear between."""
        found = {0.0}
        for begin, _, lasts in self.ramps:
            found = {t for t in found if t < begin} | {begin, begin + lasts}
        return found | {0.0}


def _bank(plant: RidePlant, part: str) -> tuple[int, int, int, float]:
    """Installed, running and duty units of a part, and the share of their heat in coolant."""
    counts, flow = plant.design.counts, plant.flow
    picked = flow.coils_w + flow.doors_w + flow.electrical_coils_w + flow.fresh_w
    chilled = flow.fws_chilled_w / (picked + flow.fws_chilled_w)
    if part == "fans":
        return counts.crah, counts.crah, 0, 0.0
    if part == "cdus":
        return counts.cdu, counts.cdu, 0, 1.0
    if part in ("fws_pumps", "chw_pumps"):
        return 1, 1, 0, 1.0 if part == "fws_pumps" else chilled
    there, wanted = {
        "chillers": (counts.chillers, counts.chillers_duty),
        "rejection": (counts.rejection, counts.rejection_duty),
        "fws_rejection": (counts.fws_rejection, counts.fws_rejection_duty),
    }[part]
    if part == "chillers" and plant.direct:
        there = wanted = counts.crah
    least = min(there, wanted)
    at_once = part != "chillers" and not plant.thermal.restart.standby_rejection
    share = 1.0 if part == "fws_rejection" else chilled
    return there, there if at_once else least, least, share


def _at_work(plant: RidePlant, case: RideCase, part: str) -> Ramps:
    """Units of a part: coast down, restart of what is sound, batteries, generators, change-over."""
    there, running, _, coolant = _bank(plant, part)
    restart, power = plant.thermal.restart, case.power
    wait, ramp = 0.0, restart.ramp_s
    if part == "chillers":
        wait, ramp = restart.chiller_s, restart.chiller_ramp_s
    elif part in ("rejection", "fws_rejection"):
        wait = restart.rejection_s
    on_ups = part in case.supplied
    air = power.on_ups if on_ups else power.on_board
    wet = (power.on_ups_coolant if on_ups else power.on_board_coolant) or air
    before, after = ((1.0 - coolant) * a + coolant * w for a, w in zip(air, wet, strict=True))
    lost = min(case.lost.get(part, 0), there)  # type: ignore[call-overload]
    empty = power.battery_s is not None and power.battery_s < power.restored_s
    line = Ramps(float(running), ())
    if lost > 0 or before < 1.0:
        line = line.then(0.0, max(running - lost, 0) * before, COAST_S)
        line = line.then(max(wait, COAST_S), (there - lost) * before, ramp)
    if on_ups and empty:
        line = line.then(power.battery_s or 0.0, 0.0, COAST_S)
    if math.isfinite(power.restored_s) and (empty or after != before):
        line = line.then(power.restored_s + wait, (there - lost) * after, ramp)
    if lost > 0 and case.back_s is not None:
        line = line.then(case.back_s, running, 2.0 * COAST_S)
    if part in case.stopped:
        line = line.then(0.0, 0.0, COAST_S)
        if case.standby_s is not None:
            line = line.then(case.standby_s + restart.ramp_s + wait, running, ramp)
    return line


def _it(case: RideCase, pair: tuple[float, float]) -> Ramps:
    """The part of an IT heat that is there."""
    power = case.power
    empty = power.battery_s is not None and power.battery_s < power.restored_s
    line = Ramps(1.0, ()).then(0.0, pair[0], COAST_S)
    if empty:
        line = line.then(power.battery_s or 0.0, 0.0, COAST_S)
    if math.isfinite(power.restored_s):
        line = line.then(power.restored_s, pair[1], COAST_S)
    return line


PARTS = ("fans", "cdus", "fws_pumps", "chw_pumps", "chillers", "rejection", "fws_rejection")


def _lines(plant: RidePlant, case: RideCase) -> dict[str, Ramps]:
    lines = {part: _at_work(plant, case, part) for part in PARTS}
    whole = replace(case, lost={})
    for name, like in (("electrical", "fans"), ("coolant", "cdus")):
        ramps = _at_work(plant, whole, like)
        _, running, _, _ = _bank(plant, like)
        each = max(running, 1)
        lines[name] = Ramps(1.0, tuple((t, v / each, d) for t, v, d in ramps.ramps))
    lines["air"], lines["liquid"] = _it(case, case.power.it_air), _it(case, case.power.it_liquid)
    lines["dry"] = Ramps(0.0, ((0.0, 1.0, COAST_S),) if case.dry else ())
    for loop in ("cdus", "fws_pumps", "chw_pumps", "rejection", "fws_rejection"):
        lines[f"{loop} flow"] = _flow_left(plant, case, loop)
    shut = case.doors / sum(door.count for door in _kinds(plant)) if case.doors else 0.0  # type: ignore[attr-defined]
    lines["doors"] = Ramps(1.0, ((0.0, 1.0 - shut, COAST_S),))
    return lines


def _flow_left(plant: RidePlant, case: RideCase, loop: str) -> Ramps:
    """What a shut section and a failed pump leave of the flow of a loop, by time."""
    shut, pumps = case.headers.get(loop, 1.0), case.pumps.get(loop)  # type: ignore[call-overload]
    line = Ramps(1.0, ()).then(0.0, shut * (1.0 if pumps is None else pumps), COAST_S)
    if pumps is None or case.standby_s is None:
        return line
    return line.then(max(case.standby_s, COAST_S), shut, plant.thermal.restart.ramp_s)


def signals_by_hand(plant: RidePlant, case: RideCase) -> tuple[Array, dict[str, Array]]:
    """Times at which a signal bends, and every signal there."""
    lines = _lines(plant, case)
    times = sorted({time for line in lines.values() for time in line.times})
    rows = [_signals(plant, {k: line.at(t) for k, line in lines.items()}) for t in times]
    return np.array(times), {name: np.array([row[name] for row in rows]) for name in SIGNALS}


def _signals(plant: RidePlant, at: Mapping[str, float]) -> dict[str, float]:
    found = dict.fromkeys(SIGNALS, 0.0)
    return found | _air(plant, at) | _liquid(plant, at) | _chilled(plant, at)


def _moist(plant: RidePlant) -> tuple[float, float]:
    """Volume and specific heat of the supply air per kg of dry air."""
    return plant.air.volume_m3_kg, plant.air.specific_heat_j_kgk


def _air(plant: RidePlant, at: Mapping[str, float]) -> dict[str, float]:
    flow, heat, crah = plant.flow, plant.heat, plant.design.chain.crah
    count, rated, needed = plant.design.counts.crah, crah.unit.air_flow_m3_s, flow.crah_airflow_m3_s
    units, water = at["fans"], at["chw_pumps"] * at["chw_pumps flow"]
    enough = count * rated >= needed
    moved = min(1.0, units * rated / needed) if enough else units / count
    normal = max(needed / (count * rated), crah.factors["least_fan_flow"])
    speed = max(moved * needed / (units * rated), crah.factors["least_fan_flow"]) if units else 0.0
    beside = heat.lights_w + heat.people_w + heat.envelope_w
    it_w = heat.air_it_w * at["air"] + heat.liquid_it_w * at["liquid"]
    runs = it_w / (heat.air_it_w + heat.liquid_it_w)
    fans_w = flow.coils_w - _left_by_doors(plant)
    wet = min(at["chillers"], units) / max(units, 1e-9) if plant.direct else water
    coil_air, coil_water = _coils(plant, units, moved, wet)
    door_air, door_water = _doors(plant, at["air"], water)
    electrical = flow.electrical_coils_w * runs + flow.fresh_w
    if plant.direct or water <= 0.0:
        electrical = 0.0
    return {
        "it_air_w": heat.air_it_w * at["air"],
        "it_air_w_k": heat.air_it_w / crah.server_rise_k * at["air"],
        "room_w": beside + heat.hall_losses_w * runs,
        "supply_air_w_k": _supplied(plant) * moved,
        "fan_w": fans_w * units / count * (speed / normal) ** 3,
        "coil_air_w_k": coil_air,
        "coil_water_w_k": coil_water,
        "door_air_w_k": door_air * at["doors"],
        "door_water_w_k": door_water * at["doors"],
        "door_fan_w": sum(d.count * d.fan_w for d in _kinds(plant)) * at["electrical"],
        "electrical_w": electrical * at["electrical"],
    }


def _kinds(plant: RidePlant) -> tuple[object, ...]:
    return plant.doors.kinds if plant.doors is not None else ()


def _left_by_doors(plant: RidePlant) -> float:
    """Heat of the halls and of the fans of doors, less what doors take."""
    fans = sum(d.count * d.fan_w for d in _kinds(plant))  # type: ignore[attr-defined]
    return plant.flow.room_w + fans - plant.flow.doors_w


def _supplied(plant: RidePlant) -> float:
    """Capacity rate of the air of the air handlers; behind doors their bypass returns unused."""
    volume, specific = _moist(plant)
    bypass = plant.design.chain.crah.bypass if plant.doors is not None else 0.0
    return plant.flow.crah_airflow_m3_s * (1.0 - bypass) * specific / volume


def _two(alone: float, whole: float) -> float:
    """The conductance that in series with the air side makes the whole."""
    return 1.0 / (1.0 / whole - 1.0 / alone) if whole > 0.0 else 0.0


def _chilled_heat(plant: RidePlant) -> float:
    flow = plant.flow
    if plant.direct:
        return flow.coils_w
    picked = flow.coils_w + flow.doors_w + flow.electrical_coils_w + flow.fresh_w
    return picked + flow.fws_chilled_w + flow.power.chw_pumps_w


def _chw(plant: RidePlant) -> float:
    """Capacity rate of the chilled water: as designed, or as it flows if that is more."""
    chilled = plant.design.chilled
    if plant.direct:
        return 0.0
    flow = max(chilled.pump.flow_m3_s, plant.flow.chw_flow_m3_s)
    return flow * chilled.liquid.density_kg_m3 * chilled.liquid.specific_heat_j_kgk


def _coils(plant: RidePlant, units: float, moved: float, wet: float) -> tuple[float, float]:
    """Air to metal, metal to water, of all coils."""
    coil = plant.design.crah.coil
    if units <= 0.0 or moved <= 0.0:
        return 0.0, 0.0
    air = moved * _supplied(plant) / units
    if coil.boils:
        whole = wet * conducted(coil, air, math.inf)
    else:
        share = plant.flow.coils_w / _chilled_heat(plant)
        water = min(wet * share * _chw(plant) / units, coil.second_w_k)
        whole = conducted(coil, air, water) if water > 0.0 else 0.0
    outside, _ = films(coil, air, coil.second_w_k)
    alone = max(air * (1.0 - math.exp(-outside / air)), whole / 0.95)
    return units * alone, units * _two(alone, whole)


def _doors(plant: RidePlant, part: float, wet: float) -> tuple[float, float]:
    if plant.doors is None or part <= 0.0:
        return 0.0, 0.0
    chain = plant.design.chain
    volume, specific = _moist(plant)
    coil, alones, wholes = _door_coil(plant), 0.0, 0.0
    kinds = [d for d in plant.doors.kinds if d.taken_w > 0.0]
    full = [d.taken_w >= d.load_w + d.fan_w for d in kinds]
    span = _exhaust(plant) - plant.settings.chw_c
    for door in kinds:
        air = door.airflow_m3_s * specific / volume
        most = door.capacity_w if all(full) else door.taken_w
        water = min(most / chain.chilled_water.rise_k, coil.second_w_k)
        whole = 0.0
        if wet > 0.0:
            now = conducted(coil, part * air, wet * water)
            whole = most / span * now / conducted(coil, air, water)
        outside, _ = films(coil, part * air, coil.second_w_k)
        alone = max(part * air * (1.0 - math.exp(-outside / (part * air))), whole / 0.95)
        alones, wholes = alones + door.count * alone, wholes + door.count * whole
    return alones, _two(alones, wholes)


def _door_coil(plant: RidePlant):  # type: ignore[no-untyped-def]
    """The coil of a door as rated: eps of its sheet, at equal films for their ratio."""
    from facility.cooling.air.crah import crah_coil

    chain = plant.design.chain
    assert chain.crah.path.door is not None
    return crah_coil(chain.crah.path.door, chain.crah.film_ratio, chain.crah.water_film)


def _mixed_cold(plant: RidePlant) -> float:
    """Air on the supply side: what the air handlers do not supply is hot air."""
    drawn = plant.heat.air_it_w / plant.design.chain.crah.server_rise_k
    drawn *= 1.0 - plant.settings.recirculation
    share = min(1.0, _supplied(plant) / drawn) if drawn > 0.0 else 1.0
    return share * plant.flow.supply_air_c + (1.0 - share) * _hot(plant)


def _hot(plant: RidePlant) -> float:
    return plant.flow.supply_air_c + _left_by_doors(plant) / _supplied(plant)


def _exhaust(plant: RidePlant) -> float:
    drawn = plant.heat.air_it_w / plant.design.chain.crah.server_rise_k
    drawn *= 1.0 - plant.settings.recirculation
    return _mixed_cold(plant) + (plant.heat.air_it_w / drawn if drawn > 0.0 else 0.0)


def _pumped(plant: RidePlant, units: float, flow: float) -> float:
    """Power of CDU pumps that share a flow: their curve, which is one at their rated flow."""
    cdus = plant.design.cdus
    assert cdus is not None
    unit = cdus.plan.unit
    share = min(flow / (units * unit.tcs_flow_m3_s), 1.0)
    return units * unit.pump_w * _curve(cdus.plan.pump_curve, share)


def _liquid(plant: RidePlant, at: Mapping[str, float]) -> dict[str, float]:
    cdus, flow, heat = plant.design.cdus, plant.flow, plant.heat
    if cdus is None or heat.liquid_it_w <= 0.0:
        return {}
    units, count = at["cdus"], plant.design.counts.cdu
    speed = max(cdus.plan.unit.tcs_flow_m3_s / flow.tcs_flow_m3_s, 1.0 / count)
    part = min(units * speed, max(at["coolant"], at["liquid"]))
    normal = flow.tcs_flow_m3_s * cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk
    fws = cdus.fws_flow_m3_s * cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk
    water, tcs = at["fws_pumps"] * at["fws_pumps flow"], normal * part * at["cdus flow"]
    # Cold plates: eps = 1 - exp(-NTU), eps in normal service from their rise.
    eps = min(heat.liquid_it_w / (plant.thermal.loops.plate_rise_k * normal), 0.999)
    ntu = -math.log(1.0 - eps) * normal / tcs if tcs > 0.0 else 0.0
    cdu_w_k = 0.0
    if units > 0.0 and tcs > 0.0 and water > 0.0:
        cdu_w_k = units * conducted(cdus.exchanger, tcs / units, fws * water / units)
    sink, warmer = _rejected(plant, at)
    return {
        "liquid_w": heat.liquid_it_w * at["liquid"],
        "plate_w_k": tcs * (1.0 - math.exp(-ntu)) if tcs > 0.0 else 0.0,
        "tcs_w_k": tcs,
        "cdu_w_k": cdu_w_k,
        "cdu_pump_w": _pumped(plant, units, part * flow.tcs_flow_m3_s) if part > 0.0 else 0.0,
        "fws_w_k": fws * water,
        "fws_pump_w": flow.power.fws_pumps_w * water**3,
        "sink_w_k": sink,
        "plate_exchanger_w_k": _to_chilled(plant) * water,
        "sink_warmer_w": warmer,
    }


def _to_chilled(plant: RidePlant) -> float:
    water = plant.design.water
    if water is None or water.chilled_w <= 0.0:
        return 0.0
    return water.chilled_w / (water.plan.supply_c + water.rise_k - plant.flow.chw_supply_c)


def _of_duty(plant: RidePlant, part: str, units: float) -> float:
    _, running, duty, _ = _bank(plant, part)
    duty = min(running, duty)
    return min(units / duty, 1.0) if duty else 0.0


def _rejected(plant: RidePlant, at: Mapping[str, float]) -> tuple[float, float]:
    """Conductance of the heat rejection of the facility water, and heat its dry air keeps back."""
    sink = plant.sink_w_k * _of_duty(plant, "fws_rejection", at["fws_rejection"])
    sink *= at["fws_rejection flow"]
    dry, gone = plant.dry, at["dry"]
    if dry is None or dry.tower:
        return sink, 0.0
    sink *= 1.0 - gone * (1.0 - dry.share)
    return sink, gone * sink * (dry.dry_c - dry.wet_c)


def _chilled(plant: RidePlant, at: Mapping[str, float]) -> dict[str, float]:
    chilled, flow = plant.design.chilled, plant.flow
    if plant.direct:
        most = plant.design.crah.coil.max_w * min(at["fans"], at["chillers"])
        return {"chiller_w": most}
    water, load = at["chw_pumps"] * at["chw_pumps flow"], max(chilled.load_w, flow.chiller_load_w)
    _, running, _, _ = _bank(plant, "chillers")
    each = max(chilled.capacity_w, load / running if running else 0.0)
    most = each * at["chillers"]
    if _bank(plant, "rejection")[1]:
        rejected = _of_duty(plant, "rejection", at["rejection"]) * at["rejection flow"]
        most = min(most, load * rejected)
    return {
        "chw_w_k": _chw(plant) * water,
        "chw_pump_w": flow.power.chw_pumps_w * water**3,
        "chiller_w": most,
    }


def units_lost(found: Design) -> Iterator[str]:
    """One unit of a kind; all that reject by water, or behind pads, when make-up water is lost."""
    study = transient(found, storage=False)
    plant, counts = study.plant, found.cooling.counts
    chilled, water = found.cooling.chilled.sink, found.cooling.water
    warm, wet = found.cooling.chain.recirculation_k, found.facility.site.design
    by_water: dict[str, int] = {}
    sinks = [("rejection", chilled, counts.rejection)]
    if water is not None and water.sink is not None:
        sinks.append(("fws_rejection", water.sink, counts.fws_rejection))
    dry = False
    for part, sink, count in sinks:
        pads, air_c = sink.plan.pads, wet.dry_bulb_c + warm
        at_work = pads is not None and count > 0 and air_c > (pads.above_c or -99.0)
        if count and (sink.plan.kind == "tower" or (at_work and part == "rejection")):
            by_water[part] = count
        dry |= at_work and part == "fws_rejection"
    wanted = {
        "crah": {"fans": 1}, "cdu": {"cdus": 1}, "cdu_pump": {"cdus": 1},
        "coolant_flow": {"cdus": counts.cdu}, "chiller": {"chillers": 1},
        "rejection": {"rejection": 1}, "fws_rejection": {"fws_rejection": 1},
        "makeup_water": by_water,
    }  # fmt: skip
    ids = [one.case.id for one in study.cases]
    if ("makeup_water" in ids) != bool(by_water or dry):
        yield f"loss of make-up water: {by_water}, dry {dry}, in {ids}"
    for one in study.cases:
        case = one.case
        if case.id in wanted and dict(case.lost) != wanted[case.id]:
            yield f"{case.id}: {dict(case.lost)}, by hand {wanted[case.id]}"
        if case.id == "makeup_water" and case.dry != dry:
            yield f"{case.id}: dry {case.dry}, by hand {dry}"
        back = plant.thermal.restart.pump_changeover_s if case.id == "cdu_pump" else None
        if case.back_s != back:
            yield f"{case.id}: back at {case.back_s!r}, by hand {back!r}"


def signals_of_cases(found: Design) -> Iterator[str]:
    """Every signal of every case where it bends."""
    study = transient(found, storage=False)
    plant = study.plant
    for one in study.cases:
        times, wanted = signals_by_hand(plant, one.case)
        at, values = case_signals(plant, one.case)
        for n, name in enumerate(SIGNALS):
            for time in sorted({*times.tolist(), *at.tolist()}):
                shown = float(np.interp(time, at, values[:, n]))
                right = float(np.interp(time, times, wanted[name]))
                if abs(shown - right) > 1e-6 * float(np.abs(wanted[name]).max()) + 1e-6:
                    yield f"{one.case.id}, {name} at {time:g} s: {shown!r}, by hand {right!r}"
                    break


# --- temperatures -----------------------------------------------------------------------------


def _stores(plant: RidePlant, chw_m3: Array, fws_m3: Array) -> Array:
    """Heat capacities, layers of the supply of the chilled water last."""
    room, loops = plant.thermal.room, plant.thermal.loops
    volume, specific = _moist(plant)
    air = room.air_m3 * specific / volume
    crah = plant.design.chain.crah
    taken = plant.flow.coils_w + plant.flow.doors_w
    rated = crah.unit.net_sensible_w + crah.unit.fan_w if plant.direct else 0.0
    mass = room.coil_j_k or room.coil_s_k * max(taken, plant.design.counts.crah * rated)
    tcs = fws = per_fws = 0.0
    cdus = plant.design.cdus
    if cdus is not None and plant.heat.liquid_it_w > 0.0:
        per_fws = cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk
        tcs = plant.tcs_m3 * cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk
        fws = plant.fws_m3 * per_fws
    liquid = plant.design.chilled.liquid
    per_chw = liquid.density_kg_m3 * liquid.specific_heat_j_kgk
    chw = plant.chw_m3 * per_chw
    layers = LAYERS if loops.chw_tank == "stratified" else 1
    one = np.ones(len(chw_m3))
    rows = [
        room.cold_share * air, (1.0 - room.cold_share) * air, room.server_j_k, room.structure_j_k,
        mass * plant.flow.coils_w / taken, mass * plant.flow.doors_w / taken, loops.plate_j_k,
        tcs / 2.0, tcs / 2.0, fws / 2.0 + per_fws * fws_m3, fws / 2.0, chw / 2.0,
        *([(chw / 2.0 + per_chw * loops.tank_usable * chw_m3) / layers] * layers),
    ]  # fmt: skip
    return np.maximum(np.array([one * row for row in rows]), 1.0)


def _starts(plant: RidePlant) -> Array:
    """Temperatures in normal service."""
    flow, heat, loops, p = plant.flow, plant.heat, plant.thermal.loops, plant.settings
    cold, hot = _mixed_cold(plant), _hot(plant)
    exhaust = _exhaust(plant)
    inlet = cold + p.recirculation * (exhaust - cold)
    rise = plant.design.chain.crah.server_rise_k if heat.air_it_w > 0.0 else 0.0
    metal = inlet + rise / plant.thermal.room.server_effectiveness
    coil_air, _ = _coils(plant, float(plant.design.counts.crah), 1.0, 1.0)
    t = dict.fromkeys(NODES, 0.0) | {
        "cold_air": cold, "hot_air": hot, "structure": hot, "servers": metal,
        "coils": hot - flow.coils_w / coil_air,
        "chw_supply": p.chw_c, "chw_return": p.chw_c,
    }  # fmt: skip
    if plant.doors is not None:
        door_air, _ = _doors(plant, 1.0, 1.0)
        t["doors"] = exhaust - flow.doors_w / max(door_air, 1.0)
    if not plant.direct:
        t["chw_return"] += _chilled_heat(plant) / _chw(plant)
    cdus = plant.design.cdus
    if cdus is not None and heat.liquid_it_w > 0.0:
        tcs = flow.tcs_flow_m3_s * cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk
        fws = cdus.fws_flow_m3_s * cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk
        t["plates"], t["tcs_supply"] = flow.tcs_supply_c + loops.plate_rise_k, flow.tcs_supply_c
        t["tcs_return"] = flow.tcs_supply_c + (heat.liquid_it_w + flow.power.cdu_pumps_w) / tcs
        t["fws_supply"] = flow.fws_supply_c
        t["fws_return"] = flow.fws_supply_c + flow.facility_water_w / fws
    return np.array([t[name] for name in NODES])


def _inlet(plant: RidePlant, cold: Array, metal: Array, k: float) -> Array:
    """Mixing: inlet = (1 - k) cold + k exhaust, exhaust = inlet + e (metal - inlet)."""
    e = plant.thermal.room.server_effectiveness
    return np.asarray(((1.0 - k) * cold + k * e * metal) / (1.0 - k + k * e))


def _rates(plant: RidePlant, t: Array, s: Mapping[str, Array]) -> Array:
    """Heat into every store; one line each, as the chapter of the model has them."""
    flow, room, loops = plant.flow, plant.thermal.room, plant.thermal.loops
    (cold, hot, metal, mass, coils, doors, plates, tcs_s, tcs_r, fws_s, fws_r, chw_r) = t[:12]
    supply, last = t[12:], t[-1]
    k, e = plant.settings.recirculation, room.server_effectiveness
    inlet = _inlet(plant, cold, metal, k)
    exhaust = inlet + e * (metal - inlet)
    off = np.clip((inlet - room.shutdown_c) / SHED_K, 0.0, 1.0) * s["it_air_w"]
    wet_off = np.clip((plates - loops.plate_limit_c) / SHED_K, 0.0, 1.0) * s["liquid_w"]
    through = s["it_air_w_k"] * (1.0 - k)
    moved = np.maximum(s["supply_air_w_k"], through)
    valve, door_valve = plant.coil_j_k / VALVE_S, plant.door_j_k / VALVE_S

    def held(wanted: Array, air: Array, valve: float, warm: Array, coil: Array) -> Array:
        """A coil is brought to the temperature at which it gives what is wanted."""
        at = warm - wanted / np.maximum(air, 1.0)
        return np.asarray(wanted + valve * (coil - at))

    taken = np.maximum(s["coil_air_w_k"] * (hot - coils), 0.0)
    wanted = s["supply_air_w_k"] * (hot - flow.supply_air_c) + s["fan_w"]
    most = held(wanted, s["coil_air_w_k"], valve, hot, coils)
    if plant.direct:
        most = np.minimum(most, s["chiller_w"])
    passed = np.maximum(np.minimum(s["coil_water_w_k"] * (coils - last), most), 0.0)
    door_taken = np.maximum(s["door_air_w_k"] * (exhaust - doors), 0.0)
    wanted = s["it_air_w_k"] * (exhaust - inlet) + s["door_fan_w"]
    most = held(wanted, s["door_air_w_k"], door_valve, exhaust, doors)
    door_passed = np.maximum(np.minimum(s["door_water_w_k"] * (doors - last), most), 0.0)
    cdu = s["tcs_w_k"] * (tcs_r - flow.tcs_supply_c)
    cdu = np.maximum(np.minimum(cdu, s["cdu_w_k"] * (tcs_r - fws_s)), 0.0)
    cools = s["fws_w_k"] * (fws_r - flow.fws_supply_c)
    can = s["sink_w_k"] * (fws_r - plant.settings.sink_c) - s["sink_warmer_w"]
    sink = np.maximum(np.minimum(cools, can), 0.0)
    rest = np.minimum(cools - sink, s["plate_exchanger_w_k"] * (fws_r - last))
    rest = np.maximum(rest, 0.0)
    chilled = s["chw_w_k"] * (chw_r - plant.settings.chw_c)
    chilled = np.maximum(np.minimum(chilled, s["chiller_w"]), 0.0)
    into_water = 0.0 if plant.direct else passed + door_passed
    tcs, fws, chw = s["tcs_w_k"] * (tcs_r - tcs_s), s["fws_w_k"] * (fws_r - fws_s), s["chw_w_k"]
    into_mass = room.structure_w_k * (hot - mass)
    into_tcs = s["plate_w_k"] * (plates - tcs_s)
    rows = [
        moved * (hot - cold) - taken + s["fan_w"],
        through * (exhaust - hot) + (moved - through) * (cold - hot) + s["room_w"]
        + s["door_fan_w"] - door_taken - into_mass,
        s["it_air_w"] - off - s["it_air_w_k"] * (exhaust - inlet),
        into_mass,
        taken - passed,
        door_taken - door_passed,
        s["liquid_w"] - wet_off - into_tcs,
        tcs - cdu,
        into_tcs - tcs + s["cdu_pump_w"],
        fws - sink - rest,
        cdu - fws + s["fws_pump_w"],
        chw * (last - chw_r) + into_water + rest + s["chw_pump_w"] + s["electrical_w"],
        chw * (chw_r - supply[0]) - chilled,
        *(chw * (above - here) for above, here in itertools.pairwise(supply)),
    ]  # fmt: skip
    return np.array(rows)


def followed(
    plant: RidePlant, cases: Sequence[RideCase], times: Array,
    chw_m3: Array | None = None, fws_m3: Array | None = None,
) -> Array:  # fmt: skip
    """Temperatures of all stores at the times, shape (times, stores, cases)."""
    loops = plant.thermal.loops
    one = np.ones(len(cases))
    capacity = _stores(
        plant, loops.chw_tank_m3 * one if chw_m3 is None else chw_m3,
        loops.fws_tank_m3 * one if fws_m3 is None else fws_m3,
    )  # fmt: skip
    half = np.linspace(times[0], times[-1], 2 * len(times) - 1)
    known: dict[int, tuple[Array, dict[str, Array]]] = {}
    for case in cases:
        if id(case) not in known:
            known[id(case)] = signals_by_hand(plant, case)
    s = {
        name: np.array(
            [np.interp(half, *(known[id(c)][0], known[id(c)][1][name])) for c in cases]
        ).T
        for name in SIGNALS
    }
    first = _starts(plant)
    state = np.concatenate([first, np.repeat(first[-1:], len(capacity) - len(first))])
    state = np.repeat(state[:, None], len(cases), axis=1)
    found, dt = [state], float(times[1] - times[0])

    def slope(t: Array, n: int) -> Array:
        return _rates(plant, t, {name: values[n] for name, values in s.items()}) / capacity

    for n in range(len(times) - 1):
        a = slope(state, 2 * n)
        b = slope(state + 0.5 * dt * a, 2 * n + 1)
        c = slope(state + 0.5 * dt * b, 2 * n + 1)
        d = slope(state + dt * c, 2 * n + 2)
        state = state + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d)
        found.append(state)
    return np.array(found)


def _series(plant: RidePlant, t: Array) -> dict[str, Array]:
    """Temperatures shown; inlets begin where the design has them."""
    at = {name: t[:, n] for n, name in enumerate(NODES)} | {"chw_supply": t[:, -1]}
    crah, flow = plant.design.chain.crah, plant.flow
    mean = _inlet(plant, at["cold_air"], at["servers"], plant.settings.recirculation)
    worst = at["hot_air"]
    if plant.doors is None:
        worst = _inlet(plant, at["cold_air"], at["servers"], crah.worst_recirculation)
    found = {
        "inlet": mean - mean[0] + flow.inlet_c,
        "inlet_worst": worst - worst[0] + flow.inlet_worst_c,
        "return_air": at["hot_air"],
    }
    names = () if plant.direct else ("chw_supply",)
    if plant.has_liquid:
        names = (*names, "fws_supply", "tcs_supply", "tcs_return", "plates")
    return found | {name: at[name] for name in names}


def _passed(case: RideCase, limit: Limit, values: Array, times: Array) -> float:
    """When a temperature is over its limit with power on the equipment; infinite if never."""
    assert limit.limit_c is not None
    pair = case.power.it_air if limit.series.startswith("inlet") else case.power.it_liquid
    line = _it(case, pair)
    at, edge = sorted(line.times), limit.limit_c + PASSED_K
    runs = np.interp(times, at, [line.at(t) for t in at])
    counted = np.where(runs > 0.0, values, values[0])
    over = np.flatnonzero(counted > edge)
    if not len(over):
        return math.inf
    n = int(over[0])
    if n == 0:
        return float(times[1])
    part = (edge - counted[n - 1]) / (counted[n] - counted[n - 1])
    return max(float(times[n - 1] + part * (times[n] - times[n - 1])), float(times[1]))


def temperatures_of_cases(found: Design) -> Iterator[str]:
    """All temperatures through all cases; when limits are passed; what the results say."""
    study = transient(found, storage=False)
    plant, cases, times = study.plant, [one.case for one in study.cases], study.time_s
    yield from differs("horizon", float(times[-1]), plant.thermal.restart.horizon_s)
    if float(np.diff(times).max()) > 1.0 + 1e-9:
        yield f"step: {float(np.diff(times).max())!r} s"
    series = _series(plant, followed(plant, cases, times))
    for n, one in enumerate(study.cases):
        if set(one.series) != set(series):
            yield f"{one.case.id}: {sorted(one.series)}"
        for name, shown in one.series.items():
            apart = float(np.abs(shown - series[name][:, n]).max())
            if not apart < NEAR_K:
                yield f"{one.case.id}, {name}: {apart!r} K from what is worked by hand"
        yield from _results(study, one, {name: values[:, n] for name, values in series.items()})


def _results(study: TransientStudy, one, series: Mapping[str, Array]) -> Iterator[str]:  # type: ignore[no-untyped-def]
    results, times, at = study.results, study.time_s, f"ride.{one.case.id}"
    holds = True
    for limit, time_s, _ in one.limits:
        if limit.limit_c is None:
            continue
        by_hand = _passed(one.case, limit, series[limit.series], times)
        holds &= limit.grade != "allowable" or math.isinf(by_hand)
        shown = math.inf if time_s is None else time_s
        near = abs(float(np.abs(series[limit.series] - limit.limit_c - PASSED_K).min())) < NEAR_K
        if math.isinf(by_hand) != math.isinf(shown):
            if not near:
                yield f"{at}, {limit.id}: passed at {shown!r} s, by hand {by_hand!r} s"
        elif math.isfinite(shown) and abs(shown - by_hand) > 0.02 * by_hand + 2.0:
            yield f"{at}, {limit.id}: passed at {shown!r} s, by hand {by_hand!r} s"
    for name, values in series.items():
        for word, value in (("peak", values.max()), ("end", values[-1])):
            key = f"{at}.{word}.{name}"
            if key in results and abs(float(results[key].si) - float(value)) > NEAR_K:
                yield f"{key}: {results[key].si!r}, by hand {float(value)!r}"
    last = int(np.searchsorted(times, times[-1] - 60.0))
    drifts = [abs(float(v[-1] - v[last])) for v in series.values()]
    within = 0.1 / 60.0 * float(times[-1] - times[last])
    if bool(results[f"{at}.settled"].si) != all(x <= within for x in drifts) and not any(
        abs(x - within) < 1e-4 for x in drifts
    ):
        yield f"{at}.settled: {results[f'{at}.settled'].si!r}, drifts {drifts}"
    if bool(results[f"{at}.holds"].si) != holds:
        yield f"{at}.holds: {results[f'{at}.holds'].si!r}, by hand {holds!r}"


# --- tanks ------------------------------------------------------------------------------------


def _comes_back(plant: RidePlant, case: RideCase) -> bool:
    """Chillers and heat rejection end able to take what is left, or what they took before."""
    _, s = signals_by_hand(plant, case)
    it = [float(s["it_air_w"][n] + s["liquid_w"][n]) for n in (0, -1)]
    left = it[1] / it[0] * (1.0 - 1e-9)
    chills = min(_chilled_heat(plant), float(s["chiller_w"][0]))
    return bool(
        s["chiller_w"][-1] >= left * chills and s["sink_w_k"][-1] >= left * s["sink_w_k"][0]
    )


def _over(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit], chw: Array, fws: Array,
    horizons_s: tuple[float, ...],
) -> list[dict[tuple[str, int], bool]]:  # fmt: skip
    """Whether each limit is passed within each horizon, by limit and column: a case, two tanks."""
    times = np.linspace(0.0, horizons_s[0], math.ceil(horizons_s[0]) + 1)
    series = _series(plant, followed(plant, cases, times, chw, fws))
    found = []
    for horizon_s in horizons_s:
        until = int(np.searchsorted(times, horizon_s, "right"))
        over = {}
        for limit in limits:
            for n, case in enumerate(cases):
                values = series[limit.series][:until, n]
                # What the design hour passes asks for no tank.
                passed = math.isfinite(_passed(case, limit, values, times[:until]))
                over[limit.id, n] = passed and values[0] <= (limit.limit_c or 0.0) + PASSED_K
        found.append(over)
    return found


def _sizes() -> Array:
    return np.array([size * 10.0**k for k in range(-2, 5) for size in R10])


def _bridge_m3(found: Design, plant: RidePlant) -> tuple[float, float]:
    """Water that lasts until the chillers are back at half of their ramp; the time that takes."""
    generators, restart = found.chain.generators, plant.thermal.restart
    steps = float(found.results["generator.steps"].si) if generators.count else 1.0
    start_s = found.chain.chain.generator.operation.start_s if generators.count else 0.0
    back_s = start_s + (steps - 1.0) * restart.step_s
    wait_s = back_s + restart.chiller_s + restart.chiller_ramp_s / 2.0
    liquid, rise_k = plant.design.chilled.liquid, plant.design.chilled.plan.rise_k
    per_m3 = liquid.density_kg_m3 * liquid.specific_heat_j_kgk * rise_k
    return plant.flow.chiller_load_w * wait_s / per_m3, wait_s


def tanks_chosen(found: Design) -> Iterator[str]:
    """No standard size smaller than the chosen keeps what it keeps; it is no smaller than of use.

    Without a limit passed the chilled water has what its chillers need: 6 US gal for each ton.
    """
    study = transient(found, storage=False)
    plant, loops = study.plant, study.plant.thermal.loops
    if plant.direct or loops.open_tanks != {"chw", "fws"}:
        return
    usable_m3, wait_s = _bridge_m3(found, plant)
    first = float(_sizes()[np.searchsorted(_sizes(), usable_m3 / loops.tank_usable - 1e-9)])
    short_m3 = 6.0 * 3.785411784e-3 * plant.flow.chiller_load_w / 3516.853 - plant.chw_m3
    small = float(_sizes()[np.searchsorted(_sizes(), short_m3 - 1e-9)]) if short_m3 > 0.0 else 0.0
    limits = [x for x, _, _ in study.cases[0].limits if x.grade == "allowable" and x.limit_c]
    ours = plant.sink_w_k > 0.0
    cases = [
        one.case for one in study.cases
        if one.case.id not in ("utility_all_on_ups", "utility_none_on_ups", "coolant_flow",
                               "makeup_water") and _comes_back(plant, one.case)
    ]  # fmt: skip
    chw, fws = loops.chw_tank_m3, loops.fws_tank_m3
    largest = 800.0 * max(chw, fws, first)
    rows_chw, rows_fws = (
        [chw, small, _smaller(chw), chw, largest],
        [fws, 0.0, fws, _smaller(fws), largest],
    )
    rows = np.array(rows_chw), np.array(rows_fws)
    horizon_s = plant.thermal.restart.horizon_s
    wide = [case for case in cases for _ in rows[0]]
    tanks = (np.tile(row, len(cases)) for row in rows)
    horizons_s = horizon_s, min(2.0 * wait_s, horizon_s)
    over, early = (
        {
            (case.id, limit.id): [one[limit.id, 5 * n + m] for m in range(5)]
            for n, case in enumerate(cases)
            for limit in limits
        }
        for one in _over(plant, wide, limits, *tanks, horizons_s)
    )
    by_id = {limit.id: limit for limit in limits}
    for (case, limit), (now, _, _, _, most) in over.items():
        if now and not most:
            yield f"tanks of {chw:g} and {fws:g} m3: {case} passes {limit}, a larger one keeps it"
    for loop, size, least, column in (("chw", chw, first, 2), ("fws", fws, 0.0, 3)):
        own = [
            key for key in over
            if (loop == "fws") == (ours and not by_id[key[1]].series.startswith("inlet"))
        ]  # fmt: skip
        helped = [key for key in own if over[key][1] or early[key][1]]
        helped = [key for key in helped if not over[key][4]]
        if not helped:
            yield from differs(
                f"tank of {loop} that no limit asks for", size, small * (loop == "chw")
            )
        elif loop == "chw" and size < least * (1.0 - CLOSE):
            yield f"tank of chw: {size:g} m3, of no use below {least:g} m3"
        elif size > max(least, 0.0) * (1.0 + CLOSE) and not any(
            over[key][column] or early[key][column] for key in helped
        ):
            yield f"tank of {loop}: {size:g} m3, one of {_smaller(size):g} m3 keeps every limit"
        if size > 0.0 and not np.isclose(_sizes(), size).any():
            yield f"tank of {loop}: {size!r} m3 is no standard size"


def _smaller(size: float) -> float:
    """The standard size below one; none below the smallest."""
    below = _sizes()[_sizes() < size * (1.0 - CLOSE)]
    return float(below[-1]) if len(below) else 0.0


def storage_sought(found: Design) -> Iterator[str]:
    """The smallest buffer of a case: with it every allowable limit is kept, with 2 % less not."""
    study = transient(found)
    plant, loops = study.plant, study.plant.thermal.loops
    if plant.direct:
        return
    ours, horizon_s = plant.sink_w_k > 0.0, plant.thermal.restart.horizon_s
    given = {"chw": loops.chw_tank_m3, "fws": loops.fws_tank_m3}
    flow, liquid, cdus = plant.flow, plant.design.chilled.liquid, plant.design.cdus
    per = {"chw": liquid.density_kg_m3 * liquid.specific_heat_j_kgk, "fws": 1.0}
    if cdus is not None:
        per["fws"] = cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk
    heat = {"chw": flow.chiller_load_w, "fws": flow.facility_water_w}
    short = [one for one in study.cases if one.storage is not None]
    if not short:
        return
    limits = [x for x, _, _ in short[0].limits if x.grade == "allowable" and x.limit_c is not None]
    for loop in ("chw", "fws"):
        own = [x for x in limits if (loop == "fws") == (ours and not x.series.startswith("inlet"))]
        sizes = [getattr(one.storage, f"{loop}_m3") for one in short]
        most, now = heat[loop] * horizon_s / per[loop], given[loop]
        tried = [(most, 0.0) if x is None else (x, now + 0.98 * (x - now)) for x in sizes]
        wide = np.array(tried).ravel()
        there = {name: np.full(len(wide), given[name]) for name in given} | {loop: wide}
        cases = [one.case for one in short for _ in range(2)]
        (over,) = _over(plant, cases, own, there["chw"], there["fws"], (horizon_s,))
        for n, (one, size) in enumerate(zip(short, sizes, strict=True)):
            with_, less = (any(over[x.id, 2 * n + m] for x in own) for m in (0, 1))
            if size is None and not with_:
                yield f"{one.case.id}, {loop}: {most:.1f} m3 keeps every limit, none is found"
            elif size is not None and with_:
                yield f"{one.case.id}, {loop}: {size:.2f} m3 does not keep every limit"
            elif size is not None and size > now * (1.0 + CLOSE) and not less:
                yield f"{one.case.id}, {loop}: {size:.2f} m3, 2 % less keeps every limit"


def without_coolant_flow(found: Design) -> Iterator[str]:
    """Time to the chip limit: cold plates alone, and with the coolant that each rack holds."""
    liquid, cdus = found.cooling.chain.liquid, found.cooling.cdus
    if liquid is None or cdus is None:
        return
    plant = transient(found, storage=False).plant
    loops, coolant = plant.thermal.loops, cdus.tcs.properties
    per_m3 = coolant["density_kg_m3"] * coolant["specific_heat_j_kgk"]
    held_j_k = [rack.count * liquid.rack_volume_m3 * per_m3 for rack in liquid.racks]
    per_j_k = (loops.plate_limit_c - loops.plate_rise_k - plant.settings.tcs_c) / (
        plant.heat.liquid_it_w
    )
    shortest, longest = plant.time_without_flow_s
    yield from differs("time without flow", shortest, loops.plate_j_k * per_j_k)
    whole_j_k = sum(held_j_k, loops.plate_j_k)
    yield from differs("time without flow, coolant of racks", longest, whole_j_k * per_j_k)


RIDES: tuple[Callable[[Design], Iterator[str]], ...] = (
    units_lost,
    signals_of_cases,
    temperatures_of_cases,
    tanks_chosen,
    storage_sought,
    without_coolant_flow,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every figure of the failures that the second calculation does not find."""
    for one in RIDES:
        yield from one(found)
