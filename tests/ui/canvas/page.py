"""A page with the canvas of a small design and a plain drawing, for the browser tests."""

import streamlit as st

from facility.files.project.file import example_text, parse_project
from facility.files.svg.shapes import LIGHT
from facility.files.svg.sheets import live_svg
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case
from facility.report.drawings.live.marks import marks_of
from facility.report.drawings.live.moments import live_state
from facility.report.drawings.live.racks import HallLoads
from facility.report.drawings.one_line.diagram import draw, lay_out
from facility.report.drawings.one_line.state import find_case
from facility.report.drawings.overview.hall_scenes import hall_scene, hall_tiles
from facility.report.drawings.overview.halls import hall_rows
from facility.report.drawings.overview.lineups import power_overview
from facility.report.drawings.overview.numbers import state_numbers
from facility.report.drawings.overview.parts import Layouts
from facility.report.drawings.overview.power_narrow import power_tiles
from facility.report.drawings.overview.power_wide import power_scene
from facility.report.drawings.text import TEXT_MM
from facility.study.design.design import Design, design
from facility.study.design.rack_positions import hall_layouts
from facility.ui.canvas.component import (
    Canvas,
    CanvasEvents,
    CanvasView,
    DetailDrawing,
    LegendEntry,
    Picked,
    show_canvas,
)

STATES = ("normal", "loss of LVB-A", "loss of utility")


@st.cache_resource
def small() -> Design:
    return design(parse_project(example_text("nvl72-hall")))


state = st.session_state
of = small()
network = of.states.network
number = state.setdefault("state", 0)
case = find_case(network, STATES[number]) if number else Case(Outage("normal"), "normal")
live = live_state(of.states, HallLoads(network), case, ())
power = power_overview(live, network)
halls = hall_rows(hall_layouts(of), live, network)
(drawing,) = draw(lay_out(network), live.flow, outage=live.drawn, title="detail")
marks = {id: Picked(one.kind, one.tags, one.words) for id, one in marks_of(drawing).items()}
detail = DetailDrawing(live_svg(drawing, LIGHT), marks, 2.95)
view = state.setdefault("view", "one-line")
views = (
    CanvasView(
        "one-line",
        "One-line",
        Layouts(power_scene(power), power_tiles(power)),
        hint="Overview",
        detailed=True,
        detail=detail if state.get("detail") else None,
    ),
    CanvasView(
        "hall-plan",
        "Hall plan",
        Layouts(hall_scene(halls), hall_tiles(halls)) if view == "hall-plan" else None,
        kind="rack",
        hint="Racks",
    ),
)


def keep(name: str, value: object) -> None:
    state[name] = value


def step(by: int) -> None:
    state["state"] = (state["state"] + by) % len(STATES)


show_canvas(
    Canvas(
        "small",
        views,
        view,
        state.get("picked", ""),
        STATES[number],
        numbers=tuple(state_numbers(live, network)),
    ),
    CanvasEvents(
        picked=lambda found: keep("picked", found.tags[0]),
        viewed=lambda id: keep("view", id),
        detailed=lambda tag: keep("detail", tag),
        stepped=step,
        found=lambda: keep("found", True),
        asked=lambda key: keep("asked", key),
    ),
)
for name in ("picked", "view", "detail", "found", "asked"):
    st.text(f"{name} is {state.get(name)}")
st.text(f"state is {STATES[state['state']]}")
if st.query_params.get("plain"):
    marks = {id: Picked("equipment", (id,), one.words) for id, one in marks_of(drawing).items()}
    plain = CanvasView(
        "hall-plan",
        "Plain drawing",
        None,
        legend=[LegendEntry("box", "ink", "Something", "#123456")],
        detail=DetailDrawing(live_svg(drawing, LIGHT), marks, TEXT_MM),
    )
    show_canvas(
        Canvas("plain", (plain,), plain.id),
        CanvasEvents(picked=lambda found: keep("plain", found.tags[0])),
        "plain",
    )
    st.text(f"plain is {state.get('plain')}")
