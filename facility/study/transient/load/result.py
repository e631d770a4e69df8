"""What came of load that moves."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Results, ShownByResults
from facility.core.trace import Trace
from facility.model.load_motion import LoadMotion
from facility.study.transient.load.averaging import Smoothed
from facility.study.transient.load.places import LoadPlace
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.sags import SagRide
from facility.study.transient.load.spectrum import Spectrum


@dataclass(frozen=True, eq=False)
class LoadState:
    """The load at the utility, without a storage or with one."""

    scene: Profile  # A start, runs of steps, a checkpoint, a failure
    ramp_w_s: float  # Its fastest change
    range_w: float  # Highest less lowest power while the job runs
    spectrum: Spectrum  # Of the steps

    def share(self, low_hz: float, high_hz: float) -> float:
        """Return the energy of a band over that of the whole spectrum, its mean included."""
        return self.spectrum.in_band(low_hz, high_hz) / self.spectrum.total


@dataclass(frozen=True, eq=False, repr=False)
class LoadStudy(ShownByResults):
    """A training job through a design: figures and checks."""

    title: str  # What the load is
    motion: LoadMotion  # What is given, and the defaults
    places: tuple[LoadPlace, ...]  # The scene at each place, without a storage
    storage: Smoothed  # The scene at the utility through the storage
    before: LoadState
    after: LoadState
    sees_hz: float  # Highest frequency that the spectrum shows
    ride: SagRide  # Sags one after another
    results: Results  # By dotted key: `swing.utility.step`
    checks: tuple[Check, ...]
    trace: Trace  # How they came about

    @property
    def utility(self) -> LoadPlace:
        """The utility meter."""
        return self.places[-1]
