"""Projects of a store for one person: listing, saving, merging, thinning, restoring."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, literal, select, update

from facility.core.errors import FacilityError
from facility.files.project.file import dump_project, parse_project
from facility.files.project.merge import Merged, Side, merged
from facility.files.store.connection import Database
from facility.files.store.panels import Drafts, Files, Panels
from facility.files.store.record.chain import Action
from facility.files.store.records import (
    MAX_WORDS,
    Facts,
    ProjectEntry,
    Role,
    SavedRevision,
    facts_text,
    words,
)
from facility.files.store.sharing import Links, Rights, Sharing, StorePart
from facility.files.store.sums import changed, rows_of, summed, text_sum, values_of
from facility.files.store.tables import (
    entry_of,
    files,
    is_text_of,
    new_id,
    projects,
    revision_in,
    revision_of,
    revisions,
    revisions_of,
    roles,
    text_of,
    too_large,
    update_row,
    with_head,
)
from facility.model.inputs.document import project_sha256

MAX_PROJECTS = 10_000
MAX_NAMED = 1_000


class StoreConflict(FacilityError):
    """Another user saved since the revision on which a change is based."""

    def __init__(self, head: SavedRevision, based_on: int) -> None:
        when = head.saved_at.strftime("%Y-%m-%d %H:%M UTC")
        super().__init__(
            "STORE_CONFLICT",
            head.project,
            f"revision {head.number} was saved by {head.who} at {when}; "
            f"this change is based on revision {based_on}.",
            "Merge the two, or save yours as a branch; nothing was overwritten.",
        )
        self.head = head
        self.based_on = based_on


class Library(StorePart):
    """Store operations with the rights of one person; see `Store.library`."""

    def __init__(self, database: Database, rights: Rights) -> None:
        super().__init__(database, rights)
        self.who = rights.who
        self.panels = Panels(database, rights)
        self.drafts = Drafts(database, rights)
        self.files = Files(database, rights)
        self.links = Links(database, rights)
        self.sharing = Sharing(database, rights)

    def create(self, text: str, label: str = "created", facts: Facts | None = None) -> ProjectEntry:
        """Save a new project with an unguessable id.

        text: Project file, YAML or JSON; stored unchanged, including comments.
        label: Description of the change.
        facts: Card figures, by the keys of `FACTS`.

        Raises the errors of a project file with this text; ``STORE_TOO_LARGE``.
        """
        return self._created(_Draft.of(text, label, facts), None)

    def entries(
        self, search: str = "", *, archived: bool = False, limit: int | None = None
    ) -> list[ProjectEntry]:
        """Return the projects readable by this person, last edited first.

        search: Words in name, title, number or company of the project.
        archived: Return archived projects instead.
        limit: Maximum number; default: all.
        """
        is_archived = projects.c.archived_at.is_not(None)
        query = with_head().where(is_archived if archived else ~is_archived)
        sought = "".join(filter(str.isprintable, search[:MAX_WORDS])).casefold()
        for word in sought.split():
            query = query.where(projects.c.search.contains(word, autoescape=True))
        query = self._rights.narrowed(query).order_by(revisions.c.saved_at.desc(), projects.c.id)
        if limit is not None:
            query = query.limit(limit)
        with self._store.reading() as connection:
            found = connection.execute(query)
            return [entry_of(row, self._rights.role_in(row)) for row in found]

    def entry(self, project: str) -> ProjectEntry:
        """Return one project.

        Raises ``UNKNOWN_PROJECT`` unless it exists and is readable by this person.
        """
        with self._refusals_recorded(project), self._store.reading() as connection:
            return self._entry(connection, project)

    def text(self, project: str, number: int | None = None) -> str:
        """Return the project file of a revision, by default the last one.

        Raises ``UNKNOWN_PROJECT``, ``UNKNOWN_REVISION``.
        """
        with self._refusals_recorded(project), self._store.reading() as connection:
            found = self._rights.checked(connection, project, Role.READER)
            number = found.head if number is None else number
            text = text_of(connection, project, number)
        self._note_read(project, revision=number, text_sha256=text_sum(text))
        return text

    def head(self, project: str) -> int:
        """Return the number of the last revision; cheaper than `entry`.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._refusals_recorded(project), self._store.reading() as connection:
            return int(self._rights.checked(connection, project, Role.READER).head)

    def revisions(self, project: str, limit: int | None = None) -> list[SavedRevision]:
        """Return the revisions of a project, latest first; at most `limit`.

        Raises ``UNKNOWN_PROJECT``.
        """
        with self._reading(project) as connection:
            return revisions_of(connection, project, limit)

    def save(
        self, project: str, text: str, *, based_on: int, label: str = "", facts: Facts | None = None
    ) -> SavedRevision:
        """Save a change if revision `based_on` is still the latest; return the new revision.

        A text equal to the last revision saves nothing, and returns that revision with the given
        facts. Old unnamed revisions are thinned, see `thinning`.

        Raises `StoreConflict` if another save came first; ``STORE_FORBIDDEN`` for a reader;
        ``UNKNOWN_PROJECT``; errors of a project file with this text.
        """
        return self._saved(project, _Draft.of(text, label, facts), based_on)

    def set_facts(self, project: str, number: int, facts: Facts) -> SavedRevision:
        """Set the card figures of a revision once known.

        Raises ``UNKNOWN_FACT``, ``UNKNOWN_PROJECT``, ``UNKNOWN_REVISION``, ``STORE_FORBIDDEN``.
        """
        return self._changed(project, number, {"facts": facts_text(facts)})

    def name_revision(self, project: str, number: int, name: str) -> SavedRevision:
        """Name a revision; named revisions are never thinned.

        Raises ``STORE_TEXT``, ``STORE_TOO_LARGE`` at the maximum number of names,
        ``UNKNOWN_PROJECT``,
        ``UNKNOWN_REVISION``, ``STORE_FORBIDDEN``.
        """
        return self._changed(project, number, {"name": words(name, "name", needed=True)})

    def restore(self, project: str, number: int, *, based_on: int) -> SavedRevision:
        """Save the text of an old revision as a new one, if `based_on` is still the latest.

        Raises as `text` and `save`.
        """
        facts = {r.number: r.facts for r in self.revisions(project)}.get(number)
        draft = _Draft.of(self.text(project, number), f"restored revision {number}", facts)
        return self._saved(project, draft, based_on)

    def branch(self, project: str, number: int, text: str | None = None) -> ProjectEntry:
        """Save a revision, or `text` based on it, as a new project with its files.

        Raises as `text` and `create`.
        """
        stored = self.text(project, number)
        draft = _Draft.of(
            stored if text is None else text, f"branched from revision {number}", None
        )
        return self._created(draft, (project, number))

    def archive(self, project: str) -> None:
        """Archive a project without deleting anything.

        Raises ``UNKNOWN_PROJECT``, ``STORE_FORBIDDEN``.
        """
        self._set_archived(project, datetime.now(UTC))

    def unarchive(self, project: str) -> None:
        """Bring a project back from the archive.

        Raises ``UNKNOWN_PROJECT``, ``STORE_FORBIDDEN``.
        """
        self._set_archived(project, None)

    def delete(self, project: str) -> None:
        """Delete a project permanently, with all revisions and panels.

        Raises ``UNKNOWN_PROJECT``, ``STORE_FORBIDDEN`` unless an owner.
        """
        with self._writing(project, Role.OWNER) as connection:
            connection.execute(delete(projects).where(projects.c.id == project))
            self._note(connection, Action.DELETED, project)

    def _entry(self, connection: Connection, project: str) -> ProjectEntry:
        self._rights.checked(connection, project, Role.READER)
        query = self._rights.narrowed(with_head()).where(projects.c.id == project)
        row = connection.execute(query).one()
        return entry_of(row, self._rights.role_in(row))

    def _created(self, draft: _Draft, origin: tuple[str, int] | None) -> ProjectEntry:
        project = new_id()
        now = datetime.now(UTC)
        made = {"id": project, "created_at": now, "created_by": self.who}
        came = {} if origin is None else {"origin": origin[0], "origin_number": origin[1]}
        with self._refusals_recorded(""):
            self._rights.refuse_guest()
        with self._store.writing() as connection:
            many = connection.execute(select(func.count()).select_from(projects)).scalar_one()
            if many >= MAX_PROJECTS:
                raise too_large("store", f"{MAX_PROJECTS:,} projects", "Delete some.")
            row = {"head": 1, **made, **came, **draft.card}
            connection.execute(insert(projects).values(summed(projects, row)))
            owner = {"project": project, "who": self.who, "role": Role.OWNER.value}
            connection.execute(insert(roles).values(summed(roles, owner)))
            self._insert(connection, project, 1, draft)
            if origin is not None:
                self._copy_files(connection, origin[0], project)
            entry = self._entry(connection, project)
            source: dict[str, object] = (
                {} if origin is None else {"from": origin[0], "from_revision": origin[1]}
            )
            self._note(connection, Action.CREATED, project, **draft.recorded(1), **source)
            return entry

    def _copy_files(self, connection: Connection, origin: str, project: str) -> None:
        """Copy the files of the source project to a new project."""
        of_origin = files.c.project == origin
        for row in connection.execute(rows_of(files).where(of_origin)).all():
            copied = summed(files, {**values_of(row, files), "project": project})
            values = (literal(value, files.c[name].type) for name, value in copied.items())
            query = select(files.c.packed, *values).where(of_origin, files.c.name == row.name)
            connection.execute(insert(files).from_select(["packed", *copied], query))

    def _saved(self, project: str, draft: _Draft, based_on: int) -> SavedRevision:
        with self._refusals_recorded(project), self._store.writing() as connection:
            found = self._rights.checked(connection, project, Role.EDITOR, locked=True)
            head = revision_of(connection, project, found.head)
            if is_text_of(connection, head, draft.values["text_sha256"]):
                if draft.has_facts:
                    return self._change(connection, head, {"facts": draft.values["facts"]})
                return head
            if head.number != based_on:
                raise StoreConflict(head, based_on)
            number = head.number + 1
            row = values_of(found, projects)
            moved = connection.execute(
                update(projects)
                .where(projects.c.id == project, projects.c.head == based_on)
                .values(changed(projects, row, {"head": number, **draft.card}))
            )
            if moved.rowcount != 1:  # The row is locked: this cannot be, and must not be silent
                raise StoreConflict(head, based_on)
            self._insert(connection, project, number, draft)
            thin(connection, project, number)
            saved = revision_of(connection, project, number)
            self._note(connection, Action.SAVED, project, **draft.recorded(number))
            return saved

    def _insert(self, connection: Connection, project: str, number: int, draft: _Draft) -> None:
        at = {"project": project, "number": number, "saved_at": datetime.now(UTC)}
        row = summed(revisions, {"who": self.who, **at, **draft.values})
        connection.execute(insert(revisions).values(row))

    def _changed(self, project: str, number: int, values: Mapping[str, str | int]) -> SavedRevision:
        with self._writing(project) as connection:
            found = revision_of(connection, project, number)
            if "name" in values and found.name is None:
                named = (revisions.c.project == project) & revisions.c.name.is_not(None)
                count = select(func.count()).select_from(revisions).where(named)
                if connection.execute(count).scalar_one() >= MAX_NAMED:
                    hint = "Branch, and continue in the new project."
                    raise too_large(project, f"{MAX_NAMED:,} named revisions", hint)
            changed = self._change(connection, found, values)
            if "name" in values:
                name = values["name"]
                self._note(connection, Action.NAMED, project, revision=number, name=name)
            return changed

    def _change(
        self, connection: Connection, found: SavedRevision, values: Mapping[str, str | int]
    ) -> SavedRevision:
        at = (revisions.c.project == found.project) & (revisions.c.number == found.number)
        update_row(connection, revisions, at, values)
        return revision_of(connection, found.project, found.number)

    def _set_archived(self, project: str, at: datetime | None) -> None:
        with self._writing(project, Role.OWNER) as connection:
            update_row(connection, projects, projects.c.id == project, {"archived_at": at})
            action = Action.UNARCHIVED if at is None else Action.ARCHIVED
            self._note(connection, action, project)


class _Draft(NamedTuple):
    """Text to be saved, parsed and measured."""

    card: dict[str, str]  # Columns of the project
    values: dict[str, str | int]  # Columns of the revision
    has_facts: bool

    @classmethod
    def of(cls, text: str, label: str, facts: Facts | None) -> _Draft:
        project = parse_project(text)
        document = project.project
        sought = (document.name, document.title, document.number, document.company)
        search = " ".join(filter(None, sought)).casefold()
        card = {"name": document.name or "", "title": document.title or "", "search": search}
        values: dict[str, str | int] = {
            "text": text,
            "size": len(text.encode()),
            "text_sha256": text_sum(text),
            "sha256": project_sha256(project),
            "label": words(label, "label"),
            "facts": facts_text(facts),
        }
        return cls(card, values, facts is not None)

    def recorded(self, number: int) -> dict[str, object]:
        """Return the record entry details of this revision."""
        return {"revision": number, "text_sha256": self.values["text_sha256"]}


EVERY = 50
WHOLE = timedelta(days=1)
MAX_UNNAMED = 5_000
MAX_UNNAMED_BYTES = 64 * 1024**2


class Unnamed(NamedTuple):
    """Unnamed revision."""

    number: int
    saved_at: datetime
    who: str
    size: int


def thin(connection: Connection, project: str, head: int) -> None:
    """Thin the revisions of a project, at every 50th revision."""
    if head % EVERY:
        return
    of_project = revisions.c.project == project
    query = rows_of(revisions).where(
        of_project, revisions.c.name.is_(None), revisions.c.number.not_in((1, head))
    )
    found = [revision_in(row) for row in connection.execute(query.order_by(revisions.c.number))]
    unnamed = [Unnamed(one.number, one.saved_at, one.who, one.size) for one in found]
    gone = superfluous(unnamed, datetime.now(UTC))
    for start in range(0, len(gone), 500):
        some = revisions.c.number.in_(gone[start : start + 500])
        connection.execute(delete(revisions).where(of_project, some))


def superfluous(unnamed: list[Unnamed], now: datetime) -> list[int]:
    """Return the revision numbers to remove; `unnamed` is in order."""
    last: dict[tuple[str, str], int] = {}
    for one in unnamed:
        last[one.who, f"{one.saved_at:%Y-%m-%d %H}"] = one.number
    retained = set(last.values())
    stay: list[Unnamed] = [u for u in unnamed if now - u.saved_at < WHOLE or u.number in retained]
    size = 0
    for index, one in enumerate(reversed(stay)):
        size += one.size
        if index >= MAX_UNNAMED or size > MAX_UNNAMED_BYTES:
            stay = stay[len(stay) - index :]
            break
    staying = {one.number for one in stay}
    return [one.number for one in unnamed if one.number not in staying]


def merged_with_head(
    library: Library, conflict: StoreConflict, text: str, choices: Mapping[str, Side]
) -> Merged:
    """Return a rejected change of a project merged with its head.

    library: Library of the project.
    conflict: The conflict raised.
    text: Text to be saved.
    choices: ``base``, ``mine`` or ``theirs`` by path of a field that both changed.

    Raises as `Library.text` and `merged`.
    """
    project = conflict.head.project
    base = parse_project(library.text(project, conflict.based_on))
    theirs = parse_project(library.text(project, conflict.head.number))
    return merged(base, parse_project(text), theirs, choices)


def save_merged(
    library: Library, conflict: StoreConflict, text: str, choices: Mapping[str, Side]
) -> SavedRevision:
    """Save a rejected change of a project merged with its head; return the new revision.

    Raises ``MERGE_CONFLICT`` with the fields to decide; `StoreConflict` after another save; as
    `merged_with_head`.
    """
    found = merged_with_head(library, conflict, text, choices)
    if found.project is None:
        shown = "; ".join(
            f"{one.path}: {one.mine!s:.60} here, {one.theirs!s:.60} saved"
            for one in found.conflicts[:10]
        )
        raise FacilityError(
            "MERGE_CONFLICT",
            conflict.head.project,
            f"{len(found.conflicts)} fields were changed differently in both versions: {shown}.",
            "Choose a side for each field, or branch; nothing was saved.",
        )
    label = f"merged revision {conflict.based_on} changed with revision {conflict.head.number}"
    head = conflict.head
    return library.save(
        head.project, dump_project(found.project), based_on=head.number, label=label
    )
