"""Results of the dynamic-load study."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check
from facility.core.table import Results, ShownByResults
from facility.core.trace import Trace
from facility.model.load_motion import LoadMotion
from facility.study.transient.load.averaging import Smoothed
from facility.study.transient.load.points import MonitoringPoint
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.sags import SagRide
from facility.study.transient.load.spectrum import Spectrum


@dataclass(frozen=True, eq=False)
class LoadState:
    """The load at the utility, without a storage or with one."""

    profile: Profile  # A start, runs of steps, a checkpoint, a failure
    ramp_w_s: float  # Maximum ramp
    range_w: float  # Peak-to-peak power during the job
    spectrum: Spectrum  # Spectrum of the steps

    def share(self, low_hz: float, high_hz: float) -> float:
        """Return the energy in a band relative to the whole spectrum, mean included."""
        return self.spectrum.in_band(low_hz, high_hz) / self.spectrum.total


@dataclass(frozen=True, eq=False, repr=False)
class LoadStudy(ShownByResults):
    """A training job through a design: figures and checks."""

    title: str  # Load description
    motion: LoadMotion  # Inputs and defaults
    points: tuple[MonitoringPoint, ...]  # Profile at each load point, without storage
    storage: Smoothed  # Profile at the utility, with storage
    before: LoadState
    after: LoadState
    sees_hz: float  # Maximum frequency of the spectrum
    ride: SagRide  # Response to repeated sags
    results: Results  # By dotted key: `swing.utility.step`
    checks: tuple[Check, ...]
    trace: Trace  # Derivations

    @property
    def utility(self) -> MonitoringPoint:
        """The utility meter."""
        return self.points[-1]
