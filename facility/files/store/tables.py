"""The tables as they are now, and their rows as records; `migrations` brings a database there."""

from __future__ import annotations

import json
import secrets
from datetime import UTC, datetime

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    Select,
    String,
    Table,
    Text,
    TypeDecorator,
    select,
)

from facility.core.errors import FacilityError
from facility.files.store.records import ProjectEntry, Role, SavedRevision

VERSIONS = "store_version"


class Moment(TypeDecorator[datetime]):
    """A time in UTC as text that sorts: ``2026-01-31T09:30:00.000000Z``."""

    impl = String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Write a time."""
        if value is None:
            return None
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Read a time."""
        return None if value is None else datetime.fromisoformat(value)


metadata = MetaData()


def _of_project() -> Column[str]:
    to = ForeignKey("store_projects.id", ondelete="CASCADE")
    return Column("project", String(32), to, primary_key=True, nullable=False)


projects = Table(
    "store_projects",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("head", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("search", Text, nullable=False),  # What a search looks in, case folded
    Column("created_at", Moment, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("archived_at", Moment),
    Column("origin", String(32)),  # The project that it was branched from, there or gone
    Column("origin_number", Integer),
)
revisions = Table(
    "store_revisions",
    metadata,
    _of_project(),
    Column("number", Integer, primary_key=True),
    Column("saved_at", Moment, nullable=False),
    Column("who", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("name", Text),  # NULL for what was saved by itself
    Column("sha256", String(64), nullable=False),
    Column("size", Integer, nullable=False),
    Column("facts", Text, nullable=False),  # JSON
    Column("text", Text, nullable=False),
)
panels = Table(
    "store_panels",
    metadata,
    _of_project(),
    Column("name", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("saved_at", Moment, nullable=False),
    Column("who", Text, nullable=False),
    Column("text", Text),  # NULL where the panel was removed
)
files = Table(
    "store_files",
    metadata,
    _of_project(),
    Column("name", String(160), primary_key=True),  # Carries the SHA-256 of the content
    Column("saved_at", Moment, nullable=False),
    Column("who", Text, nullable=False),
    Column("size", Integer, nullable=False),  # Of `packed`
    Column("packed", Text, nullable=False),  # Base64 of the content, deflated
)
drafts = Table(
    "store_drafts",
    metadata,
    _of_project(),
    Column("who", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("saved_at", Moment, nullable=False),
    Column("text", Text, nullable=False),
)
roles = Table(
    "store_roles",
    metadata,
    _of_project(),
    Column("who", Text, primary_key=True),
    Column("role", String(8), nullable=False),
    Index("store_roles_by_person", "who"),
)
links = Table(
    "store_links",
    metadata,
    Column(
        "project", String(32), ForeignKey("store_projects.id", ondelete="CASCADE"), nullable=False
    ),
    Column("token", String(64), primary_key=True),  # SHA-256 of what is handed out
    Column("label", Text, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("made_by", Text, nullable=False),
    Column("revoked_at", Moment),
    Index("store_links_of_project", "project"),
)


REVISION = (
    *(column for column in revisions.c if column.name not in ("text", "name")),
    revisions.c.name.label("revision_name"),
)
"""Columns of a revision but its text."""
_MOST = 2**31 - 1
"""Largest number that a column holds."""


def with_head() -> Select[tuple[object, ...]]:
    """Return the query of projects, each with its last revision."""
    is_head = (revisions.c.project == projects.c.id) & (revisions.c.number == projects.c.head)
    return select(projects, *REVISION).join(revisions, is_head)


def new_id() -> str:
    """Return an id of 128 random bits."""
    # A command line takes what begins with a dash for an option.
    while (made := secrets.token_urlsafe(16)).startswith("-"):
        continue
    return made


def entry_of(row: Row[tuple[object, ...]]) -> ProjectEntry:
    """Return the entry of a row: the project, its head, the role."""
    return ProjectEntry(
        id=row.id,
        name=row.name,
        title=row.title,
        head=_revision(row),
        role=Role(row.role),
        created_at=row.created_at,
        created_by=row.created_by,
        archived_at=row.archived_at,
        origin=None if row.origin is None else (row.origin, row.origin_number),
    )


def _revision(row: Row[tuple[object, ...]]) -> SavedRevision:
    return SavedRevision(
        project=row.project,
        number=row.number,
        saved_at=row.saved_at,
        who=row.who,
        label=row.label,
        name=row.revision_name,
        sha256=row.sha256,
        size=row.size,
        facts=json.loads(row.facts),
    )


def revisions_of(connection: Connection, project: str) -> list[SavedRevision]:
    """Return the revisions of a project, the last first."""
    query = select(*REVISION).where(revisions.c.project == project)
    query = query.order_by(revisions.c.number.desc())
    return [_revision(row) for row in connection.execute(query)]


def revision_of(connection: Connection, project: str, number: int) -> SavedRevision:
    """Return one revision.

    Raises ``UNKNOWN_REVISION``.
    """
    query = select(*REVISION).where(_at(project, number))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise _unknown_revision(project, number)
    return _revision(row)


def text_of(connection: Connection, project: str, number: int) -> str:
    """Return the project file of a revision.

    Raises ``UNKNOWN_REVISION``.
    """
    query = select(revisions.c.text).where(_at(project, number))
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise _unknown_revision(project, number)
    return str(found)


def _at(project: str, number: int) -> ColumnElement[bool]:
    if not 0 < number <= _MOST:
        raise _unknown_revision(project, number)
    return (revisions.c.project == project) & (revisions.c.number == number)


def unknown_project(project: str) -> FacilityError:
    """Return the refusal of an id; the same where the project is there for others alone."""
    return FacilityError(
        "UNKNOWN_PROJECT",
        project[:40],
        "there is no project of this id that you may see.",
        "Look for it in the list of projects, the archived ones too.",
    )


def _unknown_revision(project: str, number: int) -> FacilityError:
    return FacilityError(
        "UNKNOWN_REVISION",
        project,
        f"there is no revision {number!s:.20}, or it was thinned out.",
        "Choose one from the list of its revisions.",
    )


def too_large(where: str, what: str, hint: str) -> FacilityError:
    """Return the refusal of more than the store keeps."""
    return FacilityError("STORE_TOO_LARGE", where, f"more than {what} are not kept.", hint)
