"""Styles of metric cards and selections; keyboard focus of the search."""

from __future__ import annotations

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = "<span hidden></span>"


def dress(key: str = "page") -> None:
    """Apply the styles of a page; inside the drawer, focus its search input once per `key`."""
    _component()(key=f"why-dress-{key}", width=1, height=1)


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component(
        "facility.why", html=_HTML, css="card.css", js="focus.js", isolate_styles=False
    )
