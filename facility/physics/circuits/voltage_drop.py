"""Voltage drop along a circuit, approximate and exact."""

from __future__ import annotations

import math

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Current, LineVoltage, PhaseVoltage, Ratio, Resistance
from facility.core.sources import DERIVED, Source

_SQRT3 = math.sqrt(3.0)
_TABLE_9 = Source("nec-chapter-9-table-9", "note 2", "2017")


@equation(
    "Z_e",
    r"R\,pf + X \sin(\arccos pf)",
    _TABLE_9,
    excel="{resistance_ohm}*{power_factor}+{reactance_ohm}*SQRT(1-{power_factor}^2)",
)
def effective_impedance(
    resistance_ohm: Resistance, reactance_ohm: Resistance, power_factor: Ratio
) -> Resistance:
    """Effective impedance of one conductor, in phase with the voltage.

    resistance_ohm, reactance_ohm: AC resistance and reactance of one conductor over its one-way
        length.
    power_factor: of the load, lagging.
    """
    return resistance_ohm * power_factor + reactance_ohm * np.sqrt(1.0 - power_factor**2)


@equation(
    r"\Delta V", r"\sqrt{3} I Z_e", _TABLE_9, excel="SQRT(3)*{current_a}*{impedance_ohm:mohm}/1000"
)
def voltage_drop_three_phase(current_a: Current, impedance_ohm: Resistance) -> LineVoltage:
    """Approximate voltage drop of a balanced three-phase circuit, line to line.

    current_a: line current per set of conductors.
    impedance_ohm: effective impedance of one conductor, one way.
    """
    return _SQRT3 * current_a * impedance_ohm


@equation(r"\Delta V", r"2 I Z_e", _TABLE_9, excel="2*{current_a}*{impedance_ohm:mohm}/1000")
def voltage_drop_two_wire(current_a: Current, impedance_ohm: Resistance) -> PhaseVoltage:
    """Approximate voltage drop of a two-wire circuit: out and back.

    For a line-to-neutral load it counts against V_LN, for a line-to-line load against V_LL.

    impedance_ohm: effective impedance of one conductor, one way.
    """
    return 2.0 * current_a * impedance_ohm


@equation(
    r"\Delta V",
    r"|V| - \sqrt{(V - I(R\,pf + X s))^2 + I^2 (X\,pf - R s)^2},\ s = \sin(\arccos pf)",
    DERIVED,
    excel="{source_v}-SQRT(({source_v}-({resistance_ohm:mohm}*{power_factor}"
    "+{reactance_ohm:mohm}*SQRT(1-{power_factor}^2))/1000*{current_a})^2"
    "+(({reactance_ohm:mohm}*{power_factor}-{resistance_ohm:mohm}*SQRT(1-{power_factor}^2))"
    "/1000*{current_a})^2)",
)
def voltage_drop_exact(
    source_v: PhaseVoltage,
    current_a: Current,
    resistance_ohm: Resistance,
    reactance_ohm: Resistance,
    power_factor: Ratio,
) -> PhaseVoltage:
    """Exact voltage drop along one conductor: |V| - |V - I (R + jX)|.

    The current lags the source voltage by arccos pf. A balanced three-phase circuit loses
    sqrt(3) times this line to line.

    current_a: of one conductor.
    resistance_ohm, reactance_ohm: AC resistance and reactance of one conductor over its one-way
        length.
    power_factor: at the source, lagging.
    """
    sine = np.sqrt(1.0 - power_factor**2)
    along = source_v - current_a * (resistance_ohm * power_factor + reactance_ohm * sine)
    across = current_a * (reactance_ohm * power_factor - resistance_ohm * sine)
    return source_v - np.sqrt(along**2 + across**2)
