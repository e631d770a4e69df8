"""The header of an EnergyPlus weather file: place, design conditions, data period."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NoReturn

from facility.core.errors import FacilityError

_FIRST_WORDS = (
    "LOCATION",
    "DESIGN CONDITIONS",
    "TYPICAL/EXTREME PERIODS",
    "GROUND TEMPERATURES",
    "HOLIDAYS/DAYLIGHT SAVING",
    "COMMENTS 1",
    "COMMENTS 2",
    "DATA PERIODS",
)


@dataclass(frozen=True)
class Station:
    """Where a weather record was taken: place, position and height."""

    city: str
    region: str
    country: str
    data_source: str
    wmo: str
    latitude_deg: float
    longitude_deg: float
    time_zone_h: float
    elevation_m: float


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


def read_header(lines: list[str], where: str) -> tuple[Station, DesignConditions | None]:
    """Return the place and the design conditions of the eight header lines of an EPW file.

    Raises
    ------
    FacilityError
        ``WEATHER_HEADER`` when a line is missing or out of order, the position is not a number,
        or the data have another step than one hour.
    """
    for number, word in enumerate(_FIRST_WORDS):
        if number >= len(lines) or not lines[number].upper().startswith(word):
            _refuse(where, f"Line {number + 1} must begin with {word}; this is no EPW file.")
    data_period = lines[7].split(",")
    if len(data_period) < 3 or data_period[1].strip() != "1" or data_period[2].strip() != "1":
        _refuse(where, "Line 8: one data period with one record an hour is needed.")
    return _station(lines[0].split(","), where), _design(lines[1].split(","))


def _station(cells: list[str], where: str) -> Station:
    if len(cells) < 10:
        _refuse(where, f"Line 1: {len(cells)} fields; LOCATION has ten.")
    latitude, longitude, zone, elevation = (_number(cell, where) for cell in cells[6:10])
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0 and -1000.0 <= elevation <= 9999.0):
        _refuse(where, "Line 1: latitude, longitude or elevation is out of range.")
    city, region, country, data_source, wmo = (cell.strip() for cell in cells[1:6])
    return Station(city, region, country, data_source, wmo, latitude, longitude, zone, elevation)


def _design(cells: list[str]) -> DesignConditions | None:
    """Return the design conditions, or None when the line carries none in the known layout."""
    names = [cell.strip() for cell in cells]
    try:
        heating, cooling, extremes = (
            names.index(word) for word in ("Heating", "Cooling", "Extremes")
        )
        values = [
            float(names[i])
            for i in (
                heating + 2,
                cooling + 3,
                cooling + 4,
                cooling + 9,
                cooling + 10,
                extremes + 4,
                extremes + 13,
                extremes + 14,
            )
        ]
    except (ValueError, IndexError):
        return None
    if not all(math.isfinite(value) and -90.0 < value < 90.0 for value in values):
        return None
    return DesignConditions(names[2], *values)


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        _refuse(where, f"Line 1: {text.strip()[:20]!r} is not a number.")
    return value


def _refuse(where: str, message: str) -> NoReturn:
    raise FacilityError("WEATHER_HEADER", where, message, "", exit_code=6)
