"""The colours of a drawing on the page."""

from __future__ import annotations

import streamlit as st

from facility.files.svg.shapes import DARK, LIGHT, Paint


def page_paint() -> Paint:
    """Return the colours of the page."""
    return DARK if st.context.theme.type == "dark" else LIGHT
