"""Cost of owning a facility: annualized capital, and cost per unit of use."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    Count,
    DemandPrice,
    Energy,
    EnergyPrice,
    Fraction,
    HourPrice,
    Money,
    Ratio,
    Time,
    Volume,
    VolumePrice,
)
from facility.core.sources import DEFINITION, Source

_RECOVERY = Source("capital-recovery", "A/P, uniform series")


@equation("K", r"n \, p", DEFINITION)
def unit_capital(units: Count, price: Money) -> Money:
    """Return the capital of a number of units at one price."""
    return units * price


@equation("K", r"P_{IT} \, p", DEFINITION)
def power_capital(it_w: ActivePower, price_per_w: DemandPrice) -> Money:
    """Return the capital cost of items priced per IT load.

    it_w: IT load of the design, at the equipment inputs.
    """
    return it_w * price_per_w


@equation(
    "p",
    r"p_0 + b \, S^{n}",
    Source("city-energy-analyst", "form of the cost functions"),
    empirical="fitted to prices: the slope has the unit that the exponent leaves",
)
def equipment_price(size: Ratio, fixed: Money, slope: Ratio, exponent: Ratio) -> Money:
    """Return the price of one unit of equipment of a size.

    size: in SI, as the table of prices says: W, VA, A or J.
    fixed: part that any size costs.
    slope: factor of the size raised to the exponent.
    exponent: 1 where the price follows the size, less where large units are cheaper.
    """
    return fixed + slope * np.asarray(size) ** exponent


@equation(
    "a",
    r"\frac{i}{1 - (1 + i)^{-N}}",
    _RECOVERY,
    excel="IF({rate}>0,{rate}/(1-(1+{rate})^(-{years})),1/{years})",
)
def capital_recovery_factor(rate: Fraction, years: Ratio) -> Ratio:
    """Return the capital recovery factor: equal annual payments, interest included, per capital.

    Without interest it is 1/N, straight-line depreciation.

    rate: discount rate of a year.
    years: over how many years.
    """
    interest = np.where(np.asarray(rate) > 0.0, rate, 1.0)
    paid = interest / (1.0 - (1.0 + interest) ** -np.asarray(years))
    return np.where(np.asarray(rate) > 0.0, paid, 1.0 / np.asarray(years))[()]


@equation("A", r"a \, K", _RECOVERY)
def annuity(capital: Money, factor: Ratio) -> Money:
    """Return the annual cost of a capital over its life."""
    return capital * factor


@equation("D", r"\frac{K}{N}", DEFINITION)
def depreciation(capital: Money, years: Ratio) -> Money:
    """Return the straight-line depreciation of a year, without interest."""
    return capital / years


@equation("C", r"V \, p", DEFINITION)
def volume_cost(volume_m3: Volume, price_per_m3: VolumePrice) -> Money:
    """Return the cost of a volume of water or fuel."""
    return volume_m3 * price_per_m3


@equation("c_h", r"\frac{C}{n \, t \, u}", DEFINITION)
def unit_hour_cost(cost: Money, units: Count, time_s: Time, used: Fraction) -> HourPrice:
    """Return the cost of one unit-hour.

    cost: of a year, all included.
    units: number of units.
    time_s: length of the year.
    used: part of the hours that are used; the others are borne by these.
    """
    return cost / (units * time_s * used)


@equation("C_{run}", r"c_h \, t", DEFINITION)
def run_cost(price_per_s: HourPrice, time_s: Time) -> Money:
    """Return the cost of a run.

    price_per_s: of one unit.
    time_s: unit-hours of the run.
    """
    return price_per_s * time_s


@equation("c_P", r"\frac{C}{P_{IT}}", DEFINITION)
def cost_per_power(cost: Money, it_w: ActivePower) -> DemandPrice:
    """Return the cost of a year for each unit of IT load."""
    return cost / it_w


@equation("c_E", r"\frac{C}{E_{IT}}", DEFINITION)
def levelised_cost(cost: Money, it_j: Energy) -> EnergyPrice:
    """Return the levelised cost of IT energy: annual cost with the annuity of the capital."""
    return cost / it_j
