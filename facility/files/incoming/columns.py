"""Headings of imported tables, mapped to the fields in ``headings.csv``; ambiguities are asked."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

from facility.core.errors import FacilityError, near_matches
from facility.core.kinds import KINDS
from facility.core.parse import unit_token
from facility.files.incoming.grid import ReadCells, cell_text
from facility.files.incoming.meanings import (
    counted_fields,
    excluded,
    repeat_merged,
    without_numbers,
)
from facility.files.incoming.text_table import Decimal, decimal_styles, plain_number
from facility.report.sheet.model import column_letter

COLUMN = "column"
"""Word that names a column by its letter in an answer: ``column E=ignore``."""
IGNORE = "ignore"
"""Answer for a column that is not to be read."""
PREFERRED = ("room",)
"""Fields that a heading means where no other heading may, as needed ones: ``Location``."""
NOT_CARRIED = ("note",)
"""Fields that are recognized, so that they are not taken for others, and not read."""
HEAD_ROWS = 30
"""Rows that are searched for the headings."""
PLAIN_KINDS = ("text", "count", "number", "flag")
Cell = object
"""Value of a cell."""
_NO_UNIT = ("-", "–", "u", "ru", "pcs", "#", "text")
_BARE = re.compile(r"[-+\d.,'’\s]*\d[-+\d.,'’\s]*")
_SPELLED = {
    "watt": "W",
    "watts": "W",
    "kilowatts": "kW",
    "lbs": "lb",
    "pounds": "lb",
    "amp": "A",
    "amps": "A",
}
_MAX_HEADING = 400
_UNIT_IN_HEADING = re.compile(r"(.*?)\s*[\(\[]\s*([^()\[\]]{1,12})\s*[\)\]]\s*")
_UNIT_AT_END = re.compile(r"(.*?\S)[\s_,/]+([A-Za-z%²³/]{1,6})")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_BRACKETS = re.compile(r"[()\[\]]")
_SPACING = re.compile(r"[\s_\-./:#,]+")


@dataclass(frozen=True)
class TableField:
    """A field of a table, with its kind of quantity or one of `PLAIN_KINDS`."""

    name: str
    kind: str
    label: str = ""  # As displayed in the app


@dataclass(frozen=True)
class Vocabulary:
    """The fields of a table type, and the fields that each usual heading can mean."""

    table: str
    fields: Mapping[str, TableField]
    by_heading: Mapping[str, tuple[str, ...]]
    units: Mapping[str, str]  # Unit of a heading that implies one, as "Watts"


@dataclass(frozen=True)
class TableQuestion:
    """A question about a table, and the option that answers it."""

    where: str  # Address of the cell
    text: str
    answer: str  # Option of the command line that answers it
    code: str = "TABLE_QUESTION"

    def as_error(self) -> FacilityError:
        """Return the question as an error; the hint is its answer."""
        return FacilityError(self.code, self.where, self.text, self.answer)


@dataclass(frozen=True)
class MappedColumn:
    """A column of the table: its heading, and the field and unit read from it."""

    number: int
    heading: str
    where: str
    field: str | None
    unit: str = ""
    example: str = ""  # The first cell below the heading that is not empty

    @property
    def carried(self) -> bool:
        """Whether the cells of the column are read."""
        return self.field is not None and self.field not in NOT_CARRIED


@dataclass(frozen=True)
class TableMap:
    """A table with the meaning of its columns."""

    grid: ReadCells
    top: int  # Row of the headings, or of the units below them
    columns: tuple[MappedColumn, ...]
    questions: tuple[TableQuestion, ...]
    decimal: Decimal = "."

    @property
    def unread(self) -> tuple[str, ...]:
        """Headings that are not read."""
        return tuple(column.heading for column in self.columns if not column.carried)

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the rows below the headings that are not empty: row number, cells by field."""
        fields = {column.number: column.field for column in self.columns if column.field}
        by_row: dict[int, dict[str, str]] = {}
        for (row, column), value in self.grid.values.items():
            name = fields.get(column)
            if row > self.top and name is not None:
                text = value.strip() if isinstance(value, str) else cell_text(value)
                if isinstance(value, float):
                    text = text.replace(".", self.decimal)
                if text:
                    by_row.setdefault(row, {})[name] = text
        repeat_merged(self.grid, by_row, fields)
        yield from sorted(by_row.items())

    def location(self, row: int, field: str) -> str:
        """Return the address of the cell of a field."""
        number = next((one.number for one in self.columns if one.field == field), 1)
        return self.grid.location(row, number)

    def heading(self, field: str) -> str:
        """Return the heading of a field; empty without one."""
        return next((one.heading for one in self.columns if one.field == field), "")

    def quantity_text(self, field: str, text: str) -> str:
        """Return a cell with a plain number and its unit, by default the unit of the column."""
        plain = plain_number(text, self.decimal)
        unit = next((one.unit for one in self.columns if one.field == field), "")
        has_unit = bool(re.search(r"[^\d.eE+\-\s]", plain))
        return plain if has_unit or not unit else f"{plain} {unit}"


@lru_cache
def vocabulary(table: str) -> Vocabulary:
    """Return the fields of a kind of table."""
    text = Path(__file__).with_name("headings.csv").read_text("utf-8")
    fields: dict[str, TableField] = {}
    meant: dict[str, list[str]] = {}
    units: dict[str, str] = {}
    for row in csv.DictReader(text.splitlines()):
        if row["table"] != table:
            continue
        fields[row["field"]] = TableField(row["field"], row["kind"], row["label"])
        for written in (row["field"], *row["synonyms"].split("|")):
            heading, unit = split_unit(written)
            names = meant.setdefault(plain(heading), [])
            if heading and row["field"] not in names:
                names.append(row["field"])
            if unit:
                units[plain(heading)] = unit
    by_heading = {heading: tuple(names) for heading, names in meant.items()}
    return Vocabulary(table, fields, by_heading, units)


def plain(heading: str) -> str:
    """Return a heading in small letters, words separated by one space.

    Examples
    --------
    >>> plain("Rack_Name"), plain("No. of  racks"), plain("DeviceType")
    ('rack name', 'no of racks', 'device type')
    """
    return _SPACING.sub(" ", _CAMEL.sub(" ", heading)).strip().casefold()


def split_unit(heading: str) -> tuple[str, str]:
    """Return a heading without its unit, and the unit as written; empty without one.

    Examples
    --------
    >>> split_unit("Max power (kW)"), split_unit("Room")
    (('Max power', 'kW'), ('Room', ''))
    """
    found = _UNIT_IN_HEADING.fullmatch(heading) if len(heading) <= _MAX_HEADING else None
    return (found[1], found[2]) if found and found[1] else (heading, "")


def read_answers(texts: Sequence[str]) -> dict[str, str]:
    """Return the answers ``HEADING=FIELD`` or ``HEADING=FIELD UNIT`` by heading.

    Raises ``TABLE_ANSWER`` for a text of another form, and for a second field of one heading.
    """
    found = dict[str, str]()
    for text in texts:
        heading, sign, meaning = text.rpartition("=")
        if not sign or not heading.strip() or not meaning.strip():
            raise FacilityError(
                "TABLE_ANSWER",
                "--map",
                f"{text[:60]!r} is not a valid mapping.",
                "Write e.g. --map 'Name=device' or --map 'Power=power_limit W'.",
            )
        add_answer(found, "--map", plain(heading), meaning.strip())
    return found


def add_answer(found: dict[str, str], option: str, key: str, meaning: str) -> None:
    """Add an answer to the earlier ones.

    Raises ``TABLE_ANSWER`` for a second one with another meaning.
    """
    if found.setdefault(key, meaning) != meaning:
        raise FacilityError(
            "TABLE_ANSWER",
            option,
            f"{key[:40]!r} is specified as {found[key][:40]!r} and as {meaning[:40]!r}.",
            "Enter one of them.",
        )


def map_table(
    grid: ReadCells,
    words: Vocabulary,
    needed: Sequence[str],
    answers: Mapping[str, str],
    decimal: Decimal | None = None,
) -> TableMap | None:
    """Return the table with its columns mapped; None without a row of headings.

    grid: Cells of the sheet or file.
    words: Fields and their usual headings.
    needed: Fields without which a row is not the row of headings.
    answers: Field of a heading, as `read_answers`; they take precedence over usual headings.
    decimal: Decimal sign; default: the one that the cells show.

    Raises ``TABLE_ANSWER`` for an answer that names no heading or no field.
    """
    for row, texts in grid.rows(HEAD_ROWS):
        meant = {
            column: _meant(text, grid.location(row, column), words, answers)
            for column, text in texts.items()
        }
        every = {name for names in meant.values() for name in names}
        if len(every) < 2 or not set(needed) <= every:
            continue
        _check_answers(answers, grid, row, words)
        meant = excluded(without_numbers(grid, row, meant, needed), (*needed, *PREFERRED))
        units = _units_below(grid, row, meant, words)
        top = row + 1 if units else row
        cells = _by_column(grid, top)
        columns, questions = [], []
        for number in texts:
            below, unit = cells.get(number, []), units.get(number, "")
            at = row, number
            column, question = _column(grid, at, meant[number], words, answers, below, unit)
            columns.append(column if question is None else replace(column, field=None, unit=""))
            questions += [question] if question else []
        questions += _doubled(columns)
        style, open_style = _decimal(grid, columns, words, decimal, cells)
        return TableMap(grid, top, tuple(columns), (*questions, *open_style), style)
    return None


def answer_for(heading: str, where: str, answers: Mapping[str, str]) -> str:
    """Return the answer for a heading, or for the column of its address; empty without one."""
    letters = where.rpartition("!")[2].rstrip("0123456789").casefold()
    keys = (plain(heading), plain(split_unit(heading)[0]), f"{COLUMN} {letters}")
    return next((answers[key] for key in keys if key in answers), "")


def _meant(
    heading: str, where: str, words: Vocabulary, answers: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the fields that a heading may mean."""
    answer = answer_for(heading, where, answers)
    if answer:
        name = answer.split()[0]
        return () if name == IGNORE else (name,)
    bare = split_unit(heading)[0]
    for text in (heading, _BRACKETS.sub(" ", heading), bare, _parted(heading, words)[0]):
        found = words.by_heading.get(plain(text))
        if found:
            return found
    counted = counted_fields(plain(_BRACKETS.sub(" ", heading)))
    return counted if set(counted) <= set(words.fields) else ()


def _parted(heading: str, words: Vocabulary) -> tuple[str, str]:
    """Return a heading without a unit written behind it, as in ``Max power kW``, and the unit."""
    found = _UNIT_AT_END.fullmatch(heading.strip())
    if found:
        for name in words.by_heading.get(plain(found[1]), ()):
            kind = words.fields[name].kind
            if (
                kind not in PLAIN_KINDS
                and _in_kind(unit_token(found[2]), kind) in KINDS[kind].units
            ):
                return found[1], found[2]
    return heading, ""


def _units_below(
    grid: ReadCells, row: int, meant: Mapping[int, tuple[str, ...]], words: Vocabulary
) -> dict[int, str]:
    """Return the units in the row below the headings; empty where it is not a row of units."""
    units: dict[int, str] = {}
    for column, names in meant.items():
        text = grid.text(row + 1, column).strip(" ()[]")
        kinds = {words.fields[name].kind for name in names} - set(PLAIN_KINDS)
        if any(_in_kind(unit_token(text), kind) in KINDS[kind].units for kind in kinds if text):
            units[column] = text
        elif text and text.casefold() not in _NO_UNIT:
            return {}
    return units


def _by_column(grid: ReadCells, top: int) -> dict[int, list[Cell]]:
    """Return the cells of each column below the headings, in order of their rows."""
    found: dict[int, list[tuple[int, Cell]]] = {}
    for (row, column), value in grid.values.items():
        if row > top:
            found.setdefault(column, []).append((row, value))
    return {
        column: [value for _, value in sorted(cells, key=itemgetter(0))]
        for column, cells in found.items()
    }


def _check_answers(
    answers: Mapping[str, str], grid: ReadCells, row: int, words: Vocabulary
) -> None:
    headings = [text for at, texts in grid.rows(row) if at == row for text in texts.values()]
    known = {plain(text) for text in headings} | {plain(split_unit(text)[0]) for text in headings}
    for heading, meaning in answers.items():
        name = meaning.split()[0]
        if heading not in known and not re.fullmatch(rf"{COLUMN} [a-z]{{1,3}}", heading):
            near = near_matches(heading, sorted(known))
            hint = near or f"Headings: {', '.join(sorted(known)[:12])}."
            raise FacilityError("TABLE_ANSWER", "--map", f"no heading {heading!r}.", hint)
        if name != IGNORE and name not in words.fields:
            hint = f"Fields: {', '.join((*words.fields, IGNORE))}."
            raise FacilityError("TABLE_ANSWER", "--map", f"there is no field {name!r}.", hint)


def _column(
    grid: ReadCells,
    at: tuple[int, int],
    meant: tuple[str, ...],
    words: Vocabulary,
    answers: Mapping[str, str],
    below: Sequence[Cell],
    unit_below: str,
) -> tuple[MappedColumn, TableQuestion | None]:
    """Return a column with field and unit, and its open questions."""
    heading, where = " ".join(grid.text(*at).split()), grid.location(*at)
    example = cell_text(below[0])[:60] if below else ""
    bare, written = split_unit(heading)
    if not written:
        bare, written = _parted(heading, words)
    answer = answer_for(heading, where, answers).split(maxsplit=1)
    written = written or unit_below or words.units.get(plain(bare), "")
    unit = unit_token(answer[1] if len(answer) > 1 else written)
    if len(meant) > 1:
        text = f"the heading {heading!r} can mean {' or '.join(meant)}."
        options = " or ".join(
            map_option(heading, name, proposed_unit(words.fields[name].kind, unit, below))
            for name in meant
        )
        return MappedColumn(at[1], heading, where, None, "", example), TableQuestion(
            where, text, f"Add {options}."
        )
    if not meant:
        return MappedColumn(at[1], heading, where, None, "", example), None
    kind = words.fields[meant[0]].kind
    if kind in PLAIN_KINDS:
        return MappedColumn(at[1], heading, where, meant[0], "", example), None
    allowed, unit = KINDS[kind].units, _in_kind(unit, kind)
    column = MappedColumn(at[1], heading, where, meant[0], unit if unit in allowed else "", example)
    listed = ", ".join(one for one in allowed if one)
    if unit and unit not in allowed:
        text = f"{unit!r} in the heading {heading!r} is not a unit for {kind.replace('_', ' ')}."
        option = map_option(heading, meant[0], proposed_unit(kind, "", below))
        return column, TableQuestion(where, text, f"Add {option} (units: {listed}).")
    if not unit and "" not in allowed and any(map(is_bare, below)):
        text = f"the column {heading!r} contains numbers without a unit."
        option = map_option(heading, meant[0], proposed_unit(kind, "", below))
        return column, TableQuestion(where, text, f"Add {option} (units: {listed}).")
    return column, None


def map_option(heading: str, field: str, unit: str) -> str:
    """Return the option that maps a heading to a field, with its unit."""
    return f"--map '{heading}={field}{' ' * bool(unit)}{unit}'"


def _in_kind(unit: str, kind: str) -> str:
    """Return a unit in the spelling of its kind: ``watts`` is W, ``KW`` is kW, ``lbs`` is lb."""
    spelled = _SPELLED.get(unit.casefold(), unit)
    return next((one for one in KINDS[kind].units if one.casefold() == spelled.casefold()), unit)


def proposed_unit(kind: str, unit: str, below: Sequence[Cell]) -> str:
    """Return the unit to propose in an answer; empty if not needed.

    Of a device or a rack, numbers from 300 on are proposed as W, smaller ones as kW.
    """
    if kind in PLAIN_KINDS or "" in KINDS[kind].units:
        return ""
    if unit and _in_kind(unit, kind) in KINDS[kind].units:
        return ""
    if kind == "active_power":
        numbers = (re.sub(r"[^\d.]", "", cell_text(value)) for value in below if is_bare(value))
        first = next((number for number in numbers if number), "0")
        return "W" if float(first.split(".")[0] or 0) >= 300 else "kW"
    return KINDS[kind].view_si


def is_bare(value: Cell) -> bool:
    """Return whether a cell is a number without a unit."""
    return not isinstance(value, str) or bool(_BARE.fullmatch(value))


def _doubled(columns: Sequence[MappedColumn]) -> Iterator[TableQuestion]:
    """Yield a question for each field that two headings mean."""
    by_field: dict[str, list[MappedColumn]] = {}
    for column in columns:
        if column.field:
            by_field.setdefault(column.field, []).append(column)
    for name, found in by_field.items():
        if len(found) > 1:
            listed = " and ".join(repr(column.heading) for column in found)
            text = f"the headings {listed} both mean {name}."
            options = " or ".join(f"--map '{name}={IGNORE}'" for name in _addressed(found))
            yield TableQuestion(
                found[1].where, text, f"Add {options}, or map one to another field."
            )


def _addressed(columns: Sequence[MappedColumn]) -> list[str]:
    """Return the headings, or the letters of columns with the same heading."""
    headings = [column.heading for column in columns]
    if len({plain(heading) for heading in headings}) == len(headings):
        return headings
    return [f"{COLUMN} {column_letter(column.number)}" for column in columns]


def _decimal(
    grid: ReadCells,
    columns: Sequence[MappedColumn],
    words: Vocabulary,
    decimal: Decimal | None,
    cells: Mapping[int, Sequence[Cell]],
) -> tuple[Decimal, list[TableQuestion]]:
    """Return the decimal sign of the number columns, and the question where cells leave it open."""
    if decimal is not None:
        return decimal, []
    texts = (
        value
        for column in columns
        if column.field and words.fields[column.field].kind not in ("text", "flag", "count")
        for value in cells.get(column.number, ())
        if isinstance(value, str) and ("," in value or "." in value)
    )
    shown, either = decimal_styles(texts)
    hint = "Add --decimal . (point) or --decimal , (comma)."
    if len(shown) > 1:
        text = f"{shown['.']!r} has a decimal point, {shown[',']!r} a decimal comma."
        return ".", [TableQuestion(grid.name, text, hint)]
    if either and not shown:
        bare = either.split()[0]
        text = f"{either!r} can be {bare.replace(',', '')} or {bare.replace(',', '.')}."
        return ".", [TableQuestion(grid.name, text, hint)]
    return next(iter(shown), "."), []
