"""Charts of load that moves: the utility meter against time, and the spectrum of the steps."""

from __future__ import annotations

import plotly.graph_objects as go

from facility.core.views import show
from facility.report.drawings.charts.line_chart import LineChart
from facility.study.transient.load.result import LoadStudy
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 30, "b": 6}
_ABOVE = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 1, "xanchor": "right"}
_COLOURS = (Hue.IT.value, Hue.LOSS.value)
_WIDTHS = (1.4, 2.2)
_HEIGHT_PX = 400


def load_figure(chart: LineChart, study: LoadStudy, ink: Ink) -> go.Figure:
    """Return a chart of load that moves; the highest value stands above it in words.

    chart: Its lines, in MW over seconds or hertz.
    study: The study they are of.
    ink: Colours of the page.
    """
    figure = go.Figure()
    for line, colour, width in zip(chart.lines, _COLOURS, _WIDTHS, strict=True):
        figure.add_scatter(
            x=[x for x, _ in line.points],
            y=[y for _, y in line.points],
            name=line.name,
            mode="lines",
            line={"color": colour, "width": width},
            hovertemplate=f"{line.name}, %{{x:,.4~g}}: %{{y:,.4~g}} MW<extra></extra>",
        )
    highest_w = 1e6 * max(y for _, y in chart.lines[0].points)
    figure.add_annotation(
        text=f"highest: {show(highest_w, 'active_power')}",
        showarrow=False,
        x=0,
        xref="paper",
        xanchor="left",
        y=1,
        yref="paper",
        yanchor="bottom",
    )
    for mark in chart.marks:
        figure.add_vline(x=mark.x, line_dash="dot", line_color=Hue.HOUSE.value)
    figure.update_xaxes(
        title_text=chart.x_label, automargin=True, type="linear" if chart.even else "log"
    )
    figure.update_yaxes(title_text=chart.y_label, automargin=True, rangemode="tozero")
    figure.update_layout(margin=_MARGIN, legend=_ABOVE)
    return palette.finished(figure, ink, _HEIGHT_PX)
