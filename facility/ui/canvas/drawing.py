"""One SVG drawing in the canvas: zoom, pan and selection, without an overview."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from facility.report.drawings.text import TEXT_MM
from facility.ui.canvas.component import (
    Canvas,
    CanvasEvents,
    CanvasView,
    DetailDrawing,
    LegendEntry,
    Picked,
    show_canvas,
)


@dataclass(frozen=True)
class DrawingShown:
    """Options of a displayed drawing.

    `name` identifies the drawing: the view is kept while it does not change. `legend` has pairs of
    colour and words, `selected` is the id of a shape, `height` the largest height in pixels.
    """

    name: str
    title: str
    legend: Sequence[tuple[str, str]] = ()
    selected: str = ""
    hint: str = "Wheel, pinch or + and −: zoom. Drag: pan."
    height: int = 440


def show_drawing(
    svg: str, marks: Mapping[str, str], shown: DrawingShown, key: str, picked: Callable[[str], None]
) -> None:
    """Show a drawing.

    svg: The document, in drawing units.
    marks: Description of each selectable shape, by id.
    shown: Options of the display.
    key: Key of the component.
    picked: Receives the id of the selected shape, one of `marks`.
    """
    picks = {id: Picked("equipment", (id,), words) for id, words in marks.items()}
    view = CanvasView(
        "hall-plan",
        shown.title,
        None,
        hint=shown.hint,
        legend=[LegendEntry("box", "ink", words, colour) for colour, words in shown.legend],
        detail=DetailDrawing(svg, picks, TEXT_MM),
    )
    canvas = Canvas(shown.name, (view,), view.id, shown.selected, tall_px=shown.height)
    show_canvas(canvas, CanvasEvents(picked=lambda found: picked(found.tags[0])), key)
