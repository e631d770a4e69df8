"""The weather file of a project: read once, and completed with what its place tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from facility.catalogue.user_file import read_once
from facility.catalogue.weather import WeatherYear, read_weather
from facility.core.kinds import FloatArray
from facility.model.inputs.site import SiteSection
from facility.physics.air.psychrometrics import (
    humidity_ratio,
    relative_humidity,
    standard_pressure,
)

_WHERE = "site.weather_file"
_SATURATED = 1.0


def file_weather(section: SiteSection) -> WeatherYear:
    """Return the year of the weather file of the project, complete.

    Raises ``WEATHER_*`` for a file that cannot be used.
    """
    return _read(section.folder / (section.weather_file or ""))


@read_once
def _read(path: Path) -> WeatherYear:
    """Return the year of a weather file, complete."""
    return completed(read_weather(path, _WHERE))


def completed(weather: WeatherYear) -> WeatherYear:
    """Return a record with the pressure of its height and the humidity of its dew point.

    They stand in where the file lacks them for longer than is interpolated.
    """
    pressure_pa, humid = weather.pressure_pa, weather.relative_humidity
    of_height = float(standard_pressure.si(weather.station.elevation_m))
    pressure_pa = np.where(np.isnan(pressure_pa), of_height, pressure_pa)
    if np.any(np.isnan(humid)):
        dew_c = np.minimum(weather.dew_point_c, weather.dry_bulb_c)
        ratio = humidity_ratio.si(dew_c, _SATURATED, pressure_pa)
        of_dew = np.minimum(relative_humidity.si(weather.dry_bulb_c, ratio, pressure_pa), 1.0)
        humid = np.where(np.isnan(humid), of_dew, humid)
    return replace(weather, pressure_pa=_frozen(pressure_pa), relative_humidity=_frozen(humid))


def _frozen(values: FloatArray) -> FloatArray:
    values.setflags(write=False)
    return values


def filled_words(weather: WeatherYear) -> str:
    """Return what the file lacks and how it was filled; empty for a complete one."""
    ways = {"pressure": "interpolated, else that of the height"} | {
        "relative_humidity": "interpolated, else from the dew point"
    }
    return "; ".join(
        f"{name.replace('_', ' ')} of {count * weather.step_h:,g} hours missing, "
        f"{ways.get(name, 'interpolated')}"
        for name, count in weather.interpolated.items()
    )
