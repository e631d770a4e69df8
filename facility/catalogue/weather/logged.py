"""Weather of a logger: a CSV file of times, dry bulb and humidity or dew point."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from facility.catalogue.schema import refuse
from facility.catalogue.series.plausible import JUMP as JUMPS
from facility.catalogue.series.plausible import STUCK as STUCK_VALUES
from facility.catalogue.series.read import headings_of, read_series
from facility.catalogue.series.roles import AIR, HUMIDITY, Reading, plain
from facility.catalogue.weather.record import Station, WeatherYear, frozen

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_DAYS = 366
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_OTHER = re.compile(r"\b(dew|wet|indoor|supply|return|water|setpoint|max|min)\b")
_DEW = re.compile(r"\bdew\b")
_TIMES_OF_TMY3 = "Date (MM/DD/YYYY)"


def is_logged(lines: Sequence[str]) -> bool:
    """Return whether a CSV file is not a TMY3 file."""
    return len(lines) < 2 or _TIMES_OF_TMY3 not in lines[1]


def logged_weather(path: Path, reading: Reading) -> WeatherYear:
    """Return the weather year of a logger; its place is not in the file.

    Elevation, coordinates and time zone are NaN, pressure is NaN, and dew point or relative
    humidity is NaN where the file has one of them only.

    Raises ``WEATHER_*`` and ``SERIES_*`` for a file that cannot be used.
    """
    state = path.stat()
    return _logged(path, reading, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _logged(path: Path, reading: Reading, _changed_ns: int, _size: int) -> WeatherYear:
    temperatures = headings_of(path, AIR, reading.time)
    dry = [name for name in temperatures if not _OTHER.search(plain(name))]
    column = reading.column or (dry[0] if len(dry) == 1 else "")
    air = read_series(path, AIR, replace(reading, column=column))
    dew = [name for name in temperatures if _DEW.search(plain(name))]
    humid = [] if dew else headings_of(path, HUMIDITY, reading.time)
    if not dew and not humid:
        AIR.refuse(
            AIR.columns,
            ": row 1",
            "no column for dew point or relative humidity.",
            "Add a column such as dew_point_degc or relative_humidity_percent.",
        )
    role, name = (AIR, dew[0]) if dew else (HUMIDITY, humid[0])
    other = read_series(path, role, replace(reading, column=name))
    if not (air.measured.all() and other.measured.all()):
        refuse(
            "SERIES_GAP",
            AIR.option("gaps"),
            "weather hours cannot be left out: every hour is simulated.",
            "Enter previous_week or mean, or use a complete file.",
        )
    days = np.array(_MONTH_DAYS)
    days[1] += air.days == _LEAP_DAYS
    month = np.repeat(np.arange(1, 13), days * 86_400 // air.step_s)
    month.setflags(write=False)
    weekday = "" if air.first_day is None else _WEEKDAYS[air.first_day]
    found = {one.kind: one.words for one in air.findings}
    none = frozen(np.full(len(air.values), math.nan))
    missing = {"dry_bulb": air.missing, "dew_point" if dew else "relative_humidity": other.missing}
    return WeatherYear(
        station=Station(path.stem[:60], "", "", "logger", "", *(math.nan,) * 4, weekday),
        design=None,
        dry_bulb_c=air.values,
        dew_point_c=other.values if dew else none,
        relative_humidity=none if dew else frozen(np.minimum(other.values, 1.0)),
        pressure_pa=none,
        month=month,
        interpolated={field: count for field, count in missing.items() if count},
        step_s=float(air.step_s),
        odd={"jump": found.get(JUMPS, ""), "stuck": found.get(STUCK_VALUES, ""), "extreme": None},
    )
