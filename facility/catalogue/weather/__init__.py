"""Hourly weather: EPW and TMY3 files, carried with the package or given by the user."""

from facility.catalogue.weather.read import read_epw, read_weather, station_weather
from facility.catalogue.weather.record import DesignConditions, Station, WeatherYear

__all__ = [
    "DesignConditions",
    "Station",
    "WeatherYear",
    "read_epw",
    "read_weather",
    "station_weather",
]
