"""What Streamlit's menu of a narrow screen lacks: it is called Menu, and closes on a choice."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = "<span hidden></span>"
_FILES = Path(__file__).with_name("assets")


def dress() -> None:
    """Name the control of the menu, and have a choice close it."""
    _component()(key="phone-menu", width=1, height=1)


@cache
def _component() -> ComponentRenderer:
    css, js = ((_FILES / f"menu.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return st.components.v2.component(
        "phone-menu", html=_HTML, css=css, js=js, isolate_styles=False
    )
