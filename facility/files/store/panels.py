"""What stands beside the revisions of a project: panels that somebody brought, and drafts.

Panels have a name and revisions of their own. Drafts are each person's: what was entered and is no
part of the project, or not yet.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from facility.core.errors import FacilityError
from facility.files.panel_csv.document import MAX_BYTES
from facility.files.store.database import Database
from facility.files.store.records import Draft, Role, SavedPanel, words
from facility.files.store.rights import Rights
from facility.files.store.rows import too_large
from facility.files.store.tables import drafts, panels

MAX_PANELS = 200
MAX_REVISIONS = 200
MAX_DRAFT = 2 * 1024**2
"""Bytes of one draft, which may hold the text of a project."""


class Panels:
    """The own panels of the projects that one person may see.

    They are not part of the project's revisions: restoring a project leaves them as they are.
    """

    def __init__(self, store: Database, rights: Rights) -> None:
        self._store = store
        self._rights = rights

    def all(self, project: str) -> list[SavedPanel]:
        """Return the last state of every panel of a project, by name.

        Raises
        ------
        FacilityError
            ``UNKNOWN_PROJECT``.
        """
        with self._store.reading() as connection:
            self._rights.checked(connection, project, Role.READER)
            return [p for p in _heads(connection, project) if p.text is not None]

    def revisions(self, project: str, name: str) -> list[SavedPanel]:
        """Return the states of one panel that are kept, the last first.

        Raises
        ------
        FacilityError
            ``UNKNOWN_PROJECT``.
        """
        at = (panels.c.project == project) & (panels.c.name == words(name, "name"))
        query = select(panels).where(at).order_by(panels.c.number.desc())
        with self._store.reading() as connection:
            self._rights.checked(connection, project, Role.READER)
            return [SavedPanel(*row) for row in connection.execute(query)]

    def save(self, project: str, name: str, text: str | None, *, based_on: int) -> SavedPanel:
        """Save a panel, if nobody saved it since its revision `based_on` (0: there is none).

        Parameters
        ----------
        project, name : str
            Id of the project, and what the panel is called.
        text : str or None
            Panel CSV as it was typed, sound or not yet; None removes the panel.
        based_on : int
            Number of the revision that was changed.

        The last 200 revisions of each panel are kept.

        Raises
        ------
        FacilityError
            ``PANEL_CONFLICT``, ``STORE_TEXT``, ``STORE_TOO_LARGE``, ``STORE_FORBIDDEN``,
            ``UNKNOWN_PROJECT``.
        """
        _check(text)
        name = words(name, "name", needed=True)
        with self._store.writing() as connection:
            self._rights.checked(connection, project, Role.EDITOR, locked=True)
            heads = {panel.name: panel for panel in _heads(connection, project)}
            head = heads.get(name)
            if head is not None and head.text == text:
                return head
            number = 0 if head is None else head.number
            is_anew = head is not None and head.text is None and based_on == 0
            if head is not None and number != based_on and not is_anew:
                raise _conflict(head, based_on)
            if head is None and len(heads) >= MAX_PANELS:
                raise too_large(project, f"{MAX_PANELS} own panels", "Bring fewer.")
            saved = SavedPanel(project, name, number + 1, datetime.now(UTC), self._rights.who, text)
            connection.execute(insert(panels).values(vars(saved)))
            at = (panels.c.project == project) & (panels.c.name == name)
            connection.execute(delete(panels).where(at, panels.c.number <= number - MAX_REVISIONS))
            return saved


class Drafts:
    """What one person has entered in projects and is no part of them; nobody else sees it."""

    def __init__(self, store: Database, rights: Rights) -> None:
        self._store = store
        self._rights = rights

    def all(self, project: str) -> dict[Draft, str]:
        """Return the texts that this person keeps beside a project, by name.

        Raises
        ------
        FacilityError
            ``UNKNOWN_PROJECT``.
        """
        query = select(drafts.c.name, drafts.c.text).where(self._of(project))
        with self._store.reading() as connection:
            self._rights.checked(connection, project, Role.READER)
            found = connection.execute(query)
            return {} if self._rights.link else {Draft(row.name): row.text for row in found}

    def save(self, project: str, name: Draft, text: str) -> None:
        """Keep a text in place of what was kept under this name; an empty one is forgotten.

        Raises
        ------
        FacilityError
            ``STORE_FORBIDDEN`` for who came by a link, ``STORE_TEXT``, ``STORE_TOO_LARGE``,
            ``UNKNOWN_PROJECT``.
        """
        self._rights.refuse_guest()
        _check(text, MAX_DRAFT)
        values = {"project": project, "who": self._rights.who, "name": name, "text": text}
        with self._store.writing() as connection:
            self._rights.checked(connection, project, Role.READER, locked=True)
            connection.execute(delete(drafts).where(self._of(project), drafts.c.name == name))
            if text:
                connection.execute(insert(drafts).values(saved_at=datetime.now(UTC), **values))

    def _of(self, project: str) -> ColumnElement[bool]:
        return (drafts.c.project == project) & (drafts.c.who == self._rights.who)


def _heads(connection: Connection, project: str) -> list[SavedPanel]:
    last = (
        select(panels.c.name, func.max(panels.c.number).label("number"))
        .where(panels.c.project == project)
        .group_by(panels.c.name)
        .subquery()
    )
    same = (panels.c.name == last.c.name) & (panels.c.number == last.c.number)
    query = select(panels).join(last, same).where(panels.c.project == project)
    return [SavedPanel(*row) for row in connection.execute(query.order_by(panels.c.name))]


def _check(text: str | None, most: int = MAX_BYTES) -> None:
    if text is None:
        return
    if len(text.encode(errors="replace")) > most:
        raise too_large("panel", f"{most:,} bytes of a panel or draft", "Enter less.")
    try:
        sound = "\0" not in text.encode().decode()
    except UnicodeEncodeError:
        sound = False
    if not sound:
        raise FacilityError("STORE_TEXT", "panel", "this is no plain text.", "Give a panel CSV.")


def _conflict(head: SavedPanel, based_on: int) -> FacilityError:
    return FacilityError(
        "PANEL_CONFLICT",
        head.name,
        f"revision {head.number} of this panel was saved by {head.who}; this one is based on "
        f"revision {based_on}.",
        "Look at the other one; save yours under another name, or on top of it.",
        exit_code=6,
    )
