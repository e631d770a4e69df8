"""Chart of the bills of a year: each month as a stack of what is charged."""

from __future__ import annotations

from calendar import month_abbr
from collections.abc import Sequence

import plotly.graph_objects as go

from facility.report.tables.bill import MonthBill
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_PARTS = {
    "energy": ("energy", Hue.IT),
    "demand": ("demand", Hue.COOLING),
    "power_factor": ("power factor", Hue.LOSS),
    "reactive": ("reactive energy", Hue.LIQUID),
    "fixed": ("fixed", Hue.HOUSE),
}
_MARGIN = {"l": 6, "r": 10, "t": 26, "b": 6}
_ABOVE = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "xanchor": "left"}
_HEIGHT_PX = 380


def bill_figure(months: Sequence[MonthBill], currency: str, ink: Ink) -> go.Figure:
    """Return the bill of each month as stacked bars; what is not charged is left out.

    Each bar knows the result of the year that it is a part of.

    currency: Currency they are in.
    ink: Colours of the page.
    """
    names = [month_abbr[month.number] for month in months]
    figure = go.Figure()
    for key, (name, colour) in _PARTS.items():
        costs = [float(getattr(month, key)) for month in months]
        if any(costs):
            figure.add_bar(
                x=names,
                y=costs,
                name=name,
                marker_color=colour.value,
                customdata=[f"cost.annual.{key}"] * len(names),
                hovertemplate=f"{name}, %{{x}}: %{{y:,.0f}} {currency}<extra></extra>",
            )
    figure.update_xaxes(tickangle=0, tickfont_size=11)
    figure.update_yaxes(
        title_text=f"bill of the month, {currency}",
        automargin=True,
        tickformat=",",
        rangemode="tozero",
    )
    figure.update_layout(
        barmode="stack", bargap=0.25, margin=_MARGIN, legend=_ABOVE | {"traceorder": "normal"}
    )
    return palette.finished(figure, ink, _HEIGHT_PX)
