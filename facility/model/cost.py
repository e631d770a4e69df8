"""Capital and operating cost of a facility, for the priced items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PARTS = ("servers", "network", "power", "cooling", "building")
"""Parts of the capital."""
LIVES: Mapping[str, str] = MappingProxyType(
    {"servers": "it", "network": "it", "power": "plant", "cooling": "plant", "building": "building"}
)
"""Depreciation life of each part."""

EQUIPMENT: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "power": {
            "ups": ("ups",),
            "battery": ("battery",),
            "generator": ("generator",),
            "transformer": ("transformer",),
            "mv_switchgear": ("mv_switchgear",),
            "switchboard": ("switchboard",),
            "pdu_transformer": ("pdu_transformer",),
            "panel": ("panel", "busway"),
            "rack_pdu": ("rack_pdu",),
            "cables": ("cables",),
        },
        "cooling": {
            "chiller": ("chiller_water", "chiller_air"),
            "heat_rejection": ("tower", "dry_cooler"),
            "air_handler": ("crah", "crac", "in_row", "fan_wall"),
            "rear_door": ("rear_door",),
            "cdu": ("cdu",),
            "plate_exchanger": ("plate_exchanger",),
            "pump": ("pump",),
            "tank": ("tank",),
            "pipes": ("pipes",),
        },
    }
)
"""Equipment by part of the capital: its field of ``cost.equipment``, and its published parts."""


@dataclass(frozen=True)
class UnitPrice:
    """Price of a part of the capital cost."""

    part: str  # servers, network, power, cooling or building
    per_gpu: bool  # Whether it is per GPU; else per W of IT load
    low: float
    high: float
    id: str  # Trace id of the mean price

    @property
    def middle(self) -> float:
        """Mean price, used in the calculation."""
        return (self.low + self.high) / 2.0


@dataclass(frozen=True)
class StatedPrice:
    """A price of equipment stated in the project: per unit, or for a unit of its size."""

    value: float
    kind: str
    id: str  # In the trace


@dataclass(frozen=True)
class CostPlan:
    """Prices and terms of the cost of ownership, in one currency."""

    currency: str
    prices: tuple[UnitPrice, ...]
    unpriced: tuple[str, ...]  # Parts of the capital without a price
    by_equipment: tuple[str, ...]  # Parts of the capital priced by equipment
    equipment: Mapping[str, StatedPrice]  # Prices of equipment that are stated, by its name
    published: bool  # Whether published prices replace missing ones
    # Published price of complete systems per W of IT load: lowest and highest.
    whole: Mapping[str, tuple[float, float]]
    years: Mapping[str, float]  # Life of each part
    rate: float  # Discount rate of a year
    yearly: Mapping[str, float]  # Annual costs as stated, by name
    water_per_m3: float | None
    fuel_per_m3: float | None
    used: float  # Fraction of GPU-hours used
    run_s: float | None  # GPU-time of a training run
    terms: frozenset[str] = frozenset()  # Fields of the section stated in the project
