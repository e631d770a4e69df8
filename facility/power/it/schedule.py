"""Annual IT power of training jobs: steps, checkpoints, failures, time between jobs.

Events within a time step (an hour) count by their fraction of it: means are exact, the exact minute
is not resolved. The last job is shorter if the year ends before its cycle does: jobs occupy the
GPUs for the stated fraction of every year.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from facility.core.kinds import FloatArray

_GAP, _RESTART, _DOWN, _UP, _CHECKPOINT = range(5)
"""State of a moment, the first that applies; otherwise a training step."""


@dataclass(frozen=True)
class Schedule:
    """Sequence of training jobs. Powers are fractions of the design IT load."""

    steps: float  # Mean power during training steps
    idle: float  # Power between jobs and during a restart
    checkpoint: float  # Power during a checkpoint
    busy: float  # Fraction of the time in which a job occupies the GPUs
    job_s: float  # Duration of a job
    ramp_s: float  # Ramp from idle at the start, and to idle at the end of a job
    checkpoint_every_s: float
    checkpoint_s: float
    failure_every_s: float
    restart_s: float
    seed: int | None  # Of random failures; None spaces them evenly


@dataclass(frozen=True, eq=False)
class ScheduledYear:
    """Annual power of a schedule."""

    values: FloatArray  # Mean power of each time step
    steps: float  # Fraction of the time with training steps
    failures: int
    checkpoints: int


def scheduled_year(plan: Schedule, number: int, step_s: float) -> ScheduledYear:
    """Return the mean power of each time step of a year.

    plan: Jobs; the first starts with the year.
    number: Time steps of the year.
    step_s: Duration of a time step.
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
    """Return the end of the most recent job at each moment."""
    return np.asarray(ends[np.searchsorted(starts, at, side="right") - 1])


def _holds(begins: FloatArray, lasts: float, at: FloatArray) -> NDArray[np.bool_]:
    """Return which moments are inside one of the intervals."""
    if lasts <= 0.0 or not begins.size:
        return np.zeros(len(at), dtype=bool)
    return at < _last(begins, at) + lasts


def _last(begins: FloatArray, at: FloatArray) -> FloatArray:
    """Return the last start before each moment; a very early value if there is none."""
    ordered = np.concatenate(((-np.inf,), np.sort(begins)))
    return np.asarray(ordered[np.searchsorted(ordered, at, side="right") - 1])
