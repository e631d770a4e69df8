"""The canvas of the session's design: view and selection are kept in the session."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.report.why.known import Known
from facility.report.why.pages import of_hour, of_state
from facility.study.design.design import Design
from facility.ui.canvas.component import CanvasEvents, Picked, ViewId, show_canvas
from facility.ui.canvas.views import ShownState, design_canvas, want_detail
from facility.ui.design.states import step
from facility.ui.why import navigation

_VIEW = "canvas-view"


def view() -> ViewId:
    """Return the shown view."""
    found: ViewId = st.session_state.get(_VIEW, "one-line")
    return found


def look_at(view: ViewId) -> None:
    """Show a view of the canvas."""
    st.session_state[_VIEW] = view


def show_design_canvas(
    design: Design,
    shown: ShownState,
    selected: str,
    picked: Callable[[Picked], None],
    found: Callable[[], None] | None = None,
) -> None:
    """Show one-line, hall plan and cooling loops of a design in a state.

    design: The design of the session.
    shown: Its state, from `show_states`.
    selected: Tag of the selected object; empty if none.
    picked: Receives what is clicked or opened with Enter: select it, and show its inspector. It
        runs before the rerun.
    found: Opens the search, for Ctrl K.
    """
    events = CanvasEvents(
        picked=picked,
        viewed=look_at,
        detailed=want_detail,
        stepped=step,
        found=found or (lambda: None),
        asked=lambda key: navigation.ask(key, _explained(design, shown)),
    )
    show_canvas(design_canvas(design, shown, selected, view()), events)


def _explained(design: Design, shown: ShownState) -> Known:
    """Return the results behind the numbers above the shown view."""
    if view() == "loops":
        return of_hour(shown.hour)
    return of_state(shown.live, design.states.network)
