"""Liquid coolants: properties from a table, and the flow that carries heat."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    Density,
    HeatFlow,
    LiquidFlow,
    Numeric,
    Ratio,
    SpecificHeat,
    TemperatureDifference,
    ThermalConductance,
    ThermalConductivity,
    Viscosity,
)
from facility.core.sources import DERIVED, Source

_BLASIUS = Source("blasius-1913", "f = 0.316 Re^-0.25", "", "secondary")
_DITTUS_BOELTER = Source("dittus-boelter-1930", "Nu = 0.023 Re^0.8 Pr^0.4", "", "secondary")


def tabulated(
    temperature_c: Numeric, table_c: Sequence[float], table_values: Sequence[float], where: str = ""
) -> Numeric:
    """Return a property at a temperature, linear between the rows of a table.

    temperature_c: Temperature, inside the table.
    table_c, table_values: Rising temperatures, and the property at each.
    where: Name of the quantity, for the message.

    Raises ``OUT_OF_RANGE`` outside the table: properties are never extrapolated.
    """
    if isinstance(temperature_c, float) and table_c[0] <= temperature_c <= table_c[-1]:
        return _between(temperature_c, table_c, table_values)
    if np.any(np.less(temperature_c, table_c[0])) or np.any(np.greater(temperature_c, table_c[-1])):
        low, high = np.min(temperature_c), np.max(temperature_c)
        found = f"{low:.1f}" if low == high else f"{low:.1f} to {high:.1f}"
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"{found} degC is outside the property table, {table_c[0]:g} to {table_c[-1]:g} degC.",
            "Select temperatures within the table, a higher flow, or another fluid.",
        )
    return np.interp(temperature_c, table_c, table_values)


def _between(x: float, table: Sequence[float], values: Sequence[float]) -> float:
    """Return the result of ``np.interp``, bit for bit, without arrays of the whole table."""
    last = bisect_right(table, x) - 1
    if last == len(table) - 1:
        return values[last]
    slope = (values[last + 1] - values[last]) / (table[last + 1] - table[last])
    return slope * (x - table[last]) + values[last]


def refuse_freezing(temperature_c: float, freezing_c: float | None, fluid: str, where: str) -> None:
    """Reject a coolant that would freeze; accept one with unknown freezing point.

    Raises ``COOLANT_FREEZES`` at or below the freezing point, at `where`.
    """
    if freezing_c is not None and temperature_c <= freezing_c:
        raise FacilityError(
            "COOLANT_FREEZES",
            f"{where} ({fluid})",
            f"{temperature_c:.1f} degC is not above the freezing point, {freezing_c:.1f} degC.",
            "Raise the coolant temperature, or select a coolant with more glycol.",
        )


@equation("f", r"(k/k_0)^{0.6} \left(c_{p,0}\,\mu_0 / (c_p\,\mu)\right)^{0.4}", _DITTUS_BOELTER)
def film_coefficient_ratio(
    conductivity_w_mk: ThermalConductivity,
    specific_heat_j_kgk: SpecificHeat,
    viscosity_pa_s: Viscosity,
    rated_conductivity_w_mk: ThermalConductivity,
    rated_specific_heat_j_kgk: SpecificHeat,
    rated_viscosity_pa_s: Viscosity,
) -> Ratio:
    """Return the ratio of the film coefficients of two fluids at equal capacity rates.

    Of turbulent flow in the same passage: h ~ k^0.6 cp^0.4 mu^-0.4 (rho V)^0.8, where rho V is the
    capacity rate over cp.
    """
    by_conductivity = (conductivity_w_mk / rated_conductivity_w_mk) ** 0.6
    rated_product = rated_specific_heat_j_kgk * rated_viscosity_pa_s
    return by_conductivity * (rated_product / (specific_heat_j_kgk * viscosity_pa_s)) ** 0.4


@equation("f", r"(\rho/\rho_0)^{0.75} (\mu/\mu_0)^{0.25}", _BLASIUS)
def pressure_drop_ratio(
    density_kg_m3: Density,
    viscosity_pa_s: Viscosity,
    rated_density_kg_m3: Density,
    rated_viscosity_pa_s: Viscosity,
) -> Ratio:
    """Return the ratio of the pressure drops of two fluids at equal volume flows.

    Of turbulent flow in smooth passages: f ~ Re^-0.25, and a drop of f rho v^2 / 2.
    """
    by_density = (density_kg_m3 / rated_density_kg_m3) ** 0.75
    return by_density * (viscosity_pa_s / rated_viscosity_pa_s) ** 0.25


@equation("V", r"\dot q / (\rho\,c_p\,\Delta T)", DERIVED)
def coolant_flow_for_heat(
    heat_w: HeatFlow,
    rise_k: TemperatureDifference,
    density_kg_m3: Density,
    specific_heat_j_kgk: SpecificHeat,
) -> LiquidFlow:
    """Return the volume flow of coolant that carries a heat at a temperature rise.

    From q = rho V cp dT, with density and specific heat at the mean temperature.
    """
    return heat_w / (density_kg_m3 * specific_heat_j_kgk * rise_k)


@equation(
    r"\Delta T",
    r"\dot q / (\rho\,c_p\,V)",
    DERIVED,
    excel="{heat_w}/({flow_m3_s}/60000*{density_kg_m3}*{specific_heat_j_kgk})",
)
def coolant_temperature_rise(
    heat_w: HeatFlow,
    flow_m3_s: LiquidFlow,
    density_kg_m3: Density,
    specific_heat_j_kgk: SpecificHeat,
) -> TemperatureDifference:
    """Return the temperature rise of a coolant flow that absorbs a heat.

    From q = rho V cp dT, with density and specific heat at the mean temperature.
    """
    return heat_w / (density_kg_m3 * specific_heat_j_kgk * flow_m3_s)


@equation("C", r"\rho\,c_p\,V", DERIVED)
def capacity_rate(
    flow_m3_s: LiquidFlow, density_kg_m3: Density, specific_heat_j_kgk: SpecificHeat
) -> ThermalConductance:
    """Return the heat capacity rate of a coolant flow, in W/K.

    The heat it carries for each kelvin of rise: mass flow times specific heat.
    """
    return density_kg_m3 * specific_heat_j_kgk * flow_m3_s
