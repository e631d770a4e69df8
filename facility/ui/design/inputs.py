"""Inputs page: every field of the project, racks, and units of the catalogue."""

from __future__ import annotations

import streamlit as st

from facility.ui import displays
from facility.ui.inspector import choice, racks, sections
from facility.ui.session import state


def show_inputs() -> None:
    """Show every input of the project."""
    design, system = state.current(), state.unit_system()
    displays.heading("Inputs", design)
    by_field, by_rack, by_unit = st.tabs(["Fields", "Racks", "Catalogue units"])
    with by_field:
        sections.show(design, system)
    with by_rack:
        racks.show()
    with by_unit:
        choice.show(design, system)
