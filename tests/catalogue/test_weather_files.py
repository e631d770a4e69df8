"""EPW and TMY3 files: against pvlib, psychrolib and counted hours; spoiled files are refused."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psychrolib
import pytest

from facility import catalogue
from facility.catalogue.weather import WeatherYear, read_epw, read_weather, station_weather
from facility.catalogue.weather.record import MAX_BYTES
from facility.core.errors import FacilityError
from facility.core.reference import reference_path
from facility.study.annual.zone import thermal_zone
from tests.tools.weather_forms import epw_lines, leap, sub_hourly, tmy3_lines, with_cell

STATIONS = [row.text("station") for row in catalogue.table("weather/stations").rows]
HOURS = {
    row["station"]: row
    for row in csv.DictReader(
        (Path(__file__).parent / "economizer_hours.csv").read_text("utf-8").splitlines()
    )
}


def _plain(station: str) -> bytes:
    return gzip.decompress(reference_path("weather", f"{station}.epw.gz").read_bytes())


def _wet_bulb(weather: WeatherYear) -> np.ndarray:
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


def test_means_of_the_table_and_thermal_zones_by_degree_days() -> None:
    for station in sorted({*STATIONS} - {*HOURS}):
        row, weather = catalogue.table("weather/stations").get(station), station_weather(station)
        days = weather.dry_bulb_c.reshape(-1, 24).mean(axis=1)
        hot = float(np.maximum(days - 10.0, 0.0).sum())
        cold = float(np.maximum(18.0 - days, 0.0).sum())
        zones = {thermal_zone(hot * near, cold * near) for near in (0.91, 1.0, 1.09)}
        assert row.text("climate_zone")[0] in zones, station
        assert row.text("licence")


def test_design_conditions_are_ordered() -> None:
    for row in catalogue.table("weather/stations").rows:
        assert row.si("heating_99_6_db_c") > row.si("extreme_20_year_db_min_c")
        assert row.si("extreme_20_year_db_max_c") > row.si("cooling_0_4_db_c")
        assert row.si("extreme_wet_bulb_max_c") > row.si("wet_bulb_0_4_c")
        assert row.si("wet_bulb_0_4_c") > row.si("cooling_0_4_mcwb_c")
        assert row.si("cooling_0_4_db_c") > row.si("wet_bulb_0_4_mcdb_c")


@pytest.mark.parametrize("station", ["phoenix", "northway"])
def test_against_pvlib(station: str, tmp_path: Path) -> None:
    path = tmp_path / "file.epw"
    path.write_bytes(_plain(station))
    frame, header = pytest.importorskip("pvlib.iotools").read_epw(path)
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
        assert int(hours.sum()) == int(expected[name]), name
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


def test_an_elevation_outside_its_range_is_unknown(lines: list[str]) -> None:
    for text in ("-999", "9999", "99999"):
        weather = read_epw("\n".join(_set(lines, 1, 9, text)).encode())
        assert np.isnan(weather.station.elevation_m)


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
        (lambda s: _set(s, 1, 8, "-999"), "WEATHER_HEADER", "out of range"),
        (lambda s: _set(s, 8, 2, "7"), "WEATHER_HEADER", "records an hour"),
        (lambda s: _set(s, 8, 1, "2"), "WEATHER_HEADER", "one data period"),
        (lambda s: _set(s, 8, 2, "4"), "WEATHER_ROWS", "Line 10"),
        (lambda s: s[:5000], "WEATHER_ROWS", "4,992 records; 8,760"),
        (lambda s: s + s[8:40], "WEATHER_ROWS", "8,792 records; 8,760"),
        (lambda s: [*s[:500], *s[501:]], "WEATHER_ROWS", "Line 501: month 1, day 21, hour 14"),
        (lambda s: _set(s, 100, 6, "150"), "WEATHER_NUMBER", "Line 100, column 7"),
        (lambda s: _set(s, 100, 6, "2_0"), "WEATHER_NUMBER", "Line 100, column 7"),
        (lambda s: _set(s, 100, 8, "-5"), "WEATHER_NUMBER", "Line 100, column 9"),
        (lambda s: [*s[:20], s[21], s[20], *s[22:]], "WEATHER_ROWS", "Line 21"),
        (lambda s: _set(s, 9, 1, "2"), "WEATHER_ROWS", "Line 9: month 2, day 1"),
        (lambda s: _set(s, 9, 3, "one"), "WEATHER_ROWS", "Line 9: columns 2 to 5"),
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
    assert "7 consecutive hours" in caught.value.message


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


_LATER = (
    "DESIGN CONDITIONS,1,2021 ASHRAE Handbook -- Fundamentals - Chapter 14 Climatic Design "
    "Information,,Heating,2,-11.9,-9.2,-15.1,1.1,-10.4,-12.8,1.3,-7.9,10.3,9.2,9.2,7.1,1.8,90,"
    "0.476,Cooling,7,8.8,29.5,19.0,27.7,18.1,26.1,17.5,19.7,27.4,18.9,26.1,18.2,24.4,2.6,270,17.2,"
    "13.1,21.6,16.4,12.5,21.1,15.8,11.9,20.8,58.6,27.5,55.9,26.3,53.3,24.5,22.7,Extremes,7.8,6.4,"
    "5.3,-13.4,33.1,4.3,2.0,-16.5,34.6,-19.0,35.8,-21.4,36.9,-24.5,38.4"
)
"""Munich-Theresienwiese, as its TMYx file of 2021 climatic data writes it."""


def test_design_conditions_of_a_later_edition(lines: list[str]) -> None:
    """The extreme wet bulb ends Cooling there, and the extremes are one fewer."""
    design = read_epw("\n".join([lines[0], _LATER, *lines[2:]]).encode()).design
    assert design is not None
    assert design.extreme_wet_bulb_max_c == 22.7
    assert (design.extreme_20_year_db_min_c, design.extreme_20_year_db_max_c) == (-21.4, 36.9)
    assert (design.cooling_0_4_db_c, design.wet_bulb_0_4_c) == (29.5, 19.7)


@pytest.mark.parametrize(
    "spoiled",
    [_LATER + ",1", _LATER.replace("-21.4", "-1.4"), _LATER.replace("22.7", "12.7"), _LATER[:400]],
    ids=["one too many", "extreme within percentile", "wet bulb within percentile", "cut"],
)
def test_design_conditions_of_no_known_layout_are_not_taken(lines: list[str], spoiled: str) -> None:
    assert read_epw("\n".join([lines[0], spoiled, *lines[2:]]).encode()).design is None


@pytest.mark.parametrize("station", ["fargo", "miami"])
def test_tmy3_against_pvlib_and_the_epw_of_the_same_hours(station: str, tmp_path: Path) -> None:
    path = tmp_path / "723170TYA.CSV"
    path.write_text("\n".join(tmy3_lines(epw_lines(station))))
    weather, epw = read_weather(path), station_weather(station)
    for name in ("dry_bulb_c", "dew_point_c", "relative_humidity", "pressure_pa", "month"):
        np.testing.assert_allclose(getattr(weather, name), getattr(epw, name), rtol=1e-12)
    for name in ("latitude_deg", "longitude_deg", "elevation_m", "time_zone_h", "country"):
        assert getattr(weather.station, name) == getattr(epw.station, name)
    assert weather.station.city.endswith("INTL, AP")
    plain = tmp_path / "plain.csv"
    plain.write_text(path.read_text().replace("INTL, AP", "AP"))
    frame, header = pytest.importorskip("pvlib.iotools").read_tmy3(
        plain, coerce_year=None, map_variables=True
    )
    assert weather.station.elevation_m == header["altitude"]
    np.testing.assert_allclose(weather.dry_bulb_c, frame["temp_air"])
    np.testing.assert_allclose(weather.dew_point_c, frame["temp_dew"])
    capped = np.minimum(frame["relative_humidity"].to_numpy(), 100.0)
    np.testing.assert_allclose(weather.relative_humidity * 100.0, capped)
    np.testing.assert_allclose(weather.pressure_pa, frame["pressure"] * 100.0)
    ending = frame.index - np.timedelta64(1, "h")
    assert list(weather.month) == list(ending.month)


@pytest.mark.parametrize(
    ("line", "column", "text", "code", "said"),
    [
        (1, 5, "north", "WEATHER_HEADER", "Line 1, column 5"),
        (2, 4, "Warmth", "WEATHER_HEADER", "Dry-bulb (C)"),
        (40, 1, "1999-01-02", "WEATHER_ROWS", "Line 40: columns 1 and 2"),
        (40, 2, "13:30", "WEATHER_ROWS", "Line 40: columns 1 and 2"),
        (40, 2, "13:00", "WEATHER_ROWS", "Line 40: month 1, day 2, hour 13"),
        (40, 4, "-90", "WEATHER_NUMBER", "Line 40, column 4"),
        (40, 10, "101325", "WEATHER_NUMBER", "Line 40, column 10"),
    ],
)
def test_a_spoiled_tmy3_is_refused(
    tmp_path: Path, line: int, column: int, text: str, code: str, said: str
) -> None:
    path = tmp_path / "x.csv"
    plain = [x.replace(" INTL, AP", "") for x in tmy3_lines(epw_lines("fargo"))]
    path.write_text("\n".join(with_cell(plain, line, column, text)))
    with pytest.raises(FacilityError) as caught:
        read_weather(path)
    assert caught.value.code == code
    assert said in caught.value.message


def test_missing_values_of_a_tmy3_are_filled(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    spoiled = tmy3_lines(epw_lines("fargo"))
    for line in (50, 51):
        spoiled = with_cell(spoiled, line, 4, "-9900")
    path.write_text("\n".join(spoiled))
    weather, whole = read_weather(path), station_weather("fargo").dry_bulb_c
    assert dict(weather.interpolated) == {"dry_bulb": 2}
    assert weather.dry_bulb_c[47] == pytest.approx(whole[46] + (whole[49] - whole[46]) / 3.0)


@pytest.mark.parametrize("per_hour", [2, 4, 12])
def test_records_of_parts_of_an_hour(lines: list[str], per_hour: int) -> None:
    plain = [line.rstrip("\r") for line in lines if line]
    found = read_epw("\n".join(sub_hourly(plain, per_hour)).encode())
    assert len(found) == 8760 * per_hour
    assert found.step_s == 3600.0 / per_hour
    assert found.step_h * len(found) == pytest.approx(8760)
    each = np.repeat(station_weather("fargo").dry_bulb_c, per_hour)
    np.testing.assert_array_equal(found.dry_bulb_c, each)
    np.testing.assert_array_equal(found.month, np.repeat(station_weather("fargo").month, per_hour))


def test_minutes_out_of_order_are_refused(lines: list[str]) -> None:
    plain = sub_hourly([line.rstrip("\r") for line in lines if line], 4)
    assert read_epw("\n".join(with_cell(plain, 12, 5, "0")).encode()).step_s == 900.0
    for line, said in ((10, "Line 10"), (11, "Line 11")):
        with pytest.raises(FacilityError) as caught:
            read_epw("\n".join(with_cell(plain, line, 5, "15")).encode())
        assert caught.value.code == "WEATHER_ROWS"
        assert said in caught.value.message


def test_a_leap_year_has_a_day_more(lines: list[str]) -> None:
    plain = [line.rstrip("\r") for line in lines if line]
    found = read_epw("\n".join(leap(plain)).encode())
    assert len(found) == 8784
    assert [int((found.month == month).sum()) for month in (1, 2, 3)] == [744, 696, 744]
    with pytest.raises(FacilityError) as caught:
        read_epw("\n".join(leap(plain)[:-24]).encode())
    assert "8,760 records; 8,784" in caught.value.message


@pytest.mark.parametrize("text", ["", "999", "9999", "99999", "999999", "-9999"])
def test_numbers_that_mean_missing(lines: list[str], text: str) -> None:
    """99999 Pa is a pressure; every other one is out of range of its field."""
    for column, name in ((7, "dry_bulb"), (9, "relative_humidity"), (10, "pressure")):
        weather = read_epw("\n".join(with_cell(lines, 60, column, text)).encode())
        is_pressure = name == "pressure" and text == "99999"
        assert dict(weather.interpolated) == ({} if is_pressure else {name: 1})


def test_a_pressure_missing_all_year_is_left_open(lines: list[str]) -> None:
    rows = [line.split(",") for line in lines[8:] if line]
    for row in rows:
        row[9] = "999999"
    weather = read_epw("\n".join([*lines[:8], *(",".join(row) for row in rows)]).encode())
    assert np.isnan(weather.pressure_pa).all()
    assert dict(weather.interpolated) == {"pressure": 8760}
