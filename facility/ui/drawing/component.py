"""Interactive SVG drawing: scales to the page width, with zoom, pan and selection of shapes.

The browser receives an SVG document and a table of its shapes. Script and style are package files.
The document is parsed as XML and copied element by element, so that its text can never become
markup of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from facility.report.drawings.text import TEXT_MM

_NAME = "facility.drawing"
_HTML = "<div data-drawing></div>"
_TALL_PX = 440
_HINT = (
    "Wheel, pinch or + and −: zoom. Drag or arrows: pan. Shift and arrows: go to a shape, Enter: "
    "select it."
)
_FAR = "Overview: click a point or a name to zoom in. Wheel, pinch or +: zoom."


@dataclass(frozen=True)
class Pen:
    """A legend entry: a line, or a filled box if `fill` is a colour."""

    colour: str
    words: str
    dash: str = ""
    fill: str = ""


@dataclass(frozen=True)
class Head:
    """A caption that stays visible above the drawing, and the view it opens.

    `x` and `y` are the centre and `wide` the width of the view, in drawing units.
    """

    words: str
    title: str
    x: float
    y: float
    wide: float
    colour: str


@dataclass(frozen=True)
class DrawingShown:
    """Options of a displayed drawing.

    `name` identifies the drawing: the view is kept while it does not change. `ringed` and
    `selected` are ids of shapes, `text` is the letter height in drawing units. If `large` is set,
    shapes can be clicked at any zoom; `far` is the hint while they are too small to click.
    """

    name: str
    title: str
    paper: str
    ink: str
    ring: str
    text: float = TEXT_MM
    legend: Sequence[Pen] = ()
    heads: Sequence[Head] = ()
    ringed: Iterable[str] = ()
    selected: str = ""
    large: bool = False
    hint: str = _HINT
    far: str = _FAR
    height: int = _TALL_PX


def show_drawing(
    svg: str,
    marks: Mapping[str, tuple[str, str]],
    shown: DrawingShown,
    key: str,
    picked: Callable[[str], None],
) -> None:
    """Show a drawing.

    svg: The document, in drawing units.
    marks: Kind and description of each selectable shape, by id.
    shown: Options of the display.
    key: Key of the component.
    picked: Receives the id of the selected shape, one of `marks`.
    """

    def chosen() -> None:
        found = st.session_state[key].get("picked")
        if isinstance(found, str) and found in marks:
            picked(found)

    _component()(
        key=key,
        data={
            "svg": svg,
            "marks": {id: {"kind": kind, "words": words} for id, (kind, words) in marks.items()},
            **asdict(shown),
            "ringed": list(shown.ringed),
            "legend": [asdict(one) for one in shown.legend],
            "heads": [asdict(one) for one in shown.heads],
        },
        on_picked_change=chosen,
    )


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component(_NAME, html=_HTML, css="drawing.css", js="drawing.js")
