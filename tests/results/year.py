"""A second calculation of the typical year: 24 hours of it worked from their weather, and the sums.

Heat and losses of an hour come from its load and its power chain, everything that the cooling makes
of them is worked out here: moist air by psychrolib, towers by the terms of their table, chillers by
their set or their lift, exchangers by NTU. The sums of the year are added up hour by hour.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import psychrolib

from facility.study.annual.study import AnnualStudy, annual
from facility.study.design.design import Design
from tests.results.exchange import conducted
from tests.results.second import KELVIN, REFERENCE, _coil_air, _cop, _curve, _row, _york, differs

SAMPLES = 24
NEAR = 2e-4
_LATENT, _VAPOUR, _AIR = 2.501e6, 1860.0, 1006.0
_MOST_TRIES = 60


@lru_cache(maxsize=8)
def record(station: str) -> tuple[tuple[float, float, float], ...]:
    """Dry bulb [degC], relative humidity, pressure [Pa] of the hours of an EPW file."""
    with gzip.open(REFERENCE / f"weather/{station}.epw.gz") as packed:
        rows = list(csv.reader(io.StringIO(packed.read().decode("utf-8", "replace"))))
    return tuple((float(r[6]), float(r[8]) / 100.0, float(r[9])) for r in rows[8:])


def _saturated(temperature_c: float, pressure_pa: float) -> float:
    psychrolib.SetUnitSystem(psychrolib.SI)
    return float(psychrolib.GetSatHumRatio(temperature_c, pressure_pa))


def _enthalpy(temperature_c: float, ratio: float) -> float:
    return _AIR * temperature_c + ratio * (_LATENT + _VAPOUR * temperature_c)


def _volume(temperature_c: float, ratio: float, pressure_pa: float) -> float:
    return 287.042 * (temperature_c + KELVIN) * (1.0 + 1.607858 * ratio) / pressure_pa


def _root(short: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is zero, by halving."""
    for _ in range(_MOST_TRIES):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if short(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)


def tower(sink: Any, wet_c: float, range_k: float, wanted_c: float) -> tuple[float, float]:
    """Water and air ratio of a tower whose fans hold a temperature: the approach falls with air."""
    water = sink.plan.water_ratio
    full = wet_c + _york(wet_c, range_k, water)
    if full >= wanted_c:
        return full, 1.0
    least = sink.plan.least_air

    def approach(ratio: float) -> float:
        return _york_of_both(wet_c, range_k, min(max(water / ratio, 0.25), 8.0))

    if wet_c + approach(least) <= wanted_c:
        return wanted_c, least
    ratio = _root(lambda x: wanted_c - wet_c - approach(x), least, 1.0)
    return wanted_c, ratio


@lru_cache(maxsize=1)
def _york_rows() -> tuple[tuple[float, tuple[int, int, int]], ...]:
    found = []
    with (REFERENCE / "cooling/cooling_tower_coefficients.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["model"] == "YorkCalc":
                powers = {"T": 0, "R": 0, "L": 0}
                for factor in row["term"].split("*"):
                    name, _, power = factor.partition("^")
                    if name in powers:
                        powers[name] = int(power or 1)
                found.append((float(row["coefficient"]), tuple(powers.values())))
    return tuple(found)  # type: ignore[arg-type]


def _york_of_both(wet_c: float, range_k: float, ratio: float) -> float:
    """The 27 terms at a ratio of water over air, not held to the box of the approach."""
    t, r = min(max(wet_c, -34.4), 29.4444), min(max(range_k, 1.1111), 22.2222)
    return sum(c * t**i * r**j * ratio**k for c, (i, j, k) in _york_rows())


def fluid_effectiveness(sink: Any, ratio: float, air_c: float, pressure_pa: float) -> float:
    """Effectiveness of a dry cooler on its fluid: its coil at the density of the air."""
    from dataclasses import replace

    unit, fluid = sink.plan.unit, sink.unit_w_k
    coil = replace(sink.coil, second_w_k=fluid) if unit.scalable else sink.coil
    density = pressure_pa / 101325.0 * (unit.air_in_c + KELVIN) / (air_c + KELVIN)
    return conducted(coil, coil.first_w_k * ratio * density, fluid) / fluid


def dry(sink: Any, air_c: float, range_k: float, wanted_c: float, pressure_pa: float) -> Any:
    """Water and air ratio of dry coolers: leaving = air + range (1 / eps - 1)."""

    def leaving(ratio: float) -> float:
        eps = fluid_effectiveness(sink, ratio, air_c, pressure_pa)
        return air_c + range_k * (1.0 / eps - 1.0)

    if leaving(1.0) >= wanted_c:
        return leaving(1.0), 1.0
    least = sink.plan.least_air
    if leaving(least) <= wanted_c:
        return wanted_c, least
    return wanted_c, _root(lambda x: wanted_c - leaving(x), least, 1.0)


@dataclass(frozen=True)
class Hour:
    """One hour of a year."""

    found: Design
    study: AnnualStudy
    n: int

    def __getattr__(self, name: str) -> float:
        return self(getattr(self.study.year.balance.cooling, name))

    def __call__(self, value: Any) -> float:
        """The value of this hour, of one for each or one for all."""
        values = np.asarray(value, dtype=float)
        return float(values[self.n]) if values.ndim else float(values)

    @cached_property
    def dry_c(self) -> float:
        return self(self.study.year.hours.air.dry_bulb_c)

    @cached_property
    def wet_c(self) -> float:
        return self(self.study.year.hours.air.wet_bulb_c)

    @cached_property
    def pressure_pa(self) -> float:
        return self(self.study.year.hours.air.pressure_pa)

    @property
    def warmer_k(self) -> float:
        return self.found.cooling.chain.recirculation_k

    @property
    def cool(self) -> bool:
        """Whether economizers and heat users count: air colder than that of the design."""
        return self.dry_c + self.warmer_k < self.found.cooling.outdoor_c

    @property
    def humid(self) -> float:
        psychrolib.SetUnitSystem(psychrolib.SI)
        wet_c = min(self.wet_c, self.dry_c)
        return float(psychrolib.GetHumRatioFromTWetBulb(self.dry_c, wet_c, self.pressure_pa))

    @property
    def supply(self) -> tuple[float, float, float]:
        """Volume, specific heat and density of the supply air."""
        chain = self.found.cooling.chain
        held = _saturated(chain.room_dew_point_c, self.pressure_pa)
        volume = _volume(chain.crah.supply_air_c, held, self.pressure_pa)
        return volume, _AIR + _VAPOUR * held, (1.0 + held) / volume


def hours_of(found: Design) -> Iterator[Hour]:
    study = annual(found)
    count = len(study.year.hours)
    every = count // SAMPLES
    for k in range(SAMPLES):
        yield Hour(found, study, min(k * every + (7 * k) % 24, count - 1))


def weather(found: Design) -> Iterator[str]:
    """The air of the hours is that of the record; wet bulbs by psychrolib."""
    site = found.project.site
    station = site.station if site is not None else None
    if not station:
        return
    rows = record(str(station))
    psychrolib.SetUnitSystem(psychrolib.SI)
    for hour in hours_of(found):
        dry_c, rh, pressure = rows[hour.n]
        dry_c += found.facility.site.warmer_k
        wet_c = psychrolib.GetTWetBulbFromRelHum(dry_c, min(rh, 1.0), pressure)
        yield from differs(f"dry bulb of hour {hour.n}", hour.dry_c, dry_c)
        yield from differs(f"pressure of hour {hour.n}", hour.pressure_pa, pressure)
        if abs(hour.wet_c - wet_c) > 0.02:
            yield f"wet bulb of hour {hour.n}: {hour.wet_c!r}, by psychrolib {wet_c!r}"


def air_of_an_hour(hour: Hour) -> Iterator[str]:
    """Fans, air and coils of halls and electrical rooms; outdoor air of the halls."""
    found, heat = hour.found, hour.study.year.balance.heat
    cooling, plan = found.cooling, found.cooling.chain.crah
    if plan.path.door is not None:
        return
    volume, specific, density = hour.supply
    it_w = hour(heat.air_it_w)
    beside = sum(hour(x) for x in (heat.hall_losses_w, heat.lights_w, heat.people_w,
                                   heat.envelope_w))  # fmt: skip
    needed = it_w * (1.0 - plan.recirculation) / (1.0 - plan.bypass) + beside
    air = needed * volume / (specific * plan.server_rise_k)
    yield from differs("air of the halls", hour.crah_airflow_m3_s, air, NEAR)
    electrical, unit = hour(heat.electrical_room_w), plan.path.electrical_unit
    air_e = electrical * volume / (specific * unit.rated_rise_k)
    yield from differs("air of the electrical rooms", hour.electrical_airflow_m3_s, air_e, NEAR)
    fans = []
    for units, one, moved in (
        (cooling.counts.crah, plan.unit, air),
        (cooling.counts.crah_electrical, unit, air_e),
    ):
        part = (
            max(moved / (units * one.air_flow_m3_s), plan.factors["least_fan_flow"])
            if units
            else 0.0
        )
        each = one.fan_w * _curve(plan.fan_curve, part) * density / one.air_density_kg_m3
        fans.append(units * each)
    room = plan.path.room
    own = room.ventilation_m3_s * room.ventilation_fan_w_per_m3_s
    power = hour.study.year.balance.cooling.power
    yield from differs("fans", hour(power.crah_fans_w), sum(fans) + own, 5e-4)
    yield from differs("coils of the halls", hour.coils_w, it_w + beside + fans[0], NEAR)
    yield from differs("electrical coils", hour.electrical_coils_w, electrical + fans[1], NEAR)
    wanted = plan.supply_air_c + (it_w + beside) * volume / (specific * air)
    yield from differs("return air", hour.return_air_c, wanted, NEAR)
    held = min(_saturated(cooling.chain.room_dew_point_c, hour.pressure_pa), hour.humid)
    brought = _enthalpy(hour.dry_c, hour.humid) - _enthalpy(plan.supply_air_c, held)
    fresh = room.ventilation_m3_s / volume * max(brought, 0.0)
    yield from differs("heat of the outdoor air", hour(heat.ventilation_w), fresh, 2e-3)
    yield from differs("outdoor air and its fans", hour.fresh_w, fresh + own, 2e-3)


def liquid_of_an_hour(hour: Hour) -> Iterator[str]:
    """Coolant and facility water: pumps by their curve, valves that open until plates suffice."""
    cooling, heat = hour.found.cooling, hour.study.year.balance.heat
    cdus, water = cooling.cdus, cooling.water
    power = hour.study.year.balance.cooling.power
    if cdus is None or water is None:
        return
    plan, units = cdus.plan, cdus.installed
    part = plan.tcs_flow_m3_s / (units * plan.unit.tcs_flow_m3_s)
    pumps = units * plan.unit.pump_w * _curve(plan.pump_curve, part)
    yield from differs("CDU pumps", hour(power.cdu_pumps_w), pumps)
    taken = hour(heat.liquid_it_w) + pumps
    per_m3 = cdus.fws.density_kg_m3 * cdus.fws.specific_heat_j_kgk
    tcs = plan.tcs_flow_m3_s * cdus.tcs.density_kg_m3 * cdus.tcs.specific_heat_j_kgk

    def approach(flow: float) -> float:
        each = conducted(cdus.exchanger, tcs / units, per_m3 * flow / units) * units
        return taken / each - taken / tcs

    narrow, wide = taken / (per_m3 * water.rise_k), cdus.fws_flow_m3_s
    available = plan.tcs_supply_c - water.plan.supply_c
    flow = narrow
    if approach(narrow) > available and wide > narrow:
        flow = wide if approach(wide) > available else _root(
            lambda x: available - approach(x), narrow, wide
        )  # fmt: skip
    yield from differs("flow of the facility water", hour.fws_flow_m3_s, flow, 1e-3)
    full = water.pump.flow_m3_s * water.pump.head_pa / water.plan.pump.efficiency
    own = full * _curve(water.plan.pump.curve, hour.fws_flow_m3_s / water.pump.flow_m3_s)
    yield from differs("facility-water pumps", hour(power.fws_pumps_w), own, 1e-5)
    whole = taken + hour(power.fws_pumps_w)
    yield from differs("heat of the facility water", hour.facility_water_w, whole, 1e-5)
    supply = max(plan.tcs_supply_c, hour.fws_supply_c + approach(hour.fws_flow_m3_s))
    yield from differs("coolant supply", hour.tcs_supply_c, supply, 1e-4)
    yield from differs("coolant return", hour.tcs_return_c, hour.tcs_supply_c + taken / tcs, 1e-5)
    warm = whole / (per_m3 * hour.fws_flow_m3_s)
    yield from differs("return of the facility water", hour.fws_return_c, hour.fws_supply_c + warm,
                       1e-4)  # fmt: skip
    if water.sink is None:
        yield from differs("facility water on chilled water", hour.fws_chilled_w, whole, 1e-5)
    elif not water.plan.trim and cooling.chain.heat_reuse is None:
        wanted = water.plan.supply_c - water.plan.exchanger_approach_k
        range_k = warm * water.tower_part
        made, ratio = _made(hour, water.sink, range_k, wanted)
        own_c = made + water.plan.exchanger_approach_k
        yield from differs("supply of the facility water", hour.fws_supply_c, own_c, 1e-3)
        state = hour.study.year.balance.cooling.fws_rejection
        yield from _rejection(hour, "facility water", water.sink, state, whole, range_k, ratio)


def _made(hour: Hour, sink: Any, range_k: float, wanted_c: float) -> tuple[float, float]:
    """Water that heat rejection makes, and its air ratio; pads are wet where dry coils miss it."""
    dry_c, wet_c = hour.dry_c + hour.warmer_k, hour.wet_c + hour.warmer_k
    if sink.plan.kind == "tower":
        return tower(sink, wet_c, range_k, wanted_c)
    pads, air_c = sink.plan.pads, dry_c
    if pads is not None:
        alone, _ = dry(sink, dry_c, range_k, -math.inf, hour.pressure_pa)
        start = sink.air_c if pads.above_c is None else pads.above_c
        if alone > wanted_c and dry_c > start:
            air_c = dry_c - pads.effectiveness * max(dry_c - wet_c, 0.0)
    return dry(sink, air_c, range_k, wanted_c, hour.pressure_pa)  # type: ignore[no-any-return]


def _rejection(
    hour: Hour, name: str, sink: Any, state: Any, heat: float, range_k: float, ratio: float
) -> Iterator[str]:
    """Heat with the work of its pumps, flow, and fans of the cells that run."""
    per_m3 = sink.liquid.density_kg_m3 * sink.liquid.specific_heat_j_kgk
    pumps = 0.0
    if sink.plan.pump is not None and sink.loop is not None:
        work = sink.loop.pump_head_pa / sink.plan.pump.efficiency
        heat /= 1.0 - work / (per_m3 * range_k)
        pumps = heat / (per_m3 * range_k) * work
    yield from differs(f"pumps, {name}", hour(state.pumps_w), pumps, 1e-4)
    yield from differs(f"heat, {name}", hour(state.heat_w) + hour(state.reused_w), heat, 1e-4)
    yield from differs(f"flow, {name}", hour(state.flow_m3_s), heat / (per_m3 * range_k), 1e-4)
    if abs(hour(state.water.air_ratio) - ratio) > 2e-3:
        yield f"air ratio, {name}: {hour(state.water.air_ratio)!r}, by hand {ratio!r}"
    now = hour(state.water.air_ratio)
    curve = sum(c * now**n for n, c in enumerate(sink.plan.fan_curve))
    share = hour(state.heat_w) / range_k / (sink.heat_w / sink.range_k)
    fans = sink.fan_w * max(curve, 0.0) * share
    yield from differs(f"fans, {name}", hour(state.fans_w), fans, 1e-4)


def _running(chilled: Any, load: float) -> int:
    if chilled.duty == 0:
        return 0
    each = chilled.plan.pumping.stage_up * chilled.capacity_w
    return int(min(chilled.duty, math.ceil(load / each - 1e-9)))


def _pumping(chilled: Any, heat: float, flow: float) -> float:
    """Power of the chilled-water pumps by their scheme."""
    plan, pump = chilled.plan.pumping, chilled.pump
    efficiency, full = pump.plan.efficiency, pump.flow_m3_s
    each = full / chilled.duty if chilled.duty else 0.0
    running = _running(chilled, heat)
    if full <= 0.0:
        return 0.0

    def varied(head: float, moved: float) -> float:
        return full * head / efficiency * _curve(pump.plan.curve, moved / full)

    if plan.scheme == "variable-primary":
        return varied(pump.head_pa, max(flow, running * plan.minimum_flow * each))
    constant = max(flow, running * each)
    if plan.scheme == "primary-secondary":
        head = plan.primary_head_pa
        if head is None:
            head = plan.primary_part * pump.head_pa
        return constant * head / efficiency + varied(pump.head_pa - head, flow)
    return constant * pump.head_pa / efficiency


def _setpoint(hour: Hour, chilled: Any) -> float:
    """Condenser water below which nothing is gained or allowed, or by the wet bulb."""
    plan, chiller = chilled.plan, chilled.plan.chiller
    over = plan.sink.approach_k
    if plan.sink.kind != "air_cooled":
        over = plan.condenser_range_k + chiller.condenser_approach_k
    cold = plan.supply_c - chiller.evaporator_approach_k
    if chiller.curves is None:
        lift = max(
            chiller.min_lift_k,
            chiller.carnot_fraction * (cold + KELVIN) / chiller.factors["cop_limit"],
        )
        useful = cold + lift - over
    else:
        useful = float(_row("chillers_eir.csv", chiller.curves)["y_min_c"]) - chiller.altitude_k
    held = max(plan.min_water_c, useful)
    if plan.sink.kind == "dry_cooler":
        weather = type(hour.found.facility.site.design)(hour.dry_c, hour.wet_c, hour.pressure_pa)
        pads = plan.sink.pads
        air = hour.dry_c + hour.warmer_k
        if pads is not None:
            start = chilled.sink.air_c if pads.above_c is None else pads.above_c
            air = _coil_air(None, weather, hour.warmer_k)
            if air > start:
                wet = min(hour.wet_c + hour.warmer_k, air)
                air -= pads.effectiveness * (air - wet)
        held = max(held, air + plan.sink.approach_k)
    if plan.setpoint_approach_k is not None:
        most = chilled.leaving_c if plan.setpoint_max_c is None else plan.setpoint_max_c
        wet = hour.wet_c + hour.warmer_k + plan.setpoint_approach_k
        held = min(max(held, wet), max(held, most))
    return held


@dataclass(frozen=True)
class Plant:
    """The chilled-water plant at work in one way."""

    power_w: float
    free_w: float
    load_w: float
    chillers_w: float
    cop: float
    sink_c: float
    ratio: float
    heat_w: float
    head_c: float


def _plant(hour: Hour, picked: float, pumps: float, *, free: bool) -> Plant:
    chilled, economizer = hour.found.cooling.chilled, hour.found.cooling.chain.economizer
    plan, sink = chilled.plan, chilled.sink
    load, setpoint = picked + pumps, _setpoint(hour, chilled)
    air_cooled = plan.sink.kind == "air_cooled"
    back = plan.supply_c + plan.rise_k
    wanted = setpoint
    if free and not air_cooled:
        full = back - plan.rise_k / economizer.effectiveness
        wanted = max(economizer.min_water_c, full)
    range_k = plan.condenser_range_k
    if air_cooled:
        made, ratio = max(hour.dry_c + hour.warmer_k, setpoint), 1.0
    else:
        made, ratio = _made(hour, sink, range_k, wanted)
    taken = 0.0
    if free:
        source = hour.dry_c + hour.warmer_k if air_cooled else made
        cooled = economizer.effectiveness * max(back - source, 0.0)
        taken = load * min(cooled / plan.rise_k, 1.0)
    head = max(made, setpoint)
    over = plan.sink.approach_k
    if not air_cooled:
        over = range_k + plan.chiller.condenser_approach_k
    cop = _cop(hour.found, head + over, head, load - taken, False)
    chillers = (load - taken) / cop
    heat = load - taken + chillers + taken * free
    fans = pumps_w = 0.0
    if not air_cooled:
        per_m3 = sink.liquid.density_kg_m3 * sink.liquid.specific_heat_j_kgk
        whole = heat
        if sink.plan.pump is not None and sink.loop is not None:
            work = sink.loop.pump_head_pa / sink.plan.pump.efficiency
            whole = heat / (1.0 - work / (per_m3 * range_k))
            pumps_w = whole / (per_m3 * range_k) * work
        curve = sum(c * ratio**n for n, c in enumerate(sink.plan.fan_curve))
        fans = sink.fan_w * max(curve, 0.0) * whole / range_k / (sink.heat_w / sink.range_k)
    elif free:
        fans = economizer.coil_fan_ratio * taken
    power = pumps + chillers + fans + pumps_w
    return Plant(power, taken, load - taken, chillers, cop, made, ratio, heat, head)


def plant_of_an_hour(hour: Hour) -> Iterator[str]:
    """Chilled water, chillers, their heat rejection, and an economizer ahead of them."""
    cooling, flow = hour.found.cooling, hour.study.year.balance.cooling
    chilled, plan, economizer = cooling.chilled, cooling.chilled.plan, cooling.chain.economizer
    if plan.condenser_flow_m3_s is not None:
        return
    outdoors = hour.economizer_w if economizer.on_air else 0.0
    picked = hour.coils_w - outdoors + hour.electrical_coils_w + hour.fresh_w + hour.doors_w
    picked += hour.fws_chilled_w + hour.tank_w
    water = 0.0
    if not plan.direct:
        per_m3 = chilled.liquid.density_kg_m3 * chilled.liquid.specific_heat_j_kgk
        water = picked / (per_m3 * plan.rise_k)
        yield from differs("flow of the chilled water", hour.chw_flow_m3_s, water, 1e-4)
    pumps = _pumping(chilled, picked, water)
    yield from differs("chilled-water pumps", hour(flow.power.chw_pumps_w), pumps, 1e-3)
    ways = [_plant(hour, picked, pumps, free=False)]
    if economizer.on_water and hour.cool:
        ways.append(_plant(hour, picked, pumps, free=True))
    best = min(ways, key=lambda way: way.power_w)
    close = len(ways) == 2 and abs(ways[0].power_w - ways[1].power_w) < 1e-3 * best.power_w
    if close:
        best = ways[int(hour.economizer_w > 0.0)]
    if economizer.on_water:
        yield from differs("heat of the economizer", hour.economizer_w, best.free_w, 1e-3)
    yield from differs("load of the chillers", hour.chiller_load_w, best.load_w, 1e-3)
    yield from differs("COP", hour.chiller_cop, best.cop, 1e-3)
    yield from differs("power of the chillers", hour(flow.power.chillers_w), best.chillers_w, 1e-3)
    if plan.sink.kind == "air_cooled":
        yield from differs("air at the condensers", hour.condenser_in_c, best.sink_c, 1e-4)
        return
    if abs(hour.condenser_in_c - best.sink_c) > 0.02:
        yield f"condenser water: {hour.condenser_in_c!r}, by hand {best.sink_c!r}"
    yield from _rejection(hour, "chillers", chilled.sink, flow.rejection, best.heat_w,
                          plan.condenser_range_k, best.ratio)  # fmt: skip


def water_of_an_hour(hour: Hour) -> Iterator[str]:
    """Towers leave saturated air; blowdown by the cycles; pads; humidifiers."""
    cooling, year = hour.found.cooling, hour.study.year
    flow, water = year.balance.cooling, year.water
    evaporated = drift = bled = pads = pads_bled = 0.0
    sinks = [(cooling.chilled.sink, flow.rejection)]
    if cooling.water is not None and cooling.water.sink is not None:
        sinks.append((cooling.water.sink, flow.fws_rejection))
    for sink, state in sinks:
        if state is None:
            continue
        heat, ratio, whole = hour(state.heat_w), hour(state.water.air_ratio), hour(state.flow_m3_s)
        cells = whole * heat / max(heat + hour(state.reused_w), 1e-9)
        per_m3 = sink.liquid.density_kg_m3 * sink.liquid.specific_heat_j_kgk
        if sink.plan.kind == "tower":
            volume = _volume(hour.dry_c, hour.humid, hour.pressure_pa)
            share = max(cells / (sink.heat_w / (per_m3 * sink.range_k)), 1e-9)
            air = sink.fan_w * 0.5 / 190.0 * share * ratio / volume
            after = _enthalpy(hour.dry_c, hour.humid) + heat / air
            left_c = _root(
                lambda t, after=after: _enthalpy(t, _saturated(t, hour.pressure_pa)) - after,
                -40.0, 80.0,
            )  # fmt: skip
            gone = air * max(_saturated(left_c, hour.pressure_pa) - hour.humid, 0.0)
            own = sink.plan.drift * cells * ratio
            gone /= sink.liquid.density_kg_m3
            evaporated, drift = evaporated + gone, drift + own
            bled += max(gone / (sink.plan.cycles - 1.0) - own, 0.0)
        elif sink.plan.pads is not None:
            gone = _from_pads(hour, sink, state, cells * per_m3 / sink.unit_w_k) / 998.2
            pads, pads_bled = pads + gone, pads_bled + gone / (sink.plan.pads.cycles - 1.0)
    own = hour(flow.pads_kg_s) / 998.2
    if own > 0.0:
        pads, pads_bled = pads + own, pads_bled + own / (cooling.chain.economizer.pad_cycles - 1.0)
    room, humidified = cooling.chain.crah.path.room, 0.0
    if room.driest_c is not None:
        short = max(_saturated(room.driest_c, hour.pressure_pa) - hour.humid, 0.0)
        humidified = room.ventilation_m3_s / hour.supply[0] * short
    near = 5e-3
    towers = water.towers
    yield from differs("evaporation", hour(towers.evaporation_m3_s), evaporated, near)
    yield from differs("drift", hour(towers.drift_m3_s), drift, near)
    yield from differs("blowdown", hour(towers.blowdown_m3_s), bled, near)
    yield from differs("water of pads", hour(water.pads_m3_s), pads, near)
    yield from differs("blowdown of pads", hour(water.pads_bled_m3_s), pads_bled, near)
    dampened = hour(water.humidifiers_m3_s)
    if abs(dampened - humidified / 998.2) > near * humidified / 998.2 + 1e-9:
        yield f"humidifiers: {dampened!r}, by hand {humidified / 998.2!r}"
    steam = humidified * STEAM_J_KG if room.humidifier == "steam" else 0.0
    yield from differs("steam", hour(flow.power.humidification_w), steam, near)


STEAM_J_KG = 377e3 + 2257e3
"""Water of 10 degC brought to the boil, and evaporated: steam tables."""


def _from_pads(hour: Hour, sink: Any, state: Any, running: float) -> float:
    """Water that the air takes up at its wet bulb, all of it past the pads [kg/s]."""
    at, unit = state.water.pads, sink.plan.unit
    if at is None:
        return 0.0
    dry_c, wet_c, behind_c = hour(at.dry_c), hour(at.wet_c), hour(at.leaving_c)
    psychrolib.SetUnitSystem(psychrolib.SI)

    def held(air_c: float) -> float:
        return float(psychrolib.GetHumRatioFromTWetBulb(air_c, min(wet_c, air_c), hour.pressure_pa))

    before, behind = held(dry_c), held(behind_c)
    rated = sink.coil.first_w_k / 1006.0 * _volume(unit.air_in_c, 0.0, 101325.0)
    volume = _volume(behind_c, behind, hour.pressure_pa)
    air = running * rated * hour(state.water.air_ratio) / volume
    return air * max(behind - before, 0.0)


def balance_of_an_hour(hour: Hour) -> Iterator[str]:
    """All heat leaves; the meter reads the sum of the parts; what is on the UPS."""
    year = hour.study.year
    flow, heat, power = year.balance.cooling, year.balance.heat, year.balance.cooling.power
    given = sum(hour(x) for x in (
        heat.air_it_w, heat.liquid_it_w, heat.hall_losses_w, heat.electrical_room_w, heat.lights_w,
        heat.people_w, heat.envelope_w, heat.ventilation_w,
    ))  # fmt: skip
    given += sum(hour(x) for x in (
        power.crah_fans_w, power.cdu_pumps_w, power.chw_pumps_w, power.fws_pumps_w,
        power.chillers_w, power.condenser_pumps_w,
    ))  # fmt: skip
    left = hour(flow.rejected_w) + hour(flow.reused_w) - hour(flow.tank_w)
    yield from differs("heat of the hour", left, given, 1e-6)
    parts = sum(hour(values) for values in year.power_w.values())
    yield from differs("meter", hour(year.facility_w), parts)
    load = hour(year.load)
    yield from differs("IT", hour(year.power_w["it"]), load * hour.found.it.it_w)
    for name, peak in (("air", "air_it_w"), ("liquid", "liquid_it_w")):
        whole = getattr(hour.found.point.heat, peak)
        yield from differs(f"heat to {name}", hour(getattr(heat, peak)), load * whole)


def sums_of_the_year(found: Design) -> Iterator[str]:
    """Energies, peaks, quantiles, water and ratios, added up from the hours."""
    study = annual(found)
    year, results = study.year, study.results
    step = year.hours.step_s

    def shown(key: str) -> float:
        return float(results[key].si)

    joules = {id: math.fsum(values) * step for id, values in year.power_w.items()}
    for id, value in joules.items():
        yield from differs(f"annual.{id}", shown(f"annual.{id}"), value)
    groups = {
        group: sum(v for id, v in joules.items() if id.split(".")[0] == group)
        for group in ("it", "losses", "cooling", "house")
    }
    for group, value in groups.items():
        yield from differs(f"energy.annual.{group}", shown(f"energy.annual.{group}"), value)
    whole = sum(groups.values())
    yield from differs("energy.annual", shown("energy.annual"), whole)
    yield from differs("pue.annual", shown("pue.annual"), whole / groups["it"])
    for group in ("cooling", "losses"):
        wanted = 1.0 + groups[group] / groups["it"]
        yield from differs(f"ppue.{group}", shown(f"ppue.{group}"), wanted)
    meter = sorted(sum(float(v[n]) for v in year.power_w.values()) for n in range(len(year.hours)))
    yield from differs("annual.peak", shown("annual.peak"), meter[-1])
    yield from differs("annual.load_factor", shown("annual.load_factor"),
                       math.fsum(meter) / len(meter) / meter[-1])  # fmt: skip
    for part in (50, 90, 99):
        at = (len(meter) - 1) * part / 100.0
        low = int(at)
        wanted = meter[low] + (at - low) * (meter[min(low + 1, len(meter) - 1)] - meter[low])
        yield from differs(f"annual.p{part}", shown(f"annual.p{part}"), wanted)
    water = year.water
    made = {
        "evaporation": water.towers.evaporation_m3_s, "drift": water.towers.drift_m3_s,
        "blowdown": water.towers.blowdown_m3_s, "humidifiers": water.humidifiers_m3_s,
    }  # fmt: skip
    if "water.annual.pads" in results:
        made |= {"pads": water.pads_m3_s, "pads_bled": water.pads_bled_m3_s}
    for name, values in made.items():
        total = math.fsum(np.broadcast_to(values, len(year.hours))) * step
        yield from differs(f"water.annual.{name}", shown(f"water.annual.{name}"), total)
    total = sum(shown(f"water.annual.{name}") for name in made)
    yield from differs("water.annual", shown("water.annual"), total)
    yield from differs("wue.site", 3.6e9 * shown("wue.site"), 3.6e9 * total / groups["it"])
    yield from _plant_sums(study, shown)


def _plant_sums(study: AnnualStudy, shown: Callable[[str], float]) -> Iterator[str]:
    year, results = study.year, study.results
    flow, chilled = year.balance.cooling, year.chillers
    count, hours = len(year.hours), year.hours.step_s / 3600.0
    free = np.broadcast_to(np.asarray(flow.economizer_w, dtype=float), count)
    if "annual.economizer.heat" in results:
        yield from differs("annual.economizer.heat", shown("annual.economizer.heat"),
                           math.fsum(free) * year.hours.step_s)  # fmt: skip
        loads = np.broadcast_to(np.asarray(flow.chiller_load_w, dtype=float), count)
        coils = np.broadcast_to(np.asarray(flow.coils_w, dtype=float), count)
        of = coils if year.economizer.on_air else loads + free
        share = np.array([f / o if o > 0.0 else 0.0 for f, o in zip(free, of, strict=True)])
        full, none = share > 1.0 - 1e-9, share < 1e-9
        for mode, n in (("full", full), ("none", none), ("partial", ~full & ~none)):
            key = f"annual.economizer.{mode}"
            yield from differs(key, shown(key), float(n.sum()) * hours)
    if "annual.chiller_full_load_hours" in results and chilled.curves is None:
        load = np.broadcast_to(np.asarray(flow.chiller_load_w, dtype=float), count)
        duty = min(chilled.duty, chilled.installed)
        load = np.minimum(load, chilled.installed * chilled.capacity_w)
        most = max(duty * chilled.capacity_w, float(load.max()))
        wanted = math.fsum(load) * hours / most
        if abs(shown("annual.chiller_full_load_hours") - wanted) > 0.51:
            yield f"annual.chiller_full_load_hours: {shown('annual.chiller_full_load_hours')!r}"


def measures_of_the_year(found: Design) -> Iterator[str]:
    """Full-load hours of machines, PUE by category, tests of sets, heat given to others."""
    study = annual(found)
    year, results, flow = study.year, study.results, study.year.balance.cooling
    step, it_j = year.hours.step_s, float(results["energy.annual.it"].si)

    def shown(key: str) -> float:
        return float(results[key].si)

    design = found.cooling_flow.power
    for part in ("crah_fans", "cdu_pumps", "chw_pumps", "fws_pumps", "condenser_pumps",
                 "heat_rejection_fans"):  # fmt: skip
        key = f"annual.full_load_hours.{part}"
        if key in results:
            power = year.power_w[f"cooling.{part}"]
            most = max(float(getattr(design, f"{part}_w")), max(power.tolist()))
            if abs(shown(key) - math.fsum(power) * step / most / 3600.0) > 0.51:
                yield f"{key}: {shown(key)!r}"
    losses = {id: math.fsum(v) * step for id, v in year.power_w.items()}
    whole = shown("energy.annual")
    for number, parts in enumerate((("rack_pdu", "branch", "pdu_transformer", "feeder"),
                                    ("rack_pdu", "branch"), ()), 1):  # fmt: skip
        at = it_j + sum(losses[f"losses.{part}"] for part in parts)
        yield from differs(f"pue.category.{number}", shown(f"pue.category.{number}"), whole / at)
    yield from _tests(found, shown)
    plan = found.cooling.chain.heat_reuse
    if plan is None:
        return
    count = len(year.hours)

    def spread(value: Any) -> list[float]:
        return np.broadcast_to(np.asarray(value, dtype=float), count).tolist()

    warm, hours, available = [-math.inf] * count, [False] * count, 0.0
    reused = 0.0
    for state in (flow.rejection, flow.fws_rejection):
        if state is None or not np.any(np.asarray(state.warm_c)):
            continue
        given = [a + b for a, b in zip(spread(state.heat_w), spread(state.reused_w), strict=True)]
        dry = spread(year.hours.air.dry_bulb_c)
        rows = zip(given, spread(state.warm_c), spread(state.reused_w), dry, strict=True)
        for n, (heat, at_c, used, air) in enumerate(rows):
            warm[n] = max(warm[n], at_c) if heat > 0.0 else warm[n]
            if at_c >= plan.source_c:
                hours[n] |= heat > 0.0
                available += heat
            cool = air + found.cooling.chain.recirculation_k < found.cooling.outdoor_c
            wanted = plan.fraction * heat if cool and at_c >= plan.source_c else 0.0
            reused += used
            if n % 97 == 0:
                yield from differs(f"heat reused in hour {n}", used, wanted, 1e-6)
    yield from differs("annual.reuse.heat", shown("annual.reuse.heat"), reused * step)
    yield from differs("annual.reuse.hours", shown("annual.reuse.hours"), float(sum(hours)))
    yield from differs("annual.reuse.available", shown("annual.reuse.available"), available / count)
    known = [c for c in warm if math.isfinite(c)]
    if known:
        for end, value in (("highest", max(known)), ("lowest", min(known))):
            key = f"annual.reuse.temperature.{end}"
            yield from differs(key, shown(key), value)
    yield from differs("erf", shown("erf"), reused * step / whole)
    yield from differs("ere", shown("ere"), (whole - reused * step) / it_j)


def _tests(found: Design, shown: Callable[[str], float]) -> Iterator[str]:
    """Tests on a load bank: sets, their load, their hours; fuel between the rows of the set."""
    plant, operation = found.chain.generators, found.chain.chain.generator.operation
    if not plant.count or not operation.test_s:
        return
    joules = plant.count * operation.test_load * plant.rating_w * operation.test_s
    key = "annual.generator.test_energy"
    yield from differs(key, shown(key), joules)
    if "fuel.annual" in annual(found).results:
        load_kw = operation.test_load * plant.rating_w / 1e3
        litres = plant.count * _litres_per_hour(plant, load_kw) * operation.test_s / 3600.0
        yield from differs("fuel.annual", shown("fuel.annual"), litres / 1e3)


def _litres_per_hour(plant: Any, load_kw: float) -> float:
    """Fuel of a set at a load: its sheet, else the chart by rating; both linear between loads."""
    parts, columns = [0.25, 0.5, 0.75, 1.0], ("25", "50", "75", "100")
    with (REFERENCE / "equipment/generators.csv").open(encoding="utf-8") as file:
        own = next((row for row in csv.DictReader(file) if row["model"] == plant.model), {})
    sheet = [own.get(f"fuel_{column}_l_h") for column in columns]
    if own.get("fuel_basis_kw") and all(sheet):
        basis_kw, flows = float(own["fuel_basis_kw"]), [float(x) for x in sheet if x]
        return float(np.interp(load_kw / basis_kw, parts, flows))
    rating_kw = plant.rating_w / 1e3
    with (REFERENCE / "electrical/generator_diesel.csv").open(encoding="utf-8") as file:
        chart = list(csv.DictReader(file))
    ratings = [float(row["rating_kw"]) for row in chart]
    flows = [
        float(
            np.interp(rating_kw, ratings, [float(row[f"gal_per_h_{column}pct"]) for row in chart])
        )
        for column in columns
    ]
    beyond = max(rating_kw / ratings[-1], 1.0)
    return 3.785411784 * beyond * float(np.interp(load_kw / rating_kw, parts, flows))


OF_AN_HOUR: tuple[Callable[[Hour], Iterator[str]], ...] = (
    air_of_an_hour,
    liquid_of_an_hour,
    plant_of_an_hour,
    water_of_an_hour,
    balance_of_an_hour,
)


def differences(found: Design) -> Iterator[str]:
    """Yield every figure of the year that the second calculation does not find."""
    yield from weather(found)
    for hour in hours_of(found):
        for one in OF_AN_HOUR:
            yield from (f"hour {hour.n}: {words}" for words in one(hour))
    yield from sums_of_the_year(found)
    yield from measures_of_the_year(found)
