"""Finned coils between air and liquid, rated once and followed off their rating."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from facility.physics.exchangers.effectiveness import (
    crossflow_effectiveness,
    heat_exchanged,
    ntu_for,
    scaled_conductance,
)

AIR_EXPONENT = 0.8
"""Growth of an air film with its flow (Modelica Buildings, HADryCoil)."""
WATER_EXPONENT = 0.85
"""Growth of a water film with its flow (Modelica Buildings, HADryCoil)."""


@dataclass(frozen=True)
class Coil:
    """A crossflow coil: conductance and capacity rates at its rating point.

    `film_ratio` is the air-side hA over the water-side hA there.
    """

    conductance_w_k: float
    air_w_k: float
    water_w_k: float
    film_ratio: float

    def heat(self, air_w_k: float, water_w_k: float, hot_in_c: float, cold_in_c: float) -> float:
        """Return the heat it exchanges at other capacity rates."""
        least = min(air_w_k, water_w_k)
        return float(
            heat_exchanged.si(self.effectiveness(air_w_k, water_w_k), least, hot_in_c, cold_in_c)
        )

    def effectiveness(self, air_w_k: float, water_w_k: float) -> float:
        """Return its effectiveness at other capacity rates."""
        least, most = min(air_w_k, water_w_k), max(air_w_k, water_w_k)
        conductance_w_k = scaled_conductance.si(
            self.conductance_w_k,
            self.film_ratio,
            air_w_k / self.air_w_k,
            AIR_EXPONENT,
            water_w_k / self.water_w_k,
            WATER_EXPONENT,
        )
        return float(crossflow_effectiveness.si(conductance_w_k / least, least / most))


@lru_cache(maxsize=256)
def rated_coil(
    heat_w: float, air_w_k: float, water_w_k: float, span_k: float, film_ratio: float, where: str
) -> Coil:
    """Return the coil that exchanges `heat_w` at its rating.

    Parameters
    ----------
    heat_w : float
        Heat at the rating.
    air_w_k, water_w_k : float
        Capacity rates of the two streams there.
    span_k : float
        Entering hot minus entering cold temperature.
    film_ratio : float
        Air-side over water-side hA.
    where : str
        Path of the rating, for the message.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for a rating that no exchanger can reach.
    """
    least, most = min(air_w_k, water_w_k), max(air_w_k, water_w_k)
    effectiveness = heat_w / (least * span_k) if span_k > 0.0 else 1.0
    ntu = ntu_for(crossflow_effectiveness.si, effectiveness, least / most, where)
    return Coil(ntu * least, air_w_k, water_w_k, film_ratio)
