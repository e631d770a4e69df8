"""The load of a design at the utility, as it is and through a storage."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from facility.study.studies import Designed
from facility.study.transient.load.averaging import Smoothed, smoothed
from facility.study.transient.load.places import utility_profile
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.result import LoadState
from facility.study.transient.load.shapes import Part, Shape
from facility.study.transient.load.spectrum import sample_count, spectrum_of

_SHOWN_HZ = 100.0


@dataclass(frozen=True, eq=False)
class AtUtility:
    """The load of a design at the utility; it keeps what it has worked out."""

    design: Designed
    shape: Shape
    _loads: dict[tuple[Part, float], Profile] = field(default_factory=dict)
    _smoothed: dict[tuple[Part, float], Smoothed] = field(default_factory=dict)

    @cached_property
    def samples(self) -> int:
        """How many samples of a step its spectrum has."""
        return sample_count(self.shape.period_s)

    @property
    def sees_hz(self) -> float:
        """Highest frequency that the spectrum shows."""
        seen_hz = min(_SHOWN_HZ, self.samples / self.shape.period_s / 2.0)
        return min(seen_hz, 0.5 / self.shape.interval_s) if self.shape.measured else seen_hz

    @property
    def step(self) -> Profile:
        """A step, or the record."""
        return self.load("step", 0.0)

    def load(self, part: Part, window_s: float) -> Profile:
        """Return a part of the load, with what a mean over `window_s` needs to come to rest."""
        key = part, 0.0 if part == "step" else window_s
        if key not in self._loads:
            found = utility_profile(self.design, self.shape.profile(part, window_s))
            self._loads[key] = found
        return self._loads[key]

    def smooth(self, part: Part, window_s: float) -> Smoothed:
        """Return that through a storage."""
        key = part, window_s
        if key not in self._smoothed:
            efficiency = self.design.facility.motion.smoothing.efficiency
            found = smoothed(self.load(part, window_s), window_s, efficiency)
            self._smoothed[key] = found
        return self._smoothed[key]

    def before(self, window_s: float) -> LoadState:
        """Return the load as it is."""
        scene = self.load("scene", window_s)
        return self._state(scene, scene.ramp, self.load("running", window_s).range, self.step)

    def after(self, window_s: float) -> LoadState:
        """Return the load through the storage."""
        scene, running = self.smooth("scene", window_s), self.smooth("running", window_s)
        step = self.smooth("step", window_s).grid
        return self._state(scene.grid, scene.ramp, running.grid.range, step)

    def _state(self, scene: Profile, ramp: float, range_w: float, step: Profile) -> LoadState:
        interval_s = step.period_s / self.samples
        seen = spectrum_of(step.samples(self.samples), interval_s, not self.shape.measured)
        return LoadState(scene, ramp, range_w, seen)
