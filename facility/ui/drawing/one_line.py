"""The one-line diagram alive: a breaker that is clicked opens, and the state is solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from facility.files.svg.one_line import PAGE_MM, live_svg
from facility.files.svg.shapes import DASHES, Paint
from facility.report.drawings.live.marks import Mark, marks_of
from facility.report.drawings.live.moments import LiveState
from facility.report.drawings.one_line.parts import Drawing, Symbol
from facility.report.drawings.one_line.status import STATUS_WORDS, worst_of
from facility.report.drawings.text import TEXT_MM
from facility.ui.charts.palette import page_paint
from facility.ui.drawing.component import DrawingShown, Head, Pen, show_drawing

_BEHIND_UPS = ("ups", "ups-output", "sts", "pdu", "panel", "busway")
_LOOK_MM = 110.0
_LEAST_HEADS = 2
_WIDE_PX, _LEAST_PX, _MOST_PX = 940, 440, 640


def show_one_line(
    drawing: Drawing, live: LiveState, selected: tuple[str, ...], picked: Callable[[Mark], None]
) -> None:
    """Show the diagram in one piece; `picked` is told what a shape that was chosen stands for."""
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
    """Show one sheet of the diagram, in its frame with the title block."""
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
        text=TEXT_MM,
        legend=tuple(_legend(paint)),
        heads=heads,
        height=min(
            max(_LEAST_PX, round(_WIDE_PX * drawing.height_mm / drawing.width_mm)), _MOST_PX
        ),
        ringed=[id for id, mark in marks.items() if opened.intersection(mark.tags)],
        selected=next((id for id, mark in marks.items() if mark.tags == selected), ""),
    )
    table = {id: (mark.kind, mark.words) for id, mark in marks.items()}
    show_drawing(svg, table, shown, "one-line", lambda id: picked(marks[id]))


def _legend(paint: Paint) -> Iterator[Pen]:
    for status, words in STATUS_WORDS.items():
        yield Pen(paint.lines[status], words, DASHES.get(status, ""))
    yield Pen(paint.lost, "racks dropped", fill=paint.lost)


def _heads(drawing: Drawing, paint: Paint) -> Iterator[Head]:
    """Yield a caption for each UPS, in the colour of the worst that hangs on it."""
    units = sorted((one for one in drawing.symbols if one.kind == "ups"), key=lambda s: s.x_mm)
    if len(units) < _LEAST_HEADS:
        return
    middles = [(a.x_mm + b.x_mm) / 2.0 for a, b in pairwise(units)]
    ends = [0.0, *middles, drawing.width_mm]
    for n, one in enumerate(units):
        left, right = ends[n], ends[n + 1]
        below = [s for s in drawing.symbols if s.kind in _BEHIND_UPS and left <= s.x_mm < right]
        dropped = sum(r.dropped for r in drawing.racks if left <= r.x_mm < right)
        yield _head(one, below, dropped, paint)


def _head(one: Symbol, below: list[Symbol], dropped: int, paint: Paint) -> Head:
    tag = one.members[0]
    status = worst_of(symbol.status for symbol in below)
    words = f"{tag}: {STATUS_WORDS[status]}{f', {dropped:,} racks dropped' if dropped else ''}"
    colour = paint.lost if dropped else paint.lines[status]
    return Head(tag.removeprefix("UPS-"), words, one.x_mm, one.y_mm, _LOOK_MM, colour)
