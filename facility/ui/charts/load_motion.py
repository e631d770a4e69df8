"""Charts of the job load: power at the utility meter over time, and its spectrum."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from facility.core.views import show
from facility.report.drawings.charts.line_chart import LineChart
from facility.ui.charts import palette
from facility.ui.charts.click_points import NEAREST_POINT, click_points
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 66, "b": 6}
_ABOVE = palette.ABOVE | {"x": 1, "xanchor": "right"}
_COLOURS = (Hue.IT.value, Hue.LOSS.value)
_WIDTHS = (1.4, 2.2)
_HEIGHT_PX = 400
_LARGE_W = 1e6


def load_figure(chart: LineChart, keys: Sequence[str], ink: Ink) -> go.Figure:
    """Return a chart of the job load, with its maximum as text above it.

    chart: The lines, in MW over seconds or hertz.
    keys: Result key of each line.
    ink: Colours of the page.
    """
    figure = go.Figure()
    highest_w = 1e6 * max(y for _, y in chart.lines[0].points)
    is_large = highest_w >= _LARGE_W
    unit, factor = ("MW", 1.0) if is_large else ("kW", 1e3)
    for line, key, colour, width in zip(chart.lines, keys, _COLOURS, _WIDTHS, strict=True):
        x, y = [x for x, _ in line.points], [factor * y for _, y in line.points]
        style = {"color": colour, "width": width}
        figure.add_scatter(x=x, y=y, name=line.name, mode="lines", line=style, hoverinfo="skip")
        hover = f"{line.name}, %{{x:,.4~g}}: %{{y:,.4~g}} {unit}<extra></extra>"
        figure.add_trace(click_points(x, y, key, hover))
    figure.add_annotation(
        text=f"Maximum {show(highest_w, 'active_power')}",
        showarrow=False,
        x=0,
        xref="paper",
        xanchor="left",
        y=1,
        yref="paper",
        yanchor="bottom",
        yshift=40,  # Above the legend, which has two lines on a phone
    )
    for mark in chart.marks:
        figure.add_vline(x=mark.x, line_dash="dot", line_color=Hue.HOUSE.value)
    figure.update_xaxes(
        title_text=chart.x_label, automargin=True, type="linear" if chart.even else "log"
    )
    if not chart.even:
        figure.update_xaxes(
            tickvals=chart.x_ticks, ticktext=[f"{tick:g}" for tick in chart.x_ticks]
        )
    title = chart.y_label.replace("MW", unit)
    figure.update_yaxes(title_text=title, automargin=True, rangemode="tozero")
    figure.update_layout(margin=_MARGIN, legend=_ABOVE, **NEAREST_POINT)
    return palette.finished(figure, ink, _HEIGHT_PX)
