"""Line and neutral currents of mixed loads as phasors, and their imbalance.

Phase voltages are V_A = V at 0 degrees, V_B at -120, V_C at +120. A load between two lines adds
to each of them at +30 or -30 degrees, so that amperes of different connection never add as plain
numbers.
"""

from __future__ import annotations

import math

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    ApparentPower,
    ComplexCurrent,
    ComplexPower,
    Current,
    Fraction,
    LineVoltage,
    PhaseVoltage,
    ReactivePower,
)
from facility.core.sources import DERIVED, Source

_SQRT3 = math.sqrt(3.0)
_UP = complex(math.cos(math.pi / 6.0), math.sin(math.pi / 6.0))
_DOWN = _UP.conjugate()
_A = 1.0 + 0.0j
_B = complex(-0.5, -_SQRT3 / 2.0)
_C = _B.conjugate()


@equation(
    "I_A, I_B, I_C, I_N",
    r"I_{AN}+I_{AB}-I_{CA},\ I_{BN}+I_{BC}-I_{AB},\ I_{CN}+I_{CA}-I_{BC},\ "
    r"-(I_{AN}+I_{BN}+I_{CN})",
    DERIVED,
)
def line_currents(
    an_va: ComplexPower,
    bn_va: ComplexPower,
    cn_va: ComplexPower,
    ab_va: ComplexPower,
    bc_va: ComplexPower,
    ca_va: ComplexPower,
    line_voltage_v: LineVoltage,
) -> tuple[ComplexCurrent, ComplexCurrent, ComplexCurrent, ComplexCurrent]:
    """Phasor currents of lines and neutral from the complex power on each phase and pair.

    Kirchhoff's current law at each line, with I = conj(S / V) of each load at its own voltage.
    Only loads to neutral reach the neutral. The magnitudes are the currents to size on.

    an_va, bn_va, cn_va: complex power P + jQ from each line to neutral.
    ab_va, bc_va, ca_va: complex power on each pair of lines.
    returns: I_A, I_B, I_C and I_N.
    """
    phase_v = line_voltage_v / _SQRT3
    i_an = np.conjugate(an_va) / phase_v * _A
    i_bn = np.conjugate(bn_va) / phase_v * _B
    i_cn = np.conjugate(cn_va) / phase_v * _C
    i_ab = np.conjugate(ab_va) / line_voltage_v * (_A * _UP)
    i_bc = np.conjugate(bc_va) / line_voltage_v * (_B * _UP)
    i_ca = np.conjugate(ca_va) / line_voltage_v * (_C * _UP)
    return i_an + i_ab - i_ca, i_bn + i_bc - i_ab, i_cn + i_ca - i_bc, -(i_an + i_bn + i_cn)


@equation(
    "I_x",
    r"|S_{xn}^* + (S_{xy}^* \angle 30° + S_{zx}^* \angle {-30°})/\sqrt{3}| \sqrt{3}/V_{LL}",
    DERIVED,
)
def line_current(
    neutral_w: ActivePower,
    neutral_var: ReactivePower,
    leading_w: ActivePower,
    leading_var: ReactivePower,
    lagging_w: ActivePower,
    lagging_var: ReactivePower,
    line_voltage_v: LineVoltage,
) -> Current:
    """Magnitude of the current of one line x from the loads x-N, x-y and z-x.

    The same sum as `line_currents`, rotated so that the phase voltage of line x is at zero
    degrees: the voltage x-y leads it by 30 degrees, the reverse of z-x lags by 30 degrees.

    neutral_w, neutral_var: active and reactive power from the line to neutral.
    leading_w, leading_var: the same on the pair that starts at the line: AB for line A.
    lagging_w, lagging_var: the same on the pair that ends at the line: CA for line A.
    """
    total = (neutral_w - 1j * neutral_var) + (
        (leading_w - 1j * leading_var) * _UP + (lagging_w - 1j * lagging_var) * _DOWN
    ) / _SQRT3
    amperes = abs(total) * _SQRT3  # type: ignore[operator]  # abs has none for number or array
    return amperes / line_voltage_v


@equation(
    "P_x",
    r"\frac{P_{xy} + P_{zx}}{2} + \frac{Q_{xy} - Q_{zx}}{2\sqrt{3}}",
    DERIVED,
    excel="({leading_w}+{lagging_w})/2+({leading_var}-{lagging_var})/(2*SQRT(3))",
)
def power_of_pairs(
    leading_w: ActivePower,
    leading_var: ReactivePower,
    lagging_w: ActivePower,
    lagging_var: ReactivePower,
) -> ActivePower:
    """Active power that one line x carries, at its own phase voltage, of the loads x-y and z-x.

    Real part of V_x conj(I_x), `line_current` without a load to neutral: the power of x-y turned
    by -30 degrees and that of z-x by +30 degrees, each over sqrt(3).

    leading_w, leading_var: active and reactive power on the pair that starts at the line.
    lagging_w, lagging_var: the same on the pair that ends at the line.
    """
    return (leading_w + lagging_w) / 2.0 + (leading_var - lagging_var) / (2.0 * _SQRT3)


@equation(
    "Q_x",
    r"\frac{Q_{xy} + Q_{zx}}{2} - \frac{P_{xy} - P_{zx}}{2\sqrt{3}}",
    DERIVED,
    excel="({leading_var}+{lagging_var})/2-({leading_w}-{lagging_w})/(2*SQRT(3))",
)
def reactive_of_pairs(
    leading_w: ActivePower,
    leading_var: ReactivePower,
    lagging_w: ActivePower,
    lagging_var: ReactivePower,
) -> ReactivePower:
    """Reactive power corresponding to `power_of_pairs`: the imaginary part of V_x conj(I_x)."""
    return (leading_var + lagging_var) / 2.0 - (leading_w - lagging_w) / (2.0 * _SQRT3)


@equation(
    "I_N",
    r"|S_A^* + S_B^* \angle {-120°} + S_C^* \angle 120°| / V_{LN}",
    DERIVED,
    excel="SQRT(({a_w:W}-({b_w:W}+{c_w:W})/2+({c_var:var}-{b_var:var})*SQRT(3)/2)^2"
    "+(-{a_var:var}+({b_var:var}+{c_var:var})/2+({c_w:W}-{b_w:W})*SQRT(3)/2)^2)/{phase_voltage_v}",
)
def neutral_of_lines(
    a_w: ActivePower,
    a_var: ReactivePower,
    b_w: ActivePower,
    b_var: ReactivePower,
    c_w: ActivePower,
    c_var: ReactivePower,
    phase_voltage_v: PhaseVoltage,
) -> Current:
    """Magnitude of the neutral current from the power that each line carries at its own voltage.

    Kirchhoff's current law: the neutral carries what the lines do not return to each other. Loads
    between lines cancel, so that it makes no difference whether they are counted.
    """
    real = a_w - (b_w + c_w) / 2.0 + (c_var - b_var) * _SQRT3 / 2.0
    imaginary = -a_var + (b_var + c_var) / 2.0 + (c_w - b_w) * _SQRT3 / 2.0
    return (real * real + imaginary * imaginary) ** 0.5 / phase_voltage_v


@equation(
    "I_s",
    r"S_\phi / V_{LN}",
    Source("definition", "panel schedule convention"),
    excel="{phase_va:VA}/{phase_voltage_v}",
)
def schedule_current(phase_va: ApparentPower, phase_voltage_v: PhaseVoltage) -> Current:
    """Amperes by the panel schedule convention: VA split evenly over poles, over V_LN.

    Exact for line-to-neutral and balanced loads; a single line-to-line load shows 0.866 of its
    true line current. Print it with the phasor amperes and size for the larger.

    phase_va: sum of the pole VA of one phase.
    """
    return phase_va / phase_voltage_v


@equation(
    "u",
    r"\max|I_x - \bar I| / \bar I",
    Source("definition", "maximum deviation from the mean over the mean"),
)
def imbalance(a_a: Current, b_a: Current, c_a: Current) -> Fraction:
    """Load imbalance: largest deviation from the mean of three phases, over the mean.

    The default definition of the project; zero where there is no load.

    a_a, b_a, c_a: line currents, or any other measure of the three phases.
    returns: imbalance, 0 to 2.
    """
    mean = (a_a + b_a + c_a) / 3.0
    deviation = np.maximum(np.maximum(np.abs(a_a - mean), np.abs(b_a - mean)), np.abs(c_a - mean))
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(np.true_divide(deviation, mean))


@equation(
    "u_s",
    r"(\max I_x - \min I_x) / \bar I",
    Source("definition", "spread of the phases over their mean"),
)
def spread(a_a: Current, b_a: Current, c_a: Current) -> Fraction:
    """Load imbalance as displayed by some meters: (largest - smallest phase) / mean.

    From 1.5 to 2 times `imbalance`, so that a figure without its definition says little; zero
    where there is no load.

    a_a, b_a, c_a: line currents, or any other measure of the three phases.
    returns: spread, 0 to 3.
    """
    mean = (a_a + b_a + c_a) / 3.0
    width = np.maximum(np.maximum(a_a, b_a), c_a) - np.minimum(np.minimum(a_a, b_a), c_a)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(np.true_divide(width, mean))
