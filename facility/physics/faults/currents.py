"""Short-circuit currents from voltage and impedance: bolted, unbalanced, peak, asymmetrical."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import ApparentPower, Current, LineVoltage, Ratio, Resistance
from facility.core.sources import Source

_DERIVED = Source("derivation", "three-phase power; decaying offset of an R-L circuit")


@equation("I_k", r"\frac{S_k}{\sqrt{3} V}", _DERIVED)
def fault_current(fault_level_va: ApparentPower, v_ll_v: LineVoltage) -> Current:
    """Return the symmetrical three-phase short-circuit current of a fault level.

    The fault level is by definition sqrt(3) times the line voltage before the fault times the
    symmetrical current of a bolted three-phase fault.

    v_ll_v: line-to-line voltage before the fault.
    returns: symmetrical current, root mean square.
    """
    return fault_level_va / (np.sqrt(3.0) * v_ll_v)


@equation(
    "i_p",
    r"\sqrt{2} I_k \left(1 + e^{-\pi / (X/R)}\right)",
    _DERIVED,
    excel="SQRT(2)*{fault_current_a}*(1+EXP(-PI()/{x_over_r}))",
)
def first_cycle_peak(fault_current_a: Current, x_over_r: Ratio) -> Current:
    """Return the peak of the first cycle of a fully offset short-circuit current.

    With the offset decaying at R/L, half a period after the worst instant of the fault the
    exponent is omega t R / X = pi / (X/R); the crest then adds to the remaining offset.

    fault_current_a: symmetrical current, root mean square.
    x_over_r: reactance over resistance of the source; above 0.
    """
    return np.sqrt(2.0) * fault_current_a * (1.0 + np.exp(-np.pi / x_over_r))


@equation(
    "I_k",
    r"\frac{U}{\sqrt{3} \sqrt{R^2 + X^2}}",
    Source("derivation", "Thevenin equivalent of a balanced three-phase network"),
)
def bolted_current(
    v_ll_v: LineVoltage, resistance_ohm: Resistance, reactance_ohm: Resistance
) -> Current:
    """Return the symmetrical current of a bolted three-phase fault.

    The phase voltage drives the current through the impedance of one phase as seen from the
    fault. IEC 60909 is the same formula with c times the nominal voltage and its correction
    factors on the impedances.

    v_ll_v: line-to-line voltage before the fault; IEC: c times the nominal one.
    resistance_ohm, reactance_ohm: positive-sequence resistance and reactance seen from the fault.
    returns: symmetrical current, root mean square.
    """
    return v_ll_v / (np.sqrt(3.0) * np.sqrt(resistance_ohm**2 + reactance_ohm**2))


@equation(
    "I_{LL}",
    r"\frac{\sqrt{3}}{2} I_k",
    Source("derivation", "symmetrical components, negative equal to positive sequence"),
    excel="SQRT(3)/2*{three_phase_a}",
)
def line_line_current(three_phase_a: Current) -> Current:
    """Return the line-to-line fault current where Z2 equals Z1.

    The full line voltage drives the current through the impedances of two phases:
    U / (2 Z1) against U / (sqrt(3) Z1) of the three-phase fault.

    three_phase_a: symmetrical current of the three-phase fault at the same point.
    returns: current in the two lines, root mean square.
    """
    return 0.5 * np.sqrt(3.0) * three_phase_a


@equation(
    "I_{LG}",
    r"\frac{\sqrt{3} U}{\sqrt{(2 R_1 + R_0)^2 + (2 X_1 + X_0)^2}}",
    Source("derivation", "symmetrical components, sequence networks in series"),
)
def line_ground_current(
    v_ll_v: LineVoltage,
    r1_ohm: Resistance,
    x1_ohm: Resistance,
    r0_ohm: Resistance,
    x0_ohm: Resistance,
) -> Current:
    """Return the line-to-ground fault current where Z2 equals Z1: 3 V / |2 Z1 + Z0|.

    v_ll_v: line-to-line voltage before the fault; IEC: c times the nominal one.
    r1_ohm, x1_ohm: positive-sequence impedance seen from the fault.
    r0_ohm, x0_ohm: zero-sequence impedance seen from the fault, return path included.
    returns: current into ground, root mean square.
    """
    resistance, reactance = 2.0 * r1_ohm + r0_ohm, 2.0 * x1_ohm + x0_ohm
    return np.sqrt(3.0) * v_ll_v / np.sqrt(resistance**2 + reactance**2)


@equation(r"I_{as}", r"I_k \sqrt{1 + 2 e^{-2\pi / (X/R)}}", _DERIVED)
def asymmetrical_rms(fault_current_a: Current, x_over_r: Ratio) -> Current:
    """Return the RMS of a fully offset current half a cycle after the fault.

    The offset starts at sqrt(2) times the symmetrical current and has decayed by
    exp(-pi / (X/R)) after half a cycle; its square adds to that of the alternating part.

    fault_current_a: symmetrical current, root mean square.
    x_over_r: reactance over resistance at the fault; above 0.
    returns: asymmetrical current of the worst phase, root mean square.
    """
    return fault_current_a * np.sqrt(1.0 + 2.0 * np.exp(-2.0 * np.pi / x_over_r))


@equation(
    "m",
    r"\max\left(1, \frac{1 + e^{-\pi/(X/R)}}{1 + e^{-\pi/(X/R)_{test}}}\right)",
    Source("ieee-c37-13", "multiplying factor for X/R above that of the test", "2008", "secondary"),
    excel="MAX(1,(1+EXP(-PI()/{x_over_r}))/(1+EXP(-PI()/{test_x_over_r})))",
)
def interrupting_multiplier(x_over_r: Ratio, test_x_over_r: Ratio) -> Ratio:
    """Return the factor on the symmetrical current to compare with an interrupting rating.

    A breaker is tested with a circuit of a stated X/R. A circuit of higher X/R has a higher first
    peak for the same symmetrical current; the factor is the ratio of the two peaks, and 1 where
    the circuit is the milder one.

    x_over_r, test_x_over_r: reactance over resistance at the device, and in its test.
    returns: factor, at least 1.
    """
    ratio = (1.0 + np.exp(-np.pi / x_over_r)) / (1.0 + np.exp(-np.pi / test_x_over_r))
    return np.maximum(ratio, 1.0)
