"""Files of users in a temporary folder of the server, from which designs read them.

The name of a file is derived from its content. Files come from the project library or an upload and
are deleted when the server ends; the next start deletes the files of a killed server. Child
processes use the same folder.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import tempfile
import threading
import time
from pathlib import Path

from facility.files.io.atomic import write_bytes
from facility.files.project.companions import is_content_name, is_of, named, not_given
from facility.model.inputs.document import Project

VARIABLE = "FACILITY_APP_FILES"
MAX_BYTES = 512 * 2**20
"""Total size limit; above it, files unused for a day are deleted, as the library has them."""
_DAY_S = 86_400.0
_PREFIX, _FRESH_S = "facility-files-", 60.0
_ONE = threading.Lock()
_MADE: list[str] = []
_LOCKS: list[int] = []


def folder() -> Path:
    """Return the folder of the files, accessible only to the user of this server."""
    with _ONE:
        if VARIABLE not in os.environ:
            _clear_left()
            os.environ[VARIABLE] = tempfile.mkdtemp(prefix=_PREFIX)
            _LOCKS.append(_locked(Path(os.environ[VARIABLE])))
            atexit.register(clear)
            _MADE.append(os.environ[VARIABLE])
        return Path(os.environ[VARIABLE])


def clear() -> None:
    """Delete the folder if this process created it."""
    while _MADE:
        shutil.rmtree(_MADE.pop(), ignore_errors=True)


def _clear_left() -> None:
    """Delete the unlocked folders of killed servers of this user."""
    for one in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, AttributeError):  # some systems have no user ids
            found = one.lstat()
            is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if is_ours and time.time() - found.st_mtime > _FRESH_S:
                hold = _locked(one)
                if hold >= 0:
                    shutil.rmtree(one, ignore_errors=True)
                    os.close(hold)


def _locked(path: Path) -> int:
    """Lock a folder for the lifetime of this process; -1 if another process has locked it."""
    try:
        import fcntl
    except ImportError:
        return -1
    hold = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(hold)
        return -1
    return hold


def put(name: str, content: bytes) -> Path:
    """Store a file under its content-derived name, and return its path.

    Raises ``FILE_NOT_GIVEN`` if the name does not match the content.
    """
    if not is_of(name, content):
        raise not_given("file", name)
    path = folder() / name
    if not path.exists():
        _make_room(len(content))
        write_bytes(path, content, force=True)
    return path


def has(name: str) -> bool:
    """Return whether a file exists, and update its time of last use."""
    if not is_content_name(name):
        return False
    try:
        os.utime(folder() / name)
    except OSError:
        return False
    return True


def content(name: str) -> bytes:
    """Return the content of a file.

    Raises ``FILE_NOT_GIVEN`` if it does not exist.
    """
    if not has(name):
        raise not_given("file", name)
    return (folder() / name).read_bytes()


def refuse_missing(project: Project) -> None:
    """Reject a project with missing files; a name is never used as a path.

    Raises ``FILE_NOT_GIVEN``.
    """
    for path, name in named(project).items():
        if not has(name):
            raise not_given(path, name)


def _make_room(size: int) -> None:
    found = sorted((one.stat().st_mtime, one.stat().st_size, one) for one in folder().iterdir())
    whole = size + sum(length for _, length, _ in found)
    for used, length, path in found:
        if whole <= MAX_BYTES or time.time() - used < _DAY_S:
            return
        path.unlink(missing_ok=True)
        whole -= length
