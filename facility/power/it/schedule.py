"""A year of training jobs as the power of the IT: steps, checkpoints, failures, time between jobs.

What happens within a step of the year (an hour) counts by its part of it: the means are exact, the
minute it falls into is not seen. The last job of the year is shorter where the year ends before its
cycle does: the time that jobs hold the GPUs is the stated part of each year.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray

_GAP, _RESTART, _DOWN, _UP, _CHECKPOINT = range(5)
"""What a moment is, the first that holds; a step of training where none does."""


@dataclass(frozen=True)
class Schedule:
    """Training jobs one after the other. Powers are parts of the IT load of the design."""

    steps: float  # Mean power while steps run
    idle: float  # Power between jobs and while one restarts
    checkpoint: float  # Power while a checkpoint is written
    busy: float  # Part of the time in which a job holds the GPUs
    job_s: float  # How long each holds them
    ramp_s: float  # From idle to steps at a start, and back at the end of a job
    checkpoint_every_s: float
    checkpoint_s: float
    failure_every_s: float
    restart_s: float
    seed: int | None  # Of failures at random times; None spaces them evenly


@dataclass(frozen=True, eq=False)
class ScheduledYear:
    """What comes of a schedule."""

    values: FloatArray  # Mean power of each step of the year
    steps: float  # Part of the time in which steps of training run
    failures: int
    checkpoints: int


def scheduled_year(plan: Schedule, number: int, step_s: float) -> ScheduledYear:
    """Return the mean power of each step of a year.

    plan: The jobs; the first starts with the year.
    number: Steps of the year.
    step_s: How long each lasts.
    """
    end_s = number * step_s
    cycle_s = plan.job_s / plan.busy
    starts = np.arange(0.0, end_s, cycle_s)
    ends = starts + plan.job_s
    if plan.busy < 1.0:
        ends[-1] = starts[-1] + plan.busy * min(cycle_s, end_s - starts[-1])
    if plan.seed is None:
        at = np.arange(plan.failure_every_s, end_s, plan.failure_every_s)
    else:
        random = np.random.default_rng(plan.seed)
        at = np.sort(random.uniform(0.0, end_s, random.poisson(end_s / plan.failure_every_s)))
    failures = np.asarray(at[at < _of_its_job(ends, starts, at)])
    within = np.arange(plan.checkpoint_every_s, plan.job_s, plan.checkpoint_every_s)
    saved = np.add.outer(starts, within[within < end_s]).ravel()
    checkpoints = np.asarray(saved[saved < np.minimum(_of_its_job(ends, starts, saved), end_s)])
    ups = np.concatenate((starts, failures + plan.restart_s))
    layers: list[tuple[FloatArray, float]] = [
        (ends, cycle_s - plan.job_s),
        (failures, plan.restart_s),
        (np.maximum(ends - plan.ramp_s, starts), plan.ramp_s),
        (ups, plan.ramp_s),
        (checkpoints, plan.checkpoint_s),
    ]
    edges = [np.arange(number + 1) * step_s]
    edges += [at for begins, lasts in layers for at in (begins, begins + lasts)]
    times = np.unique(np.clip(np.concatenate(edges), 0.0, end_s))
    lasting, middle = np.diff(times), 0.5 * (times[1:] + times[:-1])
    holds = [_holds(begins, lasts, middle) for begins, lasts in layers]
    found: list[FloatArray | float] = [plan.idle] * len(layers)
    found[_CHECKPOINT] = plan.checkpoint
    if plan.ramp_s > 0.0:
        for layer, (first, last) in (
            (_DOWN, (plan.steps, plan.idle)),
            (_UP, (plan.idle, plan.steps)),
        ):
            since_s = np.minimum(middle - _last(layers[layer][0], middle), plan.ramp_s)
            part = since_s / plan.ramp_s
            found[layer] = first + (last - first) * part
    power = np.select(holds, found, plan.steps)
    step = np.minimum((middle / step_s).astype(np.int64), number - 1)
    values = np.bincount(step, power * lasting, number) / step_s
    in_steps = ~np.logical_or.reduce(holds)
    return ScheduledYear(
        values, float(lasting[in_steps].sum() / end_s), len(failures), len(checkpoints)
    )


def _of_its_job(ends: FloatArray, starts: FloatArray, at: FloatArray) -> FloatArray:
    """Return the end of the job that started last before each moment."""
    return np.asarray(ends[np.searchsorted(starts, at, side="right") - 1])


def _holds(begins: FloatArray, lasts: float, at: FloatArray) -> NDArray[np.bool_]:
    """Return which moments lie within one of the intervals."""
    if lasts <= 0.0 or not begins.size:
        return np.zeros(len(at), dtype=bool)
    return at < _last(begins, at) + lasts


def _last(begins: FloatArray, at: FloatArray) -> FloatArray:
    """Return the last beginning before each moment; long before all of them where there is none."""
    ordered = np.concatenate(((-np.inf,), np.sort(begins)))
    return np.asarray(ordered[np.searchsorted(ordered, at, side="right") - 1])
