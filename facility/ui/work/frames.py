"""Messages between the server and its workers: pickled objects of this package.

Only the server and the processes it started have access to these pipes. No data sent by a user is
unpickled: a project is transferred as text and parsed like a file.
"""

from __future__ import annotations

import pickle
import struct
import zlib
from typing import IO

_LENGTH = struct.Struct(">Q")
_FAST = 1
"""Compression level: a study shrinks 2 to 46 times, in less time than unpacking takes."""


def send(pipe: IO[bytes], message: object) -> None:
    """Write a message and its length."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(body)))
    pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> object:
    """Read the next message.

    Raises
    ------
    EOFError
        If the other process has ended.
    """
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    found: object = pickle.loads(_exactly(pipe, length))
    return found


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    found = pipe.read(length)
    if found is None or len(found) < length:
        raise EOFError
    return found


def packed(found: object) -> bytes:
    """Return a study result, pickled and compressed."""
    return zlib.compress(pickle.dumps(found, pickle.HIGHEST_PROTOCOL), _FAST)


def unpacked(content: bytes) -> object:
    """Return the object from the bytes of `packed`."""
    found: object = pickle.loads(zlib.decompress(content))
    return found
