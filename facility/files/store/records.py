"""Records returned by the store, and the card figures of a project."""

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
"""Facts of a revision in addition to its text, in SI; each may be missing."""

MAX_WORDS = 200
LINK_ID = 12
"""Length of a link id: first digits of the SHA-256 of its token."""


class Role(StrEnum):
    """Role in a project; each role includes the rights of the previous ones."""

    READER = "reader"
    EDITOR = "editor"
    OWNER = "owner"

    def allows(self, needed: Role) -> bool:
        """Return whether this role includes `needed`."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


class Draft(StrEnum):
    """Draft of one person in a project."""

    WAITING = "waiting"  # Entries that were refused
    SCENARIOS = "scenarios"
    SCENARIO_WAITING = "scenario-waiting"  # Entries of scenarios that were refused
    RANGES = "ranges"  # Lines that were refused
    SWEEP = "sweep"  # Fields and their values, one a line
    RACKS = "racks"  # Rows of racks that are not accepted


@dataclass(frozen=True)
class SavedRevision:
    """Saved revision of a project."""

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
    """Project list entry."""

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
    """Read-only link to a project; its token is returned only on creation."""

    id: str  # Names the link, and opens nothing
    label: str
    made_at: datetime
    made_by: str
    expires_at: datetime  # From then on it opens nothing


@dataclass(frozen=True)
class SavedPanel:
    """Separate panel state of version 0.5."""

    project: str
    name: str
    number: int  # Counts from 1
    saved_at: datetime
    who: str
    text: str | None  # The panel CSV; None where the panel was removed


def facts_text(facts: Facts | None) -> str:
    """Return facts in stored form.

    Raises ``UNKNOWN_FACT``, or ``STORE_TEXT`` for a value of the wrong kind.
    """
    for key, value in (facts or {}).items():
        if key not in FACTS:
            raise unknown("UNKNOWN_FACT", "facts", f"there is no fact {key[:60]!r}.", key, FACTS)
        if FACTS[key] is str:
            words(value, f"facts.{key}")
        elif isinstance(value, str | bool) or not math.isfinite(value):
            message = f"a finite number is expected, not {str(value)[:60]!r}."
            raise FacilityError("STORE_TEXT", f"facts.{key}", message)
    return json.dumps(dict(facts or {}), sort_keys=True, ensure_ascii=False)


def words(value: object, where: str, *, needed: bool = False) -> str:
    """Return a short text of one line, without space around it.

    Raises ``STORE_TEXT`` for other than text, more than 200 characters, unprintable characters, or
    an empty text if `needed`.
    """
    text = value.strip() if isinstance(value, str) else ""
    if not isinstance(value, str) or not text.isprintable() or (needed and not text):
        found = (
            "the text is empty"
            if not text
            else "the text contains characters that cannot be printed"
        )
        raise FacilityError("STORE_TEXT", where, f"{found}.", "Write a short line of text.")
    if len(text) > MAX_WORDS:
        raise FacilityError(
            "STORE_TEXT", where, f"{len(text):,} characters; at most {MAX_WORDS} are allowed."
        )
    return text
