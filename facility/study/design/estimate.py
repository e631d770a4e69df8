"""Annual and monthly estimates for a site without a weather year.

They are based on one operating point at the stated mean weather and labelled as estimates: a mean
is not an hourly simulation. With a weather year, the annual study replaces them.
"""

from __future__ import annotations

from facility.core.sources import DERIVED, Source
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.physics.facility.house import share_of_load
from facility.physics.facility.metrics import (
    SECONDS_PER_YEAR,
    carbon,
    energy,
    monthly_cost,
    power_usage_effectiveness,
)
from facility.power.it.load import ItLoad
from facility.study.loop import OperatingPoint

_YEAR = Source("definition", "8,760 h")


def record_estimate(facility: Facility, it: ItLoad, point: OperatingPoint, trace: Trace) -> None:
    """Record the annual estimate of a design from the point at its load factor and mean weather."""
    site = facility.site
    factor = trace.link("it.load_factor", facility.load.mean)
    load = trace.link("load.it", it.it_w)
    trace.do("estimate.it", share_of_load, "at the stated load factor", load_w=load, share=factor)
    weather = "fixed design at the stated mean weather and load factor"
    trace.given("estimate.losses", point.flow.losses_w, "active_power", DERIVED, weather)
    trace.given("estimate.cooling", point.cooling.power.total_w, "active_power", DERIVED, weather)
    point.facility("estimate", weather, trace)
    trace.given("estimate.hours", SECONDS_PER_YEAR, "time", _YEAR)
    trace.do("pue.estimate", power_usage_effectiveness, "estimate, not an annual simulation",
             facility_w="estimate.facility", it_w="estimate.it")  # fmt: skip
    trace.do("energy.annual_estimate", energy, "estimate",
             power_w="estimate.facility", time_s="estimate.hours")  # fmt: skip
    if site.tariff is not None and site.energy_price_per_j is not None:
        price = trace.link(site.tariff.energy[0].id, site.energy_price_per_j)
        trace.do("cost.month_estimate", monthly_cost.in_currency(site.currency),
                 "energy only, estimate", annual_energy_j="energy.annual_estimate",
                 price_per_j=price)  # fmt: skip
    if site.carbon_kg_per_j is not None:
        intensity = trace.link("site.grid_carbon", site.carbon_kg_per_j)
        trace.do("carbon.annual_estimate", carbon, "location-based, estimate",
                 energy_j="energy.annual_estimate", intensity_kg_per_j=intensity)  # fmt: skip
