"""Lines, bands and points of charts, with their marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from facility.core.kinds import FloatArray
from facility.report.drawings.charts.kit.axes import Plot
from facility.report.drawings.charts.kit.chart import ChartMark, PathShape
from facility.report.drawings.charts.kit.colours import Role

_MAX_MARKS = 240


def area(plot: Plot, x: FloatArray, low: FloatArray, high: FloatArray, role: Role) -> PathShape:
    """Return the band between two lines."""
    across, tops = plot.path(x, high)
    _, feet = plot.path(x, low)
    both = np.concatenate([across, across[::-1]]), np.concatenate([tops, feet[::-1]])
    return PathShape(*both, role, 0.0, filled=True)


def line(
    plot: Plot, x: FloatArray, y: FloatArray, role: Role, width: float = 2.0, dash: str = ""
) -> PathShape:
    """Return a line through points; NaN breaks it."""
    return PathShape(*plot.path(np.asarray(x), np.asarray(y)), role, width, dash)


def marks_along(
    plot: Plot,
    series: str,
    x: FloatArray,
    y: FloatArray,
    words: Callable[[int], str],
    key: Callable[[int], tuple[str, ...]] | tuple[str, ...],
    values: FloatArray | None = None,
) -> Iterator[ChartMark]:
    """Yield marks at points of a line, evenly thinned to a few hundred; the last one is kept.

    words, key: Description and result key of a point, by its index.
    values: Values of the points where `y` is only their position.
    """
    step = 1 + len(x) // _MAX_MARKS
    step += 1 - step % 2  # odd, so that both extremes of an alternating series are marked
    across, up = plot.path(np.asarray(x, float), np.asarray(y, float))
    shown = y if values is None else values
    for n in sorted({*range(0, len(x), step), *range(len(x))[-1:]}):
        if np.isfinite(up[n]):
            found = key(n) if callable(key) else key
            yield ChartMark(
                series, float(shown[n]), words(n), float(across[n]), float(up[n]), found
            )
