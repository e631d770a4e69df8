"""What the electrical studies beside the power chain rest on, in SI."""

from __future__ import annotations

from dataclasses import dataclass

from facility.model.power.battery import BatteryBasis
from facility.model.power.conductors import ConductorBasis
from facility.model.power.dc import DcBasis
from facility.model.power.faults import FaultBasis
from facility.model.power.reliability import ReliabilityBasis


@dataclass(frozen=True)
class Electrical:
    """Batteries, conductors, faults, direct current, reliability: one basis each."""

    battery: BatteryBasis
    conductors: ConductorBasis
    faults: FaultBasis
    dc: DcBasis
    reliability: ReliabilityBasis
