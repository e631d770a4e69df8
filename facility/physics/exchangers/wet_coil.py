"""Coils that dry the air: heat and moisture together, by enthalpy potential.

Where the surface is colder than the dew point of the air, water condenses on it and the heat that
passes follows the enthalpy of the air, not its temperature. With the enthalpy of saturated air
taken as linear in the temperature, of slope cs, the water side becomes a stream of enthalpy and
the coil an exchanger between the two: its conductance is that of the films, 1 / (cs / hA_w + cp /
hA_a) in kg/s. The state of the air that leaves lies on the line from the air that enters to a
saturated surface, at the bypass factor exp(-hA_a / (m cp)).
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    HeatFlow,
    HumidityRatio,
    MassFlow,
    Numeric,
    Pressure,
    Temperature,
    ThermalConductance,
)
from facility.core.sources import DERIVED, Source
from facility.physics.air.psychrometrics import (
    dew_point,
    enthalpy,
    humidity_ratio_of_vapor,
    saturation_pressure,
)
from facility.physics.air.sensible import moist_air_specific_heat
from facility.physics.exchangers.effectiveness import crossflow_effectiveness

_TOOLKIT = Source("wet-coil-enthalpy-potential", "wet and dry coil, the larger heat", "", "memory")
_BISECTIONS = 45
_MIN_SLOPE_K = 0.1


@equation(
    "T_s",
    r"(hA_a T_a + hA_w T_w) / (hA_a + hA_w)",
    DERIVED,
    empirical="a mean of temperatures in degC",
)
def surface_temperature(
    air_c: Temperature,
    water_c: Temperature,
    outside_w_k: ThermalConductance,
    inside_w_k: ThermalConductance,
) -> Temperature:
    """Return the temperature of a coil's surface between air and water.

    The same heat passes both films: hA_a (T_a - T_s) = hA_w (T_s - T_w). Coldest where the water
    enters and the air leaves.
    """
    return (outside_w_k * air_c + inside_w_k * water_c) / (outside_w_k + inside_w_k)


@equation(
    "q",
    r"\varepsilon\,\min(m, C_w / c_s)(h_a - h_s(T_w))",
    _TOOLKIT,
    empirical="psychrometric functions inside",
)
def wet_coil(
    air_c: Temperature,
    humidity_ratio: HumidityRatio,
    water_c: Temperature,
    pressure_pa: Pressure,
    air_kg_s: MassFlow,
    water_w_k: ThermalConductance,
    outside_w_k: ThermalConductance,
    inside_w_k: ThermalConductance,
) -> tuple[HeatFlow, HeatFlow, MassFlow]:
    """Return total heat, sensible heat and condensate of a coil that may be wet.

    Both a dry and a wet coil are calculated; the one with more heat applies, a coil partly
    wet lying little above the larger. The enthalpy of the condensate is neglected.

    air_c, humidity_ratio, water_c: entering air and entering water.
    pressure_pa: of the air.
    air_kg_s, water_w_k: dry air, and capacity rate of the water.
    outside_w_k, inside_w_k: hA of the air film and of the water film.
    """
    heat_j_kgk = moist_air_specific_heat.si(humidity_ratio)
    air_w_k = air_kg_s * heat_j_kgk
    dry_w = _exchanged(
        1.0 / (1.0 / outside_w_k + 1.0 / inside_w_k), air_w_k, water_w_k, air_c - water_c
    )
    dew_c = np.maximum(dew_point.si(humidity_ratio, pressure_pa), water_c + _MIN_SLOPE_K)
    entering, at_water = enthalpy.si(air_c, humidity_ratio), _saturated(water_c, pressure_pa)
    slope = (_saturated(dew_c, pressure_pa) - at_water) / (dew_c - water_c)
    conductance = 1.0 / (slope / inside_w_k + heat_j_kgk / outside_w_k)
    wet_w = _exchanged(conductance, air_kg_s, water_w_k / slope, entering - at_water)
    passed = np.exp(-outside_w_k / air_w_k)
    surface = _saturated_temperature(entering - wet_w / air_kg_s / (1.0 - passed), pressure_pa)
    leaving_c = surface + (air_c - surface) * passed
    out_ratio = (entering - wet_w / air_kg_s - 1006.0 * leaving_c) / (2.501e6 + 1860.0 * leaving_c)
    is_wet = (wet_w > dry_w) & (out_ratio < humidity_ratio)
    sensible_w = np.where(is_wet, air_w_k * (air_c - leaving_c), dry_w)[()]
    condensate = np.where(is_wet, air_kg_s * (humidity_ratio - out_ratio), 0.0)[()]
    return np.where(is_wet, wet_w, dry_w)[()], sensible_w, condensate


def _exchanged(
    conductance: Numeric, rate_1: Numeric, rate_2: Numeric, potential: Numeric
) -> Numeric:
    lower, upper = np.minimum(rate_1, rate_2), np.maximum(rate_1, rate_2)
    return crossflow_effectiveness.si(conductance / lower, lower / upper) * lower * potential


def _saturated(temperature_c: Numeric, pressure_pa: Numeric) -> Numeric:
    ratio = humidity_ratio_of_vapor.si(saturation_pressure.si(temperature_c), pressure_pa)
    return enthalpy.si(temperature_c, ratio)


def _saturated_temperature(enthalpy_j_kg: Numeric, pressure_pa: Numeric) -> Numeric:
    """Return the temperature of saturated air of an enthalpy, from -30 to 60 degC."""
    low = np.full(np.shape(enthalpy_j_kg), -30.0)
    high = np.full(np.shape(enthalpy_j_kg), 60.0)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        colder = _saturated(middle, pressure_pa) < enthalpy_j_kg
        low, high = np.where(colder, middle, low), np.where(colder, high, middle)
    return (0.5 * (low + high))[()]
