"""A reference table in memory: typed rows with unit and source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from facility.catalogue.schema import Cell, SchemaColumn, TableSchema, refuse
from facility.catalogue.sources import SourceEntry
from facility.core.errors import FacilityError, near_matches
from facility.core.rounding import reaches
from facility.core.sources import Source


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One row of a table: values as written, in SI on demand, each with its provenance.

    ``row["rating_kw"]`` is the value in the unit of the column; None means unknown.
    """

    schema: TableSchema
    line: int
    values: Mapping[str, Cell]
    source: SourceEntry
    verified: str
    memory_fields: frozenset[str]

    def __getitem__(self, column: str) -> Cell:
        if column not in self.values:
            self.declared(column)
        return self.values[column]

    @property
    def key(self) -> tuple[Cell, ...]:
        """Values of the key columns."""
        return tuple(self.values[name] for name in self.schema.key_columns)

    @property
    def label(self) -> str:
        """Table and key, for messages: ``equipment/servers[DGX H100]``."""
        return f"{self.schema.name}[{_joined(self.key)}]"

    def is_memory(self, column: str) -> bool:
        """Return whether the value of `column` is recalled, not read."""
        self.declared(column)
        return self.verified == "memory" or column in self.memory_fields

    def cite(self, column: str) -> Source:
        """Return the citation of one value, for the trace: source, row and how it was verified."""
        verified = "memory" if self.is_memory(column) else self.verified
        return Source(self.source.id, self.label, self.source.edition, verified)

    def require(self, column: str, give_as: str = "") -> float | int | str | bool:
        """Return the value as written, or raise if the catalogue has no value.

        column: Column name.
        give_as: Field of the project where the value may be given instead, for the message.

        Raises ``UNKNOWN_VALUE`` when the cell is empty.
        """
        value = self[column]
        if value is None:
            meaning = self.schema.columns[column].description.rstrip(".")
            field = f" ({give_as})" if give_as else ""
            raise FacilityError(
                "UNKNOWN_VALUE",
                f"{self.label}.{column}",
                f"The catalogue has no value: {meaning}.",
                f"Enter it in the project{field}.",
            )
        return value

    def si(self, column: str, give_as: str = "") -> float:
        """Return the number in the SI unit of its kind; `require` applies to empty cells."""
        value, declared = self.values.get(column), self.schema.columns.get(column)
        factor, offset = (declared and declared.to_si) or self._conversion(column)
        return float(self.require(column, give_as) if value is None else value) * factor + offset

    def si_or_none(self, column: str) -> float | None:
        """Return the number in the SI unit of its kind, or None when unknown."""
        return None if self[column] is None else self.si(column)

    def text(self, column: str) -> str:
        """Return the value as text, empty when unknown."""
        value = self[column]
        return "" if value is None else str(value)

    def integer(self, column: str, give_as: str = "") -> int:
        """Return the value of an integer column; `require` applies to empty cells."""
        return int(self.require(column, give_as))

    def declared(self, column: str) -> SchemaColumn:
        """Return the column of this name, or raise if the table has no such column."""
        found = self.schema.columns.get(column)
        if found is None:
            refuse(
                "CATALOGUE_COLUMN",
                f"{self.schema.name}.{column}",
                "The table has no such column.",
                near_matches(column, self.schema.columns),
            )
        return found

    def _conversion(self, column: str) -> tuple[float, float]:
        declared = self.declared(column)
        conversion = declared.to_si
        if conversion is None:
            refuse(
                "CATALOGUE_UNIT",
                f"{self.schema.name}.{column}",
                f"A {declared.kind} in {declared.unit or 'no unit'} has no SI conversion.",
                "Read it as written and convert by hand.",
            )
        return conversion


@dataclass(frozen=True, eq=False)
class Table:
    """All rows of one reference table, found by key."""

    schema: TableSchema
    rows: tuple[Row, ...]
    index: Mapping[tuple[Cell, ...], Row]

    @property
    def name(self) -> str:
        """Name of the table, e.g. ``equipment/gpus``."""
        return self.schema.name

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of all rows as text, in file order."""
        return tuple(_joined(row.key) for row in self.rows)

    def get(self, key: Cell | tuple[Cell, ...], where: str = "") -> Row:
        """Return the row with `key`, a tuple or ``"first / second"`` where it has several columns.

        Raises ``UNKNOWN_MODEL`` at `where`, with the nearest keys.
        """
        required = key if isinstance(key, tuple) else (key,)
        row = self.index.get(required)
        if row is None and isinstance(key, str):
            row = next((row for row in self.rows if _joined(row.key) == key), None)
        if row is None:
            text = _joined(required)
            hint = near_matches(text, self.keys) or f"facility catalogue {self.name} lists them."
            message = f"{text!r} is not in the catalogue table {self.name}."
            raise FacilityError("UNKNOWN_MODEL", where, message, hint)
        return row

    def column(self, name: str) -> tuple[Cell, ...]:
        """Return one column as written, in file order."""
        return tuple(row[name] for row in self.rows)

    def above(self, column: str, minimum: float, **equal: Cell) -> Row | None:
        """Return `row_above` of the rows whose other columns have the given values."""
        return row_above(self.select(**equal), column, minimum)

    def select(self, **equal: Cell) -> tuple[Row, ...]:
        """Return the rows whose columns have the given values, in file order."""
        for row in self.rows[:1]:
            for name in equal:
                row.declared(name)
        return _selected(self, tuple(equal.items()))


@lru_cache(4096)
def _selected(table: Table, requested: tuple[tuple[str, Cell], ...]) -> tuple[Row, ...]:
    if not requested:
        return table.rows
    *others, (name, value) = requested
    if others:
        rows = _selected(table, tuple(others))
        return tuple(row for row in rows if row.values[name] == value)
    return _by_value(table, name).get(value, ())


@lru_cache(1024)
def _by_value(table: Table, column: str) -> Mapping[Cell, tuple[Row, ...]]:
    """Return the rows by their value of a column, in file order."""
    found: dict[Cell, list[Row]] = {}
    for row in table.rows:
        found.setdefault(row.values[column], []).append(row)
    return {value: tuple(rows) for value, rows in found.items()}


def row_above(rows: Iterable[Row], column: str, minimum: float) -> Row | None:
    """Return the row with the lowest `column` that is at least `minimum`; None without one.

    Both are in SI, or as written where the column has no unit of SI; rows without a value are
    passed over.
    """

    def number(row: Row) -> float:
        has_unit = row.schema.columns[column].to_si is not None
        return row.si(column) if has_unit else float(row.require(column))

    reaching = (row for row in rows if row[column] is not None and reaches(number(row), minimum))
    return min(reaching, key=number, default=None)


def _joined(key: tuple[Cell, ...]) -> str:
    return " / ".join(
        "" if part is None else f"{part:g}" if isinstance(part, float) else str(part)
        for part in key
    )
