"""Power profile of a training job, piecewise linear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.model.load_motion import Job

MAX_STEPS = 1000
"""Maximum steps in one run of a profile: smoothing is steady by then, or never."""
_MIN_STEPS, _MARGIN = 5, 2.5


@dataclass(frozen=True, eq=False)
class Profile:
    """A periodic load profile, piecewise linear."""

    time_s: FloatArray  # From 0 to the period, increasing
    values: FloatArray  # At these times; the first and the last are equal

    @property
    def period_s(self) -> float:
        """Period [s]."""
        return float(self.time_s[-1])

    @cached_property
    def mean(self) -> float:
        """Mean over the period."""
        return float(np.trapezoid(self.values, self.time_s)) / self.period_s

    @property
    def range(self) -> float:
        """Peak-to-peak value."""
        return float(self.values.max() - self.values.min())

    @property
    def ramp(self) -> float:
        """Maximum ramp, up or down, per second."""
        return float(np.max(np.abs(np.diff(self.values) / np.diff(self.time_s))))

    def mapped(self, values: FloatArray) -> Profile:
        """Return the profile with other values at the same times."""
        return Profile(self.time_s, np.asarray(values, dtype=float))

    def samples(self, count: int) -> FloatArray:
        """Return its values at `count` equal intervals from 0."""
        at_s = np.arange(count) * (self.period_s / count)
        return np.asarray(np.interp(at_s, self.time_s, self.values))


@dataclass(frozen=True)
class JobEvents:
    """Content of one period: runs of steps, with or without checkpoint and failure."""

    steps: int  # Steps of a run
    idle_s: float  # Downtime of the job after a failure
    checkpoint: bool = True
    failure: bool = True


def job_events(job: Job, window_s: float) -> JobEvents:
    """Return events spaced widely enough for averages over `window_s` to become steady.

    At most the time between two events.
    """
    longest = job.checkpoint_every_s / job.step_s
    required = max(_MIN_STEPS, min(window_s / job.step_s + _MIN_STEPS, longest, MAX_STEPS))
    rest_s = max(_MARGIN * window_s, _MIN_STEPS * job.step_s)
    return JobEvents(int(np.ceil(required)), min(job.restart_s, rest_s))


def step_profile(job: Job) -> Profile:
    """Return one step of the job, from the end of one communication phase to the next.

    Raises ``JOB_TIMES`` if peak and edges do not fit into the phases.
    """
    return _joined(_step(job))


def job_profile(job: Job, events: JobEvents) -> Profile:
    """Return the job profile with its events; a failure occurs in the middle of a compute phase.

    Raises ``JOB_TIMES`` where peak and edges do not fit into the phases.
    """
    run = _step(job) * events.steps
    parts: list[tuple[float, float]] = []
    if events.failure:
        parts += [(job.start_s, job.compute), (job.edge_s, job.communication)]
    parts += run
    if events.checkpoint:
        parts += [
            (job.edge_s, job.checkpoint),
            (job.checkpoint_s, job.checkpoint),
            (job.edge_s, job.communication),
            *run,
        ]
    if events.failure:
        computes_s = 0.5 * (1.0 - job.communication_share) * job.step_s
        parts += [
            (job.edge_s, job.compute),
            (computes_s, job.compute),
            (job.edge_s, job.idle),
            (events.idle_s, job.idle),
        ]
    return _joined(parts)


def _step(job: Job) -> list[tuple[float, float]]:
    """Return the lines of a step, each as duration and end level."""
    edge_s = job.edge_s
    waits_s = job.communication_share * job.step_s - edge_s
    peak = max(job.peak, job.compute)
    top = [(edge_s, job.compute)]
    if peak > job.compute and job.peak_s > 0.0:
        top = [(edge_s, peak), (job.peak_s, peak), (edge_s, job.compute)]
    computes_s = job.step_s - waits_s - edge_s - sum(time_s for time_s, _ in top)
    if min(waits_s, computes_s) <= 0.0:
        raise FacilityError(
            "JOB_TIMES",
            "it.job.step_time",
            f"peak and edges do not fit into the phases of a step of {job.step_s:g} s.",
            "Enter a longer step_time, or a shorter edge or peak_time (it.job).",
        )
    waits = [(edge_s, job.communication), (waits_s, job.communication)]
    return [*top, (computes_s, job.compute), *waits]


def _joined(parts: Iterable[tuple[float, float]]) -> Profile:
    """Return the profile of consecutive lines; it begins at the end level of the last."""
    times_s, levels = zip(*parts, strict=True)
    return Profile(
        np.array([0.0, *accumulate(times_s)]), np.array([levels[-1], *levels], dtype=float)
    )
