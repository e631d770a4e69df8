"""Charts of the job load: power at the utility meter over time, and its spectrum."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from facility.core.kinds import FloatArray
from facility.report.drawings.charts.kit.axes import (
    PlotAxis,
    linear_axis,
    log_axis,
    plot_area,
    plotted,
)
from facility.report.drawings.charts.kit.chart import Chart, ChartMark, LegendSample, Shape
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.series import line, marks_along
from facility.report.drawings.charts.kit.units import axis_unit, significant
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.load.spectrum import Spectrum

_HEIGHT_PX = 360.0
_STEPS_SHOWN = 5
_POINTS = 1000
_ROWS = 600
"""Rows of a sheet for a load profile."""
_BANDS = 240
_LOW_HZ, _HIGH_HZ = 0.1, 100.0
_TICKS_HZ = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_LINES: tuple[tuple[str, Role, float], ...] = (
    ("Without storage", "cooling", 1.2),
    ("With storage", "house", 2.2),
)
_OF_TIME = ("swing.utility", "swing.storage.power")
_OF_SPECTRUM = ("swing.band", "swing.band.after")
"""Results that explain the lines."""
_Curve = tuple[FloatArray, FloatArray]


def load_charts(study: LoadStudy) -> dict[str, Chart]:
    """Return the charts by name: full profile, detail of a few steps, and spectrum.

    A load from a power file has no steps.
    """
    whole_s = study.storage.load.period_s
    charts = {"profile": _over_time(study, "Power at the utility meter", 0.0, whole_s)}
    if study.motion.job.power_file is None:
        until_s = _STEPS_SHOWN * study.motion.job.step_s
        from_s = study.motion.job.start_s + study.motion.job.edge_s
        end_s = min(whole_s, from_s + until_s)
        charts["steps"] = _over_time(study, "Detail of the first steps", from_s, end_s)
    band = study.motion.limits
    limits = [hz for hz in (band.band_from_hz, band.band_to_hz) if _LOW_HZ < hz < _HIGH_HZ]
    note = "; dotted: band limited by the utility" if limits else ""
    x = log_axis(f"Frequency (Hz){note}", _TICKS_HZ)
    curves = [_amplitudes(one.spectrum) for one in (study.before, study.after)]
    title, peaks = "Load-step amplitude spectrum at the utility meter", slice(1, None, 3)
    charts["spectrum"] = _chart(title, x, "Amplitude", "Hz", curves, _OF_SPECTRUM, peaks, limits)
    return charts


def _over_time(study: LoadStudy, title: str, from_s: float, to_s: float) -> Chart:
    curves = [_part(one, from_s, to_s) for one in (study.storage.load, study.storage.grid)]
    x = linear_axis("Time (s)", 0.0, to_s - from_s)
    return _chart(title, x, "Power", "s", curves, _OF_TIME, slice(None))


def _chart(
    title: str,
    x: PlotAxis,
    quantity: str,
    x_unit: str,
    curves: list[_Curve],
    keys: tuple[str, str],
    marked: slice,
    limits: Iterable[float] = (),
) -> Chart:
    """Return curves without and with storage [W], the maximum named.

    marked: Points of a curve that can be pointed at.
    limits: Values of x with a vertical line.
    """
    (at, values), _ = curves
    highest_w = float(max((one.max() for _, one in curves if one.size), default=0.0))
    unit = axis_unit("active_power", highest_w, "si")
    y = linear_axis(unit.title(quantity), 0.0, 1.12 * (unit.of(highest_w) or 1.0))
    plot = plot_area(x, y, _HEIGHT_PX)
    shapes: list[Shape] = [plot.upright(limit, dash="2 3") for limit in limits]
    marks: list[ChartMark] = []
    for (name, role, width), (x_of, power_w), key in zip(_LINES, curves, keys, strict=True):
        shown, spots_w = x_of[marked], power_w[marked]

        def words(
            n: int, name: str = name, shown: FloatArray = shown, spots_w: FloatArray = spots_w
        ) -> str:
            place = f"{significant(float(shown[n]))} {x_unit}"
            return f"{name}, {place}: {unit.show(float(spots_w[n]))}"

        shapes.append(line(plot, x_of, unit.of(power_w), role, width))
        marks += marks_along(plot, name, shown, unit.of(spots_w), words, (key,))
    if values.size:
        n = int(np.argmax(values))
        name = f"Maximum {unit.show(float(values[n]))}"
        shapes += plot.named(float(at[n]), unit.of(float(values[n])), name, "ink")
    legend = [LegendSample(name, role, "line") for name, role, _ in _LINES]
    return plotted(plot, title, shapes, marks, legend, nearest=True)


def _part(profile: Profile, from_s: float, to_s: float) -> _Curve:
    """Return times [s] and powers [W], thinned to some thousand points that keep the extremes."""
    at = (profile.time_s >= from_s) & (profile.time_s <= to_s)
    time_s, values = profile.time_s[at] - from_s, profile.values[at]
    return _thinned(time_s, values, _POINTS) if len(time_s) > _POINTS else (time_s, values)


def _thinned(time_s: FloatArray, values: FloatArray, points: int) -> tuple[FloatArray, FloatArray]:
    """Return the minimum and maximum of each of equal intervals."""
    edges = np.linspace(0, len(time_s), points // 2 + 1).astype(int)[:-1]
    times = np.repeat(time_s[edges], 2)
    both = np.stack([np.minimum.reduceat(values, edges), np.maximum.reduceat(values, edges)])
    return times, both.T.ravel()


def scene_curves(study: LoadStudy) -> Iterator[tuple[float, float, float]]:
    """Yield profile times [s] with the load without and with storage [W], thinned."""
    load, grid = study.storage.load, study.storage.grid
    time_s, values = load.time_s, load.values
    if len(time_s) > _ROWS:
        time_s, values = _thinned(time_s, values, _ROWS)
    smooth = np.interp(time_s, grid.time_s, grid.values)
    return zip(time_s.tolist(), values.tolist(), smooth.tolist(), strict=True)


def _amplitudes(spectrum: Spectrum) -> _Curve:
    """Return the amplitudes [W] as lines from zero; the largest where several coincide."""
    in_range = (spectrum.frequency_hz >= _LOW_HZ) & (spectrum.frequency_hz <= _HIGH_HZ)
    at_hz, height = spectrum.frequency_hz[in_range], spectrum.amplitude_w[in_range]
    if len(at_hz) > _BANDS:
        band = np.floor(_BANDS * np.log(at_hz / _LOW_HZ) / math.log(_HIGH_HZ / _LOW_HZ))
        order = np.lexsort((-height, band))
        first = np.unique(band[order], return_index=True)[1]
        at_hz, height = at_hz[order][first], height[order][first]
    zero = np.zeros_like(height)
    return np.repeat(at_hz, 3), np.stack([zero, height, zero]).T.ravel()
