"""Chart: shapes, and marks that can be pointed at.

Horizontal positions are fractions of the plot area, so that the same chart fits any width; `dx` is
an offset in pixels. Vertical positions are pixels from the top. A renderer writes the shapes in
their order; text has the same size at every width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.core.kinds import FloatArray
from facility.report.drawings.charts.kit.colours import Role

Anchor = Literal["start", "middle", "end"]
Symbol = Literal["circle", "square", "diamond", "up", "down", "cross", "plus"]
TEXT_PX, SMALL_PX = 12.0, 11.0


@dataclass(frozen=True, slots=True)
class PathShape:
    """Line through points, or the area within them if `filled`; `gaps` break it where y is NaN."""

    x: FloatArray
    y: FloatArray
    role: Role
    width: float = 1.0
    dash: str = ""
    filled: bool = False
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Rectangle between two positions; `dx` moves its left and its right side."""

    x: tuple[float, float]
    y: tuple[float, float]
    role: Role
    dx: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class FlowBand:
    """Band between two heights, horizontal at both ends; `y` are its upper edges."""

    x: tuple[float, float]
    y: tuple[float, float]
    height: float
    role: Role


@dataclass(frozen=True, slots=True)
class Dot:
    """Symbol at a position."""

    x: float
    y: float
    role: Role
    symbol: Symbol = "circle"
    radius: float = 4.0
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class ChartText:
    """One line of text, `y` at its middle.

    `veiled` puts the page colour behind it. An `optional` label is omitted where it would overlap
    an earlier one.
    """

    text: str
    x: float
    y: float
    anchor: Anchor = "middle"
    dx: float = 0.0
    size: float = TEXT_PX
    role: Role = "ink-2"
    bold: bool = False
    veiled: bool = False
    optional: bool = False


@dataclass(frozen=True, eq=False)
class HeatCells:
    """Grid of values as shades: rows upwards, columns to the right; NaN is not drawn.

    `columns` and `rows` name the cells, `unit` follows the value of a cell. Where `selectable`, a
    click selects the cell.
    """

    values: FloatArray
    x: tuple[float, float]
    y: tuple[float, float]
    ends: tuple[float, float]
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    unit: str
    selectable: bool = False


Shape = PathShape | Rectangle | FlowBand | Dot | ChartText


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A value in the chart that can be pointed at.

    `words` describe it. `key` is the result that explains it, then the case of that result; empty
    without one. `area` is its extent: left, top, right and bottom of a box, or a flow; a point has
    none.
    """

    series: str
    value: float
    words: str
    x: float
    y: float
    key: tuple[str, ...] = ()
    area: tuple[float, float, float, float] | FlowBand | None = None


@dataclass(frozen=True)
class LegendSample:
    """Name of a series with a sample of its line, area or symbol."""

    name: str
    role: Role
    sample: Literal["line", "area", "shades"] | Symbol = "area"
    dash: str = ""
    hollow: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart of `height` pixels with margins left and right of its plot area.

    If `nearest`, a position anywhere belongs to the nearest mark.
    """

    title: str
    height: float
    left: float
    right: float
    shapes: tuple[Shape, ...]
    marks: tuple[ChartMark, ...] = ()
    legend: tuple[LegendSample, ...] = ()
    cells: HeatCells | None = None
    nearest: bool = False

    def of(self, series: str) -> tuple[ChartMark, ...]:
        """Return the marks of one series."""
        return tuple(mark for mark in self.marks if mark.series == series)

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts drawn in the chart."""
        return tuple(shape.text for shape in self.shapes if isinstance(shape, ChartText))
