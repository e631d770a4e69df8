"""Weather of a logger: the hours of a station in other units and columns, and its questions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facility.catalogue.series import Reading
from facility.catalogue.weather import read_weather, station_weather
from facility.core.errors import FacilityError
from facility.files.project.file import load_project
from facility.study.design.design import design

STATION = station_weather("phoenix")
TIMES = np.datetime64("2023-01-01T00:00") + np.timedelta64(1, "h") * np.arange(8760)
DESIGN = STATION.design
assert DESIGN is not None
SITE = (
    f"country: US, elevation: {STATION.station.elevation_m} m, "
    f"design_dry_bulb: {DESIGN.extreme_20_year_db_max_c} degC, "
    f"design_wet_bulb: {DESIGN.extreme_wet_bulb_max_c} degC, "
    f"coldest_dry_bulb: {DESIGN.extreme_20_year_db_min_c} degC"
)


def written(folder: Path, head: str, *columns: np.ndarray) -> Path:
    path = folder / "logger.csv"
    cells = zip(TIMES, *(column.round(4).tolist() for column in columns), strict=True)
    path.write_text("\n".join([head, *(",".join(map(str, row)) for row in cells)]))
    return path


def test_humidity_or_dew_point_in_other_units(tmp_path: Path) -> None:
    fahrenheit = STATION.dry_bulb_c * 1.8 + 32.0
    humid = written(tmp_path, "time,Outdoor degF,RH %", fahrenheit, STATION.relative_humidity * 100)
    found = read_weather(humid)
    np.testing.assert_allclose(found.dry_bulb_c, STATION.dry_bulb_c, atol=1e-4)
    np.testing.assert_allclose(found.relative_humidity, STATION.relative_humidity, atol=1e-6)
    dew = written(
        tmp_path, "time,dew point (C),dry bulb (C)", STATION.dew_point_c, STATION.dry_bulb_c
    )
    found = read_weather(dew)
    np.testing.assert_allclose(found.dew_point_c, STATION.dew_point_c, atol=1e-4)
    assert list(found.month) == list(STATION.month)


def test_the_year_of_a_logger_is_that_of_its_station(tmp_path: Path) -> None:
    """The hours of Phoenix as a log: PUE within 0.1 % of the station, whose pressure varies."""
    written(tmp_path, "time,dry C,RH %", STATION.dry_bulb_c, STATION.relative_humidity * 100)
    pues = []
    for site in (f"weather_file: logger.csv, {SITE}", "station: phoenix"):
        path = tmp_path / "p.yaml"
        path.write_text(
            f"schema_version: 1\nsite: {{{site}}}\nit: {{gpu_model: H100 SXM5, gpus: 64}}\n"
        )
        year = design(load_project(path)).year
        assert year is not None
        pues.append(float(year.results["pue.annual"].si))  # type: ignore[arg-type]
    assert pues[0] == pytest.approx(pues[1], rel=1e-3)


def test_hours_of_the_weather_are_not_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "time,dry C,RH %", STATION.dry_bulb_c, STATION.relative_humidity * 100)
    rows = path.read_text().split("\n")
    path.write_text("\n".join([*rows[:99], *rows[200:]]))
    for gaps in ("", "leave_out"):
        with pytest.raises(FacilityError) as caught:
            read_weather(path, "site.weather_file", Reading(gaps=gaps))
        assert caught.value.code == "SERIES_GAP"
    found = read_weather(path, "site.weather_file", Reading(gaps="previous_week"))
    assert found.interpolated == {"dry_bulb": 101, "relative_humidity": 101}


@pytest.mark.parametrize(
    ("head", "code", "hint"),
    [
        ("time,a degC,b degC", "WEATHER_HEADER", "site.weather_reading.column"),
        ("time,a degC,b kW", "WEATHER_HEADER", "relative_humidity_percent"),
    ],
)
def test_a_logger_asks(head: str, code: str, hint: str, tmp_path: Path) -> None:
    path = written(tmp_path, head, STATION.dry_bulb_c, STATION.dew_point_c)
    with pytest.raises(FacilityError) as caught:
        read_weather(path, "site.weather_file", Reading())
    assert caught.value.code == code
    assert hint in caught.value.hint
