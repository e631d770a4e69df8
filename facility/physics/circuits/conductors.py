"""Conductors: ampacity after correction, short-circuit withstand, resistance, tap ratios."""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import KINDS
from facility.core.sources import DERIVED, Source

_AMBIENT = Source("nec-310-15-b1-1", "equation of 310.15(B)")
_WITHSTAND = Source("nec-240-92", "240.92(B), table of conductor short-circuit ratings")
_ADIABATIC = Source("iec-60364-4-43", "434.5.2")
_TAPS = Source("nec-240-21", "240.21(B) and (C)")
_CMIL_M2 = KINDS["cross_section"].units["cmil"][0]
_MM2 = KINDS["cross_section"].units["mm2"][0]
_CONSTANTS = "the constant of the metal carries A2 s per cmil2"
_K_UNIT = "k carries A s^0.5 per mm2"


@equation(
    "F_a",
    r"\sqrt{\frac{T_c - T_a}{T_c - T_b}}",
    "ratio",
    _AMBIENT,
    conductor_c="temperature",
    ambient_c="temperature",
    base_c="temperature",
)
def ambient_factor(conductor_c: Any, ambient_c: Any, base_c: Any) -> Any:
    """Return the factor on the ampacity for an ambient other than that of the table.

    The heat a conductor gives off goes with its excess temperature and its losses with the square
    of the current, hence the root of the ratio of the two temperature differences.

    Parameters
    ----------
    conductor_c : float or ndarray
        Temperature rating of the insulation [degC].
    ambient_c : float or ndarray
        Ambient, below `conductor_c` [degC].
    base_c : float
        Ambient of the table [degC]: 30 for Table 310.16.
    """
    return np.sqrt((conductor_c - ambient_c) / (conductor_c - base_c))


@equation(
    "I_z",
    r"n I_t F_a F_b",
    "current",
    Source("nec-310-15-c1", "310.15(B) and (C)"),
    table_a="current",
    sets="count",
    ambient="ratio",
    bundling="ratio",
)
def corrected_ampacity(table_a: Any, sets: Any, ambient: Any, bundling: Any) -> Any:
    """Return the ampacity of parallel conductors after ambient and bundling.

    Both factors apply together; without a correction they are 1.

    Parameters
    ----------
    table_a : float or ndarray
        Tabulated ampacity of one conductor [A].
    sets : int
        Conductors in parallel.
    ambient, bundling : float
        Factors for ambient temperature and for the number of conductors.
    """
    return sets * table_a * ambient * bundling


@equation(
    "I_{sc}",
    r"A \sqrt{\frac{c}{t} \log_{10}\frac{T_2 + T_0}{T_1 + T_0}}",
    "current",
    _WITHSTAND,
    empirical=_CONSTANTS,
    area_m2="cross_section",
    duration_s="time",
    initial_c="temperature",
    final_c="temperature",
    constant="ratio",
    inferred_zero_c="temperature",
)
def withstand_current(
    area_m2: Any, duration_s: Any, initial_c: Any, final_c: Any, constant: Any, inferred_zero_c: Any
) -> Any:
    """Return the short-circuit current one conductor withstands for a time, without cooling.

    All heat stays in the metal, whose resistance rises in line with the temperature; the integral
    of its heating gives a logarithm. Copper: 0.0297 and 234 degC, aluminum 0.0125 and 228 degC.

    Parameters
    ----------
    area_m2 : float or ndarray
        Metal area [m2].
    duration_s : float or ndarray
        Clearing time [s].
    initial_c, final_c : float or ndarray
        Temperature before the fault and the highest the insulation takes [degC].
    constant : float
        Constant of the metal [A2 s/cmil2].
    inferred_zero_c : float
        Temperature below 0 degC at which the resistance, drawn as a line, would be nil, as a
        positive number [degC].
    """
    heating = np.log10((final_c + inferred_zero_c) / (initial_c + inferred_zero_c))
    return area_m2 / _CMIL_M2 * np.sqrt(constant * heating / duration_s)


@equation(
    "t",
    r"c \left(\frac{A}{I}\right)^2 \log_{10}\frac{T_2 + T_0}{T_1 + T_0}",
    "time",
    _WITHSTAND,
    empirical=_CONSTANTS,
    area_m2="cross_section",
    current_a="current",
    initial_c="temperature",
    final_c="temperature",
    constant="ratio",
    inferred_zero_c="temperature",
)
def withstand_time(
    area_m2: Any, current_a: Any, initial_c: Any, final_c: Any, constant: Any, inferred_zero_c: Any
) -> Any:
    """Return how long one conductor withstands a short-circuit current.

    `withstand_current` solved for the time.

    Parameters
    ----------
    area_m2 : float or ndarray
        Metal area [m2].
    current_a : float or ndarray
        Short-circuit current of this conductor [A].
    initial_c, final_c : float or ndarray
        Temperature before the fault and the highest the insulation takes [degC].
    constant, inferred_zero_c : float
        As in `withstand_current`.
    """
    heating = np.log10((final_c + inferred_zero_c) / (initial_c + inferred_zero_c))
    return constant * heating * (area_m2 / _CMIL_M2 / current_a) ** 2


@equation(
    "I_{sc}",
    r"\frac{k S}{\sqrt{t}}",
    "current",
    _ADIABATIC,
    empirical=_K_UNIT,
    area_m2="cross_section",
    duration_s="time",
    k="ratio",
)
def adiabatic_current(area_m2: Any, duration_s: Any, k: Any) -> Any:
    """Return the short-circuit current one conductor withstands: I^2 t = k^2 S^2.

    Valid from 0.1 s to 5 s; below that the let-through energy of the device counts.

    Parameters
    ----------
    area_m2 : float or ndarray
        Metal area [m2].
    duration_s : float or ndarray
        Clearing time [s].
    k : float
        Factor of metal and insulation [A s^0.5/mm2].
    """
    return k * area_m2 / _MM2 / np.sqrt(duration_s)


@equation(
    "S",
    r"\frac{I \sqrt{t}}{k}",
    "cross_section",
    _ADIABATIC,
    empirical=_K_UNIT,
    current_a="current",
    duration_s="time",
    k="ratio",
)
def adiabatic_area(current_a: Any, duration_s: Any, k: Any) -> Any:
    """Return the least metal area for a short-circuit current: k^2 S^2 >= I^2 t.

    `adiabatic_current` solved for the area.

    Parameters
    ----------
    current_a : float or ndarray
        Short-circuit current of this conductor [A].
    duration_s : float or ndarray
        Clearing time [s].
    k : float
        Factor of metal and insulation [A s^0.5/mm2].
    """
    return current_a * np.sqrt(duration_s) / k * _MM2


@equation(
    "A_{EGC}",
    r"A_t \frac{A}{A_{min}}",
    "cross_section",
    Source("nec-250-122", "250.122(B)"),
    table_m2="cross_section",
    installed_m2="cross_section",
    least_m2="cross_section",
)
def upsized_egc(table_m2: Any, installed_m2: Any, least_m2: Any) -> Any:
    """Return the least area of an equipment grounding conductor of upsized line conductors.

    It grows in proportion to the area of the line conductors. The ratio is not rounded.

    Parameters
    ----------
    table_m2 : float or ndarray
        Area of the size that Table 250.122 asks for [m2].
    installed_m2 : float or ndarray
        Area of the line conductors installed, all sets [m2].
    least_m2 : float or ndarray
        Area of the line conductors with just sufficient ampacity, all sets [m2].
    """
    return table_m2 * installed_m2 / least_m2


@equation(
    "R_2",
    r"R_1 \left(1 + \alpha (T_2 - T_1)\right)",
    "resistance",
    Source("nec-chapter-9-table-8", "note 2"),
    empirical="the coefficient of resistance carries 1/K",
    resistance_ohm="resistance",
    per_kelvin="ratio",
    from_c="temperature",
    to_c="temperature",
)
def resistance_at(resistance_ohm: Any, per_kelvin: Any, from_c: Any, to_c: Any) -> Any:
    """Return the resistance of a conductor at another temperature.

    From 75 degC the coefficient is 0.00323 per kelvin for copper and 0.00330 for aluminum.

    Parameters
    ----------
    resistance_ohm : float or ndarray
        Resistance at `from_c` [ohm].
    per_kelvin : float
        Coefficient, referred to `from_c` [1/K].
    from_c, to_c : float or ndarray
        Temperatures [degC].
    """
    return resistance_ohm * (1.0 + per_kelvin * (to_c - from_c))


@equation(
    "I_{z}",
    r"r\,I_n \frac{V_1}{V_2}",
    "current",
    _TAPS,
    rating_a="current",
    ratio="fraction",
    primary_v="line_voltage",
    secondary_v="line_voltage",
)
def tap_ampacity(rating_a: Any, ratio: Any, primary_v: Any, secondary_v: Any) -> Any:
    """Return the least ampacity of a tap or transformer secondary conductor by its device ahead.

    A tenth of the rating of the device ahead under the 10 ft rules, a third under the 25 ft
    rules, for conductors behind a transformer referred to its secondary.

    Parameters
    ----------
    rating_a : float or ndarray
        Rating of the overcurrent device ahead [A].
    ratio : float
        Fraction the rule asks for.
    primary_v, secondary_v : float
        Line-to-line voltages; equal without a transformer [V].
    """
    return ratio * rating_a * primary_v / secondary_v


@equation(
    "u",
    r"\frac{\sum A_i}{A}",
    "fraction",
    DERIVED,
    conductors_m2="area",
    raceway_m2="area",
)
def conduit_fill(conductors_m2: Any, raceway_m2: Any) -> Any:
    """Return how far conductors fill a raceway.

    Chapter 9, Table 1 allows 53 % for one conductor, 31 % for two and 40 % for more.

    Parameters
    ----------
    conductors_m2 : float or ndarray
        Area of all conductors over their insulation [m2].
    raceway_m2 : float or ndarray
        Inner area of the raceway [m2].
    """
    return conductors_m2 / raceway_m2
