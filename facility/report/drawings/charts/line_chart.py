"""A neutral line chart: what a page or a drawing shows of numbers over one number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ChartLine:
    """One line of a chart."""

    name: str  # What it stands for
    points: tuple[tuple[float, float], ...]  # From left to right
    note: str  # What is said of it beside its name, e.g. why it ends
    ends: bool  # Whether its last point is marked as an end


@dataclass(frozen=True)
class ChartMark:
    """A vertical line at `x` with words beside it."""

    x: float
    words: str


@dataclass(frozen=True)
class LineChart:
    """Lines over an axis of x that counts in ratios (logarithmic), or evenly.

    `x_ticks` are the labelled values of x, the first and the last being the ends of the axis;
    `notes` stand below.
    """

    title: str
    x_label: str
    y_label: str
    x_ticks: tuple[float, ...]
    lines: tuple[ChartLine, ...]
    marks: tuple[ChartMark, ...]
    notes: tuple[str, ...]
    even: bool = False  # Whether x counts evenly
