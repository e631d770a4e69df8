"""A raised floor and its leaks once more, and whether its tiles pass the air of the racks."""

from __future__ import annotations

import math
from collections.abc import Iterator

from facility.study.design.design import Design
from tests.results.second import differs

_LEAKS = {"none": (0.50, 0.10), "hot-aisle": (0.075, 0.02), "cold-aisle": (0.075, 0.02)}
"""Bypass and recirculation by containment: docs/cooling.md."""
_SLOTS, _TILE_M, _AISLE_M = 0.05, 0.6, 0.9
_GRATE, _PLENUM_PA = 0.56, 12.5


def _tile_m3_s(open_part: float, plenum_pa: float) -> float:
    """Idelchik: sharp-edged holes in a thin plate, in air of 1.2 kg/m3."""
    shut = 1.0 - open_part
    loss = (1.0 + 0.5 * shut**0.75 + 1.414 * shut**0.375) / open_part**2
    return float(_TILE_M**2 * math.sqrt(2.0 * plenum_pa / (loss * 1.2)))


def floor_and_leaks(found: Design) -> Iterator[str]:
    """Floor, bypass with its leakage, recirculation of open slots, outdoor air."""
    section, crah = found.project.cooling, found.cooling.chain.crah
    air, room = section.air, crah.path.room
    assert air is not None
    bypass, mixed = _LEAKS[crah.containment]
    if section.bypass is not None:
        bypass = section.bypass.si
    if air.floor_leakage is not None:
        bypass = 1.0 - (1.0 - bypass) * (1.0 - air.floor_leakage.si)
    if section.recirculation is not None:
        mixed = section.recirculation.si
    elif air.blanking == "none":
        mixed += _SLOTS
    yield from differs("bypass", crah.bypass, bypass)
    yield from differs("recirculation", crah.recirculation, mixed)
    if section.worst_recirculation is None:
        yield from differs("worst recirculation", crah.worst_recirculation, min(2 * mixed, 0.95))
    supply = air.supply or _supply(found, crah.containment)
    if room.supply != supply:
        yield f"supply: {room.supply}, by hand {supply}"
    for name, shown, stated, usual in (
        ("open area", room.tile_open_fraction, air.tile_open_area, _GRATE),
        ("plenum", room.plenum_pa, air.plenum_pressure, _PLENUM_PA),
    ):
        if stated is not None or supply != "raised-floor":
            yield from differs(name, shown, usual if stated is None else stated.si)
    yield from differs("area of a tile", room.tile_area_m2, _TILE_M**2)
    yield from differs("half of an aisle", room.tile_depth_m, _AISLE_M)
    area = sum(hall.floor_area_m2 for hall in found.facility.it.halls)
    fresh = 0.3e-3 * area if air.ventilation is None else air.ventilation.si
    yield from differs("outdoor air", room.ventilation_m3_s, fresh)


def _supply(found: Design, containment: str) -> str:
    """A floor where cold air is let out in front of the racks, and two tiles pass their air."""
    if containment == "hot-aisle":
        return "direct"
    pitches = {hall.name: hall.rack_pitch_m for hall in found.facility.it.halls}
    for rack in found.facility.it.racks:
        watts = sum(p.count * p.input_w * (1.0 - p.device.liquid_fraction) for p in rack.placed)
        drawn = sum(p.count * (p.device.airflow_m3_s or 0.0) for p in rack.placed)
        needed = max(1.1 * drawn, watts / (1.2 * 1006.0 * 10.0))
        passed = _tile_m3_s(_GRATE, _PLENUM_PA) * pitches[rack.hall] * _AISLE_M / _TILE_M**2
        if needed > passed:
            return "direct"
    return "raised-floor"


def sensors_of_the_room(found: Design) -> Iterator[str]:
    """Three at every third rack of a row, one in a cold aisle of two rows, two or three a unit."""
    chain, counts, plan = found.cooling.chain, found.cooling.counts, found.facility.it
    units = counts.crah + counts.crah_electrical
    wanted: dict[str, int] = {"supply and return air temperature": 2 * units}
    if not chain.chilled_water.direct:
        wanted["water flow, entering and leaving temperature"] = 3 * units
    for hall in plan.halls:
        racks = sum(rack.count for rack in plan.racks if rack.hall == hall.name)
        aisles = (hall.rows + 1) // 2
        of_hall = {
            "inlet air temperature": 3 * hall.rows * math.ceil(racks / hall.rows / 3),
            "dew point": aisles,
            "plenum pressure": aisles * (chain.crah.path.room.supply == "raised-floor"),
            "pressure difference": aisles * (chain.crah.containment != "none"),
        }
        for quantity, number in of_hall.items():
            wanted[quantity] = wanted.get(quantity, 0) + number
    shown: dict[str, int] = {}
    for row in found.room_air.sensors:
        shown[row.quantity] = shown.get(row.quantity, 0) + row.count
    for quantity, number in wanted.items():
        yield from differs(f"sensors of {quantity}", shown.get(quantity, 0), number)
    whole = float(found.room_air.results["air.sensors"].si)
    yield from differs("air.sensors", whole, sum(wanted.values()))
