"""Cooling overview: the loop diagram of an hour, legible on a screen and a phone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from facility.report.drawings.loops.diagram import Box as LoopBox
from facility.report.drawings.loops.diagram import LoopDrawing, Pipe, Word
from facility.report.drawings.overview.parts import (
    NAME_PX,
    REMARK_PX,
    Circle,
    HitArea,
    OverviewScene,
    Rect,
    Role,
    Shape,
    Stroke,
    Words,
    fit,
    width_of,
)
from facility.report.tables.summary import LOOP_NAMES

WIDE_PX, NARROW_PX = 812.0, 358.0
_UNIT_PX, _BOX_PX, _SIDE_PX = 4.0, 136.0, 2.0
_GAPS_PX = (86.0, 106.0, 72.0)
_LINE_PX, _INSET_PX = 15.5, 9.0
_CARD_GAP = 8.0


def loop_scene(drawing: LoopDrawing) -> OverviewScene:
    """Return the loops for a screen, from the racks at the left to the outdoors."""
    across = _Across(drawing)
    top = min((box.y_mm for box in drawing.boxes), default=0.0)

    def down(y_mm: float) -> float:
        return (y_mm - top) * _UNIT_PX + 16.0

    shapes: list[Shape] = []
    targets: list[HitArea] = []
    for pipe in drawing.pipes:
        shapes += _pipe(pipe, [(across.at(x), down(y)) for x, y in pipe.points_mm])
    for mover in drawing.movers:
        role: Role = "warm" if mover.side == "warm" else "cold"
        x, y = across.at(mover.x_mm), down(mover.y_mm)
        shapes.append(Circle(x, y, 6.0, "bg", role))
        way = 4.0 if mover.to_right else -4.0
        head = ((x + way, y), (x - way, y - 4.0), (x - way, y + 4.0), (x + way, y))
        shapes.append(Stroke(head, role))
        wide = across.at(mover.right_mm) - x
        area = x - 10.0, y - 64.0, wide + 6.0, 104.0
        targets.append(HitArea((f"LOOP-{mover.loop}",), *area, LOOP_NAMES[mover.loop]))
    for word in drawing.words:
        ink: Role = "over" if word.tone == "alarm" else "ink" if word.tone == "bold" else "ink-2"
        at = across.at(word.x_mm), down(word.y_mm)
        shapes.append(Words(word.text, *at, REMARK_PX, ink, word.anchor, word.tone != "plain"))
    for box in drawing.boxes:
        x, y = across.at(box.x_mm), down(box.y_mm)
        shapes += _card(box, x, y, _BOX_PX, box.height_mm * _UNIT_PX)
        targets.append(_target(box, x, y, _BOX_PX, box.height_mm * _UNIT_PX))
    height = max((down(box.y_mm + box.height_mm) for box in drawing.boxes), default=40.0)
    return OverviewScene(WIDE_PX, height + 20.0, tuple(shapes), tuple(targets))


def loop_tiles(drawing: LoopDrawing) -> OverviewScene:
    """Return the loops for a phone: two columns of machines, in the direction of the heat."""
    shapes: list[Shape] = []
    targets: list[HitArea] = []
    wide = (NARROW_PX - _CARD_GAP) / 2.0
    boxes = sorted(drawing.boxes, key=lambda box: (box.y_mm, box.x_mm))
    lines = [len(box.lines) + bool(box.alarm) for box in boxes]
    y = 0.0
    for n in range(0, len(boxes), 2):
        high = 34.0 + _LINE_PX * max(lines[n : n + 2])
        for place, box in enumerate(boxes[n : n + 2]):
            x = place * (wide + _CARD_GAP)
            shapes += _card(box, x, y, wide, high)
            targets.append(_target(box, x, y, wide, high))
        y += high + _CARD_GAP
    y += 8.0
    for title, text, alarm in _temperatures(drawing):
        role: Role = "over" if alarm else "ink"
        shapes.append(Words(title, 0.0, y + 12.0, NAME_PX, "ink-2"))
        shapes.append(Words(text, NARROW_PX, y + 12.0, NAME_PX, role, "end", bold=True))
        y += 22.0
    return OverviewScene(NARROW_PX, y + 2.0, tuple(shapes), tuple(targets))


class _Across:
    """Horizontal positions: columns of boxes and the gaps between them, each of one width."""

    def __init__(self, drawing: LoopDrawing) -> None:
        wide = drawing.boxes[0].width_mm if drawing.boxes else 36.0
        lefts = sorted({box.x_mm for box in drawing.boxes})
        self._ends: list[tuple[float, float]] = []
        x = _SIDE_PX
        for left, gap in zip(lefts, (*_GAPS_PX, 0.0), strict=False):
            self._ends += [(left, x), (left + wide, x + _BOX_PX)]
            x += _BOX_PX + gap

    def at(self, x_mm: float) -> float:
        """Return a position [px]."""
        ends = self._ends
        for (low, start), (high, end) in pairwise(ends):
            if x_mm <= high:
                return start + (x_mm - low) / (high - low) * (end - start)
        return ends[-1][1] if ends else x_mm


def _pipe(pipe: Pipe, points: list[tuple[float, float]]) -> Iterator[Shape]:
    role: Role = "warm" if pipe.side == "warm" else "cold"
    yield Stroke(tuple(points), role, 2.0, dashed=pipe.medium == "air")
    if pipe.arrow:
        (x0, y0), (x, y) = points[-2], points[-1]
        if x != x0:
            back = -7.0 if x > x0 else 7.0
            yield Stroke(((x + back, y - 4.0), (x, y), (x + back, y + 4.0)), role, 2.0)
        else:
            back = -7.0 if y > y0 else 7.0
            yield Stroke(((x - 4.0, y + back), (x, y), (x + 4.0, y + back)), role, 2.0)


def _card(box: LoopBox, x: float, y: float, wide: float, high: float) -> Iterator[Shape]:
    """Yield a machine with its name and numbers; an exceeded limit is bold on its ground."""
    alarm = bool(box.alarm)
    edge: Role = "over-fill" if alarm else "line-3"
    yield Rect(x, y, wide, high, "panel", edge, 6.0, 2.0 if alarm else 1.0)
    room = wide - 2.0 * _INSET_PX
    size = NAME_PX if width_of(box.title, NAME_PX, bold=True) <= room else REMARK_PX
    title = fit(box.title, room, size, bold=True)
    yield Words(title, x + _INSET_PX, y + 19.0, size, bold=True)
    for n, line in enumerate(box.lines):
        at = y + 36.0 + n * _LINE_PX
        text = fit(line, room, REMARK_PX)
        yield Words(text, x + _INSET_PX, at, REMARK_PX, "ink-2")
    if alarm:
        at = y + 36.0 + len(box.lines) * _LINE_PX
        text = fit(box.alarm, room, REMARK_PX, bold=True)
        yield Words(text, x + _INSET_PX, at, REMARK_PX, "over", bold=True)


def _target(box: LoopBox, x: float, y: float, wide: float, high: float) -> HitArea:
    words = ", ".join((box.title, *box.lines, *([box.alarm] if box.alarm else [])))
    return HitArea((box.key or box.title,), x, y, wide, high, words)


def _temperatures(drawing: LoopDrawing) -> Iterator[tuple[str, str, bool]]:
    """Yield the water temperatures of the loops, cold to warm."""
    pairs: dict[float, list[Word]] = {}
    for word in drawing.words:
        if word.tone != "plain" and word.text.startswith(("TCS", "FWS", "CHW")):
            pairs.setdefault(word.x_mm + 1e4 * (word.text[0] == "T"), []).append(word)
    titles = {"TCS": "Technology cooling", "FWS": "Facility water", "CHW": "Chilled water"}
    for words in pairs.values():
        warm, cold = words[0], words[-1]
        text = f"{cold.text[4:]} to {warm.text[4:]}"
        yield titles[warm.text[:3]], text, cold.tone == "alarm"
