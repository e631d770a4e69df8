"""Typical years as frames of pvlib (PVGIS, NSRDB) become EPW files that a project can name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from facility.catalogue.weather import read_epw
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.files.io.atomic import write_bytes
from facility.files.io.file_names import refuse_suffix
from facility.physics.air.psychrometrics import dew_point, humidity_ratio
from facility.physics.air.psychrometrics import standard_pressure as pressure_at

if TYPE_CHECKING:
    from pandas import DataFrame, DatetimeIndex

_WHERE = "frame"
_HOURS = (8760, 8784)
_DRY, _DEW, _HUMIDITY, _PRESSURE = "temp_air", "temp_dew", "relative_humidity", "pressure"
_MBAR_RANGE, _PA_RANGE = (310.0, 1200.0), (31000.0, 120000.0)
_PA_PER_MBAR = 100.0
_MIN_HUMIDITY = 1.0
"""Lowest relative humidity from which a dew point is calculated [%]: 0 has none."""
_OFFSETS_H = (-12.0, 14.0)
_MONTH, _DAY, _HOUR = range(3)


def weather_from_frame(
    frame: DataFrame,
    out: Path | str,
    *,
    latitude: float,
    longitude: float,
    elevation: float,
    utc_offset: float,
    force: bool = False,
) -> Path:
    """Write a frame of hourly weather as an EPW file, and return its path.

    A project names the file in ``site.weather_file``. The file has no design conditions: the
    project states ``site.design_dry_bulb`` and ``site.design_wet_bulb``.

    Parameters
    ----------
    frame : pandas.DataFrame
        A typical year as pvlib returns it (``get_pvgis_tmy``, ``get_nsrdb_psm4_tmy``): hourly rows
        with a time index and the columns ``temp_air`` [degC], and ``temp_dew`` [degC] or
        ``relative_humidity`` [%]; ``pressure`` in Pa or mbar, recognised by its magnitude,
        else of the standard atmosphere. The months may be of different years.
    out : Path or str
        File to write (``.epw``).
    latitude, longitude : float
        In degrees, north and east positive.
    elevation : float
        In metres above sea level.
    utc_offset : float
        Hours that local standard time is ahead of UTC. Times with a zone are converted to it, times
        without a zone are in it; a time begins or lies within its hour.
    force : bool
        Overwrite an existing file.

    Raises
    ------
    FacilityError
        ``WEATHER_FRAME`` for invalid columns, or times that do not form one year; ``WEATHER_GAP``,
        ``WEATHER_NUMBER`` and the like for its values; ``FILE_EXISTS``, ``FILE_NOT_WRITTEN``.
    """
    path = Path(out)
    refuse_suffix(path, ".epw")
    if not _OFFSETS_H[0] <= utc_offset <= _OFFSETS_H[1]:
        raise _refused(f"utc_offset {utc_offset:g} h is not between -12 and 14 h.")
    order, stamps = _calendar(frame.index, utc_offset)
    columns = {
        name: np.asarray(frame[name], dtype=float)[order]
        for name in (_DRY, _DEW, _HUMIDITY, _PRESSURE)
        if name in frame
    }
    values = _completed(columns, elevation)
    location = f"{latitude:.4f},{longitude:.4f},{utc_offset:g},{elevation:g}"
    lines = [
        f"LOCATION,{latitude:.2f} {longitude:.2f},-,-,frame,-,{location}",
        "DESIGN CONDITIONS,0",
        "TYPICAL/EXTREME PERIODS,0",
        "GROUND TEMPERATURES,0",
        f"HOLIDAYS/DAYLIGHT SAVINGS,{'Yes' if len(order) == _HOURS[1] else 'No'},0,0,0",
        "COMMENTS 1,hourly weather from a data frame",
        "COMMENTS 2,",
        "DATA PERIODS,1,1,Data,Sunday,1/1,12/31",
    ]
    cells = zip(stamps.tolist(), *(values[name] for name in values), strict=True)
    for (month, day, hour), dry, dew, humid, pressure in cells:
        numbers = f"{_cell(dry, 2)},{_cell(dew, 2)},{_cell(humid, 1)},{_cell(pressure, 0)}"
        lines.append(f"1999,{month},{day},{hour + 1},60,?,{numbers}")
    content = ("\n".join(lines) + "\n").encode()
    read_epw(content, _WHERE)
    write_bytes(path, content, force=force)
    return path


def _calendar(index: DatetimeIndex, utc_offset: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the rows in the calendar of local time, and month, day, hour of each."""
    if len(index) not in _HOURS or not hasattr(index, "tz"):
        words = f"{len(index):,} rows, or no time index; expected 8,760 or 8,784 hourly rows."
        raise _refused(words)
    local = index
    if index.tz is not None:
        local = index.tz_convert("UTC").tz_localize(None)
        local = local + np.timedelta64(round(utc_offset * 3600), "s")
    stamps = np.column_stack((local.month, local.day, local.hour)).astype(np.int64)
    order = np.lexsort((stamps[:, _HOUR], stamps[:, _DAY], stamps[:, _MONTH]))
    stamps = stamps[order]
    repeated = np.flatnonzero(np.all(stamps[1:] == stamps[:-1], axis=1))
    if repeated.size:
        month, day, hour = stamps[int(repeated[0])]
        raise _refused(
            f"two rows fall in the hour from {hour}:00 local time, day {day}, month {month}."
        )
    return order, stamps


def _completed(columns: Mapping[str, FloatArray], elevation: float) -> dict[str, FloatArray]:
    """Return dry bulb, dew point [degC], relative humidity [%] and pressure [Pa]."""
    if _DRY not in columns or not {_DEW, _HUMIDITY} & {*columns}:
        raise _refused(f"the columns found are {', '.join(columns) or 'none of those required'}.")
    dry_c = columns[_DRY]
    blank = np.full(dry_c.size, np.nan)
    pressure = columns.get(_PRESSURE, blank)
    if not np.all(np.isnan(pressure)):
        median = float(np.nanmedian(pressure))
        if _MBAR_RANGE[0] <= median <= _MBAR_RANGE[1]:
            pressure = pressure * _PA_PER_MBAR
        elif not _PA_RANGE[0] <= median <= _PA_RANGE[1]:
            raise _refused(f"a pressure of {median:g} is neither in Pa nor in mbar.")
    humid = columns.get(_HUMIDITY, blank)
    dew_c = columns.get(_DEW)
    if dew_c is None:
        known = ~(np.isnan(dry_c) | np.isnan(humid))
        air_pa = np.where(np.isnan(pressure), float(pressure_at.si(elevation)), pressure)[known]
        part = np.clip(humid[known], _MIN_HUMIDITY, 100.0) / 100.0
        dew_c = blank.copy()
        dew_c[known] = dew_point.si(humidity_ratio.si(dry_c[known], part, air_pa), air_pa)
    return {_DRY: dry_c, _DEW: dew_c, _HUMIDITY: humid, _PRESSURE: pressure}


def _cell(value: float, digits: int) -> str:
    """Return a number as a cell, empty where it is missing."""
    return "" if np.isnan(value) else f"{value:.{digits}f}"


def _refused(message: str) -> FacilityError:
    return FacilityError(
        "WEATHER_FRAME",
        _WHERE,
        message,
        "Supply one year of hourly rows with a time index and the columns temp_air, temp_dew or "
        "relative_humidity, and pressure.",
    )
