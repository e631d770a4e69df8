"""Results of checks as text and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal
from zlib import crc32

from facility.catalogue import sources
from facility.core.check import Check
from facility.core.sources import Source

_ROW = re.compile(r"^(.+)\[(.+)\]$")
Colour = Literal["red", "orange", "blue", "green", "grey", "violet"]
COLOURS: dict[str, Colour] = {
    "VIOLATION": "red",
    "WARNING": "orange",
    "ADVICE": "blue",
    "NOT_EVALUATED": "grey",
    "WAIVED": "violet",
    "PASS": "green",
}


def clause(source: Source) -> str:
    """Return a source as text, with its title from the reference data and the table row."""
    entry = sources().get(source.id)
    if entry is None:
        return str(source)
    locator = _ROW.sub(r"row \2 of the table \1", source.locator)
    work = f"{entry.publisher}, {entry.title}"
    if entry.title.startswith(f"{entry.publisher} "):  # a standard
        work = entry.title.partition(", ")[0] if locator else entry.title
    parts = (work, source.edition, locator)
    text = ", ".join(part for part in parts if part)
    return f"{text} [unverified]" if source.verified == "memory" else text


def list_hash(checks: Iterable[Check]) -> str:
    """Return a hash that identifies a list of checks, without their text."""
    return f"{crc32(repr([(c.rule, c.subject, c.word) for c in checks]).encode()):08x}"
