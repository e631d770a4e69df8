"""Measures of a whole facility: power usage effectiveness, energy, cost and carbon."""

from __future__ import annotations

from facility.core.equation import AnyEquation, equation, of_kinds
from facility.core.kinds import (
    ActivePower,
    CarbonIntensity,
    Energy,
    EnergyPrice,
    HeatFlow,
    Mass,
    Money,
    Ratio,
    Time,
    money_kind,
    price_kind,
)
from facility.core.sources import Source

_PUE = Source("iso-iec-30134-2", "clause 6", "2016")
_DEFINITION = Source("definition")

HOURS_PER_YEAR = 8760
SECONDS_PER_YEAR = HOURS_PER_YEAR * 3600.0
MONTHS_PER_YEAR = 12


@equation("PUE", r"\frac{P_{facility}}{P_{IT}}", _PUE)
def power_usage_effectiveness(facility_w: ActivePower, it_w: ActivePower) -> Ratio:
    """Return the power usage effectiveness at one condition.

    ISO/IEC 30134-2 defines PUE as annual facility energy over annual IT energy, measured at the
    boundary of the facility and at the IT equipment. The ratio of powers is its value at one
    moment: it is a design-hour or mean-year figure, and must be called that.

    facility_w, it_w: power of the facility and of the IT equipment at its inputs.
    returns: ratio, at least 1 where the facility contains the IT.
    """
    return facility_w / it_w


@equation("ERE", r"\frac{P_{facility} - \dot q_{reuse}}{P_{IT}}", _DEFINITION)
def energy_reuse_effectiveness(
    facility_w: ActivePower, reused_w: HeatFlow, it_w: ActivePower
) -> Ratio:
    """Return the energy reuse effectiveness at one condition.

    Heat that is used outside the facility is credited here alone; the PUE does not know it.

    facility_w, it_w: power of the facility and of the IT equipment at its inputs.
    reused_w: heat used outside the facility.
    """
    return (facility_w - reused_w) / it_w


@equation("E", r"P \, t", _DEFINITION)
def energy(power_w: ActivePower, time_s: Time) -> Energy:
    """Return the energy of a constant power over a time."""
    return power_w * time_s


@equation("C", r"\frac{E \, p}{12}", _DEFINITION)
def monthly_cost(annual_energy_j: Energy, price_per_j: EnergyPrice) -> Money:
    """Return the cost of energy of a mean month, a twelfth of the year.

    price_per_j: flat energy price, per J, without demand charges or fees.
    """
    return annual_energy_j * price_per_j / MONTHS_PER_YEAR


def monthly_cost_in(currency: str) -> AnyEquation:
    """Return `monthly_cost` with price and cost in another currency than USD."""
    kinds = {**monthly_cost.arguments, "price_per_j": price_kind(currency)}
    return of_kinds(monthly_cost, kinds, (money_kind(currency),))


@equation("m_{CO_2}", r"E \, c", _DEFINITION)
def carbon(energy_j: Energy, intensity_kg_per_j: CarbonIntensity) -> Mass:
    """Return the carbon dioxide equivalent of an energy drawn from the grid.

    intensity_kg_per_j: location-based grid intensity.
    returns: mass of CO2 equivalent.
    """
    return energy_j * intensity_kg_per_j
