"""Conductors of the IEC route: harmonics, overload, tabulated drop, protective conductor, loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source

_ANNEX_E = Source("iec-60364-5-52-factors", "annex E", "2009")
_OVERLOAD = Source("iec-60364-4-43-overload", "433.1", verified="secondary")
_TABLES = Source("iec-60228", "impedances per ampere and metre")
_PROTECTIVE = Source("iec-60364-5-54", "table 54.2", verified="secondary")
_LOOP = Source("iec-60364-4-41", "411.4.4", verified="secondary")


@equation("I_N", r"3 h_3 I_b", "current", _ANNEX_E, line_a="current", third_harmonic="fraction")
def third_harmonic_neutral(line_a: Any, third_harmonic: Any) -> Any:
    """Return the neutral current of balanced lines with a third harmonic.

    The fundamentals cancel in the neutral, the third harmonics of the three lines add.

    Parameters
    ----------
    line_a : float or ndarray
        Line current [A].
    third_harmonic : float or ndarray
        Third harmonic of the line current over the line current.
    """
    return 3.0 * third_harmonic * line_a


@equation("I_b'", r"\frac{I}{f}", "current", _ANNEX_E, current_a="current", factor="ratio")
def equivalent_current(current_a: Any, factor: Any) -> Any:
    """Return the current a cable is selected for when its neutral carries harmonics.

    A fourth loaded conductor heats the cable: instead of lowering its ampacity by the factor, the
    current that decides, of a line or of the neutral, is raised by it.

    Parameters
    ----------
    current_a : float or ndarray
        Line current up to 33 % third harmonic, neutral current above [A].
    factor : float or ndarray
        0.86 between 15 % and 45 %, else 1.
    """
    return current_a / factor


@equation(
    "I_{n,max}",
    r"\frac{1.45 I_z}{m}",
    "current",
    _OVERLOAD,
    ampacity_a="current",
    operating_multiple="ratio",
)
def largest_device(ampacity_a: Any, operating_multiple: Any) -> Any:
    """Return the largest overcurrent device that protects a conductor against overload.

    The device operates for certain at I2 = m In, and I2 <= 1.45 Iz. A circuit-breaker has m of
    1.45 at most, which leaves In <= Iz; a gG fuse 1.6, which leaves In <= 0.906 Iz. In is never
    above Iz.

    Parameters
    ----------
    ampacity_a : float or ndarray
        Current-carrying capacity Iz [A].
    operating_multiple : float or ndarray
        Conventional operating current over rated current, m.
    """
    return np.minimum(1.45 * ampacity_a / operating_multiple, ampacity_a)


@equation(
    r"\Delta U",
    r"z \frac{L}{L_z} \frac{I_b}{n}",
    "line_voltage",
    _TABLES,
    listed_ohm="resistance",
    listed_length_m="length",
    length_m="length",
    current_a="current",
    sets="count",
)
def tabulated_drop(
    listed_ohm: Any, listed_length_m: Any, length_m: Any, current_a: Any, sets: Any
) -> Any:
    """Return the voltage drop by a table of millivolts per ampere and metre.

    1 mV/(A m) is 1 ohm for 1000 m. The table holds the root of three of three-phase and the two
    of single-phase circuits, the conductor temperature and the worst power factor.

    Parameters
    ----------
    listed_ohm, listed_length_m : float or ndarray
        Tabulated impedance, and the length it is for [ohm, m].
    length_m : float or ndarray
        Length, one way [m].
    current_a : float or ndarray
        Line current [A].
    sets : float or ndarray
        Cables in parallel.
    """
    return listed_ohm * (length_m / listed_length_m) * current_a / sets


@equation(
    "S_{PE}",
    r"S,\ 16\,\mathrm{mm}^2,\ \frac{S}{2}",
    "cross_section",
    _PROTECTIVE,
    empirical="the steps of the table are fixed areas",
    line_m2="cross_section",
)
def protective_area(line_m2: Any) -> Any:
    """Return the least protective conductor of the metal of the lines, without calculation.

    As the line up to 16 mm2, 16 mm2 up to 35 mm2, half the line above.

    Parameters
    ----------
    line_m2 : float or ndarray
        Cross-section of a line conductor [m2].
    """
    step = np.minimum(line_m2, 16e-6)
    return np.maximum(step, np.where(line_m2 > 35e-6, 0.5 * line_m2, 0.0))


@equation(
    "I_f",
    r"\frac{c_{min} U_0}{Z_s}",
    "current",
    DERIVED,
    phase_v="phase_voltage",
    voltage_factor="ratio",
    loop_ohm="resistance",
)
def loop_fault_current(phase_v: Any, voltage_factor: Any, loop_ohm: Any) -> Any:
    """Return the least earth-fault current at the end of a circuit.

    Parameters
    ----------
    phase_v : float or ndarray
        Nominal voltage to earth U0 [V].
    voltage_factor : float or ndarray
        Least voltage over nominal: 0.95.
    loop_ohm : float or ndarray
        Impedance of the fault loop: source, line and protective conductor [ohm].
    """
    return voltage_factor * phase_v / loop_ohm


@equation(
    "Z_{s,max}",
    r"\frac{c_{min} U_0}{I_a}",
    "resistance",
    _LOOP,
    phase_v="phase_voltage",
    voltage_factor="ratio",
    operating_a="current",
)
def largest_loop_impedance(phase_v: Any, voltage_factor: Any, operating_a: Any) -> Any:
    """Return the largest fault loop that still disconnects in time: Zs Ia <= cmin U0.

    Parameters
    ----------
    phase_v : float or ndarray
        Nominal voltage to earth U0 [V].
    voltage_factor : float or ndarray
        Least voltage over nominal: 0.95.
    operating_a : float or ndarray
        Current at which the device operates within the time asked for [A].
    """
    return voltage_factor * phase_v / operating_a
