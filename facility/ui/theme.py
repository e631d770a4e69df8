"""Drawing colours of the theme of the page."""

from __future__ import annotations

import streamlit as st

from facility.files.svg.shapes import DARK, LIGHT, Paint


def page_paint() -> Paint:
    """Return the drawing colours for the current theme."""
    return DARK if st.context.theme.type == "dark" else LIGHT
