"""Data of a psychrometric chart in SI: lines, envelopes, state points, hours of a year.

All data are at the site pressure. An envelope is bounded by dry bulb, dew point and
relative humidity, and is limited to the area below saturation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from facility.catalogue import Row
from facility.cooling.room.limits import envelope
from facility.core.kinds import FloatArray
from facility.model.facility import Criteria, Site
from facility.physics.air.psychrometrics import (
    humidity_ratio,
    humidity_ratio_at_wet_bulb,
    humidity_ratio_of_vapor,
    saturation_pressure,
)
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
    range_c = (_below(min(dry) - _MARGIN_K, _ROUND_K), _above(max(dry) + _MARGIN_K, _ROUND_K))
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


def _below(value: float, step: float) -> float:
    return float(np.floor(value / step) * step)


def _above(value: float, step: float) -> float:
    return float(np.ceil(value / step) * step)
