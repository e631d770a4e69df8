"""Hourly weather: EnergyPlus weather files (EPW), carried with the package or given by the user."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from facility.catalogue.epw_header import DesignConditions, Station, read_header
from facility.catalogue.loader import catalogue
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.core.reference import reference_path

MAX_BYTES = 16_000_000
HEADER_LINES = 8
MAX_GAP_HOURS = 6
_HOURS = (8760, 8784)
_TIME = (1, 2, 3)  # month, day, hour ending
# name: field, value that means missing, lowest and highest plausible value
_FIELDS: Mapping[str, tuple[int, float, float, float]] = {
    "dry_bulb": (6, 99.9, -70.0, 70.0),
    "dew_point": (7, 99.9, -70.0, 70.0),
    "relative_humidity": (8, 999.0, 0.0, 110.0),
    "pressure": (9, 999999.0, 31000.0, 120000.0),
}


@dataclass(frozen=True, eq=False)
class Weather:
    """One year of hourly weather. Element i is the hour ending i + 1 hours after the start."""

    station: Station  # Place of the record
    design: DesignConditions | None  # Design conditions of the header, None when it carries none
    dry_bulb_c: FloatArray  # Dry bulb, in degC
    dew_point_c: FloatArray  # Dew point, in degC
    relative_humidity: FloatArray  # Relative humidity, 0 to 1
    pressure_pa: FloatArray  # Station pressure, in Pa
    month: npt.NDArray[np.int64]  # Month of each hour, 1 to 12
    # Hours filled by linear interpolation, by field; empty for a complete record.
    interpolated: Mapping[str, int]

    def __len__(self) -> int:
        return int(self.dry_bulb_c.size)


def station_weather(key: str, where: str = "site.weather") -> Weather:
    """Return the weather of a station of the table ``weather/stations``.

    Raises
    ------
    FacilityError
        ``UNKNOWN_MODEL`` at `where` for a station the package does not carry.
    """
    row = catalogue().table("weather/stations").get(key, where)
    return _carried(row.text("file"))


@lru_cache(maxsize=8)
def _carried(file: str) -> Weather:
    """Return a file that the package carries; its arrays cannot be written to."""
    return read_epw(reference_path("weather", file))


def read_epw(source: Path | bytes, where: str = "site.weather") -> Weather:
    """Return the weather of an EPW file, plain or gzipped, given by path or as bytes.

    Parameters
    ----------
    source : Path or bytes
        The file or its content.
    where : str
        Field of the project that names it, for the messages.

    Raises
    ------
    FacilityError
        ``WEATHER_FILE`` (unreadable, binary, too large), ``WEATHER_HEADER``, ``WEATHER_ROWS``
        (not a whole year, hours out of order), ``WEATHER_NUMBER`` (not a number, out of range) or
        ``WEATHER_GAP`` (more than `MAX_GAP_HOURS` hours missing on end).
    """
    lines = _text(source, where).split("\n")
    station, design = read_header(lines[:HEADER_LINES], where)
    records = [line.split(",") for line in lines[HEADER_LINES:] if line.strip()]
    if len(records) not in _HOURS:
        _refuse("WEATHER_ROWS", where, f"{len(records)} hours; expected 8,760 or 8,784.")
    month = _checked_months(records, where)
    columns: dict[str, FloatArray] = {}
    interpolated: dict[str, int] = {}
    for name in _FIELDS:
        columns[name], filled = _field(records, name, where)
        if filled:
            interpolated[name] = filled
    return Weather(
        station=station,
        design=design,
        dry_bulb_c=_frozen(columns["dry_bulb"]),
        dew_point_c=_frozen(columns["dew_point"]),
        relative_humidity=_frozen(np.minimum(columns["relative_humidity"], 100.0) / 100.0),
        pressure_pa=_frozen(columns["pressure"]),
        month=month,
        interpolated=interpolated,
    )


def _text(source: Path | bytes, where: str) -> str:
    try:
        if isinstance(source, Path):
            if source.exists() and not source.is_file():
                _refuse("WEATHER_FILE", where, "The weather file is no ordinary file.")
            with source.open("rb") as stream:
                content = stream.read(MAX_BYTES + 1)
        else:
            content = source
        if content[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
                content = packed.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        _refuse("WEATHER_FILE", where, f"The weather file cannot be read: {error}.")
    if len(content) > MAX_BYTES:
        _refuse("WEATHER_FILE", where, f"The weather file is larger than {MAX_BYTES:,} bytes.")
    if b"\0" in content:
        _refuse("WEATHER_FILE", where, "The weather file is binary; expected an EPW text file.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _checked_months(records: list[list[str]], where: str) -> npt.NDArray[np.int64]:
    try:
        stamps = np.array([[int(row[i]) for i in _TIME] for row in records], dtype=np.int64)
    except (ValueError, IndexError, OverflowError):
        _refuse("WEATHER_ROWS", where, "A row has no month, day and hour in its first fields.")
    hours = stamps[:, 2]
    wrong = np.flatnonzero(hours != np.arange(hours.size) % 24 + 1)
    if wrong.size:
        line = int(wrong[0]) + HEADER_LINES + 1
        _refuse(
            "WEATHER_ROWS",
            where,
            f"Line {line}: hour {hours[wrong[0]]} is out of order.",
            "Hours must run from 1 to 24, one row an hour.",
        )
    months = stamps[:, 0]
    if months[0] != 1 or months[-1] != 12 or np.any((np.diff(months) < 0) | (np.diff(months) > 1)):
        _refuse("WEATHER_ROWS", where, "Months must run from 1 to 12.")
    months = months.copy()
    months.setflags(write=False)
    return months


def _field(records: list[list[str]], name: str, where: str) -> tuple[FloatArray, int]:
    index, missing, low, high = _FIELDS[name]
    values = np.empty(len(records))
    for i, row in enumerate(records):
        try:
            values[i] = float(row[index])
        except (ValueError, IndexError):
            found = row[index].strip()[:20] if index < len(row) else ""
            _refuse(
                "WEATHER_NUMBER",
                where,
                f"Line {i + HEADER_LINES + 1}: {name} {found!r} is not a number.",
            )
    unknown = (values >= missing) & np.isfinite(values)
    wrong = np.flatnonzero(~unknown & ~((values >= low) & (values <= high)))
    if wrong.size:
        line = int(wrong[0]) + HEADER_LINES + 1
        _refuse(
            "WEATHER_NUMBER",
            where,
            f"Line {line}: {name} {values[wrong[0]]:g} is not between {low:g} and {high:g}.",
        )
    return _filled(values, unknown, name, where), int(unknown.sum())


def _filled(
    values: FloatArray, unknown: npt.NDArray[np.bool_], name: str, where: str
) -> FloatArray:
    if not unknown.any():
        return values
    known = np.flatnonzero(~unknown)
    edges = np.concatenate(([-1], known, [values.size]))
    longest = int(np.diff(edges).max()) - 1
    if longest > MAX_GAP_HOURS:
        _refuse(
            "WEATHER_GAP",
            where,
            f"{name} is missing for {longest} hours on end.",
            f"Gaps up to {MAX_GAP_HOURS} hours are interpolated; use a complete weather file.",
        )
    return np.asarray(np.interp(np.arange(values.size), known, values[known]))


def _frozen(values: FloatArray) -> FloatArray:
    values.setflags(write=False)
    return values


def _refuse(code: str, where: str, message: str, hint: str = "") -> NoReturn:
    raise FacilityError(code, where, message, hint, exit_code=6)
