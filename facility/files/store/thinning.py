"""Which revisions are kept: named ones for good, the others thinner the older they are.

At every 50th revision of a project,

- of those saved over a day ago that nobody named, only the last of each hour and person stays;
- where over 5,000 unnamed ones or 64 MB of their text are left, the oldest go.

The first and the last revision always stay.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from facility.files.store.tables import revisions

EVERY = 50
WHOLE = timedelta(days=1)
MAX_UNNAMED = 5_000
MAX_UNNAMED_BYTES = 64 * 1024**2


class Unnamed(NamedTuple):
    """A revision that nobody named."""

    number: int
    saved_at: datetime
    who: str
    size: int


def thin(connection: Connection, project: str, head: int) -> None:
    """Thin the revisions of a project, at every 50th one."""
    if head % EVERY:
        return
    of_project = revisions.c.project == project
    query = select(*(revisions.c[name] for name in Unnamed._fields)).where(
        of_project, revisions.c.name.is_(None), revisions.c.number.not_in((1, head))
    )
    unnamed = [Unnamed(*row) for row in connection.execute(query.order_by(revisions.c.number))]
    gone = superfluous(unnamed, datetime.now(UTC))
    for start in range(0, len(gone), 500):
        some = revisions.c.number.in_(gone[start : start + 500])
        connection.execute(delete(revisions).where(of_project, some))


def superfluous(unnamed: list[Unnamed], now: datetime) -> list[int]:
    """Return the numbers of the revisions that go; `unnamed` stand in their order."""
    last: dict[tuple[str, str], int] = {}
    for one in unnamed:
        last[one.who, f"{one.saved_at:%Y-%m-%d %H}"] = one.number
    kept = set(last.values())
    stay: list[Unnamed] = [u for u in unnamed if now - u.saved_at < WHOLE or u.number in kept]
    size = 0
    for place, one in enumerate(reversed(stay)):
        size += one.size
        if place >= MAX_UNNAMED or size > MAX_UNNAMED_BYTES:
            stay = stay[len(stay) - place :]
            break
    staying = {one.number for one in stay}
    return [one.number for one in unnamed if one.number not in staying]
