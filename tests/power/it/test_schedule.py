"""A year of training jobs: against seconds counted one by one, published runs, and by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.power.it.schedule import Schedule, scheduled_year

HOUR, DAY = 3600.0, 86400.0
LLAMA_S, LLAMA_INTERRUPTIONS = 54 * DAY, 466  # 16,384 GPUs, 47 planned and 419 unexpected
PLAN = Schedule(
    steps=0.75,
    idle=0.15,
    checkpoint=0.4,
    busy=1.0,
    job_s=1e9,
    ramp_s=0.0,
    checkpoint_every_s=1800.0,
    checkpoint_s=30.0,
    failure_every_s=3 * HOUR,
    restart_s=600.0,
    seed=None,
)
NEVER = {"checkpoint_every_s": 1e9, "failure_every_s": 1e9}


def by_seconds(plan: Schedule, hours: int) -> np.ndarray:
    """Return the mean power of each hour, every second looked at by itself."""
    cycle = plan.job_s / plan.busy
    found = np.empty(hours * 3600)
    end = float(len(found))
    for second in range(len(found)):
        now = second + 0.5
        job = now % cycle
        job_s = plan.busy * min(cycle, end - (now - job)) if plan.busy < 1.0 else plan.job_s
        failed = now - np.floor(now / plan.failure_every_s) * plan.failure_every_s
        has_failed = now >= plan.failure_every_s and (now - failed) % cycle < job_s
        since_up = job
        if has_failed and failed - plan.restart_s >= 0.0:
            since_up = min(since_up, failed - plan.restart_s)
        written = job % plan.checkpoint_every_s
        if job >= job_s or (has_failed and failed < plan.restart_s):
            power = plan.idle
        elif job >= job_s - plan.ramp_s:
            power = plan.idle + (plan.steps - plan.idle) * (job_s - job) / plan.ramp_s
        elif since_up < plan.ramp_s:
            power = plan.idle + (plan.steps - plan.idle) * since_up / plan.ramp_s
        elif job >= plan.checkpoint_every_s and written < plan.checkpoint_s:
            power = plan.checkpoint
        else:
            power = plan.steps
        found[second] = power
    return found.reshape(hours, 3600).mean(axis=1)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"ramp_s": 900.0},
        {"busy": 0.8, "job_s": 10 * HOUR, "ramp_s": 1800.0},
        {"checkpoint_every_s": 300.0, "failure_every_s": 2.5 * HOUR, "restart_s": 1234.0},
    ],
)
def test_means_of_the_hours_are_those_of_their_seconds(changes: dict[str, float]) -> None:
    plan = replace(PLAN, **changes)  # type: ignore[arg-type]
    year = scheduled_year(plan, 48, HOUR)
    assert year.values == pytest.approx(by_seconds(plan, 48), abs=2e-4)


def test_a_ramp_by_hand() -> None:
    """Two hours from 0.15 to 0.75: a quarter of the way on the mean of the first, then three."""
    year = scheduled_year(replace(PLAN, ramp_s=2 * HOUR, **NEVER), 5, HOUR)
    assert year.values == pytest.approx([0.3, 0.6, 0.75, 0.75, 0.75], rel=1e-12)
    assert year.steps == pytest.approx(3.0 / 5.0, rel=1e-12)


def test_share_of_the_jobs_by_hand() -> None:
    """Six hours of a job in every eight."""
    year = scheduled_year(replace(PLAN, busy=0.75, job_s=6 * HOUR, **NEVER), 16, HOUR)
    assert year.values == pytest.approx([*[0.75] * 6, 0.15, 0.15] * 2, rel=1e-12)
    assert year.steps == pytest.approx(0.75, rel=1e-12)


@pytest.mark.parametrize("busy", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("job_s", [300 * DAY, 7 * DAY, 1000 * DAY])
def test_jobs_hold_the_stated_part_of_the_year_however_long_they_are(
    busy: float, job_s: float
) -> None:
    year = scheduled_year(replace(PLAN, busy=busy, job_s=job_s, **NEVER), 8760, HOUR)
    assert year.steps == pytest.approx(busy, rel=1e-12)
    by_hand = busy * PLAN.steps + (1.0 - busy) * PLAN.idle
    assert year.values.mean() == pytest.approx(by_hand, rel=1e-12)


def test_interruptions_of_the_published_run() -> None:
    """466 in 54 days; more than 90 % of the time was effective: 16.7 min may go with each."""
    every_s = LLAMA_S / LLAMA_INTERRUPTIONS
    assert every_s / HOUR == pytest.approx(2.78, abs=0.01)
    may_go_s = 0.1 * every_s
    assert may_go_s / 60.0 == pytest.approx(16.7, abs=0.05)
    plan = replace(PLAN, failure_every_s=every_s, restart_s=may_go_s, checkpoint_every_s=1e9)
    year = scheduled_year(plan, 54 * 24, HOUR)
    assert year.failures in (LLAMA_INTERRUPTIONS - 1, LLAMA_INTERRUPTIONS)
    assert year.steps == pytest.approx(0.9, abs=3e-4)
    assert year.values.mean() == pytest.approx(0.9 * plan.steps + 0.1 * plan.idle, abs=3e-4)


def test_random_failures_are_as_many_and_the_same_again() -> None:
    """A Poisson count stays within four roots of its mean."""
    plan = replace(PLAN, failure_every_s=LLAMA_S / LLAMA_INTERRUPTIONS, seed=7)
    once, again = (scheduled_year(plan, 54 * 24, HOUR) for _ in range(2))
    assert once.values == pytest.approx(again.values, abs=0.0)
    assert abs(once.failures - LLAMA_INTERRUPTIONS) < 4.0 * LLAMA_INTERRUPTIONS**0.5
    other = scheduled_year(replace(plan, seed=8), 54 * 24, HOUR)
    assert np.any(other.values != once.values)
    apart = scheduled_year(replace(plan, seed=None), 54 * 24, HOUR)
    assert once.values.mean() == pytest.approx(apart.values.mean(), rel=0.02)


@given(
    st.floats(0.2, 1.0),
    st.floats(1.0, 400.0),
    st.floats(0.0, 1800.0),
    st.floats(300.0, 1e5),
    st.floats(3700.0, 1e6),
    st.none() | st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_quarters_of_an_hour_are_the_hours_and_power_stays_between_its_bounds(
    busy: float, job_h: float, ramp_s: float, every_s: float, fail_s: float, seed: int | None
) -> None:
    plan = replace(
        PLAN,
        busy=busy,
        job_s=job_h * HOUR,
        ramp_s=ramp_s,
        checkpoint_every_s=every_s,
        failure_every_s=fail_s,
        seed=seed,
    )
    hours, quarters = scheduled_year(plan, 720, HOUR), scheduled_year(plan, 2880, 900.0)
    assert hours.values == pytest.approx(quarters.values.reshape(-1, 4).mean(axis=1), abs=1e-9)
    assert hours.steps == pytest.approx(quarters.steps, abs=1e-9)
    assert np.all(hours.values >= plan.idle - 1e-12)
    assert np.all(hours.values <= plan.steps + 1e-12)
    assert 0.0 <= hours.steps <= busy + 1e-9
    at_least = hours.steps * plan.steps + (1.0 - hours.steps) * plan.idle
    assert hours.values.mean() >= at_least - 1e-9


def test_a_busier_schedule_never_draws_less() -> None:
    means = [
        scheduled_year(replace(PLAN, busy=busy, job_s=20 * HOUR), 8760, HOUR).values.mean()
        for busy in (0.3, 0.6, 0.9, 1.0)
    ]
    assert means == sorted(means)
