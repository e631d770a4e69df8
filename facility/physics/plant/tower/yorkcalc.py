"""Open cooling towers: the approach to the wet bulb varies with weather, range and air flow."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Numeric, Ratio, Temperature, TemperatureDifference
from facility.core.sources import DERIVED, Source
from facility.physics.elementwise import cached_calls
from facility.physics.roots import root_between

_YORK = Source("energyplus-towers", "YorkCalc, 27 terms")

# Coefficients of T^i R^j L^k as [k][j][i]: T wet bulb, R range, L water over air flow ratio.
YORKCALC = (
    (
        (-0.359741205, -0.055053608, 0.0023850432),
        (0.173926877, -0.0248473764, 0.00048430224),
        (-0.005589849456, 0.0005770079712, -1.342427256e-05),
    ),
    (
        (2.84765801111111, -0.121765149, 0.0014599242),
        (1.680428651, -0.0166920786, -0.0007190532),
        (-0.025485194448, 4.87491696e-05, 2.719234152e-05),
    ),
    (
        (-0.0653766255555556, -0.002278167, 0.0002500254),
        (-0.0910565458, 0.00318176316, 3.8621772e-05),
        (-0.0034285382352, 8.56589904e-06, -1.516821552e-06),
    ),
)

YORKCALC_BOX: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "wet bulb": (-34.4, 29.4444),
        "range": (1.1111, 22.2222),
        "water flow ratio": (0.75, 1.25),
        "water over air flow ratio": (0.0, 8.0),
        "approach": (1.1111, 40.0),
    }
)


def yorkcalc_outside(
    wet_bulb_c: float, range_k: float, water_ratio: float, air_ratio: float
) -> tuple[str, ...]:
    """Return the names of inputs outside the valid range of the YorkCalc correlation."""
    approach_k = _polynomial(wet_bulb_c, range_k, water_ratio, air_ratio)
    values = (wet_bulb_c, range_k, water_ratio, water_ratio / air_ratio, approach_k)
    return tuple(
        name
        for (name, (low, high)), value in zip(YORKCALC_BOX.items(), values, strict=True)
        if not low <= value <= high
    )


def yorkcalc_above(wet_bulb_c: float) -> float:
    """Return the wet-bulb excess over the valid range; the approach at the limit is used there.

    That is on the safe side: saturated air holds the more enthalpy for each kelvin the warmer it
    is, so that the approach of a tower falls further beyond the edge. The Merkel tower of the same
    rating makes 2.9 to 3.0 K at the edge, 2.5 to 2.7 K at 31 degC and 1.7 to 1.9 K at 35 degC.
    """
    return max(0.0, wet_bulb_c - YORKCALC_BOX["wet bulb"][1])


def _clipped(name: str, value: Numeric) -> Numeric:
    low, high = YORKCALC_BOX[name]
    if isinstance(value, float | int):
        return min(max(value, low), high)
    return value.clip(low, high)


@equation(
    r"\Delta T_a",
    r"\sum_{ijk} c_{ijk}\,T_{wb}^i R^j (w / a)^k",
    _YORK,
    empirical="polynomial fitted in degC and K",
)
def yorkcalc_approach(
    wet_bulb_c: Temperature, range_k: TemperatureDifference, water_ratio: Ratio, air_ratio: Ratio
) -> TemperatureDifference:
    """Return the approach of an open tower rated at 25.6 degC wet bulb, 3.9 K and a 5.6 K range.

    `water_ratio` and `air_ratio` are flows over their rated flows. Inputs and approach are clipped
    to the valid range of the correlation; `yorkcalc_outside` names clipped inputs. A tower with an
    approach of 3.8 K in summer has 7.8 K at 10 degC wet bulb: a constant approach overstates winter
    performance.
    """
    return _clipped("approach", _polynomial(wet_bulb_c, range_k, water_ratio, air_ratio))


def yorkcalc_terms(wet_bulb_c: Numeric, range_k: Numeric) -> tuple[Numeric, Numeric, Numeric]:
    """Return the correlation as c0 + c1 x + c2 x^2 in the ratio x of water over air flow.

    Wet bulb and range are clipped to their valid range. Calls for the air flow at one weather and
    range evaluates the 27 terms once.
    """
    t, r = _clipped("wet bulb", wet_bulb_c), _clipped("range", range_k)
    terms = []
    for plane in YORKCALC:
        rows = [c0 + t * (c1 + t * c2) for c0, c1, c2 in plane]
        terms.append(rows[0] + r * (rows[1] + r * rows[2]))
    return terms[0], terms[1], terms[2]


@cached_calls
def yorkcalc_air_ratio(
    wet_bulb_c: Numeric,
    range_k: Numeric,
    wanted_k: Numeric,
    least_ratio: float,
    water_ratio: float = 1.0,
) -> Numeric:
    """Return the air flow ratio of an approach, from `least_ratio` to 1, at a water flow ratio.

    The correlation is a quadratic in water over air flow; of its two roots the one at which the
    approach rises with less air counts. Where full air does not reach the approach the ratio is 1.
    An approach above the range is not clipped, as in EnergyPlus: in deep frost the fans slow
    down further and do not stop from one hour to the next.
    """
    c0, c1, c2 = yorkcalc_terms(wet_bulb_c, range_k)
    most_x = min(water_ratio / least_ratio, YORKCALC_BOX["water over air flow ratio"][1])
    above = wanted_k - c0
    root = np.sqrt(np.maximum(c1 * c1 + 4.0 * c2 * above, 0.0))
    inverse = (c1 + root) / np.where(above > 0.0, 2.0 * above, 1.0)
    ratio = np.clip(water_ratio * inverse, least_ratio, 1.0)
    slack = c0 + most_x * (c1 + most_x * c2) <= wanted_k
    ratio = np.where(slack, least_ratio, ratio)
    full_k = c0 + water_ratio * (c1 + water_ratio * c2)
    short = (full_k >= wanted_k) | (wanted_k <= YORKCALC_BOX["approach"][0])
    found = np.where(short, 1.0, ratio)
    return float(found) if found.ndim == 0 else found


def yorkcalc_rated_water(
    wet_bulb_c: float, range_k: float, approach_k: float
) -> tuple[float, float, float]:
    """Return the ratio of rated tower water flow to correlation water flow.

    The tower makes `approach_k` at full air with the water of its rating; the correlation at some
    flow ratio does, and a tower is taken to follow it from there (EnergyPlus Engineering
    Reference, variable-speed towers: calibration of the water flow). The other two values are the
    approaches at the ends of the range; outside it the ratio of the nearer end applies.
    """
    low, high = YORKCALC_BOX["water flow ratio"]

    def shortfall(ratio: float) -> float:
        return float(_polynomial(wet_bulb_c, range_k, ratio, 1.0)) - approach_k

    ends_k = shortfall(low) + approach_k, shortfall(high) + approach_k
    if approach_k <= ends_k[0]:
        return low, *ends_k
    if approach_k >= ends_k[1]:
        return high, *ends_k
    return root_between(shortfall, low, high), *ends_k


@cached_calls
def _polynomial(
    wet_bulb_c: Numeric, range_k: Numeric, water_ratio: Numeric, air_ratio: Numeric
) -> Numeric:
    c0, c1, c2 = yorkcalc_terms(wet_bulb_c, range_k)
    ratio = _clipped(
        "water over air flow ratio", _clipped("water flow ratio", water_ratio) / air_ratio
    )
    return c0 + ratio * c1 + ratio * ratio * c2


@equation("T_{cw}", r"T_{wb} + \Delta T_a", DERIVED)
def tower_leaving_temperature(
    wet_bulb_c: Temperature, approach_k: TemperatureDifference
) -> Temperature:
    """Return the leaving water temperature of a tower.

    The definition of the approach: leaving water minus entering wet bulb.
    """
    return wet_bulb_c + approach_k
