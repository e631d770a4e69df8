"""What holds temperatures back after a failure, and how the cooling comes back; in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TankKind = Literal["mixed", "stratified"]
Tank = Literal["chw", "fws"]
"""Buffer of the chilled water, of the facility water."""


@dataclass(frozen=True)
class RoomMass:
    """The halls: the inputs of `ThermalSection` in SI.

    `coil_j_k` is None for `coil_s_k` [s/K] times the load of the coils, of CRACs their rating.
    """

    air_m3: float
    cold_share: float
    structure_j_k: float
    structure_w_k: float
    server_j_k: float
    server_effectiveness: float
    coil_j_k: float | None
    coil_s_k: float
    shutdown_c: float


@dataclass(frozen=True)
class StoragePlan:
    """A tank of chilled water that the tariff runs."""

    volume_m3: float
    usable: float  # Part of it that gives water at its supply temperature
    gain: float  # Part of what it holds when full that a day of standing takes from it
    reserve: float  # Part of it that stays charged for failures

    @property
    def reserve_m3(self) -> float:
        """Water at its supply temperature that a failure finds at any hour."""
        return self.volume_m3 * self.reserve


@dataclass(frozen=True)
class LoopMass:
    """The loops: the inputs of `ThermalSection` in SI.

    `tcs_m3`, `fws_m3` and `chw_m3` are None for what the loops hold as laid out. Chillers control
    well with `chw_least_m3_per_w` of their load in the loop, its tank included. The tanks are
    at the supply of the plant; those not stated, `open_tanks`, are zero until they are sized for
    the ride-through and the chillers.
    """

    plate_j_k: float
    plate_rise_k: float
    plate_limit_c: float
    tcs_m3: float | None
    fws_m3: float | None
    chw_m3: float | None
    chw_least_m3_per_w: float
    chw_tank_m3: float
    fws_tank_m3: float
    open_tanks: frozenset[Tank]
    chw_tank: TankKind
    tank_usable: float
    reserve: bool  # Whether the tank of the chilled water is the reserve of the one of the tariff


@dataclass(frozen=True)
class Restart:
    """How the cooling comes back, how long it is followed: inputs of `ThermalSection` in SI.

    `pump_changeover_s` is None where the CDUs have no standby pump, `header_flow` for what the
    network of the headers leaves; `standby_pump_s` is None where spare pumps
    of the water loops run too.
    """

    ramp_s: float
    chiller_s: float
    chiller_ramp_s: float
    rejection_s: float
    step_s: float
    pump_changeover_s: float | None
    standby_pump_s: float | None
    standby_rejection: bool
    header_flow: float | None
    horizon_s: float


@dataclass(frozen=True)
class ThermalBasis:
    """Everything that the temperatures after a failure depend on beside the design."""

    room: RoomMass
    loops: LoopMass
    restart: Restart
