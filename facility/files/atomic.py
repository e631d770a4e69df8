"""Writes files whole or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from facility.core.errors import FacilityError


def write_bytes(path: Path, content: bytes, *, force: bool = False) -> Path:
    """Write `content` to `path` in one step and return the path.

    The bytes go to a file beside the target that then takes its name, so that no reader and no
    interruption ever sees half a file.

    Parameters
    ----------
    path : Path
        Where to write; its folder must exist.
    content : bytes
        All of the file.
    force : bool
        Overwrite an existing file.

    Raises
    ------
    FacilityError
        ``FILE_EXISTS`` without `force`, ``FILE_NOT_WRITTEN`` when the system refuses; both with
        exit code 6.
    """
    target = _target(path, force)
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _not_written(path, f"the file cannot be written: {reason}.") from None
    finally:
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
    return path


def _target(path: Path, force: bool) -> Path:
    """Return the file that `path` names, links followed, if it may be written."""
    try:
        target = path.resolve()
        exists, is_file, has_folder = target.exists(), target.is_file(), target.parent.is_dir()
    except (OSError, ValueError, RuntimeError):
        raise _not_written(path, "the name cannot be used.") from None
    if exists and not is_file:
        raise _not_written(path, "it exists and is no ordinary file.")
    if exists and not force:
        raise FacilityError(
            "FILE_EXISTS", str(path), "the file exists.", "Use --force to overwrite it.",
            exit_code=6,
        )  # fmt: skip
    if not has_folder:
        raise _not_written(path, "its folder does not exist.")
    return target


def _not_written(path: Path, message: str) -> FacilityError:
    return FacilityError("FILE_NOT_WRITTEN", str(path), message, exit_code=6)
