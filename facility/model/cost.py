"""What a facility costs to build and to run, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PARTS = ("servers", "network", "power", "cooling", "building")
"""Parts of the capital."""
LIVES: Mapping[str, str] = MappingProxyType(
    {"servers": "it", "network": "it", "power": "plant", "cooling": "plant", "building": "building"}
)
"""By which life each is written off."""

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
    """The price of a part of the capital."""

    part: str  # servers, network, power, cooling or building
    per_gpu: bool  # Whether it is for each GPU; else for each W of IT load
    low: float
    high: float
    id: str  # Of the price in the trace, its middle

    @property
    def middle(self) -> float:
        """The price that is reckoned with."""
        return (self.low + self.high) / 2.0


@dataclass(frozen=True)
class StatedPrice:
    """A price of equipment that the project states: for each unit, or of a unit of its size."""

    value: float
    kind: str
    id: str  # In the trace


@dataclass(frozen=True)
class CostPlan:
    """Prices and terms of the cost of ownership, in one currency."""

    currency: str
    prices: tuple[UnitPrice, ...]
    lacks: tuple[str, ...]  # Parts of the capital without a price
    by_equipment: tuple[str, ...]  # Parts of the capital that are priced by their equipment
    equipment: Mapping[str, StatedPrice]  # Prices of equipment that are stated, by its name
    published: bool  # Whether published prices stand for those left open
    # Price of complete systems as guides print it, for each W of IT load: lowest and highest.
    whole: Mapping[str, tuple[float, float]]
    years: Mapping[str, float]  # Life of each part
    rate: float  # Discount rate of a year
    yearly: Mapping[str, float]  # Costs of a year as given, by name
    water_per_m3: float | None
    fuel_per_m3: float | None
    used: float  # Part of the GPU-hours that are used
    run_s: float | None  # GPU-time of a training run
    terms: frozenset[str] = frozenset()  # Fields of the section that the project states
