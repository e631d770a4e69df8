"""A second calculation of bills and of the tank that the tariff runs: hour by hour, in loops."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import numpy as np

from facility.model.tariff import HOURS_OF_USE, Tariff
from facility.study.annual.hours import hours_of
from facility.study.design.design import Design
from facility.study.loop import Sized, balance
from facility.study.tariff.bill import Metered, bill_of
from facility.study.tariff.tank import dispatched, prices
from tests.results.second import differs
from tests.study.helpers import SHORTEST, design_of

MONTHS = range(1, 13)
_ROOM = 0.98
CHARGES = (
    "site.station=phoenix",
    "cooling.plant.chiller.performance=lift",
    "site.tariff.energy.0.price=0.30 USD/kWh", "site.tariff.energy.0.days=weekdays",
    "site.tariff.energy.0.hours=14:30-20",
    "site.tariff.energy.1.price=0.06 USD/kWh", "site.tariff.energy.1.days=weekdays",
    "site.tariff.energy.1.hours=20-14:30", "site.tariff.energy.1.blocks.0.above=20 MWh",
    "site.tariff.energy.1.blocks.0.price=0.05 USD/kWh",
    "site.tariff.energy.2.price=0.06 USD/kWh", "site.tariff.energy.2.days=weekends",
    "site.tariff.demand.0.price=9 USD/kW", "site.tariff.demand.0.months=May-Oct",
    "site.tariff.demand.0.hours=12-18", "site.tariff.demand.0.days=weekdays",
    "site.tariff.demand.1.price=5 USD/kW", "site.tariff.demand.1.ratchet=80 %",
    "site.tariff.power_factor=99 %", "site.tariff.fixed=1000 USD",
    "site.tariff.reactive.0.price=0.02 USD/kvarh", "site.tariff.reactive.0.beyond=5 %",
)  # fmt: skip
TANKED = (*CHARGES, "cooling.storage.volume=60 m3")
NAMES = ("a tank and a bill",)


def differences(found: Design) -> Iterator[str]:
    yield from bills(found)
    yield from tanks(found)


def tanked() -> Design:
    return design_of(SHORTEST, *TANKED)


def _hours(found: Design) -> tuple[Metered, Any, Tariff]:
    record, tariff = found.weather_year, found.facility.site.tariff
    assert record is not None
    assert tariff is not None
    hours, sized = hours_of(record), Sized(found.chain, found.cooling)
    load = found.facility.load.through_the_year
    at = balance(found.facility, found.it, sized, hours.weather, load)
    apparent = hours.spread(at.flow.utility.demand_va)
    meter = Metered(hours.month, hours.spread(at.facility_w), apparent, hours.step_s)
    return meter, at.cooling, tariff


def _calendar(meter: Metered, tariff: Tariff) -> list[tuple[int, int, int, str]]:
    """Month, day, first half hour, kind of day of each step of a year that is none of leap."""
    start, found = date(2023, 1, 1), []
    per = int(3600.0 / meter.step_s)
    for n in range(len(meter.month)):
        day = start + timedelta(days=n // (24 * per))
        weekday = (tariff.first_day + n // (24 * per)) % 7
        kind = "weekdays" if weekday < 5 else ("saturdays" if weekday == 5 else "sundays")
        if 100 * day.month + day.day in tariff.holidays:
            kind = "sundays"
        found.append((day.month, day.day, 2 * (n // per % 24) if per == 1 else 0, kind))
    return found


def _share(when: tuple[int, int, int, str], period: Any, every_month: bool = False) -> float:
    """Part of an hour in a period."""
    month, _, half, kind = when
    if kind not in period.days or not (every_month or month in period.months):
        return 0.0
    return sum(h in period.half_hours for h in (half, half + 1)) / 2.0


def _block(block: Any, value: float, highest: float) -> float:
    size = highest if block.unit == HOURS_OF_USE else 1.0
    above, upto = block.above * size, block.upto * size if math.isfinite(block.upto) else math.inf
    return max(min(value, upto) - above, 0.0)


def _billed(charge: Any, measured: list[float]) -> list[float]:
    """Ratchet, months and block of a demand charge."""
    floor = charge.ratchet * max(measured[m - 1] for m in charge.ratchet_months)
    found = []
    for month, value in zip(MONTHS, measured, strict=True):
        most = max(value, floor) if month in charge.period.months else 0.0
        found.append(_block(charge.block, most, most))
    return found


def bills(found: Design) -> Iterator[str]:
    """Energy, demand, power factor, reactive energy of twelve months; prices of a J more."""
    meter, _, tariff = _hours(found)
    bill, when = bill_of(tariff, meter), _calendar(meter, tariff)
    power, step = meter.power_w.tolist(), meter.step_s
    va = meter.apparent_va.tolist()
    highest = [max(p for p, w in zip(power, when, strict=True) if w[0] == m) for m in MONTHS]
    last_price = np.zeros(len(power))
    periods: dict[Any, float] = {}
    for n, charge in enumerate(tariff.energy):
        sums = [0.0] * 12
        for p, w in zip(power, when, strict=True):
            sums[w[0] - 1] += _share(w, charge.period) * p * step
        for m, (whole, most) in enumerate(zip(sums, highest, strict=True)):
            inside = _block(charge.block, whole, most)
            yield from differs(
                f"energy of charge {n} in month {m + 1}", bill.energy_j[n][m], inside
            )
            if inside > 0.0 or charge.block.above == 0.0:
                periods[charge.period, m + 1] = charge.price_per_j
    shares = {period: [_share(w, period) for w in when] for period, _ in periods}
    for (period, month), price in periods.items():
        for k, w in enumerate(when):
            if w[0] == month:
                last_price[k] += shares[period][k] * price
    apart = float(np.abs(bill.last_per_j - last_price).max())
    yield from differs("price of the last blocks", apart, 0.0)
    paid = float(np.dot(bill.price_per_j, meter.power_w)) * step
    yield from differs("mean prices", paid, float(bill.energy.sum()), 1e-9)
    total = bill.energy + tariff.fixed
    for n, one in enumerate(tariff.demand):
        measured, raised = [], []
        for m in MONTHS:
            inside = [
                k for k, w in enumerate(when) if w[0] == m and _share(w, one.period, True) > 0.0
            ]
            most, most_va = max(power[k] for k in inside), max(va[k] for k in inside)
            measured.append(most_va if one.apparent else most)
            raised.append(max(most, (tariff.least_power_factor or 0.0) * most_va))
        plain = _billed(one, measured)
        more = [a - b for a, b in zip(_billed(one, raised), plain, strict=True)]
        for m in range(12):
            yield from differs(
                f"demand of charge {n} in month {m + 1}", bill.billed[n][m], plain[m]
            )
            yield from differs(f"power factor of charge {n} in month {m + 1}", bill.added_w[n][m],
                               more[m], 1e-5)  # fmt: skip
        total = total + one.price * (np.array(plain) + np.array(more))
    for n, charge in enumerate(tariff.reactive):
        drawn, taken = [0.0] * 12, [0.0] * 12
        for k, w in enumerate(when):
            share = _share(w, charge.period) * step
            drawn[w[0] - 1] += share * math.sqrt(max(va[k] ** 2 - power[k] ** 2, 0.0))
            taken[w[0] - 1] += share * power[k]
        beyond = np.array(
            [max(q - charge.free * e, 0.0) for q, e in zip(drawn, taken, strict=True)]
        )
        for m in range(12):
            yield from differs(
                f"reactive energy {n}, month {m + 1}", bill.reactive_var_s[n][m], beyond[m]
            )
        total = total + charge.price * beyond
    for m in range(12):
        yield from differs(f"bill of month {m + 1}", float(bill.total[m]), float(total[m]))


def _worth(meter: Metered, tariff: Tariff, bill: Any) -> list[float]:
    """What a J more costs: energy of the last block, and demand over the hours that it is of."""
    when = _calendar(meter, tariff)
    found = bill.last_per_j.tolist()
    for one in tariff.demand:
        hours = [0.0] * 12
        for w in when:
            hours[w[0] - 1] += _share(w, one.period)
        for k, w in enumerate(when):
            if hours[w[0] - 1] > 0.0:
                found[k] += _share(w, one.period) * one.price / (hours[w[0] - 1] * meter.step_s)
    return found  # type: ignore[no-any-return]


def _runs(inside: list[bool]) -> list[tuple[int, int]]:
    """Beginning and end of each run of equal steps."""
    edges = [0, *(k for k in range(1, len(inside)) if inside[k] != inside[k - 1]), len(inside)]
    return list(itertools.pairwise(edges))


def tanks(found: Design) -> Iterator[str]:
    """Charged evenly over cheap hours, emptied over dear ones, within what plant and load allow."""
    meter, flow, tariff = _hours(found)
    bill = bill_of(tariff, meter)
    worth = _worth(meter, tariff, bill)
    priced = prices(tariff, meter, bill)
    yield from differs("prices", float(np.abs(priced - np.array(worth)).max()) * 3.6e6, 0.0)
    for under in (False, True):
        got = dispatched(priced, meter, found.cooling, flow, under_peak=under)
        charge, give, level, capacity, loss = _dispatch(found, meter, flow, worth, under)
        yield from differs("capacity of the tank", got.capacity_j, capacity)
        for name, shown, wanted, scale in (
            ("charge", got.flow.charge_w, charge, max(charge)),
            ("discharge", got.flow.discharge_w, give, max(give)),
            ("level", got.level_j, level, capacity),
            ("loss", got.loss_w, loss, max(loss)),
        ):
            apart = float(np.abs(np.asarray(shown) - np.array(wanted)).max())
            if not apart <= 1e-6 * max(scale, 1.0):
                yield f"{name} of the tank, under_peak {under}: {apart!r} apart of {scale!r}"


def _dispatch(
    found: Design, meter: Metered, flow: Any, worth: list[float], under: bool
) -> tuple[list[float], list[float], list[float], float, list[float]]:
    chilled, plan, step = found.cooling.chilled, found.cooling.chain.storage, meter.step_s
    assert plan is not None
    per = chilled.liquid.density_kg_m3 * chilled.liquid.specific_heat_j_kgk * chilled.plan.rise_k
    capacity = plan.volume_m3 * (plan.usable - plan.reserve) * per
    gain = plan.gain * plan.volume_m3 * plan.usable * per / 86400.0
    steps = len(worth)
    month = meter.month.tolist()
    low = {m: min(w for w, k in zip(worth, month, strict=True) if k == m) for m in MONTHS}
    high = {m: max(w for w, k in zip(worth, month, strict=True) if k == m) for m in MONTHS}

    def apart(m: int) -> bool:
        return high[m] - low[m] > 1e-9 * high[m]

    cheap = [apart(m) and w <= low[m] + 1e-9 * high[m] for w, m in zip(worth, month, strict=True)]
    dear = [apart(m) and w >= high[m] - 1e-9 * high[m] for w, m in zip(worth, month, strict=True)]
    load = np.broadcast_to(np.asarray(flow.chiller_load_w, dtype=float), steps).tolist()
    moved = np.broadcast_to(np.asarray(flow.chw_flow_m3_s, dtype=float), steps).tolist()
    parts = (flow.power.chillers_w, flow.rejection.fans_w, flow.rejection.pumps_w)
    plant = sum(np.broadcast_to(np.asarray(x, dtype=float), steps) for x in parts).tolist()
    duty = min(chilled.duty, chilled.installed)
    power = meter.power_w.tolist()
    peak = {m: max(p for p, k in zip(power, month, strict=True) if k == m) for m in MONTHS}
    spare = []
    for k in range(steps):
        most = min(chilled.load_w, duty * chilled.capacity_w) - load[k]
        most = min(most, per * (chilled.pump.flow_m3_s - moved[k]))
        if under:
            most = min(most, (peak[month[k]] - power[k]) * load[k] / max(plant[k], 1.0))
        spare.append(_ROOM * max(most, 0.0))
    charge, give = [0.0] * steps, [0.0] * steps
    for first, end in _runs(cheap):
        if cheap[first]:
            for k in range(first, end):
                charge[k] = min(capacity / ((end - first) * step) + gain, spare[k])
    held = {first: capacity for first, _ in _runs(dear)}
    level = [0.0] * steps
    for _ in range(2):
        for first, end in _runs(dear):
            for k in range(first, end):
                give[k] = (
                    min(held[first] / ((end - first) * step), _ROOM * load[k]) if dear[k] else 0.0
                )
        now = 0.0
        for _ in range(3):  # A year that begins as it ends
            for k in range(steps):
                now = min(max(now + (charge[k] - give[k] - gain) * step, 0.0), capacity)
                level[k] = now
        held = {first: level[first - 1] for first, _ in _runs(dear)}
    added = [(level[k] - level[k - 1]) / step for k in range(steps)]
    put = [min(max(a + gain, 0.0), s) if c else 0.0
           for a, s, c in zip(added, spare, cheap, strict=True)]  # fmt: skip
    out = [max(-a - gain, 0.0) if d else 0.0 for a, d in zip(added, dear, strict=True)]
    loss = [p - o - a for p, o, a in zip(put, out, added, strict=True)]
    return put, out, level, capacity, loss
