"""The canvas of the session's design: view and selection are kept in the session."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from facility.files.io.file_names import safe_file_name
from facility.files.svg.hall import plan_svg
from facility.files.svg.loops import loop_svg
from facility.files.svg.shapes import LIGHT
from facility.files.svg.sheets import drawing_svg
from facility.report.drawings.loops.diagram import loop_drawing
from facility.report.why.known import Known
from facility.report.why.pages import of_hour, of_state
from facility.study.design.design import Design
from facility.ui.canvas.component import CanvasEvents, Picked, ViewId, show_canvas
from facility.ui.canvas.views import ShownState, design_canvas, want_detail
from facility.ui.controls import download
from facility.ui.design.hall import chosen_plan, plan_view
from facility.ui.design.states import step
from facility.ui.objects import known
from facility.ui.session import outages, state
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
    """Show one-line, hall plan and cooling loops of a design in a state, and their downloads.

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
    system, plan = state.unit_system(), None
    halls = {layout.hall.name: layout for layout in outages.halls()}
    if view() == "hall-plan" and halls:
        path = known.objects().path(selected) if selected in known.objects() else ()
        hall = next((id for id in path if id in halls), next(iter(halls)))
        plan = chosen_plan(design, halls[hall])
    instead = None if plan is None else plan_view(plan)
    show_canvas(design_canvas(design, shown, selected, view(), instead), events)
    if plan is not None:
        st.text("\n".join(plan.notes))
    name = safe_file_name(design.facility.identity.name)
    if view() == "one-line":
        args = shown.case, shown.opened, shown.instant

        def one_line() -> str:
            (drawing,) = outages.drawings(*args, "grouped", False)
            drawing = outages.hall_loads().drawn(drawing, shown.live.flow)
            return drawing_svg(drawing, LIGHT, opened=shown.opened)

        download(
            "Download one-line diagram (.svg)", f"{name}-one-line.svg", one_line, "one-line-svg"
        )
    elif view() == "loops":
        loops = partial(loop_drawing, design, shown.hour, system)
        title = "Download loop diagram (.svg)"
        download(title, f"{name}-loops.svg", lambda: loop_svg(loops()), "loops-svg")
    elif plan is not None:
        content = partial(plan_svg, plan)
        download("Download hall plan (.svg)", f"{name}-hall-plan.svg", content, "hall-svg")


def _explained(design: Design, shown: ShownState) -> Known:
    """Return the results behind the numbers above the shown view."""
    if view() == "loops":
        return of_hour(shown.hour)
    return of_state(shown.live, design.states.network)
