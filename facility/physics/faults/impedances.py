"""Impedances of sources and circuits for short-circuit currents: resistance and reactance."""

from __future__ import annotations

import numpy as np

from facility.core.equation import equation
from facility.core.kinds import (
    ActivePower,
    ApparentPower,
    Current,
    Fraction,
    LineVoltage,
    Ratio,
    Resistance,
)
from facility.core.sources import Source

_PER_UNIT = Source("derivation", "per-unit impedance on its rated voltage and power")


@equation(
    "(R, X)",
    r"Z = \frac{U^2}{S_k},\quad R = \frac{Z}{\sqrt{1 + (X/R)^2}},\quad X = R\,(X/R)",
    Source("derivation", "definition of the fault level"),
)
def source_impedance(
    fault_level_va: ApparentPower, v_ll_v: LineVoltage, x_over_r: Ratio
) -> tuple[Resistance, Resistance]:
    """Return the source resistance and reactance of a network of known fault level.

    The fault level is the square of the nominal line voltage over the impedance. IEC 60909
    multiplies by the voltage factor c, because there c times the nominal voltage drives the
    current.

    fault_level_va: fault level; above 0.
    v_ll_v: nominal line-to-line voltage.
    returns: resistance and reactance per phase.
    """
    impedance = v_ll_v * v_ll_v / fault_level_va
    resistance = impedance / np.sqrt(1.0 + x_over_r**2)
    return resistance, resistance * x_over_r


@equation(
    "(R, X)",
    r"Z = z\frac{U^2}{S_r},\quad R = \frac{Z}{\sqrt{1 + (X/R)^2}},\quad X = R\,(X/R)",
    _PER_UNIT,
)
def rated_impedance(
    rating_va: ApparentPower, voltage_v: LineVoltage, impedance: Fraction, x_over_r: Ratio
) -> tuple[Resistance, Resistance]:
    """Return resistance and reactance of a transformer or motor of known per-unit impedance.

    The impedance of a transformer is its impedance voltage; that of a motor the reciprocal of its
    locked-rotor current in multiples of the rated one, here 4 to 6.

    voltage_v: rated line-to-line voltage of the side the result is for.
    impedance: as a fraction of the rated one.
    returns: resistance and reactance per phase.
    """
    magnitude = impedance * voltage_v * voltage_v / rating_va
    resistance = magnitude / np.sqrt(1.0 + x_over_r**2)
    return resistance, resistance * x_over_r


@equation(
    "(R, X)",
    r"R = \frac{P_k}{S_r}\frac{U^2}{S_r},\quad"
    r" X = \sqrt{z^2 - \left(\frac{P_k}{S_r}\right)^2}\,\frac{U^2}{S_r}",
    _PER_UNIT,
)
def transformer_impedance(
    rating_va: ApparentPower, voltage_v: LineVoltage, impedance: Fraction, load_loss_w: ActivePower
) -> tuple[Resistance, Resistance]:
    """Return resistance and reactance of a transformer of known load loss.

    The load loss at rated current is the loss of the resistance, so its per-unit value is the
    loss over the rating.

    voltage_v: rated line-to-line voltage of the side the result is for.
    impedance: as a fraction of the rated one.
    load_loss_w: at rated current.
    returns: resistance and reactance per phase.
    """
    share = load_loss_w / rating_va
    base = voltage_v * voltage_v / rating_va
    return share * base, np.sqrt(impedance**2 - share**2) * base


@equation("(R, X)", r"X = x''_d\frac{U^2}{S_r},\quad R = \frac{X}{X/R}", _PER_UNIT)
def generator_impedance(
    rating_va: ApparentPower, voltage_v: LineVoltage, reactance: Fraction, x_over_r: Ratio
) -> tuple[Resistance, Resistance]:
    """Return resistance and subtransient reactance of a synchronous generator.

    rating_va: of the alternator.
    voltage_v: rated line-to-line voltage.
    reactance: subtransient reactance X"d as a fraction of the rated impedance.
    returns: resistance and reactance per phase.
    """
    reactance_ohm = reactance * voltage_v * voltage_v / rating_va
    return reactance_ohm / x_over_r, reactance_ohm


@equation("I", r"m\frac{S_r}{\sqrt{3} U}", Source("definition", "multiple of the rated current"))
def multiple_of_rated(rating_va: ApparentPower, voltage_v: LineVoltage, multiple: Ratio) -> Current:
    """Return a fault current that is stated as a multiple of the rated current.

    So are given: the sustained current of a generator with its exciter forcing, the current limit
    of a UPS on inverter, and the first-cycle contribution of motors (4 to 6 times).

    voltage_v: rated line-to-line voltage.
    """
    return multiple * rating_va / (np.sqrt(3.0) * voltage_v)
