"""Charts of a meter log: measured and modelled PUE by hour, and the difference explained."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from facility.study.measured.study import MeasuredStudy
from facility.ui.charts import palette
from facility.ui.charts.palette import Hue, Ink

_MARGIN = {"l": 6, "r": 10, "t": 30, "b": 6}
_PX = 340
_LEAP_YEAR, _OTHER_YEAR = "2000-01-01", "2001-01-01"
_PARTS = (
    ("designed", "Model", "absolute"),
    ("difference.load", "Load", "relative"),
    ("difference.weather", "Weather", "relative"),
    ("difference.equipment", "Equipment,<br>operation", "relative"),
    ("readings", "Measured", "total"),
)


def pue_figure(study: MeasuredStudy, ink: Ink) -> go.Figure:
    """Return measured PUE and the PUE of the model by hour; hours without a reading are gaps."""
    hours = study.hours
    start = np.datetime64(_LEAP_YEAR if hours.days == 366 else _OTHER_YEAR, "s")
    count = round(hours.days * 24.0 / hours.step_h)
    times = start + np.timedelta64(round(hours.step_h * 3600.0), "s") * np.arange(count)
    steps, has_load = np.round(hours.ends_h / hours.step_h).astype(int) - 1, study.it_w > 0.0
    figure = go.Figure()
    for name, facility_w, hue in (
        ("Measured", study.facility_w, Hue.LOSS),
        ("Model, measured load and weather", study.model_w, Hue.COOLING),
    ):
        pue = np.full(count, np.nan)  # Without readings or IT power
        pue[steps[has_load]] = facility_w[has_load] / study.it_w[has_load]
        figure.add_trace(
            go.Scattergl(
                x=times,
                y=pue,
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
        f"{value:+z.3f}" if kind == "relative" else f"{value:.3f}"
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
    # The steps are small compared with the PUE: the axis does not begin at 0.
    levels = [*np.cumsum(values[:-1]).tolist(), values[-1]]
    margin = 0.25 * (max(levels) - min(levels)) + 0.01
    figure.update_yaxes(
        title_text="PUE, hours measured",
        automargin=True,
        tickformat=".3f",
        range=[min(levels) - margin, max(levels) + margin],
    )
    figure.update_xaxes(tickangle=0, tickfont_size=10)
    figure.update_layout(margin=_MARGIN, showlegend=False)
    return palette.finished(figure, ink, _PX)
