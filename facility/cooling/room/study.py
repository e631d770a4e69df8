"""Air path study of a finished design, at racks and in the room, without sizing.

Air flows, inlets and floor tiles by rack type, the limits of the class, coil surfaces and
moisture, fans, connections, sound and sensors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from facility.cooling.air.air_side import SupplyAir, supply_air
from facility.cooling.air.crah import doors_of
from facility.cooling.air.rack_limits import rack_limit_checks
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.loads import HeatLoad
from facility.cooling.room.limits import RoomAirState, limit_checks
from facility.cooling.room.moisture import coil_checks, outdoor_air_moisture
from facility.cooling.room.racks import RackAirRow, floor_tile, rack_rows
from facility.cooling.room.server_air import server_air
from facility.cooling.room.units import UnitRow, door_checks, fans_shared, sound_check, unit_rows
from facility.core.check import Check
from facility.core.sources import PRACTICE, Source
from facility.core.table import Value
from facility.core.trace import Findings, Quiet, Trace
from facility.model.facility import Facility
from facility.model.it import ItPlan
from facility.physics.air.psychrometrics import standard_pressure

_TC99 = Source("sensor-placement", "TC 9.9 of 2004, restated", "", "secondary")
_EVERY_RACK = 3
_HEIGHTS = 3


@dataclass(frozen=True)
class SensorRow:
    """Sensors of one quantity at one location; `rule` is the basis of their number."""

    quantity: str
    location: str
    count: int
    rule: str
    source: Source


def cold_aisles(rows: int) -> int:
    """Return the cold aisles of a hall: one per two rows."""
    return math.ceil(rows / 2)


def sensor_rows(design: CoolingDesign, plan: ItPlan) -> tuple[SensorRow, ...]:
    """Return the sensors of the halls, hall by hall, and of the units."""
    chain, counts = design.chain, design.counts
    found: list[SensorRow] = []
    for hall in plan.halls:
        name, aisles = hall.name, cold_aisles(hall.rows)
        racks = sum(rack.count for rack in plan.racks if rack.hall == name)
        per_row = math.ceil(racks / hall.rows / _EVERY_RACK)
        found += [
            SensorRow(
                "inlet air temperature", f"{name}: front of every third rack",
                hall.rows * per_row * _HEIGHTS,
                "bottom, middle and top of every third rack of a row", _TC99,
            ),
            SensorRow(
                "dew point", f"{name}: cold aisles", aisles,
                "one in the middle of each cold aisle", _TC99,
            ),
        ]  # fmt: skip
        if chain.crah.path.room.supply == "raised-floor":
            found.append(SensorRow(
                "plenum pressure", f"{name}: under the floor", aisles,
                "one per cold aisle", PRACTICE,
            ))  # fmt: skip
        if chain.crah.containment != "none":
            found.append(SensorRow(
                "pressure difference", f"{name}: across the containment", aisles,
                "one per contained aisle; controls the fans", PRACTICE,
            ))  # fmt: skip
    unit_name = chain.crah.path.unit_name
    units = counts.crah + counts.crah_electrical
    found.append(
        SensorRow(
            "supply and return air temperature",
            f"{unit_name}s, all",
            2 * units,
            "two per unit",
            PRACTICE,
        )
    )
    if not chain.chilled_water.direct:
        found.append(
            SensorRow(
                "water flow, entering and leaving temperature",
                f"{unit_name}s, all",
                3 * units,
                "three per unit",
                PRACTICE,
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class RoomAir:
    """The air path of a design at its design hour."""

    racks: tuple[RackAirRow, ...]  # Air by rack type
    units: tuple[UnitRow, ...]  # Units of halls, electrical rooms and racks
    sensors: tuple[SensorRow, ...]  # Sensor schedule
    air: SupplyAir  # Supply air: volume, specific heat, density
    checks: tuple[Check, ...]
    results: dict[str, Value]  # Results by dotted key, `air.*`
    trace: Trace  # Their derivation


def room_air(
    facility: Facility,
    design: CoolingDesign,
    flow: CoolingFlow,
    heat: HeatLoad,
    trace: Trace | None = None,
) -> RoomAir:
    """Return the air path of a finished design.

    design, flow: The cooling as designed, and in operation at the design hour.
    heat: Heat at the design hour.

    Raises for an air class missing in the table.
    """
    findings = Findings(trace if trace is not None else Trace())
    chain, site, plan = design.chain, facility.site, facility.it
    air = supply_air(chain, site.pressure_pa, Quiet())
    doors = doors_of(chain, heat.air_it_w, air)
    path, crah = design.chain.crah.path, design.chain.crah
    findings.text("air.terminal", path.terminal)
    findings.text("air.supply", path.room.supply)
    findings.text("air.containment", crah.containment)
    findings.text("air.humidifier_kind", path.room.humidifier)
    tile = floor_tile(chain, plan, air, findings)
    full_w = sum(rack.count * rack.air_w for rack in chain.racks)
    through = doors.airflow_m3_s if doors is not None else 0.0
    share = flow.crah_airflow_m3_s / through if through > 0.0 else 0.0
    racks = rack_rows(chain, air, doors_of(chain, full_w, air), share, tile, findings)
    sea_level = supply_air(chain, float(standard_pressure.si(0.0)), Quiet())
    server_air(chain, air, sea_level, findings)
    findings.checks.extend(rack_limit_checks(chain, design.crah.duty))
    worst_c = max((row.inlet_worst_c for row in racks), default=flow.inlet_worst_c)
    coldest_c = min((row.inlet_c for row in racks), default=flow.supply_air_c)
    state = RoomAirState(
        min(coldest_c, flow.supply_air_c), worst_c, chain.room_dew_point_c, chain.hall_dew_points_c
    )
    findings.note("air.inlet_worst", worst_c, "temperature", "warmest inlet of any rack type")
    limit_checks(state, site, facility.criteria, findings)
    coil_checks(design, flow, doors, air, site, findings)
    outdoor_air_moisture(design, flow, air, site, findings)
    fans_shared(design, flow, air, findings)
    units = unit_rows(design, flow, doors, findings)
    if doors is not None:
        door_checks(design, doors, heat, air, design.crah.coil, findings)
    sound_check(findings)
    sensors = sensor_rows(design, plan)
    findings.note(
        "air.sensors", float(sum(row.count for row in sensors)), "count", "from the sensor schedule"
    )
    return RoomAir(
        racks, units, sensors, air, tuple(findings.checks), findings.results, findings.trace
    )
