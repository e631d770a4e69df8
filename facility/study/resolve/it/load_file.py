"""The CSV file of a measured year of IT load: a row per hour, or per equal fraction of an hour."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from facility.catalogue.user_file import capped, read_once, reason
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray

WHERE = "it.load_profile.file"
MAX_BYTES = 32_000_000
DAY_S, HOUR_S, _MINUTE_S = 86_400, 3600, 60
_MAX_ROWS = 366 * DAY_S // _MINUTE_S
_YEARS = (365, 366)
_TIMES = ("hour", "timestamp")
_UNITS = {"load_fraction": 1.0, "load_percent": 0.01, "load_kw": 1e3, "load_mw": 1e6}
_HOW = "Begin with a heading such as timestamp,load_kw or hour,load_percent; loads: " + ", ".join(
    _UNITS
)
_WHOLE = (
    "Enter every hour of a year from 1 January 0:00 in order, or equal fractions of an hour down "
    "to a minute: start timestamps in local standard time, or end hours."
)
_CLOSE = 1e-6
_STAMP = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?"
)


@dataclass(frozen=True, eq=False)
class MeasuredLoad:
    """A measured year of load."""

    values: FloatArray  # Mean of each step: W, or fraction of design load
    in_watts: bool  # Whether the values are powers
    step_s: int  # Step duration
    column: str  # Heading of the load
    digest: str  # First digits of the SHA-256 of the file
    lines: Sequence[int]  # Line of each step
    first_day: int | None = None  # Weekday of 1 January, 0 for Monday, with timestamps

    @property
    def days(self) -> int:
        """Days of the year."""
        return len(self.values) * self.step_s // DAY_S


@read_once
def measured_load(path: Path) -> MeasuredLoad:
    """Return the year of load in a CSV file, plain or gzipped.

    Raises ``LOAD_FILE`` for an unreadable file, binary or too large, ``LOAD_COLUMNS`` for its
    heading, ``LOAD_ROWS`` for times that are not a whole year in order, ``LOAD_NUMBER`` for an
    invalid load; with row and column.
    """
    try:
        content = capped(path, MAX_BYTES)
    except OSError as error:
        _refuse("LOAD_FILE", WHERE, f"the file cannot be read: {reason(error)}.")
    lines, rows = _rows(content)
    time, load = _columns(rows[0])
    for line, row in zip(lines[1:], rows[1:], strict=True):
        if len(row) != len(rows[0]):
            _refuse(
                "LOAD_COLUMNS",
                f"{WHERE}: row {line}",
                f"{len(row)} cells, but the heading has {len(rows[0])}.",
                "Write numbers with a decimal point and without thousands separators.",
            )
    lines, name = lines[1:], rows[0][load].lower()
    values = _numbers([row[load] for row in rows[1:]], lines, load, name)
    step_s = _step_s([row[time] for row in rows[1:]], lines, time, rows[0][time].lower())
    values *= _UNITS[name]
    values.flags.writeable = False
    digest = hashlib.sha256(content).hexdigest()[:12]
    first = rows[1][time] if rows[0][time].lower() == "timestamp" else ""
    day = None
    if first:  # 1 January 1970 was a Thursday
        day = int(_stamp(first).astype("datetime64[D]").astype(np.int64) + 3) % 7
    return MeasuredLoad(values, name in ("load_kw", "load_mw"), step_s, name, digest, lines, day)


def _rows(content: bytes) -> tuple[list[int], list[list[str]]]:
    """Return the non-empty rows, heading first, with line numbers."""
    try:
        text = content.decode("utf-8-sig")
        found = list(csv.reader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        _refuse("LOAD_FILE", WHERE, f"the file is not a valid CSV file: {error}.")
    lines = [n for n, row in enumerate(found, 1) if any(cell.strip() for cell in row)]
    if not lines:
        _refuse("LOAD_COLUMNS", f"{WHERE}: row 1", "the file is empty.")
    if len(lines) - 1 > _MAX_ROWS:
        _refuse(
            "LOAD_ROWS",
            WHERE,
            f"{len(lines) - 1:,} rows; the maximum is {_MAX_ROWS:,}, one year in minutes.",
            "Enter means of longer steps.",
        )
    return lines, [[cell.strip() for cell in found[line - 1]] for line in lines]


def _columns(heading: list[str]) -> tuple[int, int]:
    """Return the columns of time and load."""
    found = []
    for what, names in (("time", _TIMES), ("load", tuple(_UNITS))):
        found_at = [n for n, name in enumerate(heading) if name.lower() in names]
        if len(found_at) != 1:
            had = ", ".join(name[:40] for name in heading[:8])
            _refuse(
                "LOAD_COLUMNS",
                f"{WHERE}: row 1",
                f"{len(found_at)} columns of {what} among {had!r}; expected one of "
                f"{', '.join(names)}.",
            )
        found.append(found_at[0])
    return found[0], found[1]


def _numbers(cells: list[str], lines: Sequence[int], column: int, name: str) -> FloatArray:
    """Return a column of finite numbers of at least zero."""
    try:
        values = np.array(cells, dtype=np.float64)
    except ValueError:
        values = np.array([_number(cell) for cell in cells])
    bad = ~(np.isfinite(values) & (values >= 0.0))
    if np.any(bad):
        at = int(np.argmax(bad))
        _refuse(
            "LOAD_NUMBER",
            f"{WHERE}: row {lines[at]}, column {column + 1} ({name})",
            f"{cells[at][:40]!r} is not a valid load; expected a number of at least 0.",
            "Fill gaps with means of adjacent steps; an empty cell is not zero.",
        )
    return values


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")


def _step_s(cells: list[str], lines: Sequence[int], column: int, name: str) -> int:
    """Return the step duration of a whole year of equal steps in order."""
    where = f"column {column + 1} ({name})"
    ends = _ends_s(cells, lines, where, name)
    steps = np.diff(ends, prepend=0.0)
    step_s = float(ends[0]) if len(ends) else 0.0
    whole = step_s >= _MINUTE_S - _CLOSE and abs(HOUR_S / step_s - round(HOUR_S / step_s)) < _CLOSE
    if not whole:
        _refuse(
            "LOAD_ROWS",
            f"{WHERE}: row {lines[0] if lines else 2}, {where}",
            f"the first step ends {step_s:g} s into the year.",
        )
    uneven = np.abs(steps - step_s) > 0.5
    if np.any(uneven):
        at = int(np.argmax(uneven))
        row = min(at + (name == "timestamp"), len(cells) - 1)
        what = "time does not increase" if steps[at] <= 0.0 else f"a step of {steps[at]:,.0f} s"
        _refuse(
            "LOAD_ROWS",
            f"{WHERE}: row {lines[row]}, {where}",
            f"{cells[row][:40]!r} after {cells[row - 1][:40]!r}: {what}; expected {step_s:,.0f} s.",
        )
    days = len(cells) * step_s / DAY_S
    if days not in _YEARS:
        _refuse(
            "LOAD_ROWS",
            f"{WHERE}: row {lines[-1]}",
            f"{len(cells):,} steps of {step_s:,.0f} s are {days:,.2f} days; a year has 365 or 366.",
        )
    return round(step_s)


def _ends_s(cells: list[str], lines: Sequence[int], where: str, name: str) -> FloatArray:
    """Return the end of each step, in seconds from 1 January 0:00."""
    if name == "hour":
        hours = np.array([_number(cell) for cell in cells])
        _all_read(np.isnan(hours) | (np.abs(hours) > 1e5), cells, lines, where, "an hour")
        return np.asarray(hours * HOUR_S)
    begins = np.array([_stamp(cell) for cell in cells], dtype="datetime64[s]")
    _all_read(np.isnat(begins), cells, lines, where, "a time such as 2025-01-31 14:00")
    year = begins[:1].astype("datetime64[Y]").astype("datetime64[s]")
    since_s = np.asarray((begins - year).astype(np.float64))
    if len(since_s) < 2 or since_s[0] != 0.0:
        _refuse(
            "LOAD_ROWS",
            f"{WHERE}: row {lines[0] if lines else 2}, {where}",
            f"the file starts at {cells[0][:40] if cells else 'nothing'!r}.",
        )
    return np.append(since_s[1:], 2.0 * since_s[-1] - since_s[-2])


def _stamp(cell: str) -> np.datetime64:
    """Return a local standard time; NaT for any other text."""
    return np.datetime64(cell if _STAMP.fullmatch(cell) else "NaT", "s")


def _all_read(
    bad: np.ndarray, cells: list[str], lines: Sequence[int], where: str, expected: str
) -> None:
    if np.any(bad):
        at = int(np.argmax(bad))
        _refuse(
            "LOAD_ROWS",
            f"{WHERE}: row {lines[at]}, {where}",
            f"{cells[at][:40]!r} is not {expected}.",
        )


def _refuse(code: str, where: str, message: str, hint: str = "") -> NoReturn:
    """Reject the file."""
    hints = {
        "LOAD_FILE": "Enter a CSV file of one year, at most 32 MB; the file may be gzipped.",
        "LOAD_COLUMNS": _HOW,
        "LOAD_ROWS": _WHOLE,
    }
    raise FacilityError(code, where, message, hint or hints[code])
