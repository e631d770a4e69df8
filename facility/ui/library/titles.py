"""The name of the open project, which opens its details and their editor."""

from __future__ import annotations

import streamlit as st

from facility.study.design.design import Design
from facility.ui.inspector.box import show_boxes
from facility.ui.session import scenario, state
from facility.ui.session.title import origin

_ORIGINS = {
    "typed": "Entered title; it does not change with the inputs.",
    "example": "Title of the example. It is updated when an input it contains changes.",
    "generated": "Generated from the inputs and updated with them. Enter a title to fix it.",
    "none": "No title. Enter one, or change an input to generate it.",
}
_MAX_LABEL, _MAX_BRIEF = 44, 22


def show(design: Design, *, brief: bool) -> None:
    """Show title and status of the project; the title opens details and the editor.

    brief: Show a shorter title, and no status.
    """
    project, identity = state.session().project, design.facility.identity
    title = identity.title or identity.name
    longest = _MAX_BRIEF if brief else _MAX_LABEL
    # Not the label of the popover, which would close when the title changes.
    st.text(title if len(title) <= longest else f"{title[:longest]}…", width="content")
    details = st.popover(
        "Project details",
        type="tertiary",
        key="title-edit",
        on_change="rerun",  # the content is built only when opened
    )
    if identity.status and not brief:
        st.badge(identity.status.capitalize(), color="grey")
    if not details.open:
        return
    with details:
        st.text(design.title)
        if scenario.name():
            st.text("A scenario is shown. Choose Base to edit the title.")
            return
        show_boxes([("Title", "project.title")])
        st.text(_ORIGINS[origin(project)])
        show_boxes(
            [
                ("Project name, used in file names", "project.name"),
                ("Project number", "project.number"),
            ]
        )
