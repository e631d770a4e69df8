"""Whether everything is saved, and what to do where it is not: beside every page."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.store.library import StoreConflict
from facility.files.store.records import SavedRevision
from facility.ui.export.project_file import project_file
from facility.ui.library import merging, shelf, times
from facility.ui.session import identity, opened, state, timeline
from facility.ui.session.own_panel import files_of
from facility.ui.session.saver import Status

_Colour = Literal["red", "orange", "green", "grey"]
_PAINTED, _WHOLE = "saving-painted", "saving-whole-page"
_READING = "You may read this project, not change it. An owner can make you an editor."
_EVERY_S: dict[Status, float] = {"saving": 1.0, "failed": 5.0, "conflict": 20.0, "saved": 20.0}
"""How often a page that is left alone looks whether anything is new."""


def badge() -> None:
    """Show whether project and own panel are saved."""
    text, colour, help = _words()
    st.badge(text, color=colour, help=help)


def _words() -> tuple[str, _Colour, str]:
    now = opened.current()
    status, count = now.saver.status, now.saver.count
    if status == "saving":
        return "saving …", "orange", "The last edits are on their way into the library."
    if status != "saved":
        edits = f"{count} edit{'' if count == 1 else 's'}"
        return f"● {edits} not saved", "red", "Said above the page, with what to do."
    if opened.reads_only():
        return f"reading · revision {now.number}", "grey", _READING
    if not now.id:
        return "example", "grey", "Becomes a project of the library with your first change."
    return f"saved · revision {now.number}", "grey", "Project and own panels are in the library."


def show() -> None:
    """Show what is not saved and what is newer, and look for both while the page is left alone."""
    st.session_state[_WHOLE] = True
    every = _EVERY_S[opened.current().saver.status]
    st.fragment(_watched, run_every=every)()
    if opened.reads_only():
        _reading()
    error = shelf.refused()
    if error is not None:
        with st.container(border=True):
            st.error(f"Not done: {error.code}", icon=":material/error:")
            st.text(str(error))
            if error.code == shelf.NOT_SAVED:
                st.button("Leave them unsaved", key="unsaved-go", on_click=shelf.leave_unsaved)


def show_missing() -> bool:
    """Show that the address asks for a project that is not there; return whether it does."""
    error = shelf.missing()
    if error is None:
        return False
    st.subheader("This project cannot be shown", anchor=False)
    st.text(str(error))
    text = shelf.missing_text()
    if text:
        st.text("Nothing was changed: download its file, mend it, and import that.")
    else:
        st.text("Nothing was changed: the address may be of another library, or it is gone.")
    with st.container(horizontal=True):
        if text:
            st.download_button(
                "Project file (.yaml)",
                text,
                "project.yaml",
                icon=":material/download:",
                on_click="ignore",
                key="missing-file",
            )
        if st.button("All projects", key="missing-projects"):
            shelf.begin_first()
            state.go_to("views/start/projects.py")
        st.button("Start from the example", key="missing-example", on_click=shelf.begin_first)
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
        st.rerun()  # what stands elsewhere on the page says otherwise
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
        st.error("Not saved", icon=":material/cloud_off:")
        count = now.saver.count
        st.text(
            f"{now.saver.error}\nThe last {count} edit{'' if count == 1 else 's'} stand on this "
            "page alone, and are tried again every few seconds. Do not close it; a project file "
            "keeps them in any case."
        )
        with st.container(horizontal=True):
            st.button("Try again now", key="save-again", on_click=now.saver.go_on)
            _project_file()
            if now.id:
                _keep_mine()


def _conflict() -> None:
    now = opened.current()
    merges = False
    of_panel = now.saver.error is not None and now.saver.error.code == "PANEL_CONFLICT"
    with st.container(border=True):
        st.warning("Somebody else saved first; your edits wait", icon=":material/call_split:")
        st.text(_who_saved(now.saver.error))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Take theirs", key="take-theirs", on_click=shelf.take_theirs)
            _keep_mine()
            if of_panel:
                st.button("Put my panel on top", key="mine-on-top", on_click=shelf.put_panel_on_top)
            else:
                merges = st.toggle("Merge field by field", key="merge")
        if merges:
            merging.show()


def _who_saved(error: FacilityError | None) -> str:
    if not isinstance(error, StoreConflict):
        return f"{error}"
    head = error.head
    return (
        f"Revision {head.number} was saved by {times.by(head)}, {times.at(head.saved_at)} "
        f"({head.label}); what you see began from revision {error.based_on}. Nothing of yours or "
        "theirs is lost."
    )


def _reading() -> None:
    visitor = identity.who()
    with st.container(horizontal=True, vertical_alignment="center", key="reading"):
        st.badge("Read only", icon=":material/lock:", color="orange")
        st.text(_READING, width="content")
        if visitor is not None and not visitor.link:
            _keep_mine("Keep a copy as a project of its own", "keep-copy")


def _keep_mine(label: str = "Keep mine as a project of its own", key: str = "keep-mine") -> None:
    st.button(
        label,
        key=key,
        on_click=shelf.keep_mine,
        icon=":material/call_split:",
    )


def _newer(newer: SavedRevision) -> None:
    with st.container(border=True):
        st.text(
            f"Revision {newer.number} is newer than what you see: saved "
            f"{times.ago(newer.saved_at)} by {times.by(newer)} ({newer.label})."
        )
        st.button(
            "Show it", key="show-newer", on_click=shelf.take_theirs, icon=":material/refresh:"
        )


def _project_file() -> None:
    now = timeline.session()
    file = project_file(now.project, "project", files_of(now.own_panels))
    st.download_button(
        file.title,
        file.make,
        file.name,
        file.mime,
        on_click="ignore",
        icon=":material/download:",
        key="unsaved-file",
    )
