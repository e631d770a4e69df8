"""What a person may do with a project: roles, and whoever has a link."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, Row, Select, delete, func, insert, literal, select, update

from facility.core.errors import FacilityError
from facility.files.store.connection import Database
from facility.files.store.records import ReadingLink, Role, words
from facility.files.store.tables import links, projects, roles, too_large, unknown_project

_ID = re.compile(r"[\w-]{1,32}", re.ASCII)


@dataclass(frozen=True)
class Rights:
    """What one person may do."""

    who: str
    unrestricted: bool = False
    link: str = ""  # SHA-256 of the token of a link, which is then all that counts

    def narrowed(self, query: Select[tuple[object, ...]]) -> Select[tuple[object, ...]]:
        """Return a query of projects narrowed to those that may be read, with the role."""
        if self.link:
            opens = (links.c.project == projects.c.id) & (links.c.token == self.link)
            reader = query.add_columns(literal(Role.READER.value).label("role"))
            return reader.join(links, opens & links.c.revoked_at.is_(None))
        if self.unrestricted:
            return query.add_columns(literal(Role.OWNER.value).label("role"))
        mine = (roles.c.project == projects.c.id) & (roles.c.who == self.who)
        return query.add_columns(roles.c.role).join(roles, mine)

    def refuse_guest(self) -> None:
        """Refuse who came by a link to make projects.

        Raises ``STORE_FORBIDDEN``.
        """
        if self.link:
            raise FacilityError(
                "STORE_FORBIDDEN",
                "",
                "with a link a project can only be read.",
                "Open the library itself, or export the project and import it elsewhere.",
            )

    def checked(
        self, connection: Connection, project: str, needed: Role, *, locked: bool = False
    ) -> Row[tuple[object, ...]]:
        """Return the row of a project with which this person may do what `needed` may.

        `locked` has the next writer of the project wait for the end of this transaction.

        Raises ``UNKNOWN_PROJECT`` where it may not even be read, else ``STORE_FORBIDDEN``.
        """
        if not _ID.fullmatch(project):
            raise unknown_project(project)
        query = self.narrowed(select(projects).where(projects.c.id == project))
        if locked:
            query = query.with_for_update(of=projects)
        row = connection.execute(query).one_or_none()
        if row is None:
            raise unknown_project(project)
        role = Role(row.role)
        if not role.allows(needed):
            raise FacilityError(
                "STORE_FORBIDDEN",
                project,
                f"as {role.value} of this project you may not do this; it takes an {needed.value}.",
                "Ask an owner for the role, or branch into a project of your own.",
            )
        return row


class StorePart:
    """What is kept of projects in a store, as far as one person may see and change it."""

    def __init__(self, store: Database, rights: Rights) -> None:
        self._store = store
        self._rights = rights

    @contextmanager
    def _reading(self, project: str, needed: Role = Role.READER) -> Iterator[Connection]:
        """Give a connection that reads, to who may do with the project what `needed` may."""
        with self._store.reading() as connection:
            self._rights.checked(connection, project, needed)
            yield connection

    @contextmanager
    def _writing(self, project: str, needed: Role = Role.EDITOR) -> Iterator[Connection]:
        """Give a connection that writes; the next writer of the project waits for its end."""
        with self._store.writing() as connection:
            self._rights.checked(connection, project, needed, locked=True)
            yield connection


MAX_PEOPLE = 500
MAX_LINKS = 100
_SHOWN = 12


class Sharing(StorePart):
    """Who may do what with the projects that one person may see."""

    def roles(self, project: str) -> dict[str, Role]:
        """Return who has a role in a project, by name.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            return _roles(connection, project)

    def give(self, project: str, who: str, role: Role | None) -> None:
        """Give somebody a role in a project, or take it away with None.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``LAST_OWNER`` where nobody would own
        the project any more, ``STORE_TEXT``, ``STORE_TOO_LARGE``, ``UNKNOWN_PROJECT``.
        """
        who = words(who, "who", needed=True)
        with self._writing(project, Role.OWNER) as connection:
            found = _roles(connection, project)
            given = {**found, who: role}
            if Role.OWNER in found.values() and Role.OWNER not in given.values():
                raise FacilityError(
                    "LAST_OWNER", project, f"{who} is its only owner.", "Name another one first."
                )
            if len(given) > MAX_PEOPLE:
                raise too_large(project, f"{MAX_PEOPLE} people of a project", "Share a link.")
            at = (roles.c.project == project) & (roles.c.who == who)
            connection.execute(delete(roles).where(at))
            if role is not None:
                values = {"project": project, "who": who, "role": Role(role).value}
                connection.execute(insert(roles).values(values))


def _roles(connection: Connection, project: str) -> dict[str, Role]:
    query = select(roles.c.who, roles.c.role).where(roles.c.project == project)
    return {row.who: Role(row.role) for row in connection.execute(query.order_by(roles.c.who))}


class Links(StorePart):
    """The read-only links of the projects that one person may see."""

    def make(self, project: str, label: str = "") -> str:
        """Return a new token with which the project can be read; it is told this once.

        The store keeps its SHA-256 alone: neither a backup nor a look into the database opens a
        project.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``STORE_TOO_LARGE``, ``STORE_TEXT``,
        ``UNKNOWN_PROJECT``.
        """
        token = secrets.token_urlsafe(24)
        values = {"project": project, "token": sum_of(token), "label": words(label, "label")}
        with self._writing(project, Role.OWNER) as connection:
            of_project = (links.c.project == project) & links.c.revoked_at.is_(None)
            count = select(func.count()).select_from(links).where(of_project)
            if connection.execute(count).scalar_one() >= MAX_LINKS:
                raise too_large(project, f"{MAX_LINKS} links of a project", "Revoke some.")
            made = {"made_at": datetime.now(UTC), "made_by": self._rights.who}
            connection.execute(insert(links).values(**values, **made))
        return token

    def all(self, project: str) -> list[ReadingLink]:
        """Return the links of a project that are not revoked, the newest first.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``UNKNOWN_PROJECT``.
        """
        with self._reading(project, Role.OWNER) as connection:
            return _links(connection, project)

    def revoke(self, project: str, link: str) -> None:
        """Have a link open nothing any more.

        Raises ``UNKNOWN_LINK``, ``STORE_FORBIDDEN`` for other than an owner, ``UNKNOWN_PROJECT``.
        """
        with self._writing(project, Role.OWNER) as connection:
            if link not in [one.id for one in _links(connection, project)]:
                raise FacilityError(
                    "UNKNOWN_LINK",
                    project,
                    f"it has no link {link[:_SHOWN]!r}, or it was revoked.",
                    "Choose one that is listed.",
                )
            at = (links.c.project == project) & links.c.token.startswith(link)
            connection.execute(update(links).where(at).values(revoked_at=datetime.now(UTC)))


def sum_of(token: str) -> str:
    """Return what the store keeps of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def project_of(connection: Connection, token: str) -> str | None:
    """Return the project that a token opens; None where it opens none."""
    at = (links.c.token == sum_of(token)) & links.c.revoked_at.is_(None)
    found = connection.execute(select(links.c.project).where(at)).scalar_one_or_none()
    return None if found is None else str(found)


def _links(connection: Connection, project: str) -> list[ReadingLink]:
    of_project = (links.c.project == project) & links.c.revoked_at.is_(None)
    query = select(links.c.token, links.c.label, links.c.made_at, links.c.made_by)
    rows = connection.execute(query.where(of_project).order_by(links.c.made_at.desc()))
    return [ReadingLink(row.token[:_SHOWN], row.label, row.made_at, row.made_by) for row in rows]
