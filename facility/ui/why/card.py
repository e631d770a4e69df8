"""Explanation button of a metric card: it covers the whole card, for mouse and keyboard."""

from __future__ import annotations

import streamlit as st

from facility.report.why.known import Known
from facility.ui.why import navigation
from facility.ui.why.drawer import show_drawer


def ask_button(title: str, id: str, key: str, page: Known | None = None) -> None:
    """Show the button that covers a metric card and opens its explanation."""
    st.button(
        f"Explain {title}",
        key=f"why-ask-{key}",
        on_click=navigation.ask,
        args=(id, page),
        type="tertiary",
        icon=":material/help:",
    )
    show_drawer()
