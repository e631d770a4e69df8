"""The title of the open project, edited where it stands."""

from __future__ import annotations

import streamlit as st

from facility.study.design.design import Design
from facility.ui import boxes
from facility.ui.session import opened, state
from facility.ui.session.title import origin, told_title

_ORIGINS = {
    "typed": "As typed; it stays until it is typed anew.",
    "example": "Kept from the example. It is told anew when an input changes that it tells.",
    "told": "Told by the inputs, and told anew when they change. Type another to keep it.",
    "none": "No title yet.",
}


def show(design: Design) -> None:
    """Show what this is a design of, and its title and name to edit."""
    project = state.session().project
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(design.title, width="content")
        edit = st.popover(
            "Title",
            icon=":material/edit:",
            type="tertiary",
            key="title-edit",
            on_change="rerun",  # every page has it, and few visits open it
        )
        if not edit.open:
            return
        with edit:
            _field("Title", "title", project.project.title or "")
            st.text(_ORIGINS[origin(project)])
            _field("Name, as files are called", "name", project.project.name or "")


def _field(label: str, name: str, value: str) -> None:
    key = boxes.key_of(f"{name}-edit", value)

    def entered() -> None:
        text = st.session_state[key].strip()
        if name == "title" and not text:
            text = told_title(state.session().project)
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
