"""Dynamic load, in SI: job, grid limits, smoothing, and voltage sags."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """A synchronous training job. Powers are fractions of the IT load, times in s."""

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
    power_file: Path | None  # Measured IT power, which replaces all fields but `edge_s`
    full_w: float | None  # Power in it for the full IT load; None: design IT load


@dataclass(frozen=True)
class GridLimits:
    """Utility limits, None if not specified; band in Hz."""

    ramp_w_s: float | None
    range_w: float | None
    band: float | None
    band_from_hz: float
    band_to_hz: float
    flicker: float | None


@dataclass(frozen=True)
class Smoothing:
    """Battery or capacitors; ramp, power and nominal energy None if design variables."""

    ramp_w_s: float | None
    efficiency: float
    usable: float
    power_w: float | None
    energy_j: float | None


@dataclass(frozen=True)
class Sags:
    """Repeated voltage sags, and their counting by the UPS."""

    count: int
    within_s: float  # Time from first to last sag
    each_s: float
    events: int  # Transfers after which the UPS stays off the utility
    events_within_s: float
    retransfer_s: float
    counter_stated: bool  # Whether the counter setting is specified


@dataclass(frozen=True)
class LoadMotion:
    """Dynamic load: job, grid limits, smoothing, sags."""

    job: Job
    limits: GridLimits
    smoothing: Smoothing
    sags: Sags
