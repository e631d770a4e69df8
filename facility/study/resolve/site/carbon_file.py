"""The CSV file of grid carbon intensity: a row per hour of a year."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path
from typing import NoReturn

import numpy as np

from facility.catalogue.user_file import capped, read_once, reason
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, FloatArray, si_from
from facility.model.facility import HourlyCarbon

WHERE = "site.grid_carbon_file"
MAX_BYTES = 2_000_000
_HOURS = (8760, 8784)
_COLUMNS = {
    "carbon_kg_per_kwh": "kg/kWh",
    "carbon_g_per_kwh": "g/kWh",
    "carbon_lb_per_mwh": "lb/MWh",
}
_MAX_KG_PER_KWH = 3.0
"""Plausible maximum; lignite at 25 % efficiency emits 1.6."""
_HINTS = {
    "CARBON_FILE": "Enter a CSV file of one year, at most 2 MB.",
    "CARBON_COLUMNS": f"Begin with hour and one of: {', '.join(_COLUMNS)}.",
    "CARBON_ROWS": "Enter hours 1 to 8760, or to 8784, in order; hour 1 ends at 1:00 on 1 January.",
    "CARBON_NUMBER": "Check the number and the unit in the heading; an empty cell is not zero.",
}


@read_once
def hourly_carbon(path: Path) -> HourlyCarbon:
    """Return the intensities in a file.

    Raises ``CARBON_FILE`` for an unreadable or too large file, ``CARBON_COLUMNS`` for its
    heading, ``CARBON_ROWS`` for hours that are not a whole year in order, ``CARBON_NUMBER`` for an
    invalid intensity; with row and column.
    """
    try:
        content = capped(path, MAX_BYTES)
    except OSError as error:
        _refuse("CARBON_FILE", "", f"the file cannot be read: {reason(error)}.")
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig")), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        _refuse("CARBON_FILE", "", f"the file is not a valid CSV file: {error}.")
    heading = [cell.strip().lower() for cell in rows[0]] if rows else []
    if len(heading) != 2 or heading[0] != "hour" or heading[1] not in _COLUMNS:
        found = ", ".join(cell[:40] for cell in heading[:8])
        _refuse("CARBON_COLUMNS", ": row 1", f"the heading is {found!r}.")
    if len(rows) - 1 not in _HOURS:
        _refuse(
            "CARBON_ROWS", "", f"{len(rows) - 1:,} rows below the heading are not a whole year."
        )
    values = _intensities(rows[1:], heading[1])
    values.flags.writeable = False
    return HourlyCarbon(path.name, values, hashlib.sha256(content).hexdigest()[:12])


def _intensities(rows: list[list[str]], column: str) -> FloatArray:
    """Return the intensities in SI."""
    kind = KINDS["carbon_intensity"]
    limit = si_from(kind, _MAX_KG_PER_KWH, "kg/kWh")
    values = np.empty(len(rows))
    for n, row in enumerate(rows):
        where = f": row {n + 2}"
        if len(row) != 2:
            _refuse("CARBON_COLUMNS", where, f"{len(row)} cells; the heading has 2.")
        if row[0].strip() != str(n + 1):
            _refuse("CARBON_ROWS", f"{where}, column 1", f"{row[0][:40]!r}; expected hour {n + 1}.")
        try:
            values[n] = si_from(kind, float(row[1]), _COLUMNS[column])
        except ValueError:
            values[n] = np.nan
        if not 0.0 <= values[n] <= limit:
            words = f"{row[1][:40]!r} is not valid; expected 0 to {_MAX_KG_PER_KWH:g} kg/kWh."
            _refuse("CARBON_NUMBER", f"{where}, column 2 ({column})", words)
    return values


def _refuse(code: str, at: str, message: str) -> NoReturn:
    raise FacilityError(code, f"{WHERE}{at}", message, _HINTS[code])
