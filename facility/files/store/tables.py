"""The tables as they are now; `migrations` brings a database there, version by version."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

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


def _of_project(*, key: bool = True) -> Column[str]:
    to = ForeignKey("store_projects.id", ondelete="CASCADE")
    return Column("project", String(32), to, primary_key=key, nullable=False)


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
