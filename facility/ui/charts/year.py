"""Charts of a year: hourly heat map, monthly energy and bills, load duration curves."""

from __future__ import annotations

from calendar import month_abbr
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from facility.core.kinds import FloatArray
from facility.core.views import System, show, view_unit, view_value
from facility.report.drawings.charts.year import HourMap, calendar_hour, date_of
from facility.report.tables.bill import MonthBill
from facility.study.annual.result import Month, Year
from facility.ui.charts import palette
from facility.ui.charts.click_points import NEAREST_POINT, click_points
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 26, "b": 6}
_GROUPS = {
    "it": ("IT", Hue.IT),
    "losses": ("Losses", Hue.LOSS),
    "cooling": ("Cooling", Hue.COOLING),
    "house": ("Building load", Hue.HOUSE),
}
_NUMBERS = {"automargin": True, "tickformat": ","}
_ABOVE = {"y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False}
_TOP_LEFT = {"x": 0, "xref": "paper", "xanchor": "left", **_ABOVE}
_LEAP_YEAR, _OTHER_YEAR = "2000-01-01T12", "2001-01-01T12"
_HALF_DAY = np.timedelta64(12, "h")
_HALF_WEEK = 84
_SCALE = "Viridis"
_POINTS = 440
_MAP_PX, _PAIR_PX = 400, 380
_HEADROOM = 1.2
_MARKED = {"annual.peak": 0.0, "annual.p99": 0.01, "annual.p90": 0.1, "annual.p50": 0.5}
"""Results marked on the load duration curve, with the fraction of hours above them."""


def hour_figure(shown: HourMap, ink: Ink, system: System) -> go.Figure:
    """Return the heat map of a year: days on the horizontal, hours of the day on the vertical axis.

    shown: The series, in SI units.
    ink: Colours of the page.
    system: Unit of the colour scale.
    """
    days = _days(shown.values.shape[1])
    unit = view_unit(shown.kind, system)
    highest, day, hour = shown.highest
    when = date_of(day, len(days))
    words = f"Maximum {show(highest, shown.kind, system)}, {when}, hour {hour + 1}"
    figure = go.Figure(
        go.Heatmap(
            x=days,
            y=(np.arange(len(shown.values)) + 0.5) * shown.step_h,
            z=_view(shown.values, shown.kind, system).astype(np.float32),
            colorscale=_SCALE,
            hovertemplate=f"%{{x|%-d %b}}, %{{y}} h: %{{z:,.4~g}} {unit}<extra></extra>",
            colorbar=_scale(f"{shown.title} ({unit})" if unit else shown.title, ink),
        )
    )
    figure.add_trace(_hours_to_choose(days, shown))
    figure.add_annotation(text=words, **_TOP_LEFT)
    figure.update_xaxes(
        tickformat="%b",
        dtick="M1",
        ticklabelmode="period",
        tickangle=0,
        showgrid=False,
        tickfont_size=11,
        range=[days[0] - _HALF_DAY, days[-1] + _HALF_DAY],
    )
    figure.update_yaxes(
        tickvals=[0, 6, 12, 18, 24],
        title_text="Hour of the day (h)",
        range=[0, 24],
        automargin=True,
        showgrid=False,
    )
    figure.update_layout(margin=_MARGIN)
    return palette.finished(figure, ink, _MAP_PX)


def _hours_to_choose(days: NDArray[np.datetime64], shown: HourMap) -> go.Scattergl:
    """Return a point for each hour in the order of the year; a heat map cannot be clicked."""
    steps, count = shown.values.shape
    return go.Scattergl(
        x=np.repeat(days, steps),
        y=np.tile((np.arange(steps, dtype=np.float32) + 0.5) * shown.step_h, count),
        mode="markers",
        marker={"size": 6, "symbol": "square", "opacity": 0.0},
        selected={"marker": {"opacity": 1.0, "color": Hue.LOSS.value, "size": 9}},
        unselected={"marker": {"opacity": 0.0}},
        hoverinfo="none",
        showlegend=False,
    )


def week_figure(year: Year, index: int, ink: Ink, system: System) -> go.Figure:
    """Return the hourly power by end use, from half a week before to half a week after an hour.

    index: Index of the middle step, from 0.
    ink: Colours of the page.
    system: Unit of the power.
    """
    count, unit = len(year.hours), view_unit("active_power", system)
    half = round(_HALF_WEEK / year.hours.step_h)
    first = min(max(index - half, 0), max(count - 2 * half, 0))
    shown = slice(first, min(first + 2 * half, count))
    hours = np.arange(count)[shown] * year.hours.step_h + 1.0
    figure = go.Figure()
    for group, (name, colour) in _GROUPS.items():
        figure.add_scatter(
            x=hours,
            y=_view(year.group_w(group)[shown], "active_power", system).astype(np.float32),
            name=name,
            mode="lines",
            stackgroup="use",
            line={"color": colour.value, "width": 0.5},
            hoverinfo="skip",
        )
    figure.add_traces(list(_in_the_bands(year, shown, hours, unit, system)))
    figure.add_vline(x=index + 1, line_dash="dot", line_color=Hue.LOSS.value)
    when, hour = calendar_hour(year, index)
    figure.add_annotation(x=index + 1, text=f"{when}, hour {hour}", **_ABOVE)
    figure.update_xaxes(
        title_text="Hour of the year (h)", tickformat=",", range=[hours[0], hours[-1]]
    )
    figure.update_yaxes(title_text=f"Power ({unit})", rangemode="tozero", **_NUMBERS)
    below = {**palette.IN_ORDER, "y": -0.25, "yanchor": "top"}
    figure.update_layout(margin=_MARGIN, legend=below, **NEAREST_POINT)
    return palette.finished(figure, ink, _PAIR_PX)


def _in_the_bands(
    year: Year, shown: slice, hours: NDArray[np.floating[Any]], unit: str, system: System
) -> Iterator[dict[str, object]]:
    """Yield points in the middle of each band; each carries its result key and its hour."""
    below, steps = np.zeros(len(hours)), [str(n) for n in range(shown.start, shown.stop)]
    for group, (name, _) in _GROUPS.items():
        power = _view(year.group_w(group)[shown], "active_power", system)
        keys = [
            [f"load.{group}", step, f"{kw:,.1f}"] for step, kw in zip(steps, power, strict=True)
        ]
        hover = f"{name}, hour %{{x:,}}: %{{customdata[2]}} {unit}<extra></extra>"
        yield click_points(hours, below + 0.5 * power, keys, hover)
        below = below + power


def month_figure(months: Sequence[Month], ink: Ink, system: System) -> go.Figure:
    """Return the monthly energy by end use as stacked bars, with the PUE above.

    Each bar carries the key of its annual result.

    ink: Colours of the page.
    system: Unit of the energy.
    """
    names, unit = [month_abbr[month.number] for month in months], view_unit("energy", system)
    energy = {
        group: [view_value(month.energy_j[group], "energy", system) for month in months]
        for group in _GROUPS
    }
    figure = _by_month(names, energy, _GROUPS, "energy", f"%{{y:,.1f}} {unit}")
    tops = [view_value(month.facility_j, "energy", system) for month in months]
    for name, top, month in zip(names, tops, months, strict=True):
        figure.add_annotation(
            x=name,
            y=top,
            text="" if month.pue is None else f"{month.pue:.3f}",
            textangle=-90,
            yshift=3,
            yanchor="bottom",
            showarrow=False,
            font_size=11,
        )
    title, top = f"Monthly energy ({unit}); labels: PUE", _HEADROOM * max(tops)
    figure.update_yaxes(title_text=title, range=[0.0, top], **_NUMBERS)
    return palette.finished(figure, ink, _PAIR_PX)


def _by_month(
    names: Sequence[str],
    values: Mapping[str, Sequence[float]],
    parts: Mapping[str, tuple[str, Hue]],
    of: str,
    hover: str,
) -> go.Figure:
    """Return monthly parts as stacked bars with the keys of their annual results (`of`)."""
    figure = go.Figure()
    for key, found in values.items():
        name, colour = parts[key]
        figure.add_bar(
            x=names,
            y=found,
            name=name,
            marker_color=colour.value,
            customdata=[f"{of}.annual.{key}"] * len(names),
            hovertemplate=f"{name}, %{{x}}: {hover}<extra></extra>",
        )
    figure.update_xaxes(tickangle=0, tickfont_size=11)
    figure.update_layout(barmode="stack", bargap=0.25, margin=_MARGIN, legend=palette.IN_ORDER)
    return figure


def duration_figure(year: Year, design_w: float, ink: Ink, system: System) -> go.Figure:
    """Return the load duration curve of the facility.

    The curve opens the annual energy, its markers the demand at peak, P99, P90 and P50.

    design_w: Power of the facility at the design hour [W].
    ink: Colours of the page.
    system: Unit of the power.
    """
    labels = "Power at the meter", "Design hour", "energy.annual"
    figure = _lasting(year, year.duration_w, design_w, labels, ink, system)
    unit, lasting_w = view_unit("active_power", system), year.duration_w
    at = [round(part * (len(lasting_w) - 1)) for part in _MARKED.values()]
    return figure.add_scatter(
        x=[(n + 1) * year.hours.step_h for n in at],
        y=[view_value(float(lasting_w[n]), "active_power", system) for n in at],
        mode="markers",
        marker={"size": 9, "color": Hue.LOSS.value},
        unselected={"marker": {"opacity": 1.0}},
        customdata=list(_MARKED),
        hovertemplate=f"%{{x:,}} h at %{{y:,.1f}} {unit} or more<extra></extra>",
    )


def it_duration_figure(year: Year, design_w: float, ink: Ink, system: System) -> go.Figure:
    """Return the load duration curve of the IT, with its design load as a line."""
    lasting_w = np.sort(year.power_w["it"])[::-1]
    labels = "IT power", "Design IT load", "energy.annual.it"
    return _lasting(year, lasting_w, design_w, labels, ink, system)


def it_days_figure(year: Year, ink: Ink, system: System) -> go.Figure:
    """Return the IT power by day of the year: mean, minimum and maximum hour."""
    unit, it_w = view_unit("active_power", system), year.power_w["it"]
    by_day = _view(it_w, "active_power", system).reshape(-1, round(24.0 / year.hours.step_h))
    days = _days(len(by_day))
    line = {"color": Hue.IT.value, "width": 0}
    first = np.arange(len(by_day)) * by_day.shape[1]
    lowest, highest = (
        [["load.it", str(step)] for step in first + found(by_day, axis=1)]
        for found in (np.argmin, np.argmax)
    )
    figure = go.Figure()
    for name, values, fill, keys in (
        ("Minimum hour", by_day.min(axis=1), None, lowest),
        ("Maximum hour", by_day.max(axis=1), "tonexty", highest),
        ("Daily mean", by_day.mean(axis=1), None, [["energy.annual.it", ""]] * len(days)),
    ):
        figure.add_scatter(
            x=days,
            y=values,
            name=name,
            mode="lines",
            fill=fill,
            line={**line, "width": 2} if name == "Daily mean" else line,
            hoverinfo="skip",
        )
        hover = f"%{{x|%-d %b}}, {name}: %{{y:,.1f}} {unit}<extra></extra>"
        figure.add_trace(click_points(days, values, keys, hover))
    figure.update_xaxes(tickformat="%b", nticks=13)
    figure.update_yaxes(title_text=f"IT power ({unit})", rangemode="tozero", **_NUMBERS)
    words = "Daily mean; band: minimum to maximum hour"
    figure.add_annotation(text=words, **_TOP_LEFT)
    figure.update_layout(margin=_MARGIN, showlegend=False, **NEAREST_POINT)
    return palette.finished(figure, ink, _PAIR_PX)


def _lasting(
    year: Year,
    lasting_w: FloatArray,
    design_w: float,
    labels: tuple[str, str, str],
    ink: Ink,
    system: System,
) -> go.Figure:
    """Return a load duration curve.

    labels: Label of the power, label of `design_w`, and key of the energy below the curve.
    """
    what, marked, key = labels
    unit = view_unit("active_power", system)
    indices = np.unique(np.linspace(0, len(lasting_w) - 1, _POINTS).astype(int))
    design, peak = (view_value(w, "active_power", system) for w in (design_w, float(lasting_w[0])))
    hours, powers = (
        (indices + 1) * year.hours.step_h,
        _view(lasting_w[indices], "active_power", system),
    )
    look = {"color": Hue.IT.value, "width": 2}
    figure = go.Figure(
        go.Scatter(x=hours, y=powers, mode="lines", fill="tozeroy", line=look, hoverinfo="skip")
    )
    hover = f"%{{x:,}} h at %{{y:,.1f}} {unit} or more<extra></extra>"
    figure.add_trace(click_points(hours, powers, key, hover))
    figure.add_hline(y=design, line_dash="dash", line_color=Hue.LOSS.value)
    for x, anchor, y, words in (
        (0.0, "left", peak, f"Peak {show(float(lasting_w[0]), 'active_power', system)}"),
        (1.0, "right", design, f"{marked} {show(design_w, 'active_power', system)}"),
    ):
        figure.add_annotation(
            x=x, xref="paper", xanchor=anchor, y=y, yanchor="bottom", text=words, showarrow=False
        )
    title, whole = "Time at or above the power (h per year)", year.hours.whole
    figure.update_xaxes(title_text=title, range=[0, whole], nticks=6, **_NUMBERS)
    top = _HEADROOM * max(design, peak)
    figure.update_yaxes(title_text=f"{what} ({unit})", range=[0.0, top], **_NUMBERS)
    figure.update_layout(margin=_MARGIN, showlegend=False, **NEAREST_POINT)
    return palette.finished(figure, ink, _PAIR_PX)


def _scale(title: str, ink: Ink) -> dict[str, object]:
    """Return the colour scale, below the map so that the map keeps its width on a phone."""
    return {
        "orientation": "h",
        "y": -0.14,
        "yanchor": "top",
        "thickness": 12,
        "len": 1.0,
        "nticks": 6,
        "title": {"text": title, "side": "bottom", "font": {"color": ink.text}},
        "tickfont": {"color": ink.text},
        "outlinewidth": 0,
    }


def _days(count: int) -> NDArray[np.datetime64]:
    """Return noon of each day, in a nominal year with this number of days."""
    first = np.datetime64(_LEAP_YEAR if count > 365 else _OTHER_YEAR)
    return first + np.arange(count) * np.timedelta64(24, "h")


def _view(values: FloatArray, kind: str, system: System) -> FloatArray:
    return np.asarray(view_value(values, kind, system))  # type: ignore[arg-type]


_PARTS = {
    "energy": ("Energy", Hue.IT),
    "demand": ("Demand", Hue.COOLING),
    "power_factor": ("Power factor", Hue.LOSS),
    "reactive": ("Reactive energy", Hue.LIQUID),
    "fixed": ("Fixed charges", Hue.HOUSE),
}


def bill_figure(months: Sequence[MonthBill], currency: str, ink: Ink) -> go.Figure:
    """Return the monthly bill by charge as stacked bars, without charges that are zero.

    Each bar carries the key of its annual result.

    currency: Currency of the bill.
    ink: Colours of the page.
    """
    names = [month_abbr[month.number] for month in months]
    costs = {key: [float(getattr(month, key)) for month in months] for key in _PARTS}
    charged = {key: found for key, found in costs.items() if any(found)}
    figure = _by_month(names, charged, _PARTS, "cost", f"%{{y:,.0f}} {currency}")
    title = f"Monthly bill ({currency})"
    figure.update_yaxes(title_text=title, rangemode="tozero", **_NUMBERS)
    return palette.finished(figure, ink, _PAIR_PX)
