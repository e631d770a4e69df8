"""What is kept beside the revisions of a project: files, drafts, and panels of version 0.5.

Files are those that revisions name; each name is of one content. Drafts are each person's: what was
entered and is no part of the project, or not yet. Panels are read only: since 0.6 a panel is part
of its project.
"""

from __future__ import annotations

import base64
import zlib
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select

from facility.core.errors import FacilityError
from facility.files.project.companions import is_of, not_given
from facility.files.store.record.chain import Action
from facility.files.store.records import Draft, Role, SavedPanel
from facility.files.store.sharing import StorePart
from facility.files.store.sums import ROW_SUM, damaged_row, rows_of, summed, values_of
from facility.files.store.tables import drafts, files, panels, revisions, too_large

MAX_FILE = 7 * 2**20
"""Bytes of one file, packed: a line of a backup holds it."""
MAX_FILES_BYTES = 64 * 2**20
MAX_DRAFT = 2 * 1024**2
"""Bytes of one draft, which may hold the text of a project."""


class Panels(StorePart):
    """The panels that version 0.5 kept beside the projects that one person may see."""

    def all(self, project: str) -> list[SavedPanel]:
        """Return the last state of every panel of a project, by name.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            found = [p for p in _heads(connection, project) if p.text is not None]
        if found:
            self._note_read(project, panels=[f"{p.name} {p.number}" for p in found])
        return found


class Files(StorePart):
    """The files that the revisions of projects name, as far as one person may see them."""

    def names(self, project: str) -> list[str]:
        """Return the names of the files that are kept with a project.

        Raises ``UNKNOWN_PROJECT``.
        """
        query = rows_of(files).where(files.c.project == project).order_by(files.c.name)
        with self._reading(project) as connection:
            return [str(values_of(row, files)["name"]) for row in connection.execute(query)]

    def content(self, project: str, name: str) -> bytes:
        """Return a file of a project.

        Raises ``FILE_NOT_GIVEN`` where it has none of this name, ``STORE_DAMAGED`` where it holds
        another content, ``UNKNOWN_PROJECT``.
        """
        at = (files.c.project == project) & (files.c.name == name)
        with self._reading(project) as connection:
            row = connection.execute(select(files).where(at)).one_or_none()
        if row is None:
            raise not_given(project, name)
        found = content_in(row)
        self._note_read(project, file=name)
        return found

    def save(self, project: str, name: str, content: bytes) -> None:
        """Keep a file with a project by the name that carries its content.

        Raises ``STORE_FORBIDDEN``, ``STORE_TEXT`` for another name, ``STORE_TOO_LARGE``,
        ``UNKNOWN_PROJECT``.
        """
        if not is_of(name, content):
            raise FacilityError("STORE_TEXT", name[:80], "this name is not of this content.")
        packed = base64.b64encode(zlib.compress(content)).decode()
        if len(packed) > MAX_FILE:
            raise too_large(name, f"{MAX_FILE:,} bytes of a file, packed", "Give less of it.")
        values = {"project": project, "name": name, "who": self._rights.who, "size": len(packed)}
        with self._writing(project) as connection:
            if name in self._sizes(connection, project):
                return
            self._make_room(connection, project, len(packed))
            row = summed(files, {"saved_at": datetime.now(UTC), **values})
            connection.execute(insert(files).values(packed=packed, **row))
            self._note(connection, Action.SAVED, project, file=name)

    def _make_room(self, connection: Connection, project: str, size: int) -> None:
        """Forget files that no revision names any more, where there are too many."""
        sizes = self._sizes(connection, project)
        if sum(sizes.values()) + size <= MAX_FILES_BYTES:
            return
        for name in list(sizes):
            names_it = (revisions.c.project == project) & revisions.c.text.contains(name)
            if connection.execute(select(revisions.c.number).where(names_it).limit(1)).first():
                continue
            connection.execute(
                delete(files).where(files.c.project == project, files.c.name == name)
            )
            del sizes[name]
        if sum(sizes.values()) + size > MAX_FILES_BYTES:
            what = f"{MAX_FILES_BYTES / 2**20:.0f} MiB of files, packed, in all revisions"
            raise too_large(project, what, "Branch, and go on in the new project.")

    @staticmethod
    def _sizes(connection: Connection, project: str) -> dict[str, int]:
        query = select(files.c.name, files.c.size).where(files.c.project == project)
        return {row.name: row.size for row in connection.execute(query)}


class Drafts(StorePart):
    """What one person has entered in projects and is no part of them; nobody else sees it."""

    def all(self, project: str) -> dict[Draft, str]:
        """Return the texts that this person keeps beside a project, by name.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            found = connection.execute(select(drafts).where(self._of(project)))
            return {} if self._rights.link else dict(map(draft_in, found))

    def save(self, project: str, name: Draft, text: str) -> None:
        """Keep a text in place of what was kept under this name; an empty one is forgotten.

        Raises ``STORE_FORBIDDEN`` for who came by a link, ``STORE_TEXT``, ``STORE_TOO_LARGE``,
        ``UNKNOWN_PROJECT``.
        """
        with self._refusals_recorded(project):
            self._rights.refuse_guest()
        if len(text.encode(errors="replace")) > MAX_DRAFT:
            raise too_large("draft", f"{MAX_DRAFT:,} bytes of a draft", "Enter less.")
        try:
            sound = "\0" not in text.encode().decode()
        except UnicodeEncodeError:
            sound = False
        if not sound:
            raise FacilityError("STORE_TEXT", "draft", "it is not plain text.", "Enter plain text.")
        values = {"project": project, "who": self._rights.who, "name": name, "text": text}
        with self._writing(project, Role.READER) as connection:
            connection.execute(delete(drafts).where(self._of(project), drafts.c.name == name))
            if text:
                row = summed(drafts, {"saved_at": datetime.now(UTC), **values})
                connection.execute(insert(drafts).values(row))

    def _of(self, project: str) -> ColumnElement[bool]:
        return (drafts.c.project == project) & (drafts.c.who == self._rights.who)


def content_in(row: Row[tuple[object, ...]]) -> bytes:
    """Return the content of the file that a row holds.

    Raises ``STORE_DAMAGED`` where it is not what was saved.
    """
    found = values_of(row, files)
    try:
        content = zlib.decompress(base64.b64decode(row.packed, validate=True))
    except (zlib.error, ValueError, TypeError):
        content = b""
    if not is_of(row.name, content):
        raise damaged_row(files, found, "its content is not that of its name")
    return content


def draft_in(row: Row[tuple[object, ...]]) -> tuple[Draft, str]:
    """Return the draft that a row holds: its name and text.

    Raises ``STORE_DAMAGED`` where it is not what was saved.
    """
    found = values_of(row, drafts)
    if row.name not in list(Draft):
        raise damaged_row(drafts, found, "it is none that the app keeps")
    return Draft(row.name), str(row.text)


def _heads(connection: Connection, project: str) -> list[SavedPanel]:
    last = (
        select(panels.c.name, func.max(panels.c.number).label("number"))
        .where(panels.c.project == project)
        .group_by(panels.c.name)
        .subquery()
    )
    same = (panels.c.name == last.c.name) & (panels.c.number == last.c.number)
    query = select(panels).join(last, same).where(panels.c.project == project)
    return [panel_in(row) for row in connection.execute(query.order_by(panels.c.name))]


def panel_in(row: Row[tuple[object, ...]]) -> SavedPanel:
    """Return the panel that a row holds.

    Raises ``STORE_DAMAGED`` where it is not what was saved.
    """
    found = values_of(row, panels)
    del found[ROW_SUM]
    return SavedPanel(**found)  # type: ignore[arg-type]
