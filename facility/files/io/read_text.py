"""Bounded reading of text files; rejects non-text content."""

from __future__ import annotations

import re
from pathlib import Path

from facility.catalogue.user_file import open_file
from facility.core.errors import FacilityError

MAX_BYTES = 1_048_576

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the content of the file at `path`, at most `limit` bytes.

    Raises ``FILE_MISSING``, ``FILE_UNREADABLE`` or ``FILE_TOO_LARGE``, with exit code 6.
    """
    where = str(path)
    try:
        with open_file(path) as stream:
            content = stream.read(limit + 1)
    except FileNotFoundError:
        raise FacilityError(
            "FILE_MISSING", where, "there is no such file.", "Check the name."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FacilityError(
            "FILE_UNREADABLE", where, f"the file cannot be read: {reason}."
        ) from None
    check_size(content, where, limit)
    return content


def check_size(content: bytes, where: str, limit: int = MAX_BYTES) -> None:
    """Reject more than `limit` bytes, and empty files.

    Raises ``FILE_TOO_LARGE`` or ``FILE_EMPTY``, with exit code 6.
    """
    if len(content) > limit:
        raise FacilityError(
            "FILE_TOO_LARGE",
            where,
            f"the file is larger than {limit:,} bytes.",
            "Split the file."
            if limit > MAX_BYTES
            else "A project file is a few kilobytes of text.",
        )
    if not content.strip():
        raise FacilityError("FILE_EMPTY", where, "the file is empty.")


def text_of(content: bytes, where: str) -> str:
    """Return `content` decoded as UTF-8.

    Raises ``FILE_NOT_TEXT``, with exit code 6, for other encodings and control characters.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_text(where, f"byte {error.start + 1:,} is not UTF-8") from None
    found = _CONTROL.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise _not_text(
            where, f"line {line:,} contains the control character U+{ord(found[0]):04X}"
        )
    return text


def _not_text(where: str, reason: str) -> FacilityError:
    return FacilityError(
        "FILE_NOT_TEXT", where, f"the file is not plain text: {reason}.", "Save it as UTF-8 text."
    )
