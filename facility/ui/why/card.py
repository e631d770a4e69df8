"""Numbers that can be asked about: their cards are buttons as a whole, by mouse and by keyboard."""

from __future__ import annotations

import streamlit as st

from facility.report.why.known import Known
from facility.ui.why import asked
from facility.ui.why.drawer import show_drawer


def ask_button(title: str, id: str, key: str, page: Known | None = None) -> None:
    """Show the button that covers the card of a number and opens the drawer at it."""
    st.button(
        f"Why: {title}",
        key=f"why-ask-{key}",
        on_click=asked.ask,
        args=(id, page),
        type="tertiary",
        icon=":material/help:",
    )
    show_drawer()
