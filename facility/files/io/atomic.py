"""Atomic file writes that never overwrite concurrent changes.

A writer locks its temporary file while it works (`flock`), and the system releases the lock when
the process ends for any reason. A temporary file that can be locked is therefore left over from a
dead writer, and the next write in the folder removes it. Process ids are not used, because they are
reused and have no meaning on another machine that shares the folder. Without file locks (Windows,
some network folders), temporary files not modified for a day are removed.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.io.read_text import read_bytes

_TEMPORARY = re.compile(r"\..+\.\d{1,10}-[0-9a-f]{12}\.tmp")
_ABANDONED_S = 86_400.0


def write_bytes(path: Path, content: bytes, *, force: bool = False) -> Path:
    """Write `content` to `path` in one step and return the path.

    The bytes are written to a temporary file in the same folder, which is then renamed, so that no
    reader or interruption sees a partial file. Without `force` the rename fails if the name exists:
    of two writers, one is rejected. Temporary files of dead writers are removed.

    path: Destination; its folder must exist.
    content: Complete file content.
    force: Overwrite an existing file.

    Raises ``FILE_EXISTS`` without `force`, ``FILE_NOT_WRITTEN`` when the system refuses; both with
    exit code 6.
    """
    target = _target(path, force)
    _remove_orphans(target.parent)
    with _reported(path), _temporary(target, content) as temporary:
        if force:
            temporary.replace(target)
        else:
            _take_free_name(temporary, target)
    return path


@contextmanager
def written_apart(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary file next to `path` that is renamed at the end, as in `write_bytes`.

    For content too large for memory, or written by a library that requires a file name.

    Raises as `write_bytes`.
    """
    target = _target(path, force)
    _remove_orphans(target.parent)
    with _reported(path), _temporary(target, b"") as temporary:
        yield temporary
        if force:
            temporary.replace(target)
        else:
            _take_free_name(temporary, target)


@contextmanager
def folder_apart(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield `folder` with links resolved, and a new folder next to it, removed at the end.

    The folders above are created. For files that belong together: rename the new folder, or move
    its files, when it is complete.

    Raises `OSError` when the system refuses.
    """
    target = folder.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    apart = target.with_name(f".{target.name[:80]}.{os.getpid()}-{secrets.token_hex(6)}.tmp")
    apart.mkdir()
    try:
        yield target, apart
    finally:
        shutil.rmtree(apart, ignore_errors=True)


def replace_bytes(path: Path, read: bytes, content: bytes) -> Path:
    """Replace the file at `path` by `content`, if it still contains the bytes `read`.

    Two writers of this program wait for each other; changes by another program since `read` are
    detected by comparison and preserved.

    Raises ``FILE_CHANGED`` if the file differs from what was read, ``FILE_NOT_WRITTEN`` when the
    system refuses; both with exit code 6.
    """
    target = _target(path, force=True)
    _remove_orphans(target.parent)
    with _reported(path), _temporary(target, content) as temporary, _locked(target):
        if _content(target) != read:
            raise file_changed(path)
        temporary.replace(target)
    return path


def _content(target: Path) -> bytes | None:
    try:
        return read_bytes(target)
    except FacilityError:
        return None


def file_changed(path: Path) -> FacilityError:
    """Return the error of a file that changed between being read and being written."""
    return FacilityError(
        "FILE_CHANGED",
        str(path),
        "the file was changed since it was read; it was not overwritten.",
        "Run the command again to use the present file.",
    )


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise _exists(path) from None
    except FileNotFoundError:
        raise file_changed(path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _not_written(path, f"the file cannot be written: {reason}.") from None


@contextmanager
def _temporary(target: Path, content: bytes) -> Iterator[Path]:
    """Create a locked file next to `target` with `content`; it is removed at the end."""
    temporary, handle = _new_file(target)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
            if sys.platform == "win32":
                stream.close()  # A file that is open cannot be renamed there.
            yield temporary
    finally:
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


def _new_file(target: Path) -> tuple[Path, int]:
    """Return a new file next to `target`, open and locked."""
    while True:
        mark = f"{os.getpid()}-{secrets.token_hex(6)}"
        temporary = target.with_name(f".{target.name[:80]}.{mark}.tmp")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        _lock(handle, wait=True)
        if temporary.exists():
            return temporary, handle
        os.close(handle)  # Another writer removed it as an orphan before it was locked.


def _lock(handle: int, *, wait: bool) -> bool | None:
    """Lock an open file; return whether locked, None if locks are not supported."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _take_free_name(temporary: Path, target: Path) -> None:
    """Rename the file at `temporary` to `target`, which must not exist."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:
        # Without hard links: create the name first, then replace it.
        handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with ExitStack() as unfinished:
            unfinished.callback(target.unlink, missing_ok=True)
            with os.fdopen(handle, "wb") as stream, temporary.open("rb") as whole:
                shutil.copyfileobj(whole, stream)
                stream.flush()
                os.fsync(stream.fileno())
            unfinished.pop_all()


@contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Lock the file at `target` against other writers of this program."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    while True:
        handle = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if os.path.samestat(os.fstat(handle), target.stat()):
                yield
                return
        finally:
            os.close(handle)


def _remove_orphans(folder: Path) -> None:
    """Remove the temporary files in `folder` whose writer is gone."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_orphan(Path(entry.path))


def _remove_orphan(temporary: Path) -> None:
    if sys.platform == "win32":
        if _is_abandoned(temporary):
            temporary.unlink()
        return
    handle = os.open(temporary, os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        locked = _lock(handle, wait=False)
        if locked or (locked is None and _is_abandoned(temporary)):
            temporary.unlink()
    finally:
        os.close(handle)


def _is_abandoned(temporary: Path) -> bool:
    return time.time() - temporary.stat().st_mtime > _ABANDONED_S


def _target(path: Path, force: bool) -> Path:
    """Return the file at `path`, links resolved, if it may be written."""
    try:
        target = path.resolve()
        exists, is_file, has_folder = target.exists(), target.is_file(), target.parent.is_dir()
    except (OSError, ValueError, RuntimeError):
        raise _not_written(path, "the name cannot be used.") from None
    if exists and not is_file:
        raise _not_written(path, "it exists and is not a regular file.")
    if exists and not force:
        raise _exists(path)
    if not has_folder:
        raise _not_written(path, "its folder does not exist.")
    return target


def _exists(path: Path) -> FacilityError:
    return FacilityError(
        "FILE_EXISTS", str(path), "the file exists.", "Use --force to overwrite it."
    )


def _not_written(path: Path, message: str) -> FacilityError:
    return FacilityError("FILE_NOT_WRITTEN", str(path), message)
