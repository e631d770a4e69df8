"""The air path in SI: equipment between the server exhaust and the chilled water.

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
"""Names of the hall cooling units; with rear doors, CRAHs remove the remaining heat."""


@dataclass(frozen=True)
class Refrigerant:
    """Direct expansion in CRACs: temperatures at the rating of the unit.

    `evaporating_c` is the refrigerant temperature in the coil, `outdoor_c` the air temperature at
    the condenser, or the maximum air temperature of the capacity curves. `capacity_ratio` is
    compressor capacity at the site over its rating, `stated` whether the project specifies the
    rating.
    """

    evaporating_c: float
    outdoor_c: float
    capacity_ratio: float = 1.0
    stated: bool = False


@dataclass(frozen=True)
class RoomPlan:
    """Air delivery to the racks, outdoor air, humidity control: inputs of `AirPathSection` in SI.

    `tile_depth_m` is the depth of the cold aisle for one row of racks, `driest_c` the
    dew point below which outdoor air is humidified, None where the air class has no minimum.
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
        """Fan power for the outdoor air."""
        return self.ventilation_m3_s * self.ventilation_fan_w_per_m3_s


@dataclass(frozen=True)
class AirPath:
    """Cooling units of the halls."""

    terminal: TerminalKind  # Type of unit that cools the air
    electrical_unit: CrahUnit  # Unit of the electrical rooms
    door: CrahUnit | None  # Rear door at its rating; its return air is the exhaust of the rack
    # Mean equipment inlet over the CRAH supply temperature, with rear doors.
    room_rise_k: float
    refrigerant: Refrigerant | None  # For CRACs; None for chilled-water coils
    # Groups of racks that share units and their share of the air heat: halls, or rows.
    groups: tuple[tuple[str, float], ...]
    room: RoomPlan  # Floor, fresh air and moisture

    @property
    def unit_name(self) -> str:
        """Name of the hall cooling units."""
        return TERMINAL_NAMES[self.terminal]
