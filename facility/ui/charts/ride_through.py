"""Temperatures over time after a failure; limits as lines with letters, events with numbers.

Their names are listed below the chart, so that they never cover the curves on a narrow page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import plotly.graph_objects as go

from facility.cooling.ride_through.limits import Limit
from facility.core.kinds import KINDS, FloatArray, value_in
from facility.core.views import System, view_unit, view_value
from facility.report.tables.ride_events import SERIES_NAMES, RideEvent
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy
from facility.ui.charts import palette
from facility.ui.charts.click_points import NEAREST_POINT, click_points
from facility.ui.charts.palette import Hue, Ink

_Drawn = dict[str, Any]
_Mark = tuple[_Drawn | None, _Drawn | None]
"""A line, and its label at the border of the chart."""

_MARGIN = {"l": 6, "r": 40, "t": 30, "b": 6}
_BELOW = {"orientation": "h", "y": -0.16, "yanchor": "top", "x": 0, "xanchor": "left"}
_LOOKS = {
    "inlet_worst": ("#cf4457", "solid"),
    "inlet": ("#c17f1a", "dot"),
    "tcs_supply": ("#7a5ea8", "solid"),
    "fws_supply": ("#4263a8", "dash"),
    "chw_supply": ("#2f8fac", "dashdot"),
}
_POINTS = 450
_EVENT_SHARE, _LETTER_SHARE = 0.06, 0.045
"""Fractions of the axes within which labels would overlap."""
_HEIGHT = 520
_HEADROOM_K, _MIN_SPAN_K = 2.0, 10.0


def ride_figure(
    study: TransientStudy,
    found: RideResult,
    events: tuple[RideEvent, ...],
    until_s: float,
    ink: Ink,
    system: System,
) -> go.Figure:
    """Return the temperature curves of one failure; each carries the key of its maximum.

    study, found: The study and one of its failures.
    events: Events, drawn as numbered vertical lines.
    until_s: End of the time axis [s].
    ink: Colours of the page.
    system: Unit of the temperatures.
    """
    drawn = [name for name in SERIES_NAMES if name in found.series]
    within = study.time_s <= until_s
    shown = within.nonzero()[0][:: max(1, int(within.sum()) // _POINTS)]
    span = _span(
        [found.series[name][within] for name in drawn], [one.at_c for one in named_limits(found)]
    )
    marks = [*_limit_marks(found, span, system), *_event_marks(events, until_s)]
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
            **NEAREST_POINT,
        },
    )
    return palette.finished(figure, ink, _HEIGHT)


def _axes(until_s: float, span: tuple[float, float], system: System) -> _Drawn:
    unit = view_unit("temperature", system).replace("deg", "°")
    return {
        "xaxis": {
            "title_text": "Time after the failure (min)",
            "automargin": True,
            "range": [0.0, _minutes(until_s)],
        },
        "yaxis": {
            "title_text": f"Temperature ({unit})",
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
    """Yield a curve at the indices `shown`, and its clickable points for its maximum."""
    colour, dash = _LOOKS[name]
    title, key = palette.sentence(SERIES_NAMES[name]), f"ride.{found.case.id}.peak.{name}"
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
    yield click_points(
        minutes, degrees, key, f"{title}: %{{y:.1f}} at %{{x:.1f}} min<extra></extra>"
    )


def _span(series: list[FloatArray], limits_c: list[float]) -> tuple[float, float]:
    """Return the ends of the temperature axis [degC]."""
    low = min([float(values.min()) for values in series] + limits_c)
    high = max([float(values.max()) for values in series] + limits_c)
    return low - _HEADROOM_K, max(high, low + _MIN_SPAN_K) + _HEADROOM_K


@dataclass(frozen=True)
class NamedLimit:
    """A limit in the chart of a failure."""

    letter: str  # Its label in the chart
    limit: Limit
    at_c: float
    passed_s: float | None  # Time at which it is exceeded; None if it is not


def named_limits(found: RideResult) -> list[NamedLimit]:
    """Return the limits of the curves of a failure, highest first."""
    known = [
        (one.limit_c, one, time_s)
        for one, time_s, _ in found.limits
        if one.limit_c is not None and one.series in found.series.keys() & _LOOKS.keys()
    ]
    known.sort(key=lambda one: -one[0])
    return [
        NamedLimit(letter, limit, at_c, passed_s)
        for letter, (at_c, limit, passed_s) in zip(ascii_lowercase, known, strict=False)
    ]


def _limit_marks(found: RideResult, span: tuple[float, float], system: System) -> Iterator[_Mark]:
    """Yield a line for each limit in the colour of its curve, and its letter at the border."""
    letters: list[tuple[float, str]] = []
    for one in named_limits(found):
        y = _degrees(one.at_c, system)
        letters.append((one.at_c, one.letter))
        line = {"color": _LOOKS[one.limit.series][0], "dash": "dash", "width": 1}
        yield (
            {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line},
            None,
        )
    for at_c, names in _together(letters, _LETTER_SHARE * (span[1] - span[0])):
        position = {"x": 1.0, "xref": "paper", "xanchor": "left", "y": _degrees(at_c, system)}
        yield None, {**position, "yanchor": "middle", "text": _bold(names), "showarrow": False}


def _together(marks: Iterable[tuple[float, str]], near: float) -> list[tuple[float, list[str]]]:
    """Return positions with their labels; a label near the previous one shares its position."""
    spots: list[tuple[float, list[str]]] = []
    for position, name in marks:
        if spots and abs(position - spots[-1][0]) < near:
            spots[-1][1].append(name)
        else:
            spots.append((position, [name]))
    return spots


def _bold(names: list[str]) -> str:
    return f"<b>{', '.join(names)}</b>"


def _event_marks(events: tuple[RideEvent, ...], until_s: float) -> Iterator[_Mark]:
    """Yield a vertical line at each event, and its number above it."""
    shown = [(event.time_s, str(n)) for n, event in enumerate(events, 1) if event.time_s <= until_s]
    line = {"color": Hue.HOUSE.value, "dash": "dot", "width": 1}
    for time_s, _ in shown:
        x = _minutes(time_s)
        yield (
            {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x, "line": line},
            None,
        )
    for time_s, names in _together(shown, _EVENT_SHARE * until_s):
        position = {"x": _minutes(time_s), "y": 1.0, "yref": "paper", "yanchor": "bottom"}
        yield None, {**position, "xanchor": "left", "text": _bold(names), "showarrow": False}
