"""Thermal masses and restart of the cooling after a failure; in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TankKind = Literal["mixed", "stratified"]
Tank = Literal["chw", "fws"]
"""Buffer of the chilled water, of the facility water."""
LITTLE_K = 1.0
"""Design-hour margin to a limit below which it is reported, as a buffer has little effect."""


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
    """Chilled-water storage tank controlled by the tariff."""

    volume_m3: float
    usable: float  # Fraction that delivers water at the supply temperature
    gain: float  # Daily standby loss over the full charge
    reserve: float  # Fraction reserved for failures

    @property
    def reserve_m3(self) -> float:
        """Reserved water at supply temperature, available at any hour."""
        return self.volume_m3 * self.reserve


@dataclass(frozen=True)
class LoopMass:
    """The loops: the inputs of `ThermalSection` in SI.

    `tcs_m3`, `fws_m3` and `chw_m3` are None for the calculated loop volumes. Chillers control
    closely with `chw_min_m3_per_w` per W of load in the loop, including its tank. The tanks are
    on the supply side of the plant; unspecified ones, `open_tanks`, are zero until sized for
    the ride-through and the chillers.
    """

    plate_j_k: float
    plate_rise_k: float
    plate_limit_c: float
    tcs_m3: float | None
    fws_m3: float | None
    chw_m3: float | None
    chw_min_m3_per_w: float
    chw_tank_m3: float
    fws_tank_m3: float
    open_tanks: frozenset[Tank]
    chw_tank: TankKind
    tank_usable: float
    reserve: bool  # Whether the buffer tank is the reserve of the storage tank


@dataclass(frozen=True)
class Restart:
    """Restart of the cooling and duration of the simulation: inputs of `ThermalSection` in SI.

    `pump_changeover_s` is None where the CDUs have no standby pump, `header_flow` None for the flow
    that the header network leaves; `standby_pump_s` is None where spare pumps of the water loops
    also run.
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
    """Inputs, besides the design, that determine the temperatures after a failure."""

    room: RoomMass
    loops: LoopMass
    restart: Restart
