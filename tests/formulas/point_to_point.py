"""The point-to-point method: fault currents step by step, impedances added as magnitudes.

Each step takes the current at its upper end and gives a factor f, the impedance added over the
impedance so far; the current at the lower end is M = 1 / (1 + f) times that of the upper end.
Adding magnitudes instead of resistances and reactances gives currents a few percent low where
the angles differ.
"""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ApparentPower,
    Count,
    Current,
    Fraction,
    LineVoltage,
    Ratio,
    Resistance,
)
from facility.core.sources import Source

_BUSSMANN = Source("bussmann-plan-review", "steps 4-6, A-C")


@equation("f", r"\frac{\sqrt{3}\,I\,Z}{n\,U}", _BUSSMANN)
def conductor_factor(
    fault_current_a: Current, impedance_ohm: Resistance, sets: Count, v_ll_v: LineVoltage
) -> Ratio:
    """Return f of a three-phase run of conductors.

    U / (sqrt(3) I) is the impedance up to the run, Z / n that of the run.

    fault_current_a: three-phase fault current where the run begins.
    impedance_ohm: of one conductor of one set, one way.
    sets: conductors in parallel for each phase.
    """
    return np.sqrt(3.0) * fault_current_a * impedance_ohm / (sets * v_ll_v)


@equation("f", r"\frac{\sqrt{3}\,I_p\,U_p\,z}{S_r}", _BUSSMANN)
def transformer_factor(
    primary_fault_a: Current, primary_v: LineVoltage, impedance: Fraction, rating_va: ApparentPower
) -> Ratio:
    """Return f of a three-phase transformer fed by a known fault current.

    The fault level at the primary over the fault level of the transformer alone, S / z.

    primary_fault_a: three-phase fault current at the primary.
    impedance: as a fraction of the rated one, tolerance included.
    """
    return np.sqrt(3.0) * primary_fault_a * primary_v * impedance / rating_va


@equation("M", r"\frac{1}{1 + f}", _BUSSMANN)
def multiplier(factor: Ratio) -> Ratio:
    """Return M, the part of the fault current left behind an added impedance.

    factor: f: impedance added over the impedance so far.
    """
    return 1.0 / (1.0 + factor)


@equation("I_s", r"\frac{U_p}{U_s}\,M\,I_p", _BUSSMANN)
def secondary_current(
    primary_fault_a: Current, primary_v: LineVoltage, secondary_v: LineVoltage, factor: Ratio
) -> Current:
    """Return the fault current at the secondary of a transformer from that at its primary.

    factor: f of the transformer.
    """
    return primary_fault_a * primary_v / secondary_v / (1.0 + factor)
