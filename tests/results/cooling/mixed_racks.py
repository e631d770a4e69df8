"""Halls of mixed racks, worked once more: fans of their servers, the fullest rack, air per rack."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import psychrolib

from facility.cooling.air.air_need import RoomAirBasis, air_need
from facility.cooling.air.air_side import SupplyAir
from facility.cooling.air.rack_limits import rack_limit_checks
from facility.cooling.room.server_air import server_air
from facility.core.trace import Findings, Trace
from facility.model.cooling.chain import RackAir
from tests.results.second import differs

CFM = 0.3048**3 / 60.0
_DENSEST_CFM = 6000.0
"""Largest flow of an air-cooled rack, reference/equipment/cabinets.csv: 56 kW of 4 DGX B300."""


def _air(supply_c: float, dew_c: float, pressure_pa: float) -> tuple[float, float, float]:
    """Return volume and specific heat of a kilogram of dry air, and the density; psychrolib."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    held = float(psychrolib.GetSatHumRatio(dew_c, pressure_pa))
    volume = float(psychrolib.GetMoistAirVolume(supply_c, held, pressure_pa))
    return volume, 1006.0 + 1860.0 * held, (1.0 + held) / volume


def _racks(chance: Random, count: int) -> tuple[RackAir, ...]:
    racks = []
    for number in range(count):
        heat_w = chance.uniform(2e3, 40e3)
        flow, sea = chance.uniform(0.2, 2.5), chance.uniform(0.2, 2.4)
        racks.append(
            RackAir(
                f"R{number}",
                chance.randint(1, 9),
                heat_w,
                flow,
                "H1",
                chance.uniform(8.0, 20.0),
                standard_m3_s=0.9 * flow,
                sea_level_m3_s=sea,
                max_m3_s=chance.uniform(1.0, 1.6) * sea,
                fans_w=chance.uniform(100.0, 2e3),
            )
        )
    return (*racks, RackAir("cold", 7, 0.0, 0.0, "H1", 12.0))


def servers_of_mixed_racks() -> Iterator[str]:
    """Flow and rise of all servers, power of their fans by the cube, the fullest rack."""
    chance = Random(4)
    for pressure_pa, count in ((101325.0, 1), (80000.0, 2), (72000.0, 5)):
        racks = _racks(chance, count)
        here, low = _air(22.0, 11.0, pressure_pa), _air(22.0, 11.0, 101325.0)
        findings = Findings(Trace())
        chain: Any = SimpleNamespace(racks=racks)
        server_air(chain, SupplyAir(*here), SupplyAir(*low), findings)
        warm = [rack for rack in racks if rack.air_w > 0.0]
        heat_w = sum(rack.count * rack.air_w for rack in warm)
        volume, specific, density = here
        for suffix, flows in (
            ("", [rack.count * rack.airflow_m3_s for rack in warm]),
            ("_constant_speed", [rack.count * rack.sea_level_m3_s for rack in warm]),
        ):
            flow, name = math.fsum(flows), f"air.server.flow{suffix}"
            yield from differs(name, float(findings.results[name].si), flow)
            rise, name = heat_w * volume / specific / flow, f"air.server.rise{suffix}"
            yield from differs(name, float(findings.results[name].si), rise)
        more_w = 0.0
        for rack in warm:
            faster = rack.airflow_m3_s / rack.sea_level_m3_s
            more_w += rack.count * rack.fans_w * (faster**3 * density / low[2] - 1.0)
        shown = float(findings.results["air.server.fan_power_extra"].si)
        yield from differs("air.server.fan_power_extra", shown, more_w, 1e-9)
        (check,) = findings.checks
        fullest = max(warm, key=lambda rack: rack.sea_level_m3_s / rack.max_m3_s)
        asked = fullest.sea_level_m3_s * (volume / specific) / (low[0] / low[1])
        yield from differs("AIR-SERVER-ALTITUDE", check.value or 0.0, asked)
        yield from differs("AIR-SERVER-ALTITUDE, limit", check.limit or 0.0, fullest.max_m3_s)
        slow_k = fullest.air_w * volume / specific / fullest.sea_level_m3_s
        words = f"air rise {fullest.rise_k:.1f} K, at sea-level fan speed {slow_k:.1f} K"
        if not check.subject.endswith(f"rack {fullest.name}") or words not in check.why:
            yield f"{check.subject}: {check.why}; by hand {fullest.name}, {words}"


def fullest_racks() -> Iterator[str]:
    """The rack of the largest flow against the door, the densest published, or the coolers."""
    racks = _racks(Random(9), 5)
    fullest = max(racks, key=lambda rack: rack.airflow_m3_s)
    unit = SimpleNamespace(model="C", air_flow_m3_s=2.0)
    door = SimpleNamespace(model="D", air_flow_m3_s=1.5, source=None)
    for terminal in ("crah", "in-row", "rear-door"):
        path = SimpleNamespace(terminal=terminal, door=door if terminal == "rear-door" else None)
        chain: Any = SimpleNamespace(
            racks=racks,
            crah=SimpleNamespace(path=path, unit=unit),
            chilled_water=SimpleNamespace(supply_c=14.0),
        )
        (check,) = rack_limit_checks(chain, 17)
        wanted = {
            "crah": (fullest.standard_m3_s, _DENSEST_CFM * CFM),
            "rear-door": (fullest.standard_m3_s, 1.5),
            "in-row": (17.0 / sum(rack.count for rack in racks if rack.air_w > 0.0), 2.0),
        }[terminal]
        yield from differs(f"{check.rule}", check.value or 0.0, wanted[0])
        yield from differs(f"limit of {check.rule}", check.limit or 0.0, wanted[1], 1e-6)


def air_of_a_density() -> Iterator[str]:
    """Flow of a heat, supply behind its leaks, tiles by Idelchik, handlers rounded up."""
    room: Any = SimpleNamespace(tile_open_fraction=0.4, tile_area_m2=0.36, plenum_pa=15.0)
    unit: Any = SimpleNamespace(air_flow_m3_s=9.0)
    basis = RoomAirBasis(20.0, 12.0, 10.0, 90000.0, 0.08, 0.03)
    volume, specific, density = _air(20.0, 10.0, 90000.0)
    loss = (1.0 + 0.5 * 0.6**0.75 + 1.414 * 0.6**0.375) / 0.4**2
    tile = 0.36 * math.sqrt(2.0 * 15.0 / loss / density)
    for heat_w, racks in ((8e3, 40), (30e3, 10), (0.5e3, 3)):
        found = air_need(heat_w, racks, basis, room, unit)
        flow = heat_w * volume / specific / 12.0
        supply = flow * 0.97 / 0.92
        name = f"air of {heat_w:g} W"
        yield from differs(name, found.airflow_m3_s, flow, 1e-4)
        yield from differs(f"{name}, supply", found.supply_m3_s, supply, 1e-4)
        yield from differs(f"{name}, tiles", found.tiles, supply / tile, 1e-4)
        yield from differs(f"{name}, units", found.units, max(math.ceil(racks * supply / 9.0), 1))
