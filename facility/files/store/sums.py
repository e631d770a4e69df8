"""The SHA-256 of a row, stored in it, and the comparison with it.

A row edited by another program or corrupted on disk is rejected on reading. The checksums are not
signatures: a person with write access to the database can also write a checksum.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime

from sqlalchemy import Column, Row, Select, Table, select

from facility.core.errors import FacilityError
from facility.files.store.records import LINK_ID

ROW_SUM = "row_sha256"
OWN_SUM = {"own sum": True}
"""Marks a column excluded from the row checksum, because another column has its SHA-256."""
UNREADABLE = datetime.min.replace(tzinfo=UTC)
"""Returned for an unreadable stored time; never in an intact row."""

_ROWS = {
    "store_projects": "the row of the project",
    "store_revisions": "revision {number}",
    "store_panels": "revision {number} of panel {name}",
    "store_files": "file {name}",
    "store_drafts": "draft {name} of {who}",
    "store_roles": "the role of {who}",
    "store_links": f"link {{token!s:.{LINK_ID}}}",
}
_MAX_WORDS = 250


def time_text(moment: datetime) -> str:
    """Return a UTC time as sortable text: ``2026-01-31T09:30:00.000000Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def text_sum(text: object) -> str:
    """Return the SHA-256 of a text, byte by byte."""
    return hashlib.sha256(str(text).encode(errors="surrogatepass")).hexdigest()


def columns_read(table: Table) -> list[Column[object]]:
    """Return the columns of the row checksum, and the checksum column."""
    return [column for column in table.c if not column.info]


def rows_of(table: Table) -> Select[tuple[object, ...]]:
    """Return the query of the columns of the row checksum, and the checksum."""
    return select(table).with_only_columns(*columns_read(table))  # type: ignore[return-value]


def row_sum(table: Table, values: Mapping[str, object]) -> str:
    """Return the SHA-256 of a row: of its columns as JSON, in the order of the table."""
    names = [column.name for column in columns_read(table) if column.name != ROW_SUM]
    return text_sum(json.dumps([values.get(name) for name in names], default=_plain))


def _plain(value: object) -> str:
    return time_text(value) if isinstance(value, datetime) else repr(value)


def summed(table: Table, values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of a new row with its checksum."""
    return {**values, ROW_SUM: row_sum(table, values)}


def changed(
    table: Table, found: Mapping[str, object], values: Mapping[str, object]
) -> dict[str, object]:
    """Return new values of an existing row, with the resulting checksum."""
    return {**values, ROW_SUM: row_sum(table, {**found, **values})}


def values_of(row: Row[tuple[object, ...]], table: Table, prefix: str = "") -> dict[str, object]:
    """Return the values of a table in a row, by column; `prefix` is before each label.

    Raises ``STORE_DAMAGED`` if it differs from what was saved.
    """
    found = row._mapping
    names = [column.name for column in table.c if prefix + column.name in found]
    values = {name: found[prefix + name] for name in names}
    if UNREADABLE in values.values():
        raise damaged_row(table, values, "a time in it cannot be read")
    if values.get(ROW_SUM) != row_sum(table, values):
        raise damaged_row(table, values)
    return values


def damaged_row(
    table: Table, values: Mapping[str, object], reason: str = "its SHA-256 differs"
) -> FacilityError:
    """Return the error of a row that differs from the saved row."""
    project = values["id"] if "id" in values else values["project"]
    what = _ROWS[table.name].format_map(values)
    return FacilityError(
        "STORE_DAMAGED",
        f"{project!s:.40}",
        f"{what:.{_MAX_WORDS}} differs from what was saved: {reason}.",
        "Run facility library check; restore a backup into a new store.",
    )
