"""Scatter charts of two results: designs of a sweep with their Pareto front, scenarios."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from facility.core.views import System, view_unit, view_value
from facility.report.book.scenarios import BASE, name_of
from facility.report.drawings.charts.pareto import ChartAxis, Point
from facility.study.scenarios import ScenarioFigure
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 36, "t": 40, "b": 6}
_HEIGHT_PX = 460
_CLASSES: tuple[tuple[str, str, str, int, Callable[[Point], bool]], ...] = (
    ("Violations", "x-thin-open", Hue.LOSS.value, 9, lambda point: not point.holds),
    ("No violations", "circle", Hue.IT.value, 8, lambda point: point.holds and not point.front),
    ("Pareto front", "diamond", Hue.COOLING.value, 13, lambda point: point.front),
)


def pareto_figure(
    points: Sequence[Point], axes: tuple[ChartAxis, ChartAxis], chosen: int | None, ink: Ink
) -> go.Figure:
    """Return the designs as points; each carries its row number.

    points: The designs.
    axes: Results on the horizontal and the vertical axis.
    chosen: Row of the selected design.
    ink: Colours of the page.
    """
    figure = go.Figure()
    line = sorted((p for p in points if p.front), key=lambda point: (point.x, point.y))
    figure.add_scatter(
        x=[p.x for p in line],
        y=[p.y for p in line],
        mode="lines",
        line={"color": Hue.COOLING.value, "width": 1, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    for name, symbol, colour, size, belongs in _CLASSES:
        of = [point for point in points if belongs(point)]
        figure.add_scatter(
            x=[p.x for p in of],
            y=[p.y for p in of],
            customdata=[p.row for p in of],
            mode="markers",
            name=f"{name} ({len(of):,})",
            marker={
                "symbol": symbol,
                "color": colour,
                "size": size,
                "line": {"color": colour if name == "Violations" else ink.text, "width": 1},
            },
            hovertemplate="Row %{customdata}<br>%{x:,.6~g}<br>%{y:,.6~g}<extra></extra>",
        )
    _mark(figure, [point for point in points if point.row == chosen], ink)
    for axis, update in zip(axes, (figure.update_xaxes, figure.update_yaxes), strict=True):
        title = palette.literal(f"{axis.head}, {axis.better} is better")
        update(title_text=title, automargin=True, nticks=7, zeroline=False, tickformat=",~r")
    figure.update_layout(margin=_MARGIN, legend=palette.ABOVE, hovermode="closest")
    return palette.finished(figure, ink, _HEIGHT_PX)


def _mark(figure: go.Figure, points: Sequence[Point], ink: Ink) -> None:
    """Mark the selected design with a ring."""
    figure.add_scatter(
        x=[point.x for point in points],
        y=[point.y for point in points],
        mode="markers+text",
        text=[f"Row {point.row}" for point in points],
        textposition="top center",
        textfont_color=ink.text,
        marker={"symbol": "circle-open", "color": ink.text, "size": 22},
        hoverinfo="skip",
        showlegend=False,
    )


_MIN_SPAN = 0.04
"""Minimum axis span, as a fraction of the result."""


def scenarios_figure(
    along: ScenarioFigure, up: ScenarioFigure, names: Sequence[str], ink: Ink, system: System
) -> go.Figure:
    """Return the project and its scenarios as points with their names.

    Each point carries the key of the vertical result and the name of its scenario.

    along, up: Results on the horizontal and the vertical axis.
    names: Names of the scenarios.
    ink: Colours of the page.
    system: Units of the axes.
    """
    pairs = zip((along.base, *along.values), (up.base, *up.values), strict=True)
    at: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in zip((BASE, *names), pairs, strict=True):
        if x is not None and y is not None:
            position = view_value(x, along.kind, system), view_value(y, up.kind, system)
            at.setdefault(position, []).append(name)
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
    """Return an axis with a minimum span, so that small differences do not look large."""
    unit = view_unit(figure.kind, system)
    title = f"{name_of(figure.key)} ({unit})" if unit else name_of(figure.key)
    axis: dict[str, object] = {"title": {"text": title}, "automargin": True, "nticks": 6}
    if values:
        low, high = min(values), max(values)
        span = _MIN_SPAN * max(abs(low), abs(high))
        if high - low < span:
            middle = (low + high) / 2.0
            axis["range"] = [middle - span, middle + span]
    return axis
