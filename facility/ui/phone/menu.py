"""Browser extensions of Streamlit: menu on narrow screens, and redrawing in another colour scheme.

The menu is labelled Menu and closes after a selection. When the system changes between light and
dark, the page is rerun, so that charts have the matching colours.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = "<span hidden></span>"
_FILES = Path(__file__).with_name("assets")


def dress() -> None:
    """Label the menu control, close the menu after a selection, and rerun in another scheme."""
    _component()(key="phone-menu", width=1, height=1, on_dark_change=lambda: None)


@cache
def _component() -> ComponentRenderer:
    css, js = ((_FILES / f"menu.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return st.components.v2.component(
        "phone-menu", html=_HTML, css=css, js=js, isolate_styles=False
    )
