"""Access rights to projects: roles and links."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select

from facility.core.errors import FacilityError
from facility.files.store.connection import Database
from facility.files.store.record.chain import Action
from facility.files.store.record.readers import ProjectReader, readers_of
from facility.files.store.records import LINK_ID, ReadingLink, Role, words
from facility.files.store.sums import damaged_row, summed, values_of
from facility.files.store.tables import (
    labelled,
    links,
    projects,
    roles,
    too_large,
    unknown_project,
    update_row,
)

_ID = re.compile(r"[\w-]{1,32}", re.ASCII)
_BY = "by_"
_REFUSALS = ("UNKNOWN_PROJECT", "STORE_FORBIDDEN")


@dataclass(frozen=True)
class Rights:
    """Access rights of one person."""

    who: str
    unrestricted: bool = False
    link: str = ""  # SHA-256 of a link token, which then overrides roles

    def narrowed(self, query: Select[tuple[object, ...]]) -> Select[tuple[object, ...]]:
        """Return a query limited to readable projects; see `role_in`."""
        if self.link:
            opens = (links.c.project == projects.c.id) & (links.c.token == self.link)
            query = query.add_columns(*labelled(links, _BY))
            return query.join(links, opens & _is_open())
        if self.unrestricted:
            return query
        mine = (roles.c.project == projects.c.id) & (roles.c.who == self.who)
        return query.add_columns(*labelled(roles, _BY)).join(roles, mine)

    def role_in(self, row: Row[tuple[object, ...]]) -> Role:
        """Return the role in a project of `narrowed`.

        Raises ``STORE_DAMAGED`` if its row differs from what was saved.
        """
        if self.link:
            link_in(row, _BY)
            return Role.READER
        return Role.OWNER if self.unrestricted else role_of(row, _BY)

    @property
    def by_link(self) -> dict[str, object]:
        """Record detail of a visitor by link."""
        return {"link": self.link[:LINK_ID]} if self.link else {}

    def refuse_guest(self) -> None:
        """Refuse project creation to visitors by link.

        Raises ``STORE_FORBIDDEN``.
        """
        if self.link:
            raise FacilityError(
                "STORE_FORBIDDEN",
                "",
                "a link gives read access only.",
                "Open the library itself, or export the project and import it elsewhere.",
            )

    def checked(
        self, connection: Connection, project: str, needed: Role, *, locked: bool = False
    ) -> Row[tuple[object, ...]]:
        """Return the row of a project in which this person has at least the role `needed`.

        With `locked` the next writer of the project waits for the end of this transaction.

        Raises ``UNKNOWN_PROJECT`` if not readable, otherwise ``STORE_FORBIDDEN``;
        ``STORE_DAMAGED``.
        """
        if not _ID.fullmatch(project):
            raise unknown_project(project)
        query = self.narrowed(select(projects).where(projects.c.id == project))
        if locked:
            query = query.with_for_update(of=projects)
        row = connection.execute(query).one_or_none()
        if row is None:
            raise unknown_project(project)
        values_of(row, projects)
        role = self.role_in(row)
        if not role.allows(needed):
            raise FacilityError(
                "STORE_FORBIDDEN",
                project,
                f"the role {role.value} does not permit this; the role {needed.value} is required.",
                "Ask an owner for the role, or branch into your own project.",
            )
        return row


class StorePart:
    """Part of the store with the rights of one person."""

    def __init__(self, store: Database, rights: Rights) -> None:
        self._store = store
        self._rights = rights

    def _note(self, connection: Connection, action: Action, project: str, **detail: object) -> None:
        """Record a change in its transaction, as its last step."""
        detail |= self._rights.by_link
        self._store.record.append(connection, action, self._rights.who, project, detail)

    def _note_read(self, project: str, **detail: object) -> None:
        """Record a read before its content is returned; if that fails, the read fails.

        Exception: an unrestricted person still reads from a store that is read-only.
        """
        detail |= self._rights.by_link
        try:
            self._store.record.add_once(Action.READ, self._rights.who, project, detail)
        except FacilityError as error:
            if error.code != "STORE_READ_ONLY" or not self._rights.unrestricted:
                raise
            self._store.record.unrecorded += 1

    @contextmanager
    def _refusals_recorded(self, project: str) -> Iterator[None]:
        """Record a refused access to a project, after its transaction has ended."""
        try:
            yield
        except FacilityError as error:
            if error.code in _REFUSALS:
                at = project if _ID.fullmatch(project) else None
                detail = {"code": error.code, **self._rights.by_link}
                self._store.record.refuse(Action.REFUSED, self._rights.who, at, detail)
            raise

    @contextmanager
    def _reading(self, project: str, needed: Role = Role.READER) -> Iterator[Connection]:
        """Yield a read connection, if the person has at least the role `needed`."""
        with self._refusals_recorded(project), self._store.reading() as connection:
            self._rights.checked(connection, project, needed)
            yield connection

    @contextmanager
    def _writing(self, project: str, needed: Role = Role.EDITOR) -> Iterator[Connection]:
        """Yield a write connection; the next writer of the project waits for its end."""
        with self._refusals_recorded(project), self._store.writing() as connection:
            self._rights.checked(connection, project, needed, locked=True)
            yield connection


MAX_PEOPLE = 500
MAX_LINKS = 100
MAX_DAYS = 366
DAYS = 30
"""Default validity of a link."""


class Sharing(StorePart):
    """Roles in the projects visible to one person."""

    def roles(self, project: str) -> dict[str, Role]:
        """Return the roles in a project, by person.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            return _roles(connection, project)

    def give(self, project: str, who: str, role: Role | None) -> None:
        """Assign a role in a project, or remove it with None.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``LAST_OWNER`` if the project would have
        no owner, ``STORE_TEXT``, ``STORE_TOO_LARGE``, ``UNKNOWN_PROJECT``.
        """
        who = words(who, "who", needed=True)
        with self._writing(project, Role.OWNER) as connection:
            found = _roles(connection, project)
            given = {**found, who: role}
            if Role.OWNER in found.values() and Role.OWNER not in given.values():
                raise FacilityError(
                    "LAST_OWNER", project, f"{who} is its only owner.", "Name another owner first."
                )
            if len(given) > MAX_PEOPLE:
                raise too_large(
                    project, f"{MAX_PEOPLE} people per project", "Share a link instead."
                )
            at = (roles.c.project == project) & (roles.c.who == who)
            connection.execute(delete(roles).where(at))
            if role is not None:
                values = {"project": project, "who": who, "role": Role(role).value}
                connection.execute(insert(roles).values(summed(roles, values)))
            given_role = "none" if role is None else Role(role).value
            self._note(connection, Action.SHARED, project, to=who, role=given_role)

    def readers(self, project: str) -> list[ProjectReader]:
        """Return the readers of a project from the record, latest first.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``UNKNOWN_PROJECT``; as
        `AccessRecord.verified`.
        """
        with self._reading(project, Role.OWNER):
            pass
        return readers_of(self._store.record.verified(project).entries)


def _roles(connection: Connection, project: str) -> dict[str, Role]:
    query = select(roles).where(roles.c.project == project).order_by(roles.c.who)
    return {row.who: role_of(row) for row in connection.execute(query)}


def role_of(row: Row[tuple[object, ...]], prefix: str = "") -> Role:
    """Return the role in a row.

    Raises ``STORE_DAMAGED`` if it differs from what was saved, or is not a role.
    """
    found = values_of(row, roles, prefix)
    if found["role"] not in list(Role):
        raise damaged_row(roles, found, "the role is unknown")
    return Role(str(found["role"]))


class Links(StorePart):
    """Read-only links of the projects visible to one person."""

    def make(self, project: str, label: str = "", days: int = DAYS) -> str:
        """Return a new read-only token of the project, which is returned only once.

        The store contains only its SHA-256: neither a backup nor database access reveals it.

        days: Validity from now.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``STORE_TOO_LARGE``, ``STORE_TEXT``,
        ``OUT_OF_RANGE``, ``UNKNOWN_PROJECT``.
        """
        token = secrets.token_urlsafe(24)
        made = {"made_at": datetime.now(UTC), "made_by": self._rights.who}
        row = {"project": project, "token": sum_of(token), "expires_at": _end(days), **made}
        row["label"] = words(label, "label")
        with self._writing(project, Role.OWNER) as connection:
            of_project = (links.c.project == project) & links.c.revoked_at.is_(None)
            count = select(func.count()).select_from(links).where(of_project)
            if connection.execute(count).scalar_one() >= MAX_LINKS:
                raise too_large(project, f"{MAX_LINKS} links per project", "Revoke some.")
            connection.execute(insert(links).values(summed(links, row)))
            detail = {"link": sum_of(token)[:LINK_ID], "label": row["label"], "days": days}
            self._note(connection, Action.LINK_MADE, project, **detail)
        return token

    def all(self, project: str) -> list[ReadingLink]:
        """Return the links of a project that are not revoked, the newest first.

        Expired links are included; they open nothing until renewed.

        Raises ``STORE_FORBIDDEN`` for other than an owner, ``UNKNOWN_PROJECT``.
        """
        with self._reading(project, Role.OWNER) as connection:
            return _links(connection, project)

    def renew(self, project: str, link: str, days: int = DAYS) -> None:
        """Renew a link for a number of days from now, expired or not.

        Raises ``OUT_OF_RANGE``, ``UNKNOWN_LINK``, ``STORE_FORBIDDEN`` for other than an owner,
        ``UNKNOWN_PROJECT``.
        """
        values = {"expires_at": _end(days)}
        self._change(project, link, values, Action.LINK_RENEWED, days=days)

    def revoke(self, project: str, link: str) -> None:
        """Revoke a link.

        Raises ``UNKNOWN_LINK``, ``STORE_FORBIDDEN`` for other than an owner, ``UNKNOWN_PROJECT``.
        """
        self._change(project, link, {"revoked_at": datetime.now(UTC)}, Action.LINK_REVOKED)

    def _change(
        self, project: str, link: str, values: dict[str, datetime], action: Action, **detail: int
    ) -> None:
        with self._writing(project, Role.OWNER) as connection:
            if link not in [one.id for one in _links(connection, project)]:
                raise FacilityError(
                    "UNKNOWN_LINK",
                    project,
                    f"the project has no link {link[:LINK_ID]!r}, or it was revoked.",
                    "Choose a listed link.",
                )
            at = (links.c.project == project) & links.c.token.startswith(link)
            update_row(connection, links, at, values)
            self._note(connection, action, project, link=link, **detail)


def _end(days: int) -> datetime:
    if not 1 <= days <= MAX_DAYS:
        message = f"{days!s:.20} days; a link lasts 1 to {MAX_DAYS} days."
        raise FacilityError("OUT_OF_RANGE", "days", message, f"Enter 1 to {MAX_DAYS}.")
    return datetime.now(UTC) + timedelta(days=days)


def sum_of(token: str) -> str:
    """Return the stored hash of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def project_of(connection: Connection, token: str) -> str | None:
    """Return the project of a token; None if it opens none.

    Raises ``STORE_DAMAGED`` if the row of the link differs from what was saved.
    """
    query = select(links, _is_open().label("is_open")).where(links.c.token == sum_of(token))
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    link_in(row)
    return str(row.project) if row.is_open else None


def _is_open() -> ColumnElement[bool]:
    """Return whether a link opens its project now."""
    return links.c.revoked_at.is_(None) & (links.c.expires_at > datetime.now(UTC))


def revoked_of(connection: Connection, token: str) -> str | None:
    """Return the project of a revoked link; None for an unknown link."""
    query = select(links.c.project).where(links.c.token == sum_of(token))
    found = connection.execute(query).scalar_one_or_none()
    return None if found is None else str(found)


def _links(connection: Connection, project: str) -> list[ReadingLink]:
    of_project = (links.c.project == project) & links.c.revoked_at.is_(None)
    query = select(links).where(of_project).order_by(links.c.made_at.desc())
    return [link_in(row) for row in connection.execute(query)]


def link_in(row: Row[tuple[object, ...]], prefix: str = "") -> ReadingLink:
    """Return the link in a row.

    Raises ``STORE_DAMAGED`` if it differs from what was saved, or has no expiry.
    """
    found = values_of(row, links, prefix)
    if found["expires_at"] is None:
        raise damaged_row(links, found, "it has no expiry date")
    named = {name: found[name] for name in ("label", "made_at", "made_by", "expires_at")}
    return ReadingLink(str(found["token"])[:LINK_ID], **named)  # type: ignore[arg-type]
