"""Heat exchangers, rated once and calculated off their rating: coils, plates, boiling refrigerant.

A data sheet gives heat, flows and temperatures at one point; the effectiveness there gives the
conductance; off the rating the film of each stream grows with its flow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from facility.core.errors import FacilityError
from facility.core.kinds import Numeric
from facility.physics.elementwise import least, plain
from facility.physics.exchangers.effectiveness import (
    counterflow_effectiveness,
    counterflow_ntu,
    crossflow_effectiveness,
    heat_exchanged,
    ntu_for,
    scaled_conductance,
)

Arrangement = Literal["finned coil", "plate", "boiling"]
"""Air and water across, coolant and water against each other, air and boiling refrigerant."""

AIR_EXPONENT = 0.8
"""Growth of an air film with its flow (Modelica Buildings, HADryCoil)."""
PLATE_FILM_RATIO = 1.0
"""Equal films at the rating (Modelica Buildings, PlateHeatExchanger)."""
_WATER_EXPONENT = 0.85
"""Growth of a water film in a coil with its flow (Modelica Buildings, HADryCoil)."""
_PLATE_EXPONENT = 0.8
"""Growth of both films of a plate exchanger (Modelica Buildings, PlateHeatExchanger)."""
_BOILING_FILM = 10.0
"""A boiling refrigerant passes heat so well that its film is taken as ten times that of the air."""
_MOST_NTU = 100.0
"""Effectiveness is constant above it; a stream that stops would make the NTU infinite."""

_FILMS: dict[Arrangement, tuple[Callable[..., Numeric], float, float]] = {
    "finned coil": (crossflow_effectiveness.si, AIR_EXPONENT, _WATER_EXPONENT),
    "plate": (counterflow_effectiveness.si, _PLATE_EXPONENT, _PLATE_EXPONENT),
    "boiling": (counterflow_effectiveness.si, AIR_EXPONENT, 1.0),
}
"""Effectiveness by NTU and capacity ratio, and how the films of both streams grow."""


@dataclass(frozen=True)
class Exchanger:
    """An exchanger between two streams, as rated."""

    # How the streams meet. The first is air (of a plate exchanger the coolant).
    arrangement: Arrangement
    # Conductance and capacity rates of both streams at the rating; a boiling refrigerant keeps its
    # temperature, which is an endless rate.
    conductance_w_k: float
    first_w_k: float
    second_w_k: float
    film_ratio: float  # hA of the first stream over that of the second there
    # More heat than this is not taken: the compressor of a direct coil.
    most_w: float = float("inf")
    # Films of the fluids at work over those of the rating, at equal capacity rates.
    second_fluid: float = 1.0
    first_fluid: float = 1.0

    @property
    def boils(self) -> bool:
        """Whether its second stream keeps its temperature."""
        return self.arrangement == "boiling"

    def conductance(self, first_w_k: Numeric, second_w_k: Numeric) -> Numeric:
        """Return its conductance at other capacity rates."""
        _, first, second = _FILMS[self.arrangement]
        flow_ratio = 1.0 if self.boils else second_w_k / self.second_w_k
        # A film x^n of another fluid is that of the flow x f^(1/n).
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
        ntu = np.minimum(self.conductance(first_w_k, second_w_k) / slower, _MOST_NTU)
        return _FILMS[self.arrangement][0](ntu, slower / faster)

    def heat(self, first_w_k: float, second_w_k: float, hot_in_c: float, cold_in_c: float) -> float:
        """Return the heat it exchanges at other capacity rates."""
        effectiveness = self.effectiveness(first_w_k, second_w_k)
        slower = first_w_k if self.boils else least(first_w_k, second_w_k)
        taken_w = plain(heat_exchanged.si(effectiveness, slower, hot_in_c, cold_in_c))
        return least(taken_w, self.most_w)

    def approach(self, heat_w: float, first_w_k: float, second_w_k: float) -> float:
        """Return first stream out minus second stream in when the first gives `heat_w`.

        q = eps Cmin (T_1,in - T_2,in) and T_1,in = T_1,out + q / C_1.
        """
        effectiveness = plain(self.effectiveness(first_w_k, second_w_k))
        return heat_w / (effectiveness * least(first_w_k, second_w_k)) - heat_w / first_w_k

    def films(self, first_w_k: float, second_w_k: float) -> tuple[float, float]:
        """Return hA of the first and of the second film at other capacity rates."""
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
    """Return the exchanger that passes `heat_w` at its rating.

    arrangement: How the streams meet.
    heat_w: Heat at the rating.
    first_w_k, second_w_k: Capacity rates of the two streams there.
    span_k: Entering hot minus entering cold temperature.
    film_ratio: hA of the first stream over that of the second.
    where: Path of the rating, for the message.
    unreachable: Message and remedy, in the words of the data sheet, of a rating that asks for all
        there is.

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
