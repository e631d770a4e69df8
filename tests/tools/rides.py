"""The ride-through of equal cases is followed once: many tests vary what does not reach it.

`run` is a pure function of numbers and takes about half of a design with every study. What it
returned is kept by every bit of what it was given, and its arrays are made read-only.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from facility.cooling.ride_through import signals as ride_through_signals
from facility.cooling.ride_through.model import Ride, run
from facility.cooling.ride_through.stores import Settings

Floats = NDArray[np.float64]
Key = tuple[Settings, float, tuple[tuple[int, ...], ...], bytes]
_MOST = 100
"""Rides that are kept; one takes about a megabyte."""
_kept: OrderedDict[Key, Ride] = OrderedDict()


def run_once(
    settings: Settings, capacity_j_k: Floats, start_c: Floats, signals: Floats, step_s: float
) -> Ride:
    """Return what `run` returned for the same numbers, or run it."""
    given = (capacity_j_k, start_c, signals)
    digest = hashlib.blake2b(digest_size=32)
    for array in given:
        digest.update(np.ascontiguousarray(array))
    key = (settings, step_s, tuple(array.shape for array in given), digest.digest())
    if key not in _kept:
        _kept[key] = _frozen(run(settings, capacity_j_k, start_c, signals, step_s))
        if len(_kept) > _MOST:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


def _frozen(ride: Ride) -> Ride:
    for array in (ride.time_s, ride.temperature_c, ride.supplied_j, ride.removed_j, ride.stored_j):
        array.flags.writeable = False
    return ride


def follow(*, once: bool) -> None:
    """Let `simulate` follow equal cases once from now on, or each of them as the product does."""
    ride_through_signals.run = run_once if once else run
