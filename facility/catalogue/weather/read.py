"""Reading a year of weather, whatever its file is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from facility.catalogue.loader import catalogue
from facility.catalogue.weather.columns import Field, Records, month_of_each, values_of
from facility.catalogue.weather.epw import FIELDS, epw_records
from facility.catalogue.weather.odd import odd_places
from facility.catalogue.weather.record import HOUR_S, DesignConditions, Station, WeatherYear
from facility.catalogue.weather.text import lines_of
from facility.catalogue.weather.tmy3 import PASCAL_PER_MBAR, tmy3_records
from facility.core.kinds import FloatArray
from facility.core.reference import reference_path

_EPW_WORD = "LOCATION"


def station_weather(key: str, where: str = "site.weather") -> WeatherYear:
    """Return the weather of a station of the table ``weather/stations``.

    Raises ``UNKNOWN_MODEL`` at `where` for a station the package does not carry.
    """
    row = catalogue().table("weather/stations").get(key, where)
    return _carried(row.text("file"))


@lru_cache(maxsize=8)
def _carried(file: str) -> WeatherYear:
    """Return a file that the package carries; its arrays cannot be written to."""
    return read_epw(reference_path("weather", file))


def read_weather(source: Path, where: str = "site.weather") -> WeatherYear:
    """Return the weather of an EPW or a TMY3 file, by its name and its first word.

    Raises as `read_epw`.
    """
    named = source.name.lower().removesuffix(".gz")
    lines = lines_of(source, where)
    if named.endswith(".epw") or lines[0].upper().startswith(_EPW_WORD):
        return _epw(lines, where)
    return _tmy3(lines, where)


def read_epw(source: Path | bytes, where: str = "site.weather") -> WeatherYear:
    """Return the weather of an EPW file, plain or gzipped, given by path or as bytes.

    source: The file or its content.
    where: Field of the project that names it, for the messages.

    Raises ``WEATHER_FILE`` (unreadable, binary, too large), ``WEATHER_HEADER``, ``WEATHER_ROWS``
    (not a whole year, steps out of order), ``WEATHER_NUMBER`` (not a number, out of range) or
    ``WEATHER_GAP`` (more than `MAX_GAP_HOURS` hours missing on end).
    """
    return _epw(lines_of(source, where), where)


def _epw(lines: list[str], where: str) -> WeatherYear:
    station, design, records, stamps = epw_records(lines, where)
    return _weather(records, (station, design), month_of_each(records, stamps), FIELDS, 1.0)


def _tmy3(lines: list[str], where: str) -> WeatherYear:
    station, fields, records, stamps = tmy3_records(lines, where)
    month = month_of_each(records, stamps)
    return _weather(records, (station, None), month, fields, PASCAL_PER_MBAR)


def _weather(
    records: Records,
    place: tuple[Station, DesignConditions | None],
    month: npt.NDArray[np.int64],
    fields: Mapping[str, Field],
    pressure_pa: float,
) -> WeatherYear:
    """Return the record of the fields; `pressure_pa` is the unit of its pressure."""
    columns: dict[str, FloatArray] = {}
    missing: dict[str, int] = {}
    for name, field in fields.items():
        whole = name in ("dry_bulb", "dew_point")
        columns[name], lacking = values_of(records, field, whole=whole)
        if lacking:
            missing[name] = lacking
    return WeatherYear(
        station=place[0],
        design=place[1],
        dry_bulb_c=_frozen(columns["dry_bulb"]),
        dew_point_c=_frozen(columns["dew_point"]),
        relative_humidity=_frozen(np.minimum(columns["relative_humidity"], 100.0) / 100.0),
        pressure_pa=_frozen(columns["pressure"] * pressure_pa),
        month=month,
        interpolated=missing,
        step_s=HOUR_S / records.per_hour,
        odd=odd_places(records, fields, columns, place[1]),
    )


def _frozen(values: FloatArray) -> FloatArray:
    values.setflags(write=False)
    return values
