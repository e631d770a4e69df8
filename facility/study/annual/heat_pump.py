"""Annual operation of a heat user's heat pump, and metrics with it inside the boundary."""

from __future__ import annotations

import numpy as np

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.chain.warm_water import warm_streams
from facility.model.cooling.plant import HeatReusePlan
from facility.physics.facility.metrics import annual_power_usage_effectiveness, energy_reuse_factor
from facility.physics.plant.chiller.lift import compressor_power, heat_pump_cop
from facility.study.annual.result import Year
from facility.study.figures import Figures

_MIN_LIFT_K = 5.0
"""Minimum compressor lift, as for chillers."""
_INSIDE = "heat pump counted inside the data centre boundary"


def heat_pump_figures(
    year: Year, design: CoolingDesign, plan: HeatReusePlan, found: Figures
) -> None:
    """Record power, energy and heat of the heat pump, and PUE and ERF for both boundaries.

    The heat pump cools its share of the water to the leaving temperature of the heat rejection in
    that hour, and condenses above the required temperature. The reuse process is outside the data
    centre (ISO/IEC 30134-6): PUE and ERF count the heat delivered to it. With the heat pump inside,
    its energy counts as facility energy (ISO/IEC 30134-2) and its heat as reused heat.
    """
    pump = plan.heat_pump
    if pump is None:
        return
    hours = year.hours
    power_w = np.zeros(len(hours))
    for stream in warm_streams(design, year.balance.cooling):
        cop = heat_pump_cop.si(
            pump.carnot_fraction,
            stream.water.leaving_c - pump.approach_k,
            plan.temperature_c + pump.approach_k,
            _MIN_LIFT_K,
        )
        # The heat of the water is what the heat pump supplies less its own energy.
        power_w = power_w + hours.spread(compressor_power.si(stream.reused_w, cop - 1.0))
    at = "annual.heat_pump"
    found.figure(f"{at}.peak", float(power_w.max()))
    energy_j = found.figure(f"{at}.energy", hours.total(power_w))
    words = f"supplied at {plan.temperature_c:g} °C: heat of the water plus energy of the heat pump"
    found.sum(f"{at}.heat", "energy", words, "annual.reuse.heat", f"{at}.energy")
    if energy_j > 0.0:
        found.figure(f"{at}.cop", found.trace.value(f"{at}.heat") / energy_j)
    both = f"{at}.facility"
    found.trace.sum(both, "energy", _INSIDE, "energy.annual", f"{at}.energy")
    found.do(
        "pue.with_heat_pump", annual_power_usage_effectiveness, _INSIDE,
        facility_j=both, it_j="energy.annual.it",
    )  # fmt: skip
    found.do(
        "erf.with_heat_pump", energy_reuse_factor, _INSIDE, reused_j=f"{at}.heat", facility_j=both
    )
