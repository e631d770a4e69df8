"""Fewer units than the heat requires, worked once more: capacity, shortage, hours of the year.

Flows and heats of the hours come from the year; the capacity of units is calculated here: rated
flow times number, chillers by their curve set, cells in proportion, coils by effectiveness.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from facility.cooling.chain.installed import installed_units
from facility.power.chain.sizing import solve_chain
from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.loop import Sized, balance
from facility.study.resolve.cooling.parts import known_fluid
from tests.results.exchange import effectiveness
from tests.results.second import _film, _row, differs
from tests.results.year import SAMPLES, Hour

OVER = 1.0 + 1e-9
FIELDS = {
    "air handlers": "cooling.crah.count",
    "CDUs": "cooling.cdu.count",
    "chillers": "cooling.plant.chiller.count",
    "chiller heat rejection": "cooling.plant.rejection.count",
    "facility water heat rejection": "cooling.facility_water.rejection.count",
}


class Units(NamedTuple):
    """Units of one kind: number, required, capacity, heat that passes them."""

    installed: int
    required: Any
    given: Any
    heat: Any

    def short(self) -> Any:
        """Heat that they leave: as large a part as of the flow, or of the heat, that is missing."""
        asked, given = np.asarray(self.required, dtype=float), np.asarray(self.given, dtype=float)
        part = 1.0 - given / np.where(asked > 0.0, asked, 1.0)
        return np.where(asked > given * OVER, part, 0.0) * self.heat


def _capacity(found: Design, sink_c: Any) -> Any:
    """One chiller: the one stated, or its rating times the capacity surface of its curve set."""
    chilled, plan = found.cooling.chilled, found.cooling.chilled.plan
    chiller = plan.chiller
    if chiller.curves is None:
        return chilled.capacity_w
    row = {k: float(v) for k, v in _row("chillers_eir.csv", chiller.curves).items() if _is(v)}

    def surface(chw_c: float, condenser_c: Any) -> Any:
        x = min(max(chw_c, row["x_min_c"]), row["x_max_c"])
        y = np.clip(condenser_c, row["y_min_c"], row["y_max_c"])
        c = [row[f"capft_{term}"] for term in ("1", "x", "x2", "y", "y2", "xy")]
        return c[0] + c[1] * x + c[2] * x**2 + c[3] * y + c[4] * y**2 + c[5] * x * y

    stated = found.project.cooling.plant.chiller.capacity  # type: ignore[union-attr]
    assert stated is not None
    at = surface(plan.supply_c - chiller.glycol_k, sink_c + chiller.altitude_k)
    # 44 and 85 degF: AHRI 550/590.
    return stated.si * at / surface(6.67, 29.44)


def _is(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _coils(found: Design, flow: Any, hour: Hour | None) -> float:
    """Coils at the speed of the air, or at the least speed of their fans if they take more there.

    What outdoor air takes leaves less heat and colder return air.
    """
    read = hour if hour is not None else float
    chain, crah = found.cooling.chain, found.cooling.crah
    plan, unit = chain.crah, chain.crah.unit
    if hour is not None:
        volume, specific, _ = hour.supply
    else:
        from tests.results.sized import _moist

        volume, specific, _ = _moist(found)
    per = specific / volume
    stream = read(flow.crah_airflow_m3_s) * per
    free = read(flow.economizer_w) if chain.economizer.on_air else 0.0
    left = read(flow.coils_w) - free
    if left <= 1e-6:
        return left
    back = read(flow.return_air_c) - free / stream
    rated = unit.air_flow_m3_s * per
    share = stream / crah.installed
    moved = max(share, plan.factors["least_fan_flow"] * rated)
    mixed = plan.supply_air_c + (back - plan.supply_air_c) * share / moved
    carried = max(left, crah.coils_w) / crah.installed / chain.chilled_water.rise_k
    water = min(carried, crah.coil.second_w_k)
    best = 0.0
    for rate, inlet in ((share, back), (moved, mixed)):
        air = min(rate, rated)
        each = effectiveness(crah.coil, air, water) * min(air, water)
        best = max(best, each * (inlet - chain.chilled_water.supply_c))
    return crah.installed * best


def units_of(found: Design, flow: Any, coils_w: Any) -> dict[str, Units]:
    """Return the units by their name, of one hour or of a year."""
    cooling, counts = found.cooling, found.cooling.counts
    crah, chilled, water = cooling.chain.crah, cooling.chilled, cooling.water
    free = flow.economizer_w if cooling.chain.economizer.on_air else 0.0
    moved = counts.crah * crah.unit.air_flow_m3_s
    by_air = Units(counts.crah, flow.crah_airflow_m3_s, moved, flow.coils_w)
    by_heat = Units(counts.crah, flow.coils_w - free, coils_w, flow.coils_w - free)
    most = [float(np.max(one.short())) for one in (by_air, by_heat)]
    units = {"air handlers": by_heat if most[1] > most[0] else by_air}
    load = flow.chiller_load_w
    capacity = counts.chillers * _capacity(found, np.asarray(flow.condenser_in_c))
    units["chillers"] = Units(counts.chillers, load, capacity, load)
    if cooling.cdus is not None:
        rated = counts.cdu * cooling.cdus.plan.unit.tcs_flow_m3_s
        pumped = cooling.cdus.plan.tcs_flow_m3_s
        units["CDUs"] = Units(counts.cdu, pumped, rated, flow.facility_water_w)
    sinks = [("chiller heat rejection", chilled.sink, flow.rejection)]
    if water is not None and water.sink is not None:
        sinks.append(("facility water heat rejection", water.sink, flow.fws_rejection))
    for name, sink, state in sinks:
        if sink.duty:
            given = sink.heat_w / sink.duty * sink.installed
            units[name] = Units(sink.installed, state.heat_w, given, state.heat_w)
    return units


def shortage(found: Design) -> Iterator[str]:
    """Units of the design hour and of the year, their shortage, and the checks of it."""
    study = annual(found)
    year = study.year
    flow = year.balance.cooling
    wanted = units_of(found, found.cooling_flow, _coils(found, found.cooling_flow, None))
    yield from _same(found, found.cooling_flow, wanted, "design hour")
    count = len(year.hours)
    every = count // SAMPLES
    given = np.broadcast_to(np.asarray(flow.coil_capacity_w, dtype=float), count)
    short_hours = np.flatnonzero(np.broadcast_to(flow.coils_w, count) > given)[:SAMPLES]
    for n in (*range(0, count, every), *short_hours.tolist()):
        by_hand = _coils(found, flow, Hour(found, study, n))
        yield from differs(f"coils of hour {n}", given[n], by_hand, 1e-4)
    wanted = units_of(found, flow, given)
    yield from _same(found, flow, wanted, "year")
    left = np.zeros(count)
    for one in wanted.values():
        left = np.maximum(left, np.broadcast_to(one.short(), count))
    step = year.hours.step_s
    results = study.results
    hours = float(np.count_nonzero(left > 0.0)) * step / 3600.0
    yield from differs("annual.short.hours", float(results["annual.short.hours"].si), hours)
    heat = math.fsum(left) * step
    yield from differs("annual.short.heat", float(results["annual.short.heat"].si), heat, 1e-5)
    yield from _checks(found, study.checks, wanted)


def _same(found: Design, flow: Any, wanted: dict[str, Units], when: str) -> Iterator[str]:
    there = {one.name: one for one in installed_units(found.cooling, flow)}
    handlers = f"{found.cooling.chain.crah.path.unit_name}s"
    there["air handlers"] = there.pop(handlers)
    if set(there) != set(wanted):
        yield f"units of the {when}: {sorted(there)}, by hand {sorted(wanted)}"
        return
    for name, units in wanted.items():
        one, at = there[name], f"{name} of the {when}"
        if (one.installed, one.field) != (units.installed, FIELDS[name]):
            yield f"{at}: {one.installed}, {one.field}"
        pairs = (
            ("asked", one.required, units.required),
            ("given", one.capacity, units.given),
            ("heat left", one.unserved_w, units.short()),
        )
        for what, here, by_hand in pairs:
            apart = np.abs(np.asarray(here) - np.asarray(by_hand))
            scale = np.maximum(
                np.abs(np.asarray(by_hand)), 1e-6 * np.max(np.asarray(units.required))
            )
            if np.any(apart > 2e-4 * scale + 1e-9):
                place = int(np.argmax(np.atleast_1d(apart)))
                yield f"{what}, {at}: apart by {np.atleast_1d(apart)[place]!r}, hour {place}"


def _checks(found: Design, checks: Any, wanted: dict[str, Units]) -> Iterator[str]:
    handlers = f"{found.cooling.chain.crah.path.unit_name}s"
    for check in checks:
        if check.rule != "ANNUAL-CAPACITY" or check.value is None or check.limit is None:
            continue
        name = "air handlers" if check.subject == handlers else check.subject
        asked, given = np.broadcast_arrays(
            np.atleast_1d(wanted[name].required), np.atleast_1d(wanted[name].given)
        )
        share = np.where(given > 0.0, asked / np.where(given > 0.0, given, 1.0), 0.0)
        yield from differs(f"ANNUAL-CAPACITY {name}", check.value / check.limit, share.max(), 3e-3)
        if check.failed != bool(share.max() > 1.0 + 2e-3):
            yield f"ANNUAL-CAPACITY {name}: {share.max()!r}, failed {check.failed}"


def agreed_power(found: Design) -> Iterator[str]:
    """IT that the power agreed carries: at that load the meter of 90 or 99 % of hours is within it.

    All of it where the whole load is within, none where the least load is not.
    """
    site = found.project.site
    agreed = site.utility_capacity if site is not None else None
    if agreed is None:
        return
    study = annual(found)
    hours, sized = study.year.hours, Sized(found.chain, found.cooling)

    def meter(load: float, part: int) -> float:
        at = balance(found.facility, found.it, sized, hours.weather, load)
        power = at.demand.it_w + at.demand.house_w + np.zeros(len(hours))
        for one in at.flow.parts:
            power = power + one.loss_w
        ordered = np.sort(power + at.cooling.power.total_w)
        at_n = (len(ordered) - 1) * part / 100.0
        low = math.floor(at_n)
        return float(ordered[low] + (at_n - low) * (ordered[low + 1] - ordered[low]))

    for part in (90, 99):
        key = f"capacity.it.p{part}"
        load = float(study.results[key].si) / found.it.it_w
        if load >= 1.0:
            if load > 1.0 or meter(1.0, part) > agreed.si * OVER:
                yield f"{key}: all of the IT, meter {meter(1.0, part)!r} W"
        elif load <= 0.0:
            if load < 0.0 or meter(1e-3, part) < agreed.si:
                yield f"{key}: none, meter {meter(1e-3, part)!r} W"
        else:
            yield from differs(f"meter at {key}", meter(load, part), agreed.si, 2e-5)


def fullest_of_the_year(found: Design) -> Iterator[str]:
    """The largest load of every machine over what its duty units carry, and the hour of it."""
    study = annual(found)
    year, cooling = study.year, found.cooling
    flow, count = year.balance.cooling, len(year.hours)
    power = solve_chain(found.chain, year.balance.demand)
    chilled, water, crah = cooling.chilled, cooling.water, cooling.chain.crah
    counts = cooling.counts
    chillers_w = min(chilled.duty, chilled.installed) * _capacity(
        found, np.asarray(flow.condenser_in_c)
    )
    wanted: dict[str, tuple[Any, Any]] = {
        "air handlers on duty, air": (
            flow.crah_airflow_m3_s, counts.crah_duty * crah.unit.air_flow_m3_s
        ),
        "air handlers of the electrical rooms, air": (
            flow.electrical_airflow_m3_s,
            counts.crah_electrical_duty * crah.path.electrical_unit.air_flow_m3_s,
        ),
        "chillers on duty": (flow.chiller_load_w, chillers_w),
        "chilled-water pumps": (flow.chw_flow_m3_s, chilled.pump.flow_m3_s),
    }  # fmt: skip
    sinks = [("heat rejection of the chillers", chilled.sink, flow.rejection)]
    if cooling.cdus is not None and water is not None:
        cdus = cooling.cdus
        there = min(cdus.duty, cdus.installed)
        rated = counts.cdu_duty * cdus.plan.unit.tcs_flow_m3_s
        wanted["CDUs on duty, coolant"] = cdus.plan.tcs_flow_m3_s, rated
        taken = np.asarray(flow.facility_water_w) - np.asarray(flow.power.fws_pumps_w)
        wanted["CDUs on duty, heat"] = taken, water.design_w / cdus.duty * there
        wanted["facility-water pumps"] = flow.fws_flow_m3_s, water.pump.flow_m3_s
        if water.sink is not None:
            name = "heat rejection of the facility water"
            sinks.append((name, water.sink, flow.fws_rejection))  # type: ignore[arg-type]
    for name, sink, state in sinks:
        if sink.duty:
            there = min(sink.duty, sink.installed)
            wanted[name] = state.heat_w, sink.heat_w / sink.duty * there
    shown = {one.name: one for one in study.peak_loads}
    for name, (load, capacity) in wanted.items():
        share = np.broadcast_to(np.asarray(load, dtype=float) / capacity, count)
        if name not in shown:
            yield f"{name}: no load of the year"
            continue
        yield from differs(name, shown[name].load, float(share.max()), 2e-4)
        at = share[shown[name].hour - 1]
        yield from differs(f"hour of {name}", at, float(share.max()), 1e-6)
    inside = np.broadcast_to(
        np.asarray(year.balance.demand.it_w) + np.asarray(year.balance.demand.mech_ups_w), count
    )
    hours = {"UPS": int(np.argmax(inside)), "other": int(np.argmax(year.facility_w))}
    loads = power.ups.loading, power.ups.loading_va
    most = [np.broadcast_to(np.asarray(one.failure), count)[hours["UPS"]] for one in loads]
    of_power = {"UPS modules, after design failure": (max(most), "UPS")}
    if found.chain.transformers.present:
        value = np.broadcast_to(np.asarray(power.transformers.failure), count)[hours["other"]]
        of_power["transformers, after design failure"] = value, "other"
    if found.chain.generators.count:
        value = np.broadcast_to(np.asarray(power.generators.loading), count)[hours["other"]]
        of_power["generator sets on duty"] = value, "other"
    for name, (value, _) in of_power.items():
        yield from differs(name, shown[name].load, float(value), 1e-6)
    if len(shown) - len(wanted) - len(of_power) != (found.chain.pdus is not None):
        yield f"loads of the year: {sorted(shown)}"


def kind_of_a_small_plant(found: Design) -> Iterator[str]:
    """The heat told with the kind of plant: racks and a tenth, with growth; and the film."""
    (words,) = (
        entry.basis for entry in found.trace.ledger if entry.id == "cooling.plant.heat_rejection"
    )
    it, chain = found.facility.it, found.facility.cooling
    heat_w = sum(rack.count * rack.air_w for rack in chain.racks) * chain.crah.sizing_factor * 1.1
    heat_w *= it.demand_factor * it.diversity * (1.0 + found.facility.criteria.growth)
    if f"about {heat_w / 1e3:,.0f} kW of chilled water" not in words:
        yield f"{heat_w:g} W of chilled water by hand: {words}"
    loop = chain.chilled_water
    film = _film(loop.fluid, known_fluid("water"), loop.supply_c + 0.5 * loop.rise_k)
    yield from differs("film of the evaporator", found.trace.value("plant.chw.film"), film, 1e-4)
