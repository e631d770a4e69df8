"""Heat exchangers, rated once and calculated at other conditions: coils, plates, evaporators.

A data sheet gives heat, flows and temperatures at one point; the rated effectiveness determines the
conductance; at other flows the film coefficient of each stream varies with its flow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.physics.elementwise import minimum, plain
from facility.physics.exchangers.effectiveness import (
    counterflow_effectiveness,
    counterflow_ntu,
    crossflow_effectiveness,
    heat_exchanged,
    ntu_for,
    scaled_conductance,
)

Arrangement = Literal["finned coil", "plate", "boiling"]
"""Crossflow air and water, counterflow coolant and water, air and evaporating refrigerant."""

AIR_EXPONENT = 0.8
"""Exponent of an air film coefficient with flow (Modelica Buildings, HADryCoil)."""
PLATE_FILM_RATIO = 1.0
"""Equal film coefficients at the rating (Modelica Buildings, PlateHeatExchanger)."""
_WATER_EXPONENT = 0.85
"""Exponent of a water film coefficient in a coil with flow (Modelica Buildings, HADryCoil)."""
_PLATE_EXPONENT = 0.8
"""Exponent of plate exchanger film coefficients (Modelica Buildings, PlateHeatExchanger)."""
_BOILING_FILM = 10.0
"""Film coefficient of evaporating refrigerant, assumed ten times the air film."""
_MAX_NTU = 100.0
"""NTU limit; without flow the NTU would be infinite."""

_FILMS: dict[Arrangement, tuple[Callable[..., Numeric], float, float]] = {
    "finned coil": (crossflow_effectiveness.si, AIR_EXPONENT, _WATER_EXPONENT),
    "plate": (counterflow_effectiveness.si, _PLATE_EXPONENT, _PLATE_EXPONENT),
    "boiling": (counterflow_effectiveness.si, AIR_EXPONENT, 1.0),
}
"""Effectiveness by NTU and capacity ratio, and film exponents of both streams."""


@dataclass(frozen=True)
class Exchanger:
    """Heat exchanger between two streams, as rated."""

    # Flow arrangement. The first stream is air (coolant in a plate exchanger).
    arrangement: Arrangement
    # Conductance and capacity rates of both streams at the rating; an evaporating refrigerant has
    # constant temperature, an infinite rate.
    conductance_w_k: float
    first_w_k: float
    second_w_k: float
    film_ratio: float  # hA of the first stream over that of the second there
    # Heat limit: compressor capacity of a direct-expansion coil.
    max_w: float = float("inf")
    # Film coefficients of the operating fluids over rated ones, at equal capacity rates.
    second_fluid: float = 1.0
    first_fluid: float = 1.0

    @property
    def boils(self) -> bool:
        """Whether the second stream has constant temperature."""
        return self.arrangement == "boiling"

    def conductance(self, first_w_k: Numeric, second_w_k: Numeric) -> Numeric:
        """Return its conductance at other capacity rates."""
        _, first, second = _FILMS[self.arrangement]
        flow_ratio = 1.0 if self.boils else second_w_k / self.second_w_k
        # A film x^n of another fluid equals the film at flow x f^(1/n).
        return scaled_conductance.si(
            self.conductance_w_k,
            self.film_ratio,
            first_w_k / self.first_w_k * self.first_fluid ** (1.0 / first),
            first,
            flow_ratio * self.second_fluid ** (1.0 / second),
            second,
        )

    def effectiveness(self, first_w_k: Numeric, second_w_k: Numeric) -> Numeric:
        """Return its effectiveness at other capacity rates."""
        if self.boils:
            second_w_k = self.second_w_k
        slower, faster = np.minimum(first_w_k, second_w_k), np.maximum(first_w_k, second_w_k)
        ntu = np.minimum(self.conductance(first_w_k, second_w_k) / slower, _MAX_NTU)
        return _FILMS[self.arrangement][0](ntu, slower / faster)

    def heat(self, first_w_k: float, second_w_k: float, hot_in_c: float, cold_in_c: float) -> float:
        """Return the heat exchanged at other capacity rates."""
        effectiveness = self.effectiveness(first_w_k, second_w_k)
        slower = first_w_k if self.boils else minimum(first_w_k, second_w_k)
        taken_w = plain(heat_exchanged.si(effectiveness, slower, hot_in_c, cold_in_c))
        return minimum(taken_w, self.max_w)

    def approach(self, heat_w: float, first_w_k: float, second_w_k: float) -> float:
        """Return first stream out minus second stream in for the heat `heat_w`.

        q = eps Cmin (T_1,in - T_2,in) and T_1,in = T_1,out + q / C_1.
        """
        effectiveness = plain(self.effectiveness(first_w_k, second_w_k))
        return heat_w / (effectiveness * minimum(first_w_k, second_w_k)) - heat_w / first_w_k

    def films(self, first_w_k: float, second_w_k: float) -> tuple[float, float]:
        """Return hA of both films at other capacity rates."""
        if self.boils:
            whole = float(self.conductance(first_w_k, second_w_k))
            return whole * (1.0 + 1.0 / _BOILING_FILM), whole * (1.0 + _BOILING_FILM)
        _, first, second = _FILMS[self.arrangement]
        outside = self.conductance_w_k * (1.0 + self.film_ratio)
        inside = outside / self.film_ratio
        return (
            outside * self.first_fluid * (first_w_k / self.first_w_k) ** first,
            inside * self.second_fluid * (second_w_k / self.second_w_k) ** second,
        )


@lru_cache(maxsize=256)
def rated(
    arrangement: Arrangement,
    heat_w: float,
    first_w_k: float,
    second_w_k: float,
    span_k: float,
    film_ratio: float,
    where: str,
    unreachable: tuple[str, str] | None = None,
) -> Exchanger:
    """Return the exchanger for `heat_w` at its rating.

    arrangement: Flow arrangement.
    heat_w: Heat at the rating.
    first_w_k, second_w_k: Capacity rates of the two streams there.
    span_k: Entering hot minus entering cold temperature.
    film_ratio: hA of the first stream over hA of the second.
    where: Path of the rating, for the message.
    unreachable: Message and remedy, in data-sheet terms, for a rating with effectiveness
        of one or more.

    Raises ``OUT_OF_RANGE`` for a rating that no exchanger can reach.
    """
    slower, faster = min(first_w_k, second_w_k), max(first_w_k, second_w_k)
    effectiveness = heat_w / (slower * span_k) if span_k > 0.0 else 1.0
    if unreachable is not None and effectiveness >= 1.0:
        raise FacilityError("OUT_OF_RANGE", where, *unreachable)
    if arrangement == "finned coil":
        ntu = ntu_for(_FILMS[arrangement][0], effectiveness, slower / faster, where)
    else:
        ntu = float(counterflow_ntu.si(effectiveness, slower / faster))
    return Exchanger(arrangement, ntu * slower, first_w_k, second_w_k, film_ratio)
