"""Expected store content according to its record: heads, texts, roles, links and panels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from facility.files.store.record.chain import Action, RecordEntry
from facility.files.store.records import LINK_ID, Role
from facility.files.store.tables import links, panels, projects, revisions, roles


class StoreDifference(NamedTuple):
    """Difference between store and record."""

    table: str
    project: str
    row: str
    message: str


class Expected:
    """State resulting from the entries of a verified record.

    Rows named by an entry are compared. For a project with recorded creation all roles and links
    are compared, since every grant is recorded.
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._texts: dict[tuple[str, int], object] = {}
        self._heads: dict[str, int] = {}
        self._created: set[str] = set()
        self._deleted: set[str] = set()
        self._roles: dict[tuple[str, str], str] = {}
        self._links: dict[tuple[str, str], bool] = {}  # Whether it may open its project
        self._panels: dict[tuple[str, str], int] = {}

    def take(self, entry: RecordEntry) -> None:
        """Apply one entry."""
        if entry.action == Action.BEGUN:  # What the store held then was accepted
            self._clear()
        if entry.project is None:
            return
        project, detail = entry.project, entry.details
        match entry.action:
            case Action.CREATED | Action.SAVED if isinstance(detail.get("revision"), int):
                number = int(str(detail["revision"]))
                self._heads[project] = number
                self._texts[project, number] = detail.get("text_sha256")
                if entry.action == Action.CREATED:
                    self._created.add(project)
                    self._roles[project, entry.who] = Role.OWNER.value
            case Action.SAVED if "panel" in detail:
                self._panels[project, str(detail["panel"])] = int(str(detail["number"]))
            case Action.DELETED:
                self._deleted.add(project)
            case Action.SHARED:
                self._roles[project, str(detail["to"])] = str(detail["role"])
            case Action.LINK_MADE | Action.LINK_RENEWED:
                self._links[project, str(detail["link"])] = True
            case Action.LINK_REVOKED:
                self._links[project, str(detail["link"])] = False

    def differences(self, connection: Connection) -> Iterator[StoreDifference]:
        """Yield the differences of the store."""
        rows = connection.execute(select(projects.c.id, projects.c.head))
        heads = {str(row.id): row.head for row in rows}
        yield from self._of_projects(heads)
        yield from self._of_texts(connection)
        yield from self._of_roles(connection, set(heads))
        yield from self._of_links(connection, set(heads))
        yield from self._of_panels(connection, set(heads))

    def _of_projects(self, heads: dict[str, int]) -> Iterator[StoreDifference]:
        for project in self._deleted & set(heads):
            yield StoreDifference(
                projects.name, project, "", "according to the access record it was deleted."
            )
        for project, number in self._heads.items():
            if project in self._deleted:
                continue
            if project not in heads:
                message = "it is missing, but the access record has no deletion."
                yield StoreDifference(projects.name, project, "", message)
            elif heads[project] != number:
                message = f"its last revision is {heads[project]}; the access record has {number}."
                yield StoreDifference(projects.name, project, str(number), message)

    def _of_texts(self, connection: Connection) -> Iterator[StoreDifference]:
        columns = revisions.c.project, revisions.c.number, revisions.c.text_sha256
        for project, number, text_sha256 in connection.execute(select(*columns)):
            if self._texts.get((project, number), text_sha256) != text_sha256:
                message = "its text differs from the saved text in the access record."
                yield StoreDifference(revisions.name, project, str(number), message)

    def _of_roles(self, connection: Connection, there: set[str]) -> Iterator[StoreDifference]:
        found = {
            (str(project), str(who)): str(role)
            for project, who, role in connection.execute(
                select(roles.c.project, roles.c.who, roles.c.role)
            )
        }
        named = {at for at in found if at[0] in self._created} | set(self._roles)
        for at in sorted(named):
            given = self._roles.get(at, "none")
            if at[0] in there and found.get(at, "none") != given:
                message = f"the role is {found.get(at, 'none')}; the access record has {given}."
                yield StoreDifference(roles.name, *at, message)

    def _of_links(self, connection: Connection, there: set[str]) -> Iterator[StoreDifference]:
        query = select(links.c.project, links.c.token, links.c.revoked_at.is_(None))
        for project, token, is_open in connection.execute(query):
            at = str(project), str(token)[:LINK_ID]
            may_open = self._links.get(at, project not in self._created)
            if is_open and not may_open:
                message = "the link is open; the access record has it revoked, or never created."
                yield StoreDifference(links.name, *at, message)

    def _of_panels(self, connection: Connection, there: set[str]) -> Iterator[StoreDifference]:
        last = func.max(panels.c.number)
        query = select(panels.c.project, panels.c.name, last).group_by(
            panels.c.project, panels.c.name
        )
        found = {(str(p), str(name)): number for p, name, number in connection.execute(query)}
        for at, number in self._panels.items():
            if at[0] in there and found.get(at) != number:
                message = f"its last revision is {found.get(at)}; the access record has {number}."
                yield StoreDifference(panels.name, *at, message)
