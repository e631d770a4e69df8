"""EPW files: against pvlib, psychrolib and counted hours; spoiled files are refused."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psychrolib
import pytest
from pvlib.iotools import read_epw as pvlib_read_epw

from facility import catalogue
from facility.catalogue.weather import MAX_BYTES, Weather, read_epw, station_weather
from facility.core.errors import FacilityError
from facility.core.reference import reference_path

STATIONS = [row.text("station") for row in catalogue.table("weather/stations").rows]
HOURS = {
    row["station"]: row
    for row in csv.DictReader(
        (Path(__file__).parent / "economizer_hours.csv").read_text("utf-8").splitlines()
    )
}
HOURS_TOLERANCE = 5  # the counts depend on rounding at the threshold


def _plain(station: str) -> bytes:
    return gzip.decompress(reference_path("weather", f"{station}.epw.gz").read_bytes())


def _wet_bulb(weather: Weather) -> np.ndarray:
    psychrolib.SetUnitSystem(psychrolib.SI)
    columns = (weather.dry_bulb_c, weather.relative_humidity, weather.pressure_pa)
    return np.array(
        [psychrolib.GetTWetBulbFromRelHum(*hour) for hour in zip(*columns, strict=True)]
    )


@pytest.mark.parametrize("station", STATIONS)
def test_header_agrees_with_the_station_table(station: str) -> None:
    row = catalogue.table("weather/stations").get(station)
    weather = station_weather(station)
    assert len(weather) == 8760
    assert not weather.interpolated
    assert weather.station.wmo == row["wmo"]
    assert weather.station.latitude_deg == row["latitude_deg"]
    assert weather.station.longitude_deg == row["longitude_deg"]
    assert weather.station.elevation_m == row.si("elevation_m")
    assert weather.design is not None
    assert weather.design.edition in row.text("notes")
    for column in row.schema.columns:
        if hasattr(weather.design, column):
            assert getattr(weather.design, column) == row[column], column
    assert float(weather.dry_bulb_c.mean()) == pytest.approx(row.si("mean_db_c"), abs=6e-4)
    assert not weather.dry_bulb_c.flags.writeable


def test_design_conditions_are_ordered() -> None:
    for row in catalogue.table("weather/stations").rows:
        assert row.si("heating_99_6_db_c") > row.si("extreme_20_year_db_min_c")
        assert row.si("extreme_20_year_db_max_c") > row.si("cooling_0_4_db_c")
        assert row.si("extreme_wet_bulb_max_c") > row.si("wet_bulb_0_4_c")
        assert row.si("wet_bulb_0_4_c") > row.si("cooling_0_4_mcwb_c")
        assert row.si("cooling_0_4_db_c") > row.si("wet_bulb_0_4_mcdb_c")


@pytest.mark.parametrize("station", STATIONS)
def test_against_pvlib(station: str, tmp_path: Path) -> None:
    path = tmp_path / "file.epw"
    path.write_bytes(_plain(station))
    frame, header = pvlib_read_epw(path)
    weather = read_epw(path)
    assert weather.station.city == header["city"]
    np.testing.assert_allclose(weather.dry_bulb_c, frame["temp_air"])
    np.testing.assert_allclose(weather.dew_point_c, frame["temp_dew"])
    capped = np.minimum(frame["relative_humidity"].to_numpy(), 100.0)
    np.testing.assert_allclose(weather.relative_humidity * 100.0, capped)
    np.testing.assert_allclose(weather.pressure_pa, frame["atmospheric_pressure"])


@pytest.mark.parametrize("station", sorted(HOURS))
def test_counted_hours(station: str) -> None:
    expected = HOURS[station]
    weather = station_weather(station)
    dry, dew = weather.dry_bulb_c, weather.dew_point_c
    assert float(dry.mean()) == pytest.approx(float(expected["tdb_mean"]), abs=6e-4)
    assert float(weather.pressure_pa.mean()) == pytest.approx(float(expected["p_mean_pa"]), abs=0.6)
    counts = {f"h_tdb_le_{limit}": dry <= limit for limit in (0, 18, 24, 27, 30, 32, 37)}
    counts["h_airside_rec_tdb27_dp15"] = (dry <= 27.0) & (dew <= 15.0)
    counts["h_airside_a1_tdb32_dp17"] = (dry <= 32.0) & (dew <= 17.0)
    counts["h_airside_a2_tdb35_dp21"] = (dry <= 35.0) & (dew <= 21.0)
    wet = _wet_bulb(weather)
    counts |= {f"h_twb_le_{limit}": wet <= limit for limit in (12, 18, 22, 26)}
    counts["h_twb_le_12.78_55f"] = wet <= 12.78
    for name, hours in counts.items():
        assert abs(int(hours.sum()) - int(expected[name])) <= HOURS_TOLERANCE, name
    row = catalogue.table("weather/stations").get(station)
    assert float(wet.mean()) == pytest.approx(row.si("mean_wb_c"), abs=6e-4)
    assert float(wet.mean()) == pytest.approx(float(expected["twb_mean"]), abs=6e-4)


def test_unknown_station_names_the_known_ones() -> None:
    with pytest.raises(FacilityError) as caught:
        station_weather("ashbrun", "site.weather")
    assert caught.value.code == "UNKNOWN_MODEL"
    assert "ashburn" in caught.value.hint


Spoil = Callable[[list[str]], list[str]]


def _set(lines: list[str], line: int, field: int, text: str) -> list[str]:
    cells = lines[line - 1].split(",")
    cells[field] = text
    return [*lines[: line - 1], ",".join(cells), *lines[line:]]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return _plain("fargo").decode("utf-8").split("\n")


def test_bytes_and_gzipped_bytes_are_accepted(lines: list[str]) -> None:
    content = "\r\n".join(lines).encode()
    plain, packed = read_epw(content), read_epw(gzip.compress(content))
    np.testing.assert_array_equal(plain.dry_bulb_c, packed.dry_bulb_c)
    assert plain.month[0] == 1
    assert plain.month[-1] == 12


def test_humidity_is_capped(lines: list[str]) -> None:
    weather = read_epw("\n".join(_set(lines, 9, 8, "108")).encode())
    assert weather.relative_humidity[0] == 1.0


def test_short_gaps_are_filled_and_counted(lines: list[str]) -> None:
    spoiled = lines
    for line in (20, 21):
        spoiled = _set(spoiled, line, 6, "99.9")
    spoiled = _set(spoiled, 30, 9, "999999")
    weather = read_epw("\n".join(spoiled).encode())
    assert dict(weather.interpolated) == {"dry_bulb": 2, "pressure": 1}
    before, after = (float(lines[i].split(",")[6]) for i in (18, 21))
    assert weather.dry_bulb_c[11] == pytest.approx(before + (after - before) / 3.0)


@pytest.mark.parametrize(
    ("spoil", "code", "text"),
    [
        (lambda s: s[:5], "WEATHER_HEADER", "Line 6"),
        (lambda s: s[1:], "WEATHER_HEADER", "Line 1"),
        (lambda s: _set(s, 1, 6, "north"), "WEATHER_HEADER", "'north'"),
        (lambda s: _set(s, 1, 6, "nan"), "WEATHER_HEADER", "'nan'"),
        (lambda s: _set(s, 1, 6, "95"), "WEATHER_HEADER", "out of range"),
        (lambda s: _set(s, 8, 2, "4"), "WEATHER_HEADER", "one record an hour"),
        (lambda s: s[:5000], "WEATHER_ROWS", "4992 hours"),
        (lambda s: s + s[8:40], "WEATHER_ROWS", "8,784"),
        (lambda s: [*s[:20], s[21], s[20], *s[22:]], "WEATHER_ROWS", "Line 21"),
        (lambda s: _set(s, 9, 1, "2"), "WEATHER_ROWS", "Months"),
        (lambda s: _set(s, 9, 3, "one"), "WEATHER_ROWS", "month, day and hour"),
        (lambda s: _set(s, 100, 6, "warm"), "WEATHER_NUMBER", "Line 100"),
        (lambda s: _set(s, 100, 6, "nan"), "WEATHER_NUMBER", "Line 100"),
        (lambda s: _set(s, 100, 6, "inf"), "WEATHER_NUMBER", "Line 100"),
        (lambda s: _set(s, 100, 6, "-80"), "WEATHER_NUMBER", "Line 100"),
        (lambda s: _set(s, 100, 9, "1013"), "WEATHER_NUMBER", "Line 100"),
        (lambda s: [*s[:99], "1999,1,4,20,0", *s[100:]], "WEATHER_NUMBER", "Line 100"),
    ],
)
def test_a_spoiled_file_is_refused(lines: list[str], spoil: Spoil, code: str, text: str) -> None:
    with pytest.raises(FacilityError) as caught:
        read_epw("\n".join(spoil(lines)).encode(), "site.weather")
    assert caught.value.code == code
    assert caught.value.where == "site.weather"
    assert text in caught.value.message
    assert caught.value.exit_code == 6


def test_a_long_gap_is_refused(lines: list[str]) -> None:
    spoiled = lines
    for line in range(20, 27):
        spoiled = _set(spoiled, line, 7, "99.9")
    with pytest.raises(FacilityError) as caught:
        read_epw("\n".join(spoiled).encode())
    assert caught.value.code == "WEATHER_GAP"
    assert "7 hours" in caught.value.message


@pytest.mark.parametrize(
    "content",
    [b"\0\1\2", b"\x1f\x8bnot gzip", gzip.compress(b"x" * (MAX_BYTES + 1)), b"x" * (MAX_BYTES + 1)],
    ids=["binary", "broken gzip", "gzip bomb", "too large"],
)
def test_hostile_content_is_refused(content: bytes) -> None:
    with pytest.raises(FacilityError) as caught:
        read_epw(content)
    assert caught.value.code == "WEATHER_FILE"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FacilityError) as caught:
        read_epw(tmp_path / "none.epw")
    assert caught.value.code == "WEATHER_FILE"


def test_a_header_without_design_conditions_is_accepted(lines: list[str]) -> None:
    spoiled = [lines[0], "DESIGN CONDITIONS,0", *lines[2:]]
    assert read_epw("\n".join(spoiled).encode()).design is None
