"""The three views of a design in one state: one-line, hall plan and cooling loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from facility.core.views import System
from facility.files.svg.shapes import Paint
from facility.files.svg.sheets import live_svg
from facility.report.drawings.live.marks import marks_of
from facility.report.drawings.live.moments import Instant, LiveState
from facility.report.drawings.loops.diagram import loop_drawing
from facility.report.drawings.one_line.parts import Drawing
from facility.report.drawings.overview.hall_scenes import hall_scene, hall_tiles
from facility.report.drawings.overview.halls import hall_rows
from facility.report.drawings.overview.lineups import power_overview
from facility.report.drawings.overview.loop_scenes import loop_scene, loop_tiles
from facility.report.drawings.overview.merge import bounded
from facility.report.drawings.overview.numbers import StateNumber, hour_numbers
from facility.report.drawings.overview.parts import Layouts
from facility.report.drawings.overview.power_narrow import power_tiles
from facility.report.drawings.overview.power_wide import power_scene
from facility.report.drawings.overview.related import Related
from facility.report.drawings.text import TEXT_MM
from facility.study.cooling_hour import CoolingHour
from facility.study.design.design import Design
from facility.ui.canvas.component import (
    Canvas,
    CanvasView,
    DetailDrawing,
    LegendEntry,
    Picked,
    ViewId,
)
from facility.ui.session import outages, state
from facility.ui.session.state import of_design

_DETAIL = "canvas-detail"
MAX_DETAIL = 300_000
"""Largest detailed drawing that is sent whole [characters]; above, the sheet with the object."""
_PAINT = Paint(
    "var(--bg)",
    "var(--ink)",
    "var(--over)",
    {
        "live": "var(--ink-2)",
        "standby": "var(--accent)",
        "open": "var(--line-3)",
        "battery": "var(--battery)",
        "bypass": "var(--bypass)",
        "overloaded": "var(--tight)",
        "dead": "var(--off)",
        "out": "var(--over)",
    },
)
_MARGINS = (
    LegendEntry("box", "ok-fill", "15 % margin or more"),
    LegendEntry("box", "tight-fill", "under 15 %"),
    LegendEntry("box", "over-fill", "over the limit"),
)
_LEGENDS: dict[ViewId, tuple[LegendEntry, ...]] = {
    "one-line": (*_MARGINS, LegendEntry("dashed", "line-3", "without voltage")),
    "hall-plan": (*_MARGINS, LegendEntry("cross", "over", "without power")),
    "loops": (
        LegendEntry("line", "warm", "warm"),
        LegendEntry("line", "cold", "cold"),
        LegendEntry("dashed", "ink-3", "air"),
    ),
}
_TITLES: dict[ViewId, str] = {
    "one-line": "One-line",
    "hall-plan": "Hall plan",
    "loops": "Cooling loops",
}
_HINTS: dict[ViewId, str] = {
    "one-line": "Overview; zoom in for names, ratings and cables",
    "hall-plan": "Zoom in to display rack names",
    "loops": "Select a machine to display its values",
}


@dataclass(frozen=True)
class ShownState:
    """State that a canvas shows: an outage with further devices out, its moment, and the hour.

    `case` is the id of the outage and `opened` what is out of service in addition; `caption` names
    both, `numbers` are those of the moment.
    """

    case: str
    opened: tuple[str, ...]
    instant: Instant
    live: LiveState
    hour: CoolingHour
    caption: str
    numbers: tuple[StateNumber, ...]


def design_canvas(
    design: Design,
    shown: ShownState,
    selected: str,
    view: ViewId,
    instead: CanvasView | None = None,
) -> Canvas:
    """Return the canvas of a design in a state.

    selected: Tag of the selected object: equipment, a rack, a hall, or the key of the result that
        explains a machine of the loops. Empty if none.
    view: The shown view; only its content is sent. Keep it in the session with `on_viewed`.
    instead: Drawing in place of the shown view.
    """
    system = state.unit_system()
    loops = partial(loop_drawing, design, shown.hour, system)
    related = _related().of(selected) if selected else ()
    layouts: dict[ViewId, Callable[[], Layouts]] = {
        "one-line": lambda: _power(shown.case, shown.opened, shown.instant, system),
        "hall-plan": lambda: _halls(shown.case, shown.opened, shown.instant, system),
        "loops": lambda: Layouts(loop_scene(loops()), loop_tiles(loops())),
    }
    detail = _detail(shown, selected) if view == "one-line" else None
    views = tuple(
        CanvasView(
            id,
            title,
            layouts[id]() if id == view else None,
            {"one-line": "equipment", "hall-plan": "rack", "loops": "machine"}[id],  # type: ignore[arg-type]
            hint=_HINTS[id],
            legend=_LEGENDS[id],
            note="Duty units: chillers in % of capacity, CDUs of rated flow, towers of design heat"
            if id == "loops"
            else "Schematic, loadings in % of rating",
            marked=related if id != "loops" else (),
            detailed=id == "one-line",
            detail=detail if id == "one-line" else None,
        )
        for id, title in _TITLES.items()
    )
    if instead is not None:
        views = tuple(instead if one.id == instead.id else one for one in views)
    name = design.facility.identity.name
    numbers = shown.numbers
    if view == "loops":
        numbers = tuple(hour_numbers(shown.hour, design.facility.criteria, system))
    return Canvas(name, views, view, selected, shown.caption, shown.opened, numbers=numbers)


def want_detail(tag: str) -> None:
    """Send the detailed one-line diagram from now on, around the equipment `tag`."""
    st.session_state[_DETAIL] = tag


def _detail(shown: ShownState, selected: str) -> DetailDrawing | None:
    """Return the detailed drawing, or its sheet with the wanted object; None until it is wanted."""
    wanted = st.session_state.get(_DETAIL)
    if wanted is None:
        return None
    args = shown.case, shown.opened, shown.instant
    (drawing,) = outages.drawings(*args, "grouped", False)
    whole = _document(drawing, shown.live)
    if len(whole.svg) <= MAX_DETAIL:
        return whole
    sheets = outages.drawings(*args, "grouped", True)
    tag = wanted or selected
    for sheet in sheets:
        if any(tag in symbol.members and not symbol.reference for symbol in sheet.symbols):
            return _document(sheet, shown.live)
    return _document(sheets[0], shown.live)


def _document(drawing: Drawing, live: LiveState) -> DetailDrawing:
    drawing = outages.hall_loads().drawn(drawing, live.flow)
    marks = {id: Picked(mark.kind, mark.tags, mark.words) for id, mark in marks_of(drawing).items()}
    title = drawing.title
    drawing = replace(drawing, title="")
    return DetailDrawing(live_svg(drawing, _PAINT), marks, TEXT_MM, title)


@of_design()
def _related(design: Design) -> Related:
    return Related(design.states.network)


@of_design()
def _power(
    design: Design, case: str, opened: tuple[str, ...], instant: Instant, system: System
) -> Layouts:
    live = outages.moment(case, opened, instant)
    found = bounded(power_overview(live, design.states.network, system))
    return Layouts(power_scene(found, system), power_tiles(found, system))


@of_design()
def _halls(
    design: Design, case: str, opened: tuple[str, ...], instant: Instant, system: System
) -> Layouts:
    live = outages.moment(case, opened, instant)
    halls = hall_rows(outages.halls(), live, design.states.network)
    return Layouts(hall_scene(halls, system), hall_tiles(halls, system))
