"""Branch and phase readings of panels: rows or columns by circuit, currents or power."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from facility.catalogue.series.roles import SeriesRole, plain
from facility.catalogue.series.text import CellTable, numbers, read_table
from facility.catalogue.series.time_words import is_time
from facility.core.errors import FacilityError
from facility.core.kinds import FloatArray
from facility.study.measured.wide import CircuitColumn, circuit_columns

_PANEL = re.compile(
    r"(?:panel ?board|panel|distribution board|board)(?: (?:name|id|tag))?|db|rpp"
    r"|verteiler|unterverteiler|unterverteilung|uv|tableau"
)
_CIRCUIT = re.compile(
    r"(?:branch )?(?:circuit|ckt|cct|way|pole|breaker|branch|channel|stromkreis|kreis)"
    r"(?: (?:no|number|id|breaker))?|position|poles"
)
_PHASE = re.compile("phase|line|leg|ph|phasen")
_MAINS = frozenset({"", "main", "mains", "main breaker", "incomer", "einspeisung"})
_OF_PHASE = re.compile(
    r"(?:(?:current|amps?|amperes?|i|phase|ph|line|leg|strom|load|rms|mean|average|avg|ø)\s*)*"
    r"([abc]|l?[123])(?:\s*(?:phase|current|strom|rms|mean|average|avg))*"
    r"\s*(?:\(\s*a\s*\)|\[\s*a\s*\]|\(amps?\)|amps?|amperes?)?"
)
_VALUE = re.compile(r"(?:.*\b)?(?:current|amps?|amperes?|strom)\b.*|.*[(\[]a[)\]]")
_PHASES = {"a": 0, "b": 1, "c": 2, "l1": 0, "l2": 1, "l3": 2, "1": 0, "2": 1, "3": 2}
_MAX_A = 1e5
_MIN_TREND = 8
"""Readings of a circuit from which first and last quarter are compared."""
READINGS = SeriesRole(
    "branch current",
    "branch readings",
    "",
    ("current",),
    "METER_COLUMNS",
    "METER_FILE",
    "METER_ROWS",
    "METER_NUMBER",
    "current_a, current_b and current_c in A, or phase and current",
)
_HOW = (
    "Start with panel,circuit,current_a,current_b,current_c or panel,circuit,phase,current, "
    "circuit empty for the panel mains, or with timestamp and one column for each circuit "
    "(RPP-A01/1,3,5 or RPP-A01/1 kW); currents in A."
)


@dataclass(frozen=True, eq=False)
class PhaseReadings:
    """Currents of a circuit or of mains on A, B and C [A]; NaN without a reading."""

    mean_a: FloatArray
    max_a: FloatArray
    by_pole: bool = False  # Whether the reading is of a pole, whose phase follows from its number
    trend: float | None = None  # Last over first quarter of the readings; None for few
    unit: str = "A"  # Unit; for a power the values are W or VA of the circuit or pole

    @staticmethod
    def over_time(currents: FloatArray) -> PhaseReadings:
        """Return mean and maximum of readings by row and phase; one column is one pole."""
        known = np.isfinite(currents)
        count = known.sum(axis=0)
        total = np.where(known, currents, 0.0).sum(axis=0)
        mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        highest = np.where(known, currents, -np.inf).max(axis=0)
        quarter, trend = len(currents) // 4, None
        if len(currents) >= _MIN_TREND:
            first, last = (np.nanmean(each) for each in (currents[:quarter], currents[-quarter:]))
            trend = float(last / first) if first > 0.0 and np.isfinite(last) else None
        highest = np.where(count > 0, highest, np.nan)
        return PhaseReadings(mean, highest, currents.shape[1] == 1, trend)


def is_branch_file(path: Path) -> bool:
    """Return whether a file has the headings of branch readings."""
    try:
        return _are_headings(read_table(path, READINGS, _are_headings).headings)
    except FacilityError:
        return False  # The reader of meter logs states the error


def _words(heading: str) -> str:
    """Return a heading in lower case without signs around its words: ``ckt no``."""
    return " ".join(re.sub(r"[.:#_*]+", " ", plain(heading)).split())


def _are_headings(cells: Sequence[str]) -> bool:
    names = [_words(cell) for cell in cells]
    by_row = _column(names, _PANEL) is not None and _column(names, _CIRCUIT) is not None
    return by_row or bool(circuit_columns(cells))


def branch_readings(path: Path) -> Mapping[tuple[str, str], PhaseReadings]:
    """Return the readings by panel and circuit; the circuit of mains is empty.

    Several rows with one text for the circuit are its readings over time, as are the rows of a
    table with one column for each circuit: mean and maximum. A panel that is not named is empty.

    Raises ``METER_*`` for a file that cannot be used, with row and column.
    """
    table = read_table(path, READINGS, _are_headings)
    names = [_words(name) for name in table.headings]
    panel, circuit = _column(names, _PANEL), _column(names, _CIRCUIT)
    columns = circuit_columns(table.headings) if panel is None or circuit is None else []
    if columns and len(table.lines):
        return _by_column(table, columns)
    if panel is None or circuit is None or not len(table.lines):
        _refuse("no panel column, no circuit column or no rows", names)
    currents = _currents(table, names)
    circuits = ["" if one.casefold() in _MAINS else one for one in _texts(table, circuit)]
    keys = list(zip(_texts(table, panel), circuits, strict=True))
    found: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(keys):
        found.setdefault(key, []).append(row)
    return {key: PhaseReadings.over_time(currents[rows]) for key, rows in found.items()}


def _by_column(
    table: CellTable, columns: Sequence[CircuitColumn]
) -> Mapping[tuple[str, str], PhaseReadings]:
    """Return the readings of a table with one column for each circuit, or for each phase of it."""
    known = {column.number for column in columns}
    for number, heading in enumerate(table.headings):
        if number not in known and heading.strip() and not is_time(heading):
            raise FacilityError(
                "METER_COLUMNS",
                "branch readings",
                f"column {number + 1} ({heading[:40]!r}) names no circuit.",
                "Name panel and poles, e.g. RPP-A01/1,3,5 or RPP-A01/1 kW, or remove the column.",
            )
    grouped: dict[tuple[str, str], list[CircuitColumn]] = {}
    for column in columns:
        grouped.setdefault((column.panel, column.circuit), []).append(column)
    found: dict[tuple[str, str], PhaseReadings] = {}
    for key, group in grouped.items():
        phases = [column.phase for column in group]
        if phases == [None]:
            readings = PhaseReadings.over_time(_readings(table, group[0])[:, None])
        elif None not in phases and len(set(phases)) == len(phases):
            currents = np.full((len(table.lines), 3), np.nan)
            for column in group:
                currents[:, column.phase or 0] = _readings(table, column)
            readings = PhaseReadings.over_time(currents)
        else:
            texts = " and ".join(repr(table.headings[column.number][:40]) for column in group[:2])
            _refuse(f"two columns of one circuit: {texts}", [])
        unit = group[0].unit or "A"
        if unit != "A" and not readings.by_pole:
            _refuse("phases of a circuit in power; enter currents, or one column by circuit", [])
        found[key] = replace(readings, unit=unit.removeprefix("k"))
    return found


def _readings(table: CellTable, column: CircuitColumn) -> FloatArray:
    """Return the readings of a column [A, W or VA]; without a unit they are currents."""
    if column.unit in ("", "A"):
        return _amperes(table, column.number)
    values = numbers(table, column.number, READINGS)
    return values * (1e3 if column.unit.startswith("k") else 1.0)


def _currents(table: CellTable, names: list[str]) -> FloatArray:
    """Return the currents by row and phase, or of one pole by row [A]."""
    phase = _column(names, _PHASE)
    wide = [(m[1], n) for n, name in enumerate(names) if (m := _OF_PHASE.fullmatch(name))]
    values = [n for n, name in enumerate(names) if _VALUE.fullmatch(name)]
    if phase is None and sorted(_PHASES[name] for name, _ in wide) == [0, 1, 2]:
        columns = sorted(wide, key=lambda one: _PHASES[one[0]])
        currents = np.stack([_amperes(table, n) for _, n in columns], axis=1)
    elif len(values) == 1:
        currents = _amperes(table, values[0])[:, None]
    else:
        _refuse("no current column, or several", names)
    if phase is None:
        return currents
    of_phase = np.full((len(currents), 3), np.nan)
    for row, text in enumerate(_texts(table, phase)):
        if text.lower() not in _PHASES:
            READINGS.refuse(
                "METER_NUMBER",
                table.where(row, phase),
                f"{text[:40]!r} is not a phase.",
                "Enter A, B, C or L1, L2, L3.",
            )
        of_phase[row, _PHASES[text.lower()]] = currents[row, 0]
    return of_phase


def _amperes(table: CellTable, column: int) -> FloatArray:
    values = numbers(table, column, READINGS)
    wrong = (values < 0.0) | (values > _MAX_A)
    if wrong.any():
        row = int(np.argmax(wrong))
        READINGS.refuse(
            "METER_NUMBER",
            table.where(row, column),
            f"{values[row]:g} is not a valid current; expected 0 to {_MAX_A:,.0f} A.",
            "Enter currents in A, without a sign.",
        )
    return values


def _column(names: list[str], known: re.Pattern[str]) -> int | None:
    found = [n for n, name in enumerate(names) if known.fullmatch(name)]
    return found[0] if found else None


def _texts(table: CellTable, column: int) -> list[str]:
    return [cell.decode("utf-8", "replace") for cell in table.cells(column).tolist()]


def _refuse(words: str, names: list[str]) -> NoReturn:
    had = ", ".join(name[:40] for name in names[:8])
    text = f"{words}: {had!r}." if had else f"{words}."
    raise FacilityError("METER_COLUMNS", "branch readings: row 1", text, _HOW)
