"""Access record of one store: entries are appended with the change and read with verification."""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import NamedTuple, Protocol

from sqlalchemy import Connection, String, insert, select, type_coerce

from facility.core.errors import FacilityError
from facility.files.store.record import outside
from facility.files.store.record.chain import (
    Action,
    RecordEntry,
    RecordHead,
    Verification,
    altered,
    damaged,
    detail_text,
    encoded,
    fingerprint,
    mac_of,
    not_the_head,
    wrong_key,
)
from facility.files.store.record.failures import FailureLimit
from facility.files.store.record.outside import HeadFile
from facility.files.store.sums import time_text
from facility.files.store.tables import record, settings

AGAIN_S = 3600.0
"""Identical reads or refusals of a person are recorded once in this time."""
_MAX_MARKS = 20_000
_MAX_CHARACTERS = 200
_PENDING = "facility_record_head"
_FAILURES = (Action.SIGN_IN_FAILED, Action.LINK_REFUSED, Action.REFUSED)
_ROWS = select(*(type_coerce(c, String) if c.name == "at" else c for c in record.c))

Details = Mapping[str, object]


class _Pending(NamedTuple):
    """Head to be stored once its entry is committed."""

    file: HeadFile
    head: RecordHead
    replace: bool  # Also a longer head


@dataclass(frozen=True)
class VerifiedRecord:
    """Entries of a verified record."""

    entries: list[RecordEntry]
    count: int  # Of the whole record
    sealed: int  # The first ones, made before the record was begun again


class Transactions(Protocol):
    """Database interface used by the record of a store."""

    where: str

    def reading(self, *, snapshot: bool = False) -> AbstractContextManager[Connection]:
        """Yield a connection in a read transaction."""

    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a write transaction, and call `AccessRecord.committed`."""


class AccessRecord:
    """Append-only record of one store; thread-safe."""

    def __init__(self, database: Transactions) -> None:
        self.unrecorded = 0  # Reads of a store that cannot be written, by its administrator
        self._database = database
        self._where = database.where
        self._lock = Lock()
        self._marks: dict[tuple[str, ...], float] = {}
        self._failures = FailureLimit()
        self._unkept: _Pending | None = None

    def add(
        self, action: str, who: str, project: str | None = None, detail: Details | None = None
    ) -> None:
        """Record an event that does not change the store, in a separate transaction.

        At most `failures.MAX_PER_MINUTE` failures per minute are recorded, then the number omitted.

        action: One of `Action`.
        who: Person, or the text typed as one; cut to one printable line.
        project: Id of the project it concerns.
        detail: Further JSON values.

        Raises ``RECORD_KEY``, ``RECORD_HEAD``, ``RECORD_DAMAGED``; database errors.
        """
        kind = Action(action)
        if kind in _FAILURES and not self._failures.has_room():
            return
        self._add(kind, who, project, detail, self._failures.take())

    def _add(
        self, kind: Action | None, who: str, project: str | None, detail: Details | None, left: int
    ) -> None:
        try:
            with self._database.writing() as connection:
                if left:
                    self.append(connection, Action.NOT_RECORDED, "", None, {"count": left})
                if kind is not None:
                    self.append(connection, kind, who, project, detail)
        except FacilityError:
            self._failures.put_back(left)
            raise

    def add_once(
        self, action: Action, who: str, project: str | None = None, detail: Details | None = None
    ) -> None:
        """Record as `add`, but identical events once per hour and process."""
        mark = (action.value, who, project or "", detail_text(dict(detail or {})))
        now = time.monotonic()
        with self._lock:
            if now - self._marks.get(mark, -AGAIN_S) < AGAIN_S:
                return
        self.add(action, who, project, detail)
        with self._lock:
            self._marks.pop(mark, None)
            self._marks[mark] = now
            while len(self._marks) > _MAX_MARKS:
                del self._marks[next(iter(self._marks))]

    def refuse(
        self, action: Action, who: str, project: str | None = None, detail: Details | None = None
    ) -> None:
        """Record a refused access; if recording fails, access is still refused, and counted."""
        try:
            self.add_once(action, who, project, detail)
        except FacilityError:
            self._failures.put_back(1)

    def close(self) -> None:
        """Record the number of omitted failures."""
        left = self._failures.take(now=True)
        if left:
            with suppress(FacilityError):
                self._add(None, "", None, None, left)

    def append(
        self,
        connection: Connection,
        action: Action,
        who: str,
        project: str | None = None,
        detail: Details | None = None,
    ) -> None:
        """Record in the transaction of `connection`, as its last step; other writers then wait.

        Raises ``RECORD_KEY``, ``RECORD_HEAD``, ``RECORD_DAMAGED``.
        """
        store = _locked_id(connection, self._where)
        file = self._head_file(store)
        pending: _Pending | None = connection.info.get(_PENDING)
        head = file.read() if pending is None else pending.head
        rows = connection.execute(_ROWS.order_by(record.c.seq.desc()).limit(2))
        last = [RecordEntry(*row) for row in rows]
        key = outside.key(create=not last and head is None)
        self._refuse_damaged(connection, store, key, last, head)
        writer = _Writer(
            connection, store, key, RecordHead(last[0].seq, last[0].mac) if last else None
        )
        if not last:
            writer.begin(0, hashlib.sha256().hexdigest(), who, {})
        elif head is None:
            writer.write(Action.HEAD_STORED, "", None, {"computer": platform.node()})
        writer.write(action, who, project, detail)
        replace = pending is not None and pending.replace
        connection.info[_PENDING] = _Pending(file, writer.newest, replace)

    def _refuse_damaged(
        self,
        connection: Connection,
        store: str,
        key: bytes,
        last: list[RecordEntry],
        head: RecordHead | None,
    ) -> None:
        """Raise unless the newest entry equals the last recorded one."""
        newest = last[0] if last else None
        length = 0 if newest is None else newest.seq
        if newest is not None:
            if [entry.seq for entry in last[1:]] != list(range(length - 1, 0, -1))[:1]:
                raise damaged(self._where, f"entry {length - 1} is missing")
            before = last[1].mac if last[1:] else ""
            if mac_of(key, encoded(newest, store, before)) != newest.mac:
                query = _ROWS.where(record.c.action == Action.BEGUN.value).order_by(
                    record.c.seq.desc()
                )
                row = connection.execute(query.limit(1)).first()
                begun = None if row is None else RecordEntry(*row)
                if begun is not None and begun.details.get("key") != fingerprint(key):
                    raise wrong_key(self._where, begun.seq)
                raise altered(self._where, length)
        if head is not None and head not in [RecordHead(entry.seq, entry.mac) for entry in last]:
            query = select(record.c.mac).where(record.c.seq == head.length)
            if connection.execute(query).scalar_one_or_none() != head.mac:
                raise not_the_head(self._where, length, head)

    def begin_again(self, who: str) -> None:
        """Restart a damaged record, or one with a lost key, with the present key.

        Existing entries are retained unchanged, sealed by a hash in the new entry.

        Raises ``RECORD_KEY``, ``RECORD_HEAD``.
        """
        with self._database.writing() as connection:
            store = _locked_id(connection, self._where)
            file = self._head_file(store)
            try:
                head = file.read()
            except FacilityError:  # A damaged file is replaced
                head = None
            self._seal(connection, store, file, head, who, {})

    def restored(self, connection: Connection, who: str, backup: str) -> None:
        """Record the restore of a backup in its transaction, regardless of the stored head.

        A record that this key does not verify is sealed, as by `begin_again`.
        """
        store = _locked_id(connection, self._where)
        file = self._head_file(store)
        detail = {"restored": backup}
        key = outside.key(create=True)
        found = self._verification(connection, store, key, None)
        if found.count == 0 or found.problem() is not None:
            self._seal(connection, store, file, None, who, detail)
            return
        writer = _Writer(connection, store, key, found.newest)
        writer.write(Action.RESTORED, who, None, {"backup": backup})
        connection.info[_PENDING] = _Pending(file, writer.newest, True)

    def _seal(
        self,
        connection: Connection,
        store: str,
        file: HeadFile,
        head: RecordHead | None,
        who: str,
        detail: Details,
    ) -> None:
        key = outside.key(create=True)
        found = self._verification(connection, store, key, head)
        problem = found.problem()
        found_detail = {} if problem is None else {"found": problem.code, "reason": problem.message}
        writer = _Writer(connection, store, key, found.newest if found.count else None)
        writer.begin(found.count, found.digest, who, {**found_detail, **detail})
        connection.info[_PENDING] = _Pending(file, writer.newest, True)

    @staticmethod
    def begun(connection: Connection) -> None:
        """Discard pending entries of a rolled-back transaction on this connection."""
        connection.info.pop(_PENDING, None)

    def committed(self, connection: Connection) -> None:
        """Store the head of the entries committed by `connection`.

        A failure is retried before the next entry and then raised there: the change itself is
        committed, and must not be reported as failed.
        """
        pending: _Pending | None = connection.info.pop(_PENDING, None)
        if pending is None:
            return
        try:
            pending.file.keep(pending.head, replace=pending.replace)
        except FacilityError:
            self._unkept = pending

    def _head_file(self, store: str) -> HeadFile:
        file = HeadFile(store, self._where)
        file.prepare()
        unkept, self._unkept = self._unkept, None
        if unkept is not None:
            try:
                unkept.file.keep(unkept.head, replace=unkept.replace)
            except FacilityError:
                self._unkept = unkept
                raise
        return file

    def verified(self, project: str | None = None) -> VerifiedRecord:
        """Return the entries of a project, or all, in order; the whole record is verified.

        Raises ``RECORD_DAMAGED``, ``RECORD_KEY``, ``RECORD_HEAD``; database errors.
        """
        found: list[RecordEntry] = []

        def keep(entry: RecordEntry) -> None:
            if project is None or entry.project == project:
                found.append(entry)

        verification = self.walk(keep)
        if verification is None:
            return VerifiedRecord(found, 0, 0)
        problem = verification.problem()
        if problem is not None:
            raise problem
        return VerifiedRecord(found, verification.count, verification.sealed)

    def walk(self, keep: Callable[[RecordEntry], object]) -> Verification | None:
        """Return the verification of the whole record; None for an empty one.

        keep: Called with each entry, valid or not.

        Raises ``RECORD_KEY``, ``RECORD_HEAD``; database errors.
        """
        store = self.store_id()
        # Read before the entries, since others may append meanwhile and store a longer head.
        head = HeadFile(store, self._where).read()
        with self._database.reading(snapshot=True) as connection:
            first = connection.execute(select(record.c.seq).limit(1)).first()
            if first is None and head is None:
                return None
            return self._verification(connection, store, outside.key(), head, keep)

    def store_id(self) -> str:
        """Return the id of the store, included in each hash."""
        with self._database.reading() as connection:
            query = select(settings.c.value).where(settings.c.name == "id")
            return _id(connection.execute(query).scalar_one_or_none(), self._where)

    def _verification(
        self,
        connection: Connection,
        store: str,
        key: bytes,
        head: RecordHead | None,
        keep: Callable[[RecordEntry], object] | None = None,
    ) -> Verification:
        found = Verification(store, key, self._where, head)
        query = _ROWS.order_by(record.c.seq).execution_options(yield_per=1000)
        for row in connection.execute(query):
            entry = RecordEntry(*row)
            found.take(entry)
            if keep is not None:
                keep(entry)
        return found


class _Writer:
    """Writes entries after the newest one."""

    def __init__(
        self, connection: Connection, store: str, key: bytes, newest: RecordHead | None
    ) -> None:
        self.newest = newest or RecordHead(0, "")
        self._connection, self._store, self._key = connection, store, key

    def begin(self, before: int, sha256: str, who: str, detail: Details) -> None:
        """Start a chain with this key, after `length` entries with this hash."""
        seal = {"key": fingerprint(self._key), "before": before, "sha256": sha256}
        self.write(Action.BEGUN, who, None, {**seal, **detail})

    def write(self, action: Action, who: str, project: str | None, detail: Details | None) -> None:
        """Write one entry."""
        text = detail_text({name: _printable(value) for name, value in (detail or {}).items()})
        now = datetime.now(UTC)
        seq, person = self.newest.length + 1, str(_printable(who))
        entry = RecordEntry(seq, time_text(now), person, action.value, project, text, "")
        mac = mac_of(self._key, encoded(entry, self._store, self.newest.mac))
        values = {**entry._asdict(), "at": now, "mac": mac}
        self._connection.execute(insert(record).values(values))
        self.newest = RecordHead(seq, mac)


def _printable(value: object) -> object:
    """Return a value in recordable form: text as one printable line."""
    if isinstance(value, list | tuple):
        return [_printable(one) for one in value[:_MAX_CHARACTERS]]
    if value is None or isinstance(value, int):
        return value
    return "".join(filter(str.isprintable, str(value)))[:_MAX_CHARACTERS]


def _locked_id(connection: Connection, where: str) -> str:
    """Return the id of a store; the next append waits for the end of this transaction."""
    query = select(settings.c.value).where(settings.c.name == "id").with_for_update()
    return _id(connection.execute(query).scalar_one_or_none(), where)


def _id(found: str | None, where: str) -> str:
    if found is None:
        raise damaged(where, "the store has no id")
    return found
