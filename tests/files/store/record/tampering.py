"""What somebody with the database, and without the key, can do to the record."""

from __future__ import annotations

from sqlalchemy import text

from facility.core.errors import FacilityError
from facility.files.store.connection import is_sqlite
from facility.files.store.opening import Store
from facility.files.store.record.chain import RecordEntry
from facility.files.store.tables import record


def drop_triggers(store: Store) -> None:
    """Drop the triggers, as who owns the database may."""
    sqlite = is_sqlite(store.database.engine.url)
    kinds = ("update", "delete", "replace") if sqlite else ("change", "truncate")
    with store.database.writing() as connection:
        for kind in kinds:
            where = "" if sqlite else " ON store_record"
            connection.execute(text(f"DROP TRIGGER IF EXISTS store_record_no_{kind}{where}"))


def alter(store: Store, *statements: str) -> None:
    """Run statements on the record without its triggers."""
    drop_triggers(store)
    with store.database.writing() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def rows(store: Store) -> list[RecordEntry]:
    """Return the rows as they are, verified or not."""
    with store.database.reading() as connection:
        query = text(
            "SELECT seq, at, who, action, project, detail, mac FROM store_record ORDER BY seq"
        )
        return [RecordEntry(*row) for row in connection.execute(query)]


def problems(store: Store) -> list[FacilityError]:
    """Return why the record fails verification; nothing for a sound one."""
    try:
        store.record.verified("")
    except FacilityError as error:
        return [error]
    return []


def count(store: Store) -> int:
    """Return the number of rows."""
    return len(rows(store))


def put(store: Store, entries: list[RecordEntry]) -> None:
    """Replace all rows."""
    with store.database.writing() as connection:
        connection.execute(text("DELETE FROM store_record"))
        for entry in entries:
            values = {**entry._asdict(), "at": entry.moment}
            connection.execute(record.insert().values(values))
