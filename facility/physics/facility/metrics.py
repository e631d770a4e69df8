"""Measures of a whole facility: power usage effectiveness, energy, cost and carbon."""

from __future__ import annotations

from dataclasses import replace

from facility.core.equation import Equation, equation
from facility.core.kinds import money_kind, price_kind
from facility.core.sources import Source

_PUE = Source("iso-iec-30134-2", "clause 6", "2016")
_DEFINITION = Source("definition")

HOURS_PER_YEAR = 8760
SECONDS_PER_YEAR = HOURS_PER_YEAR * 3600.0
MONTHS_PER_YEAR = 12


@equation(
    "PUE",
    r"\frac{P_{facility}}{P_{IT}}",
    "ratio",
    _PUE,
    facility_w="active_power",
    it_w="active_power",
)
def power_usage_effectiveness(facility_w: float, it_w: float) -> float:
    """Return the power usage effectiveness at one condition.

    ISO/IEC 30134-2 defines PUE as annual facility energy over annual IT energy, measured at the
    boundary of the facility and at the IT equipment. The ratio of powers is its value at one
    moment: it is a design-hour or mean-year figure, and must be called that.

    Parameters
    ----------
    facility_w, it_w : float or ndarray
        Power of the facility and of the IT equipment at its inputs [W].

    Returns
    -------
    float or ndarray
        Ratio, at least 1 where the facility contains the IT.
    """
    return facility_w / it_w


@equation(
    "ERE",
    r"\frac{P_{facility} - \dot q_{reuse}}{P_{IT}}",
    "ratio",
    _DEFINITION,
    facility_w="active_power",
    reused_w="heat_flow",
    it_w="active_power",
)
def energy_reuse_effectiveness(facility_w: float, reused_w: float, it_w: float) -> float:
    """Return the energy reuse effectiveness at one condition.

    Heat that is used outside the facility is credited here alone; the PUE does not know it.

    Parameters
    ----------
    facility_w, it_w : float or ndarray
        Power of the facility and of the IT equipment at its inputs [W].
    reused_w : float or ndarray
        Heat used outside the facility [W].
    """
    return (facility_w - reused_w) / it_w


@equation(
    "E",
    r"P \, t",
    "energy",
    _DEFINITION,
    power_w="active_power",
    time_s="time",
)
def energy(power_w: float, time_s: float) -> float:
    """Return the energy of a constant power over a time.

    Parameters
    ----------
    power_w : float or ndarray
        Mean power [W].
    time_s : float or ndarray
        Duration [s].

    Returns
    -------
    float or ndarray
        Energy [J].
    """
    return power_w * time_s


@equation(
    "C",
    r"\frac{E \, p}{12}",
    "money",
    _DEFINITION,
    annual_energy_j="energy",
    price_per_j="energy_price",
)
def monthly_cost(annual_energy_j: float, price_per_j: float) -> float:
    """Return the cost of energy of a mean month, a twelfth of the year.

    Parameters
    ----------
    annual_energy_j : float or ndarray
        Energy of a year [J].
    price_per_j : float or ndarray
        Flat energy price, per J, without demand charges or fees.

    Returns
    -------
    float or ndarray
        Cost of one month [USD].
    """
    return annual_energy_j * price_per_j / MONTHS_PER_YEAR


def monthly_cost_in(currency: str) -> Equation:
    """Return `monthly_cost` with price and cost in another currency than USD."""
    kinds = {**monthly_cost.arguments, "price_per_j": price_kind(currency)}
    return replace(monthly_cost, arguments=kinds, returns=(money_kind(currency),))


@equation(
    "m_{CO_2}",
    r"E \, c",
    "mass",
    _DEFINITION,
    energy_j="energy",
    intensity_kg_per_j="carbon_intensity",
)
def carbon(energy_j: float, intensity_kg_per_j: float) -> float:
    """Return the carbon dioxide equivalent of an energy drawn from the grid.

    Parameters
    ----------
    energy_j : float or ndarray
        Energy [J].
    intensity_kg_per_j : float or ndarray
        Location-based grid intensity [kg/J].

    Returns
    -------
    float or ndarray
        Mass of CO2 equivalent [kg].
    """
    return energy_j * intensity_kg_per_j
