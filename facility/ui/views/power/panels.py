"""Panels: those of the design to edit and balance, and one that the visitor brings."""

from __future__ import annotations

from facility.ui import displays
from facility.ui.controls import one_of
from facility.ui.panels.design_view import show_design_panels
from facility.ui.panels.own_view import show_own_panel
from facility.ui.session import state

_MODE_NAMES = {"design": "Panels of the design", "own": "Own panels"}


def _page() -> None:
    design = state.current()
    displays.heading("Panels", design)
    if one_of("Panels", _MODE_NAMES, "panel-mode", titled=False) == "own":
        show_own_panel(design)
    else:
        show_design_panels(design)


_page()
