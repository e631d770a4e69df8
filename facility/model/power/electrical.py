"""Data of the electrical studies outside the power chain, in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from facility.model.power.battery import BatteryBasis
from facility.model.power.conductors import ConductorBasis
from facility.model.power.faults import FaultBasis

Architecture = Literal["none", "54V busbar", "800V feeder"]
Metal = Literal["cu", "al"]

BUSBAR: Architecture = "54V busbar"
FEEDER: Architecture = "800V feeder"
NOMINAL_V: dict[Architecture, float] = {BUSBAR: 54.0, FEEDER: 800.0}
"""Nominal voltage of each architecture [V]."""


@dataclass(frozen=True)
class DcBasis:
    """Direct-current distribution: inputs of `DcSection` in SI; ignored with ``"none"``.

    `load_w` is None for the largest rack, `section_m2` the cross-section of one bar of a busbar,
    `size` and `sets` the conductors of each pole of a feeder.
    """

    architecture: Architecture = "none"
    voltage_v: float = 0.0
    load_w: float | None = None
    length_m: float = 0.0
    section_m2: float | None = None
    size: str = ""
    sets: int = 1
    metal: Metal = "cu"
    conductor_c: float = 75.0
    voltage_min_v: float | None = None
    voltage_max_v: float | None = None
    converter_efficiency: float | None = None
    compared_loss: float = 0.01


@dataclass(frozen=True)
class ReliabilityBasis:
    """Failure and repair times of the equipment."""

    # Mean operating time between failures and mean time to repair [s], by kind of component (of the
    # network, or "circuit"); kinds not specified in the project are missing.
    times: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Electrical:
    """Batteries, conductors, faults, direct current, reliability: one basis each."""

    battery: BatteryBasis
    conductors: ConductorBasis
    faults: FaultBasis
    dc: DcBasis
    reliability: ReliabilityBasis
