"""Present table definitions, and their rows as records; `migrations` upgrades a database."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

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
    update,
)
from sqlalchemy.exc import IntegrityError

from facility.core.errors import FacilityError
from facility.files.store.records import Facts, ProjectEntry, Role, SavedRevision
from facility.files.store.sums import (
    OWN_SUM,
    ROW_SUM,
    UNREADABLE,
    changed,
    columns_read,
    damaged_row,
    rows_of,
    text_sum,
    time_text,
    values_of,
)

VERSIONS = "store_version"


class Moment(TypeDecorator[datetime]):
    """UTC time as sortable text: ``2026-01-31T09:30:00.000000Z``."""

    impl = String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Write a time."""
        return None if value is None else time_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Read a time; `UNREADABLE` if invalid."""
        try:
            found = None if value is None else datetime.fromisoformat(value)
            is_written_so = found is None or time_text(found) == value
        except (TypeError, ValueError, OverflowError):
            return UNREADABLE
        return found if is_written_so else UNREADABLE


metadata = MetaData()


def _of_project() -> Column[str]:
    to = ForeignKey("store_projects.id", ondelete="CASCADE")
    return Column("project", String(32), to, primary_key=True, nullable=False)


def _sum(name: str = ROW_SUM) -> Column[str]:
    return Column(name, String(64))  # NULL for what is not known to be as it was saved


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
    _sum(),
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
    Column("sha256", String(64), nullable=False),  # Of the project as typed
    Column("size", Integer, nullable=False),
    Column("facts", Text, nullable=False),  # JSON
    Column("text", Text, nullable=False, info=OWN_SUM),
    _sum("text_sha256"),
    _sum(),
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
    _sum(),
)
files = Table(
    "store_files",
    metadata,
    _of_project(),
    Column("name", String(160), primary_key=True),  # Carries the SHA-256 of the content
    Column("saved_at", Moment, nullable=False),
    Column("who", Text, nullable=False),
    Column("size", Integer, nullable=False),  # Of `packed`
    Column("packed", Text, nullable=False, info=OWN_SUM),  # Base64 of the content, deflated
    _sum(),
)
drafts = Table(
    "store_drafts",
    metadata,
    _of_project(),
    Column("who", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("saved_at", Moment, nullable=False),
    Column("text", Text, nullable=False),
    _sum(),
)
roles = Table(
    "store_roles",
    metadata,
    _of_project(),
    Column("who", Text, primary_key=True),
    Column("role", String(8), nullable=False),
    _sum(),
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
    Column("expires_at", Moment),  # No link is without; the column was added later
    _sum(),
    Index("store_links_of_project", "project"),
)
settings = Table(
    "store_settings",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

record = Table(
    "store_record",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),  # 1, 2, 3 without gaps
    Column("at", Moment, nullable=False),
    Column("who", Text, nullable=False),
    Column("action", String(24), nullable=False),
    Column("project", String(32)),  # No foreign key: the record outlives the project
    Column("detail", Text, nullable=False),  # JSON
    Column("mac", String(64), nullable=False),  # See `record.chain`
)


_MAX_INTEGER = 2**31 - 1
"""Largest number that a column holds."""
_HEAD = "head_"


def labelled(table: Table, prefix: str) -> list[ColumnElement[object]]:
    """Return the columns for `values_of`, with labels that do not clash with another table."""
    return [column.label(prefix + column.name) for column in columns_read(table)]


def with_head() -> Select[tuple[object, ...]]:
    """Return the query of projects, each with its last revision."""
    is_head = (revisions.c.project == projects.c.id) & (revisions.c.number == projects.c.head)
    return select(projects, *labelled(revisions, _HEAD)).outerjoin(revisions, is_head)


def new_id() -> str:
    """Return an id of 128 random bits."""
    # A command line takes what begins with a dash for an option.
    while (made := secrets.token_urlsafe(16)).startswith("-"):
        continue
    return made


def entry_of(row: Row[tuple[object, ...]], role: Role) -> ProjectEntry:
    """Return project and head of a row.

    Raises ``STORE_DAMAGED``.
    """
    found = values_of(row, projects)
    if row._mapping[f"{_HEAD}number"] is None:
        raise damaged_row(projects, found, f"its last revision, {row.head}, is missing")
    return ProjectEntry(
        id=row.id,
        name=row.name,
        title=row.title,
        head=revision_in(row, _HEAD),
        role=role,
        created_at=row.created_at,
        created_by=row.created_by,
        archived_at=row.archived_at,
        origin=None if row.origin is None else (row.origin, row.origin_number),
    )


def revision_in(row: Row[tuple[object, ...]], prefix: str = "") -> SavedRevision:
    """Return the revision in a row, with or without its text.

    Raises ``STORE_DAMAGED``.
    """
    found = values_of(row, revisions, prefix)
    columns = {name: found[name] for name in SavedRevision.__dataclass_fields__}
    return SavedRevision(**{**columns, "facts": _facts(found)})  # type: ignore[arg-type]


def _facts(found: Mapping[str, object]) -> Facts:
    try:
        facts = json.loads(str(found["facts"]))
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or not all(map(_is_fact, facts.values())):
        raise damaged_row(revisions, found, "its facts cannot be read")
    return facts


def _is_fact(value: object) -> bool:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return math.isfinite(value)
    return isinstance(value, str)


def revisions_of(
    connection: Connection, project: str, limit: int | None = None
) -> list[SavedRevision]:
    """Return the revisions of a project, the last first; at most `limit`.

    Raises ``STORE_DAMAGED``, also if the last one is missing.
    """
    query = rows_of(revisions).where(revisions.c.project == project)
    query = query.order_by(revisions.c.number.desc()).limit(limit)
    found = [revision_in(row) for row in connection.execute(query)]
    head = _head(connection, project)
    if not found or found[0].number != head:
        raise _missing(connection, project, head)
    return found


def revision_of(connection: Connection, project: str, number: int) -> SavedRevision:
    """Return one revision.

    Raises ``UNKNOWN_REVISION``, ``STORE_DAMAGED``.
    """
    query = rows_of(revisions).where(_at(project, number))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise _missing(connection, project, number)
    return revision_in(row)


def text_of(connection: Connection, project: str, number: int) -> str:
    """Return the project file of a revision, verified by its checksum.

    Raises ``UNKNOWN_REVISION``, ``STORE_DAMAGED`` if it differs from what was saved.
    """
    row = connection.execute(select(revisions).where(_at(project, number))).one_or_none()
    if row is None:
        raise _missing(connection, project, number)
    return text_in(row)


def text_in(row: Row[tuple[object, ...]]) -> str:
    """Return the project file in a row of a revision.

    Raises ``STORE_DAMAGED``.
    """
    found = values_of(row, revisions)
    if not isinstance(row.text, str) or text_sum(row.text) != row.text_sha256:
        raise damaged_row(revisions, found, "the SHA-256 of its text differs")
    return row.text


def is_text_of(connection: Connection, revision: SavedRevision, sha256: object) -> bool:
    """Return whether the text with this SHA-256 equals that of a revision.

    Damage of a text does not prevent saving another one.

    Raises ``STORE_DAMAGED`` for a mismatch of the stored hash.
    """
    query = select(revisions.c.text_sha256).where(_at(revision.project, revision.number))
    if connection.execute(query).scalar_one() != sha256:
        return False
    text_of(connection, revision.project, revision.number)
    return True


def update_row(
    connection: Connection, table: Table, at: ColumnElement[bool], values: Mapping[str, object]
) -> None:
    """Update an existing row and its checksum.

    Raises ``STORE_DAMAGED`` if it differs from what was saved.
    """
    row = connection.execute(rows_of(table).where(at)).one()
    found = values_of(row, table)
    connection.execute(update(table).where(at).values(changed(table, found, values)))


def _at(project: str, number: int) -> ColumnElement[bool]:
    if not 0 < number <= _MAX_INTEGER:
        raise _unknown_revision(project, number)
    return (revisions.c.project == project) & (revisions.c.number == number)


def setting(connection: Connection, name: str) -> str | None:
    """Return a store-wide setting; None if not recorded."""
    query = select(settings.c.value).where(settings.c.name == name)
    return connection.execute(query).scalar_one_or_none()


def has_sign_in(connection: Connection) -> bool:
    """Return whether the record has a sign-in."""
    query = select(record.c.seq).where(record.c.action == "sign_in").limit(1)
    return connection.execute(query).first() is not None


def set_once(connection: Connection, name: str, value: str) -> None:
    """Record a store-wide setting, if not recorded yet."""
    with suppress(IntegrityError), connection.begin_nested():
        connection.execute(settings.insert().values(name=name, value=value))


def unknown_project(project: str) -> FacilityError:
    """Return the error of an unknown id, also used for projects invisible to the person."""
    return FacilityError(
        "UNKNOWN_PROJECT",
        project[:40],
        "no project with this id is visible to you.",
        "Check the list of projects, including archived ones.",
    )


def _head(connection: Connection, project: str) -> int:
    query = select(projects.c.head).where(projects.c.id == project)
    return int(connection.execute(query).scalar_one())


def _missing(connection: Connection, project: str, number: int) -> FacilityError:
    """Return the error of a missing revision; the last one of a project must exist."""
    if number != _head(connection, project):
        return _unknown_revision(project, number)
    reason = f"its last revision, {number}, is missing"
    return damaged_row(projects, {"id": project}, reason)


def _unknown_revision(project: str, number: int) -> FacilityError:
    return FacilityError(
        "UNKNOWN_REVISION",
        project,
        f"revision {number!s:.20} does not exist or was removed by thinning.",
        "Choose one from the list of revisions.",
    )


def too_large(where: str, what: str, hint: str) -> FacilityError:
    """Return the error of exceeding a store limit."""
    return FacilityError("STORE_TOO_LARGE", where, f"more than {what} are not stored.", hint)
