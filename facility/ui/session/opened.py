"""The open project of a session, and the saving of its changes.

A session starts with an example that is not stored; the first change saves it as a project.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.companions import named
from facility.files.project.file import dump_project, parse_project
from facility.files.project.merge import differences, shown
from facility.files.store.records import Draft, Role
from facility.model.inputs.document import Project
from facility.ui.access import store
from facility.ui.memory import spool
from facility.ui.memory.cache import cached_design
from facility.ui.session import designs, identity
from facility.ui.session.edits import Session, text_of_waiting
from facility.ui.session.history import equal_content
from facility.ui.session.identity import Visitor
from facility.ui.session.saver import Saver

if TYPE_CHECKING:
    from facility.files.store.library import Library
    from facility.files.store.records import SavedRevision

ADDRESS = "p"
"""URL parameter of the project id."""
_OPENED = "opened"
_MAX_LABEL = 190
MAX_DRAFT = 500_000
"""Maximum length of a stored draft, in characters."""


@dataclass
class Opened:
    """The open project of a session; `id` is empty until it is stored."""

    id: str = ""
    number: int = 0  # Displayed revision, on which the next save is based
    drafts: dict[Draft, str] = field(default_factory=dict)  # Drafts stored with the project
    role: Role = Role.OWNER  # Role of the user at the time of opening
    begun: str = "from the example"  # Label of the first revision
    saved_at: datetime | None = None  # When the displayed revision was saved
    newer: SavedRevision | None = None  # A later revision saved by another user
    saver: Saver = field(default_factory=Saver)


def current() -> Opened:
    """Return the open project of this session."""
    if _OPENED not in st.session_state:
        st.session_state[_OPENED] = Opened()
    found: Opened = st.session_state[_OPENED]
    return found


def reads_only() -> bool:
    """Return whether this user has read-only access to the project."""
    return not current().role.allows(Role.EDITOR)


def become(opened: Opened) -> None:
    """Replace the open project of this session."""
    st.session_state[_OPENED] = opened


def library(visitor: Visitor | None) -> Library:
    """Return the library of this server with the access rights of a user.

    Raises ``STORE_FORBIDDEN`` without sign-in, ``UNKNOWN_LINK`` for an expired or revoked link,
    ``SIGN_IN_MISSING``, and as `open_store`.
    """
    if visitor is None:
        raise FacilityError(
            "STORE_FORBIDDEN", "project", "no user is signed in.", "Sign in, and try again."
        )
    if visitor.single:
        return store.for_single_user().library(visitor.id, unrestricted=True)
    if visitor.link:
        return store.for_signed_in().by_link(visitor.link)[1]
    return store.for_signed_in().library(visitor.id)


def linked(token: str) -> str:
    """Return the id of the project that a link opens.

    Raises ``UNKNOWN_LINK``; as `open_store`.
    """
    return store.for_signed_in().by_link(token)[0]


def save(before: Session, after: Session, label: str) -> None:
    """Save the project if a change modified it, and its rejected entries as a draft."""
    if not equal_content(before.project, after.project):
        _save_first(before.project)
        save_project(after.project, label)
    keep(Draft.WAITING, text_of_waiting(after), after.project)


def keep(name: Draft, text: str, project: Project) -> None:
    """Store a draft of this user with the project, if it has changed.

    Drafts that are too large, or of a read-only link, are kept only in this session.
    """
    opened, visitor = current(), identity.who()
    if opened.drafts.get(name, "") == text:
        return
    opened.drafts[name] = text
    if len(text) > MAX_DRAFT or (visitor is not None and visitor.link):
        return
    _save_first(project)
    opened.saver.add(partial(_keep, visitor, opened, name, text))


def keep_again() -> None:
    """Store all drafts again, after their saving was dropped."""
    opened, visitor = current(), identity.who()
    for name, text in opened.drafts.items():
        if len(text) <= MAX_DRAFT:
            opened.saver.add(partial(_keep, visitor, opened, name, text))


def _keep(visitor: Visitor | None, opened: Opened, name: Draft, text: str) -> None:
    library(visitor).drafts.save(opened.id, name, text)


def save_file(text: str) -> None:
    """Save the original file of this session as a project, with its text unchanged."""
    opened, visitor = current(), identity.who()

    def create() -> None:
        if not opened.id:
            made = library(visitor).create(text, opened.begun)
            opened.id, opened.number = made.id, made.head.number
            opened.saved_at = made.head.saved_at
            _save_files(library(visitor), opened, parse_project(text))

    opened.saver.add(create)


def save_project(project: Project, label: str) -> None:
    """Save the current project."""
    opened, visitor = current(), identity.who()

    def save() -> None:
        text, shelf = dump_project(project), library(visitor)
        _save_files(shelf, opened, project)
        name = one_line(label)
        saved = shelf.save(opened.id, text, based_on=opened.number, label=name)
        opened.number, opened.saved_at = saved.number, saved.saved_at

    opened.saver.add(save)


def _save_files(shelf: Library, opened: Opened, project: Project) -> None:
    """Store the files that a project references with it, if not yet stored."""
    names = {*named(project).values()}
    for name in names - {*shelf.files.names(opened.id)} if names else ():
        shelf.files.save(opened.id, name, spool.content(name))


def fetch_files(shelf: Library, id: str, text: str) -> None:
    """Copy the files that a stored text references to the folder from which designs read them.

    Raises if the text or one of its files is invalid.
    """
    for name in named(parse_project(text, "stored project")).values():
        if not spool.has(name):
            spool.put(name, shelf.files.content(id, name))


def read(number: int) -> Project:
    """Return a revision of the open project.

    Raises as `read_revision`.
    """
    return read_revision(library(identity.who()), current().id, number)


def read_revision(shelf: Library, id: str, number: int) -> Project:
    """Return a revision of a stored project.

    Raises if this version cannot read or design it.
    """
    text = shelf.text(id, number)
    project = parse_project(text, "stored project")
    fetch_files(shelf, id, text)
    cached_design(text, designs.made, "Designing …")
    return project


def _save_first(project: Project) -> None:
    """Save an example as a project before its first change."""
    if not current().id:
        save_file(dump_project(project))


def change_label(before: Project, after: Project, label: str) -> str:
    """Return the label of a change: field, old and new value if a single simple field changed."""
    changed = differences(before, after)
    # The first change of an example drops its identity; the user changed one field.
    begun = before.project.started_from != after.project.started_from
    hidden = "project." if begun else "project.title"
    shown_changes = [one for one in changed if not one.path.startswith(hidden)] or changed
    one = shown_changes[0] if len(shown_changes) == 1 else None
    if one is not None and all(isinstance(v, str | None) for v in (one.before, one.after)):
        label = f"{one.path}: {shown(one.before)} -> {shown(one.after)}"
    return one_line(label)


def one_line(label: str) -> str:
    """Return the label of a revision as the store accepts it."""
    line = "".join(mark if mark.isprintable() else " " for mark in label)
    return line if len(line) <= _MAX_LABEL else f"{line[:_MAX_LABEL]}…"
