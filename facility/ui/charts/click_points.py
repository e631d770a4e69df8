"""Invisible points on lines and areas of a chart: a click opens the explanation of the result."""

from __future__ import annotations

from typing import Any

_Values = Any  # A list or an array
NEAREST_POINT = {"hoverdistance": -1}
"""Layout of a chart in which a click anywhere selects the nearest point."""
_MAX_POINTS = 500
_UNSEEN = {"marker": {"opacity": 0.0}}


def click_points(
    x: _Values, y: _Values, key: str | list[list[str]], hover: str
) -> dict[str, object]:
    """Return invisible points along a line or area, with its hover text and result keys.

    A line without markers cannot be clicked. At most a few hundred points are drawn, for speed.

    key: Result key of the line; or for each point its key and hover value.
    hover: Plotly template of the hover text.
    """
    step = 1 + len(x) // _MAX_POINTS
    step += 1 - step % 2  # odd, so that both extremes of an alternating series are sampled
    keys = [key] * len(x) if isinstance(key, str) else key
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x[::step],
        "y": y[::step],
        "customdata": keys[::step],
        "hovertemplate": hover,
        "marker": {"opacity": 0.0, "size": 6},
        "selected": _UNSEEN,
        "unselected": _UNSEEN,
        "showlegend": False,
    }
