"""Spectrum, averaging, dummy load and sags against Fourier, closed forms and hand calculations."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.model.load_motion import Job, Sags
from facility.physics.facility.load_motion import (
    averaging_energy,
    averaging_time,
    failure_interval,
    flicker_severity,
    storage_swing,
)
from facility.study.transient.load.averaging import smoothed, with_dummy_load
from facility.study.transient.load.profile import JobEvents, Profile, job_profile, step_profile
from facility.study.transient.load.sags import ride_sags
from facility.study.transient.load.shapes import JobShape
from facility.study.transient.load.spectrum import sample_count, spectrum_of

NODE = Job(
    compute=0.8,
    communication=0.4,
    idle=0.15,
    checkpoint=0.3,
    peak=1.0,
    peak_s=0.05,
    step_s=2.0,
    communication_share=0.25,
    edge_s=0.05,
    checkpoint_every_s=1800.0,
    checkpoint_s=10.0,
    failure_every_s=10_800.0,
    restart_s=600.0,
    start_s=1.0,
    power_file=None,
    full_w=None,
)
NERC = Sags(6, 82.0, 0.1, 3, 60.0, 10.0, counter_stated=True)


def square(low_w: float, high_w: float, each_s: float, edge_s: float = 1e-6) -> Profile:
    """Return a load at one level, then at another, for as long."""
    time_s = [0.0, each_s - edge_s, each_s, 2.0 * each_s - edge_s, 2.0 * each_s]
    return Profile(np.array(time_s), np.array([low_w, low_w, high_w, high_w, low_w]))


def test_a_square_wave_has_its_fourier_series() -> None:
    samples = np.where(np.arange(1 << 16) < 1 << 15, 3e6, 1e6)
    found = spectrum_of(samples, 2.0 / len(samples))
    assert found.mean_w == pytest.approx(2e6)
    assert found.frequency_hz[0] == pytest.approx(0.5)
    for n in range(1, 30):
        series = 4.0 * 1e6 / (math.pi * n) if n % 2 else 0.0
        assert found.amplitude_w[n - 1] == pytest.approx(series, rel=1e-5, abs=1e-3)
    # The fundamental of a square wave holds 8 / pi2 of its variation.
    assert found.in_band(0.4, 0.6) / found.variation == pytest.approx(8.0 / math.pi**2, rel=1e-8)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.0, 1e8), min_size=4, max_size=200), st.booleans())
def test_the_spectrum_holds_all_the_energy(values: list[float], repeats: bool) -> None:
    samples = np.array(values)
    found = spectrum_of(samples, 0.01, repeats)
    square_w2 = float(np.mean(samples**2))
    faded = np.ptp(samples[1:]) <= 1e-3 * max(samples.max(), 1.0)
    if repeats or not faded:
        assert found.total == pytest.approx(square_w2, rel=1e-9, abs=1e-6)


def test_a_sine_that_does_not_repeat_stays_in_its_place() -> None:
    time_s = np.arange(4096) * 0.01
    found = spectrum_of(5e6 + 1e6 * np.sin(2.0 * math.pi * 1.3 * time_s + 0.7), 0.01, False)
    assert found.variation == pytest.approx(0.5e12, rel=0.01)
    assert found.in_band(1.1, 1.5) / found.variation > 0.9999


def test_samples_see_up_to_a_hundred_hertz() -> None:
    for period_s in (0.1, 2.0, 17.0, 300.0):
        assert sample_count(period_s) / period_s >= 200.0


def test_a_step_held_to_a_ramp_needs_the_triangle() -> None:
    """10 MW held to 1 MW/s: 10 s, and half of 10 MW over them."""
    window_s = float(averaging_time.si(10e6, 1e6))
    found = smoothed(square(2e6, 12e6, 60.0), window_s, 1.0)
    assert window_s == 10.0
    assert averaging_energy.si(10e6, window_s) == 10e6**2 / (2.0 * 1e6) == 50e6
    assert found.used_j == pytest.approx(50e6, rel=1e-6)
    assert found.ramp == pytest.approx(1e6, rel=1e-9)
    assert found.power == pytest.approx(10e6, rel=1e-6)


def test_the_loss_of_a_step_is_that_of_its_energy() -> None:
    """Of 0.81 there and back each way has 0.9; what is lost is averaged with the load."""
    load_w = storage_swing.si(10e6, 0.81)
    assert load_w == pytest.approx(10e6 / 0.9)
    window_s = float(averaging_time.si(load_w, 1e6))
    found = smoothed(square(2e6, 12e6, 60.0), window_s, 0.81)
    out_j = found.used_j
    assert out_j <= averaging_energy.si(load_w, window_s)
    # In and out once a period: what goes in is lost by a tenth, and so is what goes out.
    in_w = found.grid.values - found.load.values
    in_j = float(np.trapezoid(np.maximum(in_w, 0.0), found.load.time_s))
    assert found.loss_j == pytest.approx(in_j * (1.0 - 0.81), rel=0.01)


@st.composite
def loads(draw: st.DrawFn) -> Profile:
    """Return a load that repeats."""
    steps = draw(st.lists(st.floats(0.01, 20.0), min_size=2, max_size=12))
    levels = draw(st.lists(st.floats(1.0, 1e7), min_size=len(steps), max_size=len(steps)))
    return Profile(np.array([0.0, *np.cumsum(steps)]), np.array([levels[-1], *levels]))


@settings(max_examples=150, deadline=None)
@given(loads(), st.floats(0.05, 200.0), st.floats(0.4, 1.0))
def test_whatever_the_load_the_storage_is_enough(
    load: Profile, window_s: float, efficiency: float
) -> None:
    found = smoothed(load, window_s, efficiency)
    swing_w = float(storage_swing.si(load.range, efficiency))
    slack = 1e-7 * (1.0 + load.values.max())
    assert found.ramp <= swing_w / window_s + slack / window_s
    assert found.used_j <= averaging_energy.si(swing_w, window_s) + slack * load.period_s
    assert found.power <= swing_w + slack
    # It returns to its state, and what the grid gives is the load and the loss.
    assert found.state_j[0] == pytest.approx(found.state_j[-1], abs=slack * load.period_s)
    given_j = found.grid.mean * load.period_s
    assert found.loss_j >= -slack * load.period_s
    short = len(found.load.time_s) - 1
    taken_j = found.total.mean * load.period_s
    assert taken_j == pytest.approx(load.mean * load.period_s + found.loss_j, rel=1e-9, abs=slack)
    # The mean over a window is curved between its points: their straight lines are near it.
    widest = float(np.max(np.diff(found.load.time_s)))
    assert given_j == pytest.approx(
        taken_j, abs=short * widest * swing_w * widest / window_s + slack
    )


@settings(max_examples=100, deadline=None)
@given(loads(), st.floats(1e3, 1e7))
def test_a_dummy_load_only_adds_and_holds_the_ramp(load: Profile, ramp: float) -> None:
    found = with_dummy_load(load, ramp)
    at_load = np.interp(found.time_s, load.time_s, load.values)
    assert np.all(found.values >= at_load - 1e-6)
    assert found.values.max() == pytest.approx(load.values.max())
    assert found.ramp <= ramp * (1.0 + 1e-6) + 1e-3


@pytest.mark.parametrize(
    ("each_s", "burnt_j"),
    [
        # A valley of 20 s and 4 MW at 1 MW/s: two triangles of 4 MW and 4 s.
        (20.0, 4e6**2 / 1e6),
        # One of 4 s: it is 16 MJ, of which a triangle of 4 s and 2 MW stays.
        (4.0, 4e6 * 4.0 - 1e6 * 4.0**2 / 4.0),
    ],
)
def test_a_valley_is_filled_as_by_hand(each_s: float, burnt_j: float) -> None:
    load = square(6e6, 10e6, each_s)
    found = with_dummy_load(load, 1e6)
    assert (found.mean - load.mean) * load.period_s == pytest.approx(burnt_j, rel=1e-5)


def test_steps_and_scenes_of_a_job() -> None:
    step = step_profile(NODE)
    assert step.period_s == pytest.approx(2.0)
    assert step.range == pytest.approx(0.6)
    assert step.ramp == pytest.approx(0.6 / 0.05)
    # 1.5 s less one edge each of compute and 0.5 s of communication, the peak on top.
    area = 0.4 * 0.45 + 0.5 * (0.4 + 1.0) * 0.05 + 1.0 * 0.05 + 0.5 * (1.0 + 0.8) * 0.05
    area += 0.8 * (1.5 - 0.15) + 0.5 * (0.8 + 0.4) * 0.05
    assert step.mean * 2.0 == pytest.approx(area)
    scene = job_profile(NODE, JobEvents(7, 100.0))
    assert scene.values.min() == 0.15
    assert scene.values[0] == scene.values[-1] == 0.15
    assert scene.period_s == pytest.approx(
        14.0 * 2.0 + 1.0 + 0.05 + 10.1 + 0.05 + 0.75 + 0.05 + 100.0
    )
    running = job_profile(NODE, JobEvents(7, 100.0, failure=False))
    assert running.values.min() == 0.3


def test_a_step_too_short_for_its_edges_is_refused() -> None:
    with pytest.raises(FacilityError) as refused:
        step_profile(replace(NODE, step_s=0.2, edge_s=0.05))
    assert refused.value.code == "JOB_TIMES"


def test_six_faults_in_82_s_fill_a_counter_of_three_in_a_minute() -> None:
    """Faults 16.4 s apart, as in the review of 2024-07-10: the third is the third in a minute."""
    found = ride_sags(NERC)
    assert found.locked_s == pytest.approx(32.8)
    assert [event.counted for event in found.events] == [1, 2, 3]
    assert found.transfers == 3
    assert found.battery_s == pytest.approx(2 * 10.1)


def test_a_counter_with_a_short_memory_lets_go() -> None:
    found = ride_sags(replace(NERC, events_within_s=30.0))
    assert found.locked_s is None
    assert found.transfers == len(found.events) == 6
    assert found.battery_s == pytest.approx(6 * 10.1)


def test_sags_while_on_battery_are_one_transfer() -> None:
    slow = replace(NERC, events=7, retransfer_s=30.0)
    found = ride_sags(slow)
    assert found.transfers == 1
    assert found.battery_s == pytest.approx(82.0 + 30.1)
    locked = ride_sags(replace(NERC, retransfer_s=30.0))
    assert locked.transfers == 1
    assert locked.battery_s == pytest.approx(32.8)


@pytest.mark.parametrize(
    ("a_minute", "percent", "within"),
    [(1, 2.724, 0.04), (2, 2.211, 0.04), (7, 1.459, 0.04), (39, 0.906, 0.04), (110, 0.725, 0.15)],
)
def test_flicker_is_one_where_the_flickermeter_reads_one(
    a_minute: int, percent: float, within: float
) -> None:
    """Rectangular changes at unit severity, 230 V and 50 Hz: IEC 61000-4-15 (recalled)."""
    found = flicker_severity.si(percent / 100.0, 10.0 * a_minute)
    assert found == pytest.approx(1.0, abs=within)


def test_a_large_run_fails_every_three_hours() -> None:
    assert failure_interval.si(16_384) == pytest.approx(3.09 * 3600.0, rel=2e-3)


def test_failures_rarer_than_one_a_year_are_not_none() -> None:
    """Llama 3 had 419 in 54 days on 16,384 GPUs: on one of 2 GPUs 0.346 a year."""
    every_s = 54.0 * 86400.0 / 419.0 * 16384.0 / 2.0
    rare = JobShape(replace(NODE, failure_every_s=every_s), None)
    (failing,) = [e for e in rare.events(60.0) if e.part == "failing"]
    assert failing.a_year == pytest.approx(0.346, abs=5e-4)
