"""Coolants of the chain at a temperature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from facility.model.cooling.units import Fluid
from facility.physics.elementwise import plain
from facility.physics.liquids.coolant import capacity_rate, refuse_freezing, tabulated


@dataclass(frozen=True)
class Liquid:
    """A coolant at one temperature: density and specific heat."""

    density_kg_m3: float
    specific_heat_j_kgk: float

    @property
    def properties(self) -> dict[str, Any]:
        """Return them as arguments of the coolant equations."""
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
    place = f"{where} ({fluid.name})"
    refuse_freezing(temperature_c, fluid.freezing_c, fluid.name, where)
    table_c = fluid.temperatures_c
    return Liquid(
        float(tabulated(temperature_c, table_c, fluid.densities_kg_m3, place)),
        float(tabulated(temperature_c, table_c, fluid.specific_heats_j_kgk, place)),
    )


def liquid_rising(
    fluid: Fluid, supply_c: float, heat_w: float, flow_m3_s: float, where: str
) -> Liquid:
    """Return `fluid` at the mean temperature of a flow that takes up a heat.

    Raises ``OUT_OF_RANGE`` outside the property table.
    """
    rise_k = heat_w / liquid_at(fluid, supply_c, where).rate_w_k(flow_m3_s)
    return liquid_at(fluid, supply_c + 0.5 * rise_k, where)
