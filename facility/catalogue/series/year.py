"""A year of equal steps from 1 January: registers, gaps and the order of fiscal years."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from facility.catalogue.series.clock import StandardTimes
from facility.catalogue.series.roles import DAY_S, HOUR_S, MAX_GAP_H, Reading, SeriesRole
from facility.catalogue.series.text import CellTable, Ints
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray

Bools = npt.NDArray[np.bool_]
_LEAP_DAY = 59
_WEEK_H = 168
_REGISTER_FALLS = 0.01
"""Share of falling readings of a register, from resets; intervals fall about half the time."""
_REGISTER_READINGS = 48
_REGISTER_SPANS = 20.0
"""Sum of all rises over the range of the readings: 1 for a register without resets."""
_OVERLAP_S = DAY_S


@dataclass(frozen=True, eq=False)
class Gap:
    """Steps without a reading."""

    first: int  # Index in the year
    count: int


@dataclass(frozen=True, eq=False)
class PlacedYear:
    """Values of a year from 1 January."""

    values: FloatArray  # NaN where there is no reading
    rows: Ints  # Row of each; of a gap the one before
    step_s: int
    first_day: int | None  # Weekday of 1 January, 0 for Monday
    lines: Ints  # Line of each; of a gap the one before
    notes: list[str] = field(default_factory=list)
    register: bool = False  # Whether the values are from the readings of a register

    @property
    def days(self) -> int:
        """Days of the year."""
        return len(self.values) * self.step_s // DAY_S

    def when(self, index: int) -> str:
        """Return the start of a step: ``4 May 02:00``."""
        return start_of(index, self.step_s, self.days)

    def hour(self, index: int) -> int:
        """Return the hour of the year, from 1."""
        return int(index) * self.step_s // HOUR_S + 1


def start_of(index: int, step_s: int, days: int) -> str:
    """Return the start of a step of a year in standard time: ``4 May 02:00``."""
    year = "2024-01-01" if days == 366 else "2023-01-01"
    at = np.datetime64(year, "s") + np.timedelta64(int(index) * step_s, "s")
    text = at.astype(object).strftime("%-d %b %H:%M")
    return str(text)


def is_register(values: FloatArray) -> bool:
    """Return whether values are a meter register: they rise, but for resets."""
    known = values[np.isfinite(values)]
    if len(known) < _REGISTER_READINGS:
        return False
    apart = np.diff(known)
    falls = int(np.count_nonzero(apart < 0.0)) / max(int(np.count_nonzero(apart)), 1)
    rise, span = float(apart[apart > 0.0].sum()), float(np.ptp(known))
    return falls <= _REGISTER_FALLS and 0.0 < rise <= _REGISTER_SPANS * span


def register_power(
    clock: StandardTimes, values: FloatArray, notes: list[str]
) -> tuple[StandardTimes, FloatArray]:
    """Return the mean power between the readings of a register [per s], and its intervals.

    Between readings further apart the mean holds, so that the energy is that of the register; a
    reset leaves a gap.
    """
    known = np.flatnonzero(np.isfinite(values))
    at, step_s = clock.starts[known] // clock.step_s, clock.step_s
    apart, rise = np.diff(at), np.diff(values[known])
    keep = apart > 0
    apart, rise, begin = apart[keep], rise[keep], known[:-1][keep]
    resets = int(np.count_nonzero(rise < 0.0))
    if resets:
        notes.append(f"register resets: {resets:,}; these intervals are gaps")
    power = np.where(rise < 0.0, np.nan, rise / (apart * step_s))
    within = np.arange(int(apart.sum())) - np.repeat(np.cumsum(apart) - apart, apart)
    starts = np.repeat(clock.starts[begin], apart) + within * step_s
    filled = int((apart - 1).sum())
    if filled:
        notes.append(f"{filled * step_s / HOUR_S:g} h derived from the register before and after")
    rows = np.repeat(clock.rows[begin], apart)
    return StandardTimes(starts, rows, step_s, clock.notes), np.repeat(power, apart)


def placed(
    table: CellTable,
    clock: StandardTimes,
    values: FloatArray,
    reading: Reading,
    dated: bool,
    role: SeriesRole,
) -> PlacedYear:
    """Return the values in the order of a calendar year; 29 February is there if the file has it.

    Raises ``SERIES_YEAR`` for more than a year.
    """
    starts, rows, notes = clock.starts, clock.rows, list(clock.notes)
    if reading.year is not None and dated:
        begin, end = (
            np.datetime64(f"{year}-01-01", "s").astype(np.int64)
            for year in (reading.year, reading.year + 1)
        )
        inside = (starts >= begin) & (starts < end)
        starts, rows, values = starts[inside], rows[inside], values[inside]
    if not len(starts):
        raise FacilityError(
            "SERIES_YEAR",
            role.where,
            f"the file has no readings in {reading.year}.",
            f"Correct {role.option('year')}.",
        )
    times = starts.astype("datetime64[s]")
    days = times.astype("datetime64[D]")
    years = days.astype("datetime64[Y]")
    day = (days - years.astype("datetime64[D]")).astype(np.int64)
    leap = (years.astype(np.int64) + 1970) % 4 == 0
    whole_leap = bool(np.any(leap & (day == _LEAP_DAY)))
    day = np.where(leap & ~np.bool_(whole_leap) & (day > _LEAP_DAY), day - 1, day)
    day = np.where(~leap & np.bool_(whole_leap) & (day >= _LEAP_DAY), day + 1, day)
    per_day = DAY_S // clock.step_s
    slot = day * per_day + starts % DAY_S // clock.step_s
    count = (366 if whole_leap else 365) * per_day
    found = np.full(count, np.nan)
    of_row = np.full(count, -1, dtype=np.int64)
    beyond = _beyond_a_year(table, starts, rows, values, clock.step_s, count, role)
    if beyond:
        notes.append(f"{beyond:,} readings beyond one year not used")
        slot, values, rows = slot[:-beyond], values[:-beyond], rows[:-beyond]
    found[slot], of_row[slot] = values, rows
    first_day = None
    if dated:  # 1 January 1970 was a Thursday
        january = years[int(np.argmin(slot))].astype("datetime64[D]").astype(np.int64)
        first_day = int(january + 3) % 7
        if slot[0] and np.diff(slot).min(initial=0) < 0:
            notes.append(f"year from {times[0].astype(object):%-d %B %Y}, rotated to January")
    before = np.maximum.accumulate(np.where(of_row >= 0, np.arange(count), -1))
    of_row = np.where(before >= 0, of_row[before], of_row[of_row >= 0][0])
    return PlacedYear(found, of_row, clock.step_s, first_day, table.lines[of_row], notes)


def _beyond_a_year(
    table: CellTable,
    starts: Ints,
    rows: Ints,
    values: FloatArray,
    step_s: int,
    count: int,
    role: SeriesRole,
) -> int:
    """Return the number of readings after a full year, at most a day of them.

    Raises the code of the role for two readings of one time, ``SERIES_YEAR`` for more.
    """
    same = (values[:-1] == values[1:]) | (np.isnan(values[:-1]) & np.isnan(values[1:]))
    twice = np.flatnonzero((np.diff(starts) == 0) & ~same)
    if len(twice):
        at = int(twice[0]) + 1
        role.refuse(
            role.rows,
            f": row {table.lines[rows[at]]}",
            "two readings have the same time.",
            f"Keep one row per time; for local time with daylight saving, enter "
            f"{role.option('time_zone')}.",
        )
    beyond = int(np.count_nonzero(starts >= starts[0] + count * step_s))
    if beyond * step_s > _OVERLAP_S:
        years = np.unique(starts.astype("datetime64[s]").astype("datetime64[Y]")).astype(str)
        raise FacilityError(
            "SERIES_YEAR",
            role.where,
            f"the file covers more than one year: {', '.join(years.tolist())[:80]}.",
            f"Enter the calendar year to read ({role.option('year')}).",
        )
    return beyond


def gaps_of(missing: Bools) -> list[Gap]:
    """Return the runs of missing steps; one across the end of the year is one run."""
    if not missing.any():
        return []
    if missing.all():
        return [Gap(0, len(missing))]
    shift = int(np.argmin(missing))  # A step with a reading
    rolled = np.roll(missing, -shift).astype(np.int8)
    edges = np.diff(rolled, prepend=0, append=0)
    begin, end = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    size = len(missing)
    found = [Gap((int(a) + shift) % size, int(b - a)) for a, b in zip(begin, end, strict=True)]
    return sorted(found, key=lambda gap: gap.first)


def interpolated(values: FloatArray, missing: Bools) -> FloatArray:
    """Return the values with missing steps on a line between their neighbours, around the year."""
    known = np.flatnonzero(~missing)
    size = len(values)
    at = np.arange(size)
    found = values.copy()
    found[missing] = np.interp(at[missing], known, values[known], period=size)
    return found


def filled(
    year: PlacedYear, reading: Reading, table: CellTable, role: SeriesRole
) -> tuple[FloatArray, Bools]:
    """Return complete values, and where they are measured or filled by interpolation.

    Gaps of up to 6 h are interpolated; longer ones are treated as the reading states.

    Raises ``SERIES_GAP`` where it does not.
    """
    missing = np.isnan(year.values)
    found, measured = year.values, np.ones(len(missing), dtype=bool)
    gaps = gaps_of(missing)
    if not gaps:
        return found, measured
    longest = MAX_GAP_H * HOUR_S // year.step_s
    long = [gap for gap in gaps if gap.count > longest]
    far = np.zeros(len(missing), dtype=bool)
    for gap in long:
        far[(gap.first + np.arange(gap.count)) % len(far)] = True
    hours, short = year.step_s / HOUR_S, [gap for gap in gaps if gap.count <= longest]
    known_h = float(np.count_nonzero(~missing)) * hours
    if long and reading.gaps in ("", "stop"):
        first = long[0]
        raise FacilityError(
            "SERIES_GAP",
            f"{role.where}: row {table.lines[year.rows[first.first]]}",
            f"no {role.what} for {first.count * hours:,.4g} h from {year.when(first.first)}; gaps "
            f"longer than {MAX_GAP_H} h: {len(long):,}; {known_h:,.0f} of "
            f"{len(missing) * hours:,.0f} h are measured.",
            f"Enter {role.option('gaps')}: leave_out (annual totals over measured hours), "
            "previous_week or mean (filled); or use a complete file.",
        )
    if short:
        steps = sum(gap.count for gap in short)
        year.notes.append(
            f"{steps * hours:,.4g} h in {len(short):,} gap{'s' * (len(short) > 1)} up to "
            f"{MAX_GAP_H} h interpolated, the first from {year.when(short[0].first)}"
        )
    found = interpolated(found, missing)
    if long:
        found = _by_rule(found, far, reading.gaps, year)
        measured = ~far if reading.gaps == "leave_out" else measured
    return found, measured


def _by_rule(values: FloatArray, far: Bools, rule: str, year: PlacedYear) -> FloatArray:
    """Return the values with long gaps filled by a named rule, and note it."""
    found = values.copy()
    found[far] = float(values[~far].mean())
    hours = np.count_nonzero(far) * year.step_s / HOUR_S
    week = _WEEK_H * HOUR_S // year.step_s
    if rule == "previous_week":
        pending = far.copy()
        for _ in range(len(values) // week + 1):
            before, known = np.roll(found, week), ~np.roll(pending, week)
            now = pending & known
            found[now] = before[now]
            pending &= ~now
        year.notes.append(f"{hours:,.4g} h filled with the same hour of the previous week")
    elif rule == "mean":
        year.notes.append(f"{hours:,.4g} h filled with the annual mean")
    else:
        year.notes.append(f"{hours:,.4g} h without readings left out")
    return found
