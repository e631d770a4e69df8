"""Own equipment of the open project as rows of texts, and their storage in the project."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence

from facility.catalogue import schema
from facility.catalogue.schema import Cell, SchemaColumn, TableSchema
from facility.catalogue.table import Row
from facility.core.errors import FacilityError
from facility.core.table import csv_text
from facility.model.inputs.document import Project

Rows = Sequence[Mapping[str, str]]
"""Rows of a table: text by column."""
_HEADS = {"model": "Model", "source": "Source", "verified": "Row obtained by"}
_MAX_HEAD = 40
_PLACE = re.compile(r"own .*\.csv:(\d+)(?::(\w+))?")


def heading_of(column: SchemaColumn) -> str:
    """Return the heading of a column: the beginning of its description."""
    head = column.description.rstrip(".").partition(". ")[0].partition(":")[0]
    return _HEADS.get(column.name, head[:_MAX_HEAD] or column.name)


def own_rows(project: Project, table: str) -> list[dict[str, str]]:
    """Return the own rows of a project in a table, as texts."""
    lines = next(
        (one.rows for one in project.equipment or () if schema(one.table).name == table), ()
    )
    return list(csv.DictReader(lines))


def tables_with(project: Project, table: TableSchema, rows: Rows) -> list[dict[str, object]] | str:
    """Return the own tables of a project with other rows in a table; empty text for none.

    Columns without a value are left out, and columns that the table does not have are kept, so
    that they are reported.
    """
    given = {name for row in rows for name, text in row.items() if text}
    names = [name for name in table.columns if name in given]
    names += sorted(given - set(names))
    kept: list[dict[str, object]] = [
        {"table": one.table, "rows": list(one.rows)}
        for one in project.equipment or ()
        if schema(one.table).name != table.name
    ]
    if rows and names:
        lines = csv_text([names, *([row.get(name, "") for name in names] for row in rows)])
        kept.append({"table": table.name, "rows": lines.splitlines()})
    return kept or ""


def text_of_cell(value: Cell) -> str:
    """Return a value of the catalogue as it is entered."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def copied(row: Row, table: TableSchema, taken: Iterable[str]) -> dict[str, str]:
    """Return a row of the catalogue as an own row, named so that it replaces no other."""
    texts = {name: text_of_cell(row[name]) for name in table.columns}
    names = [name for name in table.key_columns if table.columns[name].kind == "text"]
    if names:
        used, base, number = set(taken), texts[names[0]], 1
        while (name := f"{base} own{f' {number}' if number > 1 else ''}") in used:
            number += 1
        texts[names[0]] = name
    return texts


def place_of(error: FacilityError) -> tuple[int, str] | None:
    """Return the index of the row and the column that an error of a table names."""
    found = _PLACE.search(error.where)
    return None if found is None else (int(found[1]) - 2, found[2] or "")
