"""Rows of a store edited as somebody does who opens the database by other means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert, text, update

from facility.files.store.library import Library
from facility.files.store.opening import Store
from facility.files.store.sums import ROW_SUM, rows_of, summed, text_sum, values_of
from facility.files.store.tables import links, panels, revisions


def execute(store: Store, *statements: str, **values: object) -> None:
    with store.database.writing() as connection:
        for statement in statements:
            connection.execute(text(statement), values)


@contextmanager
def edited(store: Store, table: str, row: str, column: str, value: object) -> Iterator[None]:
    """Have another value in one column of the row with this sum, until the end of the context."""
    with store.database.reading() as connection:
        query = text(f"SELECT {column} FROM {table} WHERE {ROW_SUM} = :row")
        before = connection.execute(query, {"row": row}).scalar_one()
    change = f"UPDATE {table} SET {column} = :value WHERE {ROW_SUM} = :row"
    execute(store, change, value=value, row=row)
    yield
    if column == ROW_SUM:
        change = f"UPDATE {table} SET {column} = :value WHERE {ROW_SUM} IS NULL OR {ROW_SUM} = :row"
        row = str(value)
    execute(store, change, value=before, row=row)


def keep_panel(library: Library, project: str, name: str, csv: str | None, number: int = 1) -> None:
    """Keep a state of a panel beside a project, as version 0.5 did; None removed the panel."""
    values = {"project": project, "name": name, "number": number, "who": "ann", "text": csv}
    with library._store.writing() as connection:
        row = summed(panels, {"saved_at": datetime.now(UTC), **values})
        connection.execute(insert(panels).values(row))


def expire(library: Library, project: str) -> None:
    """Have the links of a project end a second ago, as if their days were over."""
    with library._store.writing() as connection:
        of_project = links.c.project == project
        for row in connection.execute(rows_of(links).where(of_project)).all():
            ended = datetime.now(UTC) - timedelta(seconds=1)
            values = summed(links, {**values_of(row, links), "expires_at": ended})
            at = links.c.token == row.token
            connection.execute(update(links).where(at).values(values))


def forge_text(store: Store, project: str, number: int, forged: str) -> None:
    """Replace the text of a revision together with all its sums."""
    at = (revisions.c.project == project) & (revisions.c.number == number)
    with store.database.writing() as connection:
        row = connection.execute(rows_of(revisions).where(at)).one()
        sums = {"text_sha256": text_sum(forged), "size": len(forged.encode())}
        values = summed(revisions, {**values_of(row, revisions), **sums})
        connection.execute(update(revisions).where(at).values(text=forged, **values))
