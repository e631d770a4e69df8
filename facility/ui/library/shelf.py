"""Actions on whole projects: open, import, duplicate, archive, delete, restore, branch.

A failed action changes nothing; its error is stored for the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import ParamSpec

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.io.read_text import text_of
from facility.files.io.zipped import unzipped
from facility.files.panel_apply import applicable_panels, read_panels, with_applicable
from facility.files.panel_csv.document import is_panel_file
from facility.files.project.companions import with_files
from facility.files.project.file import default_project, dump_project, example_text, parse_project
from facility.files.project.packed import SUFFIXES, project_among
from facility.files.project.text import with_panels_text
from facility.files.store.library import Library
from facility.files.store.records import Draft, Role, SavedRevision
from facility.model.inputs.document import Project
from facility.ui.memory import spool
from facility.ui.session import history, identity, opened, state, timeline
from facility.ui.session.edits import Session, with_waiting
from facility.ui.session.history import MAX_REVISIONS, History
from facility.ui.session.opened import ADDRESS, Opened
from facility.ui.session.title import with_generated_title

_P = ParamSpec("_P")
NOT_SAVED = "NOT_SAVED_YET"
_REFUSED, _MISSING = "shelf-refused", "shelf-missing"


def action(key: str) -> Callable[[Callable[_P, object]], Callable[_P, None]]:
    """Return a decorator of actions that may fail: the session keeps the error under `key`."""

    def decorated(act: Callable[_P, object]) -> Callable[_P, None]:
        @wraps(act)
        def tried(*args: _P.args, **named: _P.kwargs) -> None:
            try:
                act(*args, **named)
            except FacilityError as error:
                st.session_state[key] = error

        return tried

    return decorated


_told = action(_REFUSED)
"""An action whose error the next page shows."""


def follow_address() -> None:
    """Open the project named in the URL, and keep the open project in the URL."""
    requested, now = st.query_params.get(ADDRESS), opened.current()
    if requested and requested != now.id:
        if requested != st.session_state.get(_MISSING, ("", None))[0]:
            try:
                _opened(requested)
            except FacilityError as error:
                if error.code == NOT_SAVED:
                    st.session_state[_REFUSED] = error
                    st.query_params[ADDRESS] = opened.current().id
                else:
                    st.session_state[_MISSING] = (requested, error)
    elif now.id and requested is None:
        st.query_params[ADDRESS] = now.id
    if now.id and opened.current().id == now.id:
        _leave_if_taken(now.id)


def _leave_if_taken(project: str) -> None:
    """Close a project whose access was removed from this user."""
    visitor = identity.who()
    if visitor is None or visitor.single:
        return
    try:
        opened.library(visitor).entry(project)
    except FacilityError as error:
        if error.code == "UNKNOWN_PROJECT":
            begin_first()
            st.session_state[_MISSING] = (project, error)


def missing() -> FacilityError | None:
    """Return why the project in the URL is not available; None if it is."""
    found: tuple[str, FacilityError] | None = st.session_state.get(_MISSING)
    return None if found is None else found[1]


def missing_text() -> str:
    """Return the file of the project in the URL; empty if it cannot be read."""
    try:
        return library().text(st.session_state[_MISSING][0])
    except FacilityError:
        return ""


def refused() -> FacilityError | None:
    """Return the error of the last action, once."""
    found: FacilityError | None = st.session_state.pop(_REFUSED, None)
    return found


def has_failed() -> bool:
    """Return whether the last action of this run failed."""
    return _REFUSED in st.session_state


def library() -> Library:
    """Return the library with the access rights of this user.

    Raises as `open_store`.
    """
    return opened.library(identity.who())


def unreachable() -> FacilityError | None:
    """Return why there is no library to save in; None if there is one."""
    try:
        library()
    except FacilityError as error:
        return error
    return None


@_told
def open_project(project: str) -> None:
    """Open the last revision of a stored project."""
    _opened(project)


def begin_first() -> None:
    """Open the default example, with which every session starts."""
    _show(Opened(), Session(default_project()))
    st.query_params.pop(ADDRESS, None)


@_told
def begin_example(name: str) -> None:
    """Open an example, which the first change saves as a project."""
    _begun(example_text(name).encode(), name, f"from the example {name}")


@_told
def begin_new(text: str) -> None:
    """Save the text of a new project, and open it."""
    titled = dump_project(with_generated_title(parse_project(text, "new project")))
    _begun(titled.encode(), "new project", "from the answers in Start")
    opened.save_file(titled)


def is_project(name: str) -> bool:
    """Return whether a file name is that of a project file or an archive."""
    return name.lower().endswith((*SUFFIXES, ".zip"))


@_told
def import_files(given: Mapping[str, bytes]) -> None:
    """Import a project file with the files it references.

    Panel CSV files in the upload become panels of the project.
    """
    name, content, others = _project_of(given)
    panels = {one: text for one, text in others.items() if is_panel_file(one, text)}
    others = {one: file for one, file in others.items() if one not in panels}
    named_by, files = with_files(text_of(content, name), name, others)
    for stored_name, found in files.items():
        spool.put(stored_name, found)
    named_by = _with_panels(named_by, name, panels)
    _begun(named_by.encode(), name, f"imported from {name}"[:150])
    opened.save_file(named_by)


def _with_panels(text: str, name: str, panels: Mapping[str, bytes]) -> str:
    """Return the text of a project with the panels from panel CSV files.

    Raises the errors of `read_panels` and `applicable_panels`, and that of the first unreadable
    cell.
    """
    for file, content in panels.items():
        design = state.designed(text)
        found = read_panels(content, file, design)
        if found[0].problems:
            raise found[0].problems[0]
        after = with_applicable(parse_project(text, name), applicable_panels(found, design))
        text = with_panels_text(text, after)
    return text


def _project_of(given: Mapping[str, bytes]) -> tuple[str, bytes, dict[str, bytes]]:
    """Return name and content of the project file, and the other files; archives are unpacked."""
    found: dict[str, bytes] = {}
    for name, content in given.items():
        found |= unzipped(content, name) if name.lower().endswith(".zip") else {name: content}
    project = project_among(found)
    return project, found.pop(project), found


@_told
def duplicate(project: str) -> None:
    """Copy the last revision of a project into a new project."""
    shelf = library()
    head = shelf.entry(project).head
    copy = shelf.branch(project, head.number).id
    shelf.set_facts(copy, 1, head.facts)


@_told
def archive(project: str, away: bool) -> None:
    """Archive a project (`away`), or unarchive it."""
    (library().archive if away else library().unarchive)(project)


@_told
def delete(project: str) -> None:
    """Delete a project with all its revisions."""
    library().delete(project)
    if opened.current().id == project:
        begin_first()


@_told
def name_revision(number: int, name: str) -> None:
    """Name a revision of the open project."""
    library().name_revision(opened.current().id, number, name)


@_told
def restore(number: int) -> None:
    """Save an old revision as the newest of the open project."""
    now, shelf = opened.current(), library()
    _refuse_unsaved()
    project = opened.read_revision(shelf, now.id, number)
    saved = shelf.restore(now.id, number, based_on=now.number)
    now.number, now.saved_at = saved.number, saved.saved_at
    _put(project, f"revision {number} restored")


@_told
def accept_saved() -> None:
    """Replace the session's project by the saved version; Undo restores the local edits."""
    now, shelf = opened.current(), library()
    head = shelf.entry(now.id).head
    project = opened.read_revision(shelf, now.id, head.number)
    now.saver.drop()
    now.number, now.saved_at, now.newer = head.number, head.saved_at, None
    _put(project, f"revision {head.number} by {head.who} accepted")
    opened.keep_again()


@_told
def save_copy() -> None:
    """Save the displayed project as a new project, and continue in it."""
    now, shelf = opened.current(), library()
    mine = timeline.base()
    made = shelf.branch(now.id, now.number, dump_project(mine.project))
    now.saver.drop()
    opened.become(Opened(made.id, made.head.number, drafts=now.drafts))
    opened.save_project(mine.project, "saved")  # its files may not be stored yet
    opened.keep_again()
    st.query_params[ADDRESS] = made.id


def leave_unsaved() -> None:
    """Discard the edits that could not be saved."""
    opened.current().saver.drop()


undo, redo = _told(timeline.undo), _told(timeline.redo)
"""Undo the last change, and redo the last undone one."""


def look_for_newer() -> SavedRevision | None:
    """Return a revision of the open project newer than the displayed one; None if none."""
    now = opened.current()
    if now.id and now.saver.status == "saved":
        try:
            shelf = library()
            head = shelf.head(now.id)
            if head <= now.number:
                now.newer = None
            elif now.newer is None or now.newer.number != head:
                now.newer = shelf.entry(now.id).head
        except FacilityError:
            return now.newer  # An unavailable store is reported when the next edit is saved
    return now.newer


def _refuse_unsaved() -> None:
    count = opened.current().saver.count
    if count:
        raise FacilityError(
            NOT_SAVED,
            "project",
            f"{count} edit{'' if count == 1 else 's'} of the open project could not be saved.",
            "Wait until they are saved, save your version as a copy, or discard them.",
        )


def _opened(project: str) -> None:
    _refuse_unsaved()
    shelf = library()
    entry = shelf.entry(project)
    head = entry.head
    found = opened.read_revision(shelf, project, head.number)
    drafts = shelf.drafts.all(project)
    first = with_waiting(Session(found), drafts.get(Draft.WAITING, ""))
    writes = entry.role.allows(Role.EDITOR)
    steps = shelf.revisions(project, MAX_REVISIONS)[::-1] if writes else []
    now = Opened(project, head.number, drafts, entry.role, saved_at=head.saved_at)
    _show(now, first, history.stored(steps))
    st.query_params[ADDRESS] = project


def _begun(content: bytes, name: str, begun: str) -> None:
    _refuse_unsaved()
    project = parse_project(content, name)
    state.designed(dump_project(project))
    _show(Opened(begun=begun), Session(project))
    st.query_params.pop(ADDRESS, None)


def _show(now: Opened, first: Session, steps: History | None = None) -> None:
    opened.become(now)
    timeline.begin(first, steps or History())
    st.session_state.pop(_MISSING, None)


def _put(project: Project, label: str) -> None:
    before = timeline.base()
    timeline.put(replace(before, project=project, generation=before.generation + 1), label)
