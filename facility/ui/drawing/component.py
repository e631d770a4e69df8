"""Interactive SVG drawing: scales to the page width, with zoom, pan and selection of shapes.

The browser receives an SVG document and a table of its shapes. Script and style are package files.
The document is parsed as XML and copied element by element, so that its text can never become
markup of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from facility.files.svg.shapes import DASHES, Paint
from facility.files.svg.sheets import PAGE_MM, live_svg
from facility.report.drawings.live.marks import Mark, marks_of
from facility.report.drawings.live.moments import LiveState
from facility.report.drawings.one_line.parts import Drawing, Symbol
from facility.report.drawings.one_line.status import STATUS_WORDS, worst_of
from facility.report.drawings.text import TEXT_MM, sentence
from facility.ui.theme import page_paint

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


_DOWNSTREAM_OF_UPS = ("ups", "ups-output", "sts", "pdu", "panel", "busway")
_LOOK_MM = 110.0
_MIN_HEADS = 2
_WIDE_PX, _MIN_PX, _MAX_PX = 940, 440, 640


def show_one_line(
    drawing: Drawing, live: LiveState, selected: tuple[str, ...], picked: Callable[[Mark], None]
) -> None:
    """Show the overview diagram; `picked` receives the mark of a selected shape."""
    paint = page_paint()
    heads = tuple(_heads(drawing, paint))
    _show(live_svg(drawing, paint), drawing, live, selected, picked, heads)


def show_sheet(
    document: str,
    drawing: Drawing,
    live: LiveState,
    selected: tuple[str, ...],
    picked: Callable[[Mark], None],
) -> None:
    """Show one sheet of the diagram, with its frame and title block."""
    _show(document, drawing, live, selected, picked, ())


def _show(
    svg: str,
    drawing: Drawing,
    live: LiveState,
    selected: tuple[str, ...],
    picked: Callable[[Mark], None],
    heads: tuple[Head, ...],
) -> None:
    marks, paint = marks_of(drawing), page_paint()
    opened = set(live.opened)
    shown = DrawingShown(
        name="one-line" if heads or drawing.width_mm > PAGE_MM[0] else drawing.title,
        title=f"One-line diagram. {drawing.title}",
        paper=paint.paper,
        ink=paint.text,
        ring=paint.lost,
        legend=tuple(_legend(paint)),
        heads=heads,
        height=min(max(_MIN_PX, round(_WIDE_PX * drawing.height_mm / drawing.width_mm)), _MAX_PX),
        ringed=[id for id, mark in marks.items() if opened.intersection(mark.tags)],
        selected=next((id for id, mark in marks.items() if mark.tags == selected), ""),
    )
    table = {id: (mark.kind, mark.words) for id, mark in marks.items()}
    show_drawing(svg, table, shown, "one-line", lambda id: picked(marks[id]))


def _legend(paint: Paint) -> Iterator[Pen]:
    for status, words in STATUS_WORDS.items():
        yield Pen(paint.lines[status], sentence(words), DASHES.get(status, ""))
    yield Pen(paint.lost, "Racks dropped", fill=paint.lost)


def _heads(drawing: Drawing, paint: Paint) -> Iterator[Head]:
    """Yield a caption for each UPS, in the colour of the worst status downstream."""
    units = sorted((one for one in drawing.symbols if one.kind == "ups"), key=lambda s: s.x_mm)
    if len(units) < _MIN_HEADS:
        return
    middles = [(a.x_mm + b.x_mm) / 2.0 for a, b in pairwise(units)]
    ends = [0.0, *middles, drawing.width_mm]
    for n, one in enumerate(units):
        left, right = ends[n], ends[n + 1]
        below = [
            s for s in drawing.symbols if s.kind in _DOWNSTREAM_OF_UPS and left <= s.x_mm < right
        ]
        dropped = sum(r.dropped for r in drawing.racks if left <= r.x_mm < right)
        yield _head(one, below, dropped, paint)


def _head(one: Symbol, below: list[Symbol], dropped: int, paint: Paint) -> Head:
    tag = one.members[0]
    status = worst_of(symbol.status for symbol in below)
    words = f"{tag}: {STATUS_WORDS[status]}{f', {dropped:,} racks dropped' if dropped else ''}"
    colour = paint.lost if dropped else paint.lines[status]
    return Head(tag.removeprefix("UPS-"), words, one.x_mm, one.y_mm, _LOOK_MM, colour)
