"""Reader of reference tables; rejects undeclared content with file, line and column."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from types import MappingProxyType
from typing import ParamSpec, TypeVar

from facility.catalogue.schema import (
    VERIFIED,
    Cell,
    SchemaColumn,
    TableSchema,
    read_rows,
    read_schema,
    refuse,
)
from facility.catalogue.sources import SourceEntry, read_sources
from facility.catalogue.table import Row, Table
from facility.core.errors import near_matches
from facility.core.reference import reference_path

_P = ParamSpec("_P")
_T = TypeVar("_T")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,15}\Z", re.ASCII)
_BOOLEAN = {"yes": True, "no": False}
_MEMORY_FIELDS = "memory_fields"


def _parsed(text: str, column: SchemaColumn, row: str) -> Cell:
    """Return the value of a cell; `row` is its place without the column."""
    if text == "":
        if column.required:
            where = f"{row}:{column.name}"
            refuse("CATALOGUE_EMPTY", where, "The cell is empty; the column is required.")
        return None
    if column.kind == "text":
        return text
    if column.kind == "integer":
        if not _INTEGER.match(text):
            where = f"{row}:{column.name}"
            refuse("CATALOGUE_NUMBER", where, f"{text!r} is not a whole number.")
        return int(text)
    if column.kind == "boolean":
        if text not in _BOOLEAN:
            where = f"{row}:{column.name}"
            refuse("CATALOGUE_BOOLEAN", where, f"{text!r} is neither yes nor no.")
        return _BOOLEAN[text]
    if column.is_number:
        if not _NUMBER.match(text) or not math.isfinite(value := float(text)):
            refuse(
                "CATALOGUE_NUMBER",
                f"{row}:{column.name}",
                f"{text!r} is not a finite decimal number.",
                f"Enter a number in {column.unit}." if column.unit else "Enter a number.",
            )
        return value
    return text


class Catalogue:
    """The tables of one data folder, each read once, on first use."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._tables: dict[str, Table] = {}

    @cached_property
    def schemas(self) -> Mapping[str, TableSchema]:
        """Schema of every table by name."""
        return read_schema(self.root)

    @cached_property
    def sources(self) -> Mapping[str, SourceEntry]:
        """Every source by id."""
        return read_sources(self.root)

    def schema(self, name: str) -> TableSchema:
        """Return the schema of the table `name`.

        Raises ``CATALOGUE_TABLE`` with the nearest names.
        """
        found = self.schemas.get(name)
        if found is None:
            refuse(
                "CATALOGUE_TABLE",
                name,
                "Unknown reference table.",
                near_matches(name, self.schemas),
            )
        return found

    def table(self, name: str) -> Table:
        """Return the table `name`, e.g. ``"equipment/gpus"``.

        Raises ``CATALOGUE_TABLE`` for an unknown name, ``CATALOGUE_COLUMN``, ``_ROW``, ``_EMPTY``,
        ``_NUMBER``, ``_BOOLEAN``, ``_SOURCE``, ``_VERIFIED`` or ``_DUPLICATE`` for a file that is
        not as its schema says, with file, line and column.
        """
        if name not in self._tables:
            self._tables[name] = self._read(self.schema(name))
        return self._tables[name]

    def _read(self, schema: TableSchema) -> Table:
        label = f"{schema.name}.csv"
        rows = self.read_rows(schema, label, read_rows(self.root / label, label))
        return Table(schema, tuple(rows.values()), MappingProxyType(rows))

    def read_rows(
        self, schema: TableSchema, label: str, lines: Iterable[tuple[int, list[str]]]
    ) -> dict[tuple[Cell, ...], Row]:
        """Return the rows of a table by key, from numbered lines of cells with the header first.

        label: Name of the file, for messages.

        Raises as `table`.
        """
        numbered = iter(lines)
        header = next(numbered, (0, []))[1]
        self._check_header(schema, header, label)
        index: dict[tuple[Cell, ...], Row] = {}
        for line, cells in numbered:
            where = f"{label}:{line}"
            if len(cells) != len(header):
                refuse("CATALOGUE_ROW", where, f"{len(cells)} cells; expected {len(header)}.")
            row = self._row(schema, line, dict(zip(header, cells, strict=True)), where)
            if (key := row.key) in index:
                refuse(
                    "CATALOGUE_DUPLICATE",
                    f"{where}:{','.join(schema.key_columns)}",
                    f"{row.label} occurs in line {index[key].line} already.",
                )
            index[key] = row
        return index

    def _check_header(self, schema: TableSchema, header: list[str], label: str) -> None:
        for position, name in enumerate(header):
            if name not in schema.columns:
                refuse(
                    "CATALOGUE_COLUMN",
                    f"{label}:1:{name}",
                    "The schema has no such column.",
                    near_matches(name, schema.columns),
                )
            if name in header[:position]:
                refuse("CATALOGUE_COLUMN", f"{label}:1:{name}", "The column occurs twice.")
        for name, column in schema.columns.items():
            if name not in header and self._is_needed(column):
                refuse("CATALOGUE_COLUMN", f"{label}:1:{name}", "The column is missing.")

    def _is_needed(self, column: SchemaColumn) -> bool:
        """Return whether a table must have the column."""
        return True

    def _row(self, schema: TableSchema, line: int, cells: dict[str, str], where: str) -> Row:
        values: dict[str, Cell] = {}
        source: SourceEntry | None = None
        verified = ""
        for name, column in schema.columns.items():
            text = cells.get(name, "")
            if column.kind == "source":
                source = self._source(text, f"{where}:{name}")
            elif column.kind == "verified":
                verified = _verified(text, f"{where}:{name}")
            values[name] = _parsed(text, column, where)
        if source is None:
            refuse("CATALOGUE_SOURCE", where, "The table has no source column.")
        memory = _memory_fields(cells.get(_MEMORY_FIELDS, ""), schema, f"{where}:{_MEMORY_FIELDS}")
        return Row(schema, line, MappingProxyType(values), source, verified, memory)

    def _source(self, name: str, where: str) -> SourceEntry:
        if not name:
            refuse("CATALOGUE_SOURCE", where, "The row names no source.")
        found = self.sources.get(name)
        if found is None:
            refuse(
                "CATALOGUE_SOURCE",
                where,
                f"Source {name!r} is not in sources.csv.",
                near_matches(name, self.sources),
            )
        return found


def _verified(text: str, where: str) -> str:
    if text not in VERIFIED:
        refuse("CATALOGUE_VERIFIED", where, f"{text!r} is not one of {', '.join(VERIFIED)}.")
    return text


def _memory_fields(text: str, schema: TableSchema, where: str) -> frozenset[str]:
    names = frozenset(text.split(";")) if text else frozenset()
    for name in sorted(names):
        if name not in schema.columns:
            refuse(
                "CATALOGUE_COLUMN",
                where,
                f"{name!r} is not a column of {schema.name}.",
                near_matches(name, schema.columns),
            )
    return names


_ACTIVE: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def catalogue() -> Catalogue:
    """Return the catalogue in use: that of a project with own equipment, else the shipped one."""
    return _ACTIVE.get() or shipped_catalogue()


@lru_cache(maxsize=1)
def shipped_catalogue() -> Catalogue:
    """Return the catalogue of the reference data the package carries."""
    return Catalogue(reference_path())


def activate(found: Catalogue) -> None:
    """Use a catalogue until another is activated: a program with one project at a time."""
    _ACTIVE.set(found)


@contextmanager
def using(found: Catalogue) -> Iterator[None]:
    """Use a catalogue within a ``with`` block."""
    before = _ACTIVE.set(found)
    try:
        yield
    finally:
        _ACTIVE.reset(before)


def per_catalogue(maxsize: int | None) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Return a decorator that caches the last results of a function, for each catalogue apart.

    maxsize: Number of results; None for all.
    """

    def decorated(function: Callable[_P, _T]) -> Callable[_P, _T]:
        @lru_cache(maxsize)
        def cached(_: Catalogue, *args: _P.args, **named: _P.kwargs) -> _T:
            return function(*args, **named)

        @wraps(function)
        def called(*args: _P.args, **named: _P.kwargs) -> _T:
            return cached(catalogue(), *args, **named)  # type: ignore[arg-type]  # hashable

        return called

    return decorated
