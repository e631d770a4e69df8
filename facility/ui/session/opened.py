"""The stored project that a session shows, and the saving of what is changed in it.

A session begins with an example that is stored nowhere; its first change makes it a project.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
from facility.ui.session import identity
from facility.ui.session.edits import Session, text_of_waiting
from facility.ui.session.history import says_the_same
from facility.ui.session.identity import Visitor
from facility.ui.session.saver import Saver

if TYPE_CHECKING:
    from facility.files.store.library import Library
    from facility.files.store.records import SavedRevision

ADDRESS = "p"
"""Part of the address that names the project."""
_OPENED = "opened"
_MOST_LABEL = 190
MAX_KEPT = 500_000
"""Characters of one text that is kept beside a project."""


@dataclass
class Opened:
    """A project of the store, as this session has it; `id` is empty while it is not stored."""

    id: str = ""
    number: int = 0  # Revision that is shown, and that the next save is based on
    kept: dict[Draft, str] = field(default_factory=dict)  # What is entered and no part of it
    role: Role = Role.OWNER  # Of the visitor, when it was opened
    begun: str = "from the example"  # What the first revision says it is
    newer: SavedRevision | None = None  # A later revision that somebody else saved
    saver: Saver = field(default_factory=Saver)


def current() -> Opened:
    """Return the project that this session shows."""
    if _OPENED not in st.session_state:
        st.session_state[_OPENED] = Opened()
    found: Opened = st.session_state[_OPENED]
    return found


def reads_only() -> bool:
    """Return whether this visitor may read the project and not change it."""
    return not current().role.allows(Role.EDITOR)


def become(opened: Opened) -> None:
    """Make this session show another project."""
    st.session_state[_OPENED] = opened


def library(visitor: Visitor | None) -> Library:
    """Return the library of this server as a visitor sees it.

    Raises ``STORE_FORBIDDEN`` where nobody is signed in, ``UNKNOWN_LINK`` for who came by a link
    that opens nothing any more, ``SIGN_IN_MISSING``; as `open_store`.
    """
    if visitor is None:
        raise FacilityError(
            "STORE_FORBIDDEN", "project", "nobody is signed in.", "Sign in, and try again."
        )
    if visitor.single:
        return store.for_single_user().library(visitor.id, unrestricted=True)
    if visitor.link:
        return store.for_signed_in().by_link(visitor.link)[1]
    return store.for_signed_in().library(visitor.id)


def linked(token: str) -> str:
    """Return the project that a link opens.

    Raises ``UNKNOWN_LINK``; as `open_store`.
    """
    return store.for_signed_in().by_link(token)[0]


def save(before: Session, after: Session, label: str) -> None:
    """Save what an entry changed: the project, or nothing."""
    if not says_the_same(before.project, after.project):
        _save_first(before.project)
        save_project(after.project, _said(before.project, after.project, label))
    keep(Draft.WAITING, text_of_waiting(after), after.project)


def keep(name: Draft, text: str, project: Project) -> None:
    """Keep for this visitor what is entered beside the project, where it is not kept already.

    What is too large for the store, and what comes by a link, stays in this session alone.
    """
    opened, visitor = current(), identity.who()
    if opened.kept.get(name, "") == text:
        return
    opened.kept[name] = text
    if len(text) > MAX_KEPT or (visitor is not None and visitor.link):
        return
    _save_first(project)
    opened.saver.add(partial(_keep, visitor, opened, name, text))


def keep_again() -> None:
    """Keep all that is entered beside the project once more, where saving it was let go of."""
    opened, visitor = current(), identity.who()
    for name, text in opened.kept.items():
        if len(text) <= MAX_KEPT:
            opened.saver.add(partial(_keep, visitor, opened, name, text))


def _keep(visitor: Visitor | None, opened: Opened, name: Draft, text: str) -> None:
    library(visitor).drafts.save(opened.id, name, text)


def save_file(text: str) -> None:
    """Save the file that this session began with as a project, as the file is written."""
    opened, visitor = current(), identity.who()

    def create() -> None:
        if not opened.id:
            made = library(visitor).create(text, opened.begun)
            opened.id, opened.number = made.id, made.head.number
            _save_files(library(visitor), opened, parse_project(text))

    opened.saver.add(create)


def save_project(project: Project, label: str) -> None:
    """Save the project as it is now."""
    opened, visitor = current(), identity.who()

    def save() -> None:
        text, shelf = dump_project(project), library(visitor)
        _save_files(shelf, opened, project)
        saved = shelf.save(opened.id, text, based_on=opened.number, label=label)
        opened.number = saved.number

    opened.saver.add(save)


def _save_files(shelf: Library, opened: Opened, project: Project) -> None:
    """Keep the files that a project names with it, where that has not been done."""
    names = {*named(project).values()}
    for name in names - {*shelf.files.names(opened.id)} if names else ():
        shelf.files.save(opened.id, name, spool.content(name))


def fetch_files(shelf: Library, id: str, text: str) -> None:
    """Have the files that a stored text names be where designs read them.

    Raises what refuses the text, or a file of it.
    """
    for name in named(parse_project(text, "stored project")).values():
        if not spool.has(name):
            spool.put(name, shelf.files.content(id, name))


def _save_first(project: Project) -> None:
    """Have an example that is about to be changed become a project."""
    if not current().id:
        save_file(dump_project(project))


def _said(before: Project, after: Project, label: str) -> str:
    """Return what changed, in words: the field with its values where it is one of a word each."""
    changed = differences(before, after)
    told = [one for one in changed if one.path != "project.title"] or changed
    one = told[0] if len(told) == 1 else None
    if one is not None and all(isinstance(v, str | None) for v in (one.before, one.after)):
        label = f"{one.path}: {shown(one.before)} -> {shown(one.after)}"
    line = "".join(mark if mark.isprintable() else " " for mark in label)
    return line if len(line) <= _MOST_LABEL else f"{line[:_MOST_LABEL]}…"
