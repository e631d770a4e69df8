"""The name of the open project, which opens its details and their editor."""

from __future__ import annotations

import streamlit as st

from facility.study.design.design import Design
from facility.ui import boxes
from facility.ui.session import opened, scenario, state
from facility.ui.session.title import generated_title, origin

_ORIGINS = {
    "typed": "Entered title; it does not change with the inputs.",
    "example": "Title of the example. It is updated when an input it contains changes.",
    "generated": "Generated from the inputs and updated with them. Enter a title to fix it.",
    "none": "No title. Enter one, or change an input to generate it.",
}
_MAX_LABEL, _MAX_BRIEF = 44, 22
_NO_TITLE = "Untitled project"


def show(design: Design, *, brief: bool) -> None:
    """Show title and status of the project; the title opens details and the editor.

    brief: Show a shorter title, and no status.
    """
    project, identity = state.session().project, design.facility.identity
    title = identity.title or identity.name or _NO_TITLE
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
        _field("Title", "title", project.project.title or "")
        st.text(_ORIGINS[origin(project)])
        _field("Project name, used in file names", "name", project.project.name or "")
        _field("Project number", "number", project.project.number or "")


def _field(label: str, name: str, value: str) -> None:
    key = boxes.key_of(f"{name}-edit", value)

    def entered() -> None:
        text = st.session_state[key].strip()
        if name == "title" and not text:
            text = generated_title(state.session().project)
        state.enter(f"project.{name}", text)

    st.text_input(
        label,
        value,
        key=key,
        on_change=state.of_this(entered),
        max_chars=200,
        width=420,
        disabled=opened.reads_only(),
    )
