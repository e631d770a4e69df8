"""Minimum buffer volume without exceedance of equipment limits, found by bracketing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through.limits import Limit, over, series_of, time_to, while_running
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import RideCase
from facility.cooling.ride_through.signals import simulate
from facility.cooling.ride_through.tanks import (
    SIZES_M3,
    Tanks,
    first_size,
    loop_of,
    size_from,
    tanks_of,
)
from facility.model.cooling.thermal import Tank
from facility.physics.plant.thermal_transient import storage_volume

_AT_ONCE = 12
_ROUNDS = 2
_SMALLEST = 1e-3
_STEP_S = 2.0
_RISE_K = 1.0
"""Temperature rise with which the largest buffer absorbs all heat of the horizon."""


_TRIED = 30
"""Number of buffer sizes tried, the largest 800 times the smallest.

A dry cooler with small approach recovers the heat of a restart so slowly that its
buffer stores ten times the restart heat and more.
"""
_NEXT = 1.01
"""Factor on a standard size so that `size_from` returns the next larger one."""
MIN_FWS = 0.05
"""Smallest facility water buffer tried, as a fraction of the restart volume."""


@dataclass(frozen=True)
class Storage:
    """Chilled and facility water buffers of one case [m3]; None: no sufficient size."""

    chw_m3: float | None
    fws_m3: float | None

    @property
    def enough(self) -> bool:
        """Whether a buffer size meets all limits."""
        return self.chw_m3 is not None and self.fws_m3 is not None


def storage_needed(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit]
) -> tuple[Storage, ...]:
    """Return the smallest buffers without exceedance of an allowable limit, for each case.

    Air limits require chilled water; coolant limits require facility water, or
    chilled water if it cools the facility water. Geometric volumes bracket the buffer, two linear
    rounds narrow it to 0.5 %; existing design buffers are included.
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
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit], minimum: Tanks
) -> tuple[Tanks, frozenset[tuple[str, str]]]:
    """Return default standard tanks, and the limits that no size meets: case and limit.

    All cases are first simulated without storage, then cases above a limit with all sizes at once,
    both loops together. A limit that no size can meet is disregarded; the others are met.

    plant: The lumped model, with the stated tanks.
    cases: Failures with cooling restart.
    minimum: Minimum useful tank volumes [m3].
    """
    loops, none = plant.thermal.loops, np.zeros(0)
    known = [one for one in limits if one.grade == "allowable" and one.limit_c is not None]
    stated: dict[Tank, float] = {"chw": loops.chw_tank_m3, "fws": loops.fws_tank_m3}
    without = _met(plant, cases, known, {"chw": none, "fws": none})
    short = [case for n, case in enumerate(cases) if not all(one[n, 0] for one in without)]
    if not short:
        return tanks_of(plant), frozenset()
    required: dict[Tank, float] = {"chw": minimum.chw_m3, "fws": minimum.fws_m3}
    tried = {
        loop: _row(required[loop]) if loop in loops.open_tanks else np.full(_TRIED, stated[loop])
        for loop in stated
    }
    met = _met(plant, short, known, tried)
    helped = [np.atleast_2d(one.any(axis=1)).T for one in met]
    found = dict(stated)
    for loop in loops.open_tanks:
        all_met = np.ones((len(short), _TRIED + 1), dtype=bool)
        for one, any_, limit in zip(met, helped, known, strict=True):
            if loop_of(plant, limit) == loop:
                all_met &= one | ~any_
        size = int(all_met.argmax(axis=1).max())
        found[loop] = float(tried[loop][size - 1]) if size else stated[loop]
    lost = {
        (case.id, limit.id)
        for limit, any_ in zip(known, helped, strict=True)
        for n, case in enumerate(short)
        if not any_[n, 0]
    }
    return Tanks(found["chw"], found["fws"]), frozenset(lost)


def shortened(plant: RidePlant, horizon_s: float) -> RidePlant:
    """Return a model with a simulation limited to a time [s]."""
    restart = plant.thermal.restart
    restart = replace(restart, horizon_s=min(restart.horizon_s, horizon_s))
    return replace(plant, thermal=replace(plant.thermal, restart=restart))


def larger_tanks(plant: RidePlant, exceeded: Sequence[Limit], minimum: Tanks) -> Tanks:
    """Return the unspecified tanks of loops with exceeded limits, one standard size larger."""
    loops = plant.thermal.loops
    found = {"chw": loops.chw_tank_m3, "fws": loops.fws_tank_m3}
    first = {"chw": minimum.chw_m3, "fws": minimum.fws_m3}
    for loop in {loop_of(plant, one) for one in exceeded} & loops.open_tanks:
        found[loop] = size_from(max(_NEXT * found[loop], first[loop]))
    return Tanks(found["chw"], found["fws"])


def _row(min_m3: float) -> NDArray[np.float64]:
    """Return the standard sizes tried from a volume upwards [m3], repeating the largest."""
    indices = first_size(min_m3) + np.arange(_TRIED)
    return np.asarray(SIZES_M3[np.minimum(indices, len(SIZES_M3) - 1)])


def _met(
    plant: RidePlant,
    cases: Sequence[RideCase],
    limits: Sequence[Limit],
    tried: dict[Tank, NDArray[np.float64]],
) -> list[NDArray[np.bool_]]:
    """Return which limits are met, shape (cases, 1 + sizes) each; column 0 without open tanks."""
    loops = plant.thermal.loops
    chw = np.tile(np.concatenate([[loops.chw_tank_m3], tried["chw"]]), len(cases))
    fws = np.tile(np.concatenate([[loops.fws_tank_m3], tried["fws"]]), len(cases))
    wide = 1 + len(tried["chw"])
    column = np.repeat(np.arange(len(cases)), wide).tolist()
    ride = simulate(plant, cases, step_s=_STEP_S, of_case=column, chw_tank_m3=chw, fws_tank_m3=fws)
    series, of_column = series_of(plant, ride), [cases[n] for n in column]
    return [_is_met(series, one, of_column, ride.time_s).reshape(-1, wide) for one in limits]


def _is_met(
    series: dict[str, NDArray[np.float64]],
    limit: Limit,
    cases: Sequence[RideCase],
    time_s: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return where a limit is met, or already exceeded at the design hour (no buffer helps)."""
    series_c, limit_c = series[limit.series], limit.limit_c or 0.0
    if over(float(series_c[0, 0]), limit_c):
        return np.ones(series_c.shape[1], dtype=bool)
    return np.isinf(time_to(while_running(series_c, limit, cases, time_s), limit_c, time_s))


def _narrowed(
    plant: RidePlant, cases: Sequence[RideCase], limits: Sequence[Limit], loop: str
) -> list[float | None]:
    """Return the smallest buffer of a loop, for every case."""
    loops = plant.thermal.loops
    given = loops.chw_tank_m3 if loop == "chw" else loops.fws_tank_m3
    if not limits:
        return [given] * len(cases)
    flow, horizon_s = plant.flow, plant.thermal.restart.horizon_s
    heat_w = flow.chiller_load_w if loop == "chw" else flow.facility_water_w
    per_m3 = plant.tank_j_m3k if loop == "chw" else plant.fws_j_m3k
    largest = max(float(storage_volume.si(heat_w, horizon_s, _RISE_K, 1.0, per_m3)), given)
    row = given + (largest - given) * np.concatenate(
        [[0.0], np.geomspace(_SMALLEST, 1.0, _AT_ONCE)]
    )
    tried = np.tile(row, (len(cases), 1))
    met = _all_met(plant, cases, limits, loop, tried)
    first = np.where(met.any(axis=1), met.argmax(axis=1), -1)
    open_ = np.flatnonzero(first > 0)
    ends = np.array([[row[n - 1], row[n]] if n > 0 else [given, given] for n in first])
    for _ in range(_ROUNDS if len(open_) else 0):
        tried = np.linspace(ends[open_, 0], ends[open_, 1], _AT_ONCE + 2, axis=1)
        inner = _all_met(plant, [cases[int(n)] for n in open_], limits, loop, tried[:, 1:-1])
        index = np.where(inner.any(axis=1), inner.argmax(axis=1), _AT_ONCE)
        rows = np.arange(len(open_))
        ends[open_, 0], ends[open_, 1] = tried[rows, index], tried[rows, index + 1]
    return [None if n < 0 else float(end) for n, end in zip(first, ends[:, 1], strict=True)]


def _all_met(
    plant: RidePlant,
    cases: Sequence[RideCase],
    limits: Sequence[Limit],
    loop: str,
    volumes_m3: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Return whether the limits are met with each buffer, shape (cases, buffers)."""
    flat = volumes_m3.ravel()
    column = np.repeat(np.arange(len(cases)), volumes_m3.shape[1]).tolist()
    tanks = {"chw_tank_m3": flat} if loop == "chw" else {"fws_tank_m3": flat}
    ride = simulate(plant, cases, step_s=_STEP_S, of_case=column, **tanks)
    series, of_column = series_of(plant, ride), [cases[n] for n in column]
    met = np.ones(len(flat), dtype=bool)
    for one in limits:
        if one.limit_c is not None:
            met &= _is_met(series, one, of_column, ride.time_s)
    return met.reshape(volumes_m3.shape)
