"""Air at the racks: flow, inlets, and floor tiles, by rack type."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.air.air_side import SupplyAir
from facility.cooling.air.terminals import Doors
from facility.cooling.rules import RULES
from facility.core.trace import Findings
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain, RackAir
from facility.model.it import ItPlan
from facility.physics.air.distribution import tile_flow, tile_loss_coefficient
from facility.physics.air.sensible import (
    air_flow_for_heat,
    exhaust_temperature,
    inlet_temperature,
    supply_air_flow,
)


@dataclass(frozen=True)
class RackAirRow:
    """Air of one rack of a type.

    `airflow_m3_s` is its inlet flow, `supply_m3_s` the required supply flow; `tiles` and
    `tiles_in_front` are None without a raised floor.
    """

    name: str
    hall: str
    count: int
    heat_w: float
    rise_k: float
    airflow_m3_s: float
    supply_m3_s: float
    inlet_c: float
    inlet_worst_c: float
    tiles: float | None
    tiles_in_front: float | None


@dataclass(frozen=True)
class Tile:
    """Floor tile: air flow, and number in front of a rack, by hall."""

    flow_m3_s: float
    in_front: dict[str, float]


def floor_tile(
    chain: CoolingChain, plan: ItPlan, air: SupplyAir, findings: Findings
) -> Tile | None:
    """Return the tiles of a raised floor, None without underfloor supply."""
    room = chain.crah.path.room
    if room.supply != "raised-floor":
        return None
    findings.do(
        "air.tile.loss_coefficient", tile_loss_coefficient, open_fraction=room.tile_open_fraction
    )
    flow = findings.do(
        "air.tile.airflow",
        tile_flow,
        area_m2=room.tile_area_m2,
        plenum_pa=room.plenum_pa,
        loss_coefficient="air.tile.loss_coefficient",
        density_kg_m3=air.density_kg_m3,
    )
    in_front = {
        hall.name: hall.rack_pitch_m * room.tile_depth_m / room.tile_area_m2 for hall in plan.halls
    }
    return Tile(flow, in_front)


def rack_rows(
    chain: CoolingChain,
    air: SupplyAir,
    doors: Doors | None,
    share: float,
    tile: Tile | None,
    findings: Findings,
) -> tuple[RackAirRow, ...]:
    """Return the air of every rack type at full heat, with tile checks.

    With rear doors, supply air is a `share` of the rack inlet flow: the rest is door discharge
    air.
    """
    racks = [rack for rack in chain.racks if rack.air_w > 0.0]
    rises = {door.name: door.leaving_rise_k for door in doors.kinds} if doors is not None else {}
    rows = tuple(
        _row(number, rack, chain, air, (rises.get(rack.name), share), tile, findings)
        for number, rack in enumerate(racks, 1)
    )
    for row in rows:
        if row.tiles is not None and row.tiles_in_front is not None:
            findings.checks.append(
                RULES["AIR-TILES"].at_most(
                    f"rack {row.name}",
                    row.tiles,
                    row.tiles_in_front,
                    "ratio",
                    f"{show(row.supply_m3_s, 'air_flow')} per rack",
                )
            )
    return rows


def _row(
    number: int, rack: RackAir, chain: CoolingChain, air: SupplyAir,
    doors: tuple[float | None, float], tile: Tile | None, findings: Findings,
) -> RackAirRow:  # fmt: skip
    plan, key = chain.crah, f"air.rack.{number}"
    door_rise_k, share = doors
    flow = findings.do(
        f"{key}.airflow", air_flow_for_heat, rack.name, heat_w=rack.air_w, rise_k=rack.rise_k,
        specific_volume_m3_kg=air.volume_m3_kg, specific_heat_j_kgk=air.specific_heat_j_kgk,
    )  # fmt: skip
    if door_rise_k is None:
        supply = findings.do(
            f"{key}.supply", supply_air_flow, rack.name, it_flow_m3_s=f"{key}.airflow",
            bypass=plan.bypass, recirculation=plan.recirculation,
        )  # fmt: skip
    else:
        supply = findings.note(
            f"{key}.supply", share * flow, "air_flow",
            f"supply air share for {rack.name}; remainder is door discharge air",
            airflow=f"{key}.airflow",
        )  # fmt: skip
    inlet_c, worst_c = _inlets(key, rack, chain, door_rise_k, findings)
    tiles, in_front = None, None
    if tile is not None:
        tiles = findings.note(
            f"{key}.tiles", supply / tile.flow_m3_s, "ratio", f"tiles per {rack.name}",
            supply=f"{key}.supply", tile="air.tile.airflow",
        )  # fmt: skip
        in_front = findings.note(
            f"{key}.tiles_in_front", tile.in_front[rack.hall], "ratio",
            "cold aisle area in front of a rack over tile area",
        )  # fmt: skip
    return RackAirRow(
        rack.name, rack.hall, rack.count, rack.air_w, rack.rise_k, flow, supply, inlet_c, worst_c,
        tiles, in_front,
    )  # fmt: skip


def _inlets(
    key: str, rack: RackAir, chain: CoolingChain, door_rise_k: float | None, findings: Findings
) -> tuple[float, float]:
    """Return mean and worst inlet of a rack type, from its air rise and recirculation."""
    plan = chain.crah
    if door_rise_k is not None:
        inlet_c = plan.supply_air_c + plan.path.room_rise_k
        because = "a rack drawing only discharge air of such a door"
        return (
            findings.note(f"{key}.inlet", inlet_c, "temperature", "supply air and room_rise"),
            findings.note(f"{key}.inlet_worst", inlet_c + door_rise_k, "temperature", because),
        )
    found = []
    for suffix, leak in (("", plan.recirculation), ("_worst", plan.worst_recirculation)):
        findings.trace.do(
            f"{key}.exhaust{suffix}",
            exhaust_temperature,
            supply_c=plan.supply_air_c,
            rise_k=rack.rise_k,
            recirculation=leak,
        )
        found.append(
            findings.do(
                f"{key}.inlet{suffix}",
                inlet_temperature,
                rack.name,
                supply_c=plan.supply_air_c,
                exhaust_c=f"{key}.exhaust{suffix}",
                recirculation=leak,
            )
        )
    return found[0], found[1]
