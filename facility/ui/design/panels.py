"""Panels page: edit, balance, prove and import panels."""

from __future__ import annotations

from facility.ui import displays
from facility.ui.panels.design_view import show_design_panels
from facility.ui.session import state


def show_panels() -> None:
    """Show the panels of the design."""
    design = state.current()
    displays.heading("Panels", design)
    show_design_panels(design)
