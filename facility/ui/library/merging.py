"""Merging of the edits of this window with earlier saved edits of another, field by field.

Edits of different fields are merged without a question; the page names the revision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.file import parse_project
from facility.files.project.merge import FieldConflict, Merged, Side, merged, shown
from facility.files.store.library import StoreConflict
from facility.files.store.records import SavedRevision
from facility.model.inputs.document import Project
from facility.ui import controls
from facility.ui.library import shelf, times
from facility.ui.session import opened, state, timeline
from facility.ui.session.title import retitled, without_generated_titles

_TRIED, _NOTE = "merge-tried", "merge-note"


def merge_disjoint() -> None:
    """Merge the edits of this window with the saved revision, if both changed other fields."""
    now = opened.current()
    error = now.saver.error
    if not isinstance(error, StoreConflict):
        return
    tried = now.id, error.head.number, now.saver.count
    if st.session_state.get(_TRIED) == tried:
        return  # conflicts are left, which the user decides
    st.session_state[_TRIED] = tried
    merge_with_theirs({}, error.head.number)


def show_note() -> None:
    """Show once that edits were merged."""
    note = st.session_state.pop(_NOTE, "")
    if note:
        st.toast(note, icon=":material/merge:", duration="long")


def conflicts() -> tuple[tuple[FieldConflict, ...], int]:
    """Return the fields that both users changed differently, and the saved revision number.

    Raises if one of the revisions cannot be read.
    """
    found, sides = _merged({})
    return found.conflicts, sides.head.number


def merge_with_theirs(choices: Mapping[str, Side], seen: int) -> FacilityError | None:
    """Apply and save the merged changes; return the error if they are rejected.

    choices: Chosen side of each conflict, by path.
    seen: Number of the saved revision on which the choices are based.
    """
    now, mine = opened.current(), timeline.base()
    try:
        found, sides = _merged(choices)
        head = sides.head
        if found.project is None or head.number != seen:
            raise StoreConflict(head, seen)
        state.design_of(found.project)
    except FacilityError as error:
        return error
    now.saver.drop()
    now.number, now.saved_at, now.newer = head.number, head.saved_at, None
    timeline.put_merged(replace(mine, project=found.project), sides.base, sides.theirs)
    opened.save_project(found.project, f"merged with revision {head.number} by {head.who}")
    opened.keep_again()
    st.session_state[_NOTE] = f"Merged with revision {head.number} by {times.by(head)}."
    return None


@dataclass(frozen=True)
class _Sides:
    """The projects that are merged with that of this window."""

    base: Project
    theirs: Project
    head: SavedRevision  # Revision of `theirs`


def _merged(choices: Mapping[str, Side]) -> tuple[Merged, _Sides]:
    now, library = opened.current(), shelf.library()
    head = library.entry(now.id).head
    text = library.text(now.id, head.number)
    opened.fetch_files(library, now.id, text)
    theirs = parse_project(text, "stored project")
    base = parse_project(library.text(now.id, now.number), "stored project")
    # Generated titles are regenerated from the merged project, so they are not conflicts.
    mine, others = without_generated_titles(base, timeline.base().project, theirs)
    found = merged(base, mine, others, choices)
    if found.project is not None:
        found = replace(found, project=retitled(found.project, base))
    return found, _Sides(base, theirs, head)


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
        controls.refused("Changes not merged", refused)
        st.text("Choose other values, or save your version as a copy.")


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
