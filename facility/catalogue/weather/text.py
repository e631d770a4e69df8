"""The lines of a weather file, plain or gzipped, under a cap."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path
from typing import NoReturn

from facility.core.errors import FacilityError

MAX_BYTES = 32_000_000
MAX_LINES = 106_000
"""A leap year of steps of five minutes, and a header."""


def lines_of(source: Path | bytes, where: str) -> list[str]:
    """Return the lines of a file given by path or as bytes.

    Raises
    ------
    FacilityError
        ``WEATHER_FILE`` for one that is unreadable, binary or too large.
    """
    try:
        content = _content(source, where)
    except (OSError, EOFError, zlib.error) as error:
        refuse("WEATHER_FILE", where, f"The weather file cannot be read: {error}.")
    if len(content) > MAX_BYTES:
        refuse("WEATHER_FILE", where, f"The weather file is larger than {MAX_BYTES:,} bytes.")
    if b"\0" in content:
        refuse("WEATHER_FILE", where, "The weather file is binary; expected text.")
    if content.count(b"\n") > MAX_LINES:
        refuse("WEATHER_FILE", where, f"The weather file has more than {MAX_LINES:,} lines.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return [line.rstrip("\r") for line in text.split("\n")]


def _content(source: Path | bytes, where: str) -> bytes:
    content = source
    if isinstance(content, Path):
        if content.exists() and not content.is_file():
            refuse("WEATHER_FILE", where, "The weather file is no ordinary file.")
        with content.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    if content[:2] == b"\x1f\x8b":
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            return packed.read(MAX_BYTES + 1)
    return content


def refuse(code: str, where: str, message: str, hint: str = "") -> NoReturn:
    """Refuse a weather file."""
    raise FacilityError(code, where, message, hint, exit_code=6)
