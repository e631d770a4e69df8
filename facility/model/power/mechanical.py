"""Cooling equipment as an electrical load: how many units, their input, and what drives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Drive = Literal["compressor", "drive", "load"]
"""A hermetic compressor, a motor behind a variable-frequency drive, or no motor."""


@dataclass(frozen=True)
class CoolingUnits:
    """Equal units of cooling equipment; a load whose units are not known has none installed."""

    tag: str  # Prefix of their tags, e.g. "CH"
    name: str
    drive: Drive
    on_ups: bool  # Whether the UPS supplies them, or the LV boards
    installed: int
    duty: int  # Of those installed, the units that carry the load
    rated_w: float  # Electrical input of one at its rating [W]; 0 where the units are not known
    hour_w: float  # Electrical input of all at the design hour [W]
    coolant: float  # Part of it that takes the heat of coolant, the rest that of air
    basis: str  # Where count and rated input are from
    stated: str = ""  # Redundancy or count that the project states
