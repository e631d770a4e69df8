"""Load smoothing by a storage that averages over time, or by a dummy load."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.study.transient.load.profile import Profile

_POINTS = 500
"""Equal intervals of a period, in addition to the corner points of its lines."""
_SETTLED, _ROUNDING, _MAX_PASSES = 1e-12, 1e-14, 200


@dataclass(frozen=True, eq=False)
class Smoothed:
    """A load smoothed by a storage: grid power and stored energy."""

    load: Profile  # Load downstream of the storage
    total: Profile  # Load plus storage losses, which is averaged
    grid: Profile  # Grid power: mean of `total` over the window
    window_s: float  # Averaging time
    efficiency: float  # Round-trip efficiency

    @property
    def ramp(self) -> float:
        """Maximum ramp of the grid power, per second."""
        now = self.total.values
        return float(np.max(np.abs(now - self._before(now)))) / self.window_s

    @property
    def power(self) -> float:
        """Maximum charge or discharge power of the storage."""
        return float(np.max(np.abs(self.load.values - self.grid.values)))

    @property
    def loss_j(self) -> float:
        """Storage loss in a period."""
        return (self.total.mean - self.load.mean) * self.load.period_s

    @cached_property
    def state_j(self) -> FloatArray:
        """Stored energy at the times of the load, relative to its minimum."""
        time_s, period_s = self.total.time_s, self.total.period_s
        sums = _Sums(self.total)
        short_s = self.window_s % period_s
        whole = (self.window_s - short_s) / period_s * self.total.mean * period_s * time_s
        given = sums.twice(time_s) - sums.twice(time_s - short_s)
        state = (whole + given - given[0]) / self.window_s - sums.once
        return np.asarray(state - state.min())

    @property
    def used_j(self) -> float:
        """Usable energy between maximum and minimum state of charge."""
        return float(self.state_j.max())

    def _before(self, values: FloatArray) -> FloatArray:
        time_s, period_s = self.total.time_s, self.total.period_s
        return np.interp((time_s - self.window_s) % period_s, time_s, values)


class _Sums:
    """First and second integral of a profile from 0, exact for its straight lines."""

    def __init__(self, profile: Profile) -> None:
        time_s = profile.time_s
        # The period before it, then itself: times from -period to period.
        self._time_s = np.concatenate([time_s[:-1] - profile.period_s, time_s])
        self._values = np.concatenate([profile.values[:-1], profile.values])
        step_s = np.diff(self._time_s)
        self._slope = np.diff(self._values) / step_s
        here, there = self._values[:-1], self._values[1:]
        once = np.concatenate([[0.0], np.cumsum(0.5 * (here + there) * step_s)])
        self._once = once - once[len(time_s) - 1]
        added = self._once[:-1] * step_s + (2.0 * here + there) * step_s**2 / 6.0
        twice = np.concatenate([[0.0], np.cumsum(added)])
        self._twice = twice - twice[len(time_s) - 1]

    @property
    def once(self) -> FloatArray:
        """The integral from 0 to each time of the profile."""
        return np.asarray(self._once[len(self._slope) // 2 :])

    def twice(self, at_s: FloatArray) -> FloatArray:
        """Return the integral of the integral from 0 to each time."""
        n = np.clip(np.searchsorted(self._time_s, at_s, "right") - 1, 0, len(self._slope) - 1)
        past_s = at_s - self._time_s[n]
        line = self._values[n] / 2.0 + self._slope[n] * past_s / 6.0
        return np.asarray(self._twice[n] + (self._once[n] + line * past_s) * past_s)


class _Mean:
    """Moving average over the last `window_s` of values at the times of a profile."""

    def __init__(self, profile: Profile, window_s: float) -> None:
        time_s, self._period_s = profile.time_s, profile.period_s
        self._window_s = window_s
        self._whole = window_s // self._period_s
        before_s = time_s - (window_s - self._whole * self._period_s)
        self._wrapped = before_s < 0.0
        before_s = np.where(self._wrapped, before_s + self._period_s, before_s)
        self._step_s = np.diff(time_s)
        last = len(self._step_s) - 1
        self._index = np.clip(np.searchsorted(time_s, before_s, "right") - 1, 0, last)
        self._past_s = before_s - time_s[self._index]

    def __call__(self, values: FloatArray) -> FloatArray:
        """Return the mean at each time, exact for straight lines between the values."""
        n, past_s = self._index, self._past_s
        once = np.concatenate([[0.0], np.cumsum(0.5 * (values[:-1] + values[1:]) * self._step_s)])
        slope = np.diff(values) / self._step_s
        before = once[n] + (values[n] + 0.5 * slope[n] * past_s) * past_s
        part = once - before + (self._whole + self._wrapped) * once[-1]
        return np.asarray(part / self._window_s)


def smoothed(load: Profile, window_s: float, efficiency: float) -> Smoothed:
    """Return a load with the grid supplying its moving average, and a storage the difference.

    The storage loss is included in the average, so that the state of charge returns after every
    period. The ramp of a moving average is at most the peak-to-peak value divided by the averaging
    time, for any load.

    efficiency: Round trip; each direction has its square root.

    Raises ``NOT_CONVERGED`` if the losses do not converge.
    """
    drawn = _refined(load, window_s)
    mean, way = _Mean(drawn, window_s), float(np.sqrt(efficiency))
    # A mean over a short time is a small difference of large sums, with their rounding error.
    rounding_w = _ROUNDING * drawn.mean * drawn.period_s / window_s
    settled_w = _SETTLED * float(drawn.values.max()) + rounding_w
    total = drawn.values
    for _ in range(_MAX_PASSES):
        out = drawn.values - mean(total)
        found = drawn.values + np.maximum(out * (1.0 / way - 1.0), -out * (1.0 - way))
        if np.max(np.abs(found - total)) <= settled_w:
            grid = drawn.mapped(mean(found))
            return Smoothed(drawn, drawn.mapped(found), grid, window_s, efficiency)
        total = found
    raise FacilityError(
        "NOT_CONVERGED",
        "power.smoothing.efficiency",
        f"the storage losses do not converge in {_MAX_PASSES} passes.",
        "Enter a higher efficiency (power.smoothing.efficiency).",
    )


def with_dummy_load(load: Profile, ramp: float) -> Profile:
    """Return the minimum load above `load` with changes limited to `ramp` per second.

    A dummy load draws the difference: after every drop, and before every rise, which must be known
    in advance.
    """
    drawn = _refined(load, load.period_s / 2.0)
    period_s = drawn.period_s
    inner = slice(len(drawn.time_s) - 1, 2 * len(drawn.time_s) - 1)
    time_s = np.concatenate([drawn.time_s[:-1] + n * period_s for n in range(3)])
    values = np.tile(drawn.values[:-1], 3)
    falling = np.maximum.accumulate(values + ramp * time_s) - ramp * time_s
    back = (values - ramp * time_s)[::-1]
    rising = np.maximum.accumulate(back)[::-1] + ramp * time_s
    return drawn.mapped(np.maximum(falling, rising)[inner])


def _refined(load: Profile, window_s: float) -> Profile:
    """Return the same load with added points one window after each of its corners."""
    period_s = load.period_s
    shifted = np.concatenate([load.time_s + window_s, load.time_s - window_s]) % period_s
    equal = np.linspace(0.0, period_s, _POINTS + 1)
    at_s = np.unique(np.concatenate([load.time_s, shifted, equal]))
    at_s = at_s[np.concatenate([[True], np.diff(at_s) > 1e-9 * period_s])]
    at_s[-1] = period_s
    return Profile(at_s, np.interp(at_s, load.time_s, load.values))
