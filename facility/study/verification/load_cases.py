"""Dynamic-load cases: spectrum, storage and sags vs. closed forms and an incident."""

from __future__ import annotations

import numpy as np

from facility.model.load_motion import Sags
from facility.study.transient.load.averaging import smoothed, with_dummy_load
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.sags import ride_sags
from facility.study.transient.load.spectrum import spectrum_of
from facility.study.verification.inputs import CaseFunctions

_SAMPLES = 1 << 14
_EDGE_S = 1e-6


def _square(low_w: float, high_w: float, each_s: float) -> Profile:
    time_s = [0.0, each_s - _EDGE_S, each_s, 2.0 * each_s - _EDGE_S, 2.0 * each_s]
    return Profile(np.array(time_s), np.array([low_w, low_w, high_w, high_w, low_w]))


def _line_share(order: float) -> float:
    """Return the share of a spectral line in the variation of a square wave."""
    samples = np.where(np.arange(_SAMPLES) < _SAMPLES // 2, 1.0, 0.0)
    found = spectrum_of(samples, 1.0 / _SAMPLES)
    return found.in_band(order - 0.5, order + 0.5) / found.variation


def _storage_of_a_step(step_w: float, ramp_w_s: float) -> float:
    """Return the energy of a lossless storage for a step limited to a ramp."""
    window_s = step_w / ramp_w_s
    return smoothed(_square(0.0, step_w, 4.0 * window_s), window_s, 1.0).used_j


def _dummy_load_energy(depth_w: float, each_s: float, ramp_w_s: float) -> float:
    """Return the dummy-load energy in a valley with both sides limited to a ramp."""
    load = _square(depth_w, 2.0 * depth_w, each_s)
    return (with_dummy_load(load, ramp_w_s).mean - load.mean) * load.period_s


def _stays_off_after(
    faults: float, within_s: float, events: float, events_within_s: float, retransfer_s: float
) -> float:
    """Return the time at which a UPS counter is full and its load stays off the utility."""
    sags = Sags(int(faults), within_s, 0.1, int(events), events_within_s, retransfer_s, True)
    found = ride_sags(sags).locked_s
    return float("inf") if found is None else found


FUNCTIONS: CaseFunctions = {
    "load.line_share": ("fraction", _line_share),
    "load.storage_of_a_step": ("energy", _storage_of_a_step),
    "load.burnt_in_a_valley": ("energy", _dummy_load_energy),
    "load.stays_off_after": ("time", _stays_off_after),
}
