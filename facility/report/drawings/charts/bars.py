"""Bar charts of a design: PUE by contribution, heat by path, line currents, loadings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from facility.core.rounding import OVER
from facility.core.table import Results
from facility.core.views import System
from facility.report.drawings.charts.kit.axes import PlotAxis, linear_axis, plot_area, plotted
from facility.report.drawings.charts.kit.bars import BarPart, BarRow, bar_rows, column_parts
from facility.report.drawings.charts.kit.chart import TEXT_PX, Chart, ChartMark, LegendSample, Shape
from facility.report.drawings.charts.kit.colours import PHASES, Role
from facility.report.drawings.charts.kit.units import axis_unit
from facility.report.drawings.text import fitted, sentence
from facility.report.tables.summary import part_name

_ROOM = 1.22
"""Length of an axis over its longest bar, for the value after the bar."""
_IN_ROOM = "In-room losses, lights, people, envelope"
_GROUPS: Mapping[str, Role] = {"losses": "loss", "cooling": "cooling", "house": "house"}
_COLUMNS_PX, _COLUMN_ROOM, _STATE_PX, _GROUP_GAP = 310.0, 1.12, 130.0, 0.2


def pue_stack(results: Results) -> Chart:
    """Return the design-hour PUE as contributions stacked on the IT share of 1.

    results: Results of a design.
    """
    total = float(results["pue.design"].si)
    rows: list[BarRow] = []
    foot = 1.0
    for key, value in results.items():
        if not key.startswith("pue.part.") or key == "pue.part.it" or float(value.si) <= 0.0:
            continue
        part = float(value.si)
        name, text = sentence(part_name(key, results)), f"+{part:.3f}"
        colour = _GROUPS[key.split(".")[2]]
        rows.append(
            BarRow(
                name, (BarPart(name, foot, foot + part, colour, f"{name} {text}", (key,)),), text
            )
        )
        foot += part
    whole = BarPart("PUE", 1.0, total, "it", f"PUE {total:.3f}", ("pue.design",))
    rows.append(BarRow("PUE", (whole,), f"{total:.3f}", bold=True))
    top = 1.0 + _ROOM * max(total - 1.0, 1e-6)
    return bar_rows("PUE by contribution", linear_axis("PUE, IT = 1 (kW/kW)", 1.0, top), rows)


_Heat = tuple[str, str, float, Role]
"""Name, key, heat flow [W] and colour of a bar."""


def heat_split(results: Results, system: System) -> Chart:
    """Return the IT heat by path, and the heat removed by the air side, as two bars.

    results: Results of a design.
    system: Unit of the axis.
    """
    air, liquid, room = (float(results[f"heat.{key}"].si) for key in ("air", "liquid", "room"))
    unit = axis_unit("heat_flow", max(air + liquid, room), system)

    def row(name: str, parts: Sequence[_Heat]) -> BarRow:
        bars, start = [], 0.0
        for series, key, heat_w, role in parts:
            end = start + unit.of(heat_w)
            if end > start:
                words = f"{series}: {unit.show(heat_w)}"
                bars.append(BarPart(series, start, end, role, words, (key,)))
            start = end
        return BarRow(name, tuple(bars), f"{start:,.1f}" if start < 100.0 else f"{start:,.0f}")

    to_air: _Heat = ("IT heat to air", "heat.air", air, "cooling")
    rows = [
        row("IT heat", [to_air, ("IT heat to liquid", "heat.liquid", liquid, "liquid")]),
        row("Heat to air", [to_air, (_IN_ROOM, "heat.room", room - air, "loss")]),
    ]
    shown = {bar.series: bar.role for one in rows for bar in one.bars}
    legend = [LegendSample(name, role) for name, role in shown.items()]
    axis = linear_axis(unit.title("Heat flow"), 0.0, _ROOM * unit.of(max(air + liquid, room)), 4.0)
    return bar_rows("Heat by path", axis, rows, legend)


def loading_bars(loading: Mapping[str, float | None], key: Callable[[str], str]) -> Chart:
    """Return the highest loading of each equipment type as bars, with the rating as a line.

    loading: Highest loading by equipment type, as a fraction; None is omitted.
    key: Returns the result key of an equipment type.
    """
    known = {name: value for name, value in loading.items() if value is not None}
    rows = []
    for name, value in known.items():
        text = f"{value:.1%}{' above rating' if value > OVER else ''}"
        role: Role = "limit" if value > OVER else "it"
        bar = BarPart(name, 0.0, 100.0 * value, role, f"{name} {text}", (key(name),))
        rows.append(BarRow(name, (bar,), text))
    highest = max([100.0, *(100.0 * value for value in known.values())])
    axis = linear_axis("Loading (% of rating); dashed: rating", 0.0, 1.25 * highest)
    return bar_rows("Loading by equipment type", axis, rows, lines=[(100.0, "limit", "6 4")])


def phase_bars(
    currents_by_state: Mapping[str, tuple[float, float, float]],
    limit_a: float,
    names: Sequence[str] = "ABC",
) -> Chart:
    """Return the line currents of a panel by phase in each state, with the limit as a line.

    Each bar has the key of its line current and the index of its state.

    currents_by_state: Currents of lines A, B, C by state [A].
    limit_a: Continuous line current limit [A].
    names: Names of the three phases.
    """
    groups = {
        state: [
            (name, amps, role, (f"panel.line_{phase}", str(n)))
            for name, phase, amps, role in zip(names, "ABC", currents, PHASES, strict=True)
        ]
        for n, (state, currents) in enumerate(currents_by_state.items())
    }
    return _current_columns("Line currents by state", "Line current (A)", groups, limit_a)


_Current = tuple[str, float, Role, tuple[str, ...]]
"""Name, current [A], colour and key of a bar."""


def _current_columns(
    title: str, y_title: str, groups: Mapping[str, Sequence[_Current]], limit_a: float | None
) -> Chart:
    """Return groups of vertical bars, each with its name below it."""
    highest = max([limit_a or 0.0, *(amps for found in groups.values() for _, amps, *_ in found)])
    count = max(map(len, groups.values()))
    wide = (1.0 - _GROUP_GAP) / count
    middles = [
        [n + _GROUP_GAP / 2.0 + wide * (m + 0.5) for m in range(count)] for n in range(len(groups))
    ]
    names = [name for found in groups.values() for name, *_ in found]
    ticks = tuple(zip([at for row in middles for at in row], names, strict=True))
    states = tuple(
        (n + 0.5, fitted(name, _STATE_PX, size_mm=TEXT_PX)) for n, name in enumerate(groups)
    )
    x = PlotAxis("", 0.0, float(len(groups)), ticks, (), states)
    plot = plot_area(x, linear_axis(y_title, 0.0, _COLUMN_ROOM * (highest or 1.0)), _COLUMNS_PX)
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    for (group, found), row in zip(groups.items(), middles, strict=True):
        for (series, amps, role, key), at in zip(found, row, strict=True):
            across = plot.across(at - 0.44 * wide), plot.across(at + 0.44 * wide)
            words = f"{group}, {series}: {amps:,.2f} A"
            bar = BarPart(f"{group}, {series}", 0.0, amps, role, words, key, f"{amps:.1f}")
            parts = column_parts(plot, across, [bar])
            shapes += parts[0]
            marks += parts[1]
    if limit_a is not None:
        shapes += plot.rule(limit_a, f"Continuous limit {limit_a:,.0f} A")
    return plotted(plot, title, shapes, marks)
