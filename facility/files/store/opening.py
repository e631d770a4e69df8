"""The store: a project database, opened and migrated to the present version."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from facility.core.errors import FacilityError
from facility.files.store.home import home_needed

if TYPE_CHECKING:
    from facility.files.store.check import StoreFindings
    from facility.files.store.connection import Database
    from facility.files.store.library import Library
    from facility.files.store.record.log import AccessRecord

VARIABLE = "FACILITY_STORE"
SINGLE_USER = "FACILITY_SINGLE_USER"
"""Environment variable: ``1`` accepts single-user mode for a store that was used with sign-in."""
ADMINISTRATOR = "administrator"
"""Default name for operations on a whole store."""
_FILE = "projects.sqlite"
_SIGN_IN = "used with sign-in since"


class Store:
    """Project database; thread-safe, with a separate connection per call.

    Used as a context, it closes its connections at the end.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.where = database.where  # Path or address, without a password

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def record(self) -> AccessRecord:
        """The record of who read, saved, shared and signed in."""
        return self.database.record

    def close(self) -> None:
        """Close the connections; the next call opens them again."""
        self.record.close()
        self.database.engine.dispose()

    def backup(self, out: Path, *, force: bool = False, who: str = ADMINISTRATOR) -> int:
        """Write an online backup of the store into a file; return the number of projects.

        out: ``.jsonl``, restorable into SQLite and PostgreSQL; ``.sqlite`` for a copy of a SQLite
        store.
        force: Overwrite an existing file.
        who: Name in the record, which is written before the file.

        Raises as `write_backup`.
        """
        from facility.files.store.backup import write_backup

        return write_backup(self.database, out, who, force=force)

    def was_used_with_sign_in(self) -> bool:
        """Return whether signed-in users have used the store, by its mark or its record.

        Raises database errors.
        """
        from facility.files.store.tables import has_sign_in, setting

        with self.database.reading() as connection:
            return setting(connection, _SIGN_IN) is not None or has_sign_in(connection)

    def mark_used_with_sign_in(self) -> None:
        """Record that signed-in users use the store, with the first time.

        Raises database errors.
        """
        from facility.files.store.tables import set_once

        if not self.was_used_with_sign_in():
            with self.database.writing() as connection:
                set_once(connection, _SIGN_IN, datetime.now(UTC).isoformat(timespec="seconds"))

    def check(self) -> StoreFindings:
        """Read the whole store, verify its checksums, and return all problems.

        Raises as `check_store`.
        """
        from facility.files.store.check import check_store

        return check_store(self.database)

    def library(self, who: str, *, unrestricted: bool = False) -> Library:
        """Return the library of one person.

        who: Name in every revision saved by this library; roles refer to it.
        unrestricted: Access to every project regardless of roles: for single-user stores and
            administrators.

        Raises ``STORE_TEXT`` unless `who` is a short line of text.
        """
        from facility.files.store.library import Library
        from facility.files.store.records import words
        from facility.files.store.sharing import Rights

        return Library(self.database, Rights(words(who, "who", needed=True), unrestricted))

    def by_link(self, token: str) -> tuple[str, Library]:
        """Return the project of a link, and a library limited to reading it.

        The link is checked on every call: once revoked or expired, the library is empty.

        Raises ``UNKNOWN_LINK``, ``STORE_DAMAGED``.
        """
        from facility.files.store.library import Library
        from facility.files.store.sharing import Rights, project_of, sum_of

        with self.database.reading() as connection:
            project = project_of(connection, token)
        if project is None:
            self._note_refused(token)
            raise FacilityError(
                "UNKNOWN_LINK",
                "link",
                "this link opens no project; it may have expired or been revoked.",
                "Ask the sender for a new link.",
            )
        return project, Library(self.database, Rights("link", link=sum_of(token)))

    def _note_refused(self, token: str) -> None:
        """Record the use of an unknown or revoked link, by the link id of its token."""
        from facility.files.store.record.chain import Action
        from facility.files.store.sharing import Rights, revoked_of, sum_of

        with self.database.reading() as connection:
            project = revoked_of(connection, token)
        detail = Rights("link", link=sum_of(token)).by_link
        self.record.refuse(Action.LINK_REFUSED, "link", project, detail)


def open_store(store: Path | str, *, create: bool = True) -> Store:
    """Return the store at a path or URL, created or migrated if required.

    store: Path of a SQLite file, ``sqlite:///path``, or ``postgresql://user@host/database``.
    create: Create a missing SQLite file; otherwise ``STORE_UNREACHABLE``.

    Raises ``NO_STORE_EXTRA`` or ``NO_POSTGRESQL_EXTRA`` if libraries are not installed,
    ``STORE_URL``; ``STORE_UNREACHABLE``, ``STORE_LOCKED``, ``STORE_READ_ONLY``, ``STORE_DAMAGED``
    or ``STORE_NEWER``, with exit code 6.
    """
    database = _database(store, create=create)
    from facility.files.store.versions import is_current, upgrade

    with _closed_if_refused(database):
        with database.reading() as connection:
            current = is_current(connection, database.where)
        if not current:
            _begin(database)
            with database.writing() as connection:
                upgrade(connection, database.where)
    return Store(database)


def restore_store(store: Path | str, backup: Path, who: str = ADMINISTRATOR) -> int:
    """Restore a backup into a new store and record it; return the number of projects.

    Raises as `open_store` and `restore_backup`.
    """
    database = _database(store)
    from facility.files.store.backup import restore_backup

    with _closed_if_refused(database), Store(database):
        _begin(database)
        return restore_backup(database, backup, who)


def _database(store: Path | str, *, create: bool = True) -> Database:
    if find_spec("sqlalchemy") is None or find_spec("alembic") is None:
        raise FacilityError(
            "NO_STORE_EXTRA",
            "store",
            "a project store requires SQLAlchemy and Alembic.",
            "Install them with: pip install 'facility[app]'",
        )
    from facility.files.store.connection import (
        Database,
        engine_of,
        is_sqlite,
        make_file,
        shown,
        url_of,
    )

    url = url_of(store)
    if is_sqlite(url) and not create and not Path(str(url.database)).exists():
        raise FacilityError(
            "STORE_UNREACHABLE", shown(url), "no store was found.", "Check the path or address."
        )
    if is_sqlite(url):
        make_file(url)
    return Database(engine_of(url), shown(url))


@contextmanager
def _closed_if_refused(database: Database) -> Iterator[None]:
    from facility.files.store.connection import reported

    try:
        with reported(database.where):
            yield
    except FacilityError:
        database.engine.dispose()
        raise


def _begin(database: Database) -> None:
    from facility.files.store.connection import begin_write_ahead_log, is_sqlite

    if is_sqlite(database.engine.url):
        begin_write_ahead_log(database.engine)


def usual_store() -> Path | str:
    """Return the default store: ``FACILITY_STORE``, otherwise a file of the user.

    That is ``facility/projects.sqlite`` in ``XDG_DATA_HOME`` (``~/.local/share``), on macOS in
    ``~/Library/Application Support``, on Windows in ``LOCALAPPDATA``. Its folder is created with
    user-only access.
    """
    stated = os.environ.get(VARIABLE, "").strip()
    if stated:
        return stated
    with home_needed():
        folder = _data_folder() / "facility"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FacilityError(
            "STORE_UNREACHABLE",
            str(folder),
            f"the project folder cannot be created: {error.strerror}.",
            f"Use --store, or set {VARIABLE}.",
        ) from None
    return folder / _FILE


def _data_folder() -> Path:
    import sys

    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    stated = os.environ.get("XDG_DATA_HOME", "")
    # A relative path in the variable is invalid, and ignored, by the specification.
    return Path(stated) if Path(stated).is_absolute() else Path.home() / ".local" / "share"
