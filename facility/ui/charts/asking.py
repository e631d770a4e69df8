"""Points that are not seen: a click on them asks about the number that a line or area shows."""

from __future__ import annotations

from typing import Any

_Values = Any  # A list or an array
ANYWHERE = {"hoverdistance": -1}
"""Layout of a chart whose nearest point is meant wherever it is clicked."""
_MOST = 500
_UNSEEN = {"marker": {"opacity": 0.0}}


def unseen(x: _Values, y: _Values, key: str | list[list[str]], told: str) -> dict[str, object]:
    """Return points of a line or area, which tell of it in its place.

    A line has no points to click; a drawing of more than some hundred would be slow.

    key: Of the result that is asked about; or for each point its key, and what is told of it.
    told: What is told of a point, as a template of Plotly.
    """
    step = 1 + len(x) // _MOST
    step += 1 - step % 2  # an odd one meets the highest of a swing and its lowest in turn
    keys = [key] * len(x) if isinstance(key, str) else key
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x[::step],
        "y": y[::step],
        "customdata": keys[::step],
        "hovertemplate": told,
        "marker": {"opacity": 0.0, "size": 6},
        "selected": _UNSEEN,
        "unselected": _UNSEEN,
        "showlegend": False,
    }
