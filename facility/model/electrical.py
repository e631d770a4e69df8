"""What the electrical studies beside the power chain rest on, in SI."""

from __future__ import annotations

from dataclasses import dataclass

from facility.model.power_battery import BatteryBasis
from facility.model.power_conductors import ConductorBasis
from facility.model.power_dc import DcBasis
from facility.model.power_faults import FaultBasis
from facility.model.power_reliability import ReliabilityBasis


@dataclass(frozen=True)
class Electrical:
    """Batteries, conductors, faults, direct current, reliability: one basis each."""

    battery: BatteryBasis
    conductors: ConductorBasis
    faults: FaultBasis
    dc: DcBasis
    reliability: ReliabilityBasis
