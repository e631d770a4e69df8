"""Frames of pvlib become weather files: read back by pvlib, dew points by psychrolib."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TypedDict

import numpy as np
import pandas as pd
import psychrolib
import pytest

import facility
from facility.catalogue.weather import read_epw
from facility.core.errors import FacilityError
from facility.core.reference import reference_path


class Site(TypedDict):
    latitude: float
    longitude: float
    elevation: float
    utc_offset: float


SITE: Site = {"latitude": 33.45, "longitude": -111.98, "elevation": 337.0, "utc_offset": -7.0}


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Return the year of Phoenix as pvlib reads it: months of several years."""
    path = tmp_path_factory.mktemp("epw") / "phoenix.epw"
    path.write_bytes(gzip.decompress(reference_path("weather", "phoenix.epw.gz").read_bytes()))
    frame, _ = pytest.importorskip("pvlib.iotools").read_epw(path)
    return frame.rename(columns={"atmospheric_pressure": "pressure"})


def read_back(path: Path) -> dict[str, np.ndarray]:
    weather = read_epw(path)
    return {
        "dry": weather.dry_bulb_c,
        "dew": weather.dew_point_c,
        "humid": weather.relative_humidity,
        "pressure": weather.pressure_pa,
    }


def same(found: dict[str, np.ndarray], **near: float) -> None:
    known = read_epw(reference_path("weather", "phoenix.epw.gz"))
    expected = (known.dry_bulb_c, known.dew_point_c, known.relative_humidity, known.pressure_pa)
    for (name, values), other in zip(found.items(), expected, strict=True):
        np.testing.assert_allclose(values, other, atol=near.get(name, 0.01), err_msg=name)


def test_local_and_utc_times_give_the_file_they_came_from(
    phoenix: pd.DataFrame, tmp_path: Path
) -> None:
    local = facility.weather_from_frame(phoenix, tmp_path / "local.epw", **SITE)
    same(read_back(local), pressure=1.0)
    # PVGIS: UTC, all in one year, so that the last evening of December stands in January.
    utc = phoenix.tz_convert("UTC")
    utc.index = pd.DatetimeIndex([stamp.replace(year=2023) for stamp in utc.index])
    utc = utc.sort_index()
    same(read_back(facility.weather_from_frame(utc, tmp_path / "utc.epw", **SITE)), pressure=1.0)


def test_dew_point_follows_from_humidity_and_pressure_in_mbar(
    phoenix: pd.DataFrame, tmp_path: Path
) -> None:
    some = phoenix[["temp_air", "relative_humidity", "pressure"]].copy()
    some["pressure"] /= 100.0
    found = read_back(facility.weather_from_frame(some, tmp_path / "a.epw", **SITE))
    psychrolib.SetUnitSystem(psychrolib.SI)
    for hour in (0, 3000, 5000, 8759):
        row = some.iloc[hour]
        dew = psychrolib.GetTDewPointFromRelHum(row["temp_air"], row["relative_humidity"] / 100.0)
        assert found["dew"][hour] == pytest.approx(dew, abs=0.02)
    assert found["pressure"][0] == pytest.approx(phoenix["pressure"].iloc[0], abs=1.0)


def test_the_file_is_the_weather_of_a_project(phoenix: pd.DataFrame, tmp_path: Path) -> None:
    path = facility.weather_from_frame(phoenix, tmp_path / "mine.epw", **SITE)
    project = tmp_path / "p.yaml"
    project.write_text(
        "schema_version: 1\nit: {gpu_model: H100 SXM5, gpus: 8}\nsite: {weather_file: mine.epw, "
        "country: US, design_dry_bulb: 48.7 degC, design_wet_bulb: 27.7 degC}\n"
    )
    made = facility.design(facility.load_project(project))
    assert float(facility.annual(made).results["pue.annual"].si) > 1.0
    with pytest.raises(FacilityError) as caught:
        facility.weather_from_frame(phoenix, path, **SITE)
    assert caught.value.code == "FILE_EXISTS"


@pytest.mark.parametrize(
    "spoil", ["short", "no dry bulb", "twice", "numbers", "pressure", "offset"]
)
def test_other_frames_are_rejected(spoil: str, phoenix: pd.DataFrame, tmp_path: Path) -> None:
    frame, site = phoenix.copy(), SITE.copy()
    if spoil == "short":
        frame = frame.iloc[:5000]
    elif spoil == "no dry bulb":
        frame = frame.drop(columns="temp_air")
    elif spoil == "twice":
        frame.index = frame.index[:-1].append(frame.index[:1])
    elif spoil == "numbers":
        frame = frame.reset_index(drop=True)
    elif spoil == "pressure":
        frame["pressure"] = 1.0
    else:
        site["utc_offset"] = 30.0
    with pytest.raises(FacilityError) as caught:
        facility.weather_from_frame(frame, tmp_path / "a.epw", **site)
    assert caught.value.code == "WEATHER_FRAME"
    assert not list(tmp_path.iterdir())
