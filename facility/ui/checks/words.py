"""Results of checks as text and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal
from zlib import crc32

from facility.catalogue import sources
from facility.core.check import Check
from facility.core.sources import Source
from facility.core.views import System

_ROW = re.compile(r"^(.+)\[(.+)\]$")
_CITED = re.compile(r" \(([\w-]+), ([a-z_]+/[a-z_]+\[[^\]()]*\])( \[unverified\])?\)")
"""Source of a rating in a finding: id, table row and reading status."""
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
        return str(source).replace(" [unverified]", ", unverified")
    locator = _ROW.sub(r"row \2 of the table \1", source.locator)
    work = f"{entry.publisher}, {entry.title}"
    if entry.title.startswith(f"{entry.publisher} "):  # a standard
        work = entry.title.partition(", ")[0] if locator else entry.title
    parts = (work, source.edition, locator)
    text = ", ".join(part for part in parts if part)
    return f"{text}, unverified" if source.verified == "memory" else text


def finding(check: Check, system: System) -> tuple[str, str]:
    """Return the finding of a check without the sources it cites, and all its sources."""
    cited = [
        clause(Source(id, locator, verified="memory" if unread else "read"))
        for id, locator, unread in _CITED.findall(check.why)
    ]
    return _CITED.sub("", check.found(system)), "; ".join(
        dict.fromkeys((clause(check.source), *cited))
    )


def list_hash(checks: Iterable[Check]) -> str:
    """Return a hash that identifies a list of checks, without their text."""
    return f"{crc32(repr([(c.rule, c.subject, c.word) for c in checks]).encode()):08x}"
