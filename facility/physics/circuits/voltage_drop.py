"""Voltage drop along a circuit, approximate and exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facility.core.equation import equation
from facility.core.sources import DERIVED, Source

_SQRT3 = math.sqrt(3.0)
_TABLE_9 = Source("nec-chapter-9-table-9", "note 2", "2017")


@equation(
    "Z_e",
    r"R\,pf + X \sin(\arccos pf)",
    "resistance",
    _TABLE_9,
    resistance_ohm="resistance",
    reactance_ohm="resistance",
    power_factor="ratio",
)
def effective_impedance(resistance_ohm: Any, reactance_ohm: Any, power_factor: Any) -> Any:
    """Effective impedance of one conductor, the part in phase with the voltage.

    Parameters
    ----------
    resistance_ohm, reactance_ohm : float or ndarray
        AC resistance and reactance of one conductor over its one-way length [ohm].
    power_factor : float or ndarray
        Power factor of the load, lagging.

    Returns
    -------
    float or ndarray
        Effective impedance [ohm].
    """
    return resistance_ohm * power_factor + reactance_ohm * np.sqrt(1.0 - power_factor**2)


@equation(
    r"\Delta V",
    r"\sqrt{3} I Z_e",
    "line_voltage",
    _TABLE_9,
    current_a="current",
    impedance_ohm="resistance",
)
def voltage_drop_three_phase(current_a: Any, impedance_ohm: Any) -> Any:
    """Approximate voltage drop of a balanced three-phase circuit, line to line.

    Parameters
    ----------
    current_a : float or ndarray
        Line current per set of conductors [A].
    impedance_ohm : float or ndarray
        Effective impedance of one conductor, one way [ohm].

    Returns
    -------
    float or ndarray
        Drop of the line-to-line voltage [V].
    """
    return _SQRT3 * current_a * impedance_ohm


@equation(
    r"\Delta V",
    r"2 I Z_e",
    "phase_voltage",
    _TABLE_9,
    current_a="current",
    impedance_ohm="resistance",
)
def voltage_drop_two_wire(current_a: Any, impedance_ohm: Any) -> Any:
    """Approximate voltage drop of a two-wire circuit: out and back.

    For a line-to-neutral load it counts against V_LN, for a line-to-line load against V_LL.

    Parameters
    ----------
    current_a : float or ndarray
        Current [A].
    impedance_ohm : float or ndarray
        Effective impedance of one conductor, one way [ohm].

    Returns
    -------
    float or ndarray
        Voltage drop [V].
    """
    return 2.0 * current_a * impedance_ohm


@equation(
    r"\Delta V",
    r"|V| - \sqrt{(V - I(R\,pf + X s))^2 + I^2 (X\,pf - R s)^2},\ s = \sin(\arccos pf)",
    "phase_voltage",
    DERIVED,
    source_v="phase_voltage",
    current_a="current",
    resistance_ohm="resistance",
    reactance_ohm="resistance",
    power_factor="ratio",
)
def voltage_drop_exact(
    source_v: Any, current_a: Any, resistance_ohm: Any, reactance_ohm: Any, power_factor: Any
) -> Any:
    """Exact voltage drop along one conductor: |V| - |V - I (R + jX)|.

    The current lags the source voltage by arccos pf. A balanced three-phase circuit loses
    sqrt(3) times this line to line.

    Parameters
    ----------
    source_v : float or ndarray
        Phase voltage at the source [V].
    current_a : float or ndarray
        Current of one conductor [A].
    resistance_ohm, reactance_ohm : float or ndarray
        AC resistance and reactance of one conductor over its one-way length [ohm].
    power_factor : float or ndarray
        Power factor at the source, lagging.

    Returns
    -------
    float or ndarray
        Drop of the phase voltage [V].
    """
    sine = np.sqrt(1.0 - power_factor**2)
    along = source_v - current_a * (resistance_ohm * power_factor + reactance_ohm * sine)
    across = current_a * (reactance_ohm * power_factor - resistance_ohm * sine)
    return source_v - np.sqrt(along**2 + across**2)
