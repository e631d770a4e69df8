"""Contents of each reference table: columns, kinds and units, read from ``schema.csv``."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

from facility.core.errors import FacilityError, near_matches
from facility.core.kinds import KINDS

Cell = float | int | str | bool | None

VERIFIED = ("read", "computed", "secondary", "memory")
_PLAIN_KINDS = ("text", "integer", "number", "boolean", "source", "verified")
_HEADER = ["table", "column", "kind", "unit", "required", "description"]
_FILE = "schema.csv"


@dataclass(frozen=True)
class SchemaColumn:
    """One column of a table."""

    name: str  # Column name, with the unit in it
    # `text`, `integer`, `number`, `boolean`, `source`, `verified`, or a kind of quantity of
    # `facility.core.kinds`.
    kind: str
    unit: str  # Unit the column is written in
    required: bool  # Whether an empty cell is refused. An empty cell means unknown, never zero.
    is_key: bool  # Whether the column is part of the key of its table
    description: str  # Content of the column

    @cached_property
    def is_number(self) -> bool:
        """Whether the cells are numbers."""
        return self.kind in KINDS or self.kind in ("number", "integer")

    @cached_property
    def to_si(self) -> tuple[float, float] | None:
        """Factor and offset into the SI unit, or None where the unit has no registered kind."""
        if self.kind in KINDS:
            return KINDS[self.kind].units[self.unit]
        return (1.0, 0.0) if self.is_number and not self.unit else None


@dataclass(frozen=True)
class TableSchema:
    """Columns and description of one table."""

    name: str
    description: str
    columns: Mapping[str, SchemaColumn]

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        """Names of the columns that together identify a row."""
        return tuple(c.name for c in self.columns.values() if c.is_key)


def refuse(code: str, where: str, message: str, hint: str = "") -> NoReturn:
    """Raise the error of a file that differs from its declaration."""
    raise FacilityError(code, where, message, hint)


def read_rows(path: Path, label: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each row of a CSV file, the header included.

    Raises ``CATALOGUE_FILE`` when the file is missing, not UTF-8 or not CSV.
    """
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            reader = csv.reader(stream, strict=True)
            for cells in reader:
                yield reader.line_num, cells
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        refuse("CATALOGUE_FILE", label, f"The file cannot be read: {error}.")


def _column(cells: list[str], where: str) -> SchemaColumn:
    _, name, kind, unit, required, description = cells
    is_key = kind == "key" or kind.startswith("key:")
    bare = (kind.partition(":")[2] or "text") if is_key else kind
    if bare not in _PLAIN_KINDS and bare not in KINDS:
        hint = near_matches(bare, [*_PLAIN_KINDS, "key", *KINDS])
        refuse("CATALOGUE_SCHEMA", where, f"Unknown kind {kind!r}.", hint)
    if bare in KINDS and unit not in KINDS[bare].units:
        known = ", ".join(repr(token) for token in KINDS[bare].units)
        refuse("CATALOGUE_SCHEMA", where, f"Unit {unit!r} is not one of {bare}: {known}.")
    if unit and bare not in KINDS and bare != "number":
        refuse("CATALOGUE_SCHEMA", where, f"A {bare} column has no unit; found {unit!r}.")
    if required not in ("yes", "no"):
        refuse("CATALOGUE_SCHEMA", where, f"`required` must be yes or no; found {required!r}.")
    return SchemaColumn(name, bare, unit, required == "yes", is_key, description)


def _checked(name: str, description: str, columns: dict[str, SchemaColumn]) -> TableSchema:
    kinds = [column.kind for column in columns.values()]
    for provenance in ("source", "verified"):
        if kinds.count(provenance) != 1:
            refuse("CATALOGUE_SCHEMA", f"{_FILE}:{name}", f"Exactly one {provenance} column.")
    schema = TableSchema(name, description, MappingProxyType(columns))
    if not schema.key_columns:
        refuse("CATALOGUE_SCHEMA", f"{_FILE}:{name}", "The table has no key column.")
    return schema


def read_schema(root: Path) -> Mapping[str, TableSchema]:
    """Return the schema of every table below the data folder `root`.

    A row without a column describes its table; the rows after it describe the columns. The kind
    ``key`` is a text key, ``key:temperature`` a key that is a temperature; several keys form one.

    Raises ``CATALOGUE_SCHEMA`` naming the line that is wrong.
    """
    columns: dict[str, dict[str, SchemaColumn]] = {}
    descriptions: dict[str, str] = {}
    lines = read_rows(root / _FILE, _FILE)
    if next(lines, (0, []))[1] != _HEADER:
        refuse("CATALOGUE_SCHEMA", f"{_FILE}:1", f"The header must be {','.join(_HEADER)}.")
    for line, cells in lines:
        where = f"{_FILE}:{line}"
        if len(cells) != len(_HEADER):
            refuse("CATALOGUE_SCHEMA", where, f"{len(cells)} cells; expected {len(_HEADER)}.")
        table, name = cells[0], cells[1]
        if not name:
            descriptions[table] = cells[5]
            continue
        if name in columns.setdefault(table, {}):
            refuse("CATALOGUE_DUPLICATE", where, f"Column {name} of {table} is declared twice.")
        columns[table][name] = _column(cells, where)
    return MappingProxyType(
        {name: _checked(name, descriptions.get(name, ""), found) for name, found in columns.items()}
    )
