"""Two people's changes brought together, field by field."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.differences import shown
from facility.files.project.merge import FieldConflict, Side
from facility.ui.library import both

_SIDES: tuple[Side, ...] = ("theirs", "mine", "base")
_LONGEST = 200


def show() -> None:
    """Show the fields that both changed, to choose from, and the button that merges."""
    try:
        found, number = both.conflicts()
    except FacilityError as error:
        st.error(f"Not merged: {error.code}", icon=":material/error:")
        st.text(str(error))
        return
    if found:
        st.text("Both of you changed these; everything else is taken from who changed it.")
    else:
        st.text("You changed other fields than they did: both changes are taken over.")
    choices = {one.path: _chosen(place, one) for place, one in enumerate(found)}
    if st.button(
        "Merge and save",
        key="merge-now",
    ):
        refused = both.merge_with_theirs(choices, number)
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
