"""Line charts as data: cooling power vs. rack density, dynamic load and its spectrum."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.core.kinds import FloatArray
from facility.core.rounding import whole_units, within
from facility.study.compare.density import DensityCurve
from facility.study.compare.option import CoolingOption
from facility.study.compare.variants import LABELS
from facility.study.compare.ways import CoolingComparison
from facility.study.transient.load.profile import Profile
from facility.study.transient.load.result import LoadStudy
from facility.study.transient.load.spectrum import Spectrum


@dataclass(frozen=True)
class ChartLine:
    """One line of a chart."""

    name: str  # What it stands for
    points: tuple[tuple[float, float], ...]  # From left to right
    note: str  # What is said of it beside its name, e.g. why it ends
    ends: bool  # Whether its last point is marked as an end


@dataclass(frozen=True)
class ChartMark:
    """Vertical line at `x` with a label."""

    x: float
    words: str


@dataclass(frozen=True)
class LineChart:
    """Lines over a logarithmic or linear x axis.

    `x_ticks` are the labelled values of x, the first and the last being the ends of the axis;
    `notes` are below the chart.
    """

    title: str
    x_label: str
    y_label: str
    x_ticks: tuple[float, ...]
    lines: tuple[ChartLine, ...]
    marks: tuple[ChartMark, ...]
    notes: tuple[str, ...]
    even: bool = False  # Whether x counts evenly


_TICKS_KW = (5.0, 10.0, 20.0, 50.0, 100.0, 150.0, 250.0)
_GUIDE_W = 30e3


def density_chart(comparison: CoolingComparison, title: str) -> LineChart:
    """Return the chart of cooling power vs. rack density [kW]."""
    curves = {curve.name: curve for curve in comparison.curves}
    lines = []
    for option in comparison.options:
        lines.append(_chart_line(option, curves.get(option.name)))
    marks = [ChartMark(comparison.density_w / 1e3, "this project")]
    if not 0.9 < comparison.density_w / _GUIDE_W < 1.1:
        marks.append(ChartMark(_GUIDE_W / 1e3, "guides: air to 30 kW"))
    turn = comparison.crossover
    if turn.density_w is not None:
        marks.append(ChartMark(turn.density_w / 1e3, f"crossover {turn.density_w / 1e3:.1f} kW"))
    notes = (
        f"Crossover: {turn.because}",
        "Constant: heat by stream, losses, other racks, design weather, temperatures, unit type; "
        "total air and coolant heat therefore stays the same, and only unit counts change.",
    )
    return LineChart(
        title,
        "IT power per compute rack (kW)",
        "Cooling power at the design hour (kW)",
        _TICKS_KW,
        tuple(lines),
        tuple(marks),
        notes,
    )


def _chart_line(option: CoolingOption, curve: DensityCurve | None) -> ChartLine:
    label = LABELS[option.name]
    if curve is None or not curve.feasible:
        because = option.reason if curve is None else curve.because
        return ChartLine(label, (), f"not feasible: {because}", False)
    points = tuple(
        (point.density_w / 1e3, point.power_w / 1e3)
        for point in curve.points
        if point.power_w is not None
    )
    if curve.ends_w is None:
        return ChartLine(label, points, "", False)
    return ChartLine(label, points, f"ends at {curve.ends_w / 1e3:.1f} kW: {curve.because}", True)


_STEPS_SHOWN = 5
_POINTS = 2000
_ROWS = 600
"""Rows of a sheet for a load profile."""
_BANDS = 240
_LOW_HZ, _HIGH_HZ = 0.1, 100.0
_X_TICKS_HZ = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def load_charts(study: LoadStudy, title: str) -> Iterator[LineChart]:
    """Yield full profile, detail of a few steps, and spectrum.

    title: Subject of the charts.
    """
    whole_s = study.storage.load.period_s
    yield _against_time(study, f"{title}: power at the utility meter", 0.0, whole_s)
    if study.motion.job.power_file is None:
        until_s = _STEPS_SHOWN * study.motion.job.step_s
        from_s = study.motion.job.start_s + study.motion.job.edge_s
        yield _against_time(
            study, "Detail of the first steps", from_s, min(whole_s, from_s + until_s)
        )
    yield _spectrum(study)


def _against_time(study: LoadStudy, title: str, from_s: float, to_s: float) -> LineChart:
    lines = (
        _line("without storage", study.storage.load, from_s, to_s),
        _line("with storage", study.storage.grid, from_s, to_s),
    )
    return LineChart(
        title=title,
        x_label="time, s",
        y_label="power, MW",
        x_ticks=_even_ticks(to_s - from_s),
        lines=lines,
        marks=(),
        notes=(study.title,),
        even=True,
    )


def _line(name: str, profile: Profile, from_s: float, to_s: float) -> ChartLine:
    """Return a line of at most some thousand points; thinning preserves extremes."""
    at = (profile.time_s >= from_s) & (profile.time_s <= to_s)
    time_s, values = profile.time_s[at] - from_s, profile.values[at] / 1e6
    if len(time_s) > _POINTS:
        time_s, values = _thinned(time_s, values, _POINTS)
    return ChartLine(name, tuple(zip(time_s.tolist(), values.tolist(), strict=True)), "", False)


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


def even_step(span: float) -> float:
    """Return the tick spacing of a span: four to eight ticks, 1, 2 or 5 times a power of ten."""
    ten = 10.0 ** math.floor(math.log10(span / 4.0))
    return max(part * ten for part in (1.0, 2.0, 5.0) if within(part * ten, span / 4.0))


def _even_ticks(span: float) -> tuple[float, ...]:
    """Return ticks from 0 up to at least the end of a span."""
    apart = even_step(span)
    return tuple(float(f"{n * apart:.12g}") for n in range(whole_units(span / apart) + 1))


def _spectrum(study: LoadStudy) -> LineChart:
    limits = study.motion.limits
    marks = tuple(
        ChartMark(hz, f"{hz:g} Hz")
        for hz in (limits.band_from_hz, limits.band_to_hz)
        if _LOW_HZ < hz < _HIGH_HZ
    )
    return LineChart(
        title="Load-step amplitude spectrum at the utility meter",
        x_label="frequency, Hz",
        y_label="amplitude, MW",
        x_ticks=_X_TICKS_HZ,
        lines=(
            ChartLine("without storage", amplitudes(study.before.spectrum), "", False),
            ChartLine("with storage", amplitudes(study.after.spectrum), "", False),
        ),
        marks=marks,
        notes=(
            "The frequency band limited by the utility is marked where its ends are within the "
            "chart.",
        ),
    )


def amplitudes(spectrum: Spectrum) -> tuple[tuple[float, float], ...]:
    """Return the amplitudes [MW] as lines from zero; the largest where several coincide."""
    in_range = (spectrum.frequency_hz >= _LOW_HZ) & (spectrum.frequency_hz <= _HIGH_HZ)
    at_hz, height = spectrum.frequency_hz[in_range], spectrum.amplitude_w[in_range] / 1e6
    if len(at_hz) > _BANDS:
        band = np.floor(_BANDS * np.log(at_hz / _LOW_HZ) / math.log(_HIGH_HZ / _LOW_HZ))
        order = np.lexsort((-height, band))
        first = np.unique(band[order], return_index=True)[1]
        at_hz, height = at_hz[order][first], height[order][first]
    points = []
    for hz, mw in zip(at_hz.tolist(), height.tolist(), strict=True):
        points += [(hz, 0.0), (hz, mw), (hz, 0.0)]
    return tuple(points)
