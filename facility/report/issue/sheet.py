"""Sheets of a set: shapes of contents and title block, and the keyed texts of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from facility.core.views import System
from facility.report.drawings.scene import Scene, Shape, Text
from facility.report.drawings.text import has_missing_glyphs
from facility.report.issue.content import Discipline
from facility.report.issue.paper import Paper
from facility.report.issue.title_block import Identification


@dataclass(frozen=True)
class IssuedSheet:
    """One sheet.

    `body` are the shapes of its contents; `frame` those of border and title block, whose texts of
    this sheet are `stamps`.
    """

    number: str
    title: str
    content: str  # Title of the content that it is of
    discipline: Discipline
    paper: Paper
    is_drawing: bool
    body: tuple[Shape, ...]
    frame: tuple[Shape, ...] = ()
    stamps: tuple[Text, ...] = ()
    series: int = 0  # Digit of the sheet type

    @property
    def scene(self) -> Scene:
        """All shapes of the sheet."""
        shapes = (*self.frame, *self.stamps, *self.body)
        return Scene(self.paper.width_mm, self.paper.height_mm, shapes)

    @property
    def figures(self) -> Iterator[tuple[str, str]]:
        """Keys and texts in the order of drawing; the lines of one text are joined."""
        last = ""
        lines: list[str] = []
        for shape in (*self.stamps, *self.body):
            key = shape.key if isinstance(shape, Text) else ""
            if key != last:
                if last:
                    yield last, " ".join(lines)
                last, lines = key, []
            if isinstance(shape, Text) and key:
                lines.append(shape.text)
        if last:
            yield last, " ".join(lines)


def boxed_texts(sheets: Iterable[IssuedSheet]) -> dict[str, str]:
    """Return texts with letters that the fonts of the PDF lack, and the first sheet of each."""
    found: dict[str, str] = {}
    for sheet in sheets:
        for shape in (*sheet.stamps, *sheet.body):
            if isinstance(shape, Text) and has_missing_glyphs(shape.text):
                found.setdefault(shape.text, sheet.number)
    return found


class Change(NamedTuple):
    """Keyed value that differs between two issues; empty where an issue does not have it."""

    key: str
    before: str
    after: str
    sheets: str


@dataclass(frozen=True)
class SheetSet:
    """The sheets of a design, and what identifies them."""

    of: Identification
    name: str  # Of the project, in file names
    system: System
    sha256: str
    sheets: tuple[IssuedSheet, ...]
    changes: tuple[Change, ...] = ()  # Since the issue it is compared with
