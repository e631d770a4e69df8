"""What the store gives back, and the facts that a card of a project shows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from facility.core.errors import FacilityError, unknown

Facts = Mapping[str, str | float]

FACTS: Mapping[str, type] = {
    "it.gpus": float,
    "load.it": float,  # W
    "load.facility": float,  # W
    "pue.annual": float,
    "pue.design": float,
    "verdict": str,  # In words
    "verdict.count": float,  # Things that stand in the way
}
"""What may be said of a revision beside its text, in SI; each may be missing."""

MAX_WORDS = 200
LINK_ID = 12
"""Characters that name a link: the first of the SHA-256 of its token."""


class Role(StrEnum):
    """What somebody may do with a project; each may do what the ones before it may."""

    READER = "reader"
    EDITOR = "editor"
    OWNER = "owner"

    def allows(self, needed: Role) -> bool:
        """Return whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Draft(StrEnum):
    """What one person keeps beside a project."""

    WAITING = "waiting"  # Entries that were refused
    SCENARIOS = "scenarios"
    RANGES = "ranges"  # Lines that were refused
    SWEEP = "sweep"  # Fields and their values, one a line
    RACKS = "racks"  # Rows of racks that are not accepted


@dataclass(frozen=True)
class SavedRevision:
    """One saved state of a project."""

    project: str  # Id of the project
    number: int  # Counts from 1
    saved_at: datetime  # UTC
    who: str
    label: str  # What changed, in words
    name: str | None  # None for what was saved by itself
    sha256: str  # Of the project as typed: equal for equal content, whatever the format
    size: int  # Bytes of its text
    facts: Facts


@dataclass(frozen=True)
class ProjectEntry:
    """A project as the library lists it."""

    id: str
    name: str  # As the project itself says; empty where it does not
    title: str
    head: SavedRevision  # The last revision
    role: Role  # Of who asks
    created_at: datetime
    created_by: str
    archived_at: datetime | None
    origin: tuple[str, int] | None  # Project and number that it was branched from


@dataclass(frozen=True)
class ReadingLink:
    """A link with which a project can be read; its token is told only when it is made."""

    id: str  # Names the link, and opens nothing
    label: str
    made_at: datetime
    made_by: str
    expires_at: datetime  # From then on it opens nothing


@dataclass(frozen=True)
class SavedPanel:
    """One state of a panel that version 0.5 kept beside a project."""

    project: str
    name: str
    number: int  # Counts from 1
    saved_at: datetime
    who: str
    text: str | None  # The panel CSV; None where the panel was removed


def facts_text(facts: Facts | None) -> str:
    """Return facts as they are stored.

    Raises ``UNKNOWN_FACT``, or ``STORE_TEXT`` for a value of the wrong kind.
    """
    for key, value in (facts or {}).items():
        if key not in FACTS:
            raise unknown("UNKNOWN_FACT", "facts", f"no fact is called {key[:60]!r}.", key, FACTS)
        if FACTS[key] is str:
            words(value, f"facts.{key}")
        elif isinstance(value, str | bool) or not math.isfinite(value):
            message = f"a finite number is expected, not {str(value)[:60]!r}."
            raise FacilityError("STORE_TEXT", f"facts.{key}", message)
    return json.dumps(dict(facts or {}), sort_keys=True, ensure_ascii=False)


def words(value: object, where: str, *, needed: bool = False) -> str:
    """Return a short text of one line, without space around it.

    Raises ``STORE_TEXT`` for other than text, more than 200 characters, what is not printed, or
    nothing where something is `needed`.
    """
    text = value.strip() if isinstance(value, str) else ""
    if not isinstance(value, str) or not text.isprintable() or (needed and not text):
        found = "no text" if not text else "characters that are not printed"
        raise FacilityError("STORE_TEXT", where, f"{found}.", "Write a short line of text.")
    if len(text) > MAX_WORDS:
        raise FacilityError(
            "STORE_TEXT", where, f"{len(text):,} characters; at most {MAX_WORDS} are kept."
        )
    return text
