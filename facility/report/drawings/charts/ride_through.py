"""Temperatures over time after a failure; limits as lines with letters, events with numbers.

Their names are listed below the chart, so that they never cover the curves on a narrow page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase

import numpy as np

from facility.cooling.ride_through.limits import Limit
from facility.core.kinds import FloatArray
from facility.core.views import System, view_unit
from facility.report.drawings.charts.kit.axes import Plot, linear_axis, plot_area, plotted
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    ChartText,
    LegendSample,
    PathShape,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.series import line, marks_along
from facility.report.drawings.charts.kit.units import AxisUnit
from facility.report.drawings.text import sentence
from facility.report.tables.ride_events import SERIES_NAMES, RideEvent
from facility.study.transient.result import RideResult
from facility.study.transient.study import TransientStudy

_LOOKS: Mapping[str, tuple[Role, str]] = {
    "inlet_worst": ("limit", ""),
    "inlet": ("house", "2 3"),
    "tcs_supply": ("liquid", ""),
    "fws_supply": ("it", "6 3"),
    "chw_supply": ("cooling", "8 3 2 3"),
}
_POINTS = 450
_EVENT_SHARE, _LETTER_SHARE = 0.06, 0.04
"""Fractions of the axes within which labels would overlap."""
_HEIGHT_PX, _LETTERS_PX = 480.0, 34.0
_HEADROOM_K, _MIN_SPAN_K = 2.0, 10.0


def ride_chart(
    study: TransientStudy,
    found: RideResult,
    events: tuple[RideEvent, ...],
    until_s: float,
    system: System,
) -> Chart:
    """Return the temperature curves of one failure; each has the key of its maximum.

    study, found: The study and one of its failures.
    events: Events, drawn as numbered vertical lines.
    until_s: End of the time axis [s].
    system: Unit of the temperatures.
    """
    drawn = [name for name in SERIES_NAMES if name in found.series]
    within = study.time_s <= until_s
    shown = within.nonzero()[0][:: max(1, int(within.sum()) // _POINTS)]
    series = [found.series[name][within] for name in drawn]
    span = _span(series, [one.at_c for one in named_limits(found)])
    unit = AxisUnit("temperature", view_unit("temperature", system))
    x = linear_axis("Time after the failure (min)", 0.0, _minutes(until_s), 6.0)
    low, high = map(unit.of, span)
    plot = plot_area(x, linear_axis(unit.title("Temperature"), low, high, 6.0), _HEIGHT_PX)
    shapes = [*_limit_marks(found, plot, unit), *_event_marks(events, until_s, plot)]
    marks: list[ChartMark] = []
    legend = []
    minutes = AxisUnit("time", "min").of(study.time_s[shown])
    for name in drawn:
        role, dash = _LOOKS[name]
        title, degrees = sentence(SERIES_NAMES[name]), unit.of(found.series[name][shown])

        def words(n: int, title: str = title, degrees: FloatArray = degrees) -> str:
            return f"{title}: {degrees[n]:.1f} {unit.text} at {minutes[n]:.1f} min"

        shapes.append(line(plot, minutes, degrees, role, dash=dash))
        key = f"ride.{found.case.id}.peak.{name}"
        marks += marks_along(plot, name, minutes, degrees, words, (key,))
        legend.append(LegendSample(title, role, "line", dash))
    chart = plotted(plot, "Temperatures after the failure", shapes, marks, legend, nearest=True)
    return replace(chart, right=_LETTERS_PX)


def _minutes(time_s: float) -> float:
    return AxisUnit("time", "min").of(time_s)


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


def _limit_marks(found: RideResult, plot: Plot, unit: AxisUnit) -> Iterator[Shape]:
    """Yield a line for each limit in the colour of its curve, and its letter at the border."""
    letters: list[tuple[float, str]] = []
    for one in named_limits(found):
        y = plot.up(unit.of(one.at_c))
        letters.append((-y, one.letter))
        yield PathShape(
            np.array([0.0, 1.0]), np.array([y, y]), _LOOKS[one.limit.series][0], 1.0, "6 4"
        )
    for height, names in _together(letters[::-1], _LETTER_SHARE * (plot.bottom - plot.top)):
        yield ChartText(", ".join(names[::-1]), 1.0, -height, "start", 4.0, role="ink", bold=True)


def _together(marks: Iterable[tuple[float, str]], near: float) -> list[tuple[float, list[str]]]:
    """Return positions with their labels; a label near the previous one shares its position."""
    spots: list[tuple[float, list[str]]] = []
    for position, name in marks:
        if spots and abs(position - spots[-1][0]) < near:
            spots[-1][1].append(name)
        else:
            spots.append((position, [name]))
    return spots


def _event_marks(events: tuple[RideEvent, ...], until_s: float, plot: Plot) -> Iterator[Shape]:
    """Yield a vertical line at each event, and its number above it."""
    shown = [(event.time_s, str(n)) for n, event in enumerate(events, 1) if event.time_s <= until_s]
    for time_s, _ in shown:
        yield plot.upright(_minutes(time_s), dash="2 3")
    for time_s, names in _together(shown, _EVENT_SHARE * until_s):
        at = plot.across(_minutes(time_s))
        yield ChartText(", ".join(names), at, plot.top - 8.0, "start", role="ink", bold=True)
