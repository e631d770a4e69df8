"""What holds temperatures back after a failure, and how the cooling comes back; in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TankKind = Literal["mixed", "stratified"]
Tank = Literal["chw", "fws"]
"""Buffer of the chilled water, of the facility water."""


@dataclass(frozen=True)
class RoomMass:
    """The halls.

    Attributes
    ----------
    air_m3 : float
        Air of the halls.
    cold_share : float
        Part of it on the supply side.
    structure_j_k, structure_w_k : float
        Floor, ceiling and racks that take part within minutes, and their conductance to the air.
    server_j_k : float
        Metal of the equipment that air cools.
    server_effectiveness : float
        Rise of the air through the equipment over the difference of its metal and its inlet.
    coil_j_k : float or None
        Coils with the water in them; None for `coil_s_k` times their load.
    coil_s_k : float
        Where it is not given [s/K].
    shutdown_c : float
        Inlet air from which the equipment sheds its load.
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
class LoopMass:
    """The loops.

    Attributes
    ----------
    plate_j_k : float
        Cold plates and what they cool.
    plate_rise_k : float
        Temperature of these over the coolant supply at full heat and flow.
    plate_limit_c : float
        Temperature at which the equipment stops itself.
    tcs_m3, fws_m3 : float or None
        Water of the loops of coolant and of facility water; None for what they hold as laid out.
    chw_m3 : float or None
        Water of the chilled-water loop; None for `chw_m3_per_w` of the load of the chillers.
    chw_m3_per_w : float
        Where the loop is not given.
    chw_tank_m3, fws_tank_m3 : float
        Buffers at the supply of the plant, whole; zero until those left open are chosen.
    open_tanks : frozenset[Tank]
        Buffers that nobody stated: they are chosen as the ride-through needs them.
    chw_tank : TankKind
        Whether the buffer of the chilled water is mixed or stratified.
    tank_usable : float
        Part of the buffer of the chilled water that leaves it at its supply temperature; the rest
        is at the diffusers and in the layer between cold and warm.
    """

    plate_j_k: float
    plate_rise_k: float
    plate_limit_c: float
    tcs_m3: float | None
    fws_m3: float | None
    chw_m3: float | None
    chw_m3_per_w: float
    chw_tank_m3: float
    fws_tank_m3: float
    open_tanks: frozenset[Tank]
    chw_tank: TankKind
    tank_usable: float


@dataclass(frozen=True)
class Restart:
    """How the cooling comes back, and how long it is followed; times in s.

    Attributes
    ----------
    ramp_s : float
        Fans and pumps from standstill to their speed.
    chiller_s, chiller_ramp_s : float
        From power to the first cooling of a chiller, and on to its capacity.
    rejection_s : float
        From power, or from the failure of another unit, to a tower or dry cooler at work.
    step_s : float
        Between two load steps of the generators.
    pump_changeover_s : float or None
        Until the standby pump of a CDU has taken over; None where there is none.
    standby_rejection : bool
        Whether spare towers and dry coolers stand still until another fails.
    header_flow : float
        Part of the flow of a loop left when one of its headers is shut.
    horizon_s : float
        How long a case is followed.
    """

    ramp_s: float
    chiller_s: float
    chiller_ramp_s: float
    rejection_s: float
    step_s: float
    pump_changeover_s: float | None
    standby_rejection: bool
    header_flow: float
    horizon_s: float


@dataclass(frozen=True)
class ThermalBasis:
    """Everything that the temperatures after a failure depend on beside the design."""

    room: RoomMass
    loops: LoopMass
    restart: Restart
