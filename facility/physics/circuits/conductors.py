"""Conductors: ampacity after correction, short-circuit withstand, resistance, tap ratios."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    KINDS,
    Area,
    Count,
    CrossSection,
    Current,
    Fraction,
    JouleIntegral,
    LineVoltage,
    Ratio,
    Resistance,
    Temperature,
    Time,
)
from facility.core.sources import DERIVED, Source

_AMBIENT = Source("nec-310-15-b1-1", "equation of 310.15(B)")
_WITHSTAND = Source("nec-240-92", "240.92(B), table of conductor short-circuit ratings")
_OFFSET = Source("derivation", "Joule integral of a fully offset current")
_ADIABATIC = Source("iec-60364-4-43", "434.5.2")
_TAPS = Source("nec-240-21", "240.21(B) and (C)")
_GENERATOR = Source("nec-445", "445.13(A)")
_CMIL_M2 = KINDS["cross_section"].units["cmil"][0]
_MM2 = KINDS["cross_section"].units["mm2"][0]
_CONSTANTS = "the constant of the metal carries A2 s per cmil2"
_K_UNIT = "k carries A s^0.5 per mm2"


@equation("F_a", r"\sqrt{\frac{T_c - T_a}{T_c - T_b}}", _AMBIENT)
def ambient_factor(conductor_c: Temperature, ambient_c: Temperature, base_c: Temperature) -> Ratio:
    """Return the ampacity correction factor for the ambient temperature.

    The heat a conductor gives off goes with its excess temperature and its losses with the square
    of the current, hence the root of the ratio of the two temperature differences.

    conductor_c: temperature rating of the insulation.
    ambient_c: below `conductor_c`.
    base_c: ambient of the table: 30 for Table 310.16.
    """
    return np.sqrt((conductor_c - ambient_c) / (conductor_c - base_c))


@equation(
    "I_z",
    r"n I_t F_a F_b",
    Source("nec-310-15-c1", "310.15(B) and (C)"),
    excel="{table_a}*{sets}*{ambient}*{bundling}",
)
def corrected_ampacity(table_a: Current, sets: Count, ambient: Ratio, bundling: Ratio) -> Current:
    """Return the ampacity of parallel conductors after ambient and bundling.

    Both factors apply together; without a correction they are 1.

    table_a: tabulated ampacity of one conductor.
    sets: conductors in parallel.
    ambient, bundling: factors for ambient temperature and for the number of conductors.
    """
    return sets * table_a * ambient * bundling


@equation(
    "I_{sc}",
    r"A \sqrt{\frac{c}{t} \log_{10}\frac{T_2 + T_0}{T_1 + T_0}}",
    _WITHSTAND,
    empirical=_CONSTANTS,
)
def withstand_current(
    area_m2: CrossSection,
    duration_s: Time,
    initial_c: Temperature,
    final_c: Temperature,
    constant: Ratio,
    inferred_zero_c: Temperature,
) -> Current:
    """Return the short-circuit current one conductor withstands for a time, without cooling.

    All heat stays in the metal, whose resistance rises in line with the temperature; the integral
    of its heating gives a logarithm. Copper: 0.0297 and 234 degC, aluminum 0.0125 and 228 degC.

    area_m2: metal area.
    duration_s: clearing time.
    initial_c, final_c: temperature before the fault and the highest the insulation takes.
    constant: of the metal [A2 s/cmil2].
    inferred_zero_c: temperature below 0 degC at which the resistance, drawn as a line, would be
        nil, as a positive number.
    """
    heating = np.log10((final_c + inferred_zero_c) / (initial_c + inferred_zero_c))
    return area_m2 / _CMIL_M2 * np.sqrt(constant * heating / duration_s)


@equation("I_{sc}", r"\frac{k S}{\sqrt{t}}", _ADIABATIC, empirical=_K_UNIT)
def adiabatic_current(area_m2: CrossSection, duration_s: Time, k: Ratio) -> Current:
    """Return the short-circuit current one conductor withstands: I^2 t = k^2 S^2.

    Valid from 0.1 s to 5 s; below that the let-through energy of the device counts.

    area_m2: metal area.
    duration_s: clearing time.
    k: factor of metal and insulation [A s^0.5/mm2].
    """
    return k * area_m2 / _MM2 / np.sqrt(duration_s)


@equation("t_{eq}", r"\frac{I^2 t}{I^2}", _ADIABATIC)
def let_through_duration(energy_a2s: JouleIntegral, fault_a: Current) -> Time:
    """Return the duration of a prospective current with the let-through energy of a device.

    The device lets through less than the prospective current; over this time that current has the
    same Joule integral.

    energy_a2s: let-through energy of the device.
    fault_a: prospective current.
    """
    return energy_a2s / fault_a**2


@equation(r"t_{eq}", r"t + \tau \left(1 - e^{-2 t / \tau}\right)", _OFFSET)
def offset_duration(clearing_s: Time, time_constant_s: Time) -> Time:
    """Return the duration of the symmetrical current equivalent to a fully offset one.

    The square of a direct current that starts at the crest of the symmetrical one and decays is
    added; the factor m of IEC 60909-0 is this sum over the clearing time, less one.

    clearing_s: clearing time.
    time_constant_s: X/R over the angular frequency; above 0.
    """
    return clearing_s - time_constant_s * np.expm1(-2.0 * clearing_s / time_constant_s)


@equation("A_{EGC}", r"A_t \frac{A}{A_{min}}", Source("nec-250-122", "250.122(B)"))
def upsized_egc(
    table_m2: CrossSection, installed_m2: CrossSection, least_m2: CrossSection
) -> CrossSection:
    """Return the minimum area of an equipment grounding conductor of upsized line conductors.

    It grows in proportion to the area of the line conductors. The ratio is not rounded.

    table_m2: area of the size required by Table 250.122.
    installed_m2: area of the line conductors installed, all sets.
    least_m2: area of the line conductors with just sufficient ampacity, all sets.
    """
    return table_m2 * installed_m2 / least_m2


@equation(
    "R_2",
    r"R_1 \left(1 + \alpha (T_2 - T_1)\right)",
    Source("nec-chapter-9-table-8", "note 2"),
    empirical="the coefficient of resistance carries 1/K",
)
def resistance_at(
    resistance_ohm: Resistance, per_kelvin: Ratio, from_c: Temperature, to_c: Temperature
) -> Resistance:
    """Return the resistance of a conductor at another temperature.

    From 75 degC the coefficient is 0.00323 per kelvin for copper and 0.00330 for aluminum.

    resistance_ohm: at `from_c`.
    per_kelvin: coefficient, referred to `from_c` [1/K].
    """
    return resistance_ohm * (1.0 + per_kelvin * (to_c - from_c))


@equation("I_{z}", r"r\,I_n \frac{V_1}{V_2}", _TAPS)
def tap_ampacity(
    rating_a: Current, ratio: Fraction, primary_v: LineVoltage, secondary_v: LineVoltage
) -> Current:
    """Return the minimum ampacity of a tap or transformer secondary conductor by upstream device.

    A tenth of the rating of the upstream device under the 10 ft rules, a third under the 25 ft
    rules, for conductors behind a transformer referred to its secondary.

    rating_a: of the upstream overcurrent device.
    ratio: fraction required by the rule.
    primary_v, secondary_v: line-to-line voltages; equal without a transformer.
    """
    return ratio * rating_a * primary_v / secondary_v


@equation("I_{z}", r"k\,I_r", _GENERATOR)
def generator_ampacity(nameplate_a: Current, share: Ratio) -> Current:
    """Return the minimum conductor ampacity from generator terminals to the first device.

    115 % of the nameplate current; 100 % where design and operation prevent overloading.

    nameplate_a: of the generator.
    share: minimum ampacity over the load current.
    """
    return share * nameplate_a


@equation("u", r"\frac{\sum A_i}{A}", DERIVED)
def conduit_fill(conductors_m2: Area, raceway_m2: Area) -> Fraction:
    """Return the raceway fill of conductors.

    Chapter 9, Table 1 allows 53 % for one conductor, 31 % for two and 40 % for more.

    conductors_m2: area of all conductors over their insulation.
    raceway_m2: inner area of the raceway.
    """
    return conductors_m2 / raceway_m2
