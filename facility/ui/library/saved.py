"""Save state on every page, with actions on failure and conflict."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.library import StoreConflict
from facility.files.store.records import SavedRevision
from facility.ui import controls
from facility.ui.controls import download
from facility.ui.downloads.project_file import project_file
from facility.ui.library import merging, shelf, times
from facility.ui.session import identity, opened, state, timeline
from facility.ui.session.saver import Status

_Colour = Literal["red", "orange", "green", "grey"]
_PAINTED, _WHOLE = "saving-painted", "saving-whole-page"
_READING = "Read-only access. Ask an owner to make you an editor."
_UNREACHABLE = ("STORE_UNREACHABLE", "STORE_LOCKED", "STORE_FULL")
_EVERY_S: dict[Status, float] = {"saving": 1.0, "failed": 5.0, "conflict": 5.0, "saved": 1.5}
"""Interval at which an idle page checks for news: another save is reported within 2 s."""


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
    at = f" {times.clock(now.saved_at)}" if now.saved_at else ""
    return f"Saved{at} · Revision {now.number}", "grey", "The project is saved in the library."


def show() -> None:
    """Show unsaved edits and newer revisions, and check for both while the page is idle."""
    merging.show_note()
    st.session_state[_WHOLE] = True
    now = opened.current()
    every = _EVERY_S[now.saver.status] if now.id or now.saver.count else None
    st.fragment(_watched, run_every=every)()
    _show_unreachable()
    if opened.reads_only():
        visitor = identity.who()
        with st.container(horizontal=True, vertical_alignment="center", key="reading"):
            st.badge("Read only", icon=":material/lock:", color="orange")
            st.text(_READING, width="content")
            if visitor is not None and not visitor.link:
                _keep_mine("Save a copy", "keep-copy")
    error = shelf.refused()
    if error is not None:
        with st.container(border=True):
            controls.refused("Action not completed", error)
            if error.code == shelf.NOT_SAVED:
                st.button("Discard unsaved edits", key="unsaved-go", on_click=shelf.leave_unsaved)


def _show_unreachable() -> None:
    """Show before the first edit that there is no library to save it in."""
    if opened.current().id or opened.current().saver.count:
        return  # A failed save says more
    error = shelf.unreachable()
    if error is not None:
        st.warning("The project library cannot be reached", icon=":material/cloud_off:")
        st.text(f"{error}\nEdits exist only in this window until it is available again.")


def show_missing() -> bool:
    """Show that the project in the URL is not available; return whether this is the case."""
    error = shelf.missing()
    if error is None:
        return False
    unreachable = error.code in _UNREACHABLE
    words = "The project library cannot be reached" if unreachable else "Project not available"
    st.subheader(words, anchor=False)
    st.text(str(error))
    text = shelf.missing_text()
    if text:
        st.text("Nothing was changed. Download the file, correct it and import it.")
    elif unreachable:
        st.text("Nothing was changed. Reload the page when the library is available again.")
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
    now.saver.retry_if_due()
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
            st.button("Retry saving", key="save-again", on_click=now.saver.retry)
            file = project_file(timeline.base().project, "project")
            download(file.title, file.name, file.make, "unsaved-file")
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
            merging.show_merging()


def _who_saved(error: FacilityError | None) -> str:
    if not isinstance(error, StoreConflict):
        return f"{error}"
    head = error.head
    return (
        f"Revision {head.number} was saved by {times.by(head)}, {times.at(head.saved_at)} "
        f"({head.label}). Your edits are based on revision {error.based_on}. No edit is lost."
    )


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
