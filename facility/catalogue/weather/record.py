"""A weather record independent of its file type, and the cells it is read from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from facility.catalogue.schema import refuse
from facility.catalogue.user_file import capped, reason
from facility.core.kinds import FloatArray

HOUR_S = 3600.0


@dataclass(frozen=True)
class Station:
    """Location of a weather record: place, coordinates and elevation."""

    city: str
    region: str
    country: str
    data_source: str
    wmo: str
    latitude_deg: float
    longitude_deg: float
    time_zone_h: float
    elevation_m: float  # NaN where the header states none in its range, as -999
    first_day: str = ""  # Day of the week on which the file begins, as it states it


@dataclass(frozen=True)
class DesignConditions:
    """Design conditions of the ASHRAE climatic data in an EPW header, all in degC."""

    edition: str  # Data set named by the header
    heating_99_6_db_c: float  # Dry bulb exceeded 99.6 % of the year
    cooling_0_4_db_c: float  # Dry bulb exceeded 0.4 % of the year
    cooling_0_4_mcwb_c: float  # Mean wet bulb coincident with it
    wet_bulb_0_4_c: float  # Wet bulb exceeded 0.4 % of the year
    wet_bulb_0_4_mcdb_c: float  # Mean dry bulb coincident with it
    extreme_wet_bulb_max_c: float  # Extreme maximum wet bulb
    # Extreme annual dry bulb with a return period of 20 years.
    extreme_20_year_db_min_c: float
    extreme_20_year_db_max_c: float


@dataclass(frozen=True, eq=False)
class WeatherYear:
    """One year of weather, step by step. Element i is for the step that ends i + 1 steps on.

    Pressure and humidity are NaN where a gap is too long to interpolate; they are then derived from
    elevation and dew point (`facility.study.resolve.site`).
    """

    station: Station  # Place of the record
    design: DesignConditions | None  # Design conditions of the header, None when it carries none
    dry_bulb_c: FloatArray  # Dry bulb, in degC
    dew_point_c: FloatArray  # Dew point, in degC
    relative_humidity: FloatArray  # Relative humidity, 0 to 1
    pressure_pa: FloatArray  # Station pressure, in Pa
    month: npt.NDArray[np.int64]  # Month of each step, 1 to 12
    # Steps that the file lacks and that were filled, by field; empty for a complete record.
    interpolated: Mapping[str, int]
    step_s: float = HOUR_S  # How long each step lasts; an hour or a whole part of one
    # Implausible values by kind, with line and column: `facility.catalogue.weather.read`.
    odd: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def step_h(self) -> float:
        """Step duration [h]."""
        return self.step_s / HOUR_S

    def __len__(self) -> int:
        return int(self.dry_bulb_c.size)


MAX_BYTES = 32_000_000
MAX_LINES = 106_000
"""A leap year of steps of five minutes, and a header."""


def lines_of(source: Path | bytes, where: str) -> list[str]:
    """Return the lines of a file given by path or as bytes.

    Raises ``WEATHER_FILE`` for one that is unreadable, binary or too large.
    """
    try:
        content = capped(source, MAX_BYTES)
    except OSError as error:
        refuse(
            "WEATHER_FILE",
            where,
            f"The weather file cannot be read: {reason(error)}.",
            "Put it in the folder of the project file, or of the workbook or report.",
        )
    if b"\0" in content:
        refuse("WEATHER_FILE", where, "The weather file is binary; expected text.")
    if content.count(b"\n") > MAX_LINES:
        refuse("WEATHER_FILE", where, f"The weather file has more than {MAX_LINES:,} lines.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return [line.rstrip("\r") for line in text.split("\n")]


def frozen(values: FloatArray) -> FloatArray:
    """Return the values, made read-only."""
    values.setflags(write=False)
    return values


ELEVATION_M = (-430.0, 5000.0)
"""Plausible elevation of a station: Dead Sea shore to the highest towns."""


def refuse_elsewhere(latitude: float, longitude: float, zone_h: float, where: str) -> None:
    """Refuse coordinates or a time zone of line 1 that are out of range."""
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0 and -12.0 <= zone_h <= 14.0):
        refuse("WEATHER_HEADER", where, "Line 1: latitude, longitude or zone is out of range.")


def elevation_in(cells: Sequence[str], column: int, where: str) -> float:
    """Return the elevation of line 1; NaN outside its range, where it is unknown."""
    found = number_in(cells, column, where)
    return found if ELEVATION_M[0] <= found <= ELEVATION_M[1] else math.nan


def number_in(cells: Sequence[str], column: int, where: str) -> float:
    """Return a number of line 1."""
    text = cells[column].strip()
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        words = f"Line 1, column {column + 1}: {text[:20]!r} is not a number."
        refuse("WEATHER_HEADER", where, words)
    return value
