"""The engine of a store, SQLite or PostgreSQL: settings, transactions, errors."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from psycopg import Connection as PostgresConnection

    from facility.files.store.record.log import AccessRecord


_LOCKED = ("is locked", "locknotavailable", "deadlock", "serializationfailure", "querycanceled")
_READ_ONLY = ("readonly database", "readonlysqltransaction", "insufficientprivilege")
_FULL = ("database or disk is full", "diskfull", "outofmemory")
_DAMAGED = (
    *("not a database", "malformed", "could not decode", "no such table", "undefinedtable"),
    *("no such column", "undefinedcolumn"),
)


@contextmanager
def reported(where: str) -> Iterator[None]:
    """Convert database errors into coded errors; `where` names the store.

    Raises ``STORE_LOCKED``, ``STORE_READ_ONLY``, ``STORE_FULL``, ``STORE_DAMAGED`` or
    ``STORE_UNREACHABLE``, with exit code 6.
    """
    try:
        yield
    except NoConnection:
        raise _locked(where) from None
    except DBAPIError as error:
        raise refusal_of(error.orig, where) from None
    except SQLAlchemyError as error:
        raise refusal_of(error, where) from None


def refusal_of(error: BaseException | None, where: str) -> FacilityError:
    """Return the coded error of a driver exception."""
    message = " ".join(str(error).split())
    known = f"{type(error).__name__} {message}".lower()
    if any(word in known for word in _LOCKED):
        return _locked(where)
    if any(word in known for word in _READ_ONLY):
        return FacilityError(
            "STORE_READ_ONLY",
            where,
            "the store is read-only.",
            "Correct the permissions of the file and its folder, or of the database role.",
        )
    if any(word in known for word in _FULL):
        return FacilityError(
            "STORE_FULL", where, "the disk is full.", "Free disk space; saved data is not affected."
        )
    if any(word in known for word in _DAMAGED):
        return damaged(where, message[:160])
    return FacilityError(
        "STORE_UNREACHABLE",
        where,
        f"the store cannot be opened or used: {message[:160]}.",
        "Check the path or address, and that the database runs.",
    )


def _locked(where: str) -> FacilityError:
    return FacilityError(
        "STORE_LOCKED",
        where,
        "another user is writing and did not finish in time.",
        "Try again; nothing was saved.",
    )


def damaged(where: str, reason: str) -> FacilityError:
    """Return the error of a file or database that is not an intact store."""
    return FacilityError(
        "STORE_DAMAGED",
        where,
        f"not a project store, or the file is damaged: {reason}.",
        "Enter another path, or restore a backup into a new store.",
    )


PATIENCE_S = 10.0
"""Maximum wait of a writer for another writer."""
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
_WRITES = "facility_writes"


def url_of(store: Path | str) -> URL:
    """Return the URL of a store; a path means a SQLite file.

    Raises ``STORE_URL`` for an address that is neither SQLite nor PostgreSQL,
    ``NO_POSTGRESQL_EXTRA`` if its driver is not installed.
    """
    if isinstance(store, Path) or "://" not in store:
        return URL.create("sqlite", database=str(Path(store).expanduser().absolute()))
    try:
        url = make_url(store)
    except (ArgumentError, ValueError):
        raise _refused_url("it is not a valid address.") from None
    if url.drivername == "sqlite":
        if not url.database or url.database.startswith((":memory:", "file:")) or url.query:
            raise _refused_url("a SQLite store is a file: sqlite:///path.")
        return URL.create("sqlite", database=str(Path(url.database).absolute()))
    if url.drivername not in _POSTGRESQL:
        raise _refused_url(f"{url.drivername[:40]!r} is not a store type.")
    if find_spec("psycopg") is None:
        raise FacilityError(
            "NO_POSTGRESQL_EXTRA",
            "store",
            "a PostgreSQL store requires psycopg.",
            "Install it with: pip install 'facility[postgresql]'",
        )
    return url.set(drivername="postgresql+psycopg")


def _refused_url(message: str) -> FacilityError:
    hint = "Enter the path of a file, sqlite:///path or postgresql://user@host/database."
    return FacilityError("STORE_URL", "store", message, hint)


def shown(url: URL) -> str:
    """Return the URL for messages, without password."""
    return url.database or "" if is_sqlite(url) else url.render_as_string(hide_password=True)


def is_sqlite(url: URL) -> bool:
    """Return whether a store is a SQLite file."""
    return url.get_backend_name() == "sqlite"


def engine_of(url: URL) -> Engine:
    """Return the engine of a store, with the connection settings required by a store."""
    if is_sqlite(url):
        engine = create_engine(url, connect_args={"timeout": PATIENCE_S}, max_overflow=-1)
        event.listen(engine, "connect", _set_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    arguments = {"connect_timeout": 10, "application_name": "facility"}
    engine = create_engine(url, connect_args=arguments, pool_pre_ping=True, pool_timeout=PATIENCE_S)
    event.listen(engine, "connect", _set_postgresql)
    return engine


def make_file(url: URL) -> None:
    """Create the file of a new SQLite store with user-only access; SQLite reports errors.

    An existing file is not opened, because closing it would release the locks of SQLite in this
    process (POSIX advisory locks, https://sqlite.org/howtocorrupt.html section 2.2). Another
    process that then closes the store removes the write-ahead log, and with it what this process
    writes from then on.
    """
    with suppress(OSError):
        os.close(os.open(str(url.database), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def writing(connection: Connection) -> Connection:
    """Begin `connection` as a writer; a second writer waits before it reads."""
    return connection.execution_options(**{_WRITES: True})


def _set_sqlite(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    # FULL: a commit is on the disk when it returns, also through a loss of power. NORMAL could lose
    # the last commits with a write-ahead log, but a reported save must be durable.
    for pragma in ("foreign_keys = ON", "synchronous = FULL", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_postgresql(connection: PostgresConnection, _: object) -> None:
    connection.autocommit = True
    connection.execute(f"SET lock_timeout = '{round(PATIENCE_S * 1000)}ms'")
    connection.autocommit = False


def begin_write_ahead_log(engine: Engine) -> None:
    """Set a SQLite file permanently to write-ahead logging, so that readers never wait."""
    deadline = time.monotonic() + PATIENCE_S
    raw = engine.raw_connection()
    try:
        while True:
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                # On two simultaneous first openings SQLite does not wait by itself.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return
    finally:
        raw.close()


class Database:
    """Provides a separate connection per transaction; thread-safe."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine = engine
        self.where = where  # Path or address, without a password

    @cached_property
    def record(self) -> AccessRecord:
        """The record of who read, saved, shared and signed in."""
        from facility.files.store.record.log import AccessRecord

        return AccessRecord(self)

    @contextmanager
    def reading(self, *, snapshot: bool = False) -> Iterator[Connection]:
        """Yield a connection in a read transaction; `snapshot` makes it consistent."""
        with reported(self.where), self.engine.connect() as connection:
            if snapshot and not is_sqlite(self.engine.url):
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection in an atomic write transaction."""
        with reported(self.where), self.engine.connect() as connection:
            self.record.begun(connection)
            with writing(connection).begin():
                yield connection
            self.record.committed(connection)
