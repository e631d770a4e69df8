"""Cooling equipment as an electrical load: units, input power, and drive type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Drive = Literal["compressor", "drive", "load"]
"""A hermetic compressor, a motor behind a variable-frequency drive, or no motor."""


@dataclass(frozen=True)
class CoolingUnits:
    """Identical cooling units; a load with unknown units has zero installed."""

    tag: str  # Tag prefix, e.g. "CH"
    name: str
    drive: Drive
    on_ups: bool  # Whether supplied by the UPS, or by the LV boards
    installed: int
    duty: int  # Installed units that carry the load
    rated_w: float  # Rated electrical input of one unit [W]; 0 if the units are unknown
    hour_w: float  # Total electrical input at the design hour [W]
    coolant: float  # Fraction that removes coolant heat, the rest air heat
    basis: str  # Source of count and rated input
    stated: str = ""  # Redundancy or count specified in the project
