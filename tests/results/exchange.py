"""Exchangers of heat once more: films in series, and effectiveness by closed forms and scipy."""

from __future__ import annotations

import math

from scipy.special import gammainc

from facility.cooling.parts.exchanger import Exchanger

GROWTH = {"finned coil": (0.8, 0.85), "plate": (0.8, 0.8), "boiling": (0.8, 0.0)}
"""Growth of both films with their flows: Modelica Buildings, HADryCoil and PlateHeatExchanger."""
BOILING = 10.0


def films(coil: Exchanger, first: float, second: float) -> tuple[float, float]:
    """Return hA of both films [W/K] at other capacity rates."""
    n, m = GROWTH[coil.arrangement]
    if coil.arrangement == "boiling":
        whole = coil.conductance_w_k * coil.first_fluid * (first / coil.first_w_k) ** n
        return whole * (1.0 + 1.0 / BOILING), whole * (1.0 + BOILING)
    # 1 / UA = 1 / h1 + 1 / h2 and h1 = r h2 at the rating.
    h2 = coil.conductance_w_k * (1.0 + 1.0 / coil.film_ratio)
    h1 = coil.film_ratio * h2
    return (
        h1 * coil.first_fluid * (first / coil.first_w_k) ** n,
        h2 * coil.second_fluid * (second / coil.second_w_k) ** m,
    )


def effectiveness(coil: Exchanger, first: float, second: float) -> float:
    """Return eps at the capacity rates: crossflow, both unmixed; counterflow; 1 - exp(-NTU)."""
    h1, h2 = films(coil, first, second)
    conductance = 1.0 / (1.0 / h1 + 1.0 / h2)
    if coil.arrangement == "boiling":
        return -math.expm1(-min(conductance / first, 100.0))
    low, high = sorted((first, second))
    ntu, c = min(conductance / low, 100.0), low / high
    if coil.arrangement == "finned coil":
        x, y = ntu, max(ntu * c, 1e-12)
        total = 0.0
        for m in range(int(ntu + 10.0 * math.sqrt(ntu) + 25.0)):
            total += float(gammainc(m + 1, x) * gammainc(m + 1, y))
        return total / y
    if abs(1.0 - c) < 1e-9:
        return ntu / (1.0 + ntu)
    left = math.exp(-ntu * (1.0 - c))
    return (1.0 - left) / (1.0 - c * left)


def conducted(coil: Exchanger, first: float, second: float) -> float:
    """Return eps Cmin [W/K]; of a boiling refrigerant no more than its compressor takes."""
    low = first if coil.arrangement == "boiling" else min(first, second)
    return min(effectiveness(coil, first, second) * low, coil.max_w)
