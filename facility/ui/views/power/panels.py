"""Panels: those of the design to edit and balance, and one that the visitor brings."""

from __future__ import annotations

import streamlit as st

from facility.ui import displays
from facility.ui.panels.design_view import show_design_panels
from facility.ui.panels.own_view import show_own_panel
from facility.ui.session import state

_MODES = ("design", "own")
_MODE_NAMES = {"design": "Panels of the design", "own": "Own panels"}


def _page() -> None:
    design = state.current()
    displays.heading("Panels", design)
    mode = st.segmented_control(
        "Panels",
        _MODES,
        default="design",
        required=True,
        key="panel-mode",
        format_func=_MODE_NAMES.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
    )
    if mode == "own":
        show_own_panel(design)
    else:
        show_design_panels(design)


_page()
