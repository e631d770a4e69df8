"""Schema version of a store: creation, upgrade, and rejection of newer versions."""

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
"""PostgreSQL lock key for schema changes."""
_ONE_AT_A_TIME = Lock()
"""Alembic operations are not thread-safe."""


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER)])


def steps(current: str | None, where: str) -> list[Script]:
    """Return the migrations after version `current` of a store, in order.

    Raises ``STORE_NEWER`` for an unknown version, exit code 6.
    """
    scripts = _scripts()
    known = [script.revision for script in scripts.walk_revisions()]
    if current is not None and current not in known:
        raise FacilityError(
            "STORE_NEWER",
            where,
            f"the store has version {current[:20]!r}; this program supports up to {known[0]}.",
            "Use a newer version of facility.",
        )
    return list(scripts.iterate_revisions("head", current or "base"))[::-1]


def is_current(connection: Connection, where: str) -> bool:
    """Return whether a store needs no migration.

    Raises ``STORE_NEWER``; ``STORE_DAMAGED`` for a SQLite file of another program.
    """
    tables = set(inspect(connection).get_table_names())
    if VERSIONS not in tables and tables and is_sqlite(connection.engine.url):
        raise damaged(where, "it contains tables of another program")
    # Load the migrations early; otherwise their imports would run while others wait to write.
    return not steps(version_of(connection) if VERSIONS in tables else None, where)


def version_of(connection: Connection) -> str | None:
    """Return the version of a store's tables; None without tables."""
    return MigrationContext.configure(
        connection, opts={"version_table": VERSIONS}
    ).get_current_revision()


def upgrade(connection: Connection, where: str, to: str = "") -> None:
    """Upgrade a store to the latest version, or to `to`, in the transaction of `connection`.

    A second process finds nothing to do.

    Raises ``STORE_NEWER`` if the present or resulting version is unknown.
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
