"""Headings of a table from outside, mapped to fields; what is ambiguous is asked.

The fields of each table and their usual headings are rows of ``headings.csv``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from facility.core.errors import FacilityError, near_matches
from facility.core.kinds import KINDS
from facility.core.parse import unit_token
from facility.files.incoming.grid import ReadCells
from facility.files.incoming.text_table import Decimal, decimal_styles, plain_number

IGNORE = "ignore"
"""Answer for a column that is not to be read."""
HEAD_ROWS = 30
"""Rows that are searched for the headings."""
PLAIN_KINDS = ("text", "count", "number", "flag")
_UNIT_IN_HEADING = re.compile(r"(.*?)\s*[\(\[]\s*([^()\[\]]{1,12})\s*[\)\]]\s*")
_SPACING = re.compile(r"[\s_\-./:#]+")


@dataclass(frozen=True)
class Field:
    """A field of a table, with its kind of quantity or one of `PLAIN_KINDS`."""

    name: str
    kind: str


@dataclass(frozen=True)
class Vocabulary:
    """The fields of a kind of table, and those meant by each usual heading."""

    table: str
    fields: Mapping[str, Field]
    by_heading: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Question:
    """What a table leaves open, and the option that answers it."""

    where: str  # Address of the cell
    text: str
    answer: str  # Option of the command line that answers it
    code: str = "TABLE_QUESTION"

    def as_error(self) -> FacilityError:
        """Return the question as an error; the hint is its answer."""
        return FacilityError(self.code, self.where, self.text, self.answer)


@dataclass(frozen=True)
class Column:
    """A column of the table: its heading, and the field and unit read from it."""

    number: int
    heading: str
    where: str
    field: str | None
    unit: str = ""
    example: str = ""  # The first cell below the heading that is not empty


@dataclass(frozen=True)
class TableMap:
    """A table with the meaning of its columns."""

    grid: ReadCells
    top: int  # Row of the headings
    columns: tuple[Column, ...]
    questions: tuple[Question, ...]
    decimal: Decimal = "."

    @property
    def unread(self) -> tuple[str, ...]:
        """Headings that are not read."""
        return tuple(column.heading for column in self.columns if column.field is None)

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the rows below the headings that are not empty: row number, cells by field."""
        fields = {column.number: column.field for column in self.columns if column.field}
        by_row: dict[int, dict[str, str]] = {}
        for (row, column), value in self.grid.values.items():
            name = fields.get(column)
            if row > self.top and name is not None:
                text = value if isinstance(value, str) else self.grid.text(row, column)
                if text:
                    by_row.setdefault(row, {})[name] = text.strip()
        yield from sorted(by_row.items())

    def location(self, row: int, field: str) -> str:
        """Return the address of the cell of a field."""
        number = next((one.number for one in self.columns if one.field == field), 1)
        return self.grid.location(row, number)

    def quantity_text(self, field: str, text: str) -> str:
        """Return a cell with its number in plain form and, where it has none, the column's unit."""
        plain = plain_number(text, self.decimal)
        unit = next((one.unit for one in self.columns if one.field == field), "")
        has_unit = bool(re.search(r"[^\d.eE+\-\s]", plain))
        return plain if has_unit or not unit else f"{plain} {unit}"


@lru_cache
def vocabulary(table: str) -> Vocabulary:
    """Return the fields of a kind of table."""
    text = resources.files("facility.files.incoming").joinpath("headings.csv").read_text("utf-8")
    fields: dict[str, Field] = {}
    meant: dict[str, list[str]] = {}
    for row in csv.DictReader(text.splitlines()):
        if row["table"] != table:
            continue
        fields[row["field"]] = Field(row["field"], row["kind"])
        for heading in (row["field"], *row["synonyms"].split("|")):
            names = meant.setdefault(plain(heading), [])
            if heading and row["field"] not in names:
                names.append(row["field"])
    return Vocabulary(table, fields, {heading: tuple(names) for heading, names in meant.items()})


def plain(heading: str) -> str:
    """Return a heading in small letters, words separated by one space.

    Examples
    --------
    >>> plain("Rack_Name"), plain("No. of  racks")
    ('rack name', 'no of racks')
    """
    return _SPACING.sub(" ", heading).strip().casefold()


def split_unit(heading: str) -> tuple[str, str]:
    """Return a heading without its unit, and the unit as written; empty without one.

    Examples
    --------
    >>> split_unit("Max power (kW)"), split_unit("Room")
    (('Max power', 'kW'), ('Room', ''))
    """
    found = _UNIT_IN_HEADING.fullmatch(heading)
    return (found[1], found[2]) if found and found[1] else (heading, "")


def read_answers(texts: Sequence[str]) -> dict[str, str]:
    """Return the answers ``HEADING=FIELD`` or ``HEADING=FIELD UNIT`` by heading.

    Raises ``TABLE_ANSWER`` for a text of another form.
    """
    found = {}
    for text in texts:
        heading, sign, meaning = text.rpartition("=")
        if not sign or not heading.strip() or not meaning.strip():
            raise FacilityError(
                "TABLE_ANSWER",
                "--map",
                f"{text[:60]!r} does not map a heading.",
                "Write e.g. --map 'Name=device' or --map 'Power=power_limit W'.",
            )
        found[plain(heading)] = meaning.strip()
    return found


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
        meant = {column: _meant(text, words, answers) for column, text in texts.items()}
        every = {name for names in meant.values() for name in names}
        if not set(needed) <= every:
            continue
        _check_answers(answers, texts.values(), words)
        first = _first_cells(grid, row)
        columns, questions = [], []
        for number in texts:
            column, question = _column(grid, (row, number), meant[number], words, answers)
            columns.append(column if question is None else _unmapped(column))
            questions += [question] if question else []
        questions += _doubled(columns)
        columns = [_with_example(one, first.get(one.number, "")) for one in columns]
        style, open_style = _decimal(grid, row, columns, words, decimal)
        found = TableMap(grid, row, tuple(columns), (*questions, *open_style), style)
        return found
    return None


def _meant(heading: str, words: Vocabulary, answers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields that a heading may mean."""
    answer = answers.get(plain(heading)) or answers.get(plain(split_unit(heading)[0]))
    if answer is not None:
        name = answer.split()[0]
        return () if name == IGNORE else (name,)
    whole = words.by_heading.get(plain(heading))
    return whole or words.by_heading.get(plain(split_unit(heading)[0]), ())


def _check_answers(answers: Mapping[str, str], headings: Iterable[str], words: Vocabulary) -> None:
    known = {plain(text) for text in headings}
    known |= {plain(split_unit(text)[0]) for text in headings}
    for heading, meaning in answers.items():
        name = meaning.split()[0]
        if heading not in known:
            near = near_matches(heading, sorted(known))
            hint = f"Headings: {', '.join(near or sorted(known)[:12])}."
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
) -> tuple[Column, Question | None]:
    """Return a column with field and unit, and what is open about it."""
    heading, where = grid.text(*at).strip(), grid.location(*at)
    bare, written = split_unit(heading)
    answer = (answers.get(plain(heading)) or answers.get(plain(bare)) or "").split(maxsplit=1)
    unit = unit_token(answer[1] if len(answer) > 1 else written)
    if len(meant) > 1:
        text = f"the heading {heading!r} may mean {' or '.join(meant)}."
        options = " or ".join(f"--map '{heading}={name}'" for name in meant)
        return Column(at[1], heading, where, None), Question(where, text, f"Add {options}.")
    if not meant:
        return Column(at[1], heading, where, None), None
    kind = words.fields[meant[0]].kind
    if kind in PLAIN_KINDS:
        return Column(at[1], heading, where, meant[0]), None
    allowed = KINDS[kind].units
    unit = next((one for one in allowed if one.casefold() == unit.casefold()), unit)
    column = Column(at[1], heading, where, meant[0], unit if unit in allowed else "")
    if unit and unit not in allowed:
        text = f"{unit!r} in the heading {heading!r} is not a unit of {kind.replace('_', ' ')}."
        options = f"Add --map '{bare}={meant[0]} UNIT' with one of {', '.join(allowed)}."
        return column, Question(where, text, options)
    if not unit and _bare_numbers(grid, at):
        text = f"the column {heading!r} has numbers without a unit."
        options = f"Add --map '{heading}={meant[0]} {_likely(kind)}' (units: {', '.join(allowed)})."
        return column, Question(where, text, options)
    return column, None


def _likely(kind: str) -> str:
    return KINDS[kind].view_si


def _bare_numbers(grid: ReadCells, at: tuple[int, int]) -> bool:
    top, number = at
    return any(
        row > top and column == number and re.fullmatch(r"[-+\d.,'’\s]+", grid.text(row, column))
        for row, column in grid.values
    )


def _unmapped(column: Column) -> Column:
    return Column(column.number, column.heading, column.where, None)


def _with_example(column: Column, example: str) -> Column:
    return Column(
        column.number, column.heading, column.where, column.field, column.unit, example[:60]
    )


def _first_cells(grid: ReadCells, top: int) -> dict[int, str]:
    """Return the first cell of each column below the headings."""
    first: dict[int, tuple[int, str]] = {}
    for row, column in grid.values:
        if row > top and (column not in first or row < first[column][0]):
            first[column] = row, grid.text(row, column)
    return {column: text for column, (_, text) in first.items()}


def _doubled(columns: Sequence[Column]) -> Iterator[Question]:
    """Yield a question for each field that two headings mean."""
    by_field: dict[str, list[Column]] = {}
    for column in columns:
        if column.field:
            by_field.setdefault(column.field, []).append(column)
    for name, found in by_field.items():
        if len(found) > 1:
            listed = " and ".join(repr(column.heading) for column in found)
            text = f"the headings {listed} both mean {name}."
            options = " or ".join(f"--map '{column.heading}={IGNORE}'" for column in found)
            yield Question(found[1].where, text, f"Add {options}, or map one to another field.")


def _decimal(
    grid: ReadCells, top: int, columns: Sequence[Column], words: Vocabulary, decimal: Decimal | None
) -> tuple[Decimal, list[Question]]:
    """Return the decimal sign of the number columns, and the question where cells leave it open."""
    if decimal is not None:
        return decimal, []
    numbers = {
        column.number
        for column in columns
        if column.field and words.fields[column.field].kind != "text"
    }
    texts = [
        value
        for (row, column), value in grid.values.items()
        if row > top and column in numbers and isinstance(value, str)
    ]
    shown, either = decimal_styles(texts)
    hint = "Add --decimal . or --decimal ,."
    if len(shown) > 1:
        text = f"{shown['.']!r} has a decimal point, {shown[',']!r} a decimal comma."
        return ".", [Question(grid.name, text, hint)]
    if either and not shown:
        bare = either.split()[0]
        text = f"{either!r} is {bare.replace(',', '')} or {bare.replace(',', '.')}."
        return ".", [Question(grid.name, text, hint)]
    return next(iter(shown), "."), []
