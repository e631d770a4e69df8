"""Chillers by lift: a constant fraction of the Carnot efficiency between the two refrigerant sides.

Published performance curves end near 13 degC of leaving chilled water; halls for AI run warmer.
Outside their valid range the curves are wrong in sign (efficiency falls as the water gets warmer).
A curve therefore gives the Carnot fraction inside its range, and the lift model applies outside.
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import ActivePower, HeatFlow, Ratio, Temperature, TemperatureDifference
from facility.core.sources import DERIVED, Source

_LIFT = Source("modelica-buildings-carnot", "Chillers.Carnot_TEva: constant Carnot effectiveness")
_KELVIN = 273.15


@equation(r"\eta_C", r"COP\,(T_c - T_e) / T_e", _LIFT, empirical="adds 273.15 to reach kelvin")
def carnot_fraction(cop: Ratio, evaporating_c: Temperature, condensing_c: Temperature) -> Ratio:
    """Return the fraction of the Carnot efficiency that a machine reaches at a known point.

    The Carnot machine between the two refrigerant temperatures has COP T_e / (T_c - T_e).
    """
    return cop * (condensing_c - evaporating_c) / (evaporating_c + _KELVIN)


@equation("T_e", r"T_{chw} - \Delta T_e", _LIFT)
def evaporating_temperature(
    chilled_water_c: Temperature, approach_k: TemperatureDifference
) -> Temperature:
    """Return the evaporating temperature.

    The refrigerant boils a few kelvin below the chilled water that leaves.
    """
    return chilled_water_c - approach_k


@equation("T_c", r"T_{sink} + \Delta T_c", _LIFT)
def condensing_temperature(sink_c: Temperature, approach_k: TemperatureDifference) -> Temperature:
    """Return the condensing temperature.

    The refrigerant condenses a few kelvin above the condenser water that leaves, or well above
    the air that enters an air-cooled condenser.
    """
    return sink_c + approach_k


@equation(
    "COP",
    r"\min(COP_{max},\ \eta_C\,T_e / \max(T_c - T_e,\ \Delta T_{min}))",
    _LIFT,
    empirical="adds 273.15 to reach kelvin",
    excel="MIN({cop_limit},{fraction}*({evaporating_c}+273.15)"
    "/MAX({condensing_c}-{evaporating_c},{min_lift_k}))",
)
def lift_cop(
    fraction: Ratio,
    evaporating_c: Temperature,
    condensing_c: Temperature,
    min_lift_k: TemperatureDifference,
    cop_limit: Ratio,
) -> Ratio:
    """Return the coefficient of performance at a lift.

    The compressor requires a minimum pressure difference, so the lift has a minimum; bearings,
    drives and controls keep the COP from growing without limit, so that it has a ceiling.
    """
    lift = np.maximum(condensing_c - evaporating_c, min_lift_k)
    return np.minimum(fraction * (evaporating_c + _KELVIN) / lift, cop_limit)


@equation(
    "T_c",
    r"T_e + \max(\eta_C\,T_e / COP_{max},\ \Delta T_{min})",
    DERIVED,
    empirical="adds 273.15 to reach kelvin",
)
def useful_condensing_temperature(
    fraction: Ratio, evaporating_c: Temperature, min_lift_k: TemperatureDifference, cop_limit: Ratio
) -> Temperature:
    """Return the condensing temperature below which a colder sink saves no power.

    There the COP reaches its ceiling, or the lift its floor.
    """
    return evaporating_c + np.maximum(fraction * (evaporating_c + _KELVIN) / cop_limit, min_lift_k)


@equation("P", r"\dot q / COP", DERIVED)
def compressor_power(heat_w: HeatFlow, cop: Ratio) -> ActivePower:
    """Return the electric power of chillers that remove a heat.

    The definition of the coefficient of performance; what they reject is the sum of both.
    """
    return heat_w / cop


_HEAT_PUMPS = Source(
    "arpagaus-2018", "second-law efficiency of industrial heat pumps", "", "memory"
)


@equation(
    "COP_h",
    r"\eta\,T_c / \max(T_c - T_e,\ \Delta T_{min})",
    _HEAT_PUMPS,
    empirical="adds 273.15 to reach kelvin",
)
def heat_pump_cop(
    fraction: Ratio,
    evaporating_c: Temperature,
    condensing_c: Temperature,
    min_lift_k: TemperatureDifference,
) -> Ratio:
    """Return the heating COP of a heat pump: heat supplied over electrical energy.

    The Carnot heat pump between the two refrigerant temperatures has COP T_c / (T_c - T_e).
    """
    lift = np.maximum(condensing_c - evaporating_c, min_lift_k)
    return fraction * (condensing_c + _KELVIN) / lift
