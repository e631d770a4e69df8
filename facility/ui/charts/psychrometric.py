"""Psychrometric chart: outdoor and room air with the envelopes of the air class."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from facility.core.views import System, show, view_unit, view_value
from facility.report.drawings.charts.psychrometric import (
    AirPoint,
    Curve,
    PsychrometricChart,
    YearHours,
)
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_Drawn = dict[str, Any]
_HEIGHT = 560
_MARGIN = {"l": 18, "r": 6, "t": 6, "b": 6}
_LEGEND = {
    "orientation": "h",
    "yref": "container",
    "y": 0,
    "yanchor": "bottom",
    "x": 0,
    "xanchor": "left",
}
_ENVELOPES = (("#4d7f31", "rgba(77,127,49,0.22)"), ("#2f8fac", "rgba(47,143,172,0.10)"))
_CLOUD = ((0.0, "rgba(133,140,150,0.10)"), (1.0, "rgba(133,140,150,0.85)"))
_MARKS = {
    "outdoors, this hour": ("star", Hue.LOSS, 15),
    "outdoors, design": ("triangle-up", Hue.LOSS, 12),
    "outdoors, mean": ("triangle-down", Hue.LOSS, 12),
    "supply air": ("circle-open", Hue.IT, 19),
    "equipment inlet, mean": ("square-open", Hue.COOLING, 13),
    "equipment inlet, worst": ("diamond", Hue.LIQUID, 8),
    "return air": ("cross", Hue.COOLING, 12),
}
_KEYS = {
    "supply air": "air.supply_temperature",
    "equipment inlet, mean": "air.inlet_temperature",
    "equipment inlet, worst": "air.inlet_temperature_worst",
}
"""Result keys of the points."""
_INSIDE = 0.9
_HEIGHTS = (0.94, 0.94, 0.94, 0.84)
"""Maximum height of the label of each humidity line, as a fraction of the chart."""
_LOWER = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
_TAKEN = ((-0.04, 0.14), (-0.1, 0.05))
"""Extent of a label around its foot as fractions of the chart, including half a marker."""


def psychrometric_figure(chart: PsychrometricChart, ink: Ink, system: System) -> go.Figure:
    """Return the psychrometric chart as a figure.

    chart: Air states and curves, in SI units.
    ink: Colours of the page.
    system: Units of the axes.
    """
    traces = [] if chart.hours is None else [_hours(chart.hours, system)]
    for curve, (line, fill) in zip(chart.envelopes, _ENVELOPES, strict=True):
        traces.append(
            _curve(
                curve,
                system,
                {"color": line, "width": 2},
                name=curve.name,
                fill="toself",
                fillcolor=fill,
            )
        )
    grey = {"color": Hue.HOUSE.value, "width": 1, "dash": "dot"}
    traces += [_curve(curve, system, grey, showlegend=False) for curve in chart.humidities]
    traces.append(
        _curve(chart.saturation, system, {"color": ink.text, "width": 2}, name="Saturation")
    )
    ends = np.array([(p.dry_bulb_c, p.humidity_ratio) for p in chart.process]).T
    process = Curve("Hall air process", ends[0], ends[1])
    traces.append(_curve(process, system, {"color": Hue.IT.value, "width": 2}, name=process.name))
    traces += [_point(point, ink, system) for point in (*chart.outdoors, *chart.indoors)]
    figure = go.Figure(
        traces,
        {
            **_axes(chart, system),
            "annotations": [
                _label(c, high, chart, system) | {"bgcolor": palette.veil(ink)}
                for c, high in zip(chart.humidities, _HEIGHTS, strict=True)
            ],
            "margin": _MARGIN,
            "legend": _LEGEND,
            "showlegend": True,
        },
    )
    return palette.finished(figure, ink, _HEIGHT)


def _dry(value_c: Any, system: System) -> Any:
    return view_value(value_c, "temperature", system)


def _moist(ratio: Any, system: System) -> Any:
    return view_value(ratio, "humidity_ratio", system)


def _curve(curve: Curve, system: System, line: _Drawn, **look: Any) -> _Drawn:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": _dry(curve.dry_bulb_c, system),
        "y": _moist(curve.humidity_ratio, system),
        "line": line,
        "hoverinfo": "skip",
        **look,
    }


def _label(curve: Curve, high: float, chart: PsychrometricChart, system: System) -> _Drawn:
    """Return the label of a humidity line, below the line near the upper or right border.

    Below the line is more space than above. The label moves down if it would cover an air state.
    """
    first = _foot(curve, high, chart)
    highest = first[1] / chart.range_ratio[1]
    feet = [_foot(curve, part * highest, chart) for part in _LOWER]
    dry_c, ratio = next((foot for foot in feet if not _is_taken(foot, chart)), first)
    return {
        "x": _dry(dry_c, system),
        "y": _moist(ratio, system),
        "text": curve.name,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "top",
        "font": {"size": 11},
    }


def _foot(curve: Curve, high: float, chart: PsychrometricChart) -> tuple[float, float]:
    coldest_c, warmest_c = chart.range_c
    inside = (curve.dry_bulb_c <= coldest_c + _INSIDE * (warmest_c - coldest_c)) & (
        curve.humidity_ratio <= high * chart.range_ratio[1]
    )
    return float(curve.dry_bulb_c[inside][-1]), float(curve.humidity_ratio[inside][-1])


def _is_taken(foot: tuple[float, float], chart: PsychrometricChart) -> bool:
    """Return whether a label with this foot would cover an air state."""
    coldest_c, warmest_c = chart.range_c
    (left, right), (down, up) = _TAKEN
    return any(
        left < (point.dry_bulb_c - foot[0]) / (warmest_c - coldest_c) < right
        and down < (point.humidity_ratio - foot[1]) / chart.range_ratio[1] < up
        for point in (*chart.outdoors, *chart.indoors)
    )


def _hours(hours: YearHours, system: System) -> _Drawn:
    return {
        "type": "heatmap",
        "x": _dry(hours.dry_bulb_c, system),
        "y": _moist(hours.humidity_ratio, system),
        "z": np.where(hours.hours > 0.0, hours.hours, np.nan),
        "colorscale": _CLOUD,
        "showscale": False,
        "hovertemplate": "%{z:.0f} h per year<extra></extra>",
        "hoverongaps": False,
    }


def _point(point: AirPoint, ink: Ink, system: System) -> _Drawn:
    symbol, colour, size = _MARKS[point.name]
    hollow = symbol.endswith("-open")
    text = f"{palette.sentence(point.name)} {show(point.dry_bulb_c, 'temperature', system)}"
    moisture = show(point.humidity_ratio, "humidity_ratio", system)
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [_dry(point.dry_bulb_c, system)],
        "y": [_moist(point.humidity_ratio, system)],
        "name": text,
        "hovertemplate": f"{text}, {moisture}<extra></extra>",
        "customdata": [_KEYS.get(point.name, "")],
        "marker": {
            "symbol": symbol,
            "size": size,
            "color": colour.value,
            "line": {"width": 2} if hollow else {"width": 1, "color": ink.text},
        },
    }


def _axes(chart: PsychrometricChart, system: System) -> _Drawn:
    unit = view_unit("temperature", system).replace("deg", "°")
    return {
        "xaxis": {
            "title_text": f"Dry bulb ({unit})",
            "automargin": True,
            "range": [_dry(end, system) for end in chart.range_c],
        },
        "yaxis": {
            "title_text": f"Humidity ratio ({view_unit('humidity_ratio', system)})",
            "side": "right",
            "automargin": True,
            "range": [_moist(end, system) for end in chart.range_ratio],
        },
    }
