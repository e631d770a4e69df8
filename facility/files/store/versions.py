"""The version of a store's tables: made new, upgraded, or refused where it is newer."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, inspect, text

from facility.core.errors import FacilityError
from facility.files.store.connection import damaged, is_sqlite
from facility.files.store.tables import VERSIONS

_FOLDER = Path(__file__).with_name("migrations")
_ADVISORY_LOCK = 0x666163696C697479
"""Held in PostgreSQL by who changes the tables."""
_ONE_AT_A_TIME = Lock()
"""Alembic's operations are those of one process at a time."""


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER)])


def steps(current: str | None, where: str) -> list[Script]:
    """Return the migrations from version `current` of a store on, the first first.

    Raises ``STORE_NEWER`` for a version that this program does not know, exit code 6.
    """
    scripts = _scripts()
    known = [script.revision for script in scripts.walk_revisions()]
    if current is not None and current not in known:
        raise FacilityError(
            "STORE_NEWER",
            where,
            f"the store is of version {current[:20]!r}; this program knows up to {known[0]}.",
            "Use a newer version of facility for it.",
        )
    return list(scripts.iterate_revisions("head", current or "base"))[::-1]


def is_current(connection: Connection, where: str) -> bool:
    """Return whether a store needs no migration.

    Raises ``STORE_NEWER``; ``STORE_DAMAGED`` for a SQLite file of another program.
    """
    tables = set(inspect(connection).get_table_names())
    if VERSIONS not in tables and tables and is_sqlite(connection.engine.url):
        raise damaged(where, "it holds tables of another program")
    # Loads the migrations too: what they import would else be loaded while others wait to write.
    return not steps(version_of(connection) if VERSIONS in tables else None, where)


def version_of(connection: Connection) -> str | None:
    """Return the version of a store's tables; None where there are none."""
    return MigrationContext.configure(
        connection, opts={"version_table": VERSIONS}
    ).get_current_revision()


def upgrade(connection: Connection, where: str, to: str = "") -> None:
    """Bring a store to the last version, or to `to`, in the transaction of `connection`.

    Who comes second finds nothing left to do.

    Raises ``STORE_NEWER`` where the store is, or would be, of a version that is not known.
    """
    steps(to or None, where)
    if not is_sqlite(connection.engine.url):
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
    context = MigrationContext.configure(connection, opts={"version_table": VERSIONS})
    with _ONE_AT_A_TIME, Operations.context(context):
        for step in steps(context.get_current_revision(), where):
            step.module.upgrade()
            context.stamp(_scripts(), step.revision)
            if step.revision == to:
                return
