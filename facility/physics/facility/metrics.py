"""Measures of a whole facility: power usage effectiveness, energy, cost and carbon."""

from __future__ import annotations

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    CarbonIntensity,
    Energy,
    EnergyPrice,
    Fraction,
    HeatFlow,
    Mass,
    Money,
    Ratio,
    Time,
    Volume,
    WaterPerEnergy,
)
from facility.core.sources import DEFINITION, Source

_PUE = Source("iso-iec-30134-2", "clause 6", "2016")
_WUE = Source("iso-iec-30134-9", "clause 6", "2022", "memory")
_CUE = Source("iso-iec-30134-8", "clause 6", "2022", "memory")
_ERF = Source("iso-iec-30134-6", "clause 6", "2021", "memory")
_COMPONENTS = Source("ashrae-90-4-2016-g", "load components", "", "secondary")

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


@equation("PUE", r"\frac{E_{DC}}{E_{IT}}", _PUE)
def annual_power_usage_effectiveness(facility_j: Energy, it_j: Energy) -> Ratio:
    """Return the annual power usage effectiveness: ratio of the annual sums, as defined.

    It is not the mean of the hourly ratios: these two are equal at a constant IT load alone. With
    the energy of one subsystem and the IT in place of that of the facility it is a partial PUE.
    """
    return facility_j / it_j


@equation("WUE", r"\frac{V_{water}}{E_{IT}}", _WUE)
def water_usage_effectiveness(water_m3: Volume, it_j: Energy) -> WaterPerEnergy:
    """Return the water usage effectiveness of the site: make-up of a year over the IT energy.

    Water that the making of the electricity uses is not in it; with that it is the source figure.
    """
    return water_m3 / it_j


@equation("CUE", r"\frac{m_{CO_2}}{E_{IT}}", _CUE)
def carbon_usage_effectiveness(carbon_kg: Mass, it_j: Energy) -> CarbonIntensity:
    """Return the carbon usage effectiveness: emissions of the energy of a year over that of IT."""
    return carbon_kg / it_j


@equation("ERE", r"\frac{P_{facility} - \dot q_{reuse}}{P_{IT}}", DEFINITION)
def energy_reuse_effectiveness(
    facility_w: ActivePower, reused_w: HeatFlow, it_w: ActivePower
) -> Ratio:
    """Return the energy reuse effectiveness at one condition.

    Heat that is used outside the facility is credited here alone; the PUE does not know it.

    facility_w, it_w: power of the facility and of the IT equipment at its inputs.
    reused_w: heat used outside the facility.
    """
    return (facility_w - reused_w) / it_w


@equation("ERF", r"\frac{E_{reuse}}{E_{DC}}", _ERF)
def energy_reuse_factor(reused_j: Energy, facility_j: Energy) -> Ratio:
    """Return the energy reuse factor: heat of a year used outside the facility over its energy."""
    return reused_j / facility_j


@equation("ERE", r"\frac{E_{DC} - E_{reuse}}{E_{IT}}", DEFINITION)
def annual_energy_reuse_effectiveness(facility_j: Energy, reused_j: Energy, it_j: Energy) -> Ratio:
    """Return the annual energy reuse effectiveness, PUE (1 - ERF)."""
    return (facility_j - reused_j) / it_j


@equation("V", r"E \, w", DEFINITION)
def generation_water(energy_j: Energy, water_m3_j: WaterPerEnergy) -> Volume:
    """Return the water consumed by the generation of an electrical energy.

    water_m3_j: water consumed for each energy delivered, of the mix of the grid.
    """
    return energy_j * water_m3_j


@equation("MLC", r"\frac{E_{cooling}}{E_{IT}}", _COMPONENTS)
def mechanical_load_component(cooling_j: Energy, it_j: Energy) -> Ratio:
    """Return the annual mechanical load component at one IT load.

    cooling_j: fans, pumps, compressors, heat rejection and humidification.
    """
    return cooling_j / it_j


@equation(
    "ELC",
    r"1 - (1 - l_{in})(1 - l_{UPS})(1 - l_{dist})",
    _COMPONENTS,
    excel="1-(1-{incoming})*(1-{ups})*(1-{distribution})",
)
def electrical_loss_component(incoming: Fraction, ups: Fraction, distribution: Fraction) -> Ratio:
    """Return the electrical loss component: combined loss fraction of three series segments.

    incoming, ups, distribution: loss of each over what enters it; zero leaves a segment out.
    """
    return 1.0 - (1.0 - incoming) * (1.0 - ups) * (1.0 - distribution)


@equation("E", r"P \, t", DEFINITION)
def energy(power_w: ActivePower, time_s: Time) -> Energy:
    """Return the energy of a constant power over a time."""
    return power_w * time_s


@equation("C", r"E \, p", DEFINITION)
def energy_cost(energy_j: Energy, price_per_j: EnergyPrice) -> Money:
    """Return the cost of an energy at one price, without demand charges or fees."""
    return energy_j * price_per_j


@equation("C", r"\frac{E \, p}{12}", DEFINITION)
def monthly_cost(annual_energy_j: Energy, price_per_j: EnergyPrice) -> Money:
    """Return the cost of energy of a mean month, a twelfth of the year.

    price_per_j: flat energy price, per J, without demand charges or fees.
    """
    return annual_energy_j * price_per_j / MONTHS_PER_YEAR


@equation("m_{CO_2}", r"E \, c", DEFINITION)
def carbon(energy_j: Energy, intensity_kg_per_j: CarbonIntensity) -> Mass:
    """Return the carbon dioxide equivalent of an energy drawn from the grid.

    intensity_kg_per_j: location-based grid intensity.
    returns: mass of CO2 equivalent.
    """
    return energy_j * intensity_kg_per_j
