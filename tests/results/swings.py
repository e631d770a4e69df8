"""Lines of a training job and the figures of its steps, worked once more in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from facility.core.errors import FacilityError
from facility.core.trace import Trace
from facility.model.load_motion import Job
from facility.study.figures import Figures
from facility.study.transient.load import figures
from facility.study.transient.load.averaging import Smoothed
from facility.study.transient.load.profile import (
    JobEvents,
    Profile,
    job_events,
    job_profile,
    step_profile,
)
from facility.study.transient.load.result import LoadState
from facility.study.transient.load.sags import SagEvent, SagRide
from facility.study.transient.load.spectrum import Spectrum
from tests.results.second import differs

_JOB = Job(
    compute=0.9, communication=0.4, idle=0.15, checkpoint=0.3, peak=1.0, peak_s=0.05, step_s=2.0,
    communication_share=0.25, edge_s=0.04, checkpoint_every_s=1800.0, checkpoint_s=10.0,
    failure_every_s=10_800.0, restart_s=600.0, start_s=1.5, power_file=None, full_w=None,
)  # fmt: skip
_JOBS = (
    _JOB,
    replace(_JOB, peak=0.8),
    replace(_JOB, peak_s=0.0),
    replace(_JOB, step_s=0.7, communication_share=0.4, edge_s=0.03, peak_s=0.1, start_s=4.0),
)


def _step_lines(job: Job) -> list[tuple[float, float]]:
    """Duration and end level of the lines of a step: up, peak, compute, down, communicate."""
    computes_s = job.step_s * (1.0 - job.communication_share)
    if job.peak > job.compute and job.peak_s > 0.0:
        rise_s = [(job.edge_s, job.peak), (job.peak_s, job.peak), (job.edge_s, job.compute)]
    else:
        rise_s = [(job.edge_s, job.compute)]
    rest_s = computes_s - math.fsum(time for time, _ in rise_s)
    wait_s = job.step_s * job.communication_share - job.edge_s
    down = [(job.edge_s, job.communication), (wait_s, job.communication)]
    return [*rise_s, (rest_s, job.compute), *down]


def _same_lines(at: str, found: Profile, lines: list[tuple[float, float]]) -> Iterator[str]:
    if len(found.time_s) != len(lines) + 1:
        yield f"{at}: {len(found.time_s) - 1} lines, by hand {len(lines)}"
        return
    yield from differs(f"{at}: level at 0", float(found.values[0]), lines[-1][1])
    passed_s, area, steepest, before = 0.0, 0.0, 0.0, lines[-1][1]
    for n, (time, level) in enumerate(lines, 1):
        passed_s += time
        area += time * (before + level) / 2.0
        steepest = max(steepest, abs(level - before) / time)
        before = level
        yield from differs(f"{at}: time {n}", float(found.time_s[n]), passed_s)
        yield from differs(f"{at}: level {n}", float(found.values[n]), level)
    levels = [level for _, level in lines]
    yield from differs(f"{at}: period", found.period_s, passed_s)
    yield from differs(f"{at}: mean", found.mean, area / passed_s)
    yield from differs(f"{at}: range", found.range, max(levels) - min(levels))
    yield from differs(f"{at}: ramp", found.ramp, steepest)


def lines_of_jobs() -> Iterator[str]:
    """Steps, checkpoints, starts and failures of jobs, line after line."""
    for number, job in enumerate(_JOBS):
        step, edge_s = _step_lines(job), job.edge_s
        yield from _same_lines(f"step of job {number}", step_profile(job), step)
        for checkpoint in (False, True):
            for failure in (False, True):
                lines = [(job.start_s, job.compute), (edge_s, job.communication)] * failure
                lines += step * 3
                if checkpoint:
                    lines += [(edge_s, job.checkpoint), (job.checkpoint_s, job.checkpoint)]
                    lines += [(edge_s, job.communication), *(step * 3)]
                if failure:
                    half_s = job.step_s * (1.0 - job.communication_share) / 2.0
                    lines += [(edge_s, job.compute), (half_s, job.compute)]
                    lines += [(edge_s, job.idle), (25.0, job.idle)]
                found = job_profile(job, JobEvents(3, 25.0, checkpoint, failure))
                at = f"job {number}, checkpoint {checkpoint}, failure {failure}"
                yield from _same_lines(at, found, lines)
    load = Profile(np.array([0.0, 1.0, 4.0]), np.array([2.0, 8.0, 2.0]))
    if load.samples(4).tolist() != [2.0, 8.0, 6.0, 4.0]:
        yield f"samples of a triangle: {load.samples(4)}"
    for short in (replace(_JOB, step_s=0.17), replace(_JOB, communication_share=0.01)):
        try:
            step_profile(short)
        except FacilityError:
            continue
        yield f"a job without time for its edges: {short}"


def lengths_of_runs() -> Iterator[str]:
    """Five steps more than the window, at most a thousand and the interval of checkpoints."""
    cases = (  # Window, interval of checkpoints, restart; steps and downtime by hand
        (0.0, 1800.0, 600.0, 5, 10.0),
        (7.0, 1800.0, 600.0, 9, 17.5),
        (100.0, 1800.0, 600.0, 55, 250.0),
        (100.0, 60.0, 600.0, 30, 250.0),
        (100.0, 6.0, 600.0, 5, 250.0),
        (5000.0, 1e6, 600.0, 1000, 600.0),
        (100.0, 1800.0, 90.0, 55, 90.0),
    )
    for window_s, every_s, restart_s, steps, idle_s in cases:
        job = replace(_JOB, checkpoint_every_s=every_s, restart_s=restart_s)
        found = job_events(job, window_s)
        if (found.steps, found.idle_s) != (steps, idle_s):
            yield f"window of {window_s} s: {found}, by hand {steps}, {idle_s}"


def _recorded(values: dict[str, tuple[float, str]]) -> Figures:
    found = Figures(Trace())
    for key, (value, kind) in values.items():
        found.trace.derive(key, value, kind, "given")
    return found


def _shown(found: Figures, wanted: dict[str, float]) -> Iterator[str]:
    for key, value in wanted.items():
        yield from differs(key, float(found.results[key].si), value)


def _state(energy: list[float], mean_w: float, ramp: float, range_w: float) -> LoadState:
    lines = Spectrum(np.array([0.5, 1.0, 2.0, 4.0]), np.array(energy), mean_w)
    flat = Profile(np.array([0.0, 1.0]), np.array([mean_w, mean_w]))
    return LoadState(flat, ramp, range_w, lines)


def _load(step: Profile, fault_level_va: float | None = None, **more: Any) -> figures.AtUtility:
    site = SimpleNamespace(tariff=None, fault_level_va=fault_level_va)
    motion = SimpleNamespace(job=SimpleNamespace(step_s=2.0))
    design: Any = SimpleNamespace(facility=SimpleNamespace(site=site, motion=motion))
    shape: Any = SimpleNamespace(**{"measured": False, "period_s": 2.0, "interval_s": 0.0, **more})
    return figures.AtUtility(design, shape, {("step", 0.0): step})


def figures_of_steps() -> Iterator[str]:
    """Points, band, flicker, generators: by a few lines and round numbers."""
    before = _state([3e6, 9e6, 16e6, 2e6], 1e4, 4e3, 7e3)
    after = _state([1e6, 4e6, 2e6, 1e6], 1e4, 50.0, 1e3)
    load = Profile(np.array([0.0, 1.0, 1.5, 4.0]), np.array([2e6, 2e6, 5e6, 2e6]))
    state = SimpleNamespace(used_j=4.5e6)
    points = [SimpleNamespace(id=id, title=id, profile=load) for id in ("ups", "utility")]
    found = _recorded({})
    given: Any = (points, before, after, state)
    figures.point_figures(*given, found)
    yield from _shown(
        found,
        {
            "swing.ups": 3e6, "swing.ups.ramp": 6e6, "swing.utility.ramp": 6e6,
            "swing.running": 7e3, "swing.after.running": 1e3, "swing.after.ramp": 50.0,
            "swing.storage.used": 4.5e6,
        },
    )  # fmt: skip
    if "swing.utility" in found.results:
        yield "swing of the utility stands twice"
    motion: Any = SimpleNamespace(limits=SimpleNamespace(band_from_hz=1.0, band_to_hz=2.0))
    found = _recorded({})
    figures.band_figures(motion, before, after, found)
    yield from _shown(
        found,
        {
            "swing.band": 25e6 / 130e6, "swing.band.after": 6e6 / 108e6, "swing.band.rms": 5e3,
            "swing.frequency": 2.0, "swing.amplitude": math.sqrt(32e6),
        },
    )  # fmt: skip
    found = _recorded({})
    figures.flicker_figures(_load(load, 600e6), found)
    severity = (600.0 * 2.3 * 0.5**3.2 / 600.0) ** (1.0 / 3.2)  # 300 steps of two changes
    yield from _shown(
        found, {"swing.step": 3e6, "swing.voltage_change": 0.005, "swing.flicker": severity}
    )
    for one, left in ((_load(load), 1), (_load(load, 600e6, measured=True), 2)):
        found = _recorded({})
        figures.flicker_figures(one, found)
        if len(found.results) != left:
            yield f"flicker of a record or an unknown grid: {sorted(found.results)}"
    plant: Any = SimpleNamespace(
        generators=SimpleNamespace(count=6, sections=2),
        chain=SimpleNamespace(generator=SimpleNamespace(section_parts=(0.6, 0.4))),
    )
    design: Any = SimpleNamespace(chain=plant)
    found = _recorded(
        {
            "swing.generator": (3e6, "active_power"), "generator.running_sets": (3.0, "count"),
            "generator.rating": (2e6, "active_power"), "generator.derate": (0.9, "ratio"),
        }
    )  # fmt: skip
    figures.generator_figures(design, found)
    yield from _shown(found, {"swing.generator.part": 1.8e6 / 5.4e6})


def spectra_seen() -> Iterator[str]:
    """Up to 100 Hz or half the samples; of a record no more than half its own rate."""
    load = Profile(np.array([0.0, 2.0]), np.array([1.0, 1.0]))
    cases = (  # Period, interval of a record; samples and frequency by hand
        (2.0, 0.0, 512, 100.0), (2.1, 0.0, 1024, 100.0), (10.0, 0.02, 4096, 25.0),
        (0.5, 0.0, 512, 100.0), (4000.0, 0.0, 131072, 16.384), (4000.0, 0.001, 131072, 16.384),
    )  # fmt: skip
    for period_s, interval_s, samples, hz in cases:
        one = _load(load, period_s=period_s, interval_s=interval_s, measured=interval_s > 0.0)
        if one.samples != samples:
            yield f"{period_s} s: {one.samples} samples, by hand {samples}"
        yield from differs(f"{period_s} s, {interval_s} s: seen", one.sees_hz, hz)
    times = np.arange(513) / 256.0
    one = _load(Profile(times, 5e6 + 2e6 * np.sin(2.0 * math.pi * 1.5 * times)))
    one._loads["scene", 3.0], one._loads["running", 3.0] = load.mapped(np.array([3.0, 7.0])), load
    found = one.before(3.0)
    strongest = int(found.spectrum.energy.argmax())
    for name, shown, wanted in (
        ("frequency", float(found.spectrum.frequency_hz[strongest]), 1.5),
        ("amplitude", float(found.spectrum.amplitude_w[strongest]), 2e6),
        ("mean", found.spectrum.mean_w, 5e6),
        ("ramp", found.ramp_w_s, 2.0),
        ("range", found.range_w, 0.0),
    ):
        yield from differs(f"{name} of a sine", shown, wanted)


def losses_of_the_year() -> Iterator[str]:
    """Steps, checkpoints and failures, each without the steps that stand in it."""
    ramp = 1e6
    step = Profile(np.array([0.0, 1.0, 2.0]), np.array([4e6, 8e6, 4e6]))
    long = Profile(np.array([0.0, 8.0, 9.0, 12.0]), np.array([6e6, 6e6, 2e6, 6e6]))
    # The dummy load fills up to the highest of the cones of 1 MW/s below every corner.
    times = np.arange(24_000) * 0.5e-3
    burnt: list[float] = []
    for load in (step, long):
        knots = [(k * load.period_s + t, v) for k in (-1, 0, 1, 2) for t, v in zip(
            load.time_s[:-1], load.values[:-1], strict=True)]  # fmt: skip
        at = times[times < load.period_s]
        now = np.interp(at, load.time_s, load.values)
        least = np.max([v - ramp * np.abs(at - t) for t, v in knots], axis=0)
        burnt.append(float(np.maximum(now, least).mean() - now.mean()) * load.period_s)
    at_hand = [(10.0, burnt[0]), (90.0, burnt[1]), (70.0, burnt[1])]  # Loss and burn of a part
    counts = [(100_000.0, 0), (500.0, 4), (30.0, 2)]
    names = ("step", "running", "failing")
    parts = zip(names, counts, strict=True)
    events = [SimpleNamespace(part=p, a_year=a, steps=n) for p, (a, n) in parts]
    one = _load(step, events=lambda window_s: events)
    for name, (lost_j, _), load in zip(names, at_hand, (step, long, long), strict=True):
        total = load.mapped(load.values + lost_j / load.period_s)
        one._smoothed[name, 3.0] = Smoothed(load, total, load, 3.0, 0.9)  # type: ignore[index]
    found = _recorded({"swing.storage.ramp": (ramp, "power_ramp")})
    site: Any = one.design.facility.site
    price = SimpleNamespace(id="site.tariff.energy")
    site.tariff, site.currency, site.energy_price_per_j = (
        SimpleNamespace(energy=[price]),
        "USD",
        3.0,
    )
    figures.annual_figures(one, 3.0, found)
    for key, n in (("swing.storage.loss", 0), ("swing.burn", 1)):
        own = [part[n] for part in at_hand]
        year = sum(a * (j - k * own[0] * (p != "step")) for p, (a, k), j in zip(
            names, counts, own, strict=True))  # fmt: skip
        for end, factor in (("", 1.0), (".cost", 3.0)):
            yield from differs(key, float(found.results[key + end].si), year * factor, 1e-3)


def batteries_of_sags() -> Iterator[str]:
    """Transfers, lock-out, the start of the generators, and what is left of the autonomy."""
    events = tuple(SagEvent(float(n), n != 1, n) for n in range(4))
    for locked_s, sets, used_s, left_s in (
        (None, 2, 40.0, 260.0), (9.0, 2, 52.0, 248.0), (9.0, 0, 40.0, 260.0),
    ):  # fmt: skip
        operation = SimpleNamespace(start_s=12.0)
        design: Any = SimpleNamespace(
            point=SimpleNamespace(flow=SimpleNamespace(ups=SimpleNamespace(input_w=5e5))),
            chain=SimpleNamespace(
                generators=SimpleNamespace(count=sets),
                chain=SimpleNamespace(generator=SimpleNamespace(operation=operation)),
            ),
            results={figures.AUTONOMY: SimpleNamespace(si=300.0)},
        )
        found = _recorded({})
        figures.sag_figures(design, SagRide(events, locked_s, 40.0), found)
        wanted = {
            "sag.transfers": 3.0, "sag.battery_used": used_s, "sag.battery_left": left_s,
        }  # fmt: skip
        if locked_s is not None:
            wanted |= {"sag.stays_off.time": locked_s, "sag.load_off": 5e5}
        yield from _shown(found, wanted)
        if found.results["sag.stays_off"].si is not (locked_s is not None):
            yield f"locked out at {locked_s}: {found.results['sag.stays_off']}"
