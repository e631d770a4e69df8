"""EnergyPlus weather files: hourly or, where the header says so, in equal parts of an hour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from facility.catalogue.weather.columns import Field, Records
from facility.catalogue.weather.header import HEADER_LINES, read_header
from facility.catalogue.weather.record import DesignConditions, Station
from facility.catalogue.weather.text import refuse

_STAMP = (1, 2, 3, 4)  # Month, day, hour ending, minute
FIELDS = {
    "dry_bulb": Field("dry bulb", 6, -70.0, 70.0),
    "dew_point": Field("dew point", 7, -70.0, 70.0),
    "relative_humidity": Field("relative humidity", 8, 0.0, 110.0),
    "pressure": Field("pressure", 9, 31000.0, 120000.0, "EPW files give the pressure in Pa."),
}


def epw_records(
    lines: Sequence[str], where: str
) -> tuple[Station, DesignConditions | None, Records, npt.NDArray[np.int64]]:
    """Return place, design conditions, records and their stamps of the lines of an EPW file.

    Raises ``WEATHER_HEADER``, ``WEATHER_ROWS``.
    """
    station, design, per_hour = read_header(lines[:HEADER_LINES], where)
    rows = [line.split(",") for line in lines[HEADER_LINES:] if line.strip()]
    records = Records(rows, HEADER_LINES + 1, where, per_hour)
    for index, row in enumerate(rows):
        if len(row) <= _STAMP[-1] or not all(_whole(row[column]) for column in _STAMP):
            line = index + records.first_line
            words = f"Line {line}: columns 2 to 5 are no month, day, hour and minute."
            refuse("WEATHER_ROWS", where, words)
    stamps = np.array([[int(row[column]) for column in _STAMP] for row in rows], dtype=np.int64)
    return station, design, records, stamps.reshape(-1, len(_STAMP))


def _whole(text: str) -> bool:
    digits = text.strip()
    return digits.isascii() and digits.isdigit() and len(digits) <= len("60") + 1
