"""Charts of a meter log: measured and modelled PUE by hour, and the difference explained."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from facility.core.kinds import FloatArray
from facility.study.measured.study import MeasuredStudy
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 30, "b": 6}
_PX = 340
_LEAP_YEAR, _OTHER_YEAR = "2000-01-01", "2001-01-01"
_PARTS = (
    ("designed", "Model, load profile and typical weather", "absolute"),
    ("difference.load", "Load", "relative"),
    ("difference.weather", "Weather", "relative"),
    ("difference.equipment", "Equipment and operation", "relative"),
    ("readings", "Measured", "total"),
)


def pue_figure(study: MeasuredStudy, ink: Ink) -> go.Figure:
    """Return measured PUE and the PUE of the model by hour; hours without a reading are gaps."""
    times = _times(study)
    figure = go.Figure()
    for name, facility_w, hue in (
        ("Measured", study.facility_w, Hue.LOSS),
        ("Model, measured load and weather", study.model_w, Hue.COOLING),
    ):
        figure.add_trace(
            go.Scattergl(
                x=times,
                y=_by_step(study, facility_w),
                name=name,
                mode="lines",
                line={"color": hue.value, "width": 1},
                connectgaps=False,
                hovertemplate="%{x|%-d %b %H:%M}: %{y:.3f}<extra></extra>",
            )
        )
    figure.update_yaxes(title_text="PUE, hourly", automargin=True, tickformat=".2f")
    figure.update_xaxes(tickformat="%b", dtick="M1", ticklabelmode="period", tickangle=0)
    figure.update_layout(margin=_MARGIN, legend=palette.ABOVE)
    return palette.finished(figure, ink, _PX)


def difference_figure(study: MeasuredStudy, ink: Ink) -> go.Figure:
    """Return the annual PUE of the model, its differences by cause, and the measured PUE."""
    values = [float(study.results[f"pue.{key}"].si) for key, _, _ in _PARTS]
    shown = [
        f"{value:+.3f}" if kind == "relative" else f"{value:.3f}"
        for value, (_, _, kind) in zip(values, _PARTS, strict=True)
    ]
    figure = go.Figure(
        go.Waterfall(
            x=[name for _, name, _ in _PARTS],
            y=values,
            measure=[kind for _, _, kind in _PARTS],
            text=shown,
            textposition="outside",
            connector={"line": {"color": ink.grid}},
            increasing={"marker": {"color": Hue.LOSS.value}},
            decreasing={"marker": {"color": Hue.COOLING.value}},
            totals={"marker": {"color": Hue.IT.value}},
            hoverinfo="skip",
        )
    )
    lowest, highest = _range(values)
    figure.update_yaxes(
        title_text="PUE, hours measured", automargin=True, tickformat=".2f", range=[lowest, highest]
    )
    figure.update_layout(margin=_MARGIN, showlegend=False)
    return palette.finished(figure, ink, _PX)


def _range(values: list[float]) -> tuple[float, float]:
    """Return the ends of the axis: the steps are small beside the PUE."""
    levels = [values[0], *(values[0] + sum(values[1 : n + 1]) for n in range(1, len(values) - 1))]
    levels.append(values[-1])
    margin = 0.25 * (max(levels) - min(levels)) + 0.01
    return min(levels) - margin, max(levels) + margin


def _times(study: MeasuredStudy) -> np.ndarray[tuple[int], np.dtype[np.datetime64]]:
    """Return the start of each step of the year."""
    hours = study.hours
    start = np.datetime64(_LEAP_YEAR if hours.days == 366 else _OTHER_YEAR, "s")
    count = round(hours.days * 24.0 / hours.step_h)
    return start + np.timedelta64(round(hours.step_h * 3600.0), "s") * np.arange(count)


def _by_step(study: MeasuredStudy, facility_w: FloatArray) -> FloatArray:
    """Return the PUE of each step of the year; NaN without readings or IT power."""
    hours = study.hours
    found = np.full(round(hours.days * 24.0 / hours.step_h), np.nan)
    steps = np.round(hours.ends_h / hours.step_h).astype(np.int64) - 1
    has_load = study.it_w > 0.0
    found[steps[has_load]] = facility_w[has_load] / study.it_w[has_load]
    return found
