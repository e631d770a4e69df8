"""Style of the frame, name of its menu on narrow screens, and focus of the search.

When the system changes between light and dark, the page is rerun, so that charts have the matching
colours.
"""

from __future__ import annotations

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = "<span hidden></span>"


def apply() -> None:
    """Apply the style of the frame."""
    _component()(key="shell-style", width=1, height=1, on_dark_change=lambda: None)


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component(
        "facility.shell", html=_HTML, css="shell.css", js="shell.js", isolate_styles=False
    )
