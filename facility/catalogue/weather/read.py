"""Weather years from any supported file: TMY3 reader, and implausible records."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from facility.catalogue.loader import catalogue
from facility.catalogue.schema import refuse
from facility.catalogue.series.roles import Reading
from facility.catalogue.weather.columns import Field, Records, month_of_each, values_of
from facility.catalogue.weather.epw import FIELDS, epw_records
from facility.catalogue.weather.logged import is_logged, logged_weather
from facility.catalogue.weather.record import (
    HOUR_S,
    DesignConditions,
    Station,
    WeatherYear,
    elevation_in,
    frozen,
    lines_of,
    number_in,
    refuse_elsewhere,
)
from facility.core.kinds import FloatArray
from facility.core.reference import reference_path

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
        hint = "Enter an EPW file (.epw) or a TMY3 file of the NSRDB (.csv)."
        refuse("WEATHER_HEADER", where, words, hint)
    zone, latitude, longitude = (number_in(cells, column, where) for column in range(3, 6))
    elevation = elevation_in(cells, 6, where)
    refuse_elsewhere(latitude, longitude, zone, where)
    wmo, name, state = (cell.strip() for cell in cells[:3])
    return Station(name, state, "USA", "TMY3", wmo, latitude, longitude, zone, elevation)


def _column(heads: Sequence[str], head: str, where: str) -> int:
    if head not in heads:
        words = f"Line 2: no column {head!r}; the file is not a TMY3 file."
        refuse("WEATHER_HEADER", where, words, "Enter a TMY3 file of the NSRDB, or an EPW file.")
    return heads.index(head)


def _stamp(records: Records, index: int, date: int, time: int) -> tuple[int, int, int, int]:
    row = records.rows[index]
    if len(row) > max(date, time):
        day, hour = _DATE_FORM.fullmatch(row[date].strip()), _TIME_FORM.fullmatch(row[time].strip())
        if day and hour:
            return int(day[1]), int(day[2]), int(hour[1]), 0
    line = index + records.first_line
    words = f"Line {line}: columns {date + 1} and {time + 1} are not date and hour."
    refuse("WEATHER_ROWS", records.where, words, "TMY3 files write 01/31/1999,24:00.")


_EPW_WORD = "LOCATION"


def station_weather(key: str, where: str = "site.weather") -> WeatherYear:
    """Return the weather of a station of the table ``weather/stations``.

    Raises ``UNKNOWN_MODEL`` at `where` for a station the package does not carry.
    """
    row = catalogue().table("weather/stations").get(key, where)
    return _carried(row.text("file"))


@lru_cache(maxsize=8)
def _carried(file: str) -> WeatherYear:
    """Return a file included in the package; its arrays are read-only."""
    return read_epw(reference_path("weather", file))


def read_weather(
    source: Path, where: str = "site.weather", reading: Reading | None = None
) -> WeatherYear:
    """Return the weather of an EPW, a TMY3 or a logger file, by its name and its first lines.

    reading: Answers where the file of a logger is ambiguous.

    Raises as `read_epw`, and ``SERIES_*`` for the file of a logger.
    """
    named = source.name.lower().removesuffix(".gz")
    lines = lines_of(source, where)
    if named.endswith(".epw") or lines[0].upper().startswith(_EPW_WORD):
        return _epw(lines, where)
    if is_logged(lines):
        return logged_weather(source, reading or Reading())
    station, fields, records, stamps = tmy3_records(lines, where)
    month = month_of_each(records, stamps)
    return _weather(records, (station, None), month, fields, PASCAL_PER_MBAR)


def read_epw(source: Path | bytes, where: str = "site.weather") -> WeatherYear:
    """Return the weather of an EPW file, plain or gzipped, given by path or as bytes.

    source: The file or its content.
    where: Field of the project that names it, for the messages.

    Raises ``WEATHER_FILE`` (unreadable, binary, too large), ``WEATHER_HEADER``, ``WEATHER_ROWS``
    (not a whole year, steps out of order), ``WEATHER_NUMBER`` (not a number, out of range) or
    ``WEATHER_GAP`` (more than `MAX_GAP_H` hours missing on end).
    """
    return _epw(lines_of(source, where), where)


def _epw(lines: list[str], where: str) -> WeatherYear:
    station, design, records, stamps = epw_records(lines, where)
    return _weather(records, (station, design), month_of_each(records, stamps), FIELDS, 1.0)


def _weather(
    records: Records,
    header: tuple[Station, DesignConditions | None],
    month: npt.NDArray[np.int64],
    fields: Mapping[str, Field],
    pressure_pa: float,
) -> WeatherYear:
    """Return the record of the fields; `pressure_pa` is the unit of its pressure."""
    columns: dict[str, FloatArray] = {}
    missing: dict[str, int] = {}
    for name, field in fields.items():
        whole = name in ("dry_bulb", "dew_point")
        columns[name], without = values_of(records, field, whole=whole)
        if without:
            missing[name] = without
    return WeatherYear(
        station=header[0],
        design=header[1],
        dry_bulb_c=frozen(columns["dry_bulb"]),
        dew_point_c=frozen(columns["dew_point"]),
        relative_humidity=frozen(np.minimum(columns["relative_humidity"], 100.0) / 100.0),
        pressure_pa=frozen(columns["pressure"] * pressure_pa),
        month=month,
        interpolated=missing,
        step_s=HOUR_S / records.per_hour,
        odd=odd_places(records, fields, columns, header[1]),
    )


DEW_POINT, JUMP, EXTREME, STUCK = "dew point", "jump", "extreme", "stuck"
STUCK_H = 24
"""Hours of one dry bulb that indicate a stuck sensor."""
MAX_OVER_DRY_BULB_K = 1.0
"""Dew point over dry bulb that rounding to whole degrees can cause."""
MAX_JUMP_K = 20.0
"""Change of the dry bulb from one record to the next; the carried records have up to 16.1 K."""


def odd_places(
    records: Records,
    fields: Mapping[str, Field],
    columns: Mapping[str, FloatArray],
    design: DesignConditions | None,
) -> dict[str, str | None]:
    """Return the implausible values of a file, by kind: the worst with line and column, or empty.

    None for the extremes where the header has none.
    """
    dry_c, dew_c = columns["dry_bulb"], columns["dew_point"]
    dry, dew = fields["dry_bulb"], fields["dew_point"]
    found: dict[str, str | None] = {}
    over_k = dew_c - dry_c
    at = int(np.argmax(over_k))
    found[DEW_POINT] = _worst_of(
        over_k > MAX_OVER_DRY_BULB_K,
        f"{records.location(at, dew)}: {dew_c[at]:g} degC, over a dry bulb of {dry_c[at]:g} degC",
    )
    change_k = np.diff(dry_c)
    at = int(np.argmax(np.abs(change_k)))
    found[JUMP] = _worst_of(
        np.abs(change_k) > MAX_JUMP_K,
        f"{records.location(at + 1, dry)}: {dry_c[at + 1]:g} degC after {dry_c[at]:g} degC",
    )
    begin = np.concatenate(([0], np.flatnonzero(np.diff(dry_c) != 0.0) + 1))
    count = np.diff(np.concatenate((begin, [dry_c.size])))
    long = count >= STUCK_H * records.per_hour
    first = int(begin[np.argmax(count)])
    hours = int(count.max()) / records.per_hour
    words = (
        f"{records.location(first, dry)}: {dry_c[first]:g} degC for {hours:,.0f} consecutive hours"
    )
    found[STUCK] = _worst_of(long, words)
    found[EXTREME] = None if design is None else _extremes(records, dry, dry_c, design)
    return found


def _extremes(records: Records, dry: Field, dry_c: FloatArray, design: DesignConditions) -> str:
    """Return the excess of the dry bulb over the 20-year extremes of its header."""
    low_c, high_c = design.extreme_20_year_db_min_c, design.extreme_20_year_db_max_c
    beyond_k = np.maximum(dry_c - high_c, low_c - dry_c)
    at = int(np.argmax(beyond_k))
    words = (
        f"{records.location(at, dry)}: {dry_c[at]:g} degC, {beyond_k[at]:.1f} K beyond the "
        f"extremes of twenty years of its header, {low_c:g} to {high_c:g} degC"
    )
    return _worst_of(beyond_k > 0.0, words)


def _worst_of(odd: npt.NDArray[np.bool_], worst: str) -> str:
    """Return the worst value and the number of others; empty if all are plausible."""
    others = int(np.count_nonzero(odd)) - 1
    if others < 0:
        return ""
    return f"{worst}; {others:,} similar records" if others else worst
