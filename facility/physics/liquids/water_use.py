"""Water use of heat rejection: evaporation, drift, blowdown, make-up.

Two conventions are in use for the blowdown. EnergyPlus counts drift as part of what leaves with
the salts: B = E / (C - 1) - D. Others, such as the ORNL tool, add drift on top of E / (C - 1).
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    Density,
    HeatFlow,
    HumidityRatio,
    LiquidFlow,
    MassFlow,
    Numeric,
    Pressure,
    Ratio,
    SpecificEnthalpy,
)
from facility.core.sources import DERIVED, Source
from facility.physics.air.psychrometrics import (
    dew_point,
    enthalpy,
    humidity_ratio,
    humidity_ratio_of_vapor,
)
from facility.physics.elementwise import crossing, plain

_TOWERS = Source("energyplus-towers", "water consumption: SaturatedExit, ConcentrationRatio")
_COLDEST_C, _WARMEST_C = -60.0, 95.0
_NEARLY_SATURATED = 1.0
_MAX_VAPOR = 0.9
"""Part of the pressure that is vapour in the warmest saturated air looked for: below boiling."""


@equation("W_2", r"W_s(h_1 + \dot q / \dot m_a)", _TOWERS, empirical="saturation is fitted in degC")
def saturated_exit_humidity(
    entering_j_kg: SpecificEnthalpy, heat_w: HeatFlow, air_kg_s: MassFlow, pressure_pa: Pressure
) -> HumidityRatio:
    """Return the humidity ratio of air that leaves a tower saturated.

    The air takes up the heat: its enthalpy rises by q / m_a, and it leaves at the temperature at
    which saturated air has that enthalpy: from -60 to 95 degC, high above the sea to a little below
    the boiling point.
    """
    leaving_j_kg = entering_j_kg + heat_w / air_kg_s

    def above(temperature_c: float) -> float:
        return plain(
            enthalpy.si(temperature_c, _saturated(temperature_c, pressure_pa)) - leaving_j_kg
        )

    return _saturated(crossing(above, _COLDEST_C, _warmest(pressure_pa)), pressure_pa)


def _warmest(pressure_pa: Numeric) -> float:
    lowest_pa = float(np.min(pressure_pa))
    wet = float(humidity_ratio_of_vapor.si(_MAX_VAPOR * lowest_pa, lowest_pa))
    return min(_WARMEST_C, float(dew_point.si(wet, lowest_pa)))


def _saturated(temperature_c: Numeric, pressure_pa: Numeric) -> Numeric:
    return humidity_ratio.si(temperature_c, _NEARLY_SATURATED, pressure_pa)


@equation("E", r"\max(\dot m_a (W_2 - W_1), 0) / \rho", _TOWERS)
def tower_evaporation(
    air_kg_s: MassFlow,
    entering_humidity: HumidityRatio,
    leaving_humidity: HumidityRatio,
    density_kg_m3: Density,
) -> LiquidFlow:
    """Return the evaporation of a tower.

    `air_kg_s` is dry air. In winter about half of the heat leaves as sensible heat, without water.
    """
    gain = np.maximum(np.subtract(leaving_humidity, entering_humidity), 0.0)
    return (air_kg_s * gain / density_kg_m3)[()]


@equation("B", r"\max(E / (C - 1) - D, 0)", _TOWERS)
def blowdown(evaporation_m3_s: LiquidFlow, cycles: Ratio, drift_m3_s: LiquidFlow) -> LiquidFlow:
    """Return the blowdown that keeps the cycles of concentration.

    What evaporates leaves its salts behind; E / (C - 1) must leave as water, of which the drift is
    a part (EnergyPlus). With `drift_m3_s` zero it is the convention that adds drift on top.
    """
    return np.maximum(evaporation_m3_s / (cycles - 1.0) - drift_m3_s, 0.0)[()]


@equation("M", r"E + D + B", DERIVED)
def makeup(
    evaporation_m3_s: LiquidFlow, drift_m3_s: LiquidFlow, blowdown_m3_s: LiquidFlow
) -> LiquidFlow:
    """Return the make-up water of a tower.

    The basin keeps its level: what comes in is what leaves as vapour, droplets and blowdown.
    """
    return evaporation_m3_s + drift_m3_s + blowdown_m3_s
