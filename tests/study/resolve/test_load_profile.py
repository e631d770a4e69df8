"""The IT load of the year: flat, by the hours of a day or week, measured."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.core.errors import FacilityError
from facility.files.project.file import load_project
from facility.report.tables.hours import hour_rows, hour_values
from facility.study.annual.hours import hours_of
from facility.study.design.design import Design, design
from facility.study.loop import Sized, WingsBalance, balance
from tests.study.helpers import SHORTEST, design_of, si

HEAD = """\
schema_version: 1
site: {station: ashburn}
it: {gpu_model: H100 SXM5, gpus: 64, basis: measured, measured_power: 8 kW, """
PLANTS = ("tower", "dry_cooler", "air_cooled")


def by_hours(*parts: float, sets: tuple[str, ...] = ()) -> Design:
    hours = (f"it.load_profile.hours.{n}={part!r}" for n, part in enumerate(parts))
    return design_of(SHORTEST, *hours, *sets)


def figures(found: Design) -> dict[str, object]:
    assert found.year is not None
    return {key: value.si for key, value in found.year.results.items()}


def year_of(found: Design, load: object) -> tuple[np.ndarray, WingsBalance]:
    record = found.weather_year
    assert record is not None
    hours, sized = hours_of(record), Sized(found.chain, found.cooling)
    at_work = balance(found.facility, found.it, sized, hours.weather, load)  # type: ignore[arg-type]
    return hours.spread(at_work.facility_w), at_work


# --- flat -------------------------------------------------------------------------------------


def test_the_load_is_flat_unless_the_project_says_otherwise() -> None:
    found = design_of(SHORTEST, "it.load_factor=0.7")
    (entry,) = (entry for entry in found.ledger if entry.id == "it.load_profile.kind")
    assert (entry.text, entry.status) == ("flat", "open")
    assert found.year is not None
    assert set(found.year.year.load) == {0.7}
    assert "IT at 70% of its load" in found.year.title


@pytest.mark.parametrize("part", [0.3, 0.76, 1.0])
def test_a_profile_that_is_constant_is_the_load_factor_exactly(part: float) -> None:
    assert figures(by_hours(*[part] * 24)) == figures(design_of(SHORTEST, f"it.load_factor={part}"))


def test_a_stated_mean_must_be_that_of_the_profile() -> None:
    day = [0.25] * 12 + [0.75] * 12
    assert by_hours(*day, sets=("it.load_factor=50 %",)).facility.load.mean == 0.5
    with pytest.raises(FacilityError) as caught:
        by_hours(*day, sets=("it.load_factor=60 %",))
    assert (caught.value.code, caught.value.where) == ("CONTRADICTION", "it.load_factor")
    assert "50.0 %" in caught.value.message


# --- the hours of a day or week ---------------------------------------------------------------


def test_a_day_repeats_from_midnight_and_its_mean_is_the_load_factor() -> None:
    day = [round(0.02 * n + 0.3, 2) for n in range(24)]
    found = by_hours(*day)
    assert found.year is not None
    assert found.year.year.load == pytest.approx(np.tile(day, 365), abs=1e-15)
    assert found.facility.load.mean == pytest.approx(sum(day) / 24.0, rel=1e-12)
    assert found.trace.value("it.load_factor") == found.facility.load.mean
    assert "it.load_factor" not in found.ledger
    assert "53% of its load on the mean, 30% to 76%" in found.year.title
    it_mwh = sum(row[4] for row in hour_rows(found.year.year)) / 1e3
    assert it_mwh == pytest.approx(float(found.year.results["energy.annual.it"].si) / 3.6e9)
    assert it_mwh == pytest.approx(si(found, "load.it") * sum(day) * 365 / 1e6)


def test_a_week_repeats_from_the_first_of_january() -> None:
    week = [0.8] * 120 + [0.4] * 48
    found = by_hours(*week)
    assert found.year is not None
    load = found.year.year.load
    assert load[:168] == pytest.approx(week, abs=1e-15)
    assert load[168:336] == pytest.approx(week, abs=1e-15)
    assert load[-24:] == pytest.approx([0.8] * 24, abs=1e-15), "365 days are 52 weeks and a day"
    assert "by the hours of its week" in found.year.title


def test_hours_without_it_have_no_pue_and_the_year_has_one() -> None:
    found = by_hours(*[0.0] * 12, *[0.8] * 12)
    study = found.year
    assert study is not None
    assert np.isnan(study.year.pue[:12]).all()
    assert [row["pue"] is None for row in islice(hour_values(study.year), 24)] == [True] * 12 + [
        False
    ] * 12
    assert np.isfinite(study.year.pue[12:24]).all()
    assert study.year.power_w["it"][:12].max() == 0.0
    facility_j = float(study.results["energy.annual"].si)
    ratio = facility_j / float(study.results["energy.annual.it"].si)
    assert study.results["pue.annual"].si == pytest.approx(ratio, rel=1e-14)
    assert all(month.pue is not None for month in study.months)
    failed = {check.rule for check in study.checks if check.failed}
    assert not failed & {"ANNUAL-METER", "ANNUAL-HEAT"}
    with pytest.raises(FacilityError, match="PUE is undefined"):
        by_hours(*[0.0] * 24)


def test_the_peak_names_the_load_of_its_hour() -> None:
    found = by_hours(*[0.3] * 14, 1.0, *[0.3] * 9)
    assert found.year is not None
    (peak,) = (check for check in found.year.checks if check.rule == "ANNUAL-PEAK")
    assert "100% of the IT load" in peak.why
    assert "hour " in peak.why


@pytest.mark.parametrize(
    ("sets", "code"),
    [
        (["it.load_profile.hours.0=0.5"], "OUT_OF_RANGE"),
        ([f"it.load_profile.hours.{n}=1.2" for n in range(24)], "OUT_OF_RANGE"),
        ([f"it.load_profile.hours.{n}=-0.1" for n in range(24)], "OUT_OF_RANGE"),
        ([f"it.load_profile.hours.{n}=0.5" for n in range(169)], "LIMIT"),
        (["it.load_profile.kind=hours"], "MISSING_FIELD"),
        (["it.load_profile.kind=measured"], "MISSING_FIELD"),
        (["it.load_profile.kind=flat", "it.load_profile.file=a.csv"], "CONTRADICTION"),
        (["it.load_profile.file=../a.csv"], "LOAD_PATH"),
        (["it.load_profile.file=/etc/passwd.csv"], "LOAD_PATH"),
        (["it.load_profile.file=a.xlsx"], "LOAD_PATH"),
        (["it.load_profile.file=nowhere.csv"], "LOAD_FILE"),
    ],
)
def test_profiles_that_are_refused(sets: list[str], code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, *sets)
    assert caught.value.code == code
    assert caught.value.where.startswith("it.load_profile")


# --- invariants -------------------------------------------------------------------------------


@pytest.mark.parametrize("plant", PLANTS)
@given(st.integers(0, 2**32 - 1))
@settings(max_examples=5, deadline=None)
def test_hours_in_another_order_come_out_in_that_order(plant: str, seed: int) -> None:
    found = design_of(SHORTEST, f"cooling.plant.heat_rejection={plant}")
    record = found.weather_year
    assert record is not None
    random = np.random.default_rng(seed)
    load, order = random.uniform(0.0, 1.0, len(record)), random.permutation(len(record))
    load[random.integers(0, len(load), 50)] = 0.0
    plain_w, _ = year_of(found, load)
    hours = hours_of(record)
    air = hours.air
    names = ("dry_bulb_c", "wet_bulb_c", "humidity_ratio", "pressure_pa")
    mixed = replace(hours, air=replace(air, **{n: getattr(air, n)[order] for n in names}))
    again = balance(
        found.facility, found.it, Sized(found.chain, found.cooling), mixed.weather, load[order]
    )  # fmt: skip
    assert mixed.spread(again.facility_w) == pytest.approx(plain_w[order], rel=1e-12)


@given(st.lists(st.floats(0.0, 1.0), min_size=24, max_size=24).filter(lambda x: sum(x) > 1.0))
@settings(max_examples=8, deadline=None)
def test_energy_of_any_day_closes(day: list[float]) -> None:
    """Parts are the meter in every hour, months the year, IT the mean of the profile."""
    found = by_hours(*(round(part, 4) for part in day))
    study = found.year
    assert study is not None
    failed = {check.rule for check in study.checks if check.failed}
    assert not failed & {"ANNUAL-METER", "ANNUAL-HEAT"}
    whole_j = float(study.results["energy.annual"].si)
    assert sum(month.facility_j for month in study.months) == pytest.approx(whole_j, rel=1e-12)
    it_j = found.it.it_w * found.facility.load.mean * 8760 * 3600
    assert study.results["energy.annual.it"].si == pytest.approx(it_j, rel=1e-12)
    assert study.results["pue.annual"].si >= 1.0


# --- measured ---------------------------------------------------------------------------------


def beside(folder: Path, text: str | bytes, name: str = "load.csv", site: str = "") -> Design:
    content = text.encode() if isinstance(text, str) else text
    (folder / name).write_bytes(content)
    project = folder / "p.yaml"
    head = HEAD if not site else HEAD.replace("{station: ashburn}", site)
    project.write_text(f"{head}load_profile: {{file: {name}}}}}\n")
    return design(load_project(project))


def stamps(year: int, step: str = "h") -> np.ndarray:
    return np.arange(f"{year}-01-01", f"{year + 1}-01-01", dtype=f"datetime64[{step}]").astype(
        "datetime64[m]"
    )


def lines(times: np.ndarray, values: np.ndarray, head: str = "timestamp,load_fraction") -> str:
    return "\n".join([head, *(f"{t},{v!r}" for t, v in zip(times, values.tolist(), strict=True))])


def wave(count: int) -> np.ndarray:
    return np.round(0.6 + 0.3 * np.sin(np.arange(count) / 24.0), 6)


def test_a_measured_year_is_the_load_of_its_hours(tmp_path: Path) -> None:
    values = wave(8760)
    found = beside(tmp_path, lines(stamps(2025), values))
    assert found.year is not None
    assert found.year.year.load == pytest.approx(values, abs=1e-15)
    assert found.facility.load.mean == pytest.approx(values.mean(), rel=1e-12)
    assert "as measured (load.csv, SHA-256 " in found.year.title
    assert "SHA-256" in found.trace["it.load_factor"].because


@pytest.mark.parametrize(
    ("head", "times"), [("load_percent", 100.0), ("load_kw", 1.0), ("load_mw", 1e-3)]
)
def test_units_of_the_heading(tmp_path: Path, head: str, times: float) -> None:
    values = wave(8760)
    it_kw = design_of(HEAD + "}\n").it.it_w / 1e3
    scale = times if head == "load_percent" else it_kw * times
    hours = np.arange(1, 8761)
    found = beside(tmp_path, lines(hours, values * scale, f"hour,{head}"))
    assert found.facility.load.values == pytest.approx(values, rel=1e-12)


def test_a_gzipped_file_in_quarters_of_an_hour_counts_by_its_means(tmp_path: Path) -> None:
    values = wave(4 * 8760)
    text = lines(stamps(2025, "m")[::15], values)
    found = beside(tmp_path, gzip.compress(text.encode()), "quarters.csv.gz")
    assert found.facility.load.values == pytest.approx(
        values.reshape(-1, 4).mean(axis=1), abs=1e-15
    )


def test_a_leap_year_leaves_29_february_out_in_the_weather_of_another(tmp_path: Path) -> None:
    values = wave(8784)
    found = beside(tmp_path, lines(stamps(2024), values))
    assert found.year is not None
    kept = np.delete(values.reshape(-1, 24), 59, axis=0).ravel()
    assert found.facility.load.values == pytest.approx(kept, abs=1e-15)
    assert "29 February omitted" in found.year.title


def test_gaps_and_wrong_cells_are_named_by_row_and_column(tmp_path: Path) -> None:
    times, values = stamps(2025).astype(str).tolist(), wave(8760).tolist()

    def spoiled(change: Callable[[list[str]], object]) -> FacilityError:
        rows = [f"{t},{v}" for t, v in zip(times, values, strict=True)]
        change(rows)
        with pytest.raises(FacilityError) as caught:
            beside(tmp_path, "\n".join(["timestamp,load_fraction", *rows]))
        assert caught.value.exit_code == 6
        return caught.value

    def put(at: int, text: str) -> Callable[[list[str]], object]:
        return lambda rows: rows.__setitem__(at, text)

    def put_on(row: str) -> str:
        return f"{row.partition(',')[0]},0.01"

    day = times[10]
    for change, code, row, column, words in (
        (lambda rows: rows.insert(99, put_on(rows[98])), "LOAD_ROWS", 101, None, "same time"),
        (lambda rows: rows.insert(99, rows.pop(90)), "LOAD_ROWS", 101, 1, "does not increase"),
        (put(10, "yesterday,0.5"), "LOAD_ROWS", 12, 1, "'yesterday'"),
        (put(10, "now,0.5"), "LOAD_ROWS", 12, 1, "'now'"),
        (put(10, f"{day}Z,0.5"), "LOAD_ROWS", 12, 1, "not a time"),
        (put(10, f"{day},inf"), "LOAD_NUMBER", 12, 2, "'inf'"),
        (put(10, f"{day},-0.1"), "LOAD_NUMBER", 12, 2, "'-0.1'"),
        (put(10, f"{day},half"), "LOAD_NUMBER", 12, 2, "'half'"),
        (put(10, f"{day},76"), "LOAD_NUMBER", 12, None, "exceeds the design IT load"),
        (put(10, f"{day},1,5"), "LOAD_COLUMNS", 12, None, "3 cells"),
    ):
        error = spoiled(change)  # type: ignore[arg-type]
        assert error.code == code
        assert f"row {row}" in error.where
        assert column is None or f"column {column}" in error.where
        assert words in error.message
        assert error.hint


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", "LOAD_COLUMNS", "empty"),
        ("timestamp,power\n2025-01-01 00:00,3\n", "LOAD_COLUMNS", "0 load columns"),
        ("time,load_kw\n1,3\n", "LOAD_ROWS", "is not a time"),
        ("kind,load_kw\n1,3\n", "LOAD_COLUMNS", "0 time columns"),
        ("hour,load_kw,load_mw\n1,3,4\n", "LOAD_COLUMNS", "2 load columns"),
        ("hour,load_kw\n", "LOAD_ROWS", "no rows"),
        ("timestamp,load_kw\n", "LOAD_ROWS", "no rows"),
        ("hour,load_kw\n1,3\n2,3\n", "SERIES_GAP", "2 of 8,760 h"),
        ("hour,load_kw\n7,3\n14,3\n", "LOAD_ROWS", "step is 25,200 s"),
        ("timestamp,load_kw\n2025-03-01 00:00,3\n2025-03-01 01:00,3\n", "SERIES_GAP", "8,758 h"),
        ('hour,load_kw\n"1,3\n', "LOAD_FILE", "not a valid CSV"),
        (b"hour\x00load_kw", "LOAD_FILE", "not a valid CSV"),
        (b"\x1f\x8bnot gzip", "LOAD_FILE", "cannot be read"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str | bytes, code: str, words: str) -> None:
    with pytest.raises(FacilityError) as caught:
        beside(tmp_path, text)
    assert caught.value.code == code
    assert words in caught.value.message


def test_files_that_are_too_long_are_refused(tmp_path: Path) -> None:
    rows = "\n".join(f"{n},0.5" for n in range(1, 366 * 1440 + 3))
    with pytest.raises(FacilityError, match="one year of minutes"):
        beside(tmp_path, f"hour,load_fraction\n{rows}")
    with pytest.raises(FacilityError, match="larger than 32 MB"):
        beside(tmp_path, gzip.compress(b"0" * 33_000_000), "packed.csv.gz")
    (tmp_path / "folder.csv").mkdir()
    project = tmp_path / "q.yaml"
    project.write_text(f"{HEAD}load_profile: {{file: folder.csv}}}}\n")
    with pytest.raises(FacilityError, match="not an ordinary file"):
        design(load_project(project))


def test_hours_without_a_reading_are_left_out_of_the_totals(tmp_path: Path) -> None:
    """48 h missing: totals over 8,712 hours, IT energy the sum of the readings."""
    values = wave(8760)
    rows = lines(stamps(2025), values).split("\n")
    (tmp_path / "load.csv").write_text("\n".join([*rows[:1001], *rows[1049:]]))
    project = tmp_path / "p.yaml"
    text = f"{HEAD}load_profile: {{file: load.csv, reading: {{gaps: leave_out}}}}}}\n"
    project.write_text(text.replace("ashburn}", "ashburn, tariff: 0.1 USD/kWh}"))
    found = design(load_project(project))
    assert found.year is not None
    results, hours = found.year.results, found.year.year.hours
    assert hours.whole == results["annual.hours_measured"].si == 8712.0
    assert hours.hour(999) == 1000
    assert hours.hour(1000) == 1049
    expected_j = found.it.it_w * float(np.delete(values, slice(1000, 1048)).sum()) * 3600.0
    assert results["energy.annual.it"].si == pytest.approx(expected_j, rel=1e-9)
    cost = float(results["energy.annual"].si) / 3.6e6 * 0.1  # type: ignore[arg-type]
    assert results["cost.annual"].si == pytest.approx(cost, rel=1e-9)
    assert "8,712 hours" in found.year.title


# --- training jobs ----------------------------------------------------------------------------


TRAINING = "it.load_profile.kind=training"


def test_training_takes_the_job_and_its_powers() -> None:
    found = design_of(SHORTEST, TRAINING)
    job, load, study = found.facility.motion.job, found.facility.load, found.year
    assert study is not None
    assert load.training is not None
    steps = 0.8 * job.compute + 0.2 * job.communication
    assert load.highest <= steps
    assert load.mean == pytest.approx(load.values.mean(), rel=1e-12)  # type: ignore[union-attr]
    assert study.year.load is load.values or np.array_equal(study.year.load, load.values)
    assert study.results["annual.load.steps"].si == load.training.steps
    fewer = 0.5 * job.checkpoint_every_s * load.training.failures / (8760 * 3600)
    effective = float(study.results["annual.load.effective"].si)
    assert effective == pytest.approx(load.training.steps - fewer, rel=1e-12)
    assert "failures evenly spaced" in study.title
    assert {"it.load_profile.busy", "it.load_profile.job_time"} <= {a.id for a in found.ledger}


def test_a_seed_spreads_the_failures_and_gives_the_same_year_again() -> None:
    sets = (TRAINING, "it.job.failure_every=2.78 h")
    even, one, other = (
        design_of(SHORTEST, *sets, *seed)
        for seed in ((), ("it.load_profile.seed=1",), ("it.load_profile.seed=2",))
    )
    again = design(one.project)
    assert np.array_equal(again.facility.load.values, one.facility.load.values)  # type: ignore[arg-type]
    assert one.facility.load.lowest < even.facility.load.lowest
    assert np.any(one.facility.load.values != other.facility.load.values)
    assert "seed 1" in one.year.title  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("sets", "code"),
    [
        (("it.job.checkpoint_every=20 s",), "LOAD_SCHEDULE"),
        (("it.job.checkpoint_every=5 min", "it.job.checkpoint_time=5 min"), "LOAD_SCHEDULE"),
        (("it.job.failure_every=9 min",), "LOAD_SCHEDULE"),
        (("it.load_profile.job_time=1 h", "it.load_profile.ramp=40 min"), "LOAD_SCHEDULE"),
        (("it.load_profile.busy=0",), "OUT_OF_RANGE"),
        (("it.load_profile.job_time=1 s",), "OUT_OF_RANGE"),
        (("it.load_profile.file=a.csv",), "CONTRADICTION"),
        (("it.load_factor=30 %",), "CONTRADICTION"),
    ],
)
def test_schedules_that_are_refused(sets: tuple[str, ...], code: str) -> None:
    with pytest.raises(FacilityError) as caught:
        design_of(SHORTEST, TRAINING, *sets)
    assert caught.value.code == code
