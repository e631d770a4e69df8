"""Temperatures after a failure against time, with limits as lines and events as marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

from facility.cooling.ride_through.limits import Limit
from facility.core.kinds import KINDS, FloatArray, value_in
from facility.core.views import System, show, view_unit, view_value
from facility.report.tables.ride_events import SERIES_NAMES, RideEvent
from facility.study.transient.result import RideResult, after_words
from facility.study.transient.study import TransientStudy
from facility.ui.charts import palette
from facility.ui.charts.asking import ANYWHERE, unseen
from facility.ui.charts.palette import Hue, Ink

_Drawn = dict[str, Any]
_Box = tuple[float, float, float, float]
"""Left and right as parts of the chart, low and high [degC]."""

_MARGIN = {"l": 6, "r": 6, "t": 30, "b": 6}
_BELOW = {"orientation": "h", "y": -0.16, "yanchor": "top", "x": 0, "xanchor": "left"}
_LOOKS = {
    "inlet_worst": ("#cf4457", "solid"),
    "inlet": ("#c17f1a", "dot"),
    "tcs_supply": ("#7a5ea8", "solid"),
    "fws_supply": ("#4263a8", "dash"),
    "chw_supply": ("#2f8fac", "dashdot"),
}
_POINTS = 450
_LABEL_ENDS = (1.0, 0.75, 0.5)
_LABEL_HIGH, _LETTER_WIDE = 0.05, 0.0068
"""Where names of limits end, and their size, as parts of the chart."""
_EVENT_SHARE = 0.06
_HEIGHT = 520
_HEADROOM_K, _LEAST_SPAN_K = 2.0, 10.0


def ride_figure(
    study: TransientStudy,
    found: RideResult,
    events: tuple[RideEvent, ...],
    until_s: float,
    ink: Ink,
    system: System,
) -> go.Figure:
    """Return the curves of one case; each knows its highest temperature.

    study, found: The study, and the case of it.
    events: Drawn as numbered upright lines.
    until_s: End of the axis of time [s].
    ink: Colours of the page.
    system: Unit of the temperatures.
    """
    drawn = [name for name in SERIES_NAMES if name in found.series]
    within = study.time_s <= until_s
    shown = within.nonzero()[0][:: max(1, int(within.sum()) // _POINTS)]
    limits = [
        (one, time_s)
        for one, time_s, _ in found.limits
        if one.limit_c is not None and one.series in drawn
    ]
    span = _span(
        [found.series[name][within] for name in drawn], [one.limit_c or 0.0 for one, _ in limits]
    )
    over = study.time_s[shown] / until_s
    curves = [(over, found.series[name][shown]) for name in drawn]
    named = _limit_marks(limits, curves, span, palette.veil(ink), system)
    marks = [*named, *_event_marks(events, until_s)]
    figure = go.Figure(
        [
            part
            for name in drawn
            for part in _curve(found, name, study.time_s[shown], shown, system)
        ],
        {
            "shapes": [shape for shape, _ in marks if shape],
            "annotations": [text for _, text in marks if text],
            **_axes(until_s, span, system),
            "margin": _MARGIN,
            "legend": _BELOW,
            **ANYWHERE,
        },
    )
    return palette.finished(figure, ink, _HEIGHT)


def _axes(until_s: float, span: tuple[float, float], system: System) -> _Drawn:
    unit = view_unit("temperature", system).replace("deg", "°")
    return {
        "xaxis": {
            "title_text": "minutes after the failure",
            "automargin": True,
            "range": [0.0, _minutes(until_s)],
        },
        "yaxis": {
            "title_text": f"temperature, {unit}",
            "range": [_degrees(end, system) for end in span],
            "automargin": True,
        },
    }


def _minutes(time_s: Any) -> Any:
    return value_in(KINDS["time"], time_s, "min")


def _degrees(value_c: Any, system: System) -> Any:
    return view_value(value_c, "temperature", system)


def _curve(
    found: RideResult, name: str, time_s: FloatArray, shown: Any, system: System
) -> Iterator[_Drawn]:
    """Yield a curve at the places `shown`, and its points, which ask about its highest."""
    colour, dash = _LOOKS[name]
    title, key = SERIES_NAMES[name], f"ride.{found.case.id}.peak.{name}"
    minutes, degrees = _minutes(time_s), _degrees(found.series[name][shown], system)
    yield {
        "type": "scatter",
        "mode": "lines",
        "x": minutes,
        "y": degrees,
        "name": title,
        "line": {"color": colour, "dash": dash, "width": 2},
        "hoverinfo": "skip",
    }
    yield unseen(minutes, degrees, key, f"{title}: %{{y:.1f}} at %{{x:.1f}} min<extra></extra>")


def _span(series: list[FloatArray], limits_c: list[float]) -> tuple[float, float]:
    """Return the ends of the axis of temperatures [degC]."""
    low = min([float(values.min()) for values in series] + limits_c)
    high = max([float(values.max()) for values in series] + limits_c)
    return low - _HEADROOM_K, max(high, low + _LEAST_SPAN_K) + _HEADROOM_K


def _limit_marks(
    limits: list[tuple[Limit, float | None]],
    curves: list[tuple[FloatArray, FloatArray]],
    span: tuple[float, float],
    veil: str,
    system: System,
) -> Iterator[tuple[_Drawn, _Drawn]]:
    """Yield a line for each limit in the colour of its curve, and its name beside the curves."""
    taken: list[_Box] = []
    for limit, time_s in sorted(limits, key=lambda one: one[0].limit_c or 0.0):
        at_c = limit.limit_c or 0.0
        y = _degrees(at_c, system)
        words = f"{limit.title} {show(at_c, 'temperature', system)}"
        when = "" if time_s is None else f", passed {after_words(time_s)}"
        box = _free_box(at_c, _LETTER_WIDE * len(words + when), curves, taken, span)
        taken.append(box)
        line = {"color": _LOOKS[limit.series][0], "dash": "dash", "width": 1}
        yield (
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line},
            {
                "x": box[1],
                "xref": "paper",
                "xanchor": "right",
                "y": y,
                "yanchor": "bottom" if box[2] == at_c else "top",
                "text": palette.literal(words + when),
                "showarrow": False,
                "font": {"size": 11},
                "bgcolor": veil,
            },
        )


def _free_box(
    at_c: float,
    wide: float,
    curves: list[tuple[FloatArray, FloatArray]],
    taken: list[_Box],
    span: tuple[float, float],
) -> _Box:
    """Return where a name hides least of curves and of other names: above its line or below it."""
    high_c = _LABEL_HIGH * (span[1] - span[0])

    def hidden(box: _Box) -> int:
        left, right, low, high = box
        points = sum(
            int(((over >= left) & (over <= right) & (at >= low) & (at <= high)).sum())
            for over, at in curves
        )
        names = sum(left < r and right > x and low < t and high > b for x, r, b, t in taken)
        return points + _POINTS * names

    boxes = [
        (end - wide, end, low, low + high_c)
        for end in _LABEL_ENDS
        for low in (at_c, at_c - high_c)
        if end >= wide or end == _LABEL_ENDS[0]
    ]
    return min(boxes, key=hidden)


def _event_marks(
    events: tuple[RideEvent, ...], until_s: float
) -> Iterator[tuple[_Drawn | None, _Drawn | None]]:
    """Yield an upright line at each event, and its number; near ones share a place."""
    spots: list[tuple[float, list[str]]] = []
    for number, event in enumerate(events, 1):
        if event.time_s > until_s:
            continue
        x = _minutes(event.time_s)
        yield (
            {
                "type": "line",
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "x0": x,
                "x1": x,
                "line": {"color": Hue.HOUSE.value, "dash": "dot", "width": 1},
            },
            None,
        )
        if spots and event.time_s - spots[-1][0] < _EVENT_SHARE * until_s:
            spots[-1][1].append(str(number))
        else:
            spots.append((event.time_s, [str(number)]))
    for time_s, numbers in spots:
        yield (
            None,
            {
                "x": _minutes(time_s),
                "y": 1.0,
                "yref": "paper",
                "yanchor": "bottom",
                "xanchor": "left",
                "text": f"<b>{', '.join(numbers)}</b>",
                "showarrow": False,
            },
        )
