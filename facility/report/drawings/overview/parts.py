"""Shapes of an overview in pixels, coloured by role, so that one scene serves light and dark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from facility.core.rounding import OVER
from facility.report.drawings.one_line.status import Status
from facility.report.drawings.text import fitted, text_width

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
Margin = Literal["ok", "tight", "over", "off", "none"]
Role = Literal[
    "none", "bg", "panel", "ink", "ink-2", "ink-3", "line-2", "line-3", "accent", "accent-soft",
    "ok", "ok-soft", "ok-fill", "tight", "tight-soft", "tight-fill",
    "over", "over-soft", "over-fill", "off", "off-soft", "warm", "cold",
]  # fmt: skip
"""Colours of the app, by their name there."""

TIGHT = 0.85
"""Loading above which less than 15 % of the limit is left."""
_NARROWER = 0.94
"""Upper bound of the width ratio of PowerSource Sans to Liberation Sans."""
VALUE_PX, NAME_PX, REMARK_PX = 13.0, 13.0, 12.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """Polyline; `dashed` where it is without voltage."""

    points: tuple[Point, ...]
    role: Role
    width: float = 1.5
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Rect:
    """Rectangle with rounded corners."""

    x: float
    y: float
    wide: float
    high: float
    fill: Role = "none"
    stroke: Role = "none"
    radius: float = 0.0
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """Circle."""

    x: float
    y: float
    radius: float
    fill: Role = "none"
    stroke: Role = "none"
    width: float = 1.5


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text; `x` is its start, middle or end, `y` its baseline.

    `near` is text that is shown only where the scene is enlarged.
    """

    text: str
    x: float
    y: float
    size: float = VALUE_PX
    role: Role = "ink"
    anchor: Anchor = "start"
    bold: bool = False
    near: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        wide = width_of(self.text, self.size, bold=self.bold)
        left = self.x - {"start": 0.0, "middle": wide / 2.0, "end": wide}[self.anchor]
        return left, self.y - 0.74 * self.size, left + wide, self.y + 0.22 * self.size


Shape = Stroke | Rect | Circle | Words


@dataclass(frozen=True, slots=True)
class HitArea:
    """Area that selects equipment: all its tags, the one shown first; `words` is read aloud.

    `band` is an area of its whole column, marked with it.
    """

    tags: tuple[str, ...]
    x: float
    y: float
    wide: float
    high: float
    words: str
    band: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class OverviewScene:
    """One layout of an overview: shapes in the order in which they are drawn, and its targets."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    targets: tuple[HitArea, ...]


@dataclass(frozen=True)
class Layouts:
    """The same overview for a wide screen and for a phone."""

    wide: OverviewScene
    narrow: OverviewScene


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line [px]; its font is narrower than the font of the sheets."""
    return _NARROWER * text_width(text, bold=bold, size_mm=size)


def fit(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return `text` shortened in the middle to a width [px]."""
    return fitted(text, room / _NARROWER, bold=bold, size_mm=size)


def margin_of(loading: float | None, status: Status) -> Margin:
    """Return how a loading is shown: by the margin that is left of its limit."""
    if status in ("dead", "out"):
        return "off"
    if loading is None:
        return "none"
    if loading > OVER:
        return "over"
    return "tight" if loading > TIGHT else "ok"


def percent(loading: float | None) -> str:
    """Return a loading in per cent without its unit, which the row states."""
    return "–" if loading is None else f"{100.0 * loading:.1f}"


def cross(x: float, y: float, reach: float, role: Role = "ink-3") -> Iterable[Stroke]:
    """Yield the two strokes of a cross: without voltage, or out of service."""
    yield Stroke(((x - reach, y - reach), (x + reach, y + reach)), role)
    yield Stroke(((x + reach, y - reach), (x - reach, y + reach)), role)
