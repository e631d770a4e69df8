"""Currents behind readings and of single loads, and how unbalanced voltages are."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import ApparentPower, Current, Fraction, LineVoltage
from facility.core.sources import DERIVED, Source


@equation("I", r"S / V_{LL}", DERIVED)
def line_line_current(apparent_va: ApparentPower, line_voltage_v: LineVoltage) -> Current:
    """Current of a single-phase load between two lines.

    The same current flows in both lines, none in the neutral.

    returns: current in each of the two lines.
    """
    return apparent_va / line_voltage_v


@equation("I_N", r"\sqrt{A^2+B^2+C^2-AB-BC-CA}", DERIVED)
def neutral_current(a_a: Current, b_a: Current, c_a: Current) -> Current:
    """Neutral current of loads to neutral that all have the same power factor.

    Magnitude of the sum of three phasors 120 degrees apart. Triplen harmonics come on top.
    """
    square = a_a**2 + b_a**2 + c_a**2 - a_a * b_a - b_a * c_a - c_a * a_a
    return np.sqrt(np.maximum(square, 0.0 * square))


@equation("I_A", r"\sqrt{I_{AB}^2 + I_{CA}^2 + I_{AB} I_{CA}}", DERIVED)
def delta_line_current(ab_a: Current, ca_a: Current) -> Current:
    """Line current of two line-to-line loads of equal power factor that share the line.

    The phasors I_AB and -I_CA stand 60 degrees apart: the law of cosines.

    ab_a, ca_a: load currents of the two pairs.
    """
    return np.sqrt(ab_a**2 + ca_a**2 + ab_a * ca_a)


@equation("I_{AB}+I_{BC}+I_{CA}", r"\sqrt{\frac{I_A^2+I_B^2+I_C^2}{2} + 2\sqrt{3}\,F}", DERIVED)
def delta_total_current(a_a: Current, b_a: Current, c_a: Current) -> Current:
    """Return the sum of the three line-to-line load currents behind measured line currents.

    The line currents of delta loads of equal power factor are the sides of a triangle (Kirchhoff),
    whose point with 120 degrees between the corners splits them into the load currents; F is its
    area (Heron). Times the line voltage it is the apparent power that the readings stand for.

    a_a, b_a, c_a: measured line currents.
    returns: sum of the load currents; not a number where one line carries more than the other two
        together, which no three-wire circuit can.
    """
    half = (a_a + b_a + c_a) / 2.0
    with np.errstate(invalid="ignore"):
        area = np.sqrt(half * (half - a_a) * (half - b_a) * (half - c_a))
    return np.sqrt((a_a**2 + b_a**2 + c_a**2) / 2.0 + 2.0 * np.sqrt(3.0) * area)


@equation("I_{BC}", r"\frac{s^2 + I_B^2 + I_C^2 - 2 I_A^2}{3\,s}", DERIVED)
def delta_load_current(
    total_a: Current, opposite_a: Current, near_1_a: Current, near_2_a: Current
) -> Current:
    """Return the current of one line-to-line load behind measured line currents.

    Eliminates the two other loads from the law of cosines of `delta_line_current`.

    total_a: `delta_total_current` of the three lines.
    opposite_a: current of the line that the load does not touch.
    near_1_a, near_2_a: currents of its own two lines.
    returns: load current; below zero where loads of equal power factor cannot cause the readings.
    """
    return (total_a**2 + near_1_a**2 + near_2_a**2 - 2.0 * opposite_a**2) / (3.0 * total_a)


@equation(
    "u_V",
    r"\max|V_x - \bar V| / \bar V",
    Source("nema-mg-1", "line voltage unbalance", verified="secondary"),
)
def voltage_unbalance(ab_v: LineVoltage, bc_v: LineVoltage, ca_v: LineVoltage) -> Fraction:
    """NEMA voltage unbalance: largest deviation of the line voltages from their mean, over it.

    returns: unbalance; motors take 1 % without derating.
    """
    mean = (ab_v + bc_v + ca_v) / 3.0
    deviation = np.maximum(
        np.maximum(np.abs(ab_v - mean), np.abs(bc_v - mean)), np.abs(ca_v - mean)
    )
    return deviation / mean
