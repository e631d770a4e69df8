"""Measured power over time: a CSV file of the user with columns of time and power."""

from __future__ import annotations

import csv
import errno
import io
import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from facility.catalogue.user_file import capped, reason
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS, FloatArray, si_from

MAX_BYTES = 16_000_000
MAX_ROWS = 200_000
_MIN_ROWS = 16
_HEAD = re.compile(r"\s*(time|power)[ _]*[\[(]?\s*([A-Za-z]{1,4})\s*[\])]?\s*", re.IGNORECASE)
_KIND_OF = {"time": "time", "power": "active_power"}
_HOW = "Name the columns with their units: time_s,power_kw (ms, s, min, h; W, kW, MW)."
_MAX_W = 1e11


@dataclass(frozen=True, eq=False)
class PowerRecord:
    """Measured power at rising times from 0."""

    time_s: FloatArray
    power_w: FloatArray


def read_power(path: Path, where: str = "it.job.power_file") -> PowerRecord:
    """Return the power record of a CSV file.

    path: A text file with a heading that names one column of time and one of power, with units;
        other columns are not read, lines that begin with # neither.
    where: Field that names the file.

    Raises ``FILE_UNREADABLE``, ``FILE_TOO_LARGE`` (exit code 6) for the file; ``POWER_COLUMNS``,
    ``POWER_ROW`` and ``POWER_RECORD`` for its content, with row and column.
    """
    lines = _lines(path, where)
    rows = ((number, row) for number, row in lines if row and not row[0].startswith("#"))
    _, heading = next(rows, (0, []))
    columns = _columns(heading, path, where)
    time_s: list[float] = []
    power_w: list[float] = []
    for number, row in rows:
        if len(time_s) >= MAX_ROWS:
            raise FacilityError(
                "POWER_RECORD",
                where,
                f"{path.name} has more than {MAX_ROWS:,} rows.",
                "Shorten the record, or average over longer intervals.",
            )
        at_s = _number(row, columns["time"], "time", number, path.name)
        if time_s and at_s <= time_s[-1]:
            raise FacilityError(
                "POWER_ROW",
                f"{path.name}: row {number}, column {columns['time'][0] + 1}",
                f"{at_s:g} s comes after {time_s[-1]:g} s: the times are not ascending.",
                "Sort the rows by time, and remove duplicate times.",
            )
        time_s.append(at_s)
        power_w.append(_number(row, columns["power"], "power", number, path.name))
    if len(time_s) < _MIN_ROWS or max(power_w) <= 0.0:
        raise FacilityError(
            "POWER_RECORD",
            where,
            f"{path.name} has {len(time_s)} rows with a power above zero at most: "
            f"{max(power_w, default=0.0):g} W.",
            f"Enter at least {_MIN_ROWS} rows of a nonzero load.",
        )
    return PowerRecord(np.array(time_s) - time_s[0], np.array(power_w))


def _lines(path: Path, where: str) -> list[tuple[int, list[str]]]:
    try:
        content = capped(path, MAX_BYTES)
    except OSError as error:
        code = "FILE_TOO_LARGE" if error.errno == errno.EFBIG else "FILE_UNREADABLE"
        hint = "Check path and rights; cut out some minutes of a long record."
        message = f"{path.name} cannot be read: {reason(error)}."
        raise FacilityError(code, where, message, hint) from None
    try:
        text = content.decode("utf-8-sig")
        return list(enumerate(csv.reader(io.StringIO(text), strict=True), 1))
    except (UnicodeDecodeError, csv.Error) as error:
        raise FacilityError(
            "POWER_COLUMNS", where, f"{path.name} is not a valid CSV file: {error}.", _HOW
        ) from None


def _columns(heading: list[str], path: Path, where: str) -> dict[str, tuple[int, str]]:
    """Return index and unit of the columns of time and power."""
    found: dict[str, tuple[int, str]] = {}
    for index, name in enumerate(heading):
        match = _HEAD.fullmatch(name[:60])
        if match is None:
            continue
        what = match[1].lower()
        units = {unit.lower(): unit for unit in KINDS[_KIND_OF[what]].units}
        unit = units.get(match[2].lower())
        if unit is None or unit == "hp" or what in found:
            raise FacilityError(
                "POWER_COLUMNS",
                f"{where}: row 1, column {index + 1}",
                f"{name[:60]!r} is not a unit of {what}, or a second column of it.",
                _HOW,
            )
        found[what] = index, unit
    if len(found) < len(_KIND_OF):
        missing = " and ".join(sorted(_KIND_OF.keys() - found))
        raise FacilityError(
            "POWER_COLUMNS", f"{where}: row 1", f"{path.name} has no column of {missing}.", _HOW
        )
    return found


def _number(row: list[str], column: tuple[int, str], what: str, number: int, name: str) -> float:
    """Return the number of a cell in SI."""
    index, unit = column
    text = row[index].strip() if index < len(row) else ""
    try:
        value = si_from(KINDS[_KIND_OF[what]], float(text), unit) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > _MAX_W or (what == "power" and value < 0.0):
        raise FacilityError(
            "POWER_ROW",
            f"{name}: row {number}, column {index + 1}",
            f"{text[:40]!r} is not a valid {what} in {unit}.",
            "Write a plain number, not negative, with a point before its decimals.",
        )
    return value
