"""The shapes that a loop diagram of the cooling is made of, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Medium = Literal["air", "water", "refrigerant"]
Side = Literal["warm", "cold"]
Tone = Literal["plain", "bold", "alarm"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Box:
    """A piece of equipment: its upper left corner and size, a title, and lines below it.

    `alarm` is a last line that names a broken limit, `key` the step of the hour that it stands for.
    """

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    title: str
    lines: tuple[str, ...]
    alarm: str = ""
    key: str = ""


@dataclass(frozen=True)
class Pipe:
    """A stream as a polyline; the arrow at its end shows where it flows."""

    points_mm: tuple[tuple[float, float], ...]
    medium: Medium
    side: Side
    arrow: bool = True


@dataclass(frozen=True)
class Word:
    """One line of text; `x_mm` is its start, middle or end, `y_mm` its baseline."""

    text: str
    x_mm: float
    y_mm: float
    anchor: Anchor = "middle"
    tone: Tone = "plain"


@dataclass(frozen=True)
class Mover:
    """The pumps of a stream: a circle with a triangle that points where they push."""

    x_mm: float
    y_mm: float
    side: Side
    to_right: bool


@dataclass(frozen=True)
class LoopDrawing:
    """The loops of the cooling, from the racks on the left to the outdoors on the right."""

    title: str
    subtitle: str
    width_mm: float
    height_mm: float
    boxes: tuple[Box, ...]
    pipes: tuple[Pipe, ...]
    words: tuple[Word, ...]
    movers: tuple[Mover, ...]
    notes: tuple[str, ...]
