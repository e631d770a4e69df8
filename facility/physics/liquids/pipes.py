"""Flow in pipes: velocity, friction, pressure drop of straight pipe and fittings."""

from __future__ import annotations

import math

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    Density,
    Length,
    LiquidFlow,
    Numeric,
    Pressure,
    Ratio,
    Velocity,
    Viscosity,
)
from facility.core.sources import DERIVED, Source

_CRANE = Source("crane-tp410", "velocity head, loss coefficients K, Darcy formula", "", "memory")
_COLEBROOK = Source("colebrook-1939", "equation of the friction of rough pipes", "", "memory")

LAMINAR_RE = 2000.0
TURBULENT_RE = 4000.0
"""Between the two the flow is neither; friction is interpolated."""

_STEPS = 8


@equation("v", r"V / (\pi d^2 / 4)", DERIVED)
def pipe_velocity(flow_m3_s: LiquidFlow, diameter_m: Length) -> Velocity:
    """Return the mean velocity in a round pipe.

    The flow over the area of the bore.
    """
    return flow_m3_s / (math.pi / 4.0 * diameter_m**2)


@equation(
    "Re",
    r"\rho\,v\,d / \mu",
    DERIVED,
    excel="{density_kg_m3}*{velocity_m_s}*{diameter_m:mm}/{viscosity_pa_s}",
)
def reynolds_number(
    density_kg_m3: Density, velocity_m_s: Velocity, diameter_m: Length, viscosity_pa_s: Viscosity
) -> Ratio:
    """Return the Reynolds number of a pipe.

    Inertia over viscosity; below 2,000 the flow is laminar, above 4,000 turbulent.
    """
    return density_kg_m3 * velocity_m_s * diameter_m / viscosity_pa_s


@equation(
    "f", r"1/\sqrt f = -2 \log_{10}\left(\epsilon/(3.7 d) + 2.51/(Re \sqrt f)\right)", _COLEBROOK
)
def darcy_friction(reynolds: Ratio, roughness: Ratio) -> Ratio:
    """Return the Darcy friction factor of a pipe; `roughness` is over the diameter.

    Turbulent: Colebrook's equation for x = 1/sqrt(f), solved by Newton's method from Haaland's
    explicit approximation (within 1.3 % already). Laminar: 64/Re (Hagen-Poiseuille). Between
    Re 2,000 and 4,000 linear between the two, where neither holds.
    """
    re = np.maximum(np.asarray(reynolds, dtype=float), 1e-9)
    rough = np.asarray(roughness, dtype=float)
    laminar = 64.0 / np.minimum(re, LAMINAR_RE)
    turbulent = _colebrook(np.maximum(re, TURBULENT_RE), rough)
    part = (re - LAMINAR_RE) / (TURBULENT_RE - LAMINAR_RE)
    part = np.minimum(np.maximum(part, 0.0), 1.0)
    friction = laminar * (1.0 - part) + turbulent * part
    return friction if np.ndim(reynolds) or np.ndim(roughness) else float(friction)


def _colebrook(re: Numeric, rough: Numeric) -> Numeric:
    first, second = rough / 3.7, 2.51 / re
    x = -1.8 * np.log10(6.9 / re + first**1.11)
    for _ in range(_STEPS):
        inner = first + second * x
        slope = 1.0 + 2.0 / math.log(10.0) * second / inner
        x = x - (x + 2.0 * np.log10(inner)) / slope
    return 1.0 / x**2


@equation(
    r"\Delta p_f",
    r"f (L/d)\,\rho v^2 / 2",
    _CRANE,
    excel="{friction}*{length_m}/({diameter_m:mm}/1000)*{density_kg_m3}*{velocity_m_s}^2/2/1000",
)
def pipe_pressure_drop(
    friction: Ratio,
    length_m: Length,
    diameter_m: Length,
    density_kg_m3: Density,
    velocity_m_s: Velocity,
) -> Pressure:
    """Return the friction pressure drop of a straight pipe.

    Darcy and Weisbach: f velocity heads for each diameter of length.
    """
    return friction * length_m / diameter_m * density_kg_m3 * velocity_m_s**2 / 2.0


@equation(
    r"\Delta p_K",
    r"\Sigma K\,\rho v^2 / 2",
    _CRANE,
    excel="{coefficients}*{density_kg_m3}*{velocity_m_s}^2/2/1000",
)
def fittings_pressure_drop(
    coefficients: Ratio, density_kg_m3: Density, velocity_m_s: Velocity
) -> Pressure:
    """Return the pressure drop of fittings; `coefficients` is the sum of their K.

    K velocity heads each.
    """
    return coefficients * density_kg_m3 * velocity_m_s**2 / 2.0


@equation(r"\Delta p", r"\Delta p_0 (V / V_0)^n", DERIVED)
def scaled_pressure_drop(rated_drop_pa: Pressure, flow_ratio: Ratio, exponent: Ratio) -> Pressure:
    """Return the pressure drop of a component at a flow that differs from its rating.

    A power law through the rated point; 2 for fully turbulent flow, 1.75 for smooth channels.
    """
    return rated_drop_pa * flow_ratio**exponent
