"""Cases of the hourly weather files: means, extremes and hours below a limit."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from facility.catalogue.weather import WeatherYear, station_weather
from facility.core.kinds import FloatArray
from facility.physics.air.psychrometrics import humidity_ratio, wet_bulb
from facility.study.verification.inputs import CaseFunctions

_HOUR_S = 3600.0


@lru_cache(maxsize=4)
def _weather(station: str) -> WeatherYear:
    return station_weather(station)


@lru_cache(maxsize=4)
def _wet_bulb(station: str) -> FloatArray:
    air = _weather(station)
    ratio = humidity_ratio.si(air.dry_bulb_c, air.relative_humidity, air.pressure_pa)
    return np.asarray(wet_bulb.si(air.dry_bulb_c, ratio, air.pressure_pa))


def _hours(
    station: str,
    dry_bulb_c: float = math.inf,
    wet_bulb_c: float = math.inf,
    dew_point_c: float = math.inf,
) -> float:
    air = _weather(station)
    within = (air.dry_bulb_c <= dry_bulb_c) & (air.dew_point_c <= dew_point_c)
    if math.isfinite(wet_bulb_c):
        within &= _wet_bulb(station) <= wet_bulb_c
    return float(within.sum()) * _HOUR_S


FUNCTIONS: CaseFunctions = {
    "weather.rows": ("count", lambda station: len(_weather(station))),
    "weather.dry_bulb_least": ("temperature", lambda station: _weather(station).dry_bulb_c.min()),
    "weather.dry_bulb_mean": ("temperature", lambda station: _weather(station).dry_bulb_c.mean()),
    "weather.dry_bulb_greatest": ("temperature", lambda **of: _weather(**of).dry_bulb_c.max()),
    "weather.wet_bulb_mean": ("temperature", lambda station: _wet_bulb(station).mean()),
    "weather.wet_bulb_greatest": ("temperature", lambda station: _wet_bulb(station).max()),
    "weather.pressure_mean": ("pressure", lambda station: _weather(station).pressure_pa.mean()),
    "weather.hours": ("time", _hours),
}
