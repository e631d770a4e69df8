"""Moist air: the ideal-gas relations of the ASHRAE Handbook, on floats and arrays.

Temperatures are in degC, humidity ratios in kg of water vapour per kg of dry air. Most relations
are written in degC with coefficients that carry units, or add 273.15 to reach kelvin; they are
declared empirical for the dimension test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from facility.core.equation import equation
from facility.core.errors import FacilityError
from facility.core.kinds import (
    FloatArray,
    Fraction,
    HumidityRatio,
    Length,
    Numeric,
    Pressure,
    SpecificEnthalpy,
    SpecificVolume,
    Temperature,
)
from facility.core.sources import Source
from facility.physics.elementwise import crossing

_CHAPTER = "ashrae-fundamentals-2017"
_MIN_C = -100.0
_MAX_C = 200.0
_KELVIN = 273.15
_TRIPLE_POINT_C = 0.01
_RATIO_OF_MOLAR_MASSES = 0.621945
_BISECTIONS = 52
_NEWTON_STEPS = 8
_NEWTON_SETTLED_K = 1e-9
"""Largest step after which the next, by the square of it, is below the rounding of a wet bulb."""
_SECANT_STEPS = 6
_NEAR_FREEZING_C = 0.02


def _source(equations: str) -> Source:
    return Source(_CHAPTER, f"ch. 1, {equations}", "2017", "secondary")


def _in_range(temperature_c: Numeric, name: str) -> None:
    if np.any(np.less(temperature_c, _MIN_C)) or np.any(np.greater(temperature_c, _MAX_C)):
        raise FacilityError(
            "OUT_OF_RANGE",
            name,
            f"temperature outside {_MIN_C:g} to {_MAX_C:g} degC.",
            "The saturation formulas hold in this range only.",
        )


def _log_over_ice(t: Numeric) -> Numeric:
    cubic = -9.677843e-3 + t * (6.2215701e-7 + t * (2.0747825e-9 - t * 9.484024e-13))
    return -5.6745359e3 / t + 6.3925247 + t * cubic + 4.1635019 * np.log(t)


def _log_over_water(t: Numeric) -> Numeric:
    square = -4.8640239e-2 + t * (4.1764768e-5 - t * 1.4452093e-8)
    return -5.8002206e3 / t + 1.3914993 + t * square + 6.5459673 * np.log(t)


def _log_slope_over_ice(t: Numeric) -> Numeric:
    cubic = -9.677843e-3 + t * (
        2.0 * 6.2215701e-7 + t * (3.0 * 2.0747825e-9 - t * 4.0 * 9.484024e-13)
    )
    return 5.6745359e3 / t**2 + cubic + 4.1635019 / t


def _log_slope_over_water(t: Numeric) -> Numeric:
    square = -4.8640239e-2 + t * (2.0 * 4.1764768e-5 - t * 3.0 * 1.4452093e-8)
    return 5.8002206e3 / t**2 + square + 6.5459673 / t


def _log_saturation_pressure(temperature_c: Numeric) -> Numeric:
    if isinstance(temperature_c, float):
        frozen = temperature_c <= _TRIPLE_POINT_C
        return (_log_over_ice if frozen else _log_over_water)(temperature_c + _KELVIN)
    t = np.asarray(temperature_c) + _KELVIN
    over_ice = np.less_equal(temperature_c, _TRIPLE_POINT_C)
    return np.where(over_ice, _log_over_ice(t), _log_over_water(t))


def _saturation_pressure(temperature_c: Numeric) -> Numeric:
    return np.exp(_log_saturation_pressure(temperature_c))[()]


@equation(
    "p_{ws}",
    r"\exp(C_1/T + C_2 + C_3 T + C_4 T^2 + C_5 T^3 + C_6 T^4 + C_7 \ln T)",
    _source("eq. 5 and 6 (Hyland-Wexler)"),
    empirical="fitted polynomial in kelvin",
)
def saturation_pressure(temperature_c: Temperature) -> Pressure:
    """Return the pressure of water vapour saturated over water, or over ice below 0.01 degC.

    The handbook changes from the ice to the water set at 0 degC; the two meet at the triple
    point, so the change is made there and the function is continuous.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` outside -100 to 200 degC.
    """
    _in_range(temperature_c, "temperature")
    return _saturation_pressure(temperature_c)


@equation(
    "W",
    r"0.621945\,p_w / (p - p_w)",
    _source("eq. 20"),
    excel="0.621945*{vapor_pressure_pa}/({pressure_pa}-{vapor_pressure_pa})",
    excel_unit="kg/kg",
)
def humidity_ratio_of_vapor(vapor_pressure_pa: Pressure, pressure_pa: Pressure) -> HumidityRatio:
    """Return the humidity ratio of air from the partial pressure of its vapour.

    Dalton's law for ideal gases: W = (M_w / M_a) p_w / (p - p_w).
    """
    return _RATIO_OF_MOLAR_MASSES * vapor_pressure_pa / (pressure_pa - vapor_pressure_pa)


@equation(
    "W",
    r"0.621945\,\varphi p_{ws}(T) / (p - \varphi p_{ws}(T))",
    _source("eq. 12 and 20"),
    empirical="saturation pressure is fitted in degC",
)
def humidity_ratio(
    temperature_c: Temperature, relative_humidity: Fraction, pressure_pa: Pressure
) -> HumidityRatio:
    """Return the humidity ratio at a dry bulb and relative humidity.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for a temperature outside the range, or vapour at or above the pressure.
    """
    vapor_pa = relative_humidity * saturation_pressure.si(temperature_c)
    if np.any(np.greater_equal(vapor_pa, pressure_pa)):
        raise FacilityError(
            "OUT_OF_RANGE", "pressure", "the vapour pressure reaches the total pressure.", ""
        )
    return humidity_ratio_of_vapor.si(vapor_pa, pressure_pa)


@equation(
    r"\varphi",
    r"p\,W / ((0.621945 + W)\,p_{ws}(T))",
    _source("eq. 12 and 20 inverted"),
    empirical="saturation pressure is fitted in degC",
)
def relative_humidity(
    temperature_c: Temperature, humidity_ratio: HumidityRatio, pressure_pa: Pressure
) -> Fraction:
    """Return the relative humidity at a dry bulb and humidity ratio.

    The partial pressure of the vapour, p W / (0.621945 + W), over that of saturation.
    """
    vapor_pa = pressure_pa * humidity_ratio / (_RATIO_OF_MOLAR_MASSES + humidity_ratio)
    return vapor_pa / saturation_pressure.si(temperature_c)


@equation(
    "h",
    r"1006\,T + W (2\,501\,000 + 1860\,T)",
    _source("eq. 30"),
    empirical="enthalpy counted from 0 degC with coefficients in J/kg and J/(kg K)",
    excel="1.006*{temperature_c}+{humidity_ratio:kg/kg}*(2501+1.86*{temperature_c})",
)
def enthalpy(temperature_c: Temperature, humidity_ratio: HumidityRatio) -> SpecificEnthalpy:
    """Return the enthalpy of moist air per kg of dry air.

    Zero for dry air at 0 degC: dry air, water evaporated at 0 degC, and vapour heated up.
    """
    return 1006.0 * temperature_c + humidity_ratio * (2.501e6 + 1860.0 * temperature_c)


@equation(
    "v",
    r"287.042\,(T + 273.15)(1 + 1.607858\,W) / p",
    _source("eq. 26"),
    empirical="adds 273.15 to reach kelvin; gas constant in J/(kg K)",
    excel="287.042*({temperature_c}+273.15)*(1+1.607858*{humidity_ratio:kg/kg})/({pressure_pa}"
    "*1000)",
)
def specific_volume(
    temperature_c: Temperature, humidity_ratio: HumidityRatio, pressure_pa: Pressure
) -> SpecificVolume:
    """Return the volume of moist air per kg of dry air.

    v = R_da T (1 + W M_a / M_w) / p: both gases fill the same room at their partial pressures.
    """
    return 287.042 * (temperature_c + 273.15) * (1.0 + 1.607858 * humidity_ratio) / pressure_pa


@equation(
    "p",
    r"101\,325\,(1 - 2.25577 \times 10^{-5} z)^{5.2559}",
    _source("eq. 3"),
    empirical="standard atmosphere with the elevation in metres",
)
def standard_pressure(elevation_m: Length) -> Pressure:
    """Return the pressure of the standard atmosphere at an elevation.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` outside -5000 to 11000 m, the range of the formula.
    """
    if np.any(np.less(elevation_m, -5000.0)) or np.any(np.greater(elevation_m, 11000.0)):
        raise FacilityError(
            "OUT_OF_RANGE", "elevation", "outside -5000 to 11000 m.", "Check the elevation."
        )
    return 101325.0 * (1.0 - 2.25577e-5 * elevation_m) ** 5.2559


@equation(
    "W",
    r"((2501 - 2.326\,t^*) W_s^* - 1.006 (t - t^*)) / (2501 + 1.86\,t - 4.186\,t^*)",
    _source("eq. 33 and 35"),
    empirical="energy balance of the psychrometer with coefficients in kJ/kg and degC",
)
def humidity_ratio_at_wet_bulb(
    temperature_c: Temperature, wet_bulb_c: Temperature, pressure_pa: Pressure
) -> HumidityRatio:
    """Return the humidity ratio at a dry bulb and a wet bulb.

    Below a wet bulb of 0 degC the wick is ice, with other coefficients; the two forms differ
    there, so that the wet bulb is double-valued in a band of about half a kelvin.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` when the wet bulb is above the dry bulb.
    """
    if np.any(np.greater(wet_bulb_c, temperature_c)):
        raise FacilityError(
            "OUT_OF_RANGE", "wet_bulb", "the wet bulb is above the dry bulb.", "Check the weather."
        )
    _in_range(wet_bulb_c, "wet_bulb")
    return _psychrometer(temperature_c, wet_bulb_c, pressure_pa)


def _psychrometer(t: Numeric, wet: Numeric, pressure_pa: Numeric) -> Numeric:
    if isinstance(wet, float):
        return (_wet_wick if wet >= 0.0 else _frozen_wick)(t, wet, pressure_pa)
    water, ice = _wet_wick(t, wet, pressure_pa), _frozen_wick(t, wet, pressure_pa)
    return np.where(np.greater_equal(wet, 0.0), water, ice)[()]


def _wet_wick(t: Numeric, wet: Numeric, pressure_pa: Numeric) -> Numeric:
    saturated = humidity_ratio_of_vapor.si(_saturation_pressure(wet), pressure_pa)
    heat = (2501.0 - 2.326 * wet) * saturated - 1.006 * (t - wet)
    return heat / (2501.0 + 1.86 * t - 4.186 * wet)


def _frozen_wick(t: Numeric, wet: Numeric, pressure_pa: Numeric) -> Numeric:
    saturated = humidity_ratio_of_vapor.si(_saturation_pressure(wet), pressure_pa)
    heat = (2830.0 - 0.24 * wet) * saturated - 1.006 * (t - wet)
    return heat / (2830.0 + 1.86 * t - 2.1 * wet)


def _zero(excess: Callable[[Numeric], Numeric], low: Numeric, high: Numeric) -> Numeric:
    """Return where the increasing function `excess` changes sign, element by element.

    An end of the bracket where it does not. Single numbers take a faster method.
    """
    if isinstance(low, float):
        return crossing(excess, low, float(high))  # type: ignore[arg-type]  # one for one
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        above = excess(middle) > 0.0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return 0.5 * (low + high)


@equation(
    "t_d",
    r"p_{ws}^{-1}\left(p\,W / (0.621945 + W)\right)",
    _source("eq. 5, 6 and 36 inverted numerically"),
    empirical="inverse of the saturation pressure",
)
def dew_point(humidity_ratio: HumidityRatio, pressure_pa: Pressure) -> Temperature:
    """Return the temperature at which air of a humidity ratio is saturated.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` when the dew point is below -100 degC.
    """
    vapor_pa = pressure_pa * humidity_ratio / (_RATIO_OF_MOLAR_MASSES + humidity_ratio)
    if np.any(np.less(vapor_pa, _saturation_pressure(_MIN_C))):
        raise FacilityError(
            "OUT_OF_RANGE", "humidity_ratio", "the dew point is below -100 degC.", "Check the air."
        )
    log_vapor = np.log(vapor_pa)
    low, high = log_vapor * 0.0 + _MIN_C, log_vapor * 0.0 + _MAX_C
    return _zero(lambda t: _log_saturation_pressure(t) - log_vapor, low, high)


@equation(
    "t^*",
    r"t^*: W(t, t^*, p) = W",
    _source("eq. 33 and 35 inverted numerically"),
    empirical="inverse of the psychrometer balance",
)
def wet_bulb(
    temperature_c: Temperature, humidity_ratio: HumidityRatio, pressure_pa: Pressure
) -> Temperature:
    """Return the thermodynamic wet bulb at a dry bulb, humidity ratio and pressure.

    The wick is taken as frozen wherever that gives a wet bulb under 0 degC: in the narrow band
    where a wet wick has a solution too, up to 0.7 K above, ice is the stable one, as CoolProp
    (``HAPropsSI``) takes it.

    Raises
    ------
    FacilityError
        ``OUT_OF_RANGE`` for supersaturated air or a temperature outside the range.
    """
    _in_range(temperature_c, "temperature")
    t, w, p = (
        array if array.ndim else float(array)
        for array in np.broadcast_arrays(
            np.asarray(temperature_c, dtype=float), humidity_ratio, pressure_pa
        )
    )
    limit = humidity_ratio_of_vapor.si(np.minimum(_saturation_pressure(t), 0.999999 * p), p)
    if np.any(w > limit * (1.0 + 1e-6)):
        raise FacilityError(
            "OUT_OF_RANGE", "humidity_ratio", "the air is supersaturated.", "Check the humidity."
        )
    thawed = np.asarray((t >= 0.0) & (_frozen_wick(t, 0.0, p) <= w))
    if not isinstance(t, float):
        found = np.empty_like(t)
        for of_wick, chosen in ((_WATER, thawed), (_ICE, ~thawed)):
            t_c, ratio, pa = (np.asarray(one)[chosen] for one in (t, w, p))
            found[chosen] = _wet_bulbs(t_c, ratio, pa, of_wick)
        return found
    low, high = (0.0, t) if thawed else (_MIN_C, min(t, 0.0))
    wick = _wet_wick if thawed else _frozen_wick
    return _zero(lambda wet: wick(t, wet, p) - w, low, high)


class _Wick(NamedTuple):
    latent: float  # Enthalpy of the vapor over that of the wick at 0 degC [kJ/kg]
    latent_slope: float  # What of it is lost per degree of wet bulb [kJ/(kg K)]
    specific_heat: float  # Of the wick [kJ/(kg K)]
    log_vapor: Callable[[Numeric], Numeric]  # Logarithm of the saturation pressure, by K
    log_slope: Callable[[Numeric], Numeric]  # Its derivative [1/K]


_WATER = _Wick(2501.0, 2.326, 4.186, _log_over_water, _log_slope_over_water)
_ICE = _Wick(2830.0, 0.24, 2.1, _log_over_ice, _log_slope_over_ice)


def _wet_bulbs(t: FloatArray, w: FloatArray, p: FloatArray, wick: _Wick) -> FloatArray:
    """Return the wet bulbs of arrays by Newton's method on the balance times its denominator.

    It rises with the wet bulb, ever steeper as the saturation pressure does, so that from the dry
    bulb down each step stays above the zero.
    """
    a, b, c = wick.latent, wick.latent_slope, wick.specific_heat
    high = t if wick is _WATER else np.minimum(t, 0.0)
    constant, wet = 1.006 * t + w * (a + 1.86 * t), high
    for _ in range(_NEWTON_STEPS):
        vapor_pa = np.exp(wick.log_vapor(wet + _KELVIN))
        slope = wick.log_slope(wet + _KELVIN)
        rest_pa = p - vapor_pa
        saturated = _RATIO_OF_MOLAR_MASSES * vapor_pa / rest_pa
        heat = a - b * wet
        excess = heat * saturated + (1.006 + c * w) * wet - constant
        rise = heat * saturated * slope * p / rest_pa - b * saturated + 1.006 + c * w
        before, wet = wet, np.minimum(wet - excess / rise, high)
        if np.abs(wet - before).max(initial=0.0) < _NEWTON_SETTLED_K:
            break
    if wick is _WATER:
        near = wet < _NEAR_FREEZING_C  # there the saturation is that over ice
        wet[near] = _wet_bulbs_near_freezing(t[near], w[near], p[near], wet[near])
    return wet


def _wet_bulbs_near_freezing(
    t: FloatArray, w: FloatArray, p: FloatArray, first: FloatArray
) -> FloatArray:
    """Return the wet bulbs of thawed wicks near 0 degC by secants, from 0 degC and a first one."""
    before, wet, slope = np.zeros_like(t), np.clip(first, 0.0, t), np.ones_like(t)
    last = _psychrometer(t, before, p) - w
    for _ in range(_SECANT_STEPS):
        excess = _psychrometer(t, wet, p) - w
        slope = np.divide(excess - last, wet - before, out=slope, where=excess != last)
        before, last, wet = wet, excess, np.clip(wet - excess / slope, 0.0, t)
    return wet
