"""Local standard time of a series: zones, daylight saving, order and steps of its stamps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

import numpy as np

from facility.catalogue.series.roles import DAY_S, HOUR_S, MINUTE_S, Reading, SeriesRole
from facility.catalogue.series.stamps import Stamps
from facility.catalogue.series.text import CellTable, Ints

if TYPE_CHECKING:
    import pandas as pd

_NEAR = 0.1
"""Distance of a stamp from its step, as a fraction of it, that is rounding of a logger."""
_CHANGES, _NIGHT = (3, 4, 9, 10), range(4)
"""Months and hours in which clocks are set forward, on a Sunday."""
_HOURS = re.compile(r"(?:UTC|GMT)?\s*([+-]?\d{1,2}(?:\.\d{1,2})?)(?::(\d{2}))?")


@dataclass(frozen=True, eq=False)
class StandardTimes:
    """Starts of the intervals in local standard time [s], in order, with the rows they are from."""

    starts: Ints
    rows: Ints
    step_s: int
    notes: tuple[str, ...]


def standard_time(
    table: CellTable, stamps: Stamps, reading: Reading, role: SeriesRole
) -> StandardTimes:
    """Return the starts of the intervals in local standard time, rising.

    Raises the code of the role for steps that are not equal fractions of an hour, and for times
    that do not increase.
    """
    seconds, rows, notes = stamps.seconds, np.arange(len(stamps.seconds)), list[str]()
    if len(seconds) > 2 and np.count_nonzero(np.diff(seconds) < 0) > len(seconds) // 2:
        seconds, rows = seconds[::-1].copy(), rows[::-1].copy()
        notes.append("newest first")
    step_s = _step(table, seconds, rows, stamps, role)
    ends = _at_end(seconds, step_s, stamps, reading, notes)
    zone = reading.time_zone or (role.zone if stamps.dated else "")
    if stamps.utc or zone:
        seconds = _from_zone(table, seconds, zone, stamps, reading, role)
        notes.append("times in UTC" if stamps.utc or zone == "UTC" else f"times in {zone}")
    else:
        seconds = _without_daylight_saving(table, seconds, step_s, stamps, notes, role)
    seconds = _on_steps(table, seconds, rows, step_s, stamps.column, role)
    apart = np.diff(seconds)
    if np.any(apart < 0):
        at = int(np.argmax(apart < 0)) + 1
        _refuse_order(table, stamps, rows, at, role)
    return StandardTimes(seconds - step_s if ends else seconds, rows, step_s, tuple(notes))


def _refuse_order(table: CellTable, stamps: Stamps, rows: Ints, at: int, role: SeriesRole) -> None:
    cells = table.cells(stamps.column)
    after, before = (cells[rows[n]].decode("utf-8", "replace")[:40] for n in (at, at - 1))
    role.refuse(
        role.rows,
        table.where(int(rows[at]), stamps.column),
        f"{after!r} after {before!r}: time does not increase.",
        f"Sort the rows, one per time; for local time with daylight saving, "
        f"enter {role.option('time_zone')}.",
    )


def _step(table: CellTable, seconds: Ints, rows: Ints, stamps: Stamps, role: SeriesRole) -> int:
    """Return the step [s]: the most frequent difference, a whole fraction of an hour."""
    apart = np.diff(seconds)
    apart = apart[apart > 0]
    step = float(np.median(apart)) if len(apart) else 0.0
    near = next(
        (
            each
            for each in range(MINUTE_S, HOUR_S + 1)
            if HOUR_S % each == 0 and abs(step - each) <= max(_NEAR * each, 1.0)
        ),
        0,
    )
    if not near:
        role.refuse(
            role.rows,
            table.where(int(rows[0]), stamps.column),
            f"the step is {step:,.0f} s.",
            "Use equal steps of 1 min to 1 h that divide an hour evenly.",
        )
    return near


def _at_end(seconds: Ints, step_s: int, stamps: Stamps, reading: Reading, notes: list[str]) -> bool:
    """Return whether stamps end their intervals: stated, or a year that begins one step late."""
    if reading.stamps:
        return reading.stamps == "end"
    if stamps.ends is not None:
        return stamps.ends
    first = int(seconds[0]) - step_s
    begin = np.datetime64(first, "s")
    midnight = first % DAY_S == 0 and begin == begin.astype("datetime64[M]").astype("datetime64[s]")
    last = np.datetime64(int(seconds[-1]), "s")
    year = last.astype("datetime64[M]") - begin.astype("datetime64[M]")
    whole = last == last.astype("datetime64[M]").astype("datetime64[s]") and int(year.astype(int))
    found = bool(midnight and whole == 12)
    if found:
        notes.append("timestamps at the end of intervals")
    return found


def _from_zone(
    table: CellTable, seconds: Ints, zone: str, stamps: Stamps, reading: Reading, role: SeriesRole
) -> Ints:
    """Return times of a zone in the standard time of the site, else in that of the zone."""
    standard_s = stamps.standard_s or 0
    if stamps.utc or zone.upper() in ("UTC", "GMT", "Z"):
        utc = seconds
    elif found := _HOURS.fullmatch(zone):
        standard_s = round(float(found[1]) * HOUR_S)
        utc = seconds - standard_s
    elif zone in available_timezones():
        import pandas as pd

        local = pd.DatetimeIndex(pd.to_datetime(seconds, unit="s"))
        utc, standard_s = _of_place(table, local, zone, stamps, role)
    else:
        role.refuse(
            role.rows,
            "",
            f"{zone[:40]!r} is not a valid time zone.",
            f"Enter {role.option('time_zone')}: UTC, hours from UTC such as -5, or a zone such as "
            "America/New_York.",
        )
    return utc + (standard_s if reading.site_h is None else round(reading.site_h * HOUR_S))


def _of_place(
    table: CellTable, local: pd.DatetimeIndex, zone: str, stamps: Stamps, role: SeriesRole
) -> tuple[Ints, int]:
    """Return UTC times of the clock of a place, and its standard offset [s]."""
    back = np.flatnonzero(np.diff(local.asi8) <= 0) + 1
    summer = np.arange(len(local)) < (back[0] if len(back) else len(local))
    summer = summer | local.duplicated(keep="last")
    try:
        aware = local.tz_localize(zone, ambiguous=summer)
    except ValueError as error:
        role.refuse(
            role.rows,
            f": column {stamps.column + 1} ({table.headings[stamps.column][:40]})",
            f"a local time does not exist in {zone}: {str(error).split(' is a')[0][:40]}.",
            f"Correct {role.option('time_zone')}, or the time: clocks skip an hour in spring.",
        )
    utc = aware.tz_convert("UTC").tz_localize(None).as_unit("s").asi8
    import pandas as pd

    year = local[len(local) // 2].year
    offsets = [
        pd.Timestamp(year, month, 1, tz=zone).utcoffset().total_seconds() for month in (1, 7)
    ]
    return np.asarray(utc, dtype=np.int64), int(min(offsets))


def _without_daylight_saving(
    table: CellTable, seconds: Ints, step_s: int, stamps: Stamps, notes: list[str], role: SeriesRole
) -> Ints:
    """Return local times in standard time where the clock skips one hour and repeats another.

    Raises the code of the role for a year that skips the hour of daylight saving and repeats none:
    the repeated hour may be lost, or the skipped one not measured.
    """
    apart = np.diff(seconds)
    forward = np.flatnonzero(apart == step_s + HOUR_S) + 1
    back = np.flatnonzero(apart == step_s - HOUR_S) + 1
    if len(back) != 1 or len(forward) != 1:
        for at in forward.tolist() if stamps.dated and not len(back) else ():
            skipped = np.datetime64(int(seconds[at]) - HOUR_S, "s").astype(object)
            if skipped.month in _CHANGES and skipped.isoweekday() == 7 and skipped.hour in _NIGHT:
                role.refuse(
                    role.rows,
                    table.where(at, stamps.column),
                    f"the hour from {skipped:%-d %b %H:%M} is missing, as at the start of daylight "
                    "saving, but no hour repeats in autumn.",
                    f"Enter {role.option('time_zone')}: a zone such as America/New_York for a "
                    "clock with daylight saving, or an offset such as -5 for a clock without.",
                )
        return seconds
    index = np.arange(len(seconds))
    if forward[0] < back[0]:
        summer = (index >= forward[0]) & (index < back[0])
    else:
        summer = (index >= forward[0]) | (index < back[0])
    notes.append("local time with daylight saving, converted to standard time")
    return np.where(summer, seconds - HOUR_S, seconds)


def _on_steps(
    table: CellTable, seconds: Ints, rows: Ints, step_s: int, column: int, role: SeriesRole
) -> Ints:
    """Return the times on multiples of the step; stamps at mid-interval start half a step before.

    Raises the code of the role for a time elsewhere.
    """
    for phase in (0, step_s // 2):
        moved = seconds - phase
        near = (moved + step_s // 2) // step_s * step_s
        if np.all(np.abs(moved - near) <= max(_NEAR * step_s, 1.0)):
            return np.asarray(near)
    apart = np.diff(seconds)
    at = int(np.argmax(apart % step_s != 0)) + 1 if np.any(apart % step_s) else 0
    before = f" after a step of {apart[at - 1]:,} s" if at else ""
    text = table.cells(column)[rows[at]].decode("utf-8", "replace")[:40]
    role.refuse(
        role.rows,
        table.where(int(rows[at]), column),
        f"{text!r}{before}; expected multiples of {step_s:,} s.",
        "Use equal steps aligned to the hour.",
    )
