"""The air path in SI: what stands between the exhaust of the equipment and the chilled water.

Powers and heats are in W, temperatures in degC, volume flows in m3/s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.model.cooling.units import CrahUnit

TerminalKind = Literal["crah", "crac", "in-row", "rear-door", "active-rear-door", "fan-wall"]
Supply = Literal["raised-floor", "direct"]
Humidifier = Literal["adiabatic", "steam"]

TERMINAL_NAMES: dict[TerminalKind, str] = {
    "crah": "CRAH",
    "crac": "CRAC",
    "in-row": "in-row cooler",
    "rear-door": "CRAH",
    "active-rear-door": "CRAH",
    "fan-wall": "fan-wall unit",
}
"""What the units of a hall are called; behind rear doors there are CRAHs for the rest."""


@dataclass(frozen=True)
class Refrigerant:
    """Direct expansion in CRACs: temperatures at the rating of the unit.

    `evaporating_c` is that of the refrigerant in the coil, `outdoor_c` that of the air at the
    condenser, or the hottest air of the curves by which the capacity follows it.
    `capacity_ratio` is what the compressor gives at the site over its rating, `stated` says whether
    the rating is the project's.
    """

    evaporating_c: float
    outdoor_c: float
    capacity_ratio: float = 1.0
    stated: bool = False


@dataclass(frozen=True)
class RoomPlan:
    """How air comes to the racks, fresh air and moisture: inputs of `AirPathSection` in SI.

    `tile_depth_m` is the depth of the cold aisle that belongs to one row of racks, `driest_c` the
    dew point below which fresh air is humidified, None where the class of the air knows none.
    """

    supply: Supply
    tile_open_fraction: float
    tile_area_m2: float
    tile_depth_m: float
    plenum_pa: float
    ventilation_m3_s: float
    humidifier: Humidifier
    ventilation_fan_w_per_m3_s: float
    driest_c: float | None = None

    @property
    def ventilation_fans_w(self) -> float:
        """Power of the fans of the outdoor air."""
        return self.ventilation_m3_s * self.ventilation_fan_w_per_m3_s


@dataclass(frozen=True)
class AirPath:
    """The units of the halls."""

    terminal: TerminalKind  # What cools the air
    electrical_unit: CrahUnit  # Unit of the electrical rooms
    door: CrahUnit | None  # Rear door at its rating; its return air is the exhaust of the rack
    # Mean equipment inlet over the supply of the CRAHs that take what doors leave.
    room_rise_k: float
    refrigerant: Refrigerant | None  # Of CRACs; None where the coils take chilled water
    # Groups of racks that share units and their share of the air heat: halls, or rows.
    groups: tuple[tuple[str, float], ...]
    room: RoomPlan  # Floor, fresh air and moisture

    @property
    def unit_name(self) -> str:
        """What the units of a hall are called."""
        return TERMINAL_NAMES[self.terminal]
