"""Load that moves, in SI: the job, what the grid allows, what smooths it, and sags of the grid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """A synchronous training job. Powers are parts of the IT load, times in s."""

    compute: float
    communication: float
    idle: float
    checkpoint: float
    peak: float
    peak_s: float
    step_s: float
    communication_share: float
    edge_s: float
    checkpoint_every_s: float
    checkpoint_s: float
    failure_every_s: float
    restart_s: float
    start_s: float
    power_file: Path | None  # Measured IT power, which replaces all but `edge_s`
    full_w: float | None  # What of it stands for the whole IT load; None: that of the design


@dataclass(frozen=True)
class GridLimits:
    """What the utility allows, None where nobody stated it; the band in Hz."""

    ramp_w_s: float | None
    range_w: float | None
    band: float | None
    band_from_hz: float
    band_to_hz: float
    flicker: float | None


@dataclass(frozen=True)
class Smoothing:
    """Battery or capacitors; ramp, power and nominal energy None where they are to be found."""

    ramp_w_s: float | None
    efficiency: float
    usable: float
    power_w: float | None
    energy_j: float | None


@dataclass(frozen=True)
class Sags:
    """Sags of the grid in a row, and how the UPS counts them."""

    count: int
    within_s: float  # From the first to the last
    each_s: float
    events: int  # Transfers after which the UPS stays off the utility
    events_within_s: float
    retransfer_s: float
    counter_stated: bool  # Whether anybody said what the counter is set to


@dataclass(frozen=True)
class LoadMotion:
    """Everything about load that moves."""

    job: Job
    limits: GridLimits
    smoothing: Smoothing
    sags: Sags
