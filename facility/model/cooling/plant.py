"""Options of the plant in SI: pumping and staging, heat reuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PumpingScheme = Literal["variable-primary", "primary-secondary", "constant-primary"]


@dataclass(frozen=True)
class PumpingPlan:
    """Pumping of the chilled water: the inputs of `PumpingSection` in SI.

    `scheme` is variable primary flow; primary-secondary with constant primary and variable
    secondary flow; or constant flow. `primary_head_pa` is None for `primary_part` of
    the head of the loop.
    """

    scheme: PumpingScheme = "variable-primary"
    minimum_flow: float = 0.0
    primary_head_pa: float | None = None
    primary_part: float = 0.0
    stage_up: float = 1.0
    stage_down: float = 0.0


@dataclass(frozen=True)
class HeatPumpPlan:
    """Heat pump of the heat user: heating COP over that of a Carnot machine, and approaches."""

    carnot_fraction: float
    approach_k: float


@dataclass(frozen=True)
class HeatReusePlan:
    """Heat given to a user: the fraction used of water at or above `source_c`.

    The user needs `temperature_c`; without a heat pump the water must reach it.
    """

    fraction: float
    temperature_c: float
    source_c: float
    heat_pump: HeatPumpPlan | None = None


NO_PUMPING = PumpingPlan()
"""Compressors without chilled water."""
