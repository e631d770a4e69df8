"""Save state on every page, with actions on failure and conflict; merging by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.project.merge import FieldConflict, Merged, Side, merged, shown
from facility.files.store.library import StoreConflict
from facility.files.store.records import SavedRevision
from facility.ui import controls
from facility.ui.controls import download
from facility.ui.documents.project_file import project_file
from facility.ui.library import shelf, times
from facility.ui.session import identity, opened, state, timeline
from facility.ui.session.saver import Status
from facility.ui.session.title import retitled, without_generated_titles

_Colour = Literal["red", "orange", "green", "grey"]
_PAINTED, _WHOLE = "saving-painted", "saving-whole-page"
_READING = "Read-only access. Ask an owner to make you an editor."
_EVERY_S: dict[Status, float] = {"saving": 1.0, "failed": 5.0, "conflict": 20.0, "saved": 20.0}
"""Interval at which an idle page checks for news."""


def badge() -> None:
    """Show the save state of the project."""
    text, colour, help = _words()
    st.badge(text, color=colour, help=help)


def _words() -> tuple[str, _Colour, str]:
    now = opened.current()
    status, count = now.saver.status, now.saver.count
    if status == "saving":
        return "Saving …", "orange", "The last edits are being saved to the library."
    if status != "saved":
        edits = f"{count} edit{'' if count == 1 else 's'}"
        return f"● {edits} not saved", "red", "See the notice at the top of the page."
    if opened.reads_only():
        return f"Read-only · Revision {now.number}", "grey", _READING
    if not now.id:
        return "Example", "grey", "Your first change saves it as a project in the library."
    return f"Saved · Revision {now.number}", "grey", "The project is saved in the library."


def show() -> None:
    """Show unsaved edits and newer revisions, and check for both while the page is idle."""
    st.session_state[_WHOLE] = True
    every = _EVERY_S[opened.current().saver.status]
    st.fragment(_watched, run_every=every)()
    if opened.reads_only():
        _reading()
    error = shelf.refused()
    if error is not None:
        with st.container(border=True):
            controls.refused("Action not completed", error)
            if error.code == shelf.NOT_SAVED:
                st.button("Discard unsaved edits", key="unsaved-go", on_click=shelf.leave_unsaved)


def show_missing() -> bool:
    """Show that the project in the URL is not available; return whether this is the case."""
    error = shelf.missing()
    if error is None:
        return False
    st.subheader("Project not available", anchor=False)
    st.text(str(error))
    text = shelf.missing_text()
    if text:
        st.text("Nothing was changed. Download the file, correct it and import it.")
    else:
        st.text("Nothing was changed. The project may be deleted or belong to another library.")
    with st.container(horizontal=True):
        if text:
            download("Download project file (.yaml)", "project.yaml", text, "missing-file")
        if st.button("Show all projects", key="missing-projects"):
            shelf.begin_first()
            state.go_to("library", "projects")
        st.button("Open example", key="missing-example", on_click=shelf.begin_first)
    return True


def _stamp() -> tuple[object, ...]:
    now = opened.current()
    newer = now.newer.number if now.newer else 0
    return now.id, now.number, now.saver.status, now.saver.count, newer


def _watched() -> None:
    now = opened.current()
    now.saver.go_on_if_due()
    newer = shelf.look_for_newer()
    if st.session_state.pop(_WHOLE, False):
        st.session_state[_PAINTED] = _stamp()
    elif st.session_state[_PAINTED] != _stamp():
        st.rerun()  # the rest of the page is out of date
    status = now.saver.status
    if status == "failed":
        _failed()
    elif status == "conflict":
        _conflict()
    elif newer is not None:
        _newer(newer)


def _failed() -> None:
    now = opened.current()
    with st.container(border=True):
        st.error("Edits not saved", icon=":material/cloud_off:")
        count = now.saver.count
        st.text(
            f"{now.saver.error}\nThe last {count} edit{'' if count == 1 else 's'} exist only in "
            "this browser session; saving is retried every few seconds. Keep the page open, or "
            "download the project file as a backup."
        )
        with st.container(horizontal=True):
            st.button("Retry saving", key="save-again", on_click=now.saver.go_on)
            _project_file()
            if now.id:
                _keep_mine()


def _conflict() -> None:
    now = opened.current()
    with st.container(border=True):
        st.warning(
            "Conflict: another user saved first. Your edits are not saved yet.",
            icon=":material/call_split:",
        )
        st.text(_who_saved(now.saver.error))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Accept saved version", key="take-theirs", on_click=shelf.accept_saved)
            _keep_mine()
            merges = st.toggle("Merge by field", key="merge")
        if merges:
            show_merging()


def _who_saved(error: FacilityError | None) -> str:
    if not isinstance(error, StoreConflict):
        return f"{error}"
    head = error.head
    return (
        f"Revision {head.number} was saved by {times.by(head)}, {times.at(head.saved_at)} "
        f"({head.label}). Your edits are based on revision {error.based_on}. No edit is lost."
    )


def _reading() -> None:
    visitor = identity.who()
    with st.container(horizontal=True, vertical_alignment="center", key="reading"):
        st.badge("Read only", icon=":material/lock:", color="orange")
        st.text(_READING, width="content")
        if visitor is not None and not visitor.link:
            _keep_mine("Save a copy", "keep-copy")


def _keep_mine(label: str = "Save mine as a copy", key: str = "keep-mine") -> None:
    st.button(label, key=key, on_click=shelf.save_copy, icon=":material/call_split:")


def _newer(newer: SavedRevision) -> None:
    with st.container(border=True):
        st.text(
            f"A newer revision exists: revision {newer.number}, saved {times.ago(newer.saved_at)} "
            f"by {times.by(newer)} ({newer.label})."
        )
        st.button(
            "Show new revision",
            key="show-newer",
            on_click=shelf.accept_saved,
            icon=":material/refresh:",
        )


def _project_file() -> None:
    file = project_file(timeline.session().project, "project")
    download(file.title, file.name, file.make, "unsaved-file")


def conflicts() -> tuple[tuple[FieldConflict, ...], int]:
    """Return the fields that both users changed differently, and the saved revision number.

    Raises if one of the revisions cannot be read.
    """
    found, head = _merged({})
    return found.conflicts, head.number


def merge_with_theirs(choices: Mapping[str, Side], seen: int) -> FacilityError | None:
    """Apply and save the merged changes; return the error if they are rejected.

    choices: Chosen side of each conflict, by path.
    seen: Number of the saved revision on which the choices are based.
    """
    now, mine = opened.current(), timeline.session()
    try:
        found, head = _merged(choices)
        if found.project is None or head.number != seen:
            raise StoreConflict(head, seen)
        state.design_of(found.project)
    except FacilityError as error:
        return error
    now.saver.drop()
    now.number, now.newer = head.number, None
    both = replace(mine, project=found.project, generation=mine.generation + 1)
    label = f"merged with revision {head.number} by {head.who}"
    timeline.put(both, label)
    opened.save_project(found.project, label)
    opened.keep_again()
    return None


def _merged(choices: Mapping[str, Side]) -> tuple[Merged, SavedRevision]:
    now, library = opened.current(), shelf.library()
    head = library.entry(now.id).head
    text = library.text(now.id, head.number)
    opened.fetch_files(library, now.id, text)
    theirs = parse_project(text, "stored project")
    base = parse_project(library.text(now.id, now.number), "stored project")
    # Generated titles are regenerated from the merged project, so they are not conflicts.
    mine, others = without_generated_titles(base, timeline.session().project, theirs)
    found = merged(base, mine, others, choices)
    if found.project is not None:
        found = replace(found, project=retitled(found.project, base))
    return found, head


_SIDES: tuple[Side, ...] = ("theirs", "mine", "base")
_LONGEST = 200


def show_merging() -> None:
    """Show the conflicting fields with their values, and the button that merges."""
    try:
        found, number = conflicts()
    except FacilityError as error:
        controls.refused("Changes not merged", error)
        return
    if found:
        st.text("Both users changed these fields. All other changes are merged automatically.")
    else:
        st.text("No conflicting fields: both changes are merged.")
    choices = {one.path: _chosen(index, one) for index, one in enumerate(found)}
    if st.button("Merge and save", key="merge-now"):
        refused = merge_with_theirs(choices, number)
        if refused is None:
            st.rerun()  # the whole page, with the merged project
        st.error(f"Changes not merged: {refused.code}", icon=":material/error:")
        st.text(f"{refused}\nChoose other values, or save your version as a copy.")


def _chosen(index: int, one: FieldConflict) -> Side:
    values = {"theirs": one.theirs, "mine": one.mine, "base": one.base}
    words = {"theirs": "Saved version", "mine": "My version", "base": "Before both changes"}
    st.text(one.path)
    return st.selectbox(
        "Value",
        _SIDES,
        key=f"merge-{index}",
        format_func=lambda side: f"{words[side]}: {shown(values[side])}"[:_LONGEST],
        label_visibility="collapsed",
        required=True,
    )
