"""Own equipment of a project: rows in addition to the shipped tables, or in their place.

A table has the columns of its shipped counterpart; columns without values may be left out, source
and verification too: the row is then cited as the project's. A row with the key of a shipped row
replaces it. Sources may be listed in a table named ``sources``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from types import MappingProxyType

from facility.catalogue.loader import Catalogue, shipped_catalogue
from facility.catalogue.schema import Cell, SchemaColumn, refuse
from facility.catalogue.sources import SourceEntry, sources_in
from facility.catalogue.table import Row, Table
from facility.core.errors import near_matches

SOURCES = "sources"
OWN_SOURCE = "own-equipment"
_FILES_OF_THE_PACKAGE = ("weather/", "cases/")
_DELIMITERS = ",;\t"
_LARGEST = 1e12
_SIGNED = ("temperature", "temperature_difference", "length", "number", "integer")
_RATINGS = ("rating", "capacity", "max_input", "max_w", "model")

Lines = tuple[str, ...]


@dataclass(frozen=True)
class OwnRows:
    """Number of rows that a project adds to a table, and of shipped rows that it replaces."""

    table: str
    added: int
    replaced: int


class OwnCatalogue(Catalogue):
    """The shipped tables with the rows of a project."""

    def __init__(self, shipped: Catalogue, lines: Mapping[str, Lines]) -> None:
        super().__init__(shipped.root)
        self._shipped, self._lines = shipped, lines

    @cached_property
    def sources(self) -> Mapping[str, SourceEntry]:
        """Every source by id: shipped, of the project, and the project itself."""
        own = SourceEntry(OWN_SOURCE, "Own equipment", "project", "", "equipment", "read")
        lines = self._lines.get(SOURCES, ())
        label = _label(SOURCES)
        listed = sources_in(_cells(lines, label), label) if lines else {}
        return {**self._shipped.sources, OWN_SOURCE: own, **listed}

    @cached_property
    def own(self) -> tuple[OwnRows, ...]:
        """Rows of the project by table; reads all of its tables, and raises as `table`."""
        found = []
        for name in self._lines:
            if name == SOURCES:
                continue
            shipped = self._shipped.table(self.schema(name).name).index
            keys = self._own_rows(name)
            replaced = sum(1 for key in keys if key in shipped)
            found.append(OwnRows(name, len(keys) - replaced, replaced))
        return tuple(found)

    def table(self, name: str) -> Table:
        """Return a table, with the rows of the project if it has some; raises as `Catalogue`."""
        if name not in self._lines:
            return self._shipped.table(name)
        if name not in self._tables:
            index = {**self._shipped.table(name).index, **self._own_rows(name)}
            schema = self.schema(name)
            self._tables[name] = Table(schema, tuple(index.values()), MappingProxyType(index))
        return self._tables[name]

    def _own_rows(self, name: str) -> Mapping[tuple[Cell, ...], Row]:
        schema, label = self.schema(name), _label(name)
        if name.startswith(_FILES_OF_THE_PACKAGE):
            hint = "For a weather record, enter the project's file (site.weather_file)."
            refuse("CATALOGUE_TABLE", label, "This table does not accept project rows.", hint)
        needed = {c.name: OWN_SOURCE for c in schema.columns.values() if c.kind == "source"}
        needed |= {c.name: "read" for c in schema.columns.values() if c.kind == "verified"}
        rows = self.read_rows(schema, label, _completed(_cells(self._lines[name], label), needed))
        for row, column in product(rows.values(), schema.columns.values()):
            value, where = row[column.name], f"{label}:{row.line}:{column.name}"
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if abs(value) > _LARGEST or (value < 0.0 and column.kind not in _SIGNED):
                message = f"{value:g} is out of range."
                refuse("CATALOGUE_NUMBER", where, message, "Enter the rated value.")
            if value == 0.0 and any(word in column.name for word in _RATINGS):
                hint = "Leave an unknown value empty."
                refuse("CATALOGUE_NUMBER", where, "A rating of zero cannot be used.", hint)
        return rows

    def _is_needed(self, column: SchemaColumn) -> bool:
        return column.required


@lru_cache(16)
def with_own_rows(lines: tuple[tuple[str, Lines], ...]) -> Catalogue:
    """Return the shipped catalogue with the tables of a project, each with its heading first.

    Raises ``CATALOGUE_*`` with table, row and column, for all that differs from the schema.
    """
    shipped = shipped_catalogue()
    for name, _ in lines:
        if name != SOURCES and name not in shipped.schemas:
            hint = near_matches(name, (SOURCES, *shipped.schemas))
            refuse("CATALOGUE_TABLE", _label(name), "This reference table does not exist.", hint)
    if not lines:
        return shipped
    found = OwnCatalogue(shipped, dict(lines))
    found.own  # noqa: B018 - reads every row
    return found


def _label(name: str) -> str:
    return f"own {name[:60]}.csv"


def _cells(lines: Lines, label: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line, the heading first; empty lines are left out."""
    head = next((line for line in lines if line.strip()), "")
    delimiter = max(_DELIMITERS, key=head.count)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            (cells,) = csv.reader([line], delimiter=delimiter, strict=True)
        except (csv.Error, ValueError):
            refuse(
                "CATALOGUE_FILE",
                f"{label}:{number}",
                "The line is not valid CSV.",
                "Close the quotation marks on the same line.",
            )
        yield number, [cell.strip() for cell in cells]


def _completed(
    rows: Iterator[tuple[int, list[str]]], needed: Mapping[str, str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with the columns `needed`, filled in where they are missing or empty."""
    header: list[str] = []
    for number, cells in rows:
        if not header:
            header = cells
            missing = [name for name in needed if name not in header]
            yield number, [*header, *missing]
            continue
        filled = [
            needed.get(name, "") if not cell and name in needed else cell
            for name, cell in zip(header, cells, strict=False)
        ]
        yield number, [*filled, *cells[len(header) :], *(needed[name] for name in missing)]
