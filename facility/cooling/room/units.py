"""The units of the halls: shared fan operation, water connections, sound, loss of a rear door."""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.catalogue import table
from facility.cooling.air.air_side import SupplyAir
from facility.cooling.air.crah import CrahFit, coil_temperature
from facility.cooling.air.terminals import Doors
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.exchanger import Exchanger
from facility.cooling.parts.loads import HeatLoad
from facility.cooling.rules import RULES
from facility.core.rounding import argmax_within_rounding
from facility.core.trace import Findings
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain, CrahPlan
from facility.physics.air.distribution import fan_sound_power
from facility.physics.liquids.coolant import coolant_flow_for_heat
from facility.physics.liquids.pipes import pipe_velocity
from facility.physics.plant.fans_pumps import (
    fan_power,
    part_load_power_ratio,
    running_fans_power,
    to_one,
)

_VELOCITY_M_S = 1.5
"""Maximum water velocity in the connection of a unit, which selects its displayed size."""
_DOOR_DROP_PA = 25.0
"""Air pressure drop of a passive rear door, upper end of 10 to 25 Pa (AIR-SERVER-FANS)."""
_SERVER_FAN_EFFICIENCY = 0.35
"""Wire-to-air efficiency of small server fans (unverified)."""


@dataclass(frozen=True)
class UnitRow:
    """One unit type of the schedule; `connection_dn` is None without water.

    `sound_db` is the sound power level of its fans at their rating, dB re 1 pW, rule of thumb.
    """

    name: str
    model: str
    duty: int
    installed: int
    heat_w: float
    airflow_m3_s: float
    fan_w: float
    water_m3_s: float
    connection_dn: int | None
    sound_db: float | None


def fans_shared(
    design: CoolingDesign, flow: CoolingFlow, air: SupplyAir, findings: Findings
) -> None:
    """Record the power of the hall fans with all installed units running, and with the duty units.

    The spare units share the air flow: each runs slower, and power falls with the cube of
    the speed.
    """
    counts = design.counts
    for name, units in (("all", counts.crah), ("duty", counts.crah_duty)):
        _fans(name, units, design.chain.crah, flow.crah_airflow_m3_s, air, findings)
    everyone, duty = (findings.trace.value(f"air.fans.{name}") for name in ("all", "duty"))
    words = f"{counts.crah} units share the air of {counts.crah_duty}"
    if everyone > duty:
        words += (
            ": the fans are at minimum speed (cooling.crah.least_fan_flow), and the "
            f"spare units add {show(everyone - duty, 'active_power')}"
        )
    findings.note(
        "air.fans.saving",
        1.0 - everyone / duty if duty > 0.0 else 0.0,
        "fraction",
        words,
        all="air.fans.all",
        duty="air.fans.duty",
    )


def _fans(
    name: str, units: int, plan: CrahPlan, flow_m3_s: float, air: SupplyAir, findings: Findings
) -> None:
    unit, key = plan.unit, f"air.fans.{name}"
    if not units:
        findings.note(key, 0.0, "active_power", "no unit")
        return
    ratio = max(flow_m3_s / (units * unit.air_flow_m3_s), plan.factors["least_fan_flow"])
    findings.note(f"{key}.speed", ratio, "fraction", f"of the rated flow, {units} units running")
    findings.trace.do(
        f"{key}.power_ratio",
        part_load_power_ratio,
        flow_ratio=f"{key}.speed",
        **to_one(plan.fan_curve),
    )
    findings.do(
        key,
        running_fans_power,
        f"{units} units running",
        units=float(units),
        rated_power_w=unit.fan_w,
        power_ratio=f"{key}.power_ratio",
        density_ratio=air.density_kg_m3 / unit.air_density_kg_m3,
    )


def unit_rows(
    design: CoolingDesign, flow: CoolingFlow, doors: Doors | None, findings: Findings
) -> tuple[UnitRow, ...]:
    """Return the units of halls, electrical rooms and racks, with connection and sound."""
    chain, counts, plan = design.chain, design.counts, design.chain.crah
    path = plan.path
    rows = [_unit(
        "units", path.unit_name, plan.unit.model, (counts.crah_duty, counts.crah), flow.coils_w,
        plan.unit.air_flow_m3_s, plan.unit.fan_w, chain, design, findings,
    )]  # fmt: skip
    if counts.crah_electrical:
        unit, pair = path.electrical_unit, (counts.crah_electrical_duty, counts.crah_electrical)
        rows.append(_unit(
            "electrical_units", "electrical rooms", unit.model, pair, flow.electrical_coils_w,
            unit.air_flow_m3_s, unit.fan_w, chain, design, findings,
        ))  # fmt: skip
    if doors is not None and path.door is not None:
        count = sum(rack.count for rack in chain.racks if rack.air_w > 0.0)
        findings.note("air.doors", float(count), "count", "one per rack with heat in air")
        max_w = max((door.taken_w for door in doors.kinds), default=0.0)
        rows.append(_unit(
            "doors", "rear door", path.door.model, (count, count), max_w * count,
            path.door.air_flow_m3_s, path.door.fan_w, chain, design, findings,
        ))  # fmt: skip
    return tuple(rows)


def _unit(  # noqa: PLR0913 - a row's columns
    key: str,
    name: str,
    model: str,
    pair: tuple[int, int],
    heat_w: float,
    airflow_m3_s: float,
    fan_w: float,
    chain: CoolingChain,
    design: CoolingDesign,
    findings: Findings,
) -> UnitRow:
    duty, installed = pair
    each_w = findings.note(
        f"air.{key}.heat", heat_w / max(duty, 1), "heat_flow", f"per {name}, duty units only"
    )
    water, dn = 0.0, None
    if not chain.chilled_water.direct:
        water = findings.do(
            f"air.{key}.water",
            coolant_flow_for_heat,
            name,
            heat_w=each_w,
            rise_k=chain.chilled_water.rise_k,
            **design.chilled.liquid.properties,
        )
        dn = _connection(key, water, findings)
    sound = None
    if fan_w > 0.0:
        sound = findings.do(
            f"air.{key}.sound_power",
            fan_sound_power,
            "dB re 1 pW, fans at their rating",
            power_w=fan_w,
            air_flow_m3_s=airflow_m3_s,
        )
    return UnitRow(name, model, duty, installed, each_w, airflow_m3_s, fan_w, water, dn, sound)


def _connection(key: str, flow_m3_s: float, findings: Findings) -> int | None:
    """Return the smallest pipe with at most the usual branch velocity."""
    for row in table("cooling/pipe_sizes").rows:
        velocity = float(pipe_velocity.si(flow_m3_s, row.si("inside_diameter_mm")))
        if velocity <= _VELOCITY_M_S:
            size = int(row.si("dn"))
            findings.do(
                f"air.{key}.connection_velocity",
                pipe_velocity,
                f"in DN {size}, smallest with at most {_VELOCITY_M_S:g} m/s",
                flow_m3_s=f"air.{key}.water",
                diameter_m=row.si("inside_diameter_mm"),
            )
            findings.note(
                f"air.{key}.connection_dn",
                float(size),
                "count",
                "nominal size DN",
                velocity=f"air.{key}.connection_velocity",
            )
            return size
    return None


def sound_check(findings: Findings) -> None:
    """Add the unevaluated check of the sound pressure in the halls."""
    findings.checks.append(
        RULES["AIR-SOUND"].not_evaluated(
            "halls",
            "sound powers are from a rule of thumb; room absorption and "
            "levels of products and servers are unknown",
        )
    )


def door_checks(
    design: CoolingDesign, doors: Doors, heat: HeatLoad, air: SupplyAir,
    coil: Exchanger, findings: Findings,
) -> None:  # fmt: skip
    """Add checks of remaining door heat, loss of one door, and server fan pressure."""
    chain, plan = design.chain, design.chain.crah
    for number, door in enumerate(doors.kinds, 1):
        load_w = door.load_w + door.fan_w
        findings.note(f"air.door.{number}.capacity", door.capacity_w, "heat_flow", door.name)
        findings.note(f"air.door.{number}.taken", door.taken_w, "heat_flow", door.name)
        findings.checks.append(RULES["AIR-DOOR-NEUTRAL"].at_most(
            f"rack {door.name}", load_w, door.capacity_w, "heat_flow"
        ))  # fmt: skip
    if doors.kinds and design.counts.crah:
        lost = doors.kinds[argmax_within_rounding([door.taken_w for door in doors.kinds])]
        gone = replace(lost, count=1.0, taken_w=0.0)
        rest = tuple(replace(d, count=d.count - 1.0) if d is lost else d for d in doors.kinds)
        fit = CrahFit(
            chain, coil, air, heat, coil_temperature(chain), chain.chilled_water.rise_k,
            Doors((*rest, gone)),
        )  # fmt: skip
        units = design.counts.crah
        side = fit.at(units)
        findings.checks.append(RULES["AIR-DOOR-LOST"].at_most(
            f"{plan.path.unit_name}, one door of rack {lost.name} out",
            side.coil_w, fit.capacity(units, side), "heat_flow",
        ))  # fmt: skip
    if plan.path.terminal == "rear-door":
        power_w = findings.do(
            "air.doors.server_fan_power", fan_power,
            "server fans, not included in the load: upper end of 10 to 25 Pa",
            air_flow_m3_s=doors.airflow_m3_s, pressure_rise_pa=_DOOR_DROP_PA,
            fan_efficiency=_SERVER_FAN_EFFICIENCY, motor_efficiency=1.0, drive_efficiency=1.0,
        )  # fmt: skip
        findings.checks.append(RULES["AIR-SERVER-FANS"].verdict(
            "rear doors", False,
            f"passive doors add 10 to 25 Pa: up to {power_w / 1e3:,.1f} kW of server fan power",
        ))  # fmt: skip
