"""Headings of a table of circuits: one side or two, one row or two, loads with their units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from facility.core.errors import FacilityError, near_matches
from facility.files.incoming.columns import (
    HEAD_ROWS,
    IGNORE,
    MappedColumn,
    TableQuestion,
    plain,
    split_unit,
    vocabulary,
)
from facility.files.incoming.grid import ReadCells

PHASE_FIELDS = ("phase_a", "phase_b", "phase_c")
LEG_FIELDS = ("va", "va_b", "va_c")
LOAD_FIELDS = (*LEG_FIELDS, *PHASE_FIELDS)
UNITS = {
    "va": "VA",
    "kva": "kVA",
    "w": "W",
    "watt": "W",
    "watts": "W",
    "kw": "kW",
    "amps": "A",
    "amperes": "A",
    "ampere": "A",
    "amp": "A",
}
"""Units of a load as written in headings and cells."""
_PHASES = {"a": 0, "b": 1, "c": 2, "l1": 0, "l2": 1, "l3": 2}
_FILLERS = frozenset(
    {
        "load",
        "loads",
        "phase",
        "ph",
        "ø",
        "line",
        "leg",
        "per",
        "connected",
        "conn",
        "total",
        "apparent",
    }
    | {"power", "circuit", "current", "leistung", "puissance"}
)
_TOKENS = re.compile(r"[^\W_]+")
_PHASE_SIGN = re.compile("[Øøφ]")
_SECOND_AND_THIRD = (("phase_b",), ("phase_c",), ("va_b",), ("va_c",))
_MAX_HEADING = 60
_Fields = dict[int, tuple[str, ...]]


@dataclass(frozen=True)
class CircuitSide:
    """Columns of one column of circuits, by field.

    A phase column that both sides share has two numbers a row, the left circuit first: in one cell,
    or in the column itself and the one after it. `index` is the number's place; `after` the columns
    of the right numbers.
    """

    columns: Mapping[str, MappedColumn]
    index: int = 0  # 0 left, 1 right
    shared: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()  # Shared fields with the right number in the next column

    def number(self, field: str) -> int:
        """Return the number of the column of a field."""
        return self.columns[field].number + (self.index if field in self.after else 0)

    @property
    def loads(self) -> tuple[str, ...]:
        """Load fields that have a column."""
        return tuple(name for name in LOAD_FIELDS if name in self.columns)


@dataclass(frozen=True)
class Headings:
    """The headings of a circuit table, with the questions about them."""

    row: int  # Last row of the headings
    columns: tuple[MappedColumn, ...]  # Every heading, read or not
    sides: tuple[CircuitSide, ...]
    questions: tuple[TableQuestion, ...]

    @property
    def unread(self) -> tuple[str, ...]:
        """Headings that are not read."""
        return tuple(one.heading for one in self.columns if one.field is None)

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields that are read."""
        return tuple(dict.fromkeys(one.field for one in self.columns if one.field))


def find_headings(grid: ReadCells, answers: Mapping[str, str]) -> Headings | None:
    """Return the headings of the table of circuits; None if not found.

    grid: Cells of the sheet or file.
    answers: Fields of headings, as `read_answers`.

    Raises ``TABLE_ANSWER`` for an answer that names no heading or no field; ``PANEL_CSV_COLUMN``
    for more than two columns of circuit numbers.
    """
    first = min((row for row, _ in grid.values), default=1)
    rows = list(grid.rows(first - 1 + HEAD_ROWS))
    for index, (row, texts) in enumerate(rows):
        for last, heads in _candidates(row, texts, rows[index + 1 : index + 2]):
            fields = {number: _meant(text, answers) for number, text in heads.items()}
            fields = _settled(fields, heads, answers)
            known = {name for names in fields.values() for name in names}
            sized = known & {"poles", "breaker_a", *LOAD_FIELDS}
            if "description" in known and sized and known & {"position", "poles"}:
                _check_answers(answers, heads.values())
                return _headings(grid, last, heads, fields, answers)
    return None


def _candidates(
    row: int, texts: dict[int, str], below: Sequence[tuple[int, dict[int, str]]]
) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield a row with the second row of its headings, and the row alone."""
    known = vocabulary("circuits").by_heading
    upper = {name for text in texts.values() for name in known.get(plain(text), ())}
    for next_row, lower in below if "description" in upper else ():
        words = {number: plain(text) for number, text in lower.items()}
        second = all(word in _PHASES or word in UNITS or word in known for word in words.values())
        if next_row == row + 1 and second and any(word in _PHASES for word in words.values()):
            merged, above = dict(texts), ""
            for number in range(1, max((*texts, *lower)) + 1):
                above = texts.get(number, above)
                if number in lower:
                    complete = words[number] in known and words[number] not in _PHASES
                    merged[number] = lower[number] if complete else f"{above} {lower[number]}"
            yield next_row, merged
    yield row, texts


def _answer(heading: str, answers: Mapping[str, str]) -> list[str]:
    found = answers.get(plain(heading)) or answers.get(plain(split_unit(heading)[0])) or ""
    return found.split(maxsplit=1)


def _meant(heading: str, answers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields that a heading may mean."""
    answer = _answer(heading, answers)
    if answer:
        return () if answer[0] == IGNORE else (answer[0],)
    if len(heading) > _MAX_HEADING:
        return ()
    known = vocabulary("circuits").by_heading
    bare, unit = split_unit(heading)
    return (
        known.get(plain(heading))
        or known.get(plain(f"{bare} {unit}"))
        or _load_meant(bare, unit.casefold())
        or known.get(plain(bare), ())
    )


def _load_meant(heading: str, unit: str) -> tuple[str, ...]:
    """Return the load field of a heading made of a phase, a unit and words for a load."""
    tokens = [token.casefold() for token in _TOKENS.findall(_PHASE_SIGN.sub(" ", heading))]
    rest = [token for token in tokens if token not in _FILLERS]
    phases = [token for token in rest if token in _PHASES]
    units = [token for token in rest if token in UNITS]
    units += ["amps" if unit == "a" else unit] if unit == "a" or unit in UNITS else []
    if set(rest) - {*phases, *units} or max(len(units), len(phases)) > 1 or not (phases or units):
        return ()
    if phases:
        return (PHASE_FIELDS[_PHASES[phases[0]]],)
    if plain(heading) in ("load", "loads") or UNITS[units[0]] != "A" or len(tokens) > 1 or unit:
        return ("va",)
    return ("breaker_a", "va")


def _settled(fields: _Fields, heads: Mapping[int, str], answers: Mapping[str, str]) -> _Fields:
    """Return the fields, with legs and phases, loads and descriptions distinguished."""
    every = [name for names in fields.values() for name in names]
    found = dict(fields)
    others = ("phase_b", "phase_c", "va_b", "va_c")
    for number, names in fields.items():
        heading = plain(split_unit(heads[number])[0])
        if _answer(heads[number], answers):
            continue
        leg = names[0][-1] if names[:1] in _SECOND_AND_THIRD else ""
        if leg:
            # The legs of the panel CSV are in pole order, whatever their phases.
            legs = "va" in every and "phase_a" not in every
            found[number] = (f"va_{leg}" if legs else f"phase_{leg}",)
        elif heading == "a" and names == ("phase_a",) and not set(others) & set(every):
            found[number] = ("breaker_a", "phase_a")
        elif heading in ("load", "loads") and every.count("description") > max(
            1, every.count("position")
        ):
            found[number] = () if set(every) & set(LOAD_FIELDS) else ("va",)
    return found


def _check_answers(answers: Mapping[str, str], headings: Iterable[str]) -> None:
    known = {plain(text) for one in headings for text in (one, split_unit(one)[0])}
    fields = (*vocabulary("circuits").fields, IGNORE)
    for heading, meaning in answers.items():
        if heading not in known:
            hint = near_matches(heading, known) or f"Headings: {', '.join(sorted(known)[:20])}."
            raise FacilityError("TABLE_ANSWER", "--map", f"no heading {heading[:60]!r}.", hint)
        name, _, unit = meaning.partition(" ")
        if name not in fields or (unit and name not in LOAD_FIELDS):
            hint = f"Fields: {', '.join(fields)}; only a load takes a unit."
            raise FacilityError(
                "TABLE_ANSWER", "--map", f"there is no field {meaning[:60]!r}.", hint
            )
        if unit and unit.strip() not in UNITS.values():
            hint = f"Write {name} and one of {', '.join(dict.fromkeys(UNITS.values()))}."
            raise FacilityError("TABLE_ANSWER", "--map", f"{unit[:20]!r} is not a load unit.", hint)


def _headings(
    grid: ReadCells,
    last: int,
    heads: Mapping[int, str],
    fields: _Fields,
    answers: Mapping[str, str],
) -> Headings:
    first: dict[int, str] = {}
    for row, number in sorted(grid.values):
        if row > last:
            first.setdefault(number, grid.text(row, number)[:_MAX_HEADING])
    columns, questions = [], []
    for number, heading in heads.items():
        where, names = grid.location(last, number), fields[number]
        if len(names) > 1:
            options = " or ".join(f"--map '{heading}={name}'" for name in names)
            text = f"the heading {heading!r} can mean {' or '.join(names)}."
            questions.append(TableQuestion(where, text, f"Add {options}."))
        name = names[0] if len(names) == 1 else None
        unit = _unit(heading, name, answers)
        columns.append(MappedColumn(number, heading, where, name, unit, first.get(number, "")))
    sides, doubled = _sides(grid, columns, last)
    return Headings(last, tuple(columns), sides, (*questions, *doubled))


def _unit(heading: str, field: str | None, answers: Mapping[str, str]) -> str:
    """Return the unit of a load column; empty where the heading has none."""
    answer = _answer(heading, answers)
    if field not in LOAD_FIELDS or len(answer) > 1:
        return answer[1].strip() if len(answer) > 1 else ""
    written = split_unit(heading)[1].casefold()
    if written == "a":
        return "A"
    words = [token.casefold() for token in _TOKENS.findall(heading)]
    return next((UNITS[word] for word in (written, *words) if word in UNITS), "")


def group_unit(heading: str) -> str:
    """Return the unit of a heading over several load columns: ``LOAD (VA)``; empty for others."""
    bare, unit = split_unit(heading)
    return _unit(heading, "va", {}) if "va" in _load_meant(bare, unit.casefold()) else ""


def _sides(
    grid: ReadCells, columns: Sequence[MappedColumn], last: int
) -> tuple[tuple[CircuitSide, ...], list[TableQuestion]]:
    """Return the columns of circuits, left then right, and a question for a doubled heading."""
    by_field: dict[str, list[MappedColumn]] = {}
    for column in columns:
        if column.field:
            by_field.setdefault(column.field, []).append(column)
    count = max(1, len(by_field.get("position", ())))
    if count > 2:
        raise FacilityError(
            "PANEL_CSV_COLUMN",
            by_field["position"][2].where,
            "the table has more than two columns of circuit numbers.",
            "Import each panel from its own file or sheet, or add --map 'HEADING=ignore'.",
        )
    questions = []
    for name, found in by_field.items():
        if len(found) > count:
            listed = " and ".join(repr(column.heading) for column in found)
            options = " or ".join(f"--map '{one.heading}={IGNORE}'" for one in found)
            text = f"the headings {listed} both mean {name}."
            questions.append(
                TableQuestion(
                    found[count].where, text, f"Add {options}, or map one to another field."
                )
            )
    if count == 1:
        return (CircuitSide({name: found[0] for name, found in by_field.items()}),), questions
    sides = _two_sides(grid, by_field, last)
    for side in sides:
        if "description" not in side.columns:
            raise FacilityError(
                "PANEL_CSV_COLUMN",
                side.columns["position"].where,
                "these circuits have no description column.",
                "Add --map 'HEADING=description', or --map 'HEADING=ignore' for the numbers.",
            )
    return sides, questions


def _two_sides(
    grid: ReadCells, by_field: Mapping[str, list[MappedColumn]], last: int
) -> tuple[CircuitSide, CircuitSide]:
    left = {name: found[0] for name, found in by_field.items()}
    right = {name: found[1] for name, found in by_field.items() if len(found) > 1}
    middle = sum(one.number for one in by_field["position"]) / 2.0
    headed = {one.number for found in by_field.values() for one in found}
    shared, after = set(), set()
    for name, found in by_field.items():
        if len(found) > 1:
            continue
        if name in PHASE_FIELDS or name == "phases":
            right[name] = found[0]
            shared.add(name)
            if name != "phases" and found[0].number + 1 not in headed:
                filled = any(r > last and c == found[0].number + 1 for r, c in grid.values)
                after |= {name} if filled else set()
        elif found[0].number > middle:
            right[name] = left.pop(name)
    loads = {name: found for name, found in by_field.items() if name in PHASE_FIELDS}
    after = set(loads) if after else after  # One phase without right circuits
    return (
        CircuitSide(left, 0, frozenset(shared), frozenset(after & shared)),
        CircuitSide(right, 1, frozenset(shared), frozenset(after & shared)),
    )


def with_units(headings: Headings, units: Mapping[str, str]) -> Headings:
    """Return headings whose load columns without a unit have the one stated elsewhere.

    units: Unit by load field.
    """
    columns = tuple(
        replace(one, unit=one.unit or units.get(one.field or "", "")) for one in headings.columns
    )
    by_number = {one.number: one for one in columns}
    sides = tuple(
        replace(side, columns={name: by_number[one.number] for name, one in side.columns.items()})
        for side in headings.sides
    )
    return replace(headings, columns=columns, sides=sides)
