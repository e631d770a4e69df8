"""Open cooling towers from first principles: Merkel's enthalpy potential by effectiveness and NTU.

Merkel: heat and mass pass together, driven by the enthalpy of saturated air at the water less that
of the air; the water that evaporates is left out of the balance. With the slope c_s of saturation
enthalpy over the temperature of the water taken as constant in the tower, the air behaves as a
fluid of that specific heat, and the counterflow formula holds. A check on the correlations, and
good where they end. (Braun, effectiveness of towers, 1989; recalled.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.physics.air.psychrometrics import enthalpy, humidity_ratio
from facility.physics.exchangers.effectiveness import counterflow_effectiveness, counterflow_ntu

_FILL_EXPONENT = -0.6
"""Growth of the transfer units of usual fills with water over air flow (recalled)."""
_BISECTIONS = 26
_SATURATED = 1.0


def saturated_enthalpy(temperature_c: Numeric, pressure_pa: Numeric) -> Numeric:
    """Return the enthalpy of saturated air, J per kg of dry air."""
    return enthalpy.si(temperature_c, humidity_ratio.si(temperature_c, _SATURATED, pressure_pa))


def saturation_specific_heat(
    entering_c: Numeric, leaving_c: Numeric, pressure_pa: Numeric
) -> Numeric:
    """Return the mean slope of saturation enthalpy between the two water temperatures.

    With it the air of a tower behaves like a fluid that exchanges heat alone. It nearly triples
    from 10 to 35 degC, which is why a tower's approach grows in cold weather.
    """
    above = saturated_enthalpy(entering_c, pressure_pa)
    return (above - saturated_enthalpy(leaving_c, pressure_pa)) / np.subtract(entering_c, leaving_c)


def fill_transfer_units(
    fill_factor: Numeric, water_kg_s: Numeric, air_kg_s: Numeric, exponent: Numeric
) -> Numeric:
    """Return the transfer units of a fill, related to the air flow.

    Fills are measured as h_D A V / m_w = c (m_w / m_a)^n; over the air flow it is one power more.
    """
    return fill_factor * (water_kg_s / air_kg_s) ** (1.0 + exponent)


@dataclass(frozen=True)
class MerkelTower:
    """A tower: design flows [kg/s], specific heat of the water, and the factor of its fill."""

    water_kg_s: float
    air_kg_s: float
    water_j_kgk: float
    fill_factor: float

    @classmethod
    def rated(
        cls,
        wet_bulb_c: float,
        approach_k: float,
        range_k: float,
        water_over_air: float,
        heat_w: float,
        pressure_pa: float,
        water_j_kgk: float,
    ) -> MerkelTower:
        """Return the tower that makes its rated approach.

        Parameters
        ----------
        wet_bulb_c, approach_k, range_k : float
            Rating point: entering wet bulb, leaving water above it, and range.
        water_over_air : float
            Mass flow of water over that of dry air.
        heat_w : float
            Heat it rejects there.
        pressure_pa, water_j_kgk : float
            Pressure at the rating, and specific heat of the water.

        Raises
        ------
        FacilityError
            ``OUT_OF_RANGE`` where the air cannot take up the heat at any size.
        """
        water_kg_s = heat_w / (water_j_kgk * range_k)
        air_kg_s = water_kg_s / water_over_air
        leaving_c = wet_bulb_c + approach_k
        entering_c = leaving_c + range_k
        rise = heat_w / air_kg_s
        span = saturated_enthalpy(entering_c, pressure_pa) - saturated_enthalpy(
            wet_bulb_c, pressure_pa
        )
        slope = saturation_specific_heat(entering_c, leaving_c, pressure_pa)
        ratio = slope / (water_over_air * water_j_kgk)
        if not 0.0 < rise / span < min(1.0, 1.0 / ratio):
            raise FacilityError(
                "OUT_OF_RANGE",
                "tower",
                "the air cannot take up the heat of the rating point.",
                "Give more air, a larger approach or a smaller range.",
            )
        units = counterflow_ntu.si(rise / span, ratio)
        factor = float(units / water_over_air ** (1.0 + _FILL_EXPONENT))
        return cls(water_kg_s, air_kg_s, water_j_kgk, factor)

    def leaving(
        self,
        wet_bulb_c: Numeric,
        range_k: Numeric,
        air_ratio: Numeric,
        pressure_pa: Numeric,
        water_ratio: Numeric = 1.0,
    ) -> Numeric:
        """Return the water it makes.

        Parameters
        ----------
        wet_bulb_c, range_k : float or ndarray
            Entering wet bulb; range of the water, above zero.
        air_ratio, water_ratio : float or ndarray
            Flows over the design flows.
        pressure_pa : float or ndarray
            Pressure.
        """
        water_kg_s, air_kg_s = self.water_kg_s * water_ratio, self.air_kg_s * air_ratio
        units = fill_transfer_units(self.fill_factor, water_kg_s, air_kg_s, _FILL_EXPONENT)
        water_w_k = water_kg_s * self.water_j_kgk
        wanted_w = water_w_k * range_k
        entering = saturated_enthalpy(wet_bulb_c, pressure_pa)
        low = np.asarray(wet_bulb_c, dtype=float) + 0.0 * wanted_w
        high = low + 80.0
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            hot_c = middle + range_k
            hot = saturated_enthalpy(hot_c, pressure_pa)
            slope = (hot - saturated_enthalpy(middle, pressure_pa)) / range_k
            effectiveness = _on_air_side(units, air_kg_s * slope / water_w_k)
            enough = effectiveness * air_kg_s * (hot - entering) >= wanted_w
            high, low = np.where(enough, middle, high), np.where(enough, low, middle)
        return (0.5 * (low + high))[()]


def _on_air_side(units: Numeric, ratio: Numeric) -> Numeric:
    """Return the effectiveness on the air, whose rate is `ratio` times that of the water."""
    larger = np.maximum(ratio, 1.0)
    least = np.minimum(ratio, 1.0 / larger)
    return counterflow_effectiveness.si(units * larger, least) / larger
