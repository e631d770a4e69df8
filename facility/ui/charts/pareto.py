"""Chart of many designs: two results against each other, the front marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from facility.report.drawings.charts.pareto import ChartAxis, Point
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 40, "b": 6}
_HEIGHT_PX = 460
_SORTS: tuple[tuple[str, str, str, int, Callable[[Point], bool]], ...] = (
    ("violations", "x-thin-open", Hue.LOSS.value, 9, lambda point: not point.holds),
    ("holds", "circle", Hue.IT.value, 8, lambda point: point.holds and not point.front),
    ("front", "diamond", Hue.COOLING.value, 13, lambda point: point.front),
)


def pareto_figure(
    points: Sequence[Point], axes: tuple[ChartAxis, ChartAxis], chosen: int | None, ink: Ink
) -> go.Figure:
    """Return the designs as points; each carries the number of its row.

    points: The designs.
    axes: What is along, and what is up.
    chosen: Row of the design that is looked at.
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
    for name, symbol, colour, size, belongs in _SORTS:
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
                "line": {"color": colour if name == "violations" else ink.text, "width": 1},
            },
            hovertemplate="row %{customdata}<br>%{x:,.6~g}<br>%{y:,.6~g}<extra></extra>",
        )
    _mark(figure, [point for point in points if point.row == chosen], ink)
    for axis, update in zip(axes, (figure.update_xaxes, figure.update_yaxes), strict=True):
        title = palette.literal(f"{axis.head}, {axis.better} is better")
        update(title_text=title, automargin=True, nticks=7, zeroline=False, tickformat=",~r")
    figure.update_layout(
        margin=_MARGIN,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"},
        hovermode="closest",
    )
    return palette.finished(figure, ink, _HEIGHT_PX)


def _mark(figure: go.Figure, points: Sequence[Point], ink: Ink) -> None:
    """Ring the design that is looked at."""
    figure.add_scatter(
        x=[point.x for point in points],
        y=[point.y for point in points],
        mode="markers+text",
        text=[f"row {point.row}" for point in points],
        textposition="top center",
        textfont_color=ink.text,
        marker={"symbol": "circle-open", "color": ink.text, "size": 22},
        hoverinfo="skip",
        showlegend=False,
    )
