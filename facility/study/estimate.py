"""Estimates for a year and a month, from one operating point at mean-year weather.

They are estimates by name: a mean-year condition is not a year of hours. The IT load factor, the
mean weather and the price are in the ledger or in the project.
"""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.sources import DERIVED, Source
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.physics.metrics import (
    SECONDS_PER_YEAR,
    carbon,
    energy,
    monthly_cost,
    power_usage_effectiveness,
)
from facility.power.it_load import ItLoad
from facility.study.loop import OperatingPoint, Sized, operate

_YEAR = Source("definition", "8,760 h")


@dataclass(frozen=True)
class Estimate:
    """Energy, cost and carbon of a year, estimated.

    `carbon_kg` is None where the grid intensity is not known.
    """

    point: OperatingPoint
    pue: float
    energy_j: float
    month_usd: float
    carbon_kg: float | None


def estimate_year(facility: Facility, it: ItLoad, sized: Sized, trace: Trace) -> Estimate:
    """Return the annual estimate of a design at its load factor and mean-year weather."""
    site = facility.site
    point = operate(facility, it, sized, site.mean, facility.it.load_factor)
    trace.given("estimate.it", point.demand.it_w, "active_power", DERIVED,
                "IT load at the stated load factor")  # fmt: skip
    trace.given("estimate.facility", point.facility_w, "active_power", DERIVED,
                "the frozen design at mean-year weather and that IT load")  # fmt: skip
    trace.given("estimate.hours", SECONDS_PER_YEAR, "time", _YEAR)
    trace.given("estimate.price", site.energy_price_usd_per_j, "energy_price", DERIVED,
                "site.tariff")  # fmt: skip
    pue = trace.do("pue.estimate", power_usage_effectiveness, "estimate, not a year of hours",
                   facility_w="estimate.facility", it_w="estimate.it")  # fmt: skip
    energy_j = trace.do("energy.annual_estimate", energy, "estimate",
                        power_w="estimate.facility", time_s="estimate.hours")  # fmt: skip
    month_usd = trace.do("cost.month_estimate", monthly_cost, "energy only, estimate",
                         annual_energy_j="energy.annual_estimate",
                         price_usd_per_j="estimate.price")  # fmt: skip
    carbon_kg = None
    if site.carbon_kg_per_j is not None:
        carbon_kg = trace.do("carbon.annual_estimate", carbon, "location-based, estimate",
                             energy_j="energy.annual_estimate",
                             intensity_kg_per_j=site.carbon_kg_per_j)  # fmt: skip
    return Estimate(point, pue, energy_j, month_usd, carbon_kg)
