"""The workspace: object tree left, the drawing or a view of the object, and its inspector."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

import streamlit as st

from facility.report.drawings.live.moments import LiveState
from facility.report.objects.objects import COOLING, IT, POWER, SITE, DesignObject, DesignObjects
from facility.study.cooling_hour import CoolingHour
from facility.ui.blocks import render
from facility.ui.canvas import opened
from facility.ui.canvas.component import Picked, ViewId
from facility.ui.canvas.views import ShownState
from facility.ui.design import canvas, numbers, sidebar
from facility.ui.design.inspector import show_inspector
from facility.ui.design.object_views import ObjectView, show_object_view, summary_blocks, views_of
from facility.ui.design.states import NORMAL, show_states
from facility.ui.inspector.inputs import show_all_inputs
from facility.ui.objects import find, known, selection
from facility.ui.session import state
from facility.ui.shell.views import VIEW
from facility.ui.work.ready import ready

_FIRST_PANEL, _FIRST_HALL = "panel", "hall"
_REQUESTED = {
    "summary": (SITE, "summary"),
    "inputs": (SITE, "inputs"),
    "one-line": (POWER, selection.DRAWING),
    "outages": (POWER, "outages"),
    "hall": (_FIRST_HALL, selection.DRAWING),
    "cooling": (COOLING, selection.DRAWING),
    "panels": (_FIRST_PANEL, "schedule"),
}
"""Object and view for each page of version 0.5, by the view that its address asks for."""
_MACHINES = {
    "heat.liquid": IT,
    "air.inlet_temperature_worst": IT,
    "heat.behind_doors": IT,
    "heat.cdu": "CDU",
    "heat.coils": "CRAH",
    "doors.heat": "CRAH",
    "heat.electrical_room": "CRAH-E",
    "heat.electrical_coils": "CRAH-E",
    "heat.facility_water": "LOOP-fws",
    "plant.chiller_power": "CH",
    "tank.charge": "LOOP-chw",
    "tank.given": "LOOP-chw",
    "plant.rejection.outdoors": "CT DC",
    "plant.rejection.rejected": "CT DC",
    "plant.condenser_heat": "CT DC",
    "fws.rejection.outdoors": "CT-F DC-F",
    "fws.rejection.rejected": "CT-F DC-F",
    "heat.fws_rejected": "CT-F DC-F",
}
"""Objects that a machine of the loops may be, by the result that explains it."""
_HALLS = ("it", "hall", "row", "rack")
_OF_STATE = ("outages", "elevation", "cooling")
"""Views besides the drawing that show the state."""
_PLANT = ("cooling", "units", "loops", "loop")


def show_workspace() -> None:
    """Show the workspace of the open project; without drawing until its network is calculated."""
    with st.container(horizontal=True, gap="medium", key="workspace"):
        centre = st.container(key="centre")
        right = st.container(key="inspector", gap="small")
    objects, waits = known.objects(), False
    if objects.network is None:
        waits = _follow_request(objects)
    one = objects[selection.selected(objects)]
    shows_site = not waits and (one.id == SITE or not objects.lists_power)
    all_inputs = shows_site and selection.view() == "inputs"
    with centre:
        # The verdict of the summary has a button to cancel all studies.
        is_whole = ready("distribution", cancels=not shows_site or all_inputs)
    if is_whole:
        objects = known.objects()
        _follow_request(objects)
        one = objects[selection.selected(objects)]
    live: LiveState | None = None
    if is_whole:
        selection.keep_in_address(one.id)
        with centre:
            live = _centre(one).live
    elif all_inputs:
        with centre:
            show_all_inputs(state.current(), state.unit_system())
    elif shows_site:
        with centre:
            render.show(summary_blocks())
    with right:
        listed = one.id == SITE and selection.view() == "inputs"  # all of them
        show_inspector(one, live, lists_inputs=not listed)
    sidebar.show_sidebar(live, one.id)
    numbers.apply_style()


def _follow_request(objects: DesignObjects) -> bool:
    """Select what an address of an earlier version requests; return whether it must wait."""
    requested = st.query_params.get(VIEW, "")
    if requested not in _REQUESTED:
        return False
    id, view = _REQUESTED[requested]
    if id == _FIRST_PANEL and objects.network is None:
        return True
    if id in (_FIRST_PANEL, _FIRST_HALL):
        mine = objects[selection.selected(objects)]
        found = [mine, *objects.values()]
        id = next((one.id for one in found if one.kind == id), POWER)
    del st.query_params[VIEW]
    selection.pick(id)
    selection.show_view(view)
    return False


def _centre(one: DesignObject) -> ShownState:
    """Show the drawing with its state, or another view of the object; return the state."""
    views, design = views_of(one), state.current()
    chosen = selection.view() if selection.view() in views else selection.DRAWING
    with st.container(gap="small", key="centre-bar"):
        if views:
            _view_choice(one, views, chosen)
        shown = show_states(design)
    if chosen == selection.DRAWING:
        wanted: ViewId = "one-line"
        if one.kind in _HALLS:
            wanted = "hall-plan"
        elif one.kind in _PLANT:
            wanted = "loops"
        if selection.is_new(one.id):
            canvas.look_at(wanted)
        canvas.show_design_canvas(design, shown, _drawn(one, shown.hour), picked, find.open_find)
    else:
        if chosen not in _OF_STATE and (shown.case != NORMAL or shown.opened):
            st.text(f"State in the object tree and the inspector: {shown.caption}")
        show_object_view(views[chosen], one, shown)
    return shown


def _view_choice(one: DesignObject, views: Mapping[str, ObjectView], chosen: str) -> None:
    key = f"object-view-{crc32(one.id.encode())}-{chosen}"  # the id may be user text
    st.segmented_control(
        "View of the object",
        [selection.DRAWING, *views],
        default=chosen,
        required=True,
        key=key,
        format_func=lambda view: views[view].title if view in views else "Drawing",
        label_visibility="collapsed",
        on_change=lambda key: selection.show_view(str(st.session_state[key])),
        args=(key,),
        width="content",
    )


def _drawn(one: DesignObject, hour: CoolingHour) -> str:
    """Return the tag by which the drawing of an hour knows an object."""
    machines = (key for key, ids in _MACHINES.items() if one.id in ids.split())
    machine = next((key for key in machines if key in hour.trace), "")
    if one.kind == "loop":
        return one.id
    return machine or (one.tags[0] if len(one.tags) == 1 else one.id)


def picked(found: Picked) -> None:
    """Select what was clicked in the drawing; a breaker is opened or closed."""
    objects = known.objects()
    if found.kind == "breaker" and len(found.tags) == 1:
        opened.switch(found.tags[0])
        return
    machines = [id for key in found.tags for id in _MACHINES.get(key, "").split()]
    for tag in (*found.tags, *machines):
        if tag in objects:
            selection.pick(tag)
            return
