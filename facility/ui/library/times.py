"""Time and author of a revision as displayed text."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from facility.files.store.records import SavedRevision
from facility.ui.session import identity

_STEPS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
_MAX_DAYS = 7


def ago(moment: datetime, now: datetime | None = None) -> str:
    """Return the elapsed time as text; the date if it is a week or more."""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds >= _MAX_DAYS * 86_400:
        return day(moment)
    for size, name in _STEPS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "just now"


def day(moment: datetime) -> str:
    """Return the date."""
    return f"{moment.astimezone(_zone()):%d %b %Y}"


def clock(moment: datetime) -> str:
    """Return the time of day; the date if that was not today."""
    here = moment.astimezone(_zone())
    return f"{here:%H:%M}" if here.date() == datetime.now(_zone()).date() else day(moment)


def at(moment: datetime) -> str:
    """Return date and time of day."""
    return f"{moment.astimezone(_zone()):%d %b %Y, %H:%M:%S}"


def by(revision: SavedRevision, *, here: bool = False) -> str:
    """Return who saved a revision; the user's own revision is `here` or in another window."""
    visitor = identity.who()
    if visitor is None or revision.who != visitor.id:
        return revision.who
    return "you" if here else "you, in another window"


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
