"""Outdoor air over hours, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.kinds import FloatArray


@dataclass(frozen=True, eq=False)
class AirHours:
    """Outdoor air hour by hour: temperatures [degC], humidity ratio, pressure [Pa]."""

    dry_bulb_c: FloatArray
    wet_bulb_c: FloatArray
    humidity_ratio: FloatArray
    pressure_pa: FloatArray
