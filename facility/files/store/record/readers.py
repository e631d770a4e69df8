"""Readers of a project, summarised from its record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from facility.files.store.record.chain import Action, RecordEntry


@dataclass(frozen=True)
class ProjectReader:
    """Person or link that read a project."""

    who: str
    link: str  # Id of the link; empty for a person
    first: datetime
    last: datetime
    count: int  # Recorded reads: one an hour for each revision, panel list and file


def readers_of(entries: Iterable[RecordEntry]) -> list[ProjectReader]:
    """Return the readers from ordered entries, latest reader first."""
    found: dict[tuple[str, str], list[RecordEntry]] = {}
    for entry in entries:
        if entry.action == Action.READ:
            link = str(entry.details.get("link", "")) if '"link":' in entry.detail else ""
            found.setdefault((entry.who, link), []).append(entry)
    readers = [
        ProjectReader(who, link, reads[0].moment, reads[-1].moment, len(reads))
        for (who, link), reads in found.items()
    ]
    return sorted(readers, key=lambda one: one.last, reverse=True)
