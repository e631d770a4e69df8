"""Record data outside the store: the key, and the latest length and hash.

Both are files of the user who runs the program, out of reach of a person with database access only.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from facility.core.errors import FacilityError
from facility.files.io.read_text import read_bytes
from facility.files.store.home import home_needed
from facility.files.store.record.chain import RecordHead, damaged

KEY = "FACILITY_RECORD_KEY"
HEADS = "FACILITY_RECORD_HEADS"
KEY_BYTES = 32
_MAX_BYTES = 4096
_HEAD_BYTES = 256
_WAIT_S = 1.0


class _Folder(NamedTuple):
    """Folder of one purpose per operating system."""

    variable: str  # Of the XDG base directories
    linux: str
    windows: str
    macos: str


_CONFIG = _Folder("XDG_CONFIG_HOME", ".config", "APPDATA", "Library/Preferences")
_STATE = _Folder("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA", "Library/Application Support")


def _folder_of(purpose: _Folder, environment: Mapping[str, str]) -> Path:
    """Return the folder of a purpose.

    Raises ``STORE_UNREACHABLE`` without a home folder.
    """
    with home_needed():
        if sys.platform == "win32":
            return Path(environment.get(purpose.windows) or Path.home() / "AppData" / "Local")
        if sys.platform == "darwin":
            return Path.home() / purpose.macos
        stated = Path(environment.get(purpose.variable, ""))
        # A relative path in the variable is invalid, and ignored, by the specification.
        return stated if stated.is_absolute() else Path.home() / purpose.linux


def key_file() -> Path:
    """Return the key file: ``FACILITY_RECORD_KEY``, otherwise a file of the user.

    That is ``facility/record.key`` in ``XDG_CONFIG_HOME`` (``~/.config``), on macOS in
    ``~/Library/Preferences``, on Windows in ``APPDATA``.
    """
    stated = os.environ.get(KEY, "").strip()
    return Path(stated) if stated else _folder_of(_CONFIG, os.environ) / "facility" / "record.key"


def key(*, create: bool = False) -> bytes:
    """Return the key of the record; with `create` a new one if missing.

    Raises ``RECORD_KEY``.
    """
    file = key_file()
    if create and not file.exists():
        _create_key(file)
    deadline = time.monotonic() + _WAIT_S
    while True:
        try:
            found = read_bytes(file, _MAX_BYTES)
        except FacilityError as error:
            if error.code != "FILE_EMPTY":
                raise _no_key(file, error.message) from None
            found = b""
        if len(found) >= KEY_BYTES:
            return found
        if time.monotonic() > deadline:  # Until then another process may be writing it
            raise _no_key(file, f"{len(found)} bytes; at least {KEY_BYTES} are expected.")
        time.sleep(0.01)


def _create_key(file: Path) -> None:
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return  # Of two starting processes, the first created it
    except OSError as error:
        raise _no_key(file, f"the file cannot be created: {error.strerror}.") from None
    with os.fdopen(handle, "wb") as stream:
        stream.write(secrets.token_bytes(KEY_BYTES))
        stream.flush()
        os.fsync(stream.fileno())


def _no_key(file: Path, reason: str) -> FacilityError:
    return FacilityError(
        "RECORD_KEY",
        str(file),
        f"no key for the access record: {reason}",
        f"Set {KEY} to the key file of this store, or restore that file. If the key is lost, an "
        "administrator continues with: facility library record --begin-again.",
    )


@contextmanager
def _locked(path: Path, how: int) -> Iterator[BinaryIO]:
    """Open a file with a lock against other writers."""
    handle = os.open(path, how | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "rb" if how == os.O_RDONLY else "r+b") as stream:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_SH if how == os.O_RDONLY else fcntl.LOCK_EX)
        yield stream


class HeadFile:
    """The newest length and hash of one store's record, as known on this computer."""

    def __init__(self, store: str, where: str) -> None:
        self._store = store
        self._where = where
        # By location, not by id: a restored copy has the id of its original, and a changed id in
        # the database must not hide the stored head.
        located = where if "://" in where else str(Path(where).resolve())
        name = hashlib.sha256(located.encode()).hexdigest()[:32]
        stated = os.environ.get(HEADS, "").strip()
        folder = Path(stated) if stated else _folder_of(_STATE, os.environ) / "facility" / "record"
        self.path = folder / f"{name}.json"

    def prepare(self) -> None:
        """Create the folder of the head file.

        Raises ``RECORD_HEAD``.
        """
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._refused(f"the folder cannot be created: {error.strerror}.") from None
        if not os.access(folder, os.W_OK):
            raise self._refused("the folder cannot be written.")

    def read(self) -> RecordHead | None:
        """Return the stored head; None if not stored yet.

        Raises ``RECORD_HEAD`` for an invalid file, ``RECORD_DAMAGED`` for another store at this
        location.
        """
        try:
            with _locked(self.path, os.O_RDONLY) as stream:
                content = stream.read(_MAX_BYTES)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._refused(f"the file cannot be read: {error.strerror}.") from None
        if not content:
            return None
        found, store = self._parsed(content)
        if store != self._store:
            reason = f"another store was at this address, with a record of {found.length} entries"
            raise damaged(self._where, reason)
        return found

    def keep(self, head: RecordHead, *, replace: bool = False) -> None:
        """Store a head longer than the present one; with `replace` any head.

        The file is smaller than a disk sector and is overwritten without forcing it to the disk,
        which would double the time of an entry. After a power loss an older head is still valid.

        Raises ``RECORD_HEAD``.
        """
        line = json.dumps({"store": self._store, **head._asdict()})
        try:
            with _locked(self.path, os.O_RDWR | os.O_CREAT) as stream:
                content = stream.read(_MAX_BYTES)
                if replace or not content or self._parsed(content)[0].length < head.length:
                    stream.seek(0)
                    stream.write(line.ljust(_HEAD_BYTES - 1).encode() + b"\n")
                    stream.flush()
        except OSError as error:
            raise self._refused(f"the file cannot be written: {error.strerror}.") from None

    def _parsed(self, content: bytes) -> tuple[RecordHead, str]:
        """Return a head and the id of its store."""
        try:
            found = json.loads(content)
            head = RecordHead(int(found["length"]), str(found["mac"]))
            return head, str(found["store"])
        except (ValueError, TypeError, KeyError):
            raise self._refused("the file is damaged.") from None

    def _refused(self, reason: str) -> FacilityError:
        return FacilityError(
            "RECORD_HEAD",
            str(self.path),
            f"the latest length of the access record cannot be stored or read: {reason}",
            f"Correct the permissions, or set {HEADS} to a folder. A damaged file may be removed; "
            f"the record then reports it.",
        )
