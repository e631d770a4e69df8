"""Times of a table: ISO, day and month by slashes or points, two columns, epoch, hours."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from facility.catalogue.series.roles import DAY_S, HOUR_S, SeriesRole
from facility.catalogue.series.text import Cells, CellTable, Ints, numbers
from facility.catalogue.series.time_words import named_times, time_words, times_among

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<H>00?)(:?(?P<M>00)(:?(?P<S>00)([.,]0{1,9})?)?)?\s*(?P<p>[AaPp]\.?[Mm]\.?)?"
_ZONE = r"\s*(?P<z>Z|UTC|GMT|[+-](?P<zh>00):?(?P<zm>00)?)?"
_AT = rf"([T ,_]+{_CLOCK})?{_ZONE}"
_FORMS = tuple(
    re.compile(form + _AT)
    for form in (
        r"(?P<y>0000)[-/.](?P<m>00?)[-/.](?P<d>00?)",
        r"(?P<y>0000)(?P<m>00)(?P<d>00)",
        r"(?P<a>00?)[-/.](?P<b>00?)[-/.](?P<y>0000|00)",
        r"(?P<d>00?)[- ](?P<mon>[A-Za-z]{3})[a-z]*[- ,]+(?P<y>0000|00)",
    )
)
_COMPACT = re.compile(r"(?P<y>0000)(?P<m>00)(?P<d>00)(?P<H>00)(?P<M>00)(?P<S>00)?")
_TIME_ONLY = re.compile(_CLOCK)
_SECONDS, _MILLISECONDS = 10, 13
_EXCEL_0 = -25_569  # Days from 30 December 1899 to 1970
_EXCEL = (20_000.0, 80_000.0)
_NONE = np.iinfo(np.int64).min
_EXPECTED = "a time such as 2025-01-31 14:00, 01/31/2025 14:00 or 2025-01-31T14:00Z"


@dataclass(frozen=True, eq=False)
class Stamps:
    """Times of the rows [s from 1970], as written."""

    seconds: Ints
    utc: bool  # Whether they are in UTC
    ends: bool | None  # Whether they end their intervals; None where not stated
    column: int
    dated: bool = True  # Whether they name a year
    standard_s: int | None = None  # Offset of the standard time of stamps with one [s]


class _Refused(Exception):
    """A cell that is no time."""

    def __init__(self, row: int, expected: str = _EXPECTED) -> None:
        super().__init__(row)
        self.row, self.expected = row, expected


def time_columns(table: CellTable, role: SeriesRole, time: str = "") -> tuple[int, ...]:
    """Return the columns of time: one, or date and time.

    time: Headings, where they are not found by their words: ``Datum + Uhrzeit``.

    Raises the code of the role where none or several are found.
    """
    if time:
        return _named_columns(table, role, time)
    names = [time_words(name) for name in table.headings]
    found = times_among(table.headings)
    exact = [n for n in found if names[n] in ("timestamp", "datetime", "date time", "hour", "time")]
    dates = [n for n in found if re.search(r"\bdate\b", names[n]) and "time" not in names[n]]
    clocks = [n for n in found if re.search(r"\b(time|hour)\b", names[n]) and n not in dates]
    if len(found) == 1:
        return tuple(found)
    if len(dates) == 1 and len(clocks) == 1:
        return dates[0], clocks[0]
    utc = [n for n in found if re.search(r"utc|gmt", names[n])]
    starts = [n for n in found if re.search(r"start|begin|from", names[n])]
    for one in (exact, utc, starts):
        if len(one) == 1:
            return tuple(one)
    had = ", ".join(name[:40] for name in table.headings[:8])
    role.refuse(
        role.columns,
        f": row {max(int(table.lines[0]) - 1, 1) if len(table.lines) else 1}",
        f"{len(found)} time columns among {had!r}; one is expected, or date and time.",
        f"Enter {role.option('time')}: the heading of the time column, or of date and time "
        "('Datum + Uhrzeit').",
    )


def _named_columns(table: CellTable, role: SeriesRole, time: str) -> tuple[int, ...]:
    lower = [name.lower() for name in table.headings]
    names = named_times(time)
    if 1 <= len(names) <= 2 and all(lower.count(name) == 1 for name in names):
        return tuple(lower.index(name) for name in names)
    had = ", ".join(name[:40] for name in table.headings[:8])
    role.refuse(
        role.columns,
        f": row {max(int(table.lines[0]) - 1, 1) if len(table.lines) else 1}",
        f"{time[:80]!r} does not name one or two of the columns {had!r}.",
        f"Correct {role.option('time')}.",
    )


def read_stamps(table: CellTable, role: SeriesRole, time: str = "") -> Stamps:
    """Return the times of the rows.

    time: Headings of the time, as in `time_columns`.

    Raises the code of the role for a cell that is not a time, with its row.
    """
    columns = time_columns(table, role, time)
    name = " ".join(time_words(table.headings[n]) for n in columns)
    ends = True if re.search(r"\bend", name) else None
    ends = False if re.search(r"start|begin|from", name) else ends
    utc = re.search(r"\b(utc|gmt)\b", name) is not None
    if not len(table.lines):
        role.refuse(
            role.rows, ": row 2", "the file has no rows below the heading.", "Add readings."
        )
    if len(columns) == 1 and name == "hour":
        return _hours(table, columns[0], role)
    cells = table.cells(columns[0])
    try:
        seconds, offsets = moments(cells)
        if len(columns) == 2:
            clock_s, whole = _clocks(table.cells(columns[1]))
            seconds = seconds + clock_s
            ends = True if whole and int(clock_s.max()) == DAY_S else ends
    except _Refused as error:
        _refuse(table, columns[0] if len(columns) == 1 else columns[-1], error, role)
    known = offsets != _NONE
    if known.any() and not known.all():
        with_one = "with a zone" if known[0] else "without a zone"
        other = _Refused(
            int(np.argmax(known != known[0])), f"a time {with_one}, like the rows above"
        )
        _refuse(table, columns[0], other, role)
    standard_s = None
    if known.all():
        if np.any(offsets):
            standard_s = int(offsets.min())
        seconds, utc = seconds - offsets, True
    return Stamps(seconds, utc, ends, columns[0], standard_s=standard_s)


def _refuse(table: CellTable, column: int, error: _Refused, role: SeriesRole) -> NoReturn:
    text = table.cells(column)[error.row].decode("utf-8", "replace")
    role.refuse(
        role.rows,
        table.where(error.row, column),
        f"{text[:40]!r} is not {error.expected}.",
        "Use one format for all times, with a four-digit year.",
    )


def _hours(table: CellTable, column: int, role: SeriesRole) -> Stamps:
    """Return the times of hours of the year by their end: 1 to 8760."""
    hours = numbers(table, column, role)
    wrong = ~(np.abs(hours) <= 1e5)
    if wrong.any():
        _refuse(table, column, _Refused(int(np.argmax(wrong)), "an hour of the year"), role)
    leap = float(hours.max(initial=0.0)) > 8760.0
    year_s = int(np.datetime64("2000-01-01" if leap else "2001-01-01", "s").astype(np.int64))
    return Stamps(year_s + np.rint(hours * HOUR_S).astype(np.int64), False, True, column, False)


def moments(cells: Cells) -> tuple[Ints, Ints]:
    """Return times [s from 1970] as written, and their offsets from UTC [s].

    Cells with digits at the same positions are read together.
    """
    width = cells.dtype.itemsize
    matrix = cells.view(np.uint8).reshape(len(cells), width)
    digits = (matrix >= 48) & (matrix <= 57)
    shapes = np.where(digits, np.uint8(48), matrix)
    seconds, offsets = np.empty(len(cells), np.int64), np.full(len(cells), _NONE)
    pending = np.ones(len(cells), dtype=bool)
    order: list[tuple[Ints, Ints, Ints, Ints]] = []
    while pending.any():
        first = int(np.argmax(pending))
        rows = np.flatnonzero(pending & (shapes == shapes[first]).all(axis=1))
        pending[rows] = False
        shape = shapes[first].tobytes().rstrip(b"\0").decode("utf-8", "replace")
        values = matrix[rows].astype(np.int64) - 48
        _read_shape(shape, cells, rows, values, (seconds, offsets), order)
    _settle_order(order, seconds)
    return seconds, offsets


def _read_shape(
    shape: str,
    cells: Cells,
    rows: Ints,
    digits: Ints,
    into: tuple[Ints, Ints],
    order: list[tuple[Ints, Ints, Ints, Ints]],
) -> None:
    """Read the cells of one format; `order` decides where day and month are ambiguous."""
    seconds, offsets = into
    if re.fullmatch(r"0{5}([.,]0*)?", shape):
        days = cells[rows].astype(np.float64)
        if not np.all((days > _EXCEL[0]) & (days < _EXCEL[1])):
            raise _Refused(int(rows[0]))
        seconds[rows] = np.rint((days + _EXCEL_0) * 1440.0).astype(np.int64) * 60
        return
    if re.fullmatch(r"0+", shape) and len(shape) in (_SECONDS, _MILLISECONDS):
        whole = cells[rows].astype(np.int64)
        seconds[rows] = whole if len(shape) == _SECONDS else whole // 1000
        offsets[rows] = 0
        return
    forms = (_COMPACT, *_FORMS) if re.fullmatch(r"0{12}(00)?", shape) else _FORMS
    match = next((found for form in forms if (found := form.fullmatch(shape))), None)
    if match is None:
        raise _Refused(int(rows[0]))
    groups = match.groupdict()

    def number(name: str) -> Ints:
        found = np.zeros(len(rows), dtype=np.int64)
        if groups.get(name) is not None:
            for at in range(*match.span(name)):
                found = found * 10 + digits[:, at]
        return found

    year = number("y")
    year = np.where(year < 100, year + 2000, year)
    clock_s, wrong = _clock(groups, number)
    if wrong.any():
        raise _Refused(int(rows[np.argmax(wrong)]))
    seconds[rows] = clock_s
    if groups.get("z"):
        sign = -1 if groups["z"].startswith("-") else 1
        offsets[rows] = sign * (number("zh") * 3600 + number("zm") * 60)
    if "a" in groups:
        order.append((rows, year, number("a"), number("b")))
        return
    month = number("m")
    if groups.get("mon"):
        known = groups["mon"].lower()
        if known not in _MONTHS:
            raise _Refused(int(rows[0]))
        month = np.full(len(rows), _MONTHS.index(known) + 1)
    seconds[rows] += _days(year, month, number("d"), rows) * DAY_S


def _clock(groups: dict[str, str | None], number: object) -> tuple[Ints, np.ndarray]:
    """Return the time of day [s], and where it is none."""
    read = number if callable(number) else None
    assert read is not None
    hour, minute, second = read("H"), read("M"), read("S")
    half = (groups.get("p") or "")[:1].lower()
    if half:
        wrong = (hour < 1) | (hour > 12)
        hour = hour % 12 + (12 if half == "p" else 0)
    else:
        wrong = hour > 24
    total = hour * 3600 + minute * 60 + second
    return total, wrong | (minute > 59) | (second > 59) | (total > DAY_S)


def _settle_order(order: list[tuple[Ints, Ints, Ints, Ints]], seconds: Ints) -> None:
    """Decide between day and month first by a number above 12."""
    if not order:
        return
    first_days = any(int(a.max()) > 12 for _, _, a, _ in order)
    second_days = any(int(b.max()) > 12 for _, _, _, b in order)
    rows = order[0][0]
    if first_days == second_days:
        open_ = "an unambiguous date (no day is above 12, so day and month may be swapped)"
        why = "a date with day and month in the same order" if first_days else open_
        raise _Refused(int(rows[0]), why)
    for rows, year, a, b in order:
        month, day = (b, a) if first_days else (a, b)
        seconds[rows] += _days(year, month, day, rows) * DAY_S


def _days(year: Ints, month: Ints, day: Ints, rows: Ints) -> Ints:
    """Return days from 1970 of dates in the Gregorian calendar."""
    wrong = (month < 1) | (month > 12) | (day < 1) | (year < 1900) | (year > 2200)
    if not wrong.any():
        months = (year - 1970) * 12 + month - 1
        first = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
        after = (months + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
        wrong = first + day > after
    if wrong.any():
        raise _Refused(int(rows[np.argmax(wrong)]))
    return np.asarray(first + day - 1)


def _clocks(cells: Cells) -> tuple[Ints, bool]:
    """Return the times of day of a second column [s], and whether they are whole hours."""
    found, where = np.unique(cells, return_inverse=True)
    of_each, whole = [], True
    for n, cell in enumerate(found.tolist()):
        text = cell.decode("utf-8", "replace")
        match = _TIME_ONLY.fullmatch(re.sub(r"\d", "0", text)) if len(text) > 2 else None
        if match is not None:
            given = (name for name in "HMS" if match[name])
            parts = {"M": 0} | {name: int(text[slice(*match.span(name))]) for name in given}
            hour, half = parts["H"], (match["p"] or "")[:1].lower()
            hour = hour % 12 + 12 * (half == "p") if half else hour
            of_each.append(hour * 3600 + parts["M"] * 60 + parts.get("S", 0))
        elif text.isdigit() and int(text) <= 24:
            of_each.append(int(text) * 3600)
        else:
            raise _Refused(int(np.argmax(where == n)), "a time of day such as 14:00")
    if max(of_each) > DAY_S:
        raise _Refused(int(np.argmax(where == int(np.argmax(of_each)))), "a time of day")
    return np.array(of_each, dtype=np.int64)[where], whole
