"""Components that draw in the browser, each declared once."""

from __future__ import annotations

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_NOTHING = "<span hidden></span>"


@cache
def component(
    name: str, html: str = _NOTHING, *, css: str, js: str | None = None, isolated: bool = True
) -> ComponentRenderer:
    """Return the component of this name; its files are in the assets of its folder."""
    return st.components.v2.component(name, html=html, css=css, js=js, isolate_styles=isolated)
