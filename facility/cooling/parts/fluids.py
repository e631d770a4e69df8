"""Coolants of the cooling chain at a temperature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from facility.model.cooling.units import Fluid
from facility.physics.elementwise import plain
from facility.physics.liquids.coolant import (
    capacity_rate,
    film_coefficient_ratio,
    pressure_drop_ratio,
    refuse_freezing,
    tabulated,
)

_TABLES: dict[str, Callable[[Fluid], tuple[float, ...]]] = {
    "density_kg_m3": lambda fluid: fluid.densities_kg_m3,
    "conductivity_w_mk": lambda fluid: fluid.conductivities_w_mk,
    "specific_heat_j_kgk": lambda fluid: fluid.specific_heats_j_kgk,
    "viscosity_pa_s": lambda fluid: fluid.viscosities_pa_s,
}


@dataclass(frozen=True)
class Liquid:
    """A coolant at one temperature: density and specific heat."""

    density_kg_m3: float
    specific_heat_j_kgk: float

    @property
    def properties(self) -> dict[str, Any]:
        """Return the properties as arguments of the coolant equations."""
        return {
            "density_kg_m3": self.density_kg_m3,
            "specific_heat_j_kgk": self.specific_heat_j_kgk,
        }

    def rate_w_k(self, flow_m3_s: float) -> float:
        """Return the capacity rate of a flow."""
        return plain(capacity_rate.si(flow_m3_s, **self.properties))


def liquid_at(fluid: Fluid, temperature_c: float, where: str) -> Liquid:
    """Return `fluid` at a temperature.

    Raises ``COOLANT_FREEZES`` at or below the freezing point, ``OUT_OF_RANGE`` outside the property
    table.
    """
    location = f"{where} ({fluid.name})"
    refuse_freezing(temperature_c, fluid.freezing_c, fluid.name, where)
    table_c = fluid.temperatures_c
    return Liquid(
        float(tabulated(temperature_c, table_c, fluid.densities_kg_m3, location)),
        float(tabulated(temperature_c, table_c, fluid.specific_heats_j_kgk, location)),
    )


def within_table(fluid: Fluid, temperature_c: float) -> float:
    """Return a temperature limited to the property table of a fluid."""
    return min(max(temperature_c, fluid.temperatures_c[0]), fluid.temperatures_c[-1])


def _with_rated(
    fluid: Fluid, rated: Fluid, temperature_c: float, *columns: str
) -> dict[str, float]:
    """Return properties of a fluid and of the rated fluid, the latter with prefix `rated_`.

    The temperature is limited to both tables: rating water is never below freezing.
    """
    at_c = within_table(rated, within_table(fluid, temperature_c))
    return {
        f"{prefix}{name}": float(tabulated(at_c, one.temperatures_c, _TABLES[name](one)))
        for prefix, one in (("", fluid), ("rated_", rated))
        for name in columns
    }


def film_properties(fluid: Fluid, rated: Fluid, temperature_c: float) -> dict[str, float]:
    """Return a fluid and the rated fluid at a temperature, as arguments of the film ratio."""
    columns = "conductivity_w_mk", "specific_heat_j_kgk", "viscosity_pa_s"
    return _with_rated(fluid, rated, temperature_c, *columns)


def film_ratio(fluid: Fluid, rated: Fluid, temperature_c: float) -> float:
    """Return the film of a fluid over the rated fluid's film, at equal capacity rates."""
    if fluid.name == rated.name:
        return 1.0
    return float(film_coefficient_ratio.si(**film_properties(fluid, rated, temperature_c)))


REYNOLDS_OF_WATER, MIN_REYNOLDS = 1e4, 2300.0
"""Reynolds number in coil tubes with water at rating, and laminar limit of pipe flow."""


def reynolds_ratio(fluid: Fluid, rated: Fluid, temperature_c: float) -> float:
    """Return the Reynolds number of a fluid over the rated fluid's.

    At equal capacity rates, with mass flows inversely proportional to the specific heats.
    """
    known = _with_rated(fluid, rated, temperature_c, "specific_heat_j_kgk", "viscosity_pa_s")
    rated_product = known["rated_specific_heat_j_kgk"] * known["rated_viscosity_pa_s"]
    return rated_product / (known["specific_heat_j_kgk"] * known["viscosity_pa_s"])


def drop_ratio(fluid: Fluid, rated: Fluid, temperature_c: float) -> float:
    """Return the pressure drop of a fluid over the rated fluid's drop, at equal flow."""
    if fluid.name == rated.name:
        return 1.0
    known = _with_rated(fluid, rated, temperature_c, "density_kg_m3", "viscosity_pa_s")
    return float(pressure_drop_ratio.si(**known))


def liquid_rising(
    fluid: Fluid, supply_c: float, heat_w: float, flow_m3_s: float, where: str
) -> Liquid:
    """Return `fluid` at the mean temperature of a flow absorbing a heat.

    Raises ``OUT_OF_RANGE`` outside the property table.
    """
    rise_k = heat_w / liquid_at(fluid, supply_c, where).rate_w_k(flow_m3_s)
    return liquid_at(fluid, supply_c + 0.5 * rise_k, where)
