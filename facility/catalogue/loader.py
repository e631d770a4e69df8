"""Reader of reference tables; rejects undeclared content with file, line and column."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType

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

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,15}\Z", re.ASCII)
_BOOLEAN = {"yes": True, "no": False}
_MEMORY_FIELDS = "memory_fields"


def _parsed(text: str, column: SchemaColumn, where: str) -> Cell:
    if text == "":
        if column.required:
            refuse("CATALOGUE_EMPTY", where, "The cell is empty; the column is required.")
        return None
    if column.kind == "integer":
        if not _INTEGER.match(text):
            refuse("CATALOGUE_NUMBER", where, f"{text!r} is not a whole number.")
        return int(text)
    if column.kind == "boolean":
        if text not in _BOOLEAN:
            refuse("CATALOGUE_BOOLEAN", where, f"{text!r} is neither yes nor no.")
        return _BOOLEAN[text]
    if column.is_number:
        if not _NUMBER.match(text) or not math.isfinite(value := float(text)):
            refuse(
                "CATALOGUE_NUMBER",
                where,
                f"{text!r} is not a finite decimal number.",
                f"The column is a {column.kind} in {column.unit or 'no unit'}.",
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
                "There is no such reference table.",
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
        lines = read_rows(self.root / label, label)
        header = next(lines, (0, []))[1]
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
        for name in schema.columns:
            if name not in header:
                refuse("CATALOGUE_COLUMN", f"{label}:1:{name}", "The column is missing.")
        rows: list[Row] = []
        index: dict[tuple[Cell, ...], Row] = {}
        for line, cells in lines:
            where = f"{label}:{line}"
            if len(cells) != len(header):
                refuse("CATALOGUE_ROW", where, f"{len(cells)} cells; expected {len(header)}.")
            row = self._row(schema, line, dict(zip(header, cells, strict=True)), where)
            if row.key in index:
                refuse(
                    "CATALOGUE_DUPLICATE",
                    f"{where}:{','.join(schema.key_columns)}",
                    f"{row.label} occurs in line {index[row.key].line} already.",
                )
            rows.append(row)
            index[row.key] = row
        return Table(schema, tuple(rows), MappingProxyType(index))

    def _row(self, schema: TableSchema, line: int, cells: dict[str, str], where: str) -> Row:
        values: dict[str, Cell] = {}
        source: SourceEntry | None = None
        verified = ""
        for name, column in schema.columns.items():
            text = cells[name]
            if column.kind == "source":
                source = self._source(text, f"{where}:{name}")
            elif column.kind == "verified":
                verified = _verified(text, f"{where}:{name}")
            values[name] = _parsed(text, column, f"{where}:{name}")
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


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Return the catalogue of the reference data the package carries."""
    return Catalogue(reference_path())
