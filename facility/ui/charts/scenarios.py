"""Scenarios as points: two results against each other."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from facility.core.views import System, view_unit, view_value
from facility.report.scenarios.tables import BASE, name_of
from facility.study.scenarios import ScenarioFigure
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_LEAST = 0.04
"""Part of a result that scenarios differ by at least where the axis is left to them."""


def scenarios_figure(
    along: ScenarioFigure, up: ScenarioFigure, names: Sequence[str], ink: Ink, system: System
) -> go.Figure:
    """Return the project and its scenarios as points, each with its name.

    Each knows the result upwards, and whose it is.

    along, up: Results on the two axes.
    names: Names of the scenarios.
    ink: Colours of the page.
    system: Units of the axes.
    """
    pairs = zip((along.base, *along.values), (up.base, *up.values), strict=True)
    at: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in zip((BASE, *names), pairs, strict=True):
        if x is not None and y is not None:
            place = view_value(x, along.kind, system), view_value(y, up.kind, system)
            at.setdefault(place, []).append(name)
    traces = [
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers+text",
            text=[", ".join(there)],
            textposition="top center",
            textfont_color=ink.text,
            marker={"size": 13, "color": (Hue.IT if BASE in there else Hue.COOLING).value},
            customdata=[[up.key, there[0]]],
            hovertemplate=f"{', '.join(there)}: %{{x:,.4~g}}, %{{y:,.4~g}}<extra></extra>",
            cliponaxis=False,
        )
        for (x, y), there in at.items()
    ]
    layout = {
        "xaxis": _axis(along, [x for x, _ in at], system),
        "yaxis": _axis(up, [y for _, y in at], system),
        "showlegend": False,
        "margin": {"l": 6, "r": 24, "t": 24, "b": 6},
    }
    return palette.drawn(traces, layout, ink, 380)


def _axis(figure: ScenarioFigure, values: Sequence[float], system: System) -> dict[str, object]:
    """Return an axis, which makes no mountain of less than some percent."""
    unit = view_unit(figure.kind, system)
    title = f"{name_of(figure.key)}, {unit}" if unit else name_of(figure.key)
    axis: dict[str, object] = {"title": {"text": title}, "automargin": True, "nticks": 6}
    if values:
        low, high = min(values), max(values)
        least = _LEAST * max(abs(low), abs(high))
        if high - low < least:
            middle = (low + high) / 2.0
            axis["range"] = [middle - least, middle + least]
    return axis
