"""Whether everything is saved, and what to do where it is not: beside every page; merging."""

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
from facility.ui.export.project_file import project_file
from facility.ui.library import shelf, times
from facility.ui.session import identity, opened, state, timeline
from facility.ui.session.saver import Status
from facility.ui.session.title import retitled, without_told_titles

_Colour = Literal["red", "orange", "green", "grey"]
_PAINTED, _WHOLE = "saving-painted", "saving-whole-page"
_READING = "You may read this project, not change it. An owner can make you an editor."
_EVERY_S: dict[Status, float] = {"saving": 1.0, "failed": 5.0, "conflict": 20.0, "saved": 20.0}
"""How often a page that is left alone looks whether anything is new."""


def badge() -> None:
    """Show whether the project is saved."""
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
    return f"saved · revision {now.number}", "grey", "The project is in the library."


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
            controls.refused("Not done", error)
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
            download("Project file (.yaml)", "project.yaml", text, "missing-file")
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
    with st.container(border=True):
        st.warning("Somebody else saved first; your edits wait", icon=":material/call_split:")
        st.text(_who_saved(now.saver.error))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Take theirs", key="take-theirs", on_click=shelf.take_theirs)
            _keep_mine()
            merges = st.toggle("Merge field by field", key="merge")
        if merges:
            show_merging()


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
    st.button(label, key=key, on_click=shelf.keep_mine, icon=":material/call_split:")


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
    file = project_file(timeline.session().project, "project")
    download(file.title, file.name, file.make, "unsaved-file")


def conflicts() -> tuple[tuple[FieldConflict, ...], int]:
    """Return the fields that both changed, each otherwise, and the number of their revision.

    Raises where one of the revisions cannot be read.
    """
    found, head = _merged({})
    return found.conflicts, head.number


def merge_with_theirs(choices: Mapping[str, Side], seen: int) -> FacilityError | None:
    """Show and save both changes; return why it was refused.

    choices: The side that is taken, by path of each conflict.
    seen: Number of their revision that the choices were made on.
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
    # Titles that nobody typed are told anew by what comes out, and are nothing to decide.
    mine, others = without_told_titles(base, timeline.session().project, theirs)
    found = merged(base, mine, others, choices)
    if found.project is not None:
        found = replace(found, project=retitled(found.project, base))
    return found, head


_SIDES: tuple[Side, ...] = ("theirs", "mine", "base")
_LONGEST = 200


def show_merging() -> None:
    """Show the fields that both changed, to choose from, and the button that merges."""
    try:
        found, number = conflicts()
    except FacilityError as error:
        controls.refused("Not merged", error)
        return
    if found:
        st.text("Both of you changed these; everything else is taken from who changed it.")
    else:
        st.text("You changed other fields than they did: both changes are taken over.")
    choices = {one.path: _chosen(place, one) for place, one in enumerate(found)}
    if st.button("Merge and save", key="merge-now"):
        refused = merge_with_theirs(choices, number)
        if refused is None:
            st.rerun()  # the whole page, which shows what came out
        st.error(f"Not merged: {refused.code}", icon=":material/error:")
        st.text(f"{refused}\nChoose otherwise, or keep yours as a project of its own.")


def _chosen(place: int, one: FieldConflict) -> Side:
    values = {"theirs": one.theirs, "mine": one.mine, "base": one.base}
    words = {"theirs": "theirs", "mine": "mine", "base": "as it was before"}
    st.text(one.path)
    return st.selectbox(
        "Which one",
        _SIDES,
        key=f"merge-{place}",
        format_func=lambda side: f"{words[side]}: {shown(values[side])}"[:_LONGEST],
        label_visibility="collapsed",
        required=True,
    )
