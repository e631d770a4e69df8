"""Cooling power over rack density as a neutral chart."""

from __future__ import annotations

from facility.report.drawings.charts.line_chart import ChartLine, ChartMark, LineChart
from facility.study.compare.density import DensityCurve
from facility.study.compare.option import CoolingOption
from facility.study.compare.variants import LABELS
from facility.study.compare.ways import CoolingComparison

_TICKS_KW = (5.0, 10.0, 20.0, 50.0, 100.0, 150.0, 250.0)
_GUIDE_W = 30e3


def density_chart(comparison: CoolingComparison, title: str) -> LineChart:
    """Return cooling power over rack density as a chart, in kW."""
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
        "Held: heat by stream, losses, other racks, design weather, temperatures, kind of unit; so "
        "the air and coolant of all racks together stay the same, and units follow their number.",
    )
    return LineChart(
        title,
        "IT power of a compute rack, kW",
        "Cooling power at the design hour, kW",
        _TICKS_KW,
        tuple(lines),
        tuple(marks),
        notes,
    )


def _chart_line(option: CoolingOption, curve: DensityCurve | None) -> ChartLine:
    label = LABELS[option.name]
    if curve is None or not curve.feasible:
        because = option.reason if curve is None else curve.because
        return ChartLine(label, (), f"refused: {because}", False)
    points = tuple(
        (point.density_w / 1e3, point.power_w / 1e3)
        for point in curve.points
        if point.power_w is not None
    )
    if curve.ends_w is None:
        return ChartLine(label, points, "", False)
    return ChartLine(label, points, f"ends at {curve.ends_w / 1e3:.1f} kW: {curve.because}", True)
