"""Who may do what with a project, held against every call."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import Connection, Row, Select, literal, select

from facility.core.errors import FacilityError
from facility.files.store.records import Role
from facility.files.store.rows import unknown_project
from facility.files.store.tables import links, projects, roles

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
