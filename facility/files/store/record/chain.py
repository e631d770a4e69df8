"""Entries of the record, chained by keyed hashes, and the verification of a chain.

The hash of an entry is HMAC-SHA256 over all of its columns, the id of the store and the hash of the
entry before it: an entry that is altered, inserted, removed or moved breaks the chain where it is.
An entry of action `BEGUN` starts a chain with a key. It contains a fingerprint of that key and the
SHA-256 of all entries before it, so that these can no longer be altered either.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from facility.core.errors import FacilityError


class Action(StrEnum):
    """Recorded actions."""

    BEGUN = "begun"
    HEAD_STORED = "head_kept"
    BACKED_UP = "backed_up"
    RESTORED = "restored"
    CREATED = "created"
    READ = "read"
    SAVED = "saved"
    NAMED = "named"
    ARCHIVED = "archived"
    UNARCHIVED = "unarchived"
    DELETED = "deleted"
    SHARED = "shared"
    LINK_MADE = "link_made"
    LINK_RENEWED = "link_renewed"
    LINK_REVOKED = "link_revoked"
    SIGN_IN = "sign_in"
    SIGN_OUT = "sign_out"
    SIGN_IN_FAILED = "sign_in_failed"
    LINK_REFUSED = "link_refused"
    REFUSED = "refused"
    NOT_RECORDED = "not_recorded"


class RecordEntry(NamedTuple):
    """One row of the record, each column as it is stored."""

    seq: int  # Counts from 1 without gaps
    at: str  # UTC, as `Moment` writes it
    who: str
    action: str
    project: str | None  # Id; remains when the project is deleted
    detail: str  # JSON object
    mac: str  # HMAC-SHA256, hexadecimal

    @property
    def moment(self) -> datetime:
        """Time of the entry."""
        return datetime.fromisoformat(self.at).astimezone(UTC)

    @property
    def details(self) -> dict[str, object]:
        """Details other than the columns; empty if not a JSON object."""
        try:
            found = json.loads(self.detail)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


class RecordHead(NamedTuple):
    """Length of a record and hash of its newest entry."""

    length: int  # Number of the newest entry
    mac: str


_compact = json.JSONEncoder(separators=(",", ":"), sort_keys=True, check_circular=False).encode


def detail_text(detail: dict[str, object]) -> str:
    """Return details in stored form: canonical JSON in ASCII."""
    return _compact(detail)


def encoded(entry: RecordEntry, store: str, before: str) -> bytes:
    """Return the hashed content of an entry: store, previous hash, all other columns."""
    return _compact([store, before, *entry[:-1]]).encode()


def mac_of(key: bytes, content: bytes) -> str:
    """Return the keyed hash of the encoded content."""
    return hmac.digest(key, content, "sha256").hex()


def fingerprint(key: bytes) -> str:
    """Return an identifier of a key that does not reveal it."""
    return mac_of(key, b"facility record key")[:16]


class Verification:
    """Verifies a record entry by entry, in the order of their numbers."""

    def __init__(self, store: str, key: bytes, where: str, head: RecordHead | None) -> None:
        self.count = 0
        self.newest = RecordHead(0, "")
        self.sealed = 0  # Entries before the newest `BEGUN`: unaltered since then
        self._store, self._key, self._where, self._head = store, key, where, head
        self._mark = fingerprint(key)
        self._digest = hashlib.sha256()
        self._problem: FacilityError | None = None
        self._has_our_key, self._begun = False, 1
        self._has_head = head is None

    def take(self, entry: RecordEntry) -> None:
        """Verify the next entry."""
        content = encoded(entry, self._store, self.newest.mac)
        if entry.action == Action.BEGUN:
            self._begin(entry, content)
        elif self.count == 0:
            self._problem = damaged(self._where, "its first entry is missing")
        elif self._has_our_key and self._problem is None:
            self._problem = self._broken(entry, content)
        self._digest.update(content)
        self._digest.update(entry.mac.encode())
        self.count, self.newest = self.count + 1, RecordHead(entry.seq, entry.mac)
        if self.newest == self._head:
            self._has_head = True

    def _broken(self, entry: RecordEntry, content: bytes) -> FacilityError | None:
        if entry.seq != self.newest.length + 1:
            return damaged(self._where, f"entry {self.newest.length + 1} is missing")
        return None if self._is_ours(entry, content) else altered(self._where, entry.seq)

    def _is_ours(self, entry: RecordEntry, content: bytes) -> bool:
        return hmac.compare_digest(mac_of(self._key, content), entry.mac)

    def _begin(self, entry: RecordEntry, content: bytes) -> None:
        detail = entry.details
        self._has_our_key, self._begun = detail.get("key") == self._mark, entry.seq
        if not self._has_our_key:
            return
        seal = detail.get("before"), detail.get("sha256")
        if self._is_ours(entry, content) and seal == (self.count, self.digest):
            # Earlier damage existed when an administrator restarted the record.
            self._problem, self.sealed = None, self.count
        elif self._problem is None:
            self._problem = altered(self._where, entry.seq)

    @property
    def digest(self) -> str:
        """SHA-256 of all entries so far."""
        return self._digest.hexdigest()

    def problem(self) -> FacilityError | None:
        """Return the error of the record after its last entry; None if intact."""
        if self._problem is None and self.count and not self._has_our_key:
            return wrong_key(self._where, self._begun)
        if self._problem is None and not self._has_head:
            assert self._head is not None
            return not_the_head(self._where, self.newest.length, self._head)
        return self._problem


def not_the_head(where: str, length: int, head: RecordHead) -> FacilityError:
    """Return the error of a record without the newest entry known outside the store."""
    if length < head.length:
        return damaged(where, f"it ends at entry {length}, but entry {head.length} was recorded")
    return damaged(where, f"entry {head.length} differs from the recorded entry")


def altered(where: str, seq: int) -> FacilityError:
    """Return the error of an entry whose hash does not match its content."""
    return damaged(where, f"entry {seq} was altered, or the entry before it")


def damaged(where: str, reason: str) -> FacilityError:
    """Return the error of a record that fails verification."""
    return FacilityError(
        "RECORD_DAMAGED",
        where,
        f"the access record fails verification: {reason}.",
        "Find the cause of the database change, or restore a backup; then an administrator "
        "continues with: facility library record --begin-again.",
    )


def wrong_key(where: str, seq: int) -> FacilityError:
    """Return the error of a key that differs from the key of the record at an entry."""
    return FacilityError(
        "RECORD_KEY",
        where,
        f"the access record was started with another key at entry {seq}, or that entry was "
        f"altered.",
        "Set FACILITY_RECORD_KEY to the key file of this store. If the key is lost, an "
        "administrator continues with: facility library record --begin-again.",
    )
