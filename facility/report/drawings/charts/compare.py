"""Charts of a comparison of cooling methods: power by equipment, and power vs. rack density."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.report.drawings.charts.kit.axes import linear_axis, log_axis, plot_area, plotted
from facility.report.drawings.charts.kit.bars import BarPart, BarRow, bar_rows
from facility.report.drawings.charts.kit.chart import (
    Chart,
    ChartMark,
    Dot,
    LegendSample,
    Shape,
    Symbol,
)
from facility.report.drawings.charts.kit.colours import DASHES, SERIES, Role
from facility.report.drawings.charts.kit.series import line, marks_along
from facility.report.drawings.charts.kit.units import axis_unit, significant
from facility.study.compare.parts import POWER_PARTS, density_id, part_id, part_powers
from facility.study.compare.variants import LABELS
from facility.study.compare.ways import CoolingComparison

_COLOURS: tuple[Role, ...] = (*SERIES, "ink-2")
_SYMBOLS: tuple[Symbol, ...] = ("circle", "square", "diamond", "up", "down")
_ROOM = 1.3
_TICKS_KW = (5.0, 10.0, 20.0, 50.0, 100.0, 150.0, 250.0)
_GUIDE_W = 30e3
_HEIGHT_PX = 420.0


def power_by_method(comparison: CoolingComparison) -> Chart:
    """Return the cooling power of each feasible method by equipment, as stacked bars.

    Each bar has the key of its result and the name of its method; a bar for several results has
    the key of their sum in the comparison.
    """
    feasible = [one for one in comparison.options if one.feasible and one.design is not None]
    parts = [part_powers(option) for option in feasible]
    highest_w = max((sum(one.values()) for one in parts), default=1.0)
    unit = axis_unit("active_power", highest_w, "si")
    rows = []
    for option, power_w in zip(feasible, parts, strict=True):
        bars, start = [], 0.0
        for (part, of), role in zip(POWER_PARTS.items(), _COLOURS, strict=False):
            if power_w[part] > 0.0:
                words = f"{option.label}, {part}: {unit.show(power_w[part])}"
                key = (
                    (f"cooling.{of[0]}", option.name)
                    if len(of) == 1
                    else (part_id(option.name, part), "")
                )
                end = start + unit.of(power_w[part])
                bars.append(BarPart(part, start, end, role, words, key))
                start = end
        rows.append(BarRow(option.label, tuple(bars), unit.show(sum(power_w.values()))))
    drawn = {bar.series for row in rows for bar in row.bars}
    legend = [
        LegendSample(part, role)
        for part, role in zip(POWER_PARTS, _COLOURS, strict=False)
        if part in drawn
    ]
    axis = linear_axis(unit.title("Cooling power, design hour"), 0.0, _ROOM * unit.of(highest_w))
    return bar_rows("Cooling power by equipment", axis, rows, legend, named_above=True)


@dataclass(frozen=True)
class DensityLine:
    """Cooling power of one method vs. rack density; `note` is the reason for its end."""

    name: str
    label: str
    points_w: tuple[tuple[float, float], ...]
    note: str = ""
    ends: bool = False


def density_lines(comparison: CoolingComparison) -> Iterator[DensityLine]:
    """Yield the line of each method; a method that is not feasible has no points."""
    curves = {curve.name: curve for curve in comparison.curves}
    for option in comparison.options:
        label, curve = LABELS[option.name], curves.get(option.name)
        if curve is None or not curve.feasible:
            because = option.reason if curve is None else curve.because
            yield DensityLine(option.name, label, (), f"not feasible: {because}")
            continue
        points = tuple((p.density_w, p.power_w) for p in curve.points if p.power_w is not None)
        if curve.ends_w is None:
            yield DensityLine(option.name, label, points)
        else:
            note = f"ends at {curve.ends_w / 1e3:.1f} kW: {curve.because}"
            yield DensityLine(option.name, label, points, note, True)


def density_notes(comparison: CoolingComparison) -> tuple[str, ...]:
    """Return the notes below the chart: limits at line ends, crossover, constant conditions."""
    return (
        *(f"{one.label}: {one.note}" for one in density_lines(comparison) if one.note),
        f"Crossover: {comparison.crossover.because}",
        "Constant: heat by stream, losses, other racks, design weather, temperatures, unit type; "
        "total air and coolant heat therefore stays the same, and only unit counts change.",
    )


def power_over_density(comparison: CoolingComparison) -> Chart:
    """Return the cooling power of each method vs. the power of a rack.

    A line ends with a cross at the density above which its method exceeds a limit. Points have the
    key of their result.
    """
    lines = [one for one in density_lines(comparison) if one.points_w]
    highest_w = max((w for one in lines for _, w in one.points_w), default=1.0)
    unit = axis_unit("active_power", highest_w, "si")
    x = log_axis("IT power per compute rack (kW)", _TICKS_KW)
    title = unit.title("Cooling power at the design hour")
    y = linear_axis(title, 0.0, _ROOM * unit.of(highest_w))
    plot = plot_area(x, y, _HEIGHT_PX)
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    legend = []
    order: list[str] = [one.name for one in comparison.options]
    for one in lines:
        n = order.index(one.name)
        role, dash, symbol = SERIES[n % 6], DASHES[n % 5], _SYMBOLS[n % 5]
        racks, powers = np.array(one.points_w).T
        racks, powers = racks / 1e3, unit.of(powers)
        shapes.append(line(plot, racks, powers, role, dash=dash))
        for kw, power in zip(racks[:-1], powers[:-1], strict=True):
            shapes.append(Dot(plot.across(kw), plot.up(power), role, symbol, 3.0))
        last: Symbol = "cross" if one.ends else symbol
        shapes.append(Dot(plot.across(racks[-1]), plot.up(powers[-1]), role, last, 5.0))

        def words(n: int, one: DensityLine = one) -> str:
            rack_w, power_w = one.points_w[n]
            return f"{one.label}: {unit.show(power_w)} at {significant(rack_w / 1e3)} kW per rack"

        def key(n: int, one: DensityLine = one) -> tuple[str, ...]:
            return (density_id(one.name, one.points_w[n][0]),)

        marks += marks_along(plot, one.name, racks, powers, words, key)
        legend.append(LegendSample(one.label, role, "line", dash))
    found = [(comparison.density_w / 1e3, "This project")]
    if not 0.9 < comparison.density_w / _GUIDE_W < 1.1:
        found.append((_GUIDE_W / 1e3, "Guides: air to 30 kW"))
    turn_w = comparison.crossover.density_w
    if turn_w is not None:
        found.append((turn_w / 1e3, f"Crossover {turn_w / 1e3:.1f} kW"))
    for row, (kw, name) in enumerate(sorted(found)):
        shapes += plot.stake(kw, name, row)
    return plotted(plot, "Cooling power vs. rack density", shapes, marks, legend)
