"""Import of a panel schedule from its sheet, by headings and pole numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from facility.core.errors import FacilityError
from facility.files.circuit_table.rows import MAX_VA
from facility.files.import_panel.loads import LoadRow, LoadsRead
from facility.files.incoming.grid import ReadCells, plain_heading
from facility.files.workbook.cells import ErrorText
from facility.files.workbook.reading import HEAD_ROWS
from facility.model.power.hall_distribution import Numbering
from facility.power.panels.board.layout import LAYOUTS, Layout

_LAST_ROW = 400
_WAY = re.compile(r"(\d{1,2})L([123])", re.ASCII)
_PHASES = {"a": 0, "b": 1, "c": 2, "l1": 0, "l2": 1, "l3": 2}
_ALIASES = {
    "ckt": "ckt",
    "way": "ckt",
    "description": "description",
    "designation": "description",
    "class": "class",
    "poles": "poles",
    "trip a": "trip",
    "in a": "trip",
}
_SPACE = ("", "SPACE")


@dataclass(frozen=True)
class Override:
    """VA value typed over a schedule formula."""

    where: str
    circuit: str
    typed: str
    value: float


@dataclass(frozen=True)
class CircuitLine:
    """One circuit of the schedule.

    `va` and `referred` are by pole; `referred` contains the Loads row and phase of the VA
    reference, None for a typed value.
    """

    where: str
    position: int
    label: str
    description: str
    class_code: str
    poles: int
    trip_a: float | None
    va: tuple[float, ...]
    referred: tuple[tuple[LoadRow, int] | None, ...]

    @property
    def rows(self) -> dict[str, LoadRow]:
        """Loads rows referred to by the VA, by circuit."""
        return {found[0].id: found[0] for found in self.referred if found is not None}


@dataclass
class ReadSchedule:
    """Imported schedule: circuits, typed VA, and errors by cell."""

    head_row: int
    lines: list[CircuitLine] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    overrides: list[Override] = field(default_factory=list)
    problems: list[FacilityError] = field(default_factory=list)


@dataclass(frozen=True)
class _Pole:
    row: int
    columns: Mapping[str, int]
    va: tuple[int, int, int]
    label: str


def is_schedule(grid: ReadCells) -> bool:
    """Return whether the sheet has the headings of a panel schedule."""
    return bool(_blocks(grid)[1])


def read_schedule(grid: ReadCells, loads: LoadsRead) -> ReadSchedule:
    """Return the schedule of the sheet; read errors are in its problems.

    grid: Sheet of one panel.
    loads: Loads sheet of the same workbook, referred to by the VA.
    """
    head_row, blocks = _blocks(grid)
    found = ReadSchedule(head_row)
    poles: dict[int, _Pole] = {}
    numbering: Numbering = "US"
    for row in range(head_row + 1, _LAST_ROW):
        labels = [grid.text(row, columns["ckt"]).strip() for columns, _ in blocks]
        known = [_position(label) for label in labels]
        if not any(known):
            break
        for (columns, va), label, position in zip(blocks, labels, known, strict=True):
            if position is None:
                continue
            numbering = "IEC" if "L" in label else "US"
            if position in poles:
                where = grid.location(row, columns["ckt"])
                found.problems.append(wrong_cell(where, f"pole {label} occurs twice."))
            poles[position] = _Pole(row, columns, va, label)
    found.labels = {position: pole.label for position, pole in sorted(poles.items())}
    reader = _Reader(grid, loads, poles, LAYOUTS[numbering])
    inside: set[int] = set()
    for start, pole in sorted(poles.items()):
        if start in inside or reader.is_space(pole):
            continue
        try:
            line, typed = _line(reader, start, pole)
        except FacilityError as problem:
            found.problems.append(problem)
            inside.update(_rest_of_breaker(reader, start))
            continue
        inside.update(reader.layout.occupied(start, line.poles))
        found.lines.append(line)
        found.overrides += typed
    return found


def _position(label: str) -> int | None:
    if label.isascii() and label.isdigit() and len(label) <= 3:
        return int(label) or None
    way = _WAY.fullmatch(label)
    return None if way is None else (int(way[1]) - 1) * 3 + int(way[2])


def _blocks(grid: ReadCells) -> tuple[int, list[tuple[dict[str, int], tuple[int, int, int]]]]:
    """Return the heading's row, and columns by name on each side of the phase column."""
    for row, texts in grid.rows(HEAD_ROWS):
        heads = {column: plain_heading(text) for column, text in texts.items()}
        middle = next((c for c, text in heads.items() if text == "ø"), None)
        if middle is None:
            continue
        blocks = []
        for side in (
            {c: t for c, t in heads.items() if c < middle},
            {c: t for c, t in heads.items() if c > middle},
        ):
            columns = {_ALIASES[t]: c for c, t in side.items() if t in _ALIASES}
            va = {
                _PHASES[t.removesuffix(" va")]: c
                for c, t in side.items()
                if t.endswith(" va") and t.removesuffix(" va") in _PHASES
            }
            if len(columns) == len(set(_ALIASES.values())) and len(va) == 3:
                blocks.append((columns, (va[0], va[1], va[2])))
        if blocks:
            return row, blocks
    return 0, []


@dataclass(frozen=True)
class _Reader:
    grid: ReadCells
    loads: LoadsRead
    poles: Mapping[int, _Pole]
    layout: Layout

    def text(self, pole: _Pole, name: str) -> str:
        return self.grid.text(pole.row, pole.columns[name])

    def location(self, pole: _Pole, name: str) -> str:
        return self.grid.location(pole.row, pole.columns[name])

    def is_space(self, pole: _Pole) -> bool:
        texts = self.text(pole, "description").strip(), self.text(pole, "class").strip()
        rest = (pole.columns["poles"], pole.columns["trip"], *pole.va)
        return all(t in _SPACE for t in texts) and all(self.grid.blank(pole.row, c) for c in rest)


def _rest_of_breaker(reader: _Reader, position: int) -> Iterator[int]:
    """Yield the continuation poles below a pole that could not be read."""
    for other in reader.layout.occupied(position, 3)[1:]:
        pole = reader.poles.get(other)
        if pole is None or not reader.text(pole, "description").startswith("|"):
            return
        yield other


def _line(reader: _Reader, position: int, pole: _Pole) -> tuple[CircuitLine, list[Override]]:
    count = _count(reader, pole)
    taken = reader.layout.occupied(position, count)
    whole = reader.layout.may_start(position, count, max(reader.poles))
    if not whole or any(n not in reader.poles for n in taken):
        raise wrong_cell(
            reader.location(pole, "poles"), f"a {count}-pole breaker does not fit at {pole.label}."
        )
    below = [reader.poles[n] for n in taken[1:]]
    description = reader.text(pole, "description")
    for other in below:
        carried = reader.text(other, "description")
        if not (carried.startswith("|") or carried.strip() in _SPACE) or not all(
            reader.grid.blank(other.row, other.columns[name]) for name in ("poles", "trip")
        ):
            raise wrong_cell(
                reader.location(other, "description"),
                f"pole {other.label} belongs to the {count}-pole breaker at {pole.label}, "
                "but has a circuit entered.",
            )
        if carried.startswith("|") and carried[1:].strip():
            description = f"{description} {carried[1:].removeprefix(' ')}"
    va, referred, typed = [], [], []
    for n in taken:
        value, refers, override = _va(reader, n, description)
        va.append(value)
        referred.append(refers)
        typed += override
    trip = pole.columns["trip"]
    return CircuitLine(
        reader.location(pole, "description"),
        position,
        pole.label,
        description,
        reader.text(pole, "class").strip().upper(),
        count,
        None if reader.grid.blank(pole.row, trip) else _number(reader.grid, pole.row, trip, 1e-9),
        tuple(va),
        tuple(referred),
    ), typed


def _count(reader: _Reader, pole: _Pole) -> int:
    value = reader.grid.value(pole.row, pole.columns["poles"])
    if value in (1, 2, 3) and not isinstance(value, bool):
        return int(value)
    raise wrong_cell(
        reader.location(pole, "poles"),
        f"{reader.text(pole, 'poles')[:40]!r} poles for circuit {pole.label}; "
        "a breaker has 1, 2 or 3.",
    )


def _va(
    reader: _Reader, position: int, circuit: str
) -> tuple[float, tuple[LoadRow, int] | None, list[Override]]:
    pole, phase = reader.poles[position], reader.layout.phase(position)
    grid, row = reader.grid, pole.row
    for other, column in enumerate(pole.va):
        if other != phase and not grid.blank(row, column):
            raise wrong_cell(
                grid.location(row, column),
                f"pole {pole.label} is on another phase.",
                "Enter the VA in the phase column of the row.",
            )
    column = pole.va[phase]
    if grid.blank(row, column):
        if reader.text(pole, "class").strip().upper() == "SPARE":
            return 0.0, None, []
        raise wrong_cell(
            grid.location(row, column),
            f"circuit {pole.label} has no VA.",
            "Unknown is not zero: enter the value, or class SPARE.",
        )
    value = _number(grid, row, column, minimum=0.0)
    formula = grid.formulas.get((row, column), "")
    referred = reader.loads.referred(formula)
    if referred is not None:
        return value, referred, []
    typed = formula or grid.text(row, column)
    return value, None, [Override(grid.location(row, column), circuit, typed, value)]


def _number(grid: ReadCells, row: int, column: int, minimum: float) -> float:
    where, value = grid.location(row, column), grid.calculated(row, column)
    if isinstance(value, ErrorText):
        raise wrong_cell(
            where, f"the cell shows {value}.", "Correct the formula, or enter the value."
        )
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_cell(where, f"{grid.text(row, column)[:40]!r} is not a number.")
    if not minimum <= value <= MAX_VA:
        raise wrong_cell(where, f"{value:g} is out of range.")
    return float(value)


def wrong_cell(where: str, message: str, hint: str = "") -> FacilityError:
    """Return the error of a cell value."""
    return FacilityError("IMPORT_CELL", where, message, hint)


def header_fields(grid: ReadCells, head_row: int, labels: Mapping[str, int]) -> dict[str, Any]:
    """Return the header values by label: ``(row, column, value)``.

    labels: Labels to find, with the column offset of their values.
    """
    fields = {}
    for row, texts in grid.rows(head_row - 1):
        for column, text in texts.items():
            if text in labels and text not in fields:
                there = column + labels[text]
                fields[text] = (row, there, grid.value(row, there))
    return fields
