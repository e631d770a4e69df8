"""Style of the frame, its keys, and browser properties: width, colours, connection.

When the system changes between light and dark, or the window between wide and narrow, the page is
rerun with the matching bar and colours.
"""

from __future__ import annotations

import streamlit as st

from facility.ui.browser import component

_KEY = "shell-style"


def apply() -> None:
    """Apply the style of the frame."""
    component("facility.shell", css="shell.css", js="shell.js", isolated=False)(
        key=_KEY,
        data={"narrow": is_narrow()},
        width=1,
        height=1,
        on_dark_change=lambda: None,
        on_narrow_change=lambda: None,
    )


def is_narrow() -> bool:
    """Return whether the window is narrow; until the browser sends it, whether it is a phone."""
    sent = st.session_state.get(_KEY) or {}
    found = sent.get("narrow")
    return "Mobi" in st.context.headers.get("User-Agent", "") if found is None else bool(found)
