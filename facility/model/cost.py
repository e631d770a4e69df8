"""What a facility costs to build and to run, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PARTS = ("servers", "network", "power", "cooling", "building")
"""Parts of the capital."""
LIVES: Mapping[str, str] = MappingProxyType(
    {
        "servers": "it",
        "network": "it",
        "power": "plant",
        "cooling": "plant",
        "building": "building",
    }
)
"""By which life each is written off."""


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
class CostPlan:
    """Prices and terms of the cost of ownership, in one currency."""

    currency: str
    prices: tuple[UnitPrice, ...]
    lacks: tuple[str, ...]  # Parts of the capital without a price
    years: Mapping[str, float]  # Life of each part
    rate: float  # Discount rate of a year
    yearly: Mapping[str, float]  # Costs of a year as given, by name
    water_per_m3: float | None
    fuel_per_m3: float | None
    used: float  # Part of the GPU-hours that are used
    run_s: float | None  # GPU-time of a training run
