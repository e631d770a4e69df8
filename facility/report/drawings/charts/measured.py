"""Charts of a meter log: measured and modelled PUE by hour, and the difference explained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from facility.core.kinds import FloatArray
from facility.report.drawings.charts.kit.axes import (
    category_axis,
    linear_axis,
    month_axis,
    plot_area,
    plotted,
)
from facility.report.drawings.charts.kit.bars import BarPart, columns
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    LegendSample,
    PathShape,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.series import line, marks_along
from facility.report.drawings.charts.year import date_of
from facility.study.measured.study import MeasuredStudy

_PX = 320.0
_PARTS = (
    ("designed", "Model", True),
    ("difference.load", "Load", False),
    ("difference.weather", "Weather", False),
    ("difference.equipment", "Equipment", False),
    ("readings", "Measured", True),
)
"""Key and name of each step, and whether it is a PUE and not a difference."""


def pue_chart(study: MeasuredStudy) -> Chart:
    """Return measured PUE and PUE of the model by hour; hours without a reading are gaps."""
    hours = study.hours
    count = round(hours.days * 24.0 / hours.step_h)
    days = np.arange(count, dtype=np.float64) * hours.step_h / 24.0
    steps, has_load = np.round(hours.ends_h / hours.step_h).astype(int) - 1, study.it_w > 0.0
    series: list[tuple[str, Role]] = [
        ("Measured", "house"),
        ("Model, measured load and weather", "it"),
    ]
    by_hour = []
    for facility_w in (study.facility_w, study.model_w):
        pue = np.full(count, np.nan)  # Without readings or IT power
        pue[steps[has_load]] = facility_w[has_load] / study.it_w[has_load]
        by_hour.append(pue)
    known = np.concatenate([pue[np.isfinite(pue)] for pue in by_hour])
    low, high = (float(known.min()), float(known.max())) if known.size else (1.0, 2.0)
    y = linear_axis("PUE, hourly", low, high, rounded=True)
    plot = plot_area(month_axis(round(hours.days)), y, _PX)
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    for (name, role), pue in zip(series, by_hour, strict=True):

        def words(n: int, name: str = name, pue: FloatArray = pue) -> str:
            day, hour = divmod(n * hours.step_h, 24.0)
            when = f"{date_of(int(day), round(hours.days))}, hour {int(hour) + 1}"
            return f"{when}, {name}: {pue[n]:.3f}"

        shapes.append(line(plot, days, pue, role, 1.0))
        marks += marks_along(plot, name, days, pue, words, ())
    legend = [LegendSample(name, role, "line") for name, role in series]
    return plotted(plot, "PUE by hour", shapes, marks, legend, nearest=True)


def difference_chart(study: MeasuredStudy) -> Chart:
    """Return the PUE of the model, its differences by cause, and the measured PUE, as steps."""
    values = [float(study.results[f"pue.{key}"].si) for key, _, _ in _PARTS]
    # The steps are small compared with the PUE: the axis does not begin at 0.
    levels = [*np.cumsum(values[:-1]).tolist(), values[-1]]
    margin = 0.25 * (max(levels) - min(levels)) + 0.01
    y = linear_axis("PUE, hours measured", min(levels) - margin, max(levels) + margin)
    plot = plot_area(category_axis([name for _, name, _ in _PARTS]), y, _PX)
    stacks, before = [], y.low
    for (_, name, whole), value, level in zip(_PARTS, values, levels, strict=True):
        role: Role = "it" if whole else "limit" if value > 0.0 else "green"
        text = f"{value:.3f}" if whole else f"{value:+z.3f}"
        start, end = (y.low, value) if whole else (before, level)
        stacks.append([BarPart(name, start, end, role, f"{name}: {text}", (), text)])
        before = level
    shapes, marks = columns(plot, stacks, 0.4)
    for n, level in enumerate(levels[:-1]):
        across, up = plot.path(np.array([n + 0.8, n + 1.2]), np.array([level, level]))
        shapes.append(PathShape(across, up, "ink-2"))
    marks = [replace(mark, value=value) for mark, value in zip(marks, values, strict=True)]
    return plotted(plot, "Difference explained", shapes, marks)
