"""The hall plan coloured by a quantity instead of the state of the power network."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from facility.files.svg.hall import HALL_DARK, HALL_LIGHT, live_plan_svg, plan_id
from facility.report.drawings.hall.plan import HallPlan, hall_plan
from facility.report.drawings.hall.shades import failure_shading, shading
from facility.report.drawings.text import TEXT_MM
from facility.study.design.design import Design
from facility.study.design.rack_positions import HallLayout
from facility.ui.canvas.component import CanvasView, DetailDrawing, LegendEntry, Picked
from facility.ui.controls import one_listed, one_of
from facility.ui.session import cooling_study, state
from facility.ui.work.ready import ready

Quantity = Literal["state", "power", "panels", "inlet", "spare", "failure"]
_QUANTITIES: dict[Quantity, str] = {
    "state": "State",
    "power": "Power",
    "panels": "Feeds and panels",
    "inlet": "Inlet air",
    "spare": "Spare",
    "failure": "Cooling failure",
}


def chosen_plan(design: Design, layout: HallLayout) -> HallPlan | None:
    """Show the choice of the quantity; return the plan, or None for the state of the network."""
    quantity = one_of("Colour racks by", _QUANTITIES, "hall-mode")
    system = state.unit_system()
    if quantity == "state":
        return None
    if quantity != "failure":
        colours = shading(quantity, design, layout.racks, system)
    elif not ready("ride-through"):
        return None
    else:
        study = cooling_study.ride_through()
        titles = {found.case.id: found.case.title for found in study.cases}
        title = f"Cooling failure ({len(titles)} available)"
        case = one_listed(title, titles, "hall-ride", titles.__getitem__)
        colours = failure_shading(layout.racks, study[case])
    parts = (design.facility.identity.name, layout.hall.name, _QUANTITIES[quantity])
    return hall_plan(layout, colours, " · ".join(part for part in parts if part), system)


def plan_view(plan: HallPlan) -> CanvasView:
    """Return a plan as the hall plan of the canvas."""
    paint = HALL_DARK if st.context.theme.type == "dark" else HALL_LIGHT
    marks = {
        plan_id(n): Picked("rack", cell.racks, cell.words) for n, cell in enumerate(plan.cells)
    }
    return CanvasView(
        "hall-plan",
        "Hall plan",
        None,
        "rack",
        hint="Click a rack to select it",
        legend=[LegendEntry("box", "ink", one.words, paint.fill(one)) for one in plan.legend],
        detail=DetailDrawing(live_plan_svg(plan, paint), marks, TEXT_MM, plan.title),
    )
