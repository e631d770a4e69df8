"""Buffers: the water that bridges a restart, and the volume with which no limit is passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.cooling.design import CoolingDesign
from facility.cooling.flow import CoolingFlow
from facility.cooling.fluids import Liquid
from facility.cooling.ride_through_limits import Limit, series_of, time_to
from facility.cooling.ride_through_plant import RidePlant
from facility.cooling.ride_through_schedule import RideCase
from facility.cooling.ride_through_signals import simulate
from facility.model.thermal import Restart, Tank
from facility.physics.thermal_transient import storage_volume

_AT_ONCE = 12
_ROUNDS = 2
_SMALLEST = 1e-3
_STEP_S = 2.0
_RISE_K = 1.0
"""The largest buffer tried takes all heat of the horizon with this rise."""


_PREFERRED = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0)
"""Tanks come in these sizes and their decimal multiples: series R10 of ISO 3:1973."""
_DECADES = range(-2, 5)
_SIZES = np.array([10.0**k * size for k in _DECADES for size in _PREFERRED])
_TRIED = 24
_NEXT = 1.01
"""A little more than a standard size: the next one holds it."""
LEAST_FWS = 0.05
"""Buffers of the facility water are tried from this part of what bridges the restart upwards."""


@dataclass(frozen=True)
class Bridge:
    """What a buffer stands in for while its cooling restarts.

    Attributes
    ----------
    heat_w : float
        Heat at the design hour.
    wait_s : float
        Time without cooling.
    rise_k : float
        From supply to return.
    """

    heat_w: float
    wait_s: float
    rise_k: float

    def volume_m3(self, liquid: Liquid) -> float:
        """Return the water that takes up the heat meanwhile [m3]."""
        if self.heat_w <= 0.0 or self.rise_k <= 0.0:
            return 0.0
        return float(storage_volume.si(self.heat_w, self.wait_s, self.rise_k, **liquid.properties))


@dataclass(frozen=True)
class Tanks:
    """Buffers that stand in a design, whole [m3]."""

    chw_m3: float
    fws_m3: float


def standing(plant: RidePlant) -> Tanks:
    """Return the buffers of a model."""
    return Tanks(plant.thermal.loops.chw_tank_m3, plant.thermal.loops.fws_tank_m3)


def shortened(plant: RidePlant, horizon_s: float) -> RidePlant:
    """Return a model that is followed no longer than a time [s]."""
    restart = plant.thermal.restart
    restart = replace(restart, horizon_s=min(restart.horizon_s, horizon_s))
    return replace(plant, thermal=replace(plant.thermal, restart=restart))


def with_tanks(plant: RidePlant, tanks: Tanks) -> RidePlant:
    """Return a model with other buffers."""
    loops = replace(plant.thermal.loops, chw_tank_m3=tanks.chw_m3, fws_tank_m3=tanks.fws_m3)
    return replace(plant, thermal=replace(plant.thermal, loops=loops))


def chw_bridge(design: CoolingDesign, flow: CoolingFlow, restart: Restart, back_s: float) -> Bridge:
    """Return what the chilled-water buffer stands in for, until the chillers are back.

    Parameters
    ----------
    design, flow : CoolingDesign, CoolingFlow
        The cooling, and what it does at the design hour.
    restart : Restart
        Restart of the chillers; half of their ramp counts as without cooling.
    back_s : float
        From the loss of the utility to power on the boards [s].
    """
    wait_s = back_s + restart.chiller_s + 0.5 * restart.chiller_ramp_s
    return Bridge(flow.chiller_load_w, wait_s, design.chilled.plan.rise_k)


def fws_bridge(plant: RidePlant, back_s: float) -> Bridge:
    """Return what the facility-water buffer stands in for, until towers or coolers are back."""
    restart, flow = plant.thermal.restart, plant.flow
    wait_s = back_s + restart.rejection_s + 0.5 * restart.ramp_s
    return Bridge(flow.facility_water_w, wait_s, flow.fws_return_c - flow.fws_supply_c)


def size_from(volume_m3: float) -> float:
    """Return the smallest standard size that holds a volume [m3]."""
    return float(
        _SIZES[min(int(np.searchsorted(_SIZES, volume_m3 * (1.0 - 1e-9))), len(_SIZES) - 1)]
    )


@dataclass(frozen=True)
class Storage:
    """Buffers of the chilled and of the facility water for one case [m3]; None: none is enough."""

    chw_m3: float | None
    fws_m3: float | None

    @property
    def enough(self) -> bool:
        """Whether there is a buffer that keeps every limit."""
        return self.chw_m3 is not None and self.fws_m3 is not None


def storage_needed(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit]
) -> tuple[Storage, ...]:
    """Return the smallest buffers with which no allowable limit is passed, case by case.

    Limits of the air ask for chilled water; those of the coolant for facility water, or for
    chilled water where that cools it. Volumes in a geometric row bracket the buffer, two linear
    rounds narrow it to half a percent; what already stands in the design counts.
    """
    if not cases:
        return ()
    known = [one for one in limits if one.grade == "allowable" and one.limit_c is not None]
    own = plant.sink_w_k > 0.0
    chw = [one for one in known if not (own and one.of_liquid)]
    fws = [one for one in known if own and one.of_liquid]
    of_chw = _narrowed(plant, cases, chw, "chw")
    of_fws = _narrowed(plant, cases, fws, "fws")
    return tuple(Storage(*pair) for pair in zip(of_chw, of_fws, strict=True))


def chosen_tanks(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit], least: Tanks
) -> Tanks:
    """Return standard tanks, where they are left open, with which the cases pass no limit.

    The cases are followed without them first, then those that pass a limit with all sizes at once,
    both loops together. A case that no size helps asks for none.

    Parameters
    ----------
    plant : RidePlant
        The lumped model, with the tanks that are stated.
    cases : sequence of RideCase
        Failures whose cooling comes back.
    limits : sequence of Limit
        All limits of the design.
    least : Tanks
        Volumes below which a tank that stands is of no use [m3].
    """
    loops, none = plant.thermal.loops, np.zeros(0)
    known = [one for one in limits if one.grade == "allowable" and one.limit_c is not None]
    stated = {"chw": loops.chw_tank_m3, "fws": loops.fws_tank_m3}
    without = _kept(plant, cases, known, {"chw": none, "fws": none})
    short = [case for n, case in enumerate(cases) if not all(one[n, 0] for one in without)]
    if not short:
        return standing(plant)
    wanted = {"chw": least.chw_m3, "fws": least.fws_m3}
    tried = {
        loop: _row(wanted[loop]) if loop in loops.open_tanks else np.full(_TRIED, stated[loop])
        for loop in stated
    }
    kept = _kept(plant, short, known, tried)
    found = dict(stated)
    for loop in loops.open_tanks:
        held = np.ones((len(short), _TRIED + 1), dtype=bool)
        for one, limit in zip(kept, known, strict=True):
            if loop_of(plant, limit) == loop:
                held &= one
        most = int(np.where(held.any(axis=1), held.argmax(axis=1), 0).max())
        found[loop] = float(tried[loop][most - 1]) if most else 0.0
    return Tanks(found["chw"], found["fws"])


def loop_of(plant: RidePlant, limit: Limit) -> Tank:
    """Return the loop whose buffer holds a limit: facility water only where it is cooled itself."""
    return "fws" if plant.sink_w_k > 0.0 and limit.of_liquid else "chw"


def larger_tanks(plant: RidePlant, passed: Sequence[Limit], least: Tanks) -> Tanks:
    """Return the open tanks of the loops whose limits are passed, one standard size larger."""
    loops = plant.thermal.loops
    found = {"chw": loops.chw_tank_m3, "fws": loops.fws_tank_m3}
    first = {"chw": least.chw_m3, "fws": least.fws_m3}
    for loop in {loop_of(plant, one) for one in passed} & loops.open_tanks:
        found[loop] = size_from(max(_NEXT * found[loop], first[loop]))
    return Tanks(found["chw"], found["fws"])


def _row(least_m3: float) -> NDArray[np.float64]:
    """Return the standard sizes that are tried from a volume upwards [m3]."""
    start = int(np.searchsorted(_SIZES, least_m3 * (1.0 - 1e-9)))
    start = min(start, len(_SIZES) - _TRIED)
    return np.asarray(_SIZES[start : start + _TRIED])


def _kept(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit],
    tried: dict[str, NDArray[np.float64]],
) -> list[NDArray[np.bool_]]:  # fmt: skip
    """Return which limits are kept, shape (cases, 1 + sizes) each: first without open tanks."""
    loops = plant.thermal.loops
    chw = np.tile(np.concatenate([[loops.chw_tank_m3], tried["chw"]]), len(cases))
    fws = np.tile(np.concatenate([[loops.fws_tank_m3], tried["fws"]]), len(cases))
    wide = 1 + len(tried["chw"])
    column = np.repeat(np.arange(len(cases)), wide).tolist()
    ride = simulate(plant, cases, step_s=_STEP_S, of_case=column, chw_tank_m3=chw, fws_tank_m3=fws)
    series = series_of(plant, ride)
    return [
        np.isinf(time_to(series[one.series], one.limit_c or 0.0, ride.time_s)).reshape(-1, wide)
        for one in limits
    ]


def _largest(plant: RidePlant, loop: str) -> float:
    """Return the largest buffer tried [m3]."""
    flow, horizon_s = plant.flow, plant.thermal.restart.horizon_s
    heat_w = flow.chiller_load_w if loop == "chw" else flow.facility_water_w
    per_m3 = plant.tank_j_m3k if loop == "chw" else plant.fws_j_m3k
    return float(storage_volume.si(heat_w, horizon_s, _RISE_K, 1.0, per_m3))


def _narrowed(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit], loop: str
) -> list[float | None]:
    """Return the smallest buffer of a loop, for every case."""
    loops = plant.thermal.loops
    given = loops.chw_tank_m3 if loop == "chw" else loops.fws_tank_m3
    if not limits:
        return [given] * len(cases)
    most = max(_largest(plant, loop), given)
    row = given + (most - given) * np.concatenate([[0.0], np.geomspace(_SMALLEST, 1.0, _AT_ONCE)])
    tried = np.tile(row, (len(cases), 1))
    held = _holds(plant, cases, limits, loop, tried)
    first = np.where(held.any(axis=1), held.argmax(axis=1), -1)
    open_ = np.flatnonzero(first > 0)
    ends = np.array([[row[n - 1], row[n]] if n > 0 else [given, given] for n in first])
    for _ in range(_ROUNDS if len(open_) else 0):
        tried = np.linspace(ends[open_, 0], ends[open_, 1], _AT_ONCE + 2, axis=1)
        inner = _holds(plant, [cases[int(n)] for n in open_], limits, loop, tried[:, 1:-1])
        place = np.where(inner.any(axis=1), inner.argmax(axis=1), _AT_ONCE)
        rows = np.arange(len(open_))
        ends[open_, 0], ends[open_, 1] = tried[rows, place], tried[rows, place + 1]
    return [None if n < 0 else float(end) for n, end in zip(first, ends[:, 1], strict=True)]


def _holds(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit], loop: str,
    volumes_m3: NDArray[np.float64],
) -> NDArray[np.bool_]:  # fmt: skip
    """Return whether the limits are kept with each buffer, shape (cases, buffers)."""
    flat = volumes_m3.ravel()
    column = np.repeat(np.arange(len(cases)), volumes_m3.shape[1]).tolist()
    tanks = {"chw_tank_m3": flat} if loop == "chw" else {"fws_tank_m3": flat}
    ride = simulate(plant, cases, step_s=_STEP_S, of_case=column, **tanks)
    series = series_of(plant, ride)
    kept = np.ones(len(flat), dtype=bool)
    for one in limits:
        if one.limit_c is not None:
            kept &= np.isinf(time_to(series[one.series], one.limit_c, ride.time_s))
    return kept.reshape(volumes_m3.shape)
