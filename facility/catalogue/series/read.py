"""One reader for every series of a year: load, carbon intensity, price, measured power."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from facility.catalogue.series.clock import standard_time
from facility.catalogue.series.plausible import ImplausibleValues, findings, levelled
from facility.catalogue.series.roles import DAY_S, ENERGY, POWER, Reading, SeriesRole, SeriesUnit
from facility.catalogue.series.roles import unit_in as unit_of
from facility.catalogue.series.stamps import read_stamps, time_columns
from facility.catalogue.series.text import CellTable, numbers, read_table
from facility.catalogue.series.time_words import named_times
from facility.catalogue.series.year import filled, is_register, placed, register_power
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray

_REGISTER = "register"


@dataclass(frozen=True, eq=False)
class TimeSeries:
    """A year of equal steps from 1 January in local standard time."""

    values: FloatArray  # Mean of each step in SI: W, fraction, kg/J or currency/J
    quantity: str  # power, fraction, intensity or price
    step_s: int  # Step duration
    column: str  # Heading of the values
    unit: SeriesUnit
    digest: str  # First digits of the SHA-256 of the file
    lines: npt.NDArray[np.int64]  # Line of each step; of a gap the one before
    measured: npt.NDArray[np.bool_]  # False where a long gap is left out
    notes: tuple[str, ...]  # How the file was read
    findings: tuple[ImplausibleValues, ...]  # Implausible values
    first_day: int | None = None  # Weekday of 1 January, 0 for Monday, with dates
    unread: npt.NDArray[np.bool_] | None = None  # Steps without a reading, filled or left out
    register: bool = False  # Whether the values are from the readings of a register

    @property
    def days(self) -> int:
        """Days of the year."""
        return len(self.values) * self.step_s // DAY_S

    @property
    def missing(self) -> int:
        """Steps without a reading, filled or left out."""
        return 0 if self.unread is None else int(np.count_nonzero(self.unread))

    @property
    def in_watts(self) -> bool:
        """Whether the values are powers."""
        return self.quantity == POWER

    @property
    def measured_h(self) -> float:
        """Hours with a reading, or with one filled."""
        return float(np.count_nonzero(self.measured)) * self.step_s / 3600.0


def read_series(path: Path, role: SeriesRole, reading: Reading | None = None) -> TimeSeries:
    """Return the year of a file of time and values.

    path: CSV file, plain or gzipped, with a heading.
    role: Type of the series.
    reading: Answers where the file is ambiguous.

    Raises the codes of the role, ``SERIES_GAP`` and ``SERIES_YEAR``; with row and column.
    """
    reading = reading or Reading()
    try:
        state = path.stat()
    except OSError:
        return _read(path, role, reading)
    return _cached(path, role, reading, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _cached(
    path: Path, role: SeriesRole, reading: Reading, _changed_ns: int, _size: int
) -> TimeSeries:
    return _read(path, role, reading)


def _read(path: Path, role: SeriesRole, reading: Reading) -> TimeSeries:
    table = _table(path, role, reading.time)
    column, unit = value_column(table, role, reading)
    values = numbers(table, column, role)
    _refuse_impossible(table, column, values * unit.factor + unit.offset, role)
    stamps = read_stamps(table, role, reading.time)
    clock = standard_time(table, stamps, reading, role)
    values, notes = values[clock.rows] * unit.factor + unit.offset, list[str]()
    quantity, register = reading.quantity or unit.quantity, False
    if unit.quantity == ENERGY:
        register = quantity == _REGISTER or (not reading.quantity and is_register(values))
        if register:
            clock, values = register_power(clock, values, notes)
            notes.insert(0, "cumulative meter register")
        else:
            values = values / clock.step_s
            notes.append("energy per interval")
        quantity = POWER
    year = placed(table, clock, values, reading, stamps.dated, role)
    year = replace(year, register=register)
    year.notes[:0] = notes
    complete, measured = filled(year, reading, table, role)
    missing = np.isnan(year.values)
    found = findings(complete, missing, year, metered=quantity == POWER)
    complete = levelled(complete, found)
    complete.flags.writeable = False
    return TimeSeries(
        complete,
        quantity,
        clock.step_s,
        table.headings[column],
        unit,
        table.digest,
        year.lines,
        measured,
        tuple(year.notes),
        found,
        year.first_day,
        missing,
        register,
    )


def _table(path: Path, role: SeriesRole, time: str) -> CellTable:
    """Return the table of a file, whose headings name a time, or have a stated one."""
    named = named_times(time)
    if not named:
        return read_table(path, role)
    return read_table(path, role, lambda cells: any(cell.lower() in named for cell in cells))


def headings_of(path: Path, role: SeriesRole, time: str = "") -> tuple[str, ...]:
    """Return the headings of a file with a unit of the role, without time columns.

    time: Headings of the time, where they are not found by their words: ``Datum + Uhrzeit``.

    Raises the codes of the role for a file that cannot be read.
    """
    table = _table(path, role, time)
    times = time_columns(table, role, time)
    found = (name for n, name in enumerate(table.headings) if n not in times)
    return tuple(name for name in found if unit_of(name, role.quantities) is not None)


def value_column(table: CellTable, role: SeriesRole, reading: Reading) -> tuple[int, SeriesUnit]:
    """Return the column of the values, and its unit.

    Raises the code of the role where none or several are found; the hint names the field that
    decides.
    """
    times = time_columns(table, role, reading.time)
    others = [n for n in range(len(table.headings)) if n not in times]
    at = f": row {int(table.lines[0]) - 1 if len(table.lines) else 1}"
    had = ", ".join(table.headings[n][:40] for n in others[:8])
    if reading.column:
        others = [n for n in others if table.headings[n].lower() == reading.column.lower()]
        if len(others) != 1:
            role.refuse(
                role.columns,
                at,
                f"no column {reading.column[:40]!r} among {had!r}.",
                f"Correct {role.option('column')}.",
            )
    stated = unit_of(f"load {reading.unit}", role.quantities) if reading.unit else None
    units = {n: unit_of(table.headings[n], role.quantities) for n in others}
    found = {n: unit for n, unit in units.items() if unit is not None}
    if stated is not None and (len(others) == 1 or not found):
        found = {others[0]: stated} if len(others) == 1 else {}
    if len(found) == 1:
        ((column, unit),) = found.items()
        return column, stated or unit
    if found:
        names = ", ".join(repr(table.headings[n][:40]) for n in list(found)[:8])
        role.refuse(
            role.columns,
            at,
            f"{len(found)} {role.what} columns: {names}.",
            f"Select one ({role.option('column')}).",
        )
    role.refuse(
        role.columns,
        at,
        f"0 {role.what} columns with a unit among {had!r}.",
        f"Start with headings such as timestamp and one of {role.headings}; or enter column and "
        f"unit ({role.option('column')}, {role.option('unit')}).",
    )


def _refuse_impossible(table: CellTable, column: int, values: FloatArray, role: SeriesRole) -> None:
    """Reject a value below zero, or above the plausible maximum of the role."""
    wrong = values > role.maximum
    if not role.signed:
        wrong |= values < 0.0
    if wrong.any():
        row = int(np.argmax(wrong))
        text = table.cells(column)[row].decode("utf-8", "replace")[:40]
        max_text = (
            f"{role.maximum * 3.6e6:g} kg/kWh" if "carbon" in role.what else f"{role.maximum:g}"
        )
        limit = f" and at most {max_text}" if role.maximum < np.inf else ""
        expected = f"at most {role.maximum:g}" if role.signed else f"a number of at least 0{limit}"
        role.refuse(
            role.number,
            table.where(row, column),
            f"{text!r} is not a valid {role.what}; expected {expected}.",
            "Check the cell and the unit in the heading; an empty cell is not zero.",
        )


_QUESTIONS = ("SERIES_GAP", "SERIES_YEAR")


def answerable(path: Path, role: SeriesRole) -> None:
    """Reject a file that no reading option makes readable.

    Raises the codes of the role.
    """
    try:
        read_series(path, role)
    except FacilityError as error:
        if error.code not in _QUESTIONS and role.option("") not in error.hint:
            raise
