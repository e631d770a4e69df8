"""The training job of a design: what the places see, limits before and after, storage, sags."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import facility
from facility.core.check import Check, Outcome
from facility.core.errors import FacilityError
from facility.core.trace import explain
from facility.files.project.file import apply_sets, load_project
from facility.power.backup.steps import iso_class
from facility.report.tables.load_motion import curve_rows, ladder_of
from facility.study.design.design import Design
from facility.study.resolve.load_motion import resolve_load_motion
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.load.study import load_motion
from tests.study.helpers import SHORTEST, design_of, reference, si

LIMITS = ("site.grid.ramp_limit=2 kW/s", "site.grid.range_limit=5 kW", "site.grid.band_limit=0.1 %")


def moved(found: Design, *sets: str) -> Design:
    """Return a design whose job, limits, storage and sags are others; nothing is sized anew."""
    trace = found.trace.draft()
    motion = resolve_load_motion(apply_sets(found.project, sets), found.it, trace)
    return replace(found, facility=replace(found.facility, motion=motion), trace=trace)


@cache
def study_of(*sets: str) -> LoadStudy:
    return load_motion(moved(design_of(SHORTEST), *sets))


def check(study: LoadStudy, rule: str) -> Check:
    (found,) = (check for check in study.checks if check.rule == rule)
    return found


def test_a_design_without_limits_has_numbers_and_no_verdict() -> None:
    study = study_of()
    assert si(study, "swing.storage.nominal") > 0.0
    for rule in ("SWING-RAMP", "SWING-RANGE", "SWING-BAND"):
        for id in (rule, f"{rule}-STORAGE"):
            assert check(study, id).outcome is Outcome.NOT_EVALUATED
            assert "no utility limit is specified" in check(study, id).why
    assert check(study, "SWING-STORAGE-ENERGY").outcome is Outcome.NOT_EVALUATED


def test_published_figures_are_the_defaults() -> None:
    """8.4 of 10.2 kW of a node in training; trays of 900-5,640 and 1,000-6,667 W, 18 in a rack."""
    job = study_of().motion.job
    assert job.compute == pytest.approx(8.4 / 10.2)
    assert job.idle == pytest.approx(0.15, abs=1e-4)
    assert job.idle == pytest.approx(900.0 / 5640.0, abs=0.01)
    older_kw, newer_kw = 18 * 5.640, 18 * 6.667
    assert (older_kw, newer_kw) == pytest.approx((101.5, 120.0), abs=0.05)
    assert 1.0 / job.step_s == pytest.approx(0.5)
    run = load_motion(reference("h100-10k"))
    assert run.motion.job.failure_every_s == pytest.approx(3.094 * 3600 * 16_384 / 10_000, rel=0.02)


def test_the_swing_grows_on_its_way_to_the_utility() -> None:
    design, study = design_of(SHORTEST), study_of()
    it_w = design.it.it_w
    by_id = {place.id: place.profile for place in study.points}
    assert by_id["it"].range == pytest.approx((1.0 - 1000.0 / 6667.0) * it_w)
    ranges = [by_id[id].range for id in ("rack", "it", "ups", "generator", "utility")]
    assert ranges == sorted(ranges)
    # At all of the IT load the utility sees the design hour.
    assert by_id["utility"].values.max() == pytest.approx(design.point.facility_w, rel=1e-9)
    assert si(study, "swing.utility") == pytest.approx(by_id["utility"].range)


def test_the_storage_is_the_triangle_of_swing_and_ramp() -> None:
    study = study_of("power.smoothing.ramp=0.5 kW/s", "power.smoothing.efficiency=0.81")
    swing_w = si(study, "swing.utility") / 0.9
    assert si(study, "swing.storage.power") == pytest.approx(swing_w)
    assert si(study, "swing.storage.window") == pytest.approx(swing_w / 500.0)
    assert si(study, "swing.storage.energy") == pytest.approx(swing_w**2 / (2.0 * 500.0))
    assert si(study, "swing.storage.nominal") == pytest.approx(swing_w**2 / 1000.0 / 0.8)
    used_j, sized_j = si(study, "swing.storage.used"), si(study, "swing.storage.energy")
    assert 0.5 * sized_j < used_j <= sized_j
    assert study.after.ramp_w_s <= 500.0
    text = "\n".join(explain(study.trace, "swing.storage.nominal"))
    assert "swing.storage.power" in text
    assert "0.0005 MW/s" in text


def test_limits_are_judged_before_and_after_the_storage() -> None:
    study = study_of(*LIMITS)
    for rule in ("SWING-RAMP", "SWING-RANGE", "SWING-BAND"):
        assert check(study, rule).outcome is Outcome.FAIL
        assert check(study, f"{rule}-STORAGE").outcome is Outcome.PASS
    assert si(study, "swing.after.ramp") <= 2000.0
    assert si(study, "swing.after.running") <= 5000.0


def test_limits_that_hold_pass_without_a_storage() -> None:
    study = study_of(
        "site.grid.ramp_limit=10 MW/s", "site.grid.range_limit=1 MW", "site.grid.band_limit=50 %"
    )
    for rule in ("SWING-RAMP", "SWING-RANGE", "SWING-BAND"):
        assert check(study, rule).outcome is Outcome.PASS


def test_whole_steps_leave_no_line_of_the_spectrum() -> None:
    study = study_of("site.grid.band_limit=0.0001 %", "power.smoothing.ramp=100 kW/s")
    window_s = si(study, "swing.storage.window")
    assert window_s / 2.0 == pytest.approx(round(window_s / 2.0))
    assert study.after.share(0.1, 20.0) < 1e-6


def test_a_storage_as_needed_holds_as_built() -> None:
    needed = study_of(*LIMITS)
    energy, power = si(needed, "swing.storage.nominal"), si(needed, "swing.storage.power")
    built = study_of(
        *LIMITS,
        f"power.smoothing.energy={energy / 3.6e6 * 1.001} kWh",
        f"power.smoothing.power={power / 1e3 * 1.001} kW",
    )
    for rule in ("SWING-STORAGE-ENERGY", "SWING-STORAGE-POWER", "SWING-RAMP-STORAGE"):
        assert check(built, rule).outcome is Outcome.PASS


def test_a_storage_as_built_is_judged() -> None:
    small = study_of(*LIMITS, "power.smoothing.energy=0.001 kWh")
    rules = ("SWING-STORAGE-ENERGY", "SWING-RAMP-STORAGE", "SWING-RANGE-STORAGE")
    for rule in (*rules, "SWING-BAND-STORAGE"):
        assert check(small, rule).outcome is Outcome.FAIL
    weak = study_of(*LIMITS, "power.smoothing.power=1 kW")
    assert check(weak, "SWING-STORAGE-POWER").outcome is Outcome.FAIL
    assert check(weak, "SWING-RAMP-STORAGE").outcome is Outcome.NOT_EVALUATED


def test_where_a_tariff_has_several_prices_their_mean_over_the_hours_is_taken() -> None:
    """Hours 0 to 12 at 0.04, 12 to 24 at 0.10; an even load, so the mean of both."""
    tariff = (
        "site.tariff=",
        "site.tariff.energy.0.price=0.04 USD/kWh",
        "site.tariff.energy.0.hours=0-12",
        "site.tariff.energy.1.price=0.10 USD/kWh",
        "site.tariff.energy.1.hours=12-24",
    )
    study = load_motion(design_of(SHORTEST, *tariff))
    assert si(study, "swing.price") == pytest.approx(0.07 / 3.6e6)
    for key in ("swing.burn", "swing.storage.loss"):
        assert si(study, f"{key}.cost") == pytest.approx(si(study, key) * 0.07 / 3.6e6)


def test_a_dummy_load_costs_what_it_burns() -> None:
    study = study_of()
    price = si(study, "swing.burn.cost") / si(study, "swing.burn")
    assert price == pytest.approx(0.05 / 3.6e6)
    assert "swing.price" not in study.results
    # At 10 % a minute a valley of less than a second is filled to the top of the peaks.
    step = study.utility.profile
    burnt_w = si(study, "swing.burn") / (8760.0 * 3600.0)
    assert 0.5 * (step.values.max() - study.before.spectrum.mean_w) < burnt_w
    assert burnt_w < step.values.max() - step.values.min()


@pytest.mark.parametrize("busy", [0.1, 0.5])
def test_nothing_is_burnt_or_lost_between_jobs(busy: float) -> None:
    """A year of jobs that hold the GPUs in a part of it: that part of what a whole year takes."""
    training = ("it.load_profile.kind=training", "it.load_profile.job_time=300 d")
    whole = load_motion(design_of(SHORTEST, *training))
    part = load_motion(design_of(SHORTEST, *training, f"it.load_profile.busy={busy}"))
    flat = study_of()
    for key in ("swing.burn", "swing.storage.loss"):
        assert si(part, key) == pytest.approx(busy * si(whole, key), rel=2e-3)
        assert si(whole, key) == pytest.approx(si(flat, key), rel=2e-3)


def test_the_storage_table_follows_the_square_of_the_swing() -> None:
    study = study_of()
    for row in ladder_of(study):
        assert row.energy_j == pytest.approx(row.power_w**2 / (2.0 * row.ramp_w_s))


def test_flicker_is_judged_against_its_limit() -> None:
    level = ("site.fault_level=50 MVA",)
    assert check(study_of(*level), "SWING-FLICKER").outcome is Outcome.NOT_EVALUATED
    found = design_of(SHORTEST, *level)
    study = load_motion(found)
    change = si(study, "swing.step") / 50e6
    assert si(study, "swing.voltage_change") == pytest.approx(change)
    by_hand = (600.0 * 2.3 * (100.0 * change) ** 3.2 / 600.0) ** (1.0 / 3.2)
    assert si(study, "swing.flicker") == pytest.approx(by_hand)
    for limit, outcome in ((by_hand * 1.01, Outcome.PASS), (by_hand * 0.99, Outcome.FAIL)):
        judged = load_motion(moved(found, f"site.grid.flicker_limit={limit}"))
        assert check(judged, "SWING-FLICKER").outcome is outcome


def test_the_generators_take_what_their_load_steps_may() -> None:
    """The limit is that of the load steps: one fact, one place."""
    found = design_of(SHORTEST, "power.generator.performance_class=G2", *OWN_SETS)
    study = load_motion(found)
    part = si(study, "swing.generator.part")
    plant = found.chain.generators
    running = plant.count - plant.spare
    assert part == pytest.approx(si(study, "swing.generator") / (running * plant.rating_w))
    # G2 is tested with 0-50-80-100 %: from 50 to 80 % it takes 30 % at once.
    highest_w = float(next(p for p in study.points if p.id == "generator").profile.values.max())
    assert 0.5 < highest_w / (running * plant.rating_w) < 0.8
    assert check(study, "SWING-GENERATOR-STEP").limit == pytest.approx(0.30)
    assert check(study, "SWING-GENERATOR-STEP").outcome is Outcome.FAIL
    calm = ("it.job.communication_power=80 %", "it.job.idle_power=80 %", "it.job.peak_power=80 %")
    steady = load_motion(moved(found, "power.generator.performance_class=G2", *OWN_SETS, *calm))
    assert check(steady, "SWING-GENERATOR-STEP").outcome is Outcome.PASS
    unknown = load_motion(design_of(SHORTEST, *OWN_SETS))
    assert check(unknown, "SWING-GENERATOR-STEP").outcome is Outcome.NOT_EVALUATED


OWN_SETS = (
    "power.generator.rating=200 kW",
    "power.generator.rating_kva=250 kVA",
    "power.generator.count=2",
)


def test_the_generators_recover_between_slow_steps() -> None:
    row = iso_class("G3")
    recovery_s = max(row.si("frequency_recovery_time_max_s"), row.si("voltage_recovery_time_max_s"))
    assert recovery_s == 4.0
    fast, slow = study_of(), study_of("it.job.step_time=20 s")
    assert check(fast, "SWING-GENERATOR-RECOVERY").outcome is Outcome.FAIL
    assert check(slow, "SWING-GENERATOR-RECOVERY").outcome is Outcome.PASS
    assert check(slow, "SWING-GENERATOR-RECOVERY").limit == recovery_s


COUNTER = ("power.ups.sags.events=3", "power.ups.sags.events_within=60 s")


def test_six_sags_in_82_s_leave_the_load_off() -> None:
    """The incident of 2024-07-10: the load went to its batteries and stayed off the grid."""
    study = study_of(*COUNTER)
    assert study.results["sag.stays_off"].si is True
    assert si(study, "sag.stays_off.time") == pytest.approx(32.8)
    assert si(study, "sag.load_off") == design_of(SHORTEST).point.flow.ups.input_w
    assert check(study, "SAG-STAYS-OFF").outcome is Outcome.FAIL
    assert check(study, "SAG-BATTERY").outcome is Outcome.PASS
    assert check(study_of(), "SAG-STAYS-OFF").outcome is Outcome.NOT_EVALUATED


def test_a_counter_that_lets_go_lets_the_load_return() -> None:
    study = study_of("power.ups.sags.events=3", "power.ups.sags.events_within=30 s")
    assert study.results["sag.stays_off"].si is False
    assert "sag.load_off" not in study.results
    assert si(study, "sag.transfers") == 6
    assert check(study, "SAG-STAYS-OFF").outcome is Outcome.PASS


def test_sags_without_end_empty_the_battery() -> None:
    study = study_of(
        "site.grid.sags=100",
        "site.grid.sags_within=24 h",
        "power.ups.sags.retransfer=1 h",
        *COUNTER,
    )
    assert study.ride.transfers == 1 or si(study, "sag.battery_used") > 3600.0
    assert check(study, "SAG-BATTERY").outcome is Outcome.FAIL


def test_without_generators_a_load_that_stays_off_has_its_battery_alone() -> None:
    bare = design_of(SHORTEST, "power.generator.count=0")
    assert check(load_motion(bare), "SAG-BATTERY").outcome is Outcome.NOT_EVALUATED
    assert check(load_motion(moved(bare, *COUNTER)), "SAG-BATTERY").outcome is Outcome.FAIL


def test_a_ramp_that_the_load_keeps_by_itself_is_its_own() -> None:
    study = study_of("site.grid.ramp_limit=1000000 MW/s")
    assert check(study, "SWING-RAMP").outcome is Outcome.PASS
    assert si(study, "swing.storage.ramp") == si(study, "swing.utility.ramp")
    assert "no storage required" in study.results["swing.storage.ramp"].basis


@pytest.mark.parametrize(
    "sets",
    [
        ("power.smoothing.energy=0.000001 kWh",),
        ("power.smoothing.efficiency=30 %",),
        ("site.grid.ramp_limit=0.0001 W/s",),
        ("site.grid.range_limit=1 W", "site.grid.band_limit=0.0000001 %"),
        ("it.job.step_time=300 s", "it.job.edge=0.001 s"),
    ],
)
def test_extremes_are_followed(sets: tuple[str, ...]) -> None:
    study = study_of(*sets)
    assert all(np.isfinite(float(v.si)) for v in study.results.values() if v.kind)
    assert study.storage.power <= si(study, "swing.storage.power") * (1.0 + 1e-6)
    built = si(study, "swing.storage.energy") if "energy" not in sets[0] else math.inf
    assert si(study, "swing.storage.used") <= built * (1.0 + 1e-6)


def test_energy_in_is_energy_out_and_losses() -> None:
    storage = study_of(*LIMITS).storage
    state = storage.state_j
    assert state[0] == pytest.approx(state[-1], abs=1e-6 * state.max())
    period_s = storage.load.period_s
    assert storage.total.mean * period_s == pytest.approx(
        storage.load.mean * period_s + storage.loss_j, rel=1e-12
    )
    rows = np.array(list(curve_rows(study_of(*LIMITS))))
    assert np.all(np.diff(rows[:, 0]) > 0.0)
    assert rows[:, 3].max() * 3.6e9 == pytest.approx(storage.used_j)


def measured(folder: Path, text: str, *sets: str) -> LoadStudy:
    """Return the study of a measured load."""
    (folder / "power.csv").write_text(text)
    (folder / "p.yaml").write_text(SHORTEST)
    found = design_of(SHORTEST)
    project = apply_sets(load_project(folder / "p.yaml"), ("it.job.power_file=power.csv", *sets))
    trace = found.trace.draft()
    motion = resolve_load_motion(project, found.it, trace)
    return load_motion(replace(found, facility=replace(found.facility, motion=motion), trace=trace))


def record(rate_hz: float = 40.0, head: str = "time_s,power_kw") -> str:
    rows = (
        f"{n / rate_hz:.4f},{60 + 20 * math.sin(2 * math.pi * n / rate_hz)}" for n in range(1000)
    )
    return "\n".join((head, "# measured", *rows)) + "\n"


def test_a_measured_load_takes_the_place_of_the_job(tmp_path: Path) -> None:
    study = measured(tmp_path, record())
    assert study.title == "measured, power.csv: 25 s, repeated"
    assert si(study, "swing.it") == pytest.approx(40e3, rel=1e-3)
    assert si(study, "swing.frequency") == pytest.approx(1.0, abs=0.06)
    assert study.sees_hz == pytest.approx(20.0)
    half = measured(tmp_path, record(), "it.job.full_power=160 kW")
    it_w = design_of(SHORTEST).it.it_w
    assert si(half, "swing.it") == pytest.approx(40e3 * it_w / 160e3, rel=1e-3)
    minutes = measured(tmp_path, record(head="Time [min],Power (W)"))
    assert minutes.utility.profile.period_s == pytest.approx(25.0 * 60.0, rel=0.01)


def test_a_slow_record_leaves_the_band_open(tmp_path: Path) -> None:
    study = measured(tmp_path, record(2.3), "site.grid.band_limit=1 %")
    assert check(study, "SWING-BAND").outcome is Outcome.NOT_EVALUATED
    assert "no frequency above 1.15 Hz" in check(study, "SWING-BAND").why


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("a,b\n1,2\n", "POWER_COLUMNS", "row 1"),
        ("time_s,power_km\n1,2\n", "POWER_COLUMNS", "row 1, column 2"),
        ("time_s,power_kw,power_w\n1,2,3\n", "POWER_COLUMNS", "row 1, column 3"),
        ("time_s,power_kw\n0,1\n1,abc\n", "POWER_ROW", "row 3, column 2"),
        ("time_s,power_kw\n0,1\n1,-5\n", "POWER_ROW", "row 3, column 2"),
        ("time_s,power_kw\n0,1\n1,nan\n", "POWER_ROW", "row 3, column 2"),
        ("time_s,power_kw\n0,1\n1\n", "POWER_ROW", "row 3, column 2"),
        ("time_s,power_kw\n0,1\n1,2\n1,2\n", "POWER_ROW", "row 4, column 1"),
        ("time_s,power_kw\n0,1\n", "POWER_RECORD", "it.job.power_file"),
        (record().replace("_kw", "_mw"), "POWER_RECORD", "it.job.power_file"),
        ("\ufffe".encode("utf-16").decode("latin-1"), "POWER_COLUMNS", "row 1"),
    ],
)
def test_a_bad_record_is_refused(tmp_path: Path, text: str, code: str, where: str) -> None:
    with pytest.raises(FacilityError) as refused:
        measured(tmp_path, text)
    assert refused.value.code == code
    assert where in refused.value.where


def test_files_that_are_missing_or_too_large_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FacilityError) as refused:
        measured(tmp_path, "", "it.job.power_file=other.csv")
    assert refused.value.code == "FILE_UNREADABLE"
    with pytest.raises(FacilityError) as refused:
        measured(tmp_path, "time_s,power_kw\n" + "#" * 16_000_000)
    assert refused.value.code == "FILE_TOO_LARGE"
    rows = "\n".join(f"{n},1" for n in range(200_001))
    with pytest.raises(FacilityError) as refused:
        measured(tmp_path, f"time_s,power_kw\n{rows}\n")
    assert refused.value.code == "POWER_RECORD"


@pytest.mark.parametrize(
    ("sets", "code"),
    [
        (("it.job.power_file=../p.csv",), "POWER_PATH"),
        (("it.job.power_file=p.txt",), "POWER_PATH"),
        (("it.job.full_power=10 kW",), "CONTRADICTION"),
        (("site.grid.band_from=30 Hz",), "OUT_OF_RANGE"),
        (("it.job.step_time=0.01 s",), "OUT_OF_RANGE"),
        (("site.grid.ramp_limit=5 MW",), "UNIT_WRONG"),
    ],
)
def test_wrong_inputs_are_refused(sets: tuple[str, ...], code: str) -> None:
    with pytest.raises(FacilityError) as refused:
        apply_sets(design_of(SHORTEST).project, sets)
    assert refused.value.code == code


def test_a_load_that_does_not_move_is_no_study() -> None:
    powers = ("compute", "communication", "idle", "peak")
    with pytest.raises(FacilityError) as refused:
        study_of(*(f"it.job.{name}_power=50 %" for name in powers))
    assert refused.value.code == "LOAD_STEADY"


def test_a_job_that_does_not_fit_is_a_check_of_the_design() -> None:
    found = moved(design_of(SHORTEST), "it.job.step_time=0.1 s")
    with pytest.raises(FacilityError) as refused:
        facility.load_motion(found)
    assert refused.value.code == "JOB_TIMES"
    (not_run,) = found.moving_load.checks
    assert not_run.rule == "STUDY-NOT-RUN"
    assert "dynamic load" in not_run.why
