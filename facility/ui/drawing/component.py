"""A drawing that fits the page at any width, is zoomed and moved, and whose shapes can be chosen.

The browser is given an SVG document and a table of what its shapes stand for. Script and style are
files of the package; the document is parsed as XML and copied element by element, so that no text
in it can become markup of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

_NAME = "facility.drawing"
_HTML = "<div data-drawing></div>"
_TALL_PX = 440
_HINT = (
    "Wheel, pinch or + and −: zoom. Drag or arrows: move. Shift and arrows: go to a shape, Enter "
    "takes it."
)
_FAR = "All of it: click where you want to come closer, or a name. Wheel, pinch or +: zoom."


@dataclass(frozen=True)
class Pen:
    """An entry of the legend: a line, or a filled box where `fill` is a colour."""

    colour: str
    words: str
    dash: str = ""
    fill: str = ""


@dataclass(frozen=True)
class Head:
    """A caption above the drawing that stays in sight, and what it leads to.

    `x` and `y` are the middle of what is looked at, `wide` is how much of the drawing, in its
    units.
    """

    words: str
    title: str
    x: float
    y: float
    wide: float
    colour: str


@dataclass(frozen=True)
class DrawingShown:
    """What is shown around a drawing.

    `name` tells drawings apart: while it stays, so does what of it is looked at. `ringed` and
    `selected` are ids of shapes, `text` is the height of its letters in its units. Where `large` is
    set its shapes can be hit at any zoom; `far` is the hint where they are too small to be hit.
    """

    name: str
    title: str
    paper: str
    ink: str
    ring: str
    text: float
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

    svg: The document, in units of its own.
    marks: Id of each shape that can be chosen to its kind and what it is in words.
    shown: What stands around it.
    key: Key of the component.
    picked: Told the id of a shape that was chosen, which is one of `marks`.
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
