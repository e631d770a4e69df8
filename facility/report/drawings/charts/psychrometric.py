"""Psychrometric chart: lines, envelopes, state points, hours of a year, and their drawing.

All data are in SI, at the site pressure. An envelope is bounded by dry bulb, dew point and
relative humidity, and is limited to the area below saturation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from facility.catalogue import Row
from facility.cooling.room.limits import envelope
from facility.core.kinds import FloatArray
from facility.core.views import System, show, view_unit
from facility.model.facility import Criteria, Site
from facility.physics.air.psychrometrics import (
    humidity_ratio,
    humidity_ratio_at_wet_bulb,
    humidity_ratio_of_vapor,
    saturation_pressure,
)
from facility.report.drawings.charts.kit.axes import Plot, linear_axis, plot_area, plotted
from facility.report.drawings.charts.kit.chart import (
    SMALL_PX,
    Chart,
    ChartMark,
    ChartText,
    Dot,
    HeatCells,
    LegendSample,
    PathShape,
    Shape,
    Symbol,
)
from facility.report.drawings.charts.kit.colours import Role
from facility.report.drawings.charts.kit.series import line
from facility.report.drawings.charts.kit.units import AxisUnit, significant
from facility.study.cooling_hour import CoolingHour
from facility.study.design.design import Design

_HUMIDITIES = (0.2, 0.4, 0.6, 0.8)
_STEPS = 81
_MARGIN_K, _ROUND_K = 3.0, 5.0
_HEADROOM = 1.15
_ROUND_RATIO = 0.002
_BIN_K, _BIN_RATIO = 1.0, 0.0005


@dataclass(frozen=True, eq=False)
class Curve:
    """A line or an outline of the chart: dry bulbs [degC] and humidity ratios [kg/kg]."""

    name: str
    dry_bulb_c: FloatArray
    humidity_ratio: FloatArray


@dataclass(frozen=True)
class AirPoint:
    """Named air state."""

    name: str
    dry_bulb_c: float
    humidity_ratio: float


@dataclass(frozen=True, eq=False)
class YearHours:
    """Hours of a year by bins of dry bulb (columns) and humidity ratio (rows), at bin middles."""

    station: str
    dry_bulb_c: FloatArray
    humidity_ratio: FloatArray
    hours: FloatArray


@dataclass(frozen=True, eq=False)
class PsychrometricChart:
    """Contents of the chart."""

    pressure_pa: float  # Pressure it holds for
    saturation: Curve  # The line above which there is no air
    humidities: tuple[Curve, ...]  # Lines of equal relative humidity
    envelopes: tuple[Curve, ...]  # Closed outlines: recommended, then allowable
    # States of air.
    outdoors: tuple[AirPoint, ...]
    indoors: tuple[AirPoint, ...]
    # Cycle of the hall air: supply, equipment, return, and coil.
    process: tuple[AirPoint, ...]
    derated_k: float  # Derating of the allowable dry bulb at the site elevation
    # Outdoor air over a typical year; None without hourly weather of the site.
    hours: YearHours | None
    # Ends of the axes.
    range_c: tuple[float, float]
    range_ratio: tuple[float, float]


def psychrometric_chart(design: Design, hour: CoolingHour) -> PsychrometricChart:
    """Return the chart of a design at one hour.

    design: Site, class of the air, room.
    hour: Air of the halls and outdoors.
    """
    site, criteria = design.facility.site, design.facility.criteria
    hours = year_hours(design)
    outdoors, indoors = tuple(_outdoors(site, hour)), tuple(_indoors(design, hour))
    envelopes, derated_k = _envelopes(criteria, site.pressure_pa)
    dry = [p.dry_bulb_c for p in (*outdoors, *indoors)]
    wet = [p.humidity_ratio for p in (*outdoors, *indoors)]
    for curve in envelopes:
        dry += [float(curve.dry_bulb_c.min()), float(curve.dry_bulb_c.max())]
        wet.append(float(curve.humidity_ratio.max()))
    if hours is not None:
        dry += [float(hours.dry_bulb_c[0]), float(hours.dry_bulb_c[-1])]
        wet.append(float(hours.humidity_ratio[-1]))
    range_c = (
        float(np.floor((min(dry) - _MARGIN_K) / _ROUND_K) * _ROUND_K),
        _above(max(dry) + _MARGIN_K, _ROUND_K),
    )
    top = _above(_HEADROOM * max(wet), _ROUND_RATIO)
    along = np.linspace(*range_c, 4 * _STEPS)
    return PsychrometricChart(
        pressure_pa=site.pressure_pa,
        saturation=_humidity_line(1.0, along, site.pressure_pa, top),
        humidities=tuple(_humidity_line(h, along, site.pressure_pa, top) for h in _HUMIDITIES),
        envelopes=envelopes,
        outdoors=outdoors,
        indoors=indoors,
        process=(indoors[0], indoors[-1]),
        derated_k=derated_k,
        hours=hours,
        range_c=range_c,
        range_ratio=(0.0, top),
    )


def year_hours(design: Design) -> YearHours | None:
    """Return the hours of the typical year of the site, with their dew points at its pressure.

    None without hourly weather of the site.

    Raises for a weather file that cannot be read.
    """
    record, weather = design.facility.site.record, design.weather_year
    if record is None or weather is None:
        return None
    pressure_pa = design.facility.site.pressure_pa
    dew_c = np.minimum(weather.dew_point_c, weather.dry_bulb_c)
    ratio = np.asarray(humidity_ratio_of_vapor.si(saturation_pressure.si(dew_c), pressure_pa))
    low, high = np.floor(weather.dry_bulb_c.min()), np.ceil(weather.dry_bulb_c.max()) + _BIN_K
    dry_edges = np.arange(low, high + 0.5 * _BIN_K, _BIN_K)
    ratio_edges = np.arange(0.0, float(ratio.max()) + 1.5 * _BIN_RATIO, _BIN_RATIO)
    counts, _, _ = np.histogram2d(ratio, weather.dry_bulb_c, bins=(ratio_edges, dry_edges))
    return YearHours(
        record.name,
        0.5 * (dry_edges[1:] + dry_edges[:-1]),
        0.5 * (ratio_edges[1:] + ratio_edges[:-1]),
        counts * weather.step_h,
    )


def _humidity_line(part: float, along_c: FloatArray, pressure_pa: float, top: float) -> Curve:
    ratio = np.asarray(humidity_ratio.si(along_c, part, pressure_pa))
    below = ratio <= top
    return Curve(f"{part:.0%}", along_c[below], ratio[below])


def _envelopes(criteria: Criteria, pressure_pa: float) -> tuple[tuple[Curve, ...], float]:
    """Return the class outlines up to the limits of the criteria, and the derating."""
    recommended, allowable = envelope(criteria.air_class)
    warmest_c, name = criteria.air_allowable_max_c, f"allowable, class {criteria.air_class}"
    outlines = (
        _outline("recommended", recommended, criteria.air_recommended_max_c, pressure_pa),
        _outline(name, allowable, warmest_c, pressure_pa),
    )
    return outlines, allowable.si("t_db_max_c") - warmest_c


def _outline(name: str, row: Row, warmest_c: float, pressure_pa: float) -> Curve:
    """Return the closed outline of an envelope; unknown limits are ignored."""
    along = np.linspace(min(row.si("t_db_min_c"), warmest_c), warmest_c, _STEPS)
    bottom, top = np.zeros_like(along), humidity_ratio.si(along, 1.0, pressure_pa)
    driest, wettest = row.si_or_none("rh_min_pct"), row.si_or_none("rh_max_pct")
    low_c, high_c = row.si_or_none("dp_min_c"), row.si_or_none("dp_max_c")
    if driest is not None:
        bottom = np.maximum(bottom, humidity_ratio.si(along, driest, pressure_pa))
    if wettest is not None:
        top = np.minimum(top, humidity_ratio.si(along, wettest, pressure_pa))
    if low_c is not None:
        bottom = np.maximum(bottom, _at_dew_point(low_c, pressure_pa))
    if high_c is not None:
        top = np.minimum(top, _at_dew_point(high_c, pressure_pa))
    top = np.maximum(top, bottom)
    return Curve(
        name,
        np.concatenate([along, along[::-1], along[:1]]),
        np.concatenate([bottom, top[::-1], bottom[:1]]),
    )


def _at_dew_point(dew_c: float, pressure_pa: float) -> float:
    return float(humidity_ratio_of_vapor.si(saturation_pressure.si(dew_c), pressure_pa))


def _outdoors(site: Site, hour: CoolingHour) -> Iterator[AirPoint]:
    if hour.weather not in (site.design, site.mean):
        yield AirPoint("outdoors, this hour", hour.weather.dry_bulb_c, hour.humidity_ratio)
    known = [("outdoors, design", site.design)]
    if site.mean is not None:
        known.append(("outdoors, mean", site.mean))
    for name, weather in known:
        ratio = humidity_ratio_at_wet_bulb.si(
            weather.dry_bulb_c, weather.wet_bulb_c, weather.pressure_pa
        )
        yield AirPoint(name, weather.dry_bulb_c, float(ratio))


def _indoors(design: Design, hour: CoolingHour) -> Iterator[AirPoint]:
    flow, dew_c = hour.point.cooling, design.facility.cooling.room_dew_point_c
    ratio = _at_dew_point(dew_c, design.facility.site.pressure_pa)
    yield AirPoint("supply air", flow.supply_air_c, ratio)
    yield AirPoint("equipment inlet, mean", flow.inlet_c, ratio)
    yield AirPoint("equipment inlet, worst", flow.inlet_worst_c, ratio)
    yield AirPoint("return air", flow.return_air_c, ratio)


def _above(value: float, step: float) -> float:
    return float(np.ceil(value / step) * step)


_HEIGHT_PX = 540.0
_ENVELOPES: tuple[tuple[Role, str], ...] = (("green", ""), ("cooling", "6 3"))
_MARKS: Mapping[str, tuple[Symbol, Role, float, bool]] = {
    "outdoors, this hour": ("plus", "limit", 8.0, False),
    "outdoors, design": ("up", "limit", 6.0, False),
    "outdoors, mean": ("down", "limit", 6.0, False),
    "supply air": ("circle", "it", 8.5, True),
    "equipment inlet, mean": ("square", "liquid", 6.0, True),
    "equipment inlet, worst": ("diamond", "liquid", 4.5, False),
    "return air": ("cross", "it", 5.0, False),
}
_KEYS = {
    "supply air": "air.supply_temperature",
    "equipment inlet, mean": "air.inlet_temperature",
    "equipment inlet, worst": "air.inlet_temperature_worst",
}
"""Result keys of the points."""
_INSIDE = 0.9
_HEIGHTS = (0.94, 0.94, 0.94, 0.84)
"""Maximum height of the label of each humidity line, as a fraction of the chart."""
_LOWER = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
_TAKEN = ((-0.04, 0.14), (-0.1, 0.05))
"""Extent of a label around its foot as fractions of the chart, including half a marker."""


def psychrometric_drawing(chart: PsychrometricChart, system: System) -> Chart:
    """Return the drawing of a psychrometric chart.

    system: Units of the axes.
    """
    dry = AxisUnit("temperature", view_unit("temperature", system))
    moist = AxisUnit("humidity_ratio", view_unit("humidity_ratio", system))
    (coldest, warmest), (driest, wettest) = (
        map(unit.of, ends) for unit, ends in ((dry, chart.range_c), (moist, chart.range_ratio))
    )
    x = linear_axis(dry.title("Dry bulb"), coldest, warmest, 8.0)
    y = linear_axis(moist.title("Humidity ratio"), driest, wettest, 6.0)
    plot = plot_area(x, y, _HEIGHT_PX, "right")

    def curve(found: Curve, role: Role, width: float, dash: str = "") -> PathShape:
        ends = dry.of(found.dry_bulb_c), moist.of(found.humidity_ratio)
        return line(plot, *ends, role, width, dash)

    shapes: list[Shape] = []
    legend = []
    for one, (role, dash) in zip(chart.envelopes, _ENVELOPES, strict=True):
        outline = curve(one, role, 2.0, dash)
        shapes += [replace(outline, filled=True, faint=True), outline]
        legend.append(LegendSample(one.name[:1].upper() + one.name[1:], role, "line", dash))
    shapes += (curve(one, "ink-2", 1.0, "1 3") for one in chart.humidities)
    shapes.append(curve(chart.saturation, "ink", 2.0))
    legend.append(LegendSample("Saturation", "ink", "line"))
    ends = np.array([(p.dry_bulb_c, p.humidity_ratio) for p in chart.process]).T
    shapes.append(curve(Curve("", ends[0], ends[1]), "it", 2.0))
    legend.append(LegendSample("Hall air process", "it", "line"))
    for one, high in zip(chart.humidities, _HEIGHTS, strict=True):
        shapes.append(_label(one, high, chart, plot, (dry, moist)))
    marks: list[ChartMark] = []
    for point in (*chart.outdoors, *chart.indoors):
        symbol, role, radius, hollow = _MARKS[point.name]
        at = plot.across(dry.of(point.dry_bulb_c)), plot.up(moist.of(point.humidity_ratio))
        name = point.name[:1].upper() + point.name[1:]
        text = f"{name} {show(point.dry_bulb_c, 'temperature', system)}"
        words = f"{text}, {show(point.humidity_ratio, 'humidity_ratio', system)}"
        key = (_KEYS[point.name],) if point.name in _KEYS else ()
        shapes.append(Dot(*at, role, symbol, radius, hollow))
        marks.append(ChartMark(point.name, dry.of(point.dry_bulb_c), words, *at, key))
        legend.append(LegendSample(text, role, symbol, hollow=hollow))
    cells = None if chart.hours is None else _cells(chart.hours, plot, (dry, moist))
    return plotted(plot, "Psychrometric chart", shapes, marks, legend, cells=cells)


def _label(
    curve: Curve,
    high: float,
    chart: PsychrometricChart,
    plot: Plot,
    units: tuple[AxisUnit, AxisUnit],
) -> ChartText:
    """Return the label of a humidity line, below the line near the upper or right border.

    Below the line is more space than above. The label moves down if it would cover an air state.
    """
    first = _foot(curve, high, chart)
    highest = first[1] / chart.range_ratio[1]
    feet = [_foot(curve, part * highest, chart) for part in _LOWER]
    dry_c, ratio = next((foot for foot in feet if not _is_taken(foot, chart)), first)
    x, y = plot.across(units[0].of(dry_c)), plot.up(units[1].of(ratio)) + 8.0
    return ChartText(curve.name, x, y, "start", 2.0, SMALL_PX, veiled=True)


def _foot(curve: Curve, high: float, chart: PsychrometricChart) -> tuple[float, float]:
    coldest_c, warmest_c = chart.range_c
    inside = (curve.dry_bulb_c <= coldest_c + _INSIDE * (warmest_c - coldest_c)) & (
        curve.humidity_ratio <= high * chart.range_ratio[1]
    )
    return float(curve.dry_bulb_c[inside][-1]), float(curve.humidity_ratio[inside][-1])


def _is_taken(foot: tuple[float, float], chart: PsychrometricChart) -> bool:
    """Return whether a label with this foot would cover an air state."""
    coldest_c, warmest_c = chart.range_c
    (left, right), (down, up) = _TAKEN
    return any(
        left < (point.dry_bulb_c - foot[0]) / (warmest_c - coldest_c) < right
        and down < (point.humidity_ratio - foot[1]) / chart.range_ratio[1] < up
        for point in (*chart.outdoors, *chart.indoors)
    )


def _cells(hours: YearHours, plot: Plot, units: tuple[AxisUnit, AxisUnit]) -> HeatCells:
    """Return the hours of the year as cells, without empty cells."""
    dry, moist = units
    x, y = dry.of(hours.dry_bulb_c), moist.of(hours.humidity_ratio)
    half_x, half_y = 0.5 * (x[1] - x[0]), 0.5 * (y[1] - y[0])
    return HeatCells(
        np.where(hours.hours > 0.0, hours.hours, np.nan),
        (plot.across(x[0] - half_x), plot.across(x[-1] + half_x)),
        (plot.up(y[-1] + half_y), plot.up(y[0] - half_y)),
        (0.0, float(hours.hours.max())),
        tuple(f"{significant(one)} {dry.text}" for one in x.tolist()),
        tuple(f"{significant(one)} {moist.text}" for one in y.tolist()),
        "h per year",
    )
