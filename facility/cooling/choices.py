"""Choices of the cooling: models, sizes, counts and arrangement, as sized or as built."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CrahChoice:
    """Units of the halls and air handlers of the electrical rooms, installed."""

    terminal: str
    count: int
    electrical_count: int


@dataclass(frozen=True)
class CduChoice:
    """CDUs: model, number installed."""

    model: str
    count: int


@dataclass(frozen=True)
class RejectionChoice:
    """Heat rejection: kind, units installed, pad effectiveness (None without)."""

    kind: str
    count: int
    pad_effectiveness: float | None


@dataclass(frozen=True)
class FacilityWaterChoice:
    """Facility water: heat sink, supply, rise (None for equal coolant flow), fluid."""

    source: str
    supply_c: float
    rise_k: float | None
    fluid: str
    rejection: RejectionChoice | None  # None if chilled water removes all heat


@dataclass(frozen=True)
class ChillerChoice:
    """Chillers: model, rated capacity of one, number installed."""

    model: str
    capacity_w: float
    count: int


@dataclass(frozen=True)
class CoolingChoices:
    """Choices of one cooling chain; None for absent equipment."""

    crahs: CrahChoice
    cdus: CduChoice | None
    facility_water: FacilityWaterChoice | None
    chillers: ChillerChoice | None  # None for the compressors of CRACs
    rejection: RejectionChoice  # Of the chillers
