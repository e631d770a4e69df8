"""Conductors of the IEC route: harmonics, overload, tabulated drop, protective conductor, loop."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    Count,
    CrossSection,
    Current,
    Fraction,
    Length,
    LineVoltage,
    PhaseVoltage,
    Ratio,
    Resistance,
)
from facility.core.sources import DERIVED, Source

_ANNEX_E = Source("iec-60364-5-52-factors", "annex E", "2009")
_OVERLOAD = Source("iec-60364-4-43-overload", "433.1", verified="secondary")
_TABLES = Source("iec-60228", "impedances per ampere and metre")
_PROTECTIVE = Source("iec-60364-5-54", "table 54.2", verified="secondary")
_LOOP = Source("iec-60364-4-41", "411.4.4", verified="secondary")


@equation("I_N", r"3 h_3 I_b", _ANNEX_E)
def third_harmonic_neutral(line_a: Current, third_harmonic: Fraction) -> Current:
    """Return the neutral current of balanced lines with a third harmonic.

    The fundamentals cancel in the neutral, the third harmonics of the three lines add.

    third_harmonic: of the line current over the line current.
    """
    return 3.0 * third_harmonic * line_a


@equation("I_b'", r"\frac{I}{f}", _ANNEX_E)
def equivalent_current(current_a: Current, factor: Ratio) -> Current:
    """Return the sizing current of a cable with harmonics in its neutral.

    A fourth loaded conductor heats the cable: instead of lowering its ampacity by the factor, the
    current that decides, of a line or of the neutral, is raised by it.

    current_a: line current up to 33 % third harmonic, neutral current above.
    factor: 0.86 between 15 % and 45 %, else 1.
    """
    return current_a / factor


@equation("I_{n,max}", r"\frac{1.45 I_z}{m}", _OVERLOAD)
def largest_device(ampacity_a: Current, operating_multiple: Ratio) -> Current:
    """Return the largest overcurrent device that protects a conductor against overload.

    The device operates for certain at I2 = m In, and I2 <= 1.45 Iz. A circuit-breaker has m of
    1.45 at most, which leaves In <= Iz; a gG fuse 1.6, which leaves In <= 0.906 Iz. In is never
    above Iz.

    ampacity_a: current-carrying capacity Iz.
    operating_multiple: conventional operating current over rated current, m.
    """
    return np.minimum(1.45 * ampacity_a / operating_multiple, ampacity_a)


@equation(r"\Delta U", r"z \frac{L}{L_z} \frac{I_b}{n}", _TABLES)
def tabulated_drop(
    listed_ohm: Resistance,
    listed_length_m: Length,
    length_m: Length,
    current_a: Current,
    sets: Count,
) -> LineVoltage:
    """Return the voltage drop by a table of millivolts per ampere and metre.

    1 mV/(A m) is 1 ohm for 1000 m. The table holds the root of three of three-phase and the two
    of single-phase circuits, the conductor temperature and the worst power factor.

    listed_ohm, listed_length_m: tabulated impedance, and the length it is for.
    length_m: one way.
    sets: cables in parallel.
    """
    return listed_ohm * (length_m / listed_length_m) * current_a / sets


@equation(
    "S_{PE}",
    r"S,\ 16\,\mathrm{mm}^2,\ \frac{S}{2}",
    _PROTECTIVE,
    empirical="the steps of the table are fixed areas",
)
def protective_area(line_m2: CrossSection) -> CrossSection:
    """Return the tabulated minimum protective conductor of the same metal as the lines.

    As the line up to 16 mm2, 16 mm2 up to 35 mm2, half the line above.

    line_m2: cross-section of a line conductor.
    """
    step = np.minimum(line_m2, 16e-6)
    return np.maximum(step, np.where(line_m2 > 35e-6, 0.5 * line_m2, 0.0))


@equation("I_f", r"\frac{c_{min} U_0}{Z_s}", DERIVED)
def loop_fault_current(
    phase_v: PhaseVoltage, voltage_factor: Ratio, loop_ohm: Resistance
) -> Current:
    """Return the minimum earth-fault current at the end of a circuit.

    phase_v: nominal voltage to earth U0.
    voltage_factor: minimum voltage over nominal voltage: 0.95.
    loop_ohm: impedance of the fault loop: source, line and protective conductor.
    """
    return voltage_factor * phase_v / loop_ohm


@equation("Z_{s,max}", r"\frac{c_{min} U_0}{I_a}", _LOOP)
def largest_loop_impedance(
    phase_v: PhaseVoltage, voltage_factor: Ratio, operating_a: Current
) -> Resistance:
    """Return the largest fault loop that still disconnects in time: Zs Ia <= cmin U0.

    phase_v: nominal voltage to earth U0.
    voltage_factor: minimum voltage over nominal voltage: 0.95.
    operating_a: current at which the device operates within the required time.
    """
    return voltage_factor * phase_v / operating_a
