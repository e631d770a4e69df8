"""EnergyPlus weather files: hourly or, as stated in the header, in equal parts of an hour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from facility.catalogue.schema import refuse
from facility.catalogue.weather.columns import Field, Records
from facility.catalogue.weather.record import (
    DesignConditions,
    Station,
    elevation_in,
    number_in,
    refuse_elsewhere,
)

_STAMP = (1, 2, 3, 4)  # Month, day, hour ending, minute
FIELDS = {
    "dry_bulb": Field("dry bulb", 6, -70.0, 70.0),
    "dew_point": Field("dew point", 7, -70.0, 70.0),
    "relative_humidity": Field("relative humidity", 8, 0.0, 110.0),
    "pressure": Field("pressure", 9, 31000.0, 120000.0, "EPW files give the pressure in Pa."),
}
_LAST = max(field.column for field in FIELDS.values()) + 1
"""Commas at which a row is split: what comes after the last field is not read."""
HEADER_LINES = 8
_MAX_PER_HOUR = 12
_MINUTES = 60
_STAMP_DIGITS = 3
"""Digits of a number that may be a month, a day, an hour or a minute; more are refused."""
_EARLIER_EXTREMES, _LATER_EXTREMES = 16, 15
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


def epw_records(
    lines: Sequence[str], where: str
) -> tuple[Station, DesignConditions | None, Records, npt.NDArray[np.int64]]:
    """Return place, design conditions, records and their stamps of the lines of an EPW file.

    Raises ``WEATHER_HEADER``, ``WEATHER_ROWS``.
    """
    station, design, per_hour = read_header(lines[:HEADER_LINES], where)
    rows = [line.split(",", _LAST) for line in lines[HEADER_LINES:] if line.strip()]
    records = Records(rows, HEADER_LINES + 1, where, per_hour)
    parts = [row[_STAMP[0] : _STAMP[-1] + 1] for row in rows]
    texts = [text for row in parts for text in row]
    number = {text: int(text) for text in set(texts) if _whole(text)}
    if len(texts) < len(_STAMP) * len(rows) or not number.keys() >= set(texts):
        known = [len(row) == len(_STAMP) and all(text in number for text in row) for row in parts]
        line = known.index(False) + records.first_line
        words = f"Line {line}: columns 2 to 5 are not month, day, hour and minute."
        refuse("WEATHER_ROWS", where, words)
    stamps = np.array([number[text] for text in texts], dtype=np.int64)
    return station, design, records, stamps.reshape(-1, len(_STAMP))


def _whole(text: str) -> bool:
    digits = text.strip()
    return digits.isascii() and digits.isdigit() and len(digits) <= _STAMP_DIGITS


def read_header(lines: Sequence[str], where: str) -> tuple[Station, DesignConditions | None, int]:
    """Return place, design conditions and records an hour of the header lines of an EPW file.

    Raises ``WEATHER_HEADER`` when a line is missing or out of order, the position is not a number,
    or the data are not one period of equal parts of an hour.
    """
    for number, word in enumerate(_FIRST_WORDS):
        if number >= len(lines) or not lines[number].upper().startswith(word):
            words = f"Line {number + 1} must begin with {word}; the file is not an EPW file."
            refuse("WEATHER_HEADER", where, words)
    period = [cell.strip() for cell in lines[7].split(",")]
    known = {str(count) for count in range(1, _MAX_PER_HOUR + 1) if _MINUTES % count == 0}
    if len(period) < 3 or period[1] != "1" or period[2] not in known:
        counts = ", ".join(sorted(known, key=int))
        words = f"Line 8: one data period with {counts} records an hour is needed."
        refuse("WEATHER_HEADER", where, words)
    day = period[4].lower() if len(period) > 4 else ""
    station = replace(_station(lines[0].split(","), where), first_day=day)
    return station, _design(lines[1].split(",")), int(period[2])


def _station(cells: Sequence[str], where: str) -> Station:
    if len(cells) < 10:
        refuse("WEATHER_HEADER", where, f"Line 1: {len(cells)} fields; LOCATION has ten.")
    latitude, longitude, zone = (number_in(cells, column, where) for column in range(6, 9))
    elevation = elevation_in(cells, 9, where)
    refuse_elsewhere(latitude, longitude, zone, where)
    city, region, country, data_source, wmo = (cell.strip() for cell in cells[1:6])
    return Station(city, region, country, data_source, wmo, latitude, longitude, zone, elevation)


def _design(cells: Sequence[str]) -> DesignConditions | None:
    """Return the design conditions, or None when the line carries none in a known layout.

    Editions up to 2017 write the extreme wet bulb as the fourth of sixteen extremes; later ones
    as the last value of Cooling, and fifteen extremes. Values that contradict each other are of
    a layout that is not known.
    """
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    try:
        heating, cooling, extremes = (
            names.index(word) for word in ("Heating", "Cooling", "Extremes")
        )
        is_later = len(names) - extremes - 1 == _LATER_EXTREMES
        if not is_later and len(names) - extremes - 1 != _EARLIER_EXTREMES:
            return None
        of_20_years = extremes + 13 - is_later
        columns = (
            heating + 2,
            cooling + 3,
            cooling + 4,
            cooling + 9,
            cooling + 10,
            extremes - 1 if is_later else extremes + 4,
            of_20_years,
            of_20_years + 1,
        )
        found = DesignConditions(names[2], *(float(names[column]) for column in columns))
    except (ValueError, IndexError):
        return None
    return found if _consistent(found) else None


def _consistent(found: DesignConditions) -> bool:
    """Return whether extremes lie outside the percentiles, and wet bulbs below dry bulbs."""
    return (
        -90.0 < found.extreme_20_year_db_min_c <= found.heating_99_6_db_c
        and found.heating_99_6_db_c < found.cooling_0_4_db_c <= found.extreme_20_year_db_max_c
        and found.extreme_20_year_db_max_c < 90.0
        and found.cooling_0_4_mcwb_c <= found.wet_bulb_0_4_c <= found.extreme_wet_bulb_max_c
        and found.wet_bulb_0_4_c <= found.wet_bulb_0_4_mcdb_c
        and found.extreme_wet_bulb_max_c <= found.extreme_20_year_db_max_c
    )
