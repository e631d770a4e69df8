"""Check of a whole store: every row and checksum, references, and the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Column, Connection, Row, Select, Table, and_, func, select

from facility.core.errors import FacilityError
from facility.files.store.connection import Database, is_sqlite, reported
from facility.files.store.panels import content_in, draft_in, panel_in
from facility.files.store.record.expected import Expected
from facility.files.store.records import LINK_ID, Role
from facility.files.store.sharing import link_in, role_of
from facility.files.store.sums import values_of
from facility.files.store.tables import (
    drafts,
    files,
    links,
    metadata,
    panels,
    projects,
    record,
    revision_in,
    revisions,
    roles,
    settings,
    text_in,
)


@dataclass(frozen=True)
class StoreProblem:
    """Problem found by a check."""

    table: str  # Empty for what is of no table
    project: str
    row: str  # Key of the row in its project: revision number, panel name, person
    message: str


@dataclass
class StoreFindings:
    """Rows read and problems found by a store check."""

    where: str  # Path or address of the store
    counts: Counter[str] = field(default_factory=Counter)  # Rows that were read, by table
    problems: list[StoreProblem] = field(default_factory=list)

    @contextmanager
    def noted(self, table: str = "", project: str = "", row: str = "") -> Iterator[None]:
        """Convert an error raised within into a problem, and continue."""
        try:
            with reported(self.where):
                yield
        except FacilityError as error:
            self.add(error.message, table, project, row)

    def add(self, message: str, table: str = "", project: str = "", row: str = "") -> None:
        """Add a problem."""
        self.problems.append(StoreProblem(table, project, row, message))


def check_store(database: Database) -> StoreFindings:
    """Read a consistent snapshot of a whole store; return the rows read and all problems.

    Raises ``STORE_UNREACHABLE`` or ``STORE_LOCKED`` if it cannot be read.
    """
    found = StoreFindings(database.where)
    try:
        with database.reading(snapshot=True) as connection:
            for check in CHECKS:
                with found.noted(), connection.begin_nested():
                    check(connection, found)
            with found.noted(record.name):
                _record(database, connection, found)
    except FacilityError as error:  # SQLite may not finish reading a damaged file
        if error.code != "STORE_DAMAGED":
            raise
        found.add(error.message)
    return found


def _file(connection: Connection, found: StoreFindings) -> None:
    """Run the SQLite integrity check of pages and indexes."""
    if is_sqlite(connection.engine.url):
        for message in connection.exec_driver_sql("PRAGMA integrity_check").scalars():
            if message != "ok":
                found.add(f"SQLite: {message!s:.200}")


_READ: Mapping[Table, Callable[[Row[tuple[object, ...]]], object]] = {
    projects: lambda row: values_of(row, projects),
    revisions: lambda row: (revision_in(row), text_in(row)),
    panels: panel_in,
    files: content_in,
    drafts: draft_in,
    roles: role_of,
    links: link_in,
}
"""Row reader of each table; each raises ``STORE_DAMAGED``."""
_PROJECT = {projects.name: "id"}
_MAX_NAME = 40


def _rows(connection: Connection, found: StoreFindings) -> None:
    """Read each row separately, so that one damaged row does not hide the next."""
    for table, read in _READ.items():
        key = list(table.primary_key)
        with found.noted(table.name), connection.begin_nested():
            every = connection.execute(_naming(table).order_by(*key)).all()
            found.counts[table.name] = len(every)
            for row in every:
                at = and_(*(column == row._mapping[column] for column in key))
                with found.noted(table.name, *_named(table, row)), connection.begin_nested():
                    read(connection.execute(select(table).where(at)).one())


def _naming(table: Table, project: Column[object] | None = None) -> Select[tuple[object, ...]]:
    """Return the query for the project of each row, and the key columns of the row."""
    of = table.c[_PROJECT.get(table.name, "project")] if project is None else project
    others = (column for column in table.primary_key if column is not of)
    return select(table).with_only_columns(of, *others)


def _named(table: Table, row: Row[tuple[object, ...]]) -> tuple[str, str]:
    length = LINK_ID if table is links else _MAX_NAME
    project, *names = map(str, row)
    return project[:_MAX_NAME], " ".join(name[:length] for name in names)


def _heads(connection: Connection, found: StoreFindings) -> None:
    """Check that each project has its first revision, and its last one as head."""
    number = revisions.c.number
    query = select(projects.c.id, projects.c.head, func.min(number), func.max(number))
    query = query.outerjoin(revisions, revisions.c.project == projects.c.id)
    query = query.group_by(projects.c.id, projects.c.head).order_by(projects.c.id)
    for project, head, first, last in connection.execute(query):
        if last != head:
            message = f"its last revision is {last}, not {head} as in its row."
            found.add(message, projects.name, str(project), str(head))
        if first != 1:
            found.add("its first revision is missing.", projects.name, str(project), "1")


def _owners(connection: Connection, found: StoreFindings) -> None:
    """Check that each project has an owner."""
    owned = select(roles.c.project).where(roles.c.role == Role.OWNER.value)
    for row in connection.execute(_naming(projects).where(projects.c.id.not_in(owned))):
        found.add("the project has no owner.", roles.name, *_named(roles, row))


def _foreign_keys(connection: Connection, found: StoreFindings) -> None:
    """Find rows without a project."""
    for table in metadata.sorted_tables:
        for key in table.foreign_keys:
            is_there = select(key.column).where(key.column == key.parent).exists()
            query = _naming(table, key.parent).where(key.parent.is_not(None), ~is_there)
            for row in connection.execute(query):
                message = f"there is no such row of {key.column.table.name}."
                found.add(message, table.name, *_named(table, row))


def _id(connection: Connection, found: StoreFindings) -> None:
    """Check that the store has an id."""
    id = select(settings.c.value).where(settings.c.name == "id")
    if not connection.execute(id).scalar_one_or_none():
        found.add("the store has no id.", settings.name)


def _record(database: Database, connection: Connection, found: StoreFindings) -> None:
    """Verify the access record, and compare the store with it.

    This finds rows edited together with their checksums, or restored from an older copy.
    """
    expected = Expected()
    verification = database.record.walk(expected.take)
    if verification is None:
        return
    found.counts[record.name] = verification.count
    problem = verification.problem()
    if problem is not None:
        raise problem
    for one in expected.differences(connection):
        found.add(one.message, one.table, one.project, one.row)


CHECKS: tuple[Callable[[Connection, StoreFindings], None], ...] = (
    *(_file, _rows, _heads, _owners, _foreign_keys, _id),
)
"""Each check adds its problems; an error ends only the check that raised it."""
