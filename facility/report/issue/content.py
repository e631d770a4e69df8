"""What the sheets of a set hold: words, values, tables and drawings, before any layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from facility.report.drawings.scene import Anchor, Scene
from facility.report.sheet.grid import TextTable

Discipline = Literal["G", "E", "M"]
"""General, electrical, mechanical: the letter of a sheet number (US National CAD Standard)."""


@dataclass(frozen=True)
class Paragraph:
    """Words that are wrapped to the width of the sheet."""

    text: str
    style: Literal["heading", "body", "note", "warning"] = "body"


class LabelledValue(NamedTuple):
    """Label and value; `key` as in `scene.Text`."""

    label: str
    value: str
    key: str = ""


@dataclass(frozen=True)
class Facts:
    """Labels with values, set in columns."""

    facts: tuple[LabelledValue, ...]
    columns: int = 2


@dataclass(frozen=True)
class TableBlock:
    """Table; rows that do not fit continue on the next sheet under the same heading.

    `widths` are shares of the width of the sheet by column; `anchors` align the columns; `groups`
    are headings over several columns, with the number of columns of each. Without them the widths
    follow the texts, and columns of numbers end at the right.
    """

    table: TextTable
    widths: tuple[float, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    groups: tuple[tuple[str, int], ...] = ()
    dense: bool = False  # Less space between its rows, for a form that must fit one sheet


@dataclass(frozen=True)
class DrawingBlock:
    """Drawing, scaled down to fit the sheet with letters of at least 7 pt."""

    scene: Scene
    caption: str = ""


@dataclass(frozen=True)
class Break:
    """Begins the next column; with `columns`, the part of a page in that number of columns."""

    columns: int = 0


Block = Paragraph | Facts | TableBlock | DrawingBlock | Break


@dataclass(frozen=True)
class SheetContent:
    """One subject of a set, on one sheet or several.

    Sheets are numbered within their discipline and series (an E-200 series holds schedules): E-201,
    E-202, ... in the order of the contents.
    """

    discipline: Discipline
    series: int
    title: str
    blocks: tuple[Block, ...]
    large: bool = False  # Tabloid or A3 where the set uses Letter or A4
    columns: int = 1  # Columns of a page that the blocks fill one after another
