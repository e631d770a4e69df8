"""Keyboard focus of the search."""

from __future__ import annotations

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_HTML = "<span hidden></span>"


def focus(key: str) -> None:
    """Focus the search input of the drawer, once per `key`."""
    _component()(key=f"why-focus-{key}", width=1, height=1)


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("facility.why", html=_HTML, js="focus.js")
