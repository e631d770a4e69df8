"""Water-side economizers: precooling upstream of the chiller, or instead of it."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import Fraction, Temperature
from facility.core.sources import DERIVED


@equation("T_{pre}", r"\min(T_r, \max(T_s, T_r - \varepsilon (T_r - T_0)))", DERIVED)
def precooled_temperature(
    return_c: Temperature, source_c: Temperature, setpoint_c: Temperature, effectiveness: Fraction
) -> Temperature:
    """Return the water or air temperature leaving an economizer upstream of the chiller.

    The definition of the effectiveness, never below the set point (a valve holds it) and never
    above the return (a source warmer than the return is shut off).
    """
    reached = return_c - effectiveness * (return_c - source_c)
    return np.minimum(return_c, np.maximum(setpoint_c, reached))[()]


@equation("T_0", r"T_r - (T_r - T_s) / \varepsilon", DERIVED)
def source_for_full(
    return_c: Temperature, setpoint_c: Temperature, effectiveness: Fraction
) -> Temperature:
    """Return the warmest source at which an economizer carries the full load.

    The effectiveness solved for the source where the stream leaves at its set point.
    """
    return return_c - (return_c - setpoint_c) / effectiveness


@equation("f", r"(T_r - T_{pre}) / (T_r - T_s)", DERIVED)
def economizer_share(
    return_c: Temperature, precooled_c: Temperature, setpoint_c: Temperature
) -> Fraction:
    """Return the load share of an economizer.

    At one flow the heats are as the temperature falls.
    """
    return (return_c - precooled_c) / (return_c - setpoint_c)
