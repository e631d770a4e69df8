"""Files of the user: regular files only, up to a size limit, each read once."""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, TypeVar

T = TypeVar("T")
_GZIP = b"\x1f\x8b"


def open_file(path: Path) -> BinaryIO:
    """Open the ordinary file at `path` for reading.

    Pipes and devices are refused before a byte is read: they may never end, or never begin.

    Raises
    ------
    OSError
        As `open`, and for anything but an ordinary file.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    stream = os.fdopen(handle, "rb") if stat.S_ISREG(os.fstat(handle).st_mode) else None
    if stream is None:
        os.close(handle)
        raise OSError(errno.EINVAL, "not an ordinary file (a folder, a pipe or a device)")
    return stream


def capped(source: Path | bytes, maximum: int) -> bytes:
    """Return the content of a file given by path or as bytes, gzipped or not, unpacked.

    Raises
    ------
    OSError
        For what cannot be read, and for more than `maximum` bytes, packed or unpacked.
    """
    content = source
    if isinstance(content, Path):
        with open_file(content) as stream:
            content = stream.read(maximum + 1)
    if content[:2] == _GZIP:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
                content = packed.read(maximum + 1)
        except (EOFError, zlib.error) as error:
            raise OSError(errno.EINVAL, f"its gzip is damaged: {error}") from None
    if len(content) > maximum:
        raise OSError(errno.EFBIG, f"it is larger than {maximum / 1e6:g} MB")
    return content


def reason(error: OSError) -> str:
    """Return the reason that a file cannot be read, without its path."""
    return error.strerror or str(error)


def read_once(read: Callable[[Path], T]) -> Callable[[Path], T]:
    """Return `read` with the results of its last files cached; many designs use one file.

    A file that has changed is read again.
    """

    @lru_cache(maxsize=4)
    def cached(path: Path, _changed_ns: int, _size: int) -> T:
        return read(path)

    def reading(path: Path) -> T:
        try:
            state = path.stat()
        except OSError:
            return read(path)
        return cached(path, state.st_mtime_ns, state.st_size)

    reading.__doc__, reading.__name__ = read.__doc__, read.__name__
    return reading
