"""Charts of a year: hourly heat map, monthly energy and bills, load duration curves."""

from __future__ import annotations

from calendar import month_abbr
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np

from facility.core.kinds import FloatArray, money_kind
from facility.core.views import System, show
from facility.report.drawings.charts.kit.axes import (
    PlotAxis,
    category_axis,
    linear_axis,
    month_axis,
    plot_area,
    plotted,
)
from facility.report.drawings.charts.kit.bars import BarPart, columns
from facility.report.drawings.charts.kit.chart import (
    Anchor,
    Chart,
    ChartMark,
    ChartText,
    Dot,
    HeatCells,
    LegendSample,
    PathShape,
    Shape,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.series import area, line, marks_along
from facility.report.drawings.charts.kit.units import AxisUnit, axis_unit, significant
from facility.report.tables.bill import MonthBill
from facility.study.annual.result import AnnualStudy, Month, Year

_HOUR_S, _DAY_S, _DAYS = 3600.0, 86400.0, 365
_LEAP_YEAR, _OTHER_YEAR = 2000, 2001
"""Representative years of 366 and 365 days."""
_Series = tuple[str, str, Callable[[Year], FloatArray]]
_SERIES: Mapping[str, _Series] = {
    "pue": ("PUE", "ratio", lambda year: year.pue),
    "facility": ("Facility power", "active_power", lambda year: year.facility_w),
    "cooling": ("Cooling power", "active_power", lambda year: year.group_w("cooling")),
    "load": ("IT load", "fraction", lambda year: year.load),
    "water": ("Make-up water", "liquid_flow", lambda year: year.water.makeup_m3_s),
    "mode": ("Economizer share", "fraction", lambda year: year.economizer_share),
    "economizer": (
        "Economizer heat",
        "heat_flow",
        lambda year: year.hours.spread(year.balance.cooling.economizer_w),
    ),
}


@dataclass(frozen=True, eq=False)
class HourMap:
    """A series of a year by step of the day (rows) and day (columns), in SI."""

    title: str
    kind: str
    values: FloatArray

    @property
    def highest(self) -> tuple[float, int, int]:
        """Maximum value, with day of the year and hour of the day, both from 0."""
        step, day = np.unravel_index(int(np.nanargmax(self.values)), self.values.shape)
        return float(self.values[step, day]), int(day), int(step * self.step_h)

    @property
    def step_h(self) -> float:
        """Duration of a row [h]."""
        return 24.0 / len(self.values)


def hour_map(study: AnnualStudy, series: str) -> HourMap:
    """Return a series of `series_of` by day and hour."""
    title, kind, of = _series(study)[series]
    rows = round(_DAY_S / study.year.hours.step_s)
    return HourMap(title, kind, study.year.hours.calendar(of(study.year)).reshape(-1, rows).T)


def calendar_hour(year: Year, index: int) -> tuple[str, int]:
    """Return the date of a step of a year, counted from 0, and its hour of the day, from 1."""
    day, hour = divmod(year.hours.hour(index) - 1, 24)
    return date_of(day, year.hours.days), hour + 1


def date_of(day: int, days: int) -> str:
    """Return the date of a day, counted from 0, of a year with the given number of days."""
    at = date(_LEAP_YEAR if days > _DAYS else _OTHER_YEAR, 1, 1) + timedelta(day)
    return f"{at.day} {month_abbr[at.month]}"


def series_of(study: AnnualStudy) -> dict[str, str]:
    """Return the available series by key, with titles."""
    found = _series(study)
    return {key: title for key, (title, _, of) in found.items() if np.any(of(study.year) > 0.0)}


def _series(study: AnnualStudy) -> Mapping[str, _Series]:
    """Return every series; cost and carbon only if they vary over the year."""
    found, bill, carbon_kg_s = dict(_SERIES), study.bill, study.carbon_kg_s
    if bill is not None and np.ptp(bill.price_per_j) > 0.0:
        kind = money_kind(bill.tariff.currency)
        hourly = bill.price_per_j * _HOUR_S
        found["cost"] = ("Hourly energy cost", kind, lambda year: hourly * year.facility_w)
    if carbon_kg_s is not None:
        found["carbon"] = ("Hourly carbon", "mass", lambda year: carbon_kg_s * _HOUR_S)
    return found


_PX, _MAP_PX = 340.0, 330.0
_HALF_WEEK = 84
_POINTS = 440
_HIGH_BASE = 0.5
"""Minimum over maximum of a load duration curve above which its axis does not begin at 0."""
_GROUPS: Mapping[str, tuple[str, Role]] = {
    "it": ("IT", "it"),
    "cooling": ("Cooling", "cooling"),
    "losses": ("Losses", "loss"),
    "house": ("Building load", "house"),
}
_CHARGES: Mapping[str, tuple[str, Role]] = {
    "energy": ("Energy", "it"),
    "demand": ("Demand", "cooling"),
    "power_factor": ("Power factor", "loss"),
    "reactive": ("Reactive energy", "liquid"),
    "fixed": ("Fixed charges", "house"),
}
_MARKED = {
    "annual.peak": ("Peak", 0.0),
    "annual.p99": ("P99", 0.01),
    "annual.p90": ("P90", 0.1),
    "annual.p50": ("P50", 0.5),
}
"""Results marked on the load duration curve, with the fraction of hours above them."""


def hour_chart(shown: HourMap, system: System) -> Chart:
    """Return the heat map of a year: days on the horizontal, hours of the day on the vertical axis.

    shown: The series, in SI units.
    system: Unit of the values.
    """
    steps, count = shown.values.shape
    highest, day, hour = shown.highest
    unit = axis_unit(shown.kind, highest, system)
    hours = PlotAxis("", 0.0, 24.0, tuple((float(h), str(h)) for h in (0, 6, 12, 18, 24)), ())
    plot = plot_area(month_axis(count), hours, _MAP_PX, head=28.0)
    values = unit.of(shown.values)
    known = values[np.isfinite(values)]
    low, high = float(known.min()), float(known.max())
    at, up = plot.across(day + 0.5), plot.up(hour + 0.5)
    words = f"Peak {show(highest, shown.kind, system)}, {date_of(day, count)}, hour {hour + 1}"
    line_x, line_y = np.array([at, at]), np.array([plot.top - 8.0, up - 6.0])
    title, side = unit.title(shown.title), _away(at)
    shapes: list[Shape] = [
        ChartText("Hour of the day, by day", 0.0, 12.0, "start"),
        PathShape(line_x, line_y, "paper", 3.5),
        PathShape(line_x, line_y, "ink", 1.5),
        Dot(at, up, "paper", radius=6.0, hollow=True),
        Dot(at, up, "ink", radius=5.0, hollow=True),
        ChartText(words, at, plot.top - 15.0, side, role="ink", bold=True),
        *(
            PathShape(np.array([x, x]), np.array([plot.bottom, plot.bottom + 5.0]), "ink-2")
            for x in map(plot.across, plot.x.grid)
        ),
    ]
    cells = HeatCells(
        values,
        (0.0, 1.0),
        (plot.top, plot.bottom),
        (low, high),
        tuple(date_of(n, count) for n in range(count)),
        tuple(f"hour {int(n * shown.step_h) + 1}" for n in range(steps)),
        unit.text,
        selectable=True,
    )
    ends = f"{title}: {significant(low)} to {significant(high)}"
    legend = [LegendSample(ends, "heat-1", "shades")]
    return plotted(plot, f"{shown.title} of every hour", shapes, (), legend, cells=cells)


def _away(at: float) -> Anchor:
    """Return the anchor of a text that extends to the freer side of a position."""
    return "end" if at > 0.5 else "start"


def week_chart(year: Year, index: int, system: System) -> Chart:
    """Return the hourly power by end use, from half a week before to half a week after an hour.

    Points of the bands have their result key and the index of their step.

    index: Index of the middle step, from 0.
    system: Unit of the power.
    """
    count = len(year.hours)
    half = round(_HALF_WEEK / year.hours.step_h)
    first = min(max(index - half, 0), max(count - 2 * half, 0))
    shown = slice(first, min(first + 2 * half, count))
    hours = np.arange(count, dtype=np.float64)[shown] * year.hours.step_h + 1.0
    unit = axis_unit("active_power", float(year.facility_w.max()), system)
    x = linear_axis("Hour of the year (h)", float(hours[0]), float(hours[-1]), 6.0)
    top = unit.of(float(year.facility_w[shown].max()))
    y = linear_axis(unit.title("Power"), 0.0, 1.1 * top)
    plot = plot_area(x, y, _PX, head=14.0)
    shapes: list[Shape] = []
    marks: list[ChartMark] = []
    below = np.zeros(len(hours))
    for group, (name, role) in _GROUPS.items():
        power_w = year.group_w(group)[shown]
        power = unit.of(power_w)
        shapes.append(area(plot, hours, below, below + power, role))

        def words(n: int, name: str = name, power_w: FloatArray = power_w) -> str:
            return f"{name}, hour {hours[n]:,.0f}: {unit.show(float(power_w[n]))}"

        def key(n: int, group: str = group) -> tuple[str, ...]:
            return f"load.{group}", str(first + n)

        marks += marks_along(plot, name, hours, below + 0.5 * power, words, key, power)
        below = below + power
    when, hour = calendar_hour(year, index)
    at = plot.across(float(index * year.hours.step_h + 1.0))
    shapes.append(plot.upright(index * year.hours.step_h + 1.0, "ink"))
    words_at = f"{when}, hour {hour}"
    shapes.append(ChartText(words_at, at, plot.top - 9.0, _away(at), role="ink", bold=True))
    return plotted(plot, "Week around the hour", shapes, marks, _legend(_GROUPS), nearest=True)


def _legend(parts: Mapping[str, tuple[str, Role]]) -> list[LegendSample]:
    return [LegendSample(name, role) for name, role in parts.values()]


def month_chart(months: Sequence[Month], system: System) -> Chart:
    """Return the monthly energy by end use as stacked bars, with the PUE above.

    Each bar has the key of its annual result.

    system: Unit of the energy.
    """
    unit = axis_unit("energy", max(month.facility_j for month in months), system)
    y_title = f"{unit.title('Energy')}; above the bars: PUE"
    stacks = []
    for month in months:
        parts = {group: month.energy_j[group] for group in _GROUPS}
        name = month_abbr[month.number]
        pue = "" if month.pue is None else f"{month.pue:.2f}"
        stacks.append(_stack(name, parts, _GROUPS, "energy.annual", unit, pue))
    return _by_month("Energy by month", y_title, months, stacks, _GROUPS)


def bill_chart(months: Sequence[MonthBill], currency: str) -> Chart:
    """Return the monthly bill by charge as stacked bars, without charges that are zero.

    Each bar has the key of its annual result.

    currency: Currency of the bill.
    """
    costs = {key: [float(getattr(month, key)) for month in months] for key in _CHARGES}
    charged = {key: _CHARGES[key] for key, found in costs.items() if any(found)}
    unit = AxisUnit(money_kind(currency), currency)
    stacks = []
    for n, month in enumerate(months):
        parts = {key: costs[key][n] for key in charged}
        stacks.append(_stack(month_abbr[month.number], parts, charged, "cost.annual", unit, ""))
    return _by_month("Bill by month", f"Monthly bill ({currency})", months, stacks, charged)


def _stack(
    month: str,
    parts: Mapping[str, float],
    names: Mapping[str, tuple[str, Role]],
    of: str,
    unit: AxisUnit,
    text: str,
) -> list[BarPart]:
    """Return the bars of a month with the keys of their annual results, the text on the last."""
    bars, start = [], 0.0
    for key, si in parts.items():
        name, role = names[key]
        end = start + unit.of(si)
        words = f"{month}, {name}: {unit.show(si)}"
        bars.append(BarPart(name, start, end, role, words, (f"{of}.{key}",)))
        start = end
    return [*bars[:-1], replace(bars[-1], text=text)] if bars else []


def _by_month(
    title: str,
    y_title: str,
    months: Sequence[Month] | Sequence[MonthBill],
    stacks: Sequence[Sequence[BarPart]],
    parts: Mapping[str, tuple[str, Role]],
) -> Chart:
    highest = max(bar.end for stack in stacks for bar in stack)
    names = category_axis([month_abbr[month.number] for month in months])
    plot = plot_area(names, linear_axis(y_title, 0.0, 1.08 * highest), _PX)
    return plotted(plot, title, *columns(plot, stacks), _legend(parts))


def duration_chart(year: Year, design_w: float, system: System) -> Chart:
    """Return the load duration curve of the facility.

    The curve opens the annual energy, its markers the demand at peak, P99, P90 and P50.

    design_w: Power of the facility at the design hour [W].
    system: Unit of the power.
    """
    labels = "Power at the meter", "Design hour", "energy.annual"
    return _lasting(year, year.duration_w, design_w, labels, system, _MARKED)


def it_duration_chart(year: Year, design_w: float, system: System) -> Chart:
    """Return the load duration curve of the IT, with its design load as a line."""
    lasting_w = np.sort(year.power_w["it"])[::-1]
    labels = "IT power", "Design IT load", "energy.annual.it"
    return _lasting(year, lasting_w, design_w, labels, system, {})


def _lasting(
    year: Year,
    lasting_w: FloatArray,
    design_w: float,
    labels: tuple[str, str, str],
    system: System,
    marked: Mapping[str, tuple[str, float]],
) -> Chart:
    """Return a load duration curve.

    labels: Label of the power, label of `design_w`, and key of the energy below the curve.
    marked: Name and fraction of the hours of the results marked on the curve, by key.
    """
    what, limit, energy = labels
    peak_w = float(lasting_w[0])
    unit = axis_unit("active_power", max(design_w, peak_w), system)
    indices = np.unique(np.linspace(0, len(lasting_w) - 1, _POINTS).astype(int))
    hours, shown_w = (indices + 1) * year.hours.step_h, lasting_w[indices]
    x = linear_axis("Time at or above the power (h per year)", 0.0, float(year.hours.whole))
    powers = unit.of(shown_w)
    top, low = unit.of(max(design_w, peak_w)), float(powers.min())
    margin = 0.12 * (top - low) or 0.1 * top
    floor = low - margin if low > _HIGH_BASE * top else 0.0
    plot = plot_area(x, linear_axis(unit.title(what), floor, top + margin), _PX)

    def words(n: int) -> str:
        return f"{hours[n]:,.0f} h at {unit.show(float(shown_w[n]))} or more"

    shapes: list[Shape] = [line(plot, hours, powers, "it")]
    shapes += plot.rule(unit.of(design_w), f"{limit} {unit.show(design_w)}")
    marks: list[ChartMark] = []
    for key, (name, part) in marked.items():
        n = round(part * (len(lasting_w) - 1))
        power_w, at = float(lasting_w[n]), (n + 1) * year.hours.step_h
        place = plot.across(at), plot.up(unit.of(power_w))
        shapes.append(Dot(*place, "it", radius=4.0, hollow=True))
        text = f"{name} {unit.show(power_w)}"
        row = place[1] + (14.0 if name == "P90" else -14.0)
        shapes.append(
            ChartText(
                text, place[0], row, "start", 7.0, role="ink", bold=True, veiled=True, optional=True
            )
        )
        said = f"{name}: {at:,.0f} h at {unit.show(power_w)} or more"
        marks.append(ChartMark(name, unit.of(power_w), said, *place, (key,)))
    marks += marks_along(plot, what, hours, powers, words, (energy,))
    return plotted(plot, f"{what}: load duration", shapes, marks, nearest=True)


def it_days_chart(year: Year, system: System) -> Chart:
    """Return the IT power by day of the year: mean, minimum and maximum hour."""
    it_w = year.power_w["it"]
    unit = axis_unit("active_power", float(it_w.max()), system)
    by_day = it_w.reshape(-1, round(24.0 / year.hours.step_h))
    days = np.arange(len(by_day), dtype=np.float64) + 0.5
    first = np.arange(len(by_day)) * by_day.shape[1]
    y = linear_axis(unit.title("IT power"), 0.0, 1.08 * unit.of(float(it_w.max())))
    plot = plot_area(month_axis(len(by_day)), y, _PX)
    low_w, high_w, mean_w = by_day.min(axis=1), by_day.max(axis=1), by_day.mean(axis=1)
    band = area(plot, days, unit.of(low_w), unit.of(high_w), "cooling")
    shapes: list[Shape] = [replace(band, faint=True), line(plot, days, unit.of(mean_w), "it")]
    marks: list[ChartMark] = []
    for name, values_w, step in (
        ("Minimum hour", low_w, first + by_day.argmin(axis=1)),
        ("Maximum hour", high_w, first + by_day.argmax(axis=1)),
        ("Daily mean", mean_w, None),
    ):

        def words(n: int, name: str = name, values_w: FloatArray = values_w) -> str:
            return f"{date_of(n, len(days))}, {name}: {unit.show(float(values_w[n]))}"

        def key(n: int, step: FloatArray | None = step) -> tuple[str, ...]:
            return ("energy.annual.it", "") if step is None else ("load.it", str(step[n]))

        marks += marks_along(plot, name, days, unit.of(values_w), words, key)
    legend = [
        LegendSample("Daily mean", "it", "line"),
        LegendSample("Minimum to maximum hour", "cooling"),
    ]
    return plotted(plot, "IT load by day", shapes, marks, legend, nearest=True)
