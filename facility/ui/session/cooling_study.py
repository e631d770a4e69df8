"""Cooling of the session's project: any hour, ride-through of failures, comparison of methods."""

from __future__ import annotations

from facility.cooling.parts.loads import NO_TANK, TankFlow
from facility.core.parse import parse_quantity
from facility.model.facility import Weather
from facility.report.drawings.charts.psychrometric import PsychrometricChart, psychrometric_chart
from facility.study.annual.result import Year
from facility.study.cooling_hour import CoolingHour, cooling_hour
from facility.study.design.design import Design
from facility.study.transient.study import TransientStudy, transient
from facility.ui.session.state import of_design

_MAX_HOURS = 16


def hour_at(weather: Weather, it_fraction: float, tank: TankFlow = NO_TANK) -> CoolingHour:
    """Return the cooling at one hour.

    Raises as `cooling_hour`.
    """
    return _hour(weather, it_fraction, tank)


def hour_of(year: Year, index: int) -> CoolingHour:
    """Return the cooling at an hour of the typical year, by index from 0."""
    return hour_at(year.outdoors(index), float(year.load[index]), year.tank(index))


def typed_hour(dry_bulb: str, wet_bulb: str, it_load: str, pressure_pa: float) -> CoolingHour:
    """Return the cooling at typed weather and IT load.

    Raises for text that is not a quantity, and as `cooling_hour`.
    """
    weather = Weather(
        parse_quantity(dry_bulb, "temperature", "dry_bulb").si,
        parse_quantity(wet_bulb, "temperature", "wet_bulb").si,
        pressure_pa,
    )
    return hour_at(weather, parse_quantity(it_load, "fraction", "it_load").si)


def chart_at(hour: CoolingHour) -> PsychrometricChart:
    """Return the psychrometric chart of an hour."""
    return _chart(hour.weather, hour.it_fraction, hour.tank)


@of_design("Simulating cooling failures …")
def ride_through(design: Design) -> TransientStudy:
    """Return the transient study of the cooling failures."""
    return transient(design)


@of_design(max_entries=_MAX_HOURS)
def _hour(design: Design, weather: Weather, it_fraction: float, tank: TankFlow) -> CoolingHour:
    return cooling_hour(design, weather, it_fraction, tank)


@of_design(max_entries=_MAX_HOURS)
def _chart(
    design: Design, weather: Weather, it_fraction: float, tank: TankFlow
) -> PsychrometricChart:
    return psychrometric_chart(design, _hour(weather, it_fraction, tank))
