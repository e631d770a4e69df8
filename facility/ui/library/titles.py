"""The title of the open project, with its editor."""

from __future__ import annotations

import streamlit as st

from facility.study.design.design import Design
from facility.ui import boxes
from facility.ui.session import opened, state
from facility.ui.session.title import generated_title, origin

_ORIGINS = {
    "typed": "Entered title; it does not change with the inputs.",
    "example": "Title of the example. It is updated when an input it contains changes.",
    "generated": "Generated from the inputs and updated with them. Enter a title to fix it.",
    "none": "No title. Enter one, or change an input to generate it.",
}


def show(design: Design) -> None:
    """Show title and status of the project, and the editor of title and name."""
    project, identity = state.session().project, design.facility.identity
    st.text(identity.title or identity.name, width="content")
    if identity.status:
        st.badge(identity.status.capitalize(), color="grey")
    edit = st.popover(
        "Edit title",
        icon=":material/edit:",
        type="tertiary",
        key="title-edit",
        on_change="rerun",  # the content is built only when opened
    )
    if not edit.open:
        return
    with edit:
        st.text(design.title)
        _field("Title", "title", project.project.title or "")
        st.text(_ORIGINS[origin(project)])
        _field("Project name, used in file names", "name", project.project.name or "")


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
