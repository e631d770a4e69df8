"""Implausible readings of a year: catch-up, stuck, jump, spike; what they do to the values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facility.catalogue.series import LOAD, TimeSeries, read_series
from facility.study.resolve.series import facts_of, series_checks

HOURS = np.arange(8760)
USUAL = np.round(90.0 + 12.0 * np.sin(HOURS / 3.8) + 3.0 * np.sin(HOURS / 29.0), 2)
TIMES = np.datetime64("2023-01-01T00:00") + np.timedelta64(1, "h") * HOURS


def read(folder: Path, values: np.ndarray) -> TimeSeries:
    path = folder / "log.csv"
    text = [f"{t},{'' if np.isnan(v) else v}" for t, v in zip(TIMES, values.tolist(), strict=True)]
    path.write_text("\n".join(["timestamp,load_kw", *text]))
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
