"""Flow of blocks over pages: words, facts, tables and drawings at their positions in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from facility.report.drawings.scene import (
    MEDIUM_MM,
    Anchor,
    Arc,
    Polyline,
    Scene,
    Shape,
    Text,
    Tone,
    moved,
)
from facility.report.drawings.text import LINE, wrapped
from facility.report.issue.content import (
    Block,
    DrawingBlock,
    Facts,
    Paragraph,
    SheetContent,
    TableBlock,
)
from facility.report.issue.table import NOTE_MM, TABLE_MM, RuledRow, RuledTable, ruled

MIN_MM = 2.47
"""Minimum size of letters: 7 pt."""
_TITLE_MM = 3.6
_BODY_MM = 2.8
_GAP_MM = 3.0
_KEEP_MM = 30.0
_CAPTION_MM = 5.0
COLUMN_GAP_MM = 7.0
_MAX_LINES = 400
_STYLES: dict[str, tuple[float, bool, Tone]] = {
    "heading": (_TITLE_MM, True, "plain"),
    "body": (_BODY_MM, False, "plain"),
    "note": (NOTE_MM, False, "grey"),
    "warning": (_BODY_MM, True, "alarm"),
}
"""Size, weight and tone of words by style."""


@dataclass
class Pages:
    """Pages that blocks are placed on, one below the other, in columns.

    page_mm, height_mm: Width and height of the area of a page.
    columns: Columns that blocks fill one after another.
    """

    page_mm: float
    height_mm: float
    columns: int = 1
    pages: list[list[Shape]] = field(default_factory=lambda: [[]])
    drawn: set[int] = field(default_factory=set)  # Pages with a drawing
    y_mm: float = 0.0
    _column: int = 0
    _top_mm: float = 0.0  # Of the columns on this page
    _low_mm: float = 0.0  # Lowest end of a column on this page
    _empty: bool = True  # Whether nothing is in this column yet

    @property
    def width_mm(self) -> float:
        """Width of a column."""
        return (self.page_mm - (self.columns - 1) * COLUMN_GAP_MM) / self.columns

    def place(self, block: Block) -> None:
        """Place a block below the earlier blocks, on further pages where it does not fit."""
        if isinstance(block, Paragraph):
            self._paragraph(block)
        elif isinstance(block, Facts):
            self._facts(block)
        elif isinstance(block, TableBlock):
            self._listing(block)
        elif isinstance(block, DrawingBlock):
            self._figure(block)
        elif block.columns:
            self._set_columns(block.columns)
        else:
            self._need(math.inf)

    def _set_columns(self, columns: int) -> None:
        """Continue below all columns of this page in another number of columns."""
        self._low_mm = max(self._low_mm, self.y_mm)
        self.columns, self._column, self._empty = columns, 0, True
        self._top_mm = self.y_mm = self._low_mm
        if self.pages[-1] and self.height_mm - self._top_mm < _KEEP_MM:
            self._column = columns - 1
            self._next_column()

    def _next_column(self) -> None:
        self._low_mm = max(self._low_mm, self.y_mm)
        self._column += 1
        if self._column == self.columns:
            self.pages.append([])
            self._column, self._top_mm, self._low_mm = 0, 0.0, 0.0
        self.y_mm, self._empty = self._top_mm, True

    def _need(self, height_mm: float) -> bool:
        """Begin a column unless the height remains in this one; return whether one began."""
        began = False
        while self.y_mm + height_mm > self.height_mm and not (self._empty and self._top_mm == 0.0):
            self._next_column()
            began = True
            if height_mm == math.inf:
                break
        return began

    def _paragraph(self, block: Paragraph) -> None:
        size, bold, tone = _STYLES[block.style]
        self._need(_KEEP_MM if block.style == "heading" else size * LINE)
        if not self._empty and block.style == "heading":
            self.y_mm += _GAP_MM
        for part in block.text.split("\n"):
            for line in wrapped(part, self.width_mm, _MAX_LINES, bold=bold, size_mm=size):
                self._need(size * LINE)
                text = Text(line, (0.0, 0.85 * size), "text", size, bold=bold, tone=tone)
                self._add([text], size * LINE)
        self.y_mm += 1.2

    def _facts(self, block: Facts) -> None:
        """Place facts in columns, read downwards."""
        count = max(1, min(block.columns, len(block.facts)))
        rows = -(-len(block.facts) // count)
        cells = [
            [block.facts[n] for n in range(row, len(block.facts), rows)] for row in range(rows)
        ]
        shares = (0.38, 0.62) * count
        widths = tuple(share * self.width_mm / count for share in shares)
        start: Anchor = "start"
        anchors = (start,) * len(widths)
        for facts in cells:
            texts = [text for fact in facts for text in (fact.label, fact.value)]
            keys = [key for fact in facts for key in ("", fact.key)]
            row = RuledRow(texts, keys, (False, True) * len(facts))
            self._row(RuledTable(widths, anchors), row)
        self.y_mm += _GAP_MM

    def _row(self, table: RuledTable, row: RuledRow) -> bool:
        """Place a row; return whether it began a page."""
        shapes, height = table.cells(row, self.height_mm)
        began = self._need(height)
        self._add(shapes, height)
        return began

    def _add(self, shapes: list[Shape], height: float) -> None:
        left = self._column * (self.width_mm + COLUMN_GAP_MM)
        self.pages[-1] += moved(shapes, left, self.y_mm)
        self.y_mm += height
        self._empty = False

    def _listing(self, block: TableBlock) -> None:
        table, rows = ruled(block, self.width_mm)
        heads = [table.cells(row, self.height_mm) for row in table.heads]
        head_mm = sum(height for _, height in heads)
        first = True
        for row in rows:
            shapes, height = table.cells(row, self.height_mm - head_mm - 8.0)
            needed = height + (head_mm + (8.0 if block.table.title else 0.0) if first else 0.0)
            if self._need(needed) or first:
                self._table_title(block, continued=not first)
                for head in heads:
                    self._add(*head)
                first = False
            self._add(shapes, height)
        if not rows:
            self._table_title(block, continued=False)
            self._paragraph(Paragraph("None.", "note"))
        self.y_mm += 1.0
        for line in block.table.below:
            if line:
                self._paragraph(Paragraph(line, "note"))
        self.y_mm += _GAP_MM

    def _table_title(self, block: TableBlock, *, continued: bool) -> None:
        if block.table.title:
            words = f"{block.table.title}{' (continued)' if continued else ''}"
            size = TABLE_MM + 0.4
            (line,) = wrapped(words, self.width_mm, 1, bold=True, size_mm=size) or ("",)
            self._add([Text(line, (0.0, 0.9 * size), size_mm=size, bold=True)], 1.7 * size)

    def _figure(self, block: DrawingBlock) -> None:
        caption = _CAPTION_MM if block.caption else 0.0
        scale = figure_scale(block.scene, self.width_mm, self.height_mm - caption)
        height = block.scene.height_mm * scale
        self._need(height + caption)
        left = (self.width_mm - block.scene.width_mm * scale) / 2.0
        shapes = list(moved((scaled(one, scale) for one in block.scene.shapes), left, 0.0))
        if block.caption:
            (line,) = wrapped(block.caption, self.width_mm, 1, size_mm=_BODY_MM) or ("",)
            at = self.width_mm / 2.0, height + 3.6
            shapes.append(Text(line, at, size_mm=_BODY_MM, anchor="middle"))
        self._add(shapes, height + caption + _GAP_MM)
        self.drawn.add(len(self.pages) - 1)


def flowed(content: SheetContent, width_mm: float, height_mm: float) -> Pages:
    """Return the pages of a content on areas of a size."""
    flow = Pages(width_mm, height_mm, content.columns)
    for block in content.blocks:
        flow.place(block)
    return flow


def figure_scale(scene: Scene, width_mm: float, height_mm: float) -> float:
    """Return the scale of a drawing in an area, at most 1."""
    return min(1.0, width_mm / scene.width_mm, height_mm / scene.height_mm)


def is_legible(scene: Scene, scale: float) -> bool:
    """Return whether all letters of a scaled drawing have at least 7 pt."""
    sizes = [shape.size_mm for shape in scene.shapes if isinstance(shape, Text)]
    return not sizes or min(sizes) * scale >= MIN_MM - 1e-9


def scaled(shape: Shape, scale: float) -> Shape:
    """Return a shape scaled about the origin; pens keep their weight, letters at least 7 pt."""
    if scale == 1.0:
        return shape
    if isinstance(shape, Polyline):
        return replace(shape, points_mm=tuple((x * scale, y * scale) for x, y in shape.points_mm))
    if isinstance(shape, Arc):
        x, y = shape.centre_mm
        return replace(shape, centre_mm=(x * scale, y * scale), radius_mm=shape.radius_mm * scale)
    x, y = shape.at_mm
    size = max(MIN_MM, shape.size_mm * scale)
    return replace(shape, at_mm=(x * scale, y * scale), size_mm=size)


def cloud(box_mm: tuple[float, float, float, float], bump_mm: float = 1.5) -> Iterator[Polyline]:
    """Yield a revision cloud around a box: arcs as polylines of an even number of bumps."""
    left, top, right, bottom = box_mm
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    points: list[tuple[float, float]] = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        length = math.hypot(x1 - x0, y1 - y0)
        count = max(1, round(length / bump_mm))
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        for n in range(count):
            for k in range(4):
                part = (n + k / 4.0) * length / count
                out = 0.45 * bump_mm * math.sin(math.pi * k / 4.0)
                points.append((x0 + ux * part + uy * out, y0 + uy * part - ux * out))
    yield Polyline(tuple(points), "cloud", MEDIUM_MM, "alarm", closed=True)
