"""A hall with its racks coloured by a quantity, and the detail of one rack."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.rounding import argmax_within_rounding
from facility.core.views import System, show
from facility.files.io.file_names import safe_file_name
from facility.files.svg.hall import (
    HALL_DARK,
    HALL_LIGHT,
    HallPaint,
    elevation_svg,
    live_plan_svg,
    plan_id,
    plan_svg,
)
from facility.report.drawings.hall.elevation import CIRCUIT_HEADS, circuit_rows, elevation
from facility.report.drawings.hall.plan import HallPlan, hall_plan
from facility.report.drawings.hall.shades import Failure, Mode, shading
from facility.report.drawings.live.moments import LiveState
from facility.report.sheet.grid import TextTable
from facility.report.tables.states import case_name
from facility.report.why.pages import circuit_id, of_rack, trip_id
from facility.study.design.design import Design
from facility.study.design.rack_positions import HallLayout, RackPosition
from facility.ui import displays
from facility.ui.canvas import opened
from facility.ui.canvas.drawing import DrawingShown, show_drawing
from facility.ui.controls import download, one_listed, one_of, refused
from facility.ui.objects import selection
from facility.ui.session import cooling_study, outages, state
from facility.ui.work.ready import ready

_MODE_NAMES: dict[Mode, str] = {
    "power": "Power",
    "panels": "Feeds and panels",
    "inlet": "Inlet air",
    "spare": "Spare",
    "failure": "Failure",
}
Cause = Literal["power", "cooling"]
_CAUSE_NAMES: dict[Cause, str] = {"power": "Power", "cooling": "Cooling"}
_PICKED = "hall-picked"
_PLAN_PX, _RACK_PX = 430, 640
_HINT = "Click a rack to select it. Wheel, pinch or + and −: zoom. Drag or arrows: pan."


def _paint() -> HallPaint:
    return HALL_DARK if st.context.theme.type == "dark" else HALL_LIGHT


def _failure(design: Design, system: System) -> tuple[Failure, frozenset[str]] | None:
    """Show the selection of a failure; return its effect and the panels it de-energizes.

    None while the cooling failures are being simulated.
    """
    cause_box, case_box = st.columns([2, 4], vertical_alignment="bottom")
    with cause_box:
        cause = one_of("Failed system", _CAUSE_NAMES, "hall-cause")
    with case_box:
        if cause == "power":
            return _of_power(design)
        return _of_cooling() if ready("ride-through") else None


def _of_power(design: Design) -> tuple[Failure, frozenset[str]]:
    solver, known = outages.states()
    title = f"State ({len(known):,} available), plus equipment taken out of service"
    chosen = one_listed(title, known, "hall-state", lambda id: case_name(known[id]))
    live = outages.moment(chosen, opened.opened(), "settled")
    if live.opened:
        st.text(f"Out of service: {', '.join(live.opened)}")
    for error in live.refused:
        st.text(f"Not opened: {error}")
    network = solver.network
    dead = frozenset(one.tag for n, one in enumerate(network.equipment) if not live.flow.live[n, 0])
    total_w = {load.tag: load.kind.total_w for load in network.loads}
    return Failure(live.words, live.dropped, total_w=total_w), dead


def _of_cooling() -> tuple[Failure, frozenset[str]]:
    study = cooling_study.ride_through()
    titles = {found.case.id: found.case.title for found in study.cases}
    title = f"Cooling failure ({len(titles)} available)"
    chosen = one_listed(title, titles, "hall-ride", titles.__getitem__)
    return Failure(titles[chosen], ride=study[chosen]), frozenset()


def _plan(design: Design, plan: HallPlan, chosen: str) -> None:
    """Show the plan; a click selects a rack."""
    paint = _paint()
    marks = {plan_id(n): cell.words for n, cell in enumerate(plan.cells)}
    racks = {plan_id(n): cell.racks for n, cell in enumerate(plan.cells)}

    def picked(id: str) -> None:
        selection.pick(racks[id][0])
        st.session_state[_PICKED] = True

    shown = DrawingShown(
        name=plan.title,
        title=f"Hall plan: {plan.title}",
        legend=[(paint.fill(shade), shade.words) for shade in plan.legend],
        selected=next((id for id, names in racks.items() if chosen in names), ""),
        hint=_HINT,
        height=_PLAN_PX,
    )
    show_drawing(live_plan_svg(plan, paint), marks, shown, "hall-plan", picked)
    if st.session_state.pop(_PICKED, False):
        st.rerun()
    st.text("\n".join(plan.notes))
    name = safe_file_name(design.facility.identity.name)
    download(
        "Download hall plan (.svg)", f"{name}-hall-plan.svg", lambda: plan_svg(plan), "hall-svg"
    )


def _numbers(design: Design, rack: RackPosition, system: System) -> None:
    """Show rack power, inlet air temperature and its most loaded panel."""
    page = of_rack(rack)
    with st.container(horizontal=True):
        power = show(rack.kind.input_w, "active_power", system)
        peak = f"Peak {show(rack.kind.peak_w, 'active_power', system)}"
        displays.metric("Rack input power", power, peak, why="rack.input", page=page)
        for number, row in enumerate(design.room_air.racks, 1):
            if (row.name, row.hall) == (rack.kind.name, rack.kind.hall):
                worst, mean = (
                    show(value, "temperature", system) for value in (row.inlet_worst_c, row.inlet_c)
                )
                key = f"air.rack.{number}.inlet_worst"
                displays.metric("Inlet air, worst", worst, f"Mean {mean}", why=key)
        keys = [f"panel.{tag}.current_max" for tag in rack.panels]
        if keys:
            most_loaded = keys[argmax_within_rounding([design.trace.value(key) for key in keys])]
            current = show(design.trace.value(most_loaded), "current", system)
            limit = f"Limit {show(design.panels.limit_a, 'current', system)}, any state"
            displays.metric("Most loaded panel", current, limit, why=most_loaded)


def _rack(design: Design, rack: RackPosition, dead: frozenset[str], system: System) -> None:
    """Show one rack: key figures, elevation and circuits."""
    _numbers(design, rack, system)
    paint, found = _paint(), elevation(rack, dead, system)
    picture, table = st.columns([5, 4], gap="medium")
    with picture:
        shown = DrawingShown(
            name=f"Rack {rack.name}",
            title=f"Elevation of rack {rack.name}",
            legend=[
                (paint.lines.lines["live"], "Rack PDU, energized"),
                *([(paint.lines.lost, "Rack PDU, de-energized")] if dead else []),
            ],
            height=_RACK_PX,
        )
        show_drawing(elevation_svg(found, paint), {}, shown, "hall-elevation", lambda _: None)
    with table:
        st.markdown("#### Rack circuits")
        rows = list(circuit_rows(rack, system))
        keys = [
            {"Load": circuit_id(circuit), "Breaker": trip_id(circuit)}
            for _, circuit in rack.circuits
        ]
        circuits = TextTable("", CIRCUIT_HEADS, rows, keys=keys)
        displays.table(circuits, "rack-circuits", of_rack(rack))
        st.text(f"Panels: {', '.join(rack.panels) or 'none'}. Load: normal state.")
        name = f"{safe_file_name(rack.name)}-elevation.svg"
        download("Download rack elevation (.svg)", name, lambda: elevation_svg(found), "rack-svg")


@st.fragment
def show_plan(design: Design, layout: HallLayout, chosen: str) -> None:
    """Show a hall with its racks coloured by a quantity; a click selects a rack.

    chosen: Name of the selected rack; empty if none is.
    """
    system, mode = state.unit_system(), one_of("Colour racks by", _MODE_NAMES, "hall-mode")
    failure = Failure()
    if mode == "failure":
        try:
            found = _failure(design, system)
        except FacilityError as error:
            refused("Failure not simulated", error)
            return
        if found is None:
            return
        failure, _ = found
    colours = shading(mode, design, layout.racks, failure, system)
    parts = (design.facility.identity.name, layout.hall.name, _MODE_NAMES[mode])
    plan = hall_plan(layout, colours, " · ".join(part for part in parts if part), system)
    _plan(design, plan, chosen)


def show_rack(design: Design, rack: RackPosition, live: LiveState) -> None:
    """Show one rack in the state of the power network: key figures, elevation and circuits."""
    network = design.states.network
    dead = frozenset(one.tag for n, one in enumerate(network.equipment) if not live.flow.live[n, 0])
    _rack(design, rack, dead, state.unit_system())
