"""Sensors of the air path as a schedule: what is measured where, how many, and by which rule."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facility.cooling.chain.flow import CoolingDesign
from facility.core.sources import PRACTICE, Source
from facility.model.it import ItPlan

_TC99 = Source("sensor-placement", "TC 9.9 of 2004, restated", "", "secondary")
_EVERY_RACK = 3
_HEIGHTS = 3


@dataclass(frozen=True)
class SensorRow:
    """Sensors of one quantity in one place; `rule` says how their number follows."""

    quantity: str
    place: str
    count: int
    rule: str
    source: Source


def cold_aisles(rows: int) -> int:
    """Return the cold aisles of a hall: two rows face one."""
    return math.ceil(rows / 2)


def sensor_rows(design: CoolingDesign, plan: ItPlan) -> tuple[SensorRow, ...]:
    """Return the sensors of the halls, hall by hall, and those of the units."""
    found = [row for hall in plan.halls for row in _hall(design, plan, hall.name, hall.rows)]
    counts, name = design.counts, design.chain.crah.path.unit_name
    units = counts.crah + counts.crah_electrical
    found.append(
        SensorRow(
            "supply and return air temperature",
            f"{name}s, all",
            2 * units,
            "two at each unit",
            PRACTICE,
        )
    )
    if not design.chain.chilled_water.direct:
        found.append(
            SensorRow(
                "water flow, entering and leaving temperature",
                f"{name}s, all",
                3 * units,
                "three at each unit",
                PRACTICE,
            )
        )
    return tuple(found)


def _hall(design: CoolingDesign, plan: ItPlan, name: str, rows: int) -> list[SensorRow]:
    racks = sum(rack.count for rack in plan.racks if rack.hall == name)
    aisles, chain = cold_aisles(rows), design.chain
    per_row = math.ceil(racks / rows / _EVERY_RACK)
    found = [
        SensorRow(
            "inlet air temperature", f"{name}: front of every third rack",
            rows * per_row * _HEIGHTS,
            "bottom, middle and top of every third rack of a row", _TC99,
        ),
        SensorRow(
            "dew point", f"{name}: cold aisles", aisles, "one at the middle of each cold aisle",
            _TC99,
        ),
    ]  # fmt: skip
    if chain.crah.path.room.supply == "raised-floor":
        found.append(SensorRow(
            "plenum pressure", f"{name}: under the floor", aisles, "one under each cold aisle",
            PRACTICE,
        ))  # fmt: skip
    if chain.crah.containment != "none":
        found.append(SensorRow(
            "pressure difference", f"{name}: across the containment", aisles,
            "one for each contained aisle; controls the fans", PRACTICE,
        ))  # fmt: skip
    return found
