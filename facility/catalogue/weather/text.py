"""The lines of a weather file, plain or gzipped, under a cap; numbers of its first line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from facility.catalogue.user_file import capped, reason
from facility.core.errors import FacilityError

MAX_BYTES = 32_000_000
MAX_LINES = 106_000
"""A leap year of steps of five minutes, and a header."""


def lines_of(source: Path | bytes, where: str) -> list[str]:
    """Return the lines of a file given by path or as bytes.

    Raises ``WEATHER_FILE`` for one that is unreadable, binary or too large.
    """
    try:
        content = capped(source, MAX_BYTES)
    except OSError as error:
        refuse("WEATHER_FILE", where, f"The weather file cannot be read: {reason(error)}.")
    if b"\0" in content:
        refuse("WEATHER_FILE", where, "The weather file is binary; expected text.")
    if content.count(b"\n") > MAX_LINES:
        refuse("WEATHER_FILE", where, f"The weather file has more than {MAX_LINES:,} lines.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return [line.rstrip("\r") for line in text.split("\n")]


def refuse(code: str, where: str, message: str, hint: str = "") -> NoReturn:
    """Refuse a weather file."""
    raise FacilityError(code, where, message, hint)


def refuse_elsewhere(latitude: float, longitude: float, elevation: float, where: str) -> None:
    """Refuse the position of line 1 where it is not on Earth."""
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0 and -1000.0 <= elevation <= 9999.0):
        refuse("WEATHER_HEADER", where, "Line 1: latitude, longitude or elevation is out of range.")


def number_in(cells: Sequence[str], column: int, where: str) -> float:
    """Return a number of line 1."""
    text = cells[column].strip()
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        words = f"Line 1, column {column + 1}: {text[:20]!r} is not a number."
        refuse("WEATHER_HEADER", where, words)
    return value
