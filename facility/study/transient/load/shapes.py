"""Shape of the IT load: a job by phases, or a measured record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from facility.catalogue.power_record import read_power
from facility.core.errors import FacilityError
from facility.model.load_motion import Job
from facility.model.load_profile import Training
from facility.study.transient.load.profile import Profile, job_events, job_profile, step_profile

_MAX_PART = 3.0
YEAR_S = 8760.0 * 3600.0


Part = Literal["step", "running", "failing", "scene"]
"""One step; runs with a checkpoint; a start, a run and a failure; the full profile."""


@dataclass(frozen=True)
class Events:
    """A periodic part, and the annual number of its events."""

    part: Part
    steps: int  # Steps in it, whose own contribution is deducted
    a_year: float


class JobShape:
    """A job by its phases."""

    measured = False
    interval_s = 0.0

    def __init__(self, job: Job, training: Training | None) -> None:
        """Store the job, and the year of training jobs if the load profile is one."""
        self.job, self.training = job, training
        self.period_s = job.step_s

    def profile(self, part: Part, window_s: float) -> Profile:
        """Return a part of the job, with runs long enough for averages over `window_s`."""
        scene = job_events(self.job, window_s)
        if part == "step":
            return step_profile(self.job)
        return job_profile(
            self.job, replace(scene, checkpoint=part != "failing", failure=part != "running")
        )

    def events(self, window_s: float) -> tuple[Events, ...]:
        """Return steps, checkpoints and failures, with their number in a year."""
        job, steps = self.job, job_events(self.job, window_s).steps
        year = self.training or _without_pause(job)
        return (
            Events("step", 0, year.steps * YEAR_S / job.step_s),
            Events("running", 2 * steps, year.checkpoints),
            Events("failing", steps, year.failures),
        )

    @property
    def title(self) -> str:
        """Description, as text."""
        job = self.job
        return (
            f"job with {job.step_s:g} s steps, {job.compute:.0%} and {job.communication:.0%} of "
            f"the IT load, one failure every {job.failure_every_s / 3600.0:,.1f} h"
        )


def _without_pause(job: Job) -> Training:
    """Return the year of consecutive jobs; intervals are from start to start."""
    every_s = max(job.failure_every_s, job.restart_s)
    failures, running_s = YEAR_S / every_s, YEAR_S * (1.0 - job.restart_s / every_s)
    checkpoints = running_s / max(job.checkpoint_every_s, job.checkpoint_s)
    steps = (running_s - checkpoints * job.checkpoint_s) / YEAR_S
    return Training(steps, failures, checkpoints, 0.0)


class MeasuredShape:
    """A measured record, repeated."""

    measured = True

    def __init__(self, job: Job, it_w: float) -> None:
        """Read the record of `job`, relative to `it_w` or to its stated full power.

        Raises ``POWER_RECORD`` for a power far above the IT load, and the errors of reading it.
        """
        assert job.power_file is not None
        record = read_power(job.power_file)
        part = record.power_w / (it_w if job.full_w is None else job.full_w)
        if part.max() > _MAX_PART:
            raise FacilityError(
                "POWER_RECORD",
                "it.job.power_file",
                f"the maximum power in the file is {part.max():,.1f} times the IT load.",
                "Specify it.job.full_power, the power in the file at full IT load.",
            )
        self.interval_s = float(np.max(np.diff(record.time_s)))
        back_s = record.time_s[-1] + job.edge_s
        self.record = Profile(np.append(record.time_s, back_s), np.append(part, part[0]))
        self.period_s = self.record.period_s
        self.name = job.power_file.name

    def profile(self, part: Part, window_s: float) -> Profile:
        """Return the record, for any part."""
        return self.record

    def events(self, window_s: float) -> tuple[Events, ...]:
        """Return the record, repeated."""
        return (Events("step", 0, YEAR_S / self.period_s),)

    @property
    def title(self) -> str:
        """Description, as text."""
        return f"measured, {self.name}: {self.period_s:,.0f} s, repeated"


Shape = JobShape | MeasuredShape


def shape_of(job: Job, it_w: float, training: Training | None) -> Shape:
    """Return the shape of the IT load; `it_w` is the design load, `training` its year of jobs."""
    return JobShape(job, training) if job.power_file is None else MeasuredShape(job, it_w)
