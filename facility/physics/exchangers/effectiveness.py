"""Heat exchangers by effectiveness and number of transfer units.

The effectiveness eps is the heat exchanged over the maximum possible between two streams,
q = eps Cmin (T_hot,in - T_cold,in); NTU = UA / Cmin; Cr = Cmin / Cmax. An exchanger is rated once,
at its data-sheet point: eps there gives NTU and UA, and UA follows the flows from then on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import HeatFlow, Numeric, Ratio, Temperature, ThermalConductance
from facility.core.sources import DERIVED, Source
from facility.physics.elementwise import anywhere

_TEXTBOOK = Source("effectiveness-ntu", "", "", "secondary")
_SERIES = Source("crossflow-series", "", "1954", "secondary")
_LBNL = Source(
    "modelica-buildings-heat-exchangers", "HADryCoil; PlateHeatExchangerEffectivenessNTU"
)
_MAX_NTU = 100.0
_BISECTIONS = 46


def _expm1_ratio(x: Numeric) -> Numeric:
    """Return (1 - exp(-x)) / x, which is 1 at x = 0."""
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, -np.expm1(-safe) / safe)[()]


@equation(r"\varepsilon", r"(1 - e^{-N(1 - C_r)}) / (1 - C_r e^{-N(1 - C_r)})", _TEXTBOOK)
def counterflow_effectiveness(ntu: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the effectiveness of counterflow; N / (1 + N) for balanced streams.

    Written with g = (1 - e^{-x}) / (1 - Cr), x = N (1 - Cr), as g / (g + e^{-x}), which is regular
    at Cr = 1.
    """
    x = ntu * (1.0 - capacity_ratio)
    g = ntu * _expm1_ratio(x)
    return g / (g + np.exp(-x))


@equation("N", r"\ln\frac{1 - \varepsilon C_r}{1 - \varepsilon} / (1 - C_r)", _TEXTBOOK)
def counterflow_ntu(effectiveness: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the NTU at which counterflow reaches an effectiveness.

    With a = eps / (1 - eps) and y = a (1 - Cr) the formula is a ln(1 + y) / y, regular at Cr = 1.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for an effectiveness outside 0 to below 1.
    """
    _refuse_unless_effectiveness(effectiveness)
    a = effectiveness / (1.0 - effectiveness)
    y = a * (1.0 - capacity_ratio)
    safe = np.where(y == 0.0, 1.0, y)
    return a * np.where(y == 0.0, 1.0, np.log1p(safe) / safe)[()]


@equation(r"\varepsilon", r"\frac{1}{N C_r}\sum_{m=0}^\infty P(m+1, N)\,P(m+1, N C_r)", _SERIES)
def crossflow_effectiveness(ntu: Ratio, capacity_ratio: Ratio) -> Ratio:
    """Return the effectiveness of crossflow with both fluids unmixed (exact series).

    P(m + 1, x) = 1 - e^{-x} (1 + x + ... + x^m / m!) is the regularized lower incomplete gamma
    function; its terms follow from one another. The sum ends where m is above N and a term adds
    nothing any more.
    """
    x = np.maximum(ntu, 1e-300)
    y = np.maximum(ntu * capacity_ratio, 1e-300)
    largest = float(np.max(x))
    term_x, term_y = np.exp(-x), np.exp(-y)
    rest_x, rest_y = -np.expm1(-x), -np.expm1(-y)
    if np.ndim(rest_y) == 0:  # Plain floats are twice as fast as NumPy's, with the same bits
        x, y, term_x, term_y, rest_x, rest_y = map(float, (x, y, term_x, term_y, rest_x, rest_y))
    total = rest_x * rest_y
    for m in range(1, int(largest + 10.0 * largest**0.5 + 20.0)):
        term_x, term_y = term_x * x / m, term_y * y / m
        rest_x, rest_y = rest_x - term_x, rest_y - term_y
        before, total = total, total + rest_x * rest_y
        if m > largest and not anywhere(total != before):
            break
    return total / y


def ntu_for(
    effectiveness_of: Callable[[Numeric, Numeric], Numeric],
    effectiveness: float,
    capacity_ratio: float,
    where: str = "effectiveness",
) -> float:
    """Return the NTU at which an arrangement reaches an effectiveness, by bisection.

    effectiveness_of: One of the effectiveness functions of this module (its ``.si``).
    effectiveness, capacity_ratio: What must be reached, and Cr.
    where: Path of the rating point, for the message.

    Raises ``OUT_OF_RANGE`` when no NTU up to 100 reaches it.
    """
    _refuse_unless_effectiveness(effectiveness, where)
    if float(effectiveness_of(_MAX_NTU, capacity_ratio)) < effectiveness:
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            f"an effectiveness of {effectiveness:.3f} cannot be reached at a capacity ratio of "
            f"{capacity_ratio:.3f}.",
            "Check the temperatures and flows of the rating point.",
        )
    low, high = 0.0, _MAX_NTU
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if float(effectiveness_of(middle, capacity_ratio)) < effectiveness:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _refuse_unless_effectiveness(effectiveness: Numeric, where: str = "effectiveness") -> None:
    if not np.all((np.asarray(effectiveness) >= 0.0) & (np.asarray(effectiveness) < 1.0)):
        raise FacilityError(
            "OUT_OF_RANGE",
            where,
            "an effectiveness must be at least 0 and below 1.",
            "Check the temperatures and flows of the rating point.",
        )


@equation("q", r"\varepsilon\,C_{min} (T_{h,in} - T_{c,in})", DERIVED)
def heat_exchanged(
    effectiveness: Ratio,
    least_capacity_w_k: ThermalConductance,
    hot_in_c: Temperature,
    cold_in_c: Temperature,
) -> HeatFlow:
    """Return the heat exchanged between a hot and a cold stream.

    The maximum possible heat is limited by the stream with the lower capacity rate.
    """
    return effectiveness * least_capacity_w_k * (hot_in_c - cold_in_c)


@equation("UA", r"UA_0 (1 + r) / (x_1^{-n_1} + r\,x_2^{-n_2})", _LBNL)
def scaled_conductance(
    rated_w_k: ThermalConductance,
    film_ratio: Ratio,
    flow_ratio_1: Ratio,
    exponent_1: Ratio,
    flow_ratio_2: Ratio,
    exponent_2: Ratio,
) -> ThermalConductance:
    """Return the conductance at flows that differ from the rating.

    Two films in series, 1/UA = 1/hA1 + 1/hA2, each growing with its flow as hA = hA0 x^n. With
    the ratio r = hA1/hA2 at the rating, 1/hA1 is 1/(1 + r) of the resistance 1/UA0 and 1/hA2
    the rest.
    """
    resistance = flow_ratio_1**-exponent_1 + film_ratio * flow_ratio_2**-exponent_2
    return rated_w_k * (1.0 + film_ratio) / resistance
