"""What is done with whole projects: begun, opened, imported, restored, branched, deleted.

What is refused is remembered for the page to say, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.io.read_text import text_of
from facility.files.io.zipped import unzipped
from facility.files.panel_csv.document import is_panel_file
from facility.files.project.companions import with_files
from facility.files.project.file import default_project, dump_project, example_text, parse_project
from facility.files.project.packed import SUFFIXES, project_among
from facility.files.store.library import Library
from facility.files.store.records import Draft, SavedPanel, SavedRevision
from facility.model.inputs.document import Project
from facility.ui.many import kept as sweep
from facility.ui.memory import spool
from facility.ui.scenarios import board
from facility.ui.session import identity, opened, state, timeline
from facility.ui.session.edits import Session, with_waiting
from facility.ui.session.opened import ADDRESS, Opened
from facility.ui.session.own_panel import (
    NO_PANELS,
    OwnEntry,
    OwnPanel,
    OwnPanels,
    own_of_csv,
    own_of_files,
    own_problems,
)

NOT_SAVED = "NOT_SAVED_YET"
_REFUSED, _MISSING = "shelf-refused", "shelf-missing"


def follow_address() -> None:
    """Open the project that the address asks for, and keep that of the open one in the address."""
    asked, now = st.query_params.get(ADDRESS), opened.current()
    if asked and asked != now.id:
        if asked != st.session_state.get(_MISSING, ("", None))[0]:
            _open_asked(asked)
    elif now.id and asked is None:
        st.query_params[ADDRESS] = now.id
    if now.id and opened.current().id == now.id:
        _leave_if_taken(now.id)


def _leave_if_taken(project: str) -> None:
    """Show a project no longer to who has no role in it any more."""
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
    """Return why the project that the address asks for is not shown."""
    found: tuple[str, FacilityError] | None = st.session_state.get(_MISSING)
    return None if found is None else found[1]


def missing_text() -> str:
    """Return the file of the project that the address asks for; empty where none can be read."""
    try:
        return library().text(st.session_state[_MISSING][0])
    except FacilityError:
        return ""


def refused() -> FacilityError | None:
    """Return why the last thing asked for was not done; once, then it has been said."""
    found: FacilityError | None = st.session_state.pop(_REFUSED, None)
    return found


def library() -> Library:
    """Return the library as this visitor sees it.

    Raises as `open_store`.
    """
    return opened.library(identity.who())


def open_project(project: str) -> bool:
    """Show the last revision of a stored project; return whether it is shown."""
    return _done(lambda: _opened(project))


def begin_first() -> None:
    """Show the example that every session begins with."""
    _show(Opened(), Session(default_project()))
    st.query_params.pop(ADDRESS, None)


def begin_example(name: str) -> bool:
    """Show an example, which becomes a project with the first change."""
    return _done(lambda: _begun(example_text(name).encode(), name, f"from the example {name}"))


def is_project(name: str) -> bool:
    """Return whether a file of this name is a project, or may hold one."""
    return name.lower().endswith((*SUFFIXES, ".zip"))


def import_files(given: Mapping[str, bytes]) -> bool:
    """Make a project of a file, those that it names and panel CSVs; return whether it is shown."""

    def imported() -> None:
        name, content, others = _project_of(given)
        panels = {one: text for one, text in others.items() if is_panel_file(one, text)}
        others = {one: file for one, file in others.items() if one not in panels}
        text, own = text_of(content, name), own_of_files(panels)
        named_by, files = with_files(text, name, others)
        for kept, found in files.items():
            spool.put(kept, found)
        _begun(named_by.encode(), name, f"imported from {name}"[:150], own)
        opened.save_file(named_by)
        opened.save_panels(timeline.session())

    return _done(imported)


def _project_of(given: Mapping[str, bytes]) -> tuple[str, bytes, dict[str, bytes]]:
    """Return the project file among files, with its name, and the others; archives are opened."""
    found: dict[str, bytes] = {}
    for name, content in given.items():
        found |= unzipped(content, name) if name.lower().endswith(".zip") else {name: content}
    project = project_among(found)
    return project, found.pop(project), found


def duplicate(project: str) -> None:
    """Copy the last revision of a project into one of its own."""

    def copied() -> None:
        shelf = library()
        head = shelf.entry(project).head
        copy = shelf.branch(project, head.number).id
        shelf.set_facts(copy, 1, head.facts)
        for panel in shelf.panels.all(project):
            shelf.panels.save(copy, panel.name, panel.text, based_on=0)

    _done(copied)


def archive(project: str, away: bool) -> None:
    """Put a project into the archive, or bring it back."""
    _done(lambda: library().archive(project) if away else library().unarchive(project))


def delete(project: str) -> None:
    """Delete a project with all its revisions."""
    if _done(lambda: library().delete(project)) and opened.current().id == project:
        begin_first()


def name_revision(number: int, name: str) -> None:
    """Give a revision of the open project a name."""
    _done(lambda: library().name_revision(opened.current().id, number, name))


def restore(number: int) -> None:
    """Make an old revision the newest of the open project."""

    def restored() -> None:
        now, shelf = opened.current(), library()
        _refuse_unsaved()
        project = read(shelf, now.id, number)
        now.number = shelf.restore(now.id, number, based_on=now.number).number
        _put(project, f"revision {number} restored")

    _done(restored)


def take_theirs() -> None:
    """Show what somebody else saved last; what was entered here can be had again by undoing."""

    def taken() -> None:
        now, shelf = opened.current(), library()
        head = shelf.entry(now.id).head
        project = read(shelf, now.id, head.number)
        own, now.panels = _own(shelf, now.id)
        now.saver.drop()
        now.number, now.newer = head.number, None
        before = timeline.session()
        shown = replace(before, project=project, own_panels=own, generation=before.generation + 1)
        timeline.put(shown, f"revision {head.number} by {head.who} taken")
        opened.keep_again()

    _done(taken)


def keep_mine() -> None:
    """Save what is shown here as a project of its own, and go on in it."""

    def kept() -> None:
        now, shelf = opened.current(), library()
        mine = timeline.session()
        made = shelf.branch(now.id, now.number, dump_project(mine.project))
        now.saver.drop()
        opened.become(Opened(made.id, made.head.number, kept=now.kept))
        opened.save_project(mine.project, "saved")  # whose files may not be kept yet
        opened.save_panels(mine)
        opened.keep_again()
        st.query_params[ADDRESS] = made.id

    _done(kept)


def put_panel_on_top() -> None:
    """Save own panels as they are here after what somebody else saved of them."""

    def put() -> None:
        now, mine = opened.current(), timeline.session()
        heads = _own(library(), now.id)[1]
        ours = opened.unsaved_panels(mine)
        now.saver.drop()
        now.panels = {name: one for name, one in now.panels.items() if name not in ours}
        now.panels |= {name: one for name, one in heads.items() if name in ours}
        opened.save_panels(mine)
        opened.save_project(mine.project, "saved")
        opened.keep_again()

    _done(put)


def leave_unsaved() -> None:
    """Let go of what could not be saved."""
    opened.current().saver.drop()


def look_for_newer() -> SavedRevision | None:
    """Return a revision of the open project that is newer than the one shown."""
    now = opened.current()
    if now.id and now.saver.status == "saved":
        try:
            head = library().entry(now.id).head
        except FacilityError:
            return now.newer  # A store out of reach is said where something is to be saved
        now.newer = head if head.number > now.number else None
    return now.newer


def read(shelf: Library, id: str, number: int) -> Project:
    """Return a revision of a stored project, which can be designed.

    Raises where this version reads or designs it no longer.
    """
    text = shelf.text(id, number)
    project = parse_project(text, "stored project")
    opened.fetch_files(shelf, id, text)
    state.designed(text)
    return project


def _done(act: Callable[[], object]) -> bool:
    try:
        act()
    except FacilityError as error:
        st.session_state[_REFUSED] = error
        return False
    return True


def _refuse_unsaved() -> None:
    count = opened.current().saver.count
    if count:
        raise FacilityError(
            NOT_SAVED,
            "project",
            f"{count} edit{'' if count == 1 else 's'} of the open project could not be saved.",
            "Have them saved first, keep them as a project of their own, or leave them.",
        )


def _open_asked(project: str) -> None:
    try:
        _opened(project)
    except FacilityError as error:
        if error.code == NOT_SAVED:
            st.session_state[_REFUSED] = error
            st.query_params[ADDRESS] = opened.current().id
        else:
            st.session_state[_MISSING] = (project, error)


def _opened(project: str) -> None:
    _refuse_unsaved()
    shelf = library()
    entry = shelf.entry(project)
    head = entry.head
    found = read(shelf, project, head.number)
    own, panels = _own(shelf, project)
    kept = shelf.drafts.all(project)
    first = with_waiting(Session(found, own_panels=own), kept.get(Draft.WAITING, ""))
    _show(Opened(project, head.number, panels, kept, entry.role), first)
    st.query_params[ADDRESS] = project


def _begun(content: bytes, name: str, begun: str, own: OwnPanels = NO_PANELS) -> None:
    _refuse_unsaved()
    project = parse_project(content, name)
    state.designed(dump_project(project))
    _show(Opened(begun=begun), Session(project, own_panels=own))
    st.query_params.pop(ADDRESS, None)


def _show(now: Opened, first: Session) -> None:
    opened.become(now)
    board.forget()
    sweep.forget()
    timeline.begin(first)
    st.session_state.pop(_MISSING, None)


def _put(project: Project, label: str) -> None:
    before = timeline.session()
    timeline.put(replace(before, project=project, generation=before.generation + 1), label)


def _own(shelf: Library, project: str) -> tuple[OwnPanels, dict[str, SavedPanel]]:
    """Return the own panels, the first of them shown, and as they are saved."""
    heads = sorted(shelf.panels.all(project), key=lambda one: (len(one.name), one.name))
    if not heads:
        return OwnPanels(), {}
    entries = {one.name: _entry(shelf, one) for one in heads}
    return OwnPanels(entries, heads[0].name), {one.name: one for one in heads}


def _entry(shelf: Library, head: SavedPanel) -> OwnEntry:
    """Return an own panel as entered, and as it was accepted last."""
    entered = _cells(head)
    if not own_problems(entered):
        return OwnEntry(entered, entered)
    for one in shelf.panels.revisions(head.project, head.name):
        if one.text is None:  # another of that name was removed
            break
        accepted = _cells(one)
        if not own_problems(accepted):
            return OwnEntry(entered, accepted)
    return OwnEntry(entered)


def _cells(stored: SavedPanel) -> OwnPanel:
    return own_of_csv(stored.text or "", stored.name)
