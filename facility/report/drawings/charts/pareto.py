"""Scatter of two results of many designs: feasible designs and Pareto front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from facility.study.sweep.row import OK, Cells

Better = Literal["less", "more"]


@dataclass(frozen=True)
class ChartAxis:
    """Result along an axis, and its preferred direction."""

    head: str
    better: Better = "less"


@dataclass(frozen=True)
class Point:
    """A design in the plot."""

    row: int  # Number of its row
    x: float
    y: float
    holds: bool  # Whether there are no violations
    front: bool = False  # Whether it is feasible and not dominated by another feasible design


def points_of(rows: Iterable[Cells], x: ChartAxis, y: ChartAxis) -> list[Point]:
    """Return the designs with both results; front designs are marked.

    A design with violations in the studies run is not on the front.
    """
    found = [point for cells in rows if (point := _point(cells, x.head, y.head)) is not None]
    best = _front([point for point in found if point.holds], x, y)
    return [Point(p.row, p.x, p.y, p.holds, p.row in best) for p in found]


def _point(cells: Cells, x: str, y: str) -> Point | None:
    across, up, row = cells.get(x), cells.get(y), cells["row"]
    numbers = isinstance(across, int | float) and isinstance(up, int | float)
    if cells["status"] != OK or not numbers or not isinstance(row, int):
        return None
    return Point(row, float(across or 0.0), float(up or 0.0), not cells["violations"])


def _front(feasible: list[Point], x: ChartAxis, y: ChartAxis) -> set[int]:
    """Return the rows that are not dominated."""
    signs = tuple(1.0 if axis.better == "less" else -1.0 for axis in (x, y))
    ordered = sorted((signs[0] * p.x, signs[1] * p.y, p.row) for p in feasible)
    best: set[int] = set()
    lowest, last = float("inf"), (float("nan"), float("nan"))
    for across, up, row in ordered:
        if up < lowest or (across, up) == last:
            best.add(row)
            lowest, last = up, (across, up)
    return best
