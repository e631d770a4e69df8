"""Implausible readings of a year: catch-up, stuck, jump, spike; what they do to the values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facility.catalogue.series import LOAD, TimeSeries, highest_reading, read_series
from facility.study.resolve.series import facts_of, series_checks

HOURS = np.arange(8760)
USUAL = np.round(90.0 + 12.0 * np.sin(HOURS / 3.8) + 3.0 * np.sin(HOURS / 29.0), 2)
TIMES = np.datetime64("2023-01-01T00:00") + np.timedelta64(1, "h") * HOURS


def read(folder: Path, values: np.ndarray, head: str = "load_kw") -> TimeSeries:
    path = folder / "log.csv"
    text = [f"{t},{'' if np.isnan(v) else v}" for t, v in zip(TIMES, values.tolist(), strict=True)]
    path.write_text("\n".join([f"timestamp,{head}", *text]))
    return read_series(path, LOAD)


def changed(**at: float) -> np.ndarray:
    values = USUAL.copy()
    for name, value in at.items():
        values[int(name[1:])] = value
    return values


def stuck() -> np.ndarray:
    values = USUAL.copy()
    values[2000:2030] = 87.5
    return values


CASES = {
    "SERIES-CATCH-UP": (changed(_1000=30.0, _1001=USUAL[1000] + USUAL[1001] - 30.0), "hour 1,001"),
    "SERIES-FILLED": (changed(_500=float("nan")), "21 Jan 20:00"),
    "SERIES-JUMP": (np.where(HOURS < 4000, USUAL, USUAL / 2.0), "hour 4,001"),
    "SERIES-SPIKE": (changed(_3000=300.0), "hour 3,001"),
    "SERIES-STUCK": (stuck(), "for 30 h"),
}


@pytest.mark.parametrize("rule", CASES)
def test_findings_of_a_year(rule: str, tmp_path: Path) -> None:
    values, place = CASES[rule]
    checks = {c.rule: c for c in series_checks("load", facts_of(read(tmp_path, values)))}
    assert [each for each, check in checks.items() if check.failed] == [rule]
    assert place in checks[rule].why
    usual = series_checks("load", facts_of(read(tmp_path, USUAL)))
    assert not [check.rule for check in usual if check.failed]


REGISTER = 5000.0 + np.concatenate(([0.0], np.cumsum(USUAL)))
STUCK_REGISTER = np.where((HOURS > 3000) & (HOURS <= 3012), REGISTER[3000], REGISTER[:-1])
HIGH = {
    # Line of an hour: two lines before it, the heading and hour 0
    "spike": (changed(_3000=400.0), "load_kw", 3000, (3002, 3002), "interpolated"),
    "register too high": (
        np.where(HOURS == 3000, REGISTER[:-1] + 1e4, REGISTER[:-1]),
        *("kWh", 2999, (3002, 3002), "before and after"),
    ),
    "register too low": (
        np.where(HOURS == 3000, REGISTER[:-1] - 1e4, REGISTER[:-1]),
        *("kWh", 3000, (3002, 3002), "before and after"),
    ),
    "register stuck": (STUCK_REGISTER, "kWh", 3012, (3003, 3014), "spread evenly"),
    "usual": (USUAL, "load_kw", 3000, None, ""),
}


@pytest.mark.parametrize("name", HIGH)
def test_the_cells_of_a_high_reading_are_named_and_emptying_them_works(
    name: str, tmp_path: Path
) -> None:
    values, head, at, rows, effect = HIGH[name]
    found = highest_reading(read(tmp_path, values, head), at, at + 1)
    assert effect in found.remedy
    if rows is None:
        assert (found.rows, found.remedy) == ("row 3,002", "")
        return
    assert found.rows.split()[1] == f"{rows[0]:,}"
    emptied = values.astype(float)
    emptied[rows[0] - 2 : rows[1] - 1] = np.nan
    again = read(tmp_path, emptied, head)
    assert not {"spike", "stuck"} & {one.kind for one in again.findings}
    assert np.abs(again.values[:-1] / 1e3 - USUAL[:-1]).max() < 30.0


def test_hours_filled_from_a_register_are_not_stuck(tmp_path: Path) -> None:
    """Two days without rows: 48 hours of one mean, and one of 48 equal readings."""
    values = np.where((HOURS > 3000) & (HOURS < 3048), np.nan, REGISTER[:-1])
    assert not [one for one in read(tmp_path, values, "kWh").findings if one.kind == "stuck"]


def test_a_catch_up_keeps_the_energy_and_never_sets_the_peak(tmp_path: Path) -> None:
    """Three hours missing, then one reading of four hours: each has a quarter of it."""
    values = USUAL.copy()
    values[5000:5003] = 0.0
    values[5003] = USUAL[5000:5004].sum()
    found = read(tmp_path, values).values / 1e3
    np.testing.assert_allclose(found[5000:5004], USUAL[5000:5004].mean())
    assert found.sum() == pytest.approx(USUAL.sum())
    assert found.max() == pytest.approx(USUAL.max())


def test_the_hour_without_a_row_is_caught_up_too(tmp_path: Path) -> None:
    values = changed(_700=float("nan"), _701=USUAL[700] + USUAL[701])
    found = read(tmp_path, values).values / 1e3
    np.testing.assert_allclose(found[700:702], USUAL[700:702].mean())


def test_a_load_that_stops_and_returns_is_no_catch_up(tmp_path: Path) -> None:
    found = read(tmp_path, changed(_4000=0.0))
    assert found.values[4000] == 0.0
    assert not [one for one in found.findings if one.kind == "catch-up"]
