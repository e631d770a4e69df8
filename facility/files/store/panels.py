"""Project data outside revisions: files, drafts, and panels of version 0.5.

Files are named by revisions; each name has one content. Drafts are personal entries that are not,
or not yet, part of the project. Panels are read-only: since 0.6 a panel is part of its project.
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
"""Maximum bytes of one compressed file, limited by the backup line length."""
MAX_FILES_BYTES = 64 * 2**20
MAX_DRAFT = 2 * 1024**2
"""Maximum bytes of one draft, which may contain a project text."""


class Panels(StorePart):
    """Separate panels of version 0.5 in projects visible to one person."""

    def all(self, project: str) -> list[SavedPanel]:
        """Return the latest state of every panel of a project, by name.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            found = [p for p in _heads(connection, project) if p.text is not None]
        if found:
            self._note_read(project, panels=[f"{p.name} {p.number}" for p in found])
        return found


class Files(StorePart):
    """Files named by project revisions, visible to one person."""

    def names(self, project: str) -> list[str]:
        """Return the names of the files stored with a project.

        Raises ``UNKNOWN_PROJECT``.
        """
        query = rows_of(files).where(files.c.project == project).order_by(files.c.name)
        with self._reading(project) as connection:
            return [str(values_of(row, files)["name"]) for row in connection.execute(query)]

    def content(self, project: str, name: str) -> bytes:
        """Return a file of a project.

        Raises ``FILE_NOT_GIVEN`` if none has this name, ``STORE_DAMAGED`` if its content differs,
        ``UNKNOWN_PROJECT``.
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
        """Store a file with a project under its content-hash name.

        Raises ``STORE_FORBIDDEN``, ``STORE_TEXT`` for another name, ``STORE_TOO_LARGE``,
        ``UNKNOWN_PROJECT``.
        """
        if not is_of(name, content):
            raise FacilityError("STORE_TEXT", name[:80], "the name does not match the content.")
        packed = base64.b64encode(zlib.compress(content)).decode()
        if len(packed) > MAX_FILE:
            raise too_large(name, f"{MAX_FILE:,} bytes of a file, packed", "Upload a smaller file.")
        values = {"project": project, "name": name, "who": self._rights.who, "size": len(packed)}
        with self._writing(project) as connection:
            if name in self._sizes(connection, project):
                return
            self._make_room(connection, project, len(packed))
            row = summed(files, {"saved_at": datetime.now(UTC), **values})
            connection.execute(insert(files).values(packed=packed, **row))
            self._note(connection, Action.SAVED, project, file=name)

    def _make_room(self, connection: Connection, project: str, size: int) -> None:
        """Delete files that no revision names any more, if there are too many."""
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
            raise too_large(project, what, "Branch, and continue in the new project.")

    @staticmethod
    def _sizes(connection: Connection, project: str) -> dict[str, int]:
        query = select(files.c.name, files.c.size).where(files.c.project == project)
        return {row.name: row.size for row in connection.execute(query)}


class Drafts(StorePart):
    """Drafts of one person in projects, visible only to that person."""

    def all(self, project: str) -> dict[Draft, str]:
        """Return the drafts of this person in a project, by name.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            found = connection.execute(select(drafts).where(self._of(project)))
            return {} if self._rights.link else dict(map(draft_in, found))

    def save(self, project: str, name: Draft, text: str) -> None:
        """Replace the draft of this name; an empty text deletes it.

        Raises ``STORE_FORBIDDEN`` for visitors by link, ``STORE_TEXT``, ``STORE_TOO_LARGE``,
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
            raise FacilityError(
                "STORE_TEXT", "draft", "the text is not plain text.", "Enter plain text."
            )
        values = {"project": project, "who": self._rights.who, "name": name, "text": text}
        with self._writing(project, Role.READER) as connection:
            connection.execute(delete(drafts).where(self._of(project), drafts.c.name == name))
            if text:
                row = summed(drafts, {"saved_at": datetime.now(UTC), **values})
                connection.execute(insert(drafts).values(row))

    def _of(self, project: str) -> ColumnElement[bool]:
        return (drafts.c.project == project) & (drafts.c.who == self._rights.who)


def content_in(row: Row[tuple[object, ...]]) -> bytes:
    """Return the file content in a row.

    Raises ``STORE_DAMAGED`` if it differs from what was saved.
    """
    found = values_of(row, files)
    try:
        content = zlib.decompress(base64.b64decode(row.packed, validate=True))
    except (zlib.error, ValueError, TypeError):
        content = b""
    if not is_of(row.name, content):
        raise damaged_row(files, found, "its content does not match its name")
    return content


def draft_in(row: Row[tuple[object, ...]]) -> tuple[Draft, str]:
    """Return name and text of the draft in a row.

    Raises ``STORE_DAMAGED`` if it differs from what was saved.
    """
    found = values_of(row, drafts)
    if row.name not in list(Draft):
        raise damaged_row(drafts, found, "it is not a draft of the app")
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
    """Return the panel in a row.

    Raises ``STORE_DAMAGED`` if it differs from what was saved.
    """
    found = values_of(row, panels)
    del found[ROW_SUM]
    return SavedPanel(**found)  # type: ignore[arg-type]
