"""What Streamlit lacks in a browser: a menu on narrow screens, and charts in light and dark.

The menu is called Menu and closes on a choice. Where the system of whoever looks turns dark or
light, the page is drawn anew in those inks.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = "<span hidden></span>"
_FILES = Path(__file__).with_name("assets")


def dress() -> None:
    """Name the control of the menu, have a choice close it, and draw anew in another scheme."""
    _component()(key="phone-menu", width=1, height=1, on_dark_change=lambda: None)


@cache
def _component() -> ComponentRenderer:
    css, js = ((_FILES / f"menu.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return st.components.v2.component(
        "phone-menu", html=_HTML, css=css, js=js, isolate_styles=False
    )
