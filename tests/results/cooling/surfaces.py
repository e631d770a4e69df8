"""Coldest surfaces of coils and doors, and moisture of the outdoor air, worked once more.

A surface stands between the air that leaves and the water that enters, by the films of both; films
are those of the rating with their powers of the flows, moist air is psychrolib's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psychrolib

from facility.cooling.air.crah import crah_coil
from facility.study.design.design import Design
from tests.results.exchange import films
from tests.results.second import differs
from tests.results.sized import _moist

_NEAR = 1e-4
_STEAM_J_KG = 2.634e6
"""Water from 10 to 100 degC, and its evaporation: 377 and 2257 kJ/kg."""


def _surface(coil: Any, rates: tuple[float, float], air_c: float, water_c: float) -> float:
    outside, inside = films(coil, *rates)
    return (outside * air_c + inside * water_c) / (outside + inside)


def _checked(found: Design, rule: str, part: str, wanted: float, limit: float) -> Iterator[str]:
    shown = [c for c in found.room_air.checks if c.rule == rule and part in c.subject]
    if len(shown) != 1:
        yield f"{rule} of {part}: {len(shown)} checks"
    for check in shown:
        yield from differs(f"{rule} of {part}", check.value or 0.0, wanted, _NEAR)
        yield from differs(f"{rule} of {part}, limit", check.limit or 0.0, limit, 1e-9)
        if check.failed != (wanted < limit - 1e-6):
            yield f"{rule} of {part}: {wanted} of {limit}, failed {check.failed}"


def coldest_surfaces(found: Design) -> Iterator[str]:
    """Coils of halls and electrical rooms, and the rear door that takes the most."""
    cooling, flow, counts = found.cooling, found.cooling_flow, found.cooling.counts
    chain, plan = cooling.chain, cooling.chain.crah
    volume, specific, _ = _moist(found)
    water_c = chain.chilled_water.supply_c
    if chain.chilled_water.direct:
        return
    rise = chain.chilled_water.rise_k
    units = (
        ("electrical rooms", crah_coil(plan.path.electrical_unit, plan.film_ratio, plan.water_film),
         counts.crah_electrical, flow.electrical_airflow_m3_s, flow.electrical_coils_w,
         chain.room_dew_point_c),
        (f"{plan.path.unit_name} coils", cooling.crah.coil, counts.crah, flow.crah_airflow_m3_s,
         flow.coils_w, chain.hall_dew_points_c[1]),
    )  # fmt: skip
    for part, coil, count, air_m3_s, heat_w, dew_c in units:
        if not count or heat_w <= 0.0:
            continue
        rates = air_m3_s / count * specific / volume, min(heat_w / count / rise, coil.second_w_k)
        wanted = _surface(coil, rates, flow.supply_air_c, water_c)
        yield from _checked(found, "AIR-COIL-SURFACE", part, wanted, dew_c)
    door = plan.path.door
    if door is None:
        return
    results = {
        k: float(v.si) for k, v in found.room_air.results.items() if k.startswith("air.door")
    }
    coil = crah_coil(door, plan.film_ratio, plan.water_film)
    warm = [rack for rack in chain.racks if rack.air_w > 0.0]
    part_load = found.point.heat.air_it_w / sum(rack.count * rack.air_w for rack in warm)
    taken = [results[f"air.door.{n}.taken"] for n in range(1, len(warm) + 1)]
    most = max(range(len(warm)), key=lambda n: taken[n])
    rack, heat_w = warm[most], taken[most]
    stream = rack.air_w * part_load / rack.rise_k
    leaves = plan.supply_air_c + plan.path.room_rise_k + rack.rise_k - heat_w / stream
    rates = stream, min(heat_w / rise, coil.second_w_k)
    wanted = _surface(coil, rates, leaves, water_c)
    yield from _checked(found, "AIR-DOOR-SURFACE", "rear doors", wanted, chain.room_dew_point_c)


def moisture_of_the_outdoor_air(found: Design) -> Iterator[str]:
    """Dry air brought to the least dew point, saturated air to that of the room."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    chain, site, results = found.cooling.chain, found.facility.site, found.room_air.results
    room, pressure = chain.crah.path.room, site.pressure_pa
    volume, _, _ = _moist(found)
    air_kg_s = room.ventilation_m3_s / volume
    if room.driest_c is not None:
        need = air_kg_s * float(psychrolib.GetSatHumRatio(room.driest_c, pressure))
        yield from differs("air.humidifier", float(results["air.humidifier"].si), need, _NEAR)
        if "air.humidifier.power" in results:
            shown = float(results["air.humidifier.power"].si)
            yield from differs("air.humidifier.power", shown, need * _STEAM_J_KG, _NEAR)
    damp = float(psychrolib.GetSatHumRatio(site.design.wet_bulb_c, pressure))
    held = float(psychrolib.GetSatHumRatio(chain.room_dew_point_c, pressure))
    wanted = max(0.0, air_kg_s * (damp - held))
    yield from differs("air.dehumidifier", float(results["air.dehumidifier"].si), wanted, 1e-3)
    (check,) = (c for c in found.room_air.checks if c.rule == "AIR-VENTILATION")
    taken = found.cooling_flow.coils_w + found.cooling_flow.doors_w
    yield from differs("AIR-VENTILATION, limit", check.limit or 0.0, 0.05 * taken, 1e-9)
    yield from differs("AIR-VENTILATION", check.value or 0.0, found.point.heat.ventilation_w, 1e-6)
