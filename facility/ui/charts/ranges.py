"""Charts of ranges: sensitivity of a result to each input, and histogram of its samples."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from facility.core.kinds import FloatArray
from facility.core.views import System, show_exact, view_unit, view_value
from facility.report.drawings.charts.tornado import Tornado
from facility.study.ranges.result import Figure
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 26, "b": 6}
_ROW_PX, _FRAME_PX, _SAMPLES_PX = 34, 110, 300
_MAX_BINS = 40
_ROOM = 0.25
"""Fraction of the span reserved next to the bars for their values."""


def tornado_figure(found: Tornado, ink: Ink, system: System) -> go.Figure:
    """Return the tornado chart: the result with one input at a time at its P5 and P95.

    found: Bars, widest first.
    ink: Colours of the page.
    system: Unit of the result.
    """
    nominal = view_value(found.nominal, found.kind, system)
    names = [bar.path for bar in found.bars]
    figure = go.Figure()
    for name, colour in (("low", Hue.COOLING), ("high", Hue.LOSS)):
        ends = [getattr(bar, name) for bar in found.bars]
        figure.add_bar(
            y=names,
            x=[view_value(end, found.kind, system) - nominal for end in ends],
            base=nominal,
            name={"low": "Input at P5", "high": "Input at P95"}[name],
            orientation="h",
            marker_color=colour.value,
            text=[show_exact(end, found.kind, system) for end in ends],
            textposition="outside",
            cliponaxis=False,
            textfont_color=ink.text,
            hovertemplate="%{y}: %{text}<extra></extra>",
            customdata=[found.key] * len(names),
        )
    figure.add_vline(x=nominal, line_color=ink.text, line_width=1)
    low, high = (view_value(end, found.kind, system) for end in found.ends)
    room = _ROOM * (high - low)
    unit = view_unit(found.kind, system)
    figure.update_xaxes(
        range=[low - room, high + room],
        nticks=5,
        automargin=True,
        title_text=f"{found.title} ({unit})" if unit else found.title,
    )
    figure.update_yaxes(autorange="reversed", automargin=True, showgrid=False)
    figure.update_layout(barmode="overlay", bargap=0.3, margin=_MARGIN, legend=palette.ABOVE)
    return palette.finished(figure, ink, _FRAME_PX + _ROW_PX * len(found.bars))


def samples_figure(
    outcome: FloatArray, of: Figure, title: str, ink: Ink, system: System
) -> go.Figure:
    """Return the histogram of the samples of a result, with P5, P50, P95 and the design.

    outcome: The result of each sample in SI units, NaN for a rejected sample.
    of: Quantiles of the result.
    title: Label of the result.
    ink: Colours of the page.
    system: Unit of the result.
    """
    known = outcome[~np.isnan(outcome)]
    bins = min(_MAX_BINS, 2 * math.ceil(math.sqrt(len(known))))
    counts, edges = np.histogram([view_value(x, of.kind, system) for x in known], bins=bins)
    figure = go.Figure(
        go.Bar(
            x=0.5 * (edges[1:] + edges[:-1]),
            y=counts,
            width=np.diff(edges),
            marker_color=Hue.IT.value,
            customdata=[of.key] * len(counts),
            hovertemplate="%{y} samples at %{x:,.5~g}<extra></extra>",
        )
    )
    marks = [("P5", of.p5), ("P50", of.p50), ("P95", of.p95)]
    marks += [] if of.nominal is None else [("Design", of.nominal)]
    for index, (name, value) in enumerate(marks):
        x, designed = view_value(value, of.kind, system), name == "Design"
        dash = "solid" if designed else "dash"
        figure.add_vline(x=x, line_color=ink.text, line_width=1, line_dash=dash)
        figure.add_annotation(
            x=x,
            y=1.0 + 0.07 * (2 if designed else index % 2),
            yref="paper",
            yanchor="bottom",
            text=name,
            showarrow=False,
            font={"color": ink.text, "size": 11},
        )
    unit = view_unit(of.kind, system)
    figure.update_xaxes(
        title_text=f"{title} ({unit})" if unit else title, nticks=6, automargin=True
    )
    figure.update_yaxes(title_text="Number of samples", automargin=True, rangemode="tozero")
    figure.update_layout(margin={**_MARGIN, "t": 60}, showlegend=False, bargap=0.0)
    return palette.finished(figure, ink, _SAMPLES_PX)
