"""Records of a weather file: calendar and fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from facility.catalogue.schema import refuse
from facility.catalogue.series.roles import MAX_GAP_H
from facility.catalogue.series.year import gaps_of, interpolated
from facility.core.kinds import FloatArray

_SENTINELS = (99.9, 999.0, 999.9, 9999.0, 9999.9, 99999.0, 999999.0, -999.0, -9900.0, -9999.0)
"""Numbers by which files say that a value is missing, where they are out of the field's range."""
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ORDER = "Hours must run from 1 to 24 of every day of the year, in order and without gaps."


@dataclass(frozen=True)
class Field:
    """A field of a weather file: name, column from 0, plausible range."""

    name: str
    column: int
    low: float
    high: float
    hint: str = ""  # What a number out of range usually comes from


@dataclass(frozen=True, eq=False)
class Records:
    """The records of a weather file."""

    rows: Sequence[Sequence[str]]  # Cells of each
    first_line: int  # Line of the file, from 1, on which they begin
    where: str  # Field of the project that names the file
    per_hour: int = 1

    def location(self, index: int, field: Field) -> str:
        """Return line and column of a cell."""
        return f"Line {index + self.first_line}, column {field.column + 1}"


def month_of_each(records: Records, stamps: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the month of each record of a whole year.

    stamps: Month, day, hour from 1, and minute of each; an hour of one record has any minute.

    Raises ``WEATHER_ROWS`` with the first line that is out of order, or the count.
    """
    leap = bool(np.any((stamps[:, 0] == 2) & (stamps[:, 1] == 29)))
    days = np.array(_MONTH_DAYS)
    days[1] += leap
    months = np.repeat(np.arange(1, 13), days)
    dates = np.concatenate([np.arange(1, count + 1) for count in days])
    steps = 24 * records.per_hour
    hours = np.tile(np.arange(steps) // records.per_hour + 1, months.size)
    expected = np.column_stack((np.repeat(months, steps), np.repeat(dates, steps), hours))
    shared = min(len(stamps), len(expected))
    wrong = np.flatnonzero(np.any(stamps[:shared, :3] != expected[:shared], axis=1))
    count = f"{len(stamps):,} records; {len(expected):,} make the year"
    if wrong.size:
        first = int(wrong[0])
        found, due = (_stamp(at[first]) for at in (stamps, expected))
        line = first + records.first_line
        apart = "" if len(stamps) == len(expected) else f" ({count})"
        words = f"Line {line}: {found} is out of order; expected {due}{apart}."
        refuse("WEATHER_ROWS", records.where, words, _ORDER)
    if len(stamps) != len(expected):
        refuse("WEATHER_ROWS", records.where, f"The file has {count}.", _ORDER)
    _check_minutes(records, stamps[:, 3])
    month = np.array(expected[:, 0])
    month.setflags(write=False)
    return month


def _check_minutes(records: Records, minutes: npt.NDArray[np.int64]) -> None:
    """Refuse records of an hour that do not follow each other; its last may be minute 60 or 0."""
    if records.per_hour == 1:
        return
    of_hour = np.array(minutes.reshape(-1, records.per_hour))
    of_hour[:, -1] = np.where(of_hour[:, -1] == 0, 60, of_hour[:, -1])
    wrong = np.argwhere(np.diff(of_hour, axis=1) != 60 // records.per_hour)
    if wrong.size:
        hour, step = wrong[0]
        line = int(hour) * records.per_hour + int(step) + 1 + records.first_line
        words = f"Line {line}: its minute does not follow that of the line before by "
        each = 60 // records.per_hour
        refuse("WEATHER_ROWS", records.where, f"{words}{each} minutes.", _ORDER)


def _stamp(stamp: npt.NDArray[np.int64]) -> str:
    month, day, hour = (int(part) for part in stamp[:3])
    return f"month {month}, day {day}, hour {hour}"


def values_of(records: Records, field: Field, *, whole: bool) -> tuple[FloatArray, int]:
    """Return a field of all records, and the number missing.

    Gaps up to `MAX_GAP_H` hours are interpolated; longer ones are NaN, or refused of a field
    that must be `whole`.

    Raises ``WEATHER_NUMBER`` for a non-number or a value out of range, ``WEATHER_GAP``.
    """
    texts = _texts(records, field)
    values = _numbers(records, texts, field)
    outside = ~((values >= field.low) & (values <= field.high))
    blank = np.array([not text for text in texts])
    unknown = blank | (outside & np.isin(values, _SENTINELS))
    wrong = np.flatnonzero(outside & ~unknown)
    if wrong.size:
        first = int(wrong[0])
        words = f"{records.location(first, field)}: {field.name} {texts[first][:20]}"
        span = f"is not between {field.low:g} and {field.high:g}."
        refuse("WEATHER_NUMBER", records.where, f"{words} {span}", field.hint)
    return _filled(records, values, unknown, field, whole=whole), int(unknown.sum())


def _texts(records: Records, field: Field) -> list[str]:
    """Return a field of all records as written."""
    try:
        return [row[field.column].strip() for row in records.rows]
    except IndexError:
        index = next(n for n, row in enumerate(records.rows) if field.column >= len(row))
    words = f"{records.location(index, field)}: the line ends before it ({field.name})."
    refuse("WEATHER_NUMBER", records.where, words)


def _numbers(records: Records, texts: Sequence[str], field: Field) -> FloatArray:
    """Return the texts as numbers, an empty one as NaN."""
    try:
        if "_" not in "".join(texts):
            return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        pass
    index = next(i for i, text in enumerate(texts) if text and not _is_number(text))
    words = f"{records.location(index, field)}: {field.name} {texts[index][:20]!r} is not a number."
    refuse("WEATHER_NUMBER", records.where, words)


def _is_number(text: str) -> bool:
    try:
        return np.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


def _filled(
    records: Records,
    values: FloatArray,
    unknown: npt.NDArray[np.bool_],
    field: Field,
    *,
    whole: bool,
) -> FloatArray:
    gaps, allowed = gaps_of(unknown), MAX_GAP_H * records.per_hour
    long = [gap for gap in gaps if gap.count > allowed]
    if long and whole:
        worst = max(long, key=lambda gap: gap.count)
        refuse(
            "WEATHER_GAP",
            records.where,
            f"{records.location(worst.first, field)}: {field.name} is missing for "
            f"{worst.count / records.per_hour:g} consecutive hours.",
            f"Gaps up to {MAX_GAP_H} hours are interpolated; use a complete weather file.",
        )
    if unknown.all():
        return np.full(values.size, np.nan)
    filled = interpolated(values, unknown)
    for gap in long:
        filled[(gap.first + np.arange(gap.count)) % values.size] = np.nan
    return filled
