"""Layout of a ruled table: widths of its columns, lines of its cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from facility.report.drawings.scene import THIN_MM, Anchor, Polyline, Shape, Text
from facility.report.drawings.text import LINE, text_width, wrapped
from facility.report.issue.content import TableBlock

TABLE_MM = 2.5
"""Size of the letters of tables: 7.1 pt."""
NOTE_MM = 2.5
_PAD_X_MM, _PAD_Y_MM, _DENSE_Y_MM = 0.9, 0.4, 0.25
_MIN_SHARE = 0.3
_NUMBER = re.compile(
    r"[-−+±<>≤≥]?\d[\d,.:]*(?:[eE][-+]?\d+)?(?: ?[^\W\d]\S{0,8}| ?[%°Δ$€£]\S{0,8})?"
)
_PIECE = re.compile(r"[^\s_./>-]*[_./>-]|[^\s_./>-]+|\s")
_NO_NUMBER = frozenset({"", "-", "–", "none", "n/a", "not known", "not stated"})


class RuledRow(NamedTuple):
    """Texts of a row with their keys, and which are bold."""

    texts: Sequence[str]
    keys: Sequence[str] = ()
    bold: Sequence[bool] = ()
    head: bool = False
    spans: Sequence[int] = ()  # Columns of each text, where not one


@dataclass(frozen=True)
class RuledTable:
    """Columns of a table by width [mm] and alignment, and the rows of its heading."""

    widths: tuple[float, ...]
    anchors: tuple[Anchor, ...]
    heads: tuple[RuledRow, ...] = field(default=())
    pad_y_mm: float = _PAD_Y_MM  # Space above and below the text of a row

    def cells(self, row: RuledRow, max_height_mm: float) -> tuple[list[Shape], float]:
        """Return the shapes of a row at the origin, and its height [mm].

        A cell higher than `max_height_mm` is shortened.
        """
        max_lines = max(1, int((max_height_mm - 2.0 * self.pad_y_mm) / (TABLE_MM * LINE)))
        shapes: list[Shape] = []
        texts: list[Shape] = []
        x, at, height = 0.0, 0, TABLE_MM * LINE
        edges = [0.0]
        for n, text in enumerate(row.texts):
            span = row.spans[n] if row.spans else 1
            wide = sum(self.widths[at : at + span])
            anchor = "middle" if span > 1 else self.anchors[at]
            bold = row.head or bool(row.bold and row.bold[n])
            key = row.keys[n] if row.keys else ""
            lines = cell_lines(text, wide - 2.0 * _PAD_X_MM, max_lines, bold=bold)
            reach = {"start": _PAD_X_MM, "middle": wide / 2.0, "end": wide - _PAD_X_MM}[anchor]
            for k, line in enumerate(lines):
                y = self.pad_y_mm + (k + 0.78) * TABLE_MM * LINE
                texts.append(Text(line, (x + reach, y), "table", TABLE_MM, anchor, bold, key=key))
            height = max(height, len(lines) * TABLE_MM * LINE)
            x, at = x + wide, at + span
            edges.append(x)
        height += 2.0 * self.pad_y_mm
        if row.head:
            corners = ((0.0, 0.0), (x, 0.0), (x, height), (0.0, height))
            shapes.append(Polyline(corners, "table", THIN_MM, closed=True, fill="grey"))
            shapes += [Polyline(((e, 0.0), (e, height)), "table") for e in edges[1:-1]]
        else:
            shapes.append(Polyline(((0.0, height), (x, height)), "table", THIN_MM, "grey"))
        return shapes + texts, height


def cell_lines(text: str, width_mm: float, max_lines: int, *, bold: bool = False) -> list[str]:
    """Return the lines of a cell, at most `max_lines`, the last one shortened."""
    if "\n" not in text and text_width(text, bold=bold, size_mm=TABLE_MM) <= width_mm:
        return [text] if text else []
    found: list[str] = []
    words = (broken(word, width_mm, bold=bold) for word in re.split(r"([ \n])", text))
    for part in "".join(words).split("\n"):
        left = max_lines - len(found)
        if left > 0:
            found += wrapped(part, width_mm, left, bold=bold, size_mm=TABLE_MM)
    return found


def broken(word: str, width_mm: float, *, bold: bool = False) -> str:
    """Return a word wider than a line with line breaks after its points and slashes."""
    lines = [""]
    for piece in _PIECE.findall(word):
        if lines[-1] and text_width(lines[-1] + piece, bold=bold, size_mm=TABLE_MM) > width_mm:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def ruled(block: TableBlock, width_mm: float) -> tuple[RuledTable, list[RuledRow]]:
    """Return the table of a listing on a width, and its rows."""
    heads = list(block.table.heads)
    texts = [list(row) for row in block.table.rows]
    anchors = block.anchors
    if not anchors:
        cells = [{row[n] for row in texts if n < len(row)} - _NO_NUMBER for n in range(len(heads))]
        numeric = [found and all(map(_NUMBER.fullmatch, found)) for found in cells]
        anchors = tuple("end" if found else "start" for found in numeric)
    min_widths, natural_widths = _columns(heads, texts, width_mm)
    if block.widths:
        stated = [share * width_mm / sum(block.widths) for share in block.widths]
        widths = _raised(stated, min_widths)
    else:
        widths = _natural(min_widths, natural_widths, width_mm)
    rows = [RuledRow(row, _keys(block, heads, n)) for n, row in enumerate(texts)]
    lines = [RuledRow(heads, head=True)]
    if block.groups:
        names, spans = zip(*block.groups, strict=True)
        lines.insert(0, RuledRow(names, head=True, spans=spans))
    pad_y_mm = _DENSE_Y_MM if block.dense else _PAD_Y_MM
    return RuledTable(widths, anchors, tuple(lines), pad_y_mm), rows


def _keys(block: TableBlock, heads: Sequence[str], n: int) -> Sequence[str]:
    """Return the keys of the cells of a row: by heading, or from the key of the row."""
    given = block.table.keys[n] if n < len(block.table.keys) else ""
    if isinstance(given, Mapping):
        return [given.get(head, "") for head in heads]
    if not given:
        return ()
    if "Value" in heads:
        return [given if head == "Value" else "" for head in heads]
    return ["", *(f"{given}:{head}" for head in heads[1:])]


def _columns(
    heads: Sequence[str], rows: Sequence[Sequence[str]], width_mm: float
) -> tuple[list[float], list[float]]:
    """Return the width of each column for its longest word, and for its longest text."""
    min_widths, natural_widths = [], []
    for n, head in enumerate(heads):
        texts = {row[n] for row in rows if n < len(row)}
        words = {piece for text in texts for piece in _PIECE.findall(text)}
        longest = max((text_width(word, size_mm=TABLE_MM) for word in words), default=0.0)
        head_word = max(
            (text_width(word, bold=True, size_mm=TABLE_MM) for word in head.split()), default=0.0
        )
        full = max((text_width(text, size_mm=TABLE_MM) for text in texts), default=0.0)
        floor = min(max(longest, head_word), _MIN_SHARE * width_mm) + 2.2 * _PAD_X_MM
        min_widths.append(floor)
        natural_widths.append(max(floor, full + 2.2 * _PAD_X_MM))
    return min_widths, natural_widths


def _raised(widths: Sequence[float], min_widths: Sequence[float]) -> tuple[float, ...]:
    """Return the stated widths; columns with space give width to columns too narrow for a word."""
    missing_mm = sum(max(0.0, floor - wide) for wide, floor in zip(widths, min_widths, strict=True))
    surplus = [max(0.0, wide - floor) for wide, floor in zip(widths, min_widths, strict=True)]
    part = min(1.0, missing_mm / sum(surplus)) if sum(surplus) else 0.0
    if part == 1.0 or not missing_mm:
        return tuple(widths)
    return tuple(
        max(wide, floor) - one * part
        for wide, floor, one in zip(widths, min_widths, surplus, strict=True)
    )


def _natural(
    min_widths: Sequence[float], natural_widths: Sequence[float], width_mm: float
) -> tuple[float, ...]:
    """Return widths by the texts: words are kept whole where the width permits."""
    total, floor_mm = sum(natural_widths), sum(min_widths)
    if total <= width_mm:
        surplus = width_mm - total
        return tuple(one + surplus * one / total for one in natural_widths)
    if floor_mm >= width_mm:
        return tuple(one * width_mm / floor_mm for one in min_widths)
    # The widest columns wrap first: each gets at most the level that uses up the width.
    low, high = 0.0, max(natural_widths)
    for _ in range(40):
        level = (low + high) / 2.0
        used = sum(max(a, min(b, level)) for a, b in zip(min_widths, natural_widths, strict=True))
        low, high = (level, high) if used <= width_mm else (low, level)
    found = [max(a, min(b, low)) for a, b in zip(min_widths, natural_widths, strict=True)]
    return tuple(one * width_mm / sum(found) for one in found)
