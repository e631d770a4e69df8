"""The canvas: one drawing of a design with several views, drawn in the browser from one state.

The browser receives scenes as lists of shapes, and detailed drawings as SVG documents that it
copies element by element; texts never become markup. Colours are variables of its style, so that
a change of theme needs no rerun. Script and style are package files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import streamlit as st

from facility.report.drawings.overview.numbers import StateNumber
from facility.report.drawings.overview.parts import (
    Circle,
    Layouts,
    OverviewScene,
    Rect,
    Role,
    Shape,
    Stroke,
)
from facility.ui.browser import component

ViewId = Literal["one-line", "hall-plan", "loops"]
PickedKind = Literal["equipment", "breaker", "racks", "rack", "machine"]
_NAME = "facility.canvas"
_HTML = "<div data-canvas></div>"
BARS_PX = 290
"""Window height not available to the drawing: bars above it and the legend below."""


@dataclass(frozen=True)
class LegendEntry:
    """Legend entry: a box, a line, a dashed line or a cross in the colour of a role.

    `colour` is a colour of a drawing that has its own, instead of the role.
    """

    kind: Literal["box", "line", "dashed", "cross"]
    role: Role
    words: str
    colour: str = ""


@dataclass(frozen=True)
class Picked:
    """Selected object: its tags, the one shown first, and what it is.

    `breaker` has the tags of its circuits, `racks` those of the panels that feed them, `machine`
    the key of the result that explains it.
    """

    kind: PickedKind
    tags: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True)
class DetailDrawing:
    """Detailed drawing of a view as an SVG document with its selectable shapes, by id.

    `letter` is the height of its letters in its units. Colours are `var(--name)` of the style.
    """

    svg: str
    marks: Mapping[str, Picked]
    letter: float
    title: str = ""


@dataclass(frozen=True)
class CanvasView:
    """One view of the design.

    layouts: Its overview for a screen and a phone; None until it is shown, see `on_viewed`. A view
        without an overview has only its `detail`.
    kind: What its shapes select.
    marked: Tags of what belongs to the selection, such as the racks that a UPS feeds.
    detailed: Whether zooming in leads to a detailed drawing.
    detail: That drawing; None until it is needed, see `on_detailed`.
    """

    id: ViewId
    title: str
    layouts: Layouts | None
    kind: PickedKind = "equipment"
    hint: str = ""
    legend: Sequence[LegendEntry] = ()
    note: str = ""
    marked: Sequence[str] = ()
    detailed: bool = False
    detail: DetailDrawing | None = None


@dataclass(frozen=True)
class Canvas:
    """State of the canvas.

    name: Zoom is kept while the name stays, usually that of the project.
    view: Id of the shown view.
    selected: Tag of the selected object; empty if none.
    caption: State that the numbers belong to, for screen readers.
    opened: Tags out of service by hand, drawn with a ring.
    bars_px: Height of the window that is not the drawing.
    numbers: Numbers of the state, in a strip above the drawing.
    """

    name: str
    views: Sequence[CanvasView]
    view: ViewId
    selected: str = ""
    caption: str = ""
    opened: Sequence[str] = ()
    bars_px: int = BARS_PX
    numbers: Sequence[StateNumber] = ()


def _nothing(*_: object) -> None:
    """Ignore an event."""


@dataclass(frozen=True)
class CanvasEvents:
    """Receivers of canvas events; each runs before the rerun.

    picked: A click or Enter on an object: select it and show its inspector.
    viewed: Another view is shown; the rerun sends its `layouts`.
    detailed: The detailed drawing is needed around the object with this tag (may be empty).
    stepped: -1 for the state before, 1 for the state after.
    found: The search is requested.
    asked: A number of the strip is to be explained, by its key.
    """

    picked: Callable[[Picked], None] = _nothing
    viewed: Callable[[ViewId], None] = _nothing
    detailed: Callable[[str], None] = _nothing
    stepped: Callable[[int], None] = _nothing
    found: Callable[[], None] = _nothing
    asked: Callable[[str], None] = _nothing


def show_canvas(canvas: Canvas, events: CanvasEvents, key: str = "canvas") -> None:
    """Show the canvas.

    Zoom, pan and keyboard focus live in the browser and survive reruns. Everything else is
    `canvas`: a rerun with another state redraws it. Call it inside `st.fragment` to rerun only the
    canvas and what depends on it.

    canvas: What is shown.
    events: Receivers of selection and requests. What the browser sends is checked against
        `canvas`; anything else is ignored.
    key: Key of the component; one canvas per key.
    """

    def heard(name: str) -> Callable[[], None]:
        return lambda: hear(canvas, events, name, st.session_state[key].get(name))

    component(_NAME, _HTML, css="canvas.css", js="canvas.js")(
        key=key,
        data=_data(canvas),
        on_picked_change=heard("picked"),
        on_viewed_change=heard("viewed"),
        on_detailed_change=heard("detailed"),
        on_stepped_change=heard("stepped"),
        on_found_change=heard("found"),
        on_asked_change=heard("asked"),
    )


def hear(canvas: Canvas, events: CanvasEvents, name: str, sent: object) -> None:
    """Pass on what the browser sent for an event, if `canvas` has it."""
    picks, word = dict(_picks(canvas)), sent if isinstance(sent, str) else ""
    if name == "picked" and word in picks:
        events.picked(picks[word])
    elif name == "viewed":
        for view in canvas.views:
            if view.id == word:
                events.viewed(view.id)
    elif name == "detailed" and isinstance(sent, str):
        events.detailed(word if any(word in one.tags for one in picks.values()) else "")
    elif name == "stepped" and sent in (-1, 1):
        events.stepped(1 if sent == 1 else -1)
    elif name == "found" and sent is True:
        events.found()
    elif name == "asked" and word and word in [one.key for one in canvas.numbers]:
        events.asked(word)


def _picks(canvas: Canvas) -> list[tuple[str, Picked]]:
    """Return the selection of each id of the browser: scene areas by tag, shapes of drawings."""
    found = []
    for view in canvas.views:
        if view.layouts is not None:
            for scene in (view.layouts.wide, view.layouts.narrow):
                found += [
                    (f"t:{one.tags[0]}", Picked(view.kind, one.tags, one.words))
                    for one in scene.targets
                ]
        if view.detail is not None:
            found += [(f"m:{id}", mark) for id, mark in view.detail.marks.items()]
    return found


def _data(canvas: Canvas) -> dict[str, object]:
    return {
        "name": canvas.name,
        "view": canvas.view,
        "selected": canvas.selected,
        "caption": canvas.caption,
        "opened": list(canvas.opened),
        "bars": canvas.bars_px,
        "numbers": [asdict(one) for one in canvas.numbers],
        "views": [_view(view) for view in canvas.views],
    }


def _view(view: CanvasView) -> dict[str, object]:
    detail = view.detail
    layouts = view.layouts
    return {
        "id": view.id,
        "title": view.title,
        "hint": view.hint,
        "note": view.note,
        "legend": [asdict(one) for one in view.legend],
        "marked": list(view.marked),
        "detailed": view.detailed,
        "layouts": layouts and {"wide": _scene(layouts.wide), "narrow": _scene(layouts.narrow)},
        "detail": detail
        and {
            "svg": detail.svg,
            "letter": detail.letter,
            "title": detail.title,
            "marks": {
                id: {"tags": list(one.tags), "words": one.words} for id, one in detail.marks.items()
            },
        },
    }


def _scene(scene: OverviewScene) -> dict[str, object]:
    return {
        "width": scene.width,
        "height": scene.height,
        "shapes": [_shape(one) for one in scene.shapes],
        "targets": [
            [list(one.tags), one.x, one.y, one.wide, one.high, one.words, one.band]
            for one in scene.targets
        ],
    }


def _shape(one: Shape) -> list[object]:
    """Return a shape as a short list, numbers rounded to a tenth of a pixel."""
    if isinstance(one, Stroke):
        points = [round(value, 1) for point in one.points for value in point]
        return ["line", points, one.role, one.width, one.dashed]
    if isinstance(one, Rect):
        size = [round(value, 1) for value in (one.x, one.y, one.wide, one.high)]
        return ["box", *size, one.fill, one.stroke, one.radius, one.width]
    if isinstance(one, Circle):
        size = [round(value, 1) for value in (one.x, one.y, one.radius)]
        return ["circle", *size, one.fill, one.stroke, one.width]
    x, y = round(one.x, 1), round(one.y, 1)
    return ["text", one.text, x, y, one.size, one.role, one.anchor, one.bold, one.near]
