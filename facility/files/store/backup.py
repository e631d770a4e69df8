"""Online backup of a store into one file, and restore into a new store.

A backup is a JSON lines file: header, rows with their table, then the row count and the SHA-256 of
all previous lines. It can be restored into SQLite or PostgreSQL, by this version or a later one. A
SQLite store can also be copied; the copy is a store.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sqlalchemy import Connection, MetaData, Table, inspect, select
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError

from facility.catalogue.user_file import open_file
from facility.core.errors import FacilityError
from facility.files.io.atomic import written_apart
from facility.files.io.read_text import MAX_BYTES
from facility.files.store.connection import Database, is_sqlite, reported
from facility.files.store.record.chain import Action
from facility.files.store.tables import VERSIONS
from facility.files.store.versions import upgrade, version_of

FORMAT = "facility.store/1"
SQLITE = (".sqlite", ".db")
_MAX_LINE = 8 * MAX_BYTES
"""A text may be up to six times as long in JSON."""


def write_backup(database: Database, out: Path, who: str, *, force: bool = False) -> int:
    """Write a consistent snapshot of a store into a file; return the number of projects.

    database: The store; it remains in use.
    out: ``.jsonl``, or ``.sqlite`` for the copy of a SQLite store.
    who: Name in the record.
    force: Overwrite an existing file.

    Raises ``BACKUP_FORMAT`` for another ending; ``FILE_EXISTS``, ``FILE_NOT_WRITTEN``; database
    errors; as `AccessRecord.add`, in which case nothing is written.
    """
    ending = out.suffix.lower()
    copies = ending in SQLITE and is_sqlite(database.engine.url)
    if not copies and ending != ".jsonl":
        raise FacilityError(
            "BACKUP_FORMAT",
            str(out),
            f"a backup of this store cannot be written as "
            f"{ending[:20] or 'a file without ending'}.",
            "Name it .jsonl" + (" or .sqlite." if is_sqlite(database.engine.url) else "."),
        )
    with written_apart(out, force=force) as file:
        database.record.add(Action.BACKED_UP, who, None, {"file": out.name})
        return _copied(database, file) if copies else _dumped(database, file)


def _copied(database: Database, file: Path) -> int:
    with reported(database.where), closing(sqlite3.connect(file)) as copy:
        raw = database.engine.raw_connection()
        try:
            source = raw.driver_connection
            assert isinstance(source, sqlite3.Connection)
            source.backup(copy)
        finally:
            raw.close()
        count = copy.execute("SELECT count(*) FROM store_projects").fetchone()[0]
    return int(count)


def _dumped(database: Database, file: Path) -> int:
    count = projects = 0
    digest = hashlib.sha256()
    with file.open("wb") as stream, database.reading(snapshot=True) as connection:
        for line in _lines(connection):
            stream.write(line)
            digest.update(line)
            count += 1
            projects += line.startswith(b'{"store_projects"')
        end = {"rows": count - 1, "sha256": digest.hexdigest()}
        stream.write(_line(end))
        stream.flush()
        os.fsync(stream.fileno())
    return projects


def _lines(connection: Connection) -> Iterator[bytes]:
    yield _line({"format": FORMAT, "version": version_of(connection)})
    for table in _tables(connection):
        key = [column for column in table.c if column.primary_key]
        query = select(table).order_by(*key).execution_options(yield_per=100)
        for row in connection.execute(query).mappings():
            yield _line({table.name: dict(row)})


def _line(content: dict[str, object]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _tables(connection: Connection) -> list[Table]:
    """Return the tables of this database, referenced tables first."""
    found = MetaData()
    names = [name for name in inspect(connection).get_table_names() if name.startswith("store_")]
    found.reflect(connection, only=[name for name in names if name != VERSIONS])
    return found.sorted_tables


def restore_backup(database: Database, file: Path, who: str) -> int:
    """Restore a new store from a JSON lines backup in one transaction; return the project count.

    Raises ``STORE_EXISTS`` if a store exists, ``BACKUP_DAMAGED`` for an incomplete backup,
    ``STORE_NEWER`` for a newer version; database errors.
    """
    where = database.where
    try:
        with open_file(file) as stream, database.writing() as connection:
            if inspect(connection).has_table(VERSIONS):
                raise FacilityError(
                    "STORE_EXISTS",
                    where,
                    "a store already exists; a backup must be restored into a new store.",
                    "Enter another path or an empty database with --store.",
                )
            backup = _Backup(stream, str(file))
            upgrade(connection, where, backup.version)
            projects = _filled(connection, backup)
            upgrade(connection, where)
            database.record.restored(connection, who, file.name)
    except OSError as error:
        raise FacilityError(
            "FILE_UNREADABLE", str(file), f"the file cannot be read: {error.strerror}."
        ) from None
    return projects


class _Row(NamedTuple):
    table: str
    values: dict[str, str | int | None]


def _filled(connection: Connection, backup: _Backup) -> int:
    tables = {table.name: table for table in _tables(connection)}
    for new in tables.values():
        connection.execute(new.delete())  # A new store has settings: the backup has its own
    projects = 0
    rows = backup.rows()
    while some := list(islice(rows, 200)):
        for row in some:
            table = tables.get(row.table)
            if table is None or set(row.values) != set(table.c.keys()):
                raise backup.damaged("a row belongs to no table of this version")
            try:
                connection.execute(table.insert().values(row.values))
            except (IntegrityError, DataError, ProgrammingError):
                raise backup.damaged("a row is inconsistent with the others") from None
            projects += row.table == "store_projects"
    return projects


def _is_cell(value: object) -> bool:
    """Return whether a value has a type that the store writes."""
    if isinstance(value, str):
        return "\0" not in value and value == value.encode(errors="replace").decode()
    return value is None or (type(value) is int and abs(value) < 2**31)


class _Backup:
    """The lines of a backup, each checked before it is used."""

    def __init__(self, stream: BinaryIO, where: str) -> None:
        self._stream = stream
        self._where = where
        self._number = 0
        self._digest = hashlib.sha256()
        head = self._next()
        if head.get("format") != FORMAT or not isinstance(head.get("version"), str):
            raise self.damaged(f"it does not begin with {FORMAT}")
        self.version = str(head["version"])

    def rows(self) -> Iterator[_Row]:
        """Yield the rows; the checksum is verified after the last one."""
        count = 0
        while True:
            sum_before = self._digest.hexdigest()
            content = self._next()
            if "sha256" in content:
                if content != {"rows": count, "sha256": sum_before} or self._stream.read(1):
                    raise self.damaged("its checksum does not match")
                return
            ((table, values),) = content.items() if len(content) == 1 else (("", None),)
            if not isinstance(values, dict) or not all(map(_is_cell, values.values())):
                raise self.damaged("this is not a row")
            count += 1
            yield _Row(table, values)

    def _next(self) -> dict[str, object]:
        line = self._stream.readline(_MAX_LINE + 1)
        self._number += 1
        self._digest.update(line)
        if not line.endswith(b"\n"):
            raise self.damaged("it ends too early" if len(line) <= _MAX_LINE else "too long")
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            raise self.damaged("this is not JSON") from None
        if not isinstance(content, dict):
            raise self.damaged("this is not a row")
        return content

    def damaged(self, reason: str) -> FacilityError:
        """Return the error of the file at the line read last."""
        return FacilityError(
            "BACKUP_DAMAGED",
            f"{self._where}:{self._number}",
            f"not a complete backup of a store: {reason}.",
            "Use another backup; nothing was restored.",
        )
