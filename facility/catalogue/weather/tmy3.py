"""TMY3 files of the National Solar Radiation Data Base: two lines of header, hours from 01:00."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from facility.catalogue.weather.columns import Field, Records
from facility.catalogue.weather.record import Station
from facility.catalogue.weather.text import number_in, refuse, refuse_elsewhere

_HEADER_LINES = 2
_DATE, _TIME = "Date (MM/DD/YYYY)", "Time (HH:MM)"
_DATE_FORM = re.compile(r"(\d{1,2})/(\d{1,2})/\d{4}")
_TIME_FORM = re.compile(r"(\d{1,2}):00")
_MBAR = "TMY3 files give the pressure in mbar."
_FIELDS: Mapping[str, tuple[str, float, float, str]] = {
    "dry_bulb": ("Dry-bulb (C)", -70.0, 70.0, ""),
    "dew_point": ("Dew-point (C)", -70.0, 70.0, ""),
    "relative_humidity": ("RHum (%)", 0.0, 110.0, ""),
    "pressure": ("Pressure (mbar)", 310.0, 1200.0, _MBAR),
}
PASCAL_PER_MBAR = 100.0


def tmy3_records(
    lines: Sequence[str], where: str
) -> tuple[Station, dict[str, Field], Records, npt.NDArray[np.int64]]:
    """Return place, fields, records and their stamps of the lines of a TMY3 file.

    Raises ``WEATHER_HEADER``, ``WEATHER_ROWS``.
    """
    station = _station(next(csv.reader(lines[:1]), []), where)
    heads = [cell.strip() for cell in lines[1].split(",")] if len(lines) > 1 else []
    fields = {
        name: Field(head, _column(heads, head, where), low, high, hint)
        for name, (head, low, high, hint) in _FIELDS.items()
    }
    date, time = (_column(heads, head, where) for head in (_DATE, _TIME))
    rows = [line.split(",") for line in lines[_HEADER_LINES:] if line.strip()]
    records = Records(rows, _HEADER_LINES + 1, where)
    stamps = [_stamp(records, index, date, time) for index in range(len(rows))]
    return station, fields, records, np.array(stamps, dtype=np.int64).reshape(-1, 4)


def _station(cells: Sequence[str], where: str) -> Station:
    """Return the place of the first line: number, name, state, zone, latitude, longitude, m."""
    if len(cells) != 7:
        words = f"Line 1: {len(cells)} fields; a TMY3 file begins with the seven of its station."
        hint = "Give an EPW file (.epw) or a TMY3 file of the NSRDB (.csv)."
        refuse("WEATHER_HEADER", where, words, hint)
    zone, latitude, longitude, elevation = (
        number_in(cells, column, where) for column in range(3, 7)
    )
    refuse_elsewhere(latitude, longitude, elevation, where)
    wmo, name, state = (cell.strip() for cell in cells[:3])
    return Station(name, state, "USA", "TMY3", wmo, latitude, longitude, zone, elevation)


def _column(heads: Sequence[str], head: str, where: str) -> int:
    if head not in heads:
        words = f"Line 2: no column {head!r}; this is no TMY3 file."
        refuse("WEATHER_HEADER", where, words, "Give a TMY3 file of the NSRDB, or an EPW file.")
    return heads.index(head)


def _stamp(records: Records, index: int, date: int, time: int) -> tuple[int, int, int, int]:
    row = records.rows[index]
    if len(row) > max(date, time):
        day, hour = _DATE_FORM.fullmatch(row[date].strip()), _TIME_FORM.fullmatch(row[time].strip())
        if day and hour:
            return int(day[1]), int(day[2]), int(hour[1]), 0
    line = index + records.first_line
    words = f"Line {line}: columns {date + 1} and {time + 1} are no date and hour."
    refuse("WEATHER_ROWS", records.where, words, "TMY3 files write 01/31/1999,24:00.")
