"""A second calculation of a moving load: storage that averages, dummy load, sags, by brute force.

A mean over a time is a sum over 20,000 fine steps of a period; a dummy load the least that no fall
and no rise leaves; a counter of sags counts them one by one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from facility.model.load_motion import Job, Sags
from facility.study.transient.load.averaging import smoothed, with_dummy_load
from facility.study.transient.load.profile import JobEvents, Profile, job_profile, step_profile
from facility.study.transient.load.sags import ride_sags
from facility.study.transient.load.shapes import JobShape
from tests.results.second import differs

Array = NDArray[np.float64]
FINE = 20_000
JOB = Job(
    compute=0.9, communication=0.4, idle=0.15, checkpoint=0.3, peak=1.0, peak_s=0.05, step_s=2.0,
    communication_share=0.25, edge_s=0.04, checkpoint_every_s=1800.0, checkpoint_s=10.0,
    failure_every_s=10_800.0, restart_s=600.0, start_s=1.5, power_file=None, full_w=None,
)  # fmt: skip
LOADS = (
    ((0.0, 3.0, 5.0, 5.5, 9.0), (2e6, 2e6, 8e6, 3e6, 2e6)),
    ((0.0, 0.1, 4.0, 4.2, 20.0), (5e6, 9e6, 9e6, 1e6, 5e6)),
)


def _fine(profile: Profile) -> tuple[Array, Array, float]:
    time = (np.arange(FINE) + 0.5) * profile.period_s / FINE
    return time, np.interp(time, profile.time_s, profile.values), profile.period_s / FINE


def _mean_before(values: Array, step_s: float, window_s: float) -> Array:
    """Mean of a value that repeats over the last window, at the end of each fine step."""
    many = window_s / step_s
    whole, part = int(many), many - int(many)
    turns, rest = divmod(whole, len(values))
    three = np.concatenate([values, values, values])
    sums = np.concatenate([[0.0], np.cumsum(three)])
    end = np.arange(len(values)) + 2 * len(values) + 1
    found = sums[end] - sums[end - rest] + part * three[end - rest - 1]
    return np.asarray((found + turns * values.sum()) / many)


def storages() -> Iterator[str]:
    """The grid gives the mean over the window of load and loss; the storage what is left."""
    for times, powers in LOADS:
        load = Profile(np.array(times), np.array(powers))
        for window, efficiency in ((2.0, 1.0), (0.7, 0.81), (load.period_s * 1.3, 0.64)):
            found, at = smoothed(load, window, efficiency), f"{load.period_s:g} s, {window:g} s"
            time, drawn, step = _fine(load)
            grid = np.interp(time, found.grid.time_s, found.grid.values)
            out, way = drawn - grid, math.sqrt(efficiency)
            lost = np.where(out > 0.0, out * (1.0 / way - 1.0), -out * (1.0 - way))
            total = drawn + lost
            mean = _mean_before(total, step, window)
            here = np.interp((np.arange(FINE) + 1.0) * step, found.grid.time_s, found.grid.values)
            if (
                float(np.abs(mean - here).max())
                > 2e-3 * float(np.ptp(drawn)) + 4.0 * step / window * 8e6
            ):
                yield f"{at}: grid {float(np.abs(mean - here).max())!r} W from the mean"
            yield from differs(
                f"{at}: loss", found.loss_j + 1.0, float(lost.sum()) * step + 1.0, 0.01
            )
            state = np.cumsum(grid - total) * step
            used = float(state.max() - state.min())
            yield from differs(f"{at}: used", found.used_j, used, 0.01)
            yield from differs(f"{at}: power", found.power, float(np.abs(out).max()), 0.01)
            ramp = float(np.abs(np.diff(np.concatenate([here, here[:1]]))).max()) / step
            yield from differs(f"{at}: ramp", found.ramp, ramp, 0.03)


def dummies() -> Iterator[str]:
    """No more than the load less the ramp times the time from it: the highest of all times."""
    for times, powers in LOADS:
        load = Profile(np.array(times), np.array(powers))
        for ramp in (0.4e6, 3e6, 1e9):
            found = with_dummy_load(load, ramp)
            knots = np.concatenate([load.time_s + n * load.period_s for n in (-2, -1, 0, 1, 2)])
            values = np.tile(load.values, 5)
            for t, shown in zip(found.time_s[::17], found.values[::17], strict=True):
                now = float(np.interp(t % load.period_s, load.time_s, load.values))
                least = max(now, float((values - ramp * np.abs(knots - t)).max()))
                yield from differs(
                    f"dummy load at {t:g} s, {ramp:g} W/s", float(shown), least, 1e-6
                )


def counters() -> Iterator[str]:
    """Sags one by one: transfer unless still on battery; the counter holds those of its time."""
    for sags in (
        Sags(6, 82.0, 0.1, 3, 60.0, 10.0, counter_stated=True),
        Sags(5, 20.0, 0.1, 4, 60.0, 10.0, counter_stated=True),
        Sags(4, 300.0, 0.5, 3, 60.0, 20.0, counter_stated=True),
        Sags(9, 40.0, 1.0, 6, 12.0, 3.0, counter_stated=True),
        Sags(1, 10.0, 0.2, 3, 60.0, 10.0, counter_stated=True),
    ):
        gap = sags.within_s / (sags.count - 1) if sags.count > 1 else 0.0
        back, battery, locked, moves = -1.0, 0.0, None, 0
        for n in range(sags.count):
            now = n * gap
            counted = len(
                [m for m in range(n + 1) if now - m * gap <= sags.events_within_s * (1 + 1e-9)]
            )
            moves += now >= back
            if counted >= sags.events:
                locked = now
                battery += max(now - back, 0.0) * 0.0 if now >= back else 0.0
                battery = battery - max(back - now, 0.0)
                break
            until = now + sags.each_s + sags.retransfer_s
            battery += until - max(now, back) if now < back else until - now
            back = until
        ride = ride_sags(sags)
        if (ride.locked_s is None) != (locked is None) or (locked or 0.0) != (ride.locked_s or 0.0):
            yield f"{sags}: stays off at {ride.locked_s!r}, by hand {locked!r}"
        yield from differs(f"transfers of {sags}", ride.transfers, moves)
        yield from differs(f"battery of {sags}", ride.battery_s + 1.0, battery + 1.0, 1e-9)


def jobs() -> Iterator[str]:
    """A step, a scene, and a year of jobs, line after line."""
    step = step_profile(JOB)
    wait = JOB.communication_share * JOB.step_s - JOB.edge_s
    spans = [JOB.edge_s, JOB.peak_s, JOB.edge_s]
    spans.append(JOB.step_s - wait - JOB.edge_s - sum(spans))
    spans += [JOB.edge_s, wait]
    levels = [JOB.peak, JOB.peak, JOB.compute, JOB.compute, JOB.communication, JOB.communication]
    times = np.concatenate([[0.0], np.cumsum(spans)])
    for n, (t, level) in enumerate(zip(times[1:], levels, strict=True), 1):
        yield from differs(f"time {n} of a step", float(step.time_s[n]), float(t))
        yield from differs(f"level {n} of a step", float(step.values[n]), level)
    yield from differs("a step", step.period_s, JOB.step_s)
    scene = job_profile(JOB, JobEvents(4, 30.0))
    whole = JOB.start_s + JOB.edge_s + 8 * JOB.step_s + 2 * JOB.edge_s + JOB.checkpoint_s
    whole += 2 * JOB.edge_s + 0.5 * (1.0 - JOB.communication_share) * JOB.step_s + 30.0
    yield from differs("a scene", scene.period_s, whole)
    yield from differs("range of a scene", scene.range, JOB.peak - JOB.idle)
    year = 365.0 * 86400.0
    failures = year / JOB.failure_every_s
    runs = year - failures * JOB.restart_s
    checkpoints = runs / JOB.checkpoint_every_s
    steps = (runs - checkpoints * JOB.checkpoint_s) / JOB.step_s
    shape = JobShape(replace(JOB), None)
    for event, wanted in zip(shape.events(20.0), (steps, checkpoints, failures), strict=True):
        yield from differs(f"{event.part} in a year", event.a_year, wanted, 1e-3)


def differences() -> Iterator[str]:
    """Yield what the second calculation of a moving load does not find."""
    for one in (storages, dummies, counters, jobs):
        yield from (f"{one.__name__}: {words}" for words in one())
