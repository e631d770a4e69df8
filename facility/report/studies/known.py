"""Presentation of the catalogue tables and the verification cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facility.catalogue import schema, table, table_names
from facility.catalogue.trade_names import (
    DEVICES,
    GPUS,
    NODES,
    SERVERS,
    ambiguous,
    find_rows,
    match_row,
    trade_names,
)
from facility.core.errors import unknown
from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, Study
from facility.study.resolve.it.devices import missing_data

if TYPE_CHECKING:
    from facility.study.verification.outcome import CaseOutcome


Heads = list[str]
Rows = list[list[str]]
_MAX_COLUMNS = 10


def table_list() -> tuple[Heads, Rows]:
    """Return every table with its number of rows and its key columns."""
    rows = []
    for name in table_names():
        declared = schema(name)
        count = str(len(table(name).rows))
        rows.append([name, count, ", ".join(declared.key_columns), declared.description])
    return ["table", "rows", "key", "content"], rows


def table_view(name: str) -> tuple[Heads, Rows]:
    """Return the key, the required columns and the source mark of every row of a table.

    Devices that cannot be used in a design show the missing catalogue data.
    """
    shown = [c.name for c in schema(name).columns.values() if c.is_key or c.required]
    rows = [[_text(row[c]) for c in shown] for row in table(name).rows]
    if name not in (SERVERS, NODES):
        return shown, rows
    marks = [missing_data(row.text("model")) for row in table(name).rows]
    return [*shown, "designed"], [
        [*row, f"no: {mark}" if mark else "yes"] for row, mark in zip(rows, marks, strict=True)
    ]


def narrowed(heads: Heads, rows: Rows) -> tuple[Heads, Rows, int]:
    """Return the columns that fit the page, and the number omitted.

    The first columns and the last two (source and mark) are kept.
    """
    if len(heads) <= _MAX_COLUMNS:
        return heads, rows, 0
    first = _MAX_COLUMNS - 2
    return (
        [*heads[:first], *heads[-2:]],
        [[*row[:first], *row[-2:]] for row in rows],
        len(heads) - _MAX_COLUMNS,
    )


def row_view(name: str, key: str) -> tuple[Heads, Rows]:
    """Return one row: column, value, unit, meaning and source.

    Raises ``UNKNOWN_MODEL`` with near matches, ``AMBIGUOUS_MODEL`` for a name of several rows.
    """
    where = f"catalogue {name}"
    if name in (GPUS, *DEVICES):
        match = match_row(key, name)
        if match.is_question:
            raise ambiguous(match, where)
        key = match.key or key
    row = table(name).get(key, where=where)
    rows = []
    for column in schema(name).columns.values():
        value = row[column.name]
        if value is None:
            continue
        mark = "memory" if row.is_memory(column.name) else ""
        rows.append([column.name, _text(value), column.unit, column.description, mark])
    if names := trade_names(row):
        rows.append(["(names)", "; ".join(names), "", "alternative to the model name", ""])
    rows.append(["(source)", str(row.source), "", "source of the row", ""])
    return ["column", "value", "unit", "meaning", "verified"], rows


def found_view(text: str) -> tuple[Heads, Rows]:
    """Return the equipment rows that a text may mean.

    Raises ``UNKNOWN_TABLE`` with near tables where there are none.
    """
    rows = []
    for row in find_rows(text):
        name = row.values.get("name") or row.values.get("vendor") or ""
        key = " / ".join(_text(part) for part in row.key)
        rows.append([row.schema.name, key, _text(name), row.verified])
    if not rows:
        message = f"{text[:60]!r} is neither a table nor an equipment name."
        raise unknown("UNKNOWN_TABLE", "catalogue", message, text, table_names())
    return ["table", "key", "name", "verified"], rows


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    return "" if value is None else str(value)


@dataclass(frozen=True)
class CatalogueShown(Study):
    """The tables of the catalogue, one table of it, or one row."""

    verb = "catalogue"
    table: str | None
    key: str | None

    @property
    def is_search(self) -> bool:
        """Whether `table` is a name to find, not a table."""
        return self.table is not None and self.table not in table_names()

    @property
    def results(self) -> Mapping[str, object]:
        """None: its rows are a list."""
        return {}

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the rows."""
        _, heads, rows = self._read()
        return {"options": [dict(zip(heads, row, strict=True)) for row in rows]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return them as one table, with the columns that fit the page."""
        title, heads, rows = self._read()
        if self.table is None or self.is_search or self.key is not None:
            yield TextTable(title, heads, rows)
            return
        heads, rows, more = narrowed(heads, rows)
        rest = [f"{more} more columns: facility catalogue {self.table} KEY"] if more else []
        yield TextTable(title, heads, rows, rest)

    def _read(self) -> tuple[str, list[str], list[list[str]]]:
        if self.table is None:
            return "Tables of the catalogue", *table_list()
        if self.is_search:
            return f"Equipment named {self.table!r}", *found_view(self.table)
        if self.key is None:
            return self.table, *table_view(self.table)
        return f"{self.table}: {self.key}", *row_view(self.table, self.key)


@dataclass(frozen=True)
class ManualShown(Study):
    """The cases of the verification manual, computed."""

    verb = "verify"
    outcomes: Sequence[CaseOutcome]

    @property
    def results(self) -> Mapping[str, object]:
        """Number of cases by outcome."""
        return dict(Counter(f"cases.{outcome.status}" for outcome in self.outcomes))

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the cases."""
        return {"cases": [outcome.as_json() for outcome in self.outcomes]}

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return none: a case is too long for a row."""
        yield from ()

    def closing(self, system: System) -> Iterator[str]:
        """Return the count."""
        counted = (
            f"{n} {key.partition('.')[2].replace('_', ' ')}" for key, n in self.results.items()
        )
        yield ", ".join(counted)
