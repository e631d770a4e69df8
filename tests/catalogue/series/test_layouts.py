"""One year in many layouts: zones, daylight saving, leap days, steps, units give the same hours."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facility.catalogue.series import CARBON, LOAD, Reading, read_series
from facility.catalogue.series.stamps import read_stamps
from facility.catalogue.series.text import read_table
from facility.catalogue.series.time_words import is_time, time_words, times_among
from facility.core.errors import FacilityError

HOURS = np.arange(8760)
KW = np.round(80.0 + 20.0 * np.sin(HOURS / 24.0) + HOURS % 24, 1)
START = np.datetime64("2023-01-01T00:00")
TIMES = START + np.timedelta64(1, "h") * HOURS
SITE_H = -5.0


def read(folder: Path, text: str | bytes, **options: object) -> np.ndarray:
    path = folder / "log.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    series = read_series(path, LOAD, Reading(site_h=SITE_H, **options))  # type: ignore[arg-type]
    return np.asarray(series.values.reshape(series.days * 24, -1).mean(axis=1) / 1e3)


def rows(times: list[str], values: np.ndarray, head: str = "timestamp,load_kw") -> str:
    return "\n".join([head, *(f"{t},{v}" for t, v in zip(times, values.tolist(), strict=True))])


def stamped(form: str, zone: str = "") -> list[str]:
    index = pd.DatetimeIndex(TIMES)
    if zone:
        index = (index - pd.Timedelta(hours=SITE_H)).tz_localize("UTC").tz_convert(zone)
    return list(index.strftime(form))


LAYOUTS: dict[str, Callable[[], str | bytes]] = {
    "iso": lambda: rows(stamped("%Y-%m-%dT%H:%M:%S"), KW),
    "us": lambda: rows(stamped("%m/%d/%Y %I:%M %p"), KW, "Date/Time,Meter 1 (kW)"),
    "eu": lambda: rows(stamped("%d.%m.%Y %H:%M"), KW),
    "month name": lambda: rows(stamped("%d-%b-%Y %H:%M"), KW),
    "compact": lambda: rows(stamped("%Y%m%d%H%M"), KW),
    "two columns": lambda: rows(stamped("%m/%d/%Y,%H:%M"), KW, "Date,Time,IT load [kW]"),
    "hour ending": lambda: rows(
        [f"{d},{h}" for d, h in zip(stamped("%Y-%m-%d"), (HOURS % 24 + 1).tolist(), strict=True)],
        KW,
        "date,hour,load_kw",
    ),
    "utc": lambda: rows(stamped("%Y-%m-%dT%H:%M:%SZ", "UTC"), KW),
    "utc in heading": lambda: rows(stamped("%Y-%m-%d %H:%M", "UTC"), KW, "Datetime (UTC),load_kw"),
    "offset": lambda: rows(stamped("%Y-%m-%dT%H:%M:%S%z", "America/New_York"), KW),
    "daylight saving": lambda: rows(stamped("%Y-%m-%d %H:%M", "America/New_York"), KW),
    "epoch": lambda: rows(
        [str(t + 5 * 3600) for t in TIMES.astype("datetime64[s]").astype(int)], KW, "epoch,load_kw"
    ),
    "ends": lambda: rows((TIMES + np.timedelta64(1, "h")).astype(str).tolist(), KW),
    "ends by heading": lambda: rows(
        (TIMES + np.timedelta64(1, "h")).astype(str).tolist(), KW, "interval end,load_kw"
    ),
    "hours": lambda: rows([str(n + 1) for n in HOURS], KW, "hour,load_kw"),
    "energy": lambda: rows(TIMES.astype(str).tolist(), KW, "timestamp,kWh"),
    "register": lambda: rows(
        [*TIMES.astype(str).tolist(), "2024-01-01T00:00"],
        np.round(1000.0 + np.concatenate(([0.0], np.cumsum(KW))), 1),
        "timestamp,Meter reading kWh",
    ),
    "newest first": lambda: "\n".join(
        ["timestamp,load_kw", *rows(TIMES.astype(str).tolist(), KW).split("\n")[:0:-1]]
    ),
    "quoted": lambda: "\n".join(
        ['"timestamp","load_kw"', *(f'"{t}","{v}"' for t, v in zip(TIMES, KW, strict=True))]
    ),
    "semicolon and comma": lambda: (
        rows(stamped("%d/%m/%Y %H:%M"), KW, "time,load_kw").replace(",", ";").replace(".", ",")
    ),
    "tab, UTF-16": lambda: rows(stamped("%Y-%m-%d %H:%M"), KW).replace(",", "\t").encode("utf-16"),
    "preamble and units": lambda: (
        "Site: Plant 1\nExported by: me\n" + rows(stamped("%Y-%m-%d %H:%M"), KW, "Time,Power\n,kW")
    ),
    "gzip": lambda: gzip.compress(rows(stamped("%Y-%m-%d %H:%M"), KW).encode()),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_one_year_in_every_layout(name: str, tmp_path: Path) -> None:
    np.testing.assert_allclose(read(tmp_path, LAYOUTS[name]()), KW, atol=1e-6)


@given(
    minutes=st.sampled_from((5, 15, 30, 60)),
    zone=st.sampled_from(("", "UTC", "America/New_York", "Asia/Kolkata")),
    start=st.integers(1, 12),
    quantity=st.sampled_from(("power", "energy")),
    ends=st.booleans(),
    leap=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_every_clock_and_step_gives_the_same_hours(
    minutes: int, zone: str, start: int, quantity: str, ends: bool, leap: bool
) -> None:
    year = 2024 if leap else 2022
    begin = pd.Timestamp(year, start, 1) if not leap else pd.Timestamp(2024, 1, 1)
    index = pd.date_range(begin, begin + pd.DateOffset(years=1), freq=f"{minutes}min")[:-1]
    values = np.round(60.0 + index.month * 3.0 + index.hour + index.day / 10.0, 2).to_numpy()
    written = values if quantity == "power" else np.round(values * minutes / 60.0, 6)
    shown = index + pd.Timedelta(minutes=minutes) if ends else index
    if zone:
        shown = (shown - pd.Timedelta(hours=SITE_H)).tz_localize("UTC").tz_convert(zone)
    head = f"timestamp,{'load_kw' if quantity == 'power' else 'kWh'}"
    text = rows(shown.strftime("%Y-%m-%d %H:%M").tolist(), written, head)
    with tempfile.TemporaryDirectory() as folder:
        found = read(Path(folder), text, time_zone=zone, stamps="end" if ends else "start")
    hours = pd.date_range("2024-01-01" if leap else "2023-01-01", periods=len(found), freq="h")
    assert len(found) == (8784 if leap else 8760)
    expected = np.round(60.0 + hours.month * 3.0 + hours.hour + hours.day / 10.0, 2)
    np.testing.assert_allclose(found, expected, atol=2e-4)


HEADS = {
    "date time": (
        "Datum;Uhrzeit",
        "Datum;Zeit (MEZ)",
        "Datum/Uhrzeit",
        "Date;Heure",
        "Date et heure",
        "Fecha;Hora",
        "Data;Ora",
        "Data e ora",
        "Datum;Tijd",
        "Data;Hora",
        "Data/hora",
    ),
    "timestamp": ("Zeitstempel", "Horodatage", "Tijdstip"),
    "start": ("Début", "Von"),
    "date time utc": ("Fecha y hora (UTC)",),
}


@pytest.mark.parametrize(("english", "head"), [(en, one) for en, of in HEADS.items() for one in of])
def test_headings_of_time_in_other_languages(english: str, head: str, tmp_path: Path) -> None:
    assert " ".join(time_words(part) for part in head.split(";")) == english
    date = "31.01.2025;" if ";" in head else "31.01.2025 "
    lines = [f"{date}{hour:02}:00;{hour},5" for hour in range(24)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["Zählerexport;;", f"{head};IT-Leistung (kW)", *lines]), "cp1252")
    seconds = read_stamps(read_table(path, LOAD), LOAD).seconds
    assert seconds[7] == np.datetime64("2025-01-31T07:00:00").astype(int)


def test_words_of_english_are_no_times() -> None:
    assert not [name for name in ("Data hall A kW", "Data center", "Final kW") if is_time(name)]
    assert times_among(("timestamp", "Data")) == [0]


def test_columns_of_time_may_be_named(tmp_path: Path) -> None:
    text = "Export;;\n" + rows(stamped("%Y-%m-%d;%H:%M"), KW, "Giorno;Ore;kW").replace(",", ";")
    with pytest.raises(FacilityError, match=r"0 time columns") as caught:
        read(tmp_path, text)
    assert "it.load_profile.reading.time" in caught.value.hint
    np.testing.assert_allclose(read(tmp_path, text, time="Giorno + Ore"), KW)
    with pytest.raises(FacilityError, match="not name one or two of the columns"):
        read(tmp_path, text, time="Giorni + Ore")


def test_a_fiscal_year_is_rotated_to_january(tmp_path: Path) -> None:
    times = (np.datetime64("2022-07-01T00:00") + np.timedelta64(1, "h") * HOURS).astype(str)
    found = read(tmp_path, rows(times.tolist(), np.arange(8760.0)))
    assert found[0] == 184 * 24
    assert found[181 * 24] == 0.0


@pytest.mark.parametrize(
    ("text", "options", "code", "hint"),
    [
        ("timestamp,a kW,b kW\n", {}, "LOAD_COLUMNS", "it.load_profile.reading.column"),
        ("timestamp,power\n", {}, "LOAD_COLUMNS", "it.load_profile.reading.unit"),
        ("timestamp,a kW\n", {"column": "c"}, "LOAD_COLUMNS", "it.load_profile.reading.column"),
        ("timestamp,a kW\n", {"time_zone": "Mars"}, "LOAD_ROWS", "America/New_York"),
    ],
)
def test_a_question_names_the_field_that_answers_it(
    text: str, options: dict[str, str], code: str, hint: str, tmp_path: Path
) -> None:
    columns = text.count(",")
    text += "\n".join(f"{t}{',70' * columns}" for t in TIMES[:50])
    with pytest.raises(FacilityError) as caught:
        read(tmp_path, text, **options)
    assert caught.value.code == code
    assert hint in caught.value.hint


def test_answers_choose_column_unit_and_year(tmp_path: Path) -> None:
    text = rows([f"{t},1" for t in TIMES], KW, "timestamp,UPS kW,IT")
    assert read(tmp_path, text, column="it", unit="MW")[0] == pytest.approx(KW[0] * 1e3)
    before = TIMES - np.timedelta64(8760, "h")
    two = rows([*before.astype(str), *TIMES.astype(str)], np.concatenate((KW, KW + 1.0)))
    with pytest.raises(FacilityError, match=r"reading\.year") as caught:
        read(tmp_path, two)
    assert caught.value.code == "SERIES_YEAR"
    np.testing.assert_allclose(read(tmp_path, two, year=2023), KW + 1.0)


def test_a_skipped_hour_without_a_repeated_one_is_a_question(tmp_path: Path) -> None:
    """The clock of New York, whose log keeps one of the two readings of the repeated hour."""
    stamps = stamped("%Y-%m-%d %H:%M", "America/New_York")
    kept = dict(zip(stamps, KW.tolist(), strict=True))
    text = rows(list(kept), np.array(list(kept.values())))
    with pytest.raises(FacilityError, match="hour from 12 Mar 02:00 is missing") as caught:
        read(tmp_path, text)
    assert "it.load_profile.reading.time_zone" in caught.value.hint
    found = read(tmp_path, text, time_zone="America/New_York")
    wrong = np.flatnonzero(np.abs(found - KW) > 1e-6)
    assert len(wrong) <= 2
    assert read(tmp_path, text, time_zone="-5").shape == (8760,)


def test_gaps_are_filled_asked_for_or_left_out(tmp_path: Path) -> None:
    line = np.arange(8760.0)
    times = TIMES.astype(str).tolist()
    short = [
        f"{t},{'' if 100 <= n < 106 else v}"
        for n, (t, v) in enumerate(zip(times, line, strict=True))
    ]
    head = "timestamp,load_kw"
    np.testing.assert_allclose(read(tmp_path, "\n".join([head, *short])), line)
    long = "\n".join([head, *short[:200], *short[230:]])
    with pytest.raises(FacilityError, match="30 h from 9 Jan 08:00") as caught:
        read(tmp_path, long)
    assert caught.value.code == "SERIES_GAP"
    np.testing.assert_allclose(read(tmp_path, long, gaps="previous_week")[200:230], line[32:62])
    found = read_series(tmp_path / "log.csv", LOAD, Reading(gaps="leave_out"))
    assert found.measured_h == 8730.0


def test_electricity_maps_headings(tmp_path: Path) -> None:
    head = "Datetime (UTC),Zone,Carbon intensity gCO₂eq/kWh (direct),Carbon intensity (LCA) %"
    path = tmp_path / "US.csv"
    path.write_text(head + "\n" + "\n".join(f"{t},US,360,1" for t in TIMES), encoding="utf-8")
    found = read_series(path, CARBON, Reading(site_h=0.0))
    assert found.values[0] == pytest.approx(1e-7)
