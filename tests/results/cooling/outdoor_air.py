"""Air-side economizers of the hours, worked once more: mixing, pads at the wet bulb, what pays.

Moist air by psychrolib. The plant with and without the economizer is that of `year.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import psychrolib

from facility.study.annual.study import annual
from facility.study.design.design import Design
from tests.results.second import differs
from tests.results.year import SAMPLES, Hour, _plant, _pumping, _volume

NEAR = 2e-3


class Air(NamedTuple):
    """What outdoor air can do in an hour: share of the heat, its part of the stream, water."""

    share: float
    part: float
    pads_kg_s: float


def _humidity(dry_c: float, wet_c: float, pressure_pa: float) -> float:
    psychrolib.SetUnitSystem(psychrolib.SI)
    return float(psychrolib.GetHumRatioFromTWetBulb(dry_c, min(wet_c, dry_c), pressure_pa))


def _wetted_to(ratio: float, wet_c: float, pressure_pa: float) -> float:
    """Dry bulb to which air of a wet bulb cools as it is wetted to a humidity ratio."""
    low, high = wet_c, wet_c + 80.0
    if _humidity(low, wet_c, pressure_pa) < ratio:
        return -math.inf
    for _ in range(50):
        middle = 0.5 * (low + high)
        damp = _humidity(middle, wet_c, pressure_pa) > ratio
        low, high = (middle, high) if damp else (low, middle)
    return 0.5 * (low + high)


def air_of(hour: Hour) -> Air:
    """Return what the outdoor air of an hour can do."""
    plan, supply_c = hour.found.cooling.chain.economizer, hour.supply_air_c
    volume, specific, _ = hour.supply
    back = hour.return_air_c
    coil_out = back - hour.coils_w / (hour.crah_airflow_m3_s / volume * specific)
    assert coil_out <= supply_c + 1e-9, "fans warm the air behind the coil"
    humid, pressure = hour.humid, hour.pressure_pa
    dry_c = hour.dry_c + hour.warmer_k
    psychrolib.SetUnitSystem(psychrolib.SI)
    saturated = float(psychrolib.GetSatHumRatio(dry_c, pressure))
    wet_c = float(psychrolib.GetTWetBulbFromHumRatio(dry_c, min(humid, saturated), pressure))
    warmest = dry_c
    coldest = dry_c - plan.pad_effectiveness * max(dry_c - wet_c, 0.0)
    direct = plan.kind == "air-side-direct"
    if direct:
        low, high = (float(psychrolib.GetSatHumRatio(dew, pressure))
                     for dew in (plan.dew_point_min_c, plan.dew_point_max_c))  # fmt: skip
        if humid > high * (1.0 + 1e-6):
            return Air(0.0, 0.0, 0.0)
        if humid < low * (1.0 - 1e-6):
            warmest = _wetted_to(low, wet_c, pressure)
            if warmest < coldest:
                return Air(0.0, 0.0, 0.0)
        coldest = min(max(coldest, _wetted_to(high, wet_c, pressure)), warmest)
    wanted = back - (back - coil_out) / plan.effectiveness
    source = min(max(wanted, coldest), warmest)
    taken = plan.effectiveness * max(back - source, 0.0) / (back - coil_out)
    part = min((back - coil_out) / max(back - source, 1e-9), 1.0) if direct else 1.0
    if source > coil_out:
        part = 1.0
    gain = _humidity(source, wet_c, pressure) - humid if source < dry_c - 1e-9 else 0.0
    stream = hour.crah_airflow_m3_s / _volume(coil_out, humid, pressure)
    return Air(min(taken, 1.0), part, stream * part * max(gain, 0.0))


def economizer_of_an_hour(hour: Hour) -> Iterator[str]:
    """It works where air colder than that of the design saves the plant more than its fans take."""
    cooling, flow = hour.found.cooling, hour.study.year.balance.cooling
    plan, chilled = cooling.chain.economizer, cooling.chilled
    air = air_of(hour)
    fans = plan.fan_w_per_m3_s * hour.crah_airflow_m3_s
    rest = hour.electrical_coils_w + hour.fresh_w + hour.doors_w + hour.fws_chilled_w + hour.tank_w
    powers = []
    for share in (air.share, 0.0):
        picked = hour.coils_w * (1.0 - share) + rest
        water = 0.0
        if not chilled.plan.direct:
            per_m3 = chilled.liquid.density_kg_m3 * chilled.liquid.specific_heat_j_kgk
            water = picked / (per_m3 * chilled.plan.rise_k)
        pumps = _pumping(chilled, picked, water)
        powers.append(_plant(hour, picked, pumps, free=False).power_w + fans * (share > 0.0))
    works = hour.cool and air.share > 1e-9 and powers[0] < powers[1]
    if abs(powers[0] - powers[1]) < 2e-3 * powers[1]:
        works = hour.economizer_w > 0.0
    share = air.share if works else 0.0
    if abs(hour.economizer_w / hour.coils_w - share) > NEAR:
        yield f"share of outdoor air: {hour.economizer_w / hour.coils_w!r}, by hand {share!r}"
    if not works:
        if hour(flow.pads_kg_s):
            yield f"water of pads: {hour(flow.pads_kg_s)!r}, outdoor air is shut off"
        return
    if abs(hour(flow.pads_kg_s) - air.pads_kg_s) > 5e-3 * air.pads_kg_s + 1e-5:
        yield f"water of pads: {hour(flow.pads_kg_s)!r}, by hand {air.pads_kg_s!r}"
    outdoors = hour(flow.power.heat_rejection_fans_w) - hour(flow.rejection.fans_w)
    yield from differs("fans of the outdoor air", outdoors, fans, 1e-4)


def outdoor_air(found: Design) -> Iterator[str]:
    """Hours of every kind: evenly drawn, the coldest, the driest, the dampest, the hottest."""
    if not found.cooling.chain.economizer.on_air:
        return
    study = annual(found)
    air = study.year.hours.air
    count = len(study.year.hours)
    chosen = set(range(7, count, count // SAMPLES))
    for values in (air.dry_bulb_c, air.humidity_ratio, air.wet_bulb_c - air.dry_bulb_c):
        order = np.argsort(values)
        chosen |= set(order[:: count // 8].tolist()) | set(order[-3:].tolist())
    share: Any = np.broadcast_to(study.year.economizer_share, count)
    partial = np.flatnonzero((share > 1e-6) & (share < 1.0 - 1e-6))
    chosen |= set(partial[:: max(len(partial) // SAMPLES, 1)].tolist())
    for n in sorted(chosen):
        hour = Hour(found, study, int(n))
        yield from (f"hour {n}: {words}" for words in economizer_of_an_hour(hour))
