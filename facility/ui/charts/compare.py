"""Charts of a comparison of cooling methods: power by equipment, and power vs. rack density."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go

from facility.core.views import show, view_value
from facility.report.drawings.charts.line_chart import ChartLine, ChartMark, density_chart
from facility.report.studies.compare import POWER_PARTS, part_id, part_powers
from facility.report.why.pages import density_id
from facility.study.compare.ways import CoolingComparison
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 18, "t": 6, "b": 6}
_BELOW = {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "xanchor": "left"}
_COLOURS = ("#2f8fac", "#7a5ea8", "#5b8a3c", "#4263a8", "#c17f1a", "#7d8794")
"""Colours of the parts of the cooling power, in order."""
_LOOKS = (
    ("#4263a8", "solid", "circle"),
    ("#2f8fac", "dash", "square"),
    ("#5b8a3c", "dot", "diamond"),
    ("#7a5ea8", "dashdot", "triangle-up"),
    ("#cf4457", "longdash", "star"),
)
"""Colour, dash pattern and marker of the cooling methods, in order."""
_ROOM = 1.4
_MARK_PX, _END_PX, _MARK_ROW = 6, 13, 0.06
_BARS_PX, _ROW_PX, _PLOT_PX = 110, 44, 430


def power_by_method(comparison: CoolingComparison, ink: Ink) -> go.Figure:
    """Return the cooling power of each feasible method by equipment, as stacked bars.

    Each bar carries the key of its result and the name of its method; a bar for several results
    carries the key of their sum in the comparison.

    comparison: The compared cooling methods.
    ink: Colours of the page.
    """
    feasible = [one for one in comparison.options if one.feasible and one.design is not None]
    parts = [part_powers(option) for option in feasible]
    names = [option.label for option in feasible]
    figure = go.Figure()
    for (part, of), colour in zip(POWER_PARTS.items(), _COLOURS, strict=True):
        powers = [_kw(power_w[part]) for power_w in parts]
        if max(powers, default=0.0) > 0.0:
            one = f"cooling.{of[0]}" if len(of) == 1 else ""
            figure.add_bar(
                y=names,
                x=powers,
                name=part,
                orientation="h",
                marker_color=colour,
                customdata=[
                    [one, way.name] if one else [part_id(way.name, part), ""] for way in feasible
                ],
                hovertemplate=f"{part}: %{{x:,.1f}} kW<extra></extra>",
            )
    totals_w = [sum(power_w.values()) for power_w in parts]
    for name, total_w in zip(names, totals_w, strict=True):
        figure.add_annotation(
            x=_kw(total_w),
            y=name,
            showarrow=False,
            xanchor="left",
            text=show(total_w, "active_power", digits=0),
            xshift=4,
        )
    highest = max(map(_kw, totals_w), default=1.0)
    figure.update_yaxes(autorange="reversed", automargin=True, showgrid=False)
    figure.update_xaxes(
        title_text="Cooling power, design hour (kW)",
        automargin=True,
        nticks=5,
        range=[0.0, _ROOM * highest],
    )
    figure.update_layout(barmode="stack", margin=_MARGIN, bargap=0.35, legend=palette.IN_ORDER)
    return palette.finished(figure, ink, _BARS_PX + _ROW_PX * len(feasible))


def power_over_density(comparison: CoolingComparison, ink: Ink) -> go.Figure:
    """Return the cooling power of each method vs. the power of a rack.

    A line ends with a large marker at the density above which its method exceeds a limit. Points
    carry the key of their result.

    comparison: The compared cooling methods.
    ink: Colours of the page.
    """
    chart = density_chart(comparison, "")
    ways = [option.name for option in comparison.options]
    lines = [
        _line(line, way, look)
        for line, way, look in zip(chart.lines, ways, _LOOKS, strict=True)
        if line.points
    ]
    marks, veil = sorted(chart.marks, key=lambda mark: mark.x), palette.veil(ink)
    highest = max((y for line in chart.lines for _, y in line.points), default=1.0)
    ends = [math.log10(chart.x_ticks[n]) for n in (0, -1)]
    figure = go.Figure(lines, {
        "shapes": [
            {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": mark.x, "x1": mark.x,
             "line": {"color": Hue.HOUSE.value, "dash": "dash", "width": 1}} for mark in marks
        ],
        "annotations": [_mark_text(n, mark, ends, veil) for n, mark in enumerate(marks)],
        "xaxis": {"type": "log", "tickvals": chart.x_ticks, "title_text": chart.x_label,
                  "range": ends, "automargin": True},
        "yaxis": {"title_text": chart.y_label, "range": [0.0, _ROOM * highest], "automargin": True},
        "margin": _MARGIN, "legend": _BELOW, "showlegend": True,
    })  # fmt: skip
    return palette.finished(figure, ink, _PLOT_PX)


def _line(line: ChartLine, way: str, look: tuple[str, str, str]) -> dict[str, Any]:
    colour, dash, symbol = look
    points, name = line.points, line.name
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "customdata": [density_id(way, 1e3 * x) for x, _ in points],
        "line": {"color": colour, "dash": dash, "width": 2},
        "marker": {
            "symbol": symbol,
            "color": colour,
            "size": [_MARK_PX] * (len(points) - 1) + [_END_PX if line.ends else _MARK_PX],
        },
        "hovertemplate": f"{name}: %{{y:,.0f}} kW at %{{x:,.0f}} kW per rack<extra></extra>",
    }


def _mark_text(number: int, mark: ChartMark, ends: list[float], veil: str) -> dict[str, Any]:
    """Return the label of a vertical line: in its own row, on the side with more space."""
    at = math.log10(mark.x)
    left = at > 0.5 * sum(ends)
    return {
        "x": at,
        "y": 1.0 - _MARK_ROW * number,
        "yref": "paper",
        "yanchor": "top",
        "xanchor": "right" if left else "left",
        "xshift": -4 if left else 4,
        "text": mark.words,
        "showarrow": False,
        "font": {"size": 11},
        "bgcolor": veil,
    }


def _kw(power_w: float) -> float:
    return view_value(power_w, "active_power")
