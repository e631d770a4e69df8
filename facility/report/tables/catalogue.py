"""The catalogue as tables for people."""

from __future__ import annotations

from facility.catalogue import schema, table, table_names
from facility.study.resolve.it.devices import NODES, SERVERS, lacking

Heads = list[str]
Rows = list[list[str]]
_MOST_COLUMNS = 10


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

    Devices that a project cannot be designed with say what the catalogue lacks.
    """
    shown = [c.name for c in schema(name).columns.values() if c.is_key or c.required]
    rows = [[_text(row[c]) for c in shown] for row in table(name).rows]
    if name not in (SERVERS, NODES):
        return shown, rows
    marks = [lacking(row.text("model")) for row in table(name).rows]
    return [*shown, "designed"], [
        [*row, f"no: {mark}" if mark else "yes"] for row, mark in zip(rows, marks, strict=True)
    ]


def narrowed(heads: Heads, rows: Rows) -> tuple[Heads, Rows, int]:
    """Return the columns that a page is wide enough for, and how many are left out.

    The first ones stay, and the last two: source and mark.
    """
    if len(heads) <= _MOST_COLUMNS:
        return heads, rows, 0
    first = _MOST_COLUMNS - 2
    return (
        [*heads[:first], *heads[-2:]],
        [[*row[:first], *row[-2:]] for row in rows],
        len(heads) - _MOST_COLUMNS,
    )


def row_view(name: str, key: str) -> tuple[Heads, Rows]:
    """Return one row: column, value, unit, what it means, and where it is from.

    Raises ``UNKNOWN_MODEL`` with near matches.
    """
    row = table(name).get(key, where=f"catalogue {name}")
    rows = []
    for column in schema(name).columns.values():
        value = row[column.name]
        if value is None:
            continue
        mark = "memory" if row.is_memory(column.name) else ""
        rows.append([column.name, _text(value), column.unit, column.description, mark])
    rows.append(["(source)", str(row.source), "", "where the row is from", ""])
    return ["column", "value", "unit", "meaning", "verified"], rows


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    return "" if value is None else str(value)
